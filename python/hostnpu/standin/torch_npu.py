# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""torch_npu: importing it is what a script does; the device is added to torch by torch_device."""

from __future__ import annotations

import torch

npu = torch.npu
__version__ = "2.6.0+hostnpu"


def npu_gelu_backward(dy, x, approximate="tanh"):
    """The gradient of GELU."""
    x = x.detach().float().requires_grad_(True)
    with torch.enable_grad():
        y = torch.nn.functional.gelu(x, approximate=approximate)
        (gradient,) = torch.autograd.grad(y, x, dy.float())
    return gradient.to(dy.dtype)


def npu_swiglu(x, dim=-1):
    """silu(a) * b of the two halves along `dim`."""
    a, b = x.float().chunk(2, dim)
    return (torch.nn.functional.silu(a) * b).to(x.dtype)


def npu_swiglu_backward(dy, x, dim=-1):
    leaf = x.detach().float().requires_grad_(True)
    with torch.enable_grad():
        a, b = leaf.chunk(2, dim)
        y = torch.nn.functional.silu(a) * b
        (gradient,) = torch.autograd.grad(y, leaf, dy.float())
    return gradient.to(x.dtype)


def npu_rotary_mul(x, r1, r2, rotary_mode="half"):
    """x * r1 + rotate(x) * r2."""
    if rotary_mode == "half":
        a, b = x.chunk(2, -1)
        rotated = torch.cat((-b, a), -1)
    else:
        rotated = torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)
    return x * r1 + rotated * r2


def npu_cross_entropy_loss(
    input,  # noqa: A002
    target,
    weight=None,
    reduction="mean",
    ignore_index=-100,
    label_smoothing=0.0,
    lse_square_scale_for_zloss=0.0,
    return_zloss=False,
):
    """(loss, log_softmax, zloss, lse)"""
    scores = torch.log_softmax(input.float(), -1)
    loss = torch.nn.functional.nll_loss(scores, target.long(), weight, reduction=reduction, ignore_index=ignore_index)
    lse = torch.logsumexp(input.float(), -1)
    return loss.to(input.dtype), scores.to(input.dtype), torch.zeros_like(loss), lse


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"hostnpu's stand-in for torch_npu has no '{name}'")

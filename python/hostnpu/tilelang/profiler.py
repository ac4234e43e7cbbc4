# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Timing and checking of kernels."""

from __future__ import annotations

import time
from enum import Enum



class TensorSupplyType(Enum):
    Integer = 1
    Uniform = 2
    Normal = 3
    Randn = 4
    Zero = 5
    One = 6
    Auto = 7


def do_bench(
    fn,
    warmup=25,
    rep=100,
    _n_warmup=0,
    _n_repeat=0,
    grad_to_none=None,
    quantiles=None,
    fast_flush=True,
    return_mode="mean",
):
    """Milliseconds of one call of `fn`: warmed up for `warmup` ms, measured for `rep` ms, at least once."""
    assert return_mode in ("min", "max", "mean", "median"), f"return_mode is min, max, mean or median, not {return_mode!r}"
    begin = time.perf_counter()
    fn()
    estimate = max((time.perf_counter() - begin) * 1e3, 1e-4)
    # The first call has warmed up; a call longer than the budget is not made again for that.
    warmups = _n_warmup or min(int(warmup / estimate), 100)
    repeats = _n_repeat or max(1, min(int(rep / estimate), 1000))
    for _ in range(warmups):
        fn()
    times = []
    for _ in range(repeats):
        for tensor in grad_to_none or ():
            tensor.grad = None
        begin = time.perf_counter()
        fn()
        times.append((time.perf_counter() - begin) * 1e3)
    times.sort()
    if quantiles is not None:
        points = [_quantile(times, q) for q in quantiles]
        return points[0] if len(points) == 1 else points
    if return_mode == "median":
        return _quantile(times, 0.5)
    return {"min": times[0], "max": times[-1], "mean": sum(times) / len(times)}[return_mode]


def _quantile(ordered, q):
    position = q * (len(ordered) - 1)
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def get_tensor_supply(kind=TensorSupplyType.Auto):
    """A function from a parameter to a torch tensor for it."""
    import torch

    def supply(param):
        dtype = getattr(torch, param.dtype)
        shape = [int(size) for size in param.shape]
        if kind == TensorSupplyType.Zero:
            return torch.zeros(shape, dtype=dtype)
        if kind == TensorSupplyType.One:
            return torch.ones(shape, dtype=dtype)
        if dtype == torch.bool:
            return torch.randint(0, 2, shape).to(dtype)
        unsigned = not dtype.is_floating_point and param.dtype.startswith("u")
        if not dtype.is_floating_point or kind == TensorSupplyType.Integer:
            return torch.randint(0 if unsigned else -2, 3, shape).to(dtype)
        if kind in (TensorSupplyType.Normal, TensorSupplyType.Randn, TensorSupplyType.Auto):
            return torch.randn(shape).to(dtype)
        return torch.empty(shape, dtype=torch.float32).uniform_(-1, 1).to(dtype)

    return supply


class Profiler:
    """Runs a kernel on made-up inputs."""

    def __init__(self, kernel, supply_type=TensorSupplyType.Auto):
        self.kernel = kernel
        self.params = kernel.params
        self.result_idx = kernel.out_idx
        self.workspace_idx = kernel.workspace_idx
        self.supply_type = supply_type

    def _get_inputs(self, with_output=False):
        supply = get_tensor_supply(self.supply_type)
        skipped = set(self.workspace_idx) | (set() if with_output else set(self.result_idx))
        return [supply(param) for index, param in enumerate(self.params) if index not in skipped]

    def _run(self, input_tensors):
        inputs = self._get_inputs() if input_tensors is None else input_tensors
        return inputs, self.kernel(*inputs)

    @staticmethod
    def _list(result):
        return list(result) if isinstance(result, (list, tuple)) else [] if result is None else [result]

    def assert_allclose(self, reference_program, input_tensors=None, atol=1e-2, rtol=1e-2, max_mismatched_ratio=0.01):
        import torch

        inputs, result = self._run(input_tensors)
        for got, expected in zip(self._list(result), self._list(reference_program(*inputs))):
            close = torch.isclose(got.float(), expected.float(), atol=atol, rtol=rtol, equal_nan=True)
            wrong = int((~close).sum())
            if wrong > max_mismatched_ratio * got.numel():
                raise AssertionError(
                    f"{wrong} of {got.numel()} elements differ from the reference by more than atol {atol}, rtol {rtol} "
                    f"(allowed: {max_mismatched_ratio:.2%})"
                )

    def manual_assert_close(self, reference_program, input_tensors=None, manual_check_prog=None):
        inputs, result = self._run(input_tensors)
        manual_check_prog(self._list(result), self._list(reference_program(*inputs)))

    def assert_consistent(self, repeat=10):
        import torch

        inputs = self._get_inputs()
        first = self._list(self.kernel(*inputs))
        for _ in range(repeat):
            for got, expected in zip(self._list(self.kernel(*inputs)), first):
                assert torch.equal(got, expected), "two calls with the same inputs give different results"

    def run_once(self, func=None):
        return (func or self.kernel)(*self._get_inputs())

    def do_bench(self, func=None, warmup=25, rep=100, n_warmup=1, n_repeat=1, input_tensors=None, **ignored):
        inputs = self._get_inputs() if input_tensors is None else input_tensors
        target = func or self.kernel
        return do_bench(lambda: target(*inputs), warmup=warmup, rep=rep)

    def __call__(self, *args):
        return self.kernel(*args)



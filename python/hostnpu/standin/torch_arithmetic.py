# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of torch whose last bit on the CPU is not the device's.

Public scripts compare a kernel to the last bit of half with what torch computes on the device. The cube
accumulates half and bfloat16 in float and rounds the sum once, while torch's CPU kernels round or group
partial sums in their own way. torch's exp of a float is not the nearest float in one case of a hundred; here
it is rounded from double.
"""

from __future__ import annotations

import warnings

_library = None


def install(torch) -> None:
    """Puts the operations in place, for the rest of the process."""
    global _library
    if _library is not None:
        return
    narrow = (torch.float16, torch.bfloat16)
    aten = torch.ops.aten

    def mm(self, mat2):
        if self.dtype in narrow:
            return aten.mm(self.float(), mat2.float()).to(self.dtype)
        return aten.mm.out(self, mat2, out=self.new_empty((self.shape[0], mat2.shape[1])))

    def bmm(self, mat2):
        if self.dtype in narrow:
            return aten.bmm(self.float(), mat2.float()).to(self.dtype)
        return aten.bmm.out(self, mat2, out=self.new_empty((self.shape[0], self.shape[1], mat2.shape[2])))

    def addmm(self, mat1, mat2, *, beta=1, alpha=1):
        if mat1.dtype in narrow:
            return aten.addmm(self.float(), mat1.float(), mat2.float(), beta=beta, alpha=alpha).to(mat1.dtype)
        out = mat1.new_empty((mat1.shape[0], mat2.shape[1]))
        return aten.addmm.out(self, mat1, mat2, beta=beta, alpha=alpha, out=out)

    def exp(self):
        if self.dtype == torch.float32:
            return aten.exp(self.double()).float()
        return aten.exp.out(self, out=torch.empty_like(self, dtype=torch.result_type(self, 1.0)))

    _library = torch.library.Library("aten", "IMPL")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Warning only once for all operators")  # that there was a kernel before
        for name, function in (("mm", mm), ("bmm", bmm), ("addmm", addmm), ("exp", exp)):
            _library.impl(name, function, "CPU")

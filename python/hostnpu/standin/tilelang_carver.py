# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""tilelang.carver: legal tile sizes for a matrix product."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from .. import _native

arch = ascend = sys.modules[__name__]


class Ascend:
    """The chip's memories."""

    def __init__(self, *ignored, **options):
        self.chip = _native.chip()


@dataclass
class Hint:
    block: list
    rstep: list


@dataclass
class MatmulTemplate:
    M: int
    N: int
    K: int
    in_dtype: str = "float16"
    accum_dtype: str = "float32"
    out_dtype: str = "float16"

    def with_arch(self, arch):
        self.arch = arch
        return self

    def recommend_hints(self, topk=10):
        """Tiles that fit L1 and L0C, the largest first."""
        chip = self.arch.chip
        in_bytes = _native.dtype_bits(self.in_dtype) // 8
        acc_bytes = 4
        found = []
        sizes = (256, 128, 64, 32, 16)
        for m in sizes:
            for n in sizes:
                for k in sizes:
                    if self.M % m or self.N % n or self.K % k:
                        continue
                    if m * n * acc_bytes > chip["l0c_bytes"] or (m + n) * k * in_bytes > chip["l1_bytes"]:
                        continue
                    found.append((m * n * k / (m + n), Hint([m, n], [k])))
        found.sort(key=lambda entry: -entry[0])
        return [hint for _, hint in found[:topk]]

# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""tilelang.utils: the platform and made-up tensors."""

from __future__ import annotations

import sys

from .. import _native
from ..tilelang.profiler import TensorSupplyType, get_tensor_supply  # noqa: F401

target = tensor = sys.modules[__name__]


def determine_platform(platform="auto"):
    """"A2" or "A3", from the chip."""
    if platform != "auto":
        return platform
    name = _native.chip()["name"]
    return "A2" if "910B" in name else "A5" if "950" in name else "A3"


def determine_target(target="auto", **ignored):
    return "ascendc" if target == "auto" else target

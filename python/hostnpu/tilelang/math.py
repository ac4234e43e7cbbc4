# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Integer arithmetic on the host."""


def next_power_of_2(x: int) -> int:
    return 1 << (x - 1).bit_length() if x > 1 else 1


def cdiv(a, b):
    return (a + b - 1) // b

# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""tilelang.jit.adapter: names that programs import."""

from __future__ import annotations

import sys

libgen = sys.modules[__name__]


class CythonKernelAdapter:
    """Every backend is the same here; see JITKernel."""


class LibraryGenerator:
    """Libraries are made by hostnpu's compiler; see JITKernel.library_path."""

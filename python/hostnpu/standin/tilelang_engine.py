# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""tilelang.engine: lowering without a call."""

from __future__ import annotations

from .. import _native
from ..tilelang.kernel import KernelParam


class CompiledArtifact:
    def __init__(self, func, generated):
        self.kernel_source = generated.source
        self.host_source = generated.host_source
        self.params = [KernelParam(row) for row in func.params]


def lower(func, target="auto", target_host=None, params=None, runtime_only=False, **options):
    """The kernel as Ascend C text, not compiled."""
    return CompiledArtifact(func, _native.generate(func.module))

# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""TileLang-Ascend programs on a CPU host: `import hostnpu.tilelang as tilelang`."""

from __future__ import annotations

from . import language  # noqa: F401

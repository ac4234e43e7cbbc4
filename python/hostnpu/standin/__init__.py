# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""Stand-ins for the packages that a script for the NPU imports.

Only `hostnpu run script.py` (`python -m hostnpu.run`) installs them: `tilelang` and its submodules become
hostnpu's, `torch_npu` and `torch.npu` exist, and everything that names the device "npu" happens on the
CPU. Importing hostnpu alone never does.
"""

from __future__ import annotations

import sys

from . import modules

_installed = False


def install() -> None:
    """Puts the stand-ins in place, for the rest of the process."""
    global _installed
    if _installed:
        return
    _installed = True
    from .. import tilelang
    from ..tilelang import kernel
    from . import tilelang_carver, tilelang_engine, tilelang_utils

    kernel.strict_shapes_default = False
    # `from tilelang import carver` asks the package, not the import system.
    tilelang.carver, tilelang.engine, tilelang.utils = tilelang_carver, tilelang_engine, tilelang_utils
    sys.meta_path.insert(0, modules.Finder())


def is_active() -> bool:
    return _installed

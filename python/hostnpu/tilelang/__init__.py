# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""TileLang-Ascend programs on a CPU host: `import hostnpu.tilelang as tilelang`."""

from __future__ import annotations

from .. import __version__  # noqa: F401
from . import autotuner, cache, intrinsics, language, math, profiler  # noqa: F401
from .autotuner import autotune  # noqa: F401
from .cache import cached, clear_cache, disable_cache, enable_cache, get_cache_dir, set_cache_dir  # noqa: F401
from .errors import CompileError, TileLangError  # noqa: F401
from .jit import compile, jit  # noqa: A004, F401
from .kernel import JITKernel  # noqa: F401
from .language.types import DataType  # noqa: F401
from .math import cdiv, next_power_of_2  # noqa: F401
from .pass_config import PassConfigKey  # noqa: F401
from .prim_func import PrimFunc  # noqa: F401
from .profiler import Profiler, TensorSupplyType, do_bench  # noqa: F401

# Copyright 2026 The hostnpu Authors
# SPDX-License-Identifier: Apache-2.0
"""pass_configs: four switches mean something here, the others are accepted."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from .errors import error_class


class PassConfigKey(str, Enum):
    TL_ASCEND_AUTO_SYNC = "tl.ascend_auto_sync"
    TL_ASCEND_MEMORY_PLANNING = "tl.ascend_memory_planning"
    TL_ASCEND_AUTO_CV_COMBINE = "tl.ascend_auto_cv_combine"
    TL_ASCEND_AUTO_CV_SYNC = "tl.ascend_auto_cross_core_sync"
    TL_SIMPLIFY = "tl.Simplify"
    TL_DYNAMIC_ALIGNMENT = "tl.dynamic_alignment"
    TL_DISABLE_DYNAMIC_TAIL_SPLIT = "tl.disable_dynamic_tail_split"
    TL_DISABLE_WARP_SPECIALIZED = "tl.disable_warp_specialized"
    TL_CONFIG_INDEX_BITWIDTH = "tl.config_index_bitwidth"
    TL_DISABLE_TMA_LOWER = "tl.disable_tma_lower"
    TL_DISABLE_SAFE_MEMORY_ACCESS = "tl.disable_safe_memory_legalize"
    TL_DEBUG_MERGE_SHARED_MEMORY_ALLOCATIONS = "tl.debug_merge_shared_memory_allocations"
    TIR_ENABLE_EQUIV_TERMS_IN_CSE = "tir.enable_equiv_terms_in_cse_tir"
    TIR_DISABLE_CSE = "tir.disable_cse_tir"
    TIR_SIMPLIFY = "tir.Simplify"
    TIR_DISABLE_STORAGE_REWRITE = "tir.disable_storage_rewrite"
    TIR_DISABLE_VECTORIZE = "tir.disable_vectorize"
    TIR_USE_ASYNC_COPY = "tir.use_async_copy"
    TIR_ENABLE_DEBUG = "tir.enable_debug"
    TIR_MERGE_STATIC_SMEM = "tir.merge_static_smem"
    TIR_ADD_LOWER_PASS = "tir.add_lower_pass"
    TIR_NOALIAS = "tir.noalias"
    CUDA_KERNELS_OUTPUT_DIR = "cuda.kernels_output_dir"


_KNOWN = {key.value for key in PassConfigKey}


def read_pass_configs(configs) -> tuple[bool, bool, bool, bool]:
    """(auto_sync, memory_planning, auto_cv_combine, auto_cv_sync)"""
    if configs is not None and not isinstance(configs, Mapping):
        raise error_class(TypeError)(f"pass_configs is a dict, but {configs!r} is given")
    values = {}
    for key, value in (configs or {}).items():
        name = key.value if isinstance(key, PassConfigKey) else str(key)
        if name not in _KNOWN:
            raise error_class(AttributeError)(f"Invalid config option '{name}' in pass_configs")
        values[name] = value
    return tuple(
        bool(values.get(key.value, False))
        for key in (
            PassConfigKey.TL_ASCEND_AUTO_SYNC,
            PassConfigKey.TL_ASCEND_MEMORY_PLANNING,
            PassConfigKey.TL_ASCEND_AUTO_CV_COMBINE,
            PassConfigKey.TL_ASCEND_AUTO_CV_SYNC,
        )
    )

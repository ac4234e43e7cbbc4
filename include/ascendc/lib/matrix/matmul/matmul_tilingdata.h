// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// optiling::TCubeTiling: the host's class with set_/get_ functions, or, where tilings are structs,
// the kernel's.
#ifndef HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_MATMUL_TILINGDATA_H_
#define HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_MATMUL_TILINGDATA_H_

#include "../../../kernel_tiling/kernel_tiling.h"
#include "../../../register/tilingdata_base.h"

namespace optiling {

#ifdef HOSTNPU_TILING_AS_STRUCT
using ::TCubeTiling;
#else
// clang-format off
BEGIN_TILING_DATA_DEF(TCubeTiling)
#define HOSTNPU_TILING_FIELD(name) TILING_DATA_FIELD_DEF(int32_t, name);
#include "../../../tiling/cube_tiling.def"
#undef HOSTNPU_TILING_FIELD
END_TILING_DATA_DEF;
// clang-format on
REGISTER_TILING_DATA_CLASS(TCubeTilingOp, TCubeTiling)
#endif

}  // namespace optiling

#endif  // HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_MATMUL_TILINGDATA_H_

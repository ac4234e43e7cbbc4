// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TESTS_OPERATOR_SCALE_SHIFT_TILING_H_
#define HOSTNPU_TESTS_OPERATOR_SCALE_SHIFT_TILING_H_
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ScaleShiftTilingData)
TILING_DATA_FIELD_DEF(uint32_t, elements);
TILING_DATA_FIELD_DEF(uint32_t, per_block);
TILING_DATA_FIELD_DEF(float, scale);
TILING_DATA_FIELD_DEF(float, shift);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ScaleShift, ScaleShiftTilingData)
}  // namespace optiling
#endif  // HOSTNPU_TESTS_OPERATOR_SCALE_SHIFT_TILING_H_

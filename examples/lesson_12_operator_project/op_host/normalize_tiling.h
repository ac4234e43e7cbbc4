// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the host tells the kernel. Both sides read this file: the host to fill it, the kernel by
// GET_TILING_DATA.
#ifndef HOSTNPU_EXAMPLES_LESSON_12_NORMALIZE_TILING_H_
#define HOSTNPU_EXAMPLES_LESSON_12_NORMALIZE_TILING_H_

#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(NormalizeTilingData)
TILING_DATA_FIELD_DEF(uint32_t, tiles);  // of the whole tensor
TILING_DATA_FIELD_DEF(uint32_t, tile);   // elements in each, but for the last
TILING_DATA_FIELD_DEF(uint32_t, last);   // elements in the last
TILING_DATA_FIELD_DEF(float, epsilon);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Normalize, NormalizeTilingData)
}  // namespace optiling

#endif  // HOSTNPU_EXAMPLES_LESSON_12_NORMALIZE_TILING_H_

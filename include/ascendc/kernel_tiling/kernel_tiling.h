// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// TCubeTiling as a kernel reads it: what the host's matmul_tiling classes computed, in the order
// and the bytes they save it.
#ifndef HOSTNPU_ASCENDC_KERNEL_TILING_KERNEL_TILING_H_
#define HOSTNPU_ASCENDC_KERNEL_TILING_KERNEL_TILING_H_

#include <stdint.h>
#include <string.h>  // headers of tiling data that include this one copy with memcpy

#include "vector_tiling.h"

namespace AscendC {
namespace tiling {

struct TCubeTiling {
#define HOSTNPU_TILING_FIELD(name) int32_t name = 0;
#include "../tiling/cube_tiling.def"
#undef HOSTNPU_TILING_FIELD
};
static_assert(sizeof(TCubeTiling) == 200, "the saved form has 50 fields");

}  // namespace tiling
}  // namespace AscendC
using AscendC::tiling::TCubeTiling;

#endif  // HOSTNPU_ASCENDC_KERNEL_TILING_KERNEL_TILING_H_

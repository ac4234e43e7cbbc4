// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The tiling structs of the high-level vector functions as a kernel reads them.
#ifndef HOSTNPU_ASCENDC_KERNEL_TILING_VECTOR_TILING_H_
#define HOSTNPU_ASCENDC_KERNEL_TILING_VECTOR_TILING_H_

#include <stdint.h>

namespace AscendC {
namespace tiling {

#define HOSTNPU_TILING_BEGIN(name) struct alignas(8) name {
#define HOSTNPU_TILING_FIELD(type, name) type name = 0;
#define HOSTNPU_TILING_END \
  }                        \
  ;
#include "../tiling/vector_tiling.def"
#undef HOSTNPU_TILING_BEGIN
#undef HOSTNPU_TILING_FIELD
#undef HOSTNPU_TILING_END

}  // namespace tiling
}  // namespace AscendC

#define HOSTNPU_TILING_BEGIN(name) using AscendC::tiling::name;
#define HOSTNPU_TILING_FIELD(type, name)
#define HOSTNPU_TILING_END
#include "../tiling/vector_tiling.def"
#undef HOSTNPU_TILING_BEGIN
#undef HOSTNPU_TILING_FIELD
#undef HOSTNPU_TILING_END

#endif  // HOSTNPU_ASCENDC_KERNEL_TILING_VECTOR_TILING_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_MATMUL_TILING_H_
#define HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_MATMUL_TILING_H_

#include "matmul_tiling_base.h"

namespace matmul_tiling {

/// The tiling of a product on one core.
class MatmulApiTiling : public MatmulApiTilingBase {
 public:
  using MatmulApiTilingBase::MatmulApiTilingBase;
};

}  // namespace matmul_tiling

/// Temporary buffers the kernel's Matmul object needs besides the tiling: none in UB.
template <typename Tiling>
inline int32_t MatmulGetTmpBufSize(Tiling&, matmul_tiling::SysTilingTempBufSize& size) {
  size = {};
  return 0;
}
template <typename Tiling>
inline int32_t MatmulGetTmpBufSizeV2(Tiling& tiling, matmul_tiling::SysTilingTempBufSize& size) {
  return MatmulGetTmpBufSize(tiling, size);
}

#endif  // HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_MATMUL_TILING_H_

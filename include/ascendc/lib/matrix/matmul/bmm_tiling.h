// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_BMM_TILING_H_
#define HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_BMM_TILING_H_

#include "matmul_tiling.h"

namespace matmul_tiling {

/// The tiling of a product over several cores.
class MultiCoreMatmulTiling : public MatmulApiTilingBase {
 public:
  using MatmulApiTilingBase::MatmulApiTilingBase;

  /// How many cores at the most.
  int32_t SetDim(int32_t dim) {
    problem_.cores = dim;
    return dim > 0 ? 0 : -1;
  }
  /// What one core computes; -1: the solver's.
  virtual int32_t SetSingleShape(int32_t singleM = -1, int32_t singleN = -1, int32_t singleK = -1) {
    problem_.single_m = singleM;
    problem_.single_n = singleN;
    problem_.single_k = singleK;
    return 0;
  }
  virtual int32_t SetSingleRange(int32_t = -1, int32_t = -1, int32_t = -1, int32_t = -1,
                                 int32_t = -1, int32_t = -1) {
    return 0;
  }
  /// The single-core sizes are multiples of these.
  int32_t SetAlignSplit(int32_t alignM, int32_t alignN, int32_t alignK) {
    problem_.align_m = alignM;
    problem_.align_n = alignN;
    problem_.align_k = alignK;
    return 0;
  }
  int32_t GetSingleShape(int32_t& shapeM, int32_t& shapeN, int32_t& shapeK) {
    shapeM = solved_.singleCoreM;
    shapeN = solved_.singleCoreN;
    shapeK = solved_.singleCoreK;
    return 0;
  }
  int32_t GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim) {
    if (solved_.singleCoreM <= 0) return -1;
    dim = solved_.usedCoreNum;
    mDim = static_cast<int32_t>(internal::CeilDiv(problem_.m, solved_.singleCoreM));
    nDim = static_cast<int32_t>(internal::CeilDiv(problem_.n, solved_.singleCoreN));
    return 0;
  }
  void EnableMultiCoreSplitK(bool flag) { problem_.split_k = flag; }
  void SetSplitK(bool flag) { EnableMultiCoreSplitK(flag); }
};

/// The tiling of a batch of products.
class BatchMatmulTiling : public MatmulApiTilingBase {
 public:
  using MatmulApiTilingBase::MatmulApiTilingBase;

  int32_t GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim, int32_t& batchCoreM,
                     int32_t& batchCoreN) {
    if (solved_.singleCoreM <= 0) return -1;
    dim = solved_.usedCoreNum;
    mDim = static_cast<int32_t>(internal::CeilDiv(solved_.M, solved_.singleCoreM));
    nDim = static_cast<int32_t>(internal::CeilDiv(solved_.N, solved_.singleCoreN));
    batchCoreM = batchCoreN = 1;
    return 0;
  }
};

}  // namespace matmul_tiling

template <typename Tiling>
inline int32_t MultiCoreMatmulGetTmpBufSize(Tiling& tiling,
                                            matmul_tiling::SysTilingTempBufSize& size) {
  return MatmulGetTmpBufSize(tiling, size);
}
template <typename Tiling>
inline int32_t MultiCoreMatmulGetTmpBufSizeV2(Tiling& tiling,
                                              matmul_tiling::SysTilingTempBufSize& size) {
  return MatmulGetTmpBufSize(tiling, size);
}
template <typename Tiling>
inline int32_t BatchMatmulGetTmpBufSize(Tiling& tiling, matmul_tiling::SysTilingTempBufSize& size) {
  return MatmulGetTmpBufSize(tiling, size);
}
template <typename Tiling>
inline int32_t BatchMatmulGetTmpBufSizeV2(Tiling& tiling,
                                          matmul_tiling::SysTilingTempBufSize& size) {
  return MatmulGetTmpBufSize(tiling, size);
}

#endif  // HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_BMM_TILING_H_

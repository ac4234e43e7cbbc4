// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// CumSum: running sums along either dimension of a matrix.
#ifndef HOSTNPU_ASCENDC_ADVANCED_CUMULATIVE_SUM_H_
#define HOSTNPU_ASCENDC_ADVANCED_CUMULATIVE_SUM_H_

#include "../detail/availability.h"
#include "../detail/vector_run.h"

namespace AscendC {

enum class CumSumAlgorithm { CUMSUM_ALGORITHM_LINEBYLINE = 0, CUMSUM_ALGORITHM_SKLANSKY = 1 };
struct CumSumConfig {
  bool isLastAxis{true};  // along the rows; else down the columns
  bool isReuseSource{false};
  bool outputLastRow{false};
  CumSumAlgorithm algorithm{CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
};
constexpr CumSumConfig defaultCumSumConfig = {true, false, false,
                                              CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
struct CumSumInfo {
  uint32_t outter{0};  // rows
  uint32_t inner{0};   // elements of a row, whole blocks
};

HOSTNPU_AVAILABLE(CumSum, internal::kHalf | internal::kFloat)

/// dst[r][c] = the sum of src[r][0..c], or of src[0..r][c], added in float one after another.
/// lastRow = the last row of dst, where the configuration asks for it.
template <typename T, const CumSumConfig& config = defaultCumSumConfig>
inline void CumSum(LocalTensor<T>& dstTensor, LocalTensor<T>& lastRowTensor,
                   const LocalTensor<T>& srcTensor, const CumSumInfo& cumSumInfo) {
  static_assert(AvailableCumSum<T>::value, "");
  static_assert(config.algorithm == CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE,
                "CumSum takes CUMSUM_ALGORITHM_SKLANSKY on other chips only");
  using U = PrimT<T>;
  constexpr const char* kApi = "CumSum";
  if (!internal::OnVectorCore()) return;
  const uint64_t rows = cumSumInfo.outter;
  const uint64_t columns = cumSumInfo.inner;
  if (HOSTNPU_UNLIKELY(rows == 0 || columns == 0 || columns * sizeof(U) % ONE_BLK_SIZE != 0)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "has %u rows of %u elements of %s; rows are one or more whole blocks of %u bytes",
                  cumSumInfo.outter, cumSumInfo.inner, internal::TypeName<U>(),
                  (unsigned)ONE_BLK_SIZE);
  }
  internal::CheckMatrix(kApi, "dstTensor", dstTensor, cumSumInfo.outter, cumSumInfo.inner);
  internal::CheckMatrix(kApi, "srcTensor", srcTensor, cumSumInfo.outter, cumSumInfo.inner);
  U* dst = dstTensor.Data();
  const U* src = srcTensor.Data();
  // Along a row the elements of a line are neighbours; down a column, a row apart.
  const uint64_t lines = config.isLastAxis ? rows : columns;
  const uint64_t length = config.isLastAxis ? columns : rows;
  const uint64_t line_step = config.isLastAxis ? columns : 1;
  const uint64_t step = config.isLastAxis ? 1 : columns;
  for (uint64_t line = 0; line < lines; ++line) {
    float sum = 0.0f;
    for (uint64_t i = 0; i < length; ++i) {
      const uint64_t at = line * line_step + i * step;
      sum = i == 0 ? static_cast<float>(src[at]) : sum + static_cast<float>(src[at]);
      dst[at] = static_cast<U>(sum);
    }
  }
  if constexpr (config.outputLastRow) {
    internal::CheckMatrix(kApi, "lastRowTensor", lastRowTensor, 1, cumSumInfo.inner);
    for (uint64_t i = 0; i < columns; ++i) lastRowTensor.Data()[i] = dst[(rows - 1) * columns + i];
  }
}
template <typename T, const CumSumConfig& config = defaultCumSumConfig>
inline void CumSum(LocalTensor<T>& dstTensor, LocalTensor<T>& lastRowTensor,
                   const LocalTensor<T>& srcTensor, LocalTensor<uint8_t>& sharedTmpBuffer,
                   const CumSumInfo& cumSumInfo) {
  static_cast<void>(sharedTmpBuffer);
  CumSum<T, config>(dstTensor, lastRowTensor, srcTensor, cumSumInfo);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_CUMULATIVE_SUM_H_

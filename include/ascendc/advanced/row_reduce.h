// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums and means of the rows of a matrix. A row of n elements lies in `inner`, which is n rounded
// up to whole blocks; what pads it is not read.
#ifndef HOSTNPU_ASCENDC_ADVANCED_ROW_REDUCE_H_
#define HOSTNPU_ASCENDC_ADVANCED_ROW_REDUCE_H_

#include "../basic/vector_reduce_all.h"

namespace AscendC {

struct SumParams {
  uint32_t outter = 1;  // rows
  uint32_t inner = 0;   // elements from row to row
  uint32_t n = 0;       // elements of a row that count
};
struct MeanParams {
  uint32_t outter = 1;
  uint32_t inner = 0;
  uint32_t n = 0;
};

namespace internal {

/// The sum of n elements: trees over repeats, then trees over their sums, until one is left.
template <typename T>
inline float SumOfRow(const T* row, uint32_t n) {
  constexpr uint32_t kLanes = kLanesPerRepeat<T>;
  if (n <= kLanes) return SumOfPartials(row, n);
  // Level by level in place of one buffer: a group of the next level is summed as soon as it is
  // full. partial[level] holds the sums of that level that wait for their group.
  alignas(32) T partial[5][kLanes];
  uint32_t waiting[5] = {0, 0, 0, 0, 0};
  const auto add = [&](T sum) {
    for (uint32_t level = 0; level < 5; ++level) {
      partial[level][waiting[level]++] = sum;
      if (waiting[level] < kLanes) return;
      sum = static_cast<T>(SumOfPartials(partial[level], kLanes));
      waiting[level] = 0;
    }
  };
  for (uint32_t at = 0; at < n; at += kLanes)
    add(static_cast<T>(SumOfPartials(row + at, n - at < kLanes ? n - at : kLanes)));
  // What is left of each level is one group of the next.
  for (uint32_t level = 0; level < 4; ++level) {
    bool above = false;
    for (uint32_t other = level + 1; other < 5; ++other) above |= waiting[other] != 0;
    if (waiting[level] == 0) continue;
    if (waiting[level] == 1 && !above) return static_cast<float>(partial[level][0]);
    const float rest = SumOfPartials(partial[level], waiting[level]);
    partial[level + 1][waiting[level + 1]++] = static_cast<T>(rest);
  }
  return SumOfPartials(partial[4], waiting[4]);
}

template <typename T>
inline void CheckRows(const char* api, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                      uint32_t rows, uint32_t inner, uint32_t n) {
  if (n > inner) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "has n = %u elements in rows of inner = %u", n,
                  inner);
  }
  if (uint64_t{inner} * sizeof(PrimT<T>) % 32 != 0) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ALIGNMENT, api,
                  "has rows of inner = %u elements (%llu bytes), which is "
                  "not a multiple of 32 bytes",
                  inner, (unsigned long long)(uint64_t{inner} * sizeof(PrimT<T>)));
  }
  CheckOperand(api, OperandOf("src", src), ((rows - 1) * uint64_t{inner} + n) * sizeof(PrimT<T>));
  CheckOperand(api, OperandOf("dst", dst), uint64_t{rows} * sizeof(PrimT<T>));
}

}  // namespace internal

HOSTNPU_AVAILABLE(Sum, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(Mean, internal::kHalf | internal::kFloat)

/// dst[row] = the sum of the row's first n elements.
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
inline void Sum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const SumParams& params) {
  static_assert(AvailableSum<T>::value, "");
  static_assert(reduceDim == -1, "Sum reduces the last dimension (-1) only");
  if (!internal::OnVectorCore() || params.outter == 0 || params.n == 0) return;
  internal::CheckRows("Sum", dst, src, params.outter, params.inner, params.n);
  for (uint32_t row = 0; row < params.outter; ++row) {
    dst.Data()[row] = static_cast<PrimT<T>>(
        internal::SumOfRow(src.Data() + uint64_t{row} * params.inner, params.n));
  }
}
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
inline void Sum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                const LocalTensor<uint8_t>& sharedTmpBuffer, const SumParams& params) {
  static_cast<void>(sharedTmpBuffer);
  Sum<T, reduceDim, isReuseSource, isBasicBlock>(dst, src, params);
}

/// dst[row] = the mean of the row's first n elements, accumulated as accType.
template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false,
          int32_t reduceDim = -1>
inline void Mean(const LocalTensor<T>& dst, const LocalTensor<T>& src, const MeanParams& params) {
  static_assert(AvailableMean<T>::value, "");
  static_assert(reduceDim == -1, "Mean reduces the last dimension (-1) only");
  if (!internal::OnVectorCore() || params.outter == 0 || params.n == 0) return;
  internal::CheckRows("Mean", dst, src, params.outter, params.inner, params.n);
  const float factor = 1.0f / static_cast<float>(params.n);
  for (uint32_t row = 0; row < params.outter; ++row) {
    const PrimT<T>* from = src.Data() + uint64_t{row} * params.inner;
    float sum = 0.0f;
    if constexpr (IsSameType<accType, PrimT<T>>::value) {
      sum = internal::SumOfRow(from, params.n);
    } else {
      for (uint32_t i = 0; i < params.n; ++i) sum += static_cast<float>(from[i]);
    }
    dst.Data()[row] = static_cast<PrimT<T>>(sum * static_cast<float>(static_cast<accType>(factor)));
  }
}
template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false,
          int32_t reduceDim = -1>
inline void Mean(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                 const LocalTensor<uint8_t>& sharedTmpBuffer, const MeanParams& params) {
  static_cast<void>(sharedTmpBuffer);
  Mean<T, accType, isReuseSource, isBasicBlock, reduceDim>(dst, src, params);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_ROW_REDUCE_H_

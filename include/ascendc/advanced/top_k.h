// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// TopK: the k largest or smallest elements of each row, in order, with where they stand. Equal
// elements keep their order, NaNs come first.
#ifndef HOSTNPU_ASCENDC_ADVANCED_TOP_K_H_
#define HOSTNPU_ASCENDC_ADVANCED_TOP_K_H_

#include "../basic/sort.h"
#include "../detail/availability.h"
#include "../detail/vector_run.h"
#include "../kernel_tiling/vector_tiling.h"

namespace AscendC {

struct TopKInfo {
  int32_t outter = 1;  // rows
  int32_t inner;       // elements from row to row, a multiple of 32
  int32_t n;           // elements of a row before the padding
};

namespace internal {

constexpr int32_t kTopKRow = 4096;  // elements

/// Keys in ascending order are scores in the order asked for; equal scores by position.
HOSTNPU_INLINE uint64_t TopKey(float score, bool largest, uint32_t position) {
  const uint32_t key = score != score ? 0 : DescendingKey(largest ? score : -score);
  return uint64_t{key} << 32 | position;
}
/// Restores a heap, the largest key at its root, of which only the root may be out of place.
inline void SiftDown(uint64_t* heap, uint32_t size) {
  const uint64_t key = heap[0];
  uint32_t at = 0;
  for (uint32_t child = 1; child < size; child = 2 * at + 1) {
    if (child + 1 < size && heap[child + 1] > heap[child]) ++child;
    if (heap[child] <= key) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = key;
}
/// The k smallest keys of a row, in ascending order.
template <typename T>
inline void SelectKeys(uint64_t* keys, uint32_t k, const T* row, uint32_t count, bool largest) {
  uint32_t size = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t key = TopKey(static_cast<float>(row[i]), largest, i);
    if (size < k) {
      uint32_t at = size++;
      for (; at != 0 && keys[(at - 1) / 2] < key; at = (at - 1) / 2) keys[at] = keys[(at - 1) / 2];
      keys[at] = key;
    } else if (key < keys[0]) {
      keys[0] = key;
      SiftDown(keys, k);
    }
  }
  for (; size > 1; SiftDown(keys, size)) {
    const uint64_t last = keys[--size];
    keys[size] = keys[0];
    keys[0] = last;
  }
}

inline void CheckTopK(int32_t k, const TopKInfo& info, bool small) {
  if (HOSTNPU_UNLIKELY(info.outter < 0 || info.inner <= 0 || info.inner % 32 != 0 ||
                       info.inner > kTopKRow || (small && info.inner != 32))) {
    HOSTNPU_FAULT(
        HOSTNPU_FAULT_ARGUMENT, "TopK", "has %d rows of %d elements; %s", info.outter, info.inner,
        small ? "rows have 32 in mode TOPK_NSMALL" : "rows have a multiple of 32, up to 4096");
  }
  if (HOSTNPU_UNLIKELY(info.n < 1 || info.n > info.inner || k < 1 || k > info.n)) {
    HOSTNPU_FAULT(
        HOSTNPU_FAULT_ARGUMENT, "TopK",
        "is asked for %d of %d elements in rows of %d; k is from 1 to n, and n up to a row", k,
        info.n, info.inner);
  }
}

}  // namespace internal

HOSTNPU_AVAILABLE(TopK, internal::kHalf | internal::kFloat)

/// Results of a row begin at a whole block, or, in mode TOPK_NSMALL, right behind those of the one
/// before. The index is the position in the row or, with isInitIndex, what srcIndexLocal has there:
/// for all rows the same, in mode TOPK_NSMALL each its own. With isHasfinish, rows whose
/// finishLocal is true get n as each index.
template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
          TopKMode topkMode = TopKMode::TOPK_NORMAL>
inline void TopK(const LocalTensor<T>& dstValueLocal, const LocalTensor<int32_t>& dstIndexLocal,
                 const LocalTensor<T>& srcLocal, const LocalTensor<int32_t>& srcIndexLocal,
                 const LocalTensor<bool>& finishLocal, const int32_t k, const TopkTiling& tilling,
                 const TopKInfo& topKInfo, const bool isLargest = true) {
  static_assert(AvailableTopK<T>::value, "");
  constexpr bool kSmall = topkMode == TopKMode::TOPK_NSMALL;
  static_cast<void>(tilling);
  using U = PrimT<T>;
  constexpr const char* kApi = "TopK";
  if (!internal::OnVectorCore()) return;
  internal::CheckTopK(k, topKInfo, kSmall);
  if (HOSTNPU_UNLIKELY(kSmall && isHasfinish)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi, "has no finishLocal in mode TOPK_NSMALL");
  }
  const uint64_t rows = static_cast<uint64_t>(topKInfo.outter);
  const uint32_t inner = static_cast<uint32_t>(topKInfo.inner);
  const uint32_t count = static_cast<uint32_t>(k);
  const uint64_t value_step = kSmall ? count : AlignUp(count, ONE_BLK_SIZE / sizeof(U));
  const uint64_t index_step = kSmall ? count : AlignUp(count, ONE_BLK_SIZE / sizeof(int32_t));
  if (rows == 0) return;
  internal::CheckOperand(kApi, internal::OperandOf("dstValueLocal", dstValueLocal),
                         ((rows - 1) * value_step + count) * sizeof(U));
  internal::CheckOperand(kApi, internal::OperandOf("dstIndexLocal", dstIndexLocal),
                         ((rows - 1) * index_step + count) * sizeof(int32_t));
  internal::CheckOperand(kApi, internal::OperandOf("srcLocal", srcLocal), rows * inner * sizeof(U));
  if (isInitIndex) {
    internal::CheckOperand(kApi, internal::OperandOf("srcIndexLocal", srcIndexLocal),
                           (kSmall ? rows : 1) * inner * sizeof(int32_t));
  }
  if (isHasfinish) {
    internal::CheckOperand(kApi, internal::OperandOf("finishLocal", finishLocal), rows);
  }
  uint64_t keys[internal::kTopKRow];
  for (uint64_t row = 0; row < rows; ++row) {
    const U* values = srcLocal.Data() + row * inner;
    internal::SelectKeys(keys, count, values, inner, isLargest);
    const bool finished = isHasfinish && finishLocal.Data()[row];
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t position = static_cast<uint32_t>(keys[i]);
      int32_t index = static_cast<int32_t>(position);
      if (isInitIndex) index = srcIndexLocal.Data()[(kSmall ? row * inner : 0) + position];
      dstValueLocal.Data()[row * value_step + i] = values[position];
      dstIndexLocal.Data()[row * index_step + i] = finished ? topKInfo.n : index;
    }
  }
}
template <typename T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
          TopKMode topkMode = TopKMode::TOPK_NORMAL>
inline void TopK(const LocalTensor<T>& dstValueLocal, const LocalTensor<int32_t>& dstIndexLocal,
                 const LocalTensor<T>& srcLocal, const LocalTensor<int32_t>& srcIndexLocal,
                 const LocalTensor<bool>& finishLocal, const LocalTensor<uint8_t>& tmpLocal,
                 const int32_t k, const TopkTiling& tilling, const TopKInfo& topKInfo,
                 const bool isLargest = true) {
  static_cast<void>(tmpLocal);
  TopK<T, isInitIndex, isHasfinish, isReuseSrc, topkMode>(dstValueLocal, dstIndexLocal, srcLocal,
                                                          srcIndexLocal, finishLocal, k, tilling,
                                                          topKInfo, isLargest);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_TOP_K_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Broadcast of a shape in UB: dimensions of size 1 are repeated. And Fill, which is Duplicate under
// the high-level library's name.
#ifndef HOSTNPU_ASCENDC_ADVANCED_BROADCAST_SHAPE_H_
#define HOSTNPU_ASCENDC_ADVANCED_BROADCAST_SHAPE_H_

#include "../basic/transpose.h"
#include "../detail/availability.h"
#include "../detail/vector_run.h"

namespace AscendC {
namespace internal {

/// Rows of `columns` from rows of `src_columns` (1 or `columns`); `src_rows` likewise.
template <typename Raw>
inline void BroadcastMatrix(Raw* dst, const Raw* src, uint64_t rows, uint64_t columns,
                            uint64_t src_rows, uint64_t src_columns) {
  for (uint64_t i = 0; i < rows; ++i) {
    const Raw* from = src + (src_rows == 1 ? 0 : i * src_columns);
    Raw* to = dst + i * columns;
    if (src_columns == 1) {
      const Raw value = *from;
      for (uint64_t j = 0; j < columns; ++j) to[j] = value;
    } else {
      __builtin_memmove(to, from, columns * sizeof(Raw));
    }
  }
}

HOSTNPU_FAULT_FUNCTION inline void BroadcastFault(uint32_t dim, uint32_t dst, uint32_t src,
                                                  int axis) {
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "Broadcast",
                "has dimension %u of size %u from size %u with axis %d; the axis has size 1 in the "
                "source and the others are equal",
                dim, dst, src, axis);
}

}  // namespace internal

HOSTNPU_AVAILABLE(Broadcast, internal::kHalf | internal::kBfloat16 | internal::kFloat |
                                 internal::kInt8 | internal::kUint8 | internal::kInt16 |
                                 internal::kUint16 | internal::kInt32 | internal::kUint32)

/// Repeats `axis`, which has size 1 in the source, to its size in the destination.
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
inline void Broadcast(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                      const uint32_t dstShape[dim], const uint32_t srcShape[dim]) {
  static_assert(AvailableBroadcast<T>::value, "");
  static_assert(dim == 1 || dim == 2, "Broadcast has one or two dimensions on this chip");
  static_assert(axis >= 0 && axis < dim,
                "Broadcast<T, dim, axis>: the axis is one of the dimensions");
  using Raw = internal::RawOf<T>;
  if (!internal::OnVectorCore()) return;
  for (uint32_t d = 0; d < dim; ++d) {
    if (dstShape[d] != srcShape[d] && (d != axis || srcShape[d] != 1))
      internal::BroadcastFault(d, dstShape[d], srcShape[d], axis);
  }
  const uint64_t rows = dim == 2 ? dstShape[0] : 1, columns = dstShape[dim - 1];
  const uint64_t src_rows = dim == 2 ? srcShape[0] : 1, src_columns = srcShape[dim - 1];
  if (rows * columns == 0) return;
  internal::CheckOperand("Broadcast", internal::OperandOf("src", src),
                         src_rows * src_columns * sizeof(Raw));
  internal::CheckOperand("Broadcast", internal::OperandOf("dst", dst),
                         rows * columns * sizeof(Raw));
  internal::BroadcastMatrix(reinterpret_cast<Raw*>(dst.address_.absAddr),
                            reinterpret_cast<const Raw*>(src.address_.absAddr), rows, columns,
                            src_rows, src_columns);
}
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
inline void Broadcast(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                      const uint32_t dstShape[dim], const uint32_t srcShape[dim],
                      const LocalTensor<uint8_t>& sharedTmpBuffer) {
  static_cast<void>(sharedTmpBuffer);
  Broadcast<T, dim, axis, isReuseSource>(dst, src, dstShape, srcShape);
}
/// The same under its earlier spelling.
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
inline void BroadCast(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                      const uint32_t dstShape[dim], const uint32_t srcShape[dim]) {
  Broadcast<T, dim, axis, isReuseSource>(dst, src, dstShape, srcShape);
}
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
inline void BroadCast(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                      const uint32_t dstShape[dim], const uint32_t srcShape[dim],
                      const LocalTensor<uint8_t>& sharedTmpBuffer) {
  Broadcast<T, dim, axis, isReuseSource>(dst, src, dstShape, srcShape, sharedTmpBuffer);
}

/// dst[i] = value for `count` elements.
template <typename T>
inline void Fill(const LocalTensor<T>& dst, const internal::NoDeduce<PrimT<T>>& value,
                 uint32_t count) {
  if (!internal::OnVectorCore() || count == 0) return;
  internal::CheckOperand("Fill", internal::OperandOf("dst", dst), uint64_t{count} * sizeof(value));
  PrimT<T>* to = dst.Data();
  for (uint32_t i = 0; i < count; ++i) to[i] = value;
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_BROADCAST_SHAPE_H_

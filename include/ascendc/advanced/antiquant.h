// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// AscendAntiQuant: dst = (src + offset) * scale from int8_t to half or bfloat16_t, with one offset
// and scale for all elements, or one for each column (channel) and group of rows. half adds and
// multiplies as half; bfloat16_t computes in float and is rounded once. No temporary buffer is
// needed.
#ifndef HOSTNPU_ASCENDC_ADVANCED_ANTIQUANT_H_
#define HOSTNPU_ASCENDC_ADVANCED_ANTIQUANT_H_

#include "../detail/availability.h"
#include "../detail/vector_run.h"

namespace AscendC {

/// Rows and columns of the offsets and scales; 0: as the tensors' ShapeInfo says.
struct AntiQuantShapeInfo {
  uint32_t offsetHeight{0};
  uint32_t offsetWidth{0};
  uint32_t scaleHeight{0};
  uint32_t scaleWidth{0};
};

namespace internal {

/// Offsets or scales as a matrix that stands for groups of rows, or, transposed, of columns.
template <typename T>
struct ChannelGroups {
  const T* values;  // null: 0 for all
  uint32_t width;
  uint32_t group;  // rows (transposed: columns) of src that share a value

  template <bool transposed>
  T At(uint32_t row, uint32_t column) const {
    if (values == nullptr) return static_cast<T>(0.0f);
    return transposed ? values[uint64_t{row} * width + column / group]
                      : values[uint64_t{row / group} * width + column];
  }
};

HOSTNPU_FAULT_FUNCTION inline void AntiQuantShapeFault(const char* name, uint32_t height,
                                                       uint32_t width, uint32_t rows,
                                                       uint32_t columns) {
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "AscendAntiQuant",
                "has a %s of %u x %u for a src of %u x %u; along n it has as many, and along k a "
                "divisor",
                name, height, width, rows, columns);
}

/// `height` x `width` 0: of the tensor's ShapeInfo, or else of `other`.
template <bool transposed, typename T>
inline ChannelGroups<PrimT<T>> GroupsOf(const char* name, const LocalTensor<T>& tensor,
                                        const LocalTensor<T>& other, uint32_t height,
                                        uint32_t width, uint32_t rows, uint32_t columns) {
  for (const LocalTensor<T>* from : {&tensor, &other}) {
    if (height != 0 && width != 0) break;
    const ShapeInfo info = from->GetShapeInfo();
    if (info.shapeDim < 2) continue;
    height = info.shape[0], width = info.shape[1];
  }
  const uint32_t along_n = transposed ? height : width, along_k = transposed ? width : height;
  const uint32_t n = transposed ? rows : columns, k = transposed ? columns : rows;
  if (along_n != n || along_k == 0 || k % along_k != 0) {
    AntiQuantShapeFault(name, height, width, rows, columns);
  }
  CheckOperand("AscendAntiQuant", OperandOf(name, tensor),
               uint64_t{height} * width * sizeof(PrimT<T>));
  return {tensor.Data(), width, k / along_k};
}

template <typename T>
HOSTNPU_INLINE T AntiQuantOne(int8_t value, T offset, T scale) {
  if constexpr (IsSameType<T, half>::value) {
    const half moved = static_cast<half>(static_cast<float>(value) + static_cast<float>(offset));
    return static_cast<half>(static_cast<float>(moved) * static_cast<float>(scale));
  } else {
    return static_cast<T>((static_cast<float>(value) + static_cast<float>(offset)) *
                          static_cast<float>(scale));
  }
}

/// The rows of src, of which k counts rows, or transposed columns.
template <bool transposed, typename S, typename D>
inline bool StartAntiQuant(const LocalTensor<D>& dst, const LocalTensor<S>& src, uint32_t k,
                           uint32_t* rows, uint32_t* columns) {
  static_assert(IsSameType<PrimT<S>, int8_t>::value,
                "AscendAntiQuant takes int8_t; int4b_t is not implemented");
  static_assert(IsSameType<PrimT<D>, half>::value || IsSameType<PrimT<D>, bfloat16_t>::value,
                "AscendAntiQuant gives half or bfloat16_t");
  constexpr const char* kApi = "AscendAntiQuant";
  const uint32_t size = src.GetSize();
  if (!OnVectorCore() || size == 0) return false;
  if (k == 0 || size % k != 0) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "has k = %u and a src of %u elements; k is a divisor of their number", k, size);
  }
  CheckOperand(kApi, OperandOf("src", src), size);
  CheckOperand(kApi, OperandOf("dst", dst), uint64_t{size} * sizeof(PrimT<D>));
  *rows = transposed ? size / k : k;
  *columns = transposed ? k : size / k;
  return true;
}
template <bool transposed, typename S, typename D>
inline void RunAntiQuant(const LocalTensor<D>& dst, const LocalTensor<S>& src, uint32_t rows,
                         uint32_t columns, const ChannelGroups<PrimT<D>>& offsets,
                         const ChannelGroups<PrimT<D>>& scales) {
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      const uint64_t at = uint64_t{row} * columns + column;
      dst.Data()[at] =
          AntiQuantOne<PrimT<D>>(src.Data()[at], offsets.template At<transposed>(row, column),
                                 scales.template At<transposed>(row, column));
    }
  }
}

}  // namespace internal

/// By channels. src is [k, n], or with isTranspose [n, k].
template <typename InputDataType, typename OutputDataType, bool isTranspose>
inline void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,
                            const LocalTensor<InputDataType>& src,
                            const LocalTensor<OutputDataType>& offset,
                            const LocalTensor<OutputDataType>& scale, const uint32_t k,
                            const AntiQuantShapeInfo& shapeInfo = {}) {
  uint32_t rows, columns;
  if (!internal::StartAntiQuant<isTranspose>(dst, src, k, &rows, &columns)) return;
  internal::RunAntiQuant<isTranspose>(
      dst, src, rows, columns,
      internal::GroupsOf<isTranspose>("offset", offset, scale, shapeInfo.offsetHeight,
                                      shapeInfo.offsetWidth, rows, columns),
      internal::GroupsOf<isTranspose>("scale", scale, offset, shapeInfo.scaleHeight,
                                      shapeInfo.scaleWidth, rows, columns));
}
template <typename InputDataType, typename OutputDataType, bool isTranspose>
inline void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,
                            const LocalTensor<InputDataType>& src,
                            const LocalTensor<OutputDataType>& offset,
                            const LocalTensor<OutputDataType>& scale,
                            const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t k,
                            const AntiQuantShapeInfo& shapeInfo = {}) {
  static_cast<void>(sharedTmpBuffer);
  AscendAntiQuant<InputDataType, OutputDataType, isTranspose>(dst, src, offset, scale, k,
                                                              shapeInfo);
}
/// By channels, without an offset.
template <typename InputDataType, typename OutputDataType, bool isTranspose>
inline void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,
                            const LocalTensor<InputDataType>& src,
                            const LocalTensor<OutputDataType>& scale,
                            const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t k,
                            const AntiQuantShapeInfo& shapeInfo = {}) {
  static_cast<void>(sharedTmpBuffer);
  uint32_t rows, columns;
  if (!internal::StartAntiQuant<isTranspose>(dst, src, k, &rows, &columns)) return;
  internal::RunAntiQuant<isTranspose>(
      dst, src, rows, columns, {nullptr, 0, 1},
      internal::GroupsOf<isTranspose>("scale", scale, scale, shapeInfo.scaleHeight,
                                      shapeInfo.scaleWidth, rows, columns));
}
/// One offset and scale for all.
template <typename InputDataType, typename OutputDataType, bool isTranspose>
inline void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,
                            const LocalTensor<InputDataType>& src, const OutputDataType offset,
                            const OutputDataType scale, const uint32_t k,
                            const AntiQuantShapeInfo& shapeInfo = {}) {
  static_cast<void>(shapeInfo);
  uint32_t rows, columns;
  if (!internal::StartAntiQuant<isTranspose>(dst, src, k, &rows, &columns)) return;
  for (uint32_t i = 0; i < src.GetSize(); ++i) {
    dst.Data()[i] = internal::AntiQuantOne<OutputDataType>(src.Data()[i], offset, scale);
  }
}
template <typename InputDataType, typename OutputDataType, bool isTranspose>
inline void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,
                            const LocalTensor<InputDataType>& src, const OutputDataType offset,
                            const OutputDataType scale, const LocalTensor<uint8_t>& sharedTmpBuffer,
                            const uint32_t k, const AntiQuantShapeInfo& shapeInfo = {}) {
  static_cast<void>(sharedTmpBuffer);
  AscendAntiQuant<InputDataType, OutputDataType, isTranspose>(dst, src, offset, scale, k,
                                                              shapeInfo);
}
template <typename InputDataType, typename OutputDataType, bool isTranspose>
inline void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,
                            const LocalTensor<InputDataType>& src, const OutputDataType scale,
                            const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t k,
                            const AntiQuantShapeInfo& shapeInfo = {}) {
  static_cast<void>(sharedTmpBuffer);
  AscendAntiQuant<InputDataType, OutputDataType, isTranspose>(
      dst, src, static_cast<OutputDataType>(0.0f), scale, k, shapeInfo);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_ANTIQUANT_H_

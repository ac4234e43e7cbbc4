// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Choosing elements of a matrix by a mask of its own: Select with a mask of whole elements, and
// DropOut. Rows of the mask may be longer than those they choose from; what is beyond is not read.
#ifndef HOSTNPU_ASCENDC_ADVANCED_FILTER_H_
#define HOSTNPU_ASCENDC_ADVANCED_FILTER_H_

#include "../basic/select.h"
#include "../basic/transpose.h"

namespace AscendC {

struct SelectWithBytesMaskShapeInfo {
  uint32_t firstAxis = 0;     // rows
  uint32_t srcLastAxis = 0;   // elements of a row
  uint32_t maskLastAxis = 0;  // elements of a row of the mask
};
struct DropOutShapeInfo {
  uint32_t firstAxis = 0;
  uint32_t srcLastAxis = 0;
  uint32_t maskLastAxis = 0;  // bytes of a row of the mask
};

HOSTNPU_AVAILABLE(SelectMask, internal::kBool | internal::kInt8 | internal::kUint8 |
                                  internal::kInt16 | internal::kUint16 | internal::kInt32 |
                                  internal::kUint32)

namespace internal {

/// dst = mask ? if_set : if_clear, each of which is a matrix or, where `data` is null, one value.
template <typename T>
struct Choice {
  const T* data;
  T value;
  T At(uint64_t i) const { return data == nullptr ? value : data[i]; }
};

template <typename T, typename U>
inline void SelectByBytes(const LocalTensor<T>& dst, const Choice<PrimT<T>>& if_clear,
                          const Choice<PrimT<T>>& if_set, const LocalTensor<T>& src,
                          const char* src_name, const LocalTensor<U>& mask,
                          const SelectWithBytesMaskShapeInfo& info) {
  static_assert(AvailableSelectMask<U>::value, "");
  constexpr const char* kApi = "Select";
  if (HOSTNPU_UNLIKELY(info.maskLastAxis < info.srcLastAxis)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "has rows of %u elements and %u of the mask; there is one of the mask for each",
                  info.srcLastAxis, info.maskLastAxis);
  }
  CheckMatrix(kApi, "dst", dst, info.firstAxis, info.srcLastAxis);
  CheckMatrix(kApi, src_name, src, info.firstAxis, info.srcLastAxis);
  CheckMatrix(kApi, "mask", mask, info.firstAxis, info.maskLastAxis);
  PrimT<T>* to = dst.Data();
  const RawOf<U>* chosen = reinterpret_cast<const RawOf<U>*>(mask.Data());
  for (uint32_t row = 0; row < info.firstAxis; ++row) {
    for (uint32_t i = 0; i < info.srcLastAxis; ++i) {
      const uint64_t at = uint64_t{row} * info.srcLastAxis + i;
      const bool set = chosen[uint64_t{row} * info.maskLastAxis + i] != 0;
      to[at] = set ? if_set.At(at) : if_clear.At(at);
    }
  }
}

constexpr uint32_t kDropOutModes = 5;

/// Which mask DropOut has, where the caller leaves it open: 1 and 2 a byte per element, with and
/// without bytes to skip at the ends of rows; 3 and 4 the same with bits, without and with.
inline uint32_t DropOutModeOf(const DropOutShapeInfo& info) {
  if (info.srcLastAxis < info.maskLastAxis) return 1;
  if (info.srcLastAxis == info.maskLastAxis) return 2;
  return info.srcLastAxis == uint64_t{info.maskLastAxis} * 8 ? 3 : 4;
}

}  // namespace internal

/// dst = mask != 0 ? src1 : src0, element by element.
template <typename T, typename U, bool isReuseMask = true>
inline void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                   internal::NoDeduce<PrimT<T>> src1, const LocalTensor<U>& mask,
                   const LocalTensor<uint8_t>& sharedTmpBuffer,
                   const SelectWithBytesMaskShapeInfo& info) {
  static_assert(AvailableSelect<T>::value, "");
  static_cast<void>(sharedTmpBuffer);
  if (!internal::OnVectorCore()) return;
  internal::SelectByBytes<T>(dst, {src0.Data(), PrimT<T>()}, {nullptr, src1}, src0, "src0", mask,
                             info);
}
template <typename T, typename U, bool isReuseMask = true>
inline void Select(const LocalTensor<T>& dst, internal::NoDeduce<PrimT<T>> src0,
                   const LocalTensor<T>& src1, const LocalTensor<U>& mask,
                   const LocalTensor<uint8_t>& sharedTmpBuffer,
                   const SelectWithBytesMaskShapeInfo& info) {
  static_assert(AvailableSelect<T>::value, "");
  static_cast<void>(sharedTmpBuffer);
  if (!internal::OnVectorCore()) return;
  internal::SelectByBytes<T>(dst, {nullptr, src0}, {src1.Data(), PrimT<T>()}, src1, "src1", mask,
                             info);
}

HOSTNPU_AVAILABLE(DropOut, internal::kHalf | internal::kFloat)

/// dst = mask ? src / keepProb : 0, with a byte or a bit of the mask for each element.
template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
inline void DropOut(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                    const LocalTensor<uint8_t>& mask, const float keepProb,
                    const DropOutShapeInfo& info) {
  static_assert(AvailableDropOut<T>::value, "");
  static_assert(dropOutMode < internal::kDropOutModes, "DropOut has modes 0 to 4");
  constexpr const char* kApi = "DropOut";
  using U = PrimT<T>;
  if (!internal::OnVectorCore()) return;
  if (HOSTNPU_UNLIKELY(!(keepProb > 0.0f && keepProb < 1.0f))) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi, "has keepProb = %g; it is between 0 and 1",
                  static_cast<double>(keepProb));
  }
  const uint32_t mode = dropOutMode == 0 ? internal::DropOutModeOf(info) : dropOutMode;
  const bool by_bits = mode >= 3;
  // Without anything to skip the mask is one row.
  const bool dense = mode == 2 || mode == 3;
  const uint64_t size = uint64_t{info.firstAxis} * info.srcLastAxis;
  const uint64_t row_bits = uint64_t{info.maskLastAxis} * (by_bits ? 8 : 1);
  if (HOSTNPU_UNLIKELY(!dense && row_bits < info.srcLastAxis)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "has rows of %u elements and a mask for %llu of them in mode %u",
                  info.srcLastAxis, (unsigned long long)row_bits, mode);
  }
  internal::CheckMatrix(kApi, "dst", dst, info.firstAxis, info.srcLastAxis);
  internal::CheckMatrix(kApi, "src", src, info.firstAxis, info.srcLastAxis);
  internal::CheckOperand(
      kApi, internal::OperandOf("mask", mask),
      dense ? (by_bits ? (size + 7) / 8 : size) : uint64_t{info.firstAxis} * info.maskLastAxis);
  const float factor = static_cast<float>(static_cast<U>(1.0f / keepProb));
  U* to = dst.Data();
  const U* from = src.Data();
  const uint8_t* kept = mask.Data();
  for (uint64_t i = 0; i < size; ++i) {
    const uint64_t at = dense ? i : i / info.srcLastAxis * row_bits + i % info.srcLastAxis;
    const bool keep = by_bits ? (kept[at / 8] >> (at % 8) & 1) != 0 : kept[at] != 0;
    to[i] = keep ? static_cast<U>(static_cast<float>(from[i]) * factor) : U(0.0f);
  }
}
template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
inline void DropOut(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                    const LocalTensor<uint8_t>& mask, const LocalTensor<uint8_t>& sharedTmpBuffer,
                    const float keepProb, const DropOutShapeInfo& info) {
  static_cast<void>(sharedTmpBuffer);
  DropOut<T, isInitBitMode, dropOutMode>(dst, src, mask, keepProb, info);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_FILTER_H_

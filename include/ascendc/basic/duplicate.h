// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Duplicate: one scalar in every element.
#ifndef HOSTNPU_ASCENDC_BASIC_DUPLICATE_H_
#define HOSTNPU_ASCENDC_BASIC_DUPLICATE_H_

#include "../detail/availability.h"
#include "../detail/vector_run.h"

namespace AscendC {
namespace internal {

// By width and not by type: the bits are what is stored.
template <typename Bits>
__attribute__((noinline)) void FillRun(void* const* operand, uint32_t count, const void* extra) {
  Bits* dst = static_cast<Bits*>(operand[0]);
  const Bits value = *static_cast<const Bits*>(extra);
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) dst[i] = value;
}

template <typename T>
HOSTNPU_INLINE VectorInstruction MakeFill(const char* api, const LocalTensor<T>& dst,
                                          const PrimT<T>& value, uint32_t block_stride,
                                          uint32_t repeat_stride) {
  return {api,    sizeof(PrimT<T>) == 2 ? &FillRun<uint16_t> : &FillRun<uint32_t>,
          &value, {OperandOf("dst", dst, block_stride, repeat_stride), {}, {}, {}},
          1,      static_cast<uint32_t>(kVectorRepeatBytes / sizeof(PrimT<T>)),
          0};
}

}  // namespace internal

HOSTNPU_AVAILABLE(Duplicate, internal::kAny16Or32)

#define HOSTNPU_DUPLICATE(Mask)                                                                   \
  template <typename T, bool isSetMask = true>                                                    \
  HOSTNPU_SHARED void Duplicate(const LocalTensor<T>& dst,                                        \
                                const internal::NoDeduce<PrimT<T>>& scalarValue, Mask,            \
                                const internal::RepeatCount repeatTime,                           \
                                const uint16_t dstBlockStride, const uint8_t dstRepeatStride) {   \
    static_assert(AvailableDuplicate<T>::value, "");                                              \
    if (!internal::OnVectorCore()) return;                                                        \
    internal::RunUnderMask<isSetMask>(                                                            \
        internal::MakeFill("Duplicate", dst, scalarValue, dstBlockStride, dstRepeatStride), mask, \
        repeatTime);                                                                              \
  }
/// The elements of each repeat that the mask selects = scalar.
HOSTNPU_DUPLICATE(const uint64_t mask[])
HOSTNPU_DUPLICATE(uint64_t mask)
#undef HOSTNPU_DUPLICATE
/// The first `count` elements = scalar.
template <typename T>
HOSTNPU_SHARED void Duplicate(const LocalTensor<T>& dst,
                              const internal::NoDeduce<PrimT<T>>& scalarValue,
                              const int32_t& count) {
  static_assert(AvailableDuplicate<T>::value, "");
  if (!internal::OnVectorCore()) return;
  internal::RunCount(internal::MakeFill("Duplicate", dst, scalarValue, 1, 8), count);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_DUPLICATE_H_

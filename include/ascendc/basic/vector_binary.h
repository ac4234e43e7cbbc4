// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Vector instructions with two sources of one type: Add, Sub, Mul, Div, Max, Min, And, Or, AddRelu,
// SubRelu. Each has three forms:
//     Add(dst, src0, src1, count)                       the first `count` elements
//     Add(dst, src0, src1, mask, repeatTime, params)    the first `mask` elements of each repeat
//     Add(dst, src0, src1, mask[], repeatTime, params)  the elements of each repeat whose bit is
//     set
// With isSetMask false the mask argument is not used; the mask register is as SetVectorMask left
// it.
#ifndef HOSTNPU_ASCENDC_BASIC_VECTOR_BINARY_H_
#define HOSTNPU_ASCENDC_BASIC_VECTOR_BINARY_H_

#include "../detail/availability.h"
#include "../detail/vector_run.h"
#include "../semantics/arithmetic.h"
#include "../semantics/bits.h"
#include "repeat_params.h"

namespace AscendC {
namespace internal {

template <typename Operation, typename T>
__attribute__((noinline)) void BinaryRun(void* const* operand, uint32_t count, const void*) {
  T* dst = static_cast<T*>(operand[0]);
  const T* src0 = static_cast<const T*>(operand[1]);
  const T* src1 = static_cast<const T*>(operand[2]);
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) {
    dst[i] = Operation::template Apply<T>(src0[i], src1[i]);
  }
}

/// An instruction with a destination and two sources; `wide_bits` is the width of its widest
/// operand.
template <typename D, typename S0, typename S1>
HOSTNPU_INLINE VectorInstruction MakeBinary(const char* api, VectorRun run, const void* extra,
                                            const LocalTensor<D>& dst, const LocalTensor<S0>& src0,
                                            const LocalTensor<S1>& src1,
                                            const BinaryRepeatParams& params) {
  constexpr uint32_t d = SizeOfBits<PrimT<D>>::value;
  constexpr uint32_t s0 = SizeOfBits<PrimT<S0>>::value;
  constexpr uint32_t s1 = SizeOfBits<PrimT<S1>>::value;
  constexpr uint32_t widest = d > s0 ? (d > s1 ? d : s1) : (s0 > s1 ? s0 : s1);
  return {api,
          run,
          extra,
          {OperandOf("dst", dst, params.dstBlkStride, params.dstRepStride),
           OperandOf("src0", src0, params.src0BlkStride, params.src0RepStride),
           OperandOf("src1", src1, params.src1BlkStride, params.src1RepStride),
           {}},
          3,
          kVectorRepeatBytes * 8 / widest,
          InfinityBits<PrimT<D>>()};
}

template <typename Operation, typename T>
HOSTNPU_INLINE void BinaryCount(const char* api, const LocalTensor<T>& dst,
                                const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                                int32_t count) {
  if (!OnVectorCore()) return;
  RunCount(MakeBinary(api, &BinaryRun<Operation, PrimT<T>>, nullptr, dst, src0, src1, {}), count);
}
template <typename Operation, bool isSetMask, typename T, typename Mask>
HOSTNPU_INLINE void BinaryMasked(const char* api, const LocalTensor<T>& dst,
                                 const LocalTensor<T>& src0, const LocalTensor<T>& src1, Mask mask,
                                 uint8_t repeats, const BinaryRepeatParams& params) {
  if (!OnVectorCore()) return;
  const VectorInstruction instruction =
      MakeBinary(api, &BinaryRun<Operation, PrimT<T>>, nullptr, dst, src0, src1, params);
  if constexpr (isSetMask) SetMaskArgument(api, mask, instruction.per_repeat);
  RunMasked(instruction, repeats);
}

}  // namespace internal

#define HOSTNPU_BINARY(Name, types)                                                              \
  HOSTNPU_AVAILABLE(Name, types)                                                                 \
  template <typename T, bool isSetMask = true>                                                   \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                        \
                   const LocalTensor<T>& src1, const uint64_t mask[], const uint8_t repeatTime,  \
                   const BinaryRepeatParams& repeatParams) {                                     \
    static_assert(Available##Name<T>::value, "");                                                \
    internal::BinaryMasked<semantics::Name, isSetMask>(#Name, dst, src0, src1, mask, repeatTime, \
                                                       repeatParams);                            \
  }                                                                                              \
  template <typename T, bool isSetMask = true>                                                   \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                        \
                   const LocalTensor<T>& src1, uint64_t mask, const uint8_t repeatTime,          \
                   const BinaryRepeatParams& repeatParams) {                                     \
    static_assert(Available##Name<T>::value, "");                                                \
    internal::BinaryMasked<semantics::Name, isSetMask>(#Name, dst, src0, src1, mask, repeatTime, \
                                                       repeatParams);                            \
  }
#define HOSTNPU_BINARY_COUNT(Name)                                         \
  template <typename T>                                                    \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,  \
                   const LocalTensor<T>& src1, const int32_t& count) {     \
    static_assert(Available##Name<T>::value, "");                          \
    internal::BinaryCount<semantics::Name>(#Name, dst, src0, src1, count); \
  }

/// dst = src0 + src1.
HOSTNPU_BINARY(Add, internal::kHalf | internal::kFloat | internal::kInt16 | internal::kInt32)
HOSTNPU_BINARY_COUNT(Add)
/// dst = src0 - src1.
HOSTNPU_BINARY(Sub, internal::kHalf | internal::kFloat | internal::kInt16 | internal::kInt32)
HOSTNPU_BINARY_COUNT(Sub)
/// dst = src0 * src1.
HOSTNPU_BINARY(Mul, internal::kHalf | internal::kFloat | internal::kInt16 | internal::kInt32)
HOSTNPU_BINARY_COUNT(Mul)
/// dst = src0 / src1, correctly rounded.
HOSTNPU_BINARY(Div, internal::kHalf | internal::kFloat)
HOSTNPU_BINARY_COUNT(Div)
/// dst = the larger one.
HOSTNPU_BINARY(Max, internal::kHalf | internal::kFloat | internal::kInt16 | internal::kInt32)
HOSTNPU_BINARY_COUNT(Max)
/// dst = the smaller one.
HOSTNPU_BINARY(Min, internal::kHalf | internal::kFloat | internal::kInt16 | internal::kInt32)
HOSTNPU_BINARY_COUNT(Min)
/// dst = src0 + src1, negative sums as 0.
HOSTNPU_BINARY(AddRelu, internal::kHalf | internal::kFloat | internal::kInt16)
HOSTNPU_BINARY_COUNT(AddRelu)
/// dst = src0 - src1, negative differences as 0.
HOSTNPU_BINARY(SubRelu, internal::kHalf | internal::kFloat | internal::kInt16)
HOSTNPU_BINARY_COUNT(SubRelu)
/// dst = src0 & src1.
HOSTNPU_BINARY(And, internal::kInt16 | internal::kUint16)
/// dst = src0 | src1.
HOSTNPU_BINARY(Or, internal::kInt16 | internal::kUint16)

#undef HOSTNPU_BINARY_COUNT
#undef HOSTNPU_BINARY

// The count forms of And and Or take tensors of any integer type as 16-bit elements: `count` counts
// those.
#define HOSTNPU_BITWISE_COUNT(Name)                                                              \
  HOSTNPU_AVAILABLE(Name##Count,                                                                 \
                    internal::kInt16 | internal::kUint16 | internal::kInt32 | internal::kUint32) \
  template <typename T>                                                                          \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                        \
                   const LocalTensor<T>& src1, const int32_t& count) {                           \
    static_assert(Available##Name##Count<T>::value, "");                                         \
    internal::BinaryCount<semantics::Name>(#Name, dst.template ReinterpretCast<uint16_t>(),      \
                                           src0.template ReinterpretCast<uint16_t>(),            \
                                           src1.template ReinterpretCast<uint16_t>(), count);    \
  }
/// dst = src0 & src1.
HOSTNPU_BITWISE_COUNT(And)
/// dst = src0 | src1.
HOSTNPU_BITWISE_COUNT(Or)
#undef HOSTNPU_BITWISE_COUNT

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_VECTOR_BINARY_H_

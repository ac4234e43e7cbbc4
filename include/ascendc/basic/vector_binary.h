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

/// An instruction with a destination and two sources, which may differ in width.
template <typename D, typename S0, typename S1>
HOSTNPU_INLINE VectorInstruction MakeBinary(const char* api, VectorRun run,
                                            const LocalTensor<D>& dst, const LocalTensor<S0>& src0,
                                            const LocalTensor<S1>& src1,
                                            const BinaryRepeatParams& params) {
  constexpr uint32_t d = SizeOfBits<PrimT<D>>::value;
  constexpr uint32_t s0 = SizeOfBits<PrimT<S0>>::value;
  constexpr uint32_t s1 = SizeOfBits<PrimT<S1>>::value;
  constexpr uint32_t widest = d > s0 ? (d > s1 ? d : s1) : (s0 > s1 ? s0 : s1);
  return {api,
          run,
          nullptr,
          {OperandOf("dst", dst, params.dstBlkStride, params.dstRepStride),
           OperandOf("src0", src0, params.src0BlkStride, params.src0RepStride),
           OperandOf("src1", src1, params.src1BlkStride, params.src1RepStride),
           {}},
          3,
          kVectorRepeatBytes * 8 / widest,
          InfinityBits<PrimT<D>>()};
}

template <typename D, typename S>
HOSTNPU_INLINE void RunBinaryCount(const char* api, VectorRun run, const LocalTensor<D>& dst,
                                   const LocalTensor<S>& src0, const LocalTensor<S>& src1,
                                   int64_t count) {
  if (!OnVectorCore()) return;
  constexpr uint32_t d = SizeOfBits<PrimT<D>>::value;
  constexpr uint32_t s = SizeOfBits<PrimT<S>>::value;
  constexpr uint8_t dst_repeat = 8 * d / (d > s ? d : s);
  constexpr uint8_t src_repeat = 8 * s / (d > s ? d : s);
  RunCount(MakeBinary(api, run, dst, src0, src1, {1, 1, 1, dst_repeat, src_repeat, src_repeat}),
           count);
}
template <bool isSetMask, typename D, typename S, typename Mask>
HOSTNPU_INLINE void RunBinaryMasked(const char* api, VectorRun run, const LocalTensor<D>& dst,
                                    const LocalTensor<S>& src0, const LocalTensor<S>& src1,
                                    Mask mask, RepeatCount repeats,
                                    const BinaryRepeatParams& params) {
  if (!OnVectorCore()) return;
  RunUnderMask<isSetMask>(MakeBinary(api, run, dst, src0, src1, params), mask, repeats);
}

}  // namespace internal

#define HOSTNPU_BINARY_MASKED(Name, Mask)                                                        \
  template <typename T, bool isSetMask = true>                                                   \
  HOSTNPU_SHARED void Name(                                                                      \
      const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, Mask,   \
      const internal::RepeatCount repeatTime, const BinaryRepeatParams& repeatParams) {          \
    static_assert(Available##Name<T>::value, "");                                                \
    internal::RunBinaryMasked<isSetMask>(#Name, &internal::BinaryRun<semantics::Name, PrimT<T>>, \
                                         dst, src0, src1, mask, repeatTime, repeatParams);       \
  }
#define HOSTNPU_BINARY(Name, types)                  \
  HOSTNPU_AVAILABLE(Name, types)                     \
  HOSTNPU_BINARY_MASKED(Name, const uint64_t mask[]) \
  HOSTNPU_BINARY_MASKED(Name, uint64_t mask)         \
  HOSTNPU_BINARY_POINTER(Name)
// What a pointer to the function may point to: the vendor's repeat count has 8 bits. No call comes
// here, because nothing in a call says what Result is.
#define HOSTNPU_BINARY_POINTER(Name)                                                             \
  template <typename T, bool isSetMask = true, typename Result>                                  \
  Result Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, \
              uint64_t mask, uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {       \
    return Name<T, isSetMask>(dst, src0, src1, mask, internal::RepeatCount{repeatTime},          \
                              repeatParams);                                                     \
  }
#define HOSTNPU_BINARY_COUNT(Name)                                                              \
  template <typename T>                                                                         \
  HOSTNPU_SHARED void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,               \
                           const LocalTensor<T>& src1, const int32_t& count) {                  \
    static_assert(Available##Name<T>::value, "");                                               \
    internal::RunBinaryCount(#Name, &internal::BinaryRun<semantics::Name, PrimT<T>>, dst, src0, \
                             src1, count);                                                      \
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
#undef HOSTNPU_BINARY_POINTER
#undef HOSTNPU_BINARY_MASKED

// The count forms of And and Or take tensors of any integer type as 16-bit elements: `count` counts
// those.
#define HOSTNPU_BITWISE_COUNT(Name)                                                              \
  HOSTNPU_AVAILABLE(Name##Count,                                                                 \
                    internal::kInt16 | internal::kUint16 | internal::kInt32 | internal::kUint32) \
  template <typename T>                                                                          \
  HOSTNPU_SHARED void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                \
                           const LocalTensor<T>& src1, const int32_t& count) {                   \
    static_assert(Available##Name##Count<T>::value, "");                                         \
    internal::RunBinaryCount(#Name, &internal::BinaryRun<semantics::Name, uint16_t>,             \
                             dst.template ReinterpretCast<uint16_t>(),                           \
                             src0.template ReinterpretCast<uint16_t>(),                          \
                             src1.template ReinterpretCast<uint16_t>(), count);                  \
  }
/// dst = src0 & src1.
HOSTNPU_BITWISE_COUNT(And)
/// dst = src0 | src1.
HOSTNPU_BITWISE_COUNT(Or)
#undef HOSTNPU_BITWISE_COUNT

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_VECTOR_BINARY_H_

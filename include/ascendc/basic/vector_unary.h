// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Vector instructions with one source of the destination's type: Abs, Exp, Ln, Sqrt, Rsqrt,
// Reciprocal, Relu, Not. Forms as in vector_binary.h.
#ifndef HOSTNPU_ASCENDC_BASIC_VECTOR_UNARY_H_
#define HOSTNPU_ASCENDC_BASIC_VECTOR_UNARY_H_

#include "../detail/availability.h"
#include "../detail/vector_run.h"
#include "../semantics/arithmetic.h"
#include "../semantics/bits.h"
#include "../semantics/transcendental.h"
#include "repeat_params.h"

namespace AscendC {
namespace internal {

template <typename Operation, typename T>
__attribute__((noinline)) void UnaryRun(void* const* operand, uint32_t count, const void*) {
  T* dst = static_cast<T*>(operand[0]);
  const T* src = static_cast<const T*>(operand[1]);
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) dst[i] = Operation::template Apply<T>(src[i]);
}

/// An instruction with a destination and a source, which may differ in width.
template <typename D, typename S>
HOSTNPU_INLINE VectorInstruction MakeUnary(const char* api, VectorRun run, const void* extra,
                                           const LocalTensor<D>& dst, const LocalTensor<S>& src,
                                           const UnaryRepeatParams& params) {
  constexpr uint32_t d = SizeOfBits<PrimT<D>>::value;
  constexpr uint32_t s = SizeOfBits<PrimT<S>>::value;
  return {api,
          run,
          extra,
          {OperandOf("dst", dst, params.dstBlkStride, params.dstRepStride),
           OperandOf("src", src, params.srcBlkStride, params.srcRepStride),
           {},
           {}},
          2,
          kVectorRepeatBytes * 8 / (d > s ? d : s),
          InfinityBits<PrimT<D>>()};
}

template <typename D, typename S>
HOSTNPU_INLINE void RunUnaryCount(const char* api, VectorRun run, const void* extra,
                                  const LocalTensor<D>& dst, const LocalTensor<S>& src,
                                  int64_t count) {
  if (!OnVectorCore()) return;
  constexpr uint32_t d = SizeOfBits<PrimT<D>>::value;
  constexpr uint32_t s = SizeOfBits<PrimT<S>>::value;
  constexpr uint32_t widest = d > s ? d : s;
  RunCount(MakeUnary(api, run, extra, dst, src, {1, 1, 8 * d / widest, 8 * s / widest}), count);
}
template <bool isSetMask, typename D, typename S, typename Mask>
HOSTNPU_INLINE void RunUnaryMasked(const char* api, VectorRun run, const void* extra,
                                   const LocalTensor<D>& dst, const LocalTensor<S>& src, Mask mask,
                                   RepeatCount repeats, const UnaryRepeatParams& params) {
  if (!OnVectorCore()) return;
  RunUnderMask<isSetMask>(MakeUnary(api, run, extra, dst, src, params), mask, repeats);
}

}  // namespace internal

#define HOSTNPU_UNARY_MASKED(Name, Mask)                                                       \
  template <typename T, bool isSetMask = true>                                                 \
  HOSTNPU_SHARED void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask,         \
                           const internal::RepeatCount repeatTime,                             \
                           const UnaryRepeatParams& repeatParams) {                            \
    static_assert(Available##Name<T>::value, "");                                              \
    internal::RunUnaryMasked<isSetMask>(#Name, &internal::UnaryRun<semantics::Name, PrimT<T>>, \
                                        nullptr, dst, src, mask, repeatTime, repeatParams);    \
  }
#define HOSTNPU_UNARY(Name, types)                                                               \
  HOSTNPU_AVAILABLE(Name, types)                                                                 \
  HOSTNPU_UNARY_MASKED(Name, const uint64_t mask[])                                              \
  HOSTNPU_UNARY_MASKED(Name, uint64_t mask)                                                      \
  template <typename T>                                                                          \
  HOSTNPU_SHARED void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                 \
                           const int32_t& count) {                                               \
    static_assert(Available##Name<T>::value, "");                                                \
    internal::RunUnaryCount(#Name, &internal::UnaryRun<semantics::Name, PrimT<T>>, nullptr, dst, \
                            src, count);                                                         \
  }

/// dst = |src|.
HOSTNPU_UNARY(Abs, internal::kHalf | internal::kFloat)
/// dst = e to the power of src.
HOSTNPU_UNARY(Exp, internal::kHalf | internal::kFloat)
/// dst = the natural logarithm of src.
HOSTNPU_UNARY(Ln, internal::kHalf | internal::kFloat)
/// dst = the square root of src.
HOSTNPU_UNARY(Sqrt, internal::kHalf | internal::kFloat)
/// dst = 1 / the square root of src.
HOSTNPU_UNARY(Rsqrt, internal::kHalf | internal::kFloat)
/// dst = 1 / src.
HOSTNPU_UNARY(Reciprocal, internal::kHalf | internal::kFloat)
/// dst = src, negative values as 0.
HOSTNPU_UNARY(Relu, internal::kHalf | internal::kFloat | internal::kInt32)
/// dst = ~src.
HOSTNPU_UNARY(Not, internal::kInt16 | internal::kUint16)
#undef HOSTNPU_UNARY
#undef HOSTNPU_UNARY_MASKED

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_VECTOR_UNARY_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Vector instructions that also read their destination: Axpy, MulAddDst, FusedMulAdd,
// FusedMulAddRelu (new name MulAddRelu). Forms as in vector_binary.h.
#ifndef HOSTNPU_ASCENDC_BASIC_VECTOR_TERNARY_H_
#define HOSTNPU_ASCENDC_BASIC_VECTOR_TERNARY_H_

#include "../semantics/fused.h"
#include "vector_binary.h"
#include "vector_scalar.h"

namespace AscendC {
namespace internal {

template <typename Operation, typename D, typename S>
__attribute__((noinline)) void FusedRun(void* const* operand, uint32_t count, const void*) {
  D* dst = static_cast<D*>(operand[0]);
  const S* src0 = static_cast<const S*>(operand[1]);
  const S* src1 = static_cast<const S*>(operand[2]);
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) {
    dst[i] = Operation::template Apply<D, S>(dst[i], src0[i], src1[i]);
  }
}
template <typename D, typename S>
__attribute__((noinline)) void AxpyRun(void* const* operand, uint32_t count, const void* extra) {
  D* dst = static_cast<D*>(operand[0]);
  const S* src = static_cast<const S*>(operand[1]);
  const D scalar = static_cast<D>(*static_cast<const S*>(extra));
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) {
    dst[i] = semantics::MultiplyAdd<D>(scalar, static_cast<D>(src[i]), dst[i]);
  }
}

/// half from half, float from float, float from half.
template <typename D, typename S>
constexpr bool IsFusedPair() {
  return (IsSameType<D, S>::value && semantics::IsFloating<D>()) ||
         (IsSameType<D, float>::value && IsSameType<S, half>::value);
}

}  // namespace internal

#define HOSTNPU_FUSED_PAIR(Name)                             \
  static_assert(internal::IsFusedPair<PrimT<T>, PrimT<U>>(), \
                #Name " is available for half, for float, and for float from half on this chip")

#define HOSTNPU_MUL_ADD_DST(Mask)                                                              \
  template <typename T, typename U, bool isSetMask = true>                                     \
  HOSTNPU_SHARED void MulAddDst(                                                               \
      const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, Mask, \
      const internal::RepeatCount repeatTime, const BinaryRepeatParams& repeatParams) {        \
    HOSTNPU_FUSED_PAIR(MulAddDst);                                                             \
    internal::RunBinaryMasked<isSetMask>(                                                      \
        "MulAddDst", &internal::FusedRun<semantics::MulAddDst, PrimT<T>, PrimT<U>>, dst, src0, \
        src1, mask, repeatTime, repeatParams);                                                 \
  }
/// dst += src0 * src1.
HOSTNPU_MUL_ADD_DST(const uint64_t mask[])
HOSTNPU_MUL_ADD_DST(uint64_t mask)
#undef HOSTNPU_MUL_ADD_DST
template <typename T, typename U>
HOSTNPU_SHARED void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                              const LocalTensor<U>& src1, const int32_t& count) {
  HOSTNPU_FUSED_PAIR(MulAddDst);
  internal::RunBinaryCount("MulAddDst",
                           &internal::FusedRun<semantics::MulAddDst, PrimT<T>, PrimT<U>>, dst, src0,
                           src1, count);
}

HOSTNPU_AVAILABLE(FusedMulAdd, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(FusedMulAddRelu, internal::kHalf | internal::kFloat)

#define HOSTNPU_FUSED(Name, Operation, Mask)                                                   \
  template <typename T, bool isSetMask = true>                                                 \
  HOSTNPU_SHARED void Name(                                                                    \
      const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, Mask, \
      const internal::RepeatCount repeatTime, const BinaryRepeatParams& repeatParams) {        \
    static_assert(Available##Operation<T>::value, "");                                         \
    internal::RunBinaryMasked<isSetMask>(                                                      \
        #Name, &internal::FusedRun<semantics::Operation, PrimT<T>, PrimT<T>>, dst, src0, src1, \
        mask, repeatTime, repeatParams);                                                       \
  }
#define HOSTNPU_FUSED_COUNT(Name, Operation)                                                       \
  template <typename T>                                                                            \
  HOSTNPU_SHARED void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                  \
                           const LocalTensor<T>& src1, const int32_t& count) {                     \
    static_assert(Available##Operation<T>::value, "");                                             \
    internal::RunBinaryCount(#Name, &internal::FusedRun<semantics::Operation, PrimT<T>, PrimT<T>>, \
                             dst, src0, src1, count);                                              \
  }
/// dst = src0 * dst + src1.
HOSTNPU_FUSED(FusedMulAdd, FusedMulAdd, const uint64_t mask[])
HOSTNPU_FUSED(FusedMulAdd, FusedMulAdd, uint64_t mask)
HOSTNPU_FUSED_COUNT(FusedMulAdd, FusedMulAdd)
/// dst = src0 * dst + src1, negative results as 0.
HOSTNPU_FUSED(FusedMulAddRelu, FusedMulAddRelu, const uint64_t mask[])
HOSTNPU_FUSED(FusedMulAddRelu, FusedMulAddRelu, uint64_t mask)
HOSTNPU_FUSED_COUNT(FusedMulAddRelu, FusedMulAddRelu)
/// The newer name of FusedMulAddRelu.
HOSTNPU_FUSED(MulAddRelu, FusedMulAddRelu, const uint64_t mask[])
HOSTNPU_FUSED(MulAddRelu, FusedMulAddRelu, uint64_t mask)
HOSTNPU_FUSED_COUNT(MulAddRelu, FusedMulAddRelu)
#undef HOSTNPU_FUSED_COUNT
#undef HOSTNPU_FUSED

#define HOSTNPU_AXPY(Mask)                                                                       \
  template <typename T, typename U, bool isSetMask = true>                                       \
  HOSTNPU_SHARED void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src,                 \
                           const internal::ScalarOf<U>& scalarValue, Mask,                       \
                           const internal::RepeatCount repeatTime,                               \
                           const UnaryRepeatParams& repeatParams) {                              \
    HOSTNPU_FUSED_PAIR(Axpy);                                                                    \
    internal::RunUnaryMasked<isSetMask>("Axpy", &internal::AxpyRun<PrimT<T>, PrimT<U>>,          \
                                        &scalarValue, dst, src, mask, repeatTime, repeatParams); \
  }
/// dst += scalar * src.
HOSTNPU_AXPY(const uint64_t mask[])
HOSTNPU_AXPY(uint64_t mask)
#undef HOSTNPU_AXPY
template <typename T, typename U>
HOSTNPU_SHARED void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                         const internal::ScalarOf<U>& scalarValue, const int32_t& count) {
  HOSTNPU_FUSED_PAIR(Axpy);
  internal::RunUnaryCount("Axpy", &internal::AxpyRun<PrimT<T>, PrimT<U>>, &scalarValue, dst, src,
                          count);
}
#undef HOSTNPU_FUSED_PAIR

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_VECTOR_TERNARY_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Vector instructions with a scalar as their second operand: Adds, Muls, Maxs, Mins, Subs, Divs,
// LeakyRelu, ShiftLeft, ShiftRight. The scalar may be given in any arithmetic type. Forms as in
// vector_binary.h.
#ifndef HOSTNPU_ASCENDC_BASIC_VECTOR_SCALAR_H_
#define HOSTNPU_ASCENDC_BASIC_VECTOR_SCALAR_H_

#include "vector_unary.h"

namespace AscendC {
namespace internal {

template <typename Operation, typename T>
__attribute__((noinline)) void ScalarRun(void* const* operand, uint32_t count, const void* extra) {
  T* dst = static_cast<T*>(operand[0]);
  const T* src = static_cast<const T*>(operand[1]);
  const T scalar = *static_cast<const T*>(extra);
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) dst[i] = Operation::template Apply<T>(src[i], scalar);
}

/// The type of a scalar parameter that belongs to tensors of T.
template <typename T>
using ScalarOf = NoDeduce<PrimT<T>>;

}  // namespace internal

#define HOSTNPU_SCALAR_MASKED(Name, Operation, Mask)                                             \
  template <typename T, bool isSetMask = true>                                                   \
  HOSTNPU_SHARED void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                 \
                           const internal::ScalarOf<T>& scalarValue, Mask,                       \
                           const internal::RepeatCount repeatTime,                               \
                           const UnaryRepeatParams& repeatParams) {                              \
    static_assert(Available##Name<T>::value, "");                                                \
    internal::RunUnaryMasked<isSetMask>(#Name,                                                   \
                                        &internal::ScalarRun<semantics::Operation, PrimT<T>>,    \
                                        &scalarValue, dst, src, mask, repeatTime, repeatParams); \
  }
#define HOSTNPU_SCALAR(Name, Operation, types)                                               \
  HOSTNPU_AVAILABLE(Name, types)                                                             \
  HOSTNPU_SCALAR_MASKED(Name, Operation, const uint64_t mask[])                              \
  HOSTNPU_SCALAR_MASKED(Name, Operation, uint64_t mask)                                      \
  template <typename T, bool isSetMask = true>                                               \
  HOSTNPU_SHARED void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,             \
                           const internal::ScalarOf<T>& scalarValue, const int32_t& count) { \
    static_assert(Available##Name<T>::value, "");                                            \
    internal::RunUnaryCount(#Name, &internal::ScalarRun<semantics::Operation, PrimT<T>>,     \
                            &scalarValue, dst, src, count);                                  \
  }

/// dst = src + scalar.
HOSTNPU_SCALAR(Adds, Add, internal::kHalf | internal::kFloat | internal::kInt16 | internal::kInt32)
/// dst = src * scalar.
HOSTNPU_SCALAR(Muls, Mul, internal::kHalf | internal::kFloat | internal::kInt16 | internal::kInt32)
/// dst = the larger one.
HOSTNPU_SCALAR(Maxs, Max, internal::kHalf | internal::kFloat | internal::kInt16 | internal::kInt32)
/// dst = the smaller one.
HOSTNPU_SCALAR(Mins, Min, internal::kHalf | internal::kFloat | internal::kInt16 | internal::kInt32)
/// dst = src - scalar.
HOSTNPU_SCALAR(Subs, Sub, internal::kHalf | internal::kFloat | internal::kInt16 | internal::kInt32)
/// dst = src / scalar.
HOSTNPU_SCALAR(Divs, Div, internal::kHalf | internal::kFloat)
/// dst = src, negative values times the scalar.
HOSTNPU_SCALAR(LeakyRelu, LeakyRelu, internal::kHalf | internal::kFloat)
#undef HOSTNPU_SCALAR
#undef HOSTNPU_SCALAR_MASKED

namespace internal {
HOSTNPU_FAULT_FUNCTION inline void ShiftFault(const char* api, long long amount, uint32_t bits) {
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                "is given %lld as the number of bits; it takes 0 to %u", amount, bits);
}
template <typename T>
HOSTNPU_INLINE void CheckShift(const char* api, T amount) {
  constexpr uint32_t bits = sizeof(T) * 8;
  if (HOSTNPU_UNLIKELY(static_cast<int64_t>(amount) < 0 || static_cast<int64_t>(amount) > bits)) {
    ShiftFault(api, static_cast<long long>(amount), bits);
  }
}
constexpr uint32_t kShiftTypes = kInt16 | kUint16 | kInt32 | kUint32;
}  // namespace internal

HOSTNPU_AVAILABLE(ShiftLeft, internal::kShiftTypes)
HOSTNPU_AVAILABLE(ShiftRight, internal::kShiftTypes)

#define HOSTNPU_SHIFT_LEFT(Mask)                                                                 \
  template <typename T, bool isSetMask = true>                                                   \
  HOSTNPU_SHARED void ShiftLeft(const LocalTensor<T>& dst, const LocalTensor<T>& src,            \
                                const internal::ScalarOf<T>& scalarValue, Mask,                  \
                                const internal::RepeatCount repeatTime,                          \
                                const UnaryRepeatParams& repeatParams) {                         \
    static_assert(AvailableShiftLeft<T>::value, "");                                             \
    internal::CheckShift("ShiftLeft", scalarValue);                                              \
    internal::RunUnaryMasked<isSetMask>("ShiftLeft",                                             \
                                        &internal::ScalarRun<semantics::ShiftLeft, PrimT<T>>,    \
                                        &scalarValue, dst, src, mask, repeatTime, repeatParams); \
  }
/// dst = src << scalar.
HOSTNPU_SHIFT_LEFT(const uint64_t mask[])
HOSTNPU_SHIFT_LEFT(uint64_t mask)
#undef HOSTNPU_SHIFT_LEFT
template <typename T, bool isSetMask = true>
HOSTNPU_SHARED void ShiftLeft(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                              const internal::ScalarOf<T>& scalarValue, const int32_t& count) {
  static_assert(AvailableShiftLeft<T>::value, "");
  internal::CheckShift("ShiftLeft", scalarValue);
  internal::RunUnaryCount("ShiftLeft", &internal::ScalarRun<semantics::ShiftLeft, PrimT<T>>,
                          &scalarValue, dst, src, count);
}

#define HOSTNPU_SHIFT_RIGHT(Mask)                                                               \
  template <typename T, bool isSetMask = true>                                                  \
  HOSTNPU_SHARED void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src,          \
                                 const internal::ScalarOf<T>& scalarValue, Mask,                \
                                 const internal::RepeatCount repeatTime,                        \
                                 const UnaryRepeatParams& repeatParams, bool roundEn = false) { \
    static_assert(AvailableShiftRight<T>::value, "");                                           \
    internal::CheckShift("ShiftRight", scalarValue);                                            \
    const internal::VectorRun run =                                                             \
        roundEn ? &internal::ScalarRun<semantics::ShiftRightRounded, PrimT<T>>                  \
                : &internal::ScalarRun<semantics::ShiftRight, PrimT<T>>;                        \
    internal::RunUnaryMasked<isSetMask>("ShiftRight", run, &scalarValue, dst, src, mask,        \
                                        repeatTime, repeatParams);                              \
  }
/// dst = src >> scalar; with roundEn plus the last bit shifted out.
HOSTNPU_SHIFT_RIGHT(const uint64_t mask[])
HOSTNPU_SHIFT_RIGHT(uint64_t mask)
#undef HOSTNPU_SHIFT_RIGHT
template <typename T, bool isSetMask = true>
HOSTNPU_SHARED void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                               const internal::ScalarOf<T>& scalarValue, const int32_t& count) {
  static_assert(AvailableShiftRight<T>::value, "");
  internal::CheckShift("ShiftRight", scalarValue);
  internal::RunUnaryCount("ShiftRight", &internal::ScalarRun<semantics::ShiftRight, PrimT<T>>,
                          &scalarValue, dst, src, count);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_VECTOR_SCALAR_H_

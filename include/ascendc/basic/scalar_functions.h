// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// sqrt, abs, max and min of single values, which the device's compiler knows without a header, so
// that kernels call them without one. They are templates, with a pack that stays empty: where
// <cmath> or <algorithm> is included as well, or a program has its own, templates too, those are
// the better match and nothing is ambiguous. They stand in a namespace that the global one uses, so
// that a kernel may be called `sqrt`: `::sqrt` is the kernel then.
#ifndef HOSTNPU_ASCENDC_BASIC_SCALAR_FUNCTIONS_H_
#define HOSTNPU_ASCENDC_BASIC_SCALAR_FUNCTIONS_H_

namespace AscendC::internal {
template <typename T>
struct ScalarFloat {};
template <>
struct ScalarFloat<float> {
  using Type = float;
};

template <typename T>
struct ScalarNumber {};
#define HOSTNPU_SCALAR_NUMBER(type) \
  template <>                       \
  struct ScalarNumber<type> {       \
    using Type = type;              \
  };
HOSTNPU_SCALAR_NUMBER(signed char)
HOSTNPU_SCALAR_NUMBER(unsigned char)
HOSTNPU_SCALAR_NUMBER(short)
HOSTNPU_SCALAR_NUMBER(unsigned short)
HOSTNPU_SCALAR_NUMBER(int)
HOSTNPU_SCALAR_NUMBER(unsigned)
HOSTNPU_SCALAR_NUMBER(long)
HOSTNPU_SCALAR_NUMBER(unsigned long)
HOSTNPU_SCALAR_NUMBER(long long)
HOSTNPU_SCALAR_NUMBER(unsigned long long)
HOSTNPU_SCALAR_NUMBER(float)
#undef HOSTNPU_SCALAR_NUMBER

template <typename... None>
struct NoMore {};
template <>
struct NoMore<> {
  using Type = void;
};
}  // namespace AscendC::internal

namespace AscendC::scalar {
/// The square root, rounded once.
template <typename T, typename... None, typename = typename internal::NoMore<None...>::Type>
inline typename internal::ScalarFloat<T>::Type sqrt(T value, None...) {
  return __builtin_sqrtf(value);
}

/// The absolute value, in the type of the argument.
template <typename T, typename... None, typename = typename internal::NoMore<None...>::Type>
constexpr typename internal::ScalarNumber<T>::Type abs(T value, None...) {
  return static_cast<T>(value < T{0} ? -value : value);
}

/// The greater of two values, in the type to which both are converted.
template <typename T, typename U, typename... None,
          typename = typename internal::ScalarNumber<T>::Type,
          typename = typename internal::ScalarNumber<U>::Type,
          typename = typename internal::NoMore<None...>::Type>
constexpr auto max(T a, U b, None...) -> decltype(true ? T{} : U{}) {
  return a < b ? b : a;
}

/// The smaller of two values, in the type to which both are converted.
template <typename T, typename U, typename... None,
          typename = typename internal::ScalarNumber<T>::Type,
          typename = typename internal::ScalarNumber<U>::Type,
          typename = typename internal::NoMore<None...>::Type>
constexpr auto min(T a, U b, None...) -> decltype(true ? T{} : U{}) {
  return b < a ? b : a;
}
}  // namespace AscendC::scalar
using namespace AscendC::scalar;

#endif  // HOSTNPU_ASCENDC_BASIC_SCALAR_FUNCTIONS_H_

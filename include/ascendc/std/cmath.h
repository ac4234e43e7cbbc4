// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ASCENDC_STD_CMATH_H_
#define HOSTNPU_ASCENDC_STD_CMATH_H_

#include "type_traits.h"

namespace AscendC {
namespace Std {

template <typename T>
inline T sqrt(const T value) {
  return static_cast<T>(__builtin_sqrt(static_cast<double>(value)));
}
template <typename T>
inline T abs(const T value) {
  return value < T(0) ? T(-value) : value;
}
template <typename T, typename U>
constexpr auto ceil_division(const T& a, const U& b) {
  return (a + b - 1) / b;
}
template <typename T, typename U>
constexpr auto ceil_align(const T& a, const U& b) {
  return ceil_division(a, b) * b;
}
template <typename T, typename U>
constexpr auto divide(const T& a, const U& b) {
  return a / b;
}

}  // namespace Std
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_STD_CMATH_H_

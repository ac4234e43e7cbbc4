// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on one element. half computes in float, which holds each sum, difference, product and
// quotient of two halves closely enough that rounding it to half again gives the correctly rounded
// result. Integers wrap around.
#ifndef HOSTNPU_ASCENDC_SEMANTICS_ARITHMETIC_H_
#define HOSTNPU_ASCENDC_SEMANTICS_ARITHMETIC_H_

#include "../basic/types.h"

namespace AscendC {
namespace semantics {

/// The type an operation on T computes in: float for half, an unsigned type for integers.
template <typename T>
struct Wide {
  using Type = T;
};
template <>
struct Wide<half> {
  using Type = float;
};
template <>
struct Wide<int16_t> {
  using Type = uint32_t;
};
template <>
struct Wide<uint16_t> {
  using Type = uint32_t;
};
template <>
struct Wide<int32_t> {
  using Type = uint32_t;
};

template <typename T>
constexpr bool IsFloating() {
  return IsSameType<T, half>::value || IsSameType<T, float>::value;
}

inline uint32_t BitsOf(float value) { return __builtin_bit_cast(uint32_t, value); }
inline float FloatOf(uint32_t bits) { return __builtin_bit_cast(float, bits); }

#define HOSTNPU_ARITHMETIC(Name, expression)                         \
  struct Name {                                                      \
    template <typename T>                                            \
    static __attribute__((always_inline)) inline T Apply(T x, T y) { \
      using W = typename Wide<T>::Type;                              \
      const W a = static_cast<W>(x);                                 \
      const W b = static_cast<W>(y);                                 \
      return static_cast<T>(expression);                             \
    }                                                                \
  };

HOSTNPU_ARITHMETIC(Add, a + b)
HOSTNPU_ARITHMETIC(Sub, a - b)
HOSTNPU_ARITHMETIC(Mul, a* b)
HOSTNPU_ARITHMETIC(Div, a / b)
#undef HOSTNPU_ARITHMETIC

/// A sum in float, of which `error` was rounded away, with that noted in its last bit: the last bit
/// of an inexact result is 1. Rounding such a value to half rounds the exact sum correctly.
__attribute__((always_inline)) inline float RoundSumToOdd(float sum, float error) {
  const uint32_t bits = BitsOf(sum);
  const bool same_sign = ((bits ^ BitsOf(error)) >> 31) == 0;
  const uint32_t odd = same_sign ? bits + 1 : bits - 1;
  const bool finite = (bits & 0x7F800000u) != 0x7F800000u;
  const bool inexact = error != 0.0f && (bits & 1u) == 0 && finite;
  return FloatOf(inexact ? odd : bits);
}

/// a * b + c with one rounding to T.
template <typename T>
__attribute__((always_inline)) inline T MultiplyAdd(T x, T y, T z) {
  if constexpr (IsSameType<T, half>::value) {
    // The product of two halves is exact in float; TwoSum gives what adding c loses.
    const float a = static_cast<float>(x) * static_cast<float>(y);
    const float c = static_cast<float>(z);
    const float sum = a + c;
    const float c_part = sum - a;
    const float error = (a - (sum - c_part)) + (c - c_part);
    return static_cast<T>(RoundSumToOdd(sum, error));
  } else {
    return __builtin_fmaf(x, y, z);
  }
}

/// The larger; NaN if either is, and +0 is larger than -0.
inline float MaxFloat(float a, float b) {
  const float larger = a > b ? a : b;
  const float zero = a == b ? FloatOf(BitsOf(a) & BitsOf(b)) : larger;
  return a != a ? a : zero;
}
/// The smaller; NaN if either is, and -0 is smaller than +0.
inline float MinFloat(float a, float b) {
  const float smaller = a < b ? a : b;
  const float zero = a == b ? FloatOf(BitsOf(a) | BitsOf(b)) : smaller;
  return a != a ? a : zero;
}

struct Max {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a, T b) {
    if constexpr (IsFloating<T>()) return static_cast<T>(MaxFloat(a, b));
    return a > b ? a : b;
  }
};
struct Min {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a, T b) {
    if constexpr (IsFloating<T>()) return static_cast<T>(MinFloat(a, b));
    return a < b ? a : b;
  }
};

/// Negative values become zero; NaN stays.
struct Relu {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a) {
    if constexpr (IsFloating<T>()) return static_cast<T>(MaxFloat(a, 0.0f));
    return a > 0 ? a : T(0);
  }
};
/// Relu of the sum, which is rounded first.
struct AddRelu {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a, T b) {
    return Relu::Apply<T>(Add::Apply<T>(a, b));
  }
};
struct SubRelu {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a, T b) {
    return Relu::Apply<T>(Sub::Apply<T>(a, b));
  }
};
/// Negative values are multiplied by the slope.
struct LeakyRelu {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a, T slope) {
    return a >= T(0) ? a : Mul::Apply<T>(a, slope);
  }
};
struct Abs {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a) {
    if constexpr (IsSameType<T, half>::value) {
      return __builtin_bit_cast(half,
                                static_cast<uint16_t>(__builtin_bit_cast(uint16_t, a) & 0x7FFFu));
    } else {
      return FloatOf(BitsOf(a) & 0x7FFFFFFFu);
    }
  }
};

}  // namespace semantics
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_SEMANTICS_ARITHMETIC_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// exp, ln, roots and reciprocals of one element, without branches or table look-ups, so that a loop
// over them vectorises. All end in double and are rounded from there, so that nearly every result
// is the float next to the exact value.
#ifndef HOSTNPU_ASCENDC_SEMANTICS_TRANSCENDENTAL_H_
#define HOSTNPU_ASCENDC_SEMANTICS_TRANSCENDENTAL_H_

#include "arithmetic.h"

namespace AscendC {
namespace semantics {

/// e to the power of x.
//
// x = n ln 2 + r with |r| <= ln 2 / 2, exp(r) = 1 + (r + r^2 q(r)), and 2^n is applied in two
// factors, because n can be below the exponent of the smallest normal number and above that of the
// largest. What of q matters least is computed in float, where a vector holds twice as many.
//
// `for_half`: the value is rounded to odd, so that rounding it to half afterwards is as good as
// rounding once.
template <bool for_half>
__attribute__((always_inline)) inline float ExpFloat(float x) {
  const float low = x < -104.0f ? -104.0f : x;  // exp is 0 below; NaN stays
  const float clamped = low > 89.0f ? 89.0f : low;
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it leaves an integer in the low bits
  const float shifted = __builtin_fmaf(clamped, 0x1.715476p+0f, kRound);
  const float n = shifted - kRound;
  const float exact = __builtin_fmaf(n, -0x1.62e430p-1f, clamped);
  const double r = static_cast<double>(n) * 0x1.05c610ca86c39p-29 + static_cast<double>(exact);
  const float short_r = static_cast<float>(r);
  float tail = 0x1.a2f9dep-13f;
  tail = __builtin_fmaf(tail, short_r, 0x1.6d3914p-10f);
  tail = __builtin_fmaf(tail, short_r, 0x1.110fb2p-7f);
  tail = __builtin_fmaf(tail, short_r, 0x1.5554fap-5f);
  tail = __builtin_fmaf(tail, short_r, 0x1.555556p-3f);
  const double value = 1.0 + (r + r * r * (0.5 + r * static_cast<double>(tail)));
  float p = static_cast<float>(value);
  if constexpr (for_half) p = RoundSumToOdd(p, static_cast<float>(value - static_cast<double>(p)));
  const int32_t whole = static_cast<int32_t>(BitsOf(shifted) - BitsOf(kRound));
  const int32_t first = whole >> 1;
  const int32_t second = whole - first;
  const float scale0 = FloatOf(static_cast<uint32_t>(first + 127) << 23);
  const float scale1 = FloatOf(static_cast<uint32_t>(second + 127) << 23);
  return p * scale0 * scale1;
}

/// The natural logarithm; -Inf of 0, NaN of what is negative.
//
// x = m 2^e with m in [sqrt(1/2), sqrt(2)), and ln m = 2 atanh(s) with s = (m - 1) / (m + 1).
__attribute__((always_inline)) inline double LnDouble(double x) {
  const uint64_t bits = __builtin_bit_cast(uint64_t, x);
  constexpr uint64_t kRootHalf = 0x3FE6A09E667F3BCDu;  // sqrt(1/2)
  const uint64_t shifted = bits - kRootHalf;
  const uint64_t exponent = shifted >> 52 << 52;  // e, two's complement in the upper 12 bits
  const double m = __builtin_bit_cast(double, bits - exponent);
  constexpr uint64_t kBias = uint64_t{2048} << 52;
  const uint64_t biased = (exponent + kBias) >> 52;
  const double e = __builtin_bit_cast(double, biased | 0x4330000000000000u) - (0x1p52 + 2048.0);
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double p = 1.0 / 13;
  p = p * z + 1.0 / 11;
  p = p * z + 1.0 / 9;
  p = p * z + 1.0 / 7;
  p = p * z + 1.0 / 5;
  p = p * z + 1.0 / 3;
  const double ln_m = 2.0 * s + 2.0 * s * z * p;
  const double result = e * 0x1.62e42fefa39efp-1 + ln_m;
  const double infinite = x == __builtin_inf() ? x : result;
  const double zero = x == 0.0 ? -__builtin_inf() : infinite;
  return x < 0.0 || x != x ? __builtin_nan("") : zero;
}

/// A double as T, rounded once. Two roundings on the way to half would be wrong where the first one
/// ends in the middle between two halves.
template <typename T>
__attribute__((always_inline)) inline T FromDouble(double value) {
  const float nearest = static_cast<float>(value);
  if constexpr (IsSameType<T, half>::value) {
    const float error = static_cast<float>(value - static_cast<double>(nearest));
    return static_cast<T>(RoundSumToOdd(nearest, error));
  } else {
    return nearest;
  }
}

struct Exp {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a) {
    return static_cast<T>(ExpFloat < sizeof(T) == 2 > (static_cast<float>(a)));
  }
};
struct Ln {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a) {
    return FromDouble<T>(LnDouble(static_cast<double>(a)));
  }
};
struct Sqrt {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a) {
    return static_cast<T>(__builtin_sqrtf(static_cast<float>(a)));
  }
};
/// 1 / sqrt(a). The hardware's is an approximation whose table is not published; this is the
/// rounded exact value.
struct Rsqrt {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a) {
    return FromDouble<T>(1.0 / __builtin_sqrt(static_cast<double>(a)));
  }
};
/// 1 / a, in the same way.
struct Reciprocal {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a) {
    return static_cast<T>(1.0f / static_cast<float>(a));
  }
};

}  // namespace semantics
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_SEMANTICS_TRANSCENDENTAL_H_

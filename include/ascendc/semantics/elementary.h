// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The elementary functions of the high-level library on one element. All compute in double and
// round to the element's type once. Those that kernels call most (exp and what is built from it,
// sine, cosine) have no branches, so that a loop over them vectorises; the others call libm.
#ifndef HOSTNPU_ASCENDC_SEMANTICS_ELEMENTARY_H_
#define HOSTNPU_ASCENDC_SEMANTICS_ELEMENTARY_H_

#include "../basic/types.h"

namespace AscendC {
namespace semantics {

#define HOSTNPU_ELEMENT __attribute__((always_inline)) inline

HOSTNPU_ELEMENT double DoubleOf(uint64_t bits) { return __builtin_bit_cast(double, bits); }
HOSTNPU_ELEMENT uint64_t BitsOf(double value) { return __builtin_bit_cast(uint64_t, value); }

/// Adding it to a double leaves the nearest integer in the low bits.
constexpr double kNearestShift = 0x1.8p52;

/// e to the power of x: x = n ln 2 + r, a polynomial in r, and 2^n in two factors.
HOSTNPU_ELEMENT double ExpDouble(double x) {
  const double low = x < -745.0 ? -745.0 : x;
  const double clamped = low > 710.0 ? 710.0 : low;
  const double shifted = clamped * 0x1.71547652b82fep+0 + kNearestShift;
  const double n = shifted - kNearestShift;
  const double r = (clamped - n * 0x1.62e42fefa0000p-1) - n * 0x1.cf79abc9e3b3ap-40;
  double p = 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  // The integer n stands in the low 51 bits of `shifted`.
  const int64_t whole = static_cast<int64_t>(BitsOf(shifted) << 13) >> 13;
  const int64_t first = whole >> 1;
  const int64_t second = whole - first;
  const double scale0 = DoubleOf(static_cast<uint64_t>(first + 1023) << 52);
  const double scale1 = DoubleOf(static_cast<uint64_t>(second + 1023) << 52);
  const double result = p * scale0 * scale1;
  return x != x ? x : result;
}

/// 1 / (1 + exp(-x)).
HOSTNPU_ELEMENT double SigmoidDouble(double x) { return 1.0 / (1.0 + ExpDouble(-x)); }
/// Below 2^-9 the series is more accurate than the difference of two numbers near 1.
HOSTNPU_ELEMENT double TanhDouble(double x) {
  const double direct = 1.0 - 2.0 / (ExpDouble(2.0 * x) + 1.0);
  const double z = x * x;
  const double series = x - x * z * (1.0 / 3 - z * (2.0 / 15));
  return z < 0x1p-18 ? series : direct;
}
HOSTNPU_ELEMENT double SinhDouble(double x) {
  const double e = ExpDouble(x);
  const double z = x * x;
  const double series = x + x * z * (1.0 / 6 + z * (1.0 / 120 + z * (1.0 / 5040)));
  return z < 0x1p-6 ? series : 0.5 * (e - 1.0 / e);
}
HOSTNPU_ELEMENT double CoshDouble(double x) {
  const double e = ExpDouble(x);
  return 0.5 * (e + 1.0 / e);
}

/// sin(x + quarter_turns * pi / 2). The reduction is exact enough for |x| up to 2^20; beyond, libm.
HOSTNPU_ELEMENT double SinDouble(double x, int64_t quarter_turns) {
  const double shifted = x * 0x1.45f306dc9c883p-1 + kNearestShift;
  const double n = shifted - kNearestShift;
  const double r =
      ((x - n * 0x1.921fb54400000p+0) - n * 0x1.0b4611a600000p-34) - n * 0x1.3198a2e037073p-69;
  const double z = r * r;
  double s = -1.0 / 1307674368000.0;
  s = s * z + 1.0 / 6227020800.0;
  s = s * z - 1.0 / 39916800;
  s = s * z + 1.0 / 362880;
  s = s * z - 1.0 / 5040;
  s = s * z + 1.0 / 120;
  s = s * z - 1.0 / 6;
  s = r + r * z * s;
  double c = -1.0 / 87178291200.0;
  c = c * z + 1.0 / 479001600;
  c = c * z - 1.0 / 3628800;
  c = c * z + 1.0 / 40320;
  c = c * z - 1.0 / 720;
  c = c * z + 1.0 / 24;
  c = c * z - 0.5;
  c = 1.0 + z * c;
  const uint64_t turns = BitsOf(shifted) + static_cast<uint64_t>(quarter_turns);
  const double value = (turns & 1) != 0 ? c : s;
  return DoubleOf(BitsOf(value) ^ ((turns >> 1 & 1) << 63));
}

/// Defines a function of one float in a double `x`; T rounds once.
#define HOSTNPU_ELEMENTARY(Name, expression)                       \
  struct Name {                                                    \
    template <typename T>                                          \
    static HOSTNPU_ELEMENT T Apply(T a) {                          \
      const double x = static_cast<double>(static_cast<float>(a)); \
      return static_cast<T>(static_cast<float>(expression));       \
    }                                                              \
  };

HOSTNPU_ELEMENTARY(Sigmoid, SigmoidDouble(x))
HOSTNPU_ELEMENTARY(Tanh, TanhDouble(x))
HOSTNPU_ELEMENTARY(Sinh, SinhDouble(x))
HOSTNPU_ELEMENTARY(Cosh, CoshDouble(x))
HOSTNPU_ELEMENTARY(Sin, SinDouble(x, 0))
HOSTNPU_ELEMENTARY(Cos, SinDouble(x, 1))
HOSTNPU_ELEMENTARY(Tan, SinDouble(x, 0) / SinDouble(x, 1))
HOSTNPU_ELEMENTARY(Log, __builtin_log(x))
HOSTNPU_ELEMENTARY(Log2, __builtin_log2(x))
HOSTNPU_ELEMENTARY(Log10, __builtin_log10(x))
HOSTNPU_ELEMENTARY(Asin, __builtin_asin(x))
HOSTNPU_ELEMENTARY(Acos, __builtin_acos(x))
HOSTNPU_ELEMENTARY(Atan, __builtin_atan(x))
HOSTNPU_ELEMENTARY(Asinh, __builtin_asinh(x))
HOSTNPU_ELEMENTARY(Acosh, __builtin_acosh(x))
HOSTNPU_ELEMENTARY(Atanh, __builtin_atanh(x))
HOSTNPU_ELEMENTARY(Erf, __builtin_erf(x))
HOSTNPU_ELEMENTARY(Erfc, __builtin_erfc(x))
HOSTNPU_ELEMENTARY(Lgamma, __builtin_lgamma(x))
HOSTNPU_ELEMENTARY(CeilOf, __builtin_ceil(x))
HOSTNPU_ELEMENTARY(FloorOf, __builtin_floor(x))
HOSTNPU_ELEMENTARY(TruncOf, __builtin_trunc(x))
/// Ties to even, whatever the name of the function suggests: it is the device's CAST_RINT.
HOSTNPU_ELEMENTARY(RoundOf, __builtin_roundeven(x))
HOSTNPU_ELEMENTARY(Frac, x - __builtin_trunc(x))
HOSTNPU_ELEMENTARY(SignOf, static_cast<double>((x > 0.0) - (x < 0.0)))
HOSTNPU_ELEMENTARY(Silu, x / (1.0 + ExpDouble(-x)))
/// The form with tanh, written with exp.
HOSTNPU_ELEMENTARY(Gelu, x / (1.0 + ExpDouble(-1.5957691216057308 * (x + 0.044715 * x * x * x))))
HOSTNPU_ELEMENTARY(FasterGelu, x / (1.0 + ExpDouble(-1.702 * x)))
/// Digamma by recurrence up to 6 and the asymptotic series; by reflection below 0.
HOSTNPU_ELEMENT double DigammaPositive(double x) {
  double shift = 0.0;
  for (int i = 0; i < 8; ++i) {
    const bool small = x < 8.0;
    shift -= small ? 1.0 / x : 0.0;
    x += small ? 1.0 : 0.0;
  }
  const double z = 1.0 / (x * x);
  const double series =
      z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132)))));
  return shift + __builtin_log(x) - 0.5 / x - series;
}
inline double DigammaDouble(double x) {
  if (x > 0.0 || x != x) return DigammaPositive(x);
  if (x == __builtin_floor(x)) return __builtin_nan("");
  constexpr double kPi = 3.14159265358979323846;
  return DigammaPositive(1.0 - x) - kPi / __builtin_tan(kPi * x);
}
HOSTNPU_ELEMENTARY(Digamma, DigammaDouble(x))
/// The approximation of erf by a clipped square that the library calls V2.
HOSTNPU_ELEMENT double FasterGeluV2Double(double x) {
  constexpr double kA = -0.1444, kB = -1.769;
  const double scaled = 0.70710678118654752440 * __builtin_fabs(x);
  const double clipped = (scaled < -kB ? scaled : -kB) + kB;
  const double bell = kA * clipped * clipped + 0.5;
  return x * ((x < 0.0 ? -bell : x > 0.0 ? bell : 0.0) + 0.5);
}
HOSTNPU_ELEMENTARY(FasterGeluV2, FasterGeluV2Double(x))
#undef HOSTNPU_ELEMENTARY

/// base to the power of exponent.
HOSTNPU_ELEMENT double PowerDouble(double base, double exponent) {
  return __builtin_pow(base, exponent);
}
/// By squaring, wrapping around; a negative exponent leaves 1, -1 or 0.
inline int32_t PowerInteger(int32_t base, int32_t exponent) {
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? ((exponent & 1) != 0 ? -1 : 1) : 0;
  uint32_t result = 1, square = static_cast<uint32_t>(base);
  for (uint32_t bits = static_cast<uint32_t>(exponent); bits != 0; bits >>= 1) {
    if ((bits & 1) != 0) result *= square;
    square *= square;
  }
  return static_cast<int32_t>(result);
}

}  // namespace semantics
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_SEMANTICS_ELEMENTARY_H_

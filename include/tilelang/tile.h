// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// What generated kernels call: T.copy, T.gemm_v0, T.tile.* and T.reduce_* as functions over Ascend
// C's public API. A tile is a strided rectangle of a LocalTensor. Where the rows of all operands
// lie one after the other an operation is one instruction; else one a row; and where a row does not
// start on a 32-byte boundary, which no vector instruction takes, it goes element by element.
#ifndef HOSTNPU_TILELANG_TILE_H_
#define HOSTNPU_TILELANG_TILE_H_

#include "kernel_operator.h"

namespace tl {

using namespace AscendC;

constexpr uint32_t kBlockBytes = 32;

// ---- scalars
// ---------------------------------------------------------------------------------------

template <typename T>
__aicore__ inline T FloorDiv(T a, T b) {
  const T q = a / b;
  return (a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q;
}
template <typename T>
__aicore__ inline T FloorMod(T a, T b) {
  const T r = a % b;
  return (r != 0 && ((r < 0) != (b < 0))) ? r + b : r;
}
template <typename T>
__aicore__ inline T Min(T a, T b) {
  return a < b ? a : b;
}
template <typename T>
__aicore__ inline T Max(T a, T b) {
  return a > b ? a : b;
}
template <typename T>
__aicore__ inline T AbsOf(T a) {
  return a < T(0) ? T(-a) : a;
}
__aicore__ inline float ExpOf(float a) { return __builtin_expf(a); }
__aicore__ inline float LogOf(float a) { return __builtin_logf(a); }
__aicore__ inline float SqrtOf(float a) { return __builtin_sqrtf(a); }
__aicore__ inline float RsqrtOf(float a) { return 1.0f / __builtin_sqrtf(a); }
__aicore__ inline float FloorOf(float a) { return __builtin_floorf(a); }
__aicore__ inline float CeilOf(float a) { return __builtin_ceilf(a); }
__aicore__ inline float RoundOf(float a) { return __builtin_rintf(a); }
__aicore__ inline float TruncOf(float a) { return __builtin_truncf(a); }
__aicore__ inline float PowOf(float a, float b) { return __builtin_powf(a, b); }
__aicore__ inline float SinOf(float a) { return __builtin_sinf(a); }
__aicore__ inline float CosOf(float a) { return __builtin_cosf(a); }
__aicore__ inline float TanhOf(float a) { return __builtin_tanhf(a); }
__aicore__ inline float SigmoidOf(float a) { return 1.0f / (1.0f + __builtin_expf(-a)); }

/// A value as another type: float to integer truncates toward zero and saturates, NaN becomes 0.
template <typename To, typename From>
__aicore__ inline To Convert(From value) {
  constexpr bool from_float = From(0.5f) != From(0);
  constexpr bool to_float = To(0.5f) != To(0);
  if constexpr (from_float && !to_float) {
    const double v = static_cast<double>(static_cast<float>(value));
    if (v != v) return To(0);
    constexpr bool is_signed = To(-1) < To(0);
    constexpr int bits = sizeof(To) * 8 - (is_signed ? 1 : 0);
    const double high = static_cast<double>(uint64_t{1} << (bits - 1)) * 2.0;
    if (v >= high)
      return is_signed ? To((uint64_t{1} << (bits - 1)) - 1 + (uint64_t{1} << (bits - 1)))
                       : To(~To(0));
    if (is_signed ? v < -high : v <= -1.0)
      return is_signed ? To(-To((uint64_t{1} << (bits - 1)) - 1 + (uint64_t{1} << (bits - 1))) - 1)
                       : To(0);
    return static_cast<To>(v);
  } else {
    return static_cast<To>(value);
  }
}
template <typename To, typename From>
__aicore__ inline To Bitcast(From value) {
  static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the width");
  To to;
  __builtin_memcpy(&to, &value, sizeof(to));
  return to;
}

// ---- tiles
// -----------------------------------------------------------------------------------------

/// `rows` rows of `cols` elements, `pitch` elements apart, from the first element of `data`.
template <typename T>
struct Tile {
  using Type = T;
  LocalTensor<T> data;
  int32_t rows;
  int32_t cols;
  int32_t pitch;

  __aicore__ inline Tile(const LocalTensor<T>& the_data, int32_t the_rows, int32_t the_cols,
                         int32_t the_pitch)
      : data(the_data), rows(the_rows), cols(the_cols), pitch(the_pitch) {
    if (rows <= 1) pitch = cols;
  }
  /// A run of `count` elements.
  __aicore__ inline Tile(const LocalTensor<T>& the_data, int32_t count)
      : Tile(the_data, 1, count, count) {}

  __aicore__ inline int32_t count() const { return rows * cols; }
  __aicore__ inline bool contiguous() const { return rows <= 1 || pitch == cols; }
  __aicore__ inline LocalTensor<T> Run(int32_t offset) const { return data[offset]; }
  /// Offset in `data` of the k-th element, row by row.
  __aicore__ inline int32_t OffsetOf(int32_t k) const {
    return contiguous() ? k : k / cols * pitch + k % cols;
  }
  __aicore__ inline T At(int32_t k) const { return data.GetValue(OffsetOf(k)); }
  __aicore__ inline void Put(int32_t k, T value) const { data.SetValue(OffsetOf(k), value); }
};

template <typename T>
__aicore__ inline bool Aligned(const LocalTensor<T>& tensor, int32_t offset = 0) {
  return (reinterpret_cast<uint64_t>(tensor.GetPhyAddr()) +
          static_cast<int64_t>(offset) * sizeof(T)) %
             kBlockBytes ==
         0;
}

/// Whether every row of the tile starts on a 32-byte boundary.
template <typename T>
__aicore__ inline bool RowsAligned(const Tile<T>& tile) {
  return Aligned(tile.data) && (tile.rows <= 1 || tile.pitch * sizeof(T) % kBlockBytes == 0);
}

/// The elements that every operand has: explicit counts may reach beyond the end of one of them.
template <typename D, typename... S>
__aicore__ inline int32_t CommonCount(const Tile<D>& dst, const Tile<S>&... src) {
  int32_t count = dst.count();
  ((count = src.count() < count ? src.count() : count), ...);
  return count;
}

/// Splits operands into runs and calls vector(count, offset_dst, offset_a...) for each; scalar(k)
/// for every element where a run would not be aligned.
template <typename Vector, typename Scalar, typename D, typename... S>
__aicore__ inline void ForRuns(Vector vector, Scalar scalar, const Tile<D>& dst,
                               const Tile<S>&... src) {
  const int32_t count = CommonCount(dst, src...);
  if (count <= 0) return;
  if (dst.contiguous() && (src.contiguous() && ...)) {
    if (Aligned(dst.data) && (Aligned(src.data) && ...)) {
      vector(count, 0, (0 * src.cols)...);
      return;
    }
  } else if (((dst.cols == src.cols && dst.rows == src.rows) && ...)) {
    if (RowsAligned(dst) && (RowsAligned(src) && ...)) {
      for (int32_t row = 0; row < dst.rows; ++row)
        vector(dst.cols, row * dst.pitch, (row * src.pitch)...);
      return;
    }
  }
  for (int32_t k = 0; k < count; ++k) scalar(k);
}

#define TL_BINARY(name, api, expression)                                                        \
  template <typename T>                                                                         \
  __aicore__ HOSTNPU_SHARED void name(const Tile<T>& dst, const Tile<T>& a, const Tile<T>& b) { \
    ForRuns([&](int32_t n, int32_t d, int32_t x,                                                \
                int32_t y) { api(dst.Run(d), a.Run(x), b.Run(y), n); },                         \
            [&](int32_t k) {                                                                    \
              const T p = a.At(k);                                                              \
              const T q = b.At(k);                                                              \
              dst.Put(k, static_cast<T>(expression));                                           \
            },                                                                                  \
            dst, a, b);                                                                         \
  }
TL_BINARY(TileAdd, AscendC::Add, p + q)
TL_BINARY(TileSub, AscendC::Sub, p - q)
TL_BINARY(TileMul, AscendC::Mul, p* q)
TL_BINARY(TileMax, AscendC::Max, p > q ? p : q)
TL_BINARY(TileMin, AscendC::Min, p < q ? p : q)
TL_BINARY(TileFloatDiv, AscendC::Div, p / q)
#undef TL_BINARY

/// Elementwise by scalars, for what the vector unit has no instruction for.
template <typename Function, typename T>
__aicore__ inline void ByElement(Function function, const Tile<T>& dst, const Tile<T>& a,
                                 const Tile<T>& b) {
  const int32_t count = CommonCount(dst, a, b);
  for (int32_t k = 0; k < count; ++k) dst.Put(k, function(a.At(k), b.At(k)));
}
template <typename Function, typename D, typename S>
__aicore__ inline void ByElement(Function function, const Tile<D>& dst, const Tile<S>& a) {
  const int32_t count = CommonCount(dst, a);
  for (int32_t k = 0; k < count; ++k) dst.Put(k, function(a.At(k)));
}

/// Truncating; 0 for a division by 0, and the lowest value by -1 wraps.
template <typename T>
__aicore__ inline T IntegerDivOf(T p, T q) {
  if (q == T(0)) return T(0);
  if (T(-1) < T(0) && q == T(-1)) return static_cast<T>(0 - static_cast<uint64_t>(p));
  return static_cast<T>(p / q);
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileDiv(const Tile<T>& dst, const Tile<T>& a, const Tile<T>& b) {
  if constexpr (T(0.5f) != T(0)) {
    TileFloatDiv(dst, a, b);
  } else {
    ByElement([](T p, T q) { return IntegerDivOf(p, q); }, dst, a, b);
  }
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileAnd(const Tile<T>& dst, const Tile<T>& a, const Tile<T>& b) {
  ByElement([](T p, T q) { return T(p & q); }, dst, a, b);
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileOr(const Tile<T>& dst, const Tile<T>& a, const Tile<T>& b) {
  ByElement([](T p, T q) { return T(p | q); }, dst, a, b);
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileXor(const Tile<T>& dst, const Tile<T>& a, const Tile<T>& b) {
  ByElement([](T p, T q) { return T(p ^ q); }, dst, a, b);
}

#define TL_SCALAR(name, api, expression)                                               \
  template <typename T>                                                                \
  __aicore__ HOSTNPU_SHARED void name(const Tile<T>& dst, const Tile<T>& a, T s) {     \
    ForRuns([&](int32_t n, int32_t d, int32_t x) { api(dst.Run(d), a.Run(x), s, n); }, \
            [&](int32_t k) {                                                           \
              const T p = a.At(k);                                                     \
              dst.Put(k, static_cast<T>(expression));                                  \
            },                                                                         \
            dst, a);                                                                   \
  }
TL_SCALAR(TileAdds, AscendC::Adds, p + s)
TL_SCALAR(TileMuls, AscendC::Muls, p* s)
TL_SCALAR(TileMaxs, AscendC::Maxs, p > s ? p : s)
TL_SCALAR(TileMins, AscendC::Mins, p < s ? p : s)
TL_SCALAR(TileFloatLeakyRelu, AscendC::LeakyRelu, p > T(0) ? p : p * s)
#undef TL_SCALAR

template <typename T>
__aicore__ HOSTNPU_SHARED void TileSubs(const Tile<T>& dst, const Tile<T>& a, T s) {
  TileAdds(dst, a, static_cast<T>(-s));
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileDivs(const Tile<T>& dst, const Tile<T>& a, T s) {
  if constexpr (T(0.5f) != T(0)) {
    TileMuls(dst, a, static_cast<T>(1.0f / static_cast<float>(s)));
  } else {
    ByElement([s](T p) { return IntegerDivOf(p, s); }, dst, a);
  }
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileAnds(const Tile<T>& dst, const Tile<T>& a, T s) {
  ByElement([s](T p) { return T(p & s); }, dst, a);
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileOrs(const Tile<T>& dst, const Tile<T>& a, T s) {
  ByElement([s](T p) { return T(p | s); }, dst, a);
}
/// Shifts by the width of the type or more give 0, or the sign for a right shift of a signed type.
template <typename T>
__aicore__ inline T ShiftLeftOf(T p, int64_t s) {
  return s >= static_cast<int64_t>(sizeof(T) * 8) ? T(0)
                                                  : static_cast<T>(static_cast<uint64_t>(p) << s);
}
template <typename T>
__aicore__ inline T ShiftRightOf(T p, int64_t s) {
  if (s >= static_cast<int64_t>(sizeof(T) * 8)) return p < T(0) ? T(-1) : T(0);
  return static_cast<T>(p >> s);
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileShiftLeft(const Tile<T>& dst, const Tile<T>& a, int64_t s) {
  ByElement([s](T p) { return ShiftLeftOf(p, s); }, dst, a);
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileShiftRight(const Tile<T>& dst, const Tile<T>& a, int64_t s) {
  ByElement([s](T p) { return ShiftRightOf(p, s); }, dst, a);
}

#define TL_UNARY(name, api, expression)                                             \
  template <typename T>                                                             \
  __aicore__ HOSTNPU_SHARED void name(const Tile<T>& dst, const Tile<T>& a) {       \
    ForRuns([&](int32_t n, int32_t d, int32_t x) { api(dst.Run(d), a.Run(x), n); }, \
            [&](int32_t k) {                                                        \
              const float p = static_cast<float>(a.At(k));                          \
              dst.Put(k, static_cast<T>(expression));                               \
            },                                                                      \
            dst, a);                                                                \
  }
TL_UNARY(TileExp, AscendC::Exp, ExpOf(p))
TL_UNARY(TileLn, AscendC::Ln, LogOf(p))
TL_UNARY(TileFloatAbs, AscendC::Abs, p < 0 ? -p : p)
TL_UNARY(TileSqrt, AscendC::Sqrt, SqrtOf(p))
TL_UNARY(TileRsqrt, AscendC::Rsqrt, RsqrtOf(p))
TL_UNARY(TileReciprocal, AscendC::Reciprocal, 1.0f / p)
TL_UNARY(TileFloatRelu, AscendC::Relu, p > 0 ? p : 0.0f)
#undef TL_UNARY

template <typename T>
__aicore__ HOSTNPU_SHARED void TileAbs(const Tile<T>& dst, const Tile<T>& a) {
  if constexpr (T(0.5f) != T(0)) {
    TileFloatAbs(dst, a);
  } else {
    ByElement([](T p) { return T(p < T(0) ? T(-p) : p); }, dst, a);
  }
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileRelu(const Tile<T>& dst, const Tile<T>& a) {
  if constexpr (T(0.5f) != T(0)) {
    TileFloatRelu(dst, a);
  } else {
    ByElement([](T p) { return T(p < T(0) ? T(0) : p); }, dst, a);
  }
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileNot(const Tile<T>& dst, const Tile<T>& a) {
  ByElement([](T p) { return T(~p); }, dst, a);
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileSin(const Tile<T>& dst, const Tile<T>& a) {
  ByElement([](T p) { return T(SinOf(static_cast<float>(p))); }, dst, a);
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileCos(const Tile<T>& dst, const Tile<T>& a) {
  ByElement([](T p) { return T(CosOf(static_cast<float>(p))); }, dst, a);
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileSigmoid(const Tile<T>& dst, const Tile<T>& a) {
  ByElement([](T p) { return T(SigmoidOf(static_cast<float>(p))); }, dst, a);
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileSilu(const Tile<T>& dst, const Tile<T>& a) {
  ByElement([](T p) { return T(static_cast<float>(p) * SigmoidOf(static_cast<float>(p))); }, dst,
            a);
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TilePow(const Tile<T>& dst, const Tile<T>& a, const Tile<T>& b) {
  ByElement(
      [](T p, T q) {
        if constexpr (T(0.5f) != T(0)) {
          return T(PowOf(static_cast<float>(p), static_cast<float>(q)));
        } else {
          T result = T(1);
          if (q < T(0)) return T(p == T(1) ? 1 : (p == T(-1) ? (q % 2 == 0 ? 1 : -1) : 0));
          for (T power = p, rest = q; rest > T(0);
               rest /= 2, power = T(static_cast<uint64_t>(power) * static_cast<uint64_t>(power))) {
            if (rest % 2 != 0)
              result = T(static_cast<uint64_t>(result) * static_cast<uint64_t>(power));
          }
          return result;
        }
      },
      dst, a, b);
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileLeakyRelu(const Tile<T>& dst, const Tile<T>& a, T s) {
  if constexpr (T(0.5f) != T(0)) {
    TileFloatLeakyRelu(dst, a, s);
  } else {
    ByElement([s](T p) { return T(p > T(0) ? p : p * s); }, dst, a);
  }
}
template <typename D, typename S>
__aicore__ HOSTNPU_SHARED void TileAxpy(const Tile<D>& dst, const Tile<S>& a, S s) {
  ForRuns([&](int32_t n, int32_t d, int32_t x) { AscendC::Axpy(dst.Run(d), a.Run(x), s, n); },
          [&](int32_t k) {
            dst.Put(k, static_cast<D>(static_cast<float>(dst.At(k)) +
                                      static_cast<float>(a.At(k)) * static_cast<float>(s)));
          },
          dst, a);
}
template <typename D, typename S>
__aicore__ HOSTNPU_SHARED void TileMulAddDst(const Tile<D>& dst, const Tile<S>& a,
                                             const Tile<S>& b) {
  ForRuns([&](int32_t n, int32_t d, int32_t x,
              int32_t y) { AscendC::MulAddDst(dst.Run(d), a.Run(x), b.Run(y), n); },
          [&](int32_t k) {
            dst.Put(k, static_cast<D>(static_cast<float>(dst.At(k)) +
                                      static_cast<float>(a.At(k)) * static_cast<float>(b.At(k))));
          },
          dst, a, b);
}

template <typename T>
__aicore__ HOSTNPU_SHARED void TileFill(const Tile<T>& dst, T value) {
  if constexpr (sizeof(T) == 2 || sizeof(T) == 4) {
    ForRuns([&](int32_t n, int32_t d) { AscendC::Duplicate(dst.Run(d), value, n); },
            [&](int32_t k) { dst.Put(k, value); }, dst);
  } else {
    for (int32_t k = 0; k < dst.count(); ++k) dst.Put(k, value);
  }
}

// ---- conversion
// ------------------------------------------------------------------------------------

/// float rounded to an integral value by a rounding mode.
__aicore__ inline float RoundBy(float v, RoundMode mode) {
  switch (mode) {
    case RoundMode::CAST_FLOOR:
      return __builtin_floorf(v);
    case RoundMode::CAST_CEIL:
      return __builtin_ceilf(v);
    case RoundMode::CAST_ROUND:
      return __builtin_roundf(v);
    case RoundMode::CAST_TRUNC:
      return __builtin_truncf(v);
    default:
      return __builtin_rintf(v);
  }
}
/// float to half or bfloat16_t by a rounding mode, as the vector unit does it.
template <typename D>
__aicore__ inline D RoundNarrow(float value, RoundMode mode) {
  const D nearest = static_cast<D>(value);
  const float near = static_cast<float>(nearest);
  if (mode == RoundMode::CAST_NONE || mode == RoundMode::CAST_RINT || near == value ||
      value != value) {
    return nearest;
  }
  const bool negative = value < 0;
  const float magnitude = negative ? -value : value;
  const uint16_t bits = Bitcast<uint16_t>(nearest);
  const bool beyond = (negative ? -near : near) > magnitude;
  const uint16_t inner = static_cast<uint16_t>((bits & 0x7fff) - (beyond ? 1 : 0));
  bool take_outer = false;
  switch (mode) {
    case RoundMode::CAST_FLOOR:
      take_outer = negative;
      break;
    case RoundMode::CAST_CEIL:
      take_outer = !negative;
      break;
    case RoundMode::CAST_ODD:
      take_outer = (inner & 1) == 0;
      break;
    case RoundMode::CAST_ROUND: {
      // Only a tie differs from the nearest: it goes outward.
      const float outward = static_cast<float>(Bitcast<D>(static_cast<uint16_t>(inner + 1)));
      const float inward = static_cast<float>(Bitcast<D>(inner));
      take_outer = beyond || magnitude - inward == outward - magnitude;
      break;
    }
    default:
      break;
  }
  return Bitcast<D>(
      static_cast<uint16_t>((bits & 0x8000) | static_cast<uint16_t>(inner + (take_outer ? 1 : 0))));
}
template <typename D, typename S>
__aicore__ inline D CastOne(S value, RoundMode mode, float deq_scale) {
  constexpr bool from_float = S(0.5f) != S(0);
  constexpr bool to_float = D(0.5f) != D(0);
  if constexpr (from_float && !to_float) {
    return Convert<D>(RoundBy(static_cast<float>(value), mode));
  } else if constexpr (!from_float && !to_float) {
    // Integers saturate when they get narrower.
    const int64_t v = static_cast<int64_t>(value);
    constexpr bool is_signed = D(-1) < D(0);
    if constexpr (sizeof(D) < 8) {
      constexpr int64_t high = (int64_t{1} << (sizeof(D) * 8 - (is_signed ? 1 : 0))) - 1;
      constexpr int64_t low = is_signed ? -high - 1 : 0;
      return static_cast<D>(v > high ? high : (v < low ? low : v));
    } else {
      return static_cast<D>(v);
    }
  } else if constexpr (IsSameType<S, int32_t>::value && IsSameType<D, half>::value) {
    return static_cast<half>(static_cast<float>(value) * deq_scale);
  } else if constexpr (IsSameType<S, D>::value) {
    return mode == RoundMode::CAST_NONE ? value
                                        : static_cast<D>(RoundBy(static_cast<float>(value), mode));
  } else if constexpr (IsSameType<D, half>::value || IsSameType<D, bfloat16_t>::value) {
    return RoundNarrow<D>(static_cast<float>(value), mode);
  } else {
    return static_cast<D>(value);
  }
}

/// Pairs the vector unit converts with any of the usual modes.
template <typename D, typename S>
constexpr bool HasVectorCast() {
  return (IsSameType<S, half>::value && IsSameType<D, float>::value) ||
         (IsSameType<S, float>::value && IsSameType<D, half>::value) ||
         (IsSameType<S, bfloat16_t>::value && IsSameType<D, float>::value) ||
         (IsSameType<S, float>::value && IsSameType<D, bfloat16_t>::value) ||
         (IsSameType<S, float>::value && IsSameType<D, int32_t>::value) ||
         (IsSameType<S, int32_t>::value && IsSameType<D, float>::value) ||
         (IsSameType<S, half>::value && IsSameType<D, int32_t>::value);
}
template <typename D, typename S>
__aicore__ HOSTNPU_SHARED void TileCast(const Tile<D>& dst, const Tile<S>& src, RoundMode mode,
                                        float deq_scale = 1.0f) {
  const auto scalar = [&](int32_t k) { dst.Put(k, CastOne<D>(src.At(k), mode, deq_scale)); };
  if constexpr (HasVectorCast<D, S>()) {
    RoundMode used = mode;
    if constexpr (sizeof(D) > sizeof(S) && D(0.5f) != D(0)) used = RoundMode::CAST_NONE;  // exact
    if constexpr (sizeof(D) < sizeof(S) || D(0.5f) == D(0)) {
      if (mode == RoundMode::CAST_NONE) used = RoundMode::CAST_RINT;
    }
    ForRuns(
        [&](int32_t n, int32_t d, int32_t x) {
          AscendC::Cast(dst.Run(d), src.Run(x), used, static_cast<uint32_t>(n));
        },
        scalar, dst, src);
  } else {
    const int32_t count = CommonCount(dst, src);
    for (int32_t k = 0; k < count; ++k) scalar(k);
  }
}

template <typename T>
__aicore__ HOSTNPU_SHARED void TileRound(const Tile<T>& dst, const Tile<T>& src) {
  ByElement([](T p) { return T(RoundOf(static_cast<float>(p))); }, dst, src);
}

__aicore__ inline int32_t RoundUp(int32_t value, int32_t step) {
  return (value + step - 1) / step * step;
}
__aicore__ inline int32_t CeilDiv(int32_t value, int32_t step) { return (value + step - 1) / step; }

}  // namespace tl

#include "tile_copy.h"
#include "tile_matrix.h"
#include "tile_rearrange.h"
#include "tile_reduce.h"

#endif  // HOSTNPU_TILELANG_TILE_H_

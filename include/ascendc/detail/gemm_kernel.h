// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The matrix micro-kernel: C[m][n] = init + sum over k of A[m][k] * B[k][n] on cube layouts.
//
// The cube reads A as rows of k (zZ fractals), B as columns of k (nZ fractals) and keeps C as
// columns of 16 (NZ fractals of 16 x 16). A CPU wants to hold a piece of C in registers and to
// stream B past it, so B is transposed and widened once per Mmad into panels of 16 columns, A is
// widened in place of its rows, and C needs nothing: a 16-column group of C is one contiguous
// [m][16] matrix. The work arrays belong to the thread; no core parks inside an Mmad.
//
//        A: [m][k_padded] float       B: [n/16][k][16] float       C: [n/16][m_padded][16] float
//
// All vectors are clang extended vectors of 64 bytes: one register with AVX-512, two with AVX2,
// four with NEON.
#ifndef HOSTNPU_ASCENDC_DETAIL_GEMM_KERNEL_H_
#define HOSTNPU_ASCENDC_DETAIL_GEMM_KERNEL_H_

#include "core.h"

// Every function that takes or returns a vector is inlined, so its calling convention is nobody's.
#pragma clang diagnostic ignored "-Wpsabi"

namespace AscendC {
namespace internal {
namespace gemm {

typedef float F16 __attribute__((ext_vector_type(16)));
typedef float F8 __attribute__((ext_vector_type(8)));
typedef half H16 __attribute__((ext_vector_type(16)));
typedef half H8 __attribute__((ext_vector_type(8)));
typedef int32_t I16 __attribute__((ext_vector_type(16)));
typedef uint32_t U16 __attribute__((ext_vector_type(16)));
typedef uint32_t U8 __attribute__((ext_vector_type(8)));
typedef uint16_t S16 __attribute__((ext_vector_type(16)));
typedef uint16_t S8 __attribute__((ext_vector_type(8)));
typedef int16_t W32 __attribute__((ext_vector_type(32)));
typedef int8_t B32 __attribute__((ext_vector_type(32)));

#if defined(__AVX512F__)
#define HOSTNPU_GEMM_FUNCTION __attribute__((noinline, min_vector_width(512))) inline
#else
#define HOSTNPU_GEMM_FUNCTION __attribute__((noinline)) inline
#endif

template <typename V>
HOSTNPU_INLINE V Load(const void* from) {
  V value;
  __builtin_memcpy(&value, from, sizeof(V));
  return value;
}
template <typename V>
HOSTNPU_INLINE void Store(void* to, V value) {
  __builtin_memcpy(to, &value, sizeof(V));
}

HOSTNPU_INLINE F16 MulAdd(F16 a, F16 b, F16 c) {
#if defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__)
  return __builtin_elementwise_fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// b holds pairs (k, k + 1) of 16 columns, a the same pair of one row, all of 16 bits.
HOSTNPU_INLINE I16 MulAddPairs(W32 a, W32 b, I16 c) {
#if defined(__AVX512BW__)
  return c + __builtin_bit_cast(I16, __builtin_ia32_pmaddwd512(a, b));
#elif defined(__AVX2__)
  typedef int32_t I8 __attribute__((ext_vector_type(8)));
  const I8 low = __builtin_bit_cast(I8, __builtin_ia32_pmaddwd256(a.lo, b.lo));
  const I8 high = __builtin_bit_cast(I8, __builtin_ia32_pmaddwd256(a.hi, b.hi));
  return c +
         __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#else
  const I16 left = __builtin_bit_cast(I16, a);
  const I16 right = __builtin_bit_cast(I16, b);
  return c + (left >> 16) * (right >> 16) + ((left << 16) >> 16) * ((right << 16) >> 16);
#endif
}

// ---------------------------------------------------------------- transposition

HOSTNPU_INLINE S16 UnpackLow16(S16 a, S16 b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27);
}
HOSTNPU_INLINE S16 UnpackHigh16(S16 a, S16 b) {
  return __builtin_shufflevector(a, b, 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31);
}
HOSTNPU_INLINE S16 UnpackLow32(S16 a, S16 b) {
  return __builtin_shufflevector(a, b, 0, 1, 16, 17, 2, 3, 18, 19, 8, 9, 24, 25, 10, 11, 26, 27);
}
HOSTNPU_INLINE S16 UnpackHigh32(S16 a, S16 b) {
  return __builtin_shufflevector(a, b, 4, 5, 20, 21, 6, 7, 22, 23, 12, 13, 28, 29, 14, 15, 30, 31);
}
HOSTNPU_INLINE S16 UnpackLow64(S16 a, S16 b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27);
}
HOSTNPU_INLINE S16 UnpackHigh64(S16 a, S16 b) {
  return __builtin_shufflevector(a, b, 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31);
}

/// Eight rows of 16 sixteen-bit units: column j of the left half goes to to[j].lo, of the right
/// half to to[j].hi. Never crosses the middle of a register, which AVX2 is slow at.
HOSTNPU_INLINE void TransposeEightRows(const S16 (&row)[8], S16 (&to)[8]) {
  const S16 a0 = UnpackLow16(row[0], row[1]), a1 = UnpackHigh16(row[0], row[1]);
  const S16 a2 = UnpackLow16(row[2], row[3]), a3 = UnpackHigh16(row[2], row[3]);
  const S16 a4 = UnpackLow16(row[4], row[5]), a5 = UnpackHigh16(row[4], row[5]);
  const S16 a6 = UnpackLow16(row[6], row[7]), a7 = UnpackHigh16(row[6], row[7]);
  const S16 b0 = UnpackLow32(a0, a2), b1 = UnpackHigh32(a0, a2);
  const S16 b2 = UnpackLow32(a1, a3), b3 = UnpackHigh32(a1, a3);
  const S16 b4 = UnpackLow32(a4, a6), b5 = UnpackHigh32(a4, a6);
  const S16 b6 = UnpackLow32(a5, a7), b7 = UnpackHigh32(a5, a7);
  to[0] = UnpackLow64(b0, b4);
  to[1] = UnpackHigh64(b0, b4);
  to[2] = UnpackLow64(b1, b5);
  to[3] = UnpackHigh64(b1, b5);
  to[4] = UnpackLow64(b2, b6);
  to[5] = UnpackHigh64(b2, b6);
  to[6] = UnpackLow64(b3, b7);
  to[7] = UnpackHigh64(b3, b7);
}

/// A 16 x 16 block of sixteen-bit units; rows of `from` are `from_stride` bytes apart.
HOSTNPU_INLINE void Transpose16x16(const uint8_t* from, uint64_t from_stride, uint8_t* to,
                                   uint64_t to_stride) {
  S16 upper[8], lower[8], row[8];
  for (int i = 0; i < 8; ++i) row[i] = Load<S16>(from + i * from_stride);
  TransposeEightRows(row, upper);
  for (int i = 0; i < 8; ++i) row[i] = Load<S16>(from + (8 + i) * from_stride);
  TransposeEightRows(row, lower);
  for (int i = 0; i < 8; ++i) {
    Store(to + i * to_stride, __builtin_shufflevector(upper[i], lower[i], 0, 1, 2, 3, 4, 5, 6, 7,
                                                      16, 17, 18, 19, 20, 21, 22, 23));
    Store(to + (8 + i) * to_stride,
          __builtin_shufflevector(upper[i], lower[i], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27,
                                  28, 29, 30, 31));
  }
}

// ---------------------------------------------------------------- widening

/// Rounds to HF32: 11 significant bits, ties to even or toward zero.
HOSTNPU_INLINE float RoundToHf32(float value, bool ties_to_even) {
  const uint32_t raw = __builtin_bit_cast(uint32_t, value);
  if ((raw & 0x7F800000u) == 0x7F800000u) return value;
  const uint32_t half_way = 0x7FFu + (ties_to_even ? (raw >> 12) & 1u : 0u);
  return __builtin_bit_cast(float, (raw + half_way) & 0xFFFFF000u);
}

HOSTNPU_INLINE F8 Widen(S8 bits, half) {
  return __builtin_convertvector(__builtin_bit_cast(H8, bits), F8);
}
HOSTNPU_INLINE F8 Widen(S8 bits, bfloat16_t) {
  return __builtin_bit_cast(F8, __builtin_convertvector(bits, U8) << 16);
}

/// One fractal of B: 16 columns of 16 k (b16) become 16 rows of 16 columns, k by k.
/// Rows of `block` are `stride` bytes apart: 32 in a fractal.
template <typename T>
HOSTNPU_INLINE void WidenColumns16(const uint8_t* block, uint64_t stride, float* to) {
  for (int side = 0; side < 2; ++side) {
    S16 row[8], column[8];
    for (int i = 0; i < 8; ++i) row[i] = Load<S16>(block + (side * 8 + i) * stride);
    TransposeEightRows(row, column);
    for (int i = 0; i < 8; ++i) {
      Store(to + i * 16 + side * 8, Widen(column[i].lo, T()));
      Store(to + (8 + i) * 16 + side * 8, Widen(column[i].hi, T()));
    }
  }
}

/// The same for float: 16 columns of 8 k become 8 rows of 16.
HOSTNPU_INLINE void TransposeColumns32(const uint8_t* block, uint64_t stride, float* to,
                                       uint64_t to_stride = 16) {
  for (int side = 0; side < 16; side += 8) {
    F8 r[8], a[8], b[8];
    for (int i = 0; i < 8; ++i) r[i] = Load<F8>(block + (side + i) * stride);
    for (int i = 0; i < 8; i += 2) {
      a[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
      a[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4) {
      b[i] = __builtin_shufflevector(a[i], a[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      b[i + 1] = __builtin_shufflevector(a[i], a[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
      b[i + 2] = __builtin_shufflevector(a[i + 1], a[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
      b[i + 3] = __builtin_shufflevector(a[i + 1], a[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int i = 0; i < 4; ++i) {
      Store(to + i * 16 + side, __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11));
      Store(to + (4 + i) * to_stride + side,
            __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15));
    }
  }
}

/// 32 bytes of packed 4-bit integers become 64 of 8 bits, low nibble first.
HOSTNPU_INLINE void WidenNibbles(const uint8_t* from, int8_t* to) {
  for (int i = 0; i < 32; ++i) {
    to[2 * i] = static_cast<int8_t>(static_cast<int8_t>(from[i] << 4) >> 4);
    to[2 * i + 1] = static_cast<int8_t>(static_cast<int8_t>(from[i]) >> 4);
  }
}

// ---------------------------------------------------------------- tiles

/// rows x 16 of C. `init` rows are `init_stride` floats apart: C itself, or one row for all (0).
template <int rows>
HOSTNPU_INLINE void FloatTile(const float* a, uint64_t a_stride, const float* b, const float* init,
                              uint64_t init_stride, float* c, uint32_t k) {
  F16 sum[rows];
#pragma unroll
  for (int r = 0; r < rows; ++r) sum[r] = Load<F16>(init + r * init_stride);
#pragma unroll 4
  for (uint32_t p = 0; p < k; ++p) {
    const F16 column = Load<F16>(b + 16 * p);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      sum[r] = MulAdd(static_cast<F16>(a[r * a_stride + p]), column, sum[r]);
    }
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) Store(c + r * 16, sum[r]);
}

template <int rows>
HOSTNPU_INLINE void IntTile(const int16_t* a, uint64_t a_stride, const int16_t* b,
                            const int32_t* init, uint64_t init_stride, int32_t* c, uint32_t pairs) {
  I16 sum[rows];
#pragma unroll
  for (int r = 0; r < rows; ++r) sum[r] = Load<I16>(init + r * init_stride);
#pragma unroll 2
  for (uint32_t p = 0; p < pairs; ++p) {
    const W32 column = Load<W32>(b + 32 * p);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const I16 pair = static_cast<I16>(Load<int32_t>(a + r * a_stride + 2 * p));
      sum[r] = MulAddPairs(__builtin_bit_cast(W32, pair), column, sum[r]);
    }
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) Store(c + r * 16, sum[r]);
}

#if defined(__AVX512F__)
constexpr uint32_t kTileRows = 16;  // 16 accumulators hide the latency of two FMA pipes
#else
constexpr uint32_t kTileRows = 6;
#endif

template <typename Element, typename Sum, int rows>
HOSTNPU_INLINE void Tile(const Element* a, uint64_t a_stride, const Element* b, const Sum* init,
                         uint64_t init_stride, Sum* c, uint32_t depth) {
  if constexpr (IsSameType<Sum, float>::value) {
    FloatTile<rows>(a, a_stride, b, init, init_stride, c, depth);
  } else {
    IntTile<rows>(a, a_stride, b, init, init_stride, c, depth);
  }
}

/// `rows` rows of one 16-column group. Sixes, and fours at the end: eight accumulators are the
/// fewest that keep two FMA pipes busy.
template <typename Element, typename Sum>
HOSTNPU_GEMM_FUNCTION void Strip(const Element* a, uint64_t a_stride, const Element* b,
                                 const Sum* init, uint64_t init_stride, Sum* c, uint32_t rows,
                                 uint32_t depth) {
  uint32_t r = 0;
  const auto next = [&](uint32_t count) { r += count; };
  while (rows - r >= kTileRows) {
    if (kTileRows == 6 && (rows - r == 8 || rows - r == 7)) break;
    Tile<Element, Sum, kTileRows>(a + r * a_stride, a_stride, b, init + r * init_stride,
                                  init_stride, c + r * 16, depth);
    next(kTileRows);
  }
  while (rows - r >= 4) {
    Tile<Element, Sum, 4>(a + r * a_stride, a_stride, b, init + r * init_stride, init_stride,
                          c + r * 16, depth);
    next(4);
  }
  while (r < rows) {
    Tile<Element, Sum, 1>(a + r * a_stride, a_stride, b, init + r * init_stride, init_stride,
                          c + r * 16, depth);
    next(1);
  }
}

/// What one Mmad computes, in elements. `m1`, `n1`: fractals in the layouts of C and B.
template <typename Sum>
struct Problem {
  uint32_t m;
  uint32_t n;
  uint32_t depth;        // k, or pairs of k
  uint64_t a_stride;     // elements between rows of A
  uint64_t b_panel;      // elements between 16-column panels of B
  Sum* c;                // NZ
  uint32_t c_rows;       // rows of C in the layout, a multiple of 16
  const Sum* init;       // the row that starts each 16-column group, or C itself
  uint64_t init_stride;  // 16: one per row; 0: one for all
  uint64_t init_panel;   // elements between the inits of 16-column groups
};

template <typename Element, typename Sum>
HOSTNPU_INLINE void Multiply(const Element* a, const Element* b, const Problem<Sum>& p) {
  // A block of A that stays in the first-level cache while all of B passes.
  uint32_t block = static_cast<uint32_t>(16384 / (p.a_stride * sizeof(Element)));
  block = block < 48 ? 48 : block / 48 * 48;
  for (uint32_t m = 0; m < p.m; m += block) {
    const uint32_t rows = p.m - m < block ? p.m - m : block;
    for (uint32_t panel = 0; panel * 16 < p.n; ++panel) {
      const Sum* init = p.init + panel * p.init_panel + m * p.init_stride;
      Strip(a + m * p.a_stride, p.a_stride, b + panel * p.b_panel, init, p.init_stride,
            p.c + (static_cast<uint64_t>(panel) * p.c_rows + m) * 16, rows, p.depth);
    }
  }
}

}  // namespace gemm
}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_DETAIL_GEMM_KERNEL_H_

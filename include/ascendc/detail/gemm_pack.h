// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// From the fractals of L0A and L0B to the operands of the micro-kernel: rows of A and 16-column
// panels of B, widened to float or to pairs of 16-bit integers.
#ifndef HOSTNPU_ASCENDC_DETAIL_GEMM_PACK_H_
#define HOSTNPU_ASCENDC_DETAIL_GEMM_PACK_H_

#include "../basic/cube_layout.h"
#include "gemm_kernel.h"

namespace AscendC {
namespace internal {
namespace gemm {

/// Work arrays of a thread. The sizes are the most that 64 KB of L0A or L0B widen to (4-bit to 16),
/// with a pad per row of A.
struct WorkArrays {
  alignas(64) uint8_t a[393216];
  alignas(64) uint8_t b[262144];
  alignas(64) uint8_t c[131072];  // of the Matmul object, which has no L0C where it runs
};

/// On the heap, made at first use: in a program's own thread-local memory every thread of it would
/// carry them, kernels or not.
struct WorkBlock {
  void* block = __builtin_calloc(1, sizeof(WorkArrays) + alignof(WorkArrays));
  ~WorkBlock() { __builtin_free(block); }
  WorkArrays& Arrays() const {
    const auto address = reinterpret_cast<uintptr_t>(block) + alignof(WorkArrays) - 1;
    return *reinterpret_cast<WorkArrays*>(address / alignof(WorkArrays) * alignof(WorkArrays));
  }
};
inline WorkArrays& ThreadWorkArrays() {
  static thread_local WorkBlock block;
  return block.Arrays();
}

/// How T is multiplied: the type it is widened to, the accumulator, k per fractal, k per step.
template <typename T>
struct Traits {
  using Element = float;
  using Sum = float;
  static constexpr uint32_t kPerFractal = C0Of<T>();
  static constexpr uint32_t kPerStep = 1;
};
struct IntTraits {
  using Element = int16_t;
  using Sum = int32_t;
  static constexpr uint32_t kPerStep = 2;
};
template <>
struct Traits<int8_t> : IntTraits {
  static constexpr uint32_t kPerFractal = 32;
};
template <>
struct Traits<int4b_t> : IntTraits {
  static constexpr uint32_t kPerFractal = 64;
};

/// 32 bytes of a row of A, widened.
HOSTNPU_INLINE void WidenRow(const uint8_t* from, float* to, half) {
  Store(to, __builtin_convertvector(Load<H16>(from), F16));
}
HOSTNPU_INLINE void WidenRow(const uint8_t* from, float* to, bfloat16_t) {
  Store(to, __builtin_bit_cast(F16, __builtin_convertvector(Load<S16>(from), U16) << 16));
}
HOSTNPU_INLINE void WidenRow(const uint8_t* from, float* to, float) { Store(to, Load<F8>(from)); }
HOSTNPU_INLINE void WidenRow(const uint8_t* from, int16_t* to, int8_t) {
  Store(to, __builtin_convertvector(Load<B32>(from), W32));
}
HOSTNPU_INLINE void WidenRow(const uint8_t* from, int16_t* to, int4b_t) {
  int8_t bytes[64];
  WidenNibbles(from, bytes);
  Store(to, __builtin_convertvector(Load<B32>(bytes), W32));
  Store(to + 32, __builtin_convertvector(Load<B32>(bytes + 32), W32));
}

/// One fractal of B, 16 columns of kPerFractal k, to [k][16] floats or [k / 2][16][2] integers.
/// Columns are `stride` bytes apart: 32 in a fractal.
HOSTNPU_INLINE void WidenFractal(const uint8_t* from, uint64_t stride, float* to, half) {
  WidenColumns16<half>(from, stride, to);
}
HOSTNPU_INLINE void WidenFractal(const uint8_t* from, uint64_t stride, float* to, bfloat16_t) {
  WidenColumns16<bfloat16_t>(from, stride, to);
}
HOSTNPU_INLINE void WidenFractal(const uint8_t* from, uint64_t stride, float* to, float) {
  TransposeColumns32(from, stride, to);
}
HOSTNPU_INLINE void WidenFractal(const uint8_t* from, uint64_t stride, int16_t* to, int8_t) {
  alignas(64) uint8_t pairs[kFractalBytes];
  Transpose16x16(from, stride, pairs, 32);  // a unit of 16 bits is a pair of k
  for (int i = 0; i < 16; ++i)
    Store(to + i * 32, __builtin_convertvector(Load<B32>(pairs + i * 32), W32));
}
HOSTNPU_INLINE void WidenFractal(const uint8_t* from, uint64_t stride, int16_t* to, int4b_t) {
  alignas(64) int8_t bytes[16][64];
  alignas(64) uint8_t pairs[kFractalBytes];
  for (int i = 0; i < 16; ++i) WidenNibbles(from + i * stride, bytes[i]);
  for (int side = 0; side < 2; ++side) {
    Transpose16x16(reinterpret_cast<const uint8_t*>(bytes) + side * 32, 64, pairs, 32);
    for (int i = 0; i < 16; ++i)
      Store(to + (side * 16 + i) * 32, __builtin_convertvector(Load<B32>(pairs + i * 32), W32));
  }
}

/// A from zZ fractals: row r of A starts at to + r * stride. `k1`: fractals a row of fractals has.
template <typename T>
HOSTNPU_GEMM_FUNCTION void PackA(const uint8_t* l0a, typename Traits<T>::Element* to,
                                 uint64_t stride, uint32_t m, uint32_t used_k1, uint32_t k1) {
  constexpr uint32_t kWide = Traits<T>::kPerFractal;
  for (uint32_t row = 0; row < m; ++row) {
    const uint8_t* from = l0a + (static_cast<uint64_t>(row / 16) * k1 * 16 + row % 16) * 32;
    auto* out = to + row * stride;
    for (uint32_t k = 0; k < used_k1; ++k) WidenRow(from + k * kFractalBytes, out + k * kWide, T());
  }
}
/// The one row of A of the vector mode: k contiguous elements.
template <typename T>
HOSTNPU_GEMM_FUNCTION void PackVector(const uint8_t* l0a, typename Traits<T>::Element* to,
                                      uint32_t k1) {
  for (uint32_t k = 0; k < k1; ++k) WidenRow(l0a + k * 32, to + k * Traits<T>::kPerFractal, T());
}
/// B from nZ fractals: panel j of 16 columns starts at to + j * panel.
template <typename T>
HOSTNPU_GEMM_FUNCTION void PackB(const uint8_t* l0b, typename Traits<T>::Element* to,
                                 uint64_t panel, uint32_t n1, uint32_t used_k1) {
  for (uint32_t n = 0; n < n1; ++n) {
    auto* out = to + n * panel;
    for (uint32_t k = 0; k < used_k1; ++k) {
      WidenFractal(l0b + (static_cast<uint64_t>(k) * n1 + n) * kFractalBytes, 32,
                   out + k * Traits<T>::kPerFractal * 16, T());
    }
  }
}

/// Rounds every float of an operand to HF32.
HOSTNPU_SHARED void RoundOperand(float* data, uint64_t count, bool ties_to_even) {
  for (uint64_t i = 0; i < count; ++i) data[i] = RoundToHf32(data[i], ties_to_even);
}

}  // namespace gemm
}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_DETAIL_GEMM_PACK_H_

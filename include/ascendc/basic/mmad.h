// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Mmad: C (L0C, NZ of 16 x 16) = init + A (L0A, zZ) * B (L0B, nZ), accumulated in float or int32.
#ifndef HOSTNPU_ASCENDC_BASIC_MMAD_H_
#define HOSTNPU_ASCENDC_BASIC_MMAD_H_

#include "../detail/cube_registers.h"
#include "../detail/gemm_pack.h"
#include "cube_params.h"
#include "load_data.h"

namespace AscendC {

enum class HF32Mode { ENABLE, DISABLE };
enum class HF32TransMode { NEAREST_ZERO, NEAREST_EVEN };

namespace internal {

/// The operands of one Mmad, as bytes.
struct MmadOperands {
  uint8_t* c;
  const uint8_t* a;
  const uint8_t* b;
  const uint8_t* bias;  // one row in the bias table; null: none
  bool accumulate;
};

HOSTNPU_INLINE void CheckExtents(const char* api, const MmadParams& p) {
  CheckField(api, "m", p.m, 4095);
  CheckField(api, "n", p.n, 4095);
  CheckField(api, "k", p.k, 4095);
  CheckField(api, "unitFlag", p.unitFlag, 3);
  if (HOSTNPU_UNLIKELY(p.unitFlag == 1)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "has unitFlag = 1; it is 0, 2 or 3");
  }
}

HOSTNPU_FAULT_FUNCTION inline void NotLoadedFault(const char* api, const char* operand,
                                                  const uint8_t* address, HostnpuMemoryKind kind,
                                                  uint64_t loaded, uint64_t fractals,
                                                  const MmadParams& p) {
  const long long offset = address - ThisCore().memory[kind].base;
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                "has m = %u, n = %u, k = %u and so reads %llu fractals of its %s, from %s byte "
                "%lld on; the kernel has loaded %llu of them there",
                p.m, p.n, p.k, (unsigned long long)fractals, operand, MemoryName(kind), offset,
                (unsigned long long)loaded);
}
/// `rows` x `columns` fractals, the rows `row_step` fractals apart, have all been loaded. An m, n
/// or k that is larger than what was loaded is found here.
inline void CheckLoaded(const char* api, const char* operand, HostnpuMemoryKind kind,
                        const uint8_t* address, uint64_t rows, uint64_t columns, uint64_t row_step,
                        const MmadParams& p) {
  if (row_step == columns) {
    columns *= rows;
    rows = 1;
  }
  for (uint64_t row = 0; row < rows; ++row) {
    const uint64_t loaded = LoadedFractals(kind, address + row * row_step * kFractalBytes, columns);
    if (HOSTNPU_UNLIKELY(loaded != columns)) {
      NotLoadedFault(api, operand, address, kind, row * columns + loaded, rows * columns, p);
    }
  }
}

/// In saturation mode (CTRL[48] = 0) infinities become the largest float and NaN 0.
HOSTNPU_SHARED void SaturateSums(float* c, uint64_t rows, uint64_t padded_rows, uint64_t groups) {
  for (uint64_t g = 0; g < groups; ++g) {
    float* column = c + g * padded_rows * 16;
    for (uint64_t i = 0; i < rows * 16; ++i) {
      const float x = column[i];
      const float limited = x > 3.40282347e38f    ? 3.40282347e38f
                            : x < -3.40282347e38f ? -3.40282347e38f
                                                  : x;
      column[i] = x != x ? 0.0f : limited;
    }
  }
}

/// C += A * B over operands that are checked. k1_stride: fractals of k in the layout of A.
template <typename T>
inline void MultiplyPacked(const MmadOperands& o, uint32_t m, uint32_t n, uint32_t k,
                           const typename gemm::Traits<T>::Element* a, uint64_t a_stride,
                           const typename gemm::Traits<T>::Element* b, uint64_t b_panel) {
  using Sum = typename gemm::Traits<T>::Sum;
  alignas(64) static constexpr Sum kZeros[16] = {};
  gemm::Problem<Sum> problem;
  problem.m = m;
  problem.n = n;
  problem.depth = static_cast<uint32_t>(CeilDiv(k, gemm::Traits<T>::kPerStep));
  problem.a_stride = a_stride;
  problem.b_panel = b_panel;
  problem.c = reinterpret_cast<Sum*>(o.c);
  problem.c_rows = static_cast<uint32_t>(RoundUp(m, 16));
  if (o.bias != nullptr) {
    problem.init = reinterpret_cast<const Sum*>(o.bias);
    problem.init_stride = 0;
    problem.init_panel = 16;
  } else if (o.accumulate) {
    problem.init = problem.c;
    problem.init_stride = 16;
    problem.init_panel = problem.c_rows * 16ull;
  } else {
    problem.init = kZeros;
    problem.init_stride = 0;
    problem.init_panel = 0;
  }
  gemm::Multiply(a, b, problem);
  if constexpr (IsSameType<Sum, float>::value) {
    if (HOSTNPU_UNLIKELY((Regs().control >> 48 & 1) == 0))
      SaturateSums(problem.c, m, problem.c_rows, CeilDiv(n, 16));
  }
}

template <typename T>
inline void MultiplyFractals(const char* api, const MmadOperands& o, const MmadParams& p) {
  using Traits = gemm::Traits<T>;
  constexpr uint32_t kWide = Traits::kPerFractal;
  const uint32_t m1 = static_cast<uint32_t>(CeilDiv(p.m, 16));
  const uint32_t n1 = static_cast<uint32_t>(CeilDiv(p.n, 16));
  const uint32_t used_k1 = static_cast<uint32_t>(CeilDiv(p.k, kWide));
  const uint32_t k1 = kWide == 8 && p.kDirectionAlign ? (used_k1 + 1) / 2 * 2 : used_k1;
  const bool is_vector = p.m == 1;
  const uint64_t a_bytes = is_vector
                               ? CeilDiv(p.k, kWide) * 32
                               : (static_cast<uint64_t>(m1 - 1) * k1 + used_k1) * kFractalBytes;
  CheckOperand(api, "fm", HOSTNPU_MEMORY_L0A, o.a, a_bytes, kFractalBytes);
  CheckOperand(api, "filter", HOSTNPU_MEMORY_L0B, o.b,
               static_cast<uint64_t>(used_k1) * n1 * kFractalBytes, kFractalBytes);
  CheckOperand(api, "dst", HOSTNPU_MEMORY_L0C, o.c, static_cast<uint64_t>(m1) * n1 * 1024, 1024);
  const uint64_t vector_fractals = CeilDiv(a_bytes, kFractalBytes);
  CheckLoaded(api, "fm", HOSTNPU_MEMORY_L0A, o.a, is_vector ? 1 : m1,
              is_vector ? vector_fractals : used_k1, is_vector ? vector_fractals : k1, p);
  CheckLoaded(api, "filter", HOSTNPU_MEMORY_L0B, o.b, 1, used_k1 * n1, used_k1 * n1, p);
  if (o.bias != nullptr)
    CheckOperand(api, "bias", HOSTNPU_MEMORY_BT, o.bias, static_cast<uint64_t>(p.n) * 4, 64);
  gemm::WorkArrays& work = gemm::ThreadWorkArrays();
  using Element = typename Traits::Element;
  auto* a = reinterpret_cast<Element*>(work.a);
  auto* b = reinterpret_cast<Element*>(work.b);
  // The pad keeps rows that are a power of two long out of the same cache set.
  const uint64_t a_stride = static_cast<uint64_t>(used_k1) * kWide + 64 / sizeof(Element);
  const uint64_t b_panel = static_cast<uint64_t>(used_k1) * kWide * 16;
  if (is_vector) {
    gemm::PackVector<T>(o.a, a, used_k1);
  } else {
    gemm::PackA<T>(o.a, a, a_stride, p.m, used_k1, k1);
  }
  gemm::PackB<T>(o.b, b, b_panel, n1, used_k1);
  if constexpr (IsSameType<T, float>::value) {
    if (CubeRegs().hf32) {
      const bool even = !CubeRegs().hf32_ties_to_zero;
      gemm::RoundOperand(a, p.m * a_stride, even);
      gemm::RoundOperand(b, n1 * b_panel, even);
    }
  }
  if constexpr (Traits::kPerStep == 2) {
    // An odd k shares its last pair with a value that must not count.
    if (p.k % 2 != 0)
      for (uint32_t row = 0; row < p.m; ++row) a[row * a_stride + p.k] = 0;
  }
  MultiplyPacked<T>(o, p.m, p.n, p.k, a, a_stride, b, b_panel);
}

template <typename T, typename U, typename S>
constexpr bool IsMmadCombination() {
  return IsSameType<U, S>::value &&
         ((IsSameType<T, float>::value &&
           (IsSameType<U, half>::value || IsSameType<U, bfloat16_t>::value ||
            IsSameType<U, float>::value)) ||
          (IsSameType<T, int32_t>::value &&
           (IsSameType<U, int8_t>::value || IsSameType<U, int4b_t>::value)));
}

template <typename T, typename U, typename S>
HOSTNPU_INLINE void StartMmad(const char* api, const LocalTensor<T>& dst, const LocalTensor<U>& fm,
                              const LocalTensor<S>& filter, const MmadParams& p) {
  CheckPosition(api, "dst", dst, HOSTNPU_MEMORY_L0C);
  CheckPosition(api, "fm", fm, HOSTNPU_MEMORY_L0A);
  CheckPosition(api, "filter", filter, HOSTNPU_MEMORY_L0B);
  CheckExtents(api, p);
  if (IsSameType<PrimT<U>, int4b_t>::value && p.k % 2 != 0) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "has k = %u with int4b_t, which wants an even k",
                  p.k);
  }
}

/// A, the two of four values an index names, times dense B. One column of B at a time: each has its
/// own choice of A.
HOSTNPU_SHARED void MultiplySparse(const MmadOperands& o, const MmadParams& p) {
  constexpr const char* kApi = "MmadWithSparse";
  const uint32_t m1 = static_cast<uint32_t>(CeilDiv(p.m, 16));
  const uint32_t n1 = static_cast<uint32_t>(CeilDiv(p.n, 16));
  const uint32_t k1 = static_cast<uint32_t>(CeilDiv(p.k, 32));
  const uint32_t dense_k1 = static_cast<uint32_t>(CeilDiv(p.k, 64));
  CheckOperand(kApi, "fm", HOSTNPU_MEMORY_L0A, o.a, static_cast<uint64_t>(m1) * k1 * kFractalBytes,
               kFractalBytes);
  CheckOperand(kApi, "filter", HOSTNPU_MEMORY_L0B, o.b,
               static_cast<uint64_t>(dense_k1) * n1 * kFractalBytes, kFractalBytes);
  CheckOperand(kApi, "dst", HOSTNPU_MEMORY_L0C, o.c, static_cast<uint64_t>(m1) * n1 * 1024, 1024);
  CheckLoaded(kApi, "fm", HOSTNPU_MEMORY_L0A, o.a, m1, k1, k1, p);
  CheckLoaded(kApi, "filter", HOSTNPU_MEMORY_L0B, o.b, 1, dense_k1 * n1, dense_k1 * n1, p);
  const uint8_t* index = SparseIndexOf(o.b);
  auto* c = reinterpret_cast<int32_t*>(o.c);
  const auto* bias = reinterpret_cast<const int32_t*>(o.bias);
  const uint32_t groups = p.k / 4;
  for (uint32_t n = 0; n < p.n; ++n) {
    for (uint32_t m = 0; m < p.m; ++m) {
      int32_t& out = c[NzIndex(m, n, m1 * 16ull, 16)];
      int32_t sum = bias != nullptr ? bias[n] : o.accumulate ? out : 0;
      const uint8_t* row = o.a + (static_cast<uint64_t>(m / 16) * k1 * 16 + m % 16) * 32;
      for (uint32_t g = 0; g < groups; ++g) {
        const uint32_t dense = g * 2;  // position in the dense column
        const uint64_t at = ZnIndex(dense, n, n1 * 16ull, 32);
        const uint32_t two = index[at / 4] >> (at % 4 * 2) & 15;
        const uint32_t first = g * 4 + (two & 3), second = g * 4 + (two >> 2) + 1;
        const auto a_at = [row](uint32_t k) {
          return static_cast<int32_t>(static_cast<int8_t>(row[k / 32 * kFractalBytes + k % 32]));
        };
        sum += a_at(first) * static_cast<int8_t>(o.b[at]);
        if (second < g * 4 + 4) sum += a_at(second) * static_cast<int8_t>(o.b[at + 1]);
      }
      out = sum;
    }
  }
}

}  // namespace internal

/// C = A * B + init. init is 0, C itself, or the bias table, as cmatrixInitVal and cmatrixSource
/// say. m, n or k 0 does nothing; nor does a vector core. With m = 1, A is k contiguous elements.
template <typename T, typename U, typename S>
inline void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter,
                 const MmadParams& params) {
  static_assert(internal::IsMmadCombination<PrimT<T>, PrimT<U>, PrimT<S>>(),
                "Mmad multiplies half, bfloat16_t or float into float, int8_t or int4b_t into "
                "int32_t");
  if (!internal::OnCubeCore()) return;
  internal::StartMmad("Mmad", dst, fm, filter, params);
  if (params.m == 0 || params.n == 0 || params.k == 0) return;
  const bool from_zero = params.cmatrixInitVal && !params.isBias;
  const bool from_bias = !from_zero && params.cmatrixSource;
  internal::MultiplyFractals<PrimT<U>>(
      "Mmad",
      {dst.address_.absAddr, fm.address_.absAddr, filter.address_.absAddr,
       from_bias ? internal::ThisCore().memory[HOSTNPU_MEMORY_BT].base : nullptr,
       !from_zero && !from_bias},
      params);
}

/// C = A * B + bias: one row in the bias table (C2), or C itself where bias lies in L0C.
template <typename T, typename U, typename S, typename V>
inline void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter,
                 const LocalTensor<V>& bias, const MmadParams& params) {
  static_assert(internal::IsMmadCombination<PrimT<T>, PrimT<U>, PrimT<S>>(),
                "Mmad multiplies half, bfloat16_t or float into float, int8_t or int4b_t into "
                "int32_t");
  static_assert(IsSameType<PrimT<T>, PrimT<V>>::value, "the bias of Mmad has the type of dst");
  if (!internal::OnCubeCore()) return;
  internal::StartMmad("Mmad", dst, fm, filter, params);
  const bool in_table = bias.Memory() == HOSTNPU_MEMORY_BT;
  if (!in_table && bias.Memory() != HOSTNPU_MEMORY_L0C) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "Mmad",
                  "has its bias in %s (TPosition %d); it must be in BT (C2) or L0C (CO1)",
                  internal::MemoryName(bias.Memory()), (int)bias.GetPosition());
  }
  if (params.m == 0 || params.n == 0 || params.k == 0) return;
  internal::MultiplyFractals<PrimT<U>>(
      "Mmad",
      {dst.address_.absAddr, fm.address_.absAddr, filter.address_.absAddr,
       in_table ? bias.address_.absAddr : nullptr, !in_table},
      params);
}

/// C = A * B with a 4:2 sparse B that LoadDataWithSparse has loaded. k counts the columns of A.
template <typename T = int32_t, typename U = int8_t>
inline void MmadWithSparse(const LocalTensor<T>& dst, const LocalTensor<U>& fm,
                           const LocalTensor<U>& filter, const MmadParams& params) {
  static_assert(IsSameType<PrimT<T>, int32_t>::value && IsSameType<PrimT<U>, int8_t>::value,
                "MmadWithSparse multiplies int8_t into int32_t");
  if (!internal::OnCubeCore()) return;
  internal::StartMmad("MmadWithSparse", dst, fm, filter, params);
  if (params.m == 0 || params.n == 0 || params.k == 0) return;
  const bool from_bias = !params.cmatrixInitVal && params.cmatrixSource;
  internal::MultiplySparse(
      {dst.address_.absAddr, fm.address_.absAddr, filter.address_.absAddr,
       from_bias ? internal::ThisCore().memory[HOSTNPU_MEMORY_BT].base : nullptr,
       !params.cmatrixInitVal && !from_bias},
      params);
}

/// Float Mmads round their inputs to HF32 (1 + 8 + 11 bits) until disabled.
inline void SetHF32Mode(HF32Mode mode) { internal::CubeRegs().hf32 = mode == HF32Mode::ENABLE; }
inline void SetHF32Mode(bool hf32Mode) { internal::CubeRegs().hf32 = hf32Mode; }
/// How a value half way between two HF32 values is rounded.
inline void SetHF32TransMode(HF32TransMode mode) {
  internal::CubeRegs().hf32_ties_to_zero = mode == HF32TransMode::NEAREST_ZERO;
}
/// true: toward zero.
inline void SetHF32TransMode(bool hf32TransMode) {
  internal::CubeRegs().hf32_ties_to_zero = hf32TransMode;
}
/// The order in which the device writes the fractals of C; the result is the same.
inline void SetMMRowMajor() {}
inline void SetMMColumnMajor() {}
inline void SetMMLayoutTransform(bool) {}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_MMAD_H_

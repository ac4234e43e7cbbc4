// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The multiplication behind the Matmul object. It reads A and B where they lie, in whatever format
// and transposition, packs them block by block for the micro-kernel, and leaves a tile of C in NZ,
// which the fixpipe code then converts and writes.
//
// The order of additions of an element of C is that of k, whatever the tiling: the same bits as
// Mmads over the same data give.
#ifndef HOSTNPU_ASCENDC_ADVANCED_MATMUL_ENGINE_H_
#define HOSTNPU_ASCENDC_ADVANCED_MATMUL_ENGINE_H_

#include "../basic/fixpipe.h"
#include "../basic/mmad.h"
#include "matmul_config.h"

namespace AscendC {
namespace internal {

/// A stored matrix: `rows` x `columns` as they lie in memory, before any transposition.
struct StoredMatrix {
  const uint8_t* base = nullptr;
  HostnpuMemoryKind kind = HOSTNPU_MEMORY_GM;
  bool fractal = false;    // NZ
  bool is_scalar = false;  // every element is `base`'s first
  uint64_t rows = 0;
  uint64_t columns = 0;
  uint64_t row_elements = 0;  // ND: from row to row
  uint64_t padded_rows = 0;   // NZ
  uint32_t element_bits = 16;
  const uint8_t* sparse_index = nullptr;  // int8_t rows of which two of four values are stored
  uint64_t index_rows = 0;                // of the index, which is NZ in fractals of 16 x 8 bytes

  uint64_t Bytes(uint64_t elements) const { return elements * element_bits / 8; }

  /// The first byte of each of 16 rows x c0 columns; rows are *stride bytes apart. What lies beyond
  /// the given limits comes as zeros, from `scratch` (512 bytes).
  const uint8_t* Block(uint64_t row, uint64_t column, uint64_t row_limit, uint64_t column_limit,
                       uint8_t* scratch, uint64_t* stride) const {
    const uint64_t c0 = 256 / element_bits;
    const uint64_t have_rows = row_limit - row < 16 ? row_limit - row : 16;
    const uint64_t have_columns = column_limit - column < c0 ? column_limit - column : c0;
    if (HOSTNPU_LIKELY(have_rows == 16 && have_columns == c0 && !is_scalar && !sparse_index)) {
      if (!fractal) {
        *stride = Bytes(row_elements);
        return base + Bytes(row * row_elements + column);
      }
      if (column % c0 == 0) {
        *stride = 32;
        return base + (column / c0 * padded_rows + row) * 32;
      }
    }
    *stride = 32;
    __builtin_memset(scratch, 0, kFractalBytes);
    for (uint64_t r = 0; r < have_rows; ++r) {
      if (sparse_index != nullptr) {
        ExpandRow(row + r, column, have_columns, scratch + r * 32);
      } else {
        CopyRow(row + r, column, have_columns, scratch + r * 32);
      }
    }
    return scratch;
  }

 private:
  void CopyRow(uint64_t row, uint64_t column, uint64_t count, uint8_t* to) const {
    if (is_scalar) {
      for (uint64_t i = 0; i < count; ++i) __builtin_memcpy(to + Bytes(i), base, element_bits / 8);
    } else if (!fractal) {
      __builtin_memcpy(to, base + Bytes(row * row_elements + column),
                       (count * element_bits + 7) / 8);
    } else {
      const uint64_t c0 = 256 / element_bits;
      for (uint64_t i = 0; i < count;) {
        const uint64_t at = column + i;
        const uint64_t run = c0 - at % c0 < count - i ? c0 - at % c0 : count - i;
        __builtin_memcpy(to + Bytes(i), base + (at / c0 * padded_rows + row) * 32 + Bytes(at % c0),
                         (run * element_bits + 7) / 8);
        i += run;
      }
    }
  }
  /// Every four columns are two stored values and four bits: the first value's place, and the
  /// second's less one.
  void ExpandRow(uint64_t row, uint64_t column, uint64_t count, uint8_t* to) const {
    for (uint64_t i = 0; i < count; i += 4) {
      const uint64_t at = column + i, byte = at / 8;
      const uint32_t places =
          sparse_index[(byte / 8 * index_rows + row) * 8 + byte % 8] >> (at / 4 % 2 * 4) & 15;
      const uint32_t first = places & 3, second = (places >> 2) + 1;
      const uint64_t pair =
          fractal ? (at / 64 * padded_rows + row) * 32 + at / 2 % 32 : row * row_elements + at / 2;
      int8_t value[2];
      __builtin_memcpy(value, base + pair, 2);
      if (value[0] != 0) to[i + first] = static_cast<uint8_t>(value[0]);
      if (value[1] == 0) continue;
      // Two values of one place take part both.
      const int sum = value[1] + (second == first ? value[0] : 0);
      if (HOSTNPU_UNLIKELY(second > 3 || sum != static_cast<int8_t>(sum))) {
        HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "Matmul::SetSparseIndex",
                      "has places %u and %u for the values %d and %d of row %llu, columns %llu to "
                      "%llu of B; they must be places of 0 to 3, and two values of one place must "
                      "add up to an int8_t",
                      first, second, value[0], value[1], (unsigned long long)row,
                      (unsigned long long)at, (unsigned long long)at + 3);
      }
      to[i + second] = static_cast<uint8_t>(sum);
    }
  }
};

/// One product: C[m][n] over all of k.
struct Product {
  StoredMatrix a;
  StoredMatrix b;
  bool transpose_a = false;
  bool transpose_b = false;
  uint64_t k = 0;
  const void* bias = nullptr;  // n values; null: none
  uint32_t bias_bits = 32;
  bool bias_is_bfloat16 = false;
  bool hf32 = false;
  bool hf32_ties_to_even = true;
};

/// The first byte after what a product reads of a matrix must lie in its buffer.
inline void CheckStored(const char* api, const char* operand, const StoredMatrix& s, uint64_t rows,
                        uint64_t columns) {
  if (s.is_scalar) return;
  if (s.base == nullptr) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "has no %s: SetTensor%s was not called", operand,
                  operand);
  }
  if (rows == 0 || columns == 0) return;
  if (s.sparse_index != nullptr) {
    const uint64_t index_bytes = columns / 8;
    CheckGm(api, s.sparse_index, ((CeilDiv(index_bytes, 8) - 1) * s.index_rows + rows) * 8,
            HOSTNPU_GM_READ);
    columns /= 2;
  }
  if (HOSTNPU_UNLIKELY(s.fractal ? s.padded_rows < rows : rows > 1 && s.row_elements < columns)) {
    HOSTNPU_FAULT(
        HOSTNPU_FAULT_ARGUMENT, api,
        "reads %llu x %llu elements of %s as it is stored, which has %llu of its %s: M, N, "
        "Ka and Kb of the tiling or SetOrgShape are those of the whole matrices",
        (unsigned long long)rows, (unsigned long long)columns, operand,
        (unsigned long long)(s.fractal ? s.padded_rows : s.row_elements),
        s.fractal ? "rows" : "columns");
  }
  const uint64_t c0 = 256 / s.element_bits;
  const uint64_t bytes = s.fractal
                             ? ((CeilDiv(columns, c0) - 1) * s.padded_rows + rows) * 32
                             : (((rows - 1) * s.row_elements + columns) * s.element_bits + 7) / 8;
  if (s.kind == HOSTNPU_MEMORY_GM) {
    CheckGm(api, s.base, bytes, HOSTNPU_GM_READ);
  } else {
    CheckLocal(api, s.kind, s.base, bytes);
  }
}

/// Rows [m, +rows) x k [k, +depth) of A, each row contiguous and widened.
template <typename T>
HOSTNPU_GEMM_FUNCTION void PackRows(const Product& p, uint64_t m, uint64_t rows, uint64_t k,
                                    uint64_t depth, typename gemm::Traits<T>::Element* to,
                                    uint64_t to_stride, uint64_t m_limit) {
  constexpr uint64_t kC0 = C0Of<T>();
  using Element = typename gemm::Traits<T>::Element;
  alignas(64) uint8_t scratch[kFractalBytes], turned[kFractalBytes];
  uint64_t stride;
  const uint64_t k_limit = k + depth;
  if (!p.transpose_a) {
    for (uint64_t r = 0; r < rows; r += 16) {
      const uint64_t count = rows - r < 16 ? rows - r : 16;
      for (uint64_t c = 0; c < depth; c += kC0) {
        const uint8_t* block = p.a.Block(m + r, k + c, m_limit, k_limit, scratch, &stride);
        for (uint64_t i = 0; i < count; ++i)
          gemm::WidenRow(block + i * stride, to + (r + i) * to_stride + c, T());
      }
    }
    return;
  }
  for (uint64_t c = 0; c < depth; c += 16) {
    for (uint64_t r = 0; r < rows; r += kC0) {
      const uint64_t count = rows - r < kC0 ? rows - r : kC0;
      const uint8_t* block = p.a.Block(k + c, m + r, k_limit, m_limit, scratch, &stride);
      Element* out = to + r * to_stride + c;
      if constexpr (kC0 == 16) {
        gemm::Transpose16x16(block, stride, turned, 32);
        for (uint64_t i = 0; i < count; ++i)
          gemm::WidenRow(turned + i * 32, out + i * to_stride, T());
      } else if constexpr (kC0 == 8) {
        float piece[8 * 16];
        gemm::TransposeColumns32(block, stride, piece);
        for (uint64_t i = 0; i < count; ++i)
          __builtin_memcpy(out + i * to_stride, piece + i * 16, 64);
      } else {
        Element row[kC0];
        for (uint64_t j = 0; j < 16; ++j) {
          gemm::WidenRow(block + j * stride, row, T());
          for (uint64_t i = 0; i < count; ++i) out[i * to_stride + j] = row[i];
        }
      }
    }
  }
}

/// Columns [n, +columns) of B over k [k, +depth), as panels of 16 columns.
template <typename T>
HOSTNPU_GEMM_FUNCTION void PackPanels(const Product& p, uint64_t n, uint64_t columns, uint64_t k,
                                      uint64_t depth, typename gemm::Traits<T>::Element* to,
                                      uint64_t panel, uint64_t n_limit) {
  constexpr uint64_t kC0 = C0Of<T>();
  using Element = typename gemm::Traits<T>::Element;
  alignas(64) uint8_t scratch[kFractalBytes];
  uint64_t stride;
  const uint64_t k_limit = k + depth;
  if (p.transpose_b) {
    for (uint64_t j = 0; j < columns; j += 16) {
      for (uint64_t c = 0; c < depth; c += kC0) {
        const uint8_t* block = p.b.Block(n + j, k + c, n_limit, k_limit, scratch, &stride);
        gemm::WidenFractal(block, stride, to + j / 16 * panel + c * 16, T());
      }
    }
    return;
  }
  for (uint64_t c = 0; c < depth; c += 16) {
    for (uint64_t j = 0; j < columns; j += kC0) {
      const uint8_t* block = p.b.Block(k + c, n + j, k_limit, n_limit, scratch, &stride);
      Element* out = to + j / 16 * panel + c * 16 + (kC0 == 8 ? j % 16 : 0);
      if constexpr (kC0 <= 16) {
        for (uint64_t i = 0; i < 16; ++i) gemm::WidenRow(block + i * stride, out + i * 16, T());
      } else {
        Element even[kC0], odd[kC0];
        for (uint64_t i = 0; i < 16; i += 2) {
          gemm::WidenRow(block + i * stride, even, T());
          gemm::WidenRow(block + (i + 1) * stride, odd, T());
          const uint64_t used = columns - j < kC0 ? RoundUp(columns - j, 16) : kC0;
          for (uint64_t x = 0; x < used; ++x) {
            Element* pair = out + x / 16 * panel + i * 16 + x % 16 * 2;
            pair[0] = even[x];
            pair[1] = odd[x];
          }
        }
      }
    }
  }
}

/// 16 bias values from column `at`, widened to the accumulator; zeros beyond `limit`.
template <typename Sum>
HOSTNPU_INLINE void LoadBias(const Product& p, uint64_t at, uint64_t limit, Sum* to) {
  for (uint64_t i = 0; i < 16; ++i) {
    to[i] = 0;
    if (at + i >= limit) continue;
    if (p.bias_bits == 32) {
      to[i] = static_cast<const Sum*>(p.bias)[at + i];
    } else if (p.bias_is_bfloat16) {
      to[i] = static_cast<Sum>(static_cast<float>(static_cast<const bfloat16_t*>(p.bias)[at + i]));
    } else {
      to[i] = static_cast<Sum>(static_cast<const half*>(p.bias)[at + i]);
    }
  }
}

constexpr uint64_t kEngineM = 128, kEngineN = 256, kEngineK = 128;

/// C[m, +rows)[n, +columns) in NZ at `c` with padded_rows rows. Adds to what is there if
/// `accumulate`, else starts from the bias or zero.
template <typename T>
inline void MultiplyRegion(const Product& p, uint64_t m, uint64_t rows, uint64_t n,
                           uint64_t columns, typename gemm::Traits<T>::Sum* c, uint64_t padded_rows,
                           bool accumulate) {
  using Traits = gemm::Traits<T>;
  using Sum = typename Traits::Sum;
  using Element = typename Traits::Element;
  gemm::WorkArrays& work = gemm::ThreadWorkArrays();
  auto* a = reinterpret_cast<Element*>(work.a);
  auto* b = reinterpret_cast<Element*>(work.b);
  constexpr uint64_t kStride = kEngineK + 64 / sizeof(Element);
  constexpr uint64_t kPanel = kEngineK * 16;
  alignas(64) Sum start[kEngineN] = {};
  for (uint64_t nb = 0; nb < columns; nb += kEngineN) {
    const uint64_t width = columns - nb < kEngineN ? columns - nb : kEngineN;
    if (p.bias != nullptr && !accumulate)
      for (uint64_t j = 0; j < width; j += 16) LoadBias(p, n + nb + j, n + columns, start + j);
    for (uint64_t kb = 0; kb == 0 || kb < p.k; kb += kEngineK) {
      const uint64_t depth = p.k - kb < kEngineK ? p.k - kb : kEngineK;
      PackPanels<T>(p, n + nb, width, kb, depth, b, kPanel, n + columns);
      if (p.hf32) {
        if constexpr (IsSameType<T, float>::value)
          gemm::RoundOperand(b, CeilDiv(width, 16) * kPanel, p.hf32_ties_to_even);
      }
      for (uint64_t mb = 0; mb < rows; mb += kEngineM) {
        const uint64_t height = rows - mb < kEngineM ? rows - mb : kEngineM;
        PackRows<T>(p, m + mb, height, kb, depth, a, kStride, m + rows);
        if (p.hf32) {
          if constexpr (IsSameType<T, float>::value)
            gemm::RoundOperand(a, height * kStride, p.hf32_ties_to_even);
        }
        gemm::Problem<Sum> problem;
        problem.m = static_cast<uint32_t>(height);
        problem.n = static_cast<uint32_t>(width);
        problem.depth = static_cast<uint32_t>(CeilDiv(depth, Traits::kPerStep));
        problem.a_stride = kStride;
        problem.b_panel = kPanel;
        problem.c = c + (nb / 16 * padded_rows + mb) * 16;
        problem.c_rows = static_cast<uint32_t>(padded_rows);
        if (kb == 0 && !accumulate) {
          problem.init = start;
          problem.init_stride = 0;
          problem.init_panel = 16;
        } else {
          problem.init = problem.c;
          problem.init_stride = 16;
          problem.init_panel = padded_rows * 16;
        }
        gemm::Multiply(a, b, problem);
      }
    }
  }
}

/// Where a tile of C goes, and how it is converted. Elements are of the destination type.
struct ResultTile {
  uint8_t* dst = nullptr;
  HostnpuMemoryKind kind = HOSTNPU_MEMORY_GM;
  uint32_t bytes = 4;  // of an element
  bool fractal = false;
  bool split = false;  // float NZ in columns of 8
  bool column_major = false;
  uint64_t row_elements = 0;  // row-major: from row to row; column-major: from column to column
  uint64_t padded_rows = 0;   // NZ
  QuantMode_t quant = NoQuant;
  const uint64_t* words = nullptr;  // for the tile's first column
  bool vector_quant = false;
  bool relu = false;
  bool int_sums = false;
};

/// Column-major results have no fixpipe form: one element at a time.
inline void WriteColumns(const ResultTile& r, const uint8_t* c, uint64_t padded_rows, uint64_t m,
                         uint64_t n, ConvertFunction convert, const ConvertContext& context) {
  alignas(64) uint8_t piece[64];
  for (uint64_t j = 0; j < n; j += 16) {
    for (uint64_t i = 0; i < m; ++i) {
      convert(c + (j / 16 * padded_rows + i) * 64, piece, 1, 64, static_cast<uint32_t>(j), context);
      for (uint64_t x = 0; x < 16 && j + x < n; ++x)
        WriteGm(r.dst + ((j + x) * r.row_elements + i) * r.bytes, piece + x * r.bytes, r.bytes);
    }
  }
}

/// Converts and writes an m x n tile from NZ accumulators.
inline void WriteTile(const char* api, const ResultTile& r, const uint8_t* c, uint64_t padded_rows,
                      uint64_t m, uint64_t n) {
  if (m == 0 || n == 0) return;
  FixpipeMove move = {};
  move.api = api;
  move.src = c;
  move.dst = r.dst;
  move.dst_kind = r.kind;
  move.dst_bytes = r.bytes;
  move.n = static_cast<uint32_t>(n);
  move.m = static_cast<uint32_t>(m);
  move.src_group = padded_rows * 64;
  move.matrices = 1;
  move.row_major = !r.fractal;
  move.split = r.split;
  move.int_sums = r.int_sums;
  move.quant = r.quant;
  move.context = {r.words, r.vector_quant ? 1u : 0u, r.relu, (Regs().control >> 48 & 1) == 0};
  const uint64_t column = r.split ? 8 : r.bytes == 1 ? 32 : 16;
  move.dst_step = r.fractal ? r.padded_rows * column * r.bytes : r.row_elements * r.bytes;
  uint64_t bytes;
  if (r.fractal) {
    move.n = static_cast<uint32_t>(RoundUp(n, r.split ? 8 : 16));
    bytes = (CeilDiv(n, column) - 1) * move.dst_step + m * column * r.bytes;
  } else if (r.column_major) {
    bytes = ((n - 1) * r.row_elements + m) * r.bytes;
  } else {
    bytes = ((m - 1) * r.row_elements + n) * r.bytes;
  }
  if (r.kind == HOSTNPU_MEMORY_GM) {
    CheckGm(api, r.dst, bytes, HOSTNPU_GM_WRITE);
  } else {
    CheckLocal(api, r.kind, r.dst, bytes);
  }
  const ConvertFunction convert = ConverterOf(move);
  if (r.column_major) {
    WriteColumns(r, c, padded_rows, m, n, convert, move.context);
  } else if (r.fractal) {
    MoveFractals(move, convert);
  } else {
    MoveRowMajor(move, convert);
  }
}

/// The atomic state of one write-out: what the call asks for. The device writes from its cube core,
/// so what a vector core has set for its own moves does not count here; it is put back afterwards.
template <typename T>
class ScopedAtomic {
 public:
  ScopedAtomic(const char* api, uint8_t operation)
      : type_(Regs().atomic_type),
        operation_(Regs().atomic_operation),
        combine_(Regs().atomic_combine) {
    CheckField(api, "enAtomic", operation, 3);
    if (OnVectorCore()) SetAtomicNone();
    if (operation == 1) SetAtomic<T, kAtomicAdd>("Matmul");
    if (operation == 2) SetAtomic<T, kAtomicMax>("Matmul");
    if (operation == 3) SetAtomic<T, kAtomicMin>("Matmul");
  }
  ~ScopedAtomic() {
    Regs().atomic_type = type_;
    Regs().atomic_operation = operation_;
    Regs().atomic_combine = combine_;
  }
  ScopedAtomic(const ScopedAtomic&) = delete;
  ScopedAtomic& operator=(const ScopedAtomic&) = delete;

 private:
  uint32_t type_;
  uint32_t operation_;
  decltype(Registers::atomic_combine) combine_;
};

}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_MATMUL_ENGINE_H_

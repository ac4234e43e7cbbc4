// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The matrices of a batch: where each lies in the layouts that a MatmulType names, and how those
// that an IterateNBatch has left in the workspace are fetched.
#ifndef HOSTNPU_ASCENDC_ADVANCED_MATMUL_BATCH_H_
#define HOSTNPU_ASCENDC_ADVANCED_MATMUL_BATCH_H_

#include "matmul_engine.h"

namespace AscendC {
namespace internal {

/// What one call of IterateBatch multiplies.
struct BatchCall {
  uint32_t batch_a, batch_b;
  uint32_t stride_a, stride_b, stride_c;
  bool accumulate;  // on what L0C holds
};
constexpr uint32_t MostOf(uint32_t a, uint32_t b) { return a > b ? a : b; }

/// The axes of one operand of a batch.
struct BatchAxes {
  uint64_t b, s, n, g, d;
};

/// Where matrix `i` of a batch starts and how far apart its rows are, in elements.
struct BatchPlace {
  uint64_t offset;
  uint64_t row_elements;
};
/// `rows` x `columns` is one stored matrix; `stride` (0: none) overrides the distance in NORMAL.
constexpr BatchPlace PlaceInBatch(LayoutMode layout, const BatchAxes& x, uint64_t i, uint64_t rows,
                                  uint64_t columns, uint64_t stride) {
  const uint64_t heads = x.n * x.g;
  switch (layout) {
    case LayoutMode::BSNGD:
      return {(heads == 0 ? 0 : i / heads * x.s * heads * x.d + i % heads * x.d), heads * x.d};
    case LayoutMode::SBNGD:
      return {i * x.d, x.b * heads * x.d};
    case LayoutMode::BNGS1S2:
      return {i * x.s * x.d, x.d};
    default:
      return {i * (stride != 0 ? stride : rows * columns), columns};
  }
}

/// How many products are added to one matrix of C: G of A and B, where C has none.
inline uint64_t SummedProducts(LayoutMode layout, const TCubeTiling& t) {
  if (layout == LayoutMode::NONE || layout == LayoutMode::NORMAL || t.CLayoutInfoG != 1) return 1;
  const int32_t most = t.ALayoutInfoG > t.BLayoutInfoG ? t.ALayoutInfoG : t.BLayoutInfoG;
  return most > 1 ? static_cast<uint64_t>(most) : 1;
}

/// Elements from row to row of a matrix of that operand by itself.
template <class Operand>
constexpr uint64_t StoredWidth(uint64_t columns) {
  return Operand::format == CubeFormat::ND_ALIGN
             ? RoundUp(columns, 256 / SizeOfBits<PrimT<typename Operand::T>>::value)
             : columns;
}
template <class Operand>
constexpr BatchAxes AxesOf(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
  return {static_cast<uint64_t>(b), static_cast<uint64_t>(s), static_cast<uint64_t>(n),
          static_cast<uint64_t>(g), StoredWidth<Operand>(static_cast<uint64_t>(d))};
}
inline uint64_t StoredRows(const StoredMatrix& s) { return s.fractal ? s.padded_rows : s.rows; }
template <class Operand>
inline uint64_t StoredColumns(const StoredMatrix& s) {
  return s.fractal ? RoundUp(s.columns, 256 / s.element_bits) : StoredWidth<Operand>(s.columns);
}

/// Matrices of C in the workspace, which are fetched in their order.
struct BatchesLeft {
  uint64_t count = 0;
  uint64_t taken = 0;

  /// The next `wanted` of them: the first one's number.
  uint64_t Take(const char* api, uint64_t wanted) {
    if (HOSTNPU_UNLIKELY(wanted > count - taken)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                    "asks for %llu matrices more, and %llu of the %llu that IterateNBatch<false> "
                    "has left in the workspace are taken",
                    (unsigned long long)wanted, (unsigned long long)taken,
                    (unsigned long long)count);
    }
    taken += wanted;
    return taken - wanted;
  }
};

/// `used` bytes of GM to local memory, filled up with zeros to `width`, which are whole blocks.
inline void CopyPaddedRow(const char* api, const uint8_t* from, uint64_t used,
                          HostnpuMemoryKind kind, uint8_t* to, uint64_t width) {
  if (HOSTNPU_UNLIKELY(width % 32 != 0)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ALIGNMENT, api,
                  "copies rows of %llu bytes to local memory, which are no whole number of 32-byte "
                  "blocks: a C of CubeFormat::ND_ALIGN fills them up",
                  (unsigned long long)used);
  }
  CheckGm(api, from, used, HOSTNPU_GM_READ);
  CheckLocal(api, kind, to, width);
  __builtin_memcpy(to, from, used);
  __builtin_memset(to + used, 0, width - used);
}

}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_MATMUL_BATCH_H_

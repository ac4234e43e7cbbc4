// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Where an element of a matrix lies in each layout of the cube unit. This is the one place that
// says so; copies move whole fractals by the same arithmetic.
//
// A fractal is 16 rows of C0 columns, 512 bytes (C0 = 32 bytes of elements). The first letter of a
// layout says how elements lie in a fractal, the second how fractals lie in the matrix: n or N is
// column by column, z or Z row by row. Following the vendor's usage here:
//
//   L1   nZ of rows ("NZ")   L0A  zZ        L0B  nZ of k x n ("ZN")    L0C  NZ of 16 x 16
//   +--+--+                  +--+--+        +--+--+                    +--+--+
//   |0 |2 |  each row-major  |0 |1 |  r-m   |0 |1 |  each column-major |0 |2 |  each row-major
//   +--+--+                  +--+--+        +--+--+                    +--+--+
//   |1 |3 |                  |2 |3 |        |2 |3 |                    |1 |3 |
#ifndef HOSTNPU_ASCENDC_BASIC_CUBE_LAYOUT_H_
#define HOSTNPU_ASCENDC_BASIC_CUBE_LAYOUT_H_

#include "types.h"

namespace AscendC {
namespace internal {

constexpr uint32_t kFractalBytes = 512;
constexpr uint32_t kFractalRows = 16;

/// Elements of T in 32 bytes.
template <typename T>
constexpr uint32_t C0Of() {
  return 256 / SizeOfBits<PrimT<T>>::value;
}
constexpr uint64_t CeilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }
constexpr uint64_t RoundUp(uint64_t a, uint64_t b) { return CeilDiv(a, b) * b; }

/// Row-major.
constexpr uint64_t NdIndex(uint64_t row, uint64_t column, uint64_t columns) {
  return row * columns + column;
}
/// Column groups of C0 one after another, each a [padded_rows][c0] matrix. L1, and L0C with c0 16.
constexpr uint64_t NzIndex(uint64_t row, uint64_t column, uint64_t padded_rows, uint64_t c0) {
  return (column / c0 * padded_rows + row) * c0 + column % c0;
}
/// Fractals row by row, each row-major. L0A: row is m, column is k.
constexpr uint64_t ZzIndex(uint64_t row, uint64_t column, uint64_t padded_columns, uint64_t c0) {
  return (row / 16 * (padded_columns / c0) + column / c0) * 16 * c0 + row % 16 * c0 + column % c0;
}
/// Fractals of c0 x 16 row by row, each column-major. L0B: row is k, column is n.
constexpr uint64_t ZnIndex(uint64_t row, uint64_t column, uint64_t padded_columns, uint64_t c0) {
  return (row / c0 * (padded_columns / 16) + column / 16) * 16 * c0 + column % 16 * c0 + row % c0;
}

}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_CUBE_LAYOUT_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The shapes of a Matmul object: the original matrices, the part one core computes, the base tiles
// and the order Iterate walks them in; and where the matrices of a batch lie.
#ifndef HOSTNPU_ASCENDC_ADVANCED_MATMUL_TILES_H_
#define HOSTNPU_ASCENDC_ADVANCED_MATMUL_TILES_H_

#include "../basic/cube_layout.h"
#include "matmul_config.h"

namespace AscendC {
namespace internal {

/// A base tile of the single-core C, in elements.
struct TileShape {
  uint64_t m0 = 0;
  uint64_t n0 = 0;
  uint64_t m = 0;
  uint64_t n = 0;
  uint64_t row = 0;  // of the grid of tiles
  uint64_t column = 0;
};

struct MatmulTiles {
  TCubeTiling tiling;
  uint64_t org_m = 0, org_n = 0, org_ka = 0, org_kb = 0, org_c = 0;
  uint64_t single_m = 0, single_n = 0, single_k = 0;
  int64_t index = -1;   // of the current tile, in the order of Iterate
  bool paired = false;  // Iterate computes two tiles across the traverse at a time

  void Bind(const TCubeTiling* from, const MatmulConfig& config) {
    tiling = {};
    if (from != nullptr) tiling = *from;
    Finish(config);
  }
  /// What the static tiling states replaces what the run-time one says.
  void Bind(const TCubeTiling* from, const MatmulApiStaticTiling& fixed) {
    tiling = {};
    if (from != nullptr) tiling = *from;
#define HOSTNPU_TAKE(name) \
  if (fixed.name != -1) tiling.name = fixed.name
    HOSTNPU_TAKE(M);
    HOSTNPU_TAKE(N);
    HOSTNPU_TAKE(Ka);
    HOSTNPU_TAKE(Kb);
    HOSTNPU_TAKE(singleCoreM);
    HOSTNPU_TAKE(singleCoreN);
    HOSTNPU_TAKE(singleCoreK);
    HOSTNPU_TAKE(baseM);
    HOSTNPU_TAKE(baseN);
    HOSTNPU_TAKE(baseK);
    HOSTNPU_TAKE(stepM);
    HOSTNPU_TAKE(stepN);
    HOSTNPU_TAKE(iterateOrder);
    HOSTNPU_TAKE(isBias);
    HOSTNPU_TAKE(ALayoutInfoB);
    HOSTNPU_TAKE(ALayoutInfoS);
    HOSTNPU_TAKE(ALayoutInfoN);
    HOSTNPU_TAKE(ALayoutInfoG);
    HOSTNPU_TAKE(ALayoutInfoD);
    HOSTNPU_TAKE(BLayoutInfoB);
    HOSTNPU_TAKE(BLayoutInfoS);
    HOSTNPU_TAKE(BLayoutInfoN);
    HOSTNPU_TAKE(BLayoutInfoG);
    HOSTNPU_TAKE(BLayoutInfoD);
    HOSTNPU_TAKE(CLayoutInfoB);
    HOSTNPU_TAKE(CLayoutInfoS1);
    HOSTNPU_TAKE(CLayoutInfoN);
    HOSTNPU_TAKE(CLayoutInfoG);
    HOSTNPU_TAKE(CLayoutInfoS2);
    HOSTNPU_TAKE(BatchNum);
#undef HOSTNPU_TAKE
    Finish(fixed.cfg);
  }

  void SetSingle(int64_t m, int64_t n, int64_t k) {
    if (m != -1) single_m = static_cast<uint64_t>(m);
    if (n != -1) single_n = static_cast<uint64_t>(n);
    if (k != -1) single_k = static_cast<uint64_t>(k);
    index = -1;
  }

  uint64_t Rows() const { return CeilDiv(single_m, static_cast<uint64_t>(tiling.baseM)); }
  uint64_t Columns() const { return CeilDiv(single_n, static_cast<uint64_t>(tiling.baseN)); }
  uint64_t Count() const { return Rows() * Columns(); }

  bool Next() {
    if (index + 1 >= static_cast<int64_t>(Count())) return false;
    ++index;
    return true;
  }
  /// The tile of the last Next; the first one before any.
  TileShape Current() const { return At(index < 0 ? 0 : static_cast<uint64_t>(index)); }

  /// Tiles go through windows of stepM x stepN, in the order of the traverse, inside as outside. In
  /// pairs, a window is two tiles across the traverse.
  TileShape At(uint64_t i) const {
    const uint64_t rows = Rows(), columns = Columns();
    const uint64_t inner = n_first ? columns : rows, outer = n_first ? rows : columns;
    const auto positive = [](int32_t x) { return x > 0 ? static_cast<uint64_t>(x) : 1; };
    const uint64_t inner_step = !windowed ? 1 : positive(n_first ? tiling.stepN : tiling.stepM);
    const uint64_t outer_step = paired      ? 2
                                : !windowed ? 1
                                            : positive(n_first ? tiling.stepM : tiling.stepN);
    const uint64_t band = i / (inner * outer_step);  // whole bands of windows come first
    uint64_t rest = i - band * inner * outer_step;
    const uint64_t band_height =
        outer - band * outer_step < outer_step ? outer - band * outer_step : outer_step;
    const uint64_t window = rest / (inner_step * band_height);
    rest -= window * inner_step * band_height;
    const uint64_t width =
        inner - window * inner_step < inner_step ? inner - window * inner_step : inner_step;
    const uint64_t at_inner = window * inner_step + rest % width;
    const uint64_t at_outer = band * outer_step + rest / width;
    return Tile(n_first ? at_outer : at_inner, n_first ? at_inner : at_outer);
  }
  /// Tiles from the current one on that one Iterate computes.
  uint64_t InStep() const {
    const uint64_t i = static_cast<uint64_t>(index);
    if (!paired || i + 1 >= Count()) return 1;
    const TileShape one = At(i), next = At(i + 1);
    return (n_first ? one.column == next.column : one.row == next.row) ? 2 : 1;
  }
  TileShape Tile(uint64_t row, uint64_t column) const {
    TileShape tile;
    const uint64_t base_m = static_cast<uint64_t>(tiling.baseM);
    const uint64_t base_n = static_cast<uint64_t>(tiling.baseN);
    tile.row = row;
    tile.column = column;
    tile.m0 = row * base_m;
    tile.n0 = column * base_n;
    tile.m = single_m - tile.m0 < base_m ? single_m - tile.m0 : base_m;
    tile.n = single_n - tile.n0 < base_n ? single_n - tile.n0 : base_n;
    return tile;
  }

  /// Whether a size of the matrices is negative as an int32_t, which no record can ask for.
  bool HasBadSize() const {
    return (org_m | org_n | org_ka | org_kb | org_c | single_m | single_n | single_k) >> 31 != 0;
  }

 private:
  void Finish(const MatmulConfig& config) {
    n_first = config.iterateOrder == IterateOrder::ORDER_N ||
              (config.iterateOrder == IterateOrder::UNDEF && tiling.iterateOrder == 1);
    windowed = config.doMultiDataLoad || config.doSpecialMDL;
    paired = config.scheduleType == ScheduleType::OUTER_PRODUCT && !windowed;
    org_m = static_cast<uint64_t>(tiling.M);
    org_n = org_c = static_cast<uint64_t>(tiling.N);
    org_ka = static_cast<uint64_t>(tiling.Ka);
    org_kb = static_cast<uint64_t>(tiling.Kb);
    single_m = static_cast<uint64_t>(tiling.singleCoreM);
    single_n = static_cast<uint64_t>(tiling.singleCoreN);
    single_k = static_cast<uint64_t>(tiling.singleCoreK);
    index = -1;
  }

  bool n_first = false;
  bool windowed = false;  // tiles go in windows of stepM x stepN
};

}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_MATMUL_TILES_H_

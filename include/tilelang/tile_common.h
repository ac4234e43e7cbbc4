// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// tile.h with what most programs make of its templates. Only the compiler driver reads this file,
// to compile it ahead in the place of tile.h (src/compiler/precompiled.h); nobody includes it.
#ifndef HOSTNPU_TILELANG_TILE_COMMON_H_
#define HOSTNPU_TILELANG_TILE_COMMON_H_

#include "tile.h"

namespace tl {
namespace common {

// Never called: what a function names is instantiated where it is compiled.

template <typename T>
inline void UseCopies(const Tile<T>& tile, const GlobalTensor<T>& gm) {
  CopyGmToUb(tile, gm, 0, 0, 0, T(0));
  CopyUbToGm(gm, 0, tile, 0, 0);
  CopyUbToUb(tile, tile);
  TileFill(tile, T(0));
}
template <typename T>
inline void UseArithmetic(const Tile<T>& tile, const LocalTensor<uint8_t>& tmp) {
  TileAdd(tile, tile, tile);
  TileSub(tile, tile, tile);
  TileMul(tile, tile, tile);
  TileMax(tile, tile, tile);
  TileMin(tile, tile, tile);
  TileAdds(tile, tile, T(0));
  TileMuls(tile, tile, T(0));
  ReduceColumns<ReduceKind::kSum>(tile, tile, true, tmp);
  ReduceColumns<ReduceKind::kMax>(tile, tile, true, tmp);
}
template <typename T>
inline void UseFloating(const Tile<T>& tile) {
  TileFloatDiv(tile, tile, tile);
  TileExp(tile, tile);
  TileLn(tile, tile);
  TileSqrt(tile, tile);
  TileRsqrt(tile, tile);
  TileFloatAbs(tile, tile);
}
inline void UseProducts(const Nz<half>& half_tile, const LocalTensor<half>& l0,
                        const LocalTensor<float>& c, const GlobalTensor<half>& half_gm,
                        const GlobalTensor<float>& gm) {
  CopyGmToL1(half_tile, half_gm, 0, 0, 0, 0);
  GemmV0(c, half_tile, half_tile, l0, l0, 0, 0, 0, false, false, true);
  CopyL0CToGm(half_gm, 0, c, 0, 0, 0, false, 1.0f);
  CopyL0CToGm(gm, 0, c, 0, 0, 0, false, 1.0f);
}
inline void UseAll(const Tile<float>& f, const Tile<half>& h, const Tile<int32_t>& i,
                   const GlobalTensor<float>& f_gm, const GlobalTensor<half>& h_gm,
                   const GlobalTensor<int32_t>& i_gm, const LocalTensor<uint8_t>& tmp) {
  UseCopies(f, f_gm);
  UseCopies(h, h_gm);
  UseCopies(i, i_gm);
  UseArithmetic(f, tmp);
  UseArithmetic(h, tmp);
  UseFloating(f);
  UseFloating(h);
  TileCast(f, h, RoundMode::CAST_NONE);
  TileCast(h, f, RoundMode::CAST_RINT);
}

}  // namespace common
}  // namespace tl

#endif  // HOSTNPU_TILELANG_TILE_COMMON_H_

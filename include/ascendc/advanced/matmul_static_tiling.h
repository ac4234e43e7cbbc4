// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Tilings at compile time: from the shapes a MatmulConfig holds.
#ifndef HOSTNPU_ASCENDC_ADVANCED_MATMUL_STATIC_TILING_H_
#define HOSTNPU_ASCENDC_ADVANCED_MATMUL_STATIC_TILING_H_

#include "../tiling/cube_solver.h"
#include "matmul_config.h"

namespace AscendC {

/// A tiling for the config's single-core and basic shapes; where it has none, only the base sizes
/// are set and the rest stays with the run-time tiling.
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE>
constexpr MatmulApiStaticTiling GetMatmulApiTiling(const MatmulConfig& config,
                                                   int32_t l1Size = TOTAL_L1_SIZE) {
  MatmulApiStaticTiling tiling;
  tiling.cfg = config;
  if (config.basicM == 0 || config.basicN == 0 || config.basicK == 0) return tiling;
  tiling.baseM = static_cast<int32_t>(config.basicM);
  tiling.baseN = static_cast<int32_t>(config.basicN);
  tiling.baseK = static_cast<int32_t>(config.basicK);
  tiling.isBias = config.enableSetBias;
  tiling.dbL0A = tiling.dbL0B = 2;
  tiling.dbL0C = 1;
  if (config.singleCoreM == 0 || config.singleCoreN == 0 || config.singleCoreK == 0) return tiling;
  matmul_tiling::internal::CubeProblem problem;
  problem.m = problem.single_m = static_cast<int32_t>(config.singleCoreM);
  problem.n = problem.single_n = static_cast<int32_t>(config.singleCoreN);
  problem.k = problem.single_k = static_cast<int32_t>(config.singleCoreK);
  problem.base_m = tiling.baseM;
  problem.base_n = tiling.baseN;
  problem.base_k = tiling.baseK;
  problem.a_bits = static_cast<int32_t>(SizeOfBits<PrimT<typename A_TYPE::T>>::value);
  problem.has_bias = config.enableSetBias;
  problem.l1_bytes = l1Size;
  TCubeTiling solved;
  matmul_tiling::internal::SolveCube(problem, &solved);
  tiling.M = tiling.singleCoreM = problem.m;
  tiling.N = tiling.singleCoreN = problem.n;
  tiling.Ka = tiling.Kb = tiling.singleCoreK = problem.k;
  tiling.stepM = solved.stepM;
  tiling.stepN = solved.stepN;
  tiling.stepKa = solved.stepKa;
  tiling.stepKb = solved.stepKb;
  tiling.depthA1 = solved.depthA1;
  tiling.depthB1 = solved.depthB1;
  tiling.iterateOrder = config.iterateOrder == IterateOrder::ORDER_N ? 1 : 0;
  tiling.transLength = 0;
  tiling.shareMode = 0;
  tiling.shareL1Size = solved.shareL1Size;
  tiling.shareL0CSize = solved.shareL0CSize;
  tiling.shareUbSize = 0;
  return tiling;
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_MATMUL_STATIC_TILING_H_

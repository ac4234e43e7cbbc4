// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// How a product is cut: over the cores, into base tiles that fit L0, and how many of those L1
// holds. Pure: problem in, tiling out. On this host any legal answer gives the same bits, so the
// solver is short; what it promises is that every limit of the chip holds and every field is set,
// because kernels read them.
#ifndef HOSTNPU_ASCENDC_TILING_CUBE_SOLVER_H_
#define HOSTNPU_ASCENDC_TILING_CUBE_SOLVER_H_

#include "../kernel_tiling/kernel_tiling.h"

namespace matmul_tiling {
namespace internal {

/// -1 in a size: the solver chooses.
struct CubeProblem {
  int32_t m = 0, n = 0, k = 0;                           // of all cores together
  int32_t org_m = 0, org_n = 0, org_ka = 0, org_kb = 0;  // of the stored matrices
  int32_t cores = 1;
  bool split_k = false;
  int32_t single_m = -1, single_n = -1, single_k = -1;
  int32_t align_m = 1, align_n = 1, align_k = 1;  // of the single-core sizes
  int32_t base_m = -1, base_n = -1, base_k = -1;
  int32_t max_base_m = -1, max_base_n = -1, max_base_k = -1;
  int32_t a_bits = 16, c_bits = 32, bias_bits = 32;
  bool has_bias = false;
  bool c_in_ub = false;
  int32_t traverse = 0;  // 0 not set, 1 m first, 2 n first
  int64_t l1_bytes = 524288, l0a_bytes = 65536, l0b_bytes = 65536, l0c_bytes = 131072;
  int64_t ub_bytes = 196352;
};

constexpr int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
constexpr int64_t RoundUp(int64_t a, int64_t b) { return CeilDiv(a, b) * b; }
constexpr int64_t Least(int64_t a, int64_t b) { return a < b ? a : b; }
constexpr int64_t Most(int64_t a, int64_t b) { return a > b ? a : b; }

/// k of a core where k is split: evenly, unless that would leave more than half of the cores idle.
/// Kernels that add up parts of k know no tails.
constexpr int64_t DepthOf(int64_t k, int64_t cores, int64_t grain) {
  const int64_t least = Least(k, RoundUp(CeilDiv(k, cores), grain));
  for (int64_t depth = least; depth <= 2 * least && depth <= k; depth += grain)
    if (k % depth == 0) return depth;
  return least;
}

/// Splits m x n over at most `cores` cores: the largest part as small as can be, then the squarest,
/// then the one that splits m more often. A split without tails (of base tiles, where their sizes
/// are given, too) may be up to 30 % worse: many kernels know no tails, because the vendor's
/// tilings seldom have them. With base sizes given, the one that splits n most often, as the
/// vendor's: kernels made for one shape count on it.
constexpr void SplitOverCores(const CubeProblem& p, TCubeTiling* t) {
  const int64_t grain_m = p.align_m > 1 ? p.align_m : 16;
  const int64_t grain_n = p.align_n > 1 ? p.align_n : 16;
  const bool has_base = p.base_m > 0 && p.base_n > 0;
  double best = -1;
  int64_t best_edge = 0;
  for (int64_t parts_m = 1; parts_m <= p.cores; ++parts_m) {
    const int64_t single_m =
        p.single_m > 0 ? p.single_m : Least(p.m, RoundUp(CeilDiv(p.m, parts_m), grain_m));
    const int64_t used_m = CeilDiv(p.m, single_m);
    if (used_m > p.cores) continue;
    for (int64_t parts_n = p.cores / used_m; parts_n >= 1; --parts_n) {
      const int64_t single_n =
          p.single_n > 0 ? p.single_n : Least(p.n, RoundUp(CeilDiv(p.n, parts_n), grain_n));
      if (used_m * CeilDiv(p.n, single_n) > p.cores) continue;
      const bool has_tails = p.m % single_m != 0 || p.n % single_n != 0 ||
                             (has_base && (single_m % p.base_m != 0 || single_n % p.base_n != 0));
      const double load = static_cast<double>(single_m * single_n) * (has_tails ? 1.3 : 1.0);
      const int64_t edge = has_base ? 0 : single_m + single_n;
      if (best >= 0 && (load > best || (load == best && (has_base || edge > best_edge)))) continue;
      best = load;
      best_edge = edge;
      t->singleCoreM = static_cast<int32_t>(single_m);
      t->singleCoreN = static_cast<int32_t>(single_n);
    }
  }
  if (best < 0) {
    t->singleCoreM = t->singleCoreN = 0;
    return;
  }
  const int64_t used = CeilDiv(p.m, t->singleCoreM) * CeilDiv(p.n, t->singleCoreN);
  int64_t single_k = p.single_k > 0 ? p.single_k : p.k;
  if (p.split_k && p.single_k <= 0 && used * 2 <= p.cores) {
    const int64_t grain_k = p.align_k > 1 ? p.align_k : 256 / p.a_bits;
    single_k = DepthOf(p.k, p.cores / used, grain_k);
  }
  t->singleCoreK = static_cast<int32_t>(single_k);
  t->usedCoreNum = static_cast<int32_t>(used * CeilDiv(p.k, single_k));
}

/// The largest multiple of 16 up to `cap` that divides `single`, unless that is under half of what
/// there could be.
constexpr int64_t BaseOf(int64_t single, int64_t cap) {
  const int64_t most = Least(RoundUp(single, 16), cap);
  for (int64_t base = most; base * 2 >= most && base >= 16; base -= 16)
    if (single % base == 0) return base;
  return most;
}

/// Base tiles: 128 x 256 of C where there is that much, and as much k as L0 holds twice.
constexpr bool ChooseBase(const CubeProblem& p, TCubeTiling* t) {
  const int64_t c0 = 256 / p.a_bits;
  int64_t m = p.base_m > 0 ? p.base_m : BaseOf(t->singleCoreM, 128);
  int64_t n = p.base_n > 0 ? p.base_n : BaseOf(t->singleCoreN, 256);
  if (p.max_base_m > 0 && p.base_m <= 0) m = Least(m, RoundUp(p.max_base_m, 16));
  if (p.max_base_n > 0 && p.base_n <= 0) n = Least(n, RoundUp(p.max_base_n, 16));
  const auto too_big = [&] {
    return m * n * 4 > p.l0c_bytes || (p.has_bias && n * 4 > 1024) ||
           (p.c_in_ub && m * n * p.c_bits / 8 * 2 > p.ub_bytes);  // the tile and what is made of it
  };
  while (too_big() && n > 16 && p.base_n <= 0) n = BaseOf(t->singleCoreN, n - 16);
  while (too_big() && m > 16 && p.base_m <= 0) m = BaseOf(t->singleCoreM, m - 16);
  if (m * n * 4 > p.l0c_bytes) return false;
  int64_t k = p.base_k;
  if (k <= 0) {
    const int64_t by_a = p.l0a_bytes * 8 / 2 / (m * p.a_bits);
    const int64_t by_b = p.l0b_bytes * 8 / 2 / (n * p.a_bits);
    k = Least(Least(by_a, by_b) / c0 * c0, RoundUp(t->singleCoreK, c0));
    if (p.max_base_k > 0) k = Least(k, Most(p.max_base_k / c0 * c0, c0));
    k = Most(k, c0);
    for (int64_t even = k; even * 2 >= k && even >= c0; even -= c0) {
      if (t->singleCoreK % even != 0) continue;
      k = even;
      break;
    }
  }
  const int64_t a_bytes = m * k * p.a_bits / 8, b_bytes = n * k * p.a_bits / 8;
  if (a_bytes > p.l0a_bytes || b_bytes > p.l0b_bytes) return false;
  t->baseM = static_cast<int32_t>(m);
  t->baseN = static_cast<int32_t>(n);
  t->baseK = static_cast<int32_t>(k);
  t->dbL0A = a_bytes * 2 <= p.l0a_bytes ? 2 : 1;
  t->dbL0B = b_bytes * 2 <= p.l0b_bytes ? 2 : 1;
  t->dbL0C = 1;
  return true;
}

/// How many base blocks of A and B lie in L1: as many steps of k as fit twice.
constexpr bool FillL1(const CubeProblem& p, TCubeTiling* t) {
  const int64_t a_bytes = int64_t{t->baseM} * t->baseK * p.a_bits / 8;
  const int64_t b_bytes = int64_t{t->baseN} * t->baseK * p.a_bits / 8;
  const int64_t bias_bytes = p.has_bias ? int64_t{t->baseN} * p.bias_bits / 8 : 0;
  const int64_t room = p.l1_bytes - bias_bytes;
  const int64_t steps = CeilDiv(t->singleCoreK, t->baseK);
  int64_t depth = 2, step = 1;
  if (2 * (a_bytes + b_bytes) > room) depth = 1;
  if (depth * (a_bytes + b_bytes) > room) return false;
  if (depth == 2) step = Most(1, Least(steps, room / (2 * (a_bytes + b_bytes))));
  if (step == steps) depth = 2;
  t->stepM = t->stepN = 1;
  t->stepKa = t->stepKb = static_cast<int32_t>(step);
  t->depthA1 = t->depthB1 = static_cast<int32_t>(step * depth);
  t->shareL1Size = static_cast<int32_t>(t->depthA1 * a_bytes + t->depthB1 * b_bytes + bias_bytes);
  t->shareL0CSize = static_cast<int32_t>(int64_t{t->baseM} * t->baseN * 4);
  return true;
}

/// False where no tiling within the limits exists.
constexpr bool SolveCube(const CubeProblem& p, TCubeTiling* t) {
  *t = {};
  if (p.m <= 0 || p.n <= 0 || p.k <= 0 || p.cores <= 0) return false;
  t->M = p.org_m > 0 ? p.org_m : p.m;
  t->N = p.org_n > 0 ? p.org_n : p.n;
  t->Ka = p.org_ka > 0 ? p.org_ka : p.k;
  t->Kb = p.org_kb > 0 ? p.org_kb : p.k;
  SplitOverCores(p, t);
  if (t->singleCoreM <= 0 || t->usedCoreNum > p.cores) return false;
  if (!ChooseBase(p, t) || !FillL1(p, t)) return false;
  t->isBias = p.has_bias ? 1 : 0;
  t->iterateOrder = p.traverse == 2 ? 1 : 0;
  t->batchM = t->batchN = t->singleBatchM = t->singleBatchN = 1;
  return true;
}

}  // namespace internal
}  // namespace matmul_tiling

#endif  // HOSTNPU_ASCENDC_TILING_CUBE_SOLVER_H_

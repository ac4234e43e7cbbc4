// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PLANNER_ORDER_H_
#define HOSTNPU_PLANNER_ORDER_H_

#include <cstdint>
#include <vector>

#include "planner/model.h"

namespace hostnpu::planner {

/// What makes a block worth placing early. No measure is best everywhere, so the solver tries
/// several.
enum class Measure {
  kSize,         ///< bytes
  kArea,         ///< bytes times sections
  kWidth,        ///< sections
  kLength,       ///< time units
  kConflicts,    ///< how many blocks it meets
  kCrowdLength,  ///< the fullest section it crosses, then time units
  kVolume,       ///< bytes times time units
  kCrowdArea,    ///< the fullest section it crosses, then bytes times time units
  kTrack,        ///< the least number that no block before it in time, and still alive, has
};

/// All blocks, the most urgent first. Equal ones keep their order. With a seed other than 0 each
/// measure is first multiplied by a random factor of 0.8 to 1.2, so that a search that got lost can
/// start again elsewhere; one seed always gives one order. `trouble`, from 0 to 1 for each block,
/// doubles its measure at the most; empty: none.
std::vector<int32_t> OrderBlocks(const Model& model, Measure measure, uint64_t seed,
                                 const std::vector<double>& trouble = {});

}  // namespace hostnpu::planner

#endif  // HOSTNPU_PLANNER_ORDER_H_

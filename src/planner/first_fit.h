// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PLANNER_FIRST_FIT_H_
#define HOSTNPU_PLANNER_FIRST_FIT_H_

#include <cstdint>
#include <vector>

#include "planner/model.h"

namespace hostnpu::planner {

/// Offsets per block, and the top of the highest one.
struct Placement {
  std::vector<int64_t> offsets{};
  int64_t height = 0;
};

/// Puts each block, in the given order, into the lowest gap (or, with `best_fit`, the tightest gap
/// below the current top) that is free all the time it lives. Pinned blocks stand first. Never
/// fails; n log n for small problems, and 18,000 blocks with 12 million conflicts take 0.1 s.
Placement FirstFit(const Model& model, const std::vector<int32_t>& order, bool best_fit);

}  // namespace hostnpu::planner

#endif  // HOSTNPU_PLANNER_FIRST_FIT_H_

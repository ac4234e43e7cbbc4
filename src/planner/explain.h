// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PLANNER_EXPLAIN_H_
#define HOSTNPU_PLANNER_EXPLAIN_H_

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "planner/problem.h"
#include "planner/solver.h"

namespace hostnpu::planner {

/// Two buffers with common bytes, which never live together or must share.
struct Sharing {
  int32_t first = 0;
  int32_t second = 0;
  int64_t bytes = 0;  // in common
};

/// What a plan looks like to its user.
struct Explanation {
  int64_t height = 0;
  int64_t total_bytes = 0;  // without any reuse, alignment included: one buffer after the other
  int64_t live_bytes = 0;   // alive at the peak
  int64_t waste_bytes = 0;  // height - live_bytes: holes and padding at the peak
  Interval peak{};          // the steps in which the height is reached
  std::vector<int32_t> at_peak{};  // the buffers alive there, by offset
  std::vector<Sharing> sharing{};  // the largest first
};

/// Explains a plan that belongs to the problem. The peak is where the highest buffer lives and most
/// bytes are alive. At most `sharing_limit` pairs are listed.
Explanation Explain(const Problem& problem, const Plan& plan, size_t sharing_limit = 64);

/// Words of the caller's world for messages.
struct Wording {
  std::string memory{};   // "UB": what the bytes are of; may be empty
  std::string owner{};    // "ascend910b1": who has the capacity; empty: "the capacity is"
  std::string command{};  // "hostnpu plan softmax.csv --html": how to see the picture; may be empty
  std::function<std::string(int64_t)> step_name{};  // "Exp" for step 14; may be empty
};

/// The error for a solution that does not fit:
///
///     the plan needs 201728 bytes of UB, but ascend910b1 has 196352
///     note: the peak is at step 14 (Exp), where 3 buffers are live
///             x_tile    65536 bytes   steps  9 to 14
///     help: 5376 bytes too many; see the picture with: hostnpu plan softmax.csv --html
base::Error ExplainFailure(const Problem& problem, const Solution& solution,
                           const Wording& wording);

/// Solves, and turns a plan that does not fit into ExplainFailure's error.
base::Result<Plan> SolveOrExplain(const Problem& problem, const SolveOptions& options,
                                  const Wording& wording);

}  // namespace hostnpu::planner

#endif  // HOSTNPU_PLANNER_EXPLAIN_H_

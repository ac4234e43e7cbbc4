// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PLANNER_SOLVER_H_
#define HOSTNPU_PLANNER_SOLVER_H_

#include <cstdint>

#include "base/result.h"
#include "planner/problem.h"
#include "planner/search.h"

namespace hostnpu::planner {

struct SolveOptions {
  /// Off: a portfolio of quick ways, then a bounded search; deterministic, and never waits for a
  /// clock. On: searches until a plan fits (or, without a capacity, until the height is proved
  /// least), until the opposite is proved, or until the time limit.
  bool exact = false;
  double time_limit_seconds = 60;  // of the exact mode
  /// Work (Search::work) that the quick mode may spend on improving a plan that is 2 % or more
  /// above the bound; on one that is nearer in proportion less, down to a tenth. 0: first fit only.
  int64_t effort = 50'000'000;
  SearchSwitches switches{};
};

enum class Verdict {
  kFits,        ///< the plan is within the capacity
  kImpossible,  ///< proved: no plan is
  kGaveUp,      ///< none was found within the limits; one may exist
};

struct Solution {
  Verdict verdict = Verdict::kGaveUp;
  Plan plan{};              // the best one found; if the verdict is not kFits, above the capacity
  int64_t lower_bound = 0;  // proved: no plan is lower
  int64_t nodes = 0;        // search nodes spent

  bool Optimal() const { return plan.height == lower_bound; }
};

/// Finds offsets. An error means that the problem is malformed (see CheckProblem); a problem that
/// does not fit is a Solution with another verdict and the lowest plan found, so that it can be
/// explained. Pure and thread-safe. One problem always gives one plan, unless the exact mode's time
/// runs out.
base::Result<Solution> Solve(const Problem& problem, const SolveOptions& options = {});

}  // namespace hostnpu::planner

#endif  // HOSTNPU_PLANNER_SOLVER_H_

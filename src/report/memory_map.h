// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_REPORT_MEMORY_MAP_H_
#define HOSTNPU_REPORT_MEMORY_MAP_H_

#include <string>

#include "planner/explain.h"
#include "planner/problem.h"
#include "planner/solver.h"

namespace hostnpu::report {

/// A plan ready to be shown: one model for the text, the JSON and the page, so that they agree.
struct MemoryMap {
  std::string title{};  // what was planned: a file, a kernel, "UB of softmax"
  planner::Problem problem{};
  planner::Plan plan{};
  int64_t lower_bound = 0;  // bytes, proved
  planner::Verdict verdict = planner::Verdict::kFits;
  planner::Explanation explanation{};
};

/// Collects what the renderers need. The solution must belong to the problem.
MemoryMap MakeMemoryMap(std::string title, planner::Problem problem,
                        const planner::Solution& solution);

/// A summary and one row per buffer by offset: at most `row_limit` rows.
std::string RenderText(const MemoryMap& map, size_t row_limit = 200);

/// Everything, as one JSON object.
std::string RenderJson(const MemoryMap& map);

/// A page of its own that needs no network: bytes against time, the peak, holes, names, sizes, who
/// shares with whom; light and dark, and fit to print.
std::string RenderHtml(const MemoryMap& map);

}  // namespace hostnpu::report

#endif  // HOSTNPU_REPORT_MEMORY_MAP_H_

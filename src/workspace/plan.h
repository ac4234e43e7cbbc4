// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_WORKSPACE_PLAN_H_
#define HOSTNPU_WORKSPACE_PLAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "planner/problem.h"
#include "workspace/signature.h"

namespace hostnpu::workspace {

/// One workspace that a launch, or an operator of many launches, needs.
struct Region {
  std::string name{};
  int64_t bytes = 0;
  int64_t alignment = kDefaultAlignment;
  Contents contents{};
  /// When it holds data, in launches of the operator or phases of the kernel; none: all the time.
  std::vector<planner::Interval> live{};
};

/// Everything one call of a kernel or operator needs besides its tensors.
struct Request {
  std::string owner{};       // the kernel or operator, for messages
  int64_t system_bytes = 0;  // the library's part, in front; 0: none
  std::vector<Region> regions{};
  std::vector<planner::Pair> must_not_share{};  // by index of region
  /// Kept free behind each region, so that what runs over the end of one does not meet the next.
  int64_t guard_bytes = 0;
  /// Lifetimes are phases of one kernel: initial contents are written before it starts, so a region
  /// that has some lives from the beginning. Otherwise lifetimes are launches of an operator.
  bool one_launch = true;
};

/// Where a region stands.
struct Slot {
  std::string name{};
  int64_t offset = 0;  // from the arena's base, or from the persistent block's base
  int64_t bytes = 0;
  int64_t alignment = 1;
  Contents contents{};
  bool persistent = false;  // in the persistent block, which no other kernel uses
  int64_t first_step = 0;   // when its initial contents are due
};

/// One arena for all workspaces of a launch. Persistent-zero regions must keep their contents
/// between launches, so they stand in a block of their own that is never shared.
struct ArenaPlan {
  std::string owner{};
  int64_t bytes = 0;             // of the arena, the system part included
  int64_t alignment = 1;         // of its base
  int64_t system_bytes = 0;      // [0, system_bytes) is the library's
  int64_t persistent_bytes = 0;  // of the persistent block; 0: none
  int64_t padding_bytes = 0;     // of the arena: never used by any region
  int64_t unshared_bytes = 0;    // what the arena would need if nothing shared
  bool one_launch = true;        // as in Request
  int64_t first_step = 0;        // the first step of all
  std::vector<Slot> slots{};     // in the order of Request::regions
};

/// Packs the regions: regions with disjoint lifetimes share bytes. Validated independently. Errors:
/// a negative or absurd size, an alignment that is no power of two, an empty lifetime.
base::Result<ArenaPlan> PlanArena(const Request& request);

/// A table: name, offset, bytes, alignment, contents; then total, padding and what sharing saves.
std::string RenderPlan(const ArenaPlan& plan);

}  // namespace hostnpu::workspace

#endif  // HOSTNPU_WORKSPACE_PLAN_H_

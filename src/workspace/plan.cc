// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// A launch needs several scratch buffers of known size. One arena with fixed offsets is cheaper
// than several allocations, can be checked as a whole, and lets buffers of different phases share
// bytes. The planner finds the offsets; this file turns the words of launches into its words and
// back.
#include "workspace/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "planner/solver.h"
#include "planner/validator.h"

namespace hostnpu::workspace {
namespace {

base::Error Invalid(std::string message) {
  return base::Error{base::Code::kInvalidArgument, std::move(message)};
}

std::string Label(const Request& request, size_t index) {
  return fmt::format("[Workspace {} \"{}\"]", index, request.regions[index].name);
}

int64_t RoundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

base::Result<void> CheckRegion(const Request& request, size_t index) {
  const Region& region = request.regions[index];
  if (region.bytes < 0) {
    return Invalid(
        fmt::format("{} has a negative size ({} bytes).", Label(request, index), region.bytes));
  }
  if (region.bytes > kMaxBufferBytes) {
    return Invalid(fmt::format("{} has {} bytes; the limit is {}.", Label(request, index),
                               region.bytes, kMaxBufferBytes));
  }
  if (region.alignment < 1 || (region.alignment & (region.alignment - 1)) != 0 ||
      region.alignment > (int64_t{1} << 30)) {
    return Invalid(fmt::format("Alignment ({}) of {} is not a power of two up to 2^30.",
                               region.alignment, Label(request, index)));
  }
  const uint32_t pattern = region.contents.pattern_bytes;
  if (region.contents.kind == ContentsKind::kValue && pattern != 1 && pattern != 2 &&
      pattern != 4 && pattern != 8) {
    return Invalid(fmt::format("Initial value of {} has {} bytes; it may have 1, 2, 4 or 8.",
                               Label(request, index), pattern));
  }
  return {};
}

int64_t FirstStep(const Region& region, planner::Interval all) {
  if (region.live.empty()) return all.lower;
  int64_t first = region.live.front().lower;
  for (const planner::Interval& live : region.live) first = std::min(first, live.lower);
  return first;
}

/// A region without bytes has no end to run over.
int64_t GuardedBytes(const Request& request, const Region& region) {
  return region.bytes == 0 ? 0 : region.bytes + request.guard_bytes;
}

/// From the first step of all regions to the last.
planner::Interval AllSteps(const Request& request) {
  planner::Interval all{0, 1};
  bool any = false;
  for (const Region& region : request.regions) {
    for (const planner::Interval& live : region.live) {
      all.lower = any ? std::min(all.lower, live.lower) : live.lower;
      all.upper = any ? std::max(all.upper, live.upper) : live.upper;
      any = true;
    }
  }
  return all;
}

/// When the region's bytes are its own.
std::vector<planner::Interval> LiveSteps(const Request& request, const Region& region,
                                         planner::Interval all) {
  if (region.live.empty()) return {all};
  std::vector<planner::Interval> live = region.live;
  if (request.one_launch && region.contents.kind != ContentsKind::kUndefined) {
    const int64_t first = FirstStep(region, all);
    if (all.lower < first) live.push_back({all.lower, first});
  }
  return live;
}

/// The planner's view: the system part pinned to the front, then the regions that are not
/// persistent.
struct Packing {
  planner::Problem problem{};
  std::vector<size_t> region_of_buffer{};  // from buffer 1 on, if there is a system part
};

Packing MakePacking(const Request& request) {
  const planner::Interval all = AllSteps(request);
  Packing packing;
  if (request.system_bytes > 0) {
    packing.problem.buffers.push_back({"system", request.system_bytes, {all}, 1, 0});
  }
  std::vector<int32_t> buffer_of_region(request.regions.size(), -1);
  for (size_t i = 0; i < request.regions.size(); ++i) {
    const Region& region = request.regions[i];
    if (region.contents.kind == ContentsKind::kPersistentZero) continue;
    buffer_of_region[i] = static_cast<int32_t>(packing.problem.buffers.size());
    packing.region_of_buffer.push_back(i);
    packing.problem.buffers.push_back({region.name, GuardedBytes(request, region),
                                       LiveSteps(request, region, all), region.alignment,
                                       std::nullopt});
  }
  for (const planner::Pair& pair : request.must_not_share) {
    const int32_t a = buffer_of_region[pair.first];
    const int32_t b = buffer_of_region[pair.second];
    if (a >= 0 && b >= 0) packing.problem.must_not_share.push_back({a, b});
  }
  return packing;
}

/// Persistent regions stand one after the other.
void PlacePersistent(const Request& request, ArenaPlan* plan) {
  for (size_t i = 0; i < request.regions.size(); ++i) {
    const Region& region = request.regions[i];
    if (region.contents.kind != ContentsKind::kPersistentZero) continue;
    Slot& slot = plan->slots[i];
    slot.persistent = true;
    slot.offset = RoundUp(plan->persistent_bytes, region.alignment);
    plan->persistent_bytes = slot.offset + GuardedBytes(request, region);
  }
}

/// Bytes of the arena that belong to no region at any time.
int64_t CountPadding(const ArenaPlan& plan) {
  std::vector<std::pair<int64_t, int64_t>> used{{0, plan.system_bytes}};
  for (const Slot& slot : plan.slots) {
    if (!slot.persistent && slot.bytes > 0)
      used.emplace_back(slot.offset, slot.offset + slot.bytes);
  }
  std::sort(used.begin(), used.end());
  int64_t covered = 0;
  int64_t end = 0;
  for (const auto& [begin, top] : used) {
    covered += std::max<int64_t>(0, top - std::max(begin, end));
    end = std::max(end, top);
  }
  return plan.bytes - covered;
}

}  // namespace

base::Result<ArenaPlan> PlanArena(const Request& request) {
  const std::string doing = fmt::format("planning the workspace of \"{}\"", request.owner);
  if (request.system_bytes < 0 || request.system_bytes > kMaxBufferBytes) {
    return Invalid(fmt::format("The system workspace has {} bytes; it may have 0 to {}.",
                               request.system_bytes, kMaxBufferBytes))
        .While(doing);
  }
  if (request.guard_bytes < 0 || request.guard_bytes > kMaxBufferBytes) {
    return Invalid(fmt::format("The guard behind each workspace has {} bytes; it may have 0 to {}.",
                               request.guard_bytes, kMaxBufferBytes))
        .While(doing);
  }
  const auto count = static_cast<int64_t>(request.regions.size());
  for (const planner::Pair& pair : request.must_not_share) {
    if (std::min(pair.first, pair.second) < 0 || std::max(pair.first, pair.second) >= count) {
      return Invalid(fmt::format("A must-not-share pair names workspaces {} and {} of {}.",
                                 pair.first, pair.second, count))
          .While(doing);
    }
  }
  const planner::Interval all = AllSteps(request);
  ArenaPlan plan;
  plan.owner = request.owner;
  plan.one_launch = request.one_launch;
  plan.first_step = all.lower;
  plan.system_bytes = request.system_bytes;
  plan.bytes = request.system_bytes;
  plan.unshared_bytes = request.system_bytes;
  plan.alignment = kDefaultAlignment;
  for (size_t i = 0; i < request.regions.size(); ++i) {
    HOSTNPU_TRY(CheckRegion(request, i), doing);
    const Region& region = request.regions[i];
    plan.slots.push_back({region.name, 0, region.bytes, region.alignment, region.contents, false,
                          request.one_launch ? plan.first_step : FirstStep(region, all)});
    plan.alignment = std::max(plan.alignment, region.alignment);
    if (region.contents.kind == ContentsKind::kPersistentZero) continue;
    plan.unshared_bytes =
        RoundUp(plan.unshared_bytes, region.alignment) + GuardedBytes(request, region);
  }
  PlacePersistent(request, &plan);

  const Packing packing = MakePacking(request);
  auto solution = planner::Solve(packing.problem);
  if (!solution.ok()) return std::move(solution).error().While(doing);
  HOSTNPU_TRY(planner::Validate(packing.problem, solution->plan), doing);
  plan.bytes = std::max(plan.bytes, solution->plan.height);
  const size_t first = request.system_bytes > 0 ? 1 : 0;
  for (size_t i = 0; i < packing.region_of_buffer.size(); ++i) {
    plan.slots[packing.region_of_buffer[i]].offset = solution->plan.offsets[first + i];
  }
  plan.padding_bytes = CountPadding(plan);
  return plan;
}

std::string RenderPlan(const ArenaPlan& plan) {
  size_t width = 9;
  for (const Slot& slot : plan.slots) width = std::max(width, slot.name.size());
  std::string text = fmt::format("workspace of {}\n  {:<{}}  {:>14}  {:>14}  {:>9}  contents\n",
                                 plan.owner, "name", width, "offset", "bytes", "alignment");
  if (plan.system_bytes > 0) {
    text += fmt::format("  {:<{}}  {:>14}  {:>14}  {:>9}  system\n", "(library)", width, 0,
                        plan.system_bytes, plan.alignment);
  }
  for (const Slot& slot : plan.slots) {
    text += fmt::format("  {:<{}}  {:>14}  {:>14}  {:>9}  {}{}\n", slot.name, width, slot.offset,
                        slot.bytes, slot.alignment, ContentsName(slot.contents.kind),
                        slot.persistent ? ", in its own block" : "");
  }
  text += fmt::format("  total {} bytes, {} of them padding; {} bytes without sharing\n",
                      plan.bytes, plan.padding_bytes, plan.unshared_bytes);
  if (plan.persistent_bytes > 0) {
    text += fmt::format("  and {} bytes that keep their contents between launches\n",
                        plan.persistent_bytes);
  }
  return text;
}

}  // namespace hostnpu::workspace

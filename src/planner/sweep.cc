// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// Walking once over all starts and ends gives the bytes alive at every moment. Their maximum is
// what even a perfect plan needs, so it measures every plan and tells at once when a capacity is
// hopeless.
#include "planner/sweep.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace hostnpu::planner {
namespace {

struct Event {
  int64_t time;
  int64_t size;  // positive: starts; negative: ends
  int32_t group;
};

std::vector<int32_t> GroupOfBuffer(const Problem& problem) {
  std::vector<int32_t> group(problem.buffers.size());
  std::iota(group.begin(), group.end(), 0);
  bool changed = !problem.must_share.empty();
  while (changed) {
    changed = false;
    for (const Pair& pair : problem.must_share) {
      const int32_t low = std::min(group[pair.first], group[pair.second]);
      changed |= group[pair.first] != low || group[pair.second] != low;
      group[pair.first] = group[pair.second] = low;
    }
  }
  return group;
}

}  // namespace

std::vector<Step> SweepLiveBytes(const Problem& problem) {
  const std::vector<int32_t> group_of = GroupOfBuffer(problem);
  std::vector<char> shared(problem.buffers.size(), false);
  for (const Pair& pair : problem.must_share) shared[group_of[pair.first]] = true;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {  // stretches of one buffer may overlap
    if (problem.buffers[i].live.size() > 1) shared[group_of[i]] = true;
  }

  std::vector<Event> events;
  events.reserve(2 * problem.buffers.size());
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    if (buffer.size == 0) continue;
    for (const Interval& live : buffer.live) {
      events.push_back({live.lower, buffer.size, group_of[i]});
      events.push_back({live.upper, -buffer.size, group_of[i]});
    }
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return a.time != b.time ? a.time < b.time : a.size < b.size;
  });

  std::map<int32_t, std::multiset<int64_t>> alive;  // sizes alive, of groups with many stretches
  std::vector<Step> steps;
  int64_t live = 0;
  for (const Event& event : events) {
    if (shared[event.group]) {
      std::multiset<int64_t>& sizes = alive[event.group];
      if (!sizes.empty()) live -= *sizes.rbegin();
      if (event.size > 0) {
        sizes.insert(event.size);
      } else {
        sizes.erase(sizes.find(-event.size));
      }
      if (!sizes.empty()) live += *sizes.rbegin();
    } else {
      live += event.size;
    }
    if (!steps.empty() && steps.back().time == event.time) {
      steps.back().live_bytes = live;
    } else {
      steps.push_back({event.time, live});
    }
  }
  return steps;
}

int64_t MaxLiveBytes(const Problem& problem) {
  int64_t most = 0;
  for (const Step& step : SweepLiveBytes(problem)) most = std::max(most, step.live_bytes);
  return most;
}

}  // namespace hostnpu::planner

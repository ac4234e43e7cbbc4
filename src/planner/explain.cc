// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// "Out of memory" helps nobody. What helps is the moment at which too much was alive, the names and
// sizes of what was alive then, and by how much it is too much: with these a user sees what to
// shrink, what to end earlier, or that the planner left holes and the exact mode is worth a try.
#include "planner/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "planner/sweep.h"

namespace hostnpu::planner {
namespace {

bool LivesAt(const Buffer& buffer, int64_t time) {
  for (const Interval& live : buffer.live) {
    if (live.lower <= time && time < live.upper) return true;
  }
  return false;
}

/// The step with most live bytes among those where a buffer accepted by `counts` is alive.
template <typename Counts>
Interval FindPeak(const Problem& problem, const Counts& counts, int64_t* live_bytes) {
  const std::vector<Step> steps = SweepLiveBytes(problem);
  Interval peak;
  *live_bytes = -1;
  std::vector<Interval> windows;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    if (!counts(static_cast<int32_t>(i))) continue;
    windows.insert(windows.end(), problem.buffers[i].live.begin(), problem.buffers[i].live.end());
  }
  for (size_t i = 0; i + 1 < steps.size(); ++i) {
    if (steps[i].live_bytes <= *live_bytes) continue;
    for (const Interval& window : windows) {
      if (window.lower > steps[i].time || steps[i].time >= window.upper) continue;
      peak = {steps[i].time, steps[i + 1].time};
      *live_bytes = steps[i].live_bytes;
      break;
    }
  }
  *live_bytes = std::max<int64_t>(*live_bytes, 0);
  return peak;
}

std::vector<int32_t> BuffersAt(const Problem& problem, const Plan& plan, int64_t time) {
  std::vector<int32_t> alive;
  for (int32_t i = 0; i < static_cast<int32_t>(problem.buffers.size()); ++i) {
    if (problem.buffers[i].size > 0 && LivesAt(problem.buffers[i], time)) alive.push_back(i);
  }
  std::sort(alive.begin(), alive.end(), [&](int32_t a, int32_t b) {
    return plan.offsets[a] != plan.offsets[b] ? plan.offsets[a] < plan.offsets[b] : a < b;
  });
  return alive;
}

std::vector<Sharing> FindSharing(const Problem& problem, const Plan& plan, size_t limit) {
  std::vector<int32_t> order;
  for (int32_t i = 0; i < static_cast<int32_t>(problem.buffers.size()); ++i) {
    if (problem.buffers[i].size > 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return plan.offsets[a] != plan.offsets[b] ? plan.offsets[a] < plan.offsets[b] : a < b;
  });
  auto top = [&](int32_t i) { return plan.offsets[i] + problem.buffers[i].size; };
  auto larger = [](const Sharing& a, const Sharing& b) {
    if (a.bytes != b.bytes) return a.bytes > b.bytes;
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  };
  std::vector<Sharing> heap;  // the smallest kept pair in front
  for (size_t i = 0; i < order.size() && limit > 0; ++i) {
    for (size_t j = i + 1; j < order.size() && plan.offsets[order[j]] < top(order[i]); ++j) {
      const int64_t bytes = std::min(top(order[i]), top(order[j])) - plan.offsets[order[j]];
      const Sharing pair{std::min(order[i], order[j]), std::max(order[i], order[j]), bytes};
      if (heap.size() == limit) {
        if (!larger(pair, heap.front())) continue;
        std::pop_heap(heap.begin(), heap.end(), larger);
        heap.pop_back();
      }
      heap.push_back(pair);
      std::push_heap(heap.begin(), heap.end(), larger);
    }
  }
  std::sort(heap.begin(), heap.end(), larger);
  return heap;
}

std::string Name(const Problem& problem, int32_t index) {
  const std::string& name = problem.buffers[index].name;
  return name.empty() ? fmt::format("buffer {}", index) : name;
}

struct Row {
  std::string name;
  std::string size;
  Interval live;  // the stretch around the peak
};

std::string BufferRows(const Problem& problem, const std::vector<int32_t>& buffers, int64_t time) {
  constexpr size_t kMostRows = 16;
  std::vector<Row> rows;
  size_t name_width = 0;
  size_t size_width = 0;
  size_t step_width = 0;
  for (int32_t index : buffers) {
    const Buffer& buffer = problem.buffers[index];
    Row row{Name(problem, index), fmt::format("{}", buffer.size), {}};
    for (const Interval& live : buffer.live) {
      if (live.lower <= time && time < live.upper) row.live = live;
    }
    name_width = std::max(name_width, row.name.size());
    size_width = std::max(size_width, row.size.size());
    step_width = std::max({step_width, fmt::formatted_size("{}", row.live.lower),
                           fmt::formatted_size("{}", row.live.upper - 1)});
    rows.push_back(std::move(row));
  }
  std::string text;
  for (size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) {
    const Row& row = rows[i];
    const bool one = row.live.upper - row.live.lower == 1;
    text += fmt::format("\n        {:<{}}   {:>{}} bytes   ", row.name, name_width, row.size,
                        size_width);
    text += one ? fmt::format("step  {:>{}}", row.live.lower, step_width)
                : fmt::format("steps {:>{}} to {}", row.live.lower, step_width, row.live.upper - 1);
  }
  if (rows.size() > kMostRows)
    text += fmt::format("\n        and {} more", rows.size() - kMostRows);
  return text;
}

std::string Headline(const Problem& problem, const Solution& solution, const Wording& wording) {
  const std::string of = wording.memory.empty() ? "" : " of " + wording.memory;
  const std::string limit = wording.owner.empty()
                                ? fmt::format("the capacity is {}", problem.capacity)
                                : fmt::format("{} has {}", wording.owner, problem.capacity);
  if (MaxLiveBytes(problem) > problem.capacity || solution.Optimal()) {
    return fmt::format("the plan needs {} bytes{}, but {}", solution.lower_bound, of, limit);
  }
  return fmt::format("the best plan found needs {} bytes{}, but {}", solution.plan.height, of,
                     limit);
}

}  // namespace

Explanation Explain(const Problem& problem, const Plan& plan, size_t sharing_limit) {
  Explanation explanation;
  explanation.height = plan.height;
  for (const Buffer& buffer : problem.buffers) {
    const int64_t rest = explanation.total_bytes % buffer.alignment;
    if (rest != 0) explanation.total_bytes += buffer.alignment - rest;
    explanation.total_bytes += buffer.size;
  }
  auto highest = [&](int32_t i) {
    return problem.buffers[i].size > 0 && plan.offsets[i] + problem.buffers[i].size == plan.height;
  };
  explanation.peak = FindPeak(problem, highest, &explanation.live_bytes);
  explanation.waste_bytes = plan.height - explanation.live_bytes;
  explanation.at_peak = BuffersAt(problem, plan, explanation.peak.lower);
  explanation.sharing = FindSharing(problem, plan, sharing_limit);
  return explanation;
}

base::Error ExplainFailure(const Problem& problem, const Solution& solution,
                           const Wording& wording) {
  const int64_t most_live = MaxLiveBytes(problem);
  const bool too_many_alive = most_live > problem.capacity;
  int64_t live_bytes = 0;
  Interval peak = FindPeak(problem, [](int32_t) { return true; }, &live_bytes);
  if (!too_many_alive) {
    const Explanation explanation = Explain(problem, solution.plan, 0);
    peak = explanation.peak;
    live_bytes = explanation.live_bytes;
  }
  std::vector<int32_t> alive = BuffersAt(problem, solution.plan, peak.lower);
  std::sort(alive.begin(), alive.end(), [&](int32_t a, int32_t b) {
    const int64_t left = problem.buffers[a].size;
    const int64_t right = problem.buffers[b].size;
    return left != right ? left > right : a < b;
  });

  std::string text = Headline(problem, solution, wording);
  const std::string step_name = wording.step_name ? wording.step_name(peak.lower) : "";
  text += fmt::format("\nnote: the peak is at step {}{}, where {} {} live", peak.lower,
                      step_name.empty() ? "" : fmt::format(" ({})", step_name), alive.size(),
                      alive.size() == 1 ? "buffer is" : "buffers are");
  text += BufferRows(problem, alive, peak.lower);
  const std::string picture =
      wording.command.empty() ? "" : fmt::format("; see the picture with: {}", wording.command);
  if (too_many_alive) {
    text += fmt::format("\nhelp: {} bytes too many{}", most_live - problem.capacity, picture);
  } else if (solution.verdict == Verdict::kImpossible) {
    text += fmt::format(
        "\nnote: only {} bytes are live there, but it is proved that alignment, fixed "
        "offsets or the lifetimes leave no plan that fits{}",
        live_bytes, picture);
  } else {
    text += fmt::format(
        "\nhelp: {} bytes too many, of which {} are holes; the exact mode may close "
        "them{}",
        solution.plan.height - problem.capacity,
        std::min(solution.plan.height - problem.capacity, solution.plan.height - live_bytes),
        picture);
  }
  return base::Error{base::Code::kOutOfMemory, std::move(text)};
}

base::Result<Plan> SolveOrExplain(const Problem& problem, const SolveOptions& options,
                                  const Wording& wording) {
  HOSTNPU_ASSIGN_OR_RETURN(Solution solution, Solve(problem, options));
  if (solution.verdict != Verdict::kFits) return ExplainFailure(problem, solution, wording);
  return std::move(solution.plan);
}

}  // namespace hostnpu::planner

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// The solver is clever, so it needs a witness that is not. This one walks through time with a map
// from offsets to the buffers alive: whoever arrives must end before its upper neighbour begins and
// begin after its lower neighbour ends. As long as that held so far, the two neighbours are all to
// compare with.
#include "planner/validator.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace hostnpu::planner {
namespace {

class Witness {
 public:
  Witness(const Problem& problem, const Plan& plan, size_t limit)
      : problem_(problem), plan_(plan), limit_(limit) {}

  std::vector<Violation> Run() {
    if (plan_.offsets.size() != problem_.buffers.size()) {
      Add(Rule::kOffsetCount, -1, -1,
          fmt::format("The plan has {} offsets for {} buffers.", plan_.offsets.size(),
                      problem_.buffers.size()));
      return std::move(found_);
    }
    CheckEach();
    CheckPairs();
    if (found_.empty()) CheckTogether();
    return std::move(found_);
  }

 private:
  /// A group of buffers that share an offset, while at least one of them lives.
  struct Standing {
    int32_t group;
    std::multiset<std::pair<int64_t, int32_t>> tops;  // (top, buffer) of the members alive
    int64_t Top() const { return tops.rbegin()->first; }
    int32_t Tallest() const { return tops.rbegin()->second; }
  };
  struct Event {
    int64_t time;
    bool start;
    int32_t buffer;
  };

  std::string Name(int32_t index) const {
    const std::string& name = problem_.buffers[index].name;
    return name.empty() ? fmt::format("buffer {}", index)
                        : fmt::format("buffer {} \"{}\"", index, name);
  }

  std::string Bytes(int32_t index) const {
    return fmt::format("bytes [{}, {})", plan_.offsets[index],
                       plan_.offsets[index] + problem_.buffers[index].size);
  }

  void Add(Rule rule, int32_t first, int32_t second, std::string text) {
    if (found_.size() < limit_) found_.push_back({rule, first, second, std::move(text)});
  }

  void CheckEach() {
    int64_t height = 0;
    for (int32_t i = 0; i < static_cast<int32_t>(plan_.offsets.size()); ++i) {
      const Buffer& buffer = problem_.buffers[i];
      const int64_t offset = plan_.offsets[i];
      int64_t top = 0;
      if (offset < 0 || __builtin_add_overflow(offset, buffer.size, &top)) {
        Add(Rule::kNegative, i, -1, fmt::format("{} has offset {}.", Name(i), offset));
        continue;
      }
      if (offset % buffer.alignment != 0) {
        Add(Rule::kAlignment, i, -1,
            fmt::format("{} has offset {}, not a multiple of {}.", Name(i), offset,
                        buffer.alignment));
      }
      if (buffer.offset.has_value() && *buffer.offset != offset) {
        Add(Rule::kPin, i, -1,
            fmt::format("{} has offset {}, but is pinned at {}.", Name(i), offset, *buffer.offset));
      }
      if (buffer.size == 0) continue;
      if (top > problem_.capacity) {
        Add(Rule::kCapacity, i, -1,
            fmt::format("{} ends at {}, above the capacity {}.", Name(i), top, problem_.capacity));
      }
      height = std::max(height, top);
    }
    if (height != plan_.height) {
      Add(Rule::kHeight, -1, -1,
          fmt::format("The plan says its height is {}, but its buffers end at {}.", plan_.height,
                      height));
    }
  }

  void CheckPairs() {
    for (const Pair& pair : problem_.must_share) {
      if (plan_.offsets[pair.first] == plan_.offsets[pair.second]) continue;
      Add(Rule::kMustShare, pair.first, pair.second,
          fmt::format("{} has offset {} and {} has offset {}, but they must share.",
                      Name(pair.first), plan_.offsets[pair.first], Name(pair.second),
                      plan_.offsets[pair.second]));
    }
    for (const Pair& pair : problem_.must_not_share) {
      const int64_t low = std::max(plan_.offsets[pair.first], plan_.offsets[pair.second]);
      const int64_t high =
          std::min(plan_.offsets[pair.first] + problem_.buffers[pair.first].size,
                   plan_.offsets[pair.second] + problem_.buffers[pair.second].size);
      if (low >= high) continue;
      Add(Rule::kMustNotShare, pair.first, pair.second,
          fmt::format("{} has {} and {} has {}, but they must not share.", Name(pair.first),
                      Bytes(pair.first), Name(pair.second), Bytes(pair.second)));
    }
  }

  /// The smallest buffer each one is tied to by must-share pairs: a walk over the graph of pairs.
  std::vector<int32_t> FindGroups() const {
    std::multimap<int32_t, int32_t> tied;
    for (const Pair& pair : problem_.must_share) {
      tied.emplace(pair.first, pair.second);
      tied.emplace(pair.second, pair.first);
    }
    std::vector<int32_t> group(problem_.buffers.size(), -1);
    for (int32_t i = 0; i < static_cast<int32_t>(group.size()); ++i) {
      if (group[i] >= 0) continue;
      std::vector<int32_t> todo{i};
      group[i] = i;
      while (!todo.empty()) {
        const int32_t here = todo.back();
        todo.pop_back();
        const auto [begin, end] = tied.equal_range(here);
        for (auto next = begin; next != end; ++next) {
          if (group[next->second] >= 0) continue;
          group[next->second] = i;
          todo.push_back(next->second);
        }
      }
    }
    return group;
  }

  void ReportOverlap(int32_t a, int32_t b, int64_t time) {
    Add(Rule::kOverlap, std::min(a, b), std::max(a, b),
        fmt::format("{} has {} and {} has {}, and both live at step {}.", Name(std::min(a, b)),
                    Bytes(std::min(a, b)), Name(std::max(a, b)), Bytes(std::max(a, b)), time));
  }

  void Arrive(int32_t buffer, int32_t group, int64_t time) {
    const int64_t offset = plan_.offsets[buffer];
    const int64_t top = offset + problem_.buffers[buffer].size;
    auto [here, added] = standing_.try_emplace(offset, Standing{group, {}});
    if (!added && here->second.group != group) {
      ReportOverlap(buffer, here->second.Tallest(), time);
      return;
    }
    here->second.tops.emplace(top, buffer);
    if (added && here != standing_.begin()) {
      const Standing& below = std::prev(here)->second;
      if (below.Top() > offset) ReportOverlap(below.Tallest(), buffer, time);
    }
    const auto above = std::next(here);
    if (above != standing_.end() && above->first < top) {
      ReportOverlap(buffer, above->second.Tallest(), time);
    }
  }

  void Leave(int32_t buffer) {
    const auto here = standing_.find(plan_.offsets[buffer]);
    if (here == standing_.end()) return;
    auto& tops = here->second.tops;
    const auto top = tops.find({plan_.offsets[buffer] + problem_.buffers[buffer].size, buffer});
    if (top != tops.end()) tops.erase(top);
    if (tops.empty()) standing_.erase(here);
  }

  void CheckTogether() {
    const std::vector<int32_t> group = FindGroups();
    std::vector<Event> events;
    for (int32_t i = 0; i < static_cast<int32_t>(problem_.buffers.size()); ++i) {
      if (problem_.buffers[i].size == 0) continue;
      for (const Interval& live : problem_.buffers[i].live) {
        events.push_back({live.lower, true, i});
        events.push_back({live.upper, false, i});
      }
    }
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
      return a.time != b.time ? a.time < b.time : a.start < b.start;
    });
    for (const Event& event : events) {
      if (event.start) {
        Arrive(event.buffer, group[event.buffer], event.time);
      } else {
        Leave(event.buffer);
      }
      if (found_.size() >= limit_) return;
    }
  }

  const Problem& problem_;
  const Plan& plan_;
  const size_t limit_;
  std::vector<Violation> found_;
  std::map<int64_t, Standing> standing_;
};

}  // namespace

std::vector<Violation> FindViolations(const Problem& problem, const Plan& plan, size_t limit) {
  return Witness(problem, plan, limit).Run();
}

base::Result<void> Validate(const Problem& problem, const Plan& plan) {
  const std::vector<Violation> found = FindViolations(problem, plan, 1);
  if (found.empty()) return {};
  return base::Error{base::Code::kInternal, found.front().text};
}

}  // namespace hostnpu::planner

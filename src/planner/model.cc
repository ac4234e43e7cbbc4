// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// A problem as people write it has names, pairs and times with large gaps. The solver wants few,
// small numbers: must-share pairs become one block, times become section numbers, and everything
// that can be wrong with the input is found here, once, so that the search itself never meets a bad
// number.
#include "planner/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace hostnpu::planner {
namespace {

using base::Code;
using base::Error;

std::string Label(const Problem& problem, int32_t index) {
  const std::string& name = problem.buffers[index].name;
  return name.empty() ? fmt::format("[Buffer {}]", index)
                      : fmt::format("[Buffer {} \"{}\"]", index, name);
}

std::string LiveText(const Buffer& buffer) {
  std::string text;
  for (const Interval& live : buffer.live) {
    if (!text.empty()) text += ", ";
    text += fmt::format("[{}, {})", live.lower, live.upper);
  }
  return text;
}

Error Invalid(std::string message) { return Error{Code::kInvalidArgument, std::move(message)}; }

base::Result<void> CheckBuffer(const Problem& problem, int32_t index) {
  const Buffer& buffer = problem.buffers[index];
  if (buffer.size < 0) {
    return Invalid(
        fmt::format("Size ({} bytes) of {} is negative.", buffer.size, Label(problem, index)));
  }
  if (buffer.alignment < 1 || buffer.alignment > kMaxTotal) {
    return Invalid(fmt::format("Alignment ({}) of {} is not between 1 and {}.", buffer.alignment,
                               Label(problem, index), kMaxTotal));
  }
  if (buffer.live.empty()) {
    return Invalid(fmt::format("{} has no lifetime.", Label(problem, index)));
  }
  for (const Interval& live : buffer.live) {
    if (live.lower >= live.upper) {
      return Invalid(fmt::format("Lifetime [{}, {}) of {} is empty.", live.lower, live.upper,
                                 Label(problem, index)));
    }
  }
  if (!buffer.offset.has_value()) return {};
  if (*buffer.offset < 0 || *buffer.offset > kMaxTotal) {
    return Invalid(fmt::format("Fixed offset ({}) of {} is not between 0 and {}.", *buffer.offset,
                               Label(problem, index), kMaxTotal));
  }
  if (*buffer.offset % buffer.alignment != 0) {
    return Invalid(fmt::format("Fixed offset ({}) of {} is not a multiple of its alignment ({}).",
                               *buffer.offset, Label(problem, index), buffer.alignment));
  }
  return {};
}

base::Result<void> CheckPairs(const Problem& problem, const std::vector<Pair>& pairs,
                              const char* kind) {
  const auto count = static_cast<int32_t>(problem.buffers.size());
  for (const Pair& pair : pairs) {
    for (int32_t index : {pair.first, pair.second}) {
      if (index < 0 || index >= count) {
        return Invalid(fmt::format("A {} pair names buffer {}, but there are {} buffers.", kind,
                                   index, count));
      }
    }
    if (pair.first == pair.second) {
      return Invalid(fmt::format("A {} pair names {} twice.", kind, Label(problem, pair.first)));
    }
  }
  return {};
}

base::Result<void> CheckParts(const Problem& problem) {
  if (problem.capacity < 0) {
    return Invalid(fmt::format("Capacity ({} bytes) is negative.", problem.capacity));
  }
  int64_t total = 0;
  for (int32_t i = 0; i < static_cast<int32_t>(problem.buffers.size()); ++i) {
    HOSTNPU_ASSIGN_OR_RETURN(auto unused, [&]() -> base::Result<bool> {
      if (auto checked = CheckBuffer(problem, i); !checked.ok()) return checked.error();
      return true;
    }());
    static_cast<void>(unused);
    const Buffer& buffer = problem.buffers[i];
    int64_t sum = 0;
    if (__builtin_add_overflow(buffer.size, buffer.alignment, &sum) ||
        __builtin_add_overflow(total, sum, &total) || total > kMaxTotal) {
      return Invalid(
          fmt::format("Sizes and alignments of the buffers up to {} add up to more than {} bytes.",
                      Label(problem, i), kMaxTotal));
    }
  }
  if (auto checked = CheckPairs(problem, problem.must_share, "must-share"); !checked.ok()) {
    return checked;
  }
  return CheckPairs(problem, problem.must_not_share, "must-not-share");
}

/// The first member of the group of each buffer.
std::vector<int32_t> Groups(const Problem& problem) {
  std::vector<int32_t> parent(problem.buffers.size());
  std::iota(parent.begin(), parent.end(), 0);
  auto find = [&](int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const Pair& pair : problem.must_share) {
    const int32_t a = find(pair.first);
    const int32_t b = find(pair.second);
    parent[std::max(a, b)] = std::min(a, b);
  }
  for (size_t i = 0; i < parent.size(); ++i) parent[i] = find(static_cast<int32_t>(i));
  return parent;
}

std::vector<Interval> Union(std::vector<Interval> live) {
  if (live.size() < 2) return live;
  std::sort(live.begin(), live.end(),
            [](const Interval& a, const Interval& b) { return a.lower < b.lower; });
  std::vector<Interval> merged;
  for (const Interval& next : live) {
    if (!merged.empty() && next.lower <= merged.back().upper) {
      merged.back().upper = std::max(merged.back().upper, next.upper);
    } else {
      merged.push_back(next);
    }
  }
  return merged;
}

/// A group while the model is built: its block, and its lifetime in the caller's time.
struct Group {
  Block block{};
  std::vector<Interval> live{};
  int32_t pinned_member = -1;
};

base::Result<void> Join(const Problem& problem, int32_t index, Group* group) {
  const Buffer& buffer = problem.buffers[index];
  Block& block = group->block;
  block.size = std::max(block.size, buffer.size);
  const int64_t common = std::gcd(block.alignment, buffer.alignment);
  int64_t multiple = 0;
  if (__builtin_mul_overflow(block.alignment / common, buffer.alignment, &multiple) ||
      multiple > kMaxTotal) {
    return Invalid(
        fmt::format("Alignment ({}) of {} and alignment ({}) of the buffers it must share"
                    " with have no common multiple below {}.",
                    buffer.alignment, Label(problem, index), block.alignment, kMaxTotal));
  }
  block.alignment = multiple;
  group->live.insert(group->live.end(), buffer.live.begin(), buffer.live.end());
  if (!buffer.offset.has_value()) return {};
  if (group->pinned_member >= 0 && block.pin != *buffer.offset) {
    return Invalid(fmt::format("{} is fixed at offset {} and {} at offset {}, but they must share.",
                               Label(problem, group->pinned_member), block.pin,
                               Label(problem, index), *buffer.offset));
  }
  block.pin = *buffer.offset;
  group->pinned_member = index;
  return {};
}

/// Numbers the sections and gives each group its ranges: see Model.
int32_t NumberSections(std::vector<Group>* groups) {
  struct Event {
    int64_t time;
    bool start;
    int32_t group;
    int32_t part;
  };
  std::vector<Event> events;
  for (int32_t g = 0; g < static_cast<int32_t>(groups->size()); ++g) {
    Group& group = (*groups)[g];
    if (group.block.size == 0) continue;
    group.block.ranges.resize(group.live.size());
    for (int32_t part = 0; part < static_cast<int32_t>(group.live.size()); ++part) {
      events.push_back({group.live[part].lower, true, g, part});
      events.push_back({group.live[part].upper, false, g, part});
      group.block.length += group.live[part].upper - group.live[part].lower;
    }
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return a.time != b.time ? a.time < b.time : a.start < b.start;
  });
  int32_t count = 0;
  bool open = false;  // something started since the last section was closed
  for (const Event& event : events) {
    SectionRange& range = (*groups)[event.group].block.ranges[event.part];
    if (event.start) {
      range.lower = count;
      open = true;
    } else {
      if (open) ++count;
      open = false;
      range.upper = count;
    }
  }
  return count;
}

void Tally(Model* model) {
  std::vector<int64_t> delta(model->section_count + 1, 0);
  std::vector<int32_t> births(model->section_count + 1, 0);  // less the deaths
  for (Block& block : model->blocks) {
    // Two stretches may have become neighbours where the sections between them were dropped.
    std::vector<SectionRange> joined;
    for (const SectionRange& range : block.ranges) {
      if (!joined.empty() && joined.back().upper >= range.lower) {
        joined.back().upper = std::max(joined.back().upper, range.upper);
      } else {
        joined.push_back(range);
      }
    }
    block.ranges = std::move(joined);
    block.hull = {block.ranges.front().lower, block.ranges.back().upper};
    for (const SectionRange& range : block.ranges) {
      delta[range.lower] += block.size;
      delta[range.upper] -= block.size;
      ++births[range.lower];
      --births[range.upper];
    }
    if (block.pin >= 0) model->lower_bound = std::max(model->lower_bound, block.pin + block.size);
  }
  model->section_total.resize(model->section_count);
  int64_t live = 0;
  int32_t alive = 0;
  for (int32_t s = 0; s < model->section_count; ++s) {
    live += delta[s];
    alive += births[s];
    model->most_alive = std::max(model->most_alive, alive);
    model->section_total[s] = live;
    model->lower_bound = std::max(model->lower_bound, live);
  }
}

base::Result<void> CheckSeparations(const Problem& problem, const std::vector<int32_t>& group_of) {
  for (const Pair& pair : problem.must_not_share) {
    if (group_of[pair.first] == group_of[pair.second]) {
      return Invalid(fmt::format("{} and {} must share and must not share.",
                                 Label(problem, pair.first), Label(problem, pair.second)));
    }
  }
  return {};
}

base::Result<void> CheckPins(const Problem& problem, const std::vector<Group>& groups,
                             const Model& model, const std::vector<int32_t>& group_of_block) {
  std::vector<int32_t> pinned;
  for (int32_t b = 0; b < static_cast<int32_t>(model.blocks.size()); ++b) {
    const Block& block = model.blocks[b];
    if (block.pin < 0) continue;
    const int32_t member = groups[group_of_block[b]].pinned_member;
    if (block.pin % block.alignment != 0) {
      return Invalid(
          fmt::format("Fixed offset ({}) of {} is not a multiple of the alignment ({}) of"
                      " the buffers it must share with.",
                      block.pin, Label(problem, member), block.alignment));
    }
    if (block.pin + block.size > problem.capacity) {
      return Error{
          Code::kOutOfMemory,
          fmt::format("{} is fixed at offset {} and ends at {}, past the capacity ({} bytes).",
                      Label(problem, member), block.pin, block.pin + block.size, problem.capacity)};
    }
    pinned.push_back(b);
  }
  std::sort(pinned.begin(), pinned.end(),
            [&](int32_t a, int32_t b) { return model.blocks[a].pin < model.blocks[b].pin; });
  for (size_t i = 0; i < pinned.size(); ++i) {
    const Block& low = model.blocks[pinned[i]];
    for (size_t j = i + 1; j < pinned.size(); ++j) {
      const Block& high = model.blocks[pinned[j]];
      if (high.pin >= low.pin + low.size) break;
      if (!model.Conflict(pinned[i], pinned[j])) continue;
      const int32_t a = groups[group_of_block[pinned[i]]].pinned_member;
      const int32_t b = groups[group_of_block[pinned[j]]].pinned_member;
      return Invalid(fmt::format(
          "{} is fixed at bytes [{}, {}) and {} at bytes [{}, {}), and they "
          "live together: steps {} and steps {}.",
          Label(problem, a), low.pin, low.pin + low.size, Label(problem, b), high.pin,
          high.pin + high.size, LiveText(problem.buffers[a]), LiveText(problem.buffers[b])));
    }
  }
  return {};
}

}  // namespace

bool Model::Conflict(int32_t a, int32_t b) const {
  const Block& left = blocks[a];
  const Block& right = blocks[b];
  size_t i = 0;
  size_t j = 0;
  while (i < left.ranges.size() && j < right.ranges.size()) {
    if (left.ranges[i].upper <= right.ranges[j].lower) {
      ++i;
    } else if (right.ranges[j].upper <= left.ranges[i].lower) {
      ++j;
    } else {
      return true;
    }
  }
  return std::find(left.apart.begin(), left.apart.end(), b) != left.apart.end();
}

int64_t RoundSizes(Model* model) {
  if (model->blocks.empty()) return 0;
  const int64_t alignment = model->blocks.front().alignment;
  for (const Block& block : model->blocks) {
    if (block.alignment != alignment) return 0;
  }
  int64_t most = 0;
  for (Block& block : model->blocks) {
    const int64_t rest = block.size % alignment;
    const int64_t padding = rest == 0 ? 0 : alignment - rest;
    most = std::max(most, padding);
    block.size += padding;
  }
  if (most > 0) Tally(model);
  return most;
}

Model CoreOf(const Model& model, int64_t least_bytes, std::vector<int32_t>* chosen) {
  std::vector<int32_t> crowded(model.section_count + 1, 0);  // sections before this one
  for (int32_t s = 0; s < model.section_count; ++s) {
    crowded[s + 1] = crowded[s] + (model.section_total[s] >= least_bytes ? 1 : 0);
  }
  std::vector<int32_t> index(model.blocks.size(), -1);
  std::vector<Group> groups;
  chosen->clear();
  for (int32_t b = 0; b < static_cast<int32_t>(model.blocks.size()); ++b) {
    const Block& block = model.blocks[b];
    const bool takes = std::any_of(
        block.ranges.begin(), block.ranges.end(),
        [&](const SectionRange& range) { return crowded[range.upper] > crowded[range.lower]; });
    if (!takes && block.pin < 0) continue;
    index[b] = static_cast<int32_t>(chosen->size());
    chosen->push_back(b);
    Group group;
    group.block = block;
    group.block.ranges.clear();
    for (const SectionRange& range : block.ranges) group.live.push_back({range.lower, range.upper});
    groups.push_back(std::move(group));
  }
  Model core;
  core.section_count = NumberSections(&groups);
  for (size_t i = 0; i < groups.size(); ++i) {
    Block& block = groups[i].block;
    block.length = model.blocks[(*chosen)[i]].length;
    std::erase_if(block.apart, [&](int32_t other) { return index[other] < 0; });
    for (int32_t& other : block.apart) other = index[other];
    core.blocks.push_back(std::move(block));
  }
  Tally(&core);
  return core;
}

base::Result<Model> BuildModel(const Problem& problem) {
  if (auto checked = CheckParts(problem); !checked.ok()) return checked.error();
  const std::vector<int32_t> group_of = Groups(problem);
  if (auto checked = CheckSeparations(problem, group_of); !checked.ok()) return checked.error();

  std::vector<Group> groups(problem.buffers.size());
  for (int32_t i = 0; i < static_cast<int32_t>(problem.buffers.size()); ++i) {
    if (auto joined = Join(problem, i, &groups[group_of[i]]); !joined.ok()) return joined.error();
  }
  for (Group& group : groups) group.live = Union(std::move(group.live));

  Model model;
  model.section_count = NumberSections(&groups);
  std::vector<int32_t> block_of_group(groups.size(), -1);
  std::vector<int32_t> group_of_block;
  for (int32_t g = 0; g < static_cast<int32_t>(groups.size()); ++g) {
    if (groups[g].block.size == 0) continue;
    block_of_group[g] = static_cast<int32_t>(model.blocks.size());
    group_of_block.push_back(g);
    model.blocks.push_back(groups[g].block);
  }
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    model.block_of_buffer.push_back(block_of_group[group_of[i]]);
    model.group_pin.push_back(groups[group_of[i]].block.pin);
  }
  for (const Pair& pair : problem.must_not_share) {
    const int32_t a = model.block_of_buffer[pair.first];
    const int32_t b = model.block_of_buffer[pair.second];
    if (a < 0 || b < 0) continue;
    model.blocks[a].apart.push_back(b);
    model.blocks[b].apart.push_back(a);
  }
  Tally(&model);
  if (auto checked = CheckPins(problem, groups, model, group_of_block); !checked.ok()) {
    return checked.error();
  }
  return model;
}

base::Result<void> CheckProblem(const Problem& problem) {
  auto model = BuildModel(problem);
  if (!model.ok()) return model.error();
  return {};
}

}  // namespace hostnpu::planner

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// Large, long and crowded blocks first: a small one finds a hole later. Which of the three counts
// most depends on the problem, and a measure that fails by a hair succeeds after a slight shake.
#include "planner/order.h"

#include <algorithm>
#include <numeric>

namespace hostnpu::planner {
namespace {

double Width(const Block& block) {
  double width = 0;
  for (const SectionRange& range : block.ranges) width += range.upper - range.lower;
  return width;
}

/// The bytes in the fullest section of each block, by a sparse table of maxima.
std::vector<int64_t> Crowds(const Model& model) {
  std::vector<std::vector<int64_t>> table{model.section_total};
  for (int32_t step = 1; 2 * step <= model.section_count; step *= 2) {
    const std::vector<int64_t>& last = table.back();
    std::vector<int64_t> next(last.size() - step);
    for (size_t i = 0; i < next.size(); ++i) next[i] = std::max(last[i], last[i + step]);
    table.push_back(std::move(next));
  }
  std::vector<int64_t> crowds;
  crowds.reserve(model.blocks.size());
  for (const Block& block : model.blocks) {
    int64_t crowd = 0;
    for (const SectionRange& range : block.ranges) {
      const int level = 31 - __builtin_clz(static_cast<uint32_t>(range.upper - range.lower));
      crowd =
          std::max({crowd, table[level][range.lower], table[level][range.upper - (1 << level)]});
    }
    crowds.push_back(crowd);
  }
  return crowds;
}

/// How many blocks each block meets, counted by starts and ends; holes in lifetimes are ignored.
std::vector<double> Conflicts(const Model& model) {
  std::vector<int32_t> starts(model.section_count + 1, 0);
  std::vector<int32_t> ends(model.section_count + 1, 0);
  for (const Block& block : model.blocks) {
    ++starts[block.hull.lower];
    ++ends[block.hull.upper];
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<double> counts;
  counts.reserve(model.blocks.size());
  for (const Block& block : model.blocks) {
    counts.push_back(starts[block.hull.upper - 1] - ends[block.hull.lower]);
  }
  return counts;
}

/// Numbers blocks from 0 so that no two that live together have one number, with as few numbers as
/// blocks live together; holes in lifetimes are ignored.
std::vector<int32_t> Tracks(const Model& model) {
  std::vector<int32_t> by_start(model.blocks.size());
  std::iota(by_start.begin(), by_start.end(), 0);
  std::sort(by_start.begin(), by_start.end(), [&](int32_t a, int32_t b) {
    const int32_t left = model.blocks[a].hull.lower;
    const int32_t right = model.blocks[b].hull.lower;
    return left != right ? left < right : a < b;
  });
  std::vector<int32_t> tracks(model.blocks.size(), 0);
  std::vector<int32_t> ends;  // of the last block of each track
  for (const int32_t b : by_start) {
    const SectionRange& hull = model.blocks[b].hull;
    const auto free =
        std::find_if(ends.begin(), ends.end(), [&](int32_t end) { return end <= hull.lower; });
    tracks[b] = static_cast<int32_t>(free - ends.begin());
    if (free == ends.end()) {
      ends.push_back(hull.upper);
    } else {
      *free = hull.upper;
    }
  }
  return tracks;
}

/// A small generator (splitmix64), the same on every platform.
double RandomFactor(uint64_t* state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return 0.8 + 0.4 * static_cast<double>(z >> 11) * 0x1p-53;
}

std::vector<double> Weigh(const Model& model, Measure measure) {
  if (measure == Measure::kConflicts) return Conflicts(model);
  if (measure == Measure::kTrack) {
    const std::vector<int32_t> tracks = Tracks(model);
    std::vector<double> weights(tracks.begin(), tracks.end());
    for (double& weight : weights) weight = -weight;
    return weights;
  }
  std::vector<int64_t> crowds;
  double longest = 1;
  double largest = 1;
  if (measure == Measure::kCrowdLength || measure == Measure::kCrowdArea) {
    crowds = Crowds(model);
    for (const Block& block : model.blocks) {
      longest = std::max(longest, static_cast<double>(block.length));
      largest =
          std::max(largest, static_cast<double>(block.length) * static_cast<double>(block.size));
    }
  }
  std::vector<double> weights;
  weights.reserve(model.blocks.size());
  for (size_t i = 0; i < model.blocks.size(); ++i) {
    const Block& block = model.blocks[i];
    const auto size = static_cast<double>(block.size);
    const auto length = static_cast<double>(block.length);
    switch (measure) {
      case Measure::kSize:
        weights.push_back(size);
        break;
      case Measure::kArea:
        weights.push_back(size * Width(block));
        break;
      case Measure::kWidth:
        weights.push_back(Width(block) + size / (size + 1e18));
        break;
      case Measure::kLength:
        weights.push_back(length);
        break;
      case Measure::kConflicts:
      case Measure::kTrack:
        break;
      case Measure::kVolume:
        weights.push_back(size * length);
        break;
      case Measure::kCrowdLength:
        weights.push_back(static_cast<double>(crowds[i]) + length / longest);
        break;
      case Measure::kCrowdArea:
        weights.push_back(static_cast<double>(crowds[i]) + length * size / largest);
        break;
    }
  }
  return weights;
}

}  // namespace

std::vector<int32_t> OrderBlocks(const Model& model, Measure measure, uint64_t seed,
                                 const std::vector<double>& trouble) {
  std::vector<double> weights = Weigh(model, measure);
  if (seed != 0) {
    for (double& weight : weights) weight *= RandomFactor(&seed);
  }
  for (size_t i = 0; i < trouble.size(); ++i) weights[i] *= 1 + trouble[i];
  std::vector<int32_t> order(model.blocks.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return weights[a] != weights[b] ? weights[a] > weights[b] : a < b;
  });
  return order;
}

}  // namespace hostnpu::planner

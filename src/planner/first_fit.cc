// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// To place a block one walks the placed blocks from the bottom up, skips those that live at other
// times, and stops at the first gap that is large enough. With tens of thousands of blocks the walk
// is the whole cost, so the placed blocks stand in chunks of a few hundred, each with the span of
// time it covers: a chunk that has nothing to do with the block is skipped at once, and an
// insertion moves one chunk only.
#include "planner/first_fit.h"

#include <algorithm>
#include <limits>

namespace hostnpu::planner {
namespace {

int64_t AlignUp(int64_t value, int64_t alignment) {
  const int64_t rest = value % alignment;
  return rest == 0 ? value : value + alignment - rest;
}

/// One stretch of a placed block.
struct Placed {
  int64_t offset;
  int64_t top;
  SectionRange range;
  int32_t block;
};

struct Chunk {
  std::vector<Placed> entries;  // by offset
  SectionRange hull;
};

/// The placed blocks by offset.
class Shelf {
 public:
  static constexpr size_t kChunkSize = 256;

  void Insert(const Placed& entry) {
    auto chunk = std::upper_bound(
        chunks_.begin(), chunks_.end(), entry.offset,
        [](int64_t offset, const Chunk& c) { return offset < c.entries.front().offset; });
    if (chunk != chunks_.begin()) --chunk;
    if (chunk == chunks_.end()) chunk = chunks_.insert(chunk, Chunk{{}, entry.range});
    auto spot = std::upper_bound(
        chunk->entries.begin(), chunk->entries.end(), entry.offset,
        [](int64_t offset, const Placed& placed) { return offset < placed.offset; });
    chunk->entries.insert(spot, entry);
    Widen(&chunk->hull, entry.range);
    if (chunk->entries.size() > kChunkSize) Split(chunk);
  }

  /// Calls visit(placed) from the bottom up for what may meet `hull`, until it returns false.
  template <typename Visit>
  void Walk(SectionRange hull, bool everything, const Visit& visit) const {
    for (const Chunk& chunk : chunks_) {
      if (!everything && (chunk.hull.upper <= hull.lower || hull.upper <= chunk.hull.lower)) {
        continue;
      }
      for (const Placed& placed : chunk.entries) {
        if (!visit(placed)) return;
      }
    }
  }

 private:
  static void Widen(SectionRange* hull, SectionRange range) {
    hull->lower = std::min(hull->lower, range.lower);
    hull->upper = std::max(hull->upper, range.upper);
  }

  void Split(std::vector<Chunk>::iterator chunk) {
    const auto middle = chunk->entries.begin() + static_cast<int64_t>(chunk->entries.size() / 2);
    Chunk upper{{middle, chunk->entries.end()}, middle->range};
    chunk->entries.erase(middle, chunk->entries.end());
    chunk->hull = chunk->entries.front().range;
    for (const Placed& placed : chunk->entries) Widen(&chunk->hull, placed.range);
    for (const Placed& placed : upper.entries) Widen(&upper.hull, placed.range);
    chunks_.insert(chunk + 1, std::move(upper));
  }

  std::vector<Chunk> chunks_;
};

bool Meets(const Block& block, SectionRange range) {
  for (const SectionRange& own : block.ranges) {
    if (own.lower < range.upper && range.lower < own.upper) return true;
  }
  return false;
}

class Packer {
 public:
  explicit Packer(const Model& model) : model_(model), apart_(model.blocks.size(), false) {
    result_.offsets.assign(model.blocks.size(), 0);
  }

  void Put(int32_t index, int64_t offset) {
    const Block& block = model_.blocks[index];
    result_.offsets[index] = offset;
    result_.height = std::max(result_.height, offset + block.size);
    for (const SectionRange& range : block.ranges) {
      shelf_.Insert({offset, offset + block.size, range, index});
    }
  }

  int64_t FindGap(int32_t index, bool best_fit) {
    const Block& block = model_.blocks[index];
    for (int32_t other : block.apart) apart_[other] = true;
    const bool one_range = block.ranges.size() == 1;
    int64_t offset = 0;
    int64_t best_offset = -1;
    int64_t best_waste = std::numeric_limits<int64_t>::max();
    auto visit = [&](const Placed& placed) {
      const bool meets = placed.range.lower < block.hull.upper &&
                         block.hull.lower < placed.range.upper &&
                         (one_range || Meets(block, placed.range));
      if (!meets && (block.apart.empty() || !apart_[placed.block])) return true;
      if (placed.top <= offset) return true;
      if (placed.offset - offset >= block.size) {
        if (!best_fit) return false;
        const int64_t waste = placed.offset - offset - block.size;
        if (waste < best_waste) {
          best_waste = waste;
          best_offset = offset;
        }
      }
      offset = AlignUp(placed.top, block.alignment);
      return true;
    };
    shelf_.Walk(block.hull, !block.apart.empty(), visit);
    for (int32_t other : block.apart) apart_[other] = false;
    return best_offset >= 0 ? best_offset : offset;
  }

  Placement Take() { return std::move(result_); }

 private:
  const Model& model_;
  Placement result_;
  Shelf shelf_;
  std::vector<char> apart_;  // set for the partners of the block being placed
};

}  // namespace

Placement FirstFit(const Model& model, const std::vector<int32_t>& order, bool best_fit) {
  Packer packer(model);
  for (int32_t index = 0; index < static_cast<int32_t>(model.blocks.size()); ++index) {
    if (model.blocks[index].pin >= 0) packer.Put(index, model.blocks[index].pin);
  }
  for (int32_t index : order) {
    if (model.blocks[index].pin < 0) packer.Put(index, packer.FindGap(index, best_fit));
  }
  return packer.Take();
}

}  // namespace hostnpu::planner

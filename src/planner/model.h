// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PLANNER_MODEL_H_
#define HOSTNPU_PLANNER_MODEL_H_

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "planner/problem.h"

namespace hostnpu::planner {

/// A range of sections [lower, upper).
struct SectionRange {
  int32_t lower = 0;
  int32_t upper = 0;
};

/// Buffers that must share one offset, as the solver sees them: one block of the largest size,
/// alive whenever one of them is.
struct Block {
  int64_t size = 0;
  int64_t alignment = 1;
  int64_t pin = -1;                    // offset, or -1 if the solver chooses
  std::vector<SectionRange> ranges{};  // ascending, not touching
  std::vector<int32_t> apart{};        // blocks that must not share bytes with this one
  SectionRange hull{};                 // from the first section to the last, holes included
  int64_t length = 0;                  // time units alive: only a hint for orders
};

/// A problem in the solver's form. Blocks of size 0 are left out. Sections are the maximal sets of
/// blocks that live together, in the order of time: moments whose live set is part of a neighbour's
/// say nothing new and are dropped.
struct Model {
  std::vector<Block> blocks{};
  int32_t section_count = 0;
  std::vector<int64_t> section_total{};    // bytes alive in each section
  int64_t lower_bound = 0;                 // no plan is lower than this
  int32_t most_alive = 0;                  // blocks in the section that has the most
  std::vector<int32_t> block_of_buffer{};  // -1 for a group without bytes
  std::vector<int64_t> group_pin{};        // per buffer: the pin of its group, or -1

  /// True if two blocks may not have a byte in common.
  bool Conflict(int32_t a, int32_t b) const;
};

/// If all blocks have one alignment, rounds their sizes up to it: the holes behind them are lost in
/// any plan, and the lower bound then knows it. Heights, and what is derived from them, become up
/// to the returned number of bytes too large; 0 means that nothing was changed.
int64_t RoundSizes(Model* model);

/// The blocks that are alive in a section of at least `least_bytes`, and all pinned ones, as a
/// model of their own, with sections numbered anew; `chosen` says which blocks they are. It knows
/// no buffers.
Model CoreOf(const Model& model, int64_t least_bytes, std::vector<int32_t>* chosen);

/// Checks the problem and turns it into a Model.
base::Result<Model> BuildModel(const Problem& problem);

}  // namespace hostnpu::planner

#endif  // HOSTNPU_PLANNER_MODEL_H_

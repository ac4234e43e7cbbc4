// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PLANNER_SEARCH_H_
#define HOSTNPU_PLANNER_SEARCH_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "planner/first_fit.h"
#include "planner/model.h"

namespace hostnpu::planner {

/// Each idea of the search can be switched off; the answer stays the same, only the time changes.
/// See docs/design/planner.md for the argument behind each.
struct SearchSwitches {
  bool dominance = true;  ///< do not place a block above a place where another one fits whole
  bool support = true;    ///< a block below the floor must still be lifted by a neighbour
  bool stacking = true;   ///< the blocks of a section, stacked above their floors, must fit
  bool division = true;   ///< solve parts that no unplaced block joins one by one
  bool memory = true;     ///< do not search a state again that failed before
  bool symmetry = true;   ///< of two independent blocks at one offset, place the urgent one first
  bool force = true;      ///< try only the blocks of a section that needs one next (with support)
  bool jumps = true;      ///< drop choices that, by its causes, have nothing to do with a failure
};

enum class SearchVerdict {
  kFound,      ///< a placement within the capacity
  kExhausted,  ///< proof: there is none
  kGaveUp,     ///< the node limit or the deadline came first
};

struct SearchLimit {
  int64_t nodes = 0;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

/// A depth-first search for a placement within a capacity. Not thread-safe; one object may run many
/// searches over one model.
class Search {
 public:
  /// Larger models are refused by the solver: a node costs time proportional to their blocks.
  static constexpr int32_t kMaxBlocks = 2048;

  Search(const Model& model, const SearchSwitches& switches);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// Searches with blocks tried in `order` where nothing else decides. Blocks the caller until
  /// done.
  SearchVerdict Run(int64_t capacity, const std::vector<int32_t>& order, const SearchLimit& limit,
                    Placement* found);

  /// How often each block had to do with a failure of the runs so far, from 0 to 1: worth placing
  /// early in the next one.
  std::vector<double> Trouble() const;
  /// Nodes visited by all runs so far.
  int64_t nodes() const;
  /// The work of all runs, in visits of a block (some nanoseconds each): unlike time, repeatable.
  int64_t work() const;

 private:
  template <typename T>
  class Machine;
  template <typename T>
  SearchVerdict RunOn(std::unique_ptr<Machine<T>>* machine, int64_t capacity,
                      const std::vector<int32_t>& order, const SearchLimit& limit,
                      Placement* found);

  const Model& model_;
  SearchSwitches switches_;
  int64_t unit_;  // every size, pin and alignment above 1 is a multiple of this
  int64_t nodes_ = 0;
  int64_t work_ = 0;
  std::unique_ptr<Machine<int32_t>> narrow_;
  std::unique_ptr<Machine<int64_t>> wide_;
};

}  // namespace hostnpu::planner

#endif  // HOSTNPU_PLANNER_SEARCH_H_

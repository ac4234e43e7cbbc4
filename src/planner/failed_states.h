// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PLANNER_FAILED_STATES_H_
#define HOSTNPU_PLANNER_FAILED_STATES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hostnpu::planner {

/// The states of a search that have no solution, by 128 bits that stand for each. A table of fixed
/// size: newer ones take the place of older ones.
class FailedStates {
 public:
  struct Key {
    uint64_t low = 0;  // 0: a state that is not to be remembered
    uint64_t high = 0;
  };
  /// Makes a key of the words of a state.
  class KeyMaker {
   public:
    KeyMaker(uint64_t first, uint64_t second) : key_{Mix(1, first), Mix(2, second)} {}
    void Add(uint64_t word) {
      key_.low = Mix(key_.low, word);
      key_.high = Mix(key_.high, word ^ (word >> 31));
    }
    Key Finish() const { return {key_.low | 1, key_.high}; }

   private:
    static uint64_t Mix(uint64_t hash, uint64_t value) {
      hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
      return hash ^ (hash >> 29);
    }
    Key key_;
  };

  /// Forgets all. `size` > 0.
  void Reset(size_t size) { table_.assign(size, Key{}); }
  bool Contains(const Key& key) const {
    if (key.low == 0) return false;
    const Key& entry = table_[key.high % table_.size()];
    return entry.low == key.low && entry.high == key.high;
  }
  void Add(const Key& key) {
    if (key.low != 0) table_[key.high % table_.size()] = key;
  }

 private:
  std::vector<Key> table_;
};

}  // namespace hostnpu::planner

#endif  // HOSTNPU_PLANNER_FAILED_STATES_H_

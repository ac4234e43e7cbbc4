// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PLANNER_PROBLEM_H_
#define HOSTNPU_PLANNER_PROBLEM_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

/// The planning problem: buffers that live for a while and need an address each.
///
///    offset ^                        A buffer is a rectangle. Its place on the time axis and its
///           |      +-----------+     height are given; the planner chooses its offset, so that no
///           |      |     c     |     two rectangles overlap and the top of the highest one, the
///           | +----+---+-------+     "height" of the plan, stays low.
///           | |   a    |   b   |
///           +-+--------+-------+---> time (steps, half open: a ends where b begins)
namespace hostnpu::planner {

/// A stretch of time [lower, upper). The unit is the caller's: launches, phases, instructions.
struct Interval {
  int64_t lower = 0;
  int64_t upper = 0;
  bool operator==(const Interval&) const = default;
};

/// Something that needs `size` bytes while it lives.
struct Buffer {
  std::string name{};
  int64_t size = 0;                 // bytes; a buffer of 0 bytes never conflicts
  std::vector<Interval> live{};     // when it holds data; in any order
  int64_t alignment = 1;            // its offset is a multiple of this
  std::optional<int64_t> offset{};  // set: the buffer is pinned there
  bool operator==(const Buffer&) const = default;
};

/// Two buffers, by index into Problem::buffers.
struct Pair {
  int32_t first = 0;
  int32_t second = 0;
  bool operator==(const Pair&) const = default;
};

inline constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

/// What Solve takes. Plain data.
struct Problem {
  std::vector<Buffer> buffers{};
  /// Both get one offset, whether or not they live together (an operation that works in place).
  std::vector<Pair> must_share{};
  /// No common byte although they do not live together (the two halves of a ping-pong pair).
  std::vector<Pair> must_not_share{};
  int64_t capacity = kUnlimited;  // bytes
};

/// What Solve gives: one offset per buffer, in the order of Problem::buffers.
struct Plan {
  std::vector<int64_t> offsets{};
  int64_t height = 0;  // bytes: the largest offset + size; 0 if nothing has a size
};

/// The largest number that sizes, alignments and pins may add up to: far from overflow everywhere.
inline constexpr int64_t kMaxTotal = int64_t{1} << 61;

/// Says what is malformed: a negative size, an empty lifetime, an alignment below 1, sizes that
/// overflow, a pair that names no buffer, pins that contradict each other, the alignment or the
/// capacity. A problem that passes may still be too large for its capacity; that is Solve's answer.
base::Result<void> CheckProblem(const Problem& problem);

}  // namespace hostnpu::planner

#endif  // HOSTNPU_PLANNER_PROBLEM_H_

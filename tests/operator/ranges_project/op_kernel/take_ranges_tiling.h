// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TAKE_RANGES_TILING_H_
#define TAKE_RANGES_TILING_H_

#include <cstdint>

constexpr uint32_t kMaxRanges = 16;

struct TakeRangesTiling {
  uint32_t count;
  uint32_t begin[kMaxRanges];
  uint32_t end[kMaxRanges];
  uint32_t negate[kMaxRanges];
};

#endif  // TAKE_RANGES_TILING_H_

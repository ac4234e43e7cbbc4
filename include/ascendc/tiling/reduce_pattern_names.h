// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The names of patterns of reduced axes, for hosts and kernels.
#ifndef HOSTNPU_ASCENDC_TILING_REDUCE_PATTERN_NAMES_H_
#define HOSTNPU_ASCENDC_TILING_REDUCE_PATTERN_NAMES_H_

#include <stdint.h>

namespace AscendC {

/// Which axes of a shape are reduced (R), from the outermost.
enum class ReducePattern : uint32_t {
  AR = 0,
  RA = 1,
  R,
  ARA,
  ARAR,
  ARARA,
  ARARAR,
  ARARARA,
  ARARARAR,
  ARARARARA,
  RAR,
  RARA,
  RARAR,
  RARARA,
  RARARAR,
  RARARARA,
};

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_TILING_REDUCE_PATTERN_NAMES_H_

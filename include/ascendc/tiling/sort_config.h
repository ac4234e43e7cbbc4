// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// How a sort is to be done: for kernels and for the host's tiling.
#ifndef HOSTNPU_ASCENDC_TILING_SORT_CONFIG_H_
#define HOSTNPU_ASCENDC_TILING_SORT_CONFIG_H_

namespace AscendC {

enum class SortType { RADIX_SORT, MERGE_SORT };
struct SortConfig {
  SortType type = SortType::RADIX_SORT;
  bool isDescend = false;
  bool hasSrcIndex = false;
  bool hasDstIndex = false;
};

/// TOPK_NSMALL: rows of 32, and results without gaps between them.
enum class TopKMode { TOPK_NORMAL, TOPK_NSMALL };

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_TILING_SORT_CONFIG_H_

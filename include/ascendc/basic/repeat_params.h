// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Strides of vector instructions, in 32-byte blocks: between the blocks of a repeat, and between
// repeats.
#ifndef HOSTNPU_ASCENDC_BASIC_REPEAT_PARAMS_H_
#define HOSTNPU_ASCENDC_BASIC_REPEAT_PARAMS_H_

#include "types.h"

namespace AscendC {

/// Strides of an instruction with two sources.
struct BinaryRepeatParams {
  BinaryRepeatParams() = default;
  constexpr BinaryRepeatParams(uint8_t dst_block, uint8_t src0_block, uint8_t src1_block,
                               uint8_t dst_repeat, uint8_t src0_repeat, uint8_t src1_repeat)
      : dstBlkStride(dst_block),
        src0BlkStride(src0_block),
        src1BlkStride(src1_block),
        dstRepStride(dst_repeat),
        src0RepStride(src0_repeat),
        src1RepStride(src1_repeat) {}

  uint32_t blockNumber = DEFAULT_BLK_NUM;
  uint8_t dstBlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src0BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src1BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t dstRepStride = DEFAULT_REPEAT_STRIDE;
  uint8_t src0RepStride = DEFAULT_REPEAT_STRIDE;
  uint8_t src1RepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
};

/// Strides of an instruction with one source.
struct UnaryRepeatParams {
  UnaryRepeatParams() = default;
  constexpr UnaryRepeatParams(uint16_t dst_block, uint16_t src_block, uint8_t dst_repeat,
                              uint8_t src_repeat, bool half_block = false)
      : dstBlkStride(dst_block),
        srcBlkStride(src_block),
        dstRepStride(dst_repeat),
        srcRepStride(src_repeat),
        halfBlock(half_block) {}

  uint32_t blockNumber = DEFAULT_BLK_NUM;
  uint16_t dstBlkStride = DEFAULT_BLK_STRIDE;
  uint16_t srcBlkStride = DEFAULT_BLK_STRIDE;
  uint8_t dstRepStride = DEFAULT_REPEAT_STRIDE;
  uint8_t srcRepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
  bool halfBlock = false;
};

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_REPEAT_PARAMS_H_

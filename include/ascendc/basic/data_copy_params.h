// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The parameter records of the data movement instructions, with the vendor's member names and
// constructors. Units stand beside each member: "blocks" are 32 bytes.
#ifndef HOSTNPU_ASCENDC_BASIC_DATA_COPY_PARAMS_H_
#define HOSTNPU_ASCENDC_BASIC_DATA_COPY_PARAMS_H_

#include "types.h"

enum class pad_t : uint8_t {
  PAD_NONE = 0,
  PAD_MODE1,
  PAD_MODE2,
  PAD_MODE3,
  PAD_MODE4,
  PAD_MODE5,
  PAD_MODE6,
  PAD_MODE7,
  PAD_MODE8
};

namespace AscendC {

using ::pad_t;

inline constexpr int32_t K_MAX_DIM = 8;  // dimensions of a slice

/// Bursts of whole blocks with gaps between them.
struct DataCopyParams {
  DataCopyParams() {}
  DataCopyParams(uint16_t count, uint16_t len, uint16_t src_gap, uint16_t dst_gap)
      : blockCount(count), blockLen(len), srcStride(src_gap), dstStride(dst_gap) {}

  uint16_t blockCount = 1;
  uint16_t blockLen = 0;  // blocks
  union {
    uint16_t srcGap = 0;  // blocks from the end of a burst to the start of the next
    uint16_t srcStride;
  };
  union {
    uint16_t dstGap = 0;
    uint16_t dstStride;
  };
};

/// What old chips can do while they move L0C; GM, UB and L1 moves of this chip ignore it.
struct DataCopyEnhancedParams {
  DataCopyEnhancedParams() {}
  DataCopyEnhancedParams(BlockMode block_mode, DeqScale deq_scale, uint64_t deq_value,
                         uint8_t sid_store_mode, bool is_relu, pad_t pad_mode, uint64_t pad_value)
      : blockMode(block_mode),
        deqScale(deq_scale),
        deqValue(deq_value),
        sidStoreMode(sid_store_mode),
        isRelu(is_relu),
        padMode(pad_mode),
        padValue(pad_value) {}

  BlockMode blockMode = BlockMode::BLOCK_MODE_NORMAL;
  DeqScale deqScale = DeqScale::DEQ_NONE;
  uint64_t deqValue = 0;
  uint8_t sidStoreMode = 0;
  bool isRelu = false;
  pad_t padMode = pad_t::PAD_NONE;
  uint64_t padValue = 0;
  uint64_t deqTensorAddr = 0;
};

/// Rows of any byte length between GM and UB.
struct DataCopyExtParams {
  DataCopyExtParams() {}
  DataCopyExtParams(uint16_t count, uint32_t len, uint32_t src_stride, uint32_t dst_stride,
                    uint32_t reserved)
      : blockCount(count),
        blockLen(len),
        srcStride(src_stride),
        dstStride(dst_stride),
        rsv(reserved) {}

  uint16_t blockCount = 1;
  uint32_t blockLen = 0;   // bytes
  uint32_t srcStride = 0;  // gap; bytes where the source is GM, blocks where it is UB
  uint32_t dstStride = 0;  // gap; blocks where the destination is UB, bytes where it is GM
  uint32_t rsv = 0;
};

struct DataCopyPadParams {
  DataCopyPadParams() {}
  DataCopyPadParams(bool is_pad, uint8_t left, uint8_t right, uint64_t value)
      : isPad(is_pad), leftPadding(left), rightPadding(right), paddingValue(value) {}

  bool isPad = false;
  uint8_t leftPadding = 0;   // elements
  uint8_t rightPadding = 0;  // elements
  uint64_t paddingValue = 0;
};

template <typename T>
struct DataCopyPadExtParams {
  DataCopyPadExtParams() {}
  DataCopyPadExtParams(bool is_pad, uint8_t left, uint8_t right, T value)
      : isPad(is_pad), leftPadding(left), rightPadding(right), paddingValue(value) {}

  bool isPad = false;
  uint8_t leftPadding = 0;   // elements
  uint8_t rightPadding = 0;  // elements
  T paddingValue = {};
};

/// 950 only: how rows follow each other in UB. Accepted, and the same as Normal here.
enum class PaddingMode : uint8_t { Normal = 0, Compact };

/// Row-major matrices in GM to fractals (NZ) in L1 or UB.
struct Nd2NzParams {
  Nd2NzParams() {}
  Nd2NzParams(uint16_t nd_num, uint16_t n, uint16_t d, uint16_t src_matrix_stride,
              uint16_t src_row_stride, uint16_t dst_c0_stride, uint16_t dst_n_stride,
              uint16_t dst_matrix_stride)
      : ndNum(nd_num),
        nValue(n),
        dValue(d),
        srcNdMatrixStride(src_matrix_stride),
        srcDValue(src_row_stride),
        dstNzC0Stride(dst_c0_stride),
        dstNzNStride(dst_n_stride),
        dstNzMatrixStride(dst_matrix_stride) {}

  uint16_t ndNum = 0;
  uint16_t nValue = 0;
  uint16_t dValue = 0;
  uint16_t srcNdMatrixStride = 0;  // elements
  uint16_t srcDValue = 0;          // elements from row to row
  uint16_t dstNzC0Stride = 0;      // blocks from a C0 column to the next
  uint16_t dstNzNStride = 0;       // blocks from row to row
  uint16_t dstNzMatrixStride = 0;  // elements
};

/// Fractals in UB to row-major matrices in GM.
struct Nz2NdParamsFull {
  Nz2NdParamsFull() {}
  Nz2NdParamsFull(uint16_t nd_num, uint16_t n, uint16_t d, uint16_t src_matrix_stride,
                  uint16_t src_n_stride, uint16_t dst_row_stride, uint16_t dst_matrix_stride)
      : ndNum(nd_num),
        nValue(n),
        dValue(d),
        srcNdMatrixStride(src_matrix_stride),
        srcNStride(src_n_stride),
        dstDStride(dst_row_stride),
        dstNdMatrixStride(dst_matrix_stride) {}

  uint16_t ndNum = 1;
  uint16_t nValue = 0;
  uint16_t dValue = 0;
  uint16_t srcNdMatrixStride = 1;  // fractals of 256 elements
  uint16_t srcNStride = 0;         // C0 rows from a C0 column to the next
  uint16_t dstDStride = 0;         // elements from row to row
  uint16_t dstNdMatrixStride = 1;  // elements
};

/// One dimension of a slice, innermost first.
struct SliceInfo {
  SliceInfo() {}
  SliceInfo(uint32_t start, uint32_t end, uint32_t gap, uint32_t burst_len, uint32_t shape = 0)
      : startIndex(start), endIndex(end), stride(gap), burstLen(burst_len), shapeValue(shape) {}

  uint32_t startIndex = 0;
  uint32_t endIndex = ONE_BLK_SIZE - 1;  // inclusive
  uint32_t stride = 0;                   // elements skipped between two bursts or indices
  uint32_t burstLen = ONE_BLK_SIZE;      // blocks; dimension 0 only
  uint32_t shapeValue = 0;               // 0: from the tensor's ShapeInfo
};

/// Strides of Copy, in blocks. The vendor's defaults of the block strides really are 0.
struct CopyRepeatParams {
  CopyRepeatParams() {}
  CopyRepeatParams(uint16_t dst_stride, uint16_t src_stride, uint16_t dst_repeat,
                   uint16_t src_repeat)
      : dstStride(dst_stride),
        srcStride(src_stride),
        dstRepeatSize(dst_repeat),
        srcRepeatSize(src_repeat) {}

  uint16_t dstStride = 0;
  uint16_t srcStride = 0;
  uint16_t dstRepeatSize = DEFAULT_REPEAT_STRIDE;
  uint16_t srcRepeatSize = DEFAULT_REPEAT_STRIDE;
};

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_DATA_COPY_PARAMS_H_

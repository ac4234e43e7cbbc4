// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel of Normalize. Each core sums the squares of its tiles and leaves the sum in the
// workspace; when all have, each reads all the sums, in their order, and scales its tiles.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kSlot = 8;  // floats in 32 bytes
constexpr uint32_t kMostCores = 48;

class NormalizeKernel {
 public:
  __aicore__ inline NormalizeKernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, uint32_t tiles,
                                    uint32_t tile, uint32_t last)
      : tiles_(tiles), tile_(tile), last_(last) {
    const uint32_t elements = (tiles - 1) * tile + last;
    x_.SetGlobalBuffer((__gm__ float*)x, elements);
    y_.SetGlobalBuffer((__gm__ float*)y, elements);
    sums_.SetGlobalBuffer((__gm__ float*)workspace, GetBlockNum() * kSlot);
    pipe_.InitBuffer(in_, 2, tile * sizeof(float));
    pipe_.InitBuffer(out_, 2, tile * sizeof(float));
    pipe_.InitBuffer(scratch_, tile * sizeof(float));
    pipe_.InitBuffer(sum_buffer_, kMostCores * kSlot * sizeof(float));
    sum_ = sum_buffer_.Get<float>();
    elements_ = elements;
  }

  __aicore__ inline void Process(float epsilon) {
    Duplicate(sum_, 0.0f, kSlot);
    for (uint32_t i = GetBlockIdx(); i < tiles_; i += GetBlockNum()) AddSquares(i);
    Wait<HardEvent::V_MTE3>();
    DataCopy(sums_[GetBlockIdx() * kSlot], sum_, kSlot);
    SyncAll();
    Wait<HardEvent::MTE3_MTE2>();
    DataCopy(sum_, sums_, GetBlockNum() * kSlot);
    Wait<HardEvent::MTE2_V>();
    ReduceSum(sum_, sum_, scratch_.Get<float>(), GetBlockNum() * kSlot);
    Wait<HardEvent::V_S>();
    const float factor = 1.0f / sqrt(sum_.GetValue(0) / static_cast<float>(elements_) + epsilon);
    for (uint32_t i = GetBlockIdx(); i < tiles_; i += GetBlockNum()) Scale(i, factor);
  }

 private:
  template <HardEvent event>
  __aicore__ inline void Wait() {
    SetFlag<event>(0);
    WaitFlag<event>(0);
  }
  __aicore__ inline uint32_t Count(uint32_t tile) const {
    return tile + 1 == tiles_ ? last_ : tile_;
  }
  __aicore__ inline LocalTensor<float> CopyIn(uint32_t tile) {
    LocalTensor<float> arriving = in_.AllocTensor<float>();
    const DataCopyExtParams bytes{1, Count(tile) * static_cast<uint32_t>(sizeof(float)), 0, 0, 0};
    DataCopyPad(arriving, x_[tile * tile_], bytes, DataCopyPadExtParams<float>{false, 0, 0, 0});
    in_.EnQue(arriving);
    return in_.DeQue<float>();
  }
  __aicore__ inline void AddSquares(uint32_t tile) {
    LocalTensor<float> x = CopyIn(tile);
    Mul(x, x, x, Count(tile));
    ReduceSum(x, x, scratch_.Get<float>(), Count(tile));
    Add(sum_, sum_, x, 1);
    in_.FreeTensor(x);
  }
  __aicore__ inline void Scale(uint32_t tile, float factor) {
    LocalTensor<float> x = CopyIn(tile);
    LocalTensor<float> y = out_.AllocTensor<float>();
    Muls(y, x, factor, Count(tile));
    in_.FreeTensor(x);
    out_.EnQue(y);
    y = out_.DeQue<float>();
    DataCopyPad(y_[tile * tile_], y,
                DataCopyExtParams{1, Count(tile) * static_cast<uint32_t>(sizeof(float)), 0, 0, 0});
    out_.FreeTensor(y);
  }

  TPipe pipe_;
  TQue<TPosition::VECIN, 2> in_;
  TQue<TPosition::VECOUT, 2> out_;
  TBuf<TPosition::VECCALC> scratch_, sum_buffer_;
  LocalTensor<float> sum_;
  GlobalTensor<float> x_, y_, sums_;
  uint32_t tiles_, tile_, last_, elements_;
};

extern "C" __global__ __aicore__ void normalize(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                                GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  GET_TILING_DATA(data, tiling);
  NormalizeKernel kernel(x, y, GetUserWorkspace(workspace), data.tiles, data.tile, data.last);
  kernel.Process(data.epsilon);
}

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void scale_shift(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  const uint32_t begin = GetBlockIdx() * data.per_block;
  if (begin >= data.elements) return;
  const uint32_t count =
      data.elements - begin < data.per_block ? data.elements - begin : data.per_block;
  GlobalTensor<DTYPE_X> in, out;
  in.SetGlobalBuffer((__gm__ DTYPE_X*)x + begin);
  out.SetGlobalBuffer((__gm__ DTYPE_X*)y + begin);
  GlobalTensor<float> scaled;
  scaled.SetGlobalBuffer((__gm__ float*)workspace + begin);
  for (uint32_t i = 0; i < count; ++i) scaled.SetValue(i, (float)in.GetValue(i) * data.scale);
  for (uint32_t i = 0; i < count; ++i) out.SetValue(i, (DTYPE_X)(scaled.GetValue(i) + data.shift));
}

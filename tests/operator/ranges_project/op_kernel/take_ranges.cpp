// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// z[i] = x[begin_i, end_i), negated where asked for.
#include "kernel_operator.h"
#include "take_ranges_tiling.h"

extern "C" __global__ __aicore__ void take_ranges(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  const __gm__ auto* plan = (__gm__ TakeRangesTiling*)tiling;
  AscendC::ListTensorDesc list((__gm__ void*)z);
  AscendC::GlobalTensor<float> in;
  in.SetGlobalBuffer((__gm__ float*)x);
  for (uint32_t i = 0; i < plan->count; ++i) {
    AscendC::GlobalTensor<float> out;
    out.SetGlobalBuffer(list.GetDataPtr<float>(i));
    for (uint32_t k = plan->begin[i]; k < plan->end[i]; ++k) {
      const float value = in.GetValue(k);
      out.SetValue(k - plan->begin[i], plan->negate[i] != 0 ? -value : value);
    }
  }
}

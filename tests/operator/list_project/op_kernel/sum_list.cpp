// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// y = sum of a list of tensors, or its negative; each z[i] = 2 * x[i]. A partial sum of the
// shortest length goes through the workspace.
#include "kernel_operator.h"
#include "sum_list_key.h"

template <typename D_T, int NEGATE>
__global__ __aicore__ void sum_list(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace,
                                    GM_ADDR tiling) {
  AscendC::ListTensorDesc list((__gm__ void*)x), doubled((__gm__ void*)z);
  const uint32_t elements = *(__gm__ uint32_t*)tiling;
  AscendC::GlobalTensor<float> sum;
  sum.SetGlobalBuffer((__gm__ float*)workspace, elements);
  for (uint32_t k = 0; k < elements; ++k) sum.SetValue(k, 0.0f);
  for (uint32_t i = 0; i < list.GetSize(); ++i) {
    uint64_t dims[8];
    AscendC::TensorDesc<D_T> desc;
    desc.SetShapeAddr(dims);
    list.GetDesc(desc, i);
    AscendC::GlobalTensor<D_T> in = desc.GetDataObj(), out;
    out.SetGlobalBuffer(doubled.GetDataPtr<D_T>(i), in.GetSize());
    for (uint32_t k = 0; k < in.GetSize(); ++k) {
      out.SetValue(k, (D_T)((float)in.GetValue(k) * 2));
      if (k < elements) sum.SetValue(k, sum.GetValue(k) + (float)in.GetValue(k));
    }
  }
  AscendC::GlobalTensor<D_T> out;
  out.SetGlobalBuffer((__gm__ D_T*)y, elements);
  for (uint32_t k = 0; k < elements; ++k) {
    out.SetValue(k, (D_T)(NEGATE == 1 ? -sum.GetValue(k) : sum.GetValue(k)));
  }
}

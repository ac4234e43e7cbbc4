// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// y[i] = 2 * x[i]
#include "kernel_operator.h"

#ifdef __CCE_KT_TEST__  // a unit test's own form; an operator is built as the product
template <int kMode>
#else
extern "C"
#endif
__global__ __aicore__ void twice_each(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  AscendC::ListTensorDesc from((__gm__ void*)x), to((__gm__ void*)y);
  for (uint32_t i = 0; i < from.GetSize(); ++i) {
    uint64_t dims[8];
    AscendC::TensorDesc<float> desc;
    desc.SetShapeAddr(dims);
    from.GetDesc(desc, i);
    AscendC::GlobalTensor<float> in = desc.GetDataObj(), out;
    out.SetGlobalBuffer(to.GetDataPtr<float>(i));
    for (uint32_t k = 0; k < in.GetSize(); ++k) out.SetValue(k, 2 * in.GetValue(k));
  }
}

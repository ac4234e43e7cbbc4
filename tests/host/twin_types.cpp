// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The form of the CPU twin: type numbers that the preprocessor can compare, which make room for the
// enumerators of host headers; no memory for no elements; a vector kernel that runs on the cube
// core too, where its index is what nobody has loaded.
// status: 0
// stdout: bfloat16 was chosen
// stdout: 48
#include "kernel_operator.h"
#include "tikicpulib.h"

#define ORIG_DTYPE_X DT_BF16
#if ORIG_DTYPE_X == DT_FLOAT
constexpr const char* kChosen = "float";
#elif ORIG_DTYPE_X == DT_BF16 && FORMAT_FRACTAL_NZ == 29
constexpr const char* kChosen = "bfloat16";
#endif

#include "graph/types.h"
static_assert(ge::DT_BF16 == 27 && ge::FORMAT_ND == 2, "the enumerators");

extern "C" __global__ __aicore__ void chosen(GM_ADDR x, GM_ADDR z) {
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 256);
  AscendC::GlobalTensor<int32_t> from, to;
  from.SetGlobalBuffer((__gm__ int32_t*)x, 8);
  to.SetGlobalBuffer((__gm__ int32_t*)z, 8);
  auto tile = queue.AllocTensor<int32_t>();
  AscendC::DataCopy(tile, from, 8);
  queue.EnQue(tile);
  tile = queue.DeQue<int32_t>();
  const int32_t value = tile.GetValue(static_cast<uint32_t>(tile.GetValue(0)) - 1);
  if ASCEND_IS_AIV {
    to.SetValue(0, value);
  }
  queue.FreeTensor(tile);
}

int main() {
  if (AscendC::GmAlloc(0) != nullptr) return 2;
  auto* x = (int32_t*)AscendC::GmAlloc(32);
  auto* z = (int32_t*)AscendC::GmAlloc(32);
  for (int i = 0; i < 8; ++i) x[i] = i + 7;
  x[0] = 8;  // the last
  x[7] = 48;
  AscendC::SetKernelMode(KernelMode::MIX_MODE);
  ICPU_RUN_KF(chosen, 1, (uint8_t*)x, (uint8_t*)z);
  printf("%s was chosen\n%d\n", kChosen, z[0]);
  AscendC::GmFree(x);
  AscendC::GmFree(z);
  return 0;
}

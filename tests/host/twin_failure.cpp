// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A kernel of the twin's form that fails spoils the exit status; so does an overrun of a buffer.
// status: 1
// stdout: goes on
// stderr: in kernel 'fails'
// stderr: Something wrote behind [Buffer
#include <cstdio>

#include "tikicpulib.h"

extern "C" __global__ __aicore__ void fails(GM_ADDR x) {
  AscendC::GlobalTensor<float> gm;
  gm.SetGlobalBuffer((__gm__ float*)x);
  gm.GetValue(1 << 20);
}

int main() {
  auto* x = (uint8_t*)AscendC::GmAlloc(100);
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  ICPU_RUN_KF(fails, 1, x);
  x[100] = 1;
  AscendC::GmFree(x);
  printf("goes on\n");
  return 0;
}

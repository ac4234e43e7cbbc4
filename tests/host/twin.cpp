// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A program in the form of the CPU twin.
// status: 0
// stdout: AIV 8 MIX 12 key 5 user 1 lambda 2
#include <cstdio>

#include "tikicpulib.h"

extern "C" __global__ __aicore__ void counts(GM_ADDR out, GM_ADDR workspace) {
  // One writer at a time: the engine runs one core of a block after the other.
  auto* numbers = (__gm__ int32_t*)out;
  numbers[AscendC::GetBlockIdx() * 2 + (ASCEND_IS_AIC ? 1 : 0)] = 1;
  if (AscendC::GetBlockIdx() == 0) {
    numbers[60] = TILING_KEY_IS(5) ? 5 : 0;
    numbers[61] = AscendC::GetUserWorkspace(workspace) == workspace ? 1 : 0;
  }
}

static int Sum(const int32_t* numbers, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += numbers[i];
  return sum;
}

int main() {
  auto* out = (int32_t*)AscendC::GmAlloc(256);
  auto* workspace = (uint8_t*)AscendC::GmAlloc(1024);
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  ICPU_RUN_KF(counts, 8, (uint8_t*)out, workspace);
  const int aiv = Sum(out, 60);
  memset(out, 0, 256);
  AscendC::SetKernelMode(KernelMode::MIX_MODE);
  ICPU_SET_TILING_KEY(5);
  ICPU_RUN_KF(counts, 4, out, workspace);
  const int mix = Sum(out, 60);
  auto lambda = [](GM_ADDR x, GM_ADDR w) { ((__gm__ int32_t*)x)[62] = 2; };
  ICPU_RUN_KF(lambda, 1, (uint8_t*)out, workspace);
  printf("AIV %d MIX %d key %d user %d lambda %d\n", aiv, mix, out[60], out[61], out[62]);
  AscendC::GmFree(out);
  AscendC::GmFree(workspace);
  return 0;
}

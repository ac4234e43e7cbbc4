// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The header of the CPU build's launches brings the twin along, with memset_s and PRELOAD.
// status: 0
// stdout: 7 0
#include <cstdio>

#include "cpu_debug_launch.h"

extern "C" __global__ __aicore__ void stamp(GM_ADDR out) {
  PRELOAD(4);
  if (AscendC::GetBlockIdx() == 0) *(__gm__ int32_t*)out = 7;
}

int main() {
  auto* out = (int32_t*)AscendC::GmAlloc(64);
  const int refused = memset_s(out, 64, 0, 64);
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  ICPU_RUN_KF(stamp, 2, (uint8_t*)out);
  printf("%d %d\n", *out, refused);
  AscendC::GmFree(out);
  return 0;
}

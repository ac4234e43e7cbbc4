// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A product of 1024 x 1024 matrices as an Ascend C user writes it: tiles go GM -> L1 -> L0 -> L0C
// -> GM with two buffers at each step. gemm_benchmark.cc runs it inside the engine, gemm.asc as a
// kernel that is compiled and launched.
#ifndef HOSTNPU_BENCHMARKS_GEMM_KERNEL_H_
#define HOSTNPU_BENCHMARKS_GEMM_KERNEL_H_

#include "kernel_operator.h"

namespace gemm_kernel {

using namespace AscendC;  // NOLINT: as in a kernel source

constexpr uint32_t kSize = 1024;
constexpr uint32_t kBaseM = 128;
constexpr uint32_t kBaseN = 256;
constexpr uint32_t kBaseK = 64;
constexpr uint32_t kStepK = 2;  // base k that one L1 tile holds

/// One base tile of C; the tiles of a block follow each other.
template <typename T>
__aicore__ inline void ComputeTile(const GlobalTensor<T>& a, const GlobalTensor<T>& b,
                                   const GlobalTensor<float>& c) {
  constexpr uint32_t kDepth = kBaseK * kStepK;
  LocalTensor<float> c1(TPosition::CO1, 0, kBaseM * kBaseN);
  SetFlag<HardEvent::M_MTE1>(EVENT_ID0);
  SetFlag<HardEvent::M_MTE1>(EVENT_ID1);
  SetFlag<HardEvent::MTE1_MTE2>(EVENT_ID0);
  SetFlag<HardEvent::MTE1_MTE2>(EVENT_ID1);
  uint32_t l0 = 0;
  for (uint32_t k = 0; k < kSize; k += kDepth) {
    const int32_t l1 = static_cast<int32_t>(k / kDepth % 2);
    LocalTensor<T> a1(TPosition::A1, l1 * kBaseM * kDepth * sizeof(T), kBaseM * kDepth);
    LocalTensor<T> b1(TPosition::B1, 256 * 1024 + l1 * kBaseN * kDepth * sizeof(T),
                      kBaseN * kDepth);
    WaitFlag<HardEvent::MTE1_MTE2>(l1);
    DataCopy(a1, a[k], Nd2NzParams(1, kBaseM, kDepth, 0, kSize, kBaseM, 1, 0));
    DataCopy(b1, b[k * kSize], Nd2NzParams(1, kDepth, kBaseN, 0, kSize, kDepth, 1, 0));
    SetFlag<HardEvent::MTE2_MTE1>(l1);
    WaitFlag<HardEvent::MTE2_MTE1>(l1);
    for (uint32_t step = 0; step < kStepK; ++step, l0 ^= 1) {
      LocalTensor<T> a2(TPosition::A2, l0 * 32768, kBaseM * kBaseK);
      LocalTensor<T> b2(TPosition::B2, l0 * 32768, kBaseN * kBaseK);
      WaitFlag<HardEvent::M_MTE1>(static_cast<int32_t>(l0));
      for (uint32_t i = 0; i < kBaseM / 16; ++i) {
        LoadData(a2[i * 16 * kBaseK], a1[step * kBaseM * kBaseK + i * 256],
                 LoadData2DParams(0, kBaseK / 16, kBaseM / 16, 0, 0, false, 0));
      }
      for (uint32_t i = 0; i < kBaseK / 16; ++i) {
        LoadData(b2[i * 16 * kBaseN], b1[step * kBaseK * 16 + i * 256],
                 LoadData2DParams(0, kBaseN / 16, kDepth / 16, 0, 0, true, 0));
      }
      SetFlag<HardEvent::MTE1_M>(static_cast<int32_t>(l0));
      WaitFlag<HardEvent::MTE1_M>(static_cast<int32_t>(l0));
      Mmad(c1, a2, b2, MmadParams(kBaseM, kBaseN, kBaseK, 0, false, k == 0 && step == 0));
      SetFlag<HardEvent::M_MTE1>(static_cast<int32_t>(l0));
    }
    SetFlag<HardEvent::MTE1_MTE2>(l1);
  }
  SetFlag<HardEvent::M_FIX>(EVENT_ID0);
  WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
  Fixpipe(c, c1, FixpipeParamsV220(kBaseN, kBaseM, kBaseM, kSize, false));
  WaitFlag<HardEvent::M_MTE1>(EVENT_ID0);
  WaitFlag<HardEvent::M_MTE1>(EVENT_ID1);
  WaitFlag<HardEvent::MTE1_MTE2>(EVENT_ID0);
  WaitFlag<HardEvent::MTE1_MTE2>(EVENT_ID1);
}

/// The tiles of C that fall to this block, one after the other.
template <typename T>
__aicore__ inline void ComputeTiles(const GlobalTensor<T>& a, const GlobalTensor<T>& b,
                                    const GlobalTensor<float>& c, uint32_t block, uint32_t blocks) {
  constexpr uint32_t kTilesN = kSize / kBaseN;
  constexpr uint32_t kTiles = kSize / kBaseM * kTilesN;
  for (uint32_t tile = block; tile < kTiles; tile += blocks) {
    const uint32_t m = tile / kTilesN * kBaseM, n = tile % kTilesN * kBaseN;
    ComputeTile(a[m * kSize], b[n], c[m * kSize + n]);
  }
}

}  // namespace gemm_kernel

#endif  // HOSTNPU_BENCHMARKS_GEMM_KERNEL_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// GEMM written as an Ascend C user writes it: tiles go GM -> L1 -> L0 -> L0C -> GM with two buffers
// at each step. CPU time is that of the thread, so that figures of a shared machine can be
// compared. compare_gemm.py measures numpy.
#include <benchmark/benchmark.h>

#include <cstring>

#include "engine/engine.h"
#include "memory/device_memory.h"

// The kernel headers define qualifiers as macros, so they come last.
#include "ascendc/kernel_operator.h"
#include "ascendc/lib/matmul_intf.h"

namespace hostnpu {
namespace {

using namespace AscendC;  // NOLINT: as in a kernel source

constexpr uint32_t kSize = 1024;
constexpr uint32_t kBaseM = 128;
constexpr uint32_t kBaseN = 256;
constexpr uint32_t kBaseK = 64;
constexpr uint32_t kStepK = 2;  // base k that one L1 tile holds

template <typename T>
struct GemmArguments {
  T* a;
  T* b;
  float* c;
};

/// One base tile of C; the tiles of a block follow each other.
template <typename T>
void ComputeTile(const GlobalTensor<T>& a, const GlobalTensor<T>& b, const GlobalTensor<float>& c) {
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

template <typename T>
void GemmKernel(void* pointer) {
  AscendC::internal::Regs().Reset();
  const auto& arguments = *static_cast<GemmArguments<T>*>(pointer);
  GlobalTensor<T> a, b;
  GlobalTensor<float> c;
  a.SetGlobalBuffer(arguments.a, kSize * kSize);
  b.SetGlobalBuffer(arguments.b, kSize * kSize);
  c.SetGlobalBuffer(arguments.c, kSize * kSize);
  const uint32_t tiles_n = kSize / kBaseN;
  const uint32_t tiles = kSize / kBaseM * tiles_n;
  for (uint32_t tile = static_cast<uint32_t>(hostnpu_core->block_index); tile < tiles;
       tile += static_cast<uint32_t>(hostnpu_core->block_count)) {
    const uint32_t m = tile / tiles_n * kBaseM, n = tile % tiles_n * kBaseN;
    ComputeTile(a[m * kSize], b[n], c[m * kSize + n]);
  }
}

/// The same product through the Matmul object: each vector core computes its share of rows.
template <typename T>
void MatmulKernel(void* pointer) {
  AscendC::internal::Regs().Reset();
  const auto& arguments = *static_cast<GemmArguments<T>*>(pointer);
  TPipe pipe;
  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, T>, MatmulType<TPosition::GM, CubeFormat::ND, T>,
         MatmulType<TPosition::GM, CubeFormat::ND, float>>
      mm;
  TCubeTiling tiling;
  tiling.M = tiling.N = tiling.Ka = tiling.Kb = kSize;
  tiling.singleCoreM = kBaseM;
  tiling.singleCoreN = tiling.singleCoreK = kSize;
  tiling.baseM = kBaseM;
  tiling.baseN = kBaseN;
  tiling.baseK = kBaseK;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
  GlobalTensor<T> a, b;
  GlobalTensor<float> c;
  a.SetGlobalBuffer(arguments.a, kSize * kSize);
  b.SetGlobalBuffer(arguments.b, kSize * kSize);
  c.SetGlobalBuffer(arguments.c, kSize * kSize);
  const uint64_t first = static_cast<uint64_t>(GetBlockIdx()) * kBaseM * kSize;
  if (first >= kSize * kSize) return;
  mm.SetTensorA(a[first]);
  mm.SetTensorB(b);
  mm.IterateAll(c[first]);
  mm.End();
}

template <typename T, void (*kernel)(void*), uint32_t aiv, uint32_t workers>
void Gemm(benchmark::State& state) {
  auto& memory = memory::DeviceMemory::Get();
  const size_t count = kSize * kSize;
  GemmArguments<T> arguments = {static_cast<T*>(*memory.Allocate(0, count * sizeof(T))),
                                static_cast<T*>(*memory.Allocate(0, count * sizeof(T))),
                                static_cast<float*>(*memory.Allocate(0, count * 4))};
  for (size_t i = 0; i < count; ++i) {
    arguments.a[i] = T(static_cast<float>(i % 17) / 16.0f);
    arguments.b[i] = T(static_cast<float>(i % 13) / 16.0f);
  }
  engine::LaunchSpec spec;
  spec.kernel_name = "gemm";
  void* workspace = *memory.Allocate(0, 16777216);
  spec.blocks = aiv == 2 ? 4 : 8;
  spec.cores = {1, aiv};
  spec.system_workspace = static_cast<uint8_t*>(workspace);
  spec.aiv_entry = spec.aic_entry = kernel;
  spec.arguments = &arguments;
  spec.chip = *arch::FindChip("Ascend910B1");
  spec.worker_limit = workers;
  for (auto _ : state) {
    if (auto outcome = engine::Engine::Get().Run(spec); outcome.fault.has_value()) {
      state.SkipWithError(outcome.fault->ToString().c_str());
      break;
    }
  }
  const double flops = 2.0 * kSize * kSize * kSize;
  state.counters["FLOPS"] = benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate,
                                               benchmark::Counter::kIs1000);
  for (void* p : {static_cast<void*>(arguments.a), static_cast<void*>(arguments.b),
                  static_cast<void*>(arguments.c), workspace}) {
    (void)memory.Free(p);
  }
}
BENCHMARK(Gemm<half, GemmKernel<half>, 0, 1>)
    ->Name("gemm_1024_half_one_thread/hostnpu")
    ->Unit(benchmark::kMillisecond);
BENCHMARK(Gemm<half, MatmulKernel<half>, 2, 1>)
    ->Name("gemm_1024_half_one_thread/matmul_object")
    ->Unit(benchmark::kMillisecond);
BENCHMARK(Gemm<bfloat16_t, GemmKernel<bfloat16_t>, 0, 1>)
    ->Name("gemm_1024_bfloat16_one_thread/hostnpu")
    ->Unit(benchmark::kMillisecond);
BENCHMARK(Gemm<half, GemmKernel<half>, 0, 2>)
    ->Name("gemm_1024_half_two_threads/hostnpu")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hostnpu

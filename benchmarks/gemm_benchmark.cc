// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The product of gemm_kernel.h, and the same through the Matmul object. CPU time is that of the
// thread, so that figures of a shared machine can be compared. compare_gemm.py measures numpy.
#include <benchmark/benchmark.h>

#include <cstring>

#include "engine/engine.h"
#include "memory/device_memory.h"

// The kernel headers define qualifiers as macros, so they come last.
#include "ascendc/kernel_operator.h"
#include "ascendc/lib/matmul_intf.h"
#include "gemm_kernel.h"

namespace hostnpu {
namespace {

using namespace AscendC;      // NOLINT: as in a kernel source
using namespace gemm_kernel;  // NOLINT

template <typename T>
struct GemmArguments {
  T* a;
  T* b;
  float* c;
};

template <typename T>
void GemmKernel(void* pointer) {
  AscendC::internal::Regs().Reset();
  const auto& arguments = *static_cast<GemmArguments<T>*>(pointer);
  GlobalTensor<T> a, b;
  GlobalTensor<float> c;
  a.SetGlobalBuffer(arguments.a, kSize * kSize);
  b.SetGlobalBuffer(arguments.b, kSize * kSize);
  c.SetGlobalBuffer(arguments.c, kSize * kSize);
  ComputeTiles(a, b, c, static_cast<uint32_t>(hostnpu_core->block_index),
               static_cast<uint32_t>(hostnpu_core->block_count));
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

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// What hand-overs between cube and vector cores cost: a kernel shaped like flash attention, 24
// blocks of one AIC and two AIVs, four hand-overs an iteration, against the same kernel with
// nothing but its flags. Their ratio is the share of scheduling.
#include <benchmark/benchmark.h>

#include <cstring>

#include "engine/engine.h"
#include "memory/device_memory.h"

// The kernel headers define qualifiers as macros, so they come last.
#include "ascendc/kernel_operator.h"

namespace hostnpu {
namespace {

using namespace AscendC;  // NOLINT: as in a kernel source

constexpr uint32_t kRows = 128, kWidth = 128, kHead = 64, kIterations = 4;

struct Arguments {
  half* q;     // blocks x kRows x kHead
  half* k;     // kIterations x kWidth x kHead
  half* v;     // kIterations x kWidth x kHead
  half* p;     // blocks x kRows x kWidth
  float* s;    // blocks x kRows x kWidth
  float* o;    // blocks x kRows x kHead
  float* out;  // blocks x kRows x kHead
};

template <typename T>
GlobalTensor<T> Global(T* data) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(data, 0);
  return tensor;
}

/// C = A * B^T or A * B, one tile.
void MultiplyTile(half* a, half* b, float* c, uint32_t n, uint32_t k, bool b_is_transposed) {
  LocalTensor<half> a1(TPosition::A1, 0, kRows * k), b1(TPosition::B1, 262144, n * k);
  LocalTensor<half> a2(TPosition::A2, 0, kRows * k), b2(TPosition::B2, 0, n * k);
  LocalTensor<float> c1(TPosition::CO1, 0, kRows * n);
  DataCopy(a1, Global(a), Nd2NzParams(1, kRows, k, 0, k, kRows, 1, 0));
  const uint16_t rows = static_cast<uint16_t>(b_is_transposed ? n : k);
  const uint16_t columns = static_cast<uint16_t>(b_is_transposed ? k : n);
  DataCopy(b1, Global(b), Nd2NzParams(1, rows, columns, 0, columns, rows, 1, 0));
  for (uint32_t i = 0; i < kRows / 16; ++i) {
    LoadData(a2[i * 16 * k], a1[i * 256],
             LoadData2DParams(0, static_cast<uint8_t>(k / 16), kRows / 16, 0, 0, false, 0));
  }
  for (uint32_t i = 0; i < k / 16; ++i) {
    const LoadData2DParams p(0, static_cast<uint8_t>(n / 16),
                             static_cast<uint16_t>(b_is_transposed ? 1 : k / 16), 0, 0,
                             !b_is_transposed, 0);
    LoadData(b2[i * 16 * n], b1[b_is_transposed ? i * 16 * n : i * 256], p);
  }
  Mmad(c1, a2, b2,
       MmadParams(kRows, static_cast<uint16_t>(n), static_cast<uint16_t>(k), 0, false, true));
  Fixpipe(Global(c), c1, FixpipeParamsV220(static_cast<uint16_t>(n), kRows, kRows, n, false));
}

template <bool works>
void Attention(void* pointer) {
  AscendC::internal::Regs().Reset();
  const auto& x = *static_cast<Arguments*>(pointer);
  const size_t block = static_cast<size_t>(hostnpu_core->block_index);
  const bool is_cube = AscendC::internal::OnCubeCore();
  const uint32_t rows = kRows / 2;
  const size_t lane = is_cube ? 0 : static_cast<size_t>(hostnpu_core->sub_block_index);
  LocalTensor<float> scores(TPosition::VECIN, 0, rows * kWidth);
  LocalTensor<half> weights(TPosition::VECOUT, 65536, rows * kWidth);
  LocalTensor<float> sum(TPosition::VECCALC, 98304, rows * kHead),
      part(TPosition::VECIN, 131072, rows * kHead);
  if (works && !is_cube) Duplicate(sum, 0.0f, static_cast<int32_t>(rows * kHead));
  for (uint32_t i = 0; i < kIterations; ++i) {
    if (is_cube) {
      if (works)
        MultiplyTile(x.q + block * kRows * kHead, x.k + i * kWidth * kHead,
                     x.s + block * kRows * kWidth, kWidth, kHead, true);
      CrossCoreSetFlag<2, PIPE_FIX>(0);
      CrossCoreWaitFlag(1);
      if (works)
        MultiplyTile(x.p + block * kRows * kWidth, x.v + i * kWidth * kHead,
                     x.o + block * kRows * kHead, kHead, kWidth, false);
      CrossCoreSetFlag<2, PIPE_FIX>(2);
      CrossCoreWaitFlag(3);
      continue;
    }
    CrossCoreWaitFlag(0);
    if (works) {
      DataCopy(scores, Global(x.s + (block * kRows + lane * rows) * kWidth), rows * kWidth);
      Muls(scores, scores, 0.125f, static_cast<int32_t>(rows * kWidth));
      Exp(scores, scores, static_cast<int32_t>(rows * kWidth));
      Cast(weights, scores, RoundMode::CAST_RINT, rows * kWidth);
      DataCopy(Global(x.p + (block * kRows + lane * rows) * kWidth), weights, rows * kWidth);
    }
    CrossCoreSetFlag<2, PIPE_MTE3>(1);
    CrossCoreWaitFlag(2);
    if (works) {
      DataCopy(part, Global(x.o + (block * kRows + lane * rows) * kHead), rows * kHead);
      Add(sum, sum, part, static_cast<int32_t>(rows * kHead));
    }
    CrossCoreSetFlag<2, PIPE_MTE2>(3);
  }
  if (works && !is_cube)
    DataCopy(Global(x.out + (block * kRows + lane * rows) * kHead), sum, rows * kHead);
}

template <bool works>
void RunAttention(benchmark::State& state) {
  constexpr size_t kBlocks = 24;
  auto& memory = memory::DeviceMemory::Get();
  std::vector<void*> buffers;
  const auto allocate = [&](size_t bytes) {
    buffers.push_back(*memory.Allocate(0, bytes));
    memset(buffers.back(), 0, bytes);
    return buffers.back();
  };
  Arguments x = {};
  x.q = static_cast<half*>(allocate(kBlocks * kRows * kHead * 2));
  x.k = static_cast<half*>(allocate(kIterations * kWidth * kHead * 2));
  x.v = static_cast<half*>(allocate(kIterations * kWidth * kHead * 2));
  x.p = static_cast<half*>(allocate(kBlocks * kRows * kWidth * 2));
  x.s = static_cast<float*>(allocate(kBlocks * kRows * kWidth * 4));
  x.o = static_cast<float*>(allocate(kBlocks * kRows * kHead * 4));
  x.out = static_cast<float*>(allocate(kBlocks * kRows * kHead * 4));
  engine::LaunchSpec spec;
  spec.kernel_name = "attention";
  spec.blocks = kBlocks;
  spec.cores = {1, 2};
  spec.aiv_entry = spec.aic_entry = &Attention<works>;
  spec.arguments = &x;
  spec.chip = *arch::FindChip("Ascend910B1");
  spec.worker_limit = 1;
  uint64_t switches = 0;
  for (auto _ : state) {
    const auto outcome = engine::Engine::Get().Run(spec);
    if (outcome.fault.has_value()) {
      state.SkipWithError(outcome.fault->ToString().c_str());
      break;
    }
    switches = outcome.switches;
  }
  state.counters["switches"] = static_cast<double>(switches);
  for (void* p : buffers) (void)memory.Free(p);
}
BENCHMARK(RunAttention<true>)
    ->Name("attention_24x4_handovers/hostnpu")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(RunAttention<false>)
    ->Name("attention_24x4_handovers/flags_only")
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace hostnpu

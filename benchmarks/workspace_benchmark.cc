// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// What a workspace costs per launch: a lease and its end in the steady state, an arena that is
// fresh or reused and then touched, and the peak of a chain of operators with random workspaces.
#include <benchmark/benchmark.h>

#include <cstring>
#include <random>

#include "memory/device_memory.h"
#include "workspace/launch.h"
#include "workspace/pool.h"

namespace {

using namespace hostnpu::workspace;

ArenaPlan FiveWorkspaces() {
  Request request{"k", 0, {}, {}};
  for (int i = 0; i < 5; ++i) request.regions.push_back({"ws", 10000 * (i + 1)});
  return std::move(PlanArena(request)).value();
}

void LeaseAndRelease(benchmark::State& state) {
  DeviceSource source(0);
  Pool pool(&source, {});
  Lane* lane = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  for (auto _ : state) {
    auto lease = lane->Acquire(1 << 20, 512, "k");
    benchmark::DoNotOptimize(lease->base());
  }
  state.counters["allocations"] = static_cast<double>(pool.Statistics().allocations);
}
BENCHMARK(LeaseAndRelease)->Name("lease_and_release/hostnpu");

void LeaseAndReleaseOfFiveWorkspaces(benchmark::State& state) {
  DeviceSource source(0);
  Pool pool(&source, {});
  Lane* lane = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  const ArenaPlan plan = FiveWorkspaces();
  for (auto _ : state) {
    auto launch = LaunchWorkspace::Prepare(lane, plan, "k");
    benchmark::DoNotOptimize(launch->Address(4));
    static_cast<void>(launch->Finish());
  }
}
BENCHMARK(LeaseAndReleaseOfFiveWorkspaces)->Name("lease_five_workspaces/hostnpu");

constexpr int64_t kArenaBytes = 64 << 20;

void FreshArenaTouched(benchmark::State& state) {
  DeviceSource source(0);
  for (auto _ : state) {
    Pool pool(&source, {});
    auto lease = pool.OpenLane(LaneKind::kStream, "[Stream 0]")->Acquire(kArenaBytes, 512, "k");
    for (int64_t at = 0; at < kArenaBytes; at += 4096) lease->base()[at] = std::byte{1};
    state.PauseTiming();
    lease->End();
    lease = Lease();
    pool.Trim();
    hostnpu::memory::DeviceMemory::Get().Trim();
    state.ResumeTiming();
  }
}
BENCHMARK(FreshArenaTouched)
    ->Name("fresh_64mib_arena_touched/hostnpu")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(20);

void ReusedArenaTouched(benchmark::State& state) {
  DeviceSource source(0);
  Pool pool(&source, {});
  Lane* lane = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  std::memset(lane->Acquire(kArenaBytes, 512, "k")->base(), 1, kArenaBytes);
  for (auto _ : state) {
    auto lease = lane->Acquire(kArenaBytes, 512, "k");
    for (int64_t at = 0; at < kArenaBytes; at += 4096) lease->base()[at] = std::byte{2};
  }
}
BENCHMARK(ReusedArenaTouched)
    ->Name("reused_64mib_arena_touched/hostnpu")
    ->Unit(benchmark::kMillisecond);

void ChainOfHundredOperators(benchmark::State& state) {
  DeviceSource source(0);
  double ratio = 0;
  for (auto _ : state) {
    Pool pool(&source, {});
    Lane* lane = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
    std::mt19937 random(7);
    int64_t largest = 0;
    for (int i = 0; i < 100; ++i) {
      const int64_t bytes = 512 * (1 + static_cast<int64_t>(random() % 20000));
      largest = std::max(largest, bytes);
      benchmark::DoNotOptimize(lane->Acquire(bytes, 512, "op")->base());
    }
    ratio =
        static_cast<double>(pool.Statistics().peak_reserved_bytes) / static_cast<double>(largest);
  }
  state.counters["peak/largest"] = ratio;
}
BENCHMARK(ChainOfHundredOperators)
    ->Name("chain_of_100_operators/hostnpu")
    ->Unit(benchmark::kMicrosecond);

void PlanFiveWorkspaces(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(FiveWorkspaces());
}
BENCHMARK(PlanFiveWorkspaces)->Name("plan_five_workspaces/hostnpu")->Unit(benchmark::kMicrosecond);

}  // namespace

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// What a workspace costs per launch: a lease and its end in the steady state, an arena that is
// fresh or reused and then touched, and the peak of a chain of operators with random workspaces.
#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include <cstring>
#include <random>
#include <vector>

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

/// An arena that was freed and is asked for again in another size: its pages are still there.
void FreedArenaTouchedAgain(benchmark::State& state) {
  DeviceSource source(0);
  int64_t bytes = kArenaBytes;
  for (auto _ : state) {
    Pool pool(&source, {});
    auto lease = pool.OpenLane(LaneKind::kStream, "[Stream 0]")->Acquire(bytes, 512, "k");
    for (int64_t at = 0; at < bytes; at += 4096) lease->base()[at] = std::byte{1};
    bytes = bytes == kArenaBytes ? kArenaBytes - (8 << 20) : kArenaBytes;
  }
}
BENCHMARK(FreedArenaTouchedAgain)
    ->Name("freed_64mib_arena_touched_again/hostnpu")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// The same bytes in pages of 4 KiB, fresh from the system.
void SmallPagesTouched(benchmark::State& state) {
  for (auto _ : state) {
    void* raw =
        mmap(nullptr, kArenaBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) {
      state.SkipWithError("no memory");
      return;
    }
    auto* data = static_cast<std::byte*>(raw);
    for (int64_t at = 0; at < kArenaBytes; at += 4096) data[at] = std::byte{1};
    state.PauseTiming();
    munmap(raw, kArenaBytes);
    state.ResumeTiming();
  }
}
BENCHMARK(SmallPagesTouched)
    ->Name("fresh_64mib_arena_touched/small_pages")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(10);

/// The floor: the system clears fresh pages, and no clearing of 64 MiB is faster than this.
void ArenaCleared(benchmark::State& state) {
  std::vector<std::byte> arena(kArenaBytes);
  for (auto _ : state) {
    std::memset(arena.data(), 0, arena.size());
    benchmark::DoNotOptimize(arena.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(ArenaCleared)
    ->Name("fresh_64mib_arena_touched/clearing_alone")
    ->Unit(benchmark::kMillisecond);

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

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// What a workspace costs per launch: a lease and its end in the steady state, an arena that is
// fresh or reused and then touched, and the peak of a chain of operators with random workspaces.
#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include <atomic>
#include <cstring>
#include <random>
#include <vector>

#include "acl/acl.h"
#include "ascendc/detail/launch_abi.h"
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

std::byte* touched_arena = nullptr;
std::atomic<int64_t> touched_parts{0};

/// A block of a kernel whose blocks write a part of the arena each.
void TouchPart(void*) {
  const int64_t part = touched_parts.fetch_add(1);
  std::byte* const data = touched_arena + part * (kArenaBytes / 32);
  for (int64_t at = 0; at < kArenaBytes / 32; at += 4096) data[at] = std::byte{1};
}

/// The same, touched by the blocks of the launch that it is for: the workers' page faults run side
/// by side.
void FreshArenaTouchedByALaunch(benchmark::State& state) {
  aclrtStream stream = nullptr;
  if (aclrtSetDevice(0) != ACL_SUCCESS || aclrtCreateStream(&stream) != ACL_SUCCESS) return;
  const HostnpuArgument none[] = {{0, 8, 0}};
  const uint64_t packed = 0;
  HostnpuLaunch launch = {};
  launch.name = "touch";
  launch.form = HOSTNPU_LAUNCH_CHEVRON;
  launch.blocks = 32;
  launch.stream = stream;
  launch.entry = TouchPart;
  launch.kernel_type = HOSTNPU_KERNEL_AIV_ONLY;
  launch.arguments = &packed;
  launch.arguments_bytes = sizeof(packed);
  launch.arguments_align = alignof(uint64_t);
  launch.argument_list = none;
  launch.argument_count = 1;
  DeviceSource source(0);
  for (auto _ : state) {
    Pool pool(&source, {});
    auto lease = pool.OpenLane(LaneKind::kStream, "[Stream 0]")->Acquire(kArenaBytes, 512, "k");
    touched_arena = lease->base();
    touched_parts = 0;
    hostnpu_launch(&launch);
    if (aclrtSynchronizeStream(stream) != ACL_SUCCESS) state.SkipWithError("the launch failed");
    state.PauseTiming();
    lease = Lease();
    pool.Trim();
    hostnpu::memory::DeviceMemory::Get().Trim();
    state.ResumeTiming();
  }
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
}
BENCHMARK(FreshArenaTouchedByALaunch)
    ->Name("fresh_64mib_arena_touched/by_a_launch")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(20);

/// An arena that grows by an eighth of its size from launch to launch, and is touched each time.
void GrowingArenaTouched(benchmark::State& state) {
  DeviceSource source(0);
  for (auto _ : state) {
    Pool pool(&source, {});
    Lane* lane = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
    for (int64_t bytes = kArenaBytes / 2; bytes <= kArenaBytes; bytes += kArenaBytes / 16) {
      auto lease = lane->Acquire(bytes, 512, "k");
      for (int64_t at = 0; at < bytes; at += 4096) lease->base()[at] = std::byte{1};
    }
    state.PauseTiming();
    pool.Trim();
    hostnpu::memory::DeviceMemory::Get().Trim();
    state.ResumeTiming();
  }
}
BENCHMARK(GrowingArenaTouched)
    ->Name("arena_grown_from_32_to_64mib_touched/hostnpu")
    ->UseRealTime()
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

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// What a launch costs from the call to synchronised, with kernels that do nothing.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "acl/acl.h"
#include "ascendc/detail/launch_abi.h"

namespace {

void Empty(void*) {}

HostnpuLaunch LaunchOf(uint64_t blocks, aclrtStream stream, uint32_t type) {
  static const HostnpuArgument kNone[] = {{0, 8, 0}};
  static const uint64_t kPacked = 0;
  HostnpuLaunch launch = {};
  launch.name = "empty";
  launch.form = HOSTNPU_LAUNCH_CHEVRON;
  launch.blocks = blocks;
  launch.stream = stream;
  launch.entry = Empty;
  launch.kernel_type = type;
  launch.arguments = &kPacked;
  launch.arguments_bytes = sizeof(kPacked);
  launch.arguments_align = alignof(uint64_t);
  launch.argument_list = kNone;
  launch.argument_count = 1;
  return launch;
}

/// One launch and its synchronise at a time; reports the median beside the mean.
void LaunchAndSynchronize(benchmark::State& state, uint32_t type) {
  aclrtStream stream = nullptr;
  if (aclrtSetDevice(0) != ACL_SUCCESS || aclrtCreateStream(&stream) != ACL_SUCCESS) {
    state.SkipWithError("no device");
    return;
  }
  const HostnpuLaunch launch = LaunchOf(static_cast<uint64_t>(state.range(0)), stream, type);
  std::vector<double> times_us;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    hostnpu_launch(&launch);
    aclrtSynchronizeStream(stream);
    times_us.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
            .count());
  }
  const auto middle = times_us.begin() + static_cast<ptrdiff_t>(times_us.size() / 2);
  std::nth_element(times_us.begin(), middle, times_us.end());
  state.counters["median_us"] = *middle;
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
}

void EmptyOnVectorCores(benchmark::State& state) {
  LaunchAndSynchronize(state, HOSTNPU_KERNEL_AIV_ONLY);
}
BENCHMARK(EmptyOnVectorCores)->Arg(1)->Arg(8)->Arg(48)->Arg(1000)->UseRealTime();

void EmptyOnAllCores(benchmark::State& state) {
  LaunchAndSynchronize(state, HOSTNPU_KERNEL_MIX_AIC_1_2);
}
BENCHMARK(EmptyOnAllCores)->Arg(24)->UseRealTime();

/// Many launches, then one synchronise.
void EmptyInARow(benchmark::State& state) {
  aclrtStream stream = nullptr;
  if (aclrtSetDevice(0) != ACL_SUCCESS || aclrtCreateStream(&stream) != ACL_SUCCESS) {
    state.SkipWithError("no device");
    return;
  }
  const HostnpuLaunch launch = LaunchOf(48, stream, HOSTNPU_KERNEL_AIV_ONLY);
  for (auto _ : state) {
    for (int64_t i = 0; i < state.range(0); ++i) hostnpu_launch(&launch);
    aclrtSynchronizeStream(stream);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
}
BENCHMARK(EmptyInARow)->Arg(100)->UseRealTime();

}  // namespace

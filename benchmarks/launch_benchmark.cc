// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// What a launch costs from the call to synchronised, with kernels that do nothing.
#include <benchmark/benchmark.h>

#include <thread>
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

/// A stream of device 0 while it lives; null if there is none.
class DeviceStream {
 public:
  DeviceStream() {
    if (aclrtSetDevice(0) == ACL_SUCCESS) aclrtCreateStream(&stream_);
  }
  ~DeviceStream() {
    if (stream_ != nullptr) aclrtDestroyStream(stream_);
    aclrtResetDevice(0);
  }
  aclrtStream get() const { return stream_; }

 private:
  aclrtStream stream_ = nullptr;
};

/// `launches` launches of `blocks` blocks, then one synchronise; the median is the tool's business.
void Launch(benchmark::State& state, uint64_t blocks, uint32_t type, int launches) {
  const DeviceStream stream;
  const HostnpuLaunch launch = LaunchOf(blocks, stream.get(), type);
  for (auto _ : state) {
    for (int i = 0; i < launches; ++i) hostnpu_launch(&launch);
    if (aclrtSynchronizeStream(stream.get()) != ACL_SUCCESS) {
      state.SkipWithError("the launch failed");
      return;
    }
  }
}
BENCHMARK_CAPTURE(Launch, aiv_1, 1, HOSTNPU_KERNEL_AIV_ONLY, 1)
    ->Name("empty_kernel_1_core/hostnpu")
    ->UseRealTime();
BENCHMARK_CAPTURE(Launch, aiv_48, 48, HOSTNPU_KERNEL_AIV_ONLY, 1)
    ->Name("empty_kernel_48_cores/hostnpu")
    ->UseRealTime();
BENCHMARK_CAPTURE(Launch, aiv_1000, 1000, HOSTNPU_KERNEL_AIV_ONLY, 1)
    ->Name("empty_kernel_1000_blocks/hostnpu")
    ->UseRealTime();
BENCHMARK_CAPTURE(Launch, mix_24, 24, HOSTNPU_KERNEL_MIX_AIC_1_2, 1)
    ->Name("empty_mixed_kernel_24_blocks/hostnpu")
    ->UseRealTime();
BENCHMARK_CAPTURE(Launch, row, 48, HOSTNPU_KERNEL_AIV_ONLY, 100)
    ->Name("100_empty_kernels_48_cores/hostnpu")
    ->UseRealTime();

/// What the simplest host simulation does: a thread a core.
void ThreadPerCore(benchmark::State& state) {
  for (auto _ : state) {
    std::vector<std::thread> cores;
    for (int i = 0; i < 48; ++i) cores.emplace_back([] { Empty(nullptr); });
    for (std::thread& core : cores) core.join();
  }
}
BENCHMARK(ThreadPerCore)->Name("empty_kernel_48_cores/thread_per_core")->UseRealTime();

}  // namespace

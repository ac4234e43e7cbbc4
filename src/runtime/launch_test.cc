// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "ascendc/detail/device_abi.h"
#include "ascendc/detail/launch_abi.h"
#include "memory/device_memory.h"

namespace hostnpu::runtime {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Arguments {
  void* x;
  void* workspace;
  int64_t n;
};

const HostnpuArgument kLayout[] = {{0, 8, 1}, {8, 8, 1}, {16, 8, 0}};

HostnpuLaunch LaunchOf(const char* name, HostnpuKernelEntry entry, const Arguments& arguments,
                       void* stream = nullptr, uint64_t blocks = 1) {
  HostnpuLaunch launch = {};
  launch.name = name;
  launch.file = "host.asc";
  launch.line = 7;
  launch.form = HOSTNPU_LAUNCH_ACLRT;
  launch.blocks = blocks;
  launch.stream = stream;
  launch.entry = entry;
  launch.kernel_type = HOSTNPU_KERNEL_UNDECLARED;
  launch.arguments = &arguments;
  launch.arguments_bytes = sizeof(arguments);
  launch.arguments_align = alignof(Arguments);
  launch.argument_list = kLayout;
  launch.argument_count = 3;
  return launch;
}

/// Counts the blocks into x[0].
void CountBlocks(void* pointer) {
  auto* a = static_cast<Arguments*>(pointer);
  static_cast<std::atomic<int64_t>*>(a->x)->fetch_add(1);
}

void DoNothing(void*) {}

void FailInBlock3(void*) {
  if (hostnpu_core->block_index == 3) {
    hostnpu_core->abi->fault(hostnpu_core, HOSTNPU_FAULT_ASSERT, "assert", "failed");
  }
}

void WaitForever(void*) { hostnpu_core->abi->cross_core_wait(hostnpu_core, 5); }

/// Stores what it was given: [0] the workspace argument, [1] the system workspace, [2] cores.
void Report(void* pointer) {
  auto* a = static_cast<Arguments*>(pointer);
  auto* out = static_cast<uint64_t*>(a->x);
  if (hostnpu_core->core_kind == HOSTNPU_CORE_AIV && hostnpu_core->sub_block_index == 0) {
    out[0] = reinterpret_cast<uint64_t>(a->workspace);
    out[1] = reinterpret_cast<uint64_t>(hostnpu_core->system_workspace);
  }
  reinterpret_cast<std::atomic<uint64_t>*>(out + 2)->fetch_add(1);
}

void RegisterKernel(const char* name, const char* qualifiers, const char* task_type,
                    uint32_t have_workspace = 0,
                    const char* parameters = "x:GM_ADDR:gm;workspace:GM_ADDR:gm;n:int64_t:") {
  const HostnpuKernelInfo info = {name,       "kernel.asc",   3, qualifiers, task_type,
                                  parameters, have_workspace, 0};
  hostnpu_register_kernel(&info);
}

class LaunchTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
    x_ = Allocate(4096);
    std::memset(x_, 0, 4096);
    live_ = memory::DeviceMemory::Get().LiveBuffers(std::nullopt).size();
  }
  void TearDown() override {
    EXPECT_EQ(aclrtDestroyStream(stream_), ACL_SUCCESS);
    EXPECT_EQ(memory::DeviceMemory::Get().LiveBuffers(std::nullopt).size(), live_)
        << "a test has leaked device memory";
    EXPECT_EQ(aclrtFree(x_), ACL_SUCCESS);
    aclrtResetDevice(0);
    aclGetRecentErrMsg();
  }
  static void* Allocate(size_t bytes) {
    void* data = nullptr;
    EXPECT_EQ(aclrtMalloc(&data, bytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    return data;
  }
  static std::string Message() {
    const char* text = aclGetRecentErrMsg();
    return text == nullptr ? "" : text;
  }
  aclrtStream stream_ = nullptr;
  void* x_ = nullptr;
  size_t live_ = 0;
};

TEST_F(LaunchTest, EveryBlockHasRunWhenTheStreamIsSynchronised) {
  const Arguments arguments{x_, nullptr, 0};
  const HostnpuLaunch launch = LaunchOf("count", CountBlocks, arguments, stream_, 100);
  for (int i = 0; i < 50; ++i) ASSERT_EQ(hostnpu_launch(&launch), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<int64_t*>(x_), 5000);
}

TEST_F(LaunchTest, AStreamMovesThoughNobodySynchronises) {
  const Arguments arguments{x_, nullptr, 0};
  const HostnpuLaunch launch = LaunchOf("count", CountBlocks, arguments, stream_, 4);
  ASSERT_EQ(hostnpu_launch(&launch), ACL_SUCCESS);
  aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
  while (status == ACL_STREAM_STATUS_NOT_READY) {
    ASSERT_EQ(aclrtStreamQuery(stream_, &status), ACL_SUCCESS);
    std::this_thread::yield();
  }
  EXPECT_EQ(*static_cast<int64_t*>(x_), 4);
}

TEST_F(LaunchTest, AMillionBlocksQueue) {
  const Arguments arguments{x_, nullptr, 0};
  const HostnpuLaunch launch = LaunchOf("count", CountBlocks, arguments, stream_, 1000000);
  ASSERT_EQ(hostnpu_launch(&launch), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<int64_t*>(x_), 1000000);
}

TEST_F(LaunchTest, AFaultIsReportedBySynchroniseUntilTheStreamIsGone) {
  const Arguments arguments{x_, nullptr, 0};
  const HostnpuLaunch bad = LaunchOf("ns::broken<int>", FailInBlock3, arguments, stream_, 8);
  const HostnpuLaunch good = LaunchOf("count", CountBlocks, arguments, stream_, 8);
  ASSERT_EQ(hostnpu_launch(&bad), ACL_SUCCESS);
  ASSERT_EQ(hostnpu_launch(&good), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  EXPECT_THAT(Message(), AllOf(HasSubstr("aclrtSynchronizeStream failed with "
                                         "ACL_ERROR_RT_VECTOR_CORE_EXCEPTION (507035).\n"),
                               HasSubstr("kernel 'ns::broken'"), HasSubstr("block 3"),
                               HasSubstr("launched at host.asc:7")));
  EXPECT_EQ(*static_cast<int64_t*>(x_), 0) << "what comes after a fault does not run";
  EXPECT_EQ(hostnpu_launch(&good), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  aclrtStream other = nullptr;
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  const HostnpuLaunch elsewhere = LaunchOf("count", CountBlocks, arguments, other, 8);
  EXPECT_EQ(hostnpu_launch(&elsewhere), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
  Message();
}

TEST_F(LaunchTest, AFaultOnACubeCoreIs507015AndAStall507014) {
  const Arguments arguments{x_, nullptr, 0};
  HostnpuLaunch cube = LaunchOf("cube", FailInBlock3, arguments, stream_, 8);
  cube.kernel_type = HOSTNPU_KERNEL_AIC_ONLY;
  ASSERT_EQ(hostnpu_launch(&cube), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_AICORE_EXCEPTION);
  Message();
  aclrtStream other = nullptr;
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  const HostnpuLaunch stall = LaunchOf("stall", WaitForever, arguments, other, 2);
  ASSERT_EQ(hostnpu_launch(&stall), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_ERROR_RT_AICORE_TIMEOUT);
  EXPECT_THAT(Message(),
              AllOf(HasSubstr("'stall' has stalled"), HasSubstr("CrossCoreWaitFlag(5)")));
  EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
}

TEST_F(LaunchTest, ZeroBlocksAreRefused) {
  const Arguments arguments{x_, nullptr, 0};
  const HostnpuLaunch launch = LaunchOf("count", CountBlocks, arguments, stream_, 0);
  EXPECT_EQ(hostnpu_launch(&launch), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), HasSubstr("The number of blocks (0) of kernel 'count'"));
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << "this form of launch has a result";
}

TEST_F(LaunchTest, ARefusedChevronLaunchIsReportedByTheNextSynchroniseOnce) {
  const Arguments arguments{x_, nullptr, 0};
  HostnpuLaunch launch = LaunchOf("count", CountBlocks, arguments, stream_, 0);
  launch.form = HOSTNPU_LAUNCH_CHEVRON;
  EXPECT_EQ(hostnpu_launch(&launch), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), HasSubstr("The number of blocks (0)"));
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
}

TEST_F(LaunchTest, AStreamThatDoesNotLiveIsRefused) {
  const Arguments arguments{x_, nullptr, 0};
  aclrtStream gone = nullptr;
  ASSERT_EQ(aclrtCreateStream(&gone), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyStream(gone), ACL_SUCCESS);
  HostnpuLaunch launch = LaunchOf("count", CountBlocks, arguments, gone, 1);
  EXPECT_EQ(hostnpu_launch(&launch), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_THAT(Message(), HasSubstr("has been destroyed"));
  launch.stream = &launch;
  EXPECT_EQ(hostnpu_launch(&launch), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_THAT(Message(), HasSubstr("which is no stream"));
}

TEST_F(LaunchTest, WithoutACurrentContextTheDefaultStreamDoesNotExist) {
  std::thread([&] {
    const Arguments arguments{x_, nullptr, 0};
    const HostnpuLaunch launch = LaunchOf("count", CountBlocks, arguments);
    EXPECT_EQ(hostnpu_launch(&launch), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_THAT(Message(), HasSubstr("aclrtSetDevice"));
  }).join();
}

TEST_F(LaunchTest, APointerThatIsWrongOnArrivalIsRefusedByTheNameOfItsParameter) {
  RegisterKernel("checked", "__aicore__", "");
  void* freed = Allocate(64);
  ASSERT_EQ(aclrtFree(freed), ACL_SUCCESS);
  auto launch_with = [&](void* x) {
    const Arguments arguments{x, nullptr, 0};
    const HostnpuLaunch launch = LaunchOf("checked", DoNothing, arguments, stream_);
    return hostnpu_launch(&launch);
  };
  EXPECT_EQ(launch_with(freed), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), AllOf(HasSubstr("Argument 'x' of kernel 'checked'"), HasSubstr("[Buffer "),
                               HasSubstr("has been freed")));
  int on_the_host = 0;
  EXPECT_EQ(launch_with(&on_the_host), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), HasSubstr("is not device memory"));
  void* pinned = nullptr;
  ASSERT_EQ(aclrtMallocHost(&pinned, 64), ACL_SUCCESS);
  EXPECT_EQ(launch_with(pinned), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), HasSubstr("host memory (aclrtMallocHost)"));
  ASSERT_EQ(aclrtFreeHost(pinned), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  void* foreign = Allocate(64);
  EXPECT_EQ(launch_with(foreign), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), HasSubstr("of [Device 1], and the kernel runs on [Device 0]"));
  ASSERT_EQ(aclrtFree(foreign), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(launch_with(nullptr), ACL_SUCCESS) << "null is legal until it is used";
  EXPECT_EQ(launch_with(static_cast<char*>(x_) + 100), ACL_SUCCESS);
  EXPECT_EQ(launch_with(static_cast<char*>(x_) + 4096), ACL_SUCCESS) << "an empty slice at the end";
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
}

TEST_F(LaunchTest, AFreedPointerIsRefusedWhereverLiveBuffersEnd) {
  RegisterKernel("behind", "__aicore__", "");
  std::vector<void*> blocks;
  for (int i = 0; i < 16; ++i) blocks.push_back(Allocate(4096));  // whole pages, often side by side
  for (int i = 0; i < 16; i += 2) ASSERT_EQ(aclrtFree(blocks[i]), ACL_SUCCESS);
  for (int i = 0; i < 16; ++i) {
    const Arguments arguments{blocks[i], nullptr, 0};
    const HostnpuLaunch launch = LaunchOf("behind", DoNothing, arguments, stream_);
    const bool is_freed = i % 2 == 0;
    EXPECT_EQ(hostnpu_launch(&launch), is_freed ? ACL_ERROR_INVALID_PARAM : ACL_SUCCESS) << i;
    if (is_freed) EXPECT_THAT(Message(), HasSubstr("has been freed"));
  }
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  for (int i = 1; i < 16; i += 2) ASSERT_EQ(aclrtFree(blocks[i]), ACL_SUCCESS);
}

TEST_F(LaunchTest, ABufferWithoutANameGetsTheParameters) {
  RegisterKernel("labelled", "__aicore__", "");
  const Arguments arguments{x_, nullptr, 0};
  const HostnpuLaunch launch = LaunchOf("labelled", DoNothing, arguments, stream_);
  ASSERT_EQ(hostnpu_launch(&launch), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(memory::DeviceMemory::Get().Find(x_)->label, "x");
}

uint64_t CoresRun(LaunchTest*, const char* name, void* x, aclrtStream stream, uint32_t form,
                  uint32_t type = HOSTNPU_KERNEL_UNDECLARED) {
  std::memset(x, 0, 24);
  const Arguments arguments{x, nullptr, 0};
  HostnpuLaunch launch = LaunchOf(name, Report, arguments, stream);
  launch.form = form;
  launch.kernel_type = type;
  EXPECT_EQ(hostnpu_launch(&launch), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  return static_cast<uint64_t*>(x)[2];
}

TEST_F(LaunchTest, TheSourceSaysWhichCoresRun) {
  RegisterKernel("plain", "__aicore__", "");
  RegisterKernel("cube_only", "__cube__", "");
  RegisterKernel("mixed", "__mix__(1, 2)", "KERNEL_TYPE_AIV_ONLY");
  RegisterKernel("by_task_type", "__aicore__", "KERNEL_TYPE_MIX_AIC_1_1");
  const auto cores = [&](const char* name, uint32_t form = HOSTNPU_LAUNCH_ACLRT,
                         uint32_t type = HOSTNPU_KERNEL_UNDECLARED) {
    return CoresRun(this, name, x_, stream_, form, type);
  };
  EXPECT_EQ(cores("plain"), 1u);
  EXPECT_EQ(cores("cube_only"), 1u);
  EXPECT_EQ(cores("mixed"), 3u) << "qualifiers come before the task type";
  EXPECT_EQ(cores("by_task_type"), 2u);
  EXPECT_EQ(cores("by_task_type", HOSTNPU_LAUNCH_ACLRT, HOSTNPU_KERNEL_MIX_AIC_1_2), 3u);
  EXPECT_EQ(cores("nobody_knows_it"), 1u);
  EXPECT_EQ(cores("plain", HOSTNPU_LAUNCH_ICPU), 3u) << "the twin's default mode is MIX";
}

TEST_F(LaunchTest, HaveWorkspaceGivesTheKernelTheUserPart) {
  RegisterKernel("with_prologue", "__vector__", "", 1, "x:GM_ADDR:gm;workspace:GM_ADDR:gm");
  RegisterKernel("without", "__vector__", "", 0, "x:GM_ADDR:gm;workspace:GM_ADDR:gm");
  RegisterKernel("kfc", "__mix__(1,2)", "", 0, "x:GM_ADDR:gm;w:GM_ADDR:gm,kfc");
  constexpr uint64_t kSystem = 16 << 20;
  auto* workspace = static_cast<uint8_t*>(Allocate(kSystem + 4096));
  std::memset(workspace, 0xAB, 64);
  auto run = [&](const char* name) {
    const Arguments arguments{x_, workspace, 0};
    HostnpuLaunch launch = LaunchOf(name, Report, arguments, stream_);
    launch.argument_count = 2;
    ASSERT_EQ(hostnpu_launch(&launch), ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  };
  auto* seen = static_cast<uint64_t*>(x_);
  run("with_prologue");
  EXPECT_EQ(seen[0], reinterpret_cast<uint64_t>(workspace + kSystem));
  EXPECT_EQ(seen[1], reinterpret_cast<uint64_t>(workspace));
  run("without");
  EXPECT_EQ(seen[0], reinterpret_cast<uint64_t>(workspace));
  EXPECT_EQ(seen[1], 0u);
  EXPECT_EQ(workspace[0], 0xAB) << "only a MIX kernel has its queues cleared";
  run("kfc");
  EXPECT_EQ(seen[0], reinterpret_cast<uint64_t>(workspace));
  EXPECT_EQ(seen[1], reinterpret_cast<uint64_t>(workspace));
  EXPECT_EQ(workspace[0], 0);
  ASSERT_EQ(aclrtFree(workspace), ACL_SUCCESS);
}

TEST_F(LaunchTest, ANullWorkspaceOfKnownSizeIsLeased) {
  RegisterKernel("leases", "__vector__", "");
  ASSERT_TRUE(KernelRegistry::Get().SetWorkspaceBytes("leases", 1000).ok());
  const Arguments arguments{x_, nullptr, 0};
  const HostnpuLaunch launch = LaunchOf("leases", Report, arguments, stream_);
  ASSERT_EQ(hostnpu_launch(&launch), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  const auto first = static_cast<uint64_t*>(x_)[0];
  const auto buffer = memory::DeviceMemory::Get().Find(reinterpret_cast<void*>(first));
  ASSERT_TRUE(buffer.has_value());
  EXPECT_EQ(buffer->size_bytes, 1000u);
  EXPECT_EQ(buffer->label, "workspace");
  ASSERT_EQ(hostnpu_launch(&launch), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(static_cast<uint64_t*>(x_)[0], first) << "the same block again";
  EXPECT_FALSE(KernelRegistry::Get().SetWorkspaceBytes("no_such_kernel", 1).ok());
  ASSERT_TRUE(KernelRegistry::Get().SetWorkspaceBytes("leases", uint64_t{1} << 45).ok());
  EXPECT_EQ(hostnpu_launch(&launch), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_THAT(Message(), HasSubstr("of workspace for kernel 'leases'"));
}

TEST_F(LaunchTest, AMixKernelWithPrologueAndWithoutWorkspaceIsRefused) {
  RegisterKernel("needs_it", "__mix__(1,2)", "", 1, "x:GM_ADDR:gm;workspace:GM_ADDR:gm");
  const Arguments arguments{x_, nullptr, 0};
  HostnpuLaunch launch = LaunchOf("needs_it", Report, arguments, stream_);
  launch.argument_count = 2;
  EXPECT_EQ(hostnpu_launch(&launch), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), HasSubstr("SetWorkspaceSize"));
}

TEST_F(LaunchTest, TheTwinRunsBeforeItReturnsWithAZeroedSystemWorkspace) {
  const Arguments arguments{x_, x_, 0};
  HostnpuLaunch launch = LaunchOf("twin", Report, arguments);
  launch.form = HOSTNPU_LAUNCH_ICPU;
  launch.kernel_type = HOSTNPU_KERNEL_AIV_ONLY;
  ASSERT_EQ(hostnpu_launch(&launch), ACL_SUCCESS);
  EXPECT_EQ(static_cast<uint64_t*>(x_)[0], reinterpret_cast<uint64_t>(x_));
  EXPECT_NE(static_cast<uint64_t*>(x_)[1], 0u);
}

TEST_F(LaunchTest, EightThreadsLaunchInTheirOwnStreamsAndInOne) {
  std::vector<std::thread> threads;
  std::vector<int64_t*> counters;
  for (int i = 0; i < 8; ++i) {
    counters.push_back(static_cast<int64_t*>(Allocate(64)));
    *counters.back() = 0;
  }
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      aclrtStream own = nullptr;
      EXPECT_EQ(aclrtCreateStream(&own), ACL_SUCCESS);
      const Arguments mine{counters[i], nullptr, 0};
      const Arguments common{x_, nullptr, 0};
      for (int round = 0; round < 50; ++round) {
        const HostnpuLaunch to_own = LaunchOf("own", CountBlocks, mine, own, 8);
        const HostnpuLaunch to_common = LaunchOf("common", CountBlocks, common, stream_, 3);
        EXPECT_EQ(hostnpu_launch(&to_own), ACL_SUCCESS);
        EXPECT_EQ(hostnpu_launch(&to_common), ACL_SUCCESS);
        EXPECT_EQ(aclrtSynchronizeStream(round % 2 == 0 ? own : stream_), ACL_SUCCESS);
      }
      EXPECT_EQ(aclrtSynchronizeStream(own), ACL_SUCCESS);
      EXPECT_EQ(*counters[i], 400);
      EXPECT_EQ(aclrtDestroyStream(own), ACL_SUCCESS);
      EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<int64_t*>(x_), 8 * 50 * 3);
  for (auto* counter : counters) EXPECT_EQ(aclrtFree(counter), ACL_SUCCESS);
}

}  // namespace
}  // namespace hostnpu::runtime

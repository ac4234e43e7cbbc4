// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "ascendc/detail/device_abi.h"
#include "ascendc/detail/launch_abi.h"
#include "hostnpu/runtime.h"
#include "memory/device_memory.h"
#include "runtime/kernel_registry.h"
#include "runtime/workspace_report.h"

namespace hostnpu::runtime {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using workspace::FillPolicy;

struct Arguments {
  void* x;
  void* workspace;
  int64_t n;
};
const HostnpuArgument kLayout[] = {{0, 8, 1}, {8, 8, 1}, {16, 8, 0}};

/// ws += 1 over n floats, then x = ws: right only if the workspace starts as zero.
void SumIntoWorkspace(void* pointer) {
  auto* a = static_cast<Arguments*>(pointer);
  auto* sum = static_cast<float*>(a->workspace);
  for (int64_t i = 0; i < a->n; ++i) sum[i] += 1.0f;
  std::memcpy(a->x, sum, static_cast<size_t>(a->n) * 4);
}

/// A counter at byte 40 that the last one resets, unless n says that it forgets.
void CountInWorkspace(void* pointer) {
  auto* a = static_cast<Arguments*>(pointer);
  auto* counter = static_cast<int32_t*>(a->workspace) + 10;
  *static_cast<int32_t*>(a->x) = ++*counter;
  if (a->n == 0) *counter = 0;
}

/// The same, but a fault ends it before it resets the counter.
void FaultWhileCounting(void* pointer) {
  *static_cast<int32_t*>(static_cast<Arguments*>(pointer)->x) = 0;
  static_cast<int32_t*>(static_cast<Arguments*>(pointer)->workspace)[10] = 7;
  hostnpu_core->abi->fault(hostnpu_core, HOSTNPU_FAULT_ASSERT, "assert", "failed");
}

/// Writes n bytes of the workspace, and its address to x.
void TouchWorkspace(void* pointer) {
  auto* a = static_cast<Arguments*>(pointer);
  std::memset(a->workspace, 0x5a, static_cast<size_t>(a->n));
  *static_cast<void**>(a->x) = a->workspace;
}

/// The independent recorder: which ranges are in use by kernels that run right now.
struct Recorder {
  std::mutex mutex;
  std::map<uintptr_t, uintptr_t> live;
  int overlaps = 0;
  int ranges = 0;

  void Enter(uintptr_t begin, uintptr_t end) {
    std::lock_guard lock(mutex);
    ranges += 1;
    auto next = live.upper_bound(begin);
    if (next != live.end() && next->first < end) overlaps += 1;
    if (next != live.begin() && std::prev(next)->second > begin) overlaps += 1;
    live[begin] = end;
  }
  void Leave(uintptr_t begin) {
    std::lock_guard lock(mutex);
    live.erase(begin);
  }
};
Recorder* recorder = nullptr;

void UseWorkspace(void* pointer) {
  auto* a = static_cast<Arguments*>(pointer);
  auto* bytes = static_cast<volatile uint8_t*>(a->workspace);
  const auto begin = reinterpret_cast<uintptr_t>(bytes);
  recorder->Enter(begin, begin + static_cast<uintptr_t>(a->n));
  const auto mark = static_cast<uint8_t>(begin >> 9 ^ static_cast<uintptr_t>(a->n));
  bytes[0] = mark;
  bytes[a->n - 1] = mark;
  std::this_thread::yield();
  if (bytes[0] != mark || bytes[a->n - 1] != mark) recorder->overlaps += 1;
  recorder->Leave(begin);
}

void Open(void* gate) {
  while (!static_cast<std::atomic<bool>*>(gate)->load()) std::this_thread::yield();
}

class LaunchMemoryTest : public testing::Test {
 public:
  void SetUp() override {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&a_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&b_), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&x_, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    std::memset(x_, 0, 4096);
    PoolOf(0).Trim();  // what others left idle may go at any time
    reserved_ = PoolOf(0).Statistics().reserved_bytes;
  }
  void TearDown() override {
    SetUndefinedPolicy(FillPolicy::kNone);
    SetReportsWorkspaces(false);
    PoolOf(0).SetLimit(workspace::kMaxBufferBytes);
    PoolOf(0).Unlock();
    EXPECT_EQ(aclrtDestroyStream(a_), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(b_), ACL_SUCCESS);
    EXPECT_EQ(aclrtFree(x_), ACL_SUCCESS);
    EXPECT_EQ(PoolOf(0).Statistics().reserved_bytes, reserved_) << "the memory returns";
    aclrtResetDevice(0);
    aclGetRecentErrMsg();
  }
  /// A kernel whose workspace has that many bytes.
  static void Register(const char* name, uint64_t bytes, workspace::Contents contents = {}) {
    const HostnpuKernelInfo info = {
        name, "kernel.asc", 3, "__vector__", "", "x:GM_ADDR:gm;workspace:GM_ADDR:gm;n:int64_t:", 0,
        0};
    hostnpu_register_kernel(&info);
    ASSERT_TRUE(KernelRegistry::Get().SetWorkspaceBytes(name, bytes, contents).ok());
  }
  aclError Launch(const char* name, HostnpuKernelEntry entry, aclrtStream stream, int64_t n,
                  void* x = nullptr, void* given = nullptr) {
    const Arguments arguments{x == nullptr ? x_ : x, given, n};
    HostnpuLaunch launch = {};
    launch.name = name;
    launch.file = "host.asc";
    launch.line = 7;
    launch.form = HOSTNPU_LAUNCH_ACLRT;
    launch.blocks = 1;
    launch.stream = stream;
    launch.entry = entry;
    launch.kernel_type = HOSTNPU_KERNEL_UNDECLARED;
    launch.arguments = &arguments;
    launch.arguments_bytes = sizeof(arguments);
    launch.arguments_align = alignof(Arguments);
    launch.argument_list = kLayout;
    launch.argument_count = 3;
    return hostnpu_launch(&launch);
  }
  static std::string Message() {
    const char* text = aclGetRecentErrMsg();
    return text == nullptr ? "" : text;
  }
  float Sum(int launches, workspace::Contents contents = {}) {
    Register("sums", 400, contents);
    for (int i = 0; i < launches; ++i) {
      EXPECT_EQ(Launch("sums", SumIntoWorkspace, a_, 100), ACL_SUCCESS);
      EXPECT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS) << Message();
    }
    return static_cast<float*>(x_)[99];
  }
  void* AddressIn(aclrtStream stream, const char* name) {
    EXPECT_EQ(Launch(name, TouchWorkspace, stream, 8), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    return *static_cast<void**>(x_);
  }

  aclrtStream a_ = nullptr;
  aclrtStream b_ = nullptr;
  void* x_ = nullptr;
  int64_t reserved_ = 0;
};

TEST_F(LaunchMemoryTest, ASumOverAnUndefinedWorkspaceIsNaNUnderPoisonAndRightUnderZero) {
  SetUndefinedPolicy(FillPolicy::kPoison);
  EXPECT_TRUE(std::isnan(Sum(1)));
  EXPECT_TRUE(std::isnan(Sum(2))) << "each launch starts undefined";
  SetUndefinedPolicy(FillPolicy::kZero);
  EXPECT_EQ(Sum(3), 1.0f);
  SetUndefinedPolicy(FillPolicy::kNone);
  EXPECT_EQ(Sum(1), 2.0f) << "without a policy the last launch's bytes are still there";
}

TEST_F(LaunchMemoryTest, AWorkspaceDeclaredZeroIsZeroAtEveryLaunchUnderAnyPolicy) {
  for (const FillPolicy policy : {FillPolicy::kNone, FillPolicy::kPoison, FillPolicy::kZero}) {
    SetUndefinedPolicy(policy);
    EXPECT_EQ(Sum(3, workspace::Contents::Zero()), 1.0f);
  }
}

TEST_F(LaunchMemoryTest, MemoryFromAclrtMallocIsPoisonedToo) {
  for (const FillPolicy policy : {FillPolicy::kPoison, FillPolicy::kZero}) {
    SetUndefinedPolicy(policy);
    void* data = nullptr;
    ASSERT_EQ(aclrtMalloc(&data, 1000, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    const float last = static_cast<float*>(data)[249];
    EXPECT_TRUE(policy == FillPolicy::kPoison ? std::isnan(last) : last == 0.0f);
    EXPECT_EQ(aclrtFree(data), ACL_SUCCESS);
  }
}

TEST_F(LaunchMemoryTest, APersistentZeroWorkspaceLeftDirtyIsReportedAfterThatLaunch) {
  Register("counts", 64, workspace::Contents::PersistentZero());
  const auto run = [&](bool forgets) {
    EXPECT_EQ(Launch("counts", CountInWorkspace, a_, forgets ? 1 : 0), ACL_SUCCESS);
    return aclrtSynchronizeStream(a_);
  };
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run(false), ACL_SUCCESS) << Message();
    EXPECT_EQ(*static_cast<int32_t*>(x_), 1) << "the innocent kernel finds zero each time";
  }
  EXPECT_EQ(run(true), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  EXPECT_EQ(*static_cast<int32_t*>(x_), 1) << "the first launch, whose own numbers are right";
  EXPECT_THAT(Message(), AllOf(HasSubstr("\"workspace\"] is persistent-zero"),
                               HasSubstr("leaves byte 40 as 0x01"), HasSubstr("kernel 'counts'"),
                               HasSubstr("host.asc:7")));
}

TEST_F(LaunchMemoryTest, APersistentZeroWorkspaceIsZeroAgainAfterALaunchThatFaulted) {
  Register("counts", 64, workspace::Contents::PersistentZero());
  auto stream = Stream::Create();
  ASSERT_TRUE(stream.ok());
  EXPECT_EQ(Launch("counts", FaultWhileCounting, stream->handle(), 0), ACL_SUCCESS);
  EXPECT_FALSE(stream->Synchronize().ok());
  ASSERT_TRUE(stream->Reset().ok());
  EXPECT_EQ(Launch("counts", CountInWorkspace, stream->handle(), 0), ACL_SUCCESS);
  EXPECT_TRUE(stream->Synchronize().ok());
  EXPECT_EQ(*static_cast<int32_t*>(x_), 1);
}

TEST_F(LaunchMemoryTest, APersistentZeroWorkspaceOutlivesOtherLaunchesOfItsStream) {
  Register("counts", 64, workspace::Contents::PersistentZero());
  Register("touches", 4096);
  EXPECT_EQ(Launch("counts", CountInWorkspace, a_, 0), ACL_SUCCESS);
  EXPECT_EQ(Launch("touches", TouchWorkspace, a_, 4096), ACL_SUCCESS);
  EXPECT_EQ(Launch("counts", CountInWorkspace, a_, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS) << Message();
  EXPECT_EQ(*static_cast<int32_t*>(x_), 1);
}

TEST_F(LaunchMemoryTest, AnEmptyPersistentWorkspaceStillHasTheLibrarysPart) {
  StreamMemory memory(0, "[Stream 0]");
  LaunchMemory launch;
  const auto front =
      launch.Lease(memory, Slot::kWorkspace,
                   PlanOfOne("k", "workspace", 1024, 0, workspace::Contents::PersistentZero()));
  ASSERT_TRUE(front.ok());
  ASSERT_NE(*front, nullptr);
  launch.Begin();
  EXPECT_EQ(memory::DeviceMemory::Get().Find(*front)->size_bytes, 1024u);
  EXPECT_TRUE(launch.End().ok());
}

TEST_F(LaunchMemoryTest, AFillOnAnotherStreamReachesTheKernelOnlyBehindAnEvent) {
  void* filled = nullptr;
  ASSERT_EQ(aclrtMalloc(&filled, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  for (const bool with_event : {false, true}) {
    std::atomic<bool> gate{false};
    aclrtEvent event = nullptr;
    ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
    std::memset(filled, 1, 64);
    Register("reads", 0);
    ASSERT_EQ(aclrtLaunchHostFunc(a_, Open, &gate), ACL_SUCCESS);
    ASSERT_EQ(aclrtMemsetAsync(filled, 64, 0, 64, a_), ACL_SUCCESS);
    ASSERT_EQ(aclrtRecordEvent(event, a_), ACL_SUCCESS);
    if (with_event) {
      ASSERT_EQ(aclrtStreamWaitEvent(b_, event), ACL_SUCCESS);
    }
    ASSERT_EQ(Launch("reads", CountInWorkspace, b_, 0, nullptr, filled), ACL_SUCCESS);
    if (!with_event) {
      EXPECT_EQ(aclrtSynchronizeStream(b_), ACL_SUCCESS);
      EXPECT_EQ(*static_cast<int32_t*>(x_), 0x01010102) << "it ran before the fill";
    }
    gate = true;
    EXPECT_EQ(aclrtSynchronizeStream(b_), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
    if (with_event) {
      EXPECT_EQ(*static_cast<int32_t*>(x_), 1);
    }
    EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtFree(filled), ACL_SUCCESS);
}

TEST_F(LaunchMemoryTest, AWorkspaceEndsWhereItsLaunchSaysThoughTheArenaIsLarger) {
  Register("large", 100000);
  Register("small", 1000);
  void* const large = AddressIn(a_, "large");
  EXPECT_EQ(memory::DeviceMemory::Get().Find(large)->size_bytes, 100000u);
  EXPECT_EQ(AddressIn(a_, "small"), large) << "the same arena serves both";
  const auto buffer = memory::DeviceMemory::Get().Find(large);
  EXPECT_EQ(buffer->size_bytes, 1000u);
  EXPECT_EQ(buffer->label, "workspace");
  EXPECT_FALSE(memory::DeviceMemory::Get().Find(static_cast<char*>(large) + 1000).has_value());
}

TEST_F(LaunchMemoryTest, AQueuedLaunchKeepsItsWorkspaceThoughALaterOneNeedsMore) {
  Register("first", 4096);
  Register("second", 1 << 20);
  std::atomic<bool> gate{false};
  void* second = static_cast<void**>(x_) + 8;
  ASSERT_EQ(aclrtLaunchHostFunc(a_, Open, &gate), ACL_SUCCESS);
  ASSERT_EQ(Launch("first", TouchWorkspace, a_, 4096), ACL_SUCCESS);
  ASSERT_EQ(Launch("second", TouchWorkspace, a_, 1 << 20, second), ACL_SUCCESS);
  void* elsewhere = nullptr;  // would get the bytes of the first, had they been given back
  ASSERT_EQ(aclrtMalloc(&elsewhere, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  std::memset(elsewhere, 0, 4096);
  gate = true;
  ASSERT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS) << Message();
  EXPECT_NE(*static_cast<void**>(x_), *static_cast<void**>(second));
  EXPECT_EQ(static_cast<char*>(elsewhere)[0], 0);
  EXPECT_EQ(aclrtFree(elsewhere), ACL_SUCCESS);
}

TEST_F(LaunchMemoryTest, TwoStreamsShareTheirWorkspaceOnlyBehindAnEvent) {
  Register("touches", 8192);
  void* const in_a = AddressIn(a_, "touches");
  aclrtStream ordered = nullptr;
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateStream(&ordered), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  EXPECT_NE(AddressIn(b_, "touches"), in_a);
  ASSERT_EQ(aclrtRecordEvent(event, a_), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(ordered, event), ACL_SUCCESS);
  EXPECT_EQ(AddressIn(ordered, "touches"), in_a) << "taken over from the stream it waited for";
  EXPECT_NE(AddressIn(a_, "touches"), in_a) << "which gets another";
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(ordered), ACL_SUCCESS);
}

TEST_F(LaunchMemoryTest, AWaitThatWasAbortedOrdersNothing) {
  Register("touches", 8192);
  std::atomic<bool> gate{false};
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(a_, Open, &gate), ACL_SUCCESS);
  ASSERT_EQ(Launch("touches", TouchWorkspace, a_, 8), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, a_), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(b_, event), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamAbort(b_), ACL_SUCCESS);
  void* second = static_cast<void**>(x_) + 8;
  ASSERT_EQ(Launch("touches", TouchWorkspace, b_, 8, second), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(b_), ACL_SUCCESS);
  gate = true;
  EXPECT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  EXPECT_NE(*static_cast<void**>(x_), *static_cast<void**>(second));
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_F(LaunchMemoryTest, AnAbortBetweenTwoWaitsGivesNoBytesToWhoHasWaitedForTheSecond) {
  Register("touches", 8192);
  std::atomic<bool> gate{false};
  aclrtStream last = nullptr;
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateStream(&last), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(a_, Open, &gate), ACL_SUCCESS);
  ASSERT_EQ(Launch("touches", TouchWorkspace, a_, 8), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, a_), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(b_, event), ACL_SUCCESS);
  ASSERT_EQ(Launch("touches", TouchWorkspace, b_, 8, static_cast<void**>(x_) + 8), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, b_), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(last, event), ACL_SUCCESS);
  void* third = static_cast<void**>(x_) + 16;
  ASSERT_EQ(Launch("touches", TouchWorkspace, last, 8, third), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamAbort(b_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(last), ACL_SUCCESS) << "what it waited for is cancelled";
  gate = true;
  EXPECT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  EXPECT_NE(*static_cast<void**>(x_), *static_cast<void**>(third));
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(last), ACL_SUCCESS);
}

TEST_F(LaunchMemoryTest, LaunchesFromInsideAHostFunctionOfTheStreamFinish) {
  Register("touches", 8192);
  struct Work {
    LaunchMemoryTest* test;
    aclrtStream stream;
  } work{this, a_};
  const auto launch_three = [](void* pointer) {
    auto* own = static_cast<Work*>(pointer);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(own->test->Launch("touches", TouchWorkspace, own->stream, 8192), ACL_SUCCESS);
    }
  };
  ASSERT_EQ(aclrtLaunchHostFunc(a_, launch_three, &work), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  EXPECT_NE(*static_cast<void**>(x_), nullptr);
}

TEST_F(LaunchMemoryTest, ALaunchBeyondTheWarmUpIsRefusedWhileTheWorkspacesAreLocked) {
  Register("short", 1024);
  Register("long", 1 << 20);
  AddressIn(a_, "short");
  ASSERT_TRUE(LockWorkspaces(true).ok());
  EXPECT_NE(AddressIn(a_, "short"), nullptr) << "what the warm-up has seen still runs";
  EXPECT_EQ(Launch("long", TouchWorkspace, a_, 8), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_THAT(Message(),
              AllOf(HasSubstr("long needs 1048576 bytes"), HasSubstr("was short with 1024 bytes")));
  ASSERT_TRUE(LockWorkspaces(false).ok());
  EXPECT_NE(AddressIn(a_, "long"), nullptr);
}

TEST_F(LaunchMemoryTest, AtItsLimitALaunchIsRefusedNothingIsLostAndTheNextOneRuns) {
  Register("fits", 4096);
  Register("exceeds", 8192);
  const auto before = static_cast<uint64_t>(PoolOf(0).Statistics().reserved_bytes);
  ASSERT_TRUE(SetWorkspaceLimit(before + 4096).ok());
  EXPECT_EQ(Launch("exceeds", TouchWorkspace, a_, 8), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_THAT(Message(), AllOf(HasSubstr("exceeds needs 8192 bytes"), HasSubstr("limit of")));
  EXPECT_EQ(GetWorkspaceStatistics()->reserved_bytes, before);
  EXPECT_NE(AddressIn(a_, "fits"), nullptr) << "a request for exactly the limit";
  EXPECT_EQ(GetWorkspaceStatistics()->reserved_bytes, before + 4096);
  EXPECT_EQ(GetWorkspaceStatistics()->busy_bytes, 0u);
  EXPECT_EQ(*TrimWorkspaces(), 4096u);
}

TEST_F(LaunchMemoryTest, IdleWorkspacesGoBeforeAnAllocationIsRefused) {
  Register("touches", 1 << 20);
  AddressIn(a_, "touches");
  size_t free_bytes = 0;
  size_t total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total), ACL_SUCCESS);
  void* all = nullptr;
  EXPECT_EQ(aclrtMalloc(&all, free_bytes + (1 << 19), ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(all), ACL_SUCCESS);
  AddressIn(a_, "touches");
  EXPECT_TRUE(Buffer::Allocate(free_bytes + (1 << 19)).ok());
}

TEST_F(LaunchMemoryTest, TheSteadyStateAllocatesNoDeviceMemory) {
  Register("touches", 5000);
  AddressIn(a_, "touches");
  const uint64_t before = GetWorkspaceStatistics()->allocations;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(Launch("touches", TouchWorkspace, a_, 8), ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  EXPECT_EQ(GetWorkspaceStatistics()->allocations, before);
}

TEST_F(LaunchMemoryTest, TheReportSaysWhatWasTouchedAndWarnsOfWasteWithoutAnError) {
  SetReportsWorkspaces(true);
  Register("wasteful", 100000);
  Register("thrifty", 1000);
  for (const int64_t bytes : {5000, 12000, 100}) {
    ASSERT_EQ(Launch("wasteful", TouchWorkspace, a_, bytes), ACL_SUCCESS);
  }
  ASSERT_EQ(Launch("thrifty", TouchWorkspace, a_, 1000), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS) << Message();
  const std::string report = WorkspaceReport();
  EXPECT_THAT(report, AllOf(HasSubstr("workspace of wasteful: reserved 100.0 kB, touched 12 %"),
                            HasSubstr("workspace (3 launches)"), HasSubstr("12000 touched"),
                            HasSubstr("warning: workspace \"workspace (3 launches)\" of "
                                      "\"wasteful\" has 100000 bytes, but only 12000"),
                            HasSubstr("workspace of thrifty: reserved 1.0 kB, touched 100 %")));
  EXPECT_THAT(report, Not(HasSubstr("of \"thrifty\" has")));
}

PlanPointer PlanOfThree(const char* owner, int64_t bytes) {
  workspace::Request request{owner, 0, {{"first", bytes}, {"counts", 64}, {"last", 100}}, {}};
  request.regions[1].contents = workspace::Contents::PersistentZero();
  request.guard_bytes = 512;
  auto plan = workspace::PlanArena(request);
  EXPECT_TRUE(plan.ok());
  return std::make_shared<const workspace::ArenaPlan>(*plan);
}

TEST_F(LaunchMemoryTest, SeveralWorkspacesOfALaunchAreOneLeaseAndBuffersEach) {
  SetReportsWorkspaces(true);
  StreamMemory memory(0, "[Stream 0]");
  const auto leases = PoolOf(0).Statistics().leases;
  LaunchMemory launch;
  const auto leased = launch.LeaseAll(memory, Slot::kWorkspace, PlanOfThree("three", 4096));
  ASSERT_TRUE(leased.ok());
  EXPECT_EQ(PoolOf(0).Statistics().leases, leases + 1);
  std::byte* const first = (*leased)->Address(0);
  std::byte* const counts = (*leased)->Address(1);
  std::byte* const last = (*leased)->Address(2);
  launch.Begin();
  auto& table = memory::DeviceMemory::Get();
  EXPECT_EQ(table.Find(first)->label, "first");
  EXPECT_EQ(table.Find(first)->size_bytes, 4096u);
  EXPECT_EQ(table.Find(counts)->label, "counts");
  EXPECT_EQ(table.Find(last)->size_bytes, 100u);
  EXPECT_FALSE(table.Find(first + 4096).has_value());
  EXPECT_FALSE(table.Find(last + 100).has_value());
  std::memset(first, 1, 1024);
  counts[7] = std::byte{3};
  const auto ended = launch.End();
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, base::Code::kInvalidState);
  EXPECT_THAT(ended.error().message, AllOf(HasSubstr("\"counts\"] is persistent-zero"),
                                           HasSubstr("leaves byte 7 as 0x03")));
  EXPECT_EQ(counts[7], std::byte{0});
  EXPECT_THAT(WorkspaceReport(),
              AllOf(HasSubstr("workspace of three: reserved 4.3 kB, touched 24 %"),
                    HasSubstr("first (1 launch)"), HasSubstr("1024 touched"),
                    HasSubstr("last (1 launch)")));
}

/// Asks for n bytes at x, as a copy would.
void CheckBytes(void* pointer) {
  const auto* a = static_cast<Arguments*>(pointer);
  hostnpu_core->abi->gm_check(hostnpu_core, "DataCopy", a->x, static_cast<uint64_t>(a->n),
                              HOSTNPU_GM_WRITE);
}

TEST_F(LaunchMemoryTest, AnOverrunFromOneWorkspaceOfALaunchIntoTheNextIsNamed) {
  Register("checks", 64);
  StreamMemory memory(0, "[Stream 0]");
  LaunchMemory leases;
  const auto leased = leases.LeaseAll(memory, Slot::kWorkspace, PlanOfThree("checks", 4096));
  ASSERT_TRUE(leased.ok());
  std::byte* const first = (*leased)->Address(0);
  leases.Begin();
  for (const auto& [offset, bytes] : {std::pair(4096 - 64, 64), std::pair(0, 4096)}) {
    EXPECT_EQ(Launch("checks", CheckBytes, a_, bytes, first + offset), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS) << Message();
  }
  const std::pair<int, const char*> wrong[] = {
      {4096 - 32, "writes 64 bytes at offset 4064 of [Buffer "},
      {4096, "writes 64 bytes at offset 4096 of [Buffer "}};
  for (const auto& [offset, text] : wrong) {
    aclrtStream stream = nullptr;
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    // The end of a buffer may be passed: it is that of an empty slice.
    EXPECT_EQ(Launch("checks", CheckBytes, stream, 64, first + offset), ACL_SUCCESS) << Message();
    EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    EXPECT_THAT(Message(), AllOf(HasSubstr(text), HasSubstr("\"first\"], which has 4096 bytes")));
    EXPECT_EQ(aclrtDestroyStreamForce(stream), ACL_SUCCESS);
  }
  EXPECT_TRUE(leases.End().ok());
}

TEST_F(LaunchMemoryTest, TheReportCountsAWorkspaceOfTheCallerAndLeavesItsContents) {
  SetReportsWorkspaces(true);
  Register("given", 100);
  void* own = nullptr;
  ASSERT_EQ(aclrtMalloc(&own, 2000, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  std::memset(own, 7, 2000);
  ASSERT_EQ(Launch("given", TouchWorkspace, a_, 500, nullptr, own), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  EXPECT_THAT(WorkspaceReport(), HasSubstr("workspace of given: reserved 2.0 kB, touched 25 %"));
  EXPECT_EQ(static_cast<char*>(own)[500], 7);
  EXPECT_EQ(aclrtFree(own), ACL_SUCCESS);
}

TEST_F(LaunchMemoryTest, TheReportLeavesOutAWorkspaceOfTheCallerThatIsGoneWhenItsTurnComes) {
  SetReportsWorkspaces(true);
  Register("given", 100);
  std::atomic<bool> gate{false};
  void* own = nullptr;
  memory::DeviceMemory::Get().Trim();
  ASSERT_EQ(aclrtMalloc(&own, 2000, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(a_, Open, &gate), ACL_SUCCESS);
  ASSERT_EQ(Launch("given", TouchWorkspace, a_, 8, nullptr, own), ACL_SUCCESS);
  ASSERT_EQ(aclrtFree(own), ACL_SUCCESS);
  void* other = nullptr;
  ASSERT_EQ(aclrtMalloc(&other, 100, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(other, own) << "a shorter one stands there now";
  gate = true;
  ASSERT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  EXPECT_EQ(WorkspaceReport(), "");
  EXPECT_EQ(aclrtFree(other), ACL_SUCCESS);
}

TEST_F(LaunchMemoryTest, TenThousandLaunchesOfEightThreadsInEightStreamsNeverOverlap) {
  Recorder records;
  recorder = &records;
  std::mt19937 sizes(20261);
  std::vector<std::string> names;
  std::vector<int64_t> bytes;
  for (int k = 0; k < 40; ++k) {
    names.push_back("uses_" + std::to_string(k));
    bytes.push_back(1 + static_cast<int64_t>(sizes() % 200000));
    Register(names.back().c_str(), static_cast<uint64_t>(bytes.back()));
  }
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      std::mt19937 random(t);
      aclrtStream own = nullptr;
      EXPECT_EQ(aclrtCreateStream(&own), ACL_SUCCESS);
      for (int i = 0; i < 1250; ++i) {
        const size_t k = random() % names.size();
        // Some go into a stream that two threads use.
        aclrtStream stream = random() % 8 != 0 ? own : t % 2 == 0 ? a_ : b_;
        EXPECT_EQ(Launch(names[k].c_str(), UseWorkspace, stream, bytes[k]), ACL_SUCCESS);
        if (random() % 64 == 0) {
          EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
        }
      }
      EXPECT_EQ(aclrtSynchronizeStream(own), ACL_SUCCESS);
      EXPECT_EQ(aclrtDestroyStream(own), ACL_SUCCESS);
      EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(b_), ACL_SUCCESS);
  EXPECT_EQ(records.ranges, 10000);
  EXPECT_EQ(records.overlaps, 0);
  EXPECT_TRUE(records.live.empty());
  records.Enter(100, 200);
  records.Enter(150, 160);
  EXPECT_EQ(records.overlaps, 1) << "the recorder sees one";
}

}  // namespace
}  // namespace hostnpu::runtime

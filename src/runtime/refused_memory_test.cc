// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// What happens when the host has no memory left, at every place where a call asks for some: the
// n-th request and all behind it are refused, for n = 1, 2, ... until a call needs fewer than n.
#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "ascendc/detail/device_abi.h"
#include "ascendc/detail/launch_abi.h"
#include "ascendc/op/definition.h"
#include "engine/engine.h"
#include "hostnpu/operator.h"
#include "hostnpu/operator_call.h"
#include "hostnpu/runtime.h"
#include "memory/device_memory.h"
#include "runtime/guarded_memory.h"
#include "runtime/kernel_registry.h"

namespace {
std::atomic<int> requests_left{-1};  // until all are refused; negative: none is
std::atomic<int> refusals{0};
}  // namespace

/// In front of the system's: all memory of devices, stacks and cores comes from here.
extern "C" void* mmap(void* address, size_t bytes, int protection, int flags, int file,
                      off_t offset) noexcept {
  if ((flags & MAP_ANONYMOUS) != 0 && requests_left.load() >= 0 &&
      requests_left.fetch_sub(1) <= 0) {
    requests_left = 0;
    ++refusals;
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(
      syscall(SYS_mmap, address, bytes, protection, flags, file, offset));
}

namespace hostnpu::runtime {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

constexpr int kMostRequests = 64;

std::string NewestMessage() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

struct Held {
  uint64_t bytes = 0;
  size_t buffers = 0;
  uint64_t busy_bytes = 0;
  bool operator==(const Held&) const = default;
};

class RefusedMemoryTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS); }
  void TearDown() override {
    requests_left = -1;
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    aclGetRecentErrMsg();
  }

  /// What the process holds when all that is idle has been given back.
  static Held HeldNow() {
    static_cast<void>(TrimWorkspaces());
    auto& memory = memory::DeviceMemory::Get();
    memory.Trim();
    return {memory.Status(0)->used_bytes, memory.LiveBuffers(0).size(),
            GetWorkspaceStatistics()->busy_bytes};
  }

  /// `call` gives the text of its error, "" for success, and gives back what it got. It runs on
  /// threads of its own, so that it needs new cores and streams each time. Gives how many requests
  /// a whole call makes.
  static int RefuseOneAfterTheOther(const std::function<std::string()>& call) {
    const Held before = HeldNow();
    for (int granted = 0; granted < kMostRequests; ++granted) {
      std::string error;
      refusals = 0;
      requests_left = granted;
      std::thread([&] { error = call(); }).join();
      requests_left = -1;
      const int refused = refusals;
      EXPECT_TRUE(HeldNow() == before) << "after " << granted << " requests something is kept";
      if (refused == 0) {
        EXPECT_EQ(error, "");
        return granted;
      }
      // What is left of cores from before may serve, so that the call succeeds all the same.
      EXPECT_THAT(error, AnyOf(HasSubstr("The host has no "), "")) << granted << " were granted";
      std::thread([&] { error = call(); }).join();
      EXPECT_EQ(error, "") << "the next call works, after " << granted << " were granted";
      EXPECT_TRUE(HeldNow() == before);
    }
    ADD_FAILURE() << "the call asks for memory more than " << kMostRequests << " times";
    return kMostRequests;
  }
};

TEST_F(RefusedMemoryTest, AllocationsSayThatTheHostHasNoMemoryAndLoseNothing) {
  const auto allocate = [](auto allocator, auto release) {
    return [=]() -> std::string {
      void* data = nullptr;
      if (aclrtSetDevice(0) != ACL_SUCCESS) return NewestMessage();
      if (allocator(&data) != ACL_SUCCESS) {
        EXPECT_EQ(data, nullptr);
        return NewestMessage();
      }
      std::memset(data, 1, 3 << 20);
      release(data);
      return "";
    };
  };
  EXPECT_GE(RefuseOneAfterTheOther(allocate(
                [](void** data) { return aclrtMalloc(data, 3 << 20, ACL_MEM_MALLOC_HUGE_FIRST); },
                [](void* data) { aclrtFree(data); })),
            1);
  EXPECT_GE(
      RefuseOneAfterTheOther(allocate([](void** data) { return aclrtMallocHost(data, 3 << 20); },
                                      [](void* data) { aclrtFreeHost(data); })),
      1);
}

TEST_F(RefusedMemoryTest, GuardedMemoryOfTheTwinSaysSoToo) {
  const int requests = RefuseOneAfterTheOther([]() -> std::string {
    auto data = AllocateGuarded(10000);
    if (!data.ok()) return data.error().message;
    EXPECT_TRUE(FreeGuarded(*data).ok());
    return "";
  });
  EXPECT_EQ(requests, 1);
}

struct WorkspaceArguments {
  void* x;
  void* workspace;
};

void WriteBoth(void* pointer) {
  auto* a = static_cast<WorkspaceArguments*>(pointer);
  static_cast<uint8_t*>(a->workspace)[hostnpu_core->block_index] = 0;
  static_cast<uint8_t*>(a->x)[hostnpu_core->block_index] = 1;
}

/// A launch of five blocks with a workspace that the runtime leases.
std::string LaunchWithWorkspace(workspace::Contents contents) {
  const HostnpuKernelInfo info = {
      "refused", "kernel.asc", 3, "__vector__", "", "x:GM_ADDR:gm;workspace:GM_ADDR:gm;", 0, 0};
  hostnpu_register_kernel(&info);
  EXPECT_TRUE(KernelRegistry::Get().SetWorkspaceBytes("refused", 3 << 20, contents).ok());
  if (aclrtSetDevice(0) != ACL_SUCCESS) return NewestMessage();
  void* x = nullptr;
  if (aclrtMalloc(&x, 4096, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return NewestMessage();
  aclrtStream stream = nullptr;
  std::string error;
  if (aclrtCreateStream(&stream) != ACL_SUCCESS) error = NewestMessage();
  const WorkspaceArguments arguments{x, nullptr};
  static const HostnpuArgument kLayout[] = {{0, 8, 1}, {8, 8, 1}};
  HostnpuLaunch launch = {};
  launch.name = "refused";
  launch.file = "host.asc";
  launch.form = HOSTNPU_LAUNCH_ACLRT;
  launch.blocks = 5;
  launch.stream = stream;
  launch.entry = WriteBoth;
  launch.kernel_type = HOSTNPU_KERNEL_UNDECLARED;
  launch.arguments = &arguments;
  launch.arguments_bytes = sizeof(arguments);
  launch.arguments_align = alignof(WorkspaceArguments);
  launch.argument_list = kLayout;
  launch.argument_count = 2;
  if (error.empty() && hostnpu_launch(&launch) != ACL_SUCCESS) error = NewestMessage();
  if (error.empty() && aclrtSynchronizeStream(stream) != ACL_SUCCESS) error = NewestMessage();
  if (stream != nullptr) aclrtDestroyStream(stream);
  aclrtFree(x);
  return error;
}

TEST_F(RefusedMemoryTest, ALaunchThatIsRefusedItsWorkspaceFailsAndTheNextOneRuns) {
  // x and the workspace; on a thread that has run none, also a stack and the memories of a core.
  EXPECT_GE(RefuseOneAfterTheOther([] { return LaunchWithWorkspace({}); }), 2);
  workspace::Contents persistent;
  persistent.kind = workspace::ContentsKind::kPersistentZero;
  EXPECT_GE(RefuseOneAfterTheOther([=] { return LaunchWithWorkspace(persistent); }), 2);
}

TEST_F(RefusedMemoryTest, ALaunchThatIsRefusedTheCoresOfABlockFailsAndTheNextOneRuns) {
  std::atomic<int> begun{0};
  engine::LaunchSpec spec;
  spec.kernel_name = "meets";
  spec.blocks = 3;
  spec.cores = {1, 2};
  spec.aic_entry = spec.aiv_entry = [](void* counter) {
    static_cast<std::atomic<int>*>(counter)->fetch_add(1);
    hostnpu_core->abi->sync_all(hostnpu_core, 0);  // so that all nine cores are needed at once
  };
  spec.arguments = &begun;
  spec.chip = *arch::FindChip("Ascend910B1");
  spec.worker_limit = 1;  // this thread, which has no cores yet
  const int requests = RefuseOneAfterTheOther([&]() -> std::string {
    begun = 0;
    const engine::LaunchOutcome outcome = engine::Engine::Get().Run(spec);
    if (!outcome.fault.has_value()) {
      EXPECT_EQ(begun, 9);
      return "";
    }
    EXPECT_TRUE(outcome.fault->no_memory);
    EXPECT_THAT(outcome.fault->ToString(), HasSubstr("in kernel 'meets'"));
    return outcome.fault->ToString();
  });
  EXPECT_EQ(requests, 18);  // a stack and the memories of nine cores
}

/// An operator with lists in and out, a workspace and tiling data.
ge::graphStatus TileRefused(gert::TilingContext* context) {
  *context->GetTilingData<uint64_t>() = 7;
  context->SetBlockDim(2);
  context->GetWorkspaceSizes(1)[0] = (16 << 20) + (3 << 20);
  return ge::GRAPH_SUCCESS;
}

void TouchAll(void* pointer) {
  auto* const* addresses = static_cast<uint8_t* const*>(pointer);
  addresses[3][(16 << 20) + hostnpu_core->block_index] = *addresses[4];
}

int LaunchRefused(uint64_t blocks, void* stream, uint64_t, uint8_t* const* addresses,
                  uint32_t count) {
  EXPECT_EQ(count, 5u);  // w, x, y, the workspace, the tiling data
  static const HostnpuArgument kLayout[] = {
      {0, 8, 1}, {8, 8, 1}, {16, 8, 1}, {24, 8, 1}, {32, 8, 1}};
  HostnpuLaunch launch = {};
  launch.name = "refused_operator";
  launch.form = HOSTNPU_LAUNCH_ACLRT;
  launch.blocks = blocks;
  launch.stream = stream;
  launch.entry = TouchAll;
  launch.kernel_type = HOSTNPU_KERNEL_UNDECLARED;
  launch.arguments = addresses;
  launch.arguments_bytes = count * sizeof(void*);
  launch.arguments_align = alignof(void*);
  launch.argument_list = kLayout;
  launch.argument_count = count;
  return hostnpu_launch(&launch);
}

void DefineOperator() {
  op::Operator& entry = *hostnpu_operator("RefusedOperator");
  entry.defined = true;
  const auto parameter = [](const char* name, op::Presence presence, const char* follow) {
    op::ParameterDefinition definition;
    definition.name = name;
    definition.presence = presence;
    definition.dtypes = {ge::DT_FLOAT};
    definition.follow = follow;
    definition.follows_shape = true;
    return definition;
  };
  entry.inputs = {parameter("w", op::Presence::kRequired, ""),
                  parameter("x", op::Presence::kDynamic, "")};
  entry.outputs = {parameter("y", op::Presence::kDynamic, "x")};
  entry.tiling = TileRefused;
  entry.kernels = {LaunchRefused};
}

TEST_F(RefusedMemoryTest, AnOperatorInOneCallIsRefusedAnyOfItsMemoryAndTheNextCallWorks) {
  DefineOperator();
  const int requests = RefuseOneAfterTheOther([]() -> std::string {
    auto w = Tensor::Empty({1000}, ACL_FLOAT);
    if (!w.ok()) return w.error().message;
    auto a = Tensor::Empty({3, 500}, ACL_FLOAT);
    auto b = Tensor::Empty({7}, ACL_FLOAT);
    if (!a.ok() || !b.ok()) return a.ok() ? b.error().message : a.error().message;
    auto y = hostnpu::Operator("RefusedOperator").Call({*w, std::vector<Tensor>{*a, *b}});
    if (!y.ok()) return y.error().message;
    EXPECT_EQ(y->size(), 2u);
    return "";
  });
  // Three inputs, two outputs, the workspace, two lists, the tiling data.
  EXPECT_GE(requests, 9);
}

/// The two phases as generated functions call them; the first input is a view that is not
/// contiguous.
std::string CallInTwoPhases() {
  if (aclrtSetDevice(0) != ACL_SUCCESS) return NewestMessage();
  void* data[3] = {};
  aclrtStream stream = nullptr;
  std::string error;
  for (void*& each : data) {
    if (error.empty() && aclrtMalloc(&each, 8000, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) {
      error = NewestMessage();
    }
  }
  if (error.empty() && aclrtCreateStream(&stream) != ACL_SUCCESS) error = NewestMessage();
  const int64_t dims[] = {20, 30};
  const int64_t strides[] = {1, 20};
  const auto tensor = [&](void* at, const int64_t* view_strides) {
    return aclCreateTensor(dims, 2, ACL_FLOAT, view_strides, 0, ACL_FORMAT_ND, dims, 2, at);
  };
  aclTensor* w = tensor(data[0], strides);
  const aclTensor* xs[] = {tensor(data[1], nullptr)};
  const aclTensor* ys[] = {tensor(data[2], nullptr)};
  aclTensorList* x = aclCreateTensorList(xs, 1);
  aclTensorList* y = aclCreateTensorList(ys, 1);
  const HostnpuOpArgument arguments[] = {{HOSTNPU_OP_TENSOR, w, 0, 0},
                                         {HOSTNPU_OP_TENSOR_LIST, x, 0, 0},
                                         {HOSTNPU_OP_TENSOR_LIST, y, 0, 0}};
  uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  if (error.empty() && hostnpu_op_plan("plan", "RefusedOperator", arguments, 3, &bytes,
                                       &executor) != ACLNN_SUCCESS) {
    error = NewestMessage();
  }
  if (error.empty() && hostnpu_op_run("run", nullptr, 0, executor, stream) != ACLNN_SUCCESS) {
    error = NewestMessage();
  }
  if (stream != nullptr && aclrtSynchronizeStream(stream) != ACL_SUCCESS && error.empty()) {
    error = NewestMessage();
  }
  aclDestroyTensor(w);
  aclDestroyTensorList(x);
  aclDestroyTensorList(y);
  if (stream != nullptr) aclrtDestroyStream(stream);
  for (void* each : data) {
    if (each != nullptr) aclrtFree(each);
  }
  return error;
}

TEST_F(RefusedMemoryTest, TheTwoPhasesOfACallAreRefusedAnyOfTheirMemoryAndTheNextCallWorks) {
  DefineOperator();
  // Three tensors, the workspace, the copy of a view, two lists, the tiling data.
  EXPECT_GE(RefuseOneAfterTheOther(CallInTwoPhases), 8);
}

}  // namespace
}  // namespace hostnpu::runtime

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/module.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>

#include "acl/acl.h"
#include "ascendc/detail/device_abi.h"
#include "base/file.h"
#include "runtime/argument_list.h"
#include "runtime/last_error.h"

namespace hostnpu::runtime {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// void scale(GM_ADDR x, GM_ADDR tiling, int32_t factor)
struct Parameters {
  int64_t* x;
  int64_t* tiling;
  int32_t factor;
};

void Scale(void* raw) {
  auto* p = static_cast<Parameters*>(raw);
  const int64_t scaled = p->tiling[0] * p->factor;
  __atomic_store_n(&p->x[0], scaled, __ATOMIC_RELAXED);  // each block the same
}

KernelFunction ScaleFunction() {
  KernelFunction function;
  function.name = "scale";
  function.entry = Scale;
  function.arguments = {{0, 8, 1}, {8, 8, 1}, {16, 4, 0}};
  function.arguments_bytes = sizeof(Parameters);
  function.arguments_align = 8;
  return function;
}

class ModuleTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&x_, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    std::memset(x_, 0, 64);
  }
  void TearDown() override {
    EXPECT_EQ(aclrtFree(x_), ACL_SUCCESS);
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    aclGetRecentErrMsg();
  }
  void* x_ = nullptr;
  const KernelFunction function_ = ScaleFunction();
};

TEST_F(ModuleTest, PackedArgumentsMayLeaveOutThePaddingAndNoMore) {
  const Parameters packed{static_cast<int64_t*>(x_), static_cast<int64_t*>(x_) + 1, 3};
  static_cast<int64_t*>(x_)[1] = 5;
  for (size_t bytes : {20u, 24u}) {
    FunctionLaunch launch{&function_, 1, &packed, bytes, nullptr, HOSTNPU_KERNEL_UNDECLARED, 0};
    ASSERT_TRUE(LaunchFunction(launch).ok());
    ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
    EXPECT_EQ(static_cast<int64_t*>(x_)[0], 15);
  }
  for (size_t bytes : {0u, 16u, 19u, 25u}) {
    FunctionLaunch launch{&function_, 1, &packed, bytes, nullptr, HOSTNPU_KERNEL_UNDECLARED, 0};
    auto result = LaunchFunction(launch);
    ASSERT_FALSE(result.ok());
    EXPECT_THAT(result.error().message, HasSubstr("the 3 parameters of kernel 'scale' take 20"));
  }
}

TEST_F(ModuleTest, BatchModeRefusesMoreBlocksThanTheChipHasCoresForBeforeAnyRuns) {
  static_cast<int64_t*>(x_)[1] = 5;
  const Parameters packed{static_cast<int64_t*>(x_), static_cast<int64_t*>(x_) + 1, 3};
  FunctionLaunch launch{&function_, 49,  &packed, sizeof(packed), nullptr, HOSTNPU_KERNEL_AIV_ONLY,
                        0,          true};
  auto refused = LaunchFunction(launch);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message,
              HasSubstr("its 49 blocks need 49 AIV and Ascend910B1 has 48"));
  MarkRead(refused.error());
  launch.kernel_type = HOSTNPU_KERNEL_MIX_AIC_1_1;
  launch.blocks = 25;
  refused = LaunchFunction(launch);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message,
              HasSubstr("its 25 blocks need 25 AIC and Ascend910B1 has 24"));
  MarkRead(refused.error());
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(static_cast<int64_t*>(x_)[0], 0);
  // As many as there are, and more of them without the mode.
  launch.kernel_type = HOSTNPU_KERNEL_AIV_ONLY;
  launch.blocks = 48;
  EXPECT_TRUE(LaunchFunction(launch).ok());
  launch.blocks = 49;
  launch.batch_mode = false;
  EXPECT_TRUE(LaunchFunction(launch).ok());
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(static_cast<int64_t*>(x_)[0], 15);
}

TEST_F(ModuleTest, APlaceholderCarriesItsBytesToTheKernel) {
  ArgumentList list(function_);
  ASSERT_TRUE(list.Append(&x_, sizeof(x_)).ok());
  void* nothing = nullptr;
  auto tiling = list.Append(&nothing, sizeof(nothing));
  ASSERT_TRUE(tiling.ok());
  auto data = list.PlaceHolderBuffer(ArgumentList::ParameterHandle(*tiling), 16);
  ASSERT_TRUE(data.ok());
  static_cast<int64_t*>(*data)[0] = 7;
  FunctionLaunch launch{&function_, 1, nullptr, 0, nullptr, HOSTNPU_KERNEL_UNDECLARED, 0};
  auto early = list.Launch(launch);
  ASSERT_FALSE(early.ok());
  EXPECT_THAT(early.error().message, HasSubstr("has 3 parameters, but 2 arguments were given"));
  int32_t factor = 6;
  auto wide = list.Append(&x_, sizeof(x_));
  ASSERT_FALSE(wide.ok());
  EXPECT_THAT(wide.error().message, HasSubstr("has 8 bytes, but its parameter has 4"));
  ASSERT_TRUE(list.Append(&factor, sizeof(factor)).ok());
  EXPECT_FALSE(list.Append(&factor, sizeof(factor)).ok());
  ASSERT_TRUE(list.Launch(launch).ok());
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(static_cast<int64_t*>(x_)[0], 42);
}

TEST_F(ModuleTest, PackedPlaceholdersTakeTheBytesBehindTheArguments) {
  struct {
    Parameters parameters;
    int64_t tiling[2];
  } packed = {{static_cast<int64_t*>(x_), nullptr, 9}, {4, 0}};
  ArgumentList list(function_);
  ASSERT_TRUE(list.TakePacked(&packed, sizeof(packed), {{8, 24}}).ok());
  FunctionLaunch launch{&function_, 1, nullptr, 0, nullptr, HOSTNPU_KERNEL_UNDECLARED, 0};
  ASSERT_TRUE(list.Launch(launch).ok());
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(static_cast<int64_t*>(x_)[0], 36);
  EXPECT_FALSE(list.TakePacked(&packed, sizeof(packed), {{4, 24}}).ok());
  EXPECT_FALSE(list.TakePacked(&packed, sizeof(packed), {{8, 1000}}).ok());
}

TEST_F(ModuleTest, BytesLoadedAgainAreTheSameModuleAndCostNoOtherFile) {
  Dl_info math = {};
  ASSERT_NE(dladdr(dlsym(RTLD_DEFAULT, "cbrt"), &math), 0);  // any shared object will do
  const auto bytes = base::ReadFile(math.dli_fname);
  ASSERT_TRUE(bytes.ok());
  const auto open_files = [] {
    using Files = std::filesystem::directory_iterator;
    return std::distance(Files("/proc/self/fd"), Files());
  };
  auto first = Module::LoadBytes(bytes->data(), bytes->size());
  ASSERT_TRUE(first.ok()) << first.error().message;
  const auto before = open_files();
  auto second = Module::LoadBytes(bytes->data(), bytes->size());
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(open_files(), before);
}

TEST_F(ModuleTest, AFileThatIsNoModuleIsSaidToBe) {
  aclrtBinHandle module = nullptr;
  EXPECT_EQ(aclrtBinaryLoadFromFile("/no/such/file.so", nullptr, &module), ACL_ERROR_INVALID_FILE);
  EXPECT_EQ(aclrtBinaryLoadFromData("nonsense", 8, nullptr, &module), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(aclGetRecentErrMsg(), HasSubstr("is no shared object that hostnpu has built"));
  aclrtFuncHandle function = nullptr;
  EXPECT_EQ(aclrtBinaryGetFunction(x_, "scale", &function), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtLaunchKernel(nullptr, 1, x_, 8, nullptr), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_THAT(aclGetRecentErrMsg(), HasSubstr("The function is null"));
}

}  // namespace
}  // namespace hostnpu::runtime

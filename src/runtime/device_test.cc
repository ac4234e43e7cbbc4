// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <thread>

#include "acl/acl.h"
#include "ascendc/detail/platform_abi.h"
#include "runtime/status.h"

namespace hostnpu::runtime {
namespace {

using testing::HasSubstr;

std::string Message() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

TEST(DeviceTest, ThereAreTwoDevicesOfTheDefaultChip) {
  uint32_t count = 0;
  ASSERT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
  EXPECT_EQ(count, 2u);
  EXPECT_STREQ(aclrtGetSocName(), "Ascend910B1");
  int64_t value = 0;
  ASSERT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 48);
  ASSERT_EQ(aclGetDeviceCapability(1, ACL_DEVICE_INFO_AI_CORE_NUM, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 24);
  EXPECT_EQ(aclrtGetDeviceInfo(2, ACL_DEV_ATTR_VECTOR_CORE_NUM, &value),
            ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST(DeviceTest, ADeviceThatDoesNotExistIsNamedWithTheirNumber) {
  EXPECT_EQ(aclrtSetDevice(2), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_THAT(Message(), HasSubstr("[Device 2] does not exist; there are 2"));
  EXPECT_EQ(aclrtSetDevice(-1), ACL_ERROR_RT_INVALID_DEVICEID);
  aclrtContext context = nullptr;
  EXPECT_EQ(aclrtCreateContext(&context, 7), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST(DeviceTest, SettingAndResettingAreCounted) {
  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  int32_t device = -1;
  ASSERT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
  EXPECT_EQ(device, 1);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_THAT(Message(), HasSubstr("has been destroyed"));
  EXPECT_EQ(aclrtResetDevice(1), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtCreateStream(&stream), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_THAT(Message(), HasSubstr("has been destroyed"));
}

TEST(DeviceTest, ADeviceIsUsableAfterItIsSetWhateverOtherThreadsReset) {
  const auto work = [] {
    for (int i = 0; i < 2000; ++i) {
      ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
      aclrtStream stream = nullptr;
      ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
      ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
      ASSERT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
    }
  };
  std::thread other(work);
  work();
  other.join();
}

TEST(DeviceTest, EachContextHasItsOwnStreams) {
  aclrtContext first = nullptr;
  aclrtContext second = nullptr;
  ASSERT_EQ(aclrtCreateContext(&first, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateContext(&second, 1), ACL_SUCCESS);
  aclrtContext current = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&current), ACL_SUCCESS);
  EXPECT_EQ(current, second);
  ASSERT_EQ(aclrtSetCurrentContext(first), ACL_SUCCESS);
  aclrtStream in_first = nullptr;
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&in_first), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(in_first), ACL_ERROR_INVALID_PARAM) << "the default stream stays";
  ASSERT_EQ(aclrtDestroyContext(second), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(in_first), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetCurrentContext(second), ACL_ERROR_RT_INVALID_HANDLE);
  ASSERT_EQ(aclrtDestroyContext(first), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyContext(first), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtSynchronizeStream(in_first), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST(DeviceTest, AContextIsCurrentOnItsThreadOnly) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  std::thread([] {
    int32_t device = 0;
    EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_CONTEXT_NULL);
  }).join();
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(100), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST(DeviceTest, InitialisingTakesNullOrAJsonFile) {
  const std::string path = testing::TempDir() + "acl.json";
  const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
  EXPECT_EQ(aclInit("/no/such/acl.json"), ACL_ERROR_INVALID_FILE);
  write("{ not json");
  EXPECT_EQ(aclInit(path.c_str()), ACL_ERROR_PARSE_FILE);
  write("{\"dump\": {\"dump_list\": []}}");
  EXPECT_EQ(aclInit(path.c_str()), ACL_ERROR_INVALID_DUMP_CONFIG);
  EXPECT_THAT(Message(), HasSubstr("\"dump\""));
  write("{\"defaultDevice\": {\"default_device\": \"1\"}, \"StackSize\": {}}");
  EXPECT_EQ(aclInit(path.c_str()), ACL_SUCCESS);
  int32_t device = 0;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  std::remove(path.c_str());
}

TEST(DeviceTest, ASystemParameterIsKnownOnceItIsSet) {
  int64_t value = 0;
  EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_ERROR_RT_SYSPARAMOPT_NOT_SET);
  EXPECT_EQ(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(aclrtSetSysParamOpt(static_cast<aclSysParamOpt>(9), 1), ACL_ERROR_INVALID_PARAM);
}

TEST(DeviceTest, TheLastErrorIsForgottenWhenItIsFetched) {
  EXPECT_EQ(aclrtSetDevice(99), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST(DeviceTest, TheFactsOfAChipAreGivenByName) {
  HostnpuChipFacts facts = {};
  ASSERT_EQ(hostnpu_chip_facts(nullptr, &facts), ACL_SUCCESS);
  EXPECT_STREQ(facts.name, "Ascend910B1");
  ASSERT_EQ(hostnpu_chip_facts("Ascend910B4", &facts), ACL_SUCCESS);
  EXPECT_EQ(facts.aic_count, 20u);
  EXPECT_EQ(hostnpu_chip_facts("Ascend1", &facts), ACL_ERROR_RT_SOC_VERSION);
  EXPECT_THAT(Message(), HasSubstr("There is no chip named \"Ascend1\""));
}

TEST(StatusTest, EveryErrorStandsOnceWithItsNumberAndASentence) {
  std::set<int> numbers;
  std::set<std::string_view> names;
  for (const Status& status : AllStatuses()) {
    EXPECT_TRUE(numbers.insert(status.number).second) << status.name;
    EXPECT_TRUE(names.insert(status.name).second) << status.name;
    EXPECT_TRUE(status.sentence.ends_with(".")) << status.name;
    EXPECT_EQ(FindStatus(status.number)->name, status.name);
  }
  EXPECT_EQ(FindStatus(0), nullptr);
  EXPECT_EQ(FindStatus(ACL_ERROR_RT_AICORE_EXCEPTION)->number, 507015);
}

// The references: what IEEE half holds, except that Inf and NaN are not kept.
TEST(Float16Test, ConvertsAsTheVendorsHostDoes) {
  for (uint32_t bits = 0; bits < 0x7C00; ++bits) {
    const float value = aclFloat16ToFloat(static_cast<aclFloat16>(bits));
    const int exponent = static_cast<int>(bits >> 10);
    const double reference = exponent == 0
                                 ? std::ldexp(static_cast<double>(bits), -24)
                                 : std::ldexp(1.0 + (bits & 0x3FF) / 1024.0, exponent - 15);
    ASSERT_EQ(value, static_cast<float>(reference)) << bits;
    ASSERT_EQ(aclFloatToFloat16(value), bits);
    ASSERT_EQ(aclFloatToFloat16(-value), bits | 0x8000);
    // The tie between two neighbours goes to the even one.
    const float next = aclFloat16ToFloat(static_cast<aclFloat16>(bits + 1));
    const float middle = (value + next) / 2;
    if (bits + 1 < 0x7C00) ASSERT_EQ(aclFloatToFloat16(middle), bits + (bits & 1)) << bits;
    ASSERT_EQ(aclFloatToFloat16(std::nextafter(middle, 0.0f)), bits) << bits;
  }
  EXPECT_EQ(aclFloat16ToFloat(0x7C00), 65536.0f);
  EXPECT_EQ(aclFloat16ToFloat(0x7E00), 98304.0f);
  EXPECT_EQ(aclFloatToFloat16(std::numeric_limits<float>::infinity()), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(-std::numeric_limits<float>::infinity()), 0xFBFF);
  EXPECT_EQ(aclFloatToFloat16(std::numeric_limits<float>::quiet_NaN()) & 0x7FFF, 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(65520.0f), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(1e-30f), 0);
}

TEST(DataTypeTest, SizesAreThoseOfOneElement) {
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT16), 2u);
  EXPECT_EQ(aclDataTypeSize(ACL_BF16), 2u);
  EXPECT_EQ(aclDataTypeSize(ACL_INT64), 8u);
  EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX128), 16u);
  EXPECT_EQ(aclDataTypeSize(ACL_DT_UNDEFINED), 0u);
}

}  // namespace
}  // namespace hostnpu::runtime

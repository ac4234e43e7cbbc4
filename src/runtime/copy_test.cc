// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "hostnpu/runtime.h"
#include "memory/device_memory.h"

namespace hostnpu::runtime {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class CopyTest : public testing::Test {
 protected:
  void SetUp() override {
    // What is idle goes before an allocation is refused, so it must not count as live.
    ASSERT_TRUE(TrimWorkspaces().ok());
    live_ = memory::DeviceMemory::Get().LiveBuffers(std::nullopt).size();
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&device_, 1024, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtMallocHost(&pinned_, 1024), ACL_SUCCESS);
    host_.assign(1024, 7);
    ASSERT_TRUE(memory::DeviceMemory::Get().SetLabel(device_, "scores").ok());
  }
  void TearDown() override {
    EXPECT_EQ(aclrtFree(device_), ACL_SUCCESS);
    EXPECT_EQ(aclrtFreeHost(pinned_), ACL_SUCCESS);
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    EXPECT_EQ(memory::DeviceMemory::Get().LiveBuffers(std::nullopt).size(), live_);
    aclGetRecentErrMsg();
  }
  static std::string Message() {
    const char* text = aclGetRecentErrMsg();
    return text == nullptr ? "" : text;
  }
  void* device_ = nullptr;
  void* pinned_ = nullptr;
  std::vector<unsigned char> host_;
  size_t live_ = 0;
};

TEST_F(CopyTest, BytesGoThereAndBackInEveryKind) {
  std::vector<unsigned char> back(1024, 0);
  void* second = nullptr;
  ASSERT_EQ(aclrtMalloc(&second, 1024, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy(device_, 1024, host_.data(), 1000, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy(second, 1024, device_, 1000, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy(pinned_, 1024, second, 1000, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy(back.data(), 1024, pinned_, 1000, ACL_MEMCPY_HOST_TO_HOST), ACL_SUCCESS);
  for (int i = 0; i < 1024; ++i) EXPECT_EQ(back[static_cast<size_t>(i)], i < 1000 ? 7 : 0);
  std::fill(back.begin(), back.end(), 0);
  ASSERT_EQ(aclrtMemcpy(back.data(), 1024, second, 1000, ACL_MEMCPY_DEFAULT), ACL_SUCCESS);
  EXPECT_EQ(back[999], 7);
  ASSERT_EQ(aclrtFree(second), ACL_SUCCESS);
}

TEST_F(CopyTest, ACountAboveDestMaxIsRefusedInTheWordsOfTheStyleGuide) {
  EXPECT_EQ(aclrtMemcpy(device_, 1024, host_.data(), 4096, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_INVALID_PARAM);
  const auto id = memory::DeviceMemory::Get().Find(device_)->id;
  EXPECT_EQ(Message(),
            "aclrtMemcpy failed with ACL_ERROR_INVALID_PARAM (100000).\n"
            "Count (4096 bytes) is larger than destMax (1024 bytes) of [Buffer " +
                std::to_string(id) +
                " \"scores\"].\n"
                " - While copying from host memory to [Device 0]\n"
                " - While calling aclrtMemcpy(kind = ACL_MEMCPY_HOST_TO_DEVICE)");
  EXPECT_EQ(Message(), "") << "a message is given once";
}

TEST_F(CopyTest, ARangeBeyondItsBufferIsRefused) {
  EXPECT_EQ(aclrtMemcpy(static_cast<char*>(device_) + 1000, 1024, host_.data(), 25,
                        ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), AllOf(HasSubstr("from offset 1000 of [Buffer "),
                               HasSubstr("goes 1 bytes beyond its 1024 bytes")));
  EXPECT_EQ(aclrtMemcpy(static_cast<char*>(device_) + 1000, 24, host_.data(), 24,
                        ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy(host_.data(), 1024, pinned_, 1025, ACL_MEMCPY_HOST_TO_HOST),
            ACL_ERROR_INVALID_PARAM);
}

TEST_F(CopyTest, AKindThatIsNotTrueIsRefused) {
  EXPECT_EQ(aclrtMemcpy(host_.data(), 1024, pinned_, 8, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(),
              AllOf(HasSubstr("dst is host memory"), HasSubstr("ACL_MEMCPY_HOST_TO_DEVICE")));
  EXPECT_EQ(aclrtMemcpy(pinned_, 1024, device_, 8, ACL_MEMCPY_HOST_TO_HOST),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), HasSubstr("src is [Buffer "));
  EXPECT_EQ(aclrtMemcpy(device_, 8, host_.data(), 8, static_cast<aclrtMemcpyKind>(99)),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), HasSubstr("The kind (99)"));
}

TEST_F(CopyTest, NullFreedAndEmpty) {
  EXPECT_EQ(aclrtMemcpy(nullptr, 8, host_.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), HasSubstr("Argument dst is null."));
  EXPECT_EQ(aclrtMemcpy(nullptr, 0, nullptr, 0, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  void* freed = nullptr;
  ASSERT_EQ(aclrtMalloc(&freed, 100, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtFree(freed), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy(freed, 8, host_.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), HasSubstr("which has been freed"));
  EXPECT_EQ(aclrtFree(freed), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), HasSubstr("was freed before"));
  EXPECT_EQ(aclrtFree(pinned_), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), HasSubstr("free it with aclrtFreeHost"));
}

TEST_F(CopyTest, MemoryOfAnotherDeviceNeedsPeerAccess) {
  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy(device_, 8, host_.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), AllOf(HasSubstr("memory of [Device 0]"),
                               HasSubstr("the current device is [Device 1]")));
  ASSERT_EQ(aclrtDeviceEnablePeerAccess(0, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy(device_, 8, host_.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  ASSERT_EQ(aclrtDeviceDisablePeerAccess(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

TEST_F(CopyTest, RowsAreCopiedAPitchApart) {
  for (size_t i = 0; i < host_.size(); ++i) host_[i] = static_cast<unsigned char>(i);
  ASSERT_EQ(aclrtMemset(device_, 1024, 0, 1024), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy2d(device_, 100, host_.data(), 10, 3, 5, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_SUCCESS);
  const auto* bytes = static_cast<unsigned char*>(device_);
  for (size_t row = 0; row < 5; ++row) {
    for (size_t i = 0; i < 3; ++i) EXPECT_EQ(bytes[row * 100 + i], row * 10 + i);
    EXPECT_EQ(bytes[row * 100 + 3], 0);
  }
  EXPECT_EQ(aclrtMemcpy2d(device_, 2, host_.data(), 10, 3, 5, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), HasSubstr("Width (3 bytes) is larger than dpitch (2 bytes)"));
  EXPECT_EQ(aclrtMemcpy2d(device_, 512, host_.data(), 10, 3, 3, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_INVALID_PARAM);
}

TEST_F(CopyTest, FillsAreCheckedToo) {
  ASSERT_EQ(aclrtMemset(device_, 1024, 0x1FF, 1024), ACL_SUCCESS);
  EXPECT_EQ(static_cast<unsigned char*>(device_)[1023], 0xFF);
  EXPECT_EQ(aclrtMemset(device_, 10, 0, 11), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(Message(), HasSubstr("larger than maxCount (10 bytes)"));
  EXPECT_EQ(aclrtMemset(device_, 2000, 0, 2000), ACL_ERROR_INVALID_PARAM);
}

TEST_F(CopyTest, AnAsynchronousCopyHasItsTurnInTheStream) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemsetAsync(device_, 1024, 1, 1024, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpyAsync(device_, 1024, host_.data(), 10, ACL_MEMCPY_HOST_TO_DEVICE, stream),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpyAsync(pinned_, 1024, device_, 1024, ACL_MEMCPY_DEVICE_TO_HOST, stream),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(static_cast<unsigned char*>(pinned_)[9], 7);
  EXPECT_EQ(static_cast<unsigned char*>(pinned_)[10], 1);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
}

TEST_F(CopyTest, ABufferFreedBeforeItsTurnFailsTheStreamOnEitherSide) {
  for (const bool frees_source : {false, true}) {
    aclrtStream stream = nullptr;
    aclrtEvent event = nullptr;
    void* freed = nullptr;
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&freed, 1024, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(stream, event), ACL_SUCCESS);  // not recorded yet
    ASSERT_EQ(aclrtMemcpyAsync(frees_source ? device_ : freed, 1024, frees_source ? freed : device_,
                               1024, ACL_MEMCPY_DEVICE_TO_DEVICE, stream),
              ACL_SUCCESS);
    ASSERT_EQ(aclrtFree(freed), ACL_SUCCESS);
    ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_INVALID_PARAM);
    EXPECT_THAT(Message(), HasSubstr("was freed before the copy had its turn"));
    EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  }
}

TEST_F(CopyTest, ExhaustionGivesTheErrorAndLosesNothing) {
  size_t free_before = 0;
  size_t total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free_before, &total), ACL_SUCCESS);
  EXPECT_EQ(total, uint64_t{64} << 30);
  void* large = &large;
  EXPECT_EQ(aclrtMalloc(&large, total + 1, ACL_MEM_MALLOC_HUGE_FIRST),
            ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(large, nullptr);
  EXPECT_THAT(Message(), HasSubstr("ACL_ERROR_RT_MEMORY_ALLOCATION (207001)"));
  size_t free_after = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free_after, &total), ACL_SUCCESS);
  EXPECT_EQ(free_after, free_before);
  EXPECT_EQ(aclrtMalloc(&large, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMalloc(&large, 8, static_cast<aclrtMemMallocPolicy>(77)), ACL_ERROR_INVALID_PARAM);
}

TEST_F(CopyTest, EightThreadsAllocateCopyAndFree) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([t] {
      EXPECT_EQ(aclrtSetDevice(t % 2), ACL_SUCCESS);
      for (size_t round = 1; round < 100; ++round) {
        void* data = nullptr;
        EXPECT_EQ(aclrtMalloc(&data, round * 100, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
        std::vector<char> sent(round * 100, static_cast<char>(t));
        std::vector<char> back(round * 100, 99);
        EXPECT_EQ(
            aclrtMemcpy(data, sent.size(), sent.data(), sent.size(), ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_SUCCESS);
        EXPECT_EQ(
            aclrtMemcpy(back.data(), back.size(), data, back.size(), ACL_MEMCPY_DEVICE_TO_HOST),
            ACL_SUCCESS);
        EXPECT_EQ(sent, back);
        EXPECT_EQ(aclrtFree(data), ACL_SUCCESS);
      }
      EXPECT_EQ(aclrtResetDevice(t % 2), ACL_SUCCESS);
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace hostnpu::runtime

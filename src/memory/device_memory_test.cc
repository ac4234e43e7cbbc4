// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/device_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

namespace hostnpu::memory {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

char* Allocated(uint64_t bytes) {
  return static_cast<char*>(*DeviceMemory::Get().Allocate(0, bytes, "x"));
}

TEST(DeviceMemoryTest, AnAddressKnowsItsBufferFromTheFirstByteToTheLast) {
  DeviceMemory& memory = DeviceMemory::Get();
  char* data = Allocated(100);
  for (int at : {0, 31, 99}) {
    const auto found = memory.Find(data + at);
    ASSERT_TRUE(found.has_value()) << at;
    EXPECT_EQ(found->size_bytes, 100u);
    EXPECT_EQ(found->base, reinterpret_cast<uintptr_t>(data));
    EXPECT_FALSE(found->freed);
  }
  EXPECT_FALSE(memory.Find(data + 100).has_value());
  EXPECT_EQ(memory.NearestBelow(data + 100)->label, "x");
  EXPECT_TRUE(memory.Free(data).ok());
  EXPECT_TRUE(memory.Find(data + 99)->freed);
}

TEST(DeviceMemoryTest, TheEndOfABufferIsNeverTheStartOfAnother) {
  DeviceMemory& memory = DeviceMemory::Get();
  for (const uint64_t bytes : {uint64_t{512}, uint64_t{4096}, 2 * kMiB, 8 * kMiB}) {
    std::vector<char*> blocks;
    for (int i = 0; i < 16; ++i) blocks.push_back(Allocated(bytes));
    for (int i = 0; i < 16; i += 2) EXPECT_TRUE(memory.Free(blocks[i]).ok());
    for (int i = 1; i < 16; i += 2) {
      const auto behind = memory.Find(blocks[i] + bytes);
      EXPECT_FALSE(behind.has_value()) << bytes << " bytes, then " << behind->Name();
      EXPECT_TRUE(memory.Free(blocks[i]).ok());
    }
  }
}

TEST(DeviceMemoryTest, ABlockThatIsAskedForAgainALittleLargerTakesItsPagesAlong) {
  DeviceMemory& memory = DeviceMemory::Get();
  memory.Trim();
  char* small = Allocated(32 * kMiB);
  char* beside = Allocated(32 * kMiB);  // so that one of them cannot grow where it is
  std::memset(small, 7, 32 * kMiB);
  std::memset(beside, 8, 32 * kMiB);
  for (char** block : {&small, &beside}) {
    const char value = (*block)[5];
    EXPECT_TRUE(memory.Free(*block).ok());
    *block = Allocated(40 * kMiB);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(*block) % (2 * kMiB), 0u);
    EXPECT_EQ((*block)[5], value) << "the pages are those of the freed block";
    EXPECT_EQ((*block)[32 * kMiB - 1], value);
    EXPECT_EQ((*block)[40 * kMiB - 1], 0) << "what was added is fresh";
    EXPECT_EQ(memory.Find(*block + 40 * kMiB - 1)->base, reinterpret_cast<uintptr_t>(*block));
  }
  EXPECT_EQ(small[0], 7);
  EXPECT_EQ(beside[0], 8);
  EXPECT_TRUE(memory.Free(small).ok());
  char* much_larger = Allocated(100 * kMiB);
  EXPECT_EQ(much_larger[5], 0) << "a block less than half of it stays for its own size";
  EXPECT_TRUE(memory.Free(much_larger).ok());
  EXPECT_TRUE(memory.Free(beside).ok());
}

TEST(DeviceMemoryTest, PaddingIsUpToAMultipleOf32BytesAnd32More) {
  DeviceMemory& memory = DeviceMemory::Get();
  for (uint64_t size : {uint64_t{1}, uint64_t{16}, uint64_t{32}, uint64_t{4096}, 2 * kMiB}) {
    char* data = Allocated(size);
    const uint64_t padded = (size + 31) / 32 * 32 + 32;
    EXPECT_TRUE(memory.IsPadding(data + size, 4, 0)) << size;
    EXPECT_TRUE(memory.IsPadding(data + padded - 4, 4, 0)) << size;
    EXPECT_EQ(data[padded - 1], data[padded - 1]) << "it can be read";
    EXPECT_FALSE(memory.IsPadding(data + padded - 3, 4, 0)) << size;
    EXPECT_FALSE(memory.IsPadding(data + size, 4, 1)) << "another device";
    ASSERT_TRUE(memory.Free(data).ok());
    EXPECT_FALSE(memory.IsPadding(data + size, 4, 0)) << "freed";
  }
}

TEST(DeviceMemoryTest, ABlockOfLaunchesAndLentBytesHaveNoPadding) {
  DeviceMemory& memory = DeviceMemory::Get();
  char* data = Allocated(4096);
  memory.SetExtent(data, 1024, "workspace");
  EXPECT_FALSE(memory.IsPadding(data + 1024, 4, 0));
  const BlockPart parts[] = {{0, 512, "a"}, {1024, 512, "b"}};
  memory.SetParts(data, parts);
  EXPECT_FALSE(memory.IsPadding(data + 512, 4, 0));
  ASSERT_TRUE(memory.Free(data).ok());
  alignas(64) char lent[128];
  ASSERT_TRUE(memory.Register(lent, 64, 0, "lent").ok());
  EXPECT_FALSE(memory.IsPadding(lent + 64, 4, 0));
  ASSERT_TRUE(memory.Unregister(lent, 64).ok());
}

TEST(DeviceMemoryTest, WhatIsNoStartOfALiveBufferIsNotFreedAndSaysWhatItIs) {
  DeviceMemory& memory = DeviceMemory::Get();
  char* data = Allocated(64);
  EXPECT_NE(memory.Free(data + 8).error().message.find("8 bytes inside"), std::string::npos);
  EXPECT_NE(memory.FreeHost(data).error().message.find("aclrtFree"), std::string::npos);
  EXPECT_TRUE(memory.Free(data).ok());
  EXPECT_NE(memory.Free(data).error().message.find("was freed before"), std::string::npos);
  int local = 0;
  EXPECT_NE(memory.Free(&local).error().message.find("not one that was allocated"),
            std::string::npos);
}

TEST(DeviceMemoryTest, SizesThatCannotBeAreRefusedAndLoseNothing) {
  DeviceMemory& memory = DeviceMemory::Get();
  const MemoryStatus before = *memory.Status(0);
  EXPECT_EQ(memory.Allocate(0, 0).error().code, base::Code::kInvalidArgument);
  EXPECT_EQ(memory.Allocate(0, ~uint64_t{0}).error().code, base::Code::kInvalidArgument);
  EXPECT_EQ(memory.Allocate(0, before.total_bytes + 1).error().code, base::Code::kOutOfMemory);
  EXPECT_EQ(memory.Allocate(99, 64).error().code, base::Code::kInvalidArgument);
  EXPECT_EQ(memory.Status(0)->used_bytes, before.used_bytes);
}

TEST(DeviceMemoryTest, AFreedBlockServesALittleSmallerSizesAndNoMuchSmallerOnes) {
  DeviceMemory& memory = DeviceMemory::Get();
  memory.Trim();
  char* first = Allocated(40 * kMiB);
  ASSERT_TRUE(memory.Free(first).ok());
  char* much_smaller = Allocated(20 * kMiB);
  EXPECT_NE(much_smaller, first);
  char* smaller = Allocated(36 * kMiB);
  EXPECT_EQ(smaller, first);
  EXPECT_EQ(memory.Find(smaller)->size_bytes, 36 * kMiB);
  EXPECT_FALSE(memory.Find(smaller + 36 * kMiB).has_value()) << "only what was asked for is there";
  ASSERT_TRUE(memory.Free(smaller).ok());
  char* again = Allocated(40 * kMiB);
  EXPECT_EQ(again, first) << "and it is still as large as it was";
  EXPECT_TRUE(memory.Free(again).ok());
  EXPECT_TRUE(memory.Free(much_smaller).ok());
}

TEST(DeviceMemoryTest, OfFreedBlocksBeyondTheLimitTheOldestGo) {
  DeviceMemory& memory = DeviceMemory::Get();
  memory.Trim();
  char* oldest = Allocated(1024 * kMiB);
  char* newer = Allocated(900 * kMiB);
  char* newest = Allocated(300 * kMiB);
  for (char* data : {oldest, newer, newest}) ASSERT_TRUE(memory.Free(data).ok());
  EXPECT_EQ(Allocated(300 * kMiB), newest);
  EXPECT_EQ(Allocated(900 * kMiB), newer);
  EXPECT_FALSE(memory.Find(oldest).has_value()) << "the system may give that address to anybody";
  EXPECT_TRUE(memory.Free(newest).ok());
  EXPECT_TRUE(memory.Find(newest)->freed);
  EXPECT_TRUE(memory.Free(newer).ok());
  memory.Trim();
  EXPECT_FALSE(memory.Find(newest).has_value());
}

TEST(DeviceMemoryTest, ARangeOfALentTensorRunsAcrossItsLentViews) {
  DeviceMemory& memory = DeviceMemory::Get();
  std::vector<char> tensor(4096);
  ASSERT_TRUE(memory.Register(tensor.data(), tensor.size(), 0, "tensor").ok());
  for (int view = 0; view < 10; ++view) {
    ASSERT_TRUE(memory.Register(tensor.data() + 100 * (view + 1), 64, 0, "view").ok());
  }
  EXPECT_EQ(memory.Find(tensor.data() + 110)->label, "view");
  // Behind ten views, beside one, and across several.
  EXPECT_EQ(memory.Find(tensor.data() + 2000)->label, "tensor");
  EXPECT_EQ(memory.Find(tensor.data() + 170)->label, "tensor");
  EXPECT_EQ(memory.FindRange(tensor.data() + 110, 500)->label, "tensor");
  EXPECT_EQ(memory.FindRange(tensor.data() + 110, 5000)->label, "view") << "none holds it all";
  for (int view = 0; view < 10; ++view) {
    ASSERT_TRUE(memory.Unregister(tensor.data() + 100 * (view + 1), 64).ok());
  }
  ASSERT_TRUE(memory.Unregister(tensor.data(), tensor.size()).ok());
  EXPECT_FALSE(memory.Find(tensor.data()).has_value());
}

TEST(DeviceMemoryTest, AViewOfDeviceMemoryMayBeLentBesideIt) {
  DeviceMemory& memory = DeviceMemory::Get();
  char* data = Allocated(4096);
  std::array<char, 32> other{};
  ASSERT_TRUE(memory.Register(other.data(), other.size(), 0, "other").ok());
  ASSERT_TRUE(memory.Register(data + 512, 512, 0, "view").ok());
  EXPECT_EQ(memory.Find(data + 600)->label, "view");
  EXPECT_EQ(memory.FindRange(data + 600, 3000)->label, "x");
  EXPECT_EQ(memory.Find(data + 4000)->label, "x");
  ASSERT_TRUE(memory.Unregister(data + 512, 512).ok());
  EXPECT_EQ(memory.Find(data + 600)->label, "x");
  ASSERT_TRUE(memory.Unregister(other.data(), other.size()).ok());
  EXPECT_TRUE(memory.Free(data).ok());
}

TEST(DeviceMemoryTest, BytesLentTwiceEndWhereTheLongestThatIsLentStillEnds) {
  DeviceMemory& memory = DeviceMemory::Get();
  std::vector<char> tensor(4096);
  for (uint64_t bytes : {1024u, 4096u, 4096u}) {
    ASSERT_TRUE(memory.Register(tensor.data(), bytes, 0, "tensor").ok());
  }
  ASSERT_TRUE(memory.Unregister(tensor.data(), 4096).ok());
  EXPECT_EQ(memory.Find(tensor.data())->size_bytes, 4096u);
  const uint64_t generation = memory.generation();
  ASSERT_TRUE(memory.Unregister(tensor.data(), 4096).ok());
  EXPECT_EQ(memory.Find(tensor.data())->size_bytes, 1024u);
  EXPECT_NE(memory.generation(), generation) << "cores drop the longer window";
  EXPECT_FALSE(memory.Find(tensor.data() + 1024).has_value());
  EXPECT_EQ(memory.Unregister(tensor.data(), 4096).error().code, base::Code::kNotFound);
  ASSERT_TRUE(memory.Unregister(tensor.data(), 1024).ok());
  EXPECT_EQ(memory.Unregister(tensor.data(), 1024).error().code, base::Code::kNotFound);
}

TEST(DeviceMemoryTest, BytesAreLentToOneDeviceAtATime) {
  DeviceMemory& memory = DeviceMemory::Get();
  std::vector<char> tensor(64);
  ASSERT_TRUE(memory.Register(tensor.data(), 64, 0, "tensor").ok());
  const auto refused = memory.Register(tensor.data(), 64, 1, "tensor");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("is lent to [Device 0]"), std::string::npos);
  ASSERT_TRUE(memory.Unregister(tensor.data(), 64).ok());
  ASSERT_TRUE(memory.Register(tensor.data(), 64, 1, "tensor").ok());
  ASSERT_TRUE(memory.Unregister(tensor.data(), 64).ok());
}

TEST(DeviceMemoryTest, BuffersAreLentAndTakenBackTogetherWithoutTheOnesThatCannotBe) {
  DeviceMemory& memory = DeviceMemory::Get();
  std::vector<char> first(64), second(64), elsewhere(64);
  ASSERT_TRUE(memory.Register(elsewhere.data(), 64, 1, "elsewhere").ok());
  const std::string a = "a", b = "b", c = "c", d = "d";
  std::array<LentBuffer, 5> lent = {{{first.data(), 64, &a},
                                     {elsewhere.data(), 64, &b},
                                     {nullptr, 64, &c},
                                     {second.data(), 0, &c},
                                     {second.data(), 32, &d}}};
  memory.Lend(lent, 0);
  EXPECT_EQ(memory.Find(first.data())->label, "a");
  EXPECT_EQ(memory.Find(second.data())->label, "d");
  EXPECT_EQ(memory.Find(second.data())->size_bytes, 32u);
  EXPECT_EQ(lent[1].data, nullptr) << "it is lent to another device";
  EXPECT_EQ(lent[3].data, nullptr) << "it has no bytes";
  memory.EndLoans(lent);
  EXPECT_FALSE(memory.Find(first.data()).has_value());
  EXPECT_FALSE(memory.Find(second.data()).has_value());
  EXPECT_EQ(memory.Find(elsewhere.data())->label, "elsewhere");
  ASSERT_TRUE(memory.Unregister(elsewhere.data(), 64).ok());
}

TEST(DeviceMemoryTest, AFreedBlockIsFreedToItsEndThoughItsLastExtentWasShorter) {
  DeviceMemory& memory = DeviceMemory::Get();
  char* data = Allocated(4096);
  memory.SetExtent(data, 100, "short");
  EXPECT_FALSE(memory.Find(data + 100).has_value());
  ASSERT_TRUE(memory.Free(data).ok());
  ASSERT_TRUE(memory.Find(data + 4095).has_value());
  EXPECT_TRUE(memory.Find(data + 4095)->freed);
}

TEST(DeviceMemoryTest, ABlockInPartsIsSeveralBuffersAndNothingBetweenThem) {
  DeviceMemory& memory = DeviceMemory::Get();
  char* data = Allocated(4096);
  memory.SetParts(data, std::vector<BlockPart>{{0, 100, "a"}, {1024, 512, "b"}});
  EXPECT_EQ(memory.Find(data + 99)->Name(), memory.Find(data)->Name());
  EXPECT_EQ(memory.FindRange(data, 101)->label, "a") << "an overrun is one of the part it began in";
  EXPECT_EQ(memory.FindRange(data, 101)->size_bytes, 100u);
  EXPECT_FALSE(memory.Find(data + 100).has_value());
  EXPECT_EQ(memory.NearestBelow(data + 600)->label, "a");
  EXPECT_EQ(memory.Find(data + 1535)->label, "b");
  const std::array<const void*, 2> inside = {data + 1535, data};
  const std::array<const void*, 2> between = {data, data + 100};
  EXPECT_TRUE(memory.AreLabelledDeviceMemory(std::span(inside).first(1), 0));
  EXPECT_FALSE(memory.AreLabelledDeviceMemory(std::span(inside).first(1), 1));
  EXPECT_FALSE(memory.AreLabelledDeviceMemory(between, 0)) << "the second of them";
  EXPECT_EQ(memory.Find(data + 1535)->base, reinterpret_cast<uintptr_t>(data) + 1024);
  EXPECT_FALSE(memory.Find(data + 1536).has_value());
  EXPECT_EQ(memory.NearestBelow(data + 1536)->label, "b");
  const uint64_t generation = memory.generation();
  memory.SetParts(data, std::vector<BlockPart>{{0, 100, "a"}, {1024, 512, "b"}});
  EXPECT_EQ(memory.generation(), generation) << "the same again costs nobody a cached window";
  memory.SetParts(data, std::vector<BlockPart>{{0, 100, "a"}, {1024, 512, "c"}});
  EXPECT_NE(memory.generation(), generation);
  memory.SetExtent(data, 4096, "whole");
  EXPECT_EQ(memory.FindRange(data + 90, 3000)->label, "whole");
  memory.SetParts(data, std::vector<BlockPart>{{4000, 1000, "cut"}, {5000, 10, "gone"}});
  EXPECT_EQ(memory.Find(data + 4095)->size_bytes, 96u);
  EXPECT_FALSE(memory.Find(data).has_value());
  ASSERT_TRUE(memory.Free(data).ok());
  EXPECT_TRUE(memory.Find(data + 100)->freed) << "all of the block";
}

}  // namespace
}  // namespace hostnpu::memory

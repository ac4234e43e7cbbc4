// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/guarded_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "memory/device_memory.h"

namespace hostnpu::runtime {
namespace {

using testing::HasSubstr;

class GuardedMemoryTest : public testing::TestWithParam<size_t> {};

TEST_P(GuardedMemoryTest, IsZeroKnownAndFreedWhenNothingWroteAround) {
  auto data = AllocateGuarded(GetParam());
  ASSERT_TRUE(data.ok());
  auto* bytes = static_cast<uint8_t*>(*data);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes) % 64, 0u);
  for (size_t i = 0; i < GetParam(); ++i) ASSERT_EQ(bytes[i], 0);
  std::memset(bytes, 0x5A, GetParam());
  EXPECT_EQ(memory::DeviceMemory::Get().Find(bytes)->size_bytes, GetParam());
  EXPECT_TRUE(FreeGuarded(bytes).ok());
  EXPECT_FALSE(FreeGuarded(bytes).ok());
}

TEST_P(GuardedMemoryTest, AByteWrittenBeforeTheStartIsFound) {
  auto* bytes = static_cast<uint8_t*>(*AllocateGuarded(GetParam()));
  if (reinterpret_cast<uintptr_t>(bytes) % 4096 == 0) {  // whole pages: nothing lies before
    EXPECT_TRUE(FreeGuarded(bytes).ok());
    return;
  }
  bytes[-1] = 1;
  auto result = FreeGuarded(bytes);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, HasSubstr("the byte 1 before its start"));
}

TEST_P(GuardedMemoryTest, AByteWrittenBehindTheEndIsFound) {
  auto* bytes = static_cast<uint8_t*>(*AllocateGuarded(GetParam()));
  if (GetParam() % 64 == 0) {  // the guard page follows at once
    EXPECT_TRUE(FreeGuarded(bytes).ok());
    return;
  }
  bytes[GetParam()] = 1;
  auto result = FreeGuarded(bytes);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, HasSubstr("Something wrote behind [Buffer "));
}

INSTANTIATE_TEST_SUITE_P(Sizes, GuardedMemoryTest,
                         testing::Values(1, 31, 32, 33, 63, 64, 65, 4095, 4096, 4097, 100000));

TEST(GuardedMemory, NothingIsNoBuffer) { EXPECT_FALSE(AllocateGuarded(0).ok()); }

}  // namespace
}  // namespace hostnpu::runtime

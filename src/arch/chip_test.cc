// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "arch/chip.h"

#include <gtest/gtest.h>

namespace hostnpu::arch {
namespace {

TEST(ChipTest, FindsAChipWithoutRegardToCase) {
  auto chip = FindChip("ascend910b3");
  ASSERT_TRUE(chip.ok());
  EXPECT_EQ((*chip)->name, "Ascend910B3");
  EXPECT_EQ((*chip)->aiv_count, 40u);
}

TEST(ChipTest, AnUnknownChipIsAnErrorThatListsTheKnownOnes) {
  auto chip = FindChip("Ascend999");
  ASSERT_FALSE(chip.ok());
  EXPECT_EQ(chip.error().code, base::Code::kNotFound);
  EXPECT_NE(chip.error().message.find("\"Ascend999\""), std::string::npos);
  EXPECT_NE(chip.error().message.find("Ascend910B1"), std::string::npos);
}

TEST(ChipTest, UsableUbIsThePhysicalSizeLessTheReservedBytes) {
  EXPECT_EQ((*FindChip("Ascend910B1"))->UsableUbBytes(), 196352u);
}

}  // namespace
}  // namespace hostnpu::arch

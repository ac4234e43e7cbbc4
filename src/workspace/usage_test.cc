// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "workspace/usage.h"

#include <gtest/gtest.h>

namespace hostnpu::workspace {
namespace {

ArenaPlan Plan(std::vector<Region> regions) {
  return std::move(PlanArena({"ring", 0, std::move(regions), {}})).value();
}

// S09: two directions of four slots of 512 bytes, but only one ring is declared.
TEST(UsageTest, ReportsTheFirstBytePastTheEndOfARing) {
  for (int64_t declared : {2048, 4096}) {
    Usage usage(Plan({{"slots", declared}}));
    for (int64_t slot = 0; slot < 8; ++slot) usage.Touch(0, slot * 512, 512);
    const auto checked = usage.CheckOverrun();
    EXPECT_EQ(checked.ok(), declared == 4096);
    if (checked.ok()) continue;
    EXPECT_EQ(
        checked.error().message,
        "Kernel \"ring\" touches [Workspace 0 \"slots\"] up to byte 4096, but it has 2048 bytes: "
        "2048 too few.");
  }
}

// S11: the kernel's offsets use align(s2, 128), the host's size uses s2.
TEST(UsageTest, FindsTheSmallestShapeForWhichAFormulaIsTooSmall) {
  const std::vector<Bindings> shapes = {
      {{"s2", 300001}}, {{"s2", 129}}, {{"s2", 128}}, {{"s2", 127}}};
  auto touched = [](const Bindings& shape) { return (*shape.Find("s2") + 127) / 128 * 128 * 4; };
  auto wrong = CheckFormula("index", *Expression::Parse("s2 * 4"), shapes, touched);
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(
      wrong.error().message,
      "Workspace \"index\" is declared as \"s2 * 4\" with s2 = 127: 508 bytes, but the kernel "
      "touches 512: 4 too few. 3 of 4 shapes fail; this is the smallest.");
  EXPECT_TRUE(
      CheckFormula("index", *Expression::Parse("align(s2, 128) * 4"), shapes, touched).ok());
}

// S13: slots are indexed by tile and split, but sized by the number of workers.
TEST(UsageTest, FindsSlotsSizedByTheWrongCount) {
  const std::vector<Bindings> shapes = {{{"tiles", 6}, {"split", 3}, {"cores", 8}},
                                        {{"tiles", 8}, {"split", 2}, {"cores", 8}},
                                        {{"tiles", 2}, {"split", 4}, {"cores", 8}}};
  auto touched = [](const Bindings& shape) {
    return *shape.Find("tiles") * *shape.Find("split") * 256;
  };
  auto wrong = CheckFormula("partial", *Expression::Parse("cores * 256"), shapes, touched);
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message.find("2 of 3 shapes fail"), std::string::npos);
  EXPECT_TRUE(
      CheckFormula("partial", *Expression::Parse("tiles * split * 256"), shapes, touched).ok());
}

// S20: a buffer sized by the larger direction and the full depth is a warning, not an error.
TEST(UsageTest, WarnsOfWasteWithoutRefusingTheKernel) {
  Usage usage(Plan({{"to_vector", 4 * 16384}, {"to_cube", 4 * 16384}}));
  usage.Touch(0, 0, 4 * 16384);
  usage.Touch(1, 0, 4 * 512);
  EXPECT_TRUE(usage.CheckOverrun().ok());
  ASSERT_EQ(usage.WasteWarnings().size(), 1u);
  EXPECT_EQ(usage.WasteWarnings()[0],
            "workspace \"to_cube\" of \"ring\" has 65536 bytes, but only 2048 of them (3 %) were "
            "touched");
  EXPECT_EQ(usage.Render(),
            "workspace of ring: reserved 131.1 kB, touched 52 %\n"
            "  to_vector           65536 declared           65536 touched  100 %\n"
            "  to_cube             65536 declared            2048 touched    3 %\n");
}

}  // namespace
}  // namespace hostnpu::workspace

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "workspace/plan.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "workspace/contents.h"

namespace hostnpu::workspace {
namespace {

TEST(WorkspacePlanTest, PacksRegionsAtMultiplesOf512BehindTheSystemPart) {
  Request request{"k", 16 << 20, {{"a", 100}, {"b", 700}, {"c", 0}}, {}};
  auto plan = PlanArena(request);
  ASSERT_TRUE(plan.ok()) << plan.error().ToString();
  for (const Slot& slot : plan->slots) {
    EXPECT_EQ(slot.offset % 512, 0);
    if (slot.bytes > 0) EXPECT_GE(slot.offset, 16 << 20);
  }
  EXPECT_EQ(plan->bytes, (16 << 20) + 1024 + 100);
  EXPECT_EQ(plan->padding_bytes, 1024 - 700);
}

TEST(WorkspacePlanTest, KeepsGuardBytesFreeBehindEachRegion) {
  Request request{"k", 0, {{"a", 512}, {"b", 100}, {"none", 0}, {"p", 512}, {"q", 8}}, {}};
  request.regions[3].contents = request.regions[4].contents = Contents::PersistentZero();
  request.guard_bytes = 512;
  auto plan = PlanArena(request);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->bytes, 1024 + 612);
  EXPECT_EQ(plan->persistent_bytes, 1024 + 520);
  EXPECT_EQ(plan->padding_bytes, 2 * 512);
  EXPECT_GE(std::abs(plan->slots[0].offset - plan->slots[1].offset), 1024);
  EXPECT_EQ(plan->slots[4].offset, 1024);
  request.guard_bytes = -1;
  EXPECT_FALSE(PlanArena(request).ok());
}

TEST(WorkspacePlanTest, LetsRegionsOfDifferentPhasesShareBytes) {
  Request request{"k", 0, {{"a", 4096}, {"b", 2048}, {"c", 4096}}, {}};
  request.regions[0].live = {{0, 1}};
  request.regions[2].live = {{1, 2}};
  auto plan = PlanArena(request);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->bytes, 6144);
  EXPECT_EQ(plan->unshared_bytes, 10240);
  EXPECT_EQ(plan->slots[0].offset, plan->slots[2].offset);
  request.must_not_share = {{0, 2}};
  plan = PlanArena(request);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->bytes, 10240);
}

// A kernel cannot wait in its middle for the host to write zeros, so such a region owns its bytes
// from the start; between the launches of an operator it need not.
TEST(WorkspacePlanTest, KeepsInitialContentsFromTheStartOfALaunch) {
  Request request{"k", 0, {{"a", 4096}, {"b", 4096}}, {}};
  request.regions[0].live = {{0, 1}};
  request.regions[1].live = {{1, 2}};
  request.regions[1].contents = Contents::Zero();
  auto one = PlanArena(request);
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->bytes, 8192);
  request.one_launch = false;
  auto many = PlanArena(request);
  ASSERT_TRUE(many.ok());
  EXPECT_EQ(many->bytes, 4096);
  std::vector<std::byte> arena(4096, std::byte{5});
  FillContents(*many, 0, arena.data(), FillPolicy::kNone);
  EXPECT_EQ(arena[0], std::byte{5});
  FillContents(*many, 1, arena.data(), FillPolicy::kNone);
  EXPECT_EQ(arena[0], std::byte{0});
}

TEST(WorkspacePlanTest, GivesPersistentZeroABlockOfItsOwn) {
  Request request{"k", 0, {{"a", 100}, {"counter", 64}, {"flags", 32}}, {}};
  request.regions[1].contents = request.regions[2].contents = Contents::PersistentZero();
  auto plan = PlanArena(request);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->bytes, 100);
  EXPECT_EQ(plan->persistent_bytes, 512 + 32);
  EXPECT_TRUE(plan->slots[1].persistent && plan->slots[2].persistent);
}

TEST(WorkspacePlanTest, RefusesSizesAndAlignmentsThatCannotBe) {
  auto message = [](Request request) {
    auto plan = PlanArena(request);
    return plan.ok() ? std::string("planned") : plan.error().ToString();
  };
  EXPECT_EQ(
      message({"k", 0, {{"a", -1}}, {}}),
      "[Workspace 0 \"a\"] has a negative size (-1 bytes).\n - While planning the workspace of "
      "\"k\"");
  EXPECT_EQ(message({"k", 0, {{"a", (int64_t{1} << 40) + 1}}, {}}),
            "[Workspace 0 \"a\"] has 1099511627777 bytes; the limit is 1099511627776.\n - While "
            "planning the workspace of \"k\"");
  EXPECT_EQ(
      message({"k", 0, {{"a", 1, 48}}, {}}),
      "Alignment (48) of [Workspace 0 \"a\"] is not a power of two up to 2^30.\n - While planning "
      "the workspace of \"k\"");
  EXPECT_EQ(message({"k", 0, {{"a", 1, 32}}, {}}), "planned");
  EXPECT_EQ(message({"k", 0, {}, {}}), "planned");
}

TEST(WorkspacePlanTest, PrintsATable) {
  Request request{"softmax", 1024, {{"sums", 100}, {"count", 64}}, {}};
  request.regions[1].contents = Contents::PersistentZero();
  EXPECT_EQ(
      RenderPlan(*PlanArena(request)),
      "workspace of softmax\n"
      "  name               offset           bytes  alignment  contents\n"
      "  (library)               0            1024        512  system\n"
      "  sums                 1024             100        512  undefined\n"
      "  count                   0              64        512  persistent-zero, in its own block\n"
      "  total 1124 bytes, 0 of them padding; 1124 bytes without sharing\n"
      "  and 64 bytes that keep their contents between launches\n");
}

TEST(ContentsTest, PoisonIsNaNInEveryFloatAndHugeInEveryInteger) {
  std::byte data[16];
  FillPoison(data, 16);
  float single = 0;
  double twice = 0;
  int16_t small = 0;
  int64_t large = 0;
  std::memcpy(&single, data, 4);
  std::memcpy(&twice, data, 8);
  std::memcpy(&small, data, 2);
  std::memcpy(&large, data, 8);
  EXPECT_NE(single, single);
  EXPECT_NE(twice, twice);
  EXPECT_EQ(small, 0x7fff);  // a NaN as float16 and as bfloat16
  EXPECT_GT(large, int64_t{1} << 62);
}

TEST(ContentsTest, FillsWhatIsDeclaredAndNothingElse) {
  Request request{"k", 0, {{"none", 100}, {"zero", 100}, {"ones", 6}}, {}};
  request.regions[1].contents = Contents::Zero();
  request.regions[2].contents = Contents::Value(0x3f80, 2);
  auto plan = PlanArena(request);
  ASSERT_TRUE(plan.ok());
  for (FillPolicy policy : {FillPolicy::kNone, FillPolicy::kPoison, FillPolicy::kZero}) {
    std::vector<std::byte> arena(static_cast<size_t>(plan->bytes) + 8, std::byte{0xaa});
    FillContents(*plan, plan->first_step, arena.data(), policy);
    const std::byte first = arena[static_cast<size_t>(plan->slots[0].offset)];
    EXPECT_EQ(first, std::byte{policy == FillPolicy::kNone     ? uint8_t{0xaa}
                               : policy == FillPolicy::kPoison ? uint8_t{0xff}
                                                               : uint8_t{0}});
    EXPECT_EQ(FindNonZero(arena.data() + plan->slots[1].offset, 100), std::nullopt);
    EXPECT_EQ(arena[static_cast<size_t>(plan->slots[2].offset) + 4], std::byte{0x80});
    EXPECT_EQ(arena[static_cast<size_t>(plan->slots[2].offset) + 5], std::byte{0x3f});
    for (size_t i = 0; i < 8; ++i)
      EXPECT_EQ(arena[static_cast<size_t>(plan->bytes) + i], std::byte{0xaa});
  }
}

TEST(ContentsTest, FindsTheFirstDirtyByteAtEveryPlace) {
  for (int64_t size : {1, 31, 64, 65, 200}) {
    std::vector<std::byte> data(static_cast<size_t>(size), std::byte{0});
    EXPECT_EQ(FindNonZero(data.data(), size), std::nullopt);
    for (int64_t at = 0; at < size; ++at) {
      data[static_cast<size_t>(at)] = std::byte{1};
      EXPECT_EQ(FindNonZero(data.data(), size), at);
      data[static_cast<size_t>(at)] = std::byte{0};
    }
  }
}

}  // namespace
}  // namespace hostnpu::workspace

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "workspace/plan.h"

#include <gtest/gtest.h>

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

// S17: the size query failed, its status was ignored, and an absurd size was allocated.
TEST(WorkspacePlanTest, NeverUsesTheSizesOfAFailedTiling) {
  const std::optional<int64_t> garbage[] = {int64_t{1} << 62};
  auto request = RequestOfTiling("FlashAttention", false, garbage);
  ASSERT_FALSE(request.ok());
  EXPECT_EQ(
      request.error().message,
      "The tiling function of \"FlashAttention\" failed, so its workspace sizes are not used.");
  const std::optional<int64_t> unset[] = {4096, std::nullopt};
  request = RequestOfTiling("FlashAttention", true, unset);
  ASSERT_FALSE(request.ok());
  EXPECT_EQ(
      request.error().message,
      "The tiling function of \"FlashAttention\" asked for 2 workspace sizes, but did not set "
      "size 1.");
  request = RequestOfTiling("FlashAttention", true, garbage);
  EXPECT_FALSE(request.ok());
  const std::optional<int64_t> good[] = {4096, 100};
  request = RequestOfTiling("FlashAttention", true, good);
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(PlanArena(*request)->bytes, 4196);
}

// S19: 1000 bytes for three sub-buffers.
TEST(WorkspacePlanTest, SaysWhatACallersArenaLacks) {
  auto plan = PlanArena({"topk", 0, {{"keys", 600}, {"order", 400}, {"ties", 20}}, {}});
  ASSERT_TRUE(plan.ok());
  alignas(512) static std::byte memory[4096];
  auto checked = CheckCallerArena(*plan, memory, 1000);
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(
      checked.error().message,
      "The workspace of \"topk\" needs 1556 bytes at a multiple of 512 (most of it for \"keys\", "
      "600 bytes at offset 0), but the caller gives 1000 bytes: 556 too few.");
  EXPECT_FALSE(CheckCallerArena(*plan, nullptr, 4096).ok());
  checked = CheckCallerArena(*plan, memory + 32, 4000);
  ASSERT_FALSE(checked.ok());
  EXPECT_NE(checked.error().message.find("but the caller's pointer is 32 bytes past one."),
            std::string::npos);
  EXPECT_FALSE(CheckCallerArena(*plan, memory, 1555).ok());
  EXPECT_TRUE(CheckCallerArena(*plan, memory, 1556).ok());
}

// S33: an explicit arena at byte 32, one of zero bytes where none is needed, one element too small.
TEST(WorkspacePlanTest, AcceptsAnExplicitTemporaryAsItIsAligned) {
  auto plan = PlanArena({"reduce", 0, {{"tmp", 256, 32}}, {}});
  ASSERT_TRUE(plan.ok());
  plan->alignment = 32;  // an on-chip temporary has no reason for more
  alignas(512) static std::byte memory[512];
  EXPECT_TRUE(CheckCallerArena(*plan, memory + 32, 256).ok());
  EXPECT_FALSE(CheckCallerArena(*plan, memory + 32, 252).ok());
  auto none = PlanArena({"reduce", 0, {{"tmp", 0, 32}}, {}});
  ASSERT_TRUE(none.ok());
  EXPECT_TRUE(CheckCallerArena(*none, nullptr, 0).ok());
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

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "report/memory_map.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace hostnpu::report {
namespace {

MemoryMap Map(int64_t capacity, std::string name = "x_tile") {
  planner::Problem problem;
  problem.buffers = {{std::move(name), 64, {{0, 4}}, 1, {}},
                     {"e_tile", 32, {{2, 6}}, 1, {}},
                     {"late", 48, {{6, 9}}, 1, {}}};
  problem.capacity = capacity;
  auto solution = planner::Solve(problem);
  return MakeMemoryMap("softmax", problem, *solution);
}

TEST(MemoryMapTest, PrintsATable) {
  EXPECT_EQ(RenderText(Map(128)),
            "plan of softmax: 3 buffers\n"
            "  height         96 bytes (proved to be the least)\n"
            "  capacity       128 bytes: fits\n"
            "  without reuse  144 bytes\n"
            "  peak           step 2: 2 buffers alive, 0 bytes in holes\n"
            "\n"
            "  buffer          offset            size  steps   shares bytes with\n"
            "  x_tile               0              64  0 to 3  late\n"
            "  late                 0              48  6 to 8  x_tile\n"
            "  e_tile              64              32  2 to 5\n");
}

TEST(MemoryMapTest, CutsALongTable) {
  EXPECT_NE(RenderText(Map(128), 1).find("  and 2 more\n"), std::string::npos);
}

TEST(MemoryMapTest, SaysWhatDoesNotFit) {
  EXPECT_NE(RenderText(Map(80)).find("80 bytes: does not fit"), std::string::npos);
}

TEST(MemoryMapTest, GivesTheSameFactsAsJson) {
  const auto json = nlohmann::json::parse(RenderJson(Map(128)), nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json["height"], 96);
  EXPECT_EQ(json["capacity"], 128);
  EXPECT_EQ(json["verdict"], "fits");
  EXPECT_EQ(json["buffers"][1]["offset"], 64);
  EXPECT_EQ(json["sharing"].size(), 1u);
  const auto open = nlohmann::json::parse(RenderJson(Map(planner::kUnlimited)), nullptr, false);
  EXPECT_TRUE(open["capacity"].is_null());
}

TEST(MemoryMapTest, DrawsAPageThatNeedsNoNetwork) {
  const std::string page = RenderHtml(Map(128));
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_EQ(page.find("/*DATA*/null"), std::string::npos);
  EXPECT_NE(page.find("\"height\":96"), std::string::npos);
  EXPECT_NE(page.find("<title>Memory map of softmax</title>"), std::string::npos);
  EXPECT_NE(page.find("<h1>Memory map of softmax</h1>"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("@import"), std::string::npos);
}

TEST(MemoryMapTest, KeepsANameThatLooksLikeMarkupAsText) {
  const std::string page = RenderHtml(Map(128, "</script><b>\xff"));
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
  EXPECT_NE(page.find("<\\/script><b>"), std::string::npos);
}

}  // namespace
}  // namespace hostnpu::report

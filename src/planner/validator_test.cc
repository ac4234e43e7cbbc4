// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "planner/validator.h"

#include <gtest/gtest.h>

#include <random>

namespace hostnpu::planner {
namespace {

/// Three buffers: a and b live together, c after them.
Problem Innocent() {
  Problem problem;
  problem.buffers = {
      {"a", 64, {{0, 4}}, 32, {}}, {"b", 64, {{2, 6}}, 32, {}}, {"c", 96, {{6, 9}}, 32, {}}};
  problem.capacity = 128;
  return problem;
}

Plan Good() { return {{0, 64, 0}, 128}; }

/// The rule of the only violation, or kOffsetCount with a failure.
void ExpectOnly(Rule rule, const Problem& problem, const Plan& plan) {
  const std::vector<Violation> found = FindViolations(problem, plan);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rule, rule) << found[0].text;
}

TEST(ValidatorTest, AcceptsAPlanWithoutConflicts) {
  EXPECT_TRUE(FindViolations(Innocent(), Good()).empty());
  EXPECT_TRUE(Validate(Innocent(), Good()).ok());
}

TEST(ValidatorTest, RejectsTwoBuffersThatOverlapInTimeAndSpace) {
  const Plan plan{{0, 32, 0}, 96};
  ExpectOnly(Rule::kOverlap, Innocent(), plan);
  EXPECT_EQ(
      FindViolations(Innocent(), plan)[0].text,
      "buffer 0 \"a\" has bytes [0, 64) and buffer 1 \"b\" has bytes [32, 96), and both live at "
      "step 2.");
}

TEST(ValidatorTest, RejectsTwoBuffersAtOneOffset) {
  ExpectOnly(Rule::kOverlap, Innocent(), {{0, 0, 0}, 96});
}

TEST(ValidatorTest, RejectsABufferThatAnotherOneEncloses) {
  Problem problem = Innocent();
  problem.buffers[0].size = 128;
  ExpectOnly(Rule::kOverlap, problem, {{0, 64, 0}, 128});
  ExpectOnly(Rule::kOverlap, problem, {{0, 32, 0}, 128});
}

TEST(ValidatorTest, RejectsAMissingOffset) {
  ExpectOnly(Rule::kOffsetCount, Innocent(), {{0, 64}, 128});
}

TEST(ValidatorTest, RejectsANegativeOffset) {
  const std::vector<Violation> found = FindViolations(Innocent(), {{-32, 64, 0}, 128});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].rule, Rule::kNegative);
}

TEST(ValidatorTest, RejectsABrokenAlignment) {
  ExpectOnly(Rule::kAlignment, Innocent(), {{0, 64, 16}, 128});
}

TEST(ValidatorTest, RejectsAMovedPin) {
  Problem problem = Innocent();
  problem.buffers[2].offset = 32;
  ExpectOnly(Rule::kPin, problem, Good());
  EXPECT_TRUE(FindViolations(problem, {{0, 64, 32}, 128}).empty());
}

TEST(ValidatorTest, RejectsABufferAboveTheCapacity) {
  Problem problem = Innocent();
  problem.capacity = 127;
  ExpectOnly(Rule::kCapacity, problem, Good());
}

TEST(ValidatorTest, RejectsAWrongHeight) {
  ExpectOnly(Rule::kHeight, Innocent(), {{0, 64, 0}, 160});
}

TEST(ValidatorTest, RejectsAMustSharePairAtTwoOffsets) {
  Problem problem = Innocent();
  problem.must_share.push_back({0, 2});
  EXPECT_TRUE(FindViolations(problem, Good()).empty());
  ExpectOnly(Rule::kMustShare, problem, {{0, 64, 32}, 128});
}

TEST(ValidatorTest, AcceptsAMustSharePairThatLivesTogetherButNotItsNeighbour) {
  Problem problem = Innocent();
  problem.must_share.push_back({0, 1});
  EXPECT_TRUE(FindViolations(problem, {{0, 0, 0}, 96}).empty());
  problem.buffers.push_back({"d", 32, {{3, 4}}, 32, {}});
  EXPECT_TRUE(FindViolations(problem, {{0, 0, 0, 64}, 96}).empty());
  ExpectOnly(Rule::kOverlap, problem, {{0, 0, 0, 32}, 96});
}

TEST(ValidatorTest, RejectsAMustNotSharePairWithACommonByte) {
  Problem problem = Innocent();
  problem.must_not_share.push_back({1, 2});
  ExpectOnly(Rule::kMustNotShare, problem, Good());
  problem.capacity = 192;
  EXPECT_TRUE(FindViolations(problem, {{0, 96, 0}, 160}).empty());
}

TEST(ValidatorTest, SeesTheSecondStretchOfALifetime) {
  Problem problem = Innocent();
  EXPECT_TRUE(FindViolations(problem, Good()).empty());
  problem.buffers[0].live.push_back({8, 9});
  ExpectOnly(Rule::kOverlap, problem, Good());
}

TEST(ValidatorTest, IgnoresBuffersWithoutBytes) {
  Problem problem = Innocent();
  problem.buffers.push_back({"none", 0, {{0, 9}}, 32, {}});
  EXPECT_TRUE(FindViolations(problem, {{0, 64, 0, 32}, 128}).empty());
}

TEST(ValidatorTest, FindsWhatAComparisonOfAllPairsFinds) {
  std::mt19937 random(20267);
  for (int round = 0; round < 300; ++round) {
    Problem problem;
    Plan plan;
    for (int i = 0; i < 6; ++i) {
      const auto lower = static_cast<int64_t>(random() % 10);
      problem.buffers.push_back({"",
                                 1 + static_cast<int64_t>(random() % 8),
                                 {{lower, lower + 1 + static_cast<int64_t>(random() % 5)}},
                                 1,
                                 {}});
      plan.offsets.push_back(static_cast<int64_t>(random() % 30));
      plan.height = std::max(plan.height, plan.offsets.back() + problem.buffers.back().size);
    }
    bool expected = false;
    for (int a = 0; a < 6; ++a) {
      for (int b = 0; b < a; ++b) {
        const Interval x = problem.buffers[a].live[0];
        const Interval y = problem.buffers[b].live[0];
        expected |= x.lower < y.upper && y.lower < x.upper &&
                    plan.offsets[a] < plan.offsets[b] + problem.buffers[b].size &&
                    plan.offsets[b] < plan.offsets[a] + problem.buffers[a].size;
      }
    }
    EXPECT_EQ(!FindViolations(problem, plan).empty(), expected) << "round " << round;
  }
}

}  // namespace
}  // namespace hostnpu::planner

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "planner/explain.h"

#include <gtest/gtest.h>

namespace hostnpu::planner {
namespace {

Problem Softmax() {
  Problem problem;
  problem.buffers = {{"x_tile", 65536, {{9, 15}}, 32, {}},
                     {"e_tile", 65536, {{12, 17}}, 32, {}},
                     {"scratch", 70656, {{14, 15}}, 32, {}},
                     {"early", 4096, {{0, 3}}, 32, {}}};
  problem.capacity = 196352;
  return problem;
}

TEST(ExplainTest, NamesThePeakTheBuffersAndTheExcess) {
  Wording wording;
  wording.memory = "UB";
  wording.owner = "ascend910b1";
  wording.command = "hostnpu plan softmax.csv --html plan.html";
  wording.step_name = [](int64_t step) { return step == 14 ? "Exp" : ""; };
  auto plan = SolveOrExplain(Softmax(), {}, wording);
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, base::Code::kOutOfMemory);
  EXPECT_EQ(
      plan.error().message,
      "the plan needs 201728 bytes of UB, but ascend910b1 has 196352\n"
      "note: the peak is at step 14 (Exp), where 3 buffers are live\n"
      "        scratch   70656 bytes   step  14\n"
      "        x_tile    65536 bytes   steps  9 to 14\n"
      "        e_tile    65536 bytes   steps 12 to 16\n"
      "help: 5376 bytes too many; see the picture with: hostnpu plan softmax.csv --html plan.html");
}

TEST(ExplainTest, IsSilentAboutAPlanThatFits) {
  Problem problem = Softmax();
  problem.capacity = 201728;
  auto plan = SolveOrExplain(problem, {}, {});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->height, 201728);
}

TEST(ExplainTest, SaysWhenNothingButHolesAreTooMuch) {
  Problem problem;
  problem.buffers = {{"a", 100, {{0, 2}}, 512, {}}, {"b", 100, {{0, 2}}, 512, {}}};
  problem.capacity = 300;
  SolveOptions options;
  options.exact = true;
  auto plan = SolveOrExplain(problem, options, {});
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(
      plan.error().message,
      "the best plan found needs 612 bytes, but the capacity is 300\n"
      "note: the peak is at step 0, where 2 buffers are live\n"
      "        a   100 bytes   steps 0 to 1\n"
      "        b   100 bytes   steps 0 to 1\n"
      "note: only 200 bytes are live there, but it is proved that alignment, fixed offsets or "
      "the lifetimes leave no plan that fits");
}

TEST(ExplainTest, FindsPeakWasteAndSharing) {
  Problem problem;
  problem.buffers = {
      {"a", 64, {{0, 4}}, 1, {}}, {"b", 32, {{2, 6}}, 1, {}}, {"c", 80, {{4, 9}}, 1, {}}};
  const Plan plan{{0, 80, 0}, 112};
  const Explanation explanation = Explain(problem, plan);
  EXPECT_EQ(explanation.height, 112);
  EXPECT_EQ(explanation.total_bytes, 176);
  EXPECT_EQ(explanation.peak, (Interval{4, 6}));
  EXPECT_EQ(explanation.live_bytes, 112);
  EXPECT_EQ(explanation.waste_bytes, 0);
  EXPECT_EQ(explanation.at_peak, (std::vector<int32_t>{2, 1}));
  ASSERT_EQ(explanation.sharing.size(), 1u);
  EXPECT_EQ(explanation.sharing[0].first, 0);
  EXPECT_EQ(explanation.sharing[0].second, 2);
  EXPECT_EQ(explanation.sharing[0].bytes, 64);
}

TEST(ExplainTest, ExplainsNothing) {
  const Explanation explanation = Explain({}, {});
  EXPECT_EQ(explanation.height, 0);
  EXPECT_TRUE(explanation.at_peak.empty());
}

}  // namespace
}  // namespace hostnpu::planner

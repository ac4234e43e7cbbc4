// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "planner/solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "planner/sweep.h"
#include "planner/validator.h"

namespace hostnpu::planner {
namespace {

Buffer Make(std::string name, int64_t lower, int64_t upper, int64_t size) {
  return {std::move(name), size, {{lower, upper}}, 1, std::nullopt};
}

void ExpectValid(const Problem& problem, const Plan& plan) {
  Problem open = problem;
  open.capacity = kUnlimited;  // a plan above the capacity is still free of conflicts
  for (const Violation& violation : FindViolations(open, plan)) ADD_FAILURE() << violation.text;
}

/// The least height over all orders, each block at the lowest place that its predecessors leave:
/// for problems without must-share pairs this is exact, and it knows nothing of sections or floors.
int64_t BruteForceHeight(const Problem& problem) {
  const auto count = static_cast<int32_t>(problem.buffers.size());
  std::vector<int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  auto together = [&](int32_t a, int32_t b) {
    for (const Pair& pair : problem.must_not_share) {
      if ((pair.first == a && pair.second == b) || (pair.first == b && pair.second == a))
        return true;
    }
    for (const Interval& x : problem.buffers[a].live) {
      for (const Interval& y : problem.buffers[b].live) {
        if (x.lower < y.upper && y.lower < x.upper) return true;
      }
    }
    return false;
  };
  int64_t best = kUnlimited;
  do {
    std::vector<int64_t> offset(count, -1);
    for (int32_t i = 0; i < count; ++i) offset[i] = problem.buffers[i].offset.value_or(-1);
    int64_t height = 0;
    for (int32_t i : order) {
      if (offset[i] < 0) {
        for (int64_t at = 0;; at += problem.buffers[i].alignment) {
          bool free = true;
          for (int32_t j = 0; j < count && free; ++j) {
            free = j == i || offset[j] < 0 || !together(i, j) || problem.buffers[j].size == 0 ||
                   problem.buffers[i].size == 0 || offset[j] + problem.buffers[j].size <= at ||
                   at + problem.buffers[i].size <= offset[j];
          }
          if (free) {
            offset[i] = at;
            break;
          }
        }
      }
      if (problem.buffers[i].size > 0)
        height = std::max(height, offset[i] + problem.buffers[i].size);
    }
    best = std::min(best, height);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

Problem RandomProblem(std::mt19937* random, int32_t count, bool rich) {
  auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(*random);
  };
  Problem problem;
  for (int32_t i = 0; i < count; ++i) {
    const int64_t lower = draw(0, 8);
    Buffer buffer = Make("b" + std::to_string(i), lower, lower + draw(1, 5), draw(0, 12));
    if (rich && draw(0, 3) == 0) buffer.live.push_back({lower + draw(6, 8), lower + draw(9, 12)});
    if (rich && draw(0, 2) == 0) buffer.alignment = int64_t{1} << draw(0, 3);
    problem.buffers.push_back(std::move(buffer));
  }
  if (rich && count >= 3 && draw(0, 1) == 0) problem.must_not_share.push_back({0, 2});
  if (rich && count >= 2 && draw(0, 3) == 0) {
    problem.buffers[1].offset = draw(0, 3) * problem.buffers[1].alignment;
  }
  return problem;
}

std::vector<SearchSwitches> AllSwitches() {
  std::vector<SearchSwitches> all;
  for (int bits = 0; bits < 256; ++bits) {
    all.push_back({(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0,
                   (bits & 16) != 0, (bits & 32) != 0, (bits & 64) != 0, (bits & 128) != 0});
  }
  return all;
}

TEST(SolverTest, PlansNothing) {
  auto solution = Solve({});
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution->verdict, Verdict::kFits);
  EXPECT_EQ(solution->plan.height, 0);
  EXPECT_TRUE(solution->plan.offsets.empty());
}

TEST(SolverTest, PutsABufferWithoutBytesAnywhereFree) {
  Problem problem{{Make("none", 0, 9, 0), Make("some", 0, 9, 7)}, {}, {}, 7};
  auto solution = Solve(problem);
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution->verdict, Verdict::kFits);
  EXPECT_EQ(solution->plan.height, 7);
  ExpectValid(problem, solution->plan);
}

TEST(SolverTest, ReusesBytesOfBuffersThatDoNotMeet) {
  Problem problem{{Make("a", 0, 5, 100), Make("b", 5, 9, 80), Make("c", 9, 10, 60)}, {}, {}};
  auto solution = Solve(problem);
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution->plan.height, 100);
  EXPECT_TRUE(solution->Optimal());
}

TEST(SolverTest, FindsTheLeastHeightOfSmallProblemsWithEverySwitchCombination) {
  std::mt19937 random(20261);
  for (int round = 0; round < 150; ++round) {
    const Problem problem = RandomProblem(&random, 1 + round % 6, round % 2 == 1);
    if (!CheckProblem(problem).ok()) continue;
    const int64_t expected = BruteForceHeight(problem);
    for (const SearchSwitches& switches : AllSwitches()) {
      SolveOptions options;
      options.exact = true;
      options.effort =
          round % 3 == 0 ? 0 : options.effort;  // the proof alone, and after the search
      options.switches = switches;
      auto solution = Solve(problem, options);
      ASSERT_TRUE(solution.ok()) << solution.error().ToString();
      ASSERT_EQ(solution->plan.height, expected) << "round " << round;
      EXPECT_TRUE(solution->Optimal());
      ExpectValid(problem, solution->plan);
    }
  }
}

TEST(SolverTest, ProvesThatOneByteLessIsImpossibleWithEverySwitchCombination) {
  std::mt19937 random(20262);
  for (int round = 0; round < 60; ++round) {
    Problem problem = RandomProblem(&random, 2 + round % 5, round % 2 == 1);
    if (!CheckProblem(problem).ok()) continue;
    const int64_t least = BruteForceHeight(problem);
    if (least == 0) continue;
    SolveOptions options;
    options.exact = true;
    for (const SearchSwitches& switches : AllSwitches()) {
      options.switches = switches;
      problem.capacity = least;
      auto fits = Solve(problem, options);
      ASSERT_TRUE(fits.ok());
      EXPECT_EQ(fits->verdict, Verdict::kFits);
      problem.capacity = least - 1;
      auto fails = Solve(problem, options);
      if (!fails.ok()) continue;  // a pin above the capacity
      EXPECT_EQ(fails->verdict, Verdict::kImpossible);
    }
  }
}

/// A full square cut into pieces, each a little lower then: it fits, but hardly in another way.
Problem CutSquare(uint32_t seed, size_t pieces) {
  struct Piece {
    int64_t sides[4];  // begin and end in time, begin and end in bytes
  };
  std::mt19937 random(seed);
  Problem problem;
  problem.capacity = 100000;
  std::vector<Piece> all{{{0, problem.capacity, 0, problem.capacity}}};
  const auto area = [](const Piece& p) {
    return (p.sides[1] - p.sides[0]) * (p.sides[3] - p.sides[2]);
  };
  while (all.size() < pieces) {
    size_t largest = 0;
    for (size_t i = 1; i < all.size(); ++i) {
      if (area(all[i]) > area(all[largest])) largest = i;
    }
    const int axis = random() % 2 != 0 ? 0 : 2;
    Piece rest = all[largest];
    const int64_t low = rest.sides[axis];
    const auto percent = static_cast<int64_t>(20 + random() % 61);
    const int64_t at = low + (rest.sides[axis + 1] - low) * percent / 100;
    all[largest].sides[axis + 1] = rest.sides[axis] = at;
    all.push_back(rest);
  }
  for (const Piece& p : all) {
    const int64_t size = p.sides[3] - p.sides[2];
    const auto loss = static_cast<int64_t>(random() % 300);
    problem.buffers.push_back(Make("", p.sides[0], p.sides[1], size - size * loss / 10000));
  }
  return problem;
}

TEST(SolverTest, FullSectionsFirstAndJumpsToTheCulpritsFindATightPlanWithFarFewerNodes) {
  const Problem problem = CutSquare(2, 160);
  const auto nodes = [&](bool force, bool jumps) {
    SolveOptions options;
    options.exact = true;
    options.effort = 0;
    options.switches.force = force;
    options.switches.jumps = jumps;
    auto solution = Solve(problem, options);
    EXPECT_EQ(solution->verdict, Verdict::kFits);
    ExpectValid(problem, solution->plan);
    return solution->nodes;
  };
  const int64_t plain = nodes(false, false);
  EXPECT_LT(3 * nodes(true, false), plain);
  EXPECT_LT(3 * nodes(false, true), plain);
  EXPECT_LT(3 * nodes(true, true), plain);
}

TEST(SolverTest, GivesValidPlansForManyRandomProblemsOfAllKinds) {
  std::mt19937 random(20263);
  for (int round = 0; round < 60; ++round) {
    Problem problem = RandomProblem(&random, 5 + round * 2, true);
    for (int32_t i = 4; i + 1 < static_cast<int32_t>(problem.buffers.size()); i += 7) {
      problem.must_share.push_back({i, i + 1});
    }
    SolveOptions options;
    options.effort = 400'000;
    auto solution = Solve(problem, options);
    if (!solution.ok()) continue;  // a random pin may contradict
    ExpectValid(problem, solution->plan);
    EXPECT_GE(solution->plan.height, MaxLiveBytes(problem));
  }
}

TEST(SolverTest, GivesTheSamePlanTwice) {
  std::mt19937 random(20264);
  const Problem problem = RandomProblem(&random, 80, false);
  auto first = Solve(problem);
  auto second = Solve(problem);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->plan.offsets, second->plan.offsets);
  EXPECT_EQ(first->nodes, second->nodes);
}

TEST(SolverTest, KeepsAlignmentWhereAPaddingIsNeeded) {
  Problem problem{{Make("odd", 0, 2, 100), Make("aligned", 0, 2, 100)}, {}, {}};
  problem.buffers[1].alignment = 512;
  auto solution = Solve(problem);
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution->plan.height, 200);  // the aligned one goes below
  problem.buffers[0].alignment = 512;
  solution = Solve(problem);
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution->plan.height, 612);
  ExpectValid(problem, solution->plan);
}

// Two buffers pinned at one address: allowed exactly if they are never alive together.
TEST(SolverTest, AcceptsTwoPinsAtOneAddressWithDisjointLives) {
  Problem problem{{Make("a", 0, 4, 64), Make("b", 4, 8, 64), Make("c", 0, 8, 32)}, {}, {}};
  problem.buffers[0].offset = problem.buffers[1].offset = 0x20000;
  auto solution = Solve(problem);
  ASSERT_TRUE(solution.ok()) << solution.error().ToString();
  EXPECT_EQ(solution->plan.offsets, (std::vector<int64_t>{0x20000, 0x20000, 0}));
  ExpectValid(problem, solution->plan);
}

TEST(SolverTest, RefusesTwoPinsAtOneAddressWithLivesThatMeet) {
  Problem problem{{Make("a", 0, 5, 64), Make("b", 4, 8, 64)}, {}, {}};
  problem.buffers[0].offset = problem.buffers[1].offset = 0x20000;
  auto solution = Solve(problem);
  ASSERT_FALSE(solution.ok());
  EXPECT_EQ(solution.error().message,
            "[Buffer 0 \"a\"] is fixed at bytes [131072, 131136) and [Buffer 1 \"b\"] at bytes "
            "[131072, 131136), and they live together: steps [0, 5) and steps [4, 8).");
}

TEST(SolverTest, PlansAroundAPinInTheMiddle) {
  Problem problem{{Make("pin", 0, 9, 10), Make("low", 0, 9, 20), Make("high", 0, 9, 21)}, {}, {}};
  problem.buffers[0].offset = 20;
  auto solution = Solve(problem);
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution->plan.offsets, (std::vector<int64_t>{20, 0, 30}));
}

TEST(SolverTest, GivesBuffersThatMustShareOneOffsetAndTheLargestSize) {
  Problem problem{{Make("in", 0, 4, 100), Make("out", 3, 9, 120), Make("other", 5, 6, 50)}, {}, {}};
  problem.must_share.push_back({0, 1});
  auto solution = Solve(problem);
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution->plan.offsets[0], solution->plan.offsets[1]);
  EXPECT_EQ(solution->plan.height, 170);
  ExpectValid(problem, solution->plan);
}

TEST(SolverTest, KeepsTheHalvesOfAPingPongPairApart) {
  Problem problem{{Make("ping", 0, 2, 64), Make("pong", 2, 4, 64)}, {}, {}};
  auto together = Solve(problem);
  ASSERT_TRUE(together.ok());
  EXPECT_EQ(together->plan.height, 64);
  problem.must_not_share.push_back({0, 1});
  auto apart = Solve(problem);
  ASSERT_TRUE(apart.ok());
  EXPECT_EQ(apart->plan.height, 128);
  ExpectValid(problem, apart->plan);
}

TEST(SolverTest, UsesTheHoleInALifetime) {
  Problem problem{{Make("twice", 0, 2, 64), Make("between", 2, 4, 64)}, {}, {}};
  problem.buffers[0].live.push_back({4, 6});
  auto solution = Solve(problem);
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution->plan.height, 64);
}

TEST(SolverTest, RefusesWhatIsMalformedAndNamesIt) {
  auto message = [](const Problem& problem) {
    auto solution = Solve(problem);
    return solution.ok() ? std::string("planned") : solution.error().message;
  };
  Problem problem{{Make("a", 0, 4, 8), Make("b", 0, 4, 8)}, {}, {}};
  EXPECT_EQ(message(problem), "planned");
  Problem bad = problem;
  bad.buffers[1].size = -1;
  EXPECT_EQ(message(bad), "Size (-1 bytes) of [Buffer 1 \"b\"] is negative.");
  bad = problem;
  bad.buffers[1].live = {{4, 4}};
  EXPECT_EQ(message(bad), "Lifetime [4, 4) of [Buffer 1 \"b\"] is empty.");
  bad = problem;
  bad.buffers[1].live.clear();
  EXPECT_EQ(message(bad), "[Buffer 1 \"b\"] has no lifetime.");
  bad = problem;
  bad.buffers[0].alignment = 0;
  EXPECT_EQ(message(bad),
            "Alignment (0) of [Buffer 0 \"a\"] is not between 1 and 2305843009213693952.");
  bad = problem;
  bad.buffers[0].alignment = 64;
  bad.buffers[0].offset = 32;
  EXPECT_EQ(message(bad),
            "Fixed offset (32) of [Buffer 0 \"a\"] is not a multiple of its alignment (64).");
  bad = problem;
  bad.must_share.push_back({0, 2});
  EXPECT_EQ(message(bad), "A must-share pair names buffer 2, but there are 2 buffers.");
  bad = problem;
  bad.must_share.push_back({0, 1});
  bad.must_not_share.push_back({1, 0});
  EXPECT_EQ(message(bad), "[Buffer 1 \"b\"] and [Buffer 0 \"a\"] must share and must not share.");
  bad = problem;
  bad.buffers[0].offset = 0;
  bad.buffers[1].offset = 8;
  bad.must_share.push_back({0, 1});
  EXPECT_EQ(message(bad),
            "[Buffer 0 \"a\"] is fixed at offset 0 and [Buffer 1 \"b\"] at offset 8, "
            "but they must share.");
  bad = problem;
  bad.capacity = 20;
  bad.buffers[0].offset = 16;
  EXPECT_EQ(message(bad),
            "[Buffer 0 \"a\"] is fixed at offset 16 and ends at 24, past the capacity (20 bytes).");
}

TEST(SolverTest, RefusesSizesThatOverflow64Bits) {
  Problem problem{{Make("a", 0, 4, int64_t{1} << 61), Make("b", 0, 4, int64_t{1} << 62),
                   Make("c", 0, 4, std::numeric_limits<int64_t>::max())},
                  {},
                  {}};
  auto solution = Solve(problem);
  ASSERT_FALSE(solution.ok());
  EXPECT_EQ(solution.error().message,
            "Sizes and alignments of the buffers up to [Buffer 0 \"a\"] add up to more than "
            "2305843009213693952 bytes.");
}

TEST(SolverTest, PlansSizesNearTheLimitOf64Bits) {
  Problem problem{{Make("a", 0, 4, (int64_t{1} << 60) - 8), Make("b", 0, 4, (int64_t{1} << 59) - 3),
                   Make("c", 3, 9, (int64_t{1} << 58) - 1)},
                  {},
                  {}};
  SolveOptions options;
  options.exact = true;
  auto solution = Solve(problem, options);
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution->plan.height, MaxLiveBytes(problem));
  ExpectValid(problem, solution->plan);
}

TEST(SolverTest, PlansThousandsOfBuffersAtOnce) {
  std::mt19937 random(20265);
  Problem problem;
  for (int32_t i = 0; i < 6000; ++i) {
    const auto lower = static_cast<int64_t>(random() % 4000);
    problem.buffers.push_back(Make("", lower, lower + 1 + static_cast<int64_t>(random() % 60),
                                   32 * (1 + static_cast<int64_t>(random() % 2000))));
  }
  auto solution = Solve(problem);
  ASSERT_TRUE(solution.ok());
  ExpectValid(problem, solution->plan);
  EXPECT_LT(solution->plan.height, MaxLiveBytes(problem) * 3 / 2);
}

/// `count` buffers, one begins at each step; every tenth lives up to `longest` steps, others up
/// to 6.
Problem ChainProblem(uint32_t seed, int32_t count, int64_t longest) {
  std::mt19937 random(seed);
  Problem problem;
  for (int32_t i = 0; i < count; ++i) {
    const auto size = 512 * (1 + static_cast<int64_t>(random() % 2000));
    const int64_t steps = 1 + static_cast<int64_t>(random()) % (i % 10 == 0 ? longest : 6);
    problem.buffers.push_back(Make("", i, i + steps, size));
  }
  return problem;
}

TEST(SolverTest, PlansAChainWhoseLinksMeetOnlyTheirNeighboursAtTheBoundWithoutASearch) {
  for (uint32_t seed = 1; seed <= 10; ++seed) {
    Problem problem = ChainProblem(seed, 1000, 6);
    for (Buffer& buffer : problem.buffers) buffer.live[0].upper = buffer.live[0].lower + 2;
    auto solution = Solve(problem);
    ASSERT_TRUE(solution.ok());
    ExpectValid(problem, solution->plan);
    EXPECT_EQ(solution->plan.height, MaxLiveBytes(problem)) << "seed " << seed;
    EXPECT_EQ(solution->nodes, 0) << "seed " << seed;
  }
}

TEST(SolverTest, KeepsLinksOfAChainAlignedAndApart) {
  Problem problem = ChainProblem(3, 40, 6);
  for (Buffer& buffer : problem.buffers) {
    buffer.live[0].upper = buffer.live[0].lower + 2;
    buffer.size -= 100;
    buffer.alignment = 512;
  }
  problem.must_not_share = {{0, 2}, {2, 4}};  // on one track, and now not together on the ground
  auto solution = Solve(problem);
  ASSERT_TRUE(solution.ok());
  ExpectValid(problem, solution->plan);
}

TEST(SolverTest, PlansAThousandBuffersAtTheBoundBySearchingOnlyForTheCrowdedOnes) {
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    const Problem problem = ChainProblem(seed, 1000, 100);
    auto solution = Solve(problem);
    ASSERT_TRUE(solution.ok());
    ExpectValid(problem, solution->plan);
    EXPECT_EQ(solution->plan.height, MaxLiveBytes(problem)) << "seed " << seed;
  }
}

TEST(SolverTest, SearchesForTheCrowdedBuffersAroundPinnedOnesAndThoseThatMustStayApart) {
  int at_bound = 0;
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    Problem problem = ChainProblem(seed, 300, 60);
    for (int32_t i = 0; i + 10 < 300; i += 30) problem.must_not_share.push_back({i, i + 10});
    problem.buffers[150].offset = 512 * 700;
    auto solution = Solve(problem);
    ASSERT_TRUE(solution.ok());
    ExpectValid(problem, solution->plan);
    at_bound += solution->Optimal() ? 1 : 0;
  }
  EXPECT_GE(at_bound, 6);  // a pin in the middle of a crowd may cost bytes
}

TEST(SolverTest, SaysThatItGaveUpWhenTheTimeIsShort) {
  std::mt19937 random(20266);
  Problem problem = RandomProblem(&random, 120, false);
  problem.capacity = MaxLiveBytes(problem);
  SolveOptions options;
  options.exact = true;
  options.time_limit_seconds = 0;
  auto solution = Solve(problem, options);
  ASSERT_TRUE(solution.ok());
  EXPECT_NE(solution->verdict, Verdict::kImpossible);
  ExpectValid(problem, solution->plan);
}

}  // namespace
}  // namespace hostnpu::planner

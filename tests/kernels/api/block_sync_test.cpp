// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Cores that wait for each other, with one, two and eight workers and several orders of execution.
#include <gmock/gmock.h>

#include <chrono>

#include "tensors.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

struct Way {
  uint32_t workers;
  uint64_t seed;
};
class BlockSyncTest : public ::testing::TestWithParam<Way> {
 protected:
  static LaunchOptions On(uint64_t blocks, uint32_t aic = 0, uint32_t aiv = 1) {
    LaunchOptions options;
    options.blocks = blocks;
    options.aic = aic;
    options.aiv = aiv;
    options.workers = GetParam().workers;
    options.seed = GetParam().seed;
    return options;
  }
};

struct Tally {
  GM_ADDR seen = nullptr;
  int32_t visits = 40;
};
__BLOCK_LOCAL__ __inline__ Tally tally;
__BLOCK_LOCAL__ static __inline__ float share;

TEST_P(BlockSyncTest, ABlockLocalVariableIsTheCoresOwnAndBeginsAnewInEachLaunch) {
  for (uint64_t blocks : {40u, 7u}) {
    Gm<int32_t> seen(blocks * 4);
    const auto kernel = [](GM_ADDR out) {
      auto* mine = (__gm__ int32_t*)out + GetBlockIdx() * 4;
      mine[0] = tally.visits;
      mine[1] = static_cast<int32_t>(share);
      for (int32_t round = 0; round < 3; ++round) {
        tally.seen = (GM_ADDR)mine;
        tally.visits += static_cast<int32_t>(GetBlockIdx());
        share += 0.5f * static_cast<float>(GetBlockIdx());
        SyncAll();
        CORE_CHECK(tally.seen == (GM_ADDR)mine);
      }
      mine[2] = tally.visits;
      mine[3] = static_cast<int32_t>(2 * share);
    };
    const LaunchResult result = Launch(On(blocks), kernel, seen);
    ASSERT_TRUE(result.ok) << result.report;
    for (int32_t b = 0; b < static_cast<int32_t>(blocks); ++b) {
      const std::vector<int32_t> expected = {40, 0, 40 + 3 * b, 3 * b};
      ASSERT_EQ(std::vector<int32_t>(&seen[b * 4], &seen[b * 4] + 4), expected) << b;
    }
  }
}

TEST_P(BlockSyncTest, IdentityIsThatOfTheCoreInEachKindOfKernel) {
  Gm<int32_t> seen(24 * 3 * 6);
  const auto kernel = [](GM_ADDR out) {
    GlobalTensor<int32_t> seen;
    seen.SetGlobalBuffer((__gm__ int32_t*)out);
    // The cube core of a block writes at 2 * blocks + block, vector cores at their index.
    int64_t row = GetBlockIdx();
    if ASCEND_IS_AIC {
      row = 2 * GetBlockNum() + GetBlockIdx();
    }
    const int64_t values[] = {GetBlockIdx(),    GetBlockNum(),   GetSubBlockIdx(),
                              GetSubBlockNum(), GetTaskRation(), g_coreType};
    for (int i = 0; i < 6; ++i) seen.SetValue(row * 6 + i, static_cast<int32_t>(values[i]));
  };
  ASSERT_TRUE(Launch(On(24, 1, 2), kernel, seen).ok);
  for (int32_t v = 0; v < 48; ++v) {
    const std::vector<int32_t> expected = {v, 24, v % 2, 2, 2, AIV};
    EXPECT_EQ(std::vector<int32_t>(&seen[v * 6], &seen[v * 6] + 6), expected);
  }
  for (int32_t c = 0; c < 24; ++c) {
    const std::vector<int32_t> expected = {c, 24, 0, 1, 1, AIC};
    EXPECT_EQ(std::vector<int32_t>(&seen[(48 + c) * 6], &seen[(48 + c) * 6] + 6), expected);
  }
  ASSERT_TRUE(Launch(On(24), kernel, seen).ok);
  const std::vector<int32_t> expected = {5, 24, 0, 1, 1, AIV};
  EXPECT_EQ(std::vector<int32_t>(&seen[30], &seen[30] + 6), expected);
}

TEST_P(BlockSyncTest, AfterSyncAllEveryCoreSeesWhatEveryCoreWrote) {
  constexpr uint32_t kBlocks = 48;
  Gm<int32_t> cells(kBlocks * 8), wrong(std::vector<int32_t>(kBlocks, 0)), counters(kBlocks * 8);
  for (bool soft : {false, true}) {
    for (uint32_t i = 0; i < counters.size(); ++i) counters[i] = 0x5A5A5A5A;  // not cleared
    const LaunchResult result = Launch(
        On(kBlocks),
        [](GM_ADDR cells_address, GM_ADDR wrong_address, GM_ADDR counters_address, bool is_soft) {
          GlobalTensor<int32_t> cells, wrong, counters;
          cells.SetGlobalBuffer((__gm__ int32_t*)cells_address);
          wrong.SetGlobalBuffer((__gm__ int32_t*)wrong_address);
          counters.SetGlobalBuffer((__gm__ int32_t*)counters_address);
          LocalTensor<int32_t> ub(TPosition::VECCALC, 0, kBlocks * 8);
          for (int32_t round = 1; round <= 5; ++round) {
            cells.SetValue(GetBlockIdx() * 8, round);
            is_soft ? SyncAll(counters, ub) : SyncAll();
            for (uint32_t i = 0; i < kBlocks; ++i) {
              if (cells.GetValue(i * 8) != round) {
                wrong.SetValue(GetBlockIdx(), wrong.GetValue(GetBlockIdx()) + 1);
              }
            }
            is_soft ? SyncAll(counters, ub) : SyncAll();
          }
        },
        cells, wrong, counters, soft);
    ASSERT_TRUE(result.ok) << result.report;
    for (uint32_t i = 0; i < kBlocks; ++i) EXPECT_EQ(wrong[i], 0) << i;
    if (soft) EXPECT_EQ(counters[8], 0x5A5A5A5A + 10);
  }
}

TEST_P(BlockSyncTest, TheSoftSyncAllNeedsItsCountersInGm) {
  Gm<int32_t> small(8);
  const LaunchResult result = Launch(
      On(2),
      [](GM_ADDR counters_address) {
        GlobalTensor<int32_t> counters;
        counters.SetGlobalBuffer((__gm__ int32_t*)counters_address);
        LocalTensor<int32_t> ub(TPosition::VECCALC, 0, 16);
        SyncAll(counters, ub);
      },
      small);
  EXPECT_EQ(result.kind, HOSTNPU_FAULT_GM_BOUNDS) << result.report;
}

TEST_P(BlockSyncTest, TheSoftSyncAllOfSomeCoresIsForThoseOnly) {
  Gm<int32_t> counters(std::vector<int32_t>(4 * 8)), seen(std::vector<int32_t>(4 * 8));
  const auto kernel = [](GM_ADDR counters, GM_ADDR seen, int32_t callers, int32_t used) {
    if (GetBlockIdx() >= callers) return;
    In<int32_t>(seen).SetValue(GetBlockIdx() * 8, 1);
    SyncAll(In<int32_t>(counters), Ub<int32_t>(0, 32), used);
    for (int32_t i = 0; i < used; ++i) CORE_CHECK(In<int32_t>(seen).GetValue(i * 8) == 1);
  };
  const LaunchResult innocent = Launch(On(4), kernel, counters, seen, 2, 2);
  EXPECT_TRUE(innocent.ok) << innocent.report;
  EXPECT_EQ(Launch(On(4), kernel, counters, seen, 3, 2).message,
            "SyncAll has usedCores = 2, and core 2 comes to it; the cores below that number meet");
  EXPECT_EQ(Launch(On(4), kernel, counters, seen, 1, -1).message,
            "SyncAll has usedCores = -1, and core 0 comes to it; the cores below that number meet");
}

TEST_P(BlockSyncTest, AFlagInGmOrdersTwoBlocks) {
  constexpr uint32_t kBlocks = 8;
  Gm<int32_t> sync(std::vector<int32_t>(kBlocks * 8 * 2 + kBlocks * 8 + 8, 0));
  Gm<int32_t> out(std::vector<int32_t>(1, 0));
  const LaunchResult result = Launch(
      On(kBlocks),
      [](GM_ADDR sync_address, GM_ADDR out_address) {
        GlobalTensor<int32_t> sync, out;
        sync.SetGlobalBuffer((__gm__ int32_t*)sync_address);
        out.SetGlobalBuffer((__gm__ int32_t*)out_address);
        LocalTensor<int32_t> ub(TPosition::VECCALC, 0, 8);
        for (int round = 0; round < 3; ++round) {
          const int32_t me = static_cast<int32_t>(GetBlockIdx());
          if (me != 0 || round != 0) IBWait(sync, ub, (me + kBlocks - 1) % kBlocks, 1);
          // A chain: each block continues the number of the one before it.
          out.SetValue(0, out.GetValue(0) * 3 % 1000003 + me + round);
          if (me != kBlocks - 1 || round != 2) IBSet(sync, ub, me, 1);
        }
      },
      sync, out);
  ASSERT_TRUE(result.ok) << result.report;
  int32_t expected = 0;
  for (int round = 0; round < 3; ++round) {
    for (int me = 0; me < 8; ++me) expected = expected * 3 % 1000003 + me + round;
  }
  EXPECT_EQ(out[0], expected);
}

TEST_P(BlockSyncTest, BlocksTakeTurnsInTheirOrderInEveryRound) {
  constexpr uint32_t kBlocks = 12;
  Gm<int32_t> workspace(kBlocks * 8), out(std::vector<int32_t>(1, 0));
  const LaunchResult result = Launch(
      On(kBlocks),
      [](GM_ADDR workspace_address, GM_ADDR out_address) {
        GlobalTensor<int32_t> workspace, out;
        workspace.SetGlobalBuffer((__gm__ int32_t*)workspace_address);
        out.SetGlobalBuffer((__gm__ int32_t*)out_address);
        LocalTensor<int32_t> ub(TPosition::VECCALC, 0, kBlocks * 8 + 8);
        InitDetermineComputeWorkspace(workspace, ub);
        for (int round = 0; round < 4; ++round) {
          WaitPreBlock(workspace, ub);
          out.SetValue(0, out.GetValue(0) * 5 % 1000003 + static_cast<int32_t>(GetBlockIdx()));
          NotifyNextBlock(workspace, ub);
        }
      },
      workspace, out);
  ASSERT_TRUE(result.ok) << result.report;
  int32_t expected = 0;
  for (int round = 0; round < 4; ++round) {
    for (int me = 0; me < 12; ++me) expected = expected * 5 % 1000003 + me;
  }
  EXPECT_EQ(out[0], expected);
}

TEST_P(BlockSyncTest, CoresOfABlockHandOverByFlagsOfEachMode) {
  Gm<int32_t> out(std::vector<int32_t>(24 * 4, 0));
  const LaunchResult result = Launch(
      On(24, 1, 2),
      [](GM_ADDR out_address) {
        GlobalTensor<int32_t> out;
        out.SetGlobalBuffer((__gm__ int32_t*)out_address);
        for (int32_t round = 0; round < 20; ++round) {
          if ASCEND_IS_AIC {
            out.SetValue(GetBlockIdx() * 4, round + 1);
            CrossCoreSetFlag<2, PIPE_FIX>(1);
            CrossCoreWaitFlag(2);
          } else {
            const int64_t block = GetBlockIdx() / 2;
            CrossCoreWaitFlag<2, PIPE_V>(1);
            if (out.GetValue(block * 4) != round + 1) out.SetValue(block * 4 + 3, 1);
            out.SetValue(block * 4 + 1 + GetSubBlockIdx(), round);
            CrossCoreSetFlag<1, PIPE_MTE3>(5);
            CrossCoreWaitFlag<1>(5);
            if (out.GetValue(block * 4 + 2 - GetSubBlockIdx()) != round) {
              out.SetValue(block * 4 + 3, 2);
            }
            CrossCoreSetFlag<1, PIPE_MTE3>(6);
            CrossCoreWaitFlag<1>(6);
            NotifyEvent<PIPE_MTE3>(2);
          }
        }
        SyncAll<false>();
      },
      out);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t block = 0; block < 24; ++block) EXPECT_EQ(out[block * 4 + 3], 0) << block;
}

/// As the vendor's library packs it.
constexpr uint64_t Message(uint64_t mode, uint64_t flag) { return 1 | mode << 4 | flag << 8; }

TEST_P(BlockSyncTest, TheInstructionsThemselvesHandOverToo) {
  Gm<int32_t> out(std::vector<int32_t>(8 * 4, 0));
  const auto kernel = [](GM_ADDR out_address, uint32_t last_flag) {
    GlobalTensor<int32_t> out;
    out.SetGlobalBuffer((__gm__ int32_t*)out_address);
    for (int32_t round = 1; round <= 10; ++round) {
      if ASCEND_IS_AIC {
        out.SetValue(GetBlockIdx() * 4, round);
        ffts_cross_core_sync(PIPE_FIX, Message(2, 7));
        WaitEvent(last_flag);
        for (uint32_t lane = 1; lane <= 2; ++lane) {
          if (out.GetValue(GetBlockIdx() * 4 + lane) != round) {
            out.SetValue(GetBlockIdx() * 4 + 3, 3);
          }
        }
      } else {
        const int64_t block = GetBlockIdx() / 2, lane = GetSubBlockIdx();
        wait_flag_dev(7);
        if (out.GetValue(block * 4) != round) out.SetValue(block * 4 + 3, 1);
        out.SetValue(block * 4 + 1 + lane, round);
        ffts_cross_core_sync(PIPE_MTE3, Message(1, 5));
        wait_flag_dev(PIPE_V, 5);
        if (out.GetValue(block * 4 + 2 - lane) != round) out.SetValue(block * 4 + 3, 2);
        ffts_cross_core_sync(PIPE_MTE3, Message(0, 9));  // of all vector cores
        wait_flag_dev(9);
        NotifyEvent<PIPE_MTE3>(2);
      }
    }
  };
  const LaunchResult result = Launch(On(8, 1, 2), kernel, out, 2u);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t block = 0; block < 8; ++block) {
    EXPECT_EQ(std::vector<int32_t>(&out[block * 4], &out[block * 4] + 4),
              (std::vector<int32_t>{10, 10, 10, 0}));
  }
  const LaunchResult guilty = Launch(On(8, 1, 2), kernel, out, 3u);
  EXPECT_EQ(guilty.kind, HOSTNPU_FAULT_STALL) << guilty.report;
}

TEST_P(BlockSyncTest, TheTaskRatioCountsTheCoresOfItsKindInABlock) {
  for (auto [aic, aiv] : {std::pair{0u, 1u}, {1u, 0u}, {1u, 1u}, {1u, 2u}}) {
    Gm<int32_t> ratios(std::vector<int32_t>(12, 0));
    const LaunchResult result = Launch(
        On(3, aic, aiv),
        [](GM_ADDR out) {  // of each core: the cube cores' first
          auto* ratios = (__gm__ int32_t*)out;
          ratios[(g_coreType == AIC ? 0 : 6) + GetBlockIdx()] =
              static_cast<int32_t>(GetTaskRatio());
        },
        ratios);
    ASSERT_TRUE(result.ok) << result.report;
    for (uint32_t i = 0; i < 6; ++i) {
      EXPECT_EQ(ratios[i], i < 3 * aic ? 1 : 0) << aic << ":" << aiv << ", AIC " << i;
      EXPECT_EQ(ratios[6 + i], i < 3 * aiv ? static_cast<int32_t>(aiv) : 0)
          << aic << ":" << aiv << ", AIV " << i;
    }
  }
}

TEST_P(BlockSyncTest, ALoopThatCleansTheCacheLetsTheOtherCoreRun) {
  Gm<int32_t> flag(std::vector<int32_t>(16, 0));
  const LaunchResult result = Launch(
      On(2),
      [](GM_ADDR address) {
        GlobalTensor<int32_t> flag;
        flag.SetGlobalBuffer((__gm__ int32_t*)address);
        if (GetBlockIdx() == 0) {
          do {
            DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(
                flag);
          } while (flag.GetValue(0) == 0);
        } else {
          flag.SetValue(0, 1);
        }
      },
      flag);
  EXPECT_TRUE(result.ok) << result.report;
}

TEST_P(BlockSyncTest, AStallOfTheWholeChipIsReportedAtOnceWithThePlaceOfEachCore) {
  constexpr int kCubeLine = __LINE__ + 5;
  const auto started = std::chrono::steady_clock::now();
  const LaunchResult result = Launch(On(24, 1, 2), [] {
    if ASCEND_IS_AIC {
      CrossCoreSetFlag<2, PIPE_FIX>(1);
      CrossCoreWaitFlag(2);  // nobody sets it
      CrossCoreSetFlag<2, PIPE_FIX>(3);
    } else {
      CrossCoreWaitFlag(1);
      CrossCoreWaitFlag(3);  // the kernel's last call, in tail position
    }
  });
  const auto elapsed = std::chrono::steady_clock::now() - started;
  EXPECT_EQ(result.kind, HOSTNPU_FAULT_STALL) << result.report;
  const auto place = [](int line) { return "block_sync_test.cpp:" + std::to_string(line) + ":"; };
  EXPECT_THAT(result.report,
              ::testing::AllOf(::testing::ContainsRegex("AIC, block [0-9]+ +CrossCoreWaitFlag.2."),
                               ::testing::HasSubstr(place(kCubeLine)),
                               ::testing::HasSubstr(place(kCubeLine + 4)),
                               ::testing::HasSubstr("and 60 more cores")));
  // A hundredth of that on a machine with nothing else to do.
  EXPECT_LT(elapsed, std::chrono::seconds(20));
}

TEST(WorkspaceTest, TheUserPartFollowsTheSystemPartOnTheDeviceAndIsTheArgumentInTheTwin) {
  Gm<uint8_t> workspace(64), result_address(64);
  const auto kernel = [](GM_ADDR workspace_address, GM_ADDR out) {
    auto* words = reinterpret_cast<uint64_t*>(out);
    words[0] = reinterpret_cast<uint64_t>(GetUserWorkspace(workspace_address));
    SetSysWorkspace(workspace_address);
    words[1] = reinterpret_cast<uint64_t>(GetSysWorkSpacePtr());
    words[2] = reinterpret_cast<uint64_t>(GetUserWorkspace(workspace_address));
    SetSysWorkspaceForce(workspace_address + 1);
    words[3] = reinterpret_cast<uint64_t>(GetSysWorkSpacePtr());
    SetSysWorkspace(workspace_address);
    words[4] = reinterpret_cast<uint64_t>(GetSysWorkSpacePtr());
  };
  const uint64_t base = reinterpret_cast<uint64_t>(workspace.data());
  const auto* words = reinterpret_cast<const uint64_t*>(result_address.data());
  LaunchOptions options;
  ASSERT_TRUE(Launch(options, kernel, workspace, result_address).ok);
  EXPECT_EQ(words[0], 0u);
  EXPECT_EQ(words[1], base);
  EXPECT_EQ(words[2], base + 16 * 1024 * 1024);
  EXPECT_EQ(words[3], base + 1);
  EXPECT_EQ(words[4], base + 1);
  options.is_twin = true;
  ASSERT_TRUE(Launch(options, kernel, workspace, result_address).ok);
  EXPECT_EQ(words[2], base);
}

TEST(IdentityTest, TrapAndTimeAndVersion) {
  const LaunchResult result = Launch({}, [] {
    const int64_t before = GetSystemCycle();
    uint32_t version = 0;
    GetArchVersion(version);
    if (version == 2201 && GetSystemCycle() >= before) Trap();
  });
  EXPECT_EQ(result.kind, HOSTNPU_FAULT_ASSERT);
  EXPECT_EQ(result.message, "Trap was called by the kernel");
}

TEST_P(BlockSyncTest, AGroupWaitsForAnotherInEachRound) {
  constexpr uint32_t kArrive = 3, kWait = 5, kRounds = 4;
  Gm<int32_t> lines(std::vector<int32_t>(kWait * 128 + 128));
  Gm<int32_t> work(std::vector<int32_t>(kArrive * kRounds)), seen(kWait * kRounds);
  const auto kernel = [](GM_ADDR lines, GM_ADDR work, GM_ADDR seen) {
    GroupBarrier<PipeMode::MTE3_MODE> barrier(lines + (512 - (uintptr_t)lines % 512) % 512, kArrive,
                                              kWait);
    CORE_CHECK(barrier.GetWorkspaceLen() == kWait * 512);
    const uint32_t id = static_cast<uint32_t>(GetBlockIdx());
    for (uint32_t round = 0; round < kRounds; ++round) {
      if (id < kArrive) {
        In<int32_t>(work).SetValue(id * kRounds + round, static_cast<int32_t>(id + round + 1));
        barrier.Arrive(id);
      } else {
        barrier.Wait(id - kArrive);
        int32_t sum = 0;
        for (uint32_t i = 0; i < kArrive; ++i)
          sum += In<int32_t>(work).GetValue(i * kRounds + round);
        In<int32_t>(seen).SetValue((id - kArrive) * kRounds + round, sum);
      }
    }
  };
  const LaunchResult result = Launch(On(kArrive + kWait), kernel, lines, work, seen);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t i = 0; i < kWait * kRounds; ++i) {
    EXPECT_EQ(seen[i], static_cast<int32_t>(6 + 3 * (i % kRounds))) << i;
  }
  const LaunchResult alone = Launch(On(kArrive + kWait - 1), kernel, lines, work, seen);
  EXPECT_TRUE(alone.ok) << "who arrives does not wait: " << alone.report;
}

TEST_P(BlockSyncTest, AGroupBarrierNamesIndicesOutsideItsGroupsAndAStall) {
  Gm<int32_t> lines(std::vector<int32_t>(512));
  const auto kernel = [](GM_ADDR lines, uint32_t arrive, uint32_t wait) {
    GroupBarrier<PipeMode::MTE3_MODE> barrier(lines + (512 - (uintptr_t)lines % 512) % 512, 2, 2);
    if (GetBlockIdx() == 0) barrier.Arrive(arrive);
    if (GetBlockIdx() == 1) barrier.Wait(wait);
  };
  EXPECT_EQ(Launch(On(2), kernel, lines, 2u, 0u).message,
            "GroupBarrier::Arrive is given index 2 in a group of 2 cores");
  EXPECT_EQ(Launch(On(2), kernel, lines, 1u, 0u).kind, HOSTNPU_FAULT_STALL);
}

INSTANTIATE_TEST_SUITE_P(Ways, BlockSyncTest,
                         ::testing::Values(Way{1, 0}, Way{2, 0}, Way{8, 0}, Way{1, 3}, Way{2, 4}),
                         [](const auto& info) {
                           return "Workers" + std::to_string(info.param.workers) + "Seed" +
                                  std::to_string(info.param.seed);
                         });

}  // namespace
}  // namespace hostnpu::testing

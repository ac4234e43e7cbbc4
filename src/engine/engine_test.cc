// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "memory/device_memory.h"

namespace hostnpu::engine {
namespace {

// Enough workers for every value of the parameter, whatever the machine has.
[[maybe_unused]] const int kWorkersAreSet = setenv("HOSTNPU_THREADS", "8", /*overwrite=*/1);

struct Arguments {
  std::vector<std::atomic<int>>* cells = nullptr;
  std::atomic<int>* sum = nullptr;
  void* gm = nullptr;
};

LaunchSpec Spec(uint64_t blocks, HostnpuKernelEntry entry, Arguments* arguments,
                BlockCores cores = {0, 1}) {
  LaunchSpec spec;
  spec.kernel_name = "test_kernel";
  spec.blocks = blocks;
  spec.cores = cores;
  spec.aiv_entry = entry;
  spec.aic_entry = entry;
  spec.arguments = arguments;
  spec.chip = *arch::FindChip("Ascend910B1");
  return spec;
}

class EngineTest : public testing::TestWithParam<uint32_t> {
 protected:
  LaunchSpec Limited(LaunchSpec spec) const {
    spec.worker_limit = GetParam();
    return spec;
  }
  LaunchOutcome RunSeeded(LaunchSpec spec, uint64_t seed) const {
    spec.seed = seed;
    return Engine::Get().Run(Limited(spec));
  }
};

TEST_P(EngineTest, RunsEveryBlockOnce) {
  std::vector<std::atomic<int>> cells(1000);
  Arguments arguments{&cells};
  auto outcome = Engine::Get().Run(Limited(Spec(
      1000, [](void* p) { static_cast<Arguments*>(p)->cells->at(hostnpu_core->block_index)++; },
      &arguments)));
  EXPECT_FALSE(outcome.fault.has_value());
  for (auto& cell : cells) EXPECT_EQ(cell.load(), 1);
}

TEST_P(EngineTest, AllCoresMeetInSyncAll) {
  for (uint64_t seed : {0, 1, 2, 77}) {
    std::vector<std::atomic<int>> cells(48);
    std::atomic<int> wrong{0};
    Arguments arguments{&cells, &wrong};
    LaunchSpec spec = Limited(Spec(
        48,
        [](void* p) {
          auto* a = static_cast<Arguments*>(p);
          for (int round = 1; round <= 20; ++round) {
            a->cells->at(hostnpu_core->block_index) = round;
            hostnpu_core->abi->sync_all(hostnpu_core, 1);
            for (auto& cell : *a->cells) {
              if (cell.load() != round) (*a->sum)++;
            }
            hostnpu_core->abi->sync_all(hostnpu_core, 1);
          }
        },
        &arguments));
    spec.seed = seed;
    auto outcome = Engine::Get().Run(spec);
    EXPECT_FALSE(outcome.fault.has_value()) << outcome.fault->ToString();
    EXPECT_EQ(wrong.load(), 0);
  }
}

TEST_P(EngineTest, CubeAndVectorCoresHandOverByFlags) {
  std::atomic<int> sum{0};
  Arguments arguments{nullptr, &sum};
  auto outcome =
      Engine::Get().Run(Limited(Spec(24,
                                     [](void* p) {
                                       const HostnpuDeviceAbi& abi = *hostnpu_core->abi;
                                       for (int i = 0; i < 100; ++i) {
                                         if (hostnpu_core->core_kind == HOSTNPU_CORE_AIC) {
                                           abi.cross_core_set(hostnpu_core, 2, 3);
                                           abi.cross_core_wait(hostnpu_core, 4);
                                         } else {
                                           abi.cross_core_wait(hostnpu_core, 3);
                                           (*static_cast<Arguments*>(p)->sum)++;
                                           abi.cross_core_set(hostnpu_core, 2, 4);
                                         }
                                       }
                                     },
                                     &arguments, {1, 2})));
  EXPECT_FALSE(outcome.fault.has_value()) << outcome.fault->ToString();
  EXPECT_EQ(sum.load(), 24 * 2 * 100);
}

TEST_P(EngineTest, AWaitThatNobodyEndsIsAStallThatNamesEachCore) {
  Arguments arguments;
  auto outcome =
      Engine::Get().Run(Limited(Spec(4,
                                     [](void*) {
                                       if (hostnpu_core->core_kind == HOSTNPU_CORE_AIC) return;
                                       hostnpu_core->abi->cross_core_wait(hostnpu_core, 5);
                                     },
                                     &arguments, {1, 2})));
  ASSERT_TRUE(outcome.fault.has_value());
  EXPECT_EQ(outcome.fault->kind, HOSTNPU_FAULT_STALL);
  EXPECT_EQ(outcome.fault->waits.size(), 8u);
  EXPECT_EQ(outcome.fault->waits.front().what, "CrossCoreWaitFlag(5)");
}

TEST_P(EngineTest, SyncAllOverMoreBlocksThanCoresIsRefusedWithTheNumbers) {
  Arguments arguments;
  auto outcome = Engine::Get().Run(
      Limited(Spec(49, [](void*) { hostnpu_core->abi->sync_all(hostnpu_core, 1); }, &arguments)));
  ASSERT_TRUE(outcome.fault.has_value());
  EXPECT_NE(outcome.fault->message.find("its 49 blocks need 49 AIV and Ascend910B1 has 48"),
            std::string::npos)
      << outcome.fault->message;
}

TEST_P(EngineTest, AFlagOfAllCoresIsRefusedOverMoreBlocksThanCoresAndOneOfABlockIsNot) {
  const auto run = [&](HostnpuKernelEntry entry, uint64_t blocks) {
    Arguments arguments;
    return Engine::Get().Run(Limited(Spec(blocks, entry, &arguments, {1, 1})));
  };
  const HostnpuKernelEntry all = [](void*) {
    hostnpu_core->abi->cross_core_set(hostnpu_core, 0, 1);
    hostnpu_core->abi->cross_core_wait(hostnpu_core, 1);
  };
  const HostnpuKernelEntry own = [](void*) {
    hostnpu_core->abi->cross_core_set(hostnpu_core, 2, 1);
    hostnpu_core->abi->cross_core_wait(hostnpu_core, 1);
  };
  EXPECT_FALSE(run(all, 24).fault.has_value());
  EXPECT_FALSE(run(own, 25).fault.has_value());
  const auto outcome = run(all, 25);
  ASSERT_TRUE(outcome.fault.has_value());
  EXPECT_NE(outcome.fault->message.find("its 25 blocks need 25 AIC and Ascend910B1 has 24"),
            std::string::npos)
      << outcome.fault->message;
}

// Kernels of 49 blocks on 48 vector cores, each of which writes its index to GM.
struct Meeting {
  int64_t* cells;
  bool meets;  // in SyncAll, once it has written
  bool waits;  // block 0 waits for block 1
};
LaunchOutcome RunMeeting(LaunchSpec spec, Meeting* arguments) {
  spec.blocks = 49;
  spec.arguments = arguments;
  spec.aiv_entry = [](void* p) {
    const auto& now = *static_cast<Meeting*>(p);
    const int64_t index = hostnpu_core->block_index;
    for (int64_t* cell : {now.cells + index, now.cells + 64 + index % 2}) {
      hostnpu_core->abi->gm_check(hostnpu_core, "DataCopy", cell, 8, HOSTNPU_GM_WRITE);
      __atomic_store_n(cell, index + 1, __ATOMIC_RELAXED);  // the second is of many blocks
    }
    if (now.waits && index == 0) {
      hostnpu_core->abi->wait_until(
          hostnpu_core, "IBWait",
          [](void* cells) {
            return __atomic_load_n(static_cast<int64_t*>(cells) + 1, __ATOMIC_RELAXED) == 2 ? 1 : 0;
          },
          now.cells);
    }
    if (now.meets) hostnpu_core->abi->sync_all(hostnpu_core, 1);
  };
  return Engine::Get().Run(spec);
}

TEST_P(EngineTest, ALaunchOfTooManyBlocksToMeetWritesNothing) {
  auto& memory = memory::DeviceMemory::Get();
  auto* cells = static_cast<int64_t*>(*memory.Allocate(0, 66 * sizeof(int64_t), "cells"));
  Arguments unused;
  const LaunchSpec spec = Limited(Spec(49, nullptr, &unused));
  const auto run = [&](bool meets, bool waits) {
    std::fill(cells, cells + 66, -5);
    Meeting arguments = {cells, meets, waits};
    return RunMeeting(spec, &arguments);
  };
  for (int time = 0; time < 2; ++time) {
    EXPECT_FALSE(run(false, false).fault.has_value()) << "no core meets another";
    for (int64_t i = 0; i < 49; ++i) EXPECT_EQ(cells[i], i + 1);
    const auto refused = run(true, false);
    ASSERT_TRUE(refused.fault.has_value());
    EXPECT_NE(refused.fault->message.find("its 49 blocks need 49 AIV and Ascend910B1 has 48"),
              std::string::npos);
    for (int64_t i = 0; i < 66; ++i) EXPECT_EQ(cells[i], -5) << i;
  }
  EXPECT_FALSE(run(false, true).fault.has_value()) << "a first block that waits does not hold up";
  EXPECT_TRUE(memory.Free(cells).ok());
}

// The cube core sets flag 1 `sets` times and then flag 2; the vector core takes them all, flag 2
// first where it is `late`, so that it takes none of flag 1 while the cube core sets it.
LaunchSpec FlagSetting(int sets, bool late, Arguments* arguments) {
  static int count;
  static bool waits_late;
  count = sets;
  waits_late = late;
  const HostnpuKernelEntry entry = [](void*) {
    const HostnpuDeviceAbi& abi = *hostnpu_core->abi;
    const bool is_cube = hostnpu_core->core_kind == HOSTNPU_CORE_AIC;
    if (!is_cube && waits_late) abi.cross_core_wait(hostnpu_core, 2);
    for (int i = 0; i < count; ++i) {
      is_cube ? abi.cross_core_set(hostnpu_core, 2, 1) : abi.cross_core_wait(hostnpu_core, 1);
    }
    if (is_cube) abi.cross_core_set(hostnpu_core, 2, 2);
    if (!is_cube && !waits_late) abi.cross_core_wait(hostnpu_core, 2);
  };
  return Spec(1, entry, arguments, {1, 1});
}

TEST_P(EngineTest, AFlagSetSixteenTimesWithoutAWaitOverflowsItsCounter) {
  Arguments arguments;
  EXPECT_FALSE(
      Engine::Get().Run(Limited(FlagSetting(15, /*late=*/true, &arguments))).fault.has_value());
  const auto outcome = Engine::Get().Run(Limited(FlagSetting(16, /*late=*/true, &arguments)));
  ASSERT_TRUE(outcome.fault.has_value());
  EXPECT_EQ(outcome.fault->kind, HOSTNPU_FAULT_FLAG);
}

// One of two kinds of cores sets flag 3 in mode 2 for the other, which is not there.
TEST_P(EngineTest, AFlagThatNobodyCouldWaitForOverflowsItsCounterToo) {
  static int count;
  Arguments arguments;
  const auto run = [&](int sets, BlockCores cores) {
    count = sets;
    const HostnpuKernelEntry entry = [](void*) {
      for (int i = 0; i < count; ++i) hostnpu_core->abi->cross_core_set(hostnpu_core, 2, 3);
    };
    return Engine::Get().Run(Limited(Spec(2, entry, &arguments, cores)));
  };
  EXPECT_FALSE(run(15, {1, 0}).fault.has_value());
  const auto cube = run(20, {1, 0});
  ASSERT_TRUE(cube.fault.has_value());
  EXPECT_EQ(cube.fault->kind, HOSTNPU_FAULT_FLAG);
  EXPECT_EQ(cube.fault->message,
            "flag 3 is set 16 times without a wait, and the launch has no AIV that could wait; its "
            "counter holds 15");
  EXPECT_FALSE(run(15, {0, 1}).fault.has_value());
  EXPECT_EQ(run(16, {0, 1}).fault->message,
            "flag 3 is set 16 times without a wait, and the launch has no AIC that could wait; its "
            "counter holds 15");
}

// Kernels whose cores say how often they set and wait for flag 4 in a mode.
struct FlagCounts {
  uint32_t mode;
  int aic_sets, aic_waits;
  int aiv_sets[2], aiv_waits[2];
};
LaunchOutcome RunFlags(LaunchSpec spec, const FlagCounts& counts) {
  static FlagCounts now;
  now = counts;
  spec.aiv_entry = spec.aic_entry = [](void*) {
    const HostnpuDeviceAbi& abi = *hostnpu_core->abi;
    const bool is_cube = hostnpu_core->core_kind == HOSTNPU_CORE_AIC;
    const int64_t lane = hostnpu_core->sub_block_index;
    const int sets = is_cube ? now.aic_sets : now.aiv_sets[lane];
    const int waits = is_cube ? now.aic_waits : now.aiv_waits[lane];
    for (int i = 0; i < sets; ++i) abi.cross_core_set(hostnpu_core, now.mode, 4);
    for (int i = 0; i < waits; ++i) abi.cross_core_wait(hostnpu_core, 4);
  };
  return Engine::Get().Run(spec);
}

TEST_P(EngineTest, AFlagThatIsStillSetAtTheEndIsNamedWithItsSetsAndWaits) {
  Arguments arguments;
  const auto run = [&](BlockCores cores, FlagCounts counts) {
    return RunFlags(Limited(Spec(3, nullptr, &arguments, cores)), counts).flags_left;
  };
  EXPECT_TRUE(run({1, 2}, {2, 5, 5, {5, 5}, {5, 5}}).empty());
  EXPECT_TRUE(run({0, 2}, {1, 0, 0, {4, 4}, {4, 4}}).empty());
  EXPECT_TRUE(run({0, 1}, {0, 0, 0, {4, 0}, {4, 0}}).empty());
  // The second vector core takes one less than the cube core sets.
  const auto cube = run({1, 2}, {2, 5, 0, {0, 0}, {5, 4}});
  ASSERT_EQ(cube.size(), 1u);
  EXPECT_EQ(cube[0].flag, "cross-core flag 4");
  EXPECT_EQ(cube[0].sets, 5u);
  EXPECT_EQ(cube[0].waits, 4u);
  EXPECT_EQ(cube[0].setter.substr(0, 10), "AIC, block");
  EXPECT_EQ(cube[0].waiter.substr(0, 12), "AIV 1, block");
  EXPECT_EQ(cube[0].others, 2u) << "one report for three blocks";
  // One vector core sets once more than the other: the cube core is left half a set.
  const auto vector = run({1, 2}, {2, 0, 4, {4, 5}, {0, 0}});
  ASSERT_EQ(vector.size(), 1u);
  EXPECT_EQ(vector[0].setter.substr(0, 12), "AIV 1, block");
  EXPECT_EQ(vector[0].waiter.substr(0, 10), "AIC, block");
  EXPECT_EQ(vector[0].sets, 5u);
  EXPECT_EQ(run({0, 1}, {0, 0, 0, {4, 0}, {3, 0}}).size(), 1u);
  EXPECT_EQ(run({1, 0}, {2, 3, 0, {0, 0}, {0, 0}}).at(0).waiter, "") << "nobody to wait for it";
}

TEST_P(EngineTest, AFlagMayBeSetAnyNumberOfTimesWhereTheOtherCoreKeepsUp) {
  Arguments arguments;
  EXPECT_FALSE(
      Engine::Get().Run(Limited(FlagSetting(1000, /*late=*/false, &arguments))).fault.has_value());
}

TEST_P(EngineTest, AGmAccessPastTheEndNamesTheBufferAndTheExcess) {
  auto& memory = memory::DeviceMemory::Get();
  void* gm = *memory.Allocate(0, 4096, "x");
  Arguments arguments{nullptr, nullptr, gm};
  auto run = [&](HostnpuKernelEntry entry) {
    return Engine::Get().Run(Limited(Spec(3, entry, &arguments)));
  };
  EXPECT_FALSE(run([](void* p) {
                 hostnpu_core->abi->gm_check(hostnpu_core, "DataCopy",
                                             static_cast<Arguments*>(p)->gm, 4096, HOSTNPU_GM_READ);
               }).fault.has_value());
  auto outcome = run([](void* p) {
    hostnpu_core->abi->gm_check(hostnpu_core, "DataCopy",
                                static_cast<char*>(static_cast<Arguments*>(p)->gm) + 32, 4096,
                                HOSTNPU_GM_READ);
  });
  ASSERT_TRUE(outcome.fault.has_value());
  EXPECT_NE(outcome.fault->message.find("\"x\"], which has 4096 bytes: 32 too many"),
            std::string::npos)
      << outcome.fault->message;
  EXPECT_TRUE(memory.Free(gm).ok());
}

TEST_P(EngineTest, AWildPointerEndsTheLaunchAndNotTheProcess) {
  Arguments arguments;
  auto outcome = Engine::Get().Run(Limited(
      Spec(8, [](void*) { *reinterpret_cast<volatile int*>(uintptr_t{64}) = 1; }, &arguments)));
  ASSERT_TRUE(outcome.fault.has_value());
  EXPECT_EQ(outcome.fault->kind, HOSTNPU_FAULT_SIGNAL);
  EXPECT_NE(outcome.fault->message.find("0x40"), std::string::npos) << outcome.fault->message;
}

TEST_P(EngineTest, ACoreThatFaultsInsideAnAtomicLeavesTheMemoryToOthers) {
  int value = 0;
  Arguments arguments{nullptr, nullptr, &value};
  const auto bad = Engine::Get().Run(Limited(Spec(
      1,
      [](void* p) {
        void* gm = static_cast<Arguments*>(p)->gm;
        hostnpu_core->abi->gm_lock(hostnpu_core, gm);
        *reinterpret_cast<volatile int*>(uintptr_t{64}) = 1;
      },
      &arguments)));
  ASSERT_TRUE(bad.fault.has_value());
  const auto good = Engine::Get().Run(Limited(Spec(
      8,
      [](void* p) {
        void* gm = static_cast<Arguments*>(p)->gm;
        hostnpu_core->abi->gm_lock(hostnpu_core, gm);
        *static_cast<int*>(gm) += 1;
        hostnpu_core->abi->gm_unlock(hostnpu_core, gm);
      },
      &arguments)));
  EXPECT_FALSE(good.fault.has_value());
  EXPECT_EQ(value, 8);
}

template <int kFrameBytes>
int Recurse(int depth) {
  volatile char room[kFrameBytes];
  room[depth % 64] = static_cast<char>(depth);  // its lowest bytes: the rest stays untouched
  return depth > (1 << 20) ? room[0] : Recurse<kFrameBytes>(depth + 1) + room[1];
}

template <int kFrameBytes>
LaunchSpec FillingTheStack(Arguments* arguments) {
  return Spec(
      2, [](void* p) { *static_cast<Arguments*>(p)->sum += Recurse<kFrameBytes>(0); }, arguments);
}

TEST_P(EngineTest, AFullStackIsReportedAsSuch) {
  std::atomic<int> sum{0};
  Arguments arguments{nullptr, &sum};
  auto outcome = Engine::Get().Run(Limited(FillingTheStack<4096>(&arguments)));
  ASSERT_TRUE(outcome.fault.has_value());
  EXPECT_NE(outcome.fault->message.find("stack is full"), std::string::npos)
      << outcome.fault->message;
}

TEST_P(EngineTest, AFrameLargerThanAPageDoesNotStepOverTheGuard) {
  std::atomic<int> sum{0};
  Arguments arguments{nullptr, &sum};
  auto outcome = Engine::Get().Run(Limited(FillingTheStack<200000>(&arguments)));
  ASSERT_TRUE(outcome.fault.has_value());
  EXPECT_NE(outcome.fault->message.find("stack is full"), std::string::npos)
      << outcome.fault->message;
}

#if defined(__x86_64__)
TEST_P(EngineTest, DivisionsByZeroAreOfTheirLaunchAlsoWhereItEndsBetweenThem) {
  Arguments arguments;
  // UBSan, where it is there, is to leave this one to us.
  const auto divide = [](void* and_wait) __attribute__((no_sanitize("integer-divide-by-zero"))) {
    volatile int one = 1, zero = 0;
    one = one / zero;
    if (static_cast<Arguments*>(and_wait)->gm != nullptr) {
      hostnpu_core->abi->cross_core_wait(hostnpu_core, 3);  // for nobody
    }
  };
  auto whole = Engine::Get().Run(Limited(Spec(2, divide, &arguments)));
  EXPECT_FALSE(whole.fault.has_value());
  ASSERT_EQ(whole.oddities.size(), 1u);
  EXPECT_EQ(whole.oddities[0].others, 1u);
  arguments.gm = &arguments;
  EXPECT_TRUE(Engine::Get().Run(Limited(Spec(2, divide, &arguments))).fault.has_value());
  for (int launch = 0; launch < 3; ++launch) {
    auto clean = Engine::Get().Run(Limited(Spec(2, [](void*) {}, &arguments)));
    EXPECT_TRUE(clean.oddities.empty()) << launch;
  }
}
#endif

TEST_P(EngineTest, AWarningNamesTheFirstOfItsCoresInWhateverOrderTheyRun) {
  Arguments arguments;
  const auto leave = [](void*) {
    const auto index = static_cast<uint64_t>(hostnpu_core->block_index);
    const auto* abi = hostnpu_core->abi;
    if (index != 0) abi->flag_left(hostnpu_core, "V_MTE3", 0, "SetFlag", 1, 0, nullptr);
    abi->flag_left(hostnpu_core, "MTE2_V", 1, "SetFlag", 100 + index, 0, nullptr);
  };
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const auto outcome = RunSeeded(Spec(8, leave, &arguments), seed);
    ASSERT_EQ(outcome.flags_left.size(), 2u) << seed;
    EXPECT_EQ(outcome.flags_left[0].flag, "MTE2_V flag 1") << seed;
    EXPECT_EQ(outcome.flags_left[0].setter, "AIV, block 0") << seed;
    EXPECT_EQ(outcome.flags_left[0].sets, 100u) << seed;
    EXPECT_EQ(outcome.flags_left[0].others, 7u) << seed;
    EXPECT_EQ(outcome.flags_left[1].setter, "AIV, block 1") << seed;
    EXPECT_EQ(outcome.flags_left[1].others, 6u) << seed;
  }
}

#if defined(__x86_64__)
TEST_P(EngineTest, DivisionsOfManyCoresAreSaidOfTheFirst) {
  Arguments arguments;
  const auto divide = [](void*) __attribute__((no_sanitize("integer-divide-by-zero"))) {
    volatile int one = 1, zero = 0;
    if (hostnpu_core->block_index % 3 != 0) one = one / zero;
  };
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const auto outcome = RunSeeded(Spec(9, divide, &arguments), seed);
    ASSERT_EQ(outcome.oddities.size(), 1u) << seed;
    EXPECT_EQ(outcome.oddities[0].core, "AIV, block 1") << seed;
    EXPECT_EQ(outcome.oddities[0].others, 5u) << seed;
  }
}
#endif

TEST_P(EngineTest, AfterAFaultTheNextLaunchIsWhole) {
  Arguments arguments;
  for (int i = 0; i < 20; ++i) {
    auto bad = Engine::Get().Run(Limited(Spec(
        48,
        [](void*) {
          if (hostnpu_core->block_index == 17) {
            hostnpu_core->abi->fault(hostnpu_core, HOSTNPU_FAULT_ASSERT, "assert", "failed");
          }
          hostnpu_core->abi->sync_all(hostnpu_core, 1);
        },
        &arguments)));
    ASSERT_TRUE(bad.fault.has_value());
    EXPECT_EQ(bad.fault->core, "AIV, block 17");
    auto good = Engine::Get().Run(
        Limited(Spec(48, [](void*) { hostnpu_core->abi->sync_all(hostnpu_core, 1); }, &arguments)));
    EXPECT_FALSE(good.fault.has_value());
  }
}

// Once Run() has returned, the description of the launch is its caller's again, also for a worker
// that was about to help and came too late.
TEST(EngineHelpTest, AWorkerThatComesTooLateTouchesNothing) {
  std::atomic<int> late{0};
  Arguments arguments{nullptr, &late};
  const auto launch_often = [&](std::vector<std::unique_ptr<LaunchSpec>>* specs) {
    for (int i = 0; i < 500; ++i) {
      specs->push_back(std::make_unique<LaunchSpec>(Spec(
          64,
          [](void*) {
            for (int turn = 0; turn < 3000; ++turn) asm volatile("");
          },
          &arguments)));
      LaunchSpec& spec = *specs->back();
      EXPECT_FALSE(Engine::Get().Run(spec).fault.has_value());
      spec.blocks = 1'000'000;
      spec.aiv_entry = [](void* p) { (*static_cast<Arguments*>(p)->sum)++; };
    }
  };
  // More threads than cores, so that a worker is often interrupted where it hurts. The
  // descriptions are kept: a late worker shall be seen, not crash.
  std::array<std::vector<std::unique_ptr<LaunchSpec>>, 8> specs;
  std::vector<std::thread> hosts;
  for (auto& own : specs) hosts.emplace_back(launch_often, &own);
  for (std::thread& host : hosts) host.join();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(late.load(), 0);
}

INSTANTIATE_TEST_SUITE_P(Workers, EngineTest, testing::Values(1u, 2u, 8u),
                         [](const auto& info) { return "With" + std::to_string(info.param); });

}  // namespace
}  // namespace hostnpu::engine

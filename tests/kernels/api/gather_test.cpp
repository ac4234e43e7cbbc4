// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>

#include "tensors.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

template <typename T>
class GatherTest : public ::testing::Test {};
using Types = ::testing::Types<half, float, int16_t, uint32_t, bfloat16_t>;
TYPED_TEST_SUITE(GatherTest, Types);

TYPED_TEST(GatherTest, ACountOfElementsComesFromTheirByteOffsets) {
  using T = TypeParam;
  for (uint32_t count : {1u, 15u, 64u, 65u, 128u, 300u}) {
    std::vector<T> x = Counting<T>(1024);
    std::vector<uint32_t> offsets(512, 0);
    std::mt19937 random(count);
    for (uint32_t i = 0; i < count; ++i) offsets[i] = random() % 1000 * sizeof(T);
    Gm<T> gx(x), gz(512);
    Gm<uint32_t> go(offsets);
    const LaunchResult result = Launch(
        {},
        [](GM_ADDR x, GM_ADDR o, GM_ADDR z, uint32_t count) {
          LocalTensor<T> lx = Ub<T>(0, 1024), lz = Ub<T>(65536, 512);
          LocalTensor<uint32_t> lo = Ub<uint32_t>(32768, 512);
          DataCopy(lx, In<T>(x), 1024);
          DataCopy(lo, In<uint32_t>(o), 512);
          DataCopy(lz, In<T>(z), 512);
          Gather(lz, lx, lo, 8 * sizeof(T), count);
          DataCopy(In<T>(z), lz, 512);
        },
        gx, go, gz, count);
    ASSERT_TRUE(result.ok) << result.report;
    for (uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(float(gz[i]), float(x[offsets[i] / sizeof(T) + 8])) << i;
    }
    uint8_t untouched[sizeof(T)];
    std::memcpy(untouched, &gz[count], sizeof(T));
    EXPECT_EQ(untouched[0], 0xA5) << "beyond the count nothing is written";
  }
}

TYPED_TEST(GatherTest, AMaskOfBitsAndRepeatsLeavesOtherElements) {
  using T = TypeParam;
  constexpr uint32_t kLanes = 256 / sizeof(T);
  std::vector<T> x = Counting<T>(1024);
  std::vector<uint32_t> offsets(512);
  for (uint32_t i = 0; i < 512; ++i) offsets[i] = (1000 - i) * sizeof(T);
  Gm<T> gx(x), gz(1024);
  Gm<uint32_t> go(offsets);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR o, GM_ADDR z) {
        LocalTensor<T> lx = Ub<T>(0, 1024), lz = Ub<T>(65536, 1024);
        LocalTensor<uint32_t> lo = Ub<uint32_t>(32768, 512);
        DataCopy(lx, In<T>(x), 1024);
        DataCopy(lo, In<uint32_t>(o), 512);
        DataCopy(lz, In<T>(x), 1024);
        const uint64_t mask[2] = {0x5555555555555555u, sizeof(T) == 2 ? 1u : 0u};
        Gather(lz, lx, lo, 0, mask, 2, 16);
        DataCopy(In<T>(z), lz, 1024);
      },
      gx, go, gz);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t r = 0; r < 2; ++r) {
    for (uint32_t e = 0; e < kLanes; ++e) {
      const uint32_t at = r * 2 * kLanes + e;
      const bool taken = e < 64 ? e % 2 == 0 : e == 64;
      const uint32_t from = taken ? 1000 - (r * kLanes + e) : at;
      ASSERT_EQ(float(gz[at]), float(x[from])) << r << " " << e;
    }
  }
}

TYPED_TEST(GatherTest, GatherMaskPacksEveryFixedPattern) {
  using T = TypeParam;
  constexpr uint32_t kLanes = 256 / sizeof(T), kPerBlock = 32 / sizeof(T);
  std::vector<T> x = Counting<T>(2048);
  for (uint32_t pattern = 1; pattern <= 7; ++pattern) {
    for (bool counted : {false, true}) {
      const uint32_t mask = counted ? kLanes + 9 : 0;  // more than a repeat
      Gm<T> gx(x), gz(2048);
      Gm<uint64_t> gn(4);
      const LaunchResult result = Launch(
          {},
          [](GM_ADDR x, GM_ADDR z, GM_ADDR n, uint32_t pattern, bool counted, uint32_t mask) {
            LocalTensor<T> lx = Ub<T>(0, 2048), lz = Ub<T>(65536, 2048);
            DataCopy(lx, In<T>(x), 2048);
            uint64_t kept = 0;
            GatherMask(lz, lx, static_cast<uint8_t>(pattern), counted, mask,
                       GatherMaskParams(1, 3, 16, 0), kept);
            DataCopy(In<T>(z), lz, 2048);
            In<uint64_t>(n).SetValue(0, kept);
          },
          gx, gz, gn, pattern, counted, mask);
      ASSERT_TRUE(result.ok) << result.report;
      std::vector<float> expected;
      for (uint32_t r = 0; r < 3; ++r) {
        for (uint32_t e = 0; e < (counted ? mask : kLanes); ++e) {
          const bool kept = pattern == 7   ? true
                            : pattern == 1 ? e % 2 == 0
                            : pattern == 2 ? e % 2 == 1
                                           : e % 4 == pattern - 3;
          if (kept) expected.push_back(float(x[r * 16 * kPerBlock + e]));
        }
      }
      ASSERT_EQ(gn[0], expected.size()) << pattern;
      for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(float(gz[i]), expected[i]) << pattern;
    }
  }
}

TYPED_TEST(GatherTest, GatherMaskTakesBitsOfTheUserPerRepeat) {
  using T = TypeParam;
  using U = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
  constexpr uint32_t kLanes = 256 / sizeof(T);
  std::vector<T> x = Counting<T>(1024);
  std::vector<U> bits(128);
  std::mt19937 random(5);
  for (U& b : bits) b = static_cast<U>(random());
  Gm<T> gx(x), gz(1024);
  Gm<U> gb(bits);
  Gm<uint64_t> gn(4);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR b, GM_ADDR z, GM_ADDR n) {
        LocalTensor<T> lx = Ub<T>(0, 1024);
        LocalTensor<U> lb = Ub<U>(32768, 128);
        DataCopy(lx, In<T>(x), 1024);
        DataCopy(lb, In<U>(b), 128);
        uint64_t kept = 0;
        GatherMask(lx, lx, lb, false, 0, GatherMaskParams(1, 3, 8, 2), kept);  // in place
        DataCopy(In<T>(z), lx, 1024);
        In<uint64_t>(n).SetValue(0, kept);
        In<uint64_t>(n).SetValue(1, static_cast<uint64_t>(GetGatherMaskRemainCount()));
      },
      gx, gb, gz, gn);
  ASSERT_TRUE(result.ok) << result.report;
  const uint8_t* raw = reinterpret_cast<const uint8_t*>(bits.data());
  std::vector<float> expected;
  for (uint32_t r = 0; r < 3; ++r) {
    for (uint32_t e = 0; e < kLanes; ++e) {
      if (raw[r * 64 + e / 8] >> e % 8 & 1) expected.push_back(float(x[r * kLanes + e]));
    }
  }
  ASSERT_EQ(gn[0], expected.size());
  ASSERT_EQ(gn[1], expected.size());
  for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(float(gz[i]), expected[i]) << i;
}

TYPED_TEST(GatherTest, ScatterGathersBackAndGatherbMovesBlocks) {
  using T = TypeParam;
  constexpr uint32_t kPerBlock = 32 / sizeof(T);
  std::vector<T> x = Counting<T>(1024);
  std::vector<uint32_t> offsets(256);
  for (uint32_t i = 0; i < 256; ++i) offsets[i] = i * 37 % 256 * sizeof(T);
  Gm<T> gx(x), gz(512);
  Gm<uint32_t> go(offsets);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR o, GM_ADDR z) {
        LocalTensor<T> lx = Ub<T>(0, 1024), ly = Ub<T>(16384, 256), lz = Ub<T>(65536, 512);
        LocalTensor<uint32_t> lo = Ub<uint32_t>(32768, 256), lb = Ub<uint32_t>(49152, 16);
        DataCopy(lx, In<T>(x), 1024);
        DataCopy(lo, In<uint32_t>(o), 256);
        Scatter(ly, lx, lo, 0, 256);
        Gather(lz, ly, lo, 0, 256);
        for (int i = 0; i < 16; ++i) lb.SetValue(i, (15 - i) * 32);
        Gatherb(lz[256], lx, lb, 2, GatherRepeatParams(1, 8));
        DataCopy(In<T>(z), lz, 512);
      },
      gx, go, gz);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t i = 0; i < 256; ++i) ASSERT_EQ(float(gz[i]), float(x[i])) << i;
  for (uint32_t i = 0; i < 16 * kPerBlock; ++i) {
    ASSERT_EQ(float(gz[256 + i]), float(x[(15 - i / kPerBlock) * kPerBlock + i % kPerBlock])) << i;
  }
}

TEST(GatherFaultTest, AnOffsetThatLeavesUbIsNamedAndTheLastOneInsideIsNot) {
  const auto kernel = [](uint32_t offset) {
    LocalTensor<float> lx = Ub<float>(0, 64), lz = Ub<float>(65536, 64);
    LocalTensor<uint32_t> lo = Ub<uint32_t>(32768, 64);
    for (int i = 0; i < 8; ++i) lo.SetValue(i, i == 5 ? offset : 0);
    Gather(lz, lx, lo, 0, 8);
  };
  EXPECT_TRUE(Launch({}, kernel, 196604u).ok);
  LaunchResult guilty = Launch({}, kernel, 196608u);
  EXPECT_EQ(guilty.kind, HOSTNPU_FAULT_LOCAL_BOUNDS);
  EXPECT_NE(guilty.message.find("number 5"), std::string::npos) << guilty.message;
  guilty = Launch({}, kernel, 6u);
  EXPECT_EQ(guilty.kind, HOSTNPU_FAULT_ALIGNMENT) << guilty.message;
}

TEST(GatherFaultTest, PatternsOtherThan1To7AreRefused) {
  const auto kernel = [](uint32_t pattern) {
    LocalTensor<float> lx = Ub<float>(0, 64), lz = Ub<float>(65536, 64);
    uint64_t kept = 0;
    GatherMask(lz, lx, static_cast<uint8_t>(pattern), false, 0, GatherMaskParams(1, 1, 8, 0), kept);
  };
  EXPECT_TRUE(Launch({}, kernel, 7u).ok);
  EXPECT_EQ(Launch({}, kernel, 8u).kind, HOSTNPU_FAULT_ARGUMENT);
  EXPECT_EQ(Launch({}, kernel, 0u).kind, HOSTNPU_FAULT_ARGUMENT);
}

// Copy, Brcb and the sequences.

TYPED_TEST(GatherTest, CopyAndBrcbFollowTheirStrides) {
  using T = TypeParam;
  constexpr uint32_t kPerBlock = 32 / sizeof(T), kLanes = 256 / sizeof(T);
  std::vector<T> x = Counting<T>(2048);
  Gm<T> gx(x), gz(4096);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z) {
        LocalTensor<T> lx = Ub<T>(0, 2048), lz = Ub<T>(65536, 4096);
        DataCopy(lx, In<T>(x), 2048);
        for (int i = 0; i < 4096; i += 2048) DataCopy(lz[i], In<T>(x), 2048);
        Copy(lz, lx, uint64_t{kLanes}, 2, CopyRepeatParams(2, 1, 16, 8));
        Brcb(lz[2048], lx, 2, BrcbRepeatParams(1, 8));
        DataCopy(In<T>(z), lz, 4096);
      },
      gx, gz);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t r = 0; r < 2; ++r) {
    for (uint32_t e = 0; e < kLanes; ++e) {
      const uint32_t at = (r * 16 + e / kPerBlock * 2) * kPerBlock + e % kPerBlock;
      ASSERT_EQ(float(gz[at]), float(x[r * kLanes + e])) << r << " " << e;
      const uint32_t block = r * 8 + e / kPerBlock;
      ASSERT_EQ(float(gz[2048 + r * kLanes + e]), float(x[block])) << r << " " << e;
    }
  }
}

template <typename T>
void CheckSequences() {
  for (uint32_t count : {1u, 5u, 16u, 17u, 100u, 128u, 515u}) {
    Gm<T> gz(2048);
    const LaunchResult result = Launch(
        {},
        [](GM_ADDR z, uint32_t count) {
          LocalTensor<T> lz = Ub<T>(65536, 2048);
          for (int i = 0; i < 2048; ++i) lz.SetValue(i, T(-1));
          CreateVecIndex(lz, T(3), count);
          LocalTensor<T> second = lz[1024];
          ArithProgression(second, T(-4), T(2), static_cast<int32_t>(count));
          DataCopy(In<T>(z), lz, 2048);
          Arange(lz, T(-4), T(2), static_cast<int32_t>(count));
          for (uint32_t i = 0; i < count; ++i) {
            CORE_CHECK(lz.GetValue(i) == second.GetValue(i));
          }
          CORE_CHECK(count == 515 || lz.GetValue(count) == T(-1));
        },
        gz, count);
    ASSERT_TRUE(result.ok) << result.report;
    for (uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(double(gz[i]), 3.0 + i);
      ASSERT_EQ(double(gz[1024 + i]), -4.0 + 2.0 * i);
    }
    EXPECT_EQ(double(gz[count]), -1.0);
  }
}
TEST(SequenceTest, CountsFromTheFirstValueInEveryType) {
  CheckSequences<half>();
  CheckSequences<float>();
  CheckSequences<int16_t>();
  CheckSequences<int32_t>();
}

TEST(SequenceTest, AMaskedIndexGoesOnFromRepeatToRepeat) {
  Gm<int32_t> gz(256);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR z) {
        LocalTensor<int32_t> lz = Ub<int32_t>(0, 256);
        for (int i = 0; i < 256; ++i) lz.SetValue(i, -1);
        uint64_t mask[2] = {0xF, 0};
        CreateVecIndex(lz, 10, mask, 3, 1, 8);
        DataCopy(In<int32_t>(z), lz, 256);
      },
      gz);
  ASSERT_TRUE(result.ok) << result.report;
  for (int i = 0; i < 256; ++i) EXPECT_EQ(gz[i], i < 192 && i % 64 < 4 ? 10 + i : -1) << i;
}

}  // namespace
}  // namespace hostnpu::testing

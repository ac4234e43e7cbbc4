// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions against a scalar tree written here on its own.
#include <algorithm>
#include <random>

#include "tensors.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

template <typename T>
constexpr uint32_t kLanes = 256 / sizeof(T);

/// ((a0 + a1) + (a2 + a3)) ..., rounded to T at each level. The size is a power of two.
template <typename T>
T TreeSum(std::vector<T> values) {
  while (values.size() > 1) {
    std::vector<T> next;
    for (size_t i = 0; i < values.size(); i += 2) {
      next.push_back(
          Nearest<T>(static_cast<double>(values[i]) + static_cast<double>(values[i + 1])));
    }
    values = next;
  }
  return values[0];
}
/// The tree of one repeat whose lanes beyond the mask are 0.
template <typename T>
T RepeatSum(const T* values, uint32_t count) {
  std::vector<T> lanes(kLanes<T>, T(0));
  std::copy(values, values + count, lanes.begin());
  return TreeSum(lanes);
}

/// Whole blocks that hold `count` elements.
template <typename T>
uint32_t Padded(uint32_t count) {
  return (count * sizeof(T) + 31) / 32 * 32 / sizeof(T);
}

template <typename T>
class ReduceTest : public ::testing::Test {};
using Types = ::testing::Types<half, float>;
TYPED_TEST_SUITE(ReduceTest, Types);

TYPED_TEST(ReduceTest, TheSumOfACountIsATreePerRepeatAndTheRepeatsInOrder) {
  using T = TypeParam;
  for (uint32_t count : {1u, 2u, 7u, 8u, 31u, 63u, 64u, 65u, 128u, 129u, 1000u, 4096u}) {
    std::vector<T> x = Noise<T>(Padded<T>(count), -10.0f, 10.0f, count);
    T expected = RepeatSum<T>(x.data(), std::min(count, kLanes<T>));
    for (uint32_t at = kLanes<T>; at < count; at += kLanes<T>) {
      const T part = RepeatSum<T>(x.data() + at, std::min(count - at, kLanes<T>));
      expected = Nearest<T>(static_cast<double>(expected) + static_cast<double>(part));
    }
    Gm<T> gx(x), gz(Padded<T>(1));
    const LaunchResult result = Launch(
        {},
        [](GM_ADDR x, GM_ADDR z, uint32_t count) {
          GlobalTensor<T> gx, gz;
          gx.SetGlobalBuffer((__gm__ T*)x);
          gz.SetGlobalBuffer((__gm__ T*)z);
          LocalTensor<T> lx = Ub<T>(0, Padded<T>(count)), lz = Ub<T>(65536, 32);
          DataCopy(lx, gx, Padded<T>(count));
          ReduceSum(lz, lx, Ub<T>(131072, 256), static_cast<int32_t>(count));
          DataCopyPad(gz, lz, DataCopyExtParams(1, sizeof(T), 0, 0, 0));
          gz.SetValue(1, GetAccVal<T>());
          const int64_t bits = GetAccVal();  // of an element
          T value;
          std::memcpy(&value, &bits, sizeof(T));
          CORE_CHECK(value == GetAccVal<T>() && bits == GetReduceRepeatSumSpr());
        },
        gx, gz, count);
    ASSERT_TRUE(result.ok) << result.report;
    EXPECT_EQ(gz[0], expected) << count;
    EXPECT_EQ(gz[1], expected) << count;
  }
}

TYPED_TEST(ReduceTest, MaxAndMinGiveTheFirstOfEqualElementsWithItsIndex) {
  using T = TypeParam;
  for (uint32_t count : {1u, 3u, 16u, 64u, 65u, 127u, 500u, 2049u}) {
    std::vector<T> x = Noise<T>(Padded<T>(count), -10.0f, 10.0f, 7 * count);
    x[count / 2] = T(100);
    x[count - 1] = T(100);
    if (count > 4) x[count / 3] = x[count - 2] = T(-100);
    const uint32_t max_at = std::max_element(x.begin(), x.begin() + count) - x.begin();
    const uint32_t min_at = std::min_element(x.begin(), x.begin() + count) - x.begin();
    Gm<T> gx(x), gz(64);
    const LaunchResult result = Launch(
        {},
        [](GM_ADDR x, GM_ADDR z, uint32_t count) {
          GlobalTensor<T> gx, gz;
          gx.SetGlobalBuffer((__gm__ T*)x);
          gz.SetGlobalBuffer((__gm__ T*)z);
          LocalTensor<T> lx = Ub<T>(0, Padded<T>(count)), lz = Ub<T>(65536, 64);
          DataCopy(lx, gx, Padded<T>(count));
          LocalTensor<T> tmp = Ub<T>(131072, 256);
          ReduceMax(lz, lx, tmp, static_cast<int32_t>(count), true);
          ReduceMin(lz[16], lx, tmp, static_cast<int32_t>(count), true);
          lz.SetValue(33, T(5));
          ReduceMin(lz[32], lx, tmp, static_cast<int32_t>(count));
          DataCopy(gz, lz, 64);
        },
        gx, gz, count);
    ASSERT_TRUE(result.ok) << result.report;
    const auto index = [](T raw) -> uint32_t {
      if constexpr (sizeof(T) == 2) return __builtin_bit_cast(uint16_t, raw);
      if constexpr (sizeof(T) == 4) return __builtin_bit_cast(uint32_t, raw);
    };
    EXPECT_EQ(gz[0], x[max_at]);
    EXPECT_EQ(index(gz[1]), max_at) << count;
    EXPECT_EQ(gz[16], x[min_at]);
    EXPECT_EQ(index(gz[17]), min_at) << count;
    EXPECT_EQ(gz[32], x[min_at]);
    EXPECT_EQ(gz[33], T(5)) << "without the index only one element is written";
  }
}

TYPED_TEST(ReduceTest, WholeReduceTakesMasksBlockAndRepeatStrides) {
  using T = TypeParam;
  constexpr uint32_t kRepeats = 5, kPerBlock = 32 / sizeof(T);
  // Blocks two apart, repeats 17 blocks apart.
  const uint32_t size = (kRepeats * 17 + 8) * kPerBlock;
  std::vector<T> x = Noise<T>(size, -10.0f, 10.0f, 3);
  const uint64_t bits[2] = {0xF0F00000FFFF1235u, sizeof(T) == 2 ? 0x8000000000000F01u : 0};
  Gm<T> gx(x), gz(64);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z, uint32_t size, uint64_t low, uint64_t high) {
        GlobalTensor<T> gx, gz;
        gx.SetGlobalBuffer((__gm__ T*)x);
        gz.SetGlobalBuffer((__gm__ T*)z);
        LocalTensor<T> lx = Ub<T>(0, size), lz = Ub<T>(65536, 64);
        DataCopy(lx, gx, size);
        const uint64_t mask[2] = {low, high};
        WholeReduceSum<T>(lz, lx, mask, kRepeats, 1, 2, 17);
        WholeReduceMax<T>(lz[16], lx, 13, kRepeats, 1, 2, 17);
        WholeReduceMin<T>(lz[32], lx, mask, kRepeats, 1, 2, 17, ReduceOrder::ORDER_INDEX_VALUE);
        WholeReduceMax<T>(lz[48], lx, mask, kRepeats, 1, 2, 17, ReduceOrder::ORDER_ONLY_VALUE);
        DataCopy(gz, lz, 64);
      },
      gx, gz, size, bits[0], bits[1]);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t r = 0; r < kRepeats; ++r) {
    std::vector<T> lanes(kLanes<T>, T(0));
    T max13 = T(-1000), max_masked = T(-1000), min_masked = T(1000);
    uint32_t max13_at = 0, min_at = 0;
    for (uint32_t e = 0; e < kLanes<T>; ++e) {
      const T value = x[(r * 17 + e / kPerBlock * 2) * kPerBlock + e % kPerBlock];
      if (e < 13 && value > max13) max13 = value, max13_at = e;
      if ((bits[e / 64] >> e % 64 & 1) == 0) continue;
      lanes[e] = value;
      max_masked = std::max(max_masked, value);
      if (value < min_masked) min_masked = value, min_at = e;
    }
    EXPECT_EQ(gz[r], TreeSum(lanes)) << r;
    EXPECT_EQ(gz[16 + 2 * r], max13);
    const auto index = [](T raw) -> uint32_t {
      if constexpr (sizeof(T) == 2) return __builtin_bit_cast(uint16_t, raw);
      if constexpr (sizeof(T) == 4) return __builtin_bit_cast(uint32_t, raw);
    };
    EXPECT_EQ(index(gz[17 + 2 * r]), max13_at);
    EXPECT_EQ(index(gz[32 + 2 * r]), min_at);
    EXPECT_EQ(gz[33 + 2 * r], min_masked);
    EXPECT_EQ(gz[48 + r], max_masked);
  }
}

TYPED_TEST(ReduceTest, BlockAndPairReduceLeaveWhatNoElementFeeds) {
  using T = TypeParam;
  constexpr uint32_t kPerBlock = 32 / sizeof(T), kRepeats = 3;
  const uint32_t size = kRepeats * kLanes<T>;
  std::vector<T> x = Noise<T>(size, -10.0f, 10.0f, 9);
  const uint32_t mask = 3 * kPerBlock + 1;  // three blocks and one element
  Gm<T> gx(x), gz(512);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z, uint32_t size, int32_t mask) {
        GlobalTensor<T> gx, gz;
        gx.SetGlobalBuffer((__gm__ T*)x);
        gz.SetGlobalBuffer((__gm__ T*)z);
        LocalTensor<T> lx = Ub<T>(0, size), lz = Ub<T>(65536, 512);
        DataCopy(lx, gx, size);
        for (uint32_t i = 0; i < 512; ++i) lz.SetValue(i, T(77));
        BlockReduceSum<T>(lz, lx, kRepeats, mask, 1, 1, 8);
        BlockReduceMax<T>(lz[32], lx, kRepeats, mask, 1, 1, 8);
        BlockReduceMin<T>(lz[64], lx, kRepeats, mask, 1, 1, 8);
        PairReduceSum<T>(lz[128], lx, kRepeats, mask, 1, 1, 8);
        DataCopy(gz, lz, 512);
      },
      gx, gz, size, static_cast<int32_t>(mask));
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t r = 0; r < kRepeats; ++r) {
    const T* repeat = x.data() + r * kLanes<T>;
    for (uint32_t block = 0; block < 8; ++block) {
      const uint32_t used = block < 3 ? kPerBlock : block == 3 ? 1 : 0;
      const T* first = repeat + block * kPerBlock;
      std::vector<T> lanes(kPerBlock, T(0));
      std::copy(first, first + used, lanes.begin());
      EXPECT_EQ(gz[r * 8 + block], used == 0 ? T(77) : TreeSum(lanes)) << r << " " << block;
      EXPECT_EQ(gz[32 + r * 8 + block], used == 0 ? T(77) : *std::max_element(first, first + used));
      EXPECT_EQ(gz[64 + r * 8 + block], used == 0 ? T(77) : *std::min_element(first, first + used));
    }
    for (uint32_t pair = 0; pair < kLanes<T> / 2; ++pair) {
      T expected = T(77);
      if (2 * pair + 1 < mask) {
        expected = Nearest<T>(double(repeat[2 * pair]) + double(repeat[2 * pair + 1]));
      } else if (2 * pair < mask) {
        expected = repeat[2 * pair];
      }
      EXPECT_EQ(gz[128 + r * kLanes<T> / 2 + pair], expected) << r << " " << pair;
    }
  }
}

TYPED_TEST(ReduceTest, CounterModeTakesTheCountOfTheMaskRegister) {
  using T = TypeParam;
  const uint32_t count = 2 * kLanes<T> + 5;
  std::vector<T> x = Noise<T>(3 * kLanes<T>, -10.0f, 10.0f, 21);
  Gm<T> gx(x), gz(32);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z, int32_t count) {
        GlobalTensor<T> gx, gz;
        gx.SetGlobalBuffer((__gm__ T*)x);
        gz.SetGlobalBuffer((__gm__ T*)z);
        LocalTensor<T> lx = Ub<T>(0, 3 * kLanes<T>), lz = Ub<T>(65536, 32);
        DataCopy(lx, gx, 3 * kLanes<T>);
        SetMaskCount();
        SetVectorMask<T, MaskMode::COUNTER>(count);
        WholeReduceSum<T, false>(lz, lx, MASK_PLACEHOLDER, 1, 1, 1, 8);
        SetMaskNorm();
        ResetMask();
        DataCopy(gz, lz, 32);
      },
      gx, gz, static_cast<int32_t>(count));
  ASSERT_TRUE(result.ok) << result.report;
  EXPECT_EQ(gz[0], RepeatSum<T>(x.data(), kLanes<T>));
  EXPECT_EQ(gz[1], RepeatSum<T>(x.data() + kLanes<T>, kLanes<T>));
  EXPECT_EQ(gz[2], RepeatSum<T>(x.data() + 2 * kLanes<T>, 5));
}

TEST(ReduceFaultTest, AMaskLargerThanARepeatIsRefusedAndTheLargestIsNot) {
  const auto kernel = [](int32_t mask) {
    LocalTensor<float> lx = Ub<float>(0, 64), lz = Ub<float>(65536, 8);
    for (int i = 0; i < 64; ++i) lx.SetValue(i, 1.0f);
    WholeReduceSum(lz, lx, mask, 1, 1, 1, 8);
  };
  EXPECT_TRUE(Launch({}, kernel, 64).ok);
  const LaunchResult guilty = Launch({}, kernel, 65);
  EXPECT_FALSE(guilty.ok);
  EXPECT_EQ(guilty.kind, HOSTNPU_FAULT_ARGUMENT);
  EXPECT_NE(guilty.message.find("65"), std::string::npos) << guilty.message;
}

TEST(ReduceFaultTest, StridesBelowZeroAndBeyond16BitsAreNamed) {
  const auto kernel = [](int32_t dst, int32_t block, int32_t repeat) {
    BlockReduceSum(Ub<float>(65536), Ub<float>(0), 1, 64, dst, block, repeat);
  };
  EXPECT_TRUE(Launch({}, kernel, 1, 1, 65535).ok);
  EXPECT_EQ(Launch({}, kernel, -1, 1, 8).message,
            "BlockReduceSum has a destination repeat stride of -1; it takes 0 to 65535");
  EXPECT_EQ(Launch({}, kernel, 1, -1, 8).message,
            "BlockReduceSum has a source block stride of -1; it takes 0 to 65535");
  EXPECT_EQ(Launch({}, kernel, 1, 1, 65536).message,
            "BlockReduceSum has a source repeat stride of 65536; it takes 0 to 65535");
}

TEST(ReduceFaultTest, RepeatsThatLeaveUbAreRefusedAndTheLastThatFitsIsNot) {
  const auto kernel = [](int32_t repeats) {
    LocalTensor<float> lx = Ub<float>(196608 - 4 * 256, 256), lz = Ub<float>(0, 64);
    WholeReduceMax(lz, lx, 64, repeats, 1, 1, 8);
  };
  EXPECT_TRUE(Launch({}, kernel, 4).ok);
  const LaunchResult guilty = Launch({}, kernel, 5);
  EXPECT_FALSE(guilty.ok);
  EXPECT_EQ(guilty.kind, HOSTNPU_FAULT_LOCAL_BOUNDS);
}

}  // namespace
}  // namespace hostnpu::testing

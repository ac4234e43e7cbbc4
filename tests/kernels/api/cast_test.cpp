// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Casts against a reference that rounds in long double on the grid of the destination.
#include <limits>

#include "ub_image.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

constexpr uint32_t kDst = 0;
constexpr uint32_t kSrc = 96 * 1024;

/// `value` in units of `grid`, made whole in the direction of the mode.
long double OnGrid(long double value, long double grid, RoundMode mode) {
  const long double units = value / grid;
  long double whole = units;
  switch (mode) {
    case RoundMode::CAST_FLOOR:
      whole = std::floor(units);
      break;
    case RoundMode::CAST_CEIL:
      whole = std::ceil(units);
      break;
    case RoundMode::CAST_TRUNC:
      whole = std::trunc(units);
      break;
    case RoundMode::CAST_ROUND:
      whole = std::copysign(std::floor(std::fabs(units) + 0.5L), units);
      break;
    case RoundMode::CAST_ODD:
      whole = std::trunc(units);
      if (whole != units && std::fmod(whole, 2.0L) == 0) whole += std::copysign(1.0L, units);
      break;
    default:
      whole = std::nearbyint(units);
  }
  return std::copysign(whole * grid, value);
}

/// The value of a floating type with `digits` of mantissa nearest in the direction of the mode;
/// beyond `largest` what the mode makes of overflow.
double ToFloating(long double value, int digits, int lowest_exponent, double largest,
                  RoundMode mode) {
  if (std::isnan(value) || std::isinf(value) || value == 0) return static_cast<double>(value);
  int exponent = 0;
  std::frexp(value, &exponent);
  const long double grid = std::ldexp(1.0L, std::max(exponent - digits, lowest_exponent));
  const long double rounded = OnGrid(value, grid, mode);
  // As in IEEE 754: a mode that rounds toward zero there ends at the largest number.
  const bool toward_zero = mode == RoundMode::CAST_TRUNC || mode == RoundMode::CAST_ODD ||
                           (mode == RoundMode::CAST_FLOOR && value > 0) ||
                           (mode == RoundMode::CAST_CEIL && value < 0);
  if (std::fabs(rounded) > largest) {
    return std::copysign(toward_zero ? largest : static_cast<double>(INFINITY),
                         static_cast<double>(value));
  }
  return static_cast<double>(rounded);
}

template <typename D>
D Reference(long double value, RoundMode mode) {
  if constexpr (std::is_same_v<D, half>) {
    return static_cast<half>(static_cast<float>(ToFloating(value, 11, -24, 65504.0, mode)));
  } else if constexpr (std::is_same_v<D, bfloat16_t>) {
    return bfloat16_t(static_cast<float>(ToFloating(value, 8, -133, 0x1.FEp127, mode)));
  } else if constexpr (std::is_same_v<D, float>) {
    return static_cast<float>(ToFloating(value, 24, -149, 0x1.FFFFFEp127, mode));
  } else {
    if (std::isnan(value)) return 0;
    const long double whole = OnGrid(value, 1.0L, mode);
    if (whole <= static_cast<long double>(std::numeric_limits<D>::min()))
      return std::numeric_limits<D>::min();
    if (whole >= static_cast<long double>(std::numeric_limits<D>::max()))
      return std::numeric_limits<D>::max();
    return static_cast<D>(whole);
  }
}

template <typename T>
long double Wide(T value) {
  if constexpr (std::is_same_v<T, bfloat16_t>) return static_cast<float>(value);
  return static_cast<long double>(value);
}
template <typename T>
bool SameAny(T a, T b) {
  if constexpr (std::is_same_v<T, bfloat16_t>) {
    return Same(static_cast<float>(a), static_cast<float>(b));
  } else {
    return Same(a, b);
  }
}

/// Values that matter to a cast: around whole numbers, halves of units, the limits, any bits.
template <typename S>
std::vector<S> CastValues(size_t count, uint32_t seed) {
  std::mt19937_64 random(seed);
  std::vector<S> values(count);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t bits = random();
    if constexpr (std::is_same_v<S, float>) {
      const float special[] = {0.0f,    -0.0f,  INFINITY, -INFINITY,     NAN,       0.5f,
                               -0.5f,   1.5f,   2.5f,     -2.5f,         65504,     65519.99f,
                               65520,   -70000, 32767.5f, 2147483647.0f, 127.5f,    -128.5f,
                               9.3e18f, 1e-8f,  5.9e-8f,  3.3895314e38f, 8388609.0f};
      const int kind = static_cast<int>(random() % 4);
      values[i] = kind == 0   ? special[bits % 23]
                  : kind == 1 ? static_cast<float>(static_cast<int32_t>(bits) % 100000) / 8
                  : kind == 2 ? static_cast<float>(static_cast<int16_t>(bits)) / 256
                              : __builtin_bit_cast(float, static_cast<uint32_t>(bits));
    } else if constexpr (std::is_same_v<S, half>) {
      values[i] = __builtin_bit_cast(half, static_cast<uint16_t>(bits));
    } else if constexpr (std::is_same_v<S, bfloat16_t>) {
      values[i] = bfloat16_t::FromBits(static_cast<uint16_t>(bits));
    } else {
      values[i] = random() % 5 == 0   ? std::numeric_limits<S>::max()
                  : random() % 5 == 0 ? std::numeric_limits<S>::min()
                                      : static_cast<S>(bits >> (random() % 60));
    }
  }
  return values;
}

template <typename D, typename S>
void ExpectCast(std::initializer_list<RoundMode> modes) {
  for (RoundMode mode : modes) {
    for (uint32_t count : {1u, 3u, 64u, 1000u, 8191u}) {
      UbImage image;
      const auto values = CastValues<S>(count, count + static_cast<uint32_t>(mode));
      image.Fill(kSrc, values);
      const LaunchResult result = image.Run([&] { Cast(Ub<D>(kDst), Ub<S>(kSrc), mode, count); });
      ASSERT_TRUE(result.ok) << result.report;
      for (uint32_t i = 0; i < count; ++i) {
        const D expected = Reference<D>(Wide(values[i]), mode);
        const D got = image.Get<D>(kDst, i);
        ASSERT_TRUE(SameAny(got, expected))
            << internal::TypeName<S>() << " to " << internal::TypeName<D>() << " mode "
            << static_cast<int>(mode) << ": " << static_cast<double>(Wide(values[i])) << " gives "
            << static_cast<double>(Wide(got)) << ", expected "
            << static_cast<double>(Wide(expected));
      }
    }
  }
}

constexpr auto kNone = RoundMode::CAST_NONE;
constexpr auto kRint = RoundMode::CAST_RINT;
constexpr auto kFloor = RoundMode::CAST_FLOOR;
constexpr auto kCeil = RoundMode::CAST_CEIL;
constexpr auto kRound = RoundMode::CAST_ROUND;
constexpr auto kTrunc = RoundMode::CAST_TRUNC;
constexpr auto kOdd = RoundMode::CAST_ODD;

TEST(CastTest, FloatGoesToEveryTypeInEveryMode) {
  ExpectCast<half, float>({kNone, kRint, kFloor, kCeil, kRound, kTrunc, kOdd});
  ExpectCast<bfloat16_t, float>({kRint, kFloor, kCeil, kRound, kTrunc});
  ExpectCast<int32_t, float>({kRint, kFloor, kCeil, kRound, kTrunc});
  ExpectCast<int16_t, float>({kRint, kFloor, kCeil, kRound, kTrunc});
  ExpectCast<int64_t, float>({kRint, kFloor, kCeil, kRound, kTrunc});
}

TEST(CastTest, FloatToFloatMakesWholeNumbers) {
  for (RoundMode mode : {kRint, kFloor, kCeil, kRound, kTrunc}) {
    constexpr uint32_t kCount = 4096;
    UbImage image;
    const auto values = CastValues<float>(kCount, 3);
    image.Fill(kSrc, values);
    ASSERT_TRUE(image.Run([&] { Cast(Ub<float>(kDst), Ub<float>(kSrc), mode, kCount); }).ok);
    for (uint32_t i = 0; i < kCount; ++i) {
      const float x = values[i];
      const float expected = std::isfinite(x) ? static_cast<float>(OnGrid(x, 1.0L, mode)) : x;
      ASSERT_TRUE(Same(image.Get<float>(kDst, i), expected)) << x;
    }
  }
}

TEST(CastTest, HalfAndBfloatGoToEveryType) {
  ExpectCast<float, half>({kNone});
  ExpectCast<int32_t, half>({kRint, kFloor, kCeil, kRound, kTrunc});
  ExpectCast<int16_t, half>({kRint, kFloor, kCeil, kRound, kTrunc});
  ExpectCast<int8_t, half>({kNone, kRint, kFloor, kCeil, kRound, kTrunc});
  ExpectCast<uint8_t, half>({kNone, kRint, kFloor, kCeil, kRound, kTrunc});
  ExpectCast<float, bfloat16_t>({kNone});
  ExpectCast<int32_t, bfloat16_t>({kRint, kFloor, kCeil, kRound, kTrunc});
}

TEST(CastTest, IntegersGoToEveryType) {
  ExpectCast<half, int8_t>({kNone});
  ExpectCast<half, uint8_t>({kNone});
  ExpectCast<half, int16_t>({kNone, kRint, kFloor, kCeil, kRound, kTrunc});
  ExpectCast<float, int16_t>({kNone});
  ExpectCast<float, int32_t>({kNone, kRint, kFloor, kCeil, kRound, kTrunc});
  ExpectCast<int16_t, int32_t>({kNone});
  ExpectCast<int64_t, int32_t>({kNone});
  ExpectCast<int32_t, int64_t>({kNone});
  ExpectCast<float, int64_t>({kRint, kFloor, kCeil, kRound, kTrunc});
}

TEST(CastTest, Int4IsPackedLowNibbleFirstAndSaturates) {
  UbImage image;
  image.Fill<uint8_t>(kSrc, {0x80, 0x7F, 0x21});
  image.Fill<half>(kSrc + 64, {half(1.5), half(-9), half(100), half(-0.4), half(2.5), half(7)});
  ASSERT_TRUE(image
                  .Run([] {
                    Cast(Ub<half>(kDst), Ub<int4b_t>(kSrc), RoundMode::CAST_NONE, 6);
                    Cast(Ub<int4b_t>(kDst + 64), Ub<half>(kSrc + 64), RoundMode::CAST_RINT, 6);
                  })
                  .ok);
  const half expected[] = {half(0), half(-8), half(-1), half(7), half(1), half(2)};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(image.Get<half>(kDst, i), expected[i]) << i;
  EXPECT_EQ(image.Read<uint8_t>(kDst + 64, 3), (std::vector<uint8_t>{0x82, 0x07, 0x72}));
  EXPECT_FALSE(
      image.Run([] { Cast(Ub<half>(kDst), Ub<int4b_t>(kSrc), RoundMode::CAST_NONE, 3); }).ok);
}

TEST(CastTest, Int4LanesThatShareAByteWithOthersAreRefused) {
  const auto lanes = [](uint64_t low) {
    return UbImage().Run([low] {
      const uint64_t mask[2] = {low, 0};
      Cast(Ub<half>(kDst), Ub<int4b_t>(kSrc), RoundMode::CAST_NONE, mask, 1, {1, 1, 8, 2});
    });
  };
  EXPECT_TRUE(lanes(0b1100).ok);
  EXPECT_EQ(lanes(0b0110).message,
            "Cast is given int4b_t elements that do not begin and end at a whole byte; two of them "
            "share one");
}

TEST(CastTest, TheMaskCountsElementsOfTheWiderTypeAndStridesAreBlocksOfEach) {
  UbImage image;
  for (uint32_t i = 0; i < 1024; ++i) image.Set<half>(kSrc, i, half(static_cast<float>(i)));
  UbImage before = image;
  ASSERT_TRUE(
      image
          .Run([] {
            // Two repeats of 20 of 64 elements; the source advances by 4 blocks of 16.
            Cast(Ub<float>(kDst), Ub<half>(kSrc), RoundMode::CAST_NONE, 20, 2, {1, 1, 8, 4});
            // Back with gaps: float blocks of 8 every 2 blocks.
            Cast(Ub<half>(32768), Ub<float>(kDst), RoundMode::CAST_NONE, 64, 1, {1, 2, 4, 8});
          })
          .ok);
  for (uint32_t i = 0; i < 128; ++i) {
    if (i % 64 < 20) {
      EXPECT_EQ(image.Get<float>(kDst, i), static_cast<float>(i));
    } else {
      EXPECT_EQ(image.Get<uint32_t>(kDst, i), before.Get<uint32_t>(kDst, i));
    }
  }
  for (uint32_t e = 0; e < 8; ++e) {
    EXPECT_EQ(image.Get<half>(32768, 8 + e), static_cast<half>(image.Get<float>(kDst, 16 + e)));
  }
}

TEST(CastTest, WideningInPlaceFromTheUpperHalfOfTheDestinationWorks) {
  constexpr uint32_t kCount = 1024;
  UbImage image;
  for (uint32_t i = 0; i < kCount; ++i) image.Set<half>(kCount * 2, i, half(static_cast<float>(i)));
  ASSERT_TRUE(
      image.Run([] { Cast(Ub<float>(0), Ub<half>(kCount * 2), RoundMode::CAST_NONE, kCount); }).ok);
  for (uint32_t i = 0; i < kCount; ++i) ASSERT_EQ(image.Get<float>(0, i), static_cast<float>(i));
}

TEST(CastTest, AModeThatThePairDoesNotTakeIsNamed) {
  const LaunchResult result =
      UbImage().Run([] { Cast(Ub<int32_t>(kDst), Ub<float>(kSrc), RoundMode::CAST_ODD, 8); });
  EXPECT_EQ(result.message, "Cast from float to int32_t does not take CAST_ODD on this chip");
  EXPECT_TRUE(
      UbImage().Run([] { Cast(Ub<half>(kDst), Ub<float>(kSrc), RoundMode::CAST_ODD, 8); }).ok);
}

TEST(CastTest, InSaturatingModeHalfHasNoInfinityAndNoNan) {
  UbImage image;
  image.Fill<float>(kSrc, {1e6f, -INFINITY, NAN, 1.0f});
  ASSERT_TRUE(image
                  .Run([] {
                    AscendCUtils::SetOverflow(0);
                    Cast(Ub<half>(kDst), Ub<float>(kSrc), RoundMode::CAST_RINT, 4);
                    Cast(Ub<bfloat16_t>(kDst + 32), Ub<float>(kSrc), RoundMode::CAST_RINT, 4);
                    AscendCUtils::SetOverflow(1);
                    Cast(Ub<half>(kDst + 64), Ub<float>(kSrc), RoundMode::CAST_RINT, 2);
                  })
                  .ok);
  EXPECT_EQ(image.Read<uint16_t>(kDst, 4), (std::vector<uint16_t>{0x7BFF, 0xFBFF, 0, 0x3C00}));
  EXPECT_EQ(image.Read<uint16_t>(kDst + 32, 4), (std::vector<uint16_t>{0x4974, 0xFF7F, 0, 0x3F80}));
  EXPECT_EQ(image.Read<uint16_t>(kDst + 64, 2), (std::vector<uint16_t>{0x7C00, 0xFC00}));
}

TEST(DequantTest, Int32BecomesHalfByTheScale) {
  UbImage image;
  image.Fill<int32_t>(kSrc, {100, -7, 1 << 30, 3});
  image.Fill<int32_t>(kSrc + 32, {1, 2, 3, -30});
  ASSERT_TRUE(image
                  .Run([] {
                    SetDeqScale(half(0.5));
                    Cast(Ub<half>(kDst), Ub<int32_t>(kSrc), RoundMode::CAST_NONE, 4);
                    AddDeqRelu(Ub<half>(kDst + 32), Ub<int32_t>(kSrc), Ub<int32_t>(kSrc + 32), 4);
                  })
                  .ok);
  EXPECT_EQ(image.Get<half>(kDst, 0), half(50));
  EXPECT_EQ(image.Get<half>(kDst, 1), half(-3.5));
  EXPECT_EQ(image.Get<uint16_t>(kDst, 2), 0x7C00);
  EXPECT_EQ(image.Get<half>(kDst + 32, 0), half(50.5));
  EXPECT_EQ(image.Get<half>(kDst + 32, 1), half(0));
  EXPECT_EQ(image.Get<half>(kDst + 32, 3), half(0));
}

TEST(DequantTest, CastDequantWritesHalfOfEachBlockSaturated) {
  UbImage image;
  for (int i = 0; i < 32; ++i) image.Set<int16_t>(kSrc, i, static_cast<int16_t>(i * 10 - 100));
  ASSERT_TRUE(
      image
          .Run([] {
            SetDeqScale(0.5f, 3, true);
            CastDequant<int8_t, int16_t, false, false>(Ub<int8_t>(kDst), Ub<int16_t>(kSrc), 32);
            SetDeqScale(2.0f, -5, false);
            CastDequant<uint8_t, int16_t, false, true>(Ub<uint8_t>(kDst), Ub<int16_t>(kSrc), 32);
          })
          .ok);
  for (int i = 0; i < 32; ++i) {
    const int block = i / 16 * 32;
    const int column = i % 16;
    EXPECT_EQ(image.Get<int8_t>(kDst, block + column), (i * 10 - 100) / 2 + 3) << i;
    const int upper = (i * 10 - 100) * 2 - 5;
    EXPECT_EQ(image.Get<uint8_t>(kDst, block + 16 + column), std::clamp(upper, 0, 255)) << i;
  }
}

TEST(DequantTest, EachColumnMayHaveItsOwnScale) {
  UbImage image;
  for (int i = 0; i < 32; ++i) image.Set<int16_t>(kSrc, i, 10);
  ASSERT_TRUE(image
                  .Run([] {
                    VdeqInfo info;
                    for (int i = 0; i < 16; ++i) {
                      info.vdeqScale[i] = static_cast<float>(i);
                      info.vdeqOffset[i] = static_cast<int16_t>(-i);
                      info.vdeqSignMode[i] = true;
                    }
                    SetDeqScale(Ub<uint64_t>(1024), info);
                    CastDequant<int8_t, int16_t, true, false>(Ub<int8_t>(kDst), Ub<int16_t>(kSrc),
                                                              32);
                  })
                  .ok);
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(image.Get<int8_t>(kDst, i / 16 * 32 + i % 16), std::min(i % 16 * 9, 127)) << i;
  }
}

TEST(DequantTest, AddReluCastRoundsTheClampedSum) {
  UbImage image;
  image.Fill<half>(kSrc, {half(1.25), half(-4), half(200), half(2.5)});
  image.Fill<half>(kSrc + 32, {half(1.25), half(1), half(0), half(0)});
  ASSERT_TRUE(
      image.Run([] { AddReluCast(Ub<int8_t>(kDst), Ub<half>(kSrc), Ub<half>(kSrc + 32), 4); }).ok);
  EXPECT_EQ(image.Read<int8_t>(kDst, 4), (std::vector<int8_t>{2, 0, 127, 2}));
}

TEST(DequantTest, SubReluCastRoundsTheClampedDifference) {
  UbImage image;
  image.Fill<half>(kSrc, {half(4.75), half(1), half(200), half(2.5)});
  image.Fill<half>(kSrc + 32, {half(1.25), half(5), half(1), half(0)});
  ASSERT_TRUE(
      image.Run([] { SubReluCast(Ub<int8_t>(kDst), Ub<half>(kSrc), Ub<half>(kSrc + 32), 4); }).ok);
  EXPECT_EQ(image.Read<int8_t>(kDst, 4), (std::vector<int8_t>{4, 0, 127, 2}));
}

TEST(DequantTest, TheOlderNameOfCastDequantDoesTheSame) {
  UbImage image;
  for (int i = 0; i < 16; ++i) image.Set<int16_t>(kSrc, i, static_cast<int16_t>(i * 10 - 100));
  ASSERT_TRUE(image
                  .Run([] {
                    SetDeqScale(0.5f, 3, true);
                    CastDeq<int8_t, int16_t, false, false>(Ub<int8_t>(kDst), Ub<int16_t>(kSrc), 16);
                  })
                  .ok);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(image.Get<int8_t>(kDst, i), (i * 10 - 100) / 2 + 3) << i;
}

}  // namespace
}  // namespace hostnpu::testing

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Binary, unary, scalar and fused instructions, element by element against double arithmetic.
#include <limits>

#include "ub_image.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

constexpr uint32_t kDst = 0;
constexpr uint32_t kSrc0 = 64 * 1024;
constexpr uint32_t kSrc1 = 128 * 1024;

/// The result of an exact operation in T: rounded once, integers wrapped.
template <typename T>
T Rounded(double exact) {
  if constexpr (std::is_same_v<T, half>) return NearestHalf(exact);
  if constexpr (std::is_same_v<T, float>) return static_cast<float>(exact);
  return static_cast<T>(static_cast<uint64_t>(static_cast<int64_t>(exact)));
}

template <typename T>
double ReferenceMax(T a, T b) {
  const double x = static_cast<double>(a);
  const double y = static_cast<double>(b);
  if (std::isnan(x) || std::isnan(y)) return NAN;
  if (x == 0 && y == 0) return std::signbit(x) && std::signbit(y) ? -0.0 : 0.0;
  return x > y ? x : y;
}
template <typename T>
double ReferenceMin(T a, T b) {
  const double x = static_cast<double>(a);
  const double y = static_cast<double>(b);
  if (std::isnan(x) || std::isnan(y)) return NAN;
  if (x == 0 && y == 0) return std::signbit(x) || std::signbit(y) ? -0.0 : 0.0;
  return x < y ? x : y;
}

/// A count-form instruction over ragged counts: results inside, nothing changed outside.
template <typename T>
void ExpectBinary(const char* name,
                  const std::function<void(const LocalTensor<T>&, const LocalTensor<T>&,
                                           const LocalTensor<T>&, int32_t)>& instruction,
                  const std::function<T(T, T)>& reference) {
  for (int32_t count : {0, 1, 7, 8, 31, 64, 127, 128, 129, 1000, 16384}) {
    UbImage image;
    const auto a = Values<T>(count, 1 + count);
    const auto b = Values<T>(count, 99 + count);
    image.Fill(kSrc0, a);
    image.Fill(kSrc1, b);
    UbImage expected = image;
    for (int32_t i = 0; i < count; ++i) expected.Set<T>(kDst, i, reference(a[i], b[i]));
    const LaunchResult result =
        image.Run([&] { instruction(Ub<T>(kDst), Ub<T>(kSrc0), Ub<T>(kSrc1), count); });
    ASSERT_TRUE(result.ok) << name << ": " << result.report;
    for (int32_t i = 0; i < count; ++i) {
      const T got = image.Get<T>(kDst, i);
      const T want = expected.Get<T>(kDst, i);
      ASSERT_TRUE(Same(got, want))
          << name << "<" << internal::TypeName<T>() << "> element " << i << " of " << count << ": "
          << static_cast<double>(a[i]) << ", " << static_cast<double>(b[i]) << " gives "
          << static_cast<double>(got) << ", expected " << static_cast<double>(want);
      expected.Set<T>(kDst, i, got);
    }
    ASSERT_EQ(image.FirstDifference(expected), kUbBytes) << name << " changed what it must not";
  }
}

#define EXPECT_BINARY(Name, T, expression)                                                     \
  ExpectBinary<T>(                                                                             \
      #Name, [](const auto& d, const auto& x, const auto& y, int32_t n) { Name(d, x, y, n); }, \
      [](T a, T b) -> T { return (expression); })

TEST(VectorBinaryTest, CountFormGivesTheRoundedExactResultInEveryType) {
#define ARITHMETIC(T)                                                                 \
  EXPECT_BINARY(Add, T, Rounded<T>(static_cast<double>(a) + static_cast<double>(b))); \
  EXPECT_BINARY(Sub, T, Rounded<T>(static_cast<double>(a) - static_cast<double>(b))); \
  EXPECT_BINARY(Max, T, Rounded<T>(ReferenceMax(a, b)));                              \
  EXPECT_BINARY(Min, T, Rounded<T>(ReferenceMin(a, b)))
  ARITHMETIC(half);
  ARITHMETIC(float);
  ARITHMETIC(int16_t);
  ARITHMETIC(int32_t);
#undef ARITHMETIC
  EXPECT_BINARY(Mul, half, Rounded<half>(static_cast<double>(a) * static_cast<double>(b)));
  EXPECT_BINARY(Mul, float, Rounded<float>(static_cast<double>(a) * static_cast<double>(b)));
  EXPECT_BINARY(Mul, int16_t, static_cast<int16_t>(static_cast<int64_t>(a) * b));
  EXPECT_BINARY(Mul, int32_t, static_cast<int32_t>(static_cast<int64_t>(a) * b));
  EXPECT_BINARY(Div, half, Rounded<half>(static_cast<double>(a) / static_cast<double>(b)));
  EXPECT_BINARY(Div, float, Rounded<float>(static_cast<double>(a) / static_cast<double>(b)));
  EXPECT_BINARY(AddRelu, float,
                Rounded<float>(ReferenceMax<float>(
                    static_cast<float>(static_cast<double>(a) + static_cast<double>(b)), 0.0f)));
  EXPECT_BINARY(SubRelu, int16_t,
                std::max<int16_t>(static_cast<int16_t>(static_cast<uint32_t>(a - b)), 0));
}

TEST(VectorBinaryTest, BitwiseCountFormCountsElementsOfSixteenBits) {
  EXPECT_BINARY(And, uint16_t, static_cast<uint16_t>(a & b));
  EXPECT_BINARY(Or, int16_t, static_cast<int16_t>(a | b));
  UbImage image;
  image.Fill<int32_t>(kSrc0, {0x12345678, -1});
  image.Fill<int32_t>(kSrc1, {0x0F0F0F0F, 0x00FF00FF});
  ASSERT_TRUE(
      image.Run([] { And(Ub<int32_t>(kDst), Ub<int32_t>(kSrc0), Ub<int32_t>(kSrc1), 4); }).ok);
  EXPECT_EQ(image.Read<int32_t>(kDst, 2), (std::vector<int32_t>{0x02040608, 0x00FF00FF}));
  image.Fill<uint16_t>(kSrc0, {0, 0xFFFF, 0x1234});
  ASSERT_TRUE(image.Run([] { Not(Ub<uint16_t>(kDst), Ub<uint16_t>(kSrc0), 3); }).ok);
  EXPECT_EQ(image.Read<uint16_t>(kDst, 4), (std::vector<uint16_t>{0xFFFF, 0, 0xEDCB, 0x00FF}));
}

/// What the hardware does with masks, repeats and strides, one element at a time: the sources of a
/// repeat are read before its results are written.
template <typename T>
void ReferenceAdd(UbImage& image, uint32_t dst, uint32_t src0, uint32_t src1, const uint64_t* mask,
                  uint32_t repeats, const BinaryRepeatParams& p) {
  constexpr uint32_t kPerBlock = 32 / sizeof(T);
  constexpr uint32_t kPerRepeat = 256 / sizeof(T);
  for (uint32_t r = 0; r < repeats; ++r) {
    std::vector<T> results(kPerRepeat);
    const auto place = [&](uint32_t base, uint32_t block_stride, uint32_t repeat_stride,
                           uint32_t e) {
      return base + r * repeat_stride * 32 + e / kPerBlock * block_stride * 32 +
             e % kPerBlock * static_cast<uint32_t>(sizeof(T));
    };
    for (uint32_t e = 0; e < kPerRepeat; ++e) {
      const T a = image.Get<T>(place(src0, p.src0BlkStride, p.src0RepStride, e), 0);
      const T b = image.Get<T>(place(src1, p.src1BlkStride, p.src1RepStride, e), 0);
      results[e] = Rounded<T>(static_cast<double>(a) + static_cast<double>(b));
    }
    for (uint32_t e = 0; e < kPerRepeat; ++e) {
      if ((mask[e / 64] >> (e % 64) & 1) == 0) continue;
      image.Set<T>(place(dst, p.dstBlkStride, p.dstRepStride, e), 0, results[e]);
    }
  }
}

template <typename T>
void ExpectStridedAdds(uint32_t seed) {
  std::mt19937 random(seed);
  for (int round = 0; round < 120; ++round) {
    UbImage image;
    for (uint32_t i = 0; i < kUbBytes / sizeof(T); ++i) {
      image.Set<T>(0, i, static_cast<T>(static_cast<int>(random() % 2001) - 1000));
    }
    BinaryRepeatParams params;
    const auto stride = [&](std::initializer_list<int> choices) {
      return static_cast<uint8_t>(choices.begin()[random() % choices.size()]);
    };
    params.dstBlkStride = stride({1, 1, 2, 3});
    params.src0BlkStride = stride({1, 1, 0, 2});
    params.src1BlkStride = stride({1, 1, 0, 5});
    params.dstRepStride = stride({8, 8, 9, 24});
    params.src0RepStride = stride({8, 8, 0, 1, 16});
    params.src1RepStride = stride({8, 8, 0, 4, 10});
    const uint32_t repeats = random() % 20;
    constexpr uint32_t kPerRepeat = 256 / sizeof(T);
    uint64_t mask[2] = {0, 0};
    const uint32_t prefix = random() % (kPerRepeat + 1);
    const bool by_bits = random() % 2 == 0;
    for (uint32_t e = 0; e < kPerRepeat; ++e) {
      const bool active = by_bits ? random() % 4 != 0 : e < prefix;
      if (active) mask[e / 64] |= uint64_t{1} << (e % 64);
    }
    if (random() % 4 == 0) params = BinaryRepeatParams(1, 1, 1, 8, 8, 8);
    // Destinations apart from the sources, on one of them, and across the next repeat's source.
    const uint32_t dst = random() % 3 == 0 ? kSrc0 : random() % 5 == 0 ? kSrc1 + 256 : kDst;
    if (dst == kSrc0 && random() % 2 == 0) {
      params.src0BlkStride = params.dstBlkStride;
      params.src0RepStride = params.dstRepStride;
    }
    UbImage expected = image;
    const bool overlaps_within_repeat =
        dst != kDst && (params.dstBlkStride != 1 || params.dstRepStride < 8);
    if (overlaps_within_repeat) continue;  // undefined on the hardware
    ReferenceAdd<T>(expected, dst, kSrc0, kSrc1, mask, repeats, params);
    const LaunchResult result = image.Run([&] {
      if (by_bits) {
        Add(Ub<T>(dst), Ub<T>(kSrc0), Ub<T>(kSrc1), mask, static_cast<uint8_t>(repeats), params);
      } else {
        Add(Ub<T>(dst), Ub<T>(kSrc0), Ub<T>(kSrc1), static_cast<uint64_t>(prefix),
            static_cast<uint8_t>(repeats), params);
      }
    });
    ASSERT_TRUE(result.ok) << result.report;
    const uint32_t at = image.FirstDifference(expected);
    ASSERT_EQ(at, kUbBytes) << "round " << round << " repeats " << repeats << " bits " << by_bits
                            << " prefix " << prefix << " dst " << dst << " strides "
                            << int(params.dstBlkStride) << int(params.src0BlkStride)
                            << int(params.src1BlkStride) << " " << int(params.dstRepStride) << " "
                            << int(params.src0RepStride) << " " << int(params.src1RepStride);
  }
}

TEST(VectorBinaryTest, MasksRepeatsAndStridesTouchExactlyTheElementsTheySay) {
  ExpectStridedAdds<float>(1);
  ExpectStridedAdds<half>(2);
  ExpectStridedAdds<int32_t>(3);
  ExpectStridedAdds<int16_t>(4);
}

TEST(VectorBinaryTest, APointerToTheRepeatFormHasACountOfEightBits) {
  using Function =
      void(const LocalTensor<half>&, const LocalTensor<half>&, const LocalTensor<half>&, uint64_t,
           const uint8_t, const BinaryRepeatParams&);
  struct Case {
    Function* function;
    half (*reference)(half, half);
  };
  for (const Case& one :
       {Case{Sub, [](half x, half y) { return half(x - y); }},
        Case{Max, [](half x, half y) { return static_cast<half>(ReferenceMax<half>(x, y)); }}}) {
    UbImage image;
    const auto a = Values<half>(256, 1), b = Values<half>(256, 2);
    image.Fill(kSrc0, a);
    image.Fill(kSrc1, b);
    const LaunchResult result = image.Run([&] {
      one.function(Ub<half>(kDst), Ub<half>(kSrc0), Ub<half>(kSrc1), 128, 2,
                   BinaryRepeatParams(1, 1, 1, 8, 8, 8));
    });
    ASSERT_TRUE(result.ok) << result.report;
    for (int i = 0; i < 256; ++i) {
      ASSERT_TRUE(Same(image.Get<half>(kDst, i), one.reference(a[i], b[i]))) << i;
    }
  }
}

TEST(VectorBinaryTest, ADestinationThatIsItsOwnSecondSourceWithoutStrideAccumulates) {
  UbImage image;
  for (uint32_t i = 0; i < 64 * 10; ++i) image.Set<float>(kSrc0, i, static_cast<float>(i / 64 + 1));
  for (uint32_t i = 0; i < 64; ++i) image.Set<float>(kDst, i, 0.0f);
  ASSERT_TRUE(image
                  .Run([] {
                    Add(Ub<float>(kDst), Ub<float>(kSrc0), Ub<float>(kDst), 64, 10,
                        {1, 1, 1, 0, 8, 0});
                  })
                  .ok);
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(image.Get<float>(kDst, i), 55.0f);
}

TEST(VectorMaskTest, AMaskOfZeroOrNoRepeatsDoNothing) {
  UbImage image;
  const UbImage before = image;
  ASSERT_TRUE(image
                  .Run([] {
                    uint64_t none[2] = {0, 0};
                    Add(Ub<half>(0), Ub<half>(0), Ub<half>(0), none, 4, {1, 1, 1, 8, 8, 8});
                    Add(Ub<half>(0), Ub<half>(0), Ub<half>(0), uint64_t{0}, 4, {1, 1, 1, 8, 8, 8});
                    Add(Ub<half>(0), Ub<half>(0), Ub<half>(0), 128, 0, {1, 1, 1, 8, 8, 8});
                    Add(Ub<half>(0), Ub<half>(0), Ub<half>(0), 0);
                  })
                  .ok);
  EXPECT_EQ(image.FirstDifference(before), kUbBytes);
}

TEST(VectorMaskTest, WithoutIsSetMaskTheRegisterOfSetVectorMaskHolds) {
  UbImage image;
  for (uint32_t i = 0; i < 256; ++i) image.Set<float>(kSrc0, i, 1.0f), image.Set<float>(0, i, 0.0f);
  ASSERT_TRUE(image
                  .Run([] {
                    SetVectorMask<float, MaskMode::NORMAL>(0, 0b1010);
                    Adds<float, false>(Ub<float>(kDst), Ub<float>(kSrc0), 1.0f, MASK_PLACEHOLDER, 2,
                                       {1, 1, 8, 8});
                    ResetMask();
                  })
                  .ok);
  for (uint32_t i = 0; i < 256; ++i) {
    EXPECT_EQ(image.Get<float>(kDst, i), i < 128 && (i % 64 == 1 || i % 64 == 3) ? 2.0f : 0.0f)
        << i;
  }
}

TEST(VectorMaskTest, TheOlderClassSetsTheSameRegisters) {
  UbImage image;
  for (uint32_t i = 0; i < 256; ++i)
    image.Set<half>(kSrc0, i, half(1)), image.Set<half>(0, i, half(0));
  ASSERT_TRUE(image
                  .Run([] {
                    const UnaryRepeatParams strides(1, 1, 8, 8);
                    AscendCUtils::SetMask<half>(0b100, 0b1);  // the upper half first
                    Adds<half, false>(Ub<half>(kDst), Ub<half>(kSrc0), half(1), MASK_PLACEHOLDER, 1,
                                      strides);
                    AscendCUtils::SetMask<half>(3);  // a count
                    Adds<half, false>(Ub<half>(kDst + 256), Ub<half>(kSrc0), half(2),
                                      MASK_PLACEHOLDER, 1, strides);
                    AscendCUtils::SetMask<half, false>(0, 0);  // changes nothing
                    Adds<half, false>(Ub<half>(kDst + 256 + 32), Ub<half>(kSrc0), half(3),
                                      MASK_PLACEHOLDER, 1, strides);
                    AscendCUtils::ResetMask();
                  })
                  .ok);
  for (uint32_t i = 0; i < 128; ++i) {
    EXPECT_EQ(static_cast<float>(image.Get<half>(kDst, i)), i == 0 || i == 66 ? 2.0f : 0.0f) << i;
  }
  for (uint32_t i = 0; i < 32; ++i) {
    const float expected = i < 3 ? 3.0f : i >= 16 && i < 19 ? 4.0f : 0.0f;
    EXPECT_EQ(static_cast<float>(image.Get<half>(kDst + 256, i)), expected) << i;
  }
}

TEST(VectorMaskTest, StridesAreThoseOfDestinationThenSourceForBlocksThenForRepeats) {
  UbImage image;
  for (uint32_t i = 0; i < 1024; ++i) {
    image.Set<float>(kSrc0, i, static_cast<float>(i));
    image.Set<float>(kDst, i, -1.0f);
  }
  ASSERT_TRUE(image
                  .Run([] {
                    const UnaryRepeatParams strides(2, 1, 24, 16);
                    Adds(Ub<float>(kDst), Ub<float>(kSrc0), 0.0f, uint64_t{64}, 2, strides);
                  })
                  .ok);
  for (uint32_t repeat = 0; repeat < 2; ++repeat)
    for (uint32_t block = 0; block < 8; ++block)
      for (uint32_t i = 0; i < 8; ++i) {
        EXPECT_EQ(image.Get<float>(kDst, (repeat * 24 + block * 2) * 8 + i),
                  static_cast<float>((repeat * 16 + block) * 8 + i));
        EXPECT_EQ(image.Get<float>(kDst, (repeat * 24 + block * 2 + 1) * 8 + i), -1.0f);
      }
}

TEST(VectorMaskTest, InCounterModeTheRegisterCountsElementsAndRepeatTimeIsIgnored) {
  UbImage image;
  for (uint32_t i = 0; i < 512; ++i)
    image.Set<half>(kSrc0, i, half(1)), image.Set<half>(0, i, half(0));
  ASSERT_TRUE(image
                  .Run([] {
                    SetMaskCount();
                    SetVectorMask<half, MaskMode::COUNTER>(300);
                    Adds<half, false>(Ub<half>(kDst), Ub<half>(kSrc0), half(1), MASK_PLACEHOLDER, 1,
                                      {1, 1, 8, 8});
                    SetMaskNorm();
                    ResetMask();
                  })
                  .ok);
  for (uint32_t i = 0; i < 512; ++i) {
    EXPECT_EQ(static_cast<float>(image.Get<half>(kDst, i)), i < 300 ? 2.0f : 0.0f) << i;
  }
}

TEST(VectorScalarTest, TheScalarIsTheSecondOperand) {
#define EXPECT_SCALAR(Name, T, scalar, expression)                                                \
  ExpectBinary<T>(                                                                                \
      #Name, [](const auto& d, const auto& x, const auto&, int32_t n) { Name(d, x, scalar, n); }, \
      [](T a, T) -> T {                                                                           \
        const T s = static_cast<T>(scalar);                                                       \
        static_cast<void>(s), static_cast<void>(a);                                               \
        return (expression);                                                                      \
      })
#define VALUE(x) static_cast<double>(x)
  EXPECT_SCALAR(Adds, float, 1.5f, Rounded<float>(VALUE(a) + VALUE(s)));
  EXPECT_SCALAR(Adds, half, half(0.1), Rounded<half>(VALUE(a) + VALUE(s)));
  EXPECT_SCALAR(Adds, int32_t, 2147483647,
                static_cast<int32_t>(static_cast<uint32_t>(a) + 0x7FFFFFFFu));
  EXPECT_SCALAR(Muls, half, half(3), Rounded<half>(VALUE(a) * VALUE(s)));
  EXPECT_SCALAR(Muls, float, -0.3f, Rounded<float>(VALUE(a) * VALUE(s)));
  EXPECT_SCALAR(Muls, int16_t, 3, static_cast<int16_t>(static_cast<int64_t>(a) * 3));
  EXPECT_SCALAR(Maxs, float, 0.0f, Rounded<float>(ReferenceMax(a, s)));
  EXPECT_SCALAR(Mins, int32_t, 5, std::min<int32_t>(a, s));
  EXPECT_SCALAR(Subs, float, 0.25f, Rounded<float>(VALUE(a) - VALUE(s)));
  EXPECT_SCALAR(Divs, half, half(7), Rounded<half>(VALUE(a) / VALUE(s)));
  EXPECT_SCALAR(LeakyRelu, half, half(0.01), a >= half(0) ? a : Rounded<half>(VALUE(a) * VALUE(s)));
  EXPECT_SCALAR(ShiftLeft, uint16_t, 3, static_cast<uint16_t>(a << 3));
  EXPECT_SCALAR(ShiftLeft, int32_t, 32, 0);
  EXPECT_SCALAR(ShiftRight, int32_t, 4, a >> 4);
  EXPECT_SCALAR(ShiftRight, int16_t, 16, static_cast<int16_t>(a < 0 ? -1 : 0));
  EXPECT_SCALAR(ShiftRight, uint32_t, 31, a >> 31);
#undef VALUE
}

TEST(VectorScalarTest, ARoundedShiftAddsTheLastBitShiftedOut) {
  UbImage image;
  const std::vector<int32_t> values = {0, 7, 8, -1, -8, -9, 12, 13};
  image.Fill(kSrc0, values);
  ASSERT_TRUE(image
                  .Run([] {
                    ShiftRight(Ub<int32_t>(kDst), Ub<int32_t>(kSrc0), 2, 8, 1, {1, 1, 8, 8}, true);
                  })
                  .ok);
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(image.Get<int32_t>(kDst, i), (values[i] >> 2) + (values[i] >> 1 & 1)) << values[i];
  }
}

TEST(VectorFusedTest, HalfIsRoundedOnceAndFloatIsFused) {
  for (uint32_t seed = 0; seed < 4; ++seed) {
    static constexpr int32_t kCount = 4096;
    UbImage image;
    const auto a = Values<half>(kCount, seed * 3 + 1);
    const auto b = Values<half>(kCount, seed * 3 + 2);
    const auto d = Values<half>(kCount, seed * 3 + 3);
    image.Fill(kSrc0, a);
    image.Fill(kSrc1, b);
    image.Fill(kDst, d);
    image.Fill(16384, d);
    ASSERT_TRUE(image
                    .Run([] {
                      MulAddDst(Ub<half>(kDst), Ub<half>(kSrc0), Ub<half>(kSrc1), kCount);
                      FusedMulAdd(Ub<half>(16384), Ub<half>(kSrc0), Ub<half>(kSrc1), kCount);
                    })
                    .ok);
    for (int32_t i = 0; i < kCount; ++i) {
      // Products of halves and their sums are exact in long double (64 bits hold 2^31 to 2^-33).
      const long double product = static_cast<long double>(a[i]) * static_cast<long double>(b[i]);
      const double sum = static_cast<double>(product + static_cast<long double>(d[i]));
      ASSERT_TRUE(Same(image.Get<half>(kDst, i), NearestHalf(sum))) << i;
      const double fused =
          static_cast<double>(static_cast<long double>(a[i]) * static_cast<long double>(d[i]) +
                              static_cast<long double>(b[i]));
      ASSERT_TRUE(Same(image.Get<half>(16384, i), NearestHalf(fused))) << i;
    }
  }
  // The destination, which is the second factor, holds the bytes 0xA5.
  const auto fused = [](float a, float b) {
    return std::fma(a, __builtin_bit_cast(float, 0xA5A5A5A5u), b);
  };
  ExpectBinary<float>(
      "FusedMulAddRelu",
      [](const auto& d, const auto& x, const auto& y, int32_t n) { FusedMulAddRelu(d, x, y, n); },
      [&](float a, float b) -> float {
        return static_cast<float>(ReferenceMax<float>(fused(a, b), 0.0f));
      });
  ExpectBinary<float>(
      "MulAddRelu",
      [](const auto& d, const auto& x, const auto& y, int32_t n) { MulAddRelu(d, x, y, n); },
      [&](float a, float b) -> float {
        return static_cast<float>(ReferenceMax<float>(fused(a, b), 0.0f));
      });
}

TEST(VectorFusedTest, AxpyWidensHalfSourcesIntoAFloatDestination) {
  static constexpr int32_t kCount = 1000;
  UbImage image;
  const auto x = Values<half>(kCount, 5);
  std::vector<float> d(kCount);
  for (int32_t i = 0; i < kCount; ++i) d[i] = 0.001f * i;
  image.Fill(kSrc0, x);
  image.Fill(kDst, d);
  ASSERT_TRUE(image.Run([] { Axpy(Ub<float>(kDst), Ub<half>(kSrc0), half(1.5), kCount); }).ok);
  for (int32_t i = 0; i < kCount; ++i) {
    const float expected = std::fma(1.5f, static_cast<float>(x[i]), d[i]);
    ASSERT_TRUE(Same(image.Get<float>(kDst, i), expected)) << i;
  }
}

TEST(VectorUnaryTest, HalfExpLnRootsAndReciprocalsAreRightForEveryInput) {
  constexpr uint32_t kPart = 16384;
  for (uint32_t begin = 0; begin < 65536; begin += kPart) {
    UbImage image;
    for (uint32_t i = 0; i < kPart; ++i)
      image.Set<uint16_t>(kSrc0, i, static_cast<uint16_t>(begin + i));
    const auto expect = [&](const char* name, const std::function<void()>& body,
                            double (*reference)(double)) {
      ASSERT_TRUE(image.Run(body).ok);
      for (uint32_t i = 0; i < kPart; ++i) {
        const half x = image.Get<half>(kSrc0, i);
        const half expected = NearestHalf(reference(static_cast<double>(x)));
        ASSERT_TRUE(Same(image.Get<half>(kDst, i), expected))
            << name << "(" << static_cast<double>(x) << ") gives "
            << static_cast<double>(image.Get<half>(kDst, i)) << ", expected "
            << static_cast<double>(expected);
      }
    };
    expect(
        "Exp", [] { Exp(Ub<half>(kDst), Ub<half>(kSrc0), kPart); },
        [](double x) { return std::exp(x); });
    expect(
        "Ln", [] { Ln(Ub<half>(kDst), Ub<half>(kSrc0), kPart); },
        [](double x) { return std::log(x); });
    expect(
        "Sqrt", [] { Sqrt(Ub<half>(kDst), Ub<half>(kSrc0), kPart); },
        [](double x) { return std::sqrt(x); });
    expect(
        "Rsqrt", [] { Rsqrt(Ub<half>(kDst), Ub<half>(kSrc0), kPart); },
        [](double x) { return 1.0 / std::sqrt(x); });
    expect(
        "Reciprocal", [] { Reciprocal(Ub<half>(kDst), Ub<half>(kSrc0), kPart); },
        [](double x) { return 1.0 / x; });
    expect(
        "Abs", [] { Abs(Ub<half>(kDst), Ub<half>(kSrc0), kPart); },
        [](double x) { return std::fabs(x); });
    expect(
        "Relu", [] { Relu(Ub<half>(kDst), Ub<half>(kSrc0), kPart); },
        [](double x) { return std::isnan(x) ? x
                              : x > 0       ? x
                                            : 0.0; });
  }
}

TEST(VectorUnaryTest, FloatExpAndLnAreWithinOneUnitInTheLastPlace) {
  constexpr uint32_t kPart = 16384;
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    UbImage image;
    for (uint32_t i = 0; i < kPart; ++i) {
      float x = round % 2 == 0 ? (static_cast<int32_t>(random()) / 2147483648.0f) * 110.0f
                               : __builtin_bit_cast(float, static_cast<uint32_t>(random()));
      if (i < 8) {
        const float special[] = {0.0f, -0.0f,     INFINITY, -INFINITY,
                                 NAN,  88.72283f, 88.73f,   -103.97f};
        x = special[i];
      }
      image.Set<float>(kSrc0, i, x);
    }
    ASSERT_TRUE(image.Run([] { Exp(Ub<float>(kDst), Ub<float>(kSrc0), kPart); }).ok);
    for (uint32_t i = 0; i < kPart; ++i) {
      const float x = image.Get<float>(kSrc0, i);
      const float expected = static_cast<float>(std::exp(static_cast<double>(x)));
      ASSERT_LE(UlpDistance(image.Get<float>(kDst, i), expected), 1) << "exp(" << x << ")";
    }
    ASSERT_TRUE(image.Run([] { Ln(Ub<float>(kDst), Ub<float>(kSrc0), kPart); }).ok);
    for (uint32_t i = 0; i < kPart; ++i) {
      const float x = image.Get<float>(kSrc0, i);
      const float expected = static_cast<float>(std::log(static_cast<double>(x)));
      ASSERT_LE(UlpDistance(image.Get<float>(kDst, i), expected), 1) << "ln(" << x << ")";
    }
  }
}

TEST(VectorFaultTest, OperandsThatTheHardwareRefusesAreNamedAndTheLineIsGiven) {
  const auto fault = [](const std::function<void()>& body) { return UbImage().Run(body); };
  const uint32_t line = __LINE__ + 1;
  LaunchResult result = fault([] { Add(Ub<float>(4), Ub<float>(64), Ub<float>(128), 8); });
  ASSERT_FALSE(result.ok);
  EXPECT_EQ(result.message, "Add has its dst at UB byte 4, which is not a multiple of 32");
  EXPECT_EQ(result.line, line);
  result = fault([] { Add(Ub<float>(0), Ub<float>(64), Ub<float>(kUbBytes - 32), 16); });
  EXPECT_EQ(result.message,
            "Add touches UB bytes [196576, 196640) as its src1; UB has 196608 bytes");
  EXPECT_TRUE(fault([] { Add(Ub<float>(0), Ub<float>(64), Ub<float>(kUbBytes - 32), 8); }).ok);
  result =
      fault([] { Add(Ub<float>(0), Ub<float>(64), Ub<float>(64), 65, 1, {1, 1, 1, 8, 8, 8}); });
  EXPECT_EQ(result.message, "Add is given a mask of 65 elements; a repeat has 64");
  result = fault([] { Add(LocalTensor<float>(), Ub<float>(64), Ub<float>(64), 8); });
  EXPECT_EQ(result.message, "Add is given a LocalTensor that has no buffer as dst");
  result = fault([] {
    LocalTensor<float> l1(TPosition::A1, 0, 8);
    Add(Ub<float>(0), l1, Ub<float>(64), 8);
  });
  EXPECT_EQ(result.message, "Add has its src0 in L1; a vector instruction works on UB");
  result = fault([] { Add(Ub<float>(0), Ub<float>(64), Ub<float>(64), -1); });
  EXPECT_EQ(result.message, "Add is given a count of -1");
  result = fault([] { ShiftLeft(Ub<int32_t>(0), Ub<int32_t>(64), 33, 8); });
  EXPECT_EQ(result.message, "ShiftLeft is given 33 as the number of bits; it takes 0 to 32");
}

TEST(VectorFaultTest, AnOffsetWhoseBytesExceed32BitsDoesNotWrapBackIntoTheBuffer) {
  const auto add = [](uint32_t offset) {
    return UbImage().Run([offset] { Add(Ub<float>(0)[offset], Ub<float>(64), Ub<float>(128), 8); });
  };
  EXPECT_TRUE(add(8).ok);
  EXPECT_EQ(add(uint32_t{1} << 30).kind, HOSTNPU_FAULT_LOCAL_BOUNDS);
}

TEST(VectorFaultTest, AMaskRegisterThatHoldsMoreThanARepeatIsRefused) {
  const auto set = [](int32_t count) {
    return UbImage().Run([count] { SetVectorMask<float>(count); });
  };
  EXPECT_TRUE(set(64).ok);
  EXPECT_TRUE(set(128).ok) << "a full register, as for half";
  EXPECT_EQ(set(129).message, "SetVectorMask is given a mask of 129 elements; a repeat has 64");
  EXPECT_EQ(set(-1).message, "SetVectorMask is given a mask of -1 elements; a repeat has 64");
}

TEST(VectorFaultTest, OnACubeCoreVectorInstructionsDoNothing) {
  UbImage image;
  const UbImage before = image;
  ASSERT_TRUE(image
                  .Run(
                      [] {
                        Add(Ub<float>(0), Ub<float>(64), Ub<float>(128), 8);
                        Duplicate(Ub<float>(0), 1.0f, 64);
                        Add(Ub<float>(4), Ub<float>(64), Ub<float>(128), 64, 2, {1, 1, 1, 8, 8, 8});
                      },
                      HOSTNPU_CORE_AIC)
                  .ok);
  EXPECT_EQ(image.FirstDifference(before), kUbBytes);
}

TEST(DuplicateTest, FillsTheCountTheMaskAndTheBits) {
  UbImage image;
  ASSERT_TRUE(image
                  .Run([] {
                    Duplicate(Ub<half>(kDst), half(2.5), 100);
                    Duplicate<int32_t>(Ub<int32_t>(kSrc0), 7, 8, 2, 1, 8);
                    uint64_t bits[2] = {0x5, 0};
                    Duplicate(Ub<bfloat16_t>(kSrc1), bfloat16_t(1.0f), bits, 1, 1, 8);
                  })
                  .ok);
  for (uint32_t i = 0; i < 100; ++i) EXPECT_EQ(image.Get<half>(kDst, i), half(2.5));
  EXPECT_EQ(image.Get<uint16_t>(kDst, 100), 0xA5A5);
  for (uint32_t i = 0; i < 128; ++i) {
    EXPECT_EQ(image.Get<uint32_t>(kSrc0, i), i % 64 < 8 ? 7u : 0xA5A5A5A5u) << i;
  }
  EXPECT_EQ(image.Read<uint16_t>(kSrc1, 4),
            (std::vector<uint16_t>{0x3F80, 0xA5A5, 0x3F80, 0xA5A5}));
}

TEST(TensorOperatorTest, AnAssignedExpressionRunsOverTheSizeOfTheDestination) {
  UbImage image;
  image.Fill<float>(kSrc0, {1, 2, 3, 4, 5, 6, 7, 8});
  image.Fill<float>(kSrc1, {8, 7, 6, 5, 4, 3, 2, 1});
  ASSERT_TRUE(image
                  .Run([] {
                    LocalTensor<float> dst = Ub<float>(kDst, 8);
                    LocalTensor<float> a = Ub<float>(kSrc0, 8);
                    LocalTensor<float> b = Ub<float>(kSrc1, 8);
                    dst = a * b;
                    dst = dst - a;
                  })
                  .ok);
  EXPECT_EQ(image.Read<float>(kDst, 8), (std::vector<float>{7, 12, 15, 16, 15, 12, 7, 0}));
}

}  // namespace
}  // namespace hostnpu::testing

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "ub_image.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

constexpr uint32_t kBits = 0;
constexpr uint32_t kRegister = 32 * 1024;  // what SetCmpMask is given
constexpr uint32_t kSrc0 = 64 * 1024;
constexpr uint32_t kSrc1 = 128 * 1024;

constexpr CMPMODE kModes[] = {CMPMODE::LT, CMPMODE::GT, CMPMODE::EQ,
                              CMPMODE::LE, CMPMODE::GE, CMPMODE::NE};

bool Holds(double a, double b, CMPMODE mode) {
  switch (mode) {
    case CMPMODE::LT:
      return a < b;
    case CMPMODE::GT:
      return a > b;
    case CMPMODE::EQ:
      return a == b;
    case CMPMODE::LE:
      return a <= b;
    case CMPMODE::GE:
      return a >= b;
    default:
      return a != b;
  }
}

template <typename T>
void ExpectCompares(CMPMODE mode) {
  constexpr uint32_t kPerRepeat = 256 / sizeof(T);
  for (uint32_t count : {0u, kPerRepeat - 1, kPerRepeat, 5 * kPerRepeat + 7, 16384u}) {
    UbImage image;
    auto a = Values<T>(count, count + 1);
    auto b = Values<T>(count, count + 2);
    for (uint32_t i = 0; i < count; i += 3) b[i] = a[i];
    image.Fill(kSrc0, a);
    image.Fill(kSrc1, b);
    UbImage expected = image;
    const uint32_t whole = count / kPerRepeat * kPerRepeat;  // a rest is not compared
    for (uint32_t i = 0; i < whole; ++i) {
      const uint8_t bit = Holds(static_cast<double>(a[i]), static_cast<double>(b[i]), mode);
      const uint8_t old = expected.Get<uint8_t>(kBits, i / 8);
      expected.Set<uint8_t>(kBits, i / 8,
                            static_cast<uint8_t>((old & ~(1u << (i % 8))) | bit << (i % 8)));
    }
    ASSERT_TRUE(
        image.Run([&] { Compare(Ub<uint8_t>(kBits), Ub<T>(kSrc0), Ub<T>(kSrc1), mode, count); })
            .ok);
    ASSERT_EQ(image.FirstDifference(expected), kUbBytes)
        << internal::TypeName<T>() << " " << internal::CompareModeName(mode) << " " << count;
  }
}

TEST(CompareTest, EveryModeGivesABitPerElementAndLeavesARestAlone) {
  for (CMPMODE mode : kModes) {
    ExpectCompares<float>(mode);
    ExpectCompares<half>(mode);
  }
  ExpectCompares<int32_t>(CMPMODE::EQ);
}

TEST(CompareTest, RepeatsHaveStridesAndTheirBitsArePacked) {
  UbImage image;
  for (uint32_t i = 0; i < 2048; ++i) image.Set<float>(kSrc0, i, static_cast<float>(i % 100));
  ASSERT_TRUE(image
                  .Run([] {
                    CompareScalar(Ub<uint8_t>(kBits), Ub<float>(kSrc0), 50.0f, CMPMODE::GE, 64, 3,
                                  {1, 1, 8, 16});
                  })
                  .ok);
  for (uint32_t r = 0; r < 3; ++r) {
    for (uint32_t e = 0; e < 64; ++e) {
      const uint32_t element = r * 128 + e;
      EXPECT_EQ(image.Get<uint8_t>(kBits, (r * 64 + e) / 8) >> (e % 8) & 1, element % 100 >= 50);
    }
  }
  EXPECT_EQ(image.Get<uint8_t>(kBits, 24), 0xA5);
}

TEST(CompareTest, Int32TakesOnlyEqual) {
  const LaunchResult result = UbImage().Run(
      [] { Compare(Ub<uint8_t>(0), Ub<int32_t>(64), Ub<int32_t>(64), CMPMODE::LT, 64); });
  EXPECT_EQ(result.message, "Compare of int32_t does not take mode LT (0) on this chip");
}

TEST(CompareTest, TheRegisterFormFeedsSelect) {
  UbImage image;
  for (uint32_t i = 0; i < 128; ++i) {
    image.Set<half>(kSrc0, i, half(static_cast<float>(i)));
    image.Set<half>(kSrc1, i, half(static_cast<float>(127 - i)));
  }
  ASSERT_TRUE(image
                  .Run([] {
                    Compare(Ub<half>(kSrc0), Ub<half>(kSrc1), CMPMODE::LT, 128, {1, 1, 1, 8, 8, 8});
                    Select<half, SELMODE::VSEL_CMPMASK_SPR>(Ub<half>(1024), Ub<half>(kSrc0),
                                                            Ub<half>(kSrc1), 1, {1, 1, 1, 8, 8, 8});
                    GetCmpMask(Ub<uint8_t>(kBits));
                  })
                  .ok);
  for (uint32_t i = 0; i < 128; ++i) {
    EXPECT_EQ(static_cast<float>(image.Get<half>(1024, i)), std::min(i, 127 - i)) << i;
    EXPECT_EQ(image.Get<uint8_t>(kBits, i / 8) >> (i % 8) & 1, i < 64);
  }
}

TEST(CompareTest, ComparesTakesAScalarInEveryMode) {
  for (const CMPMODE mode : kModes) {
    UbImage image;
    for (uint32_t i = 0; i < 128; ++i) image.Set<half>(kSrc0, i, half(static_cast<float>(i % 5)));
    ASSERT_TRUE(
        image.Run([&] { Compares(Ub<uint8_t>(kBits), Ub<half>(kSrc0), half(2), mode, 128); }).ok);
    for (uint32_t i = 0; i < 128; ++i) {
      EXPECT_EQ(image.Get<uint8_t>(kBits, i / 8) >> (i % 8) & 1, Holds(i % 5, 2, mode)) << i;
    }
  }
}

TEST(CompareTest, SetCmpMaskGivesSelectTheBitsOfATensor) {
  UbImage image;
  for (uint32_t i = 0; i < 128; ++i) {
    image.Set<half>(kSrc0, i, half(static_cast<float>(i)));
    image.Set<half>(kSrc1, i, half(-1.0f));
  }
  image.Fill<uint64_t>(kBits, {0xF0F0F0F0F0F0F0F0u, 0x00000000FFFFFFFFu});
  ASSERT_TRUE(image
                  .Run([] {
                    SetCmpMask(Ub<uint8_t>(kBits));
                    Select<half, SELMODE::VSEL_CMPMASK_SPR>(Ub<half>(1024), Ub<half>(kSrc0),
                                                            Ub<half>(kSrc1), 1, {1, 1, 1, 8, 8, 8});
                  })
                  .ok);
  for (uint32_t i = 0; i < 128; ++i) {
    const bool first = i < 64 ? i % 8 >= 4 : i < 96;
    EXPECT_EQ(static_cast<float>(image.Get<half>(1024, i)), first ? static_cast<float>(i) : -1.0f)
        << i;
  }
}

TEST(CompareTest, AComparisonIsAssignedToATensorOfBytes) {
  UbImage image;
  for (uint32_t i = 0; i < 64; ++i) {
    image.Set<float>(kSrc0, i, static_cast<float>(i));
    image.Set<float>(kSrc1, i, 32.0f);
  }
  ASSERT_TRUE(image
                  .Run([] {
                    LocalTensor<uint8_t> bits = Ub<uint8_t>(kBits, 8);
                    bits = Ub<float>(kSrc0, 64) < Ub<float>(kSrc1, 64);
                  })
                  .ok);
  EXPECT_EQ(image.Get<uint64_t>(kBits, 0), 0xFFFFFFFFu);
}

template <typename T>
void ExpectSelects() {
  constexpr uint32_t kPerRepeat = 256 / sizeof(T);
  std::mt19937 random(11);
  for (uint32_t count : {0u, 1u, kPerRepeat, 3 * kPerRepeat + 5, 10000u}) {
    UbImage image;
    const auto a = Values<T>(count, 1);
    const auto b = Values<T>(count, 2);
    image.Fill(kSrc0, a);
    image.Fill(kSrc1, b);
    for (uint32_t i = 0; i < 2048; ++i)
      image.Set<uint8_t>(kBits, i, static_cast<uint8_t>(random()));
    const auto bit = [&](uint32_t i) { return image.Get<uint8_t>(kBits, i / 8) >> (i % 8) & 1; };
    for (SELMODE mode : {SELMODE::VSEL_CMPMASK_SPR, SELMODE::VSEL_TENSOR_SCALAR_MODE,
                         SELMODE::VSEL_TENSOR_TENSOR_MODE}) {
      UbImage expected = image;
      for (uint32_t i = 0; i < count; ++i) {
        const uint32_t at = mode == SELMODE::VSEL_CMPMASK_SPR ? i % kPerRepeat : i;
        const T other = mode == SELMODE::VSEL_TENSOR_SCALAR_MODE ? T(-3.5) : b[i];
        expected.Set<T>(4096, i, bit(at) != 0 ? a[i] : other);
      }
      UbImage got = image;
      ASSERT_TRUE(
          got.Run([&] {
               if (mode == SELMODE::VSEL_TENSOR_SCALAR_MODE) {
                 Select(Ub<T>(4096), Ub<uint8_t>(kBits), Ub<T>(kSrc0), T(-3.5), mode, count);
               } else {
                 Select(Ub<T>(4096), Ub<uint8_t>(kBits), Ub<T>(kSrc0), Ub<T>(kSrc1), mode, count);
               }
             })
              .ok);
      ASSERT_EQ(got.FirstDifference(expected), kUbBytes) << static_cast<int>(mode) << " " << count;
    }
  }
}

TEST(SelectTest, EveryModeTakesTheBitsItSaysAndWritesOnlyTheCount) {
  ExpectSelects<float>();
  ExpectSelects<half>();
}

TEST(SelectTest, MaskedElementsAreWrittenWithTheBitsOfTheirPlace) {
  UbImage image;
  for (uint32_t i = 0; i < 512; ++i) image.Set<float>(kSrc0, i, static_cast<float>(i));
  for (uint32_t i = 0; i < 64; ++i) image.Set<uint8_t>(kBits, i, 0xF0);
  UbImage expected = image;
  for (uint32_t r = 0; r < 3; ++r) {
    for (uint32_t e = 0; e < 10; ++e) {
      expected.Set<float>(4096, r * 64 + e, e % 8 >= 4 ? static_cast<float>(r * 64 + e) : -1.0f);
    }
  }
  ASSERT_TRUE(image
                  .Run([] {
                    Select(Ub<float>(4096), Ub<uint8_t>(kBits), Ub<float>(kSrc0), -1.0f,
                           SELMODE::VSEL_TENSOR_SCALAR_MODE, 10, 3, {1, 1, 1, 8, 8, 8});
                  })
                  .ok);
  EXPECT_EQ(image.FirstDifference(expected), kUbBytes);
}

TEST(SelectTest, AScalarWithATensorModeIsRefused) {
  const LaunchResult result = UbImage().Run([] {
    Select(Ub<float>(4096), Ub<uint8_t>(kBits), Ub<float>(kSrc0), -1.0f,
           SELMODE::VSEL_TENSOR_TENSOR_MODE, 64);
  });
  EXPECT_EQ(result.message, "Select with a scalar as src1 does not take mode 2");
}

/// Three repeats of which the mask leaves the last lanes alone, in the forms whose selMask or
/// scalar comes from the CMPMASK register.
template <typename T>
void ExpectRegisterSelects() {
  constexpr uint32_t kPerRepeat = 256 / sizeof(T), kActive = kPerRepeat - 3, kRepeats = 3;
  const BinaryRepeatParams params(1, 1, 1, 8, 8, 8);
  UbImage image;
  const auto a = Values<T>(kRepeats * kPerRepeat, 1);
  const auto b = Values<T>(kRepeats * kPerRepeat, 2);
  image.Fill(kSrc0, a);
  image.Fill(kSrc1, b);
  std::mt19937 random(12);
  for (uint32_t i = 0; i < 64; ++i) image.Set<uint8_t>(kBits, i, static_cast<uint8_t>(random()));
  const auto expect = [&](UbImage got, auto select, auto other) {
    UbImage expected = image;
    for (uint32_t i = 0; i < kRepeats * kPerRepeat; ++i) {
      if (i % kPerRepeat >= kActive) continue;
      const bool bit = image.Get<uint8_t>(kBits, i / 8) >> (i % 8) & 1;
      expected.Set<T>(4096, i, bit ? a[i] : other(i));
    }
    const LaunchResult result = got.Run(select);
    ASSERT_TRUE(result.ok) << result.report;
    // The tensor that SetCmpMask was given lies behind.
    for (uint32_t i = 0; i < 32; ++i)
      expected.Set<uint8_t>(kRegister, i, got.template Get<uint8_t>(kRegister, i));
    EXPECT_EQ(got.FirstDifference(expected), kUbBytes);
  };
  expect(
      image,
      [&] {
        LocalTensor<T> scalar = Ub<T>(kRegister);
        SetVectorMask<T, MaskMode::NORMAL>(16 / sizeof(T));
        Duplicate<T, false>(scalar, T(-3.5), MASK_PLACEHOLDER, 1, 1, 8);
        SetCmpMask(scalar);
        SetVectorMask<T, MaskMode::NORMAL>(kActive);
        Select(Ub<T>(4096), Ub<uint8_t>(kBits), Ub<T>(kSrc0), kRepeats, params);
      },
      [](uint32_t) { return T(-3.5); });
  const auto of_b = [&](uint32_t i) { return b[i]; };
  expect(
      image,
      [&] {
        Ub<int64_t>(kRegister).SetValue(0, static_cast<int64_t>(Ub<uint8_t>(kBits).GetPhyAddr()));
        SetCmpMask(Ub<int64_t>(kRegister));
        SetVectorMask<T, MaskMode::NORMAL>(kActive);
        Select<T, SELMODE::VSEL_TENSOR_TENSOR_MODE>(Ub<T>(4096), Ub<T>(kSrc0), Ub<T>(kSrc1),
                                                    kRepeats, params);
      },
      of_b);
  expect(
      image,
      [&] {  // as written for the device, whose addresses have 32 bits
        const auto address = static_cast<uint32_t>(Ub<uint8_t>(kBits).GetPhyAddr());
        SetVectorMask<uint32_t, MaskMode::NORMAL>(8);
        Duplicate<uint32_t, false>(Ub<uint32_t>(kRegister), address, MASK_PLACEHOLDER, 1, 1, 8);
        SetCmpMask(Ub<uint32_t>(kRegister));
        SetVectorMask<T, MaskMode::NORMAL>(kActive);
        Select<T, SELMODE::VSEL_TENSOR_TENSOR_MODE>(Ub<T>(4096), Ub<T>(kSrc0), Ub<T>(kSrc1),
                                                    kRepeats, params);
      },
      of_b);
}

TEST(SelectTest, TheRegisterHoldsTheScalarOrTheAddressOfTheBits) {
  ExpectRegisterSelects<float>();
  ExpectRegisterSelects<half>();
}

TEST(SelectTest, AnAddressInTheRegisterThatIsNotInUbIsRefused) {
  for (const int64_t address : {int64_t{1} << 40, (int64_t{5} << 32) + 7}) {
    const LaunchResult result = UbImage().Run([&] {
      Ub<int64_t>(kRegister).SetValue(0, address);
      SetCmpMask(Ub<int64_t>(kRegister));
      Select<float, SELMODE::VSEL_TENSOR_TENSOR_MODE>(Ub<float>(4096), Ub<float>(kSrc0),
                                                      Ub<float>(kSrc1), 1, {1, 1, 1, 8, 8, 8});
    });
    EXPECT_NE(
        result.message.find("which is not in UB. In mode 2 the tensor given to SetCmpMask holds"),
        std::string::npos)
        << result.message;
  }
}

TEST(SelectTest, TheRegisterIsReadAndWrittenAtMultiplesOf16Bytes) {
  EXPECT_TRUE(UbImage().Run([] { SetCmpMask(Ub<uint8_t>(48)), GetCmpMask(Ub<uint8_t>(80)); }).ok);
  EXPECT_EQ(UbImage().Run([] { SetCmpMask(Ub<uint8_t>(56)); }).kind, HOSTNPU_FAULT_ALIGNMENT);
  EXPECT_EQ(UbImage().Run([] { GetCmpMask(Ub<uint8_t>(88)); }).kind, HOSTNPU_FAULT_ALIGNMENT);
}

}  // namespace
}  // namespace hostnpu::testing

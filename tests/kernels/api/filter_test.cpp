// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// TopK against std::stable_sort, CumSum against sums in double, and the choices by masks.
#include <algorithm>
#include <numeric>

#include "ub_image.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

constexpr uint32_t kDst = 0;
constexpr uint32_t kIndex = 48 * 1024;
constexpr uint32_t kSrc = 96 * 1024;
constexpr uint32_t kMask = 160 * 1024;
constexpr uint32_t kLast = 180 * 1024;

/// Few different values, so that many are equal.
template <typename T>
std::vector<T> Scores(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<T> values(size);
  for (T& v : values) v = static_cast<T>((static_cast<int>(random() % 60) - 30) / 4.0f);
  return values;
}
/// Positions in the order asked for.
template <typename T>
std::vector<int32_t> Order(const T* row, uint32_t count, bool largest) {
  std::vector<int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    const double x = static_cast<double>(row[a]), y = static_cast<double>(row[b]);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && !std::isnan(y);
    return largest ? x > y : x < y;
  });
  return order;
}

template <typename T>
void ExpectTopK(uint32_t rows, uint32_t inner, uint32_t k, bool largest) {
  UbImage image;
  std::vector<T> x = Scores<T>(rows * inner, k + inner);
  if (inner > 64) x[40] = static_cast<T>(NAN), x[3] = static_cast<T>(-INFINITY);
  image.Fill(kSrc, x);
  UbImage expected = image;
  const uint32_t value_step = (k * sizeof(T) + 31) / 32 * 32 / sizeof(T);
  const uint32_t index_step = (k + 7) / 8 * 8;
  for (uint32_t row = 0; row < rows; ++row) {
    const std::vector<int32_t> order = Order(x.data() + row * inner, inner, largest);
    for (uint32_t i = 0; i < k; ++i) {
      expected.Set<T>(kDst, row * value_step + i, x[row * inner + order[i]]);
      expected.Set<int32_t>(kIndex, row * index_step + i, order[i]);
    }
  }
  const LaunchResult result = image.Run([&] {
    TopKInfo info;
    info.outter = static_cast<int32_t>(rows);
    info.inner = info.n = static_cast<int32_t>(inner);
    TopK<T>(Ub<T>(kDst), Ub<int32_t>(kIndex), Ub<T>(kSrc), LocalTensor<int32_t>(),
            LocalTensor<bool>(), static_cast<int32_t>(k), TopkTiling(), info, largest);
  });
  ASSERT_TRUE(result.ok) << result.report;
  EXPECT_EQ(image.FirstDifference(expected), kUbBytes) << rows << " " << inner << " " << k;
}

TEST(TopKTest, EachRowGivesItsFirstKInOrderWithTheirPositions) {
  for (const bool largest : {true, false}) {
    for (const uint32_t k : {1u, 7u, 32u}) {
      ExpectTopK<float>(3, 32, k, largest);
      ExpectTopK<half>(3, 96, k, largest);
    }
    ExpectTopK<float>(1, 4096, 4096, largest);
    ExpectTopK<float>(2, 4096, 100, largest);
  }
}

TEST(TopKTest, ASmallRowHasResultsWithoutGapsAndIndicesOfItsOwn) {
  UbImage image;
  const std::vector<half> x = Scores<half>(3 * 32, 5);
  std::vector<int32_t> index(3 * 32);
  for (int32_t i = 0; i < 96; ++i) index[i] = 1000 - i;
  image.Fill(kSrc, x);
  image.Fill(kMask, index);
  ASSERT_TRUE(image
                  .Run([] {
                    TopKInfo info;
                    info.outter = 3, info.inner = 32, info.n = 30;
                    TopK<half, true, false, false, TopKMode::TOPK_NSMALL>(
                        Ub<half>(kDst), Ub<int32_t>(kIndex), Ub<half>(kSrc), Ub<int32_t>(kMask),
                        LocalTensor<bool>(), Ub<uint8_t>(kLast), 5, TopkTiling(), info);
                  })
                  .ok);
  for (uint32_t row = 0; row < 3; ++row) {
    const std::vector<int32_t> order = Order(x.data() + row * 32, 32, true);
    for (uint32_t i = 0; i < 5; ++i) {
      const uint32_t at = row * 32 + static_cast<uint32_t>(order[i]);
      EXPECT_EQ(image.Get<half>(kDst, row * 5 + i), x[at]);
      EXPECT_EQ(image.Get<int32_t>(kIndex, row * 5 + i), index[at]);
    }
  }
}

TEST(TopKTest, AFinishedRowHasNoPositions) {
  UbImage image;
  image.Fill(kSrc, Scores<float>(2 * 32, 6));
  image.Fill<uint8_t>(kMask, {0, 1});
  const auto run = [&](int32_t k, int32_t inner) {
    return image.Run([=] {
      TopKInfo info;
      info.outter = 2, info.inner = inner, info.n = 31;
      TopK<float, false, true>(Ub<float>(kDst), Ub<int32_t>(kIndex), Ub<float>(kSrc),
                               LocalTensor<int32_t>(), Ub<bool>(kMask), k, TopkTiling(), info);
    });
  };
  ASSERT_TRUE(run(2, 32).ok);
  EXPECT_NE(image.Get<int32_t>(kIndex, 0), 31);
  EXPECT_EQ(image.Read<int32_t>(kIndex + 32, 2), (std::vector<int32_t>{31, 31}));
  EXPECT_EQ(run(32, 32).message,
            "TopK is asked for 32 of 31 elements in rows of 32; k is from 1 to n, and n up to a "
            "row");
  const LaunchResult small = image.Run([] {
    TopKInfo info;
    info.inner = info.n = 32;
    TopK<float, false, true, false, TopKMode::TOPK_NSMALL>(Ub<float>(kDst), Ub<int32_t>(kIndex),
                                                           Ub<float>(kSrc), LocalTensor<int32_t>(),
                                                           Ub<bool>(kMask), 2, TopkTiling(), info);
  });
  EXPECT_EQ(small.message, "TopK has no finishLocal in mode TOPK_NSMALL");
  EXPECT_EQ(run(2, 33).message,
            "TopK has 2 rows of 33 elements; rows have a multiple of 32, up to 4096");
}

constexpr CumSumConfig kAlongRows = {true, false, true,
                                     CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
constexpr CumSumConfig kDownColumns = {false, false, true,
                                       CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};

template <typename T, const CumSumConfig& config>
void ExpectSums(uint32_t rows, uint32_t columns) {
  UbImage image;
  // Multiples of 1/4 whose sums are exact in float.
  const std::vector<T> x = Scores<T>(rows * columns, rows);
  image.Fill(kSrc, x);
  ASSERT_TRUE(image
                  .Run([=] {
                    LocalTensor<T> dst = Ub<T>(kDst), last = Ub<T>(kLast);
                    CumSum<T, config>(dst, last, Ub<T>(kSrc), {rows, columns});
                  })
                  .ok);
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      double sum = 0;
      for (uint32_t i = 0; i <= (config.isLastAxis ? column : row); ++i)
        sum +=
            static_cast<double>(config.isLastAxis ? x[row * columns + i] : x[i * columns + column]);
      const T expected = Nearest<T>(sum);
      ASSERT_EQ(image.Get<T>(kDst, row * columns + column), expected) << row << " " << column;
      if (row + 1 == rows) {
        ASSERT_EQ(image.Get<T>(kLast, column), expected) << column;
      }
    }
  }
}

TEST(CumSumTest, AddsAlongRowsOrDownColumnsAndRoundsOnceToHalf) {
  for (const uint32_t rows : {1u, 3u, 17u}) {
    ExpectSums<float, kAlongRows>(rows, 8);
    ExpectSums<float, kDownColumns>(rows, 200);
    ExpectSums<half, kAlongRows>(rows, 1600);
    ExpectSums<half, kDownColumns>(rows, 16);
  }
}

TEST(CumSumTest, RowsThatAreNoWholeBlocksAreRefused) {
  const auto run = [](uint32_t columns) {
    return UbImage().Run([columns] {
      LocalTensor<half> dst = Ub<half>(kDst), last;
      CumSum<half>(dst, last, Ub<half>(kSrc), {2, columns});
    });
  };
  EXPECT_TRUE(run(16).ok);
  EXPECT_EQ(run(24).message,
            "CumSum has 2 rows of 24 elements of half; rows are one or more whole blocks of 32 "
            "bytes");
  EXPECT_FALSE(run(0).ok);
}

TEST(CumSumTest, AMatrixOfMoreBytesThanANumberHoldsIsOutOfBounds) {
  const auto run = [](uint32_t rows, uint32_t columns) {
    return UbImage().Run([=] {
      LocalTensor<float> dst = Ub<float>(kDst), last;
      CumSum<float>(dst, last, Ub<float>(kSrc), {rows, columns});
    });
  };
  EXPECT_TRUE(run(1, 8).ok);
  EXPECT_EQ(run(1u << 31, 1u << 31).kind, HOSTNPU_FAULT_LOCAL_BOUNDS);  // 2^64 bytes
}

TEST(SelectByBytesTest, AMatrixOfMoreBytesThanANumberHoldsIsOutOfBounds) {
  const auto run = [](uint32_t rows, uint32_t columns) {
    return UbImage().Run([=] {
      SelectWithBytesMaskShapeInfo info;
      info.firstAxis = rows, info.srcLastAxis = info.maskLastAxis = columns;
      Select(Ub<float>(kDst), Ub<float>(kSrc), 9.0f, Ub<int32_t>(kMask), Ub<uint8_t>(kLast), info);
    });
  };
  EXPECT_TRUE(run(1, 8).ok);
  EXPECT_EQ(run(1u << 31, 1u << 31).kind, HOSTNPU_FAULT_LOCAL_BOUNDS);
}

TEST(SelectByBytesTest, TheMaskChoosesBetweenTensorAndScalarAndMayHaveLongerRows) {
  constexpr uint32_t kRows = 3, kColumns = 16, kMaskColumns = 32;
  UbImage image;
  const std::vector<half> x = Scores<half>(kRows * kColumns, 1);
  std::vector<int16_t> mask(kRows * kMaskColumns);
  for (uint32_t i = 0; i < mask.size(); ++i) mask[i] = static_cast<int16_t>(i % 3 * 256);
  image.Fill(kSrc, x);
  image.Fill(kMask, mask);
  SelectWithBytesMaskShapeInfo info;
  info.firstAxis = kRows, info.srcLastAxis = kColumns, info.maskLastAxis = kMaskColumns;
  ASSERT_TRUE(image
                  .Run([info] {
                    const LocalTensor<uint8_t> tmp = Ub<uint8_t>(kLast);
                    Select(Ub<half>(kDst), Ub<half>(kSrc), half(9), Ub<int16_t>(kMask), tmp, info);
                    Select(Ub<half>(kIndex), half(9), Ub<half>(kSrc), Ub<int16_t>(kMask), tmp,
                           info);
                  })
                  .ok);
  for (uint32_t i = 0; i < x.size(); ++i) {
    const bool set = mask[i / kColumns * kMaskColumns + i % kColumns] != 0;
    ASSERT_EQ(image.Get<half>(kDst, i), set ? half(9) : x[i]) << i;
    ASSERT_EQ(image.Get<half>(kIndex, i), set ? x[i] : half(9)) << i;
  }
  info.srcLastAxis = 48;
  EXPECT_EQ(UbImage()
                .Run([info] {
                  Select(Ub<half>(kDst), Ub<half>(kSrc), half(9), Ub<int16_t>(kMask),
                         Ub<uint8_t>(kLast), info);
                })
                .message,
            "Select has rows of 48 elements and 32 of the mask; there is one of the mask for each");
}

/// `mask_row`: bytes of a row of the mask.
template <typename T, uint32_t mode>
void ExpectDropOut(uint32_t rows, uint32_t columns, uint32_t mask_row, bool by_bits, bool dense) {
  UbImage image;
  const std::vector<T> x = Scores<T>(rows * columns, mode);
  std::vector<uint8_t> mask(rows * mask_row + rows * columns);
  for (uint32_t i = 0; i < mask.size(); ++i)
    mask[i] = static_cast<uint8_t>(by_bits ? i * 37 : (i % 5 < 2));
  image.Fill(kSrc, x);
  image.Fill(kMask, mask);
  DropOutShapeInfo info;
  info.firstAxis = rows, info.srcLastAxis = columns, info.maskLastAxis = mask_row;
  const LaunchResult result = image.Run([info] {
    DropOut<T, false, mode>(Ub<T>(kDst), Ub<T>(kSrc), Ub<uint8_t>(kMask), Ub<uint8_t>(kLast), 0.8f,
                            info);
  });
  ASSERT_TRUE(result.ok) << result.report;
  const double factor = static_cast<double>(Nearest<T>(static_cast<double>(1.0f / 0.8f)));
  for (uint32_t i = 0; i < x.size(); ++i) {
    const uint32_t place = dense ? i : i / columns * mask_row * (by_bits ? 8 : 1) + i % columns;
    const bool keep = by_bits ? (mask[place / 8] >> place % 8 & 1) != 0 : mask[place] != 0;
    const T expected = keep ? Nearest<T>(static_cast<double>(x[i]) * factor) : T(0);
    ASSERT_EQ(image.Get<T>(kDst, i), expected) << mode << " " << i;
  }
}

TEST(DropOutTest, BytesAndBitsOfTheMaskKeepWithAndWithoutGaps) {
  ExpectDropOut<float, 0>(3, 32, 64, false, false);
  ExpectDropOut<float, 0>(3, 32, 32, false, true);
  ExpectDropOut<half, 0>(3, 256, 32, true, true);
  ExpectDropOut<half, 0>(3, 240, 32, true, false);
  ExpectDropOut<half, 1>(3, 32, 64, false, false);
  ExpectDropOut<half, 2>(3, 32, 32, false, true);
  ExpectDropOut<float, 3>(5, 8, 1, true, true);
  ExpectDropOut<float, 4>(3, 16, 32, true, false);
}

TEST(DropOutTest, AProbabilityOutsideItsRangeIsNamed) {
  DropOutShapeInfo info;
  info.firstAxis = 1, info.srcLastAxis = info.maskLastAxis = 32;
  const auto run = [info](float keep) {
    return UbImage().Run(
        [=] { DropOut(Ub<float>(kDst), Ub<float>(kSrc), Ub<uint8_t>(kMask), keep, info); });
  };
  EXPECT_TRUE(run(0.5f).ok);
  EXPECT_EQ(run(0.0f).message, "DropOut has keepProb = 0; it is between 0 and 1");
  EXPECT_EQ(run(1.0f).message, "DropOut has keepProb = 1; it is between 0 and 1");
}

}  // namespace
}  // namespace hostnpu::testing

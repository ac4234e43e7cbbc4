// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The softmax family against the same mathematics in double.
#include <algorithm>
#include <cmath>

#include "tensors.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

template <typename T>
void CheckSoftMax() {
  constexpr uint32_t kRows = 3, kColumns = 48, kUsed = 41;
  std::vector<T> x = Noise<T>(kRows * kColumns, -8, 8, 4);
  Gm<T> gx(x), gz(kRows * kColumns), gsum(64), gmax(64);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z, GM_ADDR sum, GM_ADDR max) {
        constexpr uint32_t kBlock = 32 / sizeof(T);
        LocalTensor<T> lx = Ub<T>(0, kRows * kColumns), ls = Ub<T>(8192, kRows * kBlock),
                       lm = Ub<T>(16384, kRows * kBlock);
        DataCopy(lx, In<T>(x), kRows * kColumns);
        SoftMaxTiling tiling;
        SoftMax<T>(lx, ls, lm, lx, tiling, SoftMaxShapeInfo{kRows, kColumns, kRows, kUsed});
        DataCopy(In<T>(z), lx, kRows * kColumns);
        DataCopy(In<T>(sum), ls, kRows * kBlock);
        DataCopy(In<T>(max), lm, kRows * kBlock);
      },
      gx, gz, gsum, gmax);
  ASSERT_TRUE(result.ok) << result.report;
  constexpr uint32_t kBlock = 32 / sizeof(T);
  const double tolerance = sizeof(T) == 2 ? 1e-3 : 1e-6;
  for (uint32_t r = 0; r < kRows; ++r) {
    double max = -1e9, sum = 0;
    for (uint32_t i = 0; i < kUsed; ++i) max = std::max(max, double(x[r * kColumns + i]));
    for (uint32_t i = 0; i < kUsed; ++i) sum += std::exp(double(x[r * kColumns + i]) - max);
    for (uint32_t i = 0; i < kUsed; ++i) {
      EXPECT_NEAR(float(gz[r * kColumns + i]), std::exp(double(x[r * kColumns + i]) - max) / sum,
                  tolerance);
    }
    for (uint32_t i = 0; i < kBlock; ++i) {
      EXPECT_NEAR(float(gsum[r * kBlock + i]), sum, tolerance * sum);
      EXPECT_EQ(float(gmax[r * kBlock + i]), float(max));
    }
  }
}
TEST(SoftMaxTest, RowsSumToOneInPlaceWithTheirSumsAndMaxima) {
  CheckSoftMax<half>();
  CheckSoftMax<float>();
}

TEST(SoftMaxTest, PiecesOfColumnsGiveTheSoftmaxOfTheWhole) {
  constexpr uint32_t kRows = 2, kPiece = 16, kPieces = 3;
  std::vector<float> x = Noise<float>(kPieces * kRows * kPiece, -5, 5, 11);
  Gm<float> gx(x), gz(kPieces * kRows * kPiece), gstat(64);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z, GM_ADDR stat) {
        LocalTensor<float> lx = Ub<float>(0, kRows * kPiece), sum = Ub<float>(4096, 16),
                           max = Ub<float>(8192, 16), factor = Ub<float>(12288, 16),
                           all = Ub<float>(16384, kPieces * kRows * kPiece);
        SoftMaxTiling tiling;
        const SoftMaxShapeInfo shape = {kRows, kPiece, kRows, kPiece};
        for (uint32_t p = 0; p < kPieces; ++p) {
          LocalTensor<float> part = all[p * kRows * kPiece];
          DataCopy(lx, In<float>(x)[p * kRows * kPiece], kRows * kPiece);
          if (p == 0) {
            SoftmaxFlashV2<float, false>(part, sum, max, lx, factor, sum, max, tiling, shape);
            continue;
          }
          SoftmaxFlashV2<float, true>(part, sum, max, lx, factor, sum, max, tiling, shape);
          for (uint32_t q = 0; q < p; ++q) {
            for (uint32_t i = 0; i < kRows * kPiece; ++i) {
              const uint32_t at = q * kRows * kPiece + i;
              all.SetValue(at, all.GetValue(at) * factor.GetValue(i / kPiece * 8));
            }
          }
        }
        DataCopy(In<float>(z), all, kPieces * kRows * kPiece);
        DataCopy(In<float>(stat), sum, 16);
      },
      gx, gz, gstat);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t r = 0; r < kRows; ++r) {
    const auto at = [&](uint32_t p, uint32_t i) { return (p * kRows + r) * kPiece + i; };
    double max = -1e9, sum = 0;
    for (uint32_t p = 0; p < kPieces; ++p)
      for (uint32_t i = 0; i < kPiece; ++i) max = std::max(max, double(x[at(p, i)]));
    for (uint32_t p = 0; p < kPieces; ++p)
      for (uint32_t i = 0; i < kPiece; ++i) sum += std::exp(x[at(p, i)] - max);
    EXPECT_NEAR(gstat[r * 8], sum, 1e-5 * sum);
    for (uint32_t p = 0; p < kPieces; ++p)
      for (uint32_t i = 0; i < kPiece; ++i)
        EXPECT_NEAR(gz[at(p, i)], std::exp(x[at(p, i)] - max), 1e-5);
  }
}

constexpr uint32_t kRows = 3, kColumns = 48, kUsed = 41;  // ragged

/// Copies two matrices and two columns of rows in, calls, copies a matrix and a column out. A
/// column has a block for each row.
template <typename T>
struct Softmaxes {
  static constexpr uint32_t kBlock = 32 / sizeof(T), kAll = kRows * kColumns;
  LocalTensor<T> x = Ub<T>(0, kAll), y = Ub<T>(8192, kAll), z = Ub<T>(16384, kAll),
                 sum = Ub<T>(24576, kRows* kBlock), max = Ub<T>(28672, kRows* kBlock),
                 factor = Ub<T>(32768, kRows* kBlock);
  LocalTensor<uint8_t> tmp = Ub<uint8_t>(65536, 8192);
  SoftMaxShapeInfo shape = {kRows, kColumns, kRows, kUsed};
};

template <typename T>
double At(const std::vector<T>& matrix, uint32_t row, uint32_t column) {
  return double(float(matrix[row * kColumns + column]));
}
template <typename T>
double MaxOf(const std::vector<T>& x, uint32_t row) {
  double max = At(x, row, 0);
  for (uint32_t i = 1; i < kUsed; ++i) max = std::max(max, At(x, row, i));
  return max;
}
template <typename T>
double SumOf(const std::vector<T>& x, uint32_t row, double max) {
  double sum = 0;
  for (uint32_t i = 0; i < kUsed; ++i) sum += std::exp(At(x, row, i) - max);
  return sum;
}

template <typename T>
class SoftMaxFamilyTest : public ::testing::Test {
 protected:
  static constexpr double kTolerance = sizeof(T) == 2 ? 2e-3 : 1e-5;  // relative
  using S = Softmaxes<T>;
};
using Types = ::testing::Types<half, float>;
TYPED_TEST_SUITE(SoftMaxFamilyTest, Types);

TYPED_TEST(SoftMaxFamilyTest, LogSoftMaxIsTheLogarithmToBaseTenOfTheUnroundedQuotient) {
  using T = TypeParam;
  using S = Softmaxes<T>;
  std::vector<T> x = Noise<T>(S::kAll, -20, 20, 1);  // quotients down to e-17, zero in half
  Gm<T> gx(x), gz(S::kAll), gsum(kRows * S::kBlock), gmax(kRows * S::kBlock);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z, GM_ADDR sum, GM_ADDR max) {
        S s;
        DataCopy(s.x, In<T>(x), S::kAll);
        LogSoftMax<T>(s.z, s.sum, s.max, s.x, s.tmp, LogSoftMaxTiling{}, s.shape);
        DataCopy(In<T>(z), s.z, S::kAll);
        DataCopy(In<T>(sum), s.sum, kRows * S::kBlock);
        DataCopy(In<T>(max), s.max, kRows * S::kBlock);
      },
      gx, gz, gsum, gmax);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t r = 0; r < kRows; ++r) {
    const double max = MaxOf(x, r), sum = SumOf(x, r, max);
    for (uint32_t i = 0; i < kUsed; ++i) {
      const double expected = std::log10(std::exp(At(x, r, i) - max) / sum);
      EXPECT_NEAR(float(gz[r * kColumns + i]), expected,
                  this->kTolerance * std::max(1.0, std::abs(expected)));
    }
    EXPECT_NEAR(float(gsum[r * S::kBlock + S::kBlock - 1]), sum, this->kTolerance * sum);
    EXPECT_EQ(double(float(gmax[r * S::kBlock])), max);
  }
}

TYPED_TEST(SoftMaxFamilyTest, SimpleSoftMaxTakesTheSumsAndMaximaItIsGiven) {
  using T = TypeParam;
  using S = Softmaxes<T>;
  std::vector<T> x = Noise<T>(S::kAll, -4, 4, 2), sum(kRows * S::kBlock), max(kRows * S::kBlock);
  for (uint32_t r = 0; r < kRows; ++r) {  // not those of x
    std::fill_n(sum.begin() + r * S::kBlock, S::kBlock, T(7.0f + float(r)));
    std::fill_n(max.begin() + r * S::kBlock, S::kBlock, T(1.5f - float(r)));
  }
  Gm<T> gx(x), gz(S::kAll), gsum(sum), gmax(max);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z, GM_ADDR sum, GM_ADDR max) {
        S s;
        DataCopy(s.x, In<T>(x), S::kAll);
        DataCopy(s.sum, In<T>(sum), kRows * S::kBlock);
        DataCopy(s.max, In<T>(max), kRows * S::kBlock);
        SimpleSoftMax<T>(s.z, s.sum, s.max, s.x, s.tmp, SoftMaxTiling{}, s.shape);
        DataCopy(In<T>(z), s.z, S::kAll);
      },
      gx, gz, gsum, gmax);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t r = 0; r < kRows; ++r)
    for (uint32_t i = 0; i < kUsed; ++i) {
      const double expected = std::exp(At(x, r, i) - (1.5 - r)) / (7.0 + r);
      EXPECT_NEAR(float(gz[r * kColumns + i]), expected, this->kTolerance * expected + 1e-7);
    }
}

TYPED_TEST(SoftMaxFamilyTest, SoftmaxFlashGoesOnFromAnEarlierSumAndMaximum) {
  using T = TypeParam;
  using S = Softmaxes<T>;
  std::vector<T> first = Noise<T>(S::kAll, -3, 3, 3), second = Noise<T>(S::kAll, -3, 3, 4);
  Gm<T> gx(first), gy(second), gz(2 * S::kAll), gstat(3 * kRows * S::kBlock);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR stat) {
        S s;
        DataCopy(s.x, In<T>(x), S::kAll);
        DataCopy(s.y, In<T>(y), S::kAll);
        SoftmaxFlash<T>(s.z, s.sum, s.max, s.x, s.factor, s.sum, s.max, s.tmp, SoftMaxTiling{},
                        false, s.shape);
        DataCopy(In<T>(z), s.z, S::kAll);
        SoftmaxFlash<T>(s.z, s.sum, s.max, s.y, s.factor, s.sum, s.max, s.tmp, SoftMaxTiling{},
                        true, s.shape);
        DataCopy(In<T>(z)[S::kAll], s.z, S::kAll);
        DataCopy(In<T>(stat), s.sum, kRows * S::kBlock);
        DataCopy(In<T>(stat)[kRows * S::kBlock], s.max, kRows * S::kBlock);
        DataCopy(In<T>(stat)[2 * kRows * S::kBlock], s.factor, kRows * S::kBlock);
      },
      gx, gy, gz, gstat);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t r = 0; r < kRows; ++r) {
    const double max = MaxOf(first, r), sum = SumOf(first, r, max);
    const double max_of_both = std::max(max, MaxOf(second, r));
    const double factor = std::exp(max - max_of_both) * sum;
    const double sum_of_both = factor + SumOf(second, r, max_of_both);
    for (uint32_t i = 0; i < kUsed; ++i) {
      EXPECT_NEAR(float(gz[r * kColumns + i]), std::exp(At(first, r, i) - max) / sum,
                  this->kTolerance);
      EXPECT_NEAR(float(gz[S::kAll + r * kColumns + i]),
                  std::exp(At(second, r, i) - max_of_both) / sum_of_both, this->kTolerance);
    }
    EXPECT_NEAR(float(gstat[r * S::kBlock]), sum_of_both, this->kTolerance * sum_of_both);
    EXPECT_EQ(double(float(gstat[(kRows + r) * S::kBlock])), max_of_both);
    // What earlier results are to be multiplied by.
    EXPECT_NEAR(float(gstat[(2 * kRows + r) * S::kBlock + 1]), factor / sum_of_both,
                this->kTolerance);
  }
}

TYPED_TEST(SoftMaxFamilyTest, TheGradientAndItsFrontAreThoseOfTheRowSums) {
  using T = TypeParam;
  using S = Softmaxes<T>;
  std::vector<T> grad = Noise<T>(S::kAll, -2, 2, 5), y = Noise<T>(S::kAll, 0, 0.1f, 6);
  Gm<T> gx(grad), gy(y), gz(S::kAll), gfront(2 * kRows * S::kBlock);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR front) {
        S s;
        DataCopy(s.x, In<T>(x), S::kAll);
        DataCopy(s.y, In<T>(y), S::kAll);
        SoftmaxGrad<T>(s.z, s.x, s.y, s.tmp, SoftMaxTiling{}, false, s.shape);
        SoftmaxGrad<T>(s.sum, s.x, s.y, s.tmp, SoftMaxTiling{}, true, s.shape);
        SoftmaxGradFront<T>(s.max, s.x, s.y, s.tmp, SoftMaxTiling{}, s.shape);
        DataCopy(In<T>(z), s.z, S::kAll);
        DataCopy(In<T>(front), s.sum, kRows * S::kBlock);
        DataCopy(In<T>(front)[kRows * S::kBlock], s.max, kRows * S::kBlock);
      },
      gx, gy, gz, gfront);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t r = 0; r < kRows; ++r) {
    double front = 0;
    for (uint32_t i = 0; i < kUsed; ++i) front += At(grad, r, i) * At(y, r, i);
    for (uint32_t i = 0; i < kUsed; ++i) {
      EXPECT_NEAR(float(gz[r * kColumns + i]), (At(grad, r, i) - front) * At(y, r, i),
                  this->kTolerance * 0.3);
    }
    for (uint32_t i = 0; i < S::kBlock; ++i) {
      EXPECT_NEAR(float(gfront[r * S::kBlock + i]), front, this->kTolerance);
      EXPECT_EQ(float(gfront[(kRows + r) * S::kBlock + i]), float(gfront[r * S::kBlock + i]));
    }
  }
}

TEST(AdjustSoftMaxResTest, RowsWhoseMaximumHasThePatternGetTheValue) {
  using S = Softmaxes<float>;
  std::vector<float> result_of(S::kAll, 0.25f), max(kRows * S::kBlock, 1.0f);
  constexpr uint32_t kLowest = 0xFF7FFFFF;  // -FLT_MAX, as masked rows have it
  for (uint32_t i = 0; i < S::kBlock; ++i) {
    std::memcpy(&max[S::kBlock + i], &kLowest, sizeof(float));
  }
  Gm<float> gz(result_of), gmax(max);
  Gm<int32_t> gfound(16);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR z, GM_ADDR max, GM_ADDR found) {
        S s;
        DataCopy(s.z, In<float>(z), S::kAll);
        DataCopy(s.max, In<float>(max), kRows * S::kBlock);
        const bool any = AdjustSoftMaxRes<float, float>(s.z, s.max, kLowest, 0.0f, s.shape);
        const bool none = AdjustSoftMaxRes<float, float>(s.z, s.max, 0x7F800000u, 9.0f, s.shape);
        In<int32_t>(found).SetValue(0, any);
        In<int32_t>(found).SetValue(1, none);
        DataCopy(In<float>(z), s.z, S::kAll);
      },
      gz, gmax, gfound);
  ASSERT_TRUE(result.ok) << result.report;
  EXPECT_EQ(gfound[0], 1);
  EXPECT_EQ(gfound[1], 0);
  for (uint32_t i = 0; i < S::kAll; ++i) EXPECT_EQ(gz[i], i / kColumns == 1 ? 0.0f : 0.25f) << i;
}

}  // namespace
}  // namespace hostnpu::testing

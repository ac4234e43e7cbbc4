// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions along an axis that a pattern names, and anti-quantisation by channels.
#include <gmock/gmock.h>

#include "tensors.h"
#include "tiling/tiling_api.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

constexpr uint32_t kSrc = 0, kDst = 65536, kOffset = 98304, kScale = 114688;

/// Rows that lie padded to whole blocks; the padding would spoil every result.
template <typename T>
std::vector<T> Padded(const std::vector<T>& values, uint32_t rows, uint32_t columns) {
  const uint32_t step = (columns * sizeof(T) + 31) / 32 * 32 / sizeof(T);
  std::vector<T> padded(rows * step, static_cast<T>(77.0f));
  for (uint32_t i = 0; i < rows * columns; ++i)
    padded[i / columns * step + i % columns] = values[i];
  return padded;
}

template <typename T>
using Call = void (*)(const LocalTensor<T>&, const LocalTensor<T>&, const uint32_t*, bool);

/// Compares both patterns with `combine` over the values of a row or column, in double.
template <typename T>
void ExpectReduced(const char* what, Call<T> by_row, Call<T> by_column, std::vector<T> values,
                   std::function<double(const std::vector<double>&)> combine) {
  for (const auto& [rows, columns] :
       {std::pair<uint32_t, uint32_t>{3, 8}, {1, 1}, {5, 13}, {7, 70}}) {
    const std::vector<T> part(values.begin(), values.begin() + rows * columns);
    std::vector<T> row_results, column_results;
    const uint32_t shape[] = {rows, columns};
    const LaunchResult result = OnCore([&, r = rows, c = columns] {
      PutUb(kSrc, Padded(part, r, c));
      by_row(Ub<T>(kDst), Ub<T>(kSrc), shape, true);
      row_results = GetUb<T>(kDst, r);
      by_column(Ub<T>(kDst), Ub<T>(kSrc), shape, true);
      column_results = GetUb<T>(kDst, c);
    });
    ASSERT_TRUE(result.ok) << result.report;
    for (uint32_t axis = 0; axis < 2; ++axis) {
      const uint32_t results = axis == 0 ? rows : columns, count = axis == 0 ? columns : rows;
      for (uint32_t i = 0; i < results; ++i) {
        std::vector<double> along;
        for (uint32_t j = 0; j < count; ++j)
          along.push_back(static_cast<double>(part[axis == 0 ? i * columns + j : j * columns + i]));
        const double expected = combine(along);
        EXPECT_NEAR(static_cast<double>((axis == 0 ? row_results : column_results)[i]), expected,
                    1e-6 + 1e-6 * std::fabs(expected))
            << what << ' ' << rows << " x " << columns << ' ' << axis << ' ' << i;
      }
    }
  }
}
#define EXPECT_REDUCED(Name, T, values, combine)                                                \
  ExpectReduced<T>(#Name, &Name<T, Pattern::Reduce::AR>, &Name<T, Pattern::Reduce::RA>, values, \
                   combine)

double SumOf(const std::vector<double>& x) {
  double sum = 0;
  for (double one : x) sum += one;
  return sum;
}

TEST(ReducePatternTest, EachReductionOverRowsAndColumns) {
  const std::vector<float> x = Noise<float>(490, -1.2f, 1.2f, 1);
  const std::vector<half> h = Noise<half>(490, -9, 9, 2);
  EXPECT_REDUCED(ReduceSum, float, x, SumOf);
  EXPECT_REDUCED(ReduceMean, float, x, [](const auto& v) { return SumOf(v) / v.size(); });
  EXPECT_REDUCED(ReduceProd, float, x, [](const auto& v) {
    double product = 1;
    for (double one : v) product *= one;
    return product;
  });
  const auto largest = [](const auto& v) { return *std::max_element(v.begin(), v.end()); };
  const auto smallest = [](const auto& v) { return *std::min_element(v.begin(), v.end()); };
  EXPECT_REDUCED(ReduceMax, float, x, largest);
  EXPECT_REDUCED(ReduceMax, half, h, largest);
  EXPECT_REDUCED(ReduceMin, float, x, smallest);
  EXPECT_REDUCED(ReduceMin, half, h, smallest);
  std::vector<uint8_t> bits(490);
  for (size_t i = 0; i < bits.size(); ++i) bits[i] = i % 11 != 3;
  EXPECT_REDUCED(ReduceAll, uint8_t, bits, smallest);
  EXPECT_REDUCED(ReduceAny, uint8_t, bits, largest);
  for (uint8_t& bit : bits) bit = !bit;
  EXPECT_REDUCED(ReduceAny, uint8_t, bits, largest);
}

TEST(ReducePatternTest, RowsThatAreNotPaddedAreRefused) {
  const auto run = [](bool padded) {
    return OnCore([=] {
      const uint32_t shape[] = {2, 8};
      ReduceMean<float, Pattern::Reduce::AR>(Ub<float>(kDst), Ub<float>(kSrc), shape, padded);
    });
  };
  EXPECT_EQ(run(true).report, "");
  EXPECT_THAT(run(false).message, ::testing::HasSubstr("ReduceMean has srcInnerPad = false"));
}

TEST(ReducePatternTest, TheHostKnowsTheSizesOfTemporaryBuffers) {
  uint32_t most = 0, least = 0;
  GetReduceMeanMaxMinTmpSize(TensorShape({4, 64}), ge::DataType::DT_FLOAT, ReducePattern::AR, true,
                             false, most, least);
  EXPECT_GE(most, least);
  EXPECT_GE(least, 256u);
}

constexpr uint32_t kK = 12, kN = 32;

/// groups of kK / `groups` rows (transposed: columns) share an offset and a scale.
template <typename T, bool transposed>
void ExpectChannels(uint32_t groups, double tolerance) {
  std::vector<int8_t> src(kK * kN);
  for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<int8_t>(i * 37 % 256 - 128);
  const std::vector<T> offset = Noise<T>(groups * kN, -9, 9, 3),
                       scale = Noise<T>(groups * kN, 0.5f, 2, 4);
  std::vector<T> both, alone;
  const LaunchResult result = OnCore([&] {
    PutUb(kSrc, src), PutUb(kOffset, offset), PutUb(kScale, scale);
    const uint32_t height = transposed ? kN : groups, width = transposed ? groups : kN;
    const LocalTensor<int8_t> from = Ub<int8_t>(kSrc, kK * kN);
    const AntiQuantShapeInfo shape = {height, width, height, width};
    AscendAntiQuant<int8_t, T, transposed>(Ub<T>(kDst), from, Ub<T>(kOffset), Ub<T>(kScale), kK,
                                           shape);
    both = GetUb<T>(kDst, kK * kN);
    LocalTensor<T> scales = Ub<T>(kScale);
    const uint32_t sizes[] = {height, width};
    scales.SetShapeInfo(ShapeInfo(2, sizes, DataFormat::ND));
    AscendAntiQuant<int8_t, T, transposed>(Ub<T>(kDst), from, scales, Ub<uint8_t>(131072), kK);
    alone = GetUb<T>(kDst, kK * kN);
  });
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t k = 0; k < kK; ++k) {
    for (uint32_t n = 0; n < kN; ++n) {
      const uint32_t at = transposed ? n * kK + k : k * kN + n;
      const uint32_t group = k / (kK / groups);
      const uint32_t of = transposed ? n * groups + group : group * kN + n;
      const double o = static_cast<float>(offset[of]), s = static_cast<float>(scale[of]);
      EXPECT_NEAR(static_cast<float>(both[at]), (src[at] + o) * s, tolerance) << k << ' ' << n;
      EXPECT_NEAR(static_cast<float>(alone[at]), src[at] * s, tolerance) << k << ' ' << n;
    }
  }
}

TEST(AntiQuantTest, EveryGroupOfAChannelHasItsOffsetAndScale) {
  for (uint32_t groups : {1u, 3u, 12u}) {
    ExpectChannels<half, false>(groups, 0.25);
    ExpectChannels<half, true>(groups, 0.25);
    ExpectChannels<bfloat16_t, false>(groups, 1.0);
  }
}

TEST(AntiQuantTest, OneOffsetAndScaleForAll) {
  std::vector<half> out;
  const LaunchResult result = OnCore([&] {
    PutUb(kSrc, std::vector<int8_t>{-128, -1, 0, 127});
    AscendAntiQuant<int8_t, half, false>(Ub<half>(kDst), Ub<int8_t>(kSrc, 4), half(0.5f),
                                         half(2.0f), 2);
    out = GetUb<half>(kDst, 4);
  });
  ASSERT_TRUE(result.ok) << result.report;
  EXPECT_EQ(out, (std::vector<half>{half(-255.0f), half(-1.0f), half(1.0f), half(255.0f)}));
}

TEST(AntiQuantTest, ShapesThatDoNotFitAreRefused) {
  const auto run = [](uint32_t height, uint32_t width) {
    return OnCore([=] {
      AscendAntiQuant<int8_t, half, false>(Ub<half>(kDst), Ub<int8_t>(kSrc, kK * kN),
                                           Ub<half>(kOffset), Ub<half>(kScale), kK,
                                           {height, width, height, width});
    });
  };
  EXPECT_EQ(run(4, kN).report, "");
  EXPECT_THAT(run(5, kN).message, ::testing::HasSubstr("has a offset of 5 x 32 for a src of 12 x"));
  EXPECT_THAT(run(1, kN - 1).message, ::testing::HasSubstr("of 1 x 31"));
  EXPECT_THAT(run(0, 0).message, ::testing::HasSubstr("of 0 x 0"));
}

}  // namespace
}  // namespace hostnpu::testing

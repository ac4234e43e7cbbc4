// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The high-level vector functions against the same mathematics in double.
#include <algorithm>
#include <cmath>
#include <random>

#include "tensors.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

/// Within one unit in the last place.
template <typename T>
bool Close(T a, double expected) {
  const T b = Nearest<T>(expected);
  if (std::isnan(float(a)) || std::isnan(float(b))) {
    return std::isnan(float(a)) && std::isnan(float(b));
  }
  if constexpr (sizeof(T) == 2) {
    const auto ordered = [](half v) {
      const int bits = BitsOf(v);
      return (bits & 0x8000) != 0 ? -(bits & 0x7FFF) : bits;
    };
    return std::abs(ordered(a) - ordered(b)) <= 1;
  } else {
    return UlpDistance(a, b) <= 1;
  }
}

constexpr uint32_t kCount = 237;  // ragged
constexpr uint32_t kSize = 256;

#define EXPECT_ELEMENTWISE(Name, low, high, reference)                                 \
  {                                                                                    \
    std::vector<T> x = Noise<T>(kSize, low, high, __LINE__);                           \
    Gm<T> gx(x), gz(kSize);                                                            \
    const LaunchResult result = Launch(                                                \
        {},                                                                            \
        [](GM_ADDR x, GM_ADDR z) {                                                     \
          LocalTensor<T> lx = Ub<T>(0, kSize), lz = Ub<T>(8192, kSize);                \
          DataCopy(lx, In<T>(x), kSize);                                               \
          DataCopy(lz, In<T>(z), kSize);                                               \
          Name(lz, lx, kCount);                                                        \
          DataCopy(In<T>(z), lz, kSize);                                               \
        },                                                                             \
        gx, gz);                                                                       \
    ASSERT_TRUE(result.ok) << result.report;                                           \
    for (uint32_t i = 0; i < kCount; ++i) {                                            \
      const double v = double(float(x[i]));                                            \
      const double expected = reference;                                               \
      ASSERT_TRUE(Close(gz[i], expected))                                              \
          << #Name << "(" << v << ") = " << float(gz[i]) << ", expected " << expected; \
    }                                                                                  \
    EXPECT_EQ(reinterpret_cast<uint8_t*>(&gz[kCount])[0], 0xA5) << #Name;              \
  }

template <typename T>
class ElementwiseTest : public ::testing::Test {};
using Types = ::testing::Types<half, float>;
TYPED_TEST_SUITE(ElementwiseTest, Types);

TYPED_TEST(ElementwiseTest, LogarithmsAndRounding) {
  using T = TypeParam;
  EXPECT_ELEMENTWISE(Log, 0.01f, 50, std::log(v))
  EXPECT_ELEMENTWISE(Log2, 0.01f, 50, std::log2(v))
  EXPECT_ELEMENTWISE(Log10, 0.01f, 50, std::log10(v))
  EXPECT_ELEMENTWISE(Ceil, -20, 20, std::ceil(v))
  EXPECT_ELEMENTWISE(Floor, -20, 20, std::floor(v))
  EXPECT_ELEMENTWISE(Trunc, -20, 20, std::trunc(v))
  EXPECT_ELEMENTWISE(Round, -20, 20, std::nearbyint(v))
  EXPECT_ELEMENTWISE(Frac, -20, 20, v - std::trunc(v))
  EXPECT_ELEMENTWISE(Sign, -2, 2, (v > 0) - (v < 0))
}
TYPED_TEST(ElementwiseTest, CircularFunctions) {
  using T = TypeParam;
  EXPECT_ELEMENTWISE(Sin, -60000, 60000, std::sin(v))
  EXPECT_ELEMENTWISE(Cos, -60000, 60000, std::cos(v))
  EXPECT_ELEMENTWISE(Tan, -1.5f, 1.5f, std::tan(v))
  EXPECT_ELEMENTWISE(Asin, -1, 1, std::asin(v))
  EXPECT_ELEMENTWISE(Acos, -1, 1, std::acos(v))
  EXPECT_ELEMENTWISE(Atan, -100, 100, std::atan(v))
}
TYPED_TEST(ElementwiseTest, HyperbolicFunctions) {
  using T = TypeParam;
  EXPECT_ELEMENTWISE(Sinh, -10, 10, std::sinh(v))
  EXPECT_ELEMENTWISE(Cosh, -10, 10, std::cosh(v))
  EXPECT_ELEMENTWISE(Tanh, -5, 5, std::tanh(v))
  EXPECT_ELEMENTWISE(Tanh, -0.01f, 0.01f, std::tanh(v))
  EXPECT_ELEMENTWISE(Asinh, -50, 50, std::asinh(v))
  EXPECT_ELEMENTWISE(Acosh, 1, 50, std::acosh(v))
  EXPECT_ELEMENTWISE(Atanh, -0.99f, 0.99f, std::atanh(v))
}
TYPED_TEST(ElementwiseTest, ErrorAndGammaFunctionsAndActivations) {
  using T = TypeParam;
  EXPECT_ELEMENTWISE(Erf, -3, 3, std::erf(v))
  EXPECT_ELEMENTWISE(Erfc, -3, 3, std::erfc(v))
  EXPECT_ELEMENTWISE(Lgamma, 0.5f, 20, std::lgamma(v))
  EXPECT_ELEMENTWISE(Sigmoid, -20, 20, 1 / (1 + std::exp(-v)))
  EXPECT_ELEMENTWISE(Silu, -20, 20, v / (1 + std::exp(-v)))
  EXPECT_ELEMENTWISE(Gelu, -6, 6,
                     v / (1 + std::exp(-1.5957691216057308 * (v + 0.044715 * v * v * v))))
  EXPECT_ELEMENTWISE(FasterGelu, -6, 6, v / (1 + std::exp(-1.702 * v)))
}

TEST(ElementwiseEdgeTest, SpecialValuesGoWhereTheMathematicsSaysTheyGo) {
  const std::vector<float> x = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e-30f, 88.0f, -88.0f};
  Gm<float> gx(x), gz(40);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z) {
        LocalTensor<float> lx = Ub<float>(0, 8), lz = Ub<float>(8192, 40);
        LocalTensor<uint8_t> tmp = Ub<uint8_t>(65536, 1024);
        DataCopy(lx, In<float>(x), 8);
        Tanh(lz, lx);
        Sigmoid(lz[8], lx, tmp);
        Sign(lz[16], lx, tmp, 8);
        Sinh(lz[24], lx, 8);
        Cosh(lz[32], lx, 8);
        DataCopy(In<float>(z), lz, 40);
      },
      gx, gz);
  ASSERT_TRUE(result.ok) << result.report;
  for (int i = 0; i < 8; ++i) {
    const double v = x[i];
    EXPECT_TRUE(Close(gz[i], std::tanh(v))) << v << " " << gz[i];
    EXPECT_TRUE(Close(gz[8 + i], 1 / (1 + std::exp(-v)))) << v << " " << gz[8 + i];
    EXPECT_TRUE(Close(gz[24 + i], std::sinh(v))) << v << " " << gz[24 + i];
    EXPECT_TRUE(Close(gz[32 + i], std::cosh(v))) << v << " " << gz[32 + i];
  }
  EXPECT_EQ(gz[16 + 2], 1.0f);
  EXPECT_EQ(gz[16 + 3], -1.0f);
  EXPECT_EQ(gz[16 + 1], 0.0f);
}

TEST(PowerTest, TensorsAndScalarsOnEitherSide) {
  std::vector<float> x = Noise<float>(64, 0.1f, 4, 1), y = Noise<float>(64, -3, 3, 2);
  x[0] = -2, y[0] = 3, x[1] = -2, y[1] = 0.5f, x[2] = 0, y[2] = 0, x[3] = 5, y[3] = 0;
  Gm<float> gx(x), gy(y), gz(192);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR y, GM_ADDR z) {
        LocalTensor<float> lx = Ub<float>(0, 64), ly = Ub<float>(1024, 64),
                           lz = Ub<float>(8192, 192);
        LocalTensor<uint8_t> tmp = Ub<uint8_t>(65536, 1024);
        DataCopy(lx, In<float>(x), 64);
        DataCopy(ly, In<float>(y), 64);
        Power(lz, lx, ly);
        Power(lz[64], lx, 2.5f, tmp, 64);
        Power<float>(lz[128], 1.5f, ly, 64);
        DataCopy(In<float>(z), lz, 192);
      },
      gx, gy, gz);
  ASSERT_TRUE(result.ok) << result.report;
  for (int i = 0; i < 64; ++i) {
    EXPECT_TRUE(Close(gz[i], std::pow(double(x[i]), double(y[i])))) << x[i] << " " << y[i];
    EXPECT_TRUE(Close(gz[64 + i], std::pow(double(x[i]), 2.5)));
    EXPECT_TRUE(Close(gz[128 + i], std::pow(1.5, double(y[i]))));
  }
  Gm<int32_t> gi(std::vector<int32_t>{2, -3, 7, 1, -1, 0, 5, 10}), gj(8);
  const LaunchResult integer = Launch(
      {},
      [](GM_ADDR i, GM_ADDR j) {
        LocalTensor<int32_t> li = Ub<int32_t>(0, 8), lj = Ub<int32_t>(1024, 8);
        DataCopy(li, In<int32_t>(i), 8);
        Power(lj, li, 5, 8);
        DataCopy(In<int32_t>(j), lj, 8);
      },
      gi, gj);
  ASSERT_TRUE(integer.ok) << integer.report;
  EXPECT_EQ(gj.ToVector(), (std::vector<int32_t>{32, -243, 16807, 1, -1, 0, 3125, 100000}));
}

TEST(RowTest, SumAndMeanTakeTheFirstElementsOfEachRow) {
  for (uint32_t n : {1u, 9u, 64u, 65u, 500u, 4097u}) {
    const uint32_t inner = (n + 7) / 8 * 8, rows = 3;
    std::vector<float> x = Noise<float>(rows * inner, -1, 1, n);
    Gm<float> gx(x), gz(32);
    const LaunchResult result = Launch(
        {},
        [](GM_ADDR x, GM_ADDR z, uint32_t rows, uint32_t inner, uint32_t n) {
          LocalTensor<float> lx = Ub<float>(0, rows * inner), lz = Ub<float>(131072, 32);
          LocalTensor<uint8_t> tmp = Ub<uint8_t>(140000 / 32 * 32, 1024);
          DataCopy(lx, In<float>(x), rows * inner);
          Sum(lz, lx, tmp, SumParams{rows, inner, n});
          Mean(lz[16], lx, MeanParams{rows, inner, n});
          DataCopy(In<float>(z), lz, 32);
        },
        gx, gz, rows, inner, n);
    ASSERT_TRUE(result.ok) << result.report;
    for (uint32_t r = 0; r < rows; ++r) {
      double sum = 0;
      for (uint32_t i = 0; i < n; ++i) sum += x[r * inner + i];
      EXPECT_NEAR(gz[r], sum, 1e-5 * std::sqrt(n)) << n;
      EXPECT_NEAR(gz[16 + r], sum / n, 1e-6) << n;
    }
  }
}

TEST(BroadcastTest, RepeatsRowsAndColumns) {
  std::vector<half> x(16);
  for (int i = 0; i < 16; ++i) x[i] = half(i);
  Gm<half> gx(x), gz(512);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z) {
        LocalTensor<half> lx = Ub<half>(0, 16), lz = Ub<half>(8192, 512);
        DataCopy(lx, In<half>(x), 16);
        const uint32_t to[] = {16, 16}, row[] = {1, 16}, column[] = {16, 1};
        Broadcast<half, 2, 0>(lz, lx, to, row);
        Broadcast<half, 2, 1>(lz[256], lx, to, column);
        DataCopy(In<half>(z), lz, 512);
      },
      gx, gz);
  ASSERT_TRUE(result.ok) << result.report;
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(float(gz[i]), i % 16);
    EXPECT_EQ(float(gz[256 + i]), i / 16);
  }
  const auto wrong = [](uint32_t rows) {
    const uint32_t to[] = {16, 16}, from[] = {rows, 16};
    Broadcast<half, 2, 0>(Ub<half>(8192, 512), Ub<half>(0, 256), to, from);
  };
  EXPECT_TRUE(Launch({}, wrong, 1u).ok);
  EXPECT_EQ(Launch({}, wrong, 2u).kind, HOSTNPU_FAULT_ARGUMENT);
}

TEST(QuantizationTest, DequantScalesColumnsAndPadsRowsOfHalf) {
  std::vector<int32_t> x(24);
  for (int i = 0; i < 24; ++i) x[i] = i - 12;
  std::vector<float> scale = {0.5f, 1, 2, 0.25f, 3, 1, 1, 1};
  Gm<int32_t> gx(x);
  Gm<float> gs(scale);
  Gm<half> gz(48);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR s, GM_ADDR z) {
        LocalTensor<int32_t> lx = Ub<int32_t>(0, 24);
        LocalTensor<float> ls = Ub<float>(1024, 8);
        LocalTensor<half> lz = Ub<half>(8192, 48);
        DataCopy(lx, In<int32_t>(x), 24);
        DataCopy(ls, In<float>(s), 8);
        AscendDequant(lz, lx, ls, DequantParams{3, 8, 5});
        DataCopy(In<half>(z), lz, 48);
      },
      gx, gs, gz);
  ASSERT_TRUE(result.ok) << result.report;
  for (int r = 0; r < 3; ++r)
    for (int i = 0; i < 5; ++i) EXPECT_EQ(float(gz[r * 16 + i]), x[r * 8 + i] * scale[i]);
}

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

TEST(NormalizationTest, LayerNormAndRmsNormOverTheLastDimension) {
  constexpr uint32_t kRows = 4, kStep = 40, kUsed = 37;
  std::vector<float> x = Noise<float>(kRows * kStep, -3, 3, 6),
                     gamma = Noise<float>(kStep, 0, 2, 7), beta = Noise<float>(kStep, -1, 1, 8);
  Gm<float> gx(x), gg(gamma), gb(beta), gz(2 * kRows * kStep), gs(16);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR g, GM_ADDR b, GM_ADDR z, GM_ADDR s) {
        LocalTensor<float> lx = Ub<float>(0, kRows * kStep), lg = Ub<float>(4096, kStep),
                           lb = Ub<float>(8192, kStep), lz = Ub<float>(16384, 2 * kRows * kStep),
                           mean = Ub<float>(12288, 8), variance = Ub<float>(12320, 8);
        DataCopy(lx, In<float>(x), kRows * kStep);
        DataCopy(lg, In<float>(g), kStep);
        DataCopy(lb, In<float>(b), kStep);
        LayerNormTiling tiling;
        tiling.bLength = 2;
        tiling.sLength = 2;
        tiling.hLength = kStep;
        tiling.originalHLength = kUsed;
        LayerNorm<float>(lz, mean, variance, lx, lg, lb, 1e-5f, tiling);
        RmsNormTiling rms;
        rms.bLength = 1;
        rms.sLength = 4;
        rms.hLength = kStep;
        rms.originalHLength = kUsed;
        RmsNorm<float>(lz[kRows * kStep], lx, lg, 1e-5f, rms);
        DataCopy(In<float>(z), lz, 2 * kRows * kStep);
        DataCopy(In<float>(s), mean, 16);
      },
      gx, gg, gb, gz, gs);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t r = 0; r < kRows; ++r) {
    double mean = 0, variance = 0, squares = 0;
    for (uint32_t i = 0; i < kUsed; ++i) mean += x[r * kStep + i] / double(kUsed);
    for (uint32_t i = 0; i < kUsed; ++i) {
      variance += std::pow(x[r * kStep + i] - mean, 2) / kUsed;
      squares += std::pow(double(x[r * kStep + i]), 2) / kUsed;
    }
    EXPECT_NEAR(gs[r], mean, 1e-6);
    EXPECT_NEAR(gs[8 + r], variance, 1e-5);
    for (uint32_t i = 0; i < kUsed; ++i) {
      const double v = x[r * kStep + i];
      EXPECT_NEAR(gz[r * kStep + i], (v - mean) / std::sqrt(variance + 1e-5) * gamma[i] + beta[i],
                  2e-6);
      EXPECT_NEAR(gz[(kRows + r) * kStep + i], v / std::sqrt(squares + 1e-5) * gamma[i], 2e-6);
    }
  }
}

}  // namespace
}  // namespace hostnpu::testing

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

/// x times the normal distribution, by the library's clipped square in place of erf.
double ClippedGelu(double x) {
  const double distance = std::min(std::abs(x) / std::sqrt(2.0), 1.769) - 1.769;
  const double half_erf = -0.1444 * distance * distance + 0.5;
  return x * (0.5 + (x < 0 ? -half_erf : half_erf));
}

/// The derivative of lgamma: by its recurrence up to 12, then by its asymptotic series.
double DigammaOf(double x) {
  double below = 0;
  for (; x < 12; x += 1) below += 1 / x;
  const double square = 1 / (x * x);
  return std::log(x) - 0.5 / x - square * (1.0 / 12 - square * (1.0 / 120 - square / 252)) - below;
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
  EXPECT_ELEMENTWISE(Rint, -20, 20, std::nearbyint(v))
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
  EXPECT_ELEMENTWISE(FasterGeluV2, -6, 6, ClippedGelu(v))
  EXPECT_ELEMENTWISE(Digamma, 0.25f, 30, DigammaOf(v))
  EXPECT_ELEMENTWISE(Digamma, -4.9f, -4.1f, DigammaOf(v))
}

// Two sources, or a source and a number, and the same mathematics in double.
#define EXPECT_OF_TWO(call, low, high, reference)                                             \
  {                                                                                           \
    std::vector<T> x = Noise<T>(kSize, low, high, __LINE__),                                  \
                   y = Noise<T>(kSize, low, high, __LINE__ + 1000);                           \
    Gm<T> gx(x), gy(y), gz(kSize);                                                            \
    const LaunchResult result = Launch(                                                       \
        {},                                                                                   \
        [](GM_ADDR gm_x, GM_ADDR gm_y, GM_ADDR gm_z) {                                        \
          LocalTensor<T> x = Ub<T>(0, kSize), y = Ub<T>(4096, kSize), z = Ub<T>(8192, kSize); \
          DataCopy(x, In<T>(gm_x), kSize);                                                    \
          DataCopy(y, In<T>(gm_y), kSize);                                                    \
          DataCopy(z, In<T>(gm_z), kSize);                                                    \
          call;                                                                               \
          DataCopy(In<T>(gm_z), z, kSize);                                                    \
        },                                                                                    \
        gx, gy, gz);                                                                          \
    ASSERT_TRUE(result.ok) << result.report;                                                  \
    for (uint32_t i = 0; i < kCount; ++i) {                                                   \
      const double a = double(float(x[i])), b = double(float(y[i]));                          \
      static_cast<void>(b);                                                                   \
      const double expected = reference;                                                      \
      ASSERT_TRUE(Close(gz[i], expected)) << #call << " of " << a << " and " << b << " is "   \
                                          << float(gz[i]) << ", expected " << expected;       \
    }                                                                                         \
    EXPECT_EQ(reinterpret_cast<uint8_t*>(&gz[kCount])[0], 0xA5) << #call;                     \
  }

TYPED_TEST(ElementwiseTest, FunctionsOfTwoSources) {
  using T = TypeParam;
  EXPECT_OF_TWO(Fmod(z, x, y, kCount), -20, 20, std::fmod(a, b))
  EXPECT_OF_TWO(Hypot(z, x, y, kCount), -20, 20, std::hypot(a, b))
  EXPECT_OF_TWO(ReGlu(z, x, y, kCount), -4, 4, a * std::max(b, 0.0))
  EXPECT_OF_TWO(GeGLU(z, x, y, kCount), -4, 4,
                a * b / (1 + std::exp(-0.0713548162726 * (b * b * b + 22.363860002236 * b))))
  EXPECT_OF_TWO(SwiGLU(z, x, y, 1.5f, kCount), -4, 4, a * b / (1 + std::exp(-1.5 * b)))
}
TYPED_TEST(ElementwiseTest, FunctionsOfASourceAndANumber) {
  using T = TypeParam;
  EXPECT_OF_TWO(Swish(z, x, kCount, T(1.5f)), -4, 4, a / (1 + std::exp(-1.5 * a)))
  EXPECT_OF_TWO(ClampMax(z, x, y.template ReinterpretCast<uint8_t>(), T(0.5f), kCount), -2, 2,
                std::min(a, 0.5))
  EXPECT_OF_TWO(ClampMin(z, x, y.template ReinterpretCast<uint8_t>(), T(-0.25f), kCount), -2, 2,
                std::max(a, -0.25))
}

TEST(XorTest, BitsOfSixteenBitIntegersThatDifferAreSet) {
  std::vector<int16_t> x(64), y(64);
  for (int i = 0; i < 64; ++i) x[i] = int16_t(i * 1021 - 30000), y[i] = int16_t(i * 517);
  Gm<int16_t> gx(x), gy(y), gz(64);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR y, GM_ADDR z) {
        LocalTensor<int16_t> lx = Ub<int16_t>(0, 64), ly = Ub<int16_t>(1024, 64),
                             lz = Ub<int16_t>(2048, 64);
        DataCopy(lx, In<int16_t>(x), 64);
        DataCopy(ly, In<int16_t>(y), 64);
        DataCopy(lz, In<int16_t>(z), 64);
        Xor(lz, lx, ly, 61);
        DataCopy(In<int16_t>(z), lz, 64);
      },
      gx, gy, gz);
  ASSERT_TRUE(result.ok) << result.report;
  for (int i = 0; i < 61; ++i) EXPECT_EQ(gz[i], int16_t(x[i] ^ y[i])) << i;
  EXPECT_EQ(uint16_t(gz[61]), 0xA5A5);
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

/// round(src * scale + offset) with every step in half.
int8_t QuantOf(float src, float scale, float offset) {
  const half scaled = NearestHalf(double(float(half(src))) * double(float(half(scale))));
  const half moved = NearestHalf(double(float(scaled)) + double(float(half(offset))));
  return int8_t(std::clamp(std::nearbyint(double(float(moved))), -128.0, 127.0));
}

template <typename T>
void CheckQuant() {
  constexpr uint32_t kRows = 3, kChannels = 64, kAll = kRows * kChannels;
  std::vector<T> x = Noise<T>(kAll, -40, 40, 3), scale = Noise<T>(kChannels, 0.5f, 5, 4),
                 offset = Noise<T>(kChannels, -20, 20, 5);
  Gm<T> gx(x), gs(scale), go(offset);
  Gm<int8_t> gz(3 * kAll);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR s, GM_ADDR o, GM_ADDR z) {
        LocalTensor<T> lx = Ub<T>(0, kAll), ls = Ub<T>(4096, kChannels),
                       lo = Ub<T>(8192, kChannels);
        LocalTensor<int8_t> lz = Ub<int8_t>(16384, 3 * kAll);
        LocalTensor<uint8_t> tmp = Ub<uint8_t>(32768, 4096);
        DataCopy(lx, In<T>(x), kAll);
        DataCopy(ls, In<T>(s), kChannels);
        DataCopy(lo, In<T>(o), kChannels);
        AscendQuant<T>(lz, lx, tmp, 3.25f, -7.5f, kAll);
        AscendQuant<T>(lz[kAll], lx, tmp, ls, T(2.5f), kChannels, kAll);
        AscendQuant<T>(lz[2 * kAll], lx, ls, lo, kChannels, kChannels, kAll);
        DataCopy(In<int8_t>(z), lz, 3 * kAll);
      },
      gx, gs, go, gz);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t i = 0; i < kAll; ++i) {
    const float value(x[i]), of_channel(scale[i % kChannels]), moved(offset[i % kChannels]);
    EXPECT_EQ(gz[i], QuantOf(value, 3.25f, -7.5f)) << value;
    EXPECT_EQ(gz[kAll + i], QuantOf(value, of_channel, 2.5f)) << value << " " << of_channel;
    EXPECT_EQ(gz[2 * kAll + i], QuantOf(value, of_channel, moved)) << value << " " << of_channel;
  }
}
TEST(QuantizationTest, QuantComputesInHalfWithOneScaleOrOneAChannel) {
  CheckQuant<half>();
  CheckQuant<float>();
}
TEST(QuantizationTest, QuantRefusesChannelsThatDoNotDivideTheElements) {
  const auto quant = [](uint32_t channels, uint32_t offsets) {
    AscendQuant(Ub<int8_t>(0, 128), Ub<half>(1024, 128), Ub<half>(2048, 64), Ub<half>(4096, 64),
                channels, offsets, 128u);
  };
  EXPECT_TRUE(Launch({}, quant, 64u, 64u).ok);
  EXPECT_EQ(Launch({}, quant, 33u, 33u).kind, HOSTNPU_FAULT_ARGUMENT);
  EXPECT_EQ(Launch({}, quant, 96u, 96u).kind, HOSTNPU_FAULT_ARGUMENT);
  EXPECT_EQ(Launch({}, quant, 0u, 0u).kind, HOSTNPU_FAULT_ARGUMENT);
  EXPECT_EQ(Launch({}, quant, 64u, 32u).kind, HOSTNPU_FAULT_ARGUMENT);
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

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The normalisations beside LayerNorm, against formulas in double.
#include <gmock/gmock.h>

#include "tensors.h"
#include "tiling/tiling_api.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

constexpr uint32_t kRows = 6, kStep = 48, kUsed = 37;
constexpr uint32_t kX = 0, kDy = 8192, kOut = 16384, kRes = 24576, kGamma = 32768, kBeta = 36864,
                   kMean = 40960, kVariance = 45056, kPdGamma = 49152, kPdBeta = 53248;

/// Rows of random values with their statistics.
template <typename T>
struct Rows {
  std::vector<T> x = Noise<T>(kRows * kStep, -3, 3, 1), dy = Noise<T>(kRows * kStep, -2, 2, 2),
                 gamma = Noise<T>(kStep, 0.5f, 2, 3), beta = Noise<T>(kStep, -1, 1, 4);
  double X(uint32_t row, uint32_t i) const { return static_cast<double>(x[row * kStep + i]); }
  double Dy(uint32_t row, uint32_t i) const { return static_cast<double>(dy[row * kStep + i]); }
  double Gamma(uint32_t i) const { return static_cast<double>(gamma[i]); }
  double Mean(uint32_t row) const {
    double sum = 0;
    for (uint32_t i = 0; i < kUsed; ++i) sum += X(row, i);
    return sum / kUsed;
  }
  double Variance(uint32_t row) const {
    double sum = 0;
    for (uint32_t i = 0; i < kUsed; ++i) sum += std::pow(X(row, i) - Mean(row), 2);
    return sum / kUsed;
  }
};

// The gradient by its definition: how a sum of outputs, weighted with dy, changes with one x.
template <typename T>
double Loss(const Rows<T>& rows, uint32_t row, double epsilon, uint32_t moved, double by) {
  double mean = 0, variance = 0, loss = 0;
  const auto x = [&](uint32_t i) { return rows.X(row, i) + (i == moved ? by : 0.0); };
  for (uint32_t i = 0; i < kUsed; ++i) mean += x(i) / kUsed;
  for (uint32_t i = 0; i < kUsed; ++i) variance += std::pow(x(i) - mean, 2) / kUsed;
  for (uint32_t i = 0; i < kUsed; ++i)
    loss += rows.Dy(row, i) * rows.Gamma(i) * (x(i) - mean) / std::sqrt(variance + epsilon);
  return loss;
}

template <typename T>
void ExpectGradients(double tolerance) {
  const Rows<T> rows;
  const float epsilon = 0.01f;
  std::vector<T> mean, variance, pd_x, res, pd_gamma, pd_beta;
  for (uint32_t row = 0; row < kRows; ++row) {
    mean.push_back(static_cast<T>(static_cast<float>(rows.Mean(row))));
    variance.push_back(static_cast<T>(static_cast<float>(rows.Variance(row))));
  }
  const LaunchResult result = OnCore([&] {
    PutUb(kX, rows.x), PutUb(kDy, rows.dy), PutUb(kGamma, rows.gamma);
    PutUb(kMean, mean), PutUb(kVariance, variance);
    optiling::LayerNormGradTiling host;
    GetLayerNormGradNDTilingInfo(TensorShape({2, 3, kStep, kUsed}), 4096, sizeof(T), false, host);
    LayerNormGradTiling tiling;
    host.SaveToBuffer(&tiling, sizeof(tiling));
    LayerNormGrad<T>(Ub<T>(kOut), Ub<T>(kRes), Ub<T>(kDy), Ub<T>(kX), Ub<T>(kVariance),
                     Ub<T>(kMean), Ub<T>(kGamma), static_cast<T>(epsilon), tiling);
    LayerNormGradBetaTiling beta;
    GetLayerNormGradBetaNDTilingInfo(TensorShape({2, 3, kStep, kUsed}), 4096, sizeof(T), false,
                                     beta);
    LayerNormGradBeta<T>(Ub<T>(kPdGamma), Ub<T>(kPdBeta), Ub<T>(kRes), Ub<T>(kDy), beta);
    pd_x = GetUb<T>(kOut, kRows * kStep), res = GetUb<T>(kRes, kRows * kStep);
    pd_gamma = GetUb<T>(kPdGamma, kStep), pd_beta = GetUb<T>(kPdBeta, kStep);
  });
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t i = 0; i < kUsed; ++i) {
    double gamma = 0, beta = 0;
    for (uint32_t row = 0; row < kRows; ++row) {
      const double normal =
          (rows.X(row, i) - rows.Mean(row)) / std::sqrt(rows.Variance(row) + epsilon);
      const double slope =
          (Loss(rows, row, epsilon, i, 1e-5) - Loss(rows, row, epsilon, i, -1e-5)) / 2e-5;
      EXPECT_NEAR(static_cast<double>(pd_x[row * kStep + i]), slope, tolerance) << row << ' ' << i;
      EXPECT_NEAR(static_cast<double>(res[row * kStep + i]), normal, tolerance);
      gamma += rows.Dy(row, i) * normal;
      beta += rows.Dy(row, i);
    }
    EXPECT_NEAR(static_cast<double>(pd_gamma[i]), gamma, 4 * tolerance);
    EXPECT_NEAR(static_cast<double>(pd_beta[i]), beta, 4 * tolerance);
  }
}

TEST(LayerNormGradTest, TheGradientsAreTheSlopesOfTheNorm) {
  ExpectGradients<float>(1e-4);
  ExpectGradients<half>(2e-2);
}

TEST(LayerNormGradTest, ARowLongerThanItsPlaceIsRefused) {
  const auto run = [](uint32_t used) {
    return OnCore([=] {
      LayerNormGradTiling tiling;
      tiling.bLength = tiling.sLength = 1, tiling.hLength = 16, tiling.originalHLength = used;
      const LocalTensor<float> x = Ub<float>(kX), out = Ub<float>(kOut);
      LayerNormGrad<float>(out, Ub<float>(kRes), x, x, x, x, x, 1.0f, tiling);
    });
  };
  EXPECT_EQ(run(16).report, "");
  EXPECT_EQ(run(17).message,
            "LayerNormGrad has hLength = 16 and originalHLength = 17; rows have 1 to hLength "
            "elements");
}

// Whatever reads rows refuses those that would reach into the next one, or behind the last.
TEST(NormalizationRowsTest, ARowLongerThanItsPlaceIsRefusedByEveryNorm) {
  static uint32_t used;
  const auto message = [](uint32_t now, std::function<void(const LocalTensor<float>&)> norm) {
    used = now;
    return OnCore([=] { norm(Ub<float>(kX)); }).message;
  };
  const auto tiled = [](auto tiling) {
    tiling.bLength = tiling.sLength = 1, tiling.hLength = 16, tiling.originalHLength = used;
    return tiling;
  };
  const auto layer = [&](const LocalTensor<float>& x) {
    auto tiling = tiled(LayerNormTiling());
    LayerNorm<float>(Ub<float>(kOut), Ub<float>(kMean), Ub<float>(kVariance), x, x, x, 1.0f,
                     tiling);
  };
  const auto layer_of_para = [](const LocalTensor<float>& x) {
    LayerNorm<float, float>(Ub<float>(kOut), Ub<float>(kMean), Ub<float>(kVariance), x, x, x, 1.0f,
                            LayerNormPara{1, used, 16}, LayerNormSeparateTiling());
  };
  const auto rms = [&](const LocalTensor<float>& x) {
    RmsNorm<float>(Ub<float>(kOut), x, x, 1.0f, tiled(RmsNormTiling()));
  };
  const auto deep = [&](const LocalTensor<float>& x) {
    auto tiling = tiled(DeepNormTiling());
    DeepNorm<float>(Ub<float>(kOut), Ub<float>(kMean), Ub<float>(kVariance), x, x, x, x, 1.0f, 1.0f,
                    tiling);
  };
  const auto normalize = [](const LocalTensor<float>& x) {
    Normalize<float, float>(Ub<float>(kOut), Ub<float>(kRes), x, x, x, x, x, 1.0f, {1, used, 16});
  };
  const char* of_tiling = "hLength = 16 and originalHLength = 17; rows have 1 to hLength elements";
  const char* of_para = "rLengthWithPadding = 16 and rLength = 17; rows have 1 to ";
  using ::testing::HasSubstr;
  EXPECT_THAT(message(17, layer), HasSubstr(of_tiling));
  EXPECT_THAT(message(17, rms), HasSubstr(of_tiling));
  EXPECT_THAT(message(17, deep), HasSubstr(of_tiling));
  EXPECT_THAT(message(17, layer_of_para), HasSubstr(of_para));
  EXPECT_THAT(message(17, normalize), HasSubstr(of_para));
  for (uint32_t fits : {1u, 16u}) {
    EXPECT_EQ(message(fits, layer) + message(fits, layer_of_para) + message(fits, rms) +
                  message(fits, deep) + message(fits, normalize),
              "");
  }
}

TEST(NormalizeTest, TakesTheStatisticsItIsGiven) {
  const Rows<half> rows;
  const std::vector<float> gamma(rows.gamma.begin(), rows.gamma.end()),
      beta(rows.beta.begin(), rows.beta.end());
  std::vector<half> out;
  std::vector<float> rstd;
  const LaunchResult result = OnCore([&] {
    std::vector<float> mean(8), variance(8);
    for (uint32_t row = 0; row < kRows; ++row) {
      mean[row] = static_cast<float>(rows.Mean(row));
      variance[row] = static_cast<float>(rows.Variance(row));
    }
    PutUb(kX, rows.x), PutUb(kGamma, gamma), PutUb(kBeta, beta), PutUb(kMean, mean);
    PutUb(kVariance, variance);
    Normalize<float, half>(Ub<half>(kOut), Ub<float>(kRes), Ub<float>(kMean), Ub<float>(kVariance),
                           Ub<half>(kX), Ub<float>(kGamma), Ub<float>(kBeta), 1e-3f,
                           {kRows, kUsed, kStep});
    out = GetUb<half>(kOut, kRows * kStep), rstd = GetUb<float>(kRes, kRows);
  });
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t row = 0; row < kRows; ++row) {
    const double scale = 1 / std::sqrt(rows.Variance(row) + 1e-3);
    EXPECT_NEAR(rstd[row], scale, 1e-5);
    for (uint32_t i = 0; i < kUsed; ++i) {
      EXPECT_NEAR(static_cast<double>(out[row * kStep + i]),
                  (rows.X(row, i) - rows.Mean(row)) * scale * rows.Gamma(i) + beta[i], 6e-3);
    }
  }
}

TEST(DeepNormTest, NormalisesTheResidualSum) {
  const Rows<float> rows;
  std::vector<float> out, mean, variance;
  const LaunchResult result = OnCore([&] {
    PutUb(kX, rows.x), PutUb(kDy, rows.dy), PutUb(kGamma, rows.gamma), PutUb(kBeta, rows.beta);
    DeepNormTiling tiling;
    CORE_CHECK(GetDeepNormTilingInfo(TensorShape({2, 3, kStep}), TensorShape({2, 3, kUsed}), 4096,
                                     4, false, false, tiling));
    DeepNorm<float>(Ub<float>(kOut), Ub<float>(kMean), Ub<float>(kVariance), Ub<float>(kX),
                    Ub<float>(kDy), Ub<float>(kBeta), Ub<float>(kGamma), -1.5f, 0.25f, tiling);
    out = GetUb<float>(kOut, kRows * kStep);
    mean = GetUb<float>(kMean, kRows), variance = GetUb<float>(kVariance, kRows);
  });
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t row = 0; row < kRows; ++row) {
    const auto sum = [&](uint32_t i) { return -1.5 * rows.X(row, i) + rows.Dy(row, i); };
    double m = 0, v = 0;
    for (uint32_t i = 0; i < kUsed; ++i) m += sum(i) / kUsed;
    for (uint32_t i = 0; i < kUsed; ++i) v += std::pow(sum(i) - m, 2) / kUsed;
    EXPECT_NEAR(mean[row], m, 1e-5);
    EXPECT_NEAR(variance[row], v, 1e-4);
    for (uint32_t i = 0; i < kUsed; ++i) {
      EXPECT_NEAR(out[row * kStep + i],
                  (sum(i) - m) / std::sqrt(v + 0.25) * rows.Gamma(i) + rows.beta[i], 2e-5);
    }
  }
}

// Statistics that grow block by block end as those of all values at once.
constexpr uint32_t kBlock = 24;

template <typename T>
void Grow(const std::vector<T>& x, uint32_t blocks, uint32_t tail) {
  static constexpr WelfordUpdateConfig kInPlace = {true};
  PutUb(kMean, std::vector<float>(kBlock)), PutUb(kVariance, std::vector<float>(kBlock));
  for (uint32_t block = 0; block < blocks; ++block) {
    PutUb(kX, std::vector<T>(x.begin() + block * kBlock, x.begin() + (block + 1) * kBlock));
    const uint32_t computed = block + 1 == blocks && tail != 0 ? tail : kBlock;
    WelfordUpdate<T, float, false, kInPlace>(
        Ub<float>(kOut), Ub<float>(kRes), Ub<float>(kMean), Ub<float>(kVariance), Ub<T>(kX),
        {1, kBlock, computed, 1.0f / static_cast<float>(block + 1)});
    PutUb(kMean, GetUb<float>(kOut, kBlock)), PutUb(kVariance, GetUb<float>(kRes, kBlock));
  }
}

template <typename T>
void ExpectWelford(uint32_t blocks, uint32_t tail, bool with_counts) {
  const std::vector<T> x = Noise<T>(blocks * kBlock, -4, 9, 5);
  const uint32_t size = tail == 0 ? blocks * kBlock : (blocks - 1) * kBlock + tail;
  std::vector<float> mean, variance;
  const LaunchResult result = OnCore([&] {
    Grow(x, blocks, tail);
    const float all = 1.0f / static_cast<float>(size);
    WelfordFinalizePara para = {blocks, kBlock, blocks, kBlock, 0, 0, 1.0f / kBlock, all, all};
    if (tail != 0) {
      para.headCountLength = tail;
      para.tailCount = blocks - 1, para.tailCountLength = kBlock - tail;
    }
    if (with_counts) {
      std::vector<int32_t> counts(kBlock, static_cast<int32_t>(blocks));
      for (uint32_t i = tail; tail != 0 && i < kBlock; ++i) counts[i] -= 1;
      PutUb(kX, counts);
      WelfordFinalize(Ub<float>(kOut), Ub<float>(kRes), Ub<float>(kMean), Ub<float>(kVariance),
                      Ub<int32_t>(kX), para);
    } else {
      WelfordFinalize(Ub<float>(kOut), Ub<float>(kRes), Ub<float>(kMean), Ub<float>(kVariance),
                      para);
    }
    mean = GetUb<float>(kOut, 8), variance = GetUb<float>(kRes, 8);
  });
  ASSERT_TRUE(result.ok) << result.report;
  double m = 0, v = 0;
  for (uint32_t i = 0; i < size; ++i) m += static_cast<double>(x[i]) / size;
  for (uint32_t i = 0; i < size; ++i) v += std::pow(static_cast<double>(x[i]) - m, 2) / size;
  EXPECT_NEAR(mean[0], m, 1e-4) << blocks << ' ' << tail;
  EXPECT_NEAR(variance[0], v, 1e-3) << blocks << ' ' << tail;
  for (uint32_t i = 1; i < 8; ++i) EXPECT_EQ(mean[i] + variance[i], 0.0f);
}

TEST(WelfordTest, StatisticsOfBlocksEndAsThoseOfAllValues) {
  for (bool with_counts : {false, true}) {
    ExpectWelford<float>(1, 0, with_counts);
    ExpectWelford<float>(5, 0, with_counts);
    ExpectWelford<float>(5, 13, with_counts);
  }
  // A block of half is a multiple of 16: three blocks of 24 are two of 32 and one of 8.
  const std::vector<half> x = Noise<half>(24, 0, 1, 1);
  EXPECT_EQ(OnCore([&] { Grow(x, 1, 0); }).kind, HOSTNPU_FAULT_ARGUMENT);
}

TEST(WelfordTest, LengthsThatDoNotAddUpAreRefused) {
  const auto run = [](uint32_t head, uint32_t tail) {
    return OnCore([=] {
      WelfordFinalizePara para = {2,    16,        2,         head, tail == 0 ? 0u : 1u,
                                  tail, 1.0f / 16, 1.0f / 32, 0};
      WelfordFinalize(Ub<float>(kOut), Ub<float>(kRes), Ub<float>(kMean), Ub<float>(kVariance),
                      para);
    });
  };
  EXPECT_TRUE(run(16, 0).ok);
  EXPECT_TRUE(run(12, 4).ok);
  const auto with_counts = [](uint32_t length) {
    return OnCore([=] {
      WelfordFinalizePara para = {2, length, 2, length, 0, 0, 1.0f / 16, 1.0f / 32, 0};
      WelfordFinalize(Ub<float>(kOut), Ub<float>(kRes), Ub<float>(kMean), Ub<float>(kVariance),
                      Ub<int32_t>(kX), para);
    });
  };
  EXPECT_TRUE(with_counts(16).ok);
  EXPECT_THAT(with_counts(15).message, ::testing::HasSubstr("abLength = 15"));
  EXPECT_THAT(run(12, 0).message,
              ::testing::HasSubstr("headCountLength = 12, tailCountLength = 0"));
}

}  // namespace
}  // namespace hostnpu::testing

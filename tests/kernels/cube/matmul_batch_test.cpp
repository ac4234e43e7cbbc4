// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums that stay in L0C from batch to batch, and tiles that Iterate takes by two.
#include "matmul_run.h"

namespace hostnpu::testing {
namespace {

constexpr MatmulConfig Pairs(IterateOrder order) {
  MatmulConfig config = CFG_NORM;
  config.scheduleType = ScheduleType::OUTER_PRODUCT;
  config.iterateOrder = order;
  return config;
}
constexpr MatmulConfig kPairsAlongN = Pairs(IterateOrder::ORDER_M);
constexpr MatmulConfig kPairsAlongM = Pairs(IterateOrder::ORDER_N);

template <const MatmulConfig& config>
void ExpectPairs(const std::vector<std::pair<uint32_t, uint32_t>>& first_tiles) {
  Operand<half> a(70, 50, false, false, 1), b(50, 130, false, false, 2);
  Gm<float> c(70 * 130), bias(130);
  FillRandom(bias, 3);
  std::vector<std::pair<uint32_t, uint32_t>> at;
  using Object = Matmul<HalfA, HalfA, FloatC, FloatC, config>;
  const std::string fault = RunMatmul<Object>(Tiling(70, 130, 50), a, b, [&](auto& mm) {
    mm.SetBias(TensorOf(bias));
    while (mm.Iterate()) {
      const MatrixOffset offset = mm.GetOffsetC();
      at.emplace_back(offset.row / 32, offset.col / 48);
      mm.GetTensorC(TensorOf(c));
    }
  });
  ASSERT_EQ(fault, "");
  std::vector<double> bias_values(bias.data(), bias.data() + bias.size());
  ExpectNear(c, Reference(a, b, bias_values.data()), 1e-3, "pairs");
  EXPECT_EQ(at, first_tiles);
}

// Tiles of 32 x 48: three rows and three columns, the last of both smaller.
TEST(MatmulBatchTest, AnOuterProductIteratesOverTwoTilesAcrossTheOrder) {
  ExpectPairs<kPairsAlongN>({{0, 0}, {1, 0}, {2, 0}, {0, 2}, {1, 2}, {2, 2}});
  ExpectPairs<kPairsAlongM>({{0, 0}, {0, 1}, {0, 2}, {2, 0}, {2, 1}, {2, 2}});
}

TEST(MatmulBatchTest, AnOuterProductAddsToBothItsTilesAndWritesThemToTheirPlacesOnly) {
  Operand<half> a(32, 32, false, false, 1), b(32, 96, false, false, 2);
  Gm<float> c(32 * 96);
  using Object = Matmul<HalfA, HalfA, FloatC, FloatC, kPairsAlongN>;
  const auto run = [&](bool sequential) {
    return RunMatmul<Object>(Tiling(32, 96, 32), a, b, [&](auto& mm) {
      mm.Iterate();
      mm.SetTensorA(TensorOf(a.data));
      mm.Iterate(true);
      mm.GetTensorC(TensorOf(c), 0, sequential);
    });
  };
  ASSERT_EQ(run(false), "");
  std::vector<double> expected = Reference(a, b, nullptr);
  for (double& x : expected) x *= 2;
  ExpectNear(c, expected, 1e-3, "sums");
  EXPECT_THAT(run(true), ::testing::HasSubstr("there is no enSequentialWrite"));
}

TEST(MatmulBatchTest, TwoTilesThatDoNotFitL0CAreRefused) {
  Operand<half> a(128, 32, false, false, 1), b(32, 512, false, false, 2);
  Gm<float> c(128 * 512);
  using Object = Matmul<HalfA, HalfA, FloatC, FloatC, kPairsAlongN>;
  const auto run = [&](int base_n) {
    return RunMatmul<Object>(Tiling(128, 512, 32, 128, base_n), a, b, [&](auto& mm) {
      while (mm.Iterate()) mm.GetTensorC(TensorOf(c));
    });
  };
  EXPECT_EQ(run(128), "");
  EXPECT_THAT(run(256), ::testing::HasSubstr(
                            "has two base tiles of 131072 bytes in L0C at a time; L0C has 131072"));
}

// `count` products of m x n, k deep, each with operands of its own.
struct Batch {
  static constexpr uint32_t kM = 20, kN = 40, kK = 48, kCount = 4;
  Gm<half> a{kCount * kM * kK}, b{kCount * kK * kN};
  Gm<float> c{kCount * kM * kN}, bias{kN};

  Batch() {
    FillRandom(a, 1);
    FillRandom(b, 2);
    FillRandom(bias, 3);
  }
  double Product(uint32_t i, uint32_t m, uint32_t n) const {
    double sum = 0;
    for (uint32_t k = 0; k < kK; ++k) {
      sum += static_cast<double>(a[(i * kM + m) * kK + k]) *
             static_cast<double>(b[(i * kK + k) * kN + n]);
    }
    return sum;
  }
  TCubeTiling TilingOf(int pieces) const {
    TCubeTiling tiling = Tiling(kM, kN, kK);
    tiling.dbL0C = pieces;
    return tiling;
  }
};
using BatchType = MatmulType<TPosition::GM, CubeFormat::ND, half, false, LayoutMode::NORMAL>;
using BatchResult = MatmulType<TPosition::GM, CubeFormat::ND, float, false, LayoutMode::NORMAL>;
using BatchMatmul = Matmul<BatchType, BatchType, BatchResult>;
constexpr MatmulConfig kNoUnitFlag =
    GetNormalConfig(false, false, false, BatchMode::NONE, true, IterateOrder::UNDEF,
                    ScheduleType::INNER_PRODUCT, false);

/// The reference adds in double what the pieces of L0C hold, batch after batch.
template <typename Object>
void ExpectPartialSums(int double_buffer, uint32_t pieces) {
  Batch batch;
  const std::string fault = RunMatmul<Object>(batch.TilingOf(double_buffer), [&](auto& mm) {
    mm.SetTensorA(TensorOf(batch.a));
    mm.SetTensorB(TensorOf(batch.b));
    mm.IterateBatch(TensorOf(batch.c), 2, 2, false);
    mm.SetTensorA(TensorOf(batch.a)[2 * Batch::kM * Batch::kK]);
    mm.SetTensorB(TensorOf(batch.b)[2 * Batch::kK * Batch::kN]);
    mm.IterateBatch(TensorOf(batch.c)[2 * Batch::kM * Batch::kN], 2, 2, false, 0, 0, 0, true);
  });
  ASSERT_EQ(fault, "");
  for (uint32_t m = 0; m < Batch::kM; ++m) {
    for (uint32_t n = 0; n < Batch::kN; ++n) {
      double held[2] = {};
      for (uint32_t i = 0; i < Batch::kCount; ++i) {
        double& sum = held[i % pieces];
        sum = batch.Product(i, m, n) + (i < 2 ? 0 : sum);
        ASSERT_NEAR(batch.c[(i * Batch::kM + m) * Batch::kN + n], sum, 1e-3)
            << pieces << " pieces, batch " << i << " at " << m << ", " << n;
      }
    }
  }
}

TEST(MatmulBatchTest, PartialSumsAddToWhatTheLastBatchOfThePieceHasLeft) {
  ExpectPartialSums<BatchMatmul>(1, 1);
  ExpectPartialSums<BatchMatmul>(2, 1);  // the unit flag has one piece whatever the tiling says
  using Object = Matmul<BatchType, BatchType, BatchResult, BatchResult, kNoUnitFlag>;
  ExpectPartialSums<Object>(1, 1);
  ExpectPartialSums<Object>(2, 2);
}

TEST(MatmulBatchTest, PartialSumsTakeNoBias) {
  Batch batch;
  const std::string fault = RunMatmul<BatchMatmul>(batch.TilingOf(1), [&](auto& mm) {
    mm.SetTensorA(TensorOf(batch.a));
    mm.SetTensorB(TensorOf(batch.b));
    mm.SetBias(TensorOf(batch.bias));
    mm.IterateBatch(TensorOf(batch.c), 1, 1, false);
    mm.SetBatchNum(1, 1);
    mm.IterateBatch(TensorOf(batch.c), true, 0, false);
  });
  ASSERT_EQ(fault, "");
  for (uint32_t m = 0; m < Batch::kM; ++m) {
    for (uint32_t n = 0; n < Batch::kN; ++n) {
      ASSERT_NEAR(batch.c[m * Batch::kN + n], 2 * batch.Product(0, m, n) + batch.bias[n], 1e-3);
    }
  }
}

template <LayoutMode layout, typename T>
using InLayout = MatmulType<TPosition::GM, CubeFormat::ND, T, false, layout>;

/// Two groups of three products, of which A has three and B `b_heads`, added to a C with one each.
void ExpectSumsOverG(uint32_t b_heads) {
  constexpr uint32_t kB = 2, kG = 3, kM = 20, kN = 40, kK = 48;
  Gm<half> a(kB * kM * kG * kK), b(kB * kK * b_heads * kN);
  Gm<float> c(kB * kM * kN);
  FillRandom(a, 1);
  FillRandom(b, 2);
  for (size_t i = 0; i < c.size(); ++i) c[i] = 1000.0f;
  TCubeTiling t = Tiling(kM, kN, kK);
  t.ALayoutInfoB = t.BLayoutInfoB = t.CLayoutInfoB = kB;
  t.ALayoutInfoN = t.BLayoutInfoN = t.CLayoutInfoN = t.CLayoutInfoG = 1;
  t.ALayoutInfoS = t.CLayoutInfoS1 = kM;
  t.ALayoutInfoG = kG;
  t.BLayoutInfoG = static_cast<int32_t>(b_heads);
  t.ALayoutInfoD = t.BLayoutInfoS = kK;
  t.BLayoutInfoD = t.CLayoutInfoS2 = kN;
  using Object = Matmul<InLayout<LayoutMode::BSNGD, half>, InLayout<LayoutMode::BSNGD, half>,
                        InLayout<LayoutMode::BNGS1S2, float>>;
  const auto run = [&](auto to) {
    return RunMatmul<Object>(t, [&](auto& mm) {
      for (uint32_t group = 0; group < kB; ++group) {
        mm.SetTensorA(TensorOf(a)[group * kM * kG * kK]);
        mm.SetTensorB(TensorOf(b)[group * kK * b_heads * kN]);
        mm.IterateBatch(to(group), kG, b_heads, false);
      }
    });
  };
  ASSERT_EQ(run([&](uint32_t group) { return TensorOf(c)[group * kM * kN]; }), "");
  for (uint32_t i = 0; i < c.size(); ++i) {
    const uint32_t group = i / (kM * kN), m = i / kN % kM, n = i % kN;
    double sum = 1000;
    for (uint32_t g = 0; g < kG; ++g) {
      for (uint32_t k = 0; k < kK; ++k) {
        sum +=
            static_cast<double>(a[((group * kM + m) * kG + g) * kK + k]) *
            static_cast<double>(b[((group * kK + k) * b_heads + (b_heads == 1 ? 0 : g)) * kN + n]);
      }
    }
    ASSERT_NEAR(c[i], sum, 2e-3) << b_heads << " heads of B, at " << i;
  }
  EXPECT_THAT(run([](uint32_t) { return LocalTensor<float>(TPosition::VECIN, 0, kM * kN); }),
              ::testing::HasSubstr("sums over the G axis (that of C is 1) in GM only"));
}

TEST(MatmulBatchTest, ProductsOverGAreAddedToACThatHasNoG) {
  ExpectSumsOverG(3);
  ExpectSumsOverG(1);
}

TEST(MatmulBatchTest, PartialSumsOfSeveralTilesOrOfNothingAreRefused) {
  Batch batch;
  const auto run = [&](int base_n, bool begins) {
    TCubeTiling tiling = batch.TilingOf(1);
    tiling.baseN = base_n;
    return RunMatmul<BatchMatmul>(tiling, [&](auto& mm) {
      mm.SetTensorA(TensorOf(batch.a));
      mm.SetTensorB(TensorOf(batch.b));
      if (begins) mm.IterateBatch(TensorOf(batch.c), 1, 1, false);
      mm.IterateBatch(TensorOf(batch.c), 1, 1, false, 0, 0, 0, true);
    });
  };
  EXPECT_EQ(run(48, true), "");
  EXPECT_EQ(run(32, true),
            "Matmul::IterateBatch has enPartialSum, which adds to the one base tile in L0C: m = 20 "
            "and n = 40 are 2 base tiles of 32 x 32");
  EXPECT_THAT(run(48, false), ::testing::HasSubstr("no batch before it has left sums"));
}

}  // namespace
}  // namespace hostnpu::testing

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tiling/tiling_api.h"

namespace matmul_tiling {
namespace {

MultiCoreMatmulTiling Half(int32_t m, int32_t n, int32_t k, int32_t cores) {
  MultiCoreMatmulTiling tiling;
  tiling.SetDim(cores);
  tiling.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
  tiling.SetBType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
  tiling.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
  tiling.SetBiasType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
  tiling.SetShape(m, n, k);
  tiling.SetOrgShape(m, n, k);
  tiling.SetBufferSpace(-1, -1, -1);
  return tiling;
}

/// Every limit of the chip, restated: shares no code with the solver.
void ExpectLegal(const TCubeTiling& t, int bits, int cores) {
  const auto ceil = [](int64_t a, int64_t b) { return (a + b - 1) / b; };
  EXPECT_GT(t.baseM, 0);
  EXPECT_EQ(t.baseM % 16, 0);
  EXPECT_EQ(t.baseN % 16, 0);
  EXPECT_EQ(t.baseK % (256 / bits), 0);
  EXPECT_LE(int64_t{t.baseM} * t.baseK * bits / 8 * t.dbL0A, 65536);
  EXPECT_LE(int64_t{t.baseN} * t.baseK * bits / 8 * t.dbL0B, 65536);
  EXPECT_LE(int64_t{t.baseM} * t.baseN * 4 * t.dbL0C, 131072);
  EXPECT_LE(
      (int64_t{t.depthA1} * t.baseM * t.baseK + int64_t{t.depthB1} * t.baseN * t.baseK) * bits / 8 +
          t.isBias * t.baseN * 4,
      524288);
  EXPECT_TRUE(t.depthA1 == t.stepM * t.stepKa || t.depthA1 == 2 * t.stepM * t.stepKa);
  EXPECT_TRUE(t.depthB1 == t.stepN * t.stepKb || t.depthB1 == 2 * t.stepN * t.stepKb);
  EXPECT_EQ(t.usedCoreNum,
            ceil(t.M, t.singleCoreM) * ceil(t.N, t.singleCoreN) * ceil(t.Ka, t.singleCoreK));
  EXPECT_LE(t.usedCoreNum, cores);
}

TEST(MatmulTilingTest, EverySolutionKeepsTheLimitsOfTheChip) {
  for (int cores : {1, 2, 20, 24}) {
    for (int m : {1, 16, 100, 1024, 5000}) {
      for (int n : {1, 32, 333, 2048}) {
        for (int k : {1, 64, 500, 7168}) {
          for (bool bias : {false, true}) {
            for (auto [type, bits] : {std::pair{DataType::DT_FLOAT16, 16},
                                      {DataType::DT_FLOAT, 32},
                                      {DataType::DT_INT8, 8},
                                      {DataType::DT_INT4, 4}}) {
              MultiCoreMatmulTiling tiling = Half(m, n, k, cores);
              tiling.SetAType(TPosition::GM, CubeFormat::ND, type);
              tiling.SetBType(TPosition::GM, CubeFormat::ND, type);
              tiling.EnableBias(bias);
              TCubeTiling t;
              ASSERT_EQ(tiling.GetTiling(t), 0) << m << " " << n << " " << k << " on " << cores;
              ExpectLegal(t, bits, cores);
            }
          }
        }
      }
    }
  }
}

TEST(MatmulTilingTest, UsesTheCoresItIsGiven) {
  MultiCoreMatmulTiling tiling = Half(1024, 1024, 256, 16);
  TCubeTiling t;
  ASSERT_EQ(tiling.GetTiling(t), 0);
  EXPECT_EQ(t.usedCoreNum, 16);
  int32_t dim = 0, m = 0, n = 0;
  EXPECT_EQ(tiling.GetCoreNum(dim, m, n), 0);
  EXPECT_EQ(dim, 16);
  EXPECT_EQ(m * n, 16);
}

TEST(MatmulTilingTest, TakesTheSplitsItIsTold) {
  MultiCoreMatmulTiling tiling = Half(256, 512, 128, 4);
  tiling.SetFixSplit(64, 128, 32);
  tiling.SetSingleShape(128, 256, 128);
  TCubeTiling t;
  ASSERT_EQ(tiling.GetTiling(t), 0);
  EXPECT_EQ(t.baseM, 64);
  EXPECT_EQ(t.baseN, 128);
  EXPECT_EQ(t.baseK, 32);
  EXPECT_EQ(t.singleCoreM, 128);
  EXPECT_EQ(t.singleCoreN, 256);
  EXPECT_EQ(t.usedCoreNum, 4);
}

TEST(MatmulTilingTest, SplitsTheColumnsWhenTheBaseIsGiven) {
  MultiCoreMatmulTiling tiling = Half(512, 128, 128, 2);
  tiling.SetFixSplit(128, 64, 128);
  TCubeTiling t;
  ASSERT_EQ(tiling.GetTiling(t), 0);
  EXPECT_EQ(t.singleCoreM, 512);
  EXPECT_EQ(t.singleCoreN, 64);
  EXPECT_EQ(t.usedCoreNum, 2);
}

TEST(MatmulTilingTest, CutsNoGivenBaseTileWhereItNeedNot) {
  MultiCoreMatmulTiling tiling = Half(1024, 640, 256, 2);
  tiling.SetFixSplit(256, 128, -1);
  TCubeTiling t;
  ASSERT_EQ(tiling.GetTiling(t), 0);
  EXPECT_EQ(t.singleCoreM, 512);
  EXPECT_EQ(t.singleCoreN, 640);
}

TEST(MatmulTilingTest, SplitsKEvenlyWhereThatLeavesNoMoreThanHalfOfTheCoresIdle) {
  TCubeTiling t;
  MultiCoreMatmulTiling even = Half(16, 16, 1024, 24);
  even.EnableMultiCoreSplitK(true);
  ASSERT_EQ(even.GetTiling(t), 0);
  EXPECT_EQ(t.singleCoreK, 64);
  EXPECT_EQ(t.usedCoreNum, 16);
  MultiCoreMatmulTiling prime = Half(16, 16, 16 * 61, 24);
  prime.EnableMultiCoreSplitK(true);
  ASSERT_EQ(prime.GetTiling(t), 0);
  EXPECT_EQ(t.singleCoreK, 48);
  EXPECT_EQ(t.usedCoreNum, 21);
}

TEST(MatmulTilingTest, LeavesAMatrixThatLiesInL1Whole) {
  TCubeTiling t;
  MultiCoreMatmulTiling tiling = Half(64, 512, 128, 8);
  tiling.SetAType(TPosition::TSCM, CubeFormat::NZ, DataType::DT_FLOAT16);
  ASSERT_EQ(tiling.GetTiling(t), 0);
  EXPECT_EQ(t.singleCoreM, 64);
  EXPECT_EQ(t.singleCoreN, 64);
  tiling = Half(512, 64, 128, 8);
  tiling.SetBType(TPosition::TSCM, CubeFormat::NZ, DataType::DT_FLOAT16);
  ASSERT_EQ(tiling.GetTiling(t), 0);
  EXPECT_EQ(t.singleCoreM, 64);
  EXPECT_EQ(t.singleCoreN, 64);
}

TEST(MatmulTilingTest, RefusesWhatCannotBe) {
  TCubeTiling t;
  MultiCoreMatmulTiling too_big = Half(512, 512, 64, 1);
  too_big.SetFixSplit(256, 256, 64);  // 256 KiB of L0C
  EXPECT_EQ(too_big.GetTiling(t), -1);
  MultiCoreMatmulTiling no_shape;
  EXPECT_EQ(no_shape.GetTiling(t), -1);
  EXPECT_EQ(no_shape.SetShape(0, 1, 1), -1);
  MultiCoreMatmulTiling too_few = Half(512, 512, 64, 2);
  too_few.SetSingleShape(128, 128, 64);
  EXPECT_EQ(too_few.GetTiling(t), -1);
}

template <typename Tiling>
Tiling OneCore(int32_t m, int32_t n, int32_t k) {
  Tiling tiling;
  tiling.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
  tiling.SetBType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16, true);
  tiling.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
  tiling.SetBiasType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
  tiling.SetShape(m, n, k);
  tiling.SetOrgShape(m, n, k);
  tiling.SetBufferSpace(-1, -1, -1);
  return tiling;
}

TEST(MatmulApiTilingTest, GivesOneCoreItsPartOfTheMatrices) {
  MatmulApiTiling tiling = OneCore<MatmulApiTiling>(100, 80, 60);
  TCubeTiling t;
  ASSERT_EQ(tiling.GetTiling(t), 0);
  ExpectLegal(t, 16, 1);
  tiling.SetOrgShape(400, 240, 600, 70);
  tiling.EnableBias(true);
  tiling.SetTraverse(MatrixTraverse::FIRSTN);
  ASSERT_EQ(tiling.GetTiling(t), 0);
  EXPECT_EQ(t.usedCoreNum, 1);
  EXPECT_EQ(std::vector<int32_t>({t.M, t.N, t.Ka, t.Kb}),
            std::vector<int32_t>({400, 240, 600, 70}));
  EXPECT_EQ(std::vector<int32_t>({t.singleCoreM, t.singleCoreN, t.singleCoreK}),
            std::vector<int32_t>({100, 80, 60}));
  EXPECT_EQ(t.isBias, 1);
  EXPECT_EQ(t.iterateOrder, 1);
  EXPECT_EQ(tiling.GetBaseM(), t.baseM);
  tiling.SetFixSplit(32, 16, 16);
  ASSERT_EQ(tiling.GetTiling(t), 0);
  EXPECT_EQ(std::vector<int32_t>({t.baseM, t.baseN, t.baseK}), std::vector<int32_t>({32, 16, 16}));
  tiling.SetFixSplit(256, 256, 16);
  EXPECT_EQ(tiling.GetTiling(t), -1) << "256 KiB of L0C";
}

TEST(BatchMatmulTilingTest, CarriesTheLayoutsAndTellsTheCores) {
  BatchMatmulTiling tiling = OneCore<BatchMatmulTiling>(32, 256, 64);
  int32_t dim = 7, m = 7, n = 7, batch_m = 7, batch_n = 7;
  EXPECT_EQ(tiling.GetCoreNum(dim, m, n, batch_m, batch_n), -1) << "before GetTiling";
  tiling.SetALayout(2, 32, 1, 3, 64);
  tiling.SetBLayout(4, 256, 5, 6, 65);
  tiling.SetCLayout(8, 33, 9, 10, 257);
  EXPECT_EQ(tiling.SetBatchNum(0), -1);
  EXPECT_EQ(tiling.SetBatchNum(3), 0);
  TCubeTiling t;
  ASSERT_EQ(tiling.GetTiling(t), 0);
  ExpectLegal(t, 16, 1);
  EXPECT_EQ(std::vector<int32_t>({t.ALayoutInfoB, t.ALayoutInfoS, t.ALayoutInfoN, t.ALayoutInfoG,
                                  t.ALayoutInfoD, t.BLayoutInfoB, t.BLayoutInfoS, t.BLayoutInfoN,
                                  t.BLayoutInfoG, t.BLayoutInfoD, t.CLayoutInfoB, t.CLayoutInfoS1,
                                  t.CLayoutInfoN, t.CLayoutInfoG, t.CLayoutInfoS2, t.BatchNum}),
            std::vector<int32_t>({2, 32, 1, 3, 64, 4, 256, 5, 6, 65, 8, 33, 9, 10, 257, 3}));
  // Two parts of M and three of N, of one batch.
  tiling.SetOrgShape(50, 600, 64);
  ASSERT_EQ(tiling.GetTiling(t), 0);
  EXPECT_EQ(tiling.GetCoreNum(dim, m, n, batch_m, batch_n), 0);
  EXPECT_EQ(std::vector<int32_t>({dim, m, n, batch_m, batch_n}),
            std::vector<int32_t>({1, 2, 3, 1, 1}));
  ASSERT_EQ(tiling.SetBatchInfoForNormal(6, 2, 32, 256, 64), 0);
  ASSERT_EQ(tiling.GetTiling(t), 0);
  EXPECT_EQ(std::vector<int32_t>({t.ALayoutInfoB, t.ALayoutInfoS, t.ALayoutInfoD, t.BLayoutInfoB,
                                  t.BLayoutInfoS, t.BLayoutInfoD, t.CLayoutInfoB, t.CLayoutInfoS1,
                                  t.CLayoutInfoS2}),
            std::vector<int32_t>({6, 32, 64, 2, 256, 64, 6, 32, 256}));
}

TEST(MatmulTilingTest, SavesTheBytesTheKernelReads) {
  MultiCoreMatmulTiling tiling = Half(300, 200, 100, 3);
  optiling::TCubeTiling host;
  TCubeTiling kernel, saved;
  ASSERT_EQ(tiling.GetTiling(host), 0);
  ASSERT_EQ(tiling.GetTiling(kernel), 0);
  ASSERT_EQ(host.GetDataSize(), sizeof(saved));
  host.SaveToBuffer(&saved, sizeof(saved));
  EXPECT_EQ(std::memcmp(&saved, &kernel, sizeof(saved)), 0);
  EXPECT_EQ(host.get_baseM(), kernel.baseM);
  host.set_baseM(16);
  EXPECT_EQ(host.get_baseM(), 16);
}

TEST(VectorTilingTest, TopKGivesItsSizesAndRefusesWhatCannotBe) {
  optiling::TopkTiling tiling;
  const auto solve = [&](int32_t k, uint32_t type_size) {
    return AscendC::TopKTilingFunc(64, 3, k, type_size, false, AscendC::TopKMode::TOPK_NORMAL, true,
                                   tiling);
  };
  EXPECT_TRUE(solve(5, 2));
  EXPECT_EQ(tiling.get_allDataSize(), 3 * 64);
  EXPECT_EQ(tiling.get_innerDataSize(), 64);
  EXPECT_EQ(tiling.get_kAlignFourBytes(), 8);
  EXPECT_EQ(tiling.get_kAlignTwoBytes(), 16);
  EXPECT_TRUE(solve(64, 4));
  EXPECT_FALSE(solve(65, 4));
  EXPECT_FALSE(solve(0, 4));
  EXPECT_FALSE(solve(5, 0));
}

TEST(VectorTilingTest, RintAsksWithAndWithoutThePlatform) {
  const struct {
  } platform;  // the sizes do not depend on it
  uint32_t most = 0, least = 0, other_most = 1, other_least = 1;
  AscendC::GetRintMaxMinTmpSize(platform, AscendC::TensorShape({4, 100}), 4, false, most, least);
  AscendC::GetRintMaxMinTmpSize(AscendC::TensorShape({4, 100}), 4, false, other_most, other_least);
  EXPECT_EQ(most, other_most);
  EXPECT_EQ(least, other_least);
  EXPECT_GE(most, least);
  EXPECT_GE(least, 256u);
}

}  // namespace
}  // namespace matmul_tiling

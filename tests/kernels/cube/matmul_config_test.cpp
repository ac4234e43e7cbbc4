// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// MatmulConfigs: which member each argument of their makers sets, and products by each of them.
#include "matmul_run.h"

namespace hostnpu::testing {
namespace {

/// The members in which two configs differ, with the second one's value: "stepM=2 ".
std::string Changes(const MatmulConfig& from, const MatmulConfig& to) {
  std::string text;
  const auto compare = [&](const char* name, auto before, auto after) {
    if (before != after)
      text += std::string(name) + "=" + std::to_string(static_cast<int>(after)) + " ";
  };
#define COMPARE(member) compare(#member, from.member, to.member)
  COMPARE(doNorm), COMPARE(doBasicBlock), COMPARE(doMultiDataLoad), COMPARE(basicM);
  COMPARE(basicN), COMPARE(basicK), COMPARE(intrinsicsCheck), COMPARE(isNBatch);
  COMPARE(enVecND2NZ), COMPARE(doSpecialBasicBlock), COMPARE(doMTE2Preload);
  COMPARE(singleCoreM), COMPARE(singleCoreN), COMPARE(singleCoreK), COMPARE(stepM);
  COMPARE(stepN), COMPARE(baseMN), COMPARE(singleCoreMN), COMPARE(enUnitFlag);
  COMPARE(isPerTensor), COMPARE(hasAntiQuantOffset), COMPARE(doIBShareNorm);
  COMPARE(doSpecialMDL), COMPARE(enableInit), COMPARE(batchMode), COMPARE(enableEnd);
  COMPARE(enableGetTensorC), COMPARE(enableSetOrgShape), COMPARE(enableSetBias);
  COMPARE(enableSetTail), COMPARE(enableQuantVector), COMPARE(enableSetDefineData);
  COMPARE(iterateMode), COMPARE(enableReuse), COMPARE(enableUBReuse), COMPARE(enableL1CacheUB);
  COMPARE(intraBlockPartSum), COMPARE(iterateOrder), COMPARE(scheduleType);
  COMPARE(enableDoubleCache), COMPARE(isBiasBatch), COMPARE(enableStaticPadZeros);
  COMPARE(isPartialOutput), COMPARE(enableMixDualMaster), COMPARE(isA2B2Shared);
  COMPARE(isEnableChannelSplit), COMPARE(enableKdimReorderLoad), COMPARE(isCO1Shared);
  COMPARE(sharedCO1BufferSize), COMPARE(bmmOutMode), COMPARE(enableL1BankConflictOptimise);
  COMPARE(enableRelu), COMPARE(decompMode);
#undef COMPARE
  return text;
}

TEST(MatmulConfigTest, EachArgumentOfGetNormalConfigSetsItsMember) {
  constexpr MatmulConfig kNorm = GetNormalConfig();
  EXPECT_EQ(Changes(MatmulConfig(), kNorm), "doNorm=1 batchMode=1 ");
  constexpr auto kLess = BatchMode::BATCH_LESS_THAN_L1;
  constexpr auto kUndef = IterateOrder::UNDEF;
  constexpr auto kInner = ScheduleType::INNER_PRODUCT;
  EXPECT_EQ(Changes(kNorm, GetNormalConfig(true)), "intrinsicsCheck=1 ");
  EXPECT_EQ(Changes(kNorm, GetNormalConfig(false, true)), "isNBatch=1 ");
  EXPECT_EQ(Changes(kNorm, GetNormalConfig(false, false, true)), "enVecND2NZ=1 ");
  EXPECT_EQ(
      Changes(kNorm, GetNormalConfig(false, false, false, BatchMode::SINGLE_LARGE_THAN_L1, false)),
      "batchMode=3 enableReuse=0 ");
  EXPECT_EQ(Changes(kNorm, GetNormalConfig(false, false, false, kLess, true, IterateOrder::ORDER_N,
                                           ScheduleType::OUTER_PRODUCT)),
            "iterateOrder=1 scheduleType=1 ");
  EXPECT_EQ(
      Changes(kNorm, GetNormalConfig(false, false, false, kLess, true, kUndef, kInner, false)),
      "enUnitFlag=0 ");
  EXPECT_EQ(Changes(kNorm, GetNormalConfig(false, false, false, kLess, true, kUndef, kInner, true,
                                           true, BatchOutMode::DYNAMIC)),
            "enableMixDualMaster=1 bmmOutMode=2 ");
}

TEST(MatmulConfigTest, EachArgumentOfGetSpecialMDLConfigSetsItsMember) {
  constexpr MatmulConfig kSpecial = GetSpecialMDLConfig();
  EXPECT_EQ(Changes(MatmulConfig(), kSpecial), "enUnitFlag=0 doSpecialMDL=1 ");
  EXPECT_EQ(Changes(kSpecial, GetSpecialMDLConfig(true)), "intrinsicsCheck=1 ");
  EXPECT_EQ(Changes(kSpecial, GetSpecialMDLConfig(false, true)), "isNBatch=1 ");
  EXPECT_EQ(Changes(kSpecial, GetSpecialMDLConfig(false, false, 2)), "doMTE2Preload=2 ");
  EXPECT_EQ(Changes(kSpecial, GetSpecialMDLConfig(false, false, 0, true)), "enVecND2NZ=1 ");
  EXPECT_EQ(Changes(kSpecial, GetSpecialMDLConfig(false, false, 0, false, true)), "isPerTensor=1 ");
  EXPECT_EQ(Changes(kSpecial, GetSpecialMDLConfig(false, false, 0, false, false, true)),
            "hasAntiQuantOffset=1 ");
}

TEST(MatmulConfigTest, EachArgumentOfGetIBShareNormConfigSetsItsMember) {
  constexpr MatmulConfig kShare = GetIBShareNormConfig();
  constexpr auto kLess = BatchMode::BATCH_LESS_THAN_L1;
  EXPECT_EQ(Changes(MatmulConfig(), kShare), "doIBShareNorm=1 batchMode=1 ");
  EXPECT_EQ(Changes(kShare, CFG_IBSHARE_NORM), "");
  EXPECT_EQ(Changes(kShare, GetIBShareNormConfig(true)), "intrinsicsCheck=1 ");
  EXPECT_EQ(Changes(kShare, GetIBShareNormConfig(false, true)), "isNBatch=1 ");
  EXPECT_EQ(Changes(kShare, GetIBShareNormConfig(false, false, true)), "enVecND2NZ=1 ");
  EXPECT_EQ(Changes(kShare, GetIBShareNormConfig(false, false, false, BatchMode::NONE)),
            "batchMode=0 ");
  EXPECT_EQ(Changes(kShare, GetIBShareNormConfig(false, false, false, kLess, true)),
            "enableDoubleCache=1 ");
  EXPECT_EQ(Changes(kShare, GetIBShareNormConfig(false, false, false, kLess, false, false)),
            "enUnitFlag=0 ");
}

TEST(MatmulConfigTest, GetMMConfigChangesThePresetOfItsModeByRecordsInAnyOrder) {
  using Mode = MatmulConfigMode;
  EXPECT_EQ(Changes(CFG_NORM, GetMMConfig<Mode::CONFIG_NORM>()), "");
  EXPECT_EQ(Changes(CFG_MDL, GetMMConfig<Mode::CONFIG_MDL>()), "");
  EXPECT_EQ(Changes(GetSpecialMDLConfig(), GetMMConfig<Mode::CONFIG_SPECIALMDL>()), "");
  EXPECT_EQ(Changes(CFG_IBSHARE_NORM, GetMMConfig<Mode::CONFIG_IBSHARE>()), "");

  static constexpr MatmulShapeParams kShape = {128, 96, 80, 64, 48, 32};
  static constexpr MatmulQuantParams kQuant = {true, false};
  static constexpr MatmulBatchParams kBatch = {true, BatchMode::BATCH_LARGE_THAN_L1, false};
  static constexpr MatmulBiasParams kBias = {false};
  constexpr MatmulConfig kAll = GetMMConfig<Mode::CONFIG_NORM>(kBatch, kShape, kBias, kQuant);
  EXPECT_EQ(Changes(CFG_NORM, kAll),
            "basicM=64 basicN=48 basicK=32 isNBatch=1 singleCoreM=128 singleCoreN=96 "
            "singleCoreK=80 isPerTensor=1 batchMode=2 enableSetBias=0 isBiasBatch=0 ");
  EXPECT_EQ(Changes(kAll, GetMMConfig<Mode::CONFIG_NORM>(kQuant, kBias, kShape, kBatch)), "");

  // The first members in the vendor's order: a kernel lists as many as it needs.
  MatmulFuncParams functions{
      true, false, false, true, 1, IterateOrder::UNDEF, ScheduleType::INNER_PRODUCT, true, true};
  EXPECT_EQ(Changes(CFG_MDL, GetMMConfig<Mode::CONFIG_MDL>(functions)),
            "intrinsicsCheck=1 doMTE2Preload=1 enableL1CacheUB=1 ");
  functions.isPartialOutput = functions.enableKdimReorderLoad = functions.enableRelu = true;
  functions.enableReuse = false;
  EXPECT_EQ(Changes(CFG_MDL, GetMMConfig<Mode::CONFIG_MDL>(functions)),
            "intrinsicsCheck=1 doMTE2Preload=1 enableReuse=0 enableL1CacheUB=1 isPartialOutput=1 "
            "enableKdimReorderLoad=1 enableRelu=1 ");
}

constexpr MatmulConfig kShared =
    GetIBShareNormConfig(false, false, false, BatchMode::NONE, true, false);
constexpr MatmulConfig kSpecial = GetSpecialMDLConfig();
constexpr MatmulFuncParams Relu() {
  MatmulFuncParams functions{};
  functions.iterateOrder = IterateOrder::ORDER_N;
  functions.enableRelu = true;
  return functions;
}
constexpr MatmulConfig kRelu = GetMMConfig<MatmulConfigMode::CONFIG_NORM>(Relu());

using Places = std::vector<std::pair<uint32_t, uint32_t>>;
/// A product of 3 x 3 base tiles, and the order in which Iterate takes them.
template <const MatmulConfig& config, bool share = false>
void ExpectProduct(int step_n, bool relu, const Places& expected_places) {
  Operand<half> a(70, 50, false, false, 1), b(50, 130, false, false, 2);
  Gm<float> c(70 * 130);
  Places places;
  using B = MatmulType<TPosition::GM, CubeFormat::ND, half, false, LayoutMode::NONE, share>;
  using Object = Matmul<HalfA, B, FloatC, FloatC, config>;
  TCubeTiling tiling = Tiling(70, 130, 50);
  tiling.stepN = step_n;
  ASSERT_EQ(RunMatmul<Object>(tiling, a, b,
                              [&](auto& mm) {
                                while (mm.Iterate()) {
                                  const MatrixOffset offset = mm.GetOffsetC();
                                  places.emplace_back(offset.row / 32, offset.col / 48);
                                  mm.GetTensorC(TensorOf(c));
                                }
                              }),
            "");
  std::vector<double> expected = Reference(a, b, nullptr);
  if (relu)
    for (double& x : expected) x = std::max(x, 0.0);
  ExpectNear(c, expected, 1e-3, "product");
  EXPECT_EQ(places, expected_places);
}

TEST(MatmulConfigTest, ConfigsMultiplyAndIterateAsTheySay) {
  const Places down = {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
  ExpectProduct<kShared, true>(1, false, down);
  ExpectProduct<kSpecial>(1, false, down);
  // Two columns in L1 at a time.
  ExpectProduct<kSpecial>(2, false,
                          {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}});
  ExpectProduct<kRelu>(1, true,
                       {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}});
}

}  // namespace
}  // namespace hostnpu::testing

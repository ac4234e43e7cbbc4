// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels whose cube core and vector cores hand tiles to each other through GM: the same bits with
// any number of workers and in any order of cores.
#include "cube_run.h"

namespace hostnpu::testing {
namespace {

using AscendC::LocalTensor;
using AscendC::TPosition;

constexpr uint32_t kTile = 32, kRounds = 6;

/// C = relu(A * B) + C, round by round: the cube core multiplies into a workspace of two slots, the
/// vector cores take turns on rows and write C, and each side waits for the other.
void HandOver(const Gm<half>& a, const Gm<half>& b, const Gm<float>& workspace, const Gm<float>& c,
              uint32_t aiv) {
  const uint32_t block = static_cast<uint32_t>(hostnpu_core->block_index);
  const size_t slot_size = kTile * kTile;
  if (AscendC::internal::OnCubeCore()) {
    LocalTensor<half> a1(TPosition::A1, 0, slot_size), b1(TPosition::B1, 65536, slot_size);
    LocalTensor<half> a2(TPosition::A2, 0, slot_size), b2(TPosition::B2, 0, slot_size);
    LocalTensor<float> c1(TPosition::CO1, 0, slot_size);
    for (uint32_t round = 0; round < kRounds; ++round) {
      const size_t tile = (block * kRounds + round) * slot_size;
      AscendC::DataCopy(a1, TensorOf(a)[tile],
                        AscendC::Nd2NzParams(1, kTile, kTile, 0, kTile, kTile, 1, 0));
      AscendC::DataCopy(b1, TensorOf(b)[tile],
                        AscendC::Nd2NzParams(1, kTile, kTile, 0, kTile, kTile, 1, 0));
      for (uint32_t i = 0; i < 2; ++i) {
        AscendC::LoadData(a2[i * 512], a1[i * 256],
                          AscendC::LoadData2DParams(0, 2, 2, 0, 0, false, 0));
        AscendC::LoadData(b2[i * 512], b1[i * 256],
                          AscendC::LoadData2DParams(0, 2, 2, 0, 0, true, 0));
      }
      AscendC::Mmad(c1, a2, b2, AscendC::MmadParams(kTile, kTile, kTile, 0, false, true));
      if (round >= 2) AscendC::CrossCoreWaitFlag(4);  // a slot is free again
      AscendC::Fixpipe(TensorOf(workspace)[(block * 2 + round % 2) * slot_size], c1,
                       AscendC::FixpipeParamsV220(kTile, kTile, kTile, kTile, false));
      AscendC::CrossCoreSetFlag<2, PIPE_FIX>(3);
    }
    for (int i = 0; i < 2; ++i) AscendC::CrossCoreWaitFlag(4);
    return;
  }
  const uint32_t lane = static_cast<uint32_t>(hostnpu_core->sub_block_index);
  const uint32_t rows = kTile / aiv;
  LocalTensor<float> ub(TPosition::VECIN, 0, slot_size), sum(TPosition::VECOUT, 65536, slot_size);
  for (uint32_t i = 0; i < rows * kTile; ++i) sum.SetValue(i, 0.0f);
  for (uint32_t round = 0; round < kRounds; ++round) {
    AscendC::CrossCoreWaitFlag(3);
    AscendC::DataCopy(
        ub, TensorOf(workspace)[(block * 2 + round % 2) * slot_size + lane * rows * kTile],
        rows * kTile);
    AscendC::CrossCoreSetFlag<2, PIPE_MTE2>(4);
    for (uint32_t i = 0; i < rows * kTile; ++i) {
      const float x = ub.GetValue(i);
      sum.SetValue(i, sum.GetValue(i) + (x > 0 ? x : 0));
    }
  }
  AscendC::DataCopy(TensorOf(c)[block * slot_size + lane * rows * kTile], sum, rows * kTile);
}

TEST(MixedKernelTest, HandsTilesOverWithTheSameBitsForAnyWorkersAndSeed) {
  constexpr uint64_t kBlocks = 5;
  Gm<half> a(kBlocks * kRounds * kTile * kTile), b(kBlocks * kRounds * kTile * kTile);
  FillRandom(a, 1);
  FillRandom(b, 2);
  std::vector<double> expected(kBlocks * kTile * kTile);
  for (uint32_t t = 0; t < kBlocks * kRounds; ++t) {
    for (uint32_t i = 0; i < kTile * kTile; ++i) {
      double sum = 0;
      for (uint32_t k = 0; k < kTile; ++k)
        sum += double(a[t * kTile * kTile + i / kTile * kTile + k]) *
               double(b[t * kTile * kTile + k * kTile + i % kTile]);
      expected[t / kRounds * kTile * kTile + i] += sum > 0 ? sum : 0;
    }
  }
  std::vector<float> first;
  for (uint32_t aiv : {1u, 2u}) {
    for (uint32_t workers : {1u, 2u, 0u}) {
      for (uint64_t seed : {0u, 1u, 7u, 12345u}) {
        Gm<float> workspace(kBlocks * 2 * kTile * kTile), c(kBlocks * kTile * kTile);
        LaunchOptions options;
        options.blocks = kBlocks;
        options.aic = 1;
        options.aiv = aiv;
        options.workers = workers;
        options.seed = seed;
        ASSERT_EQ(RunBody(options, [&] { HandOver(a, b, workspace, c, aiv); }), "");
        if (first.empty()) first = c.ToVector();
        ASSERT_EQ(c.ToVector(), first) << aiv << " AIVs, " << workers << " workers, seed " << seed;
      }
    }
  }
  for (size_t i = 0; i < first.size(); ++i) ASSERT_NEAR(first[i], expected[i], 1e-2);
}

TEST(MixedKernelTest, EachKindOfCoreRunsOnlyItsOwnInstructions) {
  Gm<float> c(256);
  for (size_t i = 0; i < c.size(); ++i) c[i] = -1.0f;
  LaunchOptions options;
  options.aic = 1;
  options.aiv = 2;
  ASSERT_EQ(RunBody(options,
                    [&] {
                      // On the vector cores every line of this does nothing.
                      LocalTensor<half> a(TPosition::A2, 0, 256), b(TPosition::B2, 0, 256);
                      LocalTensor<float> l0c(TPosition::CO1, 0, 256);
                      AscendC::Fill(a, AscendC::InitConstValueParams<half>(1, 1, 0, half(1.0f)));
                      AscendC::Fill(b, AscendC::InitConstValueParams<half>(1, 1, 0, half(2.0f)));
                      AscendC::Mmad(l0c, a, b, AscendC::MmadParams(16, 16, 16, 0, false, true));
                      AscendC::Fixpipe(TensorOf(c), l0c,
                                       AscendC::FixpipeParamsV220(16, 16, 16, 16, false));
                    }),
            "");
  for (size_t i = 0; i < c.size(); ++i) ASSERT_EQ(c[i], 32.0f);
}

TEST(MixedKernelTest, ACubeCoreThatWaitsForVectorCoresThatEndedIsAStall) {
  LaunchOptions options;
  options.aic = 1;
  options.aiv = 2;
  const std::string fault = RunBody(options, [] {
    if (AscendC::internal::OnCubeCore()) AscendC::CrossCoreWaitFlag(5);
  });
  EXPECT_THAT(fault, ::testing::HasSubstr("CrossCoreWaitFlag"));
}

}  // namespace
}  // namespace hostnpu::testing

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_fixture.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

TEST(QueueTest, ADoubleBufferedVectorAddOverManyBlocksGivesTheSums) {
  constexpr uint32_t kTile = 1024;
  for (uint32_t workers : {1u, 2u, 8u}) {
    const uint32_t size = 37 * kTile;
    std::vector<float> x(size), y(size);
    for (uint32_t i = 0; i < size; ++i) x[i] = 0.5f * i, y[i] = 1.0f / (1 + i);
    Gm<float> gx(x), gy(y), gz(size);
    LaunchOptions options;
    options.blocks = 8;
    options.workers = workers;
    const LaunchResult result = Launch(
        options,
        [](GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t size) {
          TPipe pipe;
          TQue<TPosition::VECIN, 2> in_x, in_y;
          TQue<TPosition::VECOUT, 2> out;
          pipe.InitBuffer(in_x, 2, kTile * sizeof(float));
          pipe.InitBuffer(in_y, 2, kTile * sizeof(float));
          pipe.InitBuffer(out, 2, kTile * sizeof(float));
          GlobalTensor<float> gx, gy, gz;
          gx.SetGlobalBuffer((__gm__ float*)x, size);
          gy.SetGlobalBuffer((__gm__ float*)y, size);
          gz.SetGlobalBuffer((__gm__ float*)z, size);
          for (uint32_t tile = GetBlockIdx(); tile < size / kTile; tile += GetBlockNum()) {
            LocalTensor<float> lx = in_x.AllocTensor<float>();
            LocalTensor<float> ly = in_y.AllocTensor<float>();
            DataCopy(lx, gx[tile * kTile], kTile);
            DataCopy(ly, gy[tile * kTile], kTile);
            in_x.EnQue(lx);
            in_y.EnQue(ly);
            lx = in_x.DeQue<float>();
            ly = in_y.DeQue<float>();
            LocalTensor<float> lz = out.AllocTensor<float>();
            Add(lz, lx, ly, kTile);
            out.EnQue(lz);
            in_x.FreeTensor(lx);
            in_y.FreeTensor(ly);
            lz = out.DeQue<float>();
            DataCopy(gz[tile * kTile], lz, kTile);
            out.FreeTensor(lz);
          }
        },
        gx, gy, gz, size);
    ASSERT_TRUE(result.ok) << result.report;
    for (uint32_t i = 0; i < size; ++i) ASSERT_EQ(gz[i], x[i] + y[i]) << i;
  }
}

}  // namespace
}  // namespace hostnpu::testing

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tensors.h"
#include "tiling/tiling_api.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

constexpr uint32_t kSrc = 0, kDst = 65536, kRows = 5;

/// Rows of `step` elements, 1, 2, 3 ..., of which `width` count, padded; dst was -1 before.
template <typename T>
std::vector<T> Padded(uint32_t step, uint32_t width, PadParams params, uint32_t to_step,
                      LaunchResult* result) {
  std::vector<T> out(kRows * to_step);
  *result = OnCore([&] {
    for (uint32_t i = 0; i < kRows * step; ++i)
      Ub<T>(kSrc).SetValue(i, static_cast<T>(static_cast<int>(i) + 1));
    for (uint32_t i = 0; i < kRows * to_step; ++i) Ub<T>(kDst).SetValue(i, static_cast<T>(99));
    PadTiling tiling;
    PadTilingFunc(TensorShape({kRows, step}), TensorShape({kRows, width}), 4096, sizeof(T), tiling);
    Pad<T>(Ub<T>(kDst), Ub<T>(kSrc), params, tiling);
    for (uint32_t i = 0; i < kRows * to_step; ++i) out[i] = Ub<T>(kDst).GetValue(i);
  });
  return out;
}

template <typename T>
void ExpectPadded(uint32_t step, uint32_t width, PadParams params) {
  const uint32_t per_block = 32 / sizeof(T);
  const uint32_t to_step = (step + per_block - 1) / per_block * per_block;
  LaunchResult result;
  const std::vector<T> out = Padded<T>(step, width, params, to_step, &result);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t row = 0; row < kRows; ++row) {
    for (uint32_t i = 0; i < to_step; ++i) {
      const uint32_t first = params.leftPad, last = first + width;
      T expected = static_cast<T>(99);  // behind all padding nothing is written
      if (i < first || (i >= last && i < last + params.rightPad)) {
        expected = static_cast<T>(params.padValue);
      } else if (i < last || step == to_step) {
        expected = static_cast<T>(static_cast<int>(row * step + i - first) + 1);
      }
      ASSERT_EQ(out[row * to_step + i], expected) << step << ' ' << row << ' ' << i;
    }
  }
}

TEST(PadTest, RowsBecomeWholeBlocks) {
  ExpectPadded<float>(31, 31, {0, 1, 321});
  ExpectPadded<float>(5, 5, {1, 2, -7});
  ExpectPadded<float>(5, 5, {2, 0, -7});
  ExpectPadded<half>(15, 15, {1, 0, 3});
  ExpectPadded<int16_t>(13, 13, {0, 3, -2});
  ExpectPadded<uint32_t>(1, 1, {0, 7, 5});
}

TEST(PadTest, ColumnsBehindTheUsedOnesOfWholeRowsAreReplaced) {
  ExpectPadded<half>(16, 14, {0, 2, 3});
  ExpectPadded<float>(24, 17, {0, 4, 3});
}

TEST(PadTest, MoreThanTheBlocksHoldIsRefused) {
  LaunchResult result;
  Padded<float>(5, 5, {1, 3, 0}, 8, &result);
  EXPECT_EQ(result.message,
            "Pad has rows of 5 elements, 5 of them used, and pads 1 before and 3 behind; that may "
            "fill the 8 of whole blocks, and whole rows are padded behind only");
  Padded<float>(8, 6, {1, 1, 0}, 8, &result);
  EXPECT_EQ(result.kind, HOSTNPU_FAULT_ARGUMENT);
}

TEST(UnPadTest, RowsOfWholeBlocksMoveTogether) {
  const auto run = [](uint32_t step, UnPadParams params, std::vector<float>* out) {
    return OnCore([=]() mutable {
      for (uint32_t i = 0; i < kRows * step; ++i)
        Ub<float>(kSrc).SetValue(i, static_cast<float>(i));
      UnPadTiling tiling;
      UnPadTilingFunc(TensorShape({kRows, step}), 4096, 4, tiling);
      UnPad<float>(Ub<float>(kDst), Ub<float>(kSrc), params, tiling);
      for (uint32_t i = 0; i < kRows * (step - params.rightPad); ++i)
        out->push_back(Ub<float>(kDst).GetValue(i));
    });
  };
  for (const auto& [step, right] : {std::pair<uint32_t, uint16_t>{8, 1}, {8, 7}, {24, 3}}) {
    std::vector<float> out;
    const LaunchResult result = run(step, {0, right}, &out);
    ASSERT_TRUE(result.ok) << result.report;
    const uint32_t width = step - right;
    for (uint32_t i = 0; i < kRows * width; ++i)
      ASSERT_EQ(out[i], static_cast<float>(i / width * step + i % width));
  }
  std::vector<float> unused;
  for (UnPadParams bad : {UnPadParams{0, 0}, UnPadParams{0, 8}, UnPadParams{1, 1}}) {
    EXPECT_THAT(run(8, bad, &unused).message,
                ::testing::HasSubstr("leftPad is 0 and rightPad 1 to 7"));
  }
  EXPECT_EQ(run(9, {0, 1}, &unused).kind, HOSTNPU_FAULT_ARGUMENT);
}

}  // namespace
}  // namespace hostnpu::testing

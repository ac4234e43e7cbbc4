// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Layouts by address: what LoadData and its kin write is compared, byte by byte, with index
// formulas written here anew.
#include "cube_run.h"

namespace hostnpu::testing {
namespace {

using AscendC::LocalTensor;
using AscendC::TPosition;

/// Numbers 0, 1, 2, ... in the element type, so that a value says where it came from.
template <typename T>
void FillCounting(T* data, size_t count) {
  for (size_t i = 0; i < count; ++i) data[i] = static_cast<T>(i % 30000);
}

/// Runs `body` on a cube core whose L1 starts with `count` counting elements; L0A or L0B after it.
template <typename T>
std::vector<T> Loaded(TPosition position, size_t count, size_t result,
                      std::function<void(LocalTensor<T>, LocalTensor<T>)> body) {
  std::vector<T> out(result);
  const std::string fault = RunCube([&] {
    const bool is_a = position == TPosition::A2;
    const LocalTensor<T> l1(is_a ? TPosition::A1 : TPosition::B1, 0, static_cast<uint32_t>(count));
    const LocalTensor<T> l0(position, 0, static_cast<uint32_t>(result));
    FillCounting(l1.Data(), count);
    std::memset(static_cast<void*>(l0.Data()), 0x7F, result * sizeof(T));
    body(l0, l1);
    std::memcpy(out.data(), l0.Data(), result * sizeof(T));
  });
  EXPECT_EQ(fault, "");
  return out;
}

TEST(LoadDataTest, CopiesFractalsWithGapsAndStrides) {
  const auto out = Loaded<int16_t>(TPosition::A2, 4096, 2048, [](auto l0, auto l1) {
    AscendC::LoadData(l0, l1, AscendC::LoadData2DParams(1, 3, 4, 0, 1, false, 0));
  });
  for (int i = 0; i < 3; ++i)
    for (int e = 0; e < 256; ++e) ASSERT_EQ(out[i * 512 + e], (1 + 4 * i) * 256 + e);
  EXPECT_EQ(out[256], 0x7F7F);  // the gap stays as it was
}

TEST(LoadDataTest, TransposesEachFractalOf16Bits) {
  const auto out = Loaded<int16_t>(TPosition::B2, 4096, 1024, [](auto l0, auto l1) {
    AscendC::LoadData(l0, l1, AscendC::LoadData2DParams(0, 4, 2, 0, 0, true, 0));
  });
  for (int i = 0; i < 4; ++i)
    for (int r = 0; r < 16; ++r)
      for (int c = 0; c < 16; ++c) ASSERT_EQ(out[i * 256 + r * 16 + c], 2 * i * 256 + c * 16 + r);
}

TEST(LoadDataTest, LoadsAnNzMatrixByTheSecondFormOf2d) {
  const auto out = Loaded<int16_t>(TPosition::A2, 8192, 6 * 256, [](auto l0, auto l1) {
    AscendC::LoadData(l0, l1, AscendC::LoadData2DParamsV2(1, 2, 2, 3, 5, 2, false, 0));
  });
  for (int k = 0; k < 3; ++k)
    for (int m = 0; m < 2; ++m)
      for (int e = 0; e < 256; ++e)
        ASSERT_EQ(out[(k * 2 + m) * 256 + e], ((k + 2) * 5 + m + 1) * 256 + e);
}

TEST(LoadDataTest, TransposesSquaresOf8And32And4Bits) {
  const auto bytes = Loaded<uint8_t>(TPosition::B2, 8192, 4096, [](auto l0, auto l1) {
    for (uint32_t i = 0; i < 8192; ++i) l1.SetValue(i, static_cast<uint8_t>(i * 7 + i / 256));
    AscendC::LoadDataWithTranspose(l0, l1, AscendC::LoadData2dTransposeParams(1, 2, 2, 0, 1));
  });
  for (int i = 0; i < 2; ++i) {
    for (int r = 0; r < 32; ++r) {
      for (int c = 0; c < 32; ++c) {
        const uint32_t from = (1 + 2 * i) * 1024 + c * 32 + r;
        ASSERT_EQ(bytes[i * 512 + r / 16 * 1024 + r % 16 * 32 + c],
                  static_cast<uint8_t>(from * 7 + from / 256));
      }
    }
  }
  const auto words = Loaded<int32_t>(TPosition::A2, 2048, 512, [](auto l0, auto l1) {
    AscendC::LoadDataWithTranspose(l0, l1, AscendC::LoadData2dTransposeParams(0, 2, 1, 1, 0));
  });
  // Two fractals of 16 x 8 side by side are a 16 x 16 square.
  for (int i = 0; i < 2; ++i)
    for (int m = 0; m < 16; ++m)
      for (int k = 0; k < 16; ++k)
        ASSERT_EQ(words[i * 256 + m / 8 * 128 + k * 8 + m % 8],
                  i * 256 + k / 8 * 128 + m * 8 + k % 8);
  const auto nibbles = Loaded<uint8_t>(TPosition::B2, 2048, 2048, [](auto l0, auto l1) {
    AscendC::LoadDataWithTranspose(l0.template ReinterpretCast<AscendC::int4b_t>(),
                                   l1.template ReinterpretCast<AscendC::int4b_t>(),
                                   AscendC::LoadData2dTransposeParams(0, 1, 1, 0, 0));
  });
  const auto nibble = [](uint32_t byte, bool high) {
    return static_cast<uint8_t>(byte % 30000) >> (high ? 4 : 0) & 15;
  };
  for (int r = 0; r < 64; ++r)
    for (int c = 0; c < 64; ++c)
      ASSERT_EQ(nibbles[r * 32 + c / 2] >> (c % 2 * 4) & 15, nibble(c * 32 + r / 2, r % 2 != 0));
}

/// Image to column, restated: X[m][k] of an NC1HWC0 image whose element i holds i.
template <typename T>
T ColumnOf(const AscendC::LoadData3DParamsV2<T>& p, int m, int k) {
  const int c0 = 32 / static_cast<int>(sizeof(T));
  const int points = p.filterW * p.filterH;
  const int out_w =
      (p.l1W + p.padList[0] + p.padList[1] - ((p.filterW - 1) * p.dilationFilterW + 1)) /
          p.strideW +
      1;
  const int group = k / c0, point = group % points;
  const int h = m / out_w * p.strideH + point / p.filterW * p.dilationFilterH - p.padList[2];
  const int w = m % out_w * p.strideW + point % p.filterW * p.dilationFilterW - p.padList[0];
  if (h < 0 || h >= p.l1H || w < 0 || w >= p.l1W) return p.padValue;
  return static_cast<T>(((group / points * p.l1H + h) * p.l1W + w) * c0 + k % c0);
}

template <typename T>
AscendC::LoadData3DParamsV2<T> Convolution() {
  AscendC::LoadData3DParamsV2<T> p;
  p.padList[0] = 1;
  p.padList[1] = 2;
  p.padList[2] = 1;
  p.padList[3] = 1;
  p.l1H = 7;
  p.l1W = 9;
  p.channelSize = 2 * 32 / sizeof(T);
  p.filterW = 3;
  p.filterH = 2;
  p.strideW = 2;
  p.dilationFilterH = 2;
  p.padValue = static_cast<T>(-3);
  p.mExtension = 32;
  p.kExtension = 4 * 32 / sizeof(T);
  p.kStartPt = 32 / sizeof(T);
  p.mStartPt = 3;
  return p;
}

TEST(LoadData3dTest, UnfoldsAConvolutionIntoL0a) {
  const auto p = Convolution<int16_t>();
  const auto out = Loaded<int16_t>(TPosition::A2, 4096, 32 * 64,
                                   [&](auto l0, auto l1) { AscendC::LoadData(l0, l1, p); });
  for (int m = 0; m < 32; ++m)
    for (int k = 0; k < 64; ++k)
      ASSERT_EQ(out[((m / 16) * 4 + k / 16) * 256 + m % 16 * 16 + k % 16],
                ColumnOf(p, m + 3, k + 16))
          << m << " " << k;
}
TEST(LoadData3dTest, TransposesIntoL0aAndL0b) {
  auto p = Convolution<int16_t>();
  const auto b = Loaded<int16_t>(TPosition::B2, 4096, 32 * 64,
                                 [&](auto l0, auto l1) { AscendC::LoadData(l0, l1, p); });
  p.enTranspose = true;
  const auto a = Loaded<int16_t>(TPosition::A2, 4096, 32 * 64,
                                 [&](auto l0, auto l1) { AscendC::LoadData(l0, l1, p); });
  for (int m = 0; m < 32; ++m) {
    for (int k = 0; k < 64; ++k) {
      ASSERT_EQ(b[((m / 16) * 4 + k / 16) * 256 + k % 16 * 16 + m % 16],
                ColumnOf(p, m + 3, k + 16));
      ASSERT_EQ(a[((k / 16) * 2 + m / 16) * 256 + k % 16 * 16 + m % 16],
                ColumnOf(p, m + 3, k + 16));
    }
  }
}
TEST(LoadData3dTest, TransposesWordsInPairsOfFractals) {
  auto p = Convolution<int32_t>();
  const auto b = Loaded<int32_t>(TPosition::B2, 4096, 32 * 32,
                                 [&](auto l0, auto l1) { AscendC::LoadData(l0, l1, p); });
  p.enTranspose = true;
  const auto a = Loaded<int32_t>(TPosition::A2, 4096, 32 * 32,
                                 [&](auto l0, auto l1) { AscendC::LoadData(l0, l1, p); });
  for (int m = 0; m < 32; ++m) {
    for (int k = 0; k < 32; ++k) {
      ASSERT_EQ(b[((m / 8) * 2 + k / 16) * 128 + k % 16 * 8 + m % 8], ColumnOf(p, m + 3, k + 8));
      ASSERT_EQ(a[((k / 16) * 4 + m / 8) * 128 + k % 16 * 8 + m % 8], ColumnOf(p, m + 3, k + 8));
    }
  }
}
TEST(LoadData3dTest, TakesGeometryFromRegistersAndPackedParameters) {
  const auto p = Convolution<int16_t>();
  const auto expected = Loaded<int16_t>(TPosition::A2, 4096, 32 * 64,
                                        [&](auto l0, auto l1) { AscendC::LoadData(l0, l1, p); });
  const auto packed = Loaded<int16_t>(TPosition::A2, 4096, 32 * 64, [&](auto l0, auto l1) {
    AscendC::SetFmatrix(p.l1H, p.l1W, p.padList, AscendC::FmatrixMode::FMATRIX_LEFT);
    AscendC::SetLoadDataPaddingValue<int16_t>(-3);
    AscendC::SetLoadDataBoundary(0);
    AscendC::LoadData3DParamsV2Pro pro;
    pro.channelSize = p.channelSize;
    pro.extConfig = uint64_t{p.mStartPt} << 48 | uint64_t{p.kStartPt} << 32 |
                    uint64_t{p.mExtension} << 16 | p.kExtension;
    pro.filterConfig = uint64_t{p.dilationFilterH} << 40 | uint64_t{p.dilationFilterW} << 32 |
                       uint64_t{p.filterH} << 24 | uint64_t{p.filterW} << 16 |
                       uint64_t{p.strideH} << 8 | p.strideW;
    AscendC::LoadData(l0, l1, pro);
  });
  EXPECT_EQ(packed, expected);
}
TEST(LoadData3dTest, InitSocStateTakesThePaddingValueBack) {
  // A map of 1 x 12 with four columns of padding to its left.
  AscendC::LoadData3DParamsV2Pro pro;
  pro.channelSize = 16;
  pro.extConfig = uint64_t{16} << 16 | 16;
  pro.filterConfig = uint64_t{1} << 40 | uint64_t{1} << 32 | 1 << 24 | 1 << 16 | 1 << 8 | 1;
  const auto loaded = [&](bool resets) {
    return Loaded<int16_t>(TPosition::A2, 256, 256, [&](auto l0, auto l1) {
      const uint8_t pad[4] = {4, 0, 0, 0};
      AscendC::SetFmatrix(1, 12, pad, AscendC::FmatrixMode::FMATRIX_LEFT);
      AscendC::SetLoadDataPaddingValue<int16_t>(-3);
      if (resets) AscendC::InitSocState();
      AscendC::LoadData(l0, l1, pro);
    });
  };
  const std::vector<int16_t> kept = loaded(false), reset = loaded(true);
  for (int m = 0; m < 16; ++m) {
    for (int c = 0; c < 16; ++c) {
      ASSERT_EQ(kept[m * 16 + c], m < 4 ? -3 : (m - 4) * 16 + c) << m << " " << c;
      ASSERT_EQ(reset[m * 16 + c], m < 4 ? 0 : (m - 4) * 16 + c) << m << " " << c;
    }
  }
}
TEST(LoadData3dTest, RepeatsMoveTheWindow) {
  AscendC::LoadData3DParamsV2<int16_t> p;
  p.l1H = 1;
  p.l1W = 64;
  p.channelSize = 32;
  p.mExtension = 16;
  p.kExtension = 32;
  const auto out = Loaded<int16_t>(TPosition::A2, 2048, 2 * 512, [&](auto l0, auto l1) {
    AscendC::SetLoadDataRepeat(AscendC::LoadDataRepeatParam(2, 2, 0));
    AscendC::LoadData(l0, l1, p);
  });
  for (int i = 0; i < 2; ++i)
    for (int m = 0; m < 16; ++m)
      for (int k = 0; k < 32; ++k)
        ASSERT_EQ(out[i * 512 + k / 16 * 256 + m * 16 + k % 16],
                  (k / 16 * 64 + m + i * 32) * 16 + k % 16);
}

TEST(FillTest, FillsBlocksAndLeavesGaps) {
  const auto out = Loaded<int16_t>(TPosition::A2, 16, 1024, [](auto l0, auto) {
    AscendC::Fill(l0, AscendC::InitConstValueParams<int16_t>(2, 1, 1, 42));
  });
  for (int i = 0; i < 256; ++i) {
    ASSERT_EQ(out[i], 42);
    ASSERT_EQ(out[256 + i], 0x7F7F);
    ASSERT_EQ(out[512 + i], 42);
  }
}

TEST(FillTest, InitConstValueCountsBlocksOf512BytesInL0bAndOf32InL1) {
  const auto out = Loaded<float>(TPosition::B2, 4096, 1024, [](auto l0, auto) {
    AscendC::InitConstValue(l0, AscendC::InitConstValueParams<float>(2, 2, 3, -1.5f));
    AscendC::InitConstValue(l0[128], AscendC::InitConstValueParams<float>(0, 1, 0, 9.0f));
    AscendC::InitConstValue(l0[128], AscendC::InitConstValueParams<float>(9, 0, 0, 9.0f));
  });
  for (int i = 0; i < 1024; ++i) {
    if (i / 128 % 5 < 2) {
      ASSERT_EQ(out[i], -1.5f) << i;
    } else {
      ASSERT_EQ(std::memcmp(&out[i], "\x7F\x7F\x7F\x7F", 4), 0) << i;
    }
  }
  std::vector<half> l1_out(256);
  ASSERT_EQ(RunCube([&] {
              const LocalTensor<half> l1(TPosition::A1, 64, 256);
              std::memset(static_cast<void*>(l1.Data()), 0, 512);
              AscendC::InitConstValue(l1, AscendC::InitConstValueParams<half>(3, 2, 4, half(2)));
              std::memcpy(static_cast<void*>(l1_out.data()), l1.Data(), 512);
            }),
            "");
  for (int i = 0; i < 256; ++i)
    ASSERT_EQ(static_cast<float>(l1_out[i]), i / 16 % 6 < 2 ? 2.0f : 0.0f) << i;
}

TEST(FillTest, InitConstValueNamesWhatIsBeyondItsLimits) {
  const auto run = [](uint32_t byte, uint16_t repeats, uint16_t gap) {
    return RunCube([=] {
      const LocalTensor<half> l0(TPosition::A2, byte, 256);
      AscendC::InitConstValue(l0, AscendC::InitConstValueParams<half>(repeats, 1, gap, half(2)));
    });
  };
  using ::testing::HasSubstr;
  EXPECT_EQ(run(0, 128, 0), "");
  EXPECT_THAT(run(0, 129, 0), HasSubstr("InitConstValue needs 66048 bytes for its dst"));
  EXPECT_THAT(run(32, 1, 0), HasSubstr("has its dst at L0A byte 32, which is not a multiple of"));
  EXPECT_THAT(run(0, 1, 32768), HasSubstr("has dstGap = 32768; the largest is 32767"));
  EXPECT_THAT(RunCube([] {
                const LocalTensor<half> l0c(TPosition::CO1, 0, 256);
                AscendC::InitConstValue(l0c, AscendC::InitConstValueParams<half>(1, 1, 0, half(2)));
              }),
              HasSubstr("InitConstValue has its dst in L0C"));
}

TEST(LoadDataTest, FaultsNameOperandValueAndLimit) {
  using ::testing::HasSubstr;
  EXPECT_THAT(RunCube([] {
                LocalTensor<half> l1(TPosition::A1, 0, 512), l0(TPosition::A2, 256, 256);
                AscendC::LoadData(l0, l1, AscendC::LoadData2DParams(0, 1, 1, 0, 0, false, 0));
              }),
              HasSubstr("has its dst at L0A byte 256, which is not a multiple of 512"));
  EXPECT_THAT(RunCube([] {
                LocalTensor<half> l1(TPosition::A1, 0, 512), l0(TPosition::A2, 0, 256);
                AscendC::LoadData(l0, l1, AscendC::LoadData2DParams(0, 255, 1, 0, 0, false, 0));
              }),
              HasSubstr("needs 130560 bytes for its dst"));
  EXPECT_THAT(RunCube([] {
                LocalTensor<half> l1(TPosition::VECIN, 0, 512), l0(TPosition::A2, 0, 256);
                AscendC::LoadData(l0, l1, AscendC::LoadData2DParams(0, 1, 1, 0, 0, false, 0));
              }),
              HasSubstr("has its src in UB (TPosition 9); it must be in L1"));
  EXPECT_THAT(RunCube([] {
                LocalTensor<int8_t> l1(TPosition::A1, 0, 512), l0(TPosition::A2, 0, 512);
                AscendC::LoadData(l0, l1, AscendC::LoadData2DParams(0, 1, 1, 0, 0, true, 0));
              }),
              HasSubstr("LoadDataWithTranspose takes the other types"));
  EXPECT_THAT(RunCube([] {
                LocalTensor<half> l1(TPosition::A1, 0, 512), l0(TPosition::A2, 0, 512);
                AscendC::LoadData3DParamsV2<half> p;
                p.l1H = p.l1W = 4;
                p.channelSize = p.kExtension = p.mExtension = 16;
                p.kStartPt = 5;
                AscendC::LoadData(l0, l1, p);
              }),
              HasSubstr("kStartPt = 5, which is not a multiple of 16"));
}

TEST(LoadDataTest, DoesNothingOnAVectorCore) {
  LaunchOptions options;
  EXPECT_EQ(RunBody(options,
                    [] {
                      LocalTensor<half> l1(TPosition::VECIN, 0, 512), l0(TPosition::VECIN, 0, 256);
                      AscendC::LoadData(l0, l1, AscendC::LoadData2DParams(0, 1, 1, 0, 0, false, 0));
                    }),
            "");
}

TEST(Nd2NzTest, WritesEachElementWhereNzSaysAndZeroesTheTail) {
  for (auto [n, d] : {std::pair{5, 20}, {16, 64}, {33, 130}, {1, 1}}) {
    Gm<int16_t> source(2 * 64 * 256);
    FillCounting(source.data(), source.size());
    std::vector<int16_t> l1(2 * 16384);
    ASSERT_EQ(RunCube([&, n = n, d = d] {
                LocalTensor<int16_t> dst(TPosition::A1, 0, static_cast<uint32_t>(l1.size()));
                std::memset(static_cast<void*>(dst.Data()), 0x7F, l1.size() * 2);
                AscendC::DataCopy(dst, TensorOf(source),
                                  AscendC::Nd2NzParams(2, n, d, 64 * 150, 150, 48, 1, 12000));
                std::memcpy(l1.data(), dst.Data(), l1.size() * 2);
              }),
              "");
    for (int i = 0; i < 2; ++i)
      for (int r = 0; r < n; ++r)
        for (int c = 0; c < (d + 15) / 16 * 16; ++c)
          ASSERT_EQ(l1[i * 12000 + c / 16 * 48 * 16 + r * 16 + c % 16],
                    c < d ? (i * 64 * 150 + r * 150 + c) % 30000 : 0)
              << n << " " << d << " at " << r << " " << c;
  }
}

}  // namespace
}  // namespace hostnpu::testing

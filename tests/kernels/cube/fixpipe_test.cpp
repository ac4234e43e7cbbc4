// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "cube_run.h"

namespace hostnpu::testing {
namespace {

using AscendC::FixpipeParamsV220;
using AscendC::LocalTensor;
using AscendC::TPosition;
using ::testing::HasSubstr;

constexpr uint32_t kM = 37, kN = 80, kRows = 48;  // kRows: of the layout in L0C

/// Accumulators with value(m, n), NZ in L0C.
template <typename Sum>
LocalTensor<Sum> Accumulators(double (*value)(uint32_t, uint32_t)) {
  const LocalTensor<Sum> l0c(TPosition::CO1, 0, kRows * kN);
  for (uint32_t m = 0; m < kRows; ++m)
    for (uint32_t n = 0; n < kN; ++n)
      l0c.SetValue(n / 16 * kRows * 16 + m * 16 + n % 16, static_cast<Sum>(value(m, n)));
  return l0c;
}
double Mixed(uint32_t m, uint32_t n) { return (int(m * 131 + n * 17) % 401 - 200) / 8.0; }
double Whole(uint32_t m, uint32_t n) { return int(m * 131 + n * 17) % 4001 - 2000; }

uint64_t Word(float scale, int offset = 0, bool is_signed = true) {
  return __builtin_bit_cast(uint32_t, scale) | uint64_t{static_cast<uint32_t>(offset) & 511} << 37 |
         uint64_t{is_signed} << 46;
}
double Clip(double x, double low, double high) { return x < low ? low : x > high ? high : x; }
/// The 8-bit rule, restated: scale, round half to even, clip to nine bits, offset, clip.
double Byte(double x, double scale, bool relu, int offset, bool is_signed) {
  const double scaled = relu && x < 0 ? 0 : x * scale;
  const double rounded = Clip(std::nearbyint(scaled), -256, 255) + offset;
  return is_signed ? Clip(rounded, -128, 127) : Clip(rounded, 0, 255);
}

/// Row-major with leading dimension kN + 5.
template <typename Out, typename Sum>
void ExpectRows(double (*value)(uint32_t, uint32_t), FixpipeParamsV220 p,
                std::function<double(double, uint32_t)> expected,
                const std::vector<uint64_t>& words = {}) {
  constexpr uint32_t kLine = kN + 5;
  Gm<Out> out(kM * kLine);
  for (size_t i = 0; i < out.size(); ++i) out[i] = Out(99);
  p.nSize = kN - 3;
  p.mSize = kM;
  p.srcStride = kRows;
  p.dstStride = kLine;
  ASSERT_EQ(RunCube([&] {
              const auto l0c = Accumulators<Sum>(value);
              if (words.empty()) {
                AscendC::Fixpipe(TensorOf(out), l0c, p);
              } else {
                const LocalTensor<uint64_t> c1(TPosition::C1, 4096,
                                               static_cast<uint32_t>(words.size()));
                for (uint32_t i = 0; i < words.size(); ++i) c1.SetValue(i, words[i]);
                AscendC::Fixpipe(TensorOf(out), l0c, c1, p);
              }
            }),
            "");
  for (uint32_t m = 0; m < kM; ++m) {
    for (uint32_t n = 0; n < kLine; ++n) {
      const double want = n < kN - 3 ? expected(value(m, n), n) : 99;
      ASSERT_EQ(static_cast<double>(out[m * kLine + n]), static_cast<double>(Out(want)))
          << m << ", " << n;
    }
  }
}

FixpipeParamsV220 Params(QuantMode_t quant, bool relu, uint64_t word = 0) {
  FixpipeParamsV220 p;
  p.quantPre = quant;
  p.reluEn = relu;
  p.deqScalar = word;
  return p;
}

TEST(FixpipeTest, WritesRowsOfEveryTypeWithAndWithoutRelu) {
  for (bool relu : {false, true}) {
    const auto as_is = [relu](double x, uint32_t) { return relu && x < 0 ? 0 : x; };
    ExpectRows<float, float>(Mixed, Params(NoQuant, relu), as_is);
    ExpectRows<half, float>(Mixed, Params(F322F16, relu), as_is);
    ExpectRows<bfloat16_t, float>(Mixed, Params(F322BF16, relu), as_is);
    ExpectRows<int32_t, int32_t>(Whole, Params(NoQuant, relu), as_is);
  }
}
TEST(FixpipeTest, QuantisesWithOneScale) {
  for (bool relu : {false, true}) {
    ExpectRows<half, int32_t>(Whole, Params(DEQF16, relu, Word(0.25f)),
                              [=](double x, uint32_t) { return relu && x < 0 ? 0 : x * 0.25; });
    ExpectRows<int8_t, float>(Mixed, Params(QF322B8_PRE, relu, Word(3.5f, -7)),
                              [=](double x, uint32_t) { return Byte(x, 3.5, relu, -7, true); });
    ExpectRows<uint8_t, float>(Mixed, Params(QF322B8_PRE, relu, Word(3.5f, 9, false)),
                               [=](double x, uint32_t) { return Byte(x, 3.5, relu, 9, false); });
    ExpectRows<int8_t, int32_t>(Whole, Params(REQ8, relu, Word(0.0625f, 3)),
                                [=](double x, uint32_t) { return Byte(x, 0.0625, relu, 3, true); });
    ExpectRows<uint8_t, int32_t>(
        Whole, Params(REQ8, relu, Word(0.0625f, 3, false)),
        [=](double x, uint32_t) { return Byte(x, 0.0625, relu, 3, false); });
  }
}
TEST(FixpipeTest, QuantisesWithOneScalePerColumn) {
  const auto scale = [](uint32_t n) { return 0.125f * static_cast<float>(n % 5 + 1); };
  std::vector<uint64_t> words(kN);
  for (uint32_t n = 0; n < kN; ++n) words[n] = Word(scale(n), static_cast<int>(n % 3) - 1);
  ExpectRows<half, int32_t>(
      Whole, Params(VDEQF16, false),
      [&](double x, uint32_t n) { return x * static_cast<double>(scale(n)); }, words);
  ExpectRows<int8_t, float>(
      Mixed, Params(VQF322B8_PRE, true),
      [&](double x, uint32_t n) {
        return Byte(x, static_cast<double>(scale(n)), true, static_cast<int>(n % 3) - 1, true);
      },
      words);
  ExpectRows<int8_t, int32_t>(
      Whole, Params(VREQ8, false),
      [&](double x, uint32_t n) {
        return Byte(x, static_cast<double>(scale(n)), false, static_cast<int>(n % 3) - 1, true);
      },
      words);
}
TEST(FixpipeTest, IgnoresTheLowBitsOfAScale) {
  const float scale = __builtin_bit_cast(float, __builtin_bit_cast(uint32_t, 0.25f) | 0x1FFFu);
  ExpectRows<half, int32_t>(Whole, Params(DEQF16, false, Word(scale)),
                            [](double x, uint32_t) { return x * 0.25; });
}

template <typename Out, typename Sum>
void ExpectFractals(QuantMode_t quant, bool split, bool to_l1) {
  const uint32_t column = split ? 8 : sizeof(Out) == 1 ? 32 : 16;
  constexpr uint32_t kGroup = 64;  // rows between column groups in the result
  Gm<Out> out(kN / 8 * kGroup * 32);
  std::memset(static_cast<void*>(out.data()), 0, out.size() * sizeof(Out));
  FixpipeParamsV220 p = Params(quant, false, Word(1.0f));
  p.nSize = kN;
  p.mSize = kM;
  p.srcStride = kRows;
  p.dstStride = kGroup * column * sizeof(Out) / 32;
  p.isChannelSplit = split;
  ASSERT_EQ(RunCube([&] {
              const auto l0c = Accumulators<Sum>(Mixed);
              if (to_l1) {
                const LocalTensor<Out> l1(TPosition::A1, 0, static_cast<uint32_t>(out.size()));
                std::memset(static_cast<void*>(l1.Data()), 0, out.size() * sizeof(Out));
                AscendC::Fixpipe<Out, Sum, AscendC::CFG_NZ>(l1, l0c, p);
                std::memcpy(static_cast<void*>(out.data()), l1.Data(), out.size() * sizeof(Out));
              } else {
                AscendC::Fixpipe<Out, Sum, AscendC::CFG_NZ>(TensorOf(out), l0c, p);
              }
            }),
            "");
  for (uint32_t m = 0; m < kM; ++m) {
    for (uint32_t n = 0; n < kN; ++n) {
      // 80 columns of bytes: two merged groups of 32, and 16 that are not merged.
      const bool odd = column == 32 && n >= 64;
      const size_t at = n / column * kGroup * column + m * (odd ? 16 : column) + n % column;
      const double value = static_cast<double>(static_cast<Sum>(Mixed(m, n)));
      ASSERT_EQ(static_cast<double>(out[at]),
                static_cast<double>(Out(sizeof(Out) == 1 ? Byte(value, 1, false, 0, true) : value)))
          << m << ", " << n;
    }
  }
}
TEST(FixpipeTest, WritesFractals) {
  ExpectFractals<float, float>(NoQuant, false, false);
  ExpectFractals<float, float>(NoQuant, true, false);
  ExpectFractals<half, float>(F322F16, false, false);
  ExpectFractals<half, float>(F322F16, false, true);
  ExpectFractals<int8_t, float>(QF322B8_PRE, false, false);
  ExpectFractals<int8_t, int32_t>(REQ8, false, true);
}

TEST(FixpipeTest, WritesSeveralMatrices) {
  Gm<float> out(3 * 16 * 16);
  FixpipeParamsV220 p(16, 8, kRows, 16, false, NoQuant, 0, 3, 1, 128, 0);
  ASSERT_EQ(RunCube([&] { AscendC::Fixpipe(TensorOf(out), Accumulators<float>(Mixed), p); }), "");
  for (uint32_t i = 0; i < 3; ++i)
    for (uint32_t m = 0; m < 8; ++m)
      for (uint32_t n = 0; n < 16; ++n)
        ASSERT_EQ(out[i * 128 + m * 16 + n], static_cast<float>(Mixed(m + 16 * i, n)));
}

TEST(FixpipeTest, AddsAtomically) {
  Gm<float> out(kM * kN);
  for (size_t i = 0; i < out.size(); ++i) out[i] = 1000.0f;
  ASSERT_EQ(RunCube([&] {
              AscendC::SetAtomicAdd<float>();
              const auto l0c = Accumulators<float>(Mixed);
              for (int i = 0; i < 2; ++i)
                AscendC::Fixpipe(TensorOf(out), l0c, FixpipeParamsV220(kN, kM, kRows, kN, false));
              AscendC::SetAtomicNone();
            }),
            "");
  for (uint32_t m = 0; m < kM; ++m)
    for (uint32_t n = 0; n < kN; ++n)
      ASSERT_EQ(out[m * kN + n], static_cast<float>(1000 + 2 * Mixed(m, n)));
}

TEST(FixpipeTest, DataCopyFromL0cTakesItsParametersFromRegisters) {
  Gm<half> scalar(kM * kN), vector(kM * kN);
  ASSERT_EQ(RunCube([&] {
              const auto l0c = Accumulators<int32_t>(Whole);
              AscendC::SetFixpipeNz2ndFlag(1, 1, 1);
              AscendC::SetFixpipePreQuantFlag(Word(0.5f));
              AscendC::DataCopy(
                  TensorOf(scalar), l0c,
                  AscendC::DataCopyCO12DstParams(kN, kM, kN, kRows, DEQF16, 1, false, true));
              const LocalTensor<uint64_t> fb(TPosition::C2PIPE2GM, 128, kN);
              for (uint32_t n = 0; n < kN; ++n) fb.SetValue(n, Word(n % 2 == 0 ? 0.5f : 0.25f));
              AscendC::SetFixPipeConfig(fb);
              AscendC::DataCopy(
                  TensorOf(vector), l0c,
                  AscendC::DataCopyCO12DstParams(kN, kM, kN, kRows, VDEQF16, 0, false, true));
            }),
            "");
  for (uint32_t m = 0; m < kM; ++m) {
    for (uint32_t n = 0; n < kN; ++n) {
      const double x = Whole(m, n);
      ASSERT_EQ(static_cast<double>(scalar[m * kN + n]), x < 0 ? 0 : x * 0.5);
      ASSERT_EQ(static_cast<double>(vector[m * kN + n]), x * (n % 2 == 0 ? 0.5 : 0.25));
    }
  }
}

TEST(FixpipeTest, TheFixpipeBufferHasSevenKibibytesOfWhichScalesTakeTwo) {
  const auto run = [](uint32_t bytes) {
    return RunCube([bytes] {
      AscendC::TPipe pipe;
      AscendC::TBuf<TPosition::C2PIPE2GM> buffer;
      pipe.InitBuffer(buffer, bytes);
    });
  };
  EXPECT_EQ(run(7168), "");
  EXPECT_THAT(run(7168 + 32), HasSubstr("FB, which has 7168"));
  Gm<int8_t> c(16 * 272);
  EXPECT_THAT(RunCube([&] {
                AscendC::FixpipeParamsV220 params(272, 16, 16, 272, false);
                params.quantPre = VREQ8;
                AscendC::Fixpipe(TensorOf(c), LocalTensor<int32_t>(TPosition::CO1, 0, 16 * 272),
                                 LocalTensor<uint64_t>(TPosition::C1, 0, 272), params);
              }),
              HasSubstr("needs 2176 bytes of FB for the scales of 272 columns; FB has 2048"));
}

TEST(FixpipeTest, AResultInL1MayLieWhereItsScalesWere) {
  constexpr uint32_t kColumns = 64, kLines = 32;
  std::vector<int8_t> result(kColumns * kLines);
  const auto scale = [](uint32_t n) { return 0.125f * static_cast<float>(n % 5 + 1); };
  ASSERT_EQ(RunCube([&] {
              const auto l0c = Accumulators<int32_t>(Whole);
              const LocalTensor<uint64_t> scales(TPosition::C1, 0, kColumns);
              for (uint32_t n = 0; n < kColumns; ++n) scales.SetValue(n, Word(scale(n)));
              FixpipeParamsV220 params(kColumns, kLines, kRows, kLines, false);
              params.quantPre = VREQ8;
              const LocalTensor<int8_t> l1(TPosition::A1, 0, kColumns * kLines);
              AscendC::Fixpipe<int8_t, int32_t, AscendC::CFG_NZ>(l1, l0c, scales, params);
              std::memcpy(result.data(), l1.Data(), result.size());
            }),
            "");
  for (uint32_t m = 0; m < kLines; ++m) {
    for (uint32_t n = 0; n < kColumns; ++n) {
      ASSERT_EQ(result[(n / 32 * kLines + m) * 32 + n % 32],
                Byte(Whole(m, n), static_cast<double>(scale(n)), false, 0, true))
          << m << ", " << n;
    }
  }
}

TEST(FixpipeTest, FaultsNameModeScaleAndPlace) {
  Gm<half> out(kM * kN, "result");
  const auto run = [&](FixpipeParamsV220 p) {
    p.nSize = kN;
    p.mSize = kM;
    p.srcStride = kRows;
    p.dstStride = kN;
    return RunCube(
        [&] { AscendC::Fixpipe(TensorOf(out), LocalTensor<int32_t>(TPosition::CO1, 0, 4096), p); });
  };
  EXPECT_THAT(run(Params(DEQF16, false)), HasSubstr("quantPre = DEQF16 and no scale"));
  EXPECT_THAT(run(Params(VDEQF16, false)), HasSubstr("quantPre = VDEQF16 and no scales"));
  EXPECT_THAT(run(Params(F322F16, false)), HasSubstr("from int32_t to half"));
  EXPECT_THAT(RunCube([&] {
                AscendC::Fixpipe(TensorOf(out), LocalTensor<float>(TPosition::CO1, 0, 4096),
                                 FixpipeParamsV220(16, 16, 16, 16, false));
              }),
              HasSubstr("quantPre = NoQuant (0) from float to half"));
  EXPECT_THAT(RunCube([&] {
                FixpipeParamsV220 p(16, 16, 16, 16, false);
                p.quantPre = F322F16;
                AscendC::Fixpipe(TensorOf(out), LocalTensor<float>(TPosition::A2, 0, 4096), p);
              }),
              HasSubstr("has its src in L0A"));
  EXPECT_THAT(RunCube([&] {
                FixpipeParamsV220 p(16, 16, 16, 100000, false);
                p.quantPre = F322F16;
                AscendC::Fixpipe(TensorOf(out), LocalTensor<float>(TPosition::CO1, 0, 4096), p);
              }),
              HasSubstr("result"));
  EXPECT_THAT(RunCube([&] {
                FixpipeParamsV220 p(4095, 8192, 8192, 4095, false);
                p.quantPre = F322F16;
                AscendC::Fixpipe(TensorOf(out), LocalTensor<float>(TPosition::CO1, 0, 4096), p);
              }),
              HasSubstr("L0C has 131072 bytes"));
}

}  // namespace
}  // namespace hostnpu::testing

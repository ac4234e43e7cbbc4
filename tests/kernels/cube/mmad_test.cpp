// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "cube_run.h"

namespace hostnpu::testing {
namespace {

using AscendC::GlobalTensor;
using AscendC::LocalTensor;
using AscendC::TPosition;
using AscendC::internal::CeilDiv;
using AscendC::internal::RoundUp;

struct GemmShape {
  uint32_t m, n, k;
};

/// A (M x K) and B (K x N) row-major through L1, L0 and back to GM, transposed where asked.
template <typename T, typename Sum>
std::string Gemm(const Gm<T>& a, const Gm<T>& b, const Gm<Sum>& c, GemmShape s) {
  return RunCube([&] {
    constexpr uint32_t c0 = 32 / sizeof(T);
    const uint16_t m16 = RoundUp(s.m, 16), n16 = RoundUp(s.n, 16), kc = RoundUp(s.k, c0);
    const uint16_t k16 = RoundUp(s.k, 16);
    LocalTensor<T> a1(TPosition::A1, 0, m16 * kc);
    LocalTensor<T> b1(TPosition::B1, 256 * 1024, std::max<uint32_t>(k16, kc) * RoundUp(s.n, c0));
    LocalTensor<T> a2(TPosition::A2, 0, m16 * kc), b2(TPosition::B2, 0, kc * n16);
    LocalTensor<Sum> c1(TPosition::CO1, 0, m16 * n16);
    AscendC::DataCopy(a1, TensorOf(a), AscendC::Nd2NzParams(1, s.m, s.k, 0, s.k, m16, 1, 0));
    AscendC::DataCopy(b1, TensorOf(b),
                      AscendC::Nd2NzParams(1, s.k, s.n, 0, s.n, std::max<uint16_t>(k16, kc), 1, 0));
    if (s.m == 1) {
      AscendC::DataCopy(a1, TensorOf(a), static_cast<uint32_t>(kc));
      AscendC::LoadData(a2, a1,
                        AscendC::LoadData2DParams(0, CeilDiv(kc, c0 * 16), 1, 0, 0, false, 0));
    } else {
      for (uint32_t i = 0; i < m16 / 16u; ++i) {
        AscendC::LoadData(a2[i * 16 * kc], a1[i * 16 * c0],
                          AscendC::LoadData2DParams(0, kc / c0, m16 / 16, 0, 0, false, 0));
      }
    }
    if constexpr (sizeof(T) == 2) {
      for (uint32_t i = 0; i < kc / 16u; ++i) {
        AscendC::LoadData(b2[i * 16 * n16], b1[i * 256],
                          AscendC::LoadData2DParams(0, n16 / 16, k16 / 16, 0, 0, true, 0));
      }
    } else if constexpr (sizeof(T) == 4) {
      AscendC::LoadData3DParamsV2<T> p;
      p.l1H = 1;
      p.l1W = k16;
      p.channelSize = RoundUp(s.n, 8);
      p.kExtension = RoundUp(s.n, 8);
      p.mExtension = kc;
      AscendC::LoadData(b2, b1, p);
    } else {
      for (uint32_t i = 0; i < kc / 32u; ++i) {
        AscendC::LoadDataWithTranspose(
            b2[i * 32 * n16], b1[i * 1024],
            AscendC::LoadData2dTransposeParams(0, CeilDiv(s.n, 32), kc / 32, 1, 0));
      }
    }
    AscendC::Mmad(c1, a2, b2, AscendC::MmadParams(s.m, s.n, s.k, 0, false, true));
    AscendC::Fixpipe(TensorOf(c), c1, AscendC::FixpipeParamsV220(s.n, s.m, m16, s.n, false));
  });
}

template <typename T, typename Sum>
void ExpectGemm(GemmShape s, double tolerance) {
  Gm<T> a(RoundUp(s.m * s.k, 64)), b(s.k * s.n);
  Gm<Sum> c(s.m * s.n);
  FillRandom(a.data(), s.m * s.k, 1 + s.m);
  FillRandom(b.data(), b.size(), 2 + s.n);
  ASSERT_EQ(Gemm(a, b, c, s), "");
  for (uint32_t m = 0; m < s.m; ++m) {
    for (uint32_t n = 0; n < s.n; ++n) {
      double sum = 0;
      for (uint32_t k = 0; k < s.k; ++k) sum += double(a[m * s.k + k]) * double(b[k * s.n + n]);
      ASSERT_NEAR(double(c[m * s.n + n]), sum, tolerance)
          << s.m << "x" << s.n << "x" << s.k << " at " << m << ", " << n;
    }
  }
}

const GemmShape kShapes[] = {{16, 16, 16}, {128, 256, 64}, {1, 32, 64}, {2, 16, 32},
                             {17, 33, 31}, {30, 40, 70},   {7, 16, 1},  {100, 5, 48},
                             {48, 48, 48}, {63, 65, 129}};

TEST(MmadTest, HalfMatchesTheFp64Product) {
  for (GemmShape s : kShapes) ExpectGemm<half, float>(s, 1e-3);
}
TEST(MmadTest, Bfloat16MatchesTheFp64Product) {
  for (GemmShape s : kShapes) ExpectGemm<bfloat16_t, float>(s, 1e-3);
}
TEST(MmadTest, FloatMatchesTheFp64Product) {
  for (GemmShape s : kShapes) ExpectGemm<float, float>(s, 1e-3);
}
TEST(MmadTest, Int8IsExact) {
  for (GemmShape s : kShapes) {
    if (s.n % 32 == 0) ExpectGemm<int8_t, int32_t>(s, 0);
  }
}

/// One Mmad over L0A and L0B that the body fills; the sums as C[m][n].
template <typename T, typename Sum>
std::vector<Sum> Multiply(AscendC::MmadParams p,
                          std::function<void(LocalTensor<T>, LocalTensor<T>)> fill,
                          std::function<void(LocalTensor<Sum>)> prepare = nullptr,
                          std::string* fault = nullptr) {
  std::vector<Sum> c(size_t{p.m} * p.n);
  const std::string message = RunCube([&] {
    const uint32_t elements = 65536 * 8 / AscendC::SizeOfBits<T>::value;
    const LocalTensor<T> a(TPosition::A2, 0, elements), b(TPosition::B2, 0, elements);
    const LocalTensor<Sum> l0c(TPosition::CO1, 0, 32768);
    fill(a, b);
    CountL0AsLoaded();
    if (prepare) prepare(l0c);
    AscendC::Mmad(l0c, a, b, p);
    for (uint32_t m = 0; m < p.m; ++m)
      for (uint32_t n = 0; n < p.n; ++n)
        c[m * p.n + n] = l0c.GetValue(n / 16 * RoundUp(p.m, 16) * 16 + m * 16 + n % 16);
  });
  if (fault != nullptr) {
    *fault = message;
  } else {
    EXPECT_EQ(message, "");
  }
  return c;
}

/// Values by coordinates, in the layouts of L0A and L0B, restated.
template <typename T>
void Fill(LocalTensor<T> a, LocalTensor<T> b, uint32_t m_size, uint32_t n_size, uint32_t k_padded,
          uint32_t k_size, double (*left)(uint32_t, uint32_t),
          double (*right)(uint32_t, uint32_t)) {
  constexpr uint32_t c0 = 32 / sizeof(T);
  const uint32_t n1 = static_cast<uint32_t>(CeilDiv(n_size, 16));
  for (uint32_t k = 0; k < k_size; ++k) {
    for (uint32_t m = 0; m < m_size; ++m)
      a.SetValue((m / 16 * (k_padded / c0) + k / c0) * 16 * c0 + m % 16 * c0 + k % c0,
                 T(left(m, k)));
    for (uint32_t n = 0; n < n_size; ++n)
      b.SetValue((k / c0 * n1 + n / 16) * 16 * c0 + n % 16 * c0 + k % c0, T(right(k, n)));
  }
}
double Left(uint32_t m, uint32_t k) { return (int(m * 7 + k * 3) % 31 - 15) / 8.0; }
double Right(uint32_t k, uint32_t n) { return (int(k * 5 + n * 11) % 29 - 14) / 8.0; }
double Dot(uint32_t m, uint32_t n, uint32_t k_size) {
  double sum = 0;
  for (uint32_t k = 0; k < k_size; ++k) sum += Left(m, k) * Right(k, n);
  return sum;
}

TEST(MmadTest, StartsFromZeroFromTheSumsOrFromABias) {
  const auto fill = [](auto a, auto b) { Fill<half>(a, b, 20, 40, 48, 48, Left, Right); };
  const auto prepare = [](LocalTensor<float> c) {
    for (uint32_t i = 0; i < 4096; ++i) c.SetValue(i, 1000.0f);
    const LocalTensor<float> table(TPosition::C2, 0, 64);
    for (uint32_t i = 0; i < 64; ++i) table.SetValue(i, static_cast<float>(i));
  };
  const auto expect = [&](AscendC::MmadParams p, std::function<double(uint32_t)> start) {
    const auto c = Multiply<half, float>(p, fill, prepare);
    for (uint32_t m = 0; m < 20; ++m)
      for (uint32_t n = 0; n < 40; ++n)
        ASSERT_NEAR(c[m * 40 + n], start(n) + Dot(m, n, 48), 1e-3) << m << ", " << n;
  };
  expect(AscendC::MmadParams(20, 40, 48, 0, false, true), [](uint32_t) { return 0.0; });
  expect(AscendC::MmadParams(20, 40, 48, 2, false, false), [](uint32_t) { return 1000.0; });
  expect(AscendC::MmadParams(20, 40, 48, 3, true, false), [](uint32_t n) { return double(n); });
  AscendC::MmadParams old(20, 40, 48, true, 0, false, false, false);
  expect(old, [](uint32_t) { return 1000.0; });
}

TEST(MmadTest, TakesABiasTensorFromTheBiasTableOrFromTheSums) {
  for (bool in_table : {true, false}) {
    std::vector<float> c(16 * 16);
    ASSERT_EQ(RunCube([&] {
                const LocalTensor<half> a(TPosition::A2, 0, 256), b(TPosition::B2, 0, 256);
                const LocalTensor<float> l0c(TPosition::CO1, 0, 256), table(TPosition::C2, 64, 16);
                Fill<half>(a, b, 16, 16, 16, 16, Left, Right);
                CountL0AsLoaded();
                for (uint32_t i = 0; i < 256; ++i) l0c.SetValue(i, 500.0f);
                for (uint32_t i = 0; i < 16; ++i) table.SetValue(i, static_cast<float>(i));
                AscendC::Mmad(l0c, a, b, in_table ? table : l0c,
                              AscendC::MmadParams(16, 16, 16, 0, false, true));
                std::memcpy(c.data(), l0c.Data(), 1024);
              }),
              "");
    for (uint32_t i = 0; i < 256; ++i)
      ASSERT_NEAR(c[i], (in_table ? i % 16 : 500) + Dot(i / 16, i % 16, 16), 1e-3);
  }
}

TEST(BiasTableTest, HalfBecomesFloatOnItsWayFromL1) {
  std::vector<float> table(256);
  ASSERT_EQ(RunCube([&] {
              const LocalTensor<half> bias(TPosition::C1, 0, 128);
              const LocalTensor<float> all(TPosition::C2, 0, 256);
              for (uint32_t i = 0; i < 128; ++i) bias.SetValue(i, half(i - 40.5f));
              for (uint32_t i = 0; i < 256; ++i) all.SetValue(i, 1000.0f);
              // Two blocks of 64 bytes of half, 32 bytes apart; of float 128 bytes, 64 apart.
              AscendC::DataCopy(all, bias, AscendC::DataCopyParams(2, 1, 1, 1));
              std::memcpy(table.data(), all.Data(), 1024);
            }),
            "");
  for (uint32_t i = 0; i < 256; ++i) {
    const bool written = i < 32 || (i >= 48 && i < 80);
    const float expected = written ? i - 40.5f : 1000.0f;
    ASSERT_EQ(table[i], expected) << i;
  }
}

TEST(BiasTableTest, HalfBecomesFloatNowhereElse) {
  EXPECT_NE(RunCube([&] {
              const LocalTensor<half> bias(TPosition::A1, 0, 128);
              const LocalTensor<float> wrong(TPosition::A1, 8192, 256);
              AscendC::DataCopy(wrong, bias, AscendC::DataCopyParams(1, 1, 0, 0));
            }).find("of half to float moves from L1 to L1; it moves from L1 to the bias table"),
            std::string::npos);
}

TEST(MmadTest, AlignsTheRowsOfFloatFractalsTo16OnRequest) {
  AscendC::MmadParams p(40, 24, 24, 0, false, true);
  p.kDirectionAlign = true;
  const auto c = Multiply<float, float>(
      p, [](auto a, auto b) { Fill<float>(a, b, 40, 24, 32, 24, Left, Right); });
  for (uint32_t m = 0; m < 40; ++m)
    for (uint32_t n = 0; n < 24; ++n) ASSERT_NEAR(c[m * 24 + n], Dot(m, n, 24), 1e-3);
}

TEST(MmadTest, Hf32RoundsItsInputsToElevenBitsOfMantissa) {
  // 1 + 2^-12 is half way between two HF32 values: even goes down, 1 + 3 * 2^-12 goes up.
  const auto product = [](float x, AscendC::HF32TransMode mode) {
    float result = 0;
    EXPECT_EQ(RunCube([&] {
                const LocalTensor<float> a(TPosition::A2, 0, 128), b(TPosition::B2, 0, 128),
                    c(TPosition::CO1, 0, 256);
                for (uint32_t i = 0; i < 128; ++i) a.SetValue(i, 0.0f), b.SetValue(i, 0.0f);
                a.SetValue(0, x);
                b.SetValue(0, 1.0f);
                CountL0AsLoaded();
                AscendC::SetHF32Mode(AscendC::HF32Mode::ENABLE);
                AscendC::SetHF32TransMode(mode);
                AscendC::Mmad(c, a, b, AscendC::MmadParams(16, 16, 8, 0, false, true));
                result = c.GetValue(0);
              }),
              "");
    return result;
  };
  const float ulp = 1.0f / 2048;
  EXPECT_EQ(product(1 + ulp / 2, AscendC::HF32TransMode::NEAREST_EVEN), 1.0f);
  EXPECT_EQ(product(1 + 3 * ulp / 2, AscendC::HF32TransMode::NEAREST_EVEN), 1 + 2 * ulp);
  EXPECT_EQ(product(1 + 3 * ulp / 2, AscendC::HF32TransMode::NEAREST_ZERO), 1 + ulp);
  EXPECT_EQ(product(1 + ulp / 2 + ulp / 64, AscendC::HF32TransMode::NEAREST_ZERO), 1 + ulp);
}

TEST(MmadTest, Int4IsExact) {
  constexpr uint32_t kM = 20, kN = 24, kK = 130;
  const auto left = [](uint32_t m, uint32_t k) { return int(m * 7 + k * 3) % 16 - 8; };
  const auto right = [](uint32_t k, uint32_t n) { return int(k * 5 + n * 11) % 16 - 8; };
  const auto put = [](uint8_t* base, uint64_t element, int value) {
    uint8_t& byte = base[element / 2];
    byte = static_cast<uint8_t>(element % 2 == 0 ? (byte & 0xF0) | (value & 15)
                                                 : (byte & 15) | (value & 15) << 4);
  };
  const auto c = Multiply<AscendC::int4b_t, int32_t>(
      AscendC::MmadParams(kM, kN, kK, 0, false, true), [&](auto a, auto b) {
        for (uint32_t k = 0; k < kK; ++k) {
          for (uint32_t m = 0; m < kM; ++m)
            put(a.address_.absAddr, (m / 16 * 3 + k / 64) * 1024 + m % 16 * 64 + k % 64,
                left(m, k));
          for (uint32_t n = 0; n < kN; ++n)
            put(b.address_.absAddr, (k / 64 * 2 + n / 16) * 1024 + n % 16 * 64 + k % 64,
                right(k, n));
        }
      });
  for (uint32_t m = 0; m < kM; ++m) {
    for (uint32_t n = 0; n < kN; ++n) {
      int sum = 0;
      for (uint32_t k = 0; k < kK; ++k) sum += left(m, k) * right(k, n);
      ASSERT_EQ(c[m * kN + n], sum);
    }
  }
}

TEST(MmadTest, SparseChoosesTwoOfFourByTheIndex) {
  constexpr uint32_t kM = 20, kN = 32, kK = 128;
  std::mt19937 random(5);
  std::vector<int> a(kM * kK), b(kK * kN);  // b: at most two of four
  for (int& x : a) x = static_cast<int>(random() % 9) - 4;
  std::vector<uint8_t> dense(kK / 2 * kN), index(kK / 2 * kN / 4);
  for (uint32_t n = 0; n < kN; ++n) {
    for (uint32_t g = 0; g < kK / 4; ++g) {
      const uint32_t first = random() % 3, second = first + 1 + random() % (3 - first);
      const int v1 = static_cast<int>(random() % 7) + 1, v2 = -static_cast<int>(random() % 7) - 1;
      b[(g * 4 + first) * kN + n] = v1;
      b[(g * 4 + second) * kN + n] = v2;
      const uint32_t k = g * 2;  // of the dense B: fractals of 32 x 16
      const uint32_t at = (k / 32 * (kN / 16) + n / 16) * 512 + n % 16 * 32 + k % 32;
      dense[at] = static_cast<uint8_t>(v1);
      dense[at + 1] = static_cast<uint8_t>(v2);
      index[at / 4] |= static_cast<uint8_t>((first | (second - 1) << 2) << (at % 4 * 2));
    }
  }
  std::vector<int32_t> c(kM * kN);
  ASSERT_EQ(
      RunCube([&] {
        const LocalTensor<int8_t> l1(TPosition::B1, 0, dense.size()),
            l0b(TPosition::B2, 0, dense.size());
        const LocalTensor<uint8_t> idx(TPosition::B1, 65536, index.size());
        const LocalTensor<int8_t> l0a(TPosition::A2, 0, 32 * kK);
        const LocalTensor<int32_t> l0c(TPosition::CO1, 0, 32 * kN);
        std::memcpy(l1.Data(), dense.data(), dense.size());
        std::memcpy(idx.Data(), index.data(), index.size());
        for (uint32_t m = 0; m < kM; ++m)
          for (uint32_t k = 0; k < kK; ++k)
            l0a.SetValue((m / 16 * (kK / 32) + k / 32) * 512 + m % 16 * 32 + k % 32, a[m * kK + k]);
        CountL0AsLoaded();
        AscendC::LoadData2DParams load;
        load.repeatTimes = dense.size() / 512;
        AscendC::LoadDataWithSparse(l0b, l1, idx, load);
        AscendC::MmadWithSparse(l0c, l0a, l0b, AscendC::MmadParams(kM, kN, kK, 0, false, true));
        for (uint32_t i = 0; i < kM * kN; ++i)
          c[i] = l0c.GetValue(i % kN / 16 * 32 * 16 + i / kN * 16 + i % kN % 16);
      }),
      "");
  for (uint32_t m = 0; m < kM; ++m) {
    for (uint32_t n = 0; n < kN; ++n) {
      int sum = 0;
      for (uint32_t k = 0; k < kK; ++k) sum += a[m * kK + k] * b[k * kN + n];
      ASSERT_EQ(c[m * kN + n], sum) << m << ", " << n;
    }
  }
}

TEST(MmadTest, AKOrNOrMBeyondWhatWasLoadedIsNamed) {
  // L0A holds 2 x 2 fractals, L0B 2 x 3 of them.
  const auto run = [](uint32_t m, uint32_t n, uint32_t k) {
    return RunCube([=] {
      const LocalTensor<half> a(TPosition::A2, 0, 1024), b(TPosition::B2, 1024, 1536);
      AscendC::Fill(a, AscendC::InitConstValueParams<half>(1, 4, 0, half(1.0f)));
      AscendC::Fill(b, AscendC::InitConstValueParams<half>(1, 6, 0, half(1.0f)));
      AscendC::Mmad(LocalTensor<float>(TPosition::CO1, 0, 32 * 48), a, b,
                    AscendC::MmadParams(m, n, k, 0, false, true));
    });
  };
  EXPECT_EQ(run(32, 48, 32), "");
  EXPECT_EQ(run(31, 33, 17), "");
  EXPECT_EQ(run(1, 48, 32), "");
  EXPECT_EQ(
      run(17, 48, 64),
      "Mmad has m = 17, n = 48, k = 64 and so reads 8 fractals of its fm, from L0A byte 0 on; "
      "the kernel has loaded 4 of them there");
  EXPECT_EQ(run(16, 48, 48),
            "Mmad has m = 16, n = 48, k = 48 and so reads 9 fractals of its filter, from L0B byte "
            "1024 on; the kernel has loaded 6 of them there");
  EXPECT_EQ(run(16, 64, 32),
            "Mmad has m = 16, n = 64, k = 32 and so reads 8 fractals of its filter, from L0B byte "
            "1024 on; the kernel has loaded 6 of them there");
}

TEST(MmadTest, FaultsNameOperandValueAndLimit) {
  using ::testing::HasSubstr;
  const auto run = [](AscendC::MmadParams p, uint32_t c_offset = 0,
                      TPosition c_position = TPosition::CO1, uint32_t a_offset = 0) {
    return RunCube([=] {
      const LocalTensor<half> a(TPosition::A2, a_offset, 256), b(TPosition::B2, 0, 256);
      CountL0AsLoaded();
      AscendC::Mmad(LocalTensor<float>(c_position, c_offset, 256), a, b, p);
    });
  };
  EXPECT_EQ(run(AscendC::MmadParams(16, 16, 16, 0, false, true)), "");
  EXPECT_EQ(run(AscendC::MmadParams(0, 16, 16, 0, false, true)), "");
  EXPECT_THAT(run(AscendC::MmadParams(4096, 16, 16, 0, false, true)),
              HasSubstr("has m = 4096; the largest is 4095"));
  EXPECT_THAT(run(AscendC::MmadParams(512, 16, 128, 0, false, true)),
              HasSubstr("needs 131072 bytes for its fm"));
  EXPECT_THAT(run(AscendC::MmadParams(16, 1024, 64, 0, false, true)),
              HasSubstr("needs 131072 bytes for its filter"));
  EXPECT_THAT(run(AscendC::MmadParams(256, 256, 16, 0, false, true)),
              HasSubstr("needs 262144 bytes for its dst"));
  EXPECT_THAT(run(AscendC::MmadParams(16, 16, 16, 0, false, true), 512),
              HasSubstr("has its dst at L0C byte 512, which is not a multiple of 1024"));
  EXPECT_THAT(run(AscendC::MmadParams(16, 16, 16, 0, false, true), 0, TPosition::CO1, 64),
              HasSubstr("has its fm at L0A byte 64, which is not a multiple of 512"));
  EXPECT_THAT(run(AscendC::MmadParams(16, 16, 16, 0, false, true), 0, TPosition::VECIN),
              HasSubstr("has its dst in UB (TPosition 9); it must be in L0C"));
  EXPECT_THAT(run(AscendC::MmadParams(16, 16, 16, 1, false, true)), HasSubstr("unitFlag = 1"));
}

}  // namespace
}  // namespace hostnpu::testing

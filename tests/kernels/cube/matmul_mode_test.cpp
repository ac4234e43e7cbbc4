// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Modes in which a Matmul object computes or writes otherwise: sequence, callbacks, partial output,
// a sparse B.
#include <algorithm>
#include <type_traits>

#include "matmul_run.h"

namespace hostnpu::testing {
namespace {

TEST(MatmulModeTest, WritesPlainlyWhateverAtomicStateTheVectorCoreIsIn) {
  Operand<half> a(32, 32, false, false, 1), b(32, 48, false, false, 2);
  Gm<float> c(32 * 48), sums(48);
  for (size_t i = 0; i < c.size(); ++i) c[i] = 1000.0f;
  for (size_t i = 0; i < sums.size(); ++i) sums[i] = 5.0f;
  const std::string fault = RunMatmul<HalfMatmul>(Tiling(32, 48, 32), a, b, [&](auto& mm) {
    AscendC::SetAtomicAdd<float>();
    mm.IterateAll(TensorOf(c));
    const LocalTensor<float> ub(TPosition::VECOUT, 0, 48);
    AscendC::Duplicate(ub, 1.0f, 48);
    AscendC::DataCopy(TensorOf(sums), ub,
                      48);  // the state is still there
    AscendC::SetAtomicNone();
  });
  ASSERT_EQ(fault, "");
  ExpectNear(c, Reference(a, b, nullptr), 1e-3, "plain");
  for (size_t i = 0; i < sums.size(); ++i) ASSERT_EQ(sums[i], 6.0f);
}

TEST(MatmulModeTest, WritesTilesOneAfterAnotherInSequence) {
  Operand<half> a(40, 32, false, false, 1), b(32, 80, false, false, 2);
  const std::vector<double> whole = Reference(a, b, nullptr);
  // Tiles of 32 x 48, m first; each in NZ, its rows padded to 16, at the start of a slot of its
  // own.
  Gm<float> c(4 * 32 * 48);
  using Object = Matmul<HalfA, HalfA, MatmulType<TPosition::GM, CubeFormat::NZ, float>>;
  ASSERT_EQ(RunMatmul<Object>(Tiling(40, 80, 32), a, b,
                              [&](auto& mm) { mm.IterateAll(TensorOf(c), 0, true); }),
            "");
  size_t start = 0;
  for (uint32_t n0 : {0u, 48u}) {
    for (uint32_t m0 : {0u, 32u}) {
      const uint32_t m_size = std::min(32u, 40 - m0), n_size = std::min(48u, 80 - n0);
      const size_t rows = RoundUp(m_size, 16);
      for (uint32_t m = 0; m < m_size; ++m)
        for (uint32_t n = 0; n < n_size; ++n)
          ASSERT_NEAR(c[start + (n / 16 * rows + m) * 16 + n % 16], whole[(m0 + m) * 80 + n0 + n],
                      1e-3)
              << m0 + m << ", " << n0 + n;
      start += 32 * 48;
    }
  }
}

TEST(MatmulModeTest, ACallWithFakeMsgComputesNothing) {
  Operand<half> a(32, 32, false, false, 1), b(32, 48, false, false, 2);
  Gm<float> c(32 * 48);
  const auto run = [&](auto shared) {
    using Object = Matmul<HalfA,
                          MatmulType<TPosition::GM, CubeFormat::ND, half, false, LayoutMode::NONE,
                                     decltype(shared)::value>,
                          FloatC>;
    return RunMatmul<Object>(Tiling(32, 48, 32), a, b,
                             [&](auto& mm) { mm.IterateAll(TensorOf(c), 0, false, false, true); });
  };
  for (size_t i = 0; i < c.size(); ++i) c[i] = 1000.0f;
  ASSERT_EQ(run(std::true_type()), "");
  for (size_t i = 0; i < c.size(); ++i) ASSERT_EQ(c[i], 1000.0f);
  EXPECT_THAT(run(std::false_type()), ::testing::HasSubstr("has fakeMsg"));
}

constexpr uint32_t kDepth = 1280;
int kRows = 160;  // of a base tile
constexpr MatmulConfig kWholeDepth = GetMDLConfig();

void CopyA(const LocalTensor<int8_t>& l1, const __gm__ void* gm, int row, int column, int rows,
           int depth, const uint64_t, const uint64_t) {
  GlobalTensor<half> from;
  from.SetGlobalBuffer(static_cast<half*>(const_cast<void*>(gm)), 0);
  const uint16_t padded = static_cast<uint16_t>(RoundUp(static_cast<uint64_t>(rows), 16));
  AscendC::DataCopy(l1.ReinterpretCast<half>(),
                    from[size_t(row) * kRows * kDepth + column * kDepth],
                    AscendC::Nd2NzParams(1, rows, depth, 0, kDepth, padded, 1, 0));
}
void CopyB(const LocalTensor<int8_t>& l1, const __gm__ void* gm, int row, int column, int depth,
           int columns, const uint64_t width, const uint64_t) {
  GlobalTensor<half> from;
  from.SetGlobalBuffer(static_cast<half*>(const_cast<void*>(gm)), 0);
  const uint16_t padded = static_cast<uint16_t>(RoundUp(static_cast<uint64_t>(depth), 16));
  AscendC::DataCopy(
      l1.ReinterpretCast<half>(), from[size_t(row) * 64 * width + size_t(column) * 16],
      AscendC::Nd2NzParams(1, depth, columns, 0, static_cast<uint16_t>(width), padded, 1, 0));
}

TEST(MatmulModeTest, CallbacksFillL1AsFarAsItGoes) {
  constexpr uint32_t kM = 150, kN = 40;
  Operand<half> a(kM, kDepth, false, false, 1), b(kDepth, kN, false, false, 2);
  Gm<float> c(kM * kN), tiles(3 * 160 * 16);
  const auto run = [&](int step, const Gm<float>& out, bool sequential) {
    using Object = Matmul<HalfA, HalfA, FloatC, FloatC, kWholeDepth,
                          AscendC::MatmulCallBackFunc<nullptr, CopyA, CopyB>>;
    TCubeTiling tiling = Tiling(kM, kN, kDepth, kRows, 16, 64);
    tiling.stepKa = step;
    return RunMatmul<Object>(tiling, [&](auto& mm) {
      mm.SetUserDefInfo(kN);
      mm.SetTensorA(TensorOf(a.data));
      mm.SetTensorB(TensorOf(b.data));
      mm.IterateAll(TensorOf(out), 0, sequential);
    });
  };
  // All of k: 160 rows take 400 KiB, more than half of L1.
  ASSERT_EQ(run(kDepth / 64, c, false), "");
  ExpectNear(c, Reference(a, b, nullptr), 5e-2, "callbacks");
  ASSERT_EQ(run(kDepth / 64, tiles, true), "");
  for (uint32_t m = 0; m < kM; ++m) {
    for (uint32_t n = 0; n < kN; ++n) {
      const uint32_t width = n < 32 ? 16 : 8;
      ASSERT_EQ(tiles[n / 16 * 160 * 16 + m * width + n % 16], c[m * kN + n]) << m << ", " << n;
    }
  }
  kRows = 256;
  EXPECT_THAT(run(kDepth / 64, c, false),
              ::testing::HasSubstr("fill 655360 bytes of L1 for A and 2048 for B (base tiles of "
                                   "256 x 16 x 64, stepKa 20, stepKb 1); L1 has 524288 bytes"));
}

constexpr MatmulConfig PartialOutput() {
  MatmulConfig config = CFG_MDL;
  config.isPartialOutput = true;
  return config;
}
constexpr MatmulConfig kPartialOutput = PartialOutput();

TEST(MatmulModeTest, PartialOutputGivesEachBaseKByItself) {
  constexpr uint32_t kM = 40, kN = 48, kK = 80;
  Operand<half> a(kM, kK, false, false, 1), b(kK, kN, true, false, 2);
  Gm<float> bias(kN), parts(size_t{2} * 3 * 32 * 48);
  FillRandom(bias, 3);
  uint32_t count = 0;
  using Object = Matmul<HalfA, MatmulType<TPosition::GM, CubeFormat::ND, half, true>, FloatC,
                        FloatC, kPartialOutput>;
  const std::string fault = RunMatmul<Object>(Tiling(kM, kN, kK, 32, 48, 32), [&](auto& mm) {
    mm.SetTensorA(TensorOf(a.data));
    mm.SetTensorB(TensorOf(b.data), true);
    mm.SetBias(TensorOf(bias));
    while (mm.Iterate()) mm.GetTensorC(TensorOf(parts)[32 * 48 * count++], 0, true);
  });
  ASSERT_EQ(fault, "");
  ASSERT_EQ(count, 6u);
  for (uint32_t part = 0; part < 6; ++part) {
    const uint32_t m0 = part / 3 * 32, k0 = part % 3 * 32;
    for (uint32_t m = m0; m < std::min(m0 + 32, kM); ++m) {
      for (uint32_t n = 0; n < kN; ++n) {
        double sum = k0 == 0 ? static_cast<double>(bias[n]) : 0;
        for (uint32_t k = k0; k < std::min(k0 + 32, kK); ++k)
          sum += a.values[m * kK + k] * b.values[k * kN + n];
        ASSERT_NEAR(parts[part * 32 * 48 + (m - m0) * kN + n], sum, 1e-3) << part << ": " << m;
      }
    }
  }
}

/// Two values of every four, their places in NZ, and the matrix they stand for.
struct SparseOperand {
  Gm<int8_t> stored;
  Gm<uint8_t> index;
  std::vector<int> values;  // [n][k]

  SparseOperand(uint32_t n, uint32_t k, bool fractal)
      : stored(RoundUp(n, 16) * RoundUp(k / 2, 32)),
        index(RoundUp(n, 16) * RoundUp(k / 8, 8)),
        values(size_t{n} * k) {
    const uint64_t rows = RoundUp(n, 16);
    std::fill_n(index.data(), index.size(), uint8_t{0});
    uint32_t random = 7;
    for (uint32_t row = 0; row < n; ++row) {
      for (uint32_t at = 0; at < k; at += 4) {
        random = random * 1664525 + 1013904223;
        const uint32_t first = (random >> 8) % 3, second = first + 1 + (random >> 12) % (3 - first);
        for (uint32_t i = 0; i < 2; ++i) {
          const auto value = static_cast<int8_t>(random >> (16 + 8 * i));
          const uint32_t d = at / 2 + i;
          stored[fractal ? (d / 32 * rows + row) * 32 + d % 32 : row * k / 2 + d] = value;
          values[row * k + at + (i == 0 ? first : second)] = value;
        }
        const uint32_t byte = at / 8;
        index[(byte / 8 * rows + row) * 8 + byte % 8] |=
            static_cast<uint8_t>((first | (second - 1) << 2) << (at / 4 % 2 * 4));
      }
    }
  }
};
using ByteA = MatmulType<TPosition::GM, CubeFormat::ND, int8_t>;
template <CubeFormat format>
using SparseB = AscendC::SparseMatmulType<TPosition::GM, TPosition::GM, format, int8_t, true>;
using IntC = MatmulType<TPosition::GM, CubeFormat::ND, int32_t>;

template <CubeFormat format>
void ExpectSparseProduct() {
  constexpr uint32_t kM = 40, kN = 72, kK = 200;
  Operand<int8_t> a(kM, kK, false, false, 1);
  SparseOperand b(kN, kK, format == CubeFormat::NZ);
  Gm<int32_t> c(kM * kN);
  const auto run = [&](bool transposed, bool with_index) {
    using Object = Matmul<ByteA, SparseB<format>, IntC, IntC, CFG_MDL>;
    return RunMatmul<Object>(Tiling(kM, kN, kK), [&](auto& mm) {
      if (with_index) mm.SetSparseIndex(TensorOf(b.index));
      mm.SetTensorA(TensorOf(a.data));
      mm.SetTensorB(TensorOf(b.stored), transposed);
      mm.IterateAll(TensorOf(c));
    });
  };
  ASSERT_EQ(run(true, true), "");
  for (uint32_t m = 0; m < kM; ++m) {
    for (uint32_t n = 0; n < kN; ++n) {
      int sum = 0;
      for (uint32_t k = 0; k < kK; ++k)
        sum += static_cast<int>(a.values[m * kK + k]) * b.values[n * kK + k];
      ASSERT_EQ(c[m * kN + n], sum) << m << ", " << n;
    }
  }
  using ::testing::HasSubstr;
  EXPECT_THAT(run(true, false), HasSubstr("SetSparseIndex was not called"));
  EXPECT_THAT(run(false, true), HasSubstr("transposed (it is not here)"));
  const int32_t before = c[0];
  const auto places = [&](int8_t x, int8_t y, uint8_t both) {
    b.stored[0] = x;
    b.stored[1] = y;
    b.index[0] = static_cast<uint8_t>((b.index[0] & 0xF0) | both);
    return run(true, true);
  };
  EXPECT_THAT(places(1, 2, 0x0D), HasSubstr("has places 1 and 4 for the values 1 and 2 of row 0, "
                                            "columns 0 to 3 of B; they must be places of 0 to 3"));
  EXPECT_THAT(places(100, 100, 0x01), HasSubstr("has places 1 and 1 for the values 100 and 100"));
  EXPECT_EQ(places(30, 40, 0x01), "");
  int expected = before;
  for (uint32_t k = 0; k < 4; ++k) expected -= static_cast<int>(a.values[k]) * b.values[k];
  EXPECT_EQ(c[0], expected + static_cast<int>(a.values[1]) * 70);
}
TEST(MatmulModeTest, MultipliesBySparseColumnsThroughTheirIndex) {
  ExpectSparseProduct<CubeFormat::ND>();
  ExpectSparseProduct<CubeFormat::NZ>();
}

}  // namespace
}  // namespace hostnpu::testing

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Methods of a Matmul object beside its products: bias on and off, HF32, data of callbacks, batches
// that lie in the workspace until they are fetched.
#include "matmul_run.h"

namespace hostnpu::testing {
namespace {

using ::testing::HasSubstr;

TEST(MatmulApiTest, ABiasIsAddedUntilItIsDisabledOrClearedAndAgainWhenSet) {
  constexpr uint32_t kM = 40, kN = 56, kK = 48;
  Operand<half> a(kM, kK, false, false, 1), b(kK, kN, false, false, 2);
  Gm<float> bias(kN), c(5 * kM * kN);
  for (uint32_t n = 0; n < kN; ++n) bias[n] = 100.0f + static_cast<float>(n);
  TCubeTiling tiling = Tiling(kM, kN, kK);
  tiling.isBias = 1;
  ASSERT_EQ(RunMatmul<HalfMatmul>(tiling, a, b,
                                  [&](auto& mm) {
                                    const auto to = [&](uint32_t i) {
                                      return TensorOf(c)[i * kM * kN];
                                    };
                                    mm.SetBias(TensorOf(bias));
                                    mm.IterateAll(to(0));
                                    mm.DisableBias();
                                    mm.IterateAll(to(1));
                                    mm.SetBias(TensorOf(bias));
                                    mm.IterateAll(to(2));
                                    mm.ClearBias();
                                    while (mm.Iterate()) mm.GetTensorC(to(3));
                                    mm.SetBias(TensorOf(bias));
                                    mm.IterateAll(to(4));
                                  }),
            "");
  const std::vector<double> values(bias.data(), bias.data() + kN);
  for (uint32_t i = 0; i < 5; ++i) {
    const std::vector<double> expected = Reference(a, b, i % 2 == 0 ? values.data() : nullptr);
    for (uint32_t e = 0; e < kM * kN; ++e)
      ASSERT_NEAR(c[i * kM * kN + e], expected[e], 1e-3) << "product " << i << " at " << e;
  }
}

/// The HF32 value nearest to x: 12 significant bits.
double Hf32(double x, bool ties_to_even) {
  if (x == 0) return 0;
  int exponent;
  std::frexp(x, &exponent);
  const double unit = std::ldexp(1.0, exponent - 12), at = std::fabs(x) / unit;
  double whole = std::floor(at);
  const double rest = at - whole;
  if (rest > 0.5 || (rest == 0.5 && ties_to_even && std::fmod(whole, 2) == 1)) whole += 1;
  return std::copysign(whole * unit, x);
}

TEST(MatmulApiTest, Hf32RoundsBothOperandsInTheModeAndUntilItIsTurnedOff) {
  constexpr uint32_t kM = 24, kN = 40, kK = 56;
  using FloatType = MatmulType<TPosition::GM, CubeFormat::ND, float>;
  using Object = Matmul<FloatType, FloatType, FloatType>;
  Operand<float> a(kM, kK, false, false, 1), b(kK, kN, false, false, 2);
  std::mt19937 random(5);
  std::uniform_int_distribution<int> bits(-(1 << 13), 1 << 13);
  for (auto* operand : {&a, &b}) {  // 14 bits: a quarter of the values are ties
    for (size_t i = 0; i < operand->values.size(); ++i)
      operand->values[i] = operand->data[i] = static_cast<float>(bits(random));
  }
  Gm<float> c(4 * kM * kN);
  const auto run = [&](int32_t mode) {
    return RunCube([&] {
      AscendC::TPipe pipe;
      Object mm;
      const TCubeTiling tiling = Tiling(kM, kN, kK);
      REGIST_MATMUL_OBJ(&pipe, AscendC::GetSysWorkSpacePtr(), mm, &tiling);
      mm.SetTensorA(TensorOf(a.data));
      mm.SetTensorB(TensorOf(b.data));
      mm.IterateAll(TensorOf(c));
      mm.SetHF32(true);
      mm.IterateAll(TensorOf(c)[kM * kN]);
      mm.SetHF32(true, mode);
      mm.IterateAll(TensorOf(c)[2 * kM * kN]);
      mm.SetHF32(false);
      mm.IterateAll(TensorOf(c)[3 * kM * kN]);
    });
  };
  ASSERT_EQ(run(1), "");
  double largest = 0;
  for (uint32_t i = 0; i < kM * kN; ++i) {
    double sums[3] = {};
    for (uint32_t k = 0; k < kK; ++k) {
      const double x = a.values[i / kN * kK + k], y = b.values[k * kN + i % kN];
      sums[0] += x * y;
      sums[1] += Hf32(x, true) * Hf32(y, true);
      sums[2] += Hf32(x, false) * Hf32(y, false);
    }
    const double tolerance = 1e-6 * kK * (1 << 26);  // of sums in float
    for (uint32_t way = 0; way < 4; ++way)
      ASSERT_NEAR(c[way * kM * kN + i], sums[way % 3], tolerance) << "way " << way << " at " << i;
    for (uint32_t other : {1u, 2u})
      largest = std::max(largest, std::fabs(sums[other] - sums[other - 1]) / tolerance);
  }
  EXPECT_GT(largest, 10) << "the ways differ by more than the tolerance";
  EXPECT_THAT(run(2), HasSubstr("Matmul::SetHF32 has transMode = 2; 0 (ties to even) and 1"));
}

constexpr uint32_t kWidth = 48;  // of A

/// A's rows begin at element `which` of GM: the data themselves, or where they lie.
void CopyRows(const LocalTensor<int8_t>& l1, const __gm__ void* gm, int row, int column, int rows,
              int depth, uint64_t first) {
  GlobalTensor<half> from;
  from.SetGlobalBuffer(static_cast<half*>(const_cast<void*>(gm)), 0);
  const auto padded = static_cast<uint16_t>(RoundUp(static_cast<uint64_t>(rows), 16));
  AscendC::DataCopy(
      l1.ReinterpretCast<half>(),
      from[(first + static_cast<uint64_t>(row) * 32) * kWidth + static_cast<uint64_t>(column) * 32],
      AscendC::Nd2NzParams(1, static_cast<uint16_t>(rows), static_cast<uint16_t>(depth), 0, kWidth,
                           padded, 1, 0));
}
void CopyByValue(const LocalTensor<int8_t>& l1, const __gm__ void* gm, int row, int column,
                 int rows, int depth, const uint64_t, const uint64_t data) {
  CopyRows(l1, gm, row, column, rows, depth, data);
}
void CopyByAddress(const LocalTensor<int8_t>& l1, const __gm__ void* gm, int row, int column,
                   int rows, int depth, const uint64_t, const uint64_t data) {
  CopyRows(l1, gm, row, column, rows, depth, *reinterpret_cast<__gm__ uint32_t*>(data));
}
constexpr MatmulConfig kByAddress =
    GetNormalConfig(false, false, false, BatchMode::BATCH_LESS_THAN_L1, false);

template <const MatmulConfig& config, auto copy, typename Data>
void ExpectChosenRows(Data data_of_row) {
  constexpr uint32_t kM = 40, kN = 24, kTotal = 120;
  Operand<half> a(kTotal, kWidth, false, false, 1), b(kWidth, kN, false, false, 2);
  Gm<float> c(2 * kM * kN);
  using Object = Matmul<HalfA, HalfA, FloatC, FloatC, config,
                        AscendC::MatmulCallBackFunc<nullptr, copy, nullptr>>;
  ASSERT_EQ(RunMatmul<Object>(Tiling(kM, kN, kWidth),
                              [&](auto& mm) {
                                for (uint32_t i = 0; i < 2; ++i) {
                                  mm.SetSelfDefineData(data_of_row(i));
                                  mm.SetTensorA(TensorOf(a.data));
                                  mm.SetTensorB(TensorOf(b.data));
                                  mm.IterateAll(TensorOf(c)[i * kM * kN]);
                                }
                              }),
            "");
  const std::vector<double> all = Reference(a, b, nullptr);
  for (uint32_t i = 0; i < 2; ++i) {
    for (uint32_t e = 0; e < kM * kN; ++e)
      ASSERT_NEAR(c[i * kM * kN + e], all[(i == 0 ? 70 : 3) * kN + e], 1e-3) << i << " at " << e;
  }
}

TEST(MatmulApiTest, ACallbackGetsTheDataOfTheLastSetSelfDefineData) {
  ExpectChosenRows<CFG_NORM, CopyByValue>(
      [](uint32_t i) { return static_cast<uint16_t>(i == 0 ? 70 : 3); });
  Gm<uint32_t> rows(std::vector<uint32_t>{70, 3});
  ExpectChosenRows<kByAddress, CopyByAddress>(
      [&](uint32_t i) { return reinterpret_cast<uint64_t>(rows.data() + i); });
}

// Batches in the workspace.

template <LayoutMode layout, typename T, CubeFormat format = CubeFormat::ND>
using InBatch = MatmulType<TPosition::GM, format, T, false, layout>;
constexpr MatmulConfig kManyBatches = GetNormalConfig(false, true);

/// Two groups of three products of A and B in BSNGD, each with a bias of its own. C in `layout`.
template <LayoutMode layout, CubeFormat format, uint32_t n_size>
struct Heads {
  static constexpr uint32_t kB = 2, kG = 3, kM = 20, kN = n_size, kK = 32, kCount = kB * kG;
  static constexpr uint32_t kPitch = format == CubeFormat::ND_ALIGN ? (kN + 7) / 8 * 8 : kN;
  using C = InBatch<layout, float, format>;
  template <const MatmulConfig& config>
  using Object = Matmul<InBatch<LayoutMode::BSNGD, half>, InBatch<LayoutMode::BSNGD, half>, C,
                        MatmulType<TPosition::GM, CubeFormat::ND, float>, config>;

  // B is stored k x n, so that its S is k.
  Gm<half> a{kB * kM * kG * kK}, b{kB * kK * kG * kN};
  Gm<float> bias{kCount * kN}, workspace{kCount * kM * kPitch}, c{kCount * kM * kPitch};

  Heads() {
    FillRandom(a, 1);
    FillRandom(b, 2);
    FillRandom(bias, 3);
  }
  TCubeTiling TilingOf() const {
    TCubeTiling t = Tiling(kM, kN, kK);
    const auto set = [](int32_t* b, int32_t* s, int32_t* n, int32_t* g, int32_t* d, uint32_t rows,
                        uint32_t columns) {
      *b = kB, *n = 1, *g = kG;
      *s = static_cast<int32_t>(rows), *d = static_cast<int32_t>(columns);
    };
    set(&t.ALayoutInfoB, &t.ALayoutInfoS, &t.ALayoutInfoN, &t.ALayoutInfoG, &t.ALayoutInfoD, kM,
        kK);
    set(&t.BLayoutInfoB, &t.BLayoutInfoS, &t.BLayoutInfoN, &t.BLayoutInfoG, &t.BLayoutInfoD, kK,
        kN);
    set(&t.CLayoutInfoB, &t.CLayoutInfoS1, &t.CLayoutInfoN, &t.CLayoutInfoG, &t.CLayoutInfoS2, kM,
        kN);
    t.BatchNum = kG;
    return t;
  }
  double Product(uint32_t i, uint32_t m, uint32_t n) const {
    const uint32_t outer = i / kG, g = i % kG;
    double sum = bias[i * kN + n];
    for (uint32_t k = 0; k < kK; ++k) {
      sum += static_cast<double>(a[((outer * kM + m) * kG + g) * kK + k]) *
             static_cast<double>(b[((outer * kK + k) * kG + g) * kN + n]);
    }
    return sum;
  }
  /// Runs `body` after an IterateNBatch<sync> of both groups.
  template <const MatmulConfig& config = kManyBatches, bool sync = false, typename Body>
  std::string Run(Body body) {
    return RunMatmul<Object<config>>(TilingOf(), [&](auto& mm) {
      mm.SetTensorA(TensorOf(a));
      mm.SetTensorB(TensorOf(b));
      mm.SetBias(TensorOf(bias));
      mm.SetWorkspace(workspace.data(), 0);
      mm.template IterateNBatch<sync>(kB, kG, kG, false);
      body(mm);
    });
  }
};

TEST(MatmulApiTest, AnIterateNBatchLeavesItsBatchesInTheWorkspaceOneAfterAnother) {
  using Case = Heads<LayoutMode::BNGS1S2, CubeFormat::ND, 40>;
  Case heads;
  uint32_t sizes[2] = {};
  ASSERT_EQ(heads.Run([&](auto& mm) {
    for (uint32_t loop = 0; loop < 2; ++loop) {
      GlobalTensor<float> batch = mm.template GetBatchTensorC<false>(3, 3);
      sizes[loop] = static_cast<uint32_t>(batch.GetSize());
      std::memcpy(heads.c.data() + (1 - loop) * sizes[loop], batch.GetPhyAddr(),
                  sizes[loop] * sizeof(float));
    }
  }),
            "");
  EXPECT_EQ(sizes[0], 3 * Case::kM * Case::kN);
  EXPECT_EQ(sizes[1], sizes[0]);
  for (uint32_t i = 0; i < Case::kCount; ++i) {
    for (uint32_t e = 0; e < Case::kM * Case::kN; ++e) {
      const double expected = heads.Product(i, e / Case::kN, e % Case::kN);
      ASSERT_NEAR(heads.workspace[i * Case::kM * Case::kN + e], expected, 1e-3) << i << ": " << e;
      ASSERT_NEAR(heads.c[(i + 3) % 6 * Case::kM * Case::kN + e], expected, 1e-3) << i << ": " << e;
    }
  }
}

/// `place` of an element in UB, where a group lies by itself.
template <LayoutMode layout, CubeFormat format, uint32_t n_size, typename Place>
void ExpectInUb(Place place) {
  using Case = Heads<layout, format, n_size>;
  Case heads;
  constexpr uint32_t kSize = Case::kG * Case::kM * Case::kPitch;
  ASSERT_EQ(heads.Run([&](auto& mm) {
    const LocalTensor<float> ub(TPosition::VECIN, 0, kSize);
    for (uint32_t loop = 0; loop < 2; ++loop) {
      AscendC::Duplicate(ub, -1.0f, kSize);
      mm.template GetBatchTensorC<false>(ub, 3, 3);
      std::memcpy(heads.c.data() + loop * kSize, ub.Data(), kSize * sizeof(float));
    }
  }),
            "");
  for (uint32_t i = 0; i < Case::kCount; ++i) {
    for (uint32_t m = 0; m < Case::kM; ++m) {
      for (uint32_t n = 0; n < Case::kPitch; ++n) {
        const double expected = n < Case::kN ? heads.Product(i, m, n) : 0;
        ASSERT_NEAR(heads.c[i / 3 * kSize + place(i % 3, m) + n], expected, 1e-3)
            << i << " at " << m << ", " << n;
      }
    }
  }
}

TEST(MatmulApiTest, ABatchComesToUbInTheLayoutOfCWithItsRowsFilledUp) {
  ExpectInUb<LayoutMode::BNGS1S2, CubeFormat::ND, 40>(
      [](uint32_t i, uint32_t m) { return (i * 20 + m) * 40; });
  ExpectInUb<LayoutMode::BSNGD, CubeFormat::ND, 40>(
      [](uint32_t i, uint32_t m) { return (m * 3 + i) * 40; });
  ExpectInUb<LayoutMode::BNGS1S2, CubeFormat::ND_ALIGN, 37>(
      [](uint32_t i, uint32_t m) { return (i * 20 + m) * 40; });
}

TEST(MatmulApiTest, ABatchThatIsNotThereOrHasNoWholeBlocksIsRefused) {
  Heads<LayoutMode::BNGS1S2, CubeFormat::ND, 37> heads;
  const auto fetch = [](auto& mm) { mm.template GetBatchTensorC<false>(3, 3); };
  EXPECT_EQ(heads.Run([&](auto& mm) { fetch(mm), fetch(mm); }), "");
  EXPECT_EQ(heads.Run([&](auto& mm) { fetch(mm), fetch(mm), fetch(mm); }),
            "Matmul::GetBatchTensorC asks for 3 matrices more, and 6 of the 6 that "
            "IterateNBatch<false> has left in the workspace are taken");
  EXPECT_EQ((heads.Run<kManyBatches, true>([](auto&) {})), "");
  EXPECT_THAT((heads.Run<kManyBatches, true>(fetch)), HasSubstr("and 0 of the 0 that"));
  EXPECT_THAT(heads.Run([&](auto& mm) {
    mm.template GetBatchTensorC<false>(LocalTensor<float>(TPosition::VECIN, 0, 4096), 3, 3);
  }),
              HasSubstr("copies rows of 148 bytes to local memory, which are no whole number of"));
  EXPECT_EQ(heads.Run<CFG_NORM>([](auto&) {}),
            "Matmul::IterateNBatch needs a MatmulConfig with isNBatch = true, which the batchLoop "
            "of GetNormalConfig sets; here it is false");
  EXPECT_THAT(heads.Run([&](auto& mm) {
    mm.SetWorkspace(static_cast<float*>(nullptr), 0);
    mm.template IterateNBatch<false>(2, 3, 3, false);
  }),
              HasSubstr("keeps its results in GM and has no place there: SetWorkspace names one"));
}

}  // namespace
}  // namespace hostnpu::testing

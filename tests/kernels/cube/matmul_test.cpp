// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "matmul_run.h"

namespace hostnpu::testing {
namespace {

template <typename T, typename Out, CubeFormat format, bool ta, bool tb>
void ExpectIterateAll(uint32_t m, uint32_t n, uint32_t k, double tolerance) {
  using Sum = typename AscendC::GetMmDstType<T>::Type;
  Operand<T> a(m, k, ta, format == CubeFormat::NZ, 1), b(k, n, tb, format == CubeFormat::NZ, 2);
  Gm<Sum> bias(n);
  FillRandom(bias, 3);
  std::vector<double> bias_values(bias.data(), bias.data() + n);
  for (bool with_bias : {false, true}) {
    Gm<Out> c(size_t{m} * n);
    using Object =
        Matmul<MatmulType<TPosition::GM, format, T, ta>, MatmulType<TPosition::GM, format, T, tb>,
               MatmulType<TPosition::GM, CubeFormat::ND, Out>,
               MatmulType<TPosition::GM, CubeFormat::ND, Sum>>;
    const std::string fault = RunMatmul<Object>(Tiling(m, n, k), [&](auto& mm) {
      mm.SetTensorA(TensorOf(a.data), ta);
      mm.SetTensorB(TensorOf(b.data), tb);
      if (with_bias) mm.SetBias(TensorOf(bias));
      mm.IterateAll(TensorOf(c));
      mm.End();
    });
    ASSERT_EQ(fault, "");
    ExpectNear(c, Reference(a, b, with_bias ? bias_values.data() : nullptr), tolerance,
               std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k));
  }
}

template <typename T, typename Out>
void ExpectAllForms(double tolerance) {
  for (auto [m, n, k] :
       {std::tuple{64u, 64u, 64u}, {1u, 1u, 1u}, {17u, 33u, 47u}, {130u, 270u, 140u}}) {
    ExpectIterateAll<T, Out, CubeFormat::ND, false, false>(m, n, k, tolerance);
    ExpectIterateAll<T, Out, CubeFormat::ND, true, false>(m, n, k, tolerance);
    ExpectIterateAll<T, Out, CubeFormat::ND, false, true>(m, n, k, tolerance);
    ExpectIterateAll<T, Out, CubeFormat::ND, true, true>(m, n, k, tolerance);
    ExpectIterateAll<T, Out, CubeFormat::NZ, false, false>(m, n, k, tolerance);
    ExpectIterateAll<T, Out, CubeFormat::NZ, true, true>(m, n, k, tolerance);
  }
}

TEST(MatmulTest, MultipliesHalfInEveryFormatAndTransposition) { ExpectAllForms<half, float>(2e-3); }
TEST(MatmulTest, MultipliesBfloat16InEveryFormatAndTransposition) {
  ExpectAllForms<bfloat16_t, float>(2e-3);
}
TEST(MatmulTest, MultipliesFloatInEveryFormatAndTransposition) {
  ExpectAllForms<float, float>(2e-3);
}
TEST(MatmulTest, MultipliesInt8Exactly) { ExpectAllForms<int8_t, int32_t>(0); }

TEST(MatmulTest, WritesTilesOneByOneToTheirPlaces) {
  Operand<half> a(70, 50, false, false, 1), b(50, 100, false, false, 2);
  Gm<float> c(70 * 100);
  const std::string fault = RunMatmul<HalfMatmul>(Tiling(70, 100, 50), a, b, [&](auto& mm) {
    while (mm.Iterate()) mm.GetTensorC(TensorOf(c));
  });
  ASSERT_EQ(fault, "");
  ExpectNear(c, Reference(a, b, nullptr), 1e-3, "tiles");
}

TEST(MatmulTest, GivesTheSameBitsWhateverTheBaseTile) {
  Operand<half> a(70, 150, false, false, 1), b(150, 100, false, false, 2);
  std::vector<std::vector<float>> results;
  for (int base : {16, 48, 128}) {
    Gm<float> c(70 * 100);
    const std::string fault =
        RunMatmul<HalfMatmul>(Tiling(70, 100, 150, base, base, base), a, b, [&](auto& mm) {
          while (mm.Iterate()) mm.GetTensorC(TensorOf(c));
        });
    ASSERT_EQ(fault, "");
    results.push_back(c.ToVector());
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(MatmulTest, AddsPartialSumsAndAtomically) {
  Operand<half> a(32, 32, false, false, 1), b(32, 48, false, false, 2);
  Gm<float> c(32 * 48);
  for (size_t i = 0; i < c.size(); ++i) c[i] = 100.0f;
  const std::string fault = RunMatmul<HalfMatmul>(Tiling(32, 48, 32), a, b, [&](auto& mm) {
    mm.Iterate();
    mm.SetTensorA(TensorOf(a.data));
    mm.Iterate(true);
    mm.GetTensorC(TensorOf(c), 1);
  });
  ASSERT_EQ(fault, "");
  std::vector<double> expected = Reference(a, b, nullptr);
  for (double& x : expected) x = 2 * x + 100;
  ExpectNear(c, expected, 1e-2, "partial sums");
}

TEST(MatmulTest, ObjectsOfOneCoreKeepTheirSumsApart) {
  Operand<half> a(32, 32, false, false, 1), b(32, 48, false, false, 2), x(32, 32, false, false, 3);
  Gm<float> first(32 * 48), second(32 * 48);
  ASSERT_EQ(RunMixed([&] {
              if (AscendC::GetSubBlockIdx() != 0) return;
              AscendC::TPipe pipe;
              Matmul<HalfA, HalfA, FloatC> mm1, mm2;
              const TCubeTiling tiling = Tiling(32, 48, 32);
              REGIST_MATMUL_OBJ(&pipe, AscendC::GetSysWorkSpacePtr(), mm1, &tiling, mm2, &tiling);
              mm1.SetTensorA(TensorOf(a.data));
              mm1.SetTensorB(TensorOf(b.data));
              mm2.SetTensorA(TensorOf(x.data));
              mm2.SetTensorB(TensorOf(b.data));
              mm1.Iterate();
              mm2.Iterate();
              mm1.GetTensorC(TensorOf(first));
              mm2.GetTensorC(TensorOf(second));
            }),
            "");
  ExpectNear(first, Reference(a, b, nullptr), 1e-3, "first");
  ExpectNear(second, Reference(x, b, nullptr), 1e-3, "second");
}

TEST(MatmulTest, TakesOperandsFromUbAndWritesToUb) {
  Operand<half> a(32, 64, false, false, 1), b(64, 48, false, false, 2);
  Gm<float> c(32 * 48);
  using Object = Matmul<MatmulType<TPosition::VECOUT, CubeFormat::ND, half>, HalfA,
                        MatmulType<TPosition::VECIN, CubeFormat::ND, float>>;
  const std::string fault = RunMatmul<Object>(Tiling(32, 48, 64), [&](auto& mm) {
    const LocalTensor<half> ub(TPosition::VECOUT, 0, 32 * 64);
    const LocalTensor<float> out(TPosition::VECIN, 65536, 32 * 48);
    AscendC::DataCopy(ub, TensorOf(a.data), 32 * 64);
    mm.SetTensorA(ub);
    mm.SetTensorB(TensorOf(b.data));
    mm.Iterate();
    mm.GetTensorC(out);
    AscendC::DataCopy(TensorOf(c), out, 32 * 48);
  });
  ASSERT_EQ(fault, "");
  ExpectNear(c, Reference(a, b, nullptr), 1e-3, "UB");
}

TEST(MatmulTest, ComputesASingleCorePartOfLargerMatricesWithTails) {
  Operand<half> a(96, 80, false, false, 1), b(80, 112, false, false, 2);
  Gm<float> c(96 * 112);
  TCubeTiling tiling = Tiling(96, 112, 80);
  tiling.singleCoreM = 64;
  tiling.singleCoreN = 64;
  const std::string fault = RunMatmul<HalfMatmul>(tiling, [&](auto& mm) {
    for (int m = 0; m < 96; m += 64) {
      for (int n = 0; n < 112; n += 64) {
        mm.SetTail(std::min(64, 96 - m), std::min(64, 112 - n), 80);
        mm.SetTensorA(TensorOf(a.data)[m * 80]);
        mm.SetTensorB(TensorOf(b.data)[n]);
        mm.IterateAll(TensorOf(c)[m * 112 + n]);
      }
    }
  });
  ASSERT_EQ(fault, "");
  ExpectNear(c, Reference(a, b, nullptr), 1e-3, "tails");
}

TEST(MatmulTest, KeepsAsynchronousTilesInTheWorkspace) {
  Operand<half> a(64, 40, false, false, 1), b(40, 96, false, false, 2);
  Gm<float> c(64 * 96), tiles(64 * 96);
  using Object = Matmul<HalfA, HalfA, MatmulType<TPosition::VECIN, CubeFormat::ND, float>>;
  const std::string fault = RunMatmul<Object>(Tiling(64, 96, 40), [&](auto& mm) {
    auto workspace = TensorOf(tiles);
    mm.SetWorkspace(workspace);
    mm.SetTensorA(TensorOf(a.data));
    mm.SetTensorB(TensorOf(b.data));
    mm.template Iterate<false>();
    const LocalTensor<float> out(TPosition::VECIN, 0, 32 * 48);
    for (int tile = 0; tile < 4; ++tile) {
      mm.template GetTensorC<false>(out);
      for (int row = 0; row < 32; ++row)
        AscendC::DataCopy(TensorOf(c)[(tile % 2 * 32 + row) * 96 + tile / 2 * 48], out[row * 48],
                          48);
    }
  });
  ASSERT_EQ(fault, "");
  ExpectNear(c, Reference(a, b, nullptr), 1e-3, "asynchronous");
}

TEST(MatmulTest, MultipliesBatchesAndReusesTheSmallerOperand) {
  constexpr uint32_t kM = 24, kN = 40, kK = 32;
  using A = MatmulType<TPosition::GM, CubeFormat::ND, half, false, LayoutMode::NORMAL>;
  using C = MatmulType<TPosition::GM, CubeFormat::ND, float, false, LayoutMode::NORMAL>;
  Gm<half> a(4 * kM * kK), b(2 * kK * kN);
  Gm<float> c(4 * kM * kN);
  FillRandom(a, 1);
  FillRandom(b, 2);
  using Object = Matmul<A, A, C>;
  const std::string fault = RunMatmul<Object>(Tiling(kM, kN, kK), [&](auto& mm) {
    mm.SetTensorA(TensorOf(a));
    mm.SetTensorB(TensorOf(b));
    mm.IterateBatch(TensorOf(c), 4, 2, false);
  });
  ASSERT_EQ(fault, "");
  for (uint32_t i = 0; i < 4; ++i) {
    for (uint32_t m = 0; m < kM; ++m) {
      for (uint32_t n = 0; n < kN; ++n) {
        double sum = 0;
        for (uint32_t k = 0; k < kK; ++k)
          sum += double(a[(i * kM + m) * kK + k]) * double(b[(i / 2 * kK + k) * kN + n]);
        ASSERT_NEAR(c[(i * kM + m) * kN + n], sum, 1e-3);
      }
    }
  }
}

TEST(MatmulTest, QuantisesWithAScalarAndWithAVector) {
  Operand<int8_t> a(20, 64, false, false, 1), b(64, 40, false, false, 2);
  Gm<half> by_scalar(20 * 40), by_vector(20 * 40);
  Gm<uint64_t> scales(40);
  for (uint32_t j = 0; j < 40; ++j)
    scales[j] = __builtin_bit_cast(uint32_t, 0.25f * static_cast<float>(j % 3 + 1));
  using A = MatmulType<TPosition::GM, CubeFormat::ND, int8_t>;
  using C = MatmulType<TPosition::GM, CubeFormat::ND, half>;
  using Object = Matmul<A, A, C, MatmulType<TPosition::GM, CubeFormat::ND, int32_t>>;
  const std::string fault = RunMatmul<Object>(Tiling(20, 40, 64), a, b, [&](auto& mm) {
    mm.SetQuantScalar(__builtin_bit_cast(uint32_t, 0.5f));
    mm.IterateAll(TensorOf(by_scalar));
    mm.SetQuantVector(TensorOf(scales));
    mm.IterateAll(TensorOf(by_vector));
  });
  ASSERT_EQ(fault, "");
  const std::vector<double> sums = Reference(a, b, nullptr);
  for (size_t i = 0; i < sums.size(); ++i) {
    ASSERT_EQ(static_cast<double>(by_scalar[i]), static_cast<double>(half(sums[i] * 0.5)));
    ASSERT_EQ(static_cast<double>(by_vector[i]),
              static_cast<double>(half(sums[i] * 0.25 * static_cast<double>(i % 40 % 3 + 1))));
  }
}

TEST(MatmulTest, WithoutATilingEveryCallSaysSo) {
  Gm<float> c(32 * 48);
  const auto run = [&](auto call) {
    return RunMixed([&] {
      if (AscendC::GetSubBlockIdx() != 0 || AscendC::internal::OnCubeCore()) return;
      Matmul<HalfA, HalfA, FloatC> mm;
      mm.SetWorkspace(c.data(), 0);
      call(mm);
    });
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(run([&](auto& mm) { mm.Iterate(); }), HasSubstr("Matmul::Iterate has no tiling"));
  EXPECT_THAT(run([&](auto& mm) { mm.GetTensorC(TensorOf(c)); }),
              HasSubstr("Matmul::GetTensorC has no tiling"));
  EXPECT_THAT(run([&](auto& mm) { mm.template GetTensorC<false>(TensorOf(c)); }),
              HasSubstr("Matmul::GetTensorC has no tiling"));
  EXPECT_THAT(run([&](auto& mm) { mm.GetOffsetC(); }),
              HasSubstr("Matmul::GetOffsetC has no tiling"));
  EXPECT_THAT(run([&](auto& mm) { mm.IterateAll(TensorOf(c)); }),
              HasSubstr("Matmul::IterateAll has no tiling"));
}

TEST(MatmulTest, RefusesNegativeSizesAndModesItDoesNotHave) {
  Operand<half> a(32, 32, false, false, 1), b(32, 48, false, false, 2);
  Gm<float> c(32 * 48);
  const auto run = [&](auto call) { return RunMatmul<HalfMatmul>(Tiling(32, 48, 32), a, b, call); };
  using ::testing::HasSubstr;
  EXPECT_THAT(run([&](auto& mm) {
                mm.SetTail(-5);
                mm.IterateAll(TensorOf(c));
              }),
              HasSubstr("multiplies m = -5, n = 48, k = 32 of matrices with M = 32"));
  EXPECT_THAT(run([&](auto& mm) {
                mm.SetOrgShape(32, -48, 32);
                mm.Iterate();
              }),
              HasSubstr("N = -48"));
  EXPECT_THAT(
      run([&](auto& mm) {
        mm.SetOrgShape(32, 48, 24, 32);
        mm.IterateAll(TensorOf(c));
      }),
      HasSubstr("reads 32 x 32 elements of A as it is stored, which has 24 of its columns"));
  EXPECT_THAT(
      run([&](auto& mm) {
        mm.SetOrgShape(32, 40, 32);
        mm.IterateAll(TensorOf(c));
      }),
      HasSubstr("reads 32 x 48 elements of B as it is stored, which has 40 of its columns"));
  EXPECT_THAT(run([&](auto& mm) {
                mm.SetOrgShape(32, 48, 32, 32, 40);
                mm.IterateAll(TensorOf(c));
              }),
              HasSubstr("writes 32 x 48 elements into a C of 32 x 40"));
  EXPECT_EQ(run([&](auto& mm) {
              mm.SetOrgShape(1, 48, 8, 32, 8);  // of one row the strides do not matter
              mm.SetTail(1);
              mm.IterateAll(TensorOf(c));
            }),
            "");
  EXPECT_THAT(run([&](auto& mm) { mm.IterateAll(TensorOf(c), 4); }),
              HasSubstr("has enAtomic = 4; the largest is 3"));
  EXPECT_THAT(run([&](auto& mm) { mm.template Iterate<false>(true); }),
              HasSubstr("with enPartialSum works synchronously only"));
}

TEST(MatmulTest, WithoutASystemWorkspaceSaysSoAndHowManyBytes) {
  const std::string fault = RunBody(Mixed(), [&] {
    AscendC::TPipe pipe;
    Matmul<HalfA, HalfA, FloatC> mm;
    const TCubeTiling tiling = Tiling(32, 48, 32);
    REGIST_MATMUL_OBJ(&pipe, AscendC::GetSysWorkSpacePtr(), mm, &tiling);
  });
  EXPECT_NE(fault.find("REGIST_MATMUL_OBJ needs a system workspace of 16777216 bytes"),
            std::string::npos)
      << fault;
}

TEST(MatmulTest, NamesWhatIsMissingOrWrong) {
  Gm<half> a(32 * 32), b(32 * 16, "weights");
  Gm<float> c(32 * 48);
  const auto run = [&](auto prepare) {
    return RunMatmul<HalfMatmul>(Tiling(32, 48, 32), [&](auto& mm) {
      prepare(mm);
      mm.IterateAll(TensorOf(c));
    });
  };
  EXPECT_THAT(run([&](auto& mm) { mm.SetTensorA(TensorOf(a)); }), ::testing::HasSubstr("has no B"));
  EXPECT_THAT(run([&](auto& mm) {
                mm.SetTensorA(TensorOf(a));
                mm.SetTensorB(TensorOf(b));
              }),
              ::testing::HasSubstr("weights"));
  EXPECT_THAT(run([&](auto& mm) { mm.SetTensorA(TensorOf(a), true); }),
              ::testing::HasSubstr("isTrans = false"));
  Gm<int8_t> x(32 * 32);
  Gm<half> y(32 * 32);
  using A = MatmulType<TPosition::GM, CubeFormat::ND, int8_t>;
  using Object = Matmul<A, A, MatmulType<TPosition::GM, CubeFormat::ND, half>,
                        MatmulType<TPosition::GM, CubeFormat::ND, int32_t>>;
  EXPECT_THAT(RunMatmul<Object>(Tiling(32, 32, 32),
                                [&](auto& mm) {
                                  mm.SetTensorA(TensorOf(x));
                                  mm.SetTensorB(TensorOf(x));
                                  mm.IterateAll(TensorOf(y));
                                }),
              ::testing::HasSubstr("has no scale"));
}

}  // namespace
}  // namespace hostnpu::testing

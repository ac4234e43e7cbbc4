// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Matmul objects on the first vector core of a mixed launch, and operands with their values.
#ifndef HOSTNPU_TESTS_KERNELS_CUBE_MATMUL_RUN_H_
#define HOSTNPU_TESTS_KERNELS_CUBE_MATMUL_RUN_H_

#include "cube_run.h"
#include "lib/matmul_intf.h"

namespace hostnpu::testing {

using AscendC::GlobalTensor;
using AscendC::LocalTensor;
using AscendC::Matmul;
using AscendC::MatmulType;
using AscendC::TPosition;
using AscendC::internal::RoundUp;

inline TCubeTiling Tiling(int m, int n, int k, int base_m = 32, int base_n = 48, int base_k = 32) {
  TCubeTiling t;
  t.usedCoreNum = 1;
  t.M = t.singleCoreM = m;
  t.N = t.singleCoreN = n;
  t.Ka = t.Kb = t.singleCoreK = k;
  t.baseM = base_m;
  t.baseN = base_n;
  t.baseK = base_k;
  t.stepM = t.stepN = t.stepKa = t.stepKb = 1;
  t.depthA1 = t.depthB1 = 2;
  t.dbL0A = t.dbL0B = t.dbL0C = 1;
  return t;
}

/// One AIC and two AIVs; the body runs on the first AIV only.
inline LaunchOptions Mixed() {
  LaunchOptions options;
  options.aic = 1;
  options.aiv = 2;
  return options;
}
/// A mixed launch with a system workspace whose body multiplies on AIV 0.
inline std::string RunMixed(std::function<void()> body) {
  Gm<uint8_t> workspace(16777216, "system workspace");
  LaunchOptions options = Mixed();
  options.system_workspace = workspace.data();
  return RunBody(options, std::move(body));
}

/// Row-major M x K, stored transposed if asked, in NZ if asked.
template <typename T>
struct Operand {
  uint32_t rows, columns;
  bool transposed, fractal;
  std::vector<double> values;  // rows x columns
  Gm<T> data;

  Operand(uint32_t r, uint32_t c, bool t, bool f, uint32_t seed)
      : rows(r), columns(c), transposed(t), fractal(f), values(size_t{r} * c), data(StoredSize()) {
    std::vector<T> random(values.size());
    FillRandom(random.data(), random.size(), seed);
    std::memset(static_cast<void*>(data.data()), 0, data.size() * sizeof(T));
    for (uint32_t i = 0; i < r; ++i) {
      for (uint32_t j = 0; j < c; ++j) {
        values[i * c + j] = static_cast<double>(random[i * c + j]);
        data[Index(i, j)] = random[i * c + j];
      }
    }
  }
  uint32_t StoredRows() const { return transposed ? columns : rows; }
  uint32_t StoredColumns() const { return transposed ? rows : columns; }
  size_t StoredSize() const {
    return fractal ? RoundUp(StoredRows(), 16) * RoundUp(StoredColumns(), 32 / sizeof(T))
                   : size_t{rows} * columns;
  }
  size_t Index(uint32_t i, uint32_t j) const {
    const uint32_t r = transposed ? j : i, c = transposed ? i : j;
    if (!fractal) return size_t{r} * StoredColumns() + c;
    const uint32_t c0 = 32 / sizeof(T);
    return (c / c0 * RoundUp(StoredRows(), 16) + r) * c0 + c % c0;
  }
};

template <typename T>
std::vector<double> Reference(const Operand<T>& a, const Operand<T>& b, const double* bias) {
  std::vector<double> c(size_t{a.rows} * b.columns);
  for (uint32_t i = 0; i < a.rows; ++i) {
    for (uint32_t j = 0; j < b.columns; ++j) {
      double sum = bias == nullptr ? 0 : bias[j];
      for (uint32_t k = 0; k < a.columns; ++k)
        sum += a.values[i * a.columns + k] * b.values[k * b.columns + j];
      c[i * b.columns + j] = sum;
    }
  }
  return c;
}

template <typename T>
void ExpectNear(const Gm<T>& c, const std::vector<double>& expected, double tolerance,
                const std::string& what) {
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(static_cast<double>(c[i]), expected[i], tolerance) << what << " at " << i;
}

using HalfA = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using FloatC = MatmulType<TPosition::GM, CubeFormat::ND, float>;
using HalfMatmul = Matmul<HalfA, HalfA, FloatC>;

/// A mixed launch whose AIV 0 calls `body` with a Matmul object that has the tiling.
template <typename Object, typename Body>
std::string RunMatmul(const TCubeTiling& tiling, Body body) {
  return RunMixed([&] {
    if (AscendC::GetSubBlockIdx() != 0) return;
    AscendC::TPipe pipe;
    Object mm;
    REGIST_MATMUL_OBJ(&pipe, AscendC::GetSysWorkSpacePtr(), mm, &tiling);
    body(mm);
  });
}
/// The same with A and B set.
template <typename Object, typename T, typename Body>
std::string RunMatmul(const TCubeTiling& tiling, const Operand<T>& a, const Operand<T>& b,
                      Body body) {
  return RunMatmul<Object>(tiling, [&](auto& mm) {
    mm.SetTensorA(TensorOf(a.data));
    mm.SetTensorB(TensorOf(b.data));
    body(mm);
  });
}

}  // namespace hostnpu::testing

#endif  // HOSTNPU_TESTS_KERNELS_CUBE_MATMUL_RUN_H_

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

}  // namespace
}  // namespace hostnpu::testing

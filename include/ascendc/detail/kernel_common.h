// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// kernel_operator.h with what most kernels make of its templates. Only the compiler driver reads
// this file, to compile it ahead in the place of kernel_operator.h (src/compiler/precompiled.h);
// nobody includes it.
#ifndef HOSTNPU_ASCENDC_DETAIL_KERNEL_COMMON_H_
#define HOSTNPU_ASCENDC_DETAIL_KERNEL_COMMON_H_

#include "../kernel_operator.h"

namespace AscendC {
namespace internal {
namespace common {

// Never called: what a function names is instantiated where it is compiled.

template <typename T>
inline void UseMoves(const LocalTensor<T>& local, const GlobalTensor<T>& gm) {
  DataCopy(local, gm, 0u);
  DataCopy(gm, local, 0u);
  DataCopy(local, local, 0u);
  DataCopy(local, gm, DataCopyParams());
  DataCopy(gm, local, DataCopyParams());
  DataCopyPad(local, gm, DataCopyExtParams(), DataCopyPadExtParams<T>());
  DataCopyPad(gm, local, DataCopyExtParams());
}
template <typename T>
inline void UseArithmetic(const LocalTensor<T>& t, int32_t n) {
  Add(t, t, t, n);
  Sub(t, t, t, n);
  Mul(t, t, t, n);
  Max(t, t, t, n);
  Min(t, t, t, n);
  Adds(t, t, T(0), n);
  Muls(t, t, T(0), n);
  Duplicate(t, T(0), n);
}
template <typename T>
inline void UseFloating(const LocalTensor<T>& t, int32_t n) {
  UseArithmetic(t, n);
  Div(t, t, t, n);
  Maxs(t, t, T(0), n);
  Mins(t, t, T(0), n);
  Exp(t, t, n);
  Ln(t, t, n);
  Abs(t, t, n);
  Sqrt(t, t, n);
  Rsqrt(t, t, n);
  Reciprocal(t, t, n);
  Relu(t, t, n);
  Add(t, t, t, uint64_t{0}, 0, BinaryRepeatParams());
  Mul(t, t, t, uint64_t{0}, 0, BinaryRepeatParams());
  ReduceSum(t, t, t, n);
  ReduceMax(t, t, t, n, false);
}
inline void UseAll(const LocalTensor<float>& f, const LocalTensor<half>& h,
                   const LocalTensor<int32_t>& i, const LocalTensor<int8_t>& b,
                   const GlobalTensor<float>& f_gm, const GlobalTensor<half>& h_gm,
                   const GlobalTensor<int32_t>& i_gm, const GlobalTensor<int8_t>& b_gm) {
  UseMoves(f, f_gm);
  UseMoves(h, h_gm);
  UseMoves(i, i_gm);
  DataCopy(b, b_gm, 0u);
  DataCopy(b_gm, b, 0u);
  UseFloating(f, 0);
  UseFloating(h, 0);
  UseArithmetic(i, 0);
  Cast(f, h, RoundMode::CAST_NONE, 0u);
  Cast(h, f, RoundMode::CAST_NONE, 0u);
}

}  // namespace common
}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_DETAIL_KERNEL_COMMON_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// dst = a + b and the like on LocalTensors: the operator notes its operands, the assignment runs
// the instruction over dst.GetSize() elements. Comparisons go to a tensor of uint8_t, over the size
// of a.
#ifndef HOSTNPU_ASCENDC_BASIC_TENSOR_OPERATORS_H_
#define HOSTNPU_ASCENDC_BASIC_TENSOR_OPERATORS_H_

#include "compare.h"
#include "vector_binary.h"

namespace AscendC {

#define HOSTNPU_TENSOR_OPERATOR(Name, symbol, elements)                       \
  namespace internal {                                                        \
  template <typename T>                                                       \
  struct Name##Expression {                                                   \
    using HostnpuExpression = void;                                           \
    const LocalTensor<T>& src0;                                               \
    const LocalTensor<T>& src1;                                               \
    void Into(const LocalTensor<T>& dst) const {                              \
      Name(dst, src0, src1, static_cast<int32_t>(elements));                  \
    }                                                                         \
  };                                                                          \
  }                                                                           \
  template <typename T>                                                       \
  internal::Name##Expression<T> operator symbol(const LocalTensor<T>& src0,   \
                                                const LocalTensor<T>& src1) { \
    return {src0, src1};                                                      \
  }

HOSTNPU_TENSOR_OPERATOR(Add, +, dst.GetSize())
HOSTNPU_TENSOR_OPERATOR(Sub, -, dst.GetSize())
HOSTNPU_TENSOR_OPERATOR(Mul, *, dst.GetSize())
HOSTNPU_TENSOR_OPERATOR(Div, /, dst.GetSize())
// And and Or count elements of 16 bits.
HOSTNPU_TENSOR_OPERATOR(And, &, dst.GetSize() * sizeof(PrimT<T>) / 2)
HOSTNPU_TENSOR_OPERATOR(Or, |, dst.GetSize() * sizeof(PrimT<T>) / 2)
#undef HOSTNPU_TENSOR_OPERATOR

namespace internal {
template <typename T>
struct CompareExpression {
  using HostnpuExpression = void;
  const LocalTensor<T>& src0;
  const LocalTensor<T>& src1;
  CMPMODE mode;
  template <typename U>
  void Into(const LocalTensor<U>& dst) const {
    static_assert(IsSameType<PrimT<U>, uint8_t>::value,
                  "a comparison of tensors is assigned to a tensor of uint8_t");
    Compare(dst, src0, src1, mode, src0.GetSize());
  }
};
}  // namespace internal

#define HOSTNPU_TENSOR_COMPARISON(symbol, mode)                                \
  template <typename T>                                                        \
  internal::CompareExpression<T> operator symbol(const LocalTensor<T>& src0,   \
                                                 const LocalTensor<T>& src1) { \
    return {src0, src1, CMPMODE::mode};                                        \
  }
HOSTNPU_TENSOR_COMPARISON(<, LT)
HOSTNPU_TENSOR_COMPARISON(>, GT)
HOSTNPU_TENSOR_COMPARISON(==, EQ)
HOSTNPU_TENSOR_COMPARISON(<=, LE)
HOSTNPU_TENSOR_COMPARISON(>=, GE)
HOSTNPU_TENSOR_COMPARISON(!=, NE)
#undef HOSTNPU_TENSOR_COMPARISON

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_TENSOR_OPERATORS_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions of a matrix along an axis that a pattern names: AR over each row, RA over each column.
// Rows lie 32-byte aligned: a row of `srcShape[1]` elements takes that many, rounded up to whole
// blocks, and what pads it is not read. No temporary buffer is needed.
#ifndef HOSTNPU_ASCENDC_ADVANCED_REDUCE_PATTERN_H_
#define HOSTNPU_ASCENDC_ADVANCED_REDUCE_PATTERN_H_

#include "../detail/availability.h"
#include "../detail/vector_run.h"

namespace AscendC {

namespace Pattern {
namespace Reduce {
struct AR {};
struct RA {};
}  // namespace Reduce
}  // namespace Pattern

namespace internal {

/// What a reduction starts from, takes one more value by, and makes of all of them. Sums and
/// products add up in double: the order of the additions is not part of what these functions say.
struct ReduceSumWay {
  static constexpr double kStart = 0.0;
  static double Take(double all, double x) { return all + x; }
  static double Finish(double all, uint32_t) { return all; }
};
struct ReduceMeanWay : ReduceSumWay {
  static double Finish(double all, uint32_t count) { return all / count; }
};
struct ReduceProdWay : ReduceSumWay {
  static constexpr double kStart = 1.0;
  static double Take(double all, double x) { return all * x; }
};
struct ReduceMaxWay : ReduceSumWay {
  static constexpr double kStart = -__builtin_inf();
  static double Take(double all, double x) { return x > all || x != x ? x : all; }
};
struct ReduceMinWay : ReduceSumWay {
  static constexpr double kStart = __builtin_inf();
  static double Take(double all, double x) { return x < all || x != x ? x : all; }
};
struct ReduceAllWay : ReduceSumWay {
  static constexpr double kStart = 1.0;
  static double Take(double all, double x) { return all != 0.0 && x != 0.0 ? 1.0 : 0.0; }
};
struct ReduceAnyWay : ReduceSumWay {
  static double Take(double all, double x) { return all != 0.0 || x != 0.0 ? 1.0 : 0.0; }
};

template <typename How, typename pattern, typename T>
inline void ReduceMatrix(const char* api, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                         const uint32_t* shape, bool inner_is_padded) {
  constexpr bool kRows = IsSameType<pattern, Pattern::Reduce::AR>::value;
  static_assert(kRows || IsSameType<pattern, Pattern::Reduce::RA>::value,
                "a reduction by a pattern takes Pattern::Reduce::AR or Pattern::Reduce::RA");
  using U = PrimT<T>;
  if (!OnVectorCore()) return;
  const uint32_t rows = shape[0], columns = shape[1];
  if (!inner_is_padded || rows == 0 || columns == 0) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                  "has srcInnerPad = %s and a shape of %u x %u; srcInnerPad is true on this chip, "
                  "and no axis is empty",
                  inner_is_padded ? "true" : "false", rows, columns);
  }
  const uint64_t step = (uint64_t{columns} * sizeof(U) + 31) / 32 * 32 / sizeof(U);
  CheckOperand(api, OperandOf("srcTensor", src), ((rows - 1) * step + columns) * sizeof(U));
  const uint32_t results = kRows ? rows : columns, count = kRows ? columns : rows;
  CheckOperand(api, OperandOf("dstTensor", dst), uint64_t{results} * sizeof(U));
  for (uint32_t i = 0; i < results; ++i) {
    double all = How::kStart;
    for (uint32_t j = 0; j < count; ++j) {
      const U value = src.Data()[kRows ? i * step + j : j * step + i];
      all = How::Take(all, static_cast<double>(value));
    }
    dst.Data()[i] = static_cast<U>(static_cast<float>(How::Finish(all, count)));
  }
}

}  // namespace internal

#define HOSTNPU_REDUCE_PATTERN(Name, types)                                                     \
  HOSTNPU_AVAILABLE(Name##Pattern, types)                                                       \
  template <class T, class pattern, bool isReuseSource = false>                                 \
  inline void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,            \
                   const uint32_t srcShape[], bool srcInnerPad) {                               \
    static_assert(Available##Name##Pattern<T>::value, "");                                      \
    internal::ReduceMatrix<internal::Name##Way, pattern>(#Name, dstTensor, srcTensor, srcShape, \
                                                         srcInnerPad);                          \
  }                                                                                             \
  template <class T, class pattern, bool isReuseSource = false>                                 \
  inline void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,            \
                   const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t srcShape[],      \
                   bool srcInnerPad) {                                                          \
    static_cast<void>(sharedTmpBuffer);                                                         \
    Name<T, pattern, isReuseSource>(dstTensor, srcTensor, srcShape, srcInnerPad);               \
  }
/// dst = the sum of each row (AR) or column (RA).
HOSTNPU_REDUCE_PATTERN(ReduceSum, internal::kFloat)
/// dst = the mean.
HOSTNPU_REDUCE_PATTERN(ReduceMean, internal::kFloat)
/// dst = the product.
HOSTNPU_REDUCE_PATTERN(ReduceProd, internal::kFloat)
/// dst = the largest value.
HOSTNPU_REDUCE_PATTERN(ReduceMax, internal::kHalf | internal::kFloat)
/// dst = the smallest value.
HOSTNPU_REDUCE_PATTERN(ReduceMin, internal::kHalf | internal::kFloat)
/// dst = 1 if no value is 0, else 0.
HOSTNPU_REDUCE_PATTERN(ReduceAll, internal::kUint8 | internal::kFloat)
/// dst = 1 if a value is not 0, else 0.
HOSTNPU_REDUCE_PATTERN(ReduceAny, internal::kUint8 | internal::kFloat)
#undef HOSTNPU_REDUCE_PATTERN

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_REDUCE_PATTERN_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The softmax family over the rows of a matrix of srcM x srcK, of which oriSrcM x oriSrcK count.
// Maxima and sums of a row fill one block each, or are one element each where the configuration
// says SOFTMAX_OUTPUT_WITHOUT_BRC. Computes in float whatever the types are, sums in double, and
// needs no temporary buffer; of the tiling it reads the shape, where no shape is given.
#ifndef HOSTNPU_ASCENDC_ADVANCED_SOFTMAX_H_
#define HOSTNPU_ASCENDC_ADVANCED_SOFTMAX_H_

#include "../detail/availability.h"
#include "../detail/vector_run.h"
#include "../kernel_tiling/vector_tiling.h"
#include "../semantics/elementary.h"

namespace AscendC {

enum class SoftmaxMode { SOFTMAX_NORMAL = 0, SOFTMAX_OUTPUT_WITHOUT_BRC = 1 };
struct SoftmaxConfig {
  constexpr SoftmaxConfig(bool check) : isCheckTiling(check) {}  // NOLINT: as in the vendor's
  constexpr SoftmaxConfig(bool check, uint32_t m, uint32_t k,
                          SoftmaxMode the_mode = SoftmaxMode::SOFTMAX_NORMAL)
      : isCheckTiling(check), oriSrcM(m), oriSrcK(k), mode(the_mode) {}

  bool isCheckTiling = true;
  uint32_t oriSrcM = 0;
  uint32_t oriSrcK = 0;
  SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};
constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG = {true, 0, 0, SoftmaxMode::SOFTMAX_NORMAL};

struct SoftMaxShapeInfo {
  uint32_t srcM{0};
  uint32_t srcK{0};
  uint32_t oriSrcM{0};
  uint32_t oriSrcK{0};
};

namespace internal {

/// Where the elements of a matrix lie: by rows, or in columns of 16 (NZ).
struct MatrixLayout {
  uint32_t rows;     // srcM
  uint32_t columns;  // srcK
  uint32_t used_rows;
  uint32_t used_columns;
  bool nz;

  uint64_t At(uint32_t row, uint32_t column) const {
    if (nz) return (uint64_t{column / 16} * rows + row) * 16 + column % 16;
    return uint64_t{row} * columns + column;
  }
  uint64_t size() const { return uint64_t{rows} * columns; }
};

template <typename Tiling>
inline MatrixLayout LayoutOf(const Tiling& tiling, const SoftMaxShapeInfo& shape, bool nz,
                             const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG) {
  const bool given = shape.srcM != 0 && shape.srcK != 0;
  MatrixLayout layout = {given ? shape.srcM : tiling.srcM, given ? shape.srcK : tiling.srcK, 0, 0,
                         nz};
  layout.used_rows = config.oriSrcM != 0           ? config.oriSrcM
                     : given && shape.oriSrcM != 0 ? shape.oriSrcM
                                                   : layout.rows;
  layout.used_columns = config.oriSrcK != 0           ? config.oriSrcK
                        : given && shape.oriSrcK != 0 ? shape.oriSrcK
                                                      : layout.columns;
  if (layout.used_rows > layout.rows || layout.used_columns > layout.columns) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "SoftMax", "uses %u x %u elements of a matrix of %u x %u",
                  layout.used_rows, layout.used_columns, layout.rows, layout.columns);
  }
  return layout;
}

/// A value per row: a whole block of it, or one element.
template <typename T>
struct PerRow {
  T* data;
  uint32_t step;  // elements from row to row

  float Get(uint32_t row) const { return static_cast<float>(data[uint64_t{row} * step]); }
  void Set(uint32_t row, float value) const {
    for (uint32_t i = 0; i < step; ++i) data[uint64_t{row} * step + i] = static_cast<T>(value);
  }
};
template <typename T>
inline PerRow<PrimT<T>> RowsOf(const char* api, const LocalTensor<T>& tensor, uint32_t rows,
                               const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG) {
  const uint32_t step = config.mode == SoftmaxMode::SOFTMAX_NORMAL ? 32 / sizeof(PrimT<T>) : 1;
  CheckOperand(api, OperandOf("max or sum", tensor), uint64_t{rows} * step * sizeof(PrimT<T>));
  return {tensor.Data(), step};
}
template <typename T>
inline PrimT<T>* MatrixOf(const char* api, const char* operand, const LocalTensor<T>& tensor,
                          const MatrixLayout& layout) {
  CheckOperand(api, OperandOf(operand, tensor), layout.size() * sizeof(PrimT<T>));
  return tensor.Data();
}

template <typename T>
inline float RowMax(const T* src, const MatrixLayout& layout, uint32_t row) {
  float max = static_cast<float>(src[layout.At(row, 0)]);
  for (uint32_t i = 1; i < layout.used_columns; ++i) {
    const float value = static_cast<float>(src[layout.At(row, i)]);
    max = value > max || value != value ? value : max;
  }
  return max;
}
HOSTNPU_INLINE float ExpOf(float x) {
  return static_cast<float>(semantics::ExpDouble(static_cast<double>(x)));
}
/// dst = exp(src - max); returns the sum. A row is moved through float, so dst may be src.
template <typename D, typename S>
inline double ExpRow(D* dst, const S* src, const MatrixLayout& layout, uint32_t row, float max) {
  double sum = 0.0;
  for (uint32_t i = 0; i < layout.used_columns; ++i) {
    const float e = ExpOf(static_cast<float>(src[layout.At(row, i)]) - max);
    dst[layout.At(row, i)] = static_cast<D>(e);
    sum += e;
  }
  return sum;
}

/// `finish` makes the result of a quotient, before it is rounded to T.
template <typename T, typename U, typename Finish>
inline void SoftMaxRows(const LocalTensor<T>& dst, const PerRow<U>* sums, const PerRow<U>* maxima,
                        const LocalTensor<T>& src, const MatrixLayout& layout, Finish finish) {
  using E = PrimT<T>;
  const E* from = MatrixOf("SoftMax", "src", src, layout);
  E* to = MatrixOf("SoftMax", "dst", dst, layout);
  for (uint32_t row = 0; row < layout.used_rows; ++row) {
    const float max = RowMax(from, layout, row);
    double total = 0.0;
    for (uint32_t i = 0; i < layout.used_columns; ++i)
      total += ExpOf(static_cast<float>(from[layout.At(row, i)]) - max);
    const float sum = static_cast<float>(total);
    for (uint32_t i = 0; i < layout.used_columns; ++i) {
      const float e = ExpOf(static_cast<float>(from[layout.At(row, i)]) - max);
      to[layout.At(row, i)] = static_cast<E>(finish(e / sum));
    }
    if (sums != nullptr) sums->Set(row, sum);
    if (maxima != nullptr) maxima->Set(row, max);
  }
}
template <typename T, typename U>
inline void SoftMaxRows(const LocalTensor<T>& dst, const PerRow<U>* sums, const PerRow<U>* maxima,
                        const LocalTensor<T>& src, const MatrixLayout& layout) {
  SoftMaxRows(dst, sums, maxima, src, layout, [](float quotient) { return quotient; });
}

}  // namespace internal

HOSTNPU_AVAILABLE(SoftMax, internal::kHalf | internal::kFloat)

/// dst = softmax of each row of src; the row's sum of exponentials and its maximum beside it.
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG,
          typename D, typename U>
inline void SoftMax(const LocalTensor<D>& dst, const LocalTensor<U>& sum, const LocalTensor<U>& max,
                    const LocalTensor<D>& src, const SoftMaxTiling& tiling,
                    const SoftMaxShapeInfo& shape = {}) {
  static_assert(AvailableSoftMax<D>::value && AvailableSoftMax<U>::value, "");
  if (!internal::OnVectorCore()) return;
  const internal::MatrixLayout layout = internal::LayoutOf(tiling, shape, isDataFormatNZ, config);
  const auto sums = internal::RowsOf("SoftMax", sum, layout.used_rows, config);
  const auto maxima = internal::RowsOf("SoftMax", max, layout.used_rows, config);
  internal::SoftMaxRows(dst, &sums, &maxima, src, layout);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG,
          typename D, typename U>
inline void SoftMax(const LocalTensor<D>& dst, const LocalTensor<U>& sum, const LocalTensor<U>& max,
                    const LocalTensor<D>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
                    const SoftMaxTiling& tiling, const SoftMaxShapeInfo& shape = {}) {
  static_cast<void>(sharedTmpBuffer);
  SoftMax<T, isReuseSource, isBasicBlock, isDataFormatNZ, config>(dst, sum, max, src, tiling,
                                                                  shape);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
inline void SoftMax(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                    const SoftMaxTiling& tiling, const SoftMaxShapeInfo& shape = {}) {
  static_assert(AvailableSoftMax<T>::value, "");
  if (!internal::OnVectorCore()) return;
  internal::SoftMaxRows<T, float>(dst, nullptr, nullptr, src,
                                  internal::LayoutOf(tiling, shape, false, config));
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
inline void SoftMax(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                    const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
                    const SoftMaxShapeInfo& shape = {}) {
  static_cast<void>(sharedTmpBuffer);
  SoftMax<T, isReuseSource, isBasicBlock, config>(dst, src, tiling, shape);
}

/// dst = exp(src - max) / sum with maxima and sums that are given.
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG,
          typename D, typename U>
inline void SimpleSoftMax(const LocalTensor<D>& dst, const LocalTensor<U>& inSum,
                          const LocalTensor<U>& inMax, const LocalTensor<D>& src,
                          const SoftMaxTiling& tiling, const SoftMaxShapeInfo& shape = {}) {
  static_assert(AvailableSoftMax<D>::value && AvailableSoftMax<U>::value, "");
  if (!internal::OnVectorCore()) return;
  const internal::MatrixLayout layout = internal::LayoutOf(tiling, shape, isDataFormatNZ, config);
  const auto sums = internal::RowsOf("SimpleSoftMax", inSum, layout.used_rows, config);
  const auto maxima = internal::RowsOf("SimpleSoftMax", inMax, layout.used_rows, config);
  const auto* from = internal::MatrixOf("SimpleSoftMax", "src", src, layout);
  auto* to = internal::MatrixOf("SimpleSoftMax", "dst", dst, layout);
  for (uint32_t row = 0; row < layout.used_rows; ++row) {
    const float max = maxima.Get(row), sum = sums.Get(row);
    for (uint32_t i = 0; i < layout.used_columns; ++i) {
      const uint64_t at = layout.At(row, i);
      to[at] = static_cast<PrimT<D>>(internal::ExpOf(static_cast<float>(from[at]) - max) / sum);
    }
  }
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG,
          typename D, typename U>
inline void SimpleSoftMax(const LocalTensor<D>& dst, const LocalTensor<U>& inSum,
                          const LocalTensor<U>& inMax, const LocalTensor<D>& src,
                          const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
                          const SoftMaxShapeInfo& shape = {}) {
  static_cast<void>(sharedTmpBuffer);
  SimpleSoftMax<T, isReuseSource, isBasicBlock, isDataFormatNZ, config>(dst, inSum, inMax, src,
                                                                        tiling, shape);
}

/// dst = log10(softmax of each row of src): the library's logarithm here is the one to base 10.
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
inline void LogSoftMax(const LocalTensor<T>& dst, const LocalTensor<T>& sum,
                       const LocalTensor<T>& max, const LocalTensor<T>& src,
                       const LocalTensor<uint8_t>& sharedTmpBuffer, const LogSoftMaxTiling& tiling,
                       const SoftMaxShapeInfo& shape = {}) {
  static_assert(AvailableSoftMax<T>::value, "");
  static_cast<void>(sharedTmpBuffer);
  if (!internal::OnVectorCore()) return;
  const internal::MatrixLayout layout = internal::LayoutOf(tiling, shape, isDataFormatNZ);
  const auto sums = internal::RowsOf("LogSoftMax", sum, layout.used_rows);
  const auto maxima = internal::RowsOf("LogSoftMax", max, layout.used_rows);
  internal::SoftMaxRows(dst, &sums, &maxima, src, layout,
                        [](float quotient) { return __builtin_log10f(quotient); });
}

/// Where the maximum of a row is the bit pattern `from`, its results become `to`. Returns whether
/// there was one.
template <typename T1, typename T2, bool isDataFormatNZ = false, uint8_t stepSizeMode = 0>
inline bool AdjustSoftMaxRes(const LocalTensor<T1>& softMaxRes, const LocalTensor<T2>& maxTensor,
                             const uint32_t from, const internal::NoDeduce<PrimT<T1>> to,
                             const SoftMaxShapeInfo& shape) {
  if (!internal::OnVectorCore()) return false;
  const internal::MatrixLayout layout = internal::LayoutOf(SoftMaxTiling{}, shape, isDataFormatNZ);
  static constexpr SoftmaxConfig kOnePerRow = {true, 0, 0, SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};
  const auto maxima = internal::RowsOf("AdjustSoftMaxRes", maxTensor, layout.used_rows,
                                       stepSizeMode == 0 ? SOFTMAX_DEFAULT_CFG : kOnePerRow);
  auto* results = internal::MatrixOf("AdjustSoftMaxRes", "softMaxRes", softMaxRes, layout);
  bool found = false;
  for (uint32_t row = 0; row < layout.used_rows; ++row) {
    uint32_t bits = 0;
    __builtin_memcpy(&bits, maxima.data + uint64_t{row} * maxima.step, sizeof(PrimT<T2>));
    if (bits != from) continue;
    found = true;
    for (uint32_t i = 0; i < layout.columns; ++i) results[layout.At(row, i)] = to;
  }
  return found;
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_SOFTMAX_H_

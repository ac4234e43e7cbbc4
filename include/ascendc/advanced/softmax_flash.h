// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Softmax over a matrix that comes in pieces of columns (flash), and the gradient of softmax.
#ifndef HOSTNPU_ASCENDC_ADVANCED_SOFTMAX_FLASH_H_
#define HOSTNPU_ASCENDC_ADVANCED_SOFTMAX_FLASH_H_

#include "softmax.h"

namespace AscendC {
namespace internal {

/// One piece. With `update`, inSum and inMax are of the pieces before; expMax is the factor for
/// results so far. `normalise`: dst is divided by the new sum (the first version does, the second
/// leaves that to the caller).
template <typename D, typename U>
inline void FlashRows(const char* api, const LocalTensor<D>& dst, const PerRow<U>& sums,
                      const PerRow<U>& maxima, const LocalTensor<D>& src,
                      const PerRow<PrimT<D>>& exp_max, const PerRow<U>& in_sums,
                      const PerRow<U>& in_maxima, const MatrixLayout& layout, bool update,
                      bool normalise) {
  const auto* from = MatrixOf(api, "src", src, layout);
  auto* to = MatrixOf(api, "dst", dst, layout);
  for (uint32_t row = 0; row < layout.used_rows; ++row) {
    float max = RowMax(from, layout, row);
    if (!update) {
      const float sum = static_cast<float>(ExpRow(to, from, layout, row, max));
      sums.Set(row, sum);
      maxima.Set(row, max);
      if (normalise) {
        for (uint32_t i = 0; i < layout.used_columns; ++i) {
          auto& value = to[layout.At(row, i)];
          value = static_cast<PrimT<D>>(static_cast<float>(value) / sum);
        }
      }
      continue;
    }
    const float old_max = in_maxima.Get(row), old_sum = in_sums.Get(row);
    if (old_max > max) max = old_max;
    const float factor = ExpOf(old_max - max);
    const float sum =
        static_cast<float>(ExpRow(to, from, layout, row, max) + double{factor} * old_sum);
    sums.Set(row, sum);
    maxima.Set(row, max);
    exp_max.Set(row, normalise ? factor * old_sum / sum : factor);
    if (!normalise) continue;
    for (uint32_t i = 0; i < layout.used_columns; ++i) {
      auto& value = to[layout.At(row, i)];
      value = static_cast<PrimT<D>>(static_cast<float>(value) / sum);
    }
  }
}

template <typename D, typename U>
inline void Flash(const char* api, const LocalTensor<D>& dst, const LocalTensor<U>& sum,
                  const LocalTensor<U>& max, const LocalTensor<D>& src,
                  const LocalTensor<D>& exp_max, const LocalTensor<U>& in_sum,
                  const LocalTensor<U>& in_max, const MatrixLayout& layout,
                  const SoftmaxConfig& config, bool update, bool normalise) {
  const uint32_t rows = layout.used_rows;
  const PerRow<PrimT<D>> no_factor = {nullptr, 0};
  const PerRow<PrimT<U>> nothing = {nullptr, 0};
  FlashRows(api, dst, RowsOf(api, sum, rows, config), RowsOf(api, max, rows, config), src,
            update ? RowsOf(api, exp_max, rows, config) : no_factor,
            update ? RowsOf(api, in_sum, rows, config) : nothing,
            update ? RowsOf(api, in_max, rows, config) : nothing, layout, update, normalise);
}

}  // namespace internal

/// One piece of columns: dst = exp(src - max), not divided; see FlashRows.
template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG,
          typename D, typename U>
inline void SoftmaxFlashV2(const LocalTensor<D>& dst, const LocalTensor<U>& expSum,
                           const LocalTensor<U>& max, const LocalTensor<D>& src,
                           const LocalTensor<D>& expMax, const LocalTensor<U>& inExpSum,
                           const LocalTensor<U>& inMax, const SoftMaxTiling& tiling,
                           const SoftMaxShapeInfo& shape = {}) {
  static_assert(AvailableSoftMax<D>::value && AvailableSoftMax<U>::value, "");
  if (!internal::OnVectorCore()) return;
  internal::Flash("SoftmaxFlashV2", dst, expSum, max, src, expMax, inExpSum, inMax,
                  internal::LayoutOf(tiling, shape, isDataFormatNZ, config), config, isUpdate,
                  false);
}
template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
          bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG,
          typename D, typename U>
inline void SoftmaxFlashV2(const LocalTensor<D>& dst, const LocalTensor<U>& expSum,
                           const LocalTensor<U>& max, const LocalTensor<D>& src,
                           const LocalTensor<D>& expMax, const LocalTensor<U>& inExpSum,
                           const LocalTensor<U>& inMax, const LocalTensor<uint8_t>& sharedTmpBuffer,
                           const SoftMaxTiling& tiling, const SoftMaxShapeInfo& shape = {}) {
  static_cast<void>(sharedTmpBuffer);
  SoftmaxFlashV2<T, isUpdate, isReuseSource, isBasicBlock, isDataFormatNZ, config>(
      dst, expSum, max, src, expMax, inExpSum, inMax, tiling, shape);
}

/// The first version: dst is divided by the sum so far.
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, typename D, typename U>
inline void SoftmaxFlash(const LocalTensor<D>& dst, const LocalTensor<U>& sum,
                         const LocalTensor<U>& max, const LocalTensor<D>& src,
                         const LocalTensor<D>& expMax, const LocalTensor<U>& inSum,
                         const LocalTensor<U>& inMax, const SoftMaxTiling& tiling,
                         bool isUpdate = false, const SoftMaxShapeInfo& shape = {}) {
  static_assert(AvailableSoftMax<D>::value && AvailableSoftMax<U>::value, "");
  if (!internal::OnVectorCore()) return;
  internal::Flash("SoftmaxFlash", dst, sum, max, src, expMax, inSum, inMax,
                  internal::LayoutOf(tiling, shape, false), SOFTMAX_DEFAULT_CFG, isUpdate, true);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, typename D, typename U>
inline void SoftmaxFlash(const LocalTensor<D>& dst, const LocalTensor<U>& sum,
                         const LocalTensor<U>& max, const LocalTensor<D>& src,
                         const LocalTensor<D>& expMax, const LocalTensor<U>& inSum,
                         const LocalTensor<U>& inMax, const LocalTensor<uint8_t>& sharedTmpBuffer,
                         const SoftMaxTiling& tiling, bool isUpdate = false,
                         const SoftMaxShapeInfo& shape = {}) {
  static_cast<void>(sharedTmpBuffer);
  SoftmaxFlash<T, isReuseSource, isBasicBlock>(dst, sum, max, src, expMax, inSum, inMax, tiling,
                                               isUpdate, shape);
}

namespace internal {
/// front: one block per row, the sum of grad * src. Otherwise (grad - front) * src.
template <typename T>
inline void GradRows(const char* api, const LocalTensor<T>& dst, const LocalTensor<T>& grad,
                     const LocalTensor<T>& src, const MatrixLayout& layout, bool front) {
  using E = PrimT<T>;
  const E* gradients = MatrixOf(api, "grad", grad, layout);
  const E* values = MatrixOf(api, "src", src, layout);
  const PerRow<E> fronts =
      front ? RowsOf(api, dst, layout.used_rows) : PerRow<E>{MatrixOf(api, "dst", dst, layout), 0};
  for (uint32_t row = 0; row < layout.used_rows; ++row) {
    double total = 0.0;
    for (uint32_t i = 0; i < layout.used_columns; ++i) {
      const uint64_t at = layout.At(row, i);
      total += static_cast<double>(static_cast<float>(gradients[at])) *
               static_cast<double>(static_cast<float>(values[at]));
    }
    const float sum = static_cast<float>(total);
    if (front) {
      fronts.Set(row, sum);
      continue;
    }
    for (uint32_t i = 0; i < layout.used_columns; ++i) {
      const uint64_t at = layout.At(row, i);
      fronts.data[at] = static_cast<E>((static_cast<float>(gradients[at]) - sum) *
                                       static_cast<float>(values[at]));
    }
  }
}
}  // namespace internal

/// The gradient of softmax, or with isFront only the row sums of grad * src.
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
inline void SoftmaxGrad(const LocalTensor<T>& dst, const LocalTensor<T>& grad,
                        const LocalTensor<T>& src, const SoftMaxTiling& tiling,
                        bool isFront = false, const SoftMaxShapeInfo& shape = {}) {
  static_assert(AvailableSoftMax<T>::value, "");
  if (!internal::OnVectorCore()) return;
  internal::GradRows("SoftmaxGrad", dst, grad, src,
                     internal::LayoutOf(tiling, shape, isDataFormatNZ), isFront);
}
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
inline void SoftmaxGrad(const LocalTensor<T>& dst, const LocalTensor<T>& grad,
                        const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
                        const SoftMaxTiling& tiling, bool isFront = false,
                        const SoftMaxShapeInfo& shape = {}) {
  static_cast<void>(sharedTmpBuffer);
  SoftmaxGrad<T, isReuseSource, isDataFormatNZ>(dst, grad, src, tiling, isFront, shape);
}
template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>
inline void SoftmaxGradFront(const LocalTensor<T>& dst, const LocalTensor<T>& grad,
                             const LocalTensor<T>& src, const SoftMaxTiling& tiling,
                             const SoftMaxShapeInfo& shape = {}) {
  static_assert(AvailableSoftMax<T>::value, "");
  if (!internal::OnVectorCore()) return;
  internal::GradRows("SoftmaxGradFront", dst, grad, src,
                     internal::LayoutOf(tiling, shape, isDataFormatNZ), true);
}
template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>
inline void SoftmaxGradFront(const LocalTensor<T>& dst, const LocalTensor<T>& grad,
                             const LocalTensor<T>& src, const LocalTensor<uint8_t>& sharedTmpBuffer,
                             const SoftMaxTiling& tiling, const SoftMaxShapeInfo& shape = {}) {
  static_cast<void>(sharedTmpBuffer);
  SoftmaxGradFront<T, isBasicBlock, isDataFormatNZ>(dst, grad, src, tiling, shape);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_SOFTMAX_FLASH_H_

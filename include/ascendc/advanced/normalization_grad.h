// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The gradients of LayerNorm: LayerNormGrad gives that of x and the factor LayerNormGradBeta makes
// those of gamma and beta of. They compute in float and need no temporary buffer; of the tilings
// they read the shape [b, s, h].
#ifndef HOSTNPU_ASCENDC_ADVANCED_NORMALIZATION_GRAD_H_
#define HOSTNPU_ASCENDC_ADVANCED_NORMALIZATION_GRAD_H_

#include "normalization.h"

namespace AscendC {

struct LayerNormGradShapeInfo {
  DataFormat dataFormat = DataFormat::ND;
};

HOSTNPU_AVAILABLE(LayerNormGrad, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(LayerNormGradBeta, internal::kHalf | internal::kFloat)

namespace internal {

/// One row of LayerNormGrad. Every element is read before it is written, so that operands may be
/// one tensor.
template <typename T>
inline void LayerNormGradRow(T* pd_x, T* res, const T* dy, const T* x, const T* gamma, float mean,
                             float variance, float epsilon, uint32_t count) {
  const double base = static_cast<double>(variance) + epsilon;
  const double root = 1.0 / __builtin_sqrt(base), cube = root / base;
  double pd_variance = 0.0, sum_scaled = 0.0, sum_distance = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    const double scaled = static_cast<double>(dy[i]) * static_cast<double>(gamma[i]);
    const double distance = static_cast<double>(x[i]) - mean;
    pd_variance += -0.5 * scaled * distance * cube;
    sum_scaled += scaled;
    sum_distance += distance;
  }
  const double pd_mean = -root * sum_scaled - 2.0 * pd_variance * sum_distance / count;
  for (uint32_t i = 0; i < count; ++i) {
    const double scaled = static_cast<double>(dy[i]) * static_cast<double>(gamma[i]);
    const double distance = static_cast<double>(x[i]) - mean;
    res[i] = static_cast<T>(static_cast<float>(distance * root));
    pd_x[i] = static_cast<T>(
        static_cast<float>(scaled * root + 2.0 * pd_variance * distance / count + pd_mean / count));
  }
}

}  // namespace internal

/// outputPdX = the gradient of x, given that of the output (inputDy); resForGamma = (x - mean) /
/// sqrt(variance + epsilon).
template <typename T, bool isReuseSource = false>
inline void LayerNormGrad(const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma,
                          const LocalTensor<T>& inputDy, const LocalTensor<T>& inputX,
                          const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,
                          const LocalTensor<T>& inputGamma,
                          const internal::NoDeduce<PrimT<T>> epsilon, LayerNormGradTiling& tiling,
                          const LayerNormGradShapeInfo& shapeInfo = {}) {
  static_assert(AvailableLayerNormGrad<T>::value, "");
  if (!internal::OnVectorCore()) return;
  constexpr const char* kApi = "LayerNormGrad";
  if (shapeInfo.dataFormat != DataFormat::ND) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi, "takes DataFormat::ND only, and is given %d",
                  (int)shapeInfo.dataFormat);
  }
  const internal::NormRows shape = internal::RowsOfTiling(kApi, tiling);
  const uint64_t size = uint64_t{shape.rows} * shape.step;
  PrimT<T>* pd_x = internal::NormOperand(kApi, "outputPdX", outputPdX, size);
  PrimT<T>* res = internal::NormOperand(kApi, "resForGamma", resForGamma, size);
  const PrimT<T>* dy = internal::NormOperand(kApi, "inputDy", inputDy, size);
  const PrimT<T>* x = internal::NormOperand(kApi, "inputX", inputX, size);
  const PrimT<T>* variances =
      internal::NormOperand(kApi, "inputVariance", inputVariance, shape.rows);
  const PrimT<T>* means = internal::NormOperand(kApi, "inputMean", inputMean, shape.rows);
  const PrimT<T>* gammas = internal::NormOperand(kApi, "inputGamma", inputGamma, shape.count);
  for (uint32_t row = 0; row < shape.rows; ++row) {
    const uint64_t at = uint64_t{row} * shape.step;
    // Results may lie where the inputs of this row do.
    internal::LayerNormGradRow(pd_x + at, res + at, dy + at, x + at, gammas,
                               static_cast<float>(means[row]), static_cast<float>(variances[row]),
                               static_cast<float>(epsilon), shape.count);
  }
}
template <typename T, bool isReuseSource = false>
inline void LayerNormGrad(const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma,
                          const LocalTensor<T>& inputDy, const LocalTensor<T>& inputX,
                          const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,
                          const LocalTensor<T>& inputGamma,
                          const LocalTensor<uint8_t>& sharedTmpBuffer,
                          const internal::NoDeduce<PrimT<T>> epsilon, LayerNormGradTiling& tiling,
                          const LayerNormGradShapeInfo& shapeInfo = {}) {
  static_cast<void>(sharedTmpBuffer);
  LayerNormGrad<T, isReuseSource>(outputPdX, resForGamma, inputDy, inputX, inputVariance, inputMean,
                                  inputGamma, epsilon, tiling, shapeInfo);
}

/// The gradients of gamma (the sum of inputDy * resForGamma) and beta (the sum of inputDy) over all
/// rows.
template <typename T, bool isReuseSource = false>
inline void LayerNormGradBeta(const LocalTensor<T>& outputPdGamma,
                              const LocalTensor<T>& outputPdBeta, const LocalTensor<T>& resForGamma,
                              const LocalTensor<T>& inputDy,
                              const LayerNormGradBetaTiling& tiling) {
  static_assert(AvailableLayerNormGradBeta<T>::value, "");
  if (!internal::OnVectorCore()) return;
  constexpr const char* kApi = "LayerNormGradBeta";
  const internal::NormRows shape = internal::RowsOfTiling(kApi, tiling);
  const uint64_t size = uint64_t{shape.rows} * shape.step;
  PrimT<T>* pd_gamma = internal::NormOperand(kApi, "outputPdGamma", outputPdGamma, shape.step);
  PrimT<T>* pd_beta = internal::NormOperand(kApi, "outputPdBeta", outputPdBeta, shape.step);
  const PrimT<T>* res = internal::NormOperand(kApi, "resForGamma", resForGamma, size);
  const PrimT<T>* dy = internal::NormOperand(kApi, "inputDy", inputDy, size);
  for (uint32_t i = 0; i < shape.count; ++i) {
    double gamma = 0.0, beta = 0.0;
    for (uint32_t row = 0; row < shape.rows; ++row) {
      const uint64_t at = uint64_t{row} * shape.step + i;
      gamma += static_cast<double>(dy[at]) * static_cast<double>(res[at]);
      beta += static_cast<double>(dy[at]);
    }
    pd_gamma[i] = static_cast<PrimT<T>>(static_cast<float>(gamma));
    pd_beta[i] = static_cast<PrimT<T>>(static_cast<float>(beta));
  }
}
template <typename T, bool isReuseSource = false>
inline void LayerNormGradBeta(const LocalTensor<T>& outputPdGamma,
                              const LocalTensor<T>& outputPdBeta, const LocalTensor<T>& resForGamma,
                              const LocalTensor<T>& inputDy,
                              const LocalTensor<uint8_t>& sharedTmpBuffer,
                              const LayerNormGradBetaTiling& tiling) {
  static_cast<void>(sharedTmpBuffer);
  LayerNormGradBeta<T, isReuseSource>(outputPdGamma, outputPdBeta, resForGamma, inputDy, tiling);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_NORMALIZATION_GRAD_H_

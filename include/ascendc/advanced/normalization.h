// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// LayerNorm and RmsNorm. A tensor [b, s, h] is b * s rows of h elements, of which originalHLength
// count. Computes in float and needs no temporary buffer; of the tiling it reads the shape.
#ifndef HOSTNPU_ASCENDC_ADVANCED_NORMALIZATION_H_
#define HOSTNPU_ASCENDC_ADVANCED_NORMALIZATION_H_

#include "../detail/availability.h"
#include "../detail/vector_run.h"
#include "../kernel_tiling/vector_tiling.h"

namespace AscendC {

struct LayerNormConfig {
  bool isNoBeta = false;
  bool isNoGamma = false;
  bool isOnlyOutput = false;
  bool isOutputRstd = true;
};
constexpr LayerNormConfig LNCFG_NORM = {false, false, false, true};
struct LayerNormPara {
  uint32_t aLength;             // rows
  uint32_t rLength;             // elements of a row that count
  uint32_t rLengthWithPadding;  // elements from row to row
};

namespace internal {

/// Rows to normalise: `step` elements apart, `count` of them used.
struct NormRows {
  uint32_t rows;
  uint32_t step;
  uint32_t count;
};

/// `rows` in 64 bits, because most are a product; the names are the user's, for the message.
HOSTNPU_SHARED NormRows CheckedRows(const char* api, uint64_t rows, const char* step_name,
                                    uint32_t step, const char* count_name, uint32_t count) {
  if (count == 0 || count > step) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                  "has %s = %u and %s = %u; rows have 1 to %s elements", step_name, step,
                  count_name, count, step_name);
  }
  if (rows > UINT32_MAX) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "has %llu rows; there are up to %u",
                  (unsigned long long)rows, UINT32_MAX);
  }
  return {static_cast<uint32_t>(rows), step, count};
}
/// The rows of a tiling with the shape [b, s, h], of which the original h counts.
template <typename Tiling>
inline NormRows RowsOfTiling(const char* api, const Tiling& tiling) {
  return CheckedRows(api, uint64_t{tiling.bLength} * tiling.sLength, "hLength", tiling.hLength,
                     "originalHLength", tiling.originalHLength);
}
/// The rows of a shape [a, r].
template <typename Para>
inline NormRows RowsOfPara(const char* api, const Para& para) {
  return CheckedRows(api, para.aLength, "rLengthWithPadding", para.rLengthWithPadding, "rLength",
                     para.rLength);
}

template <typename T>
inline PrimT<T>* NormOperand(const char* api, const char* name, const LocalTensor<T>& tensor,
                             uint64_t elements) {
  CheckOperand(api, OperandOf(name, tensor), elements * sizeof(PrimT<T>));
  return tensor.Data();
}

/// The mean of a row and the mean of the squared distances from it.
template <typename T>
inline void MeanAndVariance(const T* row, uint32_t count, float* mean, float* variance) {
  double sum = 0.0;
  for (uint32_t i = 0; i < count; ++i) sum += static_cast<float>(row[i]);
  *mean = static_cast<float>(sum / count);
  double squares = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    const double distance = static_cast<float>(row[i]) - *mean;
    squares += distance * distance;
  }
  *variance = static_cast<float>(squares / count);
}

/// (x - mean) * scale * gamma + beta. gamma and beta null: 1 and 0.
template <typename T, typename X, typename U>
inline void ScaleRow(T* to, const X* from, uint32_t count, float mean, float scale, const U* gamma,
                     const U* beta) {
  for (uint32_t i = 0; i < count; ++i) {
    const float value = (static_cast<float>(from[i]) - mean) * scale;
    const float scaled = gamma == nullptr ? value : value * static_cast<float>(gamma[i]);
    to[i] = static_cast<T>(beta == nullptr ? scaled : scaled + static_cast<float>(beta[i]));
  }
}

/// gamma and beta null: 1 and 0. `second` gets the variance, or with `rstd` its reciprocal root.
template <typename T, typename U, typename S>
inline void LayerNormRows(T* dst, S* means, S* second, const T* src, const U* gamma, const U* beta,
                          float epsilon, const NormRows& shape, bool rstd) {
  for (uint32_t row = 0; row < shape.rows; ++row) {
    const T* from = src + uint64_t{row} * shape.step;
    T* to = dst + uint64_t{row} * shape.step;
    float mean, variance;
    MeanAndVariance(from, shape.count, &mean, &variance);
    const float scale = 1.0f / __builtin_sqrtf(variance + epsilon);
    if (means != nullptr) means[row] = static_cast<S>(mean);
    if (second != nullptr) second[row] = static_cast<S>(rstd ? scale : variance);
    ScaleRow(to, from, shape.count, mean, scale, gamma, beta);
  }
}

}  // namespace internal

HOSTNPU_AVAILABLE(LayerNorm, internal::kHalf | internal::kFloat | internal::kBfloat16)
HOSTNPU_AVAILABLE(RmsNorm, internal::kHalf | internal::kFloat)

/// output = (x - mean) / sqrt(variance + epsilon) * gamma + beta over the last dimension of
/// [b, s, h].
template <typename T, bool isReuseSource = false>
inline void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,
                      const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX,
                      const LocalTensor<T>& gamma, const LocalTensor<T>& beta,
                      const internal::NoDeduce<PrimT<T>> epsilon, LayerNormTiling& tiling) {
  static_assert(AvailableLayerNorm<T>::value, "");
  if (!internal::OnVectorCore()) return;
  constexpr const char* kApi = "LayerNorm";
  const internal::NormRows shape = internal::RowsOfTiling(kApi, tiling);
  const uint64_t size = uint64_t{shape.rows} * shape.step;
  internal::LayerNormRows(internal::NormOperand(kApi, "output", output, size),
                          internal::NormOperand(kApi, "outputMean", outputMean, shape.rows),
                          internal::NormOperand(kApi, "outputVariance", outputVariance, shape.rows),
                          internal::NormOperand(kApi, "inputX", inputX, size),
                          internal::NormOperand(kApi, "gamma", gamma, shape.count),
                          internal::NormOperand(kApi, "beta", beta, shape.count),
                          static_cast<float>(epsilon), shape, false);
}
template <typename T, bool isReuseSource = false>
inline void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,
                      const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX,
                      const LocalTensor<T>& gamma, const LocalTensor<T>& beta,
                      const LocalTensor<uint8_t>& sharedTmpBuffer,
                      const internal::NoDeduce<PrimT<T>> epsilon, LayerNormTiling& tiling) {
  static_cast<void>(sharedTmpBuffer);
  LayerNorm<T, isReuseSource>(output, outputMean, outputVariance, inputX, gamma, beta, epsilon,
                              tiling);
}

/// The form over [a, r] with statistics in float: outputRstd is 1 / sqrt(variance + epsilon), or
/// the variance where the configuration says so.
template <typename U, typename T, bool isReuseSource = false,
          const LayerNormConfig& config = LNCFG_NORM>
inline void LayerNorm(const LocalTensor<T>& output, const LocalTensor<float>& outputMean,
                      const LocalTensor<float>& outputRstd, const LocalTensor<T>& inputX,
                      const LocalTensor<U>& gamma, const LocalTensor<U>& beta, const float epsilon,
                      const LayerNormPara& para, const LayerNormSeparateTiling& tiling) {
  static_assert(AvailableLayerNorm<T>::value && AvailableLayerNorm<U>::value, "");
  static_cast<void>(tiling);
  if (!internal::OnVectorCore()) return;
  constexpr const char* kApi = "LayerNorm";
  const internal::NormRows shape = internal::RowsOfPara(kApi, para);
  const uint64_t size = uint64_t{shape.rows} * shape.step;
  const PrimT<U>* gammas =
      config.isNoGamma ? nullptr : internal::NormOperand(kApi, "gamma", gamma, shape.count);
  const PrimT<U>* betas =
      config.isNoBeta ? nullptr : internal::NormOperand(kApi, "beta", beta, shape.count);
  float* means = config.isOnlyOutput
                     ? nullptr
                     : internal::NormOperand(kApi, "outputMean", outputMean, shape.rows);
  float* second = config.isOnlyOutput
                      ? nullptr
                      : internal::NormOperand(kApi, "outputRstd", outputRstd, shape.rows);
  internal::LayerNormRows(internal::NormOperand(kApi, "output", output, size), means, second,
                          internal::NormOperand(kApi, "inputX", inputX, size), gammas, betas,
                          epsilon, shape, config.isOutputRstd);
}
template <typename U, typename T, bool isReuseSource = false,
          const LayerNormConfig& config = LNCFG_NORM>
inline void LayerNorm(const LocalTensor<T>& output, const LocalTensor<float>& outputMean,
                      const LocalTensor<float>& outputRstd, const LocalTensor<T>& inputX,
                      const LocalTensor<U>& gamma, const LocalTensor<U>& beta, const float epsilon,
                      const LocalTensor<uint8_t>& sharedTmpBuffer, const LayerNormPara& para,
                      const LayerNormSeparateTiling& tiling) {
  static_cast<void>(sharedTmpBuffer);
  LayerNorm<U, T, isReuseSource, config>(output, outputMean, outputRstd, inputX, gamma, beta,
                                         epsilon, para, tiling);
}

/// dst = x / sqrt(mean of x^2 + epsilon) * gamma over the last dimension of [b, s, h].
template <typename T, bool isBasicBlock = false>
inline void RmsNorm(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                    const LocalTensor<T>& gamma, const internal::NoDeduce<PrimT<T>> epsilon,
                    const RmsNormTiling& tiling) {
  static_assert(AvailableRmsNorm<T>::value, "");
  if (!internal::OnVectorCore()) return;
  const auto [rows, step, count] = internal::RowsOfTiling("RmsNorm", tiling);
  const PrimT<T>* from = internal::NormOperand("RmsNorm", "src", src, uint64_t{rows} * step);
  PrimT<T>* to = internal::NormOperand("RmsNorm", "dst", dst, uint64_t{rows} * step);
  const PrimT<T>* scales = internal::NormOperand("RmsNorm", "gamma", gamma, count);
  for (uint32_t row = 0; row < rows; ++row, from += step, to += step) {
    double squares = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
      const double value = static_cast<float>(from[i]);
      squares += value * value;
    }
    const float mean = static_cast<float>(squares / count);
    const float scale = 1.0f / __builtin_sqrtf(mean + static_cast<float>(epsilon));
    for (uint32_t i = 0; i < count; ++i) {
      to[i] = static_cast<PrimT<T>>(static_cast<float>(from[i]) * scale *
                                    static_cast<float>(scales[i]));
    }
  }
}
template <typename T, bool isBasicBlock = false>
inline void RmsNorm(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                    const LocalTensor<T>& gamma, const LocalTensor<uint8_t>& sharedTmpBuffer,
                    const internal::NoDeduce<PrimT<T>> epsilon, const RmsNormTiling& tiling) {
  static_cast<void>(sharedTmpBuffer);
  RmsNorm<T, isBasicBlock>(dst, src, gamma, epsilon, tiling);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_NORMALIZATION_H_

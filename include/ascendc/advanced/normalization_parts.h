// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Normalisations beside LayerNorm: with given statistics (Normalize), of a residual sum (DeepNorm),
// and with statistics that grow block by block (Welford). They compute in float and need no
// temporary buffer.
#ifndef HOSTNPU_ASCENDC_ADVANCED_NORMALIZATION_PARTS_H_
#define HOSTNPU_ASCENDC_ADVANCED_NORMALIZATION_PARTS_H_

#include "../tiling/reduce_pattern_names.h"
#include "normalization.h"

namespace AscendC {

struct NormalizeConfig {
  ReducePattern reducePattern = ReducePattern::AR;
  int32_t aLength = -1;  // rows; -1: as NormalizePara says
  bool isNoBeta = false;
  bool isNoGamma = false;
  bool isOnlyOutput = false;
};
constexpr NormalizeConfig NLCFG_NORM = {ReducePattern::AR, -1, false, false, false};
struct NormalizePara {
  uint32_t aLength;             // rows
  uint32_t rLength;             // elements of a row that count
  uint32_t rLengthWithPadding;  // elements from row to row
};

HOSTNPU_AVAILABLE(Normalize, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(DeepNorm, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(WelfordUpdate, internal::kHalf | internal::kFloat)

/// output = (x - mean) * rstd * gamma + beta over the rows of [a, r], with the mean and the
/// variance of each row given; outputRstd = rstd = 1 / sqrt(variance + epsilon).
template <typename U, typename T, bool isReuseSource = false,
          const NormalizeConfig& config = NLCFG_NORM>
inline void Normalize(const LocalTensor<T>& output, const LocalTensor<float>& outputRstd,
                      const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,
                      const LocalTensor<T>& inputX, const LocalTensor<U>& gamma,
                      const LocalTensor<U>& beta, const float epsilon, const NormalizePara& para) {
  static_assert(AvailableNormalize<T>::value && AvailableNormalize<U>::value, "");
  static_assert(config.reducePattern == ReducePattern::AR,
                "Normalize takes ReducePattern::AR only");
  if (!internal::OnVectorCore()) return;
  constexpr const char* kApi = "Normalize";
  if (config.aLength != -1 && static_cast<uint32_t>(config.aLength) != para.aLength) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi, "has aLength = %u, and %d in its configuration",
                  para.aLength, config.aLength);
  }
  const auto [rows, step, count] = internal::RowsOfPara(kApi, para);
  const uint64_t size = uint64_t{rows} * step;
  PrimT<T>* to = internal::NormOperand(kApi, "output", output, size);
  const PrimT<T>* from = internal::NormOperand(kApi, "inputX", inputX, size);
  const float* means = internal::NormOperand(kApi, "inputMean", inputMean, rows);
  const float* variances = internal::NormOperand(kApi, "inputVariance", inputVariance, rows);
  float* rstds =
      config.isOnlyOutput ? nullptr : internal::NormOperand(kApi, "outputRstd", outputRstd, rows);
  const PrimT<U>* gammas =
      config.isNoGamma ? nullptr : internal::NormOperand(kApi, "gamma", gamma, count);
  const PrimT<U>* betas =
      config.isNoBeta ? nullptr : internal::NormOperand(kApi, "beta", beta, count);
  for (uint32_t row = 0; row < rows; ++row, to += step, from += step) {
    const float rstd = 1.0f / __builtin_sqrtf(variances[row] + epsilon);
    if (rstds != nullptr) rstds[row] = rstd;
    internal::ScaleRow(to, from, count, means[row], rstd, gammas, betas);
  }
}
template <typename U, typename T, bool isReuseSource = false,
          const NormalizeConfig& config = NLCFG_NORM>
inline void Normalize(const LocalTensor<T>& output, const LocalTensor<float>& outputRstd,
                      const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,
                      const LocalTensor<T>& inputX, const LocalTensor<U>& gamma,
                      const LocalTensor<U>& beta, const LocalTensor<uint8_t>& sharedTmpBuffer,
                      const float epsilon, const NormalizePara& para) {
  static_cast<void>(sharedTmpBuffer);
  Normalize<U, T, isReuseSource, config>(output, outputRstd, inputMean, inputVariance, inputX,
                                         gamma, beta, epsilon, para);
}

/// dst = LayerNorm(alpha * src + gx) over the last dimension of [b, s, h]. rstdLocal gets the
/// variance, as the vendor's example shows it, whatever the name says.
template <typename T, bool isReuseSrc = false, bool isBasicBlock = false>
inline void DeepNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& meanLocal,
                     const LocalTensor<T>& rstdLocal, const LocalTensor<T>& srcLocal,
                     const LocalTensor<T>& gxLocal, const LocalTensor<T>& betaLocal,
                     const LocalTensor<T>& gammaLocal, const internal::NoDeduce<PrimT<T>> alpha,
                     const internal::NoDeduce<PrimT<T>> epsilon, DeepNormTiling& tiling) {
  static_assert(AvailableDeepNorm<T>::value, "");
  if (!internal::OnVectorCore()) return;
  constexpr const char* kApi = "DeepNorm";
  constexpr uint32_t kLongest = 2040;
  const auto [rows, step, count] = internal::RowsOfTiling(kApi, tiling);
  if (step > kLongest) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi, "has hLength = %u; it is at most %u", step,
                  kLongest);
  }
  const uint64_t size = uint64_t{rows} * step;
  const PrimT<T>* from = internal::NormOperand(kApi, "srcLocal", srcLocal, size);
  const PrimT<T>* gx = internal::NormOperand(kApi, "gxLocal", gxLocal, size);
  PrimT<T>* to = internal::NormOperand(kApi, "dstLocal", dstLocal, size);
  PrimT<T>* means = internal::NormOperand(kApi, "meanLocal", meanLocal, rows);
  PrimT<T>* variances = internal::NormOperand(kApi, "rstdLocal", rstdLocal, rows);
  const PrimT<T>* betas = internal::NormOperand(kApi, "betaLocal", betaLocal, count);
  const PrimT<T>* gammas = internal::NormOperand(kApi, "gammaLocal", gammaLocal, count);
  float sums[kLongest];
  for (uint32_t row = 0; row < rows; ++row, from += step, gx += step, to += step) {
    for (uint32_t i = 0; i < count; ++i) {
      sums[i] = static_cast<float>(alpha) * static_cast<float>(from[i]) + static_cast<float>(gx[i]);
    }
    float mean, variance;
    internal::MeanAndVariance(sums, count, &mean, &variance);
    means[row] = static_cast<PrimT<T>>(mean);
    variances[row] = static_cast<PrimT<T>>(variance);
    const float rstd = 1.0f / __builtin_sqrtf(variance + static_cast<float>(epsilon));
    internal::ScaleRow(to, sums, count, mean, rstd, gammas, betas);
  }
}
template <typename T, bool isReuseSrc = false, bool isBasicBlock = false>
inline void DeepNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& meanLocal,
                     const LocalTensor<T>& rstdLocal, const LocalTensor<T>& srcLocal,
                     const LocalTensor<T>& gxLocal, const LocalTensor<T>& betaLocal,
                     const LocalTensor<T>& gammaLocal, const LocalTensor<uint8_t>& sharedTmpBuffer,
                     const internal::NoDeduce<PrimT<T>> alpha,
                     const internal::NoDeduce<PrimT<T>> epsilon, DeepNormTiling& tiling) {
  static_cast<void>(sharedTmpBuffer);
  DeepNorm<T, isReuseSrc, isBasicBlock>(dstLocal, meanLocal, rstdLocal, srcLocal, gxLocal,
                                        betaLocal, gammaLocal, alpha, epsilon, tiling);
}

struct WelfordUpdateParam {
  uint32_t rnLength;         // 1
  uint32_t abLength;         // elements of a block, whole 32 bytes
  uint32_t abComputeLength;  // that are computed
  float nRec;                // 1 / how many blocks there have been with this one
};
struct WelfordUpdateConfig {
  bool isInplace = false;  // what is not computed is taken over from the inputs
};
constexpr WelfordUpdateConfig WFUPDATE_DEFAULT_CFG = {false};

/// One more block: mean += (x - mean) * nRec, variance += (x - old mean) * (x - new mean), element
/// by element.
template <typename T, typename U, bool isReuseSource = false,
          const WelfordUpdateConfig& config = WFUPDATE_DEFAULT_CFG>
inline void WelfordUpdate(const LocalTensor<U>& outputMean, const LocalTensor<U>& outputVariance,
                          const LocalTensor<U>& inputMean, const LocalTensor<U>& inputVariance,
                          const LocalTensor<T>& inputX, const WelfordUpdateParam& para) {
  static_assert(AvailableWelfordUpdate<T>::value, "");
  static_assert(IsSameType<PrimT<U>, float>::value, "WelfordUpdate<T, U> has statistics in float");
  if (!internal::OnVectorCore()) return;
  constexpr const char* kApi = "WelfordUpdate";
  if (para.rnLength != 1 || para.abLength % (32 / sizeof(PrimT<T>)) != 0 ||
      para.abComputeLength == 0 || para.abComputeLength > para.abLength) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "has rnLength = %u, abLength = %u and abComputeLength = %u; rnLength is 1, "
                  "abLength whole blocks of 32 bytes, and abComputeLength 1 to abLength",
                  para.rnLength, para.abLength, para.abComputeLength);
  }
  const uint32_t size = para.abLength;
  float* to_mean = internal::NormOperand(kApi, "outputMean", outputMean, size);
  float* to_variance = internal::NormOperand(kApi, "outputVariance", outputVariance, size);
  const float* mean = internal::NormOperand(kApi, "inputMean", inputMean, size);
  const float* variance = internal::NormOperand(kApi, "inputVariance", inputVariance, size);
  const PrimT<T>* x = internal::NormOperand(kApi, "inputX", inputX, size);
  for (uint32_t i = 0; i < para.abComputeLength; ++i) {
    const float value = static_cast<float>(x[i]), distance = value - mean[i];
    const float next = mean[i] + distance * para.nRec;
    to_variance[i] = variance[i] + distance * (value - next);
    to_mean[i] = next;
  }
  for (uint32_t i = para.abComputeLength; config.isInplace && i < size; ++i) {
    to_mean[i] = mean[i];
    to_variance[i] = variance[i];
  }
}
template <typename T, typename U, bool isReuseSource = false,
          const WelfordUpdateConfig& config = WFUPDATE_DEFAULT_CFG>
inline void WelfordUpdate(const LocalTensor<U>& outputMean, const LocalTensor<U>& outputVariance,
                          const LocalTensor<U>& inputMean, const LocalTensor<U>& inputVariance,
                          const LocalTensor<T>& inputX, const LocalTensor<uint8_t>& sharedTmpBuffer,
                          const WelfordUpdateParam& para) {
  static_cast<void>(sharedTmpBuffer);
  WelfordUpdate<T, U, isReuseSource, config>(outputMean, outputVariance, inputMean, inputVariance,
                                             inputX, para);
}

struct WelfordFinalizePara {
  uint32_t rnLength;   // blocks there have been
  uint32_t abLength;   // elements of a block
  uint32_t headCount;  // values in each of the first headCountLength elements
  uint32_t headCountLength;
  uint32_t tailCount;  // values in each of the others; 0: there is no tail
  uint32_t tailCountLength;
  float abRec;               // 1 / abLength
  float rRec;                // 1 / all values
  float rRecWithCorrection;  // not used on this chip
};

namespace internal {

/// Adds up the statistics of abLength elements; count(i) is how many values element i stands for.
template <typename Count>
inline void FinishWelford(const LocalTensor<float>& outputMean,
                          const LocalTensor<float>& outputVariance,
                          const LocalTensor<float>& inputMean,
                          const LocalTensor<float>& inputVariance, const WelfordFinalizePara& para,
                          double mean_factor, Count mean_weight, Count weight) {
  constexpr const char* kApi = "WelfordFinalize";
  constexpr uint32_t kOutput = 8;  // a block: the result, and zeros
  if (para.abLength == 0 || para.abLength % 8 != 0) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "has abLength = %u; it is a multiple of 8, and not 0", para.abLength);
  }
  const float* means = NormOperand(kApi, "inputMean", inputMean, para.abLength);
  const float* variances = NormOperand(kApi, "inputVariance", inputVariance, para.abLength);
  float* to_mean = NormOperand(kApi, "outputMean", outputMean, kOutput);
  float* to_variance = NormOperand(kApi, "outputVariance", outputVariance, kOutput);
  double sum = 0.0, squares = 0.0;
  for (uint32_t i = 0; i < para.abLength; ++i) sum += mean_weight(i) * means[i];
  const double mean = sum * mean_factor;
  for (uint32_t i = 0; i < para.abLength; ++i) {
    squares += variances[i] + weight(i) * (means[i] - mean) * (means[i] - mean);
  }
  for (uint32_t i = 1; i < kOutput; ++i) to_mean[i] = to_variance[i] = 0.0f;
  to_mean[0] = static_cast<float>(mean);
  to_variance[0] = static_cast<float>(squares * para.rRec);
}

}  // namespace internal

/// The mean and variance of all values, from those of the elements of WelfordUpdate. Each element
/// stands for rnLength values, or with a tail for headCount or tailCount.
template <bool isReuseSource = false>
inline void WelfordFinalize(const LocalTensor<float>& outputMean,
                            const LocalTensor<float>& outputVariance,
                            const LocalTensor<float>& inputMean,
                            const LocalTensor<float>& inputVariance, WelfordFinalizePara& para) {
  if (!internal::OnVectorCore()) return;
  if (para.headCountLength + para.tailCountLength != para.abLength ||
      (para.tailCount == 0) != (para.tailCountLength == 0)) {
    HOSTNPU_FAULT(
        HOSTNPU_FAULT_ARGUMENT, "WelfordFinalize",
        "has abLength = %u, headCountLength = %u, tailCountLength = %u and tailCount = "
        "%u; abLength is the sum of the lengths, and a tail has both a length and a count",
        para.abLength, para.headCountLength, para.tailCountLength, para.tailCount);
  }
  const bool tail = para.tailCount != 0;
  const auto weight = [&](bool plain) {
    return [&para, tail, plain](uint32_t i) -> double {
      if (!tail) return plain ? 1.0 : para.rnLength;
      return i < para.headCountLength ? para.headCount : para.tailCount;
    };
  };
  internal::FinishWelford(outputMean, outputVariance, inputMean, inputVariance, para,
                          tail ? para.rRec : para.abRec, weight(true), weight(false));
}
template <bool isReuseSource = false>
inline void WelfordFinalize(const LocalTensor<float>& outputMean,
                            const LocalTensor<float>& outputVariance,
                            const LocalTensor<float>& inputMean,
                            const LocalTensor<float>& inputVariance,
                            const LocalTensor<uint8_t>& sharedTmpBuffer,
                            WelfordFinalizePara& para) {
  static_cast<void>(sharedTmpBuffer);
  WelfordFinalize<isReuseSource>(outputMean, outputVariance, inputMean, inputVariance, para);
}
/// The same with the number of values of each element in `counts`.
template <bool isReuseSource = false>
inline void WelfordFinalize(const LocalTensor<float>& outputMean,
                            const LocalTensor<float>& outputVariance,
                            const LocalTensor<float>& inputMean,
                            const LocalTensor<float>& inputVariance,
                            const LocalTensor<int32_t>& counts, WelfordFinalizePara& para) {
  if (!internal::OnVectorCore()) return;
  const int32_t* count = internal::NormOperand("WelfordFinalize", "counts", counts, para.abLength);
  const auto weight = [count](uint32_t i) -> double { return count[i]; };
  internal::FinishWelford(outputMean, outputVariance, inputMean, inputVariance, para, para.rRec,
                          weight, weight);
}
template <bool isReuseSource = false>
inline void WelfordFinalize(const LocalTensor<float>& outputMean,
                            const LocalTensor<float>& outputVariance,
                            const LocalTensor<float>& inputMean,
                            const LocalTensor<float>& inputVariance,
                            const LocalTensor<int32_t>& counts,
                            const LocalTensor<uint8_t>& sharedTmpBuffer,
                            WelfordFinalizePara& para) {
  static_cast<void>(sharedTmpBuffer);
  WelfordFinalize<isReuseSource>(outputMean, outputVariance, inputMean, inputVariance, counts,
                                 para);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_NORMALIZATION_PARTS_H_

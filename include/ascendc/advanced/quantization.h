// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// AscendDequant (int32 to floating point) and AscendQuant (floating point to int8).
#ifndef HOSTNPU_ASCENDC_ADVANCED_QUANTIZATION_H_
#define HOSTNPU_ASCENDC_ADVANCED_QUANTIZATION_H_

#include "../basic/scalar.h"
#include "../detail/availability.h"
#include "../detail/vector_run.h"

namespace AscendC {

struct DequantParams {
  uint32_t m;         // rows
  uint32_t n;         // elements of a source row, whole blocks
  uint32_t calCount;  // elements of a row that are converted
};
enum class DeQuantMode { DEQUANT_WITH_SINGLE_ROW, DEQUANT_WITH_MULTI_ROW };

namespace internal {

/// A dequantisation scale as float. The 64-bit form has the float in its low half.
template <typename S>
HOSTNPU_INLINE float ScaleOf(S scale) {
  if constexpr (sizeof(S) == 8) return __builtin_bit_cast(float, static_cast<uint32_t>(scale));
  if constexpr (sizeof(S) < 8) return static_cast<float>(scale);
}

/// `total` elements of m rows; rows of the destination are whole blocks of its own type.
template <DeQuantMode mode, typename D, typename S>
inline void Dequant(const LocalTensor<D>& dst, const LocalTensor<int32_t>& src, const S* scales,
                    uint32_t scale_step, DequantParams p, uint64_t total) {
  using T = PrimT<D>;
  static_assert(
      IsSameType<T, half>::value || IsSameType<T, float>::value || IsSameType<T, bfloat16_t>::value,
      "AscendDequant<T> gives half, float or bfloat16_t");
  constexpr const char* kApi = "AscendDequant";
  constexpr uint32_t kPerBlock = 32 / sizeof(T);
  if (p.m == 0 || p.n == 0 || p.calCount == 0 || total == 0) return;
  if (p.calCount > p.n || p.n % 8 != 0) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "has n = %u and calCount = %u; calCount is at most n, and n int32_t fill whole "
                  "blocks of 32 bytes",
                  p.n, p.calCount);
  }
  if (mode == DeQuantMode::DEQUANT_WITH_SINGLE_ROW && p.m == 1 && p.calCount % kPerBlock == 0 &&
      p.n % p.calCount == 0) {
    p.m = p.n / p.calCount;
    p.n = p.calCount;
  }
  const uint64_t dst_row = (p.n + kPerBlock - 1) / kPerBlock * kPerBlock;
  const uint64_t rows = (total + p.n - 1) / p.n;
  CheckOperand(kApi, OperandOf("src", src), total * sizeof(int32_t));
  CheckOperand(kApi, OperandOf("dst", dst),
               ((rows - 1) * dst_row + (total - (rows - 1) * p.n)) * sizeof(T));
  for (uint64_t row = 0; row < rows; ++row) {
    const int32_t* from = src.Data() + row * p.n;
    T* to = dst.Data() + row * dst_row;
    const uint64_t left = total - row * p.n;
    const uint64_t count = left < p.calCount ? left : p.calCount;
    for (uint64_t i = 0; i < count; ++i)
      to[i] = static_cast<T>(static_cast<float>(from[i]) * ScaleOf(scales[i * scale_step]));
  }
}
template <typename S>
inline const S* CheckedScales(const char* api, const LocalTensor<S>& scales, uint64_t count) {
  CheckOperand(api, OperandOf("scale", scales), count * sizeof(PrimT<S>));
  return scales.Data();
}
/// The parameters of the forms without a record: rows as long as the list of scales.
template <typename S>
inline DequantParams RowsOfScales(const LocalTensor<int32_t>& src, const LocalTensor<S>& scales) {
  const uint32_t n = scales.GetSize();
  if (n == 0 || src.GetSize() % n != 0) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "AscendDequant",
                  "has %u elements and %u scales; the elements are whole rows of scales",
                  src.GetSize(), n);
  }
  return {src.GetSize() / n, n, n};
}

}  // namespace internal

/// dst[row][i] = src[row][i] * deqScale[i].
template <typename D, typename S, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
inline void AscendDequant(const LocalTensor<D>& dst, const LocalTensor<int32_t>& src,
                          const LocalTensor<S>& deqScale, DequantParams params) {
  if (!internal::OnVectorCore()) return;
  internal::Dequant<mode>(dst, src,
                          internal::CheckedScales("AscendDequant", deqScale, params.calCount), 1,
                          params, uint64_t{params.m} * params.n);
}
template <typename D, typename S, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
inline void AscendDequant(const LocalTensor<D>& dst, const LocalTensor<int32_t>& src,
                          const LocalTensor<S>& deqScale,
                          const LocalTensor<uint8_t>& sharedTmpBuffer, DequantParams params) {
  static_cast<void>(sharedTmpBuffer);
  AscendDequant<D, S, mode>(dst, src, deqScale, params);
}
template <typename D, typename S, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
inline void AscendDequant(const LocalTensor<D>& dst, const LocalTensor<int32_t>& src,
                          const LocalTensor<S>& deqScale, const uint32_t calCount) {
  if (!internal::OnVectorCore()) return;
  const DequantParams params = internal::RowsOfScales(src, deqScale);
  internal::Dequant<mode>(dst, src,
                          internal::CheckedScales("AscendDequant", deqScale, params.calCount), 1,
                          params, calCount);
}
template <typename D, typename S, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
inline void AscendDequant(const LocalTensor<D>& dst, const LocalTensor<int32_t>& src,
                          const LocalTensor<S>& deqScale,
                          const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
  static_cast<void>(sharedTmpBuffer);
  AscendDequant<D, S, mode>(dst, src, deqScale, calCount);
}
template <typename D, typename S, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
inline void AscendDequant(const LocalTensor<D>& dst, const LocalTensor<int32_t>& src,
                          const LocalTensor<S>& deqScale) {
  AscendDequant<D, S, mode>(dst, src, deqScale, src.GetSize());
}
template <typename D, typename S, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
inline void AscendDequant(const LocalTensor<D>& dst, const LocalTensor<int32_t>& src,
                          const LocalTensor<S>& deqScale,
                          const LocalTensor<uint8_t>& sharedTmpBuffer) {
  static_cast<void>(sharedTmpBuffer);
  AscendDequant<D, S, mode>(dst, src, deqScale, src.GetSize());
}
/// One scale for all elements.
template <typename D, typename S, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
inline void AscendDequant(const LocalTensor<D>& dst, const LocalTensor<int32_t>& src,
                          const S deqScale, DequantParams params) {
  if (!internal::OnVectorCore()) return;
  internal::Dequant<mode>(dst, src, &deqScale, 0, params, uint64_t{params.m} * params.n);
}
template <typename D, typename S, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
inline void AscendDequant(const LocalTensor<D>& dst, const LocalTensor<int32_t>& src,
                          const S deqScale, const LocalTensor<uint8_t>& sharedTmpBuffer,
                          DequantParams params) {
  static_cast<void>(sharedTmpBuffer);
  AscendDequant<D, S, mode>(dst, src, deqScale, params);
}

namespace internal {

/// One value for all elements, or one a channel: element i has that of channel i % count.
struct QuantScalar {
  half value;
  half At(uint32_t) const { return value; }
};
template <typename T>
struct QuantChannels {
  const T* values;
  uint32_t count;
  half At(uint32_t i) const { return static_cast<half>(static_cast<float>(values[i % count])); }
};
template <typename T>
inline QuantChannels<PrimT<T>> ChannelsOf(const char* name, const LocalTensor<T>& tensor,
                                          uint32_t channels, uint32_t count) {
  if (channels == 0 || channels % 32 != 0 || count % channels != 0) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "AscendQuant",
                  "takes %u values of %s for %u elements: a multiple of 32 that divides them is "
                  "allowed",
                  channels, name, count);
  }
  CheckOperand("AscendQuant", OperandOf(name, tensor), uint64_t{channels} * sizeof(PrimT<T>));
  return {tensor.Data(), channels};
}

/// Everything becomes half first; the product and the sum are rounded to half, and that to int8
/// with ties to even, saturated.
template <typename T, typename Scale, typename Offset>
inline void QuantAll(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src, const Scale& scale,
                     const Offset& offset, uint32_t count) {
  using U = PrimT<T>;
  static_assert(IsSameType<U, half>::value || IsSameType<U, float>::value,
                "AscendQuant<T> takes half or float");
  CheckOperand("AscendQuant", OperandOf("src", src), uint64_t{count} * sizeof(U));
  CheckOperand("AscendQuant", OperandOf("dst", dst), count);
  for (uint32_t i = 0; i < count; ++i) {
    const half value = static_cast<half>(static_cast<float>(src.Data()[i]));
    const half scaled =
        static_cast<half>(static_cast<float>(value) * static_cast<float>(scale.At(i)));
    const half moved =
        static_cast<half>(static_cast<float>(scaled) + static_cast<float>(offset.At(i)));
    const float whole = __builtin_rintf(static_cast<float>(moved));
    const float bounded = whole < -128.0f ? -128.0f : whole > 127.0f ? 127.0f : whole;
    dst.Data()[i] = static_cast<int8_t>(bounded != bounded ? 0.0f : bounded);
  }
}

}  // namespace internal

/// dst = src * scale + offset, rounded and saturated to int8_t; computed in half.
template <typename T, bool isReuseSource = false>
inline void AscendQuant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src,
                        const float scale, const float offset, const uint32_t calCount) {
  if (!internal::OnVectorCore() || calCount == 0) return;
  internal::QuantAll(dst, src, internal::QuantScalar{static_cast<half>(scale)},
                     internal::QuantScalar{static_cast<half>(offset)}, calCount);
}
/// A scale for each of scaleCount channels, which follow each other in src again and again.
template <typename T, bool isReuseSource = false>
inline void AscendQuant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src,
                        const LocalTensor<T>& scaleTensor,
                        const internal::NoDeduce<PrimT<T>> offset, const uint32_t scaleCount,
                        const uint32_t calCount) {
  if (!internal::OnVectorCore() || calCount == 0) return;
  internal::QuantAll(dst, src, internal::ChannelsOf("scale", scaleTensor, scaleCount, calCount),
                     internal::QuantScalar{static_cast<half>(static_cast<float>(offset))},
                     calCount);
}
template <typename T, bool isReuseSource = false>
inline void AscendQuant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src,
                        const LocalTensor<T>& scaleTensor, const LocalTensor<T>& offsetTensor,
                        const uint32_t scaleCount, const uint32_t offsetCount,
                        const uint32_t calCount) {
  if (!internal::OnVectorCore() || calCount == 0) return;
  if (scaleCount != offsetCount) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "AscendQuant",
                  "takes %u scales and %u offsets: as many of each are allowed", scaleCount,
                  offsetCount);
  }
  internal::QuantAll(dst, src, internal::ChannelsOf("scale", scaleTensor, scaleCount, calCount),
                     internal::ChannelsOf("offset", offsetTensor, offsetCount, calCount), calCount);
}

// Without a count all of the tensors is meant; a temporary buffer is accepted and not needed.
template <typename T, bool isReuseSource = false>
inline void AscendQuant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src,
                        const float scale, const float offset) {
  AscendQuant<T, isReuseSource>(dst, src, scale, offset, src.GetSize());
}
template <typename T, bool isReuseSource = false>
inline void AscendQuant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src,
                        const LocalTensor<T>& scaleTensor,
                        const internal::NoDeduce<PrimT<T>> offset) {
  AscendQuant<T, isReuseSource>(dst, src, scaleTensor, offset, scaleTensor.GetSize(),
                                src.GetSize());
}
template <typename T, bool isReuseSource = false>
inline void AscendQuant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src,
                        const LocalTensor<T>& scaleTensor, const LocalTensor<T>& offsetTensor) {
  AscendQuant<T, isReuseSource>(dst, src, scaleTensor, offsetTensor, scaleTensor.GetSize(),
                                offsetTensor.GetSize(), src.GetSize());
}
#define HOSTNPU_QUANT_WITH_BUFFER(parameters, ...)                                   \
  template <typename T, bool isReuseSource = false>                                  \
  inline void AscendQuant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src, \
                          const LocalTensor<uint8_t>& sharedTmpBuffer,               \
                          HOSTNPU_QUANT_UNPACK parameters) {                         \
    static_cast<void>(sharedTmpBuffer);                                              \
    AscendQuant<T, isReuseSource>(dst, src, __VA_ARGS__);                            \
  }
#define HOSTNPU_QUANT_UNPACK(...) __VA_ARGS__
HOSTNPU_QUANT_WITH_BUFFER((const float scale, const float offset, const uint32_t calCount), scale,
                          offset, calCount)
HOSTNPU_QUANT_WITH_BUFFER((const float scale, const float offset), scale, offset)
HOSTNPU_QUANT_WITH_BUFFER((const LocalTensor<T>& scale, const internal::NoDeduce<PrimT<T>> offset,
                           const uint32_t scaleCount, const uint32_t calCount),
                          scale, offset, scaleCount, calCount)
HOSTNPU_QUANT_WITH_BUFFER((const LocalTensor<T>& scale, const LocalTensor<T>& offset,
                           const uint32_t scaleCount, const uint32_t offsetCount,
                           const uint32_t calCount),
                          scale, offset, scaleCount, offsetCount, calCount)
HOSTNPU_QUANT_WITH_BUFFER((const LocalTensor<T>& scale, const internal::NoDeduce<PrimT<T>> offset),
                          scale, offset)
HOSTNPU_QUANT_WITH_BUFFER((const LocalTensor<T>& scale, const LocalTensor<T>& offset), scale,
                          offset)
#undef HOSTNPU_QUANT_WITH_BUFFER
#undef HOSTNPU_QUANT_UNPACK

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_QUANTIZATION_H_

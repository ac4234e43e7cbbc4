// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Pad and UnPad: rows of any width to rows of whole 32-byte blocks, and back. They need no
// temporary buffer; of the tilings they read the shape.
#ifndef HOSTNPU_ASCENDC_ADVANCED_PAD_H_
#define HOSTNPU_ASCENDC_ADVANCED_PAD_H_

#include "../detail/availability.h"
#include "../detail/vector_run.h"
#include "../kernel_tiling/vector_tiling.h"

namespace AscendC {

struct PadParams {
  uint16_t leftPad = 0;   // columns
  uint16_t rightPad = 0;  // columns
  int32_t padValue = 0;
};
struct UnPadParams {
  uint16_t leftPad = 0;   // 0
  uint16_t rightPad = 0;  // columns
};

HOSTNPU_AVAILABLE(Pad, internal::kAny16Or32 & ~internal::kBfloat16)
HOSTNPU_AVAILABLE(UnPad, internal::kAny16Or32 & ~internal::kBfloat16)

/// dst row = leftPad times padValue, the row of src, rightPad times padValue; rows of dst begin at
/// whole blocks. Where rows of src are whole blocks of which srcOriWidth elements count, rightPad
/// columns behind those become padValue.
template <typename T>
inline void Pad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                PadParams& padParams, PadTiling& tiling) {
  static_assert(AvailablePad<T>::value, "");
  if (!internal::OnVectorCore()) return;
  using U = PrimT<T>;
  constexpr uint32_t kPerBlock = 32 / sizeof(U);
  constexpr const char* kApi = "Pad";
  const uint32_t rows = tiling.srcHeight, step = tiling.srcWidth;
  const bool aligned = step % kPerBlock == 0;
  const uint32_t width = aligned ? tiling.srcOriWidth : step;
  const uint32_t to_step = (step + kPerBlock - 1) / kPerBlock * kPerBlock;
  const uint32_t left = padParams.leftPad, right = padParams.rightPad;
  if (rows == 0 || width == 0 || uint64_t{left} + width + right > to_step ||
      (aligned && left != 0)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "has rows of %u elements, %u of them used, and pads %u before and %u behind; "
                  "that may fill the %u of whole blocks, and whole rows are padded behind only",
                  step, width, left, right, to_step);
  }
  internal::CheckMatrix(kApi, "srcTensor", srcTensor, rows, step);
  internal::CheckMatrix(kApi, "dstTensor", dstTensor, rows, to_step);
  const U value = static_cast<U>(padParams.padValue);
  for (uint32_t row = 0; row < rows; ++row) {
    const U* from = srcTensor.Data() + uint64_t{row} * step;
    U* to = dstTensor.Data() + uint64_t{row} * to_step;
    for (uint32_t i = 0; i < left; ++i) to[i] = value;
    for (uint32_t i = 0; i < step; ++i) {
      const bool replaced = i >= width && i < width + right;
      to[left + i] = replaced ? value : from[i];
    }
    for (uint32_t i = 0; !aligned && i < right; ++i) to[left + width + i] = value;
  }
}
template <typename T>
inline void Pad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                PadParams& padParams, const LocalTensor<uint8_t>& sharedTmpBuffer,
                PadTiling& tiling) {
  static_cast<void>(sharedTmpBuffer);
  Pad<T>(dstTensor, srcTensor, padParams, tiling);
}

/// Rows of whole blocks without their last rightPad columns, behind each other.
template <typename T>
inline void UnPad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                  UnPadParams& unPadParams, UnPadTiling& tiling) {
  static_assert(AvailableUnPad<T>::value, "");
  if (!internal::OnVectorCore()) return;
  using U = PrimT<T>;
  constexpr uint32_t kPerBlock = 32 / sizeof(U);
  constexpr const char* kApi = "UnPad";
  const uint32_t rows = tiling.srcHeight, step = tiling.srcWidth;
  const uint32_t right = unPadParams.rightPad;
  if (rows == 0 || step == 0 || step % kPerBlock != 0 || right == 0 || right >= kPerBlock ||
      unPadParams.leftPad != 0) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "has rows of %u elements, leftPad = %u and rightPad = %u; rows are whole blocks "
                  "of %u, leftPad is 0 and rightPad 1 to %u",
                  step, unPadParams.leftPad, right, kPerBlock, kPerBlock - 1);
  }
  const uint32_t width = step - right;
  internal::CheckMatrix(kApi, "srcTensor", srcTensor, rows, step);
  internal::CheckMatrix(kApi, "dstTensor", dstTensor, rows, width);
  for (uint32_t row = 0; row < rows; ++row) {
    const U* from = srcTensor.Data() + uint64_t{row} * step;
    U* to = dstTensor.Data() + uint64_t{row} * width;
    for (uint32_t i = 0; i < width; ++i) to[i] = from[i];
  }
}
template <typename T>
inline void UnPad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                  UnPadParams& unPadParams, const LocalTensor<uint8_t>& sharedTmpBuffer,
                  UnPadTiling& tiling) {
  static_cast<void>(sharedTmpBuffer);
  UnPad<T>(dstTensor, srcTensor, unPadParams, tiling);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_PAD_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// DataCopyPad: rows of any byte length between GM and UB. In UB each row starts at a block and
// fills whole blocks:
//
//     | left padding | the row's bytes | right padding | filler |      one row, a multiple of 32 B
//
// Without padding the filler repeats the row's first element, which is what the device leaves there
// and what some kernels reduce over. With padding, padding and filler hold the padding value, which
// is a register: it outlives the instruction, and SetPadValue sets it too.
#ifndef HOSTNPU_ASCENDC_BASIC_DATA_COPY_PAD_H_
#define HOSTNPU_ASCENDC_BASIC_DATA_COPY_PAD_H_

#include "data_copy.h"

namespace AscendC {
namespace internal {

/// The padding value in bytes of 0xFF (NaN, -1) where no kernel code ever set one.
constexpr uint64_t kUnsetPad = ~uint64_t{0};

/// How the rows lie in GM and UB, all in bytes but the stride in UB.
struct PadRows {
  uint32_t rows;
  uint64_t bytes;
  uint64_t gm_gap;
  uint64_t local_gap_blocks;
  uint32_t left_bytes;
  uint32_t right_bytes;
  uint32_t unit;  // bytes of one filler element: 1, 2 or 4
};

template <typename T>
HOSTNPU_INLINE uint64_t RawBits(const T& value) {
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T) < 8 ? sizeof(T) : 8);
  return bits;
}

/// Repeats an element of `unit` bytes over [at, at + bytes); the first unit starts at `at`.
HOSTNPU_SHARED void FillUnits(uint8_t* at, uint64_t bytes, uint64_t bits, uint32_t unit) {
  const uint64_t wide = unit == 1   ? (bits & 0xFF) * 0x0101010101010101u
                        : unit == 2 ? (bits & 0xFFFF) * 0x0001000100010001u
                                    : (bits & 0xFFFFFFFF) * 0x0000000100000001u;
  for (; bytes >= 8; bytes -= 8, at += 8) __builtin_memcpy(at, &wide, 8);
  for (uint64_t i = 0; i < bytes; ++i) at[i] = static_cast<uint8_t>(wide >> (8 * i));
}

HOSTNPU_SHARED void PadFromGm(Side dst, Side src, const PadRows& pad) {
  constexpr const char* kApi = "DataCopyPad";
  if (dst.kind != HOSTNPU_MEMORY_UB) NoPathFault(kApi, src.kind, dst.kind);
  if (!OnVectorCore() || pad.rows == 0 || pad.bytes == 0) return;
  CheckField(kApi, "blockCount", pad.rows, 4095);
  CheckField(kApi, "leftPadding bytes", pad.left_bytes, kBlockBytes);
  CheckField(kApi, "rightPadding bytes", pad.right_bytes, kBlockBytes);
  const uint64_t used = pad.left_bytes + pad.bytes + pad.right_bytes;
  const uint64_t in_ub = (used + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
  src.step = pad.bytes + pad.gm_gap;
  dst.step = in_ub + pad.local_gap_blocks * kBlockBytes;
  CheckSide(kApi, src, pad.rows, pad.bytes, HOSTNPU_GM_READ);
  CheckSide(kApi, dst, pad.rows, in_ub, HOSTNPU_GM_WRITE);
  if (in_ub == pad.bytes) return MoveRows(dst, src, pad.rows, pad.bytes);
  const bool padded = pad.left_bytes != 0 || pad.right_bytes != 0;
  const uint64_t value = Regs().pad_value_set != 0 ? Regs().pad_value : kUnsetPad;
  uint8_t* to = dst.address;
  const uint8_t* from = src.address;
  for (uint32_t i = 0; i < pad.rows; ++i, to += dst.step, from += src.step) {
    uint8_t* const end = to + pad.left_bytes + pad.bytes;
    __builtin_memcpy(to + pad.left_bytes, from, pad.bytes);
    uint64_t filler = value;
    if (!padded) {
      filler = 0;
      __builtin_memcpy(&filler, from, pad.bytes < pad.unit ? pad.bytes : pad.unit);
    }
    if (pad.left_bytes != 0) FillUnits(to, pad.left_bytes, filler, pad.unit);
    FillUnits(end, static_cast<uint64_t>(to + in_ub - end), filler, pad.unit);
  }
}

HOSTNPU_SHARED void PadToGm(Side dst, Side src, const PadRows& pad) {
  constexpr const char* kApi = "DataCopyPad";
  if (src.kind != HOSTNPU_MEMORY_UB) NoPathFault(kApi, src.kind, dst.kind);
  if (!OnVectorCore() || pad.rows == 0 || pad.bytes == 0) return;
  CheckField(kApi, "blockCount", pad.rows, 4095);
  const uint64_t in_ub = (pad.bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
  src.step = in_ub + pad.local_gap_blocks * kBlockBytes;
  dst.step = pad.bytes + pad.gm_gap;
  CopyBursts(kApi, dst, src, pad.rows, pad.bytes);
}

HOSTNPU_INLINE void SetPad(uint64_t bits) {
  Regs().pad_value = bits;
  Regs().pad_value_set = 1;
}

/// The device moves b64 as pairs of b32.
template <typename T>
constexpr uint32_t PadUnit() {
  return sizeof(PrimT<T>) > 4 ? 4 : sizeof(PrimT<T>);
}

template <typename T, typename Params, typename Pad>
HOSTNPU_SHARED void PadIn(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                          const Params& params, const Pad& pad) {
  if (pad.isPad && OnVectorCore()) {
    if (HOSTNPU_UNLIKELY(sizeof(PrimT<T>) == 8 && RawBits(pad.paddingValue) != 0)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "DataCopyPad",
                    "has a padding value other than 0 for a 64-bit type; the device pads those "
                    "with 32-bit halves");
    }
    SetPad(RawBits(pad.paddingValue));
  }
  PadFromGm(LocalSide(dst, 0, "dst"), GmSide(src, 0, "src"),
            {params.blockCount, params.blockLen, params.srcStride, params.dstStride,
             pad.leftPadding * static_cast<uint32_t>(sizeof(PrimT<T>)),
             pad.rightPadding * static_cast<uint32_t>(sizeof(PrimT<T>)), PadUnit<T>()});
}
template <typename T, typename Params>
HOSTNPU_SHARED void PadOut(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                           const Params& params) {
  PadToGm(
      GmSide(dst, 0, "dst"), LocalSide(src, 0, "src"),
      {params.blockCount, params.blockLen, params.dstStride, params.srcStride, 0, 0, PadUnit<T>()});
}
HOSTNPU_INLINE void CheckRowLength(const DataCopyExtParams& params) {
  CheckField("DataCopyPad", "blockLen", params.blockLen, 2097151);
}

}  // namespace internal

/// Copies rows from GM, padding each to whole blocks of UB.
template <typename T, PaddingMode mode = PaddingMode::Normal>
inline void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                        const DataCopyExtParams& params,
                        const DataCopyPadExtParams<internal::NoDeduce<PrimT<T>>>& pad) {
  internal::CheckRowLength(params);
  internal::PadIn(dst, src, params, pad);
}
/// Between pointers; the name is the vendor's own, and kernels call it.
template <typename T>
inline void DataCopyPadGm2UBImpl(__ubuf__ T* dst, __gm__ T* src, const DataCopyExtParams& params,
                                 const DataCopyPadExtParams<internal::NoDeduce<T>>& pad) {
  TBuffAddr place = LocalTensor<T>(TPosition::VECIN, 0, 0).address_;
  place.absAddr = reinterpret_cast<uint8_t*>(dst);
  GlobalTensor<T> from;
  from.SetGlobalBuffer(src);
  DataCopyPad(LocalTensor<T>(place), from, params, pad);
}
/// The older records: 16-bit lengths and strides, the padding value as raw bits.
template <typename T, PaddingMode mode = PaddingMode::Normal>
inline void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                        const DataCopyParams& params, const DataCopyPadParams& pad) {
  internal::PadIn(dst, src, params, pad);
}
/// Copies rows to GM: exactly blockLen bytes of each.
template <typename T, PaddingMode mode = PaddingMode::Normal>
inline void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                        const DataCopyExtParams& params) {
  internal::CheckRowLength(params);
  internal::PadOut(dst, src, params);
}
template <typename T, PaddingMode mode = PaddingMode::Normal>
inline void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                        const DataCopyParams& params) {
  internal::PadOut(dst, src, params);
}
/// UB to L1: this chip has no such path outside the Matmul object.
template <typename T>
inline void DataCopyPad(const LocalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams&,
                        const Nd2NzParams&) {
  internal::NoPathFault("DataCopyPad", src.Memory(), dst.Memory());
}
template <typename T>
inline void DataCopyPad(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                        const DataCopyExtParams&, const Nd2NzParams&) {
  internal::NoPathFault("DataCopyPad", src.Memory(), dst.Memory());
}

/// The value that DataCopyPad pads with where its own record gives none.
template <typename T, TPosition position = TPosition::MAX>
inline void SetPadValue(T value) {
  internal::SetPad(internal::RawBits(value));
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_DATA_COPY_PAD_H_

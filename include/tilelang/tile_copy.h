// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// T.copy on the vector cores: GM and UB in every direction, clipped, padded, converted.
#ifndef HOSTNPU_TILELANG_TILE_COPY_H_
#define HOSTNPU_TILELANG_TILE_COPY_H_

#include "tile.h"

namespace tl {

constexpr int32_t kMaxBursts = 4095;

/// What lies inside `extent` elements that begin at `start` of a dimension of `size`: its length.
/// Beyond the end a copy is cut off; before the beginning it would find another tensor's elements.
__aicore__ HOSTNPU_SHARED int32_t Clip(int64_t size, int64_t start, int64_t extent) {
  const int64_t left = size - start;
  const int64_t valid = left < extent ? left : extent;
  if (valid <= 0) return 0;
  ascendc_assert(start >= 0, "a copy begins at index %lld of a dimension of %lld",
                 static_cast<long long>(start), static_cast<long long>(size));
  return start < 0 ? 0 : static_cast<int32_t>(valid);
}

/// Types whose uncovered part of a tile is filled before a copy from GM.
template <typename T>
constexpr bool HasFill() {
  return IsSameType<T, int16_t>::value || IsSameType<T, uint16_t>::value ||
         IsSameType<T, half>::value || IsSameType<T, bfloat16_t>::value ||
         IsSameType<T, int32_t>::value || IsSameType<T, uint32_t>::value ||
         IsSameType<T, float>::value;
}

/// One run of `count` elements, never a byte more: whole blocks by DMA, the rest by scalars.
template <typename T>
__aicore__ HOSTNPU_SHARED void RunFromGm(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                                         int32_t count) {
  constexpr int32_t per_block = kBlockBytes / sizeof(T);
  int32_t done = 0;
  if (Aligned(dst)) {
    done = count / per_block * per_block;
    if (done > 0) DataCopy(dst, src, static_cast<uint32_t>(done));
  }
  GlobalTensor<T> from = src;
  for (; done < count; ++done) dst.SetValue(done, from.GetValue(done));
}
template <typename T>
__aicore__ HOSTNPU_SHARED void RunToGm(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                                       int32_t count) {
  if (Aligned(src)) {
    DataCopyPad(dst, src, DataCopyExtParams(1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0));
    return;
  }
  GlobalTensor<T> to = dst;
  for (int32_t i = 0; i < count; ++i) to.SetValue(i, src.GetValue(i));
}

/// GM to UB: `valid_rows` x `valid_cols` elements, `src_pitch` apart in GM, into the corner of
/// `dst`. The rest of the tile becomes `pad` where the type has a fill.
template <typename T>
__aicore__ HOSTNPU_SHARED void CopyGmToUb(const Tile<T>& dst, const GlobalTensor<T>& src,
                                          int64_t src_pitch, int32_t valid_rows, int32_t valid_cols,
                                          T pad) {
  constexpr int32_t per_block = kBlockBytes / sizeof(T);
  ascendc_assert(
      valid_rows <= 0 || valid_cols <= 0 || (valid_rows <= dst.rows && valid_cols <= dst.cols),
      "T.copy moves %d x %d elements into a tile of %d x %d", valid_rows, valid_cols, dst.rows,
      dst.cols);
  if constexpr (HasFill<T>()) {
    if (valid_rows < dst.rows || valid_cols < dst.cols) TileFill(dst, pad);
  }
  if (valid_rows <= 0 || valid_cols <= 0) return;
  const bool whole_rows = valid_cols == dst.cols && (dst.contiguous() || valid_rows == 1);
  if (whole_rows && (src_pitch == valid_cols || valid_rows == 1)) {
    RunFromGm(dst.data, src, valid_rows * valid_cols);
    return;
  }
  const int64_t gap = (src_pitch - valid_cols) * static_cast<int64_t>(sizeof(T));
  if (valid_cols % per_block == 0 && RowsAligned(dst) && gap >= 0 && gap < (int64_t{1} << 32)) {
    const uint32_t dst_gap = static_cast<uint32_t>((dst.pitch - valid_cols) / per_block);
    for (int32_t row = 0; row < valid_rows; row += kMaxBursts) {
      const int32_t rows = Min(kMaxBursts, valid_rows - row);
      DataCopyPad(dst.data[row * dst.pitch], src[static_cast<uint64_t>(row * src_pitch)],
                  DataCopyExtParams(static_cast<uint16_t>(rows),
                                    static_cast<uint32_t>(valid_cols * sizeof(T)),
                                    static_cast<uint32_t>(gap), dst_gap, 0),
                  DataCopyPadExtParams<T>(false, 0, 0, T(0)));
    }
    return;
  }
  for (int32_t row = 0; row < valid_rows; ++row) {
    RunFromGm(dst.data[row * dst.pitch], src[static_cast<uint64_t>(row * src_pitch)], valid_cols);
  }
}

/// UB to GM: the corner `valid_rows` x `valid_cols` of `src`.
template <typename T>
__aicore__ HOSTNPU_SHARED void CopyUbToGm(const GlobalTensor<T>& dst, int64_t dst_pitch,
                                          const Tile<T>& src, int32_t valid_rows,
                                          int32_t valid_cols) {
  if (valid_rows <= 0 || valid_cols <= 0) return;
  const bool whole_rows = valid_cols == src.cols && (src.contiguous() || valid_rows == 1);
  if (whole_rows && (dst_pitch == valid_cols || valid_rows == 1)) {
    RunToGm(dst, src.data, valid_rows * valid_cols);
    return;
  }
  const int64_t gap = (dst_pitch - valid_cols) * static_cast<int64_t>(sizeof(T));
  if (RowsAligned(src) && gap >= 0 && gap < (int64_t{1} << 32)) {
    const uint32_t row_blocks =
        static_cast<uint32_t>((valid_cols * sizeof(T) + kBlockBytes - 1) / kBlockBytes);
    const uint32_t src_gap =
        static_cast<uint32_t>(src.pitch * sizeof(T) / kBlockBytes) - row_blocks;
    for (int32_t row = 0; row < valid_rows; row += kMaxBursts) {
      const int32_t rows = Min(kMaxBursts, valid_rows - row);
      DataCopyPad(dst[static_cast<uint64_t>(row * dst_pitch)], src.data[row * src.pitch],
                  DataCopyExtParams(static_cast<uint16_t>(rows),
                                    static_cast<uint32_t>(valid_cols * sizeof(T)),
                                    rows > 1 ? src_gap : 0, static_cast<uint32_t>(gap), 0));
    }
    return;
  }
  for (int32_t row = 0; row < valid_rows; ++row) {
    RunToGm(dst[static_cast<uint64_t>(row * dst_pitch)], src.data[row * src.pitch], valid_cols);
  }
}

/// UB to UB, same type.
template <typename T>
__aicore__ HOSTNPU_SHARED void CopyUbToUb(const Tile<T>& dst, const Tile<T>& src) {
  constexpr int32_t per_block = kBlockBytes / sizeof(T);
  ForRuns(
      [&](int32_t n, int32_t d, int32_t s) {
        const int32_t whole = n / per_block * per_block;
        if (whole > 0) DataCopy(dst.Run(d), src.Run(s), static_cast<uint32_t>(whole));
        for (int32_t k = whole; k < n; ++k) dst.data.SetValue(d + k, src.data.GetValue(s + k));
      },
      [&](int32_t k) { dst.Put(k, src.At(k)); }, dst, src);
}
/// UB to UB; another type is converted, exactly where it can be, else to the nearest, ties to even.
template <typename D, typename S>
__aicore__ inline void CopyOrConvert(const Tile<D>& dst, const Tile<S>& src, float deq_scale) {
  if constexpr (IsSameType<D, S>::value) {
    CopyUbToUb(dst, src);
  } else {
    TileCast(dst, src, RoundMode::CAST_RINT, deq_scale);
  }
}

/// Adds a UB tile to GM, each element atomically.
template <typename T>
__aicore__ HOSTNPU_SHARED void AtomicAddUbToGm(const GlobalTensor<T>& dst, int64_t dst_pitch,
                                               const Tile<T>& src, int32_t valid_rows,
                                               int32_t valid_cols) {
  SetAtomicAdd<T>();
  if (RowsAligned(src)) {
    CopyUbToGm(dst, dst_pitch, src, valid_rows, valid_cols);
  } else {
    ascendc_assert(false, "T.tile.atomic_add takes a tile whose rows start on 32-byte boundaries");
  }
  SetAtomicNone();
}

}  // namespace tl

#endif  // HOSTNPU_TILELANG_TILE_COPY_H_

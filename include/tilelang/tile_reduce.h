// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// T.reduce_sum, T.reduce_max, T.reduce_min. `tmp` is hidden scratch of the kernel: at least
// kReduceScratchBytes plus four bytes for each column.
#ifndef HOSTNPU_TILELANG_TILE_REDUCE_H_
#define HOSTNPU_TILELANG_TILE_REDUCE_H_

#include "tile.h"

namespace tl {

enum class ReduceKind { kSum, kMax, kMin };

constexpr uint32_t kReduceScratchBytes = 1024;

template <ReduceKind kind, typename T>
__aicore__ inline T Combine(T a, T b) {
  if constexpr (kind == ReduceKind::kSum) {
    return static_cast<T>(a + b);
  } else if constexpr (kind == ReduceKind::kMax) {
    return a > b ? a : b;
  } else {
    return a < b ? a : b;
  }
}

/// Types whose sums are accumulated in float and rounded once.
template <typename T>
constexpr bool SumsInFloat() {
  return IsSameType<T, half>::value || IsSameType<T, bfloat16_t>::value;
}

/// The reduction of one run.
template <ReduceKind kind, typename T>
__aicore__ HOSTNPU_SHARED T ReduceRun(const LocalTensor<T>& src, int32_t count,
                                      const LocalTensor<uint8_t>& tmp) {
  constexpr bool is_float = IsSameType<T, float>::value;
  constexpr bool is_half = IsSameType<T, half>::value;
  if constexpr (is_float || (is_half && kind != ReduceKind::kSum)) {
    if (Aligned(src)) {
      const LocalTensor<T> result = tmp.template ReinterpretCast<T>();
      const LocalTensor<T> work = tmp[kBlockBytes].template ReinterpretCast<T>();
      if constexpr (kind == ReduceKind::kSum) {
        ReduceSum(result, src, work, count);
      } else if constexpr (kind == ReduceKind::kMax) {
        ReduceMax(result, src, work, count, false);
      } else {
        ReduceMin(result, src, work, count, false);
      }
      PipeBarrier<PIPE_ALL>();
      return result.GetValue(0);
    }
  }
  if constexpr (SumsInFloat<T>() && kind == ReduceKind::kSum) {
    if (Aligned(src)) {
      const LocalTensor<float> wide = tmp[kReduceScratchBytes].template ReinterpretCast<float>();
      AscendC::Cast(wide, src, RoundMode::CAST_NONE, static_cast<uint32_t>(count));
      return static_cast<T>(ReduceRun<kind, float>(wide, count, tmp));
    }
    float sum = 0;
    for (int32_t k = 0; k < count; ++k) sum += static_cast<float>(src.GetValue(k));
    return static_cast<T>(sum);
  }
  T result = src.GetValue(0);
  for (int32_t k = 1; k < count; ++k) result = Combine<kind>(result, src.GetValue(k));
  return result;
}

/// One result a row. `dst` takes them one after the other.
template <ReduceKind kind, typename T>
__aicore__ HOSTNPU_SHARED void ReduceColumns(const Tile<T>& dst, const Tile<T>& src, bool clear,
                                             const LocalTensor<uint8_t>& tmp) {
  if (src.cols <= 0) return;
  for (int32_t row = 0; row < src.rows; ++row) {
    const T value = ReduceRun<kind>(src.data[row * src.pitch], src.cols, tmp);
    dst.Put(row, clear ? value : Combine<kind>(dst.At(row), value));
  }
}

/// One result a column.
template <ReduceKind kind, typename T>
__aicore__ HOSTNPU_SHARED void ReduceRows(const Tile<T>& dst, const Tile<T>& src, bool clear,
                                          const LocalTensor<uint8_t>& tmp) {
  if (src.rows <= 0) return;
  constexpr bool wide_sum = kind == ReduceKind::kSum && SumsInFloat<T>();
  constexpr bool vectors =
      IsSameType<T, float>::value || IsSameType<T, half>::value || IsSameType<T, int32_t>::value;
  if constexpr (vectors && !wide_sum) {
    if (RowsAligned(src) && Aligned(dst.data) && dst.contiguous()) {
      const Tile<T> out(dst.data, src.cols);
      int32_t first = 0;
      if (clear) {
        CopyUbToUb(out, Tile<T>(src.data, src.cols));
        first = 1;
      }
      for (int32_t row = first; row < src.rows; ++row) {
        const Tile<T> line(src.data[row * src.pitch], src.cols);
        if constexpr (kind == ReduceKind::kSum) {
          TileAdd(out, out, line);
        } else if constexpr (kind == ReduceKind::kMax) {
          TileMax(out, out, line);
        } else {
          TileMin(out, out, line);
        }
      }
      return;
    }
  }
  if constexpr (wide_sum) {
    if (RowsAligned(src) && Aligned(dst.data) && dst.contiguous()) {
      // Two float rows: the sum, and the row that is added to it.
      const int32_t stride = (src.cols + 7) / 8 * 8;
      const LocalTensor<float> sum = tmp[kReduceScratchBytes].template ReinterpretCast<float>();
      const LocalTensor<float> line = sum[stride];
      AscendC::Cast(sum, src.data, RoundMode::CAST_NONE, static_cast<uint32_t>(src.cols));
      for (int32_t row = 1; row < src.rows; ++row) {
        AscendC::Cast(line, src.data[row * src.pitch], RoundMode::CAST_NONE,
                      static_cast<uint32_t>(src.cols));
        AscendC::Add(sum, sum, line, src.cols);
      }
      if (!clear) {
        AscendC::Cast(line, dst.data, RoundMode::CAST_NONE, static_cast<uint32_t>(src.cols));
        AscendC::Add(sum, sum, line, src.cols);
      }
      AscendC::Cast(dst.data, sum, RoundMode::CAST_RINT, static_cast<uint32_t>(src.cols));
      return;
    }
  }
  for (int32_t col = 0; col < src.cols; ++col) {
    T value = src.data.GetValue(col);
    float sum = static_cast<float>(value);
    for (int32_t row = 1; row < src.rows; ++row) {
      const T next = src.data.GetValue(row * src.pitch + col);
      sum += static_cast<float>(next);
      value = Combine<kind>(value, next);
    }
    if constexpr (wide_sum) value = static_cast<T>(sum);
    dst.Put(col, clear ? value : Combine<kind>(dst.At(col), value));
  }
}

}  // namespace tl

#endif  // HOSTNPU_TILELANG_TILE_REDUCE_H_

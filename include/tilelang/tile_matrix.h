// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// T.copy and T.gemm_v0 / T.mma on the cube core. A matrix in L1 lies in NZ order: fractals of 16
// rows by C0 columns (32 bytes), one column of fractals after the other. `rows_pad` is the height
// of that order, the buffer's rows rounded up to 16 (32 for 1-byte types).
#ifndef HOSTNPU_TILELANG_TILE_MATRIX_H_
#define HOSTNPU_TILELANG_TILE_MATRIX_H_

#include "tile.h"

namespace tl {

template <typename T>
constexpr int32_t C0() {
  return 32 / static_cast<int32_t>(sizeof(T));
}

/// A matrix in L1: its first fractal, the height of its NZ order, and the element where a part
/// begins.
template <typename T>
struct Nz {
  LocalTensor<T> data;
  int32_t rows_pad;
  int32_t row;
  int32_t col;

  /// Index of the fractal that holds element (row + r, col + c).
  __aicore__ inline int32_t FractalAt(int32_t r, int32_t c) const {
    return (col + c) / C0<T>() * (rows_pad / 16) + (row + r) / 16;
  }
};

/// GM to L1: `valid_rows` x `valid_cols` elements to the part of `dst`. `clear_elements` > 0 zeroes
/// that much of the matrix first (a tile that is not fully covered).
template <typename T>
__aicore__ HOSTNPU_SHARED void CopyGmToL1(const Nz<T>& dst, const GlobalTensor<T>& src,
                                          int64_t src_pitch, int32_t valid_rows, int32_t valid_cols,
                                          int32_t clear_elements) {
  if (clear_elements > 0) {
    constexpr int32_t max_blocks = 32767;
    int32_t blocks = clear_elements / C0<T>();
    for (int32_t at = 0; at < blocks; at += max_blocks) {
      const uint16_t count = static_cast<uint16_t>(Min(max_blocks, blocks - at));
      if constexpr (sizeof(T) == 1) {
        const LocalTensor<int16_t> words = dst.data.template ReinterpretCast<int16_t>();
        InitConstValue(words[at * 16], InitConstValueParams<int16_t>(1, count, 0, int16_t(0)));
      } else {
        InitConstValue(dst.data[at * C0<T>()], InitConstValueParams<T>(1, count, 0, T(0)));
      }
    }
  }
  if (valid_rows <= 0 || valid_cols <= 0) return;
  ascendc_assert(dst.col % C0<T>() == 0,
                 "T.copy to L1 begins at a column that is not a multiple of 32 bytes");
  const int32_t base = dst.col / C0<T>() * dst.rows_pad * C0<T>() + dst.row * C0<T>();
  if (src_pitch < 65536 && valid_cols <= 65535 && dst.rows_pad <= 16384) {
    for (int32_t row = 0; row < valid_rows; row += 16384) {
      const int32_t rows = Min(16384, valid_rows - row);
      DataCopy(
          dst.data[base + row * C0<T>()], src[static_cast<uint64_t>(row * src_pitch)],
          Nd2NzParams(1, static_cast<uint16_t>(rows), static_cast<uint16_t>(valid_cols), 0,
                      static_cast<uint16_t>(src_pitch), static_cast<uint16_t>(dst.rows_pad), 1, 0));
    }
    return;
  }
  for (int32_t row = 0; row < valid_rows; ++row) {
    DataCopy(
        dst.data[base + row * C0<T>()], src[static_cast<uint64_t>(row * src_pitch)],
        Nd2NzParams(1, 1, static_cast<uint16_t>(valid_cols), 0, static_cast<uint16_t>(valid_cols),
                    static_cast<uint16_t>(dst.rows_pad), 1, 0));
  }
}

/// L1 to L0A as ZZ: rows x cols of the part, or of its transpose.
template <typename T>
__aicore__ HOSTNPU_SHARED void LoadL0A(const LocalTensor<T>& dst, const Nz<T>& src, int32_t rows,
                                       int32_t cols, bool transpose) {
  const int32_t row_fractals = CeilDiv(rows, 16);
  const int32_t col_fractals = CeilDiv(cols, C0<T>());
  constexpr int32_t fractal = 16 * C0<T>();
  if (!transpose) {
    for (int32_t m = 0; m < row_fractals; ++m) {
      LoadData2DParams params;
      params.startIndex = static_cast<uint16_t>(src.FractalAt(m * 16, 0));
      params.repeatTimes = static_cast<uint8_t>(col_fractals);
      params.srcStride = static_cast<uint16_t>(src.rows_pad / 16);
      LoadData(dst[m * col_fractals * fractal], src.data, params);
    }
    return;
  }
  if constexpr (sizeof(T) == 2) {
    // The matrix lies as cols x rows: fractal (k, m) becomes fractal (m, k), turned.
    for (int32_t m = 0; m < row_fractals; ++m) {
      LoadData2DParams params;
      params.startIndex = static_cast<uint16_t>(src.FractalAt(0, m * 16));
      params.repeatTimes = static_cast<uint8_t>(col_fractals);
      params.srcStride = 1;
      params.ifTranspose = true;
      LoadData(dst[m * col_fractals * fractal], src.data, params);
    }
  } else {
    ascendc_assert(false, "a transposed left operand of T.gemm_v0 or T.copy is half or bfloat16");
  }
}

/// L1 to L0B: K x N of the part (lying as K x N, or with `transpose` as N x K).
template <typename T>
__aicore__ HOSTNPU_SHARED void LoadL0B(const LocalTensor<T>& dst, const Nz<T>& src, int32_t rows,
                                       int32_t cols, bool transpose) {
  const int32_t k_fractals = CeilDiv(rows, C0<T>());
  const int32_t n_fractals = CeilDiv(cols, 16);
  constexpr int32_t fractal = 16 * C0<T>();
  if (transpose) {
    for (int32_t k = 0; k < k_fractals; ++k) {
      LoadData2DParams params;
      params.startIndex = static_cast<uint16_t>(src.FractalAt(0, k * C0<T>()));
      params.repeatTimes = static_cast<uint8_t>(n_fractals);
      params.srcStride = 1;
      LoadData(dst[k * n_fractals * fractal], src.data, params);
    }
    return;
  }
  if constexpr (sizeof(T) == 2) {
    for (int32_t k = 0; k < k_fractals; ++k) {
      LoadData2DParams params;
      params.startIndex = static_cast<uint16_t>(src.FractalAt(k * 16, 0));
      params.repeatTimes = static_cast<uint8_t>(n_fractals);
      params.srcStride = static_cast<uint16_t>(src.rows_pad / 16);
      params.ifTranspose = true;
      LoadData(dst[k * n_fractals * fractal], src.data, params);
    }
  } else if constexpr (sizeof(T) == 1) {
    // Squares of 32 x 32: two fractals, which follow each other in NZ order. The second one of the
    // last square may be one too many: the next turn writes over it, or nobody reads it.
    const int32_t n_squares = CeilDiv(cols, 32);
    for (int32_t k = 0; k < k_fractals; ++k) {
      LoadData2dTransposeParams params;
      params.startIndex = static_cast<uint16_t>(src.FractalAt(k * 32, 0) / 2);
      params.repeatTimes = static_cast<uint8_t>(n_squares);
      params.srcStride = static_cast<uint16_t>(src.rows_pad / 32);
      params.dstGap = 1;
      params.dstFracGap = 0;
      LoadDataWithTranspose(dst[k * n_fractals * fractal], src.data, params);
    }
  } else {
    // float: the image-to-column load turns a K x N matrix as it is read.
    LoadData3DParamsV2<T> params;
    params.l1H = 1;
    params.l1W = static_cast<uint16_t>(src.rows_pad);
    params.channelSize = static_cast<uint16_t>(RoundUp(cols, 16));
    params.kExtension = static_cast<uint16_t>(RoundUp(cols, 16));
    params.mExtension = static_cast<uint16_t>(RoundUp(rows, 16));
    params.mStartPt = static_cast<uint16_t>(src.row);
    params.enTranspose = true;
    LoadData(dst, src.data[src.col / C0<T>() * src.rows_pad * C0<T>()], params);
  }
}

/// The accumulator type of a product.
template <typename T>
struct Accumulator {
  using Type = float;
};
template <>
struct Accumulator<int8_t> {
  using Type = int32_t;
};

/// One Mmad of what lies in L0A and L0B. A height of 1 would make the cube read A as a plain row.
template <typename T, typename C>
__aicore__ HOSTNPU_SHARED void MmaL0(const LocalTensor<C>& c, const LocalTensor<T>& a,
                                     const LocalTensor<T>& b, int32_t m, int32_t n, int32_t k,
                                     bool init) {
  MmadParams params;
  params.m = static_cast<uint16_t>(m == 1 ? 16 : m);
  params.n = static_cast<uint16_t>(n);
  params.k = static_cast<uint16_t>(k);
  params.cmatrixInitVal = init;
  Mmad(c, a, b, params);
}

/// c (+)= op(a) op(b), a and b in L1, in steps of k that fit L0A and L0B from `l0a` and `l0b` on.
template <typename T, typename C>
__aicore__ HOSTNPU_SHARED void GemmV0(const LocalTensor<C>& c, const Nz<T>& a, const Nz<T>& b,
                                      const LocalTensor<T>& l0a, const LocalTensor<T>& l0b,
                                      int32_t m, int32_t n, int32_t k, bool transpose_a,
                                      bool transpose_b, bool init) {
  const int32_t step_unit = sizeof(T) == 4 ? 16 : C0<T>();
  const int32_t m_pad = RoundUp(m, sizeof(T) == 1 && transpose_a ? 32 : 16);
  const int32_t n_pad = RoundUp(n, sizeof(T) == 1 && !transpose_b ? 32 : 16);
  const int32_t room_a = static_cast<int32_t>(l0a.GetSize()) / m_pad;
  const int32_t room_b = static_cast<int32_t>(l0b.GetSize()) / n_pad;
  int32_t step = Min(room_a, room_b) / step_unit * step_unit;
  ascendc_assert(step > 0, "T.gemm_v0: one step of K does not fit L0A or L0B");
  step = Min(step, RoundUp(k, step_unit));
  for (int32_t at = 0; at < k; at += step) {
    const int32_t depth = Min(step, k - at);
    Nz<T> a_part = a;
    Nz<T> b_part = b;
    (transpose_a ? a_part.row : a_part.col) += at;
    (transpose_b ? b_part.col : b_part.row) += at;
    LoadL0A(l0a, a_part, m, depth, transpose_a);
    LoadL0B(l0b, b_part, depth, n, transpose_b);
    SetFlag<HardEvent::MTE1_M>(EVENT_ID7);
    WaitFlag<HardEvent::MTE1_M>(EVENT_ID7);
    MmaL0(c, l0a, l0b, m, n, depth, init && at == 0);
    SetFlag<HardEvent::M_MTE1>(EVENT_ID7);
    WaitFlag<HardEvent::M_MTE1>(EVENT_ID7);
  }
}

/// Zero in all of an accumulator, by a product with zeros: L0C takes no other writer.
template <typename C>
__aicore__ HOSTNPU_SHARED void ClearL0C(const LocalTensor<C>& c, const LocalTensor<uint8_t>& l0a,
                                        const LocalTensor<uint8_t>& l0b, int32_t rows,
                                        int32_t cols) {
  constexpr bool integers = IsSameType<C, int32_t>::value;
  constexpr int32_t depth_bytes = 32;
  const LocalTensor<half> a = l0a.template ReinterpretCast<half>();
  const LocalTensor<half> b = l0b.template ReinterpretCast<half>();
  ascendc_assert(rows * depth_bytes <= static_cast<int32_t>(l0a.GetSize()) &&
                     cols * depth_bytes <= static_cast<int32_t>(l0b.GetSize()),
                 "no room in L0A or L0B to clear an accumulator");
  InitConstValue(
      a, InitConstValueParams<half>(1, static_cast<uint16_t>(CeilDiv(rows, 16)), 0, half(0)));
  InitConstValue(
      b, InitConstValueParams<half>(1, static_cast<uint16_t>(CeilDiv(cols, 16)), 0, half(0)));
  if constexpr (integers) {
    MmaL0(c, l0a.template ReinterpretCast<int8_t>(), l0b.template ReinterpretCast<int8_t>(), rows,
          cols, 32, true);
  } else {
    MmaL0(c, a, b, rows, cols, 16, true);
  }
}

/// L0C to GM, row-major, converted to the type of `dst`.
template <typename D, typename C>
__aicore__ HOSTNPU_SHARED void CopyL0CToGm(const GlobalTensor<D>& dst, int64_t dst_pitch,
                                           const LocalTensor<C>& src, int32_t rows_pad,
                                           int32_t valid_rows, int32_t valid_cols, bool relu,
                                           float deq_scale) {
  if (valid_rows <= 0 || valid_cols <= 0) return;
  FixpipeParamsV220 params;
  params.nSize = static_cast<uint16_t>(valid_cols);
  params.mSize = static_cast<uint16_t>(valid_rows);
  params.srcStride = static_cast<uint16_t>(rows_pad);
  params.dstStride = static_cast<uint32_t>(dst_pitch);
  params.reluEn = relu;
  if constexpr (IsSameType<C, float>::value && IsSameType<D, half>::value) {
    params.quantPre = QuantMode_t::F322F16;
  } else if constexpr (IsSameType<C, float>::value && IsSameType<D, bfloat16_t>::value) {
    params.quantPre = QuantMode_t::F322BF16;
  } else if constexpr (IsSameType<C, int32_t>::value && IsSameType<D, half>::value) {
    params.quantPre = QuantMode_t::DEQF16;
    params.deqScalar = static_cast<uint64_t>(Bitcast<uint32_t>(deq_scale));
  } else {
    static_assert(IsSameType<C, D>::value,
                  "T.copy from L0C converts float to half or bfloat16 and int32 to half");
  }
  Fixpipe<D, C, CFG_ROW_MAJOR>(dst, src, params);
}

/// Adds an accumulator to GM, each element atomically, converted to the type of `dst`.
template <typename D, typename C>
__aicore__ HOSTNPU_SHARED void AtomicAddL0CToGm(const GlobalTensor<D>& dst, int64_t dst_pitch,
                                                const LocalTensor<C>& src, int32_t rows_pad,
                                                int32_t valid_rows, int32_t valid_cols,
                                                float deq_scale) {
  SetAtomicAdd<D>();
  CopyL0CToGm(dst, dst_pitch, src, rows_pad, valid_rows, valid_cols, false, deq_scale);
  SetAtomicNone();
}

}  // namespace tl

#endif  // HOSTNPU_TILELANG_TILE_MATRIX_H_

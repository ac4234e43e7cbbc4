// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// T.tile operations that select, broadcast, gather and sort.
#ifndef HOSTNPU_TILELANG_TILE_REARRANGE_H_
#define HOSTNPU_TILELANG_TILE_REARRANGE_H_

#include "tile.h"

namespace tl {

template <typename T>
__aicore__ inline bool Holds(T a, T b, CMPMODE mode) {
  switch (mode) {
    case CMPMODE::LT:
      return a < b;
    case CMPMODE::GT:
      return a > b;
    case CMPMODE::EQ:
      return a == b;
    case CMPMODE::LE:
      return a <= b;
    case CMPMODE::GE:
      return a >= b;
    default:
      return a != b;
  }
}

/// Bit k % 8 of byte k / 8 of `dst` says whether the comparison holds for element k.
template <typename M, typename T, typename Other>
__aicore__ HOSTNPU_SHARED void CompareBits(const Tile<M>& dst, const Tile<T>& a, Other other,
                                           CMPMODE mode) {
  const int32_t count = a.count();
  const int32_t bytes = Min(CeilDiv(count, 8), dst.count());
  for (int32_t byte = 0; byte < bytes; ++byte) {
    uint32_t bits = 0;
    for (int32_t k = byte * 8; k < Min(count, byte * 8 + 8); ++k) {
      if (Holds<T>(a.At(k), other(k), mode)) bits |= 1u << (k % 8);
    }
    dst.Put(byte, static_cast<M>(bits));
  }
}
template <typename M, typename T>
__aicore__ HOSTNPU_SHARED void TileCompare(const Tile<M>& dst, const Tile<T>& a, const Tile<T>& b,
                                           CMPMODE mode) {
  CompareBits(dst, a, [&](int32_t k) { return b.At(k); }, mode);
}
template <typename M, typename T>
__aicore__ HOSTNPU_SHARED void TileCompares(const Tile<M>& dst, const Tile<T>& a, T s,
                                            CMPMODE mode) {
  CompareBits(dst, a, [&](int32_t) { return s; }, mode);
}

template <typename M>
__aicore__ inline bool MaskBit(const Tile<M>& mask, int32_t k) {
  constexpr int32_t bits = static_cast<int32_t>(sizeof(M)) * 8;
  return ((static_cast<uint64_t>(mask.At(k / bits)) >> (k % bits)) & 1) != 0;
}
template <typename T, typename M>
__aicore__ HOSTNPU_SHARED void TileSelect(const Tile<T>& dst, const Tile<M>& mask, const Tile<T>& a,
                                          const Tile<T>& b) {
  for (int32_t k = 0; k < dst.count(); ++k) dst.Put(k, MaskBit(mask, k) ? a.At(k) : b.At(k));
}
template <typename T, typename M>
__aicore__ HOSTNPU_SHARED void TileSelects(const Tile<T>& dst, const Tile<M>& mask,
                                           const Tile<T>& a, T s) {
  for (int32_t k = 0; k < dst.count(); ++k) dst.Put(k, MaskBit(mask, k) ? a.At(k) : s);
}

/// dst[k] = first + k * difference.
template <typename T>
__aicore__ HOSTNPU_SHARED void TileProgression(const Tile<T>& dst, T first, T difference,
                                               int32_t count) {
  for (int32_t k = 0; k < Min(count, dst.count()); ++k) {
    if constexpr (T(0.5f) != T(0)) {
      dst.Put(k, static_cast<T>(static_cast<float>(first) +
                                static_cast<float>(k) * static_cast<float>(difference)));
    } else {
      dst.Put(k, static_cast<T>(first + static_cast<T>(k) * difference));
    }
  }
}

/// Every row of `dst` becomes `src` (axis 0), or row i is filled with src[i] (axis 1), or all of it
/// with src[0] (axis 2).
template <typename T>
__aicore__ HOSTNPU_SHARED void TileBroadcast(const Tile<T>& dst, const Tile<T>& src, int32_t axis) {
  for (int32_t row = 0; row < dst.rows; ++row) {
    const Tile<T> line(dst.data[row * dst.pitch], dst.cols);
    if (axis == 0 && src.contiguous()) {
      CopyUbToUb(line, Tile<T>(src.data, dst.cols));
    } else if (axis == 0) {
      for (int32_t col = 0; col < dst.cols; ++col) line.Put(col, src.At(col));
    } else {
      TileFill(line, src.At(axis == 1 ? row : 0));
    }
  }
}

enum class RowOperation { kMul, kSub, kDiv };
/// dst[i, j] = a[i, j] op b[i]; with `blocks` the value of row i is the first of its 32-byte block.
template <RowOperation operation, typename T>
__aicore__ HOSTNPU_SHARED void TileRowExpand(const Tile<T>& dst, const Tile<T>& a, const Tile<T>& b,
                                             bool blocks) {
  for (int32_t row = 0; row < dst.rows; ++row) {
    const T s =
        blocks ? b.data.GetValue(row * static_cast<int32_t>(kBlockBytes / sizeof(T))) : b.At(row);
    const Tile<T> out(dst.data[row * dst.pitch], dst.cols);
    const Tile<T> in(a.data[row * a.pitch], a.cols);
    if constexpr (operation == RowOperation::kMul) {
      TileMuls(out, in, s);
    } else if constexpr (operation == RowOperation::kSub) {
      TileAdds(out, in, static_cast<T>(-s));
    } else {
      ByElement([s](T p) { return static_cast<T>(p / s); }, out, in);
    }
  }
}

/// Block r * rep_stride + b * blk_stride of dst is filled with src[8 r + b].
template <typename T>
__aicore__ HOSTNPU_SHARED void TileBrcb(const Tile<T>& dst, const Tile<T>& src, int32_t repeat,
                                        int32_t blk_stride, int32_t rep_stride) {
  constexpr int32_t per_block = kBlockBytes / sizeof(T);
  for (int32_t r = 0; r < repeat; ++r) {
    for (int32_t b = 0; b < 8; ++b) {
      const T value = src.At(8 * r + b);
      const int32_t at = (r * rep_stride + b * blk_stride) * per_block;
      TileFill(Tile<T>(dst.data[at], per_block), value);
    }
  }
}

/// dst[k] = the element of src at byte offset offsets[k] + base.
template <typename T, typename O>
__aicore__ HOSTNPU_SHARED void TileGather(const Tile<T>& dst, const Tile<T>& src,
                                          const Tile<O>& offsets, int32_t base) {
  const int32_t count = Min(dst.count(), offsets.count());
  for (int32_t k = 0; k < count; ++k) {
    const uint32_t at = static_cast<uint32_t>(offsets.At(k)) + static_cast<uint32_t>(base);
    dst.Put(k, src.data.GetValue(at / sizeof(T)));
  }
}
/// Block (r, b) of dst = the 32 bytes of src at offsets[8 r + b].
template <typename T, typename O>
__aicore__ HOSTNPU_SHARED void TileGatherb(const Tile<T>& dst, const Tile<T>& src,
                                           const Tile<O>& offsets, int32_t repeat,
                                           int32_t blk_stride, int32_t rep_stride) {
  constexpr int32_t per_block = kBlockBytes / sizeof(T);
  for (int32_t r = 0; r < repeat; ++r) {
    for (int32_t b = 0; b < 8; ++b) {
      const uint32_t from = static_cast<uint32_t>(offsets.At(8 * r + b)) / sizeof(T);
      const int32_t to = (r * rep_stride + b * blk_stride) * per_block;
      for (int32_t k = 0; k < per_block; ++k)
        dst.data.SetValue(to + k, src.data.GetValue(from + k));
    }
  }
}
/// Keeps the elements whose position within each group of `period` has its bit in `keep`.
template <typename T>
__aicore__ HOSTNPU_SHARED void TileGatherPattern(const Tile<T>& dst, const Tile<T>& src,
                                                 uint32_t keep, int32_t period) {
  int32_t kept = 0;
  for (int32_t k = 0; k < src.count(); ++k) {
    if (((keep >> (k % period)) & 1u) != 0 && kept < dst.count()) dst.Put(kept++, src.At(k));
  }
}
template <typename T, typename O>
__aicore__ HOSTNPU_SHARED void TileGatherIndex(const Tile<T>& dst, const Tile<T>& src,
                                               const Tile<O>& index) {
  const int32_t count = Min(dst.count(), index.count());
  for (int32_t k = 0; k < count; ++k)
    dst.Put(k, src.data.GetValue(static_cast<uint32_t>(index.At(k))));
}
/// Packs the elements whose bit in `pattern` is 1; `mask` elements of each repeat take part.
template <typename T, typename M>
__aicore__ HOSTNPU_SHARED void TileGatherBits(const Tile<T>& dst, const Tile<T>& src,
                                              const Tile<M>& pattern, bool reduce, int32_t mask,
                                              int32_t src_blk, int32_t repeat, int32_t src_rep,
                                              int32_t pat_rep) {
  constexpr int32_t per_block = kBlockBytes / sizeof(T);
  constexpr int32_t per_repeat = 256 / sizeof(T);
  constexpr int32_t bits = static_cast<int32_t>(sizeof(M)) * 8;
  int32_t kept = 0;
  for (int32_t r = 0; r < repeat; ++r) {
    const int32_t elements = reduce ? mask : per_repeat;
    for (int32_t k = 0; k < elements; ++k) {
      const int32_t from =
          r * src_rep * per_block + k / per_block * src_blk * per_block + k % per_block;
      const int32_t bit = r * pat_rep * static_cast<int32_t>(kBlockBytes) * 8 + k;
      if (((static_cast<uint64_t>(pattern.data.GetValue(bit / bits)) >> (bit % bits)) & 1) != 0) {
        dst.data.SetValue(kept++, src.data.GetValue(from));
      }
    }
  }
}
template <typename T>
__aicore__ HOSTNPU_SHARED void TileTranspose(const Tile<T>& dst, const Tile<T>& src) {
  for (int32_t row = 0; row < src.rows; ++row) {
    for (int32_t col = 0; col < src.cols; ++col)
      dst.Put(col * src.rows + row, src.data.GetValue(row * src.pitch + col));
  }
}

// ---- sorting
// ---------------------------------------------------------------------------------------

/// Order of a descending sort: larger first, of equals the lower index first, NaN last.
template <typename T>
__aicore__ inline bool Before(T a, int32_t a_index, T b, int32_t b_index) {
  if (a > b) return true;
  if (a < b) return false;
  if (a != b) return a == a;
  return a_index < b_index;
}

/// Sorts positions [0, count) of `src` descending into the int32 index list `order`, with `spare`
/// as room for another such list.
template <typename T>
__aicore__ HOSTNPU_SHARED void SortIndices(const Tile<T>& src, int32_t count,
                                           const LocalTensor<int32_t>& order,
                                           const LocalTensor<int32_t>& spare) {
  for (int32_t k = 0; k < count; ++k) order.SetValue(k, k);
  bool in_order = true;
  for (int32_t width = 1; width < count; width *= 2) {
    const LocalTensor<int32_t>& from = in_order ? order : spare;
    const LocalTensor<int32_t>& to = in_order ? spare : order;
    for (int32_t begin = 0; begin < count; begin += 2 * width) {
      const int32_t middle = Min(begin + width, count);
      const int32_t end = Min(begin + 2 * width, count);
      int32_t left = begin;
      int32_t right = middle;
      for (int32_t at = begin; at < end; ++at) {
        bool take_left = right >= end;
        if (left < middle && right < end) {
          const int32_t l = from.GetValue(left);
          const int32_t r = from.GetValue(right);
          take_left = !Before(src.At(r), r, src.At(l), l);
        }
        to.SetValue(at, from.GetValue(take_left ? left++ : right++));
      }
    }
    in_order = !in_order;
  }
  if (!in_order) {
    for (int32_t k = 0; k < count; ++k) order.SetValue(k, spare.GetValue(k));
  }
}

/// The first `pairs` of the descending sort of `wanted` elements, as far as `src` goes, as
/// (value, index) pairs of T. Positions from there to the next multiple of 32 hold -inf in `src`,
/// as the hardware's sort wants them. `tmp`: 8 bytes for each element.
template <typename T>
__aicore__ HOSTNPU_SHARED void TileSortPairs(const Tile<T>& dst, const Tile<T>& src, int32_t wanted,
                                             int32_t pairs, const LocalTensor<uint8_t>& tmp) {
  const int32_t count = Min(wanted, src.count());
  const int32_t padded = RoundUp(count, 32);
  for (int32_t k = count; k < Min(padded, src.count()); ++k)
    src.Put(k, static_cast<T>(-__builtin_inff()));
  const LocalTensor<int32_t> order = tmp.template ReinterpretCast<int32_t>();
  const LocalTensor<int32_t> spare = order[padded];
  SortIndices(src, count, order, spare);
  for (int32_t k = 0; k < pairs && 2 * k + 1 < dst.count(); ++k) {
    const int32_t from = k < count ? order.GetValue(k) : k;
    dst.Put(2 * k, k < count ? src.At(from) : static_cast<T>(-__builtin_inff()));
    dst.Put(2 * k + 1, static_cast<T>(from));
  }
}

/// Every 32 elements sorted descending; records of 8 bytes: the value, and its index from `index`.
template <typename T, typename I>
__aicore__ HOSTNPU_SHARED void TileSort32(const Tile<T>& dst, const Tile<T>& src,
                                          const Tile<I>& index) {
  AscendC::Sort32(dst.data, src.data, index.data.template ReinterpretCast<uint32_t>(),
                  src.count() / 32);
}

/// Merges descending lists of (value, index) pairs of T.
template <typename T, typename... S>
__aicore__ HOSTNPU_SHARED void TileMergeSort(const Tile<T>& dst, const S&... list) {
  constexpr int32_t lists = sizeof...(S);
  const Tile<T>* from[lists] = {&list...};
  int32_t at[lists] = {};
  for (int32_t k = 0; 2 * k + 1 < dst.count(); ++k) {
    int32_t best = -1;
    for (int32_t l = 0; l < lists; ++l) {
      if (2 * at[l] + 1 >= from[l]->count()) continue;
      if (best < 0 || from[l]->At(2 * at[l]) > from[best]->At(2 * at[best])) best = l;
    }
    if (best < 0) return;
    dst.Put(2 * k, from[best]->At(2 * at[best]));
    dst.Put(2 * k + 1, from[best]->At(2 * at[best] + 1));
    ++at[best];
  }
}
/// Pairs (-inf, all ones) from pair `num` on.
template <typename T>
__aicore__ HOSTNPU_SHARED void TileInitSort(const Tile<T>& dst, int32_t num) {
  for (int32_t k = num; 2 * k + 1 < dst.count(); ++k) {
    dst.Put(2 * k, static_cast<T>(-__builtin_inff()));
    T ones;
    __builtin_memset(&ones, 0xFF, sizeof(ones));
    dst.Put(2 * k + 1, ones);
  }
}

/// out[v * v_off ...] += over h of gathered blocks of src0 times the scalar of src1.
template <typename T, typename O>
__aicore__ HOSTNPU_SHARED void TileBilinear(const Tile<T>& dst, const Tile<T>& src0,
                                            const Tile<O>& offsets, const Tile<T>& src1,
                                            int32_t h_repeat, bool per_block_scalar,
                                            int32_t dst_blk, int32_t v_off, int32_t v_repeat) {
  constexpr int32_t per_block = kBlockBytes / sizeof(T);
  for (int32_t v = 0; v < v_repeat; ++v) {
    for (int32_t b = 0; b < 8; ++b) {
      for (int32_t e = 0; e < per_block; ++e) {
        float sum = 0;
        for (int32_t h = 0; h < h_repeat; ++h) {
          const int32_t turn = v * h_repeat + h;
          const uint32_t from = static_cast<uint32_t>(offsets.At(turn * 8 + b)) / sizeof(T) + e;
          const T weight = src1.At(per_block_scalar ? turn * 8 + b : turn);
          sum += static_cast<float>(src0.data.GetValue(from)) * static_cast<float>(weight);
        }
        dst.data.SetValue(v * v_off + b * dst_blk * per_block + e, static_cast<T>(sum));
      }
    }
  }
}

/// dst[o] = the sum of the first n of `inner` elements, for o < outer.
template <typename T>
__aicore__ HOSTNPU_SHARED void TileSumRows(const Tile<T>& dst, const Tile<T>& src, int32_t outer,
                                           int32_t inner, int32_t n) {
  for (int32_t o = 0; o < outer; ++o) {
    float sum = 0;
    for (int32_t k = 0; k < n; ++k) sum += static_cast<float>(src.data.GetValue(o * inner + k));
    dst.data.SetValue(o, static_cast<T>(sum));
  }
}
/// The sum over repeats of `mask` elements each, repeats `src_rep` blocks apart.
template <typename T>
__aicore__ HOSTNPU_SHARED void TileSumMasked(const Tile<T>& dst, const Tile<T>& src, int32_t mask,
                                             int32_t repeat, int32_t src_rep) {
  constexpr int32_t per_block = kBlockBytes / sizeof(T);
  float sum = 0;
  for (int32_t r = 0; r < repeat; ++r) {
    for (int32_t k = 0; k < mask; ++k)
      sum += static_cast<float>(src.data.GetValue(r * src_rep * per_block + k));
  }
  dst.data.SetValue(0, static_cast<T>(sum));
}

}  // namespace tl

#endif  // HOSTNPU_TILELANG_TILE_REARRANGE_H_

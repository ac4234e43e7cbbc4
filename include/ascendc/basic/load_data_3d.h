// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// LoadData 3D: image to column on the way from L1 (NC1HWC0) to L0A or L0B.
//
// The instruction thinks of a matrix X: a row for each place of the filter window (m = ho * Wo +
// wo), a column for each (c1, kh, kw, c0). It cuts the window [mStartPt, +mExtension) x [kStartPt,
// +kExtension) out of X and stores it
//   to L0A as zZ, transposed first if enTranspose;     to L0B always as nZ with k = rows of X.
// With a 1 x 1 filter X is the NZ matrix in L1 itself, which is how most kernels use it.
#ifndef HOSTNPU_ASCENDC_BASIC_LOAD_DATA_3D_H_
#define HOSTNPU_ASCENDC_BASIC_LOAD_DATA_3D_H_

#include "load_data.h"

namespace AscendC {
namespace internal {

/// One LoadData 3D, with everything resolved.
struct ImageWindow {
  FeatureMap map;
  uint32_t channels;
  uint32_t m_start, m_count;
  uint32_t k_start, k_count;
  uint32_t stride_w, stride_h;
  uint32_t filter_w, filter_h;
  uint32_t dilation_w, dilation_h;
  bool transpose;
  uint32_t element_bits;
};

/// X, read 32 bytes at a time.
class ImageColumns {
 public:
  ImageColumns(const uint8_t* src, const ImageWindow& w) : w_(w), src_(src) {
    c0_ = 256 / w.element_bits;
    full_c1_ = w.channels / c0_;
    tail_ = w.channels % c0_;
    span_w_ = (w.filter_w - 1) * w.dilation_w + 1;
    span_h_ = (w.filter_h - 1) * w.dilation_h + 1;
    const int64_t room_w = w.map.width + w.map.pad[0] + w.map.pad[1] - span_w_;
    const int64_t room_h = w.map.height + w.map.pad[2] + w.map.pad[3] - span_h_;
    if (room_w < 0 || room_h < 0) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "LoadData",
                    "has a filter of %lld x %lld (dilated) over an image of %u x %u (padded)",
                    (long long)span_h_, (long long)span_w_,
                    w.map.height + w.map.pad[2] + w.map.pad[3],
                    w.map.width + w.map.pad[0] + w.map.pad[1]);
    }
    out_w_ = static_cast<uint32_t>(room_w / w.stride_w) + 1;
    rows_ = out_w_ * (static_cast<uint32_t>(room_h / w.stride_h) + 1);
    const CubeRegisters& registers = CubeRegs();
    uint32_t word = registers.padding_value;
    if (w.element_bits <= 8) word = (word & 255) * 0x01010101u;
    if (w.element_bits == 16) word = (word & 0xFFFF) * 0x00010001u;
    for (uint32_t& piece : padding_) piece = word;
    boundary_ = registers.boundary;
    is_matrix_ = w.filter_w == 1 && w.filter_h == 1 && w.stride_w == 1 && w.stride_h == 1 &&
                 tail_ == 0 && boundary_ == 0 && (w.map.pad[0] | w.map.pad[1]) == 0 &&
                 (w.map.pad[2] | w.map.pad[3]) == 0;
    if (is_matrix_) {
      CheckLocal("LoadData", HOSTNPU_MEMORY_L1, src,
                 static_cast<uint64_t>(rows_) * w.channels * w.element_bits / 8);
    }
  }

  uint32_t rows() const { return rows_; }

  /// The fractal X[m, +16) x [k, +c0): where it lies, or gathered into `scratch`. Rows and columns
  /// that X does not have are zero.
  const uint8_t* Fractal(uint32_t m, uint32_t k, uint8_t* scratch) const {
    if (HOSTNPU_LIKELY(is_matrix_ && m + 16 <= rows_ && k + c0_ <= w_.channels)) {
      return src_ + (static_cast<uint64_t>(k / c0_) * rows_ + m) * 32;
    }
    for (uint32_t row = 0; row < 16; ++row) Gather(m + row, k, scratch + row * 32);
    return scratch;
  }

 private:
  void Gather(uint32_t m, uint32_t k, uint8_t* to) const {
    if (m >= rows_) {
      __builtin_memset(to, 0, 32);
      return;
    }
    const uint32_t points = w_.filter_w * w_.filter_h;
    const uint32_t full_columns = full_c1_ * points * c0_;
    if (k + c0_ <= full_columns) {
      const uint32_t group = k / c0_;
      const uint8_t* from = Pixel(m, group % points, group / points, c0_);
      __builtin_memcpy(to, from, 32);
      return;
    }
    // The last channels are stored and taken `tail_` at a time.
    const uint32_t piece = tail_ == 0 ? c0_ : tail_;
    const uint32_t bytes = piece * w_.element_bits / 8;
    for (uint32_t i = 0; i < c0_ / piece; ++i, to += bytes) {
      const uint32_t point = (k + i * piece - full_columns) / piece;
      if (tail_ == 0 || point >= points) {
        __builtin_memset(to, 0, bytes);
      } else {
        __builtin_memcpy(to, Pixel(m, point, full_c1_, tail_), bytes);
      }
    }
  }

  /// The channels of block c1 under filter point `point` of window m.
  const uint8_t* Pixel(uint32_t m, uint32_t point, uint32_t c1, uint32_t width) const {
    const int64_t h = static_cast<int64_t>(m / out_w_) * w_.stride_h +
                      point / w_.filter_w * w_.dilation_h - w_.map.pad[2];
    const int64_t x = static_cast<int64_t>(m % out_w_) * w_.stride_w +
                      point % w_.filter_w * w_.dilation_w - w_.map.pad[0];
    if (h < 0 || h >= w_.map.height || x < 0 || x >= w_.map.width)
      return reinterpret_cast<const uint8_t*>(padding_);
    const uint64_t image = static_cast<uint64_t>(w_.map.height) * w_.map.width;
    const uint64_t bytes = width * w_.element_bits / 8;
    const uint8_t* from =
        src_ + c1 * image * 32 +
        (static_cast<uint64_t>(h) * w_.map.width + static_cast<uint64_t>(x)) * bytes;
    const uint8_t* base = ThisCore().memory[HOSTNPU_MEMORY_L1].base;
    if (boundary_ != 0 && static_cast<uint64_t>(from - base) >= boundary_) from -= boundary_;
    CheckLocal("LoadData", HOSTNPU_MEMORY_L1, from, bytes);
    return from;
  }

  const ImageWindow& w_;
  const uint8_t* src_;
  uint32_t c0_, full_c1_, tail_;
  int64_t span_w_, span_h_;
  uint32_t out_w_, rows_;
  uint32_t boundary_;
  bool is_matrix_;
  uint32_t padding_[8];
};

/// 8 x 8 elements of 32 bits; rows of src are 32 bytes.
HOSTNPU_INLINE void Transpose8x8Words(const uint8_t* src, uint8_t* dst) {
  const auto* from = reinterpret_cast<const uint32_t*>(src);
  auto* to = reinterpret_cast<uint32_t*>(dst);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) to[i * 8 + j] = from[j * 8 + i];
}

HOSTNPU_SHARED void LoadWindow(HostnpuMemoryKind dst_kind, uint8_t* dst, const uint8_t* src,
                               const ImageWindow& w) {
  constexpr const char* kApi = "LoadData";
  const uint32_t c0 = 256 / w.element_bits;
  if (HOSTNPU_UNLIKELY(w.k_start % c0 != 0)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ALIGNMENT, kApi, "has kStartPt = %u, which is not a multiple of %u",
                  w.k_start, c0);
  }
  const bool to_b = dst_kind == HOSTNPU_MEMORY_L0B;
  const bool transpose = to_b || w.transpose;
  if (HOSTNPU_UNLIKELY(transpose && w.element_bits != 16 && w.element_bits != 32)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "transposes %u-bit elements (%s); on this chip it transposes 16 and 32-bit ones. "
                  "LoadDataWithTranspose takes 8-bit elements",
                  w.element_bits, to_b ? "a load to L0B always does" : "enTranspose is set");
  }
  const uint64_t m1 = CeilDiv(w.m_count, 16), k1 = CeilDiv(w.k_count, c0);
  const uint64_t k16 = CeilDiv(w.k_count, 16);
  const bool words = w.element_bits == 32;
  const uint64_t fractals = transpose && words ? 2 * m1 * k16 : m1 * k1;
  CheckOperand(kApi, "dst", dst_kind, dst, fractals * kFractalBytes, kFractalBytes);
  CheckAligned(kApi, "src", HOSTNPU_MEMORY_L1, src, 32);
  NoteLoaded(dst_kind, dst, fractals);
  const ImageColumns columns(src, w);
  alignas(64) uint8_t scratch[kFractalBytes];
  for (uint64_t m = 0; m < m1; ++m) {
    for (uint64_t k = 0; k < k1; ++k) {
      const uint8_t* from = columns.Fractal(static_cast<uint32_t>(w.m_start + m * 16),
                                            static_cast<uint32_t>(w.k_start + k * c0), scratch);
      if (!transpose) {
        __builtin_memcpy(dst + (m * k1 + k) * kFractalBytes, from, kFractalBytes);
      } else if (!words) {
        const uint64_t at = to_b ? m * k1 + k : k * m1 + m;
        gemm::Transpose16x16(from, 32, dst + at * kFractalBytes, 32);
      } else {
        for (uint64_t half_rows = 0; half_rows < 2; ++half_rows) {
          const uint64_t row = 2 * m + half_rows;
          const uint64_t at = to_b ? row * k16 + k / 2 : k / 2 * (2 * m1) + row;
          Transpose8x8Words(from + half_rows * 256, dst + at * kFractalBytes + k % 2 * 256);
        }
      }
    }
  }
}

/// Applies the repeat register: the window moves along m (mode 0) or k (mode 1).
HOSTNPU_SHARED void LoadWindows(HostnpuMemoryKind dst_kind, uint8_t* dst, const uint8_t* src,
                                ImageWindow w) {
  const CubeRegisters& registers = CubeRegs();
  if (w.map.height == 0 || w.map.width == 0 || w.channels == 0 || w.m_count == 0 ||
      w.k_count == 0 || w.filter_w == 0 || w.filter_h == 0) {
    return;
  }
  if (w.stride_w == 0 || w.stride_h == 0) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "LoadData",
                  "has strideW = %u and strideH = %u; the least is 1", w.stride_w, w.stride_h);
  }
  CheckField("LoadData", "l1H", w.map.height, 32767);
  CheckField("LoadData", "l1W", w.map.width, 32767);
  const uint32_t times = registers.repeat_is_set ? registers.repeat_time : 1;
  const uint32_t c0 = 256 / w.element_bits;
  const uint64_t bytes = RoundUp(w.m_count, 16) * RoundUp(w.k_count, c0) * w.element_bits / 8;
  for (uint32_t i = 0; i < times; ++i) {
    LoadWindow(dst_kind, dst + i * bytes, src, w);
    if (registers.repeat_mode == 0) {
      w.m_start += registers.repeat_stride * 16u;
    } else {
      w.k_start += registers.repeat_stride * c0;
    }
  }
}

template <typename T>
HOSTNPU_INLINE void Start3d(const LocalTensor<T>& dst, const LocalTensor<T>& src) {
  CheckL0("LoadData", dst);
  CheckPosition("LoadData", "src", src, HOSTNPU_MEMORY_L1);
}

inline void SetPadding(const void* value, uint32_t bytes) {
  CubeRegs().padding_value = 0;
  __builtin_memcpy(&CubeRegs().padding_value, value, bytes);
}

}  // namespace internal

/// The value that positions outside the image take.
template <typename T>
inline void SetLoadDataPaddingValue(const T padValue) {
  static_assert(sizeof(T) <= 4, "SetLoadDataPaddingValue takes a value of up to 32 bits");
  internal::SetPadding(&padValue, sizeof(T));
}
/// Geometry of the image for loads that do not set it themselves. padList: left, right, top,
/// bottom.
inline void SetFmatrix(uint16_t l1H, uint16_t l1W, const uint8_t padList[4],
                       const FmatrixMode& fmatrixMode) {
  internal::FeatureMap& map = internal::CubeRegs().feature_map[static_cast<int>(fmatrixMode)];
  map.height = l1H;
  map.width = l1W;
  for (int i = 0; i < 4; ++i) map.pad[i] = padList[i];
}
/// The same under the names of the vendor's implementation, which some libraries call.
inline void Load3DSetFMatrixCal(uint16_t l1H, uint16_t l1W, const uint8_t padList[4]) {
  SetFmatrix(l1H, l1W, padList, FmatrixMode::FMATRIX_LEFT);
}
inline void Load3DSetFMatrixBCal(uint16_t l1H, uint16_t l1W, const uint8_t padList[4]) {
  SetFmatrix(l1H, l1W, padList, FmatrixMode::FMATRIX_RIGHT);
}
template <typename T>
inline void Load3DSetPaddingCal(const T padValue) {
  SetLoadDataPaddingValue(padValue);
}
/// Reads of LoadData 3D at or beyond this byte of L1 wrap to its start. 0: none do.
inline void SetLoadDataBoundary(uint32_t boundaryValue) {
  if (boundaryValue != 0 && boundaryValue < 1024) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "SetLoadDataBoundary",
                  "has boundaryValue = %u; it is 0 or at least 1024", boundaryValue);
  }
  internal::CubeRegs().boundary = boundaryValue;
}
/// How often one LoadData 3D repeats, and by how much its window moves.
inline void SetLoadDataRepeat(const LoadDataRepeatParam& params) {
  internal::CheckField("SetLoadDataRepeat", "repeatMode", params.repeatMode, 1);
  internal::CheckRepeatTime("SetLoadDataRepeat", params.repeatTime);
  internal::CubeRegisters& registers = internal::CubeRegs();
  registers.repeat_is_set = 1;
  registers.repeat_stride = params.repeatStride;
  registers.repeat_time = static_cast<uint8_t>(params.repeatTime);
  registers.repeat_mode = params.repeatMode;
}

/// Image to column from L1 to L0A or L0B.
template <typename T, const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG,
          typename U = PrimT<T>>
inline void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                     const LoadData3DParamsV2<U>& p) {
  static_assert(IsSameType<PrimT<T>, U>::value,
                "LoadData 3D takes parameters of the tensors' element type");
  if (!internal::OnCubeCore()) return;
  internal::Start3d(dst, src);
  if constexpr (defaultConfig.isSetFMatrix) {
    SetFmatrix(p.l1H, p.l1W, p.padList,
               p.fMatrixCtrl ? FmatrixMode::FMATRIX_RIGHT : FmatrixMode::FMATRIX_LEFT);
  }
  if constexpr (defaultConfig.isSetPadding) internal::SetPadding(&p.padValue, sizeof(U));
  internal::LoadWindows(
      dst.Memory(), dst.address_.absAddr, src.address_.absAddr,
      {internal::CubeRegs().feature_map[p.fMatrixCtrl ? 1 : 0], p.channelSize, p.mStartPt,
       p.mExtension, p.kStartPt, p.kExtension, p.strideW, p.strideH,
       p.filterW + (p.filterSizeW ? 256u : 0u), p.filterH + (p.filterSizeH ? 256u : 0u),
       p.dilationFilterW, p.dilationFilterH, p.enTranspose, SizeOfBits<U>::value});
}
/// The same with packed parameters; geometry and padding always come from the registers.
template <typename T>
inline void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                     const LoadData3DParamsV2Pro& p) {
  if (!internal::OnCubeCore()) return;
  internal::Start3d(dst, src);
  const auto field = [](uint64_t word, int shift, uint64_t mask) {
    return static_cast<uint32_t>(word >> shift & mask);
  };
  internal::LoadWindows(
      dst.Memory(), dst.address_.absAddr, src.address_.absAddr,
      {internal::CubeRegs().feature_map[p.fMatrixCtrl ? 1 : 0], p.channelSize,
       field(p.extConfig, 48, 0xFFFF), field(p.extConfig, 16, 0xFFFF),
       field(p.extConfig, 32, 0xFFFF), field(p.extConfig, 0, 0xFFFF), field(p.filterConfig, 0, 255),
       field(p.filterConfig, 8, 255), field(p.filterConfig, 16, 255) + (p.filterSizeW ? 256u : 0u),
       field(p.filterConfig, 24, 255) + (p.filterSizeH ? 256u : 0u), field(p.filterConfig, 32, 255),
       field(p.filterConfig, 40, 255), p.enTranspose, SizeOfBits<PrimT<T>>::value});
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_LOAD_DATA_3D_H_

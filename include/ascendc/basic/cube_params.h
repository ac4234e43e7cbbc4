// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Parameter records of the cube instructions, under the vendor's names and constructor orders.
// Units stand beside each member: a "fractal" is 512 bytes (16 rows of 32), a "block" 32 bytes.
#ifndef HOSTNPU_ASCENDC_BASIC_CUBE_PARAMS_H_
#define HOSTNPU_ASCENDC_BASIC_CUBE_PARAMS_H_

#include "types.h"

/// How Fixpipe turns an accumulator into the destination type. The device compiler has these names
/// built in, outside of any namespace.
enum QuantMode_t {
  NoQuant = 0,
  F322F16 = 1,
  VREQ8 = 2,          // int32 -> int8/uint8, one scale per column
  REQ8 = 3,           // int32 -> int8/uint8, one scale
  VDEQF16 = 4,        // int32 -> half, one scale per column
  DEQF16 = 5,         // int32 -> half, one scale
  F322BF16 = 16,      // float -> bfloat16
  VQF322B8_PRE = 23,  // float -> int8/uint8, one scale per column
  QF322B8_PRE = 24,   // float -> int8/uint8, one scale
};

namespace AscendC {

using ::QuantMode_t;
constexpr int32_t PAD_SIZE = 4;
constexpr int32_t BLOCK_CUBE = 16;  // rows and columns of a fractal of 16-bit elements
constexpr int32_t CUBE_MAX_SIZE = 256;
constexpr int32_t BYTE_PER_FRACTAL = 512;
constexpr uint8_t DEFAULT_DATA_COPY_NBURST = 1;
constexpr uint8_t DEFAULT_DATA_COPY_STRIDE = 0;

struct LoadData2DParams {
  LoadData2DParams() {}
  LoadData2DParams(uint16_t start, internal::RepeatCount repeats, uint16_t src_stride, uint8_t sid_,
                   uint16_t dst_gap, bool transpose, uint8_t addr_mode)
      : startIndex(start),
        dstGap(dst_gap),
        srcStride(src_stride),
        ifTranspose(transpose),
        repeatTimes(repeats),
        sid(sid_),
        addrMode(addr_mode) {}

  uint16_t startIndex = 0;  // fractals
  uint16_t dstGap = 0;      // fractals from the end of one to the start of the next
  uint16_t srcStride = 0;   // fractals from start to start
  bool ifTranspose = false;
  internal::RepeatCount repeatTimes = 0;
  uint8_t sid = 0;
  uint8_t addrMode = 0;  // 1: the source goes down
};
using LoadData2dParams = LoadData2DParams;

struct LoadData2DParamsV2 {
  LoadData2DParamsV2() {}
  LoadData2DParamsV2(uint32_t m_start, uint32_t k_start, uint16_t m_step, uint16_t k_step,
                     int32_t src_stride, uint16_t dst_stride, bool transpose, uint8_t sid_)
      : mStartPosition(m_start),
        kStartPosition(k_start),
        mStep(m_step),
        kStep(k_step),
        srcStride(src_stride),
        dstStride(dst_stride),
        ifTranspose(transpose),
        sid(sid_) {}

  uint32_t mStartPosition = 0;  // fractals
  uint32_t kStartPosition = 0;  // fractals
  uint16_t mStep = 0;           // fractals
  uint16_t kStep = 0;           // fractals
  int32_t srcStride = 0;        // fractals from one k column to the next
  uint16_t dstStride = 0;       // fractals from one k column to the next
  bool ifTranspose = false;
  uint8_t sid = 0;
};

struct LoadData2dTransposeParams {
  LoadData2dTransposeParams() {}
  LoadData2dTransposeParams(uint16_t start, internal::RepeatCount repeats, uint16_t src_stride,
                            uint16_t dst_gap, uint16_t dst_frac_gap, uint8_t addr_mode = 0)
      : startIndex(start),
        repeatTimes(repeats),
        srcStride(src_stride),
        dstGap(dst_gap),
        dstFracGap(dst_frac_gap),
        addrMode(addr_mode) {}

  uint16_t startIndex = 0;  // squares
  internal::RepeatCount repeatTimes = 0;
  uint16_t srcStride = 0;   // squares from start to start
  uint16_t dstGap = 0;      // fractals between the first fractals of two squares, less one
  uint16_t dstFracGap = 0;  // fractals between the fractals of one square, less one
  uint8_t addrMode = 0;
};

/// As above; the fractals of a source square may lie apart, too.
struct LoadData2dTransposeParamsV2 {
  LoadData2dTransposeParamsV2() {}
  LoadData2dTransposeParamsV2(uint16_t start, internal::RepeatCount repeats, uint16_t src_stride,
                              uint16_t dst_gap, uint16_t dst_frac_gap, uint16_t src_frac_gap,
                              uint8_t addr_mode = 0)
      : startIndex(start),
        repeatTimes(repeats),
        srcStride(src_stride),
        dstGap(dst_gap),
        dstFracGap(dst_frac_gap),
        srcFracGap(src_frac_gap),
        addrMode(addr_mode) {}

  uint16_t startIndex = 0;
  internal::RepeatCount repeatTimes = 0;
  uint16_t srcStride = 0;
  uint16_t dstGap = 0;
  uint16_t dstFracGap = 0;
  uint16_t srcFracGap = 0;  // fractals between the fractals of a source square, less one
  uint8_t addrMode = 0;
};

/// Image to column: a window of the matrix whose rows are output pixels and whose columns are
/// (channel block, filter row, filter column, channel).
template <typename T>
struct LoadData3DParamsV2 {
  LoadData3DParamsV2() {}
  LoadData3DParamsV2(const uint8_t pad_list[PAD_SIZE], uint16_t l1_h, uint16_t l1_w,
                     uint16_t channel_size, uint16_t k_extension, uint16_t m_extension,
                     uint16_t k_start, uint16_t m_start, uint8_t stride_w, uint8_t stride_h,
                     uint8_t filter_w, uint8_t filter_h, uint8_t dilation_w, uint8_t dilation_h,
                     bool transpose, bool small_k, T pad_value, bool filter_size_w = false,
                     bool filter_size_h = false, bool fmatrix_ctrl = false)
      : l1H(l1_h),
        l1W(l1_w),
        channelSize(channel_size),
        kExtension(k_extension),
        mExtension(m_extension),
        kStartPt(k_start),
        mStartPt(m_start),
        strideW(stride_w),
        strideH(stride_h),
        filterW(filter_w),
        filterH(filter_h),
        dilationFilterW(dilation_w),
        dilationFilterH(dilation_h),
        enTranspose(transpose),
        enSmallK(small_k),
        padValue(pad_value),
        filterSizeW(filter_size_w),
        filterSizeH(filter_size_h),
        fMatrixCtrl(fmatrix_ctrl) {
    for (int i = 0; i < PAD_SIZE; ++i) padList[i] = pad_list[i];
  }

  uint8_t padList[PAD_SIZE] = {0, 0, 0, 0};  // left, right, top, bottom
  uint16_t l1H = 0;
  uint16_t l1W = 0;
  uint16_t channelSize = 0;
  uint16_t kExtension = 0;  // elements
  uint16_t mExtension = 0;  // rows
  uint16_t kStartPt = 0;
  uint16_t mStartPt = 0;
  uint8_t strideW = 1;
  uint8_t strideH = 1;
  uint8_t filterW = 1;
  uint8_t filterH = 1;
  uint8_t dilationFilterW = 1;
  uint8_t dilationFilterH = 1;
  bool enTranspose = false;
  bool enSmallK = false;
  T padValue = {};
  bool filterSizeW = false;  // adds 256 to filterW
  bool filterSizeH = false;
  bool fMatrixCtrl = false;  // true: geometry from the right FMATRIX register
};

/// The same, packed: extConfig = mStartPt << 48 | kStartPt << 32 | mExtension << 16 | kExtension;
/// filterConfig = dilH << 40 | dilW << 32 | filterH << 24 | filterW << 16 | strideH << 8 | strideW.
struct LoadData3DParamsV2Pro {
  LoadData3DParamsV2Pro() {}
  LoadData3DParamsV2Pro(uint16_t channel_size, bool transpose, bool small_k, bool filter_size_w,
                        bool filter_size_h, bool fmatrix_ctrl, uint64_t ext_config,
                        uint64_t filter_config)
      : channelSize(channel_size),
        enTranspose(transpose),
        enSmallK(small_k),
        filterSizeW(filter_size_w),
        filterSizeH(filter_size_h),
        fMatrixCtrl(fmatrix_ctrl),
        extConfig(ext_config),
        filterConfig(filter_config) {}

  uint16_t channelSize = 0;
  bool enTranspose = false;
  bool enSmallK = false;
  bool filterSizeW = false;
  bool filterSizeH = false;
  bool fMatrixCtrl = false;
  uint64_t extConfig = 0;
  uint64_t filterConfig = 0x10101010101;
};

/// Which registers a LoadData 3D sets from its parameters; what it does not set stays as it was.
struct IsResetLoad3dConfig {
  constexpr IsResetLoad3dConfig(bool set_fmatrix, bool set_padding)
      : isSetFMatrix(set_fmatrix), isSetPadding(set_padding) {}
  bool isSetFMatrix = true;
  bool isSetPadding = true;
};
constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true, true};

struct MmadParams {
  MmadParams() {}
  MmadParams(uint16_t m_, uint16_t n_, uint16_t k_, bool is_bias, int32_t fm_offset, bool en_sparse,
             bool en_winograd_a, bool en_winograd_b)
      : m(m_),
        n(n_),
        k(k_),
        isBias(is_bias),
        fmOffset(fm_offset),
        enSsparse(en_sparse),
        enWinogradA(en_winograd_a),
        enWinogradB(en_winograd_b) {}
  MmadParams(uint16_t m_, uint16_t n_, uint16_t k_, uint8_t unit_flag, bool cmatrix_source,
             bool cmatrix_init_val)
      : m(m_),
        n(n_),
        k(k_),
        unitFlag(unit_flag),
        cmatrixSource(cmatrix_source),
        cmatrixInitVal(cmatrix_init_val) {}

  uint16_t m = 0;
  uint16_t n = 0;
  uint16_t k = 0;
  bool isBias = false;  // accumulate onto L0C
  int32_t fmOffset = 0;
  bool enSsparse = false;
  bool enWinogradA = false;
  bool enWinogradB = false;
  uint8_t unitFlag = 0;
  bool kDirectionAlign = false;  // float: k of the layouts is a multiple of 16, not 8
  bool cmatrixSource = false;    // true: start from the bias table; needs cmatrixInitVal false
  bool cmatrixInitVal = true;    // true: start from 0
};

template <typename T>
struct InitConstValueParams {
  InitConstValueParams() {}
  InitConstValueParams(uint16_t repeats, uint16_t block_num, uint16_t dst_gap, T value)
      : repeatTimes(repeats), blockNum(block_num), dstGap(dst_gap), initValue(value) {}
  InitConstValueParams(uint16_t repeats, T value) : repeatTimes(repeats), initValue(value) {}

  uint16_t repeatTimes = 0;
  uint16_t blockNum = 0;  // 512 bytes in L0A and L0B, 32 in L1
  uint16_t dstGap = 0;    // of such blocks
  T initValue = {};
};

enum class FmatrixMode : uint8_t { FMATRIX_LEFT = 0, FMATRIX_RIGHT = 1 };

struct LoadDataRepeatParam {
  LoadDataRepeatParam() {}
  LoadDataRepeatParam(uint16_t stride, internal::RepeatCount time, uint8_t mode)
      : repeatStride(stride), repeatTime(time), repeatMode(mode) {}

  uint16_t repeatStride = 0;
  internal::RepeatCount repeatTime = 1;
  uint8_t repeatMode = 0;
  uint8_t reserved = 0;
};

/// Column-major matrices in GM to fractals.
struct Dn2NzParams {
  Dn2NzParams() {}
  Dn2NzParams(uint16_t dn_num, uint16_t n, uint32_t d, uint64_t src_matrix_stride,
              uint64_t src_d_value, uint16_t dst_c0_stride, uint16_t dst_n_stride,
              uint32_t dst_matrix_stride)
      : dnNum(dn_num),
        nValue(n),
        dValue(d),
        srcDnMatrixStride(src_matrix_stride),
        srcDValue(src_d_value),
        dstNzC0Stride(dst_c0_stride),
        dstNzNStride(dst_n_stride),
        dstNzMatrixStride(dst_matrix_stride) {}

  uint16_t dnNum = 0;
  uint16_t nValue = 0;
  uint32_t dValue = 0;
  uint64_t srcDnMatrixStride = 0;
  uint64_t srcDValue = 0;
  uint16_t dstNzC0Stride = 0;
  uint16_t dstNzNStride = 0;
  uint32_t dstNzMatrixStride = 0;
};

enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR, COLUMN_MAJOR };

struct FixpipeConfig {
  constexpr FixpipeConfig(CO2Layout format_) : format(format_) {}  // NOLINT: implicit as theirs
  constexpr FixpipeConfig(CO2Layout format_, bool) : format(format_) {}
  CO2Layout format;
};
constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};
constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};
constexpr FixpipeConfig CFG_COLUMN_MAJOR = {CO2Layout::COLUMN_MAJOR};

struct FixpipeParamsV220 {
  FixpipeParamsV220() {}
  FixpipeParamsV220(uint16_t n_size, uint16_t m_size, uint16_t src_stride, uint32_t dst_stride,
                    bool relu)
      : nSize(n_size), mSize(m_size), srcStride(src_stride), dstStride(dst_stride), reluEn(relu) {}
  FixpipeParamsV220(uint16_t n_size, uint16_t m_size, uint16_t src_stride, uint32_t dst_stride,
                    bool relu, QuantMode_t quant, int64_t deq_scalar, uint16_t nd_num,
                    uint16_t src_nd_stride, uint16_t dst_nd_stride, uint8_t unit_flag,
                    bool channel_split = false)
      : nSize(n_size),
        mSize(m_size),
        srcStride(src_stride),
        dstStride(dst_stride),
        quantPre(quant),
        deqScalar(static_cast<uint64_t>(deq_scalar)),
        ndNum(nd_num),
        srcNdStride(src_nd_stride),
        dstNdStride(dst_nd_stride),
        reluEn(relu),
        unitFlag(unit_flag),
        isChannelSplit(channel_split) {}

  uint16_t nSize = 0;
  uint16_t mSize = 0;
  uint16_t srcStride = 0;  // rows of 16 elements from one column group to the next
  uint32_t dstStride = 0;  // row-major: elements; NZ: blocks
  QuantMode_t quantPre = NoQuant;
  uint64_t deqScalar = 0;
  uint16_t ndNum = 1;
  uint16_t srcNdStride = 0;  // L0C fractals of 1024 bytes
  uint16_t dstNdStride = 0;  // elements
  bool reluEn = false;
  uint8_t unitFlag = 0;
  bool isChannelSplit = false;
};
using FixpipeParamsM300 = FixpipeParamsV220;
using FixpipeParamsM310 = FixpipeParamsV220;

struct QuantParams {
  QuantParams() {}
  QuantParams(QuantMode_t quant) : quantPre(quant) {}  // NOLINT: implicit as theirs
  QuantParams(QuantMode_t quant, uint64_t scalar) : quantPre(quant), deqScalar(scalar) {}
  QuantMode_t quantPre = NoQuant;
  uint64_t deqScalar = 0;
};

struct Nz2NdParams {
  Nz2NdParams() {}
  Nz2NdParams(bool enable, uint16_t nd_num, uint16_t src_nd_stride, uint16_t dst_nd_stride,
              uint16_t original_n)
      : nz2ndEn(enable),
        ndNum(nd_num),
        srcNdStride(src_nd_stride),
        dstNdStride(dst_nd_stride),
        originalNSize(original_n) {}
  bool nz2ndEn = false;
  uint16_t ndNum = 1;
  uint16_t srcNdStride = 0;
  uint16_t dstNdStride = 0;
  uint16_t originalNSize = 0;
};

/// The older record of Fixpipe, in bursts of 16 x 16 fractals.
template <typename T = int32_t>
struct FixpipeParams {
  FixpipeParams() {}
  FixpipeParams(uint16_t count, uint16_t len, uint16_t src_stride, uint32_t dst_stride)
      : cburstNum(count), burstLen(len), dstStride(dst_stride), srcStride(src_stride) {}

  uint16_t cburstNum = 1;  // column groups of 16
  uint16_t burstLen = 1;   // blocks of one column group in L0C (2 per row)
  uint32_t dstStride = 0;
  uint16_t srcStride = 0;
  QuantParams quantParams;
  bool reluEn = false;
  Nz2NdParams nz2ndParams;
  uint8_t unitFlag = 0;
};

struct DataCopyCO12DstParams {
  DataCopyCO12DstParams() {}
  DataCopyCO12DstParams(uint16_t n_size, uint16_t m_size, uint32_t dst_stride, uint16_t src_stride,
                        QuantMode_t quant, uint8_t relu, bool channel_split, bool nz2nd)
      : nSize(n_size),
        mSize(m_size),
        dstStride(dst_stride),
        srcStride(src_stride),
        quantPre(quant),
        reluPre(relu),
        channelSplit(channel_split),
        nz2ndEn(nz2nd) {}

  uint8_t sid = 0;
  uint16_t nSize = 0;
  uint16_t mSize = 0;
  uint32_t dstStride = 0;
  uint16_t srcStride = 0;
  uint8_t unitFlag = 0;
  uint8_t clipReluPre = 0;
  uint8_t eltWiseOp = 0;
  QuantMode_t quantPre = NoQuant;
  uint8_t reluPre = 0;  // 0 none, 1 relu
  bool channelSplit = false;
  bool nz2ndEn = false;
};

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_CUBE_PARAMS_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Fixpipe: L0C to GM or L1, with the layout, the type and the scale changed on the way; and
// DataCopy from L0C, which does the same with parameters from registers.
#ifndef HOSTNPU_ASCENDC_BASIC_FIXPIPE_H_
#define HOSTNPU_ASCENDC_BASIC_FIXPIPE_H_

#include "../detail/cube_registers.h"
#include "../detail/fixpipe_convert.h"
#include "cube_params.h"
#include "load_data.h"

namespace AscendC {
namespace internal {

/// One move out of L0C with everything resolved.
struct FixpipeMove {
  const char* api;
  const uint8_t* src;
  uint8_t* dst;
  HostnpuMemoryKind dst_kind;
  uint32_t dst_bytes;  // of an element
  uint32_t n, m;
  uint64_t src_group;  // bytes between column groups of 16
  uint64_t dst_step;   // row-major: bytes between rows; NZ: bytes between column groups of C0
  uint32_t matrices;
  uint64_t src_matrix, dst_matrix;  // bytes
  bool row_major;
  bool split;  // float NZ in columns of 8
  bool int_sums;
  QuantMode_t quant;
  ConvertContext context;
};

constexpr bool IsVectorQuant(QuantMode_t mode) {
  return mode == VDEQF16 || mode == VQF322B8_PRE || mode == VREQ8;
}
constexpr bool IsScalarQuant(QuantMode_t mode) {
  return mode == DEQF16 || mode == QF322B8_PRE || mode == REQ8;
}
constexpr const char* QuantName(QuantMode_t mode) {
  switch (mode) {
    case NoQuant:
      return "NoQuant";
    case F322F16:
      return "F322F16";
    case F322BF16:
      return "F322BF16";
    case VREQ8:
      return "VREQ8";
    case REQ8:
      return "REQ8";
    case VDEQF16:
      return "VDEQF16";
    case DEQF16:
      return "DEQF16";
    case VQF322B8_PRE:
      return "VQF322B8_PRE";
    case QF322B8_PRE:
      return "QF322B8_PRE";
  }
  return "unknown";
}

/// Whether the mode turns U accumulators into T.
template <typename T, typename U>
constexpr bool QuantFits(QuantMode_t mode) {
  constexpr bool kFloat = IsSameType<U, float>::value;
  constexpr bool kByte = IsSameType<T, int8_t>::value || IsSameType<T, uint8_t>::value;
  switch (mode) {
    case NoQuant:
      return IsSameType<T, U>::value;
    case F322F16:
      return kFloat && IsSameType<T, half>::value;
    case F322BF16:
      return kFloat && IsSameType<T, bfloat16_t>::value;
    case DEQF16:
    case VDEQF16:
      return !kFloat && IsSameType<T, half>::value;
    case QF322B8_PRE:
    case VQF322B8_PRE:
      return kFloat && kByte;
    case REQ8:
    case VREQ8:
      return !kFloat && kByte;
  }
  return false;
}

inline ConvertFunction ConverterOf(const FixpipeMove& move) {
  switch (move.quant) {
    case NoQuant:
      if (!move.context.relu) return &ConvertRows<Conversion::kCopy>;
      return move.int_sums ? &ReluRows<false> : &ReluRows<true>;
    case F322F16:
      return &ConvertRows<Conversion::kFloatToHalf>;
    case F322BF16:
      return &ConvertRows<Conversion::kFloatToBfloat16>;
    case QF322B8_PRE:
    case VQF322B8_PRE:
      return &ConvertRows<Conversion::kFloatToByte>;
    case DEQF16:
    case VDEQF16:
      return &ConvertRows<Conversion::kIntToHalf>;
    default:
      return &ConvertRows<Conversion::kIntToByte>;
  }
}

/// Writes `bytes` where they belong: GM may be in atomic mode.
HOSTNPU_INLINE void WriteOut(const FixpipeMove& move, uint8_t* to, const uint8_t* from,
                             uint64_t bytes) {
  if (move.dst_kind == HOSTNPU_MEMORY_GM) {
    WriteGm(to, from, bytes);
  } else {
    __builtin_memcpy(to, from, bytes);
  }
}

HOSTNPU_SHARED void MoveRowMajor(const FixpipeMove& move, ConvertFunction convert) {
  const bool direct = move.dst_kind != HOSTNPU_MEMORY_GM || Regs().atomic_combine == nullptr;
  const uint32_t width = 16 * move.dst_bytes;
  alignas(64) uint8_t piece[8 * 64];
  for (uint32_t i = 0; i < move.matrices; ++i) {
    const uint8_t* src = move.src + i * move.src_matrix;
    uint8_t* dst = move.dst + i * move.dst_matrix;
    for (uint32_t m = 0; m < move.m; m += 8) {
      const uint32_t rows = move.m - m < 8 ? move.m - m : 8;
      for (uint32_t n = 0; n < move.n; n += 16) {
        const uint8_t* from = src + n / 16 * move.src_group + m * 64ull;
        uint8_t* to = dst + m * move.dst_step + static_cast<uint64_t>(n) * move.dst_bytes;
        if (HOSTNPU_LIKELY(direct && n + 16 <= move.n)) {
          convert(from, to, rows, move.dst_step, n, move.context);
          continue;
        }
        convert(from, piece, rows, width, n, move.context);
        const uint64_t bytes =
            n + 16 <= move.n ? width : static_cast<uint64_t>(move.n - n) * move.dst_bytes;
        for (uint32_t r = 0; r < rows; ++r)
          WriteOut(move, to + r * move.dst_step, piece + r * width, bytes);
      }
    }
  }
}

/// NZ to NZ. Columns of the result are 16 elements wide: 32 for 8-bit types, which take two groups,
/// and 8 for a split float.
HOSTNPU_SHARED void MoveFractals(const FixpipeMove& move, ConvertFunction convert) {
  alignas(64) uint8_t piece[8 * 64];
  const uint32_t width = 16 * move.dst_bytes;
  const uint32_t column = move.split ? 8 : move.dst_bytes == 1 ? 32 : 16;
  const uint64_t row_bytes = static_cast<uint64_t>(column) * move.dst_bytes;
  for (uint32_t n = 0; n < move.n; n += 16) {
    const uint32_t count = move.n - n < 16 ? move.n - n : 16;
    for (uint32_t m = 0; m < move.m; m += 8) {
      const uint32_t rows = move.m - m < 8 ? move.m - m : 8;
      const uint8_t* from = move.src + n / 16 * move.src_group + m * 64ull;
      convert(from, piece, rows, width, n, move.context);
      for (uint32_t part = 0; part < count; part += column) {
        const uint32_t at = n + part;
        const uint32_t elements = column < 16 ? column : 16;
        uint64_t row_step = row_bytes;
        // A last odd group of 16 bytes-wide columns is not merged with anything.
        if (column == 32 && at / 32 * 32 + 16 >= move.n) row_step = 16;
        uint8_t* to =
            move.dst + at / column * move.dst_step + m * row_step + at % column * move.dst_bytes;
        for (uint32_t r = 0; r < rows; ++r) {
          WriteOut(move, to + r * row_step, piece + r * width + part * move.dst_bytes,
                   elements * move.dst_bytes);
        }
      }
    }
  }
}

/// Checks both ends and moves.
HOSTNPU_SHARED void RunFixpipe(const FixpipeMove& move) {
  const char* api = move.api;
  CheckField(api, "nSize", move.n, 4095);
  if (move.row_major) CheckField(api, "mSize", move.m, 8192);
  if (move.n == 0 || move.m == 0 || move.matrices == 0) return;
  const uint64_t groups = CeilDiv(move.n, 16);
  CheckOperand(
      api, "src", HOSTNPU_MEMORY_L0C, move.src,
      (move.matrices - 1) * move.src_matrix + (groups - 1) * move.src_group + move.m * 64ull, 64);
  uint64_t bytes;
  if (move.row_major) {
    bytes = (move.matrices - 1) * move.dst_matrix + (move.m - 1) * move.dst_step +
            static_cast<uint64_t>(move.n) * move.dst_bytes;
  } else {
    const uint32_t grain = move.split ? 8 : 16;
    if (HOSTNPU_UNLIKELY(move.n % grain != 0)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                    "has nSize = %u in NZ, which is not a multiple of %u", move.n, grain);
    }
    const uint32_t column = move.split ? 8 : move.dst_bytes == 1 ? 32 : 16;
    const uint64_t last = CeilDiv(move.n, column) - 1;
    const uint64_t width = column == 32 && move.n % 32 != 0 ? 16 : column * move.dst_bytes;
    bytes = last * move.dst_step + move.m * width;
  }
  if (move.dst_kind == HOSTNPU_MEMORY_GM) {
    CheckGm(api, move.dst, bytes, HOSTNPU_GM_WRITE);
  } else {
    CheckOperand(api, "dst", move.dst_kind, move.dst, bytes, 32);
  }
  const ConvertFunction convert = ConverterOf(move);
  if (move.row_major) {
    MoveRowMajor(move, convert);
  } else {
    MoveFractals(move, convert);
  }
}

template <typename T, typename U>
HOSTNPU_INLINE void CheckFixpipe(const char* api, const LocalTensor<U>& src, QuantMode_t quant,
                                 uint8_t unit_flag) {
  CheckPosition(api, "src", src, HOSTNPU_MEMORY_L0C);
  CheckField(api, "unitFlag", unit_flag, 3);
  if (HOSTNPU_UNLIKELY(!(QuantFits<PrimT<T>, PrimT<U>>(quant)))) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                  "has quantPre = %s (%d) from %s to %s, which that mode does not convert",
                  QuantName(quant), (int)quant, TypeName<U>(), TypeName<T>());
  }
}

/// The quantisation words of a move; null where the mode takes none.
HOSTNPU_SHARED const uint64_t* QuantVectorIn(const char* api, const LocalTensor<uint64_t>& tensor,
                                             uint32_t n) {
  if (tensor.Memory() != HOSTNPU_MEMORY_L1 && tensor.Memory() != HOSTNPU_MEMORY_FB) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                  "has its quant vector in %s (TPosition %d); it must be in L1 (C1)",
                  MemoryName(tensor.Memory()), (int)tensor.GetPosition());
  }
  CheckOperand(api, "quant vector", tensor.Memory(), tensor.address_.absAddr,
               static_cast<uint64_t>(n) * 8, 32);
  constexpr uint64_t kScaleBytes = 2048;  // the first of the four parts of the fixpipe buffer
  if (n * 8ull > kScaleBytes) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_BOUNDS, api,
                  "needs %llu bytes of FB for the scales of %u columns; FB has %llu for them",
                  (unsigned long long)n * 8, n, (unsigned long long)kScaleBytes);
  }
  if (tensor.Memory() == HOSTNPU_MEMORY_FB)
    return reinterpret_cast<const uint64_t*>(tensor.address_.absAddr);
  // As on the device the scales go to FB first: the move may write where they lie in L1.
  uint8_t* table = ThisCore().memory[HOSTNPU_MEMORY_FB].base;
  __builtin_memcpy(table, tensor.address_.absAddr, n * 8ull);
  return reinterpret_cast<const uint64_t*>(table);
}

HOSTNPU_INLINE void CheckScale(const char* api, QuantMode_t quant, const uint64_t& word) {
  if (HOSTNPU_UNLIKELY((word & 0x7FFFE000u) == 0)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                  "has quantPre = %s and no scale: deqScalar = 0x%llx, whose float part is 0",
                  QuantName(quant), (unsigned long long)word);
  }
}

/// What both parameter records say of a move; row-major strides count elements, fractal ones
/// blocks.
template <typename T, typename U, typename Params>
HOSTNPU_INLINE FixpipeMove DescribeMove(const char* api, HostnpuMemoryKind kind, uint8_t* dst,
                                        const LocalTensor<U>& src, const Params& p, bool row_major,
                                        bool relu, const uint64_t* words) {
  FixpipeMove move = {};
  move.api = api;
  move.src = src.address_.absAddr;
  move.dst = dst;
  move.dst_kind = kind;
  move.dst_bytes = sizeof(PrimT<T>);
  move.n = p.nSize;
  move.m = p.mSize;
  move.src_group = p.srcStride * 64ull;
  move.row_major = row_major;
  move.dst_step = p.dstStride * (row_major ? static_cast<uint64_t>(sizeof(PrimT<T>)) : 32ull);
  move.int_sums = IsSameType<PrimT<U>, int32_t>::value;
  move.quant = p.quantPre;
  move.context = {words, IsVectorQuant(p.quantPre) ? 1u : 0u, relu,
                  (Regs().control >> 48 & 1) == 0};
  return move;
}

template <typename T, typename U, CO2Layout format>
inline void FixpipeTo(HostnpuMemoryKind kind, uint8_t* dst, const LocalTensor<U>& src,
                      const uint64_t* words, const FixpipeParamsV220& p) {
  constexpr const char* kApi = "Fixpipe";
  static_assert(format != CO2Layout::COLUMN_MAJOR,
                "Fixpipe writes column-major matrices on Ascend 950 only");
  CheckFixpipe<T, U>(kApi, src, p.quantPre, p.unitFlag);
  if (IsVectorQuant(p.quantPre) && words == nullptr) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "has quantPre = %s and no scales; that mode takes them as the third argument "
                  "(cbufWorkspace)",
                  QuantName(p.quantPre));
  }
  const uint64_t scalar = p.deqScalar;
  if (IsScalarQuant(p.quantPre)) {
    CheckScale(kApi, p.quantPre, scalar);
    words = &scalar;
  }
  if (p.isChannelSplit && (format != CO2Layout::NZ || !IsSameType<PrimT<T>, float>::value ||
                           kind != HOSTNPU_MEMORY_GM)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "has isChannelSplit, which is for float in NZ to GM only");
  }
  FixpipeMove move =
      DescribeMove<T>(kApi, kind, dst, src, p, format == CO2Layout::ROW_MAJOR, p.reluEn, words);
  move.matrices = move.row_major ? p.ndNum : 1;
  move.src_matrix = p.srcNdStride * 1024ull;
  move.dst_matrix = p.dstNdStride * static_cast<uint64_t>(sizeof(PrimT<T>));
  move.split = p.isChannelSplit;
  RunFixpipe(move);
}

template <CO2Layout format>
HOSTNPU_INLINE void CheckL1Destination(HostnpuMemoryKind kind) {
  if (HOSTNPU_UNLIKELY(kind != HOSTNPU_MEMORY_L1)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "Fixpipe",
                  "has its dst in %s; on this chip it writes GM and L1", MemoryName(kind));
  }
  if (HOSTNPU_UNLIKELY(format != CO2Layout::NZ)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "Fixpipe",
                  "writes row-major (CFG_ROW_MAJOR) to L1, which takes NZ only: use CFG_NZ");
  }
}

}  // namespace internal

/// L0C to GM. Writes are atomic after SetAtomicAdd and its kin.
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
inline void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
                    const FixpipeParamsV220& params) {
  if (!internal::OnCubeCore()) return;
  internal::FixpipeTo<T, U, config.format>(
      HOSTNPU_MEMORY_GM, reinterpret_cast<uint8_t*>(dst.address_), src, nullptr, params);
}
/// L0C to GM with one quantisation word per column, in L1.
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR,
          typename S = uint64_t>
inline void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
                    const LocalTensor<S>& cbufWorkspace, const FixpipeParamsV220& params) {
  static_assert(IsSameType<PrimT<S>, uint64_t>::value, "Fixpipe takes quant vectors of uint64_t");
  if (!internal::OnCubeCore()) return;
  const uint64_t* words = internal::IsVectorQuant(params.quantPre)
                              ? internal::QuantVectorIn("Fixpipe", cbufWorkspace, params.nSize)
                              : nullptr;
  internal::FixpipeTo<T, U, config.format>(
      HOSTNPU_MEMORY_GM, reinterpret_cast<uint8_t*>(dst.address_), src, words, params);
}
/// L0C to L1, in NZ.
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
inline void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                    const FixpipeParamsV220& params) {
  if (!internal::OnCubeCore()) return;
  internal::CheckL1Destination<config.format>(dst.Memory());
  internal::FixpipeTo<T, U, config.format == CO2Layout::NZ ? CO2Layout::NZ : CO2Layout::ROW_MAJOR>(
      HOSTNPU_MEMORY_L1, dst.address_.absAddr, src, nullptr, params);
}
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR,
          typename S = uint64_t>
inline void Fixpipe(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                    const LocalTensor<S>& cbufWorkspace, const FixpipeParamsV220& params) {
  static_assert(IsSameType<PrimT<S>, uint64_t>::value, "Fixpipe takes quant vectors of uint64_t");
  if (!internal::OnCubeCore()) return;
  internal::CheckL1Destination<config.format>(dst.Memory());
  const uint64_t* words = internal::IsVectorQuant(params.quantPre)
                              ? internal::QuantVectorIn("Fixpipe", cbufWorkspace, params.nSize)
                              : nullptr;
  internal::FixpipeTo<T, U, config.format == CO2Layout::NZ ? CO2Layout::NZ : CO2Layout::ROW_MAJOR>(
      HOSTNPU_MEMORY_L1, dst.address_.absAddr, src, words, params);
}

/// Where DataCopy from L0C finds its quantisation words: a tensor in the fixpipe buffer.
template <typename T>
inline void SetFixPipeConfig(const LocalTensor<T>&, const LocalTensor<T>& quantPre, bool = false) {
  if (!internal::OnCubeCore()) return;
  internal::CheckPosition("SetFixPipeConfig", "quantPre", quantPre, HOSTNPU_MEMORY_FB);
  internal::CheckAligned("SetFixPipeConfig", "quantPre", HOSTNPU_MEMORY_FB,
                         quantPre.address_.absAddr, 128);
  internal::CubeRegs().quant_vector_is_set = 1;
  internal::CubeRegs().quant_vector_offset = static_cast<uint16_t>(quantPre.address_.bufferAddr);
}
/// One tensor: quantisation words in the fixpipe buffer; or, in L0C, only the reset of unit flags.
template <typename T, bool setRelu = false>
inline void SetFixPipeConfig(const LocalTensor<T>& preData, bool isUnitFlag = false) {
  if (!internal::OnCubeCore()) return;
  if (preData.Memory() == HOSTNPU_MEMORY_L0C) return;
  if (setRelu) {
    internal::UnsupportedFault("SetFixPipeConfig",
                               "with setRelu sets a relu vector, which this chip does not have");
  }
  SetFixPipeConfig(preData, preData, isUnitFlag);
}
/// Number and strides of the matrices that a row-major DataCopy from L0C writes.
inline void SetFixpipeNz2ndFlag(uint16_t ndNum, uint16_t srcNdStride, uint16_t dstNdStride) {
  internal::CubeRegisters& registers = internal::CubeRegs();
  registers.nz2nd_is_set = 1;
  registers.nd_num = ndNum;
  registers.src_nd_stride = srcNdStride;
  registers.dst_nd_stride = dstNdStride;
}
/// The one quantisation word of the scalar modes of DataCopy from L0C.
inline void SetFixpipePreQuantFlag(uint64_t config) {
  internal::CubeRegs().quant_scalar_is_set = 1;
  internal::CubeRegs().quant_scalar = config;
}
inline void SetFixPipeClipRelu(uint64_t) {
  internal::UnsupportedFault("SetFixPipeClipRelu", "does not exist on this chip");
}
template <typename T>
inline void SetFixPipeAddr(const LocalTensor<T>&, uint16_t) {
  internal::UnsupportedFault("SetFixPipeAddr", "does not exist on this chip");
}

namespace internal {

template <typename T, typename U>
inline void CopyFromL0c(HostnpuMemoryKind kind, uint8_t* dst, const LocalTensor<U>& src,
                        const DataCopyCO12DstParams& p) {
  constexpr const char* kApi = "DataCopy";
  const CubeRegisters& registers = CubeRegs();
  CheckFixpipe<T, U>(kApi, src, p.quantPre, p.unitFlag);
  CheckField(kApi, "reluPre", p.reluPre, 1);
  const uint64_t* words = nullptr;
  if (IsScalarQuant(p.quantPre)) {
    if (!registers.quant_scalar_is_set) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                    "has quantPre = %s and no scale; SetFixpipePreQuantFlag sets it",
                    QuantName(p.quantPre));
    }
    words = &registers.quant_scalar;
    CheckScale(kApi, p.quantPre, *words);
  } else if (IsVectorQuant(p.quantPre)) {
    if (!registers.quant_vector_is_set) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                    "has quantPre = %s and no scales; SetFixPipeConfig says where they are",
                    QuantName(p.quantPre));
    }
    const uint8_t* at = ThisCore().memory[HOSTNPU_MEMORY_FB].base + registers.quant_vector_offset;
    CheckOperand(kApi, "quant vector", HOSTNPU_MEMORY_FB, at, p.nSize * 8ull, 128);
    words = reinterpret_cast<const uint64_t*>(at);
  }
  FixpipeMove move = DescribeMove<T>(kApi, kind, dst, src, p, p.nz2ndEn, p.reluPre == 1, words);
  move.matrices = p.nz2ndEn && registers.nz2nd_is_set ? registers.nd_num : 1;
  move.src_matrix = registers.src_nd_stride * 1024ull;
  move.dst_matrix = registers.dst_nd_stride * static_cast<uint64_t>(sizeof(PrimT<T>));
  move.split = p.channelSplit;
  RunFixpipe(move);
}

}  // namespace internal

/// L0C to GM with parameters from the SetFixpipe registers.
template <typename T, typename U>
inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<U>& src,
                     const DataCopyCO12DstParams& params) {
  if (!internal::OnCubeCore()) return;
  internal::CopyFromL0c<T>(HOSTNPU_MEMORY_GM, reinterpret_cast<uint8_t*>(dst.address_), src,
                           params);
}
/// L0C to L1.
template <typename T, typename U>
inline void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                     const DataCopyCO12DstParams& params) {
  if (!internal::OnCubeCore()) return;
  if (params.nz2ndEn) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "DataCopy",
                  "has nz2ndEn and its dst in %s; L1 takes NZ only",
                  internal::MemoryName(dst.Memory()));
  }
  internal::CheckPosition("DataCopy", "dst", dst, HOSTNPU_MEMORY_L1);
  internal::CopyFromL0c<T>(HOSTNPU_MEMORY_L1, dst.address_.absAddr, src, params);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_FIXPIPE_H_

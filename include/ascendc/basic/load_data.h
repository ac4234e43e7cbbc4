// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// LoadData in its two-dimensional forms: whole fractals of 512 bytes from L1 (or GM) to L0A and
// L0B, as they are or transposed; fills of L0 and L1; the sparse load. Image to column is in
// load_data_3d.h.
#ifndef HOSTNPU_ASCENDC_BASIC_LOAD_DATA_H_
#define HOSTNPU_ASCENDC_BASIC_LOAD_DATA_H_

#include "../detail/cube_registers.h"
#include "../detail/gemm_kernel.h"
#include "cube_params.h"

namespace AscendC {
namespace internal {

HOSTNPU_FAULT_FUNCTION inline void UnsupportedFault(const char* api, const char* why) {
  HOSTNPU_FAULT(HOSTNPU_FAULT_UNSUPPORTED, api, "%s", why);
}

/// A destination of LoadData from L1 is L0A or L0B.
template <typename T>
HOSTNPU_INLINE void CheckL0(const char* api, const LocalTensor<T>& dst) {
  const HostnpuMemoryKind kind = dst.Memory();
  if (HOSTNPU_LIKELY(kind == HOSTNPU_MEMORY_L0A || kind == HOSTNPU_MEMORY_L0B)) return;
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                "has its dst in %s (TPosition %d); it must be in L0A or L0B", MemoryName(kind),
                (int)dst.GetPosition());
}

/// Fractals i of [0, repeats) from src + i * src_step to dst + i * dst_step (bytes). `src_step` may
/// be negative.
HOSTNPU_SHARED void LoadFractals(HostnpuMemoryKind dst_kind, uint8_t* dst, uint64_t dst_step,
                                 HostnpuMemoryKind src_kind, const uint8_t* src, int64_t src_step,
                                 uint32_t repeats, bool transpose) {
  constexpr const char* kApi = "LoadData";
  const uint64_t reach = static_cast<uint64_t>(repeats - 1);
  const uint8_t* lowest = src_step < 0 ? src + src_step * static_cast<int64_t>(reach) : src;
  const uint64_t span = reach * static_cast<uint64_t>(src_step < 0 ? -src_step : src_step);
  if (src_kind == HOSTNPU_MEMORY_GM) {
    CheckGm(kApi, lowest, span + kFractalBytes, HOSTNPU_GM_READ);
  } else {
    CheckOperand(kApi, "src", src_kind, lowest, span + kFractalBytes, 32);
  }
  CheckOperand(kApi, "dst", dst_kind, dst, reach * dst_step + kFractalBytes,
               dst_kind == HOSTNPU_MEMORY_L1 ? 32 : kFractalBytes);
  if (dst_step == kFractalBytes) {
    NoteLoaded(dst_kind, dst, repeats);
  } else {
    for (uint32_t i = 0; i < repeats; ++i) NoteLoaded(dst_kind, dst + i * dst_step, 1);
  }
  if (transpose) {
    for (uint32_t i = 0; i < repeats; ++i)
      gemm::Transpose16x16(src + i * src_step, 32, dst + i * dst_step, 32);
  } else if (src_step == kFractalBytes && dst_step == kFractalBytes) {
    __builtin_memcpy(dst, src, static_cast<uint64_t>(repeats) * kFractalBytes);
  } else {
    for (uint32_t i = 0; i < repeats; ++i)
      __builtin_memcpy(dst + i * dst_step, src + i * src_step, kFractalBytes);
  }
}

inline void Load2d(HostnpuMemoryKind dst_kind, uint8_t* dst, HostnpuMemoryKind src_kind,
                   const uint8_t* src, const LoadData2DParams& p, uint32_t element_bits) {
  CheckRepeatTime("LoadData", p.repeatTimes);
  if (p.repeatTimes == 0) return;
  if (HOSTNPU_UNLIKELY(p.ifTranspose && (element_bits != 16 || src_kind != HOSTNPU_MEMORY_L1))) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "LoadData",
                  "has ifTranspose for %u-bit elements from %s; it transposes 16-bit elements from "
                  "L1 only. LoadDataWithTranspose takes the other types",
                  element_bits, MemoryName(src_kind));
  }
  const int64_t step = static_cast<int64_t>(p.srcStride) * kFractalBytes;
  LoadFractals(dst_kind, dst, (static_cast<uint64_t>(p.dstGap) + 1) * kFractalBytes, src_kind,
               src + static_cast<uint64_t>(p.startIndex) * kFractalBytes,
               p.addrMode == 0 ? step : -step, static_cast<uint32_t>(p.repeatTimes), p.ifTranspose);
}

/// mStep x kStep fractals of an NZ matrix; a transposed load also swaps the two directions.
HOSTNPU_SHARED void Load2dV2(HostnpuMemoryKind dst_kind, uint8_t* dst, HostnpuMemoryKind src_kind,
                             const uint8_t* src, const LoadData2DParamsV2& p,
                             uint32_t element_bits) {
  if (p.mStep == 0 || p.kStep == 0) return;
  CheckField("LoadData", "mStep", p.mStep, 255);
  CheckField("LoadData", "kStep", p.kStep, 255);
  if (HOSTNPU_UNLIKELY(p.ifTranspose && element_bits != 16)) {
    UnsupportedFault("LoadData",
                     "with LoadData2DParamsV2 transposes 16-bit elements only on this chip; "
                     "LoadDataWithTranspose takes the other types");
  }
  const int64_t src_stride = static_cast<int64_t>(p.srcStride) * kFractalBytes;
  const int64_t start_stride = src_stride < 0 ? -src_stride : src_stride;
  src += static_cast<int64_t>(p.kStartPosition) * start_stride +
         static_cast<int64_t>(p.mStartPosition) * kFractalBytes;
  const uint64_t dst_stride = static_cast<uint64_t>(p.dstStride) * kFractalBytes;
  for (uint32_t k = 0; k < p.kStep; ++k) {
    uint8_t* to = dst + (p.ifTranspose ? k * static_cast<uint64_t>(kFractalBytes) : k * dst_stride);
    LoadFractals(dst_kind, to, p.ifTranspose ? dst_stride : kFractalBytes, src_kind,
                 src + k * src_stride, kFractalBytes, p.mStep, p.ifTranspose);
  }
}

/// A square of `fractals` consecutive fractals, transposed: 16-bit 16 x 16, 8-bit 32 x 32, 4-bit
/// 64 x 64, 32-bit 16 x 16. The fractals of the result are dst_step bytes apart.
HOSTNPU_SHARED void TransposeSquare(const uint8_t* src, uint8_t* dst, uint64_t dst_step,
                                    uint32_t element_bits) {
  if (element_bits == 16) {
    gemm::Transpose16x16(src, 32, dst, 32);
  } else if (element_bits == 8) {
    for (uint32_t column = 0; column < 32; ++column) {
      uint8_t* row = dst + column / 16 * dst_step + column % 16 * 32;
      for (uint32_t i = 0; i < 32; ++i) row[i] = src[i * 32 + column];
    }
  } else if (element_bits == 32) {
    const auto* from = reinterpret_cast<const uint32_t*>(src);
    for (uint32_t column = 0; column < 16; ++column) {
      for (uint32_t row = 0; row < 16; ++row) {
        const uint32_t value = from[column / 8 * 128 + row * 8 + column % 8];
        auto* to = reinterpret_cast<uint32_t*>(dst + row / 8 * dst_step);
        to[column * 8 + row % 8] = value;
      }
    }
  } else {
    for (uint32_t column = 0; column < 64; ++column) {
      uint8_t* row = dst + column / 16 * dst_step + column % 16 * 32;
      for (uint32_t i = 0; i < 64; i += 2) {
        const uint8_t low = src[i * 32 + column / 2] >> (column % 2 * 4) & 15;
        const uint8_t high = src[(i + 1) * 32 + column / 2] >> (column % 2 * 4) & 15;
        row[i / 2] = static_cast<uint8_t>(low | high << 4);
      }
    }
  }
}

HOSTNPU_SHARED void LoadTransposed(HostnpuMemoryKind dst_kind, uint8_t* dst, const uint8_t* src,
                                   const LoadData2dTransposeParams& p, uint32_t element_bits) {
  constexpr const char* kApi = "LoadDataWithTranspose";
  CheckRepeatTime(kApi, p.repeatTimes);
  if (p.repeatTimes == 0) return;
  const uint32_t fractals = element_bits == 16 ? 1 : element_bits == 4 ? 4 : 2;
  const uint64_t square = static_cast<uint64_t>(fractals) * kFractalBytes;
  const int64_t step = static_cast<int64_t>(p.srcStride * square) * (p.addrMode == 0 ? 1 : -1);
  const uint64_t dst_step = (static_cast<uint64_t>(p.dstGap) + 1) * kFractalBytes;
  const uint64_t fractal_step =
      fractals == 1 ? 0 : (static_cast<uint64_t>(p.dstFracGap) + 1) * kFractalBytes;
  const uint64_t reach = static_cast<uint64_t>(p.repeatTimes) - 1;
  src += p.startIndex * square;
  const uint8_t* lowest = step < 0 ? src + step * static_cast<int64_t>(reach) : src;
  CheckOperand(kApi, "src", HOSTNPU_MEMORY_L1, lowest,
               reach * static_cast<uint64_t>(step < 0 ? -step : step) + square, 32);
  CheckOperand(kApi, "dst", dst_kind, dst,
               reach * dst_step + (fractals - 1) * fractal_step + kFractalBytes, kFractalBytes);
  for (uint32_t i = 0; i <= reach; ++i) {
    uint8_t* to = dst + i * dst_step;
    TransposeSquare(src + i * step, to, fractal_step, element_bits);
    for (uint32_t j = 0; j < fractals; ++j) NoteLoaded(dst_kind, to + j * fractal_step, 1);
  }
}

/// The index memory of sparse loads: a quarter of L0B's size, right behind it.
HOSTNPU_INLINE uint8_t* SparseIndexOf(const uint8_t* l0b) {
  const HostnpuLocalMemory& memory = ThisCore().memory[HOSTNPU_MEMORY_L0B];
  return memory.base + memory.size_bytes + (l0b - memory.base) / 4;
}

/// Fills repeats x blocks of `block` bytes with a pattern of `width` bytes.
HOSTNPU_SHARED void FillBlocks(const char* api, HostnpuMemoryKind kind, uint8_t* dst,
                               uint32_t repeats, uint32_t blocks, uint32_t gap, const void* pattern,
                               uint32_t width) {
  CheckField(api, "repeatTimes", repeats, 32767);
  CheckField(api, "blockNum", blocks, 32767);
  CheckField(api, "dstGap", gap, 32767);
  if (repeats == 0 || blocks == 0) return;
  const uint64_t block = kind == HOSTNPU_MEMORY_L1 ? 32 : kFractalBytes;
  const uint64_t bytes = blocks * block;
  const uint64_t step = bytes + gap * block;
  CheckOperand(api, "dst", kind, dst, (repeats - 1) * step + bytes, static_cast<uint32_t>(block));
  uint32_t word = 0;
  __builtin_memcpy(&word, pattern, width);
  if (width == 2) word |= word << 16;
  for (uint32_t r = 0; r < repeats; ++r) {
    uint8_t* to = dst + r * step;
    for (uint64_t i = 0; i < bytes; i += 4) __builtin_memcpy(to + i, &word, 4);
    NoteLoaded(kind, to, blocks);
  }
}

}  // namespace internal

/// Copies fractals from L1 to L0A or L0B. Does nothing on a vector core, as all of this file.
template <typename T>
inline void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                     const LoadData2DParams& params) {
  if (!internal::OnCubeCore()) return;
  internal::CheckL0("LoadData", dst);
  internal::CheckPosition("LoadData", "src", src, HOSTNPU_MEMORY_L1);
  internal::Load2d(dst.Memory(), dst.address_.absAddr, HOSTNPU_MEMORY_L1, src.address_.absAddr,
                   params, SizeOfBits<PrimT<T>>::value);
}
/// Copies fractals from GM to L1, L0A or L0B.
template <typename T>
inline void LoadData(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                     const LoadData2DParams& params) {
  if (!internal::OnCubeCore()) return;
  if (dst.Memory() != HOSTNPU_MEMORY_L1) internal::CheckL0("LoadData", dst);
  internal::Load2d(dst.Memory(), dst.address_.absAddr, HOSTNPU_MEMORY_GM,
                   reinterpret_cast<const uint8_t*>(src.address_), params,
                   SizeOfBits<PrimT<T>>::value);
}
/// Copies mStep x kStep fractals of an NZ matrix.
template <typename T>
inline void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                     const LoadData2DParamsV2& params) {
  if (!internal::OnCubeCore()) return;
  internal::CheckL0("LoadData", dst);
  internal::CheckPosition("LoadData", "src", src, HOSTNPU_MEMORY_L1);
  internal::Load2dV2(dst.Memory(), dst.address_.absAddr, HOSTNPU_MEMORY_L1, src.address_.absAddr,
                     params, SizeOfBits<PrimT<T>>::value);
}
template <typename T>
inline void LoadData(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                     const LoadData2DParamsV2& params) {
  if (!internal::OnCubeCore()) return;
  if (dst.Memory() != HOSTNPU_MEMORY_L1) internal::CheckL0("LoadData", dst);
  if (params.ifTranspose)
    internal::UnsupportedFault("LoadData", "cannot transpose on its way from GM");
  internal::Load2dV2(dst.Memory(), dst.address_.absAddr, HOSTNPU_MEMORY_GM,
                     reinterpret_cast<const uint8_t*>(src.address_), params,
                     SizeOfBits<PrimT<T>>::value);
}

/// Transposes squares of fractals on their way from L1 to L0A or L0B.
template <typename T>
inline void LoadDataWithTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                  const LoadData2dTransposeParams& params) {
  if (!internal::OnCubeCore()) return;
  constexpr uint32_t kBits = SizeOfBits<PrimT<T>>::value;
  static_assert(kBits == 4 || kBits == 8 || kBits == 16 || kBits == 32,
                "LoadDataWithTranspose takes 4, 8, 16 and 32-bit types");
  internal::CheckL0("LoadDataWithTranspose", dst);
  internal::CheckPosition("LoadDataWithTranspose", "src", src, HOSTNPU_MEMORY_L1);
  if (kBits == 4 && dst.Memory() != HOSTNPU_MEMORY_L0B) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "LoadDataWithTranspose",
                  "has int4b_t and its dst in L0A; int4b_t goes to L0B only");
  }
  internal::LoadTransposed(dst.Memory(), dst.address_.absAddr, src.address_.absAddr, params, kBits);
}
template <typename T>
inline void LoadDataWithTranspose(const LocalTensor<T>&, const LocalTensor<T>&,
                                  const LoadData2dTransposeParamsV2&) {
  if (!internal::OnCubeCore()) return;
  internal::UnsupportedFault("LoadDataWithTranspose",
                             "takes LoadData2dTransposeParamsV2 on Ascend 950 only; "
                             "LoadData2dTransposeParams works on this chip");
}

/// Loads dense fractals of a 4:2 sparse B to L0B and their index matrix to the index memory.
template <typename T = int8_t, typename U = uint8_t>
inline void LoadDataWithSparse(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                               const LocalTensor<U>& idx, const LoadData2dParams& params) {
  constexpr const char* kApi = "LoadDataWithSparse";
  static_assert(IsSameType<PrimT<T>, int8_t>::value && IsSameType<PrimT<U>, uint8_t>::value,
                "LoadDataWithSparse takes int8_t data and a uint8_t index");
  internal::CheckRepeatTime(kApi, params.repeatTimes);
  if (!internal::OnCubeCore() || params.repeatTimes == 0) return;
  internal::CheckPosition(kApi, "dst", dst, HOSTNPU_MEMORY_L0B);
  internal::CheckPosition(kApi, "src", src, HOSTNPU_MEMORY_L1);
  internal::CheckPosition(kApi, "idx", idx, HOSTNPU_MEMORY_L1);
  const uint64_t bytes = static_cast<uint64_t>(params.repeatTimes) * internal::kFractalBytes;
  uint8_t* to = dst.address_.absAddr;
  const uint8_t* from =
      src.address_.absAddr + static_cast<uint64_t>(params.startIndex) * internal::kFractalBytes;
  const uint8_t* index = idx.address_.absAddr + static_cast<uint64_t>(params.startIndex) * 128;
  internal::CheckOperand(kApi, "dst", HOSTNPU_MEMORY_L0B, to, bytes, 512);
  internal::CheckOperand(kApi, "src", HOSTNPU_MEMORY_L1, from, bytes, 32);
  internal::CheckOperand(kApi, "idx", HOSTNPU_MEMORY_L1, index, bytes / 4, 32);
  __builtin_memcpy(to, from, bytes);
  internal::NoteLoaded(HOSTNPU_MEMORY_L0B, to, bytes / internal::kFractalBytes);
  __builtin_memcpy(internal::SparseIndexOf(to), index, bytes / 4);
}

namespace internal {
template <typename T, typename U>
inline void FillTensor(const char* api, const LocalTensor<T>& dst,
                       const InitConstValueParams<U>& params) {
  static_assert(sizeof(U) == 2 || sizeof(U) == 4, "Fill takes 16-bit and 32-bit types");
  if (!OnCubeCore()) return;
  if (dst.Memory() != HOSTNPU_MEMORY_L1) CheckL0(api, dst);
  FillBlocks(api, dst.Memory(), dst.address_.absAddr, params.repeatTimes, params.blockNum,
             params.dstGap, &params.initValue, sizeof(U));
}
}  // namespace internal

/// Fills blocks of L0A, L0B (512 bytes) or L1 (32 bytes) with one value.
template <typename T, typename U = PrimT<T>>
inline void Fill(const LocalTensor<T>& dst, const InitConstValueParams<U>& params) {
  internal::FillTensor("Fill", dst, params);
}
/// The same under its older name.
template <typename T, typename U = PrimT<T>>
inline void InitConstValue(const LocalTensor<T>& dst, const InitConstValueParams<U>& params) {
  internal::FillTensor("InitConstValue", dst, params);
}

/// UB to L0C exists on Ascend 310P only: the cube and the vector core of this architecture share no
/// memory but GM.
template <typename T, typename U>
inline void BroadCastVecToMM(const LocalTensor<T>&, const LocalTensor<U>&, int32_t, uint8_t,
                             uint8_t, uint8_t) {
  internal::UnsupportedFault("BroadCastVecToMM",
                             "does not exist on this chip, only on Ascend 310P: a bias comes "
                             "through the bias table (C2) or as the sums that Mmad starts from");
}

/// Compressed weights: no chip of this architecture reads them.
template <typename T>
inline void LoadDataUnzip(const LocalTensor<T>&, const GlobalTensor<T>&) {
  internal::UnsupportedFault("LoadDataUnzip", "does not exist on this chip");
}
template <typename T = int8_t>
inline void LoadUnzipIndex(const GlobalTensor<T>&, uint32_t) {
  internal::UnsupportedFault("LoadUnzipIndex", "does not exist on this chip");
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_LOAD_DATA_H_

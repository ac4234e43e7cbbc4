// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// DataCopy in its plain forms: a count of elements, bursts of whole blocks, and N-dimensional
// slices, between GM and UB, GM and L1, and within the chip. Rows of any byte length are in
// data_copy_pad.h, changes of layout in nd_nz.h, L0C in the cube headers.
#ifndef HOSTNPU_ASCENDC_BASIC_DATA_COPY_H_
#define HOSTNPU_ASCENDC_BASIC_DATA_COPY_H_

#include "burst.h"
#include "data_copy_params.h"

namespace AscendC {
namespace internal {

/// Bytes of a burst unit: moves into the bias table and the fixpipe buffer count longer blocks.
constexpr uint32_t BurstUnit(HostnpuMemoryKind dst) {
  return dst == HOSTNPU_MEMORY_BT ? 64 : dst == HOSTNPU_MEMORY_FB ? 128 : kBlockBytes;
}

constexpr bool HasPath(HostnpuMemoryKind src, HostnpuMemoryKind dst) {
  if (src == HOSTNPU_MEMORY_GM || dst == HOSTNPU_MEMORY_GM) {
    const HostnpuMemoryKind local = src == HOSTNPU_MEMORY_GM ? dst : src;
    return local == HOSTNPU_MEMORY_UB || local == HOSTNPU_MEMORY_L1;
  }
  if (src == HOSTNPU_MEMORY_UB) return dst == HOSTNPU_MEMORY_UB;
  return src == HOSTNPU_MEMORY_L1 && (dst == HOSTNPU_MEMORY_BT || dst == HOSTNPU_MEMORY_FB);
}

/// Whether this core makes the move; faults where no core could.
HOSTNPU_INLINE bool StartMove(const char* api, const Side& dst, const Side& src) {
  if (dst.staged && OnVectorCore()) {
    if (src.kind == HOSTNPU_MEMORY_GM || src.kind == HOSTNPU_MEMORY_UB) return true;
  }
  if (HOSTNPU_UNLIKELY(!HasPath(src.kind, dst.kind))) NoPathFault(api, src.kind, dst.kind);
  return CoreMoves(src.kind == HOSTNPU_MEMORY_GM ? dst.kind : src.kind);
}

HOSTNPU_SHARED void CopyCount(Side dst, Side src, uint64_t count, uint32_t element_bits) {
  if (!StartMove("DataCopy", dst, src)) return;
  const uint64_t bytes = count * element_bits / 8;
  const uint32_t unit = BurstUnit(dst.kind);
  if (HOSTNPU_UNLIKELY(bytes % unit != 0)) {
    HOSTNPU_FAULT(
        HOSTNPU_FAULT_ALIGNMENT, "DataCopy",
        "moves %llu elements (%llu bytes), which is not a multiple of %u bytes; the device "
        "would drop the last %llu. DataCopyPad moves any length",
        (unsigned long long)count, (unsigned long long)bytes, unit,
        (unsigned long long)(bytes % unit));
  }
  CopyBursts("DataCopy", dst, src, 1, bytes);
}

HOSTNPU_SHARED void CopyBlocks(const char* api, Side dst, Side src, const DataCopyParams& params) {
  if (!StartMove(api, dst, src)) return;
  CheckField(api, "blockCount", params.blockCount, 4095);
  const uint64_t unit = BurstUnit(dst.kind);
  const uint64_t bytes = params.blockLen * unit;
  dst.step = bytes + params.dstStride * unit;
  src.step = bytes + params.srcStride * static_cast<uint64_t>(kBlockBytes);
  CopyBursts(api, dst, src, params.blockCount, bytes);
}

/// half becomes float on its way into the bias table. Blocks count 64 bytes of the source.
HOSTNPU_SHARED void CopyWidened(Side dst, Side src, const DataCopyParams& params) {
  constexpr const char* kApi = "DataCopy";
  if (dst.kind != HOSTNPU_MEMORY_BT || src.kind != HOSTNPU_MEMORY_L1) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "of half to float moves from %s to %s; it moves from L1 to the bias table",
                  MemoryName(src.kind), MemoryName(dst.kind));
  }
  if (!StartMove(kApi, dst, src)) return;
  CheckField(kApi, "blockCount", params.blockCount, 4095);
  const uint64_t rows = params.blockCount, bytes = params.blockLen * uint64_t{64};
  if (rows == 0 || bytes == 0) return;
  dst.step = 2 * bytes + params.dstStride * uint64_t{64};
  src.step = bytes + params.srcStride * static_cast<uint64_t>(kBlockBytes);
  CheckSide(kApi, src, rows, bytes, HOSTNPU_GM_READ);
  CheckSide(kApi, dst, rows, 2 * bytes, HOSTNPU_GM_WRITE);
  for (uint64_t row = 0; row < rows; ++row) {
    const half* from = reinterpret_cast<const half*>(src.address + row * src.step);
    float* to = reinterpret_cast<float*>(dst.address + row * dst.step);
    for (uint64_t i = 0; i < bytes / sizeof(half); ++i) to[i] = static_cast<float>(from[i]);
  }
}

/// The rows of a slice, one burst list per index of the outer dimensions.
HOSTNPU_SHARED void CopySlice(Side dst, Side src, const SliceInfo* dst_slice,
                              const SliceInfo* src_slice, const uint32_t* dst_shape,
                              const uint32_t* src_shape, uint32_t dims, uint32_t element_bytes) {
  if (!StartMove("DataCopy", dst, src)) return;
  if (dims == 0 || dims > 8) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "DataCopy", "has a slice of %u dimensions; 1 to 8 exist",
                  dims);
  }
  const bool shape_in_slice = src_slice[0].shapeValue != 0;
  uint64_t src_pitch[8], dst_pitch[8], counts[8];
  uint64_t src_at = 0, dst_at = 0, src_size = 1, dst_size = 1;
  for (uint32_t i = 0; i < dims; ++i) {
    const SliceInfo& s = src_slice[i];
    const SliceInfo& d = dst_slice[i];
    if (s.endIndex < s.startIndex) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "DataCopy",
                    "has a source slice that ends (%u) before it starts (%u) in dimension %u",
                    s.endIndex, s.startIndex, i);
    }
    src_at += src_size * s.startIndex;
    dst_at += dst_size * d.startIndex;
    counts[i] = (static_cast<uint64_t>(s.endIndex) - s.startIndex + 1 + s.stride) / (1 + s.stride);
    src_pitch[i] = src_size * (1 + s.stride);
    dst_pitch[i] = dst_size * (1 + d.stride);
    src_size *= shape_in_slice ? s.shapeValue : src_shape[i];
    dst_size *= shape_in_slice ? d.shapeValue : dst_shape[i];
  }
  const uint64_t burst = static_cast<uint64_t>(src_slice[0].burstLen) * kBlockBytes;
  const uint64_t burst_elements = burst / element_bytes;
  if (burst == 0) return;
  const SliceInfo& inner = src_slice[0];
  const uint64_t rows =
      (static_cast<uint64_t>(inner.endIndex) - inner.startIndex + 1 + inner.stride) /
      (burst_elements + inner.stride);
  src.step = burst + static_cast<uint64_t>(inner.stride) * element_bytes;
  dst.step = burst + static_cast<uint64_t>(dst_slice[0].stride) * element_bytes;
  uint8_t* const src_base = src.address + src_at * element_bytes;
  uint8_t* const dst_base = dst.address + dst_at * element_bytes;
  uint64_t outer = 1;
  for (uint32_t i = 1; i < dims; ++i) outer *= counts[i];
  for (uint64_t index = 0; index < outer; ++index) {
    uint64_t rest = index, src_offset = 0, dst_offset = 0;
    for (uint32_t i = 1; i < dims; ++i) {
      src_offset += rest % counts[i] * src_pitch[i];
      dst_offset += rest % counts[i] * dst_pitch[i];
      rest /= counts[i];
    }
    src.address = src_base + src_offset * element_bytes;
    dst.address = dst_base + dst_offset * element_bytes;
    CopyBursts("DataCopy", dst, src, rows, burst);
  }
}

}  // namespace internal

/// Copies `count` elements; their bytes must be a multiple of 32.
template <typename T>
HOSTNPU_SHARED void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                             uint32_t count) {
  internal::CopyCount(internal::LocalSide(dst, 0, "dst"), internal::GmSide(src, 0, "src"), count,
                      SizeOfBits<PrimT<T>>::value);
}
template <typename T>
HOSTNPU_SHARED void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                             uint32_t count) {
  internal::CopyCount(internal::GmSide(dst, 0, "dst"), internal::LocalSide(src, 0, "src"), count,
                      SizeOfBits<PrimT<T>>::value);
}
template <typename T>
HOSTNPU_SHARED void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count) {
  internal::CopyCount(internal::LocalSide(dst, 0, "dst"), internal::LocalSide(src, 0, "src"), count,
                      SizeOfBits<PrimT<T>>::value);
}

/// Copies bursts of whole blocks.
template <typename T>
HOSTNPU_SHARED void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                             const DataCopyParams& params) {
  internal::CopyBlocks("DataCopy", internal::LocalSide(dst, 0, "dst"),
                       internal::GmSide(src, 0, "src"), params);
}
template <typename T>
HOSTNPU_SHARED void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                             const DataCopyParams& params) {
  internal::CopyBlocks("DataCopy", internal::GmSide(dst, 0, "dst"),
                       internal::LocalSide(src, 0, "src"), params);
}
template <typename T>
HOSTNPU_SHARED void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                             const DataCopyParams& params) {
  internal::CopyBlocks("DataCopy", internal::LocalSide(dst, 0, "dst"),
                       internal::LocalSide(src, 0, "src"), params);
}

/// From L1 to the bias table, half to float.
template <typename T, typename U,
          typename = typename internal::EnableIf<!IsSameType<T, U>::value>::Type>
HOSTNPU_SHARED void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                             const DataCopyParams& params) {
  static_assert(IsSameType<PrimT<T>, float>::value && IsSameType<PrimT<U>, half>::value,
                "DataCopy between two types takes half to float, from L1 to the bias table");
  internal::CopyWidened(internal::LocalSide(dst, 0, "dst"), internal::LocalSide(src, 0, "src"),
                        params);
}

/// The enhanced record speaks of L0C moves of older chips and changes nothing between GM, UB and
/// L1.
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                     const DataCopyParams& params, const DataCopyEnhancedParams&) {
  DataCopy(dst, src, params);
}
template <typename T>
inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                     const DataCopyParams& params, const DataCopyEnhancedParams&) {
  DataCopy(dst, src, params);
}
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                     const DataCopyParams& params, const DataCopyEnhancedParams&) {
  DataCopy(dst, src, params);
}

/// Copies a slice of an N-dimensional tensor; dimension 0 is the innermost.
template <typename T>
HOSTNPU_SHARED void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                             const SliceInfo dst_slice[], const SliceInfo src_slice[],
                             uint32_t dims = 1) {
  const ShapeInfo dst_shape = dst.GetShapeInfo(), src_shape = src.GetShapeInfo();
  internal::CopySlice(internal::LocalSide(dst, 0, "dst"), internal::GmSide(src, 0, "src"),
                      dst_slice, src_slice, dst_shape.shape, src_shape.shape, dims, sizeof(T));
}
template <typename T>
HOSTNPU_SHARED void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                             const SliceInfo dst_slice[], const SliceInfo src_slice[],
                             uint32_t dims = 1) {
  const ShapeInfo dst_shape = dst.GetShapeInfo(), src_shape = src.GetShapeInfo();
  internal::CopySlice(internal::GmSide(dst, 0, "dst"), internal::LocalSide(src, 0, "src"),
                      dst_slice, src_slice, dst_shape.shape, src_shape.shape, dims, sizeof(T));
}

}  // namespace AscendC

// The instructions under their own names, which tiling macros of some kernels use.

/// Where byte `offset` of UB is, as a number that kernels cast to a pointer.
HOSTNPU_INLINE uint64_t get_imm(uint64_t offset) {
  return reinterpret_cast<uint64_t>(AscendC::internal::ThisCore().memory[HOSTNPU_MEMORY_UB].base +
                                    offset);
}
/// See AscendC::DataCopy with DataCopyParams: `burst_length` and the gaps are in blocks of 32
/// bytes.
HOSTNPU_INLINE void copy_gm_to_ubuf(__ubuf__ void* dst, __gm__ void* src, uint8_t /*sid*/,
                                    uint16_t bursts, uint16_t burst_length, uint16_t src_gap,
                                    uint16_t dst_gap) {
  namespace internal = AscendC::internal;
  internal::CopyBlocks("copy_gm_to_ubuf",
                       {HOSTNPU_MEMORY_UB, static_cast<uint8_t*>(dst), 0,
                        internal::AlignmentOf(HOSTNPU_MEMORY_UB), "dst"},
                       {HOSTNPU_MEMORY_GM, static_cast<uint8_t*>(src), 0,
                        internal::AlignmentOf(HOSTNPU_MEMORY_GM), "src"},
                       {bursts, burst_length, src_gap, dst_gap});
}

#endif  // HOSTNPU_ASCENDC_BASIC_DATA_COPY_H_

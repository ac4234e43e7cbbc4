// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// DataCopy that changes the layout on its way: row-major matrices (ND) in GM become fractals (NZ)
// in L1 or UB, and fractals in UB become rows in GM. In NZ the matrix is cut into columns of C0
// elements (32 bytes); a column's rows follow one another.
#ifndef HOSTNPU_ASCENDC_BASIC_ND_NZ_H_
#define HOSTNPU_ASCENDC_BASIC_ND_NZ_H_

#include "data_copy.h"

namespace AscendC {
namespace internal {

/// `dst` and `src` are checked here. The tail of the last C0 column is written with zeros; rows
/// beyond nValue are not written.
HOSTNPU_SHARED void CopyNd2Nz(const char* api, Side dst, Side src, const Nd2NzParams& p,
                              uint32_t element_bits) {
  if (p.ndNum == 0 || p.nValue == 0 || p.dValue == 0) return;
  CheckField(api, "ndNum", p.ndNum, 4095);
  CheckField(api, "nValue", p.nValue, 16384);
  CheckField(api, "dstNzC0Stride", p.dstNzC0Stride, 16384);
  const uint64_t row_bytes = static_cast<uint64_t>(p.dValue) * element_bits / 8;
  const uint64_t row_step = static_cast<uint64_t>(p.srcDValue) * element_bits / 8;
  const uint64_t columns = (row_bytes + kBlockBytes - 1) / kBlockBytes;
  const uint64_t column_step = static_cast<uint64_t>(p.dstNzC0Stride) * kBlockBytes;
  const uint64_t n_step = static_cast<uint64_t>(p.dstNzNStride) * kBlockBytes;
  const uint64_t matrix_bytes = (columns - 1) * column_step + (p.nValue - 1) * n_step + kBlockBytes;
  src.step = static_cast<uint64_t>(p.srcNdMatrixStride) * element_bits / 8;
  dst.step = static_cast<uint64_t>(p.dstNzMatrixStride) * element_bits / 8;
  CheckSide(api, src, p.ndNum, (p.nValue - 1) * row_step + row_bytes, HOSTNPU_GM_READ);
  CheckSide(api, dst, p.ndNum, matrix_bytes, HOSTNPU_GM_WRITE);
  const uint64_t full = row_bytes / kBlockBytes;
  const uint64_t tail = row_bytes % kBlockBytes;
  for (uint32_t i = 0; i < p.ndNum; ++i) {
    const uint8_t* matrix = src.address + i * src.step;
    uint8_t* fractals = dst.address + i * dst.step;
    // Four columns at a time: two cache lines of a source row, and few enough destination streams
    // that columns a power of two apart do not evict each other.
    uint64_t j = 0;
    for (; j + 4 <= full; j += 4) {
      const uint8_t* from = matrix + j * kBlockBytes;
      uint8_t* to = fractals + j * column_step;
      for (uint32_t n = 0; n < p.nValue; ++n, from += row_step, to += n_step) {
        __builtin_prefetch(from + 16 * row_step);
        __builtin_prefetch(from + 16 * row_step + 64);
        __builtin_memcpy(to, from, kBlockBytes);
        __builtin_memcpy(to + column_step, from + kBlockBytes, kBlockBytes);
        __builtin_memcpy(to + 2 * column_step, from + 2 * kBlockBytes, kBlockBytes);
        __builtin_memcpy(to + 3 * column_step, from + 3 * kBlockBytes, kBlockBytes);
      }
    }
    for (; j < columns; ++j) {
      const uint64_t bytes = j < full ? kBlockBytes : tail;
      for (uint32_t n = 0; n < p.nValue; ++n) {
        uint8_t* to = fractals + j * column_step + n * n_step;
        if (bytes == kBlockBytes) {
          __builtin_memcpy(to, matrix + j * kBlockBytes + n * row_step, kBlockBytes);
        } else {
          __builtin_memset(to + bytes, 0, kBlockBytes - bytes);
          __builtin_memcpy(to, matrix + j * kBlockBytes + n * row_step, bytes);
        }
      }
    }
  }
}

/// Columns are 16 elements wide whatever their type.
HOSTNPU_SHARED void CopyNz2Nd(const char* api, Side dst, Side src, const Nz2NdParamsFull& p,
                              uint32_t element_bytes) {
  constexpr uint64_t kColumn = 16;
  if (p.ndNum == 0 || p.nValue == 0 || p.dValue == 0) return;
  if (p.dValue % kColumn != 0) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "has dValue = %u, which is not a multiple of 16",
                  p.dValue);
  }
  const uint64_t columns = p.dValue / kColumn;
  const uint64_t width = kColumn * element_bytes;
  const uint64_t column_step = p.srcNStride * width;
  const uint64_t row_step = static_cast<uint64_t>(p.dstDStride) * element_bytes;
  src.step = static_cast<uint64_t>(p.srcNdMatrixStride) * 256 * element_bytes;
  dst.step = static_cast<uint64_t>(p.dstNdMatrixStride) * element_bytes;
  CheckSide(api, src, p.ndNum, (columns - 1) * column_step + p.nValue * width, HOSTNPU_GM_READ);
  CheckSide(api, dst, p.ndNum, (p.nValue - 1) * row_step + columns * width, HOSTNPU_GM_WRITE);
  for (uint32_t i = 0; i < p.ndNum; ++i) {
    for (uint32_t n = 0; n < p.nValue; ++n) {
      uint8_t* to = dst.address + i * dst.step + n * row_step;
      const uint8_t* from = src.address + i * src.step + n * width;
      for (uint64_t j = 0; j < columns; ++j, to += width, from += column_step)
        WriteGm(to, from, width);
    }
  }
}

}  // namespace internal

namespace internal {
/// The sizes of Nd2NzParams count bytes where the elements have 4 bits.
template <typename T>
constexpr uint32_t kNdNzBits = SizeOfBits<PrimT<T>>::value < 8 ? 8 : SizeOfBits<PrimT<T>>::value;
}  // namespace internal

/// ND in GM to NZ in L1 or UB.
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                     const Nd2NzParams& params) {
  const internal::Side to = internal::LocalSide(dst, 0, "dst");
  const internal::Side from = internal::GmSide(src, 0, "src");
  if (!internal::StartMove("DataCopy", to, from)) return;
  internal::CopyNd2Nz("DataCopy", to, from, params, internal::kNdNzBits<T>);
}
/// UB to L1: this chip has no such path but the one to a TSCM of the Matmul library.
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                     const Nd2NzParams& params) {
  const internal::Side to = internal::LocalSide(dst, 0, "dst");
  const internal::Side from = internal::LocalSide(src, 0, "src");
  if (!to.staged) internal::NoPathFault("DataCopy", from.kind, to.kind);
  if (!internal::StartMove("DataCopy", to, from)) return;
  internal::CopyNd2Nz("DataCopy", to, from, params, internal::kNdNzBits<T>);
}
/// NZ in UB to ND in GM.
template <typename T>
inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                     const Nz2NdParamsFull& params) {
  static_assert(sizeof(PrimT<T>) == 2 || sizeof(PrimT<T>) == 4,
                "DataCopy from NZ to ND takes 16-bit and 32-bit types");
  const internal::Side to = internal::GmSide(dst, 0, "dst");
  const internal::Side from = internal::LocalSide(src, 0, "src");
  if (from.kind != HOSTNPU_MEMORY_UB) internal::NoPathFault("DataCopy", from.kind, to.kind);
  if (!internal::OnVectorCore()) return;
  internal::CopyNz2Nd("DataCopy", to, from, params, sizeof(PrimT<T>));
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_ND_NZ_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Transpose of a 16x16 matrix and between NCHW and NHWC, and TransDataTo5HD, the transposition of
// sixteen 32-byte rows that may lie anywhere in UB.
#ifndef HOSTNPU_ASCENDC_BASIC_TRANSPOSE_H_
#define HOSTNPU_ASCENDC_BASIC_TRANSPOSE_H_

#include "burst.h"

namespace AscendC {

constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

enum class TransposeType : uint8_t {
  TRANSPOSE_TYPE_NONE,
  TRANSPOSE_NZ2ND_0213,
  TRANSPOSE_NZ2NZ_0213,
  TRANSPOSE_NZ2NZ_012_WITH_N,
  TRANSPOSE_NZ2ND_012_WITH_N,
  TRANSPOSE_NZ2ND_012_WITHOUT_N,
  TRANSPOSE_NZ2NZ_012_WITHOUT_N,
  TRANSPOSE_ND2ND_ONLY,
  TRANSPOSE_ND_UB_GM,
  TRANSPOSE_GRAD_ND_UB_GM,
  TRANSPOSE_ND2ND_B16,
  TRANSPOSE_NCHW2NHWC,
  TRANSPOSE_NHWC2NCHW,
};

struct TransDataTo5HDParams {
  constexpr TransDataTo5HDParams() = default;
  constexpr TransDataTo5HDParams(bool dst_high, bool src_high, internal::RepeatCount repeats,
                                 uint16_t dst_stride, uint16_t src_stride)
      : dstHighHalf(dst_high),
        srcHighHalf(src_high),
        repeatTimes(repeats),
        dstRepStride(dst_stride),
        srcRepStride(src_stride) {}

  bool dstHighHalf = false;  // 8-bit types: the half of each destination block that is written
  bool srcHighHalf = false;  // 8-bit types: the half of each source block that is read
  internal::RepeatCount repeatTimes = 1;
  uint16_t dstRepStride = 0;  // blocks
  uint16_t srcRepStride = 0;  // blocks
};

struct TransposeParamsExt {
  constexpr TransposeParamsExt() = default;
  constexpr TransposeParamsExt(uint16_t n, uint16_t c, uint16_t h, uint16_t w, TransposeType type)
      : nSize(n), cSize(c), hSize(h), wSize(w), transposeType(type) {}

  uint16_t nSize = 0;
  uint16_t cSize = 0;
  uint16_t hSize = 0;
  uint16_t wSize = 0;
  TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};

namespace internal {

/// The unsigned integer of a size: data movement does not look at values.
template <uint32_t bytes>
struct RawOfSize;
template <>
struct RawOfSize<1> {
  using Type = uint8_t;
};
template <>
struct RawOfSize<2> {
  using Type = uint16_t;
};
template <>
struct RawOfSize<4> {
  using Type = uint32_t;
};
template <>
struct RawOfSize<8> {
  using Type = uint64_t;
};
template <typename T>
using RawOf = typename RawOfSize<sizeof(PrimT<T>)>::Type;

constexpr int kRows5Hd = NCHW_CONV_ADDR_LIST_SIZE;

/// One repeat. Rows are read whole before any is written, so that lists may coincide.
template <typename Raw>
inline void Transpose5HdOnce(uint8_t* const* dst, uint8_t* const* src, uint64_t dst_at,
                             uint64_t src_at, bool dst_high, bool src_high) {
  constexpr int kInRow = kBlockBytes / sizeof(Raw);
  Raw rows[kRows5Hd][kInRow];
  for (int i = 0; i < kRows5Hd; ++i) __builtin_memcpy(rows[i], src[i] + src_at, kBlockBytes);
  if constexpr (sizeof(Raw) == 1) {
    const int from = src_high ? 16 : 0;
    const int to = dst_high ? 16 : 0;
    for (int i = 0; i < kRows5Hd; ++i) {
      Raw row[kRows5Hd];
      for (int j = 0; j < kRows5Hd; ++j) row[j] = rows[j][from + i];
      __builtin_memcpy(dst[i] + dst_at + to, row, sizeof(row));
    }
  } else {
    // 16-bit: column i becomes row i. 32-bit: column k fills the rows 2k and 2k + 1.
    for (int i = 0; i < kRows5Hd; ++i) {
      Raw row[kInRow];
      const int column = i * kInRow / kRows5Hd;
      const int first = i % (kRows5Hd / kInRow) * kInRow;
      for (int j = 0; j < kInRow; ++j) row[j] = rows[first + j][column];
      __builtin_memcpy(dst[i] + dst_at, row, kBlockBytes);
    }
  }
}

template <typename T>
inline void Transpose5Hd(uint8_t* const* dst, uint8_t* const* src, const TransDataTo5HDParams& p) {
  using U = PrimT<T>;
  static_assert(
      sizeof(U) <= 4 && !IsSameType<U, bfloat16_t>::value && !IsSameType<U, int4b_t>::value,
      "TransDataTo5HD<T> takes half, float, (u)int8_t, (u)int16_t or (u)int32_t on this chip");
  constexpr const char* kApi = "TransDataTo5HD";
  CheckRepeatTime(kApi, p.repeatTimes);
  if (!OnVectorCore() || p.repeatTimes == 0) return;
  if (sizeof(U) != 1 && (p.dstHighHalf || p.srcHighHalf)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "has %s = true for %s; halves of a block exist for 8-bit types only",
                  p.dstHighHalf ? "dstHighHalf" : "srcHighHalf", TypeName<T>());
  }
  const bool repeats = p.repeatTimes > 1;
  const uint64_t dst_step = repeats ? static_cast<uint64_t>(p.dstRepStride) * kBlockBytes : 0;
  const uint64_t src_step = repeats ? static_cast<uint64_t>(p.srcRepStride) * kBlockBytes : 0;
  const uint64_t last = static_cast<uint64_t>(p.repeatTimes) - 1;
  for (int i = 0; i < kRows5Hd; ++i) {
    CheckLocal(kApi, HOSTNPU_MEMORY_UB, src[i], last * src_step + kBlockBytes);
    CheckLocal(kApi, HOSTNPU_MEMORY_UB, dst[i], last * dst_step + kBlockBytes);
    CheckAligned(kApi, "src row", HOSTNPU_MEMORY_UB, src[i], kBlockBytes);
    CheckAligned(kApi, "dst row", HOSTNPU_MEMORY_UB, dst[i], kBlockBytes);
  }
  for (uint64_t r = 0; r <= last; ++r) {
    Transpose5HdOnce<RawOf<T>>(dst, src, r * dst_step, r * src_step, p.dstHighHalf, p.srcHighHalf);
  }
}

/// UB addresses that kernels carry as numbers: host addresses, or offsets into UB.
HOSTNPU_INLINE uint8_t* UbAddress(uint64_t address) {
  const HostnpuLocalMemory& ub = ThisCore().memory[HOSTNPU_MEMORY_UB];
  return address < ub.size_bytes ? ub.base + address : reinterpret_cast<uint8_t*>(address);
}

/// dst[n][j][i] = src[n][i][j] for matrices of rows x columns.
template <typename Raw>
inline void TransposeMatrices(Raw* dst, const Raw* src, uint32_t matrices, uint32_t rows,
                              uint32_t columns) {
  const uint64_t size = static_cast<uint64_t>(rows) * columns;
  for (uint32_t n = 0; n < matrices; ++n, dst += size, src += size) {
    for (uint32_t i = 0; i < rows; ++i)
      for (uint32_t j = 0; j < columns; ++j)
        dst[static_cast<uint64_t>(j) * rows + i] = src[static_cast<uint64_t>(i) * columns + j];
  }
}

template <typename T>
inline void CheckTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t bytes) {
  CheckSide("Transpose", LocalSide(src, 0, "src"), 1, bytes, HOSTNPU_GM_READ);
  CheckSide("Transpose", LocalSide(dst, 0, "dst"), 1, bytes, HOSTNPU_GM_WRITE);
}

}  // namespace internal

/// Transposes a 16x16 matrix of 16-bit elements. dst may be src.
template <typename T>
inline void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src) {
  static_assert(sizeof(PrimT<T>) == 2, "Transpose<T> takes half, int16_t or uint16_t");
  if (!internal::OnVectorCore()) return;
  internal::CheckTranspose(dst, src, 512);
  uint16_t copy[256];
  __builtin_memcpy(copy, src.address_.absAddr, sizeof(copy));
  internal::TransposeMatrices(reinterpret_cast<uint16_t*>(dst.address_.absAddr),
                              static_cast<const uint16_t*>(copy), 1, 16, 16);
}

/// Transposes as `params.transposeType` says: 16x16, NCHW to NHWC, or NHWC to NCHW. dst must not
/// overlap src but in the 16x16 form.
template <typename T>
inline void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                      const LocalTensor<uint8_t>& sharedTmpBuffer,
                      const TransposeParamsExt& params) {
  using Raw = internal::RawOf<T>;
  static_cast<void>(sharedTmpBuffer);
  if (!internal::OnVectorCore()) return;
  const uint32_t image = static_cast<uint32_t>(params.hSize) * params.wSize;
  if (params.transposeType == TransposeType::TRANSPOSE_ND2ND_B16) {
    if (sizeof(Raw) != 2 || params.hSize != 16 || params.wSize != 16) {
      HOSTNPU_FAULT(
          HOSTNPU_FAULT_ARGUMENT, "Transpose",
          "is TRANSPOSE_ND2ND_B16 of a %u x %u matrix of %s; it takes 16 x 16 elements of "
          "16 bits",
          params.hSize, params.wSize, internal::TypeName<T>());
    }
    if constexpr (sizeof(Raw) == 2) Transpose(dst, src);
    return;
  }
  const bool to_nhwc = params.transposeType == TransposeType::TRANSPOSE_NCHW2NHWC;
  if (!to_nhwc && params.transposeType != TransposeType::TRANSPOSE_NHWC2NCHW) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_UNSUPPORTED, "Transpose",
                  "has TransposeType %d; this function knows TRANSPOSE_ND2ND_B16, "
                  "TRANSPOSE_NCHW2NHWC and TRANSPOSE_NHWC2NCHW",
                  (int)params.transposeType);
  }
  const uint64_t count = static_cast<uint64_t>(params.nSize) * params.cSize * image;
  if (count == 0) return;
  internal::CheckTranspose(dst, src, count * sizeof(Raw));
  internal::TransposeMatrices(reinterpret_cast<Raw*>(dst.address_.absAddr),
                              reinterpret_cast<const Raw*>(src.address_.absAddr), params.nSize,
                              to_nhwc ? params.cSize : image, to_nhwc ? image : params.cSize);
}

/// Transposes sixteen rows of 32 bytes into sixteen; see spec of each element size in
/// Transpose5HdOnce.
template <typename T>
inline void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                           const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                           const TransDataTo5HDParams& params) {
  uint8_t *dst[16], *src[16];
  for (int i = 0; i < 16; ++i) {
    dst[i] = dstList[i].address_.absAddr;
    src[i] = srcList[i].address_.absAddr;
  }
  internal::Transpose5Hd<T>(dst, src, params);
}
/// Lists of addresses as numbers.
template <typename T>
inline void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE],
                           uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                           const TransDataTo5HDParams& params) {
  uint8_t *dst[16], *src[16];
  for (int i = 0; i < 16; ++i) {
    dst[i] = internal::UbAddress(dstList[i]);
    src[i] = internal::UbAddress(srcList[i]);
  }
  internal::Transpose5Hd<T>(dst, src, params);
}
/// Lists of pointers; the name is the vendor's own, and kernels call it.
template <typename T>
inline void TransDataTo5HDImpl(__ubuf__ T* (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                               __ubuf__ T* (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                               const TransDataTo5HDParams& params) {
  uint8_t *dst[16], *src[16];
  for (int i = 0; i < 16; ++i) {
    dst[i] = reinterpret_cast<uint8_t*>(dstList[i]);
    src[i] = reinterpret_cast<uint8_t*>(srcList[i]);
  }
  internal::Transpose5Hd<T>(dst, src, params);
}
/// Lists of addresses that lie in UB themselves.
template <typename T>
inline void TransDataTo5HD(const LocalTensor<uint64_t>& dst, const LocalTensor<uint64_t>& src,
                           const TransDataTo5HDParams& params) {
  if (!internal::OnVectorCore()) return;
  internal::CheckSide("TransDataTo5HD", internal::LocalSide(dst, 0, "dst list"), 1, 128,
                      HOSTNPU_GM_READ);
  internal::CheckSide("TransDataTo5HD", internal::LocalSide(src, 0, "src list"), 1, 128,
                      HOSTNPU_GM_READ);
  TransDataTo5HD<T>(dst.Data(), src.Data(), params);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_TRANSPOSE_H_

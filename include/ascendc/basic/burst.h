// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine under every data movement instruction: rows ("bursts") of equal length between two
// memories, each side with its own distance from row to row. The instruction states its two sides
// as `Side`s; checks, the merge of adjoining rows into one memcpy and atomic write-out are here,
// once. Nothing in this file is a template: a kernel pays for it once.
#ifndef HOSTNPU_ASCENDC_BASIC_BURST_H_
#define HOSTNPU_ASCENDC_BASIC_BURST_H_

#include "atomic.h"

namespace AscendC {
namespace internal {

constexpr uint32_t kBlockBytes = 32;

/// One end of a move. `step` is in bytes from the start of a row to the start of the next.
struct Side {
  HostnpuMemoryKind kind;
  uint8_t* address;
  uint64_t step;
  uint32_t alignment;   // of an on-chip address; GM takes any
  const char* operand;  // "dst" or "src"
  bool staged = false;  // TSCM: L1 that a vector core may write, as the Matmul library lets it
};

/// Start alignment the hardware asks of an on-chip memory.
constexpr uint32_t AlignmentOf(HostnpuMemoryKind kind) {
  switch (kind) {
    case HOSTNPU_MEMORY_GM:
      return 1;
    case HOSTNPU_MEMORY_L0A:
    case HOSTNPU_MEMORY_L0B:
      return 512;
    case HOSTNPU_MEMORY_L0C:
    case HOSTNPU_MEMORY_BT:
      return 64;
    case HOSTNPU_MEMORY_FB:
      return 128;
    default:
      return kBlockBytes;
  }
}

template <typename T>
HOSTNPU_INLINE Side LocalSide(const LocalTensor<T>& tensor, uint64_t step, const char* operand) {
  const HostnpuMemoryKind kind = tensor.Memory();
  return {kind,    tensor.address_.absAddr,
          step,    AlignmentOf(kind),
          operand, tensor.GetPosition() == static_cast<int32_t>(TPosition::TSCM)};
}
template <typename T>
HOSTNPU_INLINE Side GmSide(const GlobalTensor<T>& tensor, uint64_t step, const char* operand) {
  return {HOSTNPU_MEMORY_GM, reinterpret_cast<uint8_t*>(tensor.address_), step, 1, operand, false};
}

/// The first byte to the last of the last row; what lies beyond that is nobody's business.
HOSTNPU_INLINE void CheckSide(const char* api, const Side& side, uint64_t rows, uint64_t row_bytes,
                              HostnpuGmAccess access) {
  const uint64_t extent = (rows - 1) * side.step + row_bytes;
  if (side.kind == HOSTNPU_MEMORY_GM) {
    CheckGm(api, side.address, extent, access);
  } else {
    CheckLocal(api, side.kind, side.address, extent);
    CheckAligned(api, side.operand, side.kind, side.address, side.alignment);
  }
}

/// Moves `rows` rows of `row_bytes` from src to dst, both checked already. Rows that adjoin on both
/// sides become one move.
HOSTNPU_SHARED void MoveRows(const Side& dst, const Side& src, uint64_t rows, uint64_t row_bytes) {
  if (dst.step == row_bytes && src.step == row_bytes) {
    row_bytes *= rows;
    rows = 1;
  }
  uint8_t* to = dst.address;
  const uint8_t* from = src.address;
  if (dst.kind == HOSTNPU_MEMORY_GM) {
    for (uint64_t i = 0; i < rows; ++i, to += dst.step, from += src.step)
      WriteGm(to, from, row_bytes);
  } else if (src.kind == HOSTNPU_MEMORY_GM) {
    for (uint64_t i = 0; i < rows; ++i, to += dst.step, from += src.step)
      __builtin_memcpy(to, from, row_bytes);
  } else {
    for (uint64_t i = 0; i < rows; ++i, to += dst.step, from += src.step)
      __builtin_memmove(to, from, row_bytes);
  }
}

/// The whole instruction: both sides checked, then moved. rows or row_bytes 0 does nothing.
HOSTNPU_SHARED void CopyBursts(const char* api, const Side& dst, const Side& src, uint64_t rows,
                               uint64_t row_bytes) {
  if (rows == 0 || row_bytes == 0) return;
  CheckSide(api, src, rows, row_bytes, HOSTNPU_GM_READ);
  CheckSide(api, dst, rows, row_bytes, HOSTNPU_GM_WRITE);
  MoveRows(dst, src, rows, row_bytes);
}

/// A parameter of an instruction must be at most `limit`.
HOSTNPU_INLINE void CheckField(const char* api, const char* field, uint64_t value, uint64_t limit) {
  if (HOSTNPU_LIKELY(value <= limit)) return;
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "has %s = %llu; the largest is %llu", field,
                (unsigned long long)value, (unsigned long long)limit);
}

/// UB belongs to the vector cores and everything else on the chip to the cube core. A move that
/// this core cannot make is not made.
HOSTNPU_INLINE bool CoreMoves(HostnpuMemoryKind kind) {
  return kind == HOSTNPU_MEMORY_UB ? OnVectorCore() : OnCubeCore();
}

HOSTNPU_FAULT_FUNCTION inline void NoPathFault(const char* api, HostnpuMemoryKind src,
                                               HostnpuMemoryKind dst) {
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "cannot move from %s to %s on this chip",
                MemoryName(src), MemoryName(dst));
}

}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_BURST_H_

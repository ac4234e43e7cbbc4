// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Registers of the cube unit, and the checks that all cube instructions share.
#ifndef HOSTNPU_ASCENDC_DETAIL_CUBE_REGISTERS_H_
#define HOSTNPU_ASCENDC_DETAIL_CUBE_REGISTERS_H_

#include "../basic/burst.h"
#include "../basic/cube_layout.h"

namespace AscendC {
namespace internal {

/// Geometry of the feature map in L1, for LoadData 3D.
struct FeatureMap {
  uint16_t height;
  uint16_t width;
  uint8_t pad[4];  // left, right, top, bottom
};

/// All zero when a core starts; a value of 0 is each register's state after reset.
struct CubeRegisters {
  FeatureMap feature_map[2];  // FMATRIX left, right
  uint32_t padding_value;     // raw bits, low bytes
  uint32_t boundary;          // bytes of L1; 0: none
  uint16_t repeat_stride;
  uint8_t repeat_time;
  uint8_t repeat_mode;
  uint8_t repeat_is_set;
  uint8_t hf32;               // Mmad rounds float inputs to HF32
  uint8_t hf32_ties_to_zero;  // else to even
  uint8_t nz2nd_is_set;
  uint16_t nd_num;
  uint16_t src_nd_stride;
  uint32_t dst_nd_stride;
  uint64_t quant_scalar;
  uint8_t quant_scalar_is_set;
  uint8_t quant_vector_is_set;
  uint16_t quant_vector_offset;  // bytes in the fixpipe buffer
  uint32_t matmul_l0c_bytes;     // of L0C that Matmul objects have taken, from its start
  uint64_t loaded[2][2];         // bit i: fractal i of L0A, L0B has been loaded in this kernel
};
static_assert(sizeof(CubeRegisters) <= sizeof(Registers::cube), "grow Registers::cube");

HOSTNPU_INLINE CubeRegisters& CubeRegs() { return *reinterpret_cast<CubeRegisters*>(Regs().cube); }

/// An operand must lie in that memory.
template <typename T>
HOSTNPU_INLINE void CheckPosition(const char* api, const char* operand,
                                  const LocalTensor<T>& tensor, HostnpuMemoryKind kind) {
  if (HOSTNPU_LIKELY(tensor.Memory() == kind)) return;
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "has its %s in %s (TPosition %d); it must be in %s",
                operand, MemoryName(tensor.Memory()), (int)tensor.GetPosition(), MemoryName(kind));
}

/// An operand of `bytes` at an address of that memory, aligned as the hardware asks.
HOSTNPU_INLINE void CheckOperand(const char* api, const char* operand, HostnpuMemoryKind kind,
                                 const uint8_t* address, uint64_t bytes, uint32_t alignment) {
  const HostnpuLocalMemory& memory = ThisCore().memory[kind];
  const uint64_t offset = static_cast<uint64_t>(address - memory.base);
  if (HOSTNPU_UNLIKELY(bytes > memory.size_bytes || offset > memory.size_bytes - bytes)) {
    if (address == nullptr) LocalBoundsFault(api, kind, address, bytes);
    HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_BOUNDS, api,
                  "needs %llu bytes for its %s, which starts at %s byte %lld; %s has %u bytes",
                  (unsigned long long)bytes, operand, MemoryName(kind), (long long)offset,
                  MemoryName(kind), memory.size_bytes);
  }
  if (HOSTNPU_UNLIKELY(offset % alignment != 0))
    CheckAligned(api, operand, kind, address, alignment);
}

/// Bits [begin, end) of word `word`.
constexpr uint64_t BitRange(uint64_t begin, uint64_t end, uint64_t word) {
  const uint64_t from = begin > word * 64 ? begin - word * 64 : 0;
  const uint64_t to = end > word * 64 ? end - word * 64 : 0;
  if (from >= 64 || from >= to) return 0;
  return (to >= 64 ? ~uint64_t{0} : (uint64_t{1} << to) - 1) & ~uint64_t{0} << from;
}
/// Fractals have been loaded to L0A or L0B; loads to other memories are not noted.
HOSTNPU_INLINE void NoteLoaded(HostnpuMemoryKind kind, const uint8_t* address, uint64_t fractals) {
  if (kind != HOSTNPU_MEMORY_L0A && kind != HOSTNPU_MEMORY_L0B) return;
  const uint64_t first =
      static_cast<uint64_t>(address - ThisCore().memory[kind].base) / kFractalBytes;
  uint64_t* loaded = CubeRegs().loaded[kind == HOSTNPU_MEMORY_L0B];
  for (uint64_t word = 0; word < 2; ++word) loaded[word] |= BitRange(first, first + fractals, word);
}
/// How many of these fractals of L0A or L0B were loaded, up to the first that was not.
HOSTNPU_INLINE uint64_t LoadedFractals(HostnpuMemoryKind kind, const uint8_t* address,
                                       uint64_t fractals) {
  const uint64_t first =
      static_cast<uint64_t>(address - ThisCore().memory[kind].base) / kFractalBytes;
  const uint64_t* loaded = CubeRegs().loaded[kind == HOSTNPU_MEMORY_L0B];
  for (uint64_t word = 0; word < 2; ++word) {
    const uint64_t missing = BitRange(first, first + fractals, word) & ~loaded[word];
    if (missing != 0) {
      return word * 64 + static_cast<uint64_t>(__builtin_ctzll(missing)) - first;
    }
  }
  return fractals;
}

}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_DETAIL_CUBE_REGISTERS_H_

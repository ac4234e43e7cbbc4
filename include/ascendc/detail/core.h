// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// What every Ascend C function rests on: the core it runs on, that core's registers, and the checks
// of local and global addresses. Hot and small; everything that formats text is out of line.
#ifndef HOSTNPU_ASCENDC_DETAIL_CORE_H_
#define HOSTNPU_ASCENDC_DETAIL_CORE_H_

#include "../basic/types.h"
#include "device_abi.h"

namespace AscendC {
namespace internal {

#define HOSTNPU_LIKELY(condition) __builtin_expect(static_cast<bool>(condition), 1)
#define HOSTNPU_UNLIKELY(condition) __builtin_expect(static_cast<bool>(condition), 0)
#define HOSTNPU_INLINE __attribute__((always_inline)) inline
/// Precedes a function that is compiled once, with the header, and never again in a program: where
/// headers are compiled ahead (docs/design/compiling.md) clang reads no more of it than its name.
#define HOSTNPU_SHARED __attribute__((noinline)) inline
/// Precedes a function that ends in HOSTNPU_FAULT. Calls of it are never merged: the merged call of
/// two places would have the source line of neither.
#define HOSTNPU_FAULT_FUNCTION [[noreturn]] __attribute__((noinline, cold, nomerge))

constexpr int kHardEventCount = static_cast<int>(HardEvent::MAX);
constexpr int kEventIdCount = 8;

/// One flag between two pipes of this core, since its first set in this kernel.
struct PipeFlag {
  uint32_t sets;
  uint32_t waits;
  const char* api;  // what set it last
  void* place;      // the return address of that call; null: the framework waits for it by itself
};

/// Registers of one core that outlive an instruction. Lie in HostnpuCore::registers; set by Reset()
/// when a core starts and by InitSocState.
struct Registers {
  // Vector unit.
  uint64_t mask[2];  // [0] elements 0..63, [1] 64..127; in counter mode [0] is the element count
  uint32_t counter_mode;  // MaskMode
  uint32_t pad_;
  uint64_t compare_mask[2];
  uint64_t control;          // CTRL special register; bit 48: 1 = IEEE Inf/NaN for half
  float deq_scale;           // SetDeqScale(half)
  float reduce_sum;          // accumulator of the last reduction
  uint32_t reduce_sum_bits;  // the same as the bits of an element
  uint32_t pad_2_;
  uint64_t vector_deq[16];  // SetDeqScale(vector) entries
  uint64_t deq_word;        // scalar CastDequant register
  float reduce_max_min_value;
  uint32_t reduce_max_min_index;
  uint64_t gather_mask_count;
  uint16_t merge_sort_counts[4];
  uint64_t pad_value;  // SetPadValue, raw bits
  uint32_t pad_value_set;
  // Atomic write-out.
  uint32_t atomic_type;       // 0 off, 1 float, 2 half, 3 int16, 4 int32, 5 int8, 6 bf16
  uint32_t atomic_operation;  // 0 add, 1 max, 2 min
  /// How write-out combines, so that a kernel compiles only the combinations it sets; null:
  /// plainly.
  void (*atomic_combine)(uint8_t* dst, const uint8_t* src, uint64_t bytes);
  // Flags between the pipes of this core.
  uint32_t flags_up;                    // sets not yet waited for, of all flags
  uint8_t flag_known[kHardEventCount];  // bit i: id i has been set, so its PipeFlag is valid
  uint8_t event_used[kHardEventCount];  // bit i: id i is allocated
  // Cube unit: free for cube.h to lay out; see CubeRegisters there.
  alignas(64) uint8_t cube[192];

  void Reset() {
    mask[0] = mask[1] = ~uint64_t{0};
    counter_mode = 0;
    control = uint64_t{1} << 48;  // the runtime's default device mode is Inf/NaN
    atomic_type = 0;
    atomic_operation = 0;
    atomic_combine = nullptr;
  }
};
static_assert(sizeof(Registers) <= sizeof(HostnpuCore::registers), "grow HostnpuCore::registers");

HOSTNPU_INLINE HostnpuCore& ThisCore() { return *hostnpu_core; }
HOSTNPU_INLINE Registers& Regs() { return *reinterpret_cast<Registers*>(hostnpu_core->registers); }
using PipeFlags = PipeFlag[kHardEventCount][kEventIdCount];
static_assert(sizeof(PipeFlags) <= sizeof(HostnpuCore::records), "grow HostnpuCore::records");
HOSTNPU_INLINE PipeFlags& AllPipeFlags() {
  return *reinterpret_cast<PipeFlags*>(hostnpu_core->records);
}
/// Vector instructions do nothing on a cube core, and cube instructions nothing on a vector core.
HOSTNPU_INLINE bool OnVectorCore() { return hostnpu_core->core_kind == HOSTNPU_CORE_AIV; }
HOSTNPU_INLINE bool OnCubeCore() { return hostnpu_core->core_kind == HOSTNPU_CORE_AIC; }

/// Ends this core with a message; see HostnpuDeviceAbi::fault. `api` is the function the user
/// called.
#define HOSTNPU_FAULT(kind, api, ...) \
  [[clang::nomerge]] hostnpu_core->abi->fault(hostnpu_core, (kind), (api), __VA_ARGS__)

/// The physical memory of a position.
constexpr HostnpuMemoryKind MemoryOf(TPosition position) {
  switch (position) {
    case TPosition::A1:
    case TPosition::B1:
    case TPosition::C1:
    case TPosition::TSCM:
      return HOSTNPU_MEMORY_L1;
    case TPosition::A2:
      return HOSTNPU_MEMORY_L0A;
    case TPosition::B2:
      return HOSTNPU_MEMORY_L0B;
    case TPosition::CO1:
      return HOSTNPU_MEMORY_L0C;
    case TPosition::C2:
      return HOSTNPU_MEMORY_BT;
    case TPosition::C2PIPE2GM:
      return HOSTNPU_MEMORY_FB;
    case TPosition::GM:
    case TPosition::CO2:
    case TPosition::SPM:
      return HOSTNPU_MEMORY_GM;
    default:
      return HOSTNPU_MEMORY_UB;
  }
}

constexpr const char* MemoryName(HostnpuMemoryKind kind) {
  switch (kind) {
    case HOSTNPU_MEMORY_UB:
      return "UB";
    case HOSTNPU_MEMORY_L1:
      return "L1";
    case HOSTNPU_MEMORY_L0A:
      return "L0A";
    case HOSTNPU_MEMORY_L0B:
      return "L0B";
    case HOSTNPU_MEMORY_L0C:
      return "L0C";
    case HOSTNPU_MEMORY_BT:
      return "BT";
    case HOSTNPU_MEMORY_FB:
      return "FB";
    default:
      return "GM";
  }
}

HOSTNPU_FAULT_FUNCTION inline void LocalBoundsFault(const char* api, HostnpuMemoryKind kind,
                                                    const void* address, uint64_t bytes) {
  const HostnpuLocalMemory& memory = ThisCore().memory[kind];
  const int64_t offset = static_cast<const uint8_t*>(address) - memory.base;
  if (address == nullptr) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_BOUNDS, api, "is given a LocalTensor that has no buffer");
  }
  HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_BOUNDS, api, "touches %s bytes [%lld, %lld); %s has %u bytes",
                MemoryName(kind), (long long)offset, (long long)(offset + (int64_t)bytes),
                MemoryName(kind), memory.size_bytes);
}

/// Whether [address, address + bytes) lies in that on-chip memory of this core.
HOSTNPU_INLINE bool IsInLocal(HostnpuMemoryKind kind, const void* address, uint64_t bytes) {
  const HostnpuLocalMemory& memory = ThisCore().memory[kind];
  const uint64_t offset = static_cast<uint64_t>(static_cast<const uint8_t*>(address) - memory.base);
  return bytes <= memory.size_bytes && offset <= memory.size_bytes - bytes;
}

/// [address, address + bytes) must lie in that on-chip memory of this core. bytes 0 passes.
HOSTNPU_INLINE void CheckLocal(const char* api, HostnpuMemoryKind kind, const void* address,
                               uint64_t bytes) {
  if (HOSTNPU_LIKELY(IsInLocal(kind, address, bytes))) return;
  if (bytes == 0) return;
  LocalBoundsFault(api, kind, address, bytes);
}

/// [address, address + bytes) must lie in one live allocation of this device. bytes 0 passes.
HOSTNPU_INLINE void CheckGm(const char* api, const void* address, uint64_t bytes,
                            HostnpuGmAccess access) {
  HostnpuCore& core = ThisCore();
  const uintptr_t begin = reinterpret_cast<uintptr_t>(address);
  const HostnpuGmWindow& last = core.gm_window[0];
  if (HOSTNPU_LIKELY(begin >= last.begin && begin < last.end && bytes <= last.end - begin)) return;
  if (bytes == 0) return;
  for (int i = 1; i < HOSTNPU_GM_WINDOW_COUNT; ++i) {
    const HostnpuGmWindow window = core.gm_window[i];
    if (begin >= window.begin && begin < window.end && bytes <= window.end - begin) {
      core.gm_window[i] = core.gm_window[0];
      core.gm_window[0] = window;
      return;
    }
  }
  core.abi->gm_check(&core, api, address, bytes, access);
}

/// An address of an on-chip memory must be a multiple of `alignment` within that memory.
HOSTNPU_INLINE void CheckAligned(const char* api, const char* operand, HostnpuMemoryKind kind,
                                 const void* address, uint32_t alignment) {
  const uint64_t offset =
      static_cast<uint64_t>(static_cast<const uint8_t*>(address) - ThisCore().memory[kind].base);
  if (HOSTNPU_LIKELY(offset % alignment == 0)) return;
  HOSTNPU_FAULT(HOSTNPU_FAULT_ALIGNMENT, api,
                "has its %s at %s byte %llu, which is not a multiple of %u", operand,
                MemoryName(kind), (unsigned long long)offset, alignment);
}

HOSTNPU_INLINE void CheckRepeatTime(const char* api, RepeatCount repeat_time) {
  if (HOSTNPU_LIKELY(repeat_time >= 0 && repeat_time <= MAX_REPEAT_TIMES)) return;
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "has repeatTime = %lld; 0 to 255 exist",
                (long long)repeat_time);
}

}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_DETAIL_CORE_H_

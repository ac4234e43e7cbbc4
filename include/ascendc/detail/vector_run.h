// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// How a vector instruction walks over UB. An instruction makes repeats; a repeat touches 256 bytes
// of its widest operand, eight 32-byte blocks `block stride` apart; repeats are `repeat stride`
// apart:
//
//     element e of repeat r:  base + r * repeat stride + (e / per block) * block stride + e % per
//     block
//
// Everything that does not depend on the operation is here, once and not as a template: an
// operation only brings a Run, a plain loop over elements that lie behind each other in every
// operand, which the compiler vectorises. Most instructions come down to one call of it.
#ifndef HOSTNPU_ASCENDC_DETAIL_VECTOR_RUN_H_
#define HOSTNPU_ASCENDC_DETAIL_VECTOR_RUN_H_

#include "../basic/tensor.h"
#include "lanes.h"

namespace AscendC {
namespace internal {

/// Computes `count` elements that lie behind each other in every operand. operand[0] is the
/// destination. An operand either coincides with the destination or does not touch it. `extra` is
/// the operation's own: a scalar.
using VectorRun = void (*)(void* const* operand, uint32_t count, const void* extra);

// Not every build can vectorise these loops (sanitizers, other targets), and none has to.
#pragma clang diagnostic ignored "-Wpass-failed"

// A loop whose iterations do not depend on each other, although operands may coincide.
#define HOSTNPU_VECTOR_LOOP _Pragma("clang loop vectorize(assume_safety) interleave(enable)")

/// One operand of an instruction.
struct VectorOperand {
  uint8_t* base;
  uint32_t element_bits;
  uint32_t block_stride;   // bytes
  uint32_t repeat_stride;  // bytes
  const char* name;        // "dst", "src0"
  uint8_t position;        // TPosition
};

constexpr int kVectorOperands = 4;
constexpr uint32_t kVectorBlockBytes = 32;
constexpr uint32_t kVectorRepeatBytes = 256;
constexpr uint32_t kVectorRepeatBlocks = 8;

/// One instruction.
struct VectorInstruction {
  const char* api;
  VectorRun run;
  const void* extra;
  VectorOperand operand[kVectorOperands];
  uint32_t operands;
  uint32_t per_repeat;  // elements
  uint16_t infinity;    // of a half or bfloat16_t destination, which may have to saturate; else 0
};

/// The pattern of Inf of the 16-bit floating types; 0 for other types.
template <typename T>
constexpr uint16_t InfinityBits() {
  return IsSameType<T, half>::value ? 0x7C00 : IsSameType<T, bfloat16_t>::value ? 0x7F80 : 0;
}

template <typename T>
HOSTNPU_INLINE VectorOperand OperandOf(const char* name, const LocalTensor<T>& tensor,
                                       uint32_t block_stride = 1, uint32_t repeat_stride = 8) {
  return {tensor.address_.absAddr,
          SizeOfBits<PrimT<T>>::value,
          block_stride * kVectorBlockBytes,
          repeat_stride * kVectorBlockBytes,
          name,
          tensor.address_.logicPos};
}

HOSTNPU_FAULT_FUNCTION inline void OperandFault(const char* api, const VectorOperand& operand) {
  if (operand.base == nullptr) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_BOUNDS, api,
                  "is given a LocalTensor that has no buffer as %s", operand.name);
  }
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "has its %s in %s; a vector instruction works on UB",
                operand.name, MemoryName(MemoryOf(static_cast<TPosition>(operand.position))));
}
HOSTNPU_FAULT_FUNCTION inline void OperandBoundsFault(const char* api, const VectorOperand& operand,
                                                      uint64_t bytes) {
  const HostnpuLocalMemory& ub = ThisCore().memory[HOSTNPU_MEMORY_UB];
  const long long offset = operand.base - ub.base;
  HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_BOUNDS, api,
                "touches UB bytes [%lld, %lld) as its %s; UB has %u bytes", offset,
                offset + (long long)bytes, operand.name, ub.size_bytes);
}

/// The operand lies in UB, begins at a block, and its `bytes` end within UB.
HOSTNPU_INLINE void CheckOperand(const char* api, const VectorOperand& operand, uint64_t bytes,
                                 uint32_t alignment = kVectorBlockBytes) {
  const HostnpuLocalMemory& ub = ThisCore().memory[HOSTNPU_MEMORY_UB];
  const uint64_t offset = static_cast<uint64_t>(operand.base - ub.base);
  if (HOSTNPU_UNLIKELY(MemoryOf(static_cast<TPosition>(operand.position)) != HOSTNPU_MEMORY_UB ||
                       operand.base == nullptr)) {
    OperandFault(api, operand);
  }
  if (HOSTNPU_UNLIKELY(offset > ub.size_bytes || bytes > ub.size_bytes - offset)) {
    OperandBoundsFault(api, operand, bytes);
  }
  CheckAligned(api, operand.name, HOSTNPU_MEMORY_UB, operand.base, alignment);
}

/// The same of `rows` x `columns` elements behind each other. Their bytes may be more than 64 bits
/// count.
template <typename T>
HOSTNPU_INLINE void CheckMatrix(const char* api, const char* name, const LocalTensor<T>& tensor,
                                uint32_t rows, uint32_t columns) {
  constexpr uint64_t kMost = uint64_t{1} << 58;
  const uint64_t elements = uint64_t{rows} * columns;
  CheckOperand(api, OperandOf(name, tensor),
               (elements < kMost ? elements : kMost) * sizeof(PrimT<T>));
}

/// In saturating mode results of 16 bits have no Inf and no NaN: `infinity` is the pattern of Inf.
HOSTNPU_SHARED void Saturate(uint16_t* values, uint32_t count, uint16_t infinity) {
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) {
    const uint16_t magnitude = values[i] & 0x7FFF;
    const uint16_t sign = values[i] & 0x8000;
    const uint16_t largest = static_cast<uint16_t>(sign | (infinity - 1));
    values[i] = magnitude > infinity ? 0 : magnitude == infinity ? largest : values[i];
  }
}
HOSTNPU_INLINE bool Saturates() { return (Regs().control >> 48 & 1) == 0; }

HOSTNPU_INLINE void RunOnce(const VectorInstruction& instruction, void* const* at, uint32_t count) {
  instruction.run(at, count, instruction.extra);
  if (HOSTNPU_UNLIKELY(instruction.infinity != 0 && Saturates())) {
    Saturate(static_cast<uint16_t*>(at[0]), count, instruction.infinity);
  }
}

/// Whether every source either coincides with the destination or does not touch it, over
/// `bytes[i]` of each operand.
HOSTNPU_INLINE bool OperandsAreApart(const VectorInstruction& instruction, const uint64_t* bytes) {
  const VectorOperand& dst = instruction.operand[0];
  for (uint32_t i = 1; i < instruction.operands; ++i) {
    const VectorOperand& src = instruction.operand[i];
    if (src.base == dst.base && src.element_bits == dst.element_bits &&
        src.block_stride == dst.block_stride && src.repeat_stride == dst.repeat_stride) {
      continue;
    }
    if (src.base + bytes[i] <= dst.base || dst.base + bytes[0] <= src.base) continue;
    return false;
  }
  return true;
}

/// Where the operands of repeat `repeat` begin.
HOSTNPU_INLINE void PlaceRepeat(const VectorInstruction& instruction, uint64_t repeat,
                                uint8_t** at) {
  for (uint32_t i = 0; i < instruction.operands; ++i) {
    at[i] = instruction.operand[i].base + repeat * instruction.operand[i].repeat_stride;
  }
}

/// The elements [first, first + count) of a repeat; all within one block of every operand, or
/// blocks behind each other.
HOSTNPU_INLINE void RunElements(const VectorInstruction& instruction, uint8_t* const* start,
                                uint32_t first, uint32_t count) {
  void* at[kVectorOperands];
  for (uint32_t i = 0; i < instruction.operands; ++i) {
    const VectorOperand& operand = instruction.operand[i];
    const uint32_t byte = first * operand.element_bits / 8;
    at[i] = start[i] + byte / kVectorBlockBytes * operand.block_stride + byte % kVectorBlockBytes;
  }
  RunOnce(instruction, at, count);
}

/// One repeat under a mask, block by block.
HOSTNPU_SHARED void RunRepeatByBlocks(const VectorInstruction& instruction, uint8_t* const* start,
                                      const uint64_t* lanes, uint32_t chunk) {
  for (uint32_t first = 0; first < instruction.per_repeat; first += chunk) {
    const uint64_t word = lanes[first / 64] >> (first % 64);
    const uint64_t whole = chunk == 64 ? kFullMask : (uint64_t{1} << chunk) - 1;
    uint64_t bits = word & whole;
    if (bits == whole) {
      RunElements(instruction, start, first, chunk);
      continue;
    }
    while (bits != 0) {
      const uint32_t begin = static_cast<uint32_t>(__builtin_ctzll(bits));
      const uint32_t length = static_cast<uint32_t>(__builtin_ctzll(~(bits >> begin)));
      RunElements(instruction, start, first + begin, length);
      bits &= ~(((uint64_t{1} << length) - 1) << begin);
    }
  }
}

/// The sources of one repeat, copied aside: where the destination lies across them, and where their
/// blocks do not lie behind each other, so that one run can do a whole repeat.
struct StagedRepeat {
  alignas(64) uint8_t bytes[kVectorOperands][kVectorRepeatBytes];
  VectorInstruction instruction;  // with the copies as sources
  uint8_t* start[kVectorOperands];

  explicit StagedRepeat(const VectorInstruction& from) : instruction(from) {
    for (uint32_t i = 1; i < from.operands; ++i) {
      instruction.operand[i].block_stride = kVectorBlockBytes;
    }
  }
  /// Copies what `elements` elements need. `all`: also sources that could be used where they are.
  void Load(const VectorInstruction& from, uint8_t* const* at, uint32_t elements, bool all) {
    start[0] = at[0];
    for (uint32_t i = 1; i < from.operands; ++i) {
      const VectorOperand& operand = from.operand[i];
      if (!all && operand.block_stride == kVectorBlockBytes) {
        start[i] = at[i];
        continue;
      }
      const uint32_t used = (elements * operand.element_bits + 7) / 8;
      for (uint32_t byte = 0, from_byte = 0; byte < used;
           byte += kVectorBlockBytes, from_byte += operand.block_stride) {
        __builtin_memcpy(bytes[i] + byte, at[i] + from_byte, kVectorBlockBytes);
      }
      start[i] = bytes[i];
    }
  }
};

/// Elements that surely lie within one block of every operand.
HOSTNPU_INLINE uint32_t ChunkOf(const VectorInstruction& instruction) {
  return instruction.per_repeat / kVectorRepeatBlocks;
}

/// The last byte a repeat touches of operand i, plus one, counted from where the repeat begins.
HOSTNPU_INLINE uint64_t RepeatExtent(const VectorOperand& operand, uint32_t elements) {
  const uint64_t last = (elements - uint64_t{1}) * operand.element_bits / 8;
  const uint64_t element_bytes = (operand.element_bits + 7) / 8;
  return last / kVectorBlockBytes * operand.block_stride + last % kVectorBlockBytes + element_bytes;
}
/// Bytes from an operand's start to its last touched element. The plan has a repeat.
HOSTNPU_INLINE uint64_t ExtentOf(const LanePlan& plan, const VectorOperand& operand) {
  const uint64_t last = (plan.repeats - 1) * uint64_t{operand.repeat_stride} +
                        RepeatExtent(operand, LastLane(plan.last_bits) + 1);
  if (plan.repeats == 1) return last;
  const uint64_t before = (plan.repeats - 2) * uint64_t{operand.repeat_stride} +
                          RepeatExtent(operand, LastLane(plan.bits) + 1);
  return last > before ? last : before;
}
/// All that the plan touches of the operand lies in UB, from a whole block on.
HOSTNPU_SHARED void CheckPlanned(const char* api, const LanePlan& plan,
                                 const VectorOperand& operand) {
  CheckOperand(api, operand, ExtentOf(plan, operand));
}

/// Whether the lanes are the first ones.
HOSTNPU_INLINE bool IsPrefix(const uint64_t* bits) {
  return bits[1] == 0 ? (bits[0] & (bits[0] + 1)) == 0
                      : bits[0] == kFullMask && (bits[1] & (bits[1] + 1)) == 0;
}

/// Repeat after repeat, in order. `prefixes`: the lanes of each are its first ones; `apart`: no
/// source lies across the destination.
HOSTNPU_SHARED void RunRepeatsApart(const VectorInstruction& instruction, const LanePlan& plan,
                                    bool prefixes, bool apart) {
  bool sources_in_place = apart;
  for (uint32_t i = 1; i < instruction.operands; ++i) {
    sources_in_place &= instruction.operand[i].block_stride == kVectorBlockBytes;
  }
  const bool whole_runs = prefixes && instruction.operand[0].block_stride == kVectorBlockBytes;
  const bool staging = !apart || (whole_runs && !sources_in_place);
  const uint32_t chunk = ChunkOf(instruction);
  StagedRepeat staged(instruction);
  uint8_t* start[kVectorOperands];
  for (uint32_t repeat = 0; repeat < plan.repeats; ++repeat) {
    const uint64_t* active = plan.Of(repeat);
    const uint32_t elements = LastLane(active) + 1;
    PlaceRepeat(instruction, repeat, start);
    if (staging) staged.Load(instruction, start, elements, !apart);
    const VectorInstruction& used = staging ? staged.instruction : instruction;
    uint8_t* const* at = staging ? staged.start : start;
    if (whole_runs) {
      RunElements(used, at, 0, elements);
    } else {
      RunRepeatByBlocks(used, at, active, chunk);
    }
  }
}

/// The general case: the lanes and repeats of a plan.
HOSTNPU_SHARED void RunPlan(const VectorInstruction& instruction, const LanePlan& plan) {
  if (plan.repeats == 0) return;  // no element takes part: the hardware does nothing
  const uint32_t per_repeat = instruction.per_repeat;
  uint64_t bytes[kVectorOperands];
  bool contiguous_blocks = true;   // the blocks of a repeat lie behind each other
  bool contiguous_repeats = true;  // so do the repeats
  for (uint32_t i = 0; i < instruction.operands; ++i) {
    const VectorOperand& operand = instruction.operand[i];
    bytes[i] = ExtentOf(plan, operand);
    CheckOperand(instruction.api, operand, bytes[i]);
    contiguous_blocks &= operand.block_stride == kVectorBlockBytes;
    contiguous_repeats &= operand.repeat_stride == per_repeat * operand.element_bits / 8;
  }
  const bool apart = OperandsAreApart(instruction, bytes);
  const bool full = plan.repeats == 1 || LastLane(plan.bits) + 1 == per_repeat;
  const bool prefixes = IsPrefix(plan.last_bits) && (plan.repeats == 1 || IsPrefix(plan.bits));
  uint8_t* start[kVectorOperands];
  if (apart && contiguous_blocks && contiguous_repeats && full && prefixes) {
    PlaceRepeat(instruction, 0, start);
    RunElements(instruction, start, 0,
                (plan.repeats - 1) * per_repeat + LastLane(plan.last_bits) + 1);
    return;
  }
  RunRepeatsApart(instruction, plan, prefixes, apart);
}

/// `repeats` repeats under the mask register, in the mode it is in.
HOSTNPU_SHARED void RunMasked(const VectorInstruction& instruction, RepeatCount repeats) {
  RunPlan(instruction, PlanLanes(instruction.api, repeats, instruction.per_repeat));
}

HOSTNPU_FAULT_FUNCTION inline void CountFault(const char* api, int64_t count) {
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "is given a count of %lld", (long long)count);
}
/// The count form of an instruction whose operands overlap.
HOSTNPU_SHARED void RunCountSlowly(const VectorInstruction& instruction, uint64_t count) {
  RunPlan(instruction, PlanElements(instruction.api, count, instruction.per_repeat));
}

/// The count form: elements behind each other. Leaves the mask register full, in normal mode.
HOSTNPU_SHARED void RunCount(const VectorInstruction& instruction, int64_t count) {
  Registers& registers = Regs();
  registers.mask[0] = registers.mask[1] = kFullMask;
  registers.counter_mode = 0;
  if (HOSTNPU_UNLIKELY(count <= 0)) {
    if (count < 0) CountFault(instruction.api, count);
    return;
  }
  uint64_t bytes[kVectorOperands];
  void* at[kVectorOperands];
  for (uint32_t i = 0; i < instruction.operands; ++i) {
    const VectorOperand& operand = instruction.operand[i];
    bytes[i] = (static_cast<uint64_t>(count) * operand.element_bits + 7) / 8;
    at[i] = operand.base;
    CheckOperand(instruction.api, operand, bytes[i]);
  }
  if (HOSTNPU_UNLIKELY(!OperandsAreApart(instruction, bytes))) {
    RunCountSlowly(instruction, static_cast<uint64_t>(count));
    return;
  }
  RunOnce(instruction, at, static_cast<uint32_t>(count));
}

HOSTNPU_FAULT_FUNCTION inline void MaskFault(const char* api, uint64_t mask, uint32_t per_repeat) {
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "is given a mask of %llu elements; a repeat has %u",
                (unsigned long long)mask, per_repeat);
}
/// Puts the mask argument of an instruction into the register, as isSetMask = true does.
HOSTNPU_INLINE void SetMaskArgument(const char* api, uint64_t mask, uint32_t per_repeat) {
  if (HOSTNPU_UNLIKELY(mask > per_repeat)) MaskFault(api, mask, per_repeat);
  SetContiguousMask(mask == per_repeat ? 128 : mask);
}
HOSTNPU_INLINE void SetMaskArgument(const char*, const uint64_t* mask, uint32_t) {
  SetMaskRegister(mask[1], mask[0]);
}

/// The form of an instruction with a mask, of which there are two kinds, and repeats.
template <bool isSetMask, typename Mask>
HOSTNPU_INLINE void RunUnderMask(const VectorInstruction& instruction, Mask mask,
                                 RepeatCount repeats) {
  if constexpr (isSetMask) SetMaskArgument(instruction.api, mask, instruction.per_repeat);
  RunMasked(instruction, repeats);
}

}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_DETAIL_VECTOR_RUN_H_

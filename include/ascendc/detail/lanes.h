// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which elements an instruction of masks, repeats and strides touches. An instruction enters its
// mask into the mask register, or leaves the register as it is; the plan then says what the
// register means for this element size: in normal mode the same lanes in each repeat, in counter
// mode full repeats and a partial last one.
#ifndef HOSTNPU_ASCENDC_DETAIL_LANES_H_
#define HOSTNPU_ASCENDC_DETAIL_LANES_H_

#include "vector_run.h"

namespace AscendC {
namespace internal {

/// Lanes of each repeat, and of the last one. repeats 0: nothing to do.
struct LanePlan {
  uint64_t bits[2];
  uint64_t last_bits[2];
  uint32_t repeats;

  const uint64_t* Of(uint32_t repeat) const { return repeat + 1 == repeats ? last_bits : bits; }
};

/// The first `count` of 128 lanes.
HOSTNPU_INLINE void FirstLanes(uint64_t* bits, uint32_t count) {
  bits[0] = count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
  bits[1] = count >= 128 ? ~uint64_t{0} : count > 64 ? (uint64_t{1} << (count - 64)) - 1 : 0;
}

HOSTNPU_INLINE bool HasLane(const uint64_t* bits, uint32_t lane) {
  return (bits[lane / 64] >> (lane % 64) & 1) != 0;
}
/// The highest lane that takes part; there is one.
HOSTNPU_INLINE uint32_t LastLane(const uint64_t* bits) {
  return bits[1] != 0 ? 127u - static_cast<uint32_t>(__builtin_clzll(bits[1]))
                      : 63u - static_cast<uint32_t>(__builtin_clzll(bits[0]));
}

/// What the mask register means for `lanes` elements per repeat (32, 64 or 128).
inline LanePlan PlanLanes(const char* api, int64_t repeat_time, uint32_t lanes) {
  const Registers& registers = Regs();
  LanePlan plan = {};
  if (registers.counter_mode != 0) {
    const uint64_t count = registers.mask[0] & 0xFFFFFFFFu;
    plan.repeats = static_cast<uint32_t>((count + lanes - 1) / lanes);
    FirstLanes(plan.bits, lanes);
    const uint32_t tail = static_cast<uint32_t>(count % lanes);
    FirstLanes(plan.last_bits, tail == 0 ? lanes : tail);
    return plan;
  }
  if (HOSTNPU_UNLIKELY(repeat_time < 0 || repeat_time > MAX_REPEAT_TIMES)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "has repeatTime = %lld; 0 to 255 exist",
                  (long long)repeat_time);
  }
  uint64_t valid[2];
  FirstLanes(valid, lanes);
  for (int i = 0; i < 2; ++i) plan.bits[i] = plan.last_bits[i] = registers.mask[i] & valid[i];
  plan.repeats = (plan.bits[0] | plan.bits[1]) == 0 ? 0 : static_cast<uint32_t>(repeat_time);
  return plan;
}

/// The first `count` elements, as the forms with a count run; the mask register is full afterwards.
inline LanePlan PlanCount(uint64_t count, uint32_t lanes) {
  LanePlan plan = {};
  plan.repeats = static_cast<uint32_t>((count + lanes - 1) / lanes);
  FirstLanes(plan.bits, lanes);
  const uint32_t tail = static_cast<uint32_t>(count % lanes);
  FirstLanes(plan.last_bits, tail == 0 ? lanes : tail);
  SetMaskRegister(kFullMask, kFullMask);
  Regs().counter_mode = 0;
  return plan;
}

/// Bytes from an operand's start to its last touched element.
inline uint64_t ExtentOf(const LanePlan& plan, const VectorOperand& operand) {
  const uint64_t last = (plan.repeats - 1) * uint64_t{operand.repeat_stride} +
                        RepeatExtent(operand, LastLane(plan.last_bits) + 1);
  if (plan.repeats == 1) return last;
  const uint64_t before = (plan.repeats - 2) * uint64_t{operand.repeat_stride} +
                          RepeatExtent(operand, LastLane(plan.bits) + 1);
  return last > before ? last : before;
}
/// All that the plan touches of the operand lies in UB, from a whole block on.
inline void CheckPlanned(const char* api, const LanePlan& plan, const VectorOperand& operand) {
  CheckOperand(api, operand, ExtentOf(plan, operand));
}

}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_DETAIL_LANES_H_

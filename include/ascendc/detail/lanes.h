// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which elements an instruction of masks, repeats and strides touches. An instruction enters its
// mask into the mask register, or leaves the register as it is; the plan then says what the
// register means for this element size: in normal mode the same lanes in each repeat, in counter
// mode full repeats and a partial last one.
#ifndef HOSTNPU_ASCENDC_DETAIL_LANES_H_
#define HOSTNPU_ASCENDC_DETAIL_LANES_H_

#include "../basic/vector_mask.h"

namespace AscendC {
namespace internal {

/// Lanes of each repeat, and of the last one. repeats 0: nothing to do.
struct LanePlan {
  uint64_t bits[2];
  uint64_t last_bits[2];
  uint32_t repeats;

  const uint64_t* Of(uint32_t repeat) const { return repeat + 1 == repeats ? last_bits : bits; }
};

HOSTNPU_INLINE bool HasLane(const uint64_t* bits, uint32_t lane) {
  return (bits[lane / 64] >> (lane % 64) & 1) != 0;
}
/// The highest lane that takes part; there is one.
HOSTNPU_INLINE uint32_t LastLane(const uint64_t* bits) {
  return bits[1] != 0 ? 127u - static_cast<uint32_t>(__builtin_clzll(bits[1]))
                      : 63u - static_cast<uint32_t>(__builtin_clzll(bits[0]));
}

/// The first `count` elements, as full repeats and a partial last one.
HOSTNPU_SHARED LanePlan PlanElements(const char* api, uint64_t count, uint32_t lanes) {
  if (HOSTNPU_UNLIKELY(count > 0xFFFFFFFFu)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                  "runs in counter mode, and the mask register counts %llu elements",
                  (unsigned long long)count);
  }
  LanePlan plan = {};
  plan.repeats = static_cast<uint32_t>((count + lanes - 1) / lanes);
  FirstLanes(plan.bits, lanes);
  const uint32_t tail = static_cast<uint32_t>(count % lanes);
  FirstLanes(plan.last_bits, tail == 0 ? lanes : tail);
  return plan;
}

/// What the mask register means for `lanes` elements per repeat (32, 64 or 128).
HOSTNPU_SHARED LanePlan PlanLanes(const char* api, RepeatCount repeat_time, uint32_t lanes) {
  const Registers& registers = Regs();
  if (registers.counter_mode != 0) return PlanElements(api, registers.mask[0], lanes);
  CheckRepeatTime(api, repeat_time);
  LanePlan plan = {};
  uint64_t valid[2];
  FirstLanes(valid, lanes);
  for (int i = 0; i < 2; ++i) plan.bits[i] = plan.last_bits[i] = registers.mask[i] & valid[i];
  plan.repeats = (plan.bits[0] | plan.bits[1]) == 0 ? 0 : static_cast<uint32_t>(repeat_time);
  return plan;
}

/// The first `count` elements, as the forms with a count run; the mask register is full afterwards.
HOSTNPU_SHARED LanePlan PlanCount(const char* api, uint64_t count, uint32_t lanes) {
  SetMaskRegister(kFullMask, kFullMask);
  Regs().counter_mode = 0;
  return PlanElements(api, count, lanes);
}

}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_DETAIL_LANES_H_

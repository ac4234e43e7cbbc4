// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_WORKSPACE_CONTENTS_H_
#define HOSTNPU_WORKSPACE_CONTENTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "workspace/plan.h"

namespace hostnpu::workspace {

/// What an `undefined` region gets before its launch.
enum class FillPolicy {
  kNone,    ///< whatever stood there
  kPoison,  ///< the poison pattern, which no correct kernel survives reading
  kZero,    ///< zero, to find out whether a kernel depends on it
};

/// FF 7F FF 7F ...: a NaN as float16, bfloat16, float32 and float64; as an integer of 16, 32 or 64
/// bits a large positive number, so that an index read from it is far out of bounds.
inline constexpr uint8_t kPoisonEven = 0xff;
inline constexpr uint8_t kPoisonOdd = 0x7f;

void FillPoison(std::byte* data, int64_t bytes);

/// Writes the initial contents that are due at `step` (plan.first_step: the start; further steps
/// only for operators of many launches). Call it on the stream, before the launch. Persistent
/// regions are not touched: Lane::Persistent zeroed them. Neither is the system part.
void FillContents(const ArenaPlan& plan, int64_t step, std::byte* arena, FillPolicy policy);

/// The first byte that is not zero.
std::optional<int64_t> FindNonZero(const std::byte* data, int64_t bytes);

/// After a launch: every persistent-zero region must be zero again. kInvalidState names the region,
/// the first dirty offset and its value, and how many bytes are dirty. Dirty regions are zeroed, so
/// that one defect is reported once and does not spoil the next launch.
base::Result<void> CheckPersistentZero(const ArenaPlan& plan, std::byte* persistent);

}  // namespace hostnpu::workspace

#endif  // HOSTNPU_WORKSPACE_CONTENTS_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// What a launch does with its workspaces, in the order in which it must happen, so that no runtime
// path (direct launch, operator, aclnn) has to remember it.
#include "workspace/launch.h"

#include <fmt/format.h>

#include <algorithm>

namespace hostnpu::workspace {
namespace {

/// The kernel and the layout: another plan of the same kernel has another block.
std::string PersistentKey(const ArenaPlan& plan) {
  return fmt::format("{} ({} persistent bytes)", plan.owner, plan.persistent_bytes);
}

base::Result<std::byte*> PersistentBlock(Lane* lane, const ArenaPlan& plan) {
  if (plan.persistent_bytes == 0) return static_cast<std::byte*>(nullptr);
  int64_t alignment = kDefaultAlignment;
  for (const Slot& slot : plan.slots) {
    if (slot.persistent) alignment = std::max(alignment, slot.alignment);
  }
  bool fresh = false;
  return lane->Persistent(PersistentKey(plan), plan.persistent_bytes, alignment, &fresh);
}

}  // namespace

base::Result<LaunchWorkspace> LaunchWorkspace::Prepare(Lane* lane, const ArenaPlan& plan,
                                                       std::string_view label) {
  LaunchWorkspace launch;
  launch.plan_ = &plan;
  HOSTNPU_ASSIGN_OR_RETURN(launch.persistent_, PersistentBlock(lane, plan));
  HOSTNPU_ASSIGN_OR_RETURN(launch.lease_, lane->Acquire(plan.bytes, plan.alignment, label));
  launch.arena_ = launch.lease_.base();
  return launch;
}

void LaunchWorkspace::Fill(int64_t step, FillPolicy policy) {
  FillContents(*plan_, step, arena_, policy);
}

std::byte* LaunchWorkspace::Address(size_t index) const {
  const Slot& slot = plan_->slots[index];
  if (slot.bytes == 0) return nullptr;
  return (slot.persistent ? persistent_ : arena_) + slot.offset;
}

base::Result<void> LaunchWorkspace::Finish() {
  base::Result<void> result;
  if (persistent_ != nullptr) result = CheckPersistentZero(*plan_, persistent_);
  lease_.End();
  arena_ = nullptr;
  persistent_ = nullptr;
  return result;
}

}  // namespace hostnpu::workspace

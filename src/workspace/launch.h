// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_WORKSPACE_LAUNCH_H_
#define HOSTNPU_WORKSPACE_LAUNCH_H_

#include <string_view>

#include "base/result.h"
#include "workspace/contents.h"
#include "workspace/lease.h"
#include "workspace/plan.h"
#include "workspace/pool.h"

namespace hostnpu::workspace {

/// The workspaces of one launch: a plan with addresses. Prepared when the launch is put on its
/// stream, filled when the stream reaches it, finished when it is done; it belongs to the launch
/// all the while. The plan must outlive it.
class LaunchWorkspace {
 public:
  LaunchWorkspace() = default;

  /// Leases an arena from the lane, and the persistent block if the plan has one. `label` as for
  /// Lane::Acquire.
  static base::Result<LaunchWorkspace> Prepare(Lane* lane, const ArenaPlan& plan,
                                               std::string_view label);

  /// Writes the contents due at `step`: see FillContents.
  void Fill(int64_t step, FillPolicy policy);

  /// The address of region `index`; null if it has no bytes.
  std::byte* Address(size_t index) const;
  /// The library's part; null if the plan has none.
  std::byte* System() const { return plan_->system_bytes > 0 ? arena_ : nullptr; }
  std::byte* arena() const { return arena_; }
  /// The block of the persistent regions; null if the plan has none.
  std::byte* persistent() const { return persistent_; }
  const ArenaPlan& plan() const { return *plan_; }

  /// The launch is over: checks the persistent regions and ends the lease, in this order.
  base::Result<void> Finish();

 private:
  const ArenaPlan* plan_ = nullptr;
  Lease lease_;
  std::byte* arena_ = nullptr;
  std::byte* persistent_ = nullptr;
};

}  // namespace hostnpu::workspace

#endif  // HOSTNPU_WORKSPACE_LAUNCH_H_

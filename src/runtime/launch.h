// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_LAUNCH_H_
#define HOSTNPU_RUNTIME_LAUNCH_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ascendc/detail/launch_abi.h"
#include "base/result.h"
#include "engine/launch.h"
#include "runtime/kernel_registry.h"
#include "runtime/stream.h"

namespace hostnpu::runtime {

/// Checks a launch and appends it to its stream; the ICPU form runs it before it returns. Copies
/// everything it needs.
///
/// Refused, with the parameter's name: no blocks; a stream that does not live; a pointer to freed
/// memory, to another device's, to pinned host memory or to none that is known (a null pointer is
/// legal as long as nobody uses it; the ICPU form also takes plain host memory, as the CPU twin
/// does); a workspace that cannot be leased; a stream that has failed before.
base::Result<void> SubmitLaunch(const HostnpuLaunch& launch);

/// While one lives, the launches that this thread submits are in batch mode if it says so: all
/// their cores start together. One with more blocks than the chip has cores for is refused.
class BatchMode {
 public:
  explicit BatchMode(bool on);
  ~BatchMode();
  BatchMode(const BatchMode&) = delete;

 private:
  const bool before_;
};

/// The copy of a launch's packed arguments.
class PackedArguments {
 public:
  explicit PackedArguments(const HostnpuLaunch& launch);
  ~PackedArguments();
  PackedArguments(const PackedArguments&) = delete;
  void* data() const { return data_; }
  /// Puts another pointer into the argument at that offset.
  void SetPointer(uint32_t offset, void* value);

 private:
  void* data_;
  const size_t align_;
  void (*const destroy_)(void*);
};

/// The error a fault is to the API: 507015 on a cube core, 507035 on a vector core, 507014 for a
/// stall.
base::Error ErrorOfFault(const engine::Fault& fault, std::string doing);

/// Called, on the thread that ran the launch, for each launch that fails: for
/// aclrtSetExceptionInfoCallback. Null: nobody.
struct FaultNotice {
  uint32_t task_id = 0;
  uint32_t stream_id = 0;
  uint32_t device = 0;
  int error_number = 0;
};
void SetFaultListener(std::function<void(const FaultNotice&)> listener);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_LAUNCH_H_

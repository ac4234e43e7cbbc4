// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_SYSTEM_WORKSPACE_H_
#define HOSTNPU_RUNTIME_SYSTEM_WORKSPACE_H_

#include <cstdint>
#include <utility>

#include "base/result.h"
#include "engine/launch.h"

namespace hostnpu::runtime {

/// Zeroes the message queues of the Ascend C library in the launch's system workspace, as the entry
/// wrapper of a MIX kernel does: the slots of the launch's vector cores, their counted messages and
/// the UB message heads.
void ClearMessageQueues(const engine::LaunchSpec& spec);

/// A system workspace of zeros for one ICPU launch. Fresh pages, so that what is not touched costs
/// nothing.
class ZeroedSystemWorkspace {
 public:
  static base::Result<ZeroedSystemWorkspace> Map(uint32_t device, uint64_t size_bytes);
  ~ZeroedSystemWorkspace();
  ZeroedSystemWorkspace(ZeroedSystemWorkspace&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_bytes_(other.size_bytes_) {}
  ZeroedSystemWorkspace& operator=(ZeroedSystemWorkspace&&) = delete;
  uint8_t* data() const { return data_; }

 private:
  ZeroedSystemWorkspace(uint8_t* data, uint64_t size_bytes)
      : data_(data), size_bytes_(size_bytes) {}
  uint8_t* data_;
  uint64_t size_bytes_;
};

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_SYSTEM_WORKSPACE_H_

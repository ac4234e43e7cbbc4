// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ENGINE_CORE_MEMORY_H_
#define HOSTNPU_ENGINE_CORE_MEMORY_H_

#include <cstddef>

#include "arch/chip.h"
#include "ascendc/detail/device_abi.h"

namespace hostnpu::engine {

/// The on-chip memories of one core of one chip: UB, L1, L0A, L0B, L0C, bias table and fixpipe
/// buffer. Each lies between inaccessible pages, so that even a raw pointer that leaves it cannot
/// reach another. Contents are kept from launch to launch, as on the device.
class CoreMemory {
 public:
  explicit CoreMemory(const arch::Chip& chip);
  ~CoreMemory();
  CoreMemory(const CoreMemory&) = delete;
  CoreMemory& operator=(const CoreMemory&) = delete;

  /// False if the host has no memory for it; then nothing else may be called.
  bool IsUsable() const { return mapping_ != nullptr; }
  /// Writes base and sizes into the table kernels read.
  void Describe(HostnpuLocalMemory* table) const;
  /// Fills every byte, for runs that look for reads of what was never written.
  void Fill(unsigned char pattern);

 private:
  void* mapping_ = nullptr;
  size_t mapping_bytes_ = 0;
  HostnpuLocalMemory table_[HOSTNPU_MEMORY_COUNT] = {};
};

}  // namespace hostnpu::engine

#endif  // HOSTNPU_ENGINE_CORE_MEMORY_H_

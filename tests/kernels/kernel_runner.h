// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TESTS_KERNELS_KERNEL_RUNNER_H_
#define HOSTNPU_TESTS_KERNELS_KERNEL_RUNNER_H_

// The engine as kernel tests see it: C++17, as kernels are, while the engine's own headers are
// C++20.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ascendc/detail/device_abi.h"

namespace hostnpu::testing {

/// On what a kernel runs.
struct LaunchOptions {
  uint64_t blocks = 1;
  uint32_t aic = 0;      ///< cube cores of a block: 0 or 1
  uint32_t aiv = 1;      ///< vector cores of a block: 0, 1 or 2
  uint32_t workers = 0;  ///< threads at the most; 0: all
  uint64_t seed = 0;
  bool is_twin = false;
  uint8_t* system_workspace = nullptr;
};

/// How a launch ended.
struct LaunchResult {
  bool ok = true;
  HostnpuFaultKind kind = HOSTNPU_FAULT_ARGUMENT;  ///< of a fault
  std::string message;                             ///< "DataCopy touches ...": API and sentence
  uint32_t line = 0;                               ///< in the user's source
  std::string report;                              ///< the whole text of a fault
  std::vector<std::string> flags_left;             ///< the warnings of a launch without one
};

/// Runs `entry` with `arguments` on every core of the launch.
LaunchResult RunKernel(const LaunchOptions& options, void (*entry)(void*), void* arguments);

/// Device memory of device 0; ends the program if there is none.
void* AllocateGm(size_t bytes, const std::string& label);
void FreeGm(void* data);

}  // namespace hostnpu::testing

#endif  // HOSTNPU_TESTS_KERNELS_KERNEL_RUNNER_H_

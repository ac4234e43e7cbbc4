// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_runner.h"

#include <cstdlib>

#include "base/check.h"
#include "engine/engine.h"
#include "memory/device_memory.h"

namespace hostnpu::testing {

LaunchResult RunKernel(const LaunchOptions& options, void (*entry)(void*), void* arguments) {
  // Tests ask for up to eight workers, whatever the machine has.
  [[maybe_unused]] static const int set = setenv("HOSTNPU_THREADS", "8", /*overwrite=*/0);
  engine::LaunchSpec spec;
  spec.kernel_name = "test_kernel";
  spec.blocks = options.blocks;
  spec.cores = {options.aic, options.aiv};
  spec.aiv_entry = entry;
  spec.aic_entry = entry;
  spec.arguments = arguments;
  spec.chip = *arch::FindChip("Ascend910B1");
  spec.seed = options.seed;
  spec.worker_limit = options.workers;
  spec.is_twin = options.is_twin;
  spec.system_workspace = options.system_workspace;
  const engine::LaunchOutcome outcome = engine::Engine::Get().Run(spec);
  LaunchResult result;
  for (const engine::FlagLeft& flag : outcome.flags_left) {
    result.flags_left.push_back(flag.ToString(spec.kernel_name));
  }
  if (!outcome.fault.has_value()) return result;
  result.ok = false;
  result.kind = outcome.fault->kind;
  result.message = outcome.fault->api + " " + outcome.fault->message;
  result.line = outcome.fault->location.line;
  result.report = outcome.fault->ToString();
  return result;
}

void* AllocateGm(size_t bytes, const std::string& label) {
  auto data = memory::DeviceMemory::Get().Allocate(0, bytes, label);
  HOSTNPU_CHECK(data.ok());
  return *data;
}

void FreeGm(void* data) { HOSTNPU_CHECK(memory::DeviceMemory::Get().Free(data).ok()); }

}  // namespace hostnpu::testing

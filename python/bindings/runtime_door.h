// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PYTHON_BINDINGS_RUNTIME_DOOR_H_
#define HOSTNPU_PYTHON_BINDINGS_RUNTIME_DOOR_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "runtime/launch_memory.h"

namespace hostnpu::bindings {

/// The workspaces of one call: region i of the plan goes into words[slots[i]].
struct CallWorkspaces {
  runtime::PlanPointer plan{};  ///< null: there are none
  std::span<const size_t> slots{};
};

/// Calls a generated entry on the stream of this thread, with workspaces that the stream leases,
/// and waits for it. Needs no Python lock. kOutOfMemory: no workspace; kInvalidState: the kernel
/// left one other than it promised; kKernelFault: anything else.
base::Result<void> RunAndWait(int (*entry)(const uint64_t* words, void* stream), uint64_t* words,
                              const CallWorkspaces& workspaces);

/// Makes the symbols of this extension visible to the kernels it loads, so that they find the
/// runtime in it and not in a second copy.
void ExposeRuntime();

}  // namespace hostnpu::bindings

#endif  // HOSTNPU_PYTHON_BINDINGS_RUNTIME_DOOR_H_

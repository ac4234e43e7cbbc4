// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ENGINE_DEVICE_ABI_H_
#define HOSTNPU_ENGINE_DEVICE_ABI_H_

#include <vector>

#include "engine/core.h"
#include "engine/launch.h"

namespace hostnpu::engine {

/// Fills the record that kernels read for a core that is about to run `spec`.
void PrepareCore(Core& core, const LaunchSpec& spec);

/// Makes this thread able to survive a fault of kernel code: an alternate signal stack and, once
/// per process, the handlers of SIGSEGV, SIGBUS and SIGFPE.
void EnterWorkerThread();

/// What kernels have printed is out, whatever stdout is: a caller in another language has a buffer
/// of its own, and would come first.
void FlushPrints();

/// A core that ends in the middle of an instruction: what it had locked of GM is free again.
void GiveUpGmLock(Core& core);

/// For each stack the innermost place that lies in the user's own source. Slow: starts a process.
std::vector<SourceLocation> UserLocations(const std::vector<std::vector<void*>>& stacks);

}  // namespace hostnpu::engine

#endif  // HOSTNPU_ENGINE_DEVICE_ABI_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_LAUNCH_WARNING_H_
#define HOSTNPU_RUNTIME_LAUNCH_WARNING_H_

#include <string>

#include "engine/launch.h"

namespace hostnpu::runtime {

/// Says on standard error which flags a launch has left set, and what else was odd about it. Each
/// flag and each kind of oddity of a kernel once in the life of the process, however often the
/// kernel is launched. Any thread.
void Warn(const std::string& kernel, const engine::LaunchOutcome& outcome);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_LAUNCH_WARNING_H_

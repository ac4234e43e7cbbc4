// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_FLAG_WARNING_H_
#define HOSTNPU_RUNTIME_FLAG_WARNING_H_

#include <string>
#include <vector>

#include "engine/launch.h"

namespace hostnpu::runtime {

/// Says on standard error which flags a launch has left set. Each flag of a kernel once in the
/// life of the process, however often the kernel is launched. Any thread.
void WarnOfFlagsLeft(const std::string& kernel, const std::vector<engine::FlagLeft>& flags);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_FLAG_WARNING_H_

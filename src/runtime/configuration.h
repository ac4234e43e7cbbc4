// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_CONFIGURATION_H_
#define HOSTNPU_RUNTIME_CONFIGURATION_H_

#include <cstdint>

#include "base/result.h"

namespace hostnpu::runtime {

/// aclInit: reads the JSON file at `path`, if that is not null, and counts the use. A second call
/// counts too, and gives ACL_ERROR_REPEAT_INITIALIZE as the device's library does. Sections that
/// this library cannot honour (dump, profiler) are an error that names them; "defaultDevice" sets
/// the device; sizes of device stacks and print buffers have no meaning here and are accepted.
base::Result<void> Initialize(const char* path);

/// aclFinalize, and aclFinalizeReference with `all` false: gives how many uses are left.
base::Result<uint64_t> Finalize(bool all);
/// The error ACL_ERROR_REPEAT_FINALIZE.
base::Error FinalizedBefore();

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_CONFIGURATION_H_

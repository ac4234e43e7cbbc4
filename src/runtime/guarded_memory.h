// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_GUARDED_MEMORY_H_
#define HOSTNPU_RUNTIME_GUARDED_MEMORY_H_

#include <cstddef>

#include "base/result.h"

namespace hostnpu::runtime {

/// Zeroed global memory of the current device (device 0 without one) whose end lies before a page
/// that nobody may touch, and whose surroundings on the accessible pages are filled with 0xFF.
base::Result<void*> AllocateGuarded(size_t size_bytes);

/// Frees it. An error, after freeing, if the surroundings have changed: by how many bytes and
/// where; an error if the address is not one of AllocateGuarded().
base::Result<void> FreeGuarded(void* address);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_GUARDED_MEMORY_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PYTHON_BINDINGS_RUNTIME_DOOR_H_
#define HOSTNPU_PYTHON_BINDINGS_RUNTIME_DOOR_H_

#include <cstdint>

#include "base/result.h"

namespace hostnpu::bindings {

/// Calls a generated entry on the default stream and waits for it. Needs no Python lock.
base::Result<void> RunAndWait(int (*entry)(const uint64_t* words, void* stream),
                              const uint64_t* words);

/// Makes the symbols of this extension visible to the kernels it loads, so that they find the
/// runtime in it and not in a second copy.
void ExposeRuntime();

}  // namespace hostnpu::bindings

#endif  // HOSTNPU_PYTHON_BINDINGS_RUNTIME_DOOR_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_PASSES_INFER_SCOPES_H_
#define HOSTNPU_TILELANG_PASSES_INFER_SCOPES_H_

#include "base/result.h"
#include "tilelang/ir/module.h"

namespace hostnpu::tilelang::passes {

/// Gives every alloc_shared buffer UB or L1 and every alloc_fragment buffer L0A, L0B or L0C, by its
/// uses. First of all passes: everything after it asks for memories.
base::Result<ir::Module> InferScopes(ir::Module module);

}  // namespace hostnpu::tilelang::passes

#endif  // HOSTNPU_TILELANG_PASSES_INFER_SCOPES_H_

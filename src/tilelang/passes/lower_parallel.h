// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_PASSES_LOWER_PARALLEL_H_
#define HOSTNPU_TILELANG_PASSES_LOWER_PARALLEL_H_

#include "base/result.h"
#include "tilelang/ir/module.h"

namespace hostnpu::tilelang::passes {

/// Rewrites every T.Parallel loop: a pure load from GM, or a pure store to GM, is a copy of the
/// tile; an elementwise expression over UB tiles becomes tile operations with temporaries;
/// everything else becomes nested loops over elements, whose accesses to GM stay inside the
/// declared shape.
///
/// After InferScopes, because memories decide; before PlaceBuffers, because it makes temporaries.
base::Result<ir::Module> LowerParallel(ir::Module module);

}  // namespace hostnpu::tilelang::passes

#endif  // HOSTNPU_TILELANG_PASSES_LOWER_PARALLEL_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_PASSES_FOLD_WORKSPACES_H_
#define HOSTNPU_TILELANG_PASSES_FOLD_WORKSPACES_H_

#include <vector>

#include "arch/chip.h"
#include "base/result.h"
#include "tilelang/ir/module.h"

namespace hostnpu::tilelang::passes {

/// Gives workspaces as many slices as the chip runs blocks at once, instead of one for each block:
/// `workspaces` (parameters, whose first dimension must go by the block) and those of
/// T.alloc_workspace that each block has for itself. The kernel is then launched in as many parts
/// as it takes, one behind the other.
///
/// Runs after Lower(). An error names the workspace and the access of which it cannot be shown that
/// a block stays in its own slice. The module stays as it is where all blocks run at once anyway.
base::Result<ir::Module> FoldWorkspaces(ir::Module module,
                                        const std::vector<ir::BufferId>& workspaces,
                                        const arch::Chip& chip);

}  // namespace hostnpu::tilelang::passes

#endif  // HOSTNPU_TILELANG_PASSES_FOLD_WORKSPACES_H_

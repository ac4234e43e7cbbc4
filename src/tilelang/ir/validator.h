// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_IR_VALIDATOR_H_
#define HOSTNPU_TILELANG_IR_VALIDATOR_H_

#include "base/result.h"
#include "tilelang/ir/module.h"

namespace hostnpu::tilelang::ir {

/// Checks what every pass may rely on and must keep. A failure is our own mistake (kInternal),
/// names the node, and says which rule is broken:
///   - every expression and statement slot that may not be null is filled;
///   - every variable is bound before use in an enclosing block: loop, Bind, launch, symbol,
///   parameter;
///   - every buffer id is in the table; local buffers and mutable scalars are allocated before use;
///   - loads, stores and regions have as many dimensions as their buffer;
///   - both sides of a Binary have one dtype, conditions are bool, a Store's value has the buffer's
///   dtype;
///   - TileOp arguments agree with tile_ops.def; Parallel has one or two variables;
///   - break and continue stand in a loop.
base::Result<void> Validate(const Module& module);

}  // namespace hostnpu::tilelang::ir

#endif  // HOSTNPU_TILELANG_IR_VALIDATOR_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_PASSES_PLACE_BUFFERS_H_
#define HOSTNPU_TILELANG_PASSES_PLACE_BUFFERS_H_

#include "arch/chip.h"
#include "base/result.h"
#include "tilelang/ir/module.h"

namespace hostnpu::tilelang::passes {

/// Bytes a buffer takes in its memory: UB row-major, L1 and L0 in whole fractals, rounded to 32
/// bytes.
int64_t StorageBytes(const ir::Module& module, ir::BufferId buffer);

/// Rows of a buffer's trailing matrix rounded up to whole fractals; the height of its NZ order.
int64_t PaddedRows(const ir::Module& module, ir::BufferId buffer);
/// Columns of a buffer's trailing matrix rounded up to whole fractals.
int64_t PaddedColumns(const ir::Module& module, ir::BufferId buffer);

/// Bytes of hidden UB scratch that the vector statements of the module need (reductions, sorts).
int64_t ScratchBytes(const ir::Module& module);

/// The name of that scratch among the buffers; no user's name begins so.
inline constexpr const char* kScratchName = "tl_scratch";

/// Gives every on-chip buffer a byte address within its memory. Buffers that are alive at the same
/// time never overlap; others share only where the memory would not hold them all side by side. An
/// error when they do not fit lists what is alive at the peak. Needs memories (InferScopes).
base::Result<ir::Module> PlaceBuffers(ir::Module module, const arch::Chip& chip);

}  // namespace hostnpu::tilelang::passes

#endif  // HOSTNPU_TILELANG_PASSES_PLACE_BUFFERS_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_PASSES_PIPELINE_H_
#define HOSTNPU_TILELANG_PASSES_PIPELINE_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/chip.h"
#include "base/result.h"
#include "tilelang/ir/module.h"

namespace hostnpu::tilelang::passes {

/// Told after each pass: its name, and whether it changed the module.
using PassTrace = std::function<void(std::string_view pass, const ir::Module& after, bool changed)>;

/// Takes a module from the front end to what the writer of Ascend C takes. Errors stand at the
/// user's line.
base::Result<ir::Module> Lower(ir::Module module, const arch::Chip& chip,
                               const PassTrace& trace = nullptr);

/// The names of the passes, in order.
std::vector<std::string_view> PassNames();

}  // namespace hostnpu::tilelang::passes

#endif  // HOSTNPU_TILELANG_PASSES_PIPELINE_H_

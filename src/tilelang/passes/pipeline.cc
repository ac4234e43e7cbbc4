// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "tilelang/passes/pipeline.h"

#include "tilelang/ir/printer.h"
#include "tilelang/ir/validator.h"
#include "tilelang/passes/infer_scopes.h"
#include "tilelang/passes/lower_parallel.h"
#include "tilelang/passes/place_buffers.h"
#include "tilelang/passes/streams.h"

namespace hostnpu::tilelang::passes {
namespace {

/// Runs one pass, validates what it made, and tells the trace.
template <typename Pass>
base::Result<ir::Module> Run(std::string_view name, ir::Module module, const PassTrace& trace,
                             Pass pass) {
  const std::string before = trace ? ir::Print(module) : std::string();
  HOSTNPU_ASSIGN_OR_RETURN(ir::Module after, pass(std::move(module)));
  HOSTNPU_TRY(ir::Validate(after), "validating the IR after " + std::string(name));
  if (trace) trace(name, after, ir::Print(after) != before);
  return after;
}

}  // namespace

std::vector<std::string_view> PassNames() {
  return {"infer_scopes", "lower_parallel", "check_streams", "place_buffers"};
}

base::Result<ir::Module> Lower(ir::Module module, const arch::Chip& chip, const PassTrace& trace) {
  // Every buffer gets its memory; all that follows asks for it.
  HOSTNPU_ASSIGN_OR_RETURN(module, Run("infer_scopes", std::move(module), trace, InferScopes));
  // Makes temporaries, so it comes before their placement.
  HOSTNPU_ASSIGN_OR_RETURN(module, Run("lower_parallel", std::move(module), trace, LowerParallel));
  // Refuses what no stream could run.
  HOSTNPU_ASSIGN_OR_RETURN(module, Run("check_streams", std::move(module), trace, CheckStreams));
  HOSTNPU_ASSIGN_OR_RETURN(module,
                           Run("place_buffers", std::move(module), trace,
                               [&](ir::Module m) { return PlaceBuffers(std::move(m), chip); }));
  return module;
}

}  // namespace hostnpu::tilelang::passes

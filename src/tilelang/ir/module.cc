// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// What passes ask of a module again and again.
#include "tilelang/ir/module.h"

#include "tilelang/ir/expr.h"

namespace hostnpu::tilelang::ir {

base::Error ErrorAt(const Module& module, const SourceRange& range, const std::string& message,
                    const std::vector<Note>& notes, const std::string& help) {
  static const SourceMap kNoSources;
  const SourceMap& sources = module.sources ? *module.sources : kNoSources;
  return base::Error{.code = base::Code::kCompileError,
                     .message = FormatDiagnostic(sources, range, message, notes, help)};
}

Region WholeRegion(const Module& module, BufferId buffer, const SourceRange& range) {
  Region region{.buffer = buffer, .dims = {}, .range = range};
  for (const ExprPtr& size : module.buffer(buffer).shape) {
    region.dims.push_back({MakeInt(0), size});
  }
  return region;
}

bool IsWhole(const Module& module, const Region& region) {
  const Buffer& buffer = module.buffer(region.buffer);
  for (size_t i = 0; i < region.dims.size(); ++i) {
    if (ConstantInt(region.dims[i].min) != 0) return false;
    if (!SameValue(region.dims[i].extent, buffer.shape[i])) return false;
  }
  return true;
}

}  // namespace hostnpu::tilelang::ir

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_PASSES_STREAMS_H_
#define HOSTNPU_TILELANG_PASSES_STREAMS_H_

#include "base/result.h"
#include "tilelang/ir/module.h"

namespace hostnpu::tilelang::passes {

/// Which cores a statement gives work to. Scalar code, flags and GM element stores give work to
/// none by themselves: they go where the statements around them go.
struct Work {
  bool cube = false;
  bool vector = false;

  bool any() const { return cube || vector; }
  void Add(const Work& other) {
    cube = cube || other.cube;
    vector = vector || other.vector;
  }
};

/// The work of a statement with everything in it. A ScopeBlock counts as its core even when it only
/// holds scalar code or flags.
Work WorkOf(const ir::Module& module, const ir::StmtPtr& stmt);
/// Whether evaluating the expression reads an on-chip memory of the vector core.
bool ReadsVectorMemory(const ir::Module& module, const ir::ExprPtr& expr);
/// Whether any T.Scope stands in the statement.
bool HasScope(const ir::StmtPtr& stmt);
/// Whether cores of a launch or of a block wait for each other in the statement.
bool HasCrossCoreSync(const ir::StmtPtr& stmt);

/// A pass that changes nothing: refuses cube work in T.Scope("V") and the reverse, and cube and
/// vector work side by side without any T.Scope, which only an automatic split could separate.
base::Result<ir::Module> CheckStreams(ir::Module module);

}  // namespace hostnpu::tilelang::passes

#endif  // HOSTNPU_TILELANG_PASSES_STREAMS_H_

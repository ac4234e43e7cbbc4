// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A block is three instruction streams: one of the cube core, two of the vector cores. The memories
// a statement touches say which streams it belongs to.
#include "tilelang/passes/streams.h"

#include <fmt/format.h>

#include "tilelang/ir/printer.h"
#include "tilelang/ir/visitor.h"

namespace hostnpu::tilelang::passes {
namespace {

using ir::Core;
using ir::Memory;

Work WorkOfMemory(Memory memory) {
  if (memory == Memory::kUb || memory == Memory::kShared) return {false, true};
  if (ir::IsCubeMemory(memory) || memory == Memory::kFragment) return {true, false};
  return {};
}

/// Collects work, and remembers a statement of each kind for messages.
class Collector : public ir::Visitor {
 public:
  using ir::Visitor::Visit;
  explicit Collector(const ir::Module& module) : module_(module) {}

  void VisitRegion(const ir::Region& region, AccessKind access) override {
    Note(region.buffer);
    Visitor::VisitRegion(region, access);
  }
  void VisitElement(ir::BufferId buffer, AccessKind) override { Note(buffer); }
  void Visit(const ir::Gemm& node) override {
    work.cube = true;
    Remember(node, Core::kCube);
    VisitChildren(node);
  }
  void Visit(const ir::Copy& node) override { VisitWork(node); }
  void Visit(const ir::TileOp& node) override { VisitWork(node); }
  void Visit(const ir::Reduce& node) override { VisitWork(node); }
  void Visit(const ir::Store& node) override { VisitWork(node); }
  void Visit(const ir::AtomicAdd& node) override { VisitWork(node); }
  void Visit(const ir::ScopeBlock& node) override {
    has_scope = true;
    (node.core == Core::kCube ? work.cube : work.vector) = true;
    VisitChildren(node);
  }
  void Visit(const ir::SetCrossFlag& node) override {
    has_cross_sync = true;
    VisitChildren(node);
  }
  void Visit(const ir::WaitCrossFlag& node) override {
    has_cross_sync = true;
    VisitChildren(node);
  }
  void Visit(const ir::SyncAll&) override { has_cross_sync = true; }

  Work work;
  bool has_scope = false;
  bool has_cross_sync = false;
  const ir::Stmt* cube_stmt = nullptr;
  const ir::Stmt* vector_stmt = nullptr;

 private:
  template <typename T>
  void VisitWork(const T& node) {
    const Work before = work;
    work = {};
    VisitChildren(node);
    if (work.cube) Remember(node, Core::kCube);
    if (work.vector) Remember(node, Core::kVector);
    work.Add(before);
  }
  void Remember(const ir::Stmt& stmt, Core core) {
    const ir::Stmt*& slot = core == Core::kCube ? cube_stmt : vector_stmt;
    if (slot == nullptr) slot = &stmt;
  }
  void Note(ir::BufferId buffer) { work.Add(WorkOfMemory(module_.buffer(buffer).memory)); }

  const ir::Module& module_;
};

/// Walks the scopes and keeps the first statement that stands in the wrong one.
class ScopeChecker : public ir::Visitor {
 public:
  using ir::Visitor::Visit;
  explicit ScopeChecker(const ir::Module& module) : module_(module) {}

  void Visit(const ir::ScopeBlock& node) override {
    if (error.has_value()) return;
    Collector inside(module_);
    inside.VisitStmt(node.body);
    const ir::Stmt* wrong = node.core == Core::kCube ? inside.vector_stmt : inside.cube_stmt;
    if (wrong == nullptr) return;
    error =
        ErrorAt(module_, wrong->range,
                fmt::format("{} is work of the {} core, but stands in T.Scope(\"{}\")",
                            ir::PrintHead(module_, Shared(*wrong)),
                            node.core == Core::kCube ? "vector" : "cube", ir::CoreName(node.core)),
                {{node.range, "the scope begins here"}});
  }

  std::optional<base::Error> error;

 private:
  /// A handle for printing only: the tree outlives it.
  static ir::StmtPtr Shared(const ir::Stmt& stmt) { return {ir::StmtPtr(), &stmt}; }

  const ir::Module& module_;
};

}  // namespace

Work WorkOf(const ir::Module& module, const ir::StmtPtr& stmt) {
  Collector collector(module);
  collector.VisitStmt(stmt);
  return collector.work;
}

bool ReadsVectorMemory(const ir::Module& module, const ir::ExprPtr& expr) {
  Collector collector(module);
  collector.VisitExpr(expr);
  return collector.work.vector;
}

bool HasScope(const ir::StmtPtr& stmt) {
  class Finder : public ir::Visitor {
   public:
    using ir::Visitor::Visit;
    void Visit(const ir::ScopeBlock&) override { found = true; }
    bool found = false;
  } finder;
  finder.VisitStmt(stmt);
  return finder.found;
}

bool HasCrossCoreSync(const ir::StmtPtr& stmt) {
  class Finder : public ir::Visitor {
   public:
    using ir::Visitor::Visit;
    void Visit(const ir::SetCrossFlag&) override { found = true; }
    void Visit(const ir::WaitCrossFlag&) override { found = true; }
    void Visit(const ir::SyncAll&) override { found = true; }
    bool found = false;
  } finder;
  finder.VisitStmt(stmt);
  return finder.found;
}

base::Result<ir::Module> CheckStreams(ir::Module module) {
  ScopeChecker checker(module);
  checker.VisitStmt(module.body);
  if (checker.error.has_value()) return std::move(*checker.error);
  Collector all(module);
  all.VisitStmt(module.body);
  if (all.work.cube && all.work.vector && !all.has_scope) {
    return ErrorAt(
        module, all.vector_stmt->range,
        "this kernel mixes cube and vector work without T.Scope; the automatic split of the two "
        "is not supported yet",
        {{all.cube_stmt->range, "the first cube statement is here"}},
        "put cube statements into T.Scope(\"C\") and vector statements into T.Scope(\"V\"), with "
        "T.set_cross_flag and T.wait_cross_flag between them");
  }
  return module;
}

}  // namespace hostnpu::tilelang::passes

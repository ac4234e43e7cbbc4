// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The children of every node, in the order in which they are evaluated.
#include "tilelang/ir/visitor.h"

namespace hostnpu::tilelang::ir {

void Visitor::VisitExpr(const ExprPtr& expr) {
  if (expr == nullptr) return;
  switch (expr->kind) {
#define HOSTNPU_NODE(name, base, meaning) \
  case Kind::k##name:                     \
    DispatchTo<name>(*expr);              \
    return;
#include "tilelang/ir/nodes.def"
#undef HOSTNPU_NODE
  }
}

void Visitor::VisitStmt(const StmtPtr& stmt) {
  if (stmt == nullptr) return;
  switch (stmt->kind) {
#define HOSTNPU_NODE(name, base, meaning) \
  case Kind::k##name:                     \
    DispatchTo<name>(*stmt);              \
    return;
#include "tilelang/ir/nodes.def"
#undef HOSTNPU_NODE
  }
}

void Visitor::VisitRegion(const Region& region, AccessKind) {
  for (const Interval& dim : region.dims) {
    VisitExpr(dim.min);
    VisitExpr(dim.extent);
  }
}

void Visitor::VisitChildren(const Address&) {}
void Visitor::VisitChildren(const FloatImm&) {}
void Visitor::VisitChildren(const IntImm&) {}
void Visitor::VisitChildren(const Var&) {}
void Visitor::VisitChildren(const Alloc&) {}
void Visitor::VisitChildren(const Break&) {}
void Visitor::VisitChildren(const Continue&) {}
void Visitor::VisitChildren(const PipeBarrier&) {}
void Visitor::VisitChildren(const SyncAll&) {}

void Visitor::VisitChildren(const Binary& node) {
  VisitExpr(node.lhs);
  VisitExpr(node.rhs);
}
void Visitor::VisitChildren(const Bitcast& node) { VisitExpr(node.value); }
void Visitor::VisitChildren(const Cast& node) { VisitExpr(node.value); }
void Visitor::VisitChildren(const Unary& node) { VisitExpr(node.value); }
void Visitor::VisitChildren(const MathCall& node) {
  for (const ExprPtr& arg : node.args) VisitExpr(arg);
}
void Visitor::VisitChildren(const Select& node) {
  VisitExpr(node.condition);
  VisitExpr(node.if_true);
  VisitExpr(node.if_false);
}
void Visitor::VisitChildren(const Load& node) {
  for (const ExprPtr& index : node.indices) VisitExpr(index);
  VisitElement(node.buffer, AccessKind::kRead);
}

void Visitor::VisitChildren(const Assert& node) { VisitExpr(node.condition); }
void Visitor::VisitChildren(const AtomicAdd& node) {
  VisitRegion(node.src, AccessKind::kRead);
  VisitRegion(node.dst, AccessKind::kReadWrite);
}
void Visitor::VisitChildren(const Bind& node) { VisitExpr(node.value); }
void Visitor::VisitChildren(const Copy& node) {
  VisitExpr(node.pad_value);
  VisitRegion(node.src, AccessKind::kRead);
  VisitRegion(node.dst, AccessKind::kWrite);
}
void Visitor::VisitChildren(const Dump& node) {
  VisitExpr(node.count);
  VisitRegion(node.tile, AccessKind::kRead);
}
void Visitor::VisitChildren(const For& node) {
  VisitExpr(node.min);
  VisitExpr(node.extent);
  VisitStmt(node.body);
}
void Visitor::VisitChildren(const Pipelined& node) {
  VisitExpr(node.min);
  VisitExpr(node.extent);
  VisitStmt(node.body);
}
void Visitor::VisitChildren(const Gemm& node) {
  VisitExpr(node.init);
  VisitRegion(node.a, AccessKind::kRead);
  VisitRegion(node.b, AccessKind::kRead);
  const bool overwrites = As<IntImm>(node.init) != nullptr && To<IntImm>(*node.init).value != 0;
  VisitRegion(node.c, overwrites ? AccessKind::kWrite : AccessKind::kReadWrite);
}
void Visitor::VisitChildren(const If& node) {
  VisitExpr(node.condition);
  VisitStmt(node.then_body);
  VisitStmt(node.else_body);
}
void Visitor::VisitChildren(const Parallel& node) {
  for (const ExprPtr& extent : node.extents) VisitExpr(extent);
  VisitStmt(node.body);
}
void Visitor::VisitChildren(const PrintCall& node) {
  for (const ExprPtr& arg : node.args) VisitExpr(arg);
}
void Visitor::VisitChildren(const Reduce& node) {
  VisitRegion(node.src, AccessKind::kRead);
  VisitRegion(node.dst, node.clear ? AccessKind::kWrite : AccessKind::kReadWrite);
}
void Visitor::VisitChildren(const ScopeBlock& node) { VisitStmt(node.body); }
void Visitor::VisitChildren(const Seq& node) {
  for (const StmtPtr& stmt : node.stmts) VisitStmt(stmt);
}
void Visitor::VisitChildren(const SetCrossFlag& node) { VisitExpr(node.flag); }
void Visitor::VisitChildren(const SetDeqScale& node) { VisitExpr(node.scale); }
void Visitor::VisitChildren(const SetFlag& node) { VisitExpr(node.flag); }
void Visitor::VisitChildren(const Store& node) {
  for (const ExprPtr& index : node.indices) VisitExpr(index);
  VisitExpr(node.value);
  VisitElement(node.buffer, AccessKind::kWrite);
}
void Visitor::VisitChildren(const TileOp& node) {
  const std::vector<TileOperand>& operands = FactsOf(node.op).operands;
  // Sources before destinations, as the operation does.
  for (const bool writing : {false, true}) {
    for (size_t i = 0; i < node.args.size(); ++i) {
      const OperandRole role = operands[i].role;
      const auto* region = std::get_if<Region>(&node.args[i]);
      if (region != nullptr && Writes(role) == writing) {
        const AccessKind access = !writing                       ? AccessKind::kRead
                                  : role == OperandRole::kUpdate ? AccessKind::kReadWrite
                                                                 : AccessKind::kWrite;
        VisitRegion(*region, access);
      }
      if (writing) continue;
      if (const auto* scalar = std::get_if<ExprPtr>(&node.args[i])) VisitExpr(*scalar);
      if (const auto* scalars = std::get_if<std::vector<ExprPtr>>(&node.args[i])) {
        for (const ExprPtr& scalar : *scalars) VisitExpr(scalar);
      }
    }
  }
}
void Visitor::VisitChildren(const WaitCrossFlag& node) { VisitExpr(node.flag); }
void Visitor::VisitChildren(const WaitFlag& node) { VisitExpr(node.flag); }
void Visitor::VisitChildren(const While& node) {
  VisitExpr(node.condition);
  VisitStmt(node.body);
}

}  // namespace hostnpu::tilelang::ir

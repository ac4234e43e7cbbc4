// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_IR_VISITOR_H_
#define HOSTNPU_TILELANG_IR_VISITOR_H_

#include "tilelang/ir/node.h"

namespace hostnpu::tilelang::ir {

/// Walks a tree in program order. Override `Visit(const Copy&)` for the kinds of interest; call
/// `VisitChildren(node)` inside it to go on below. A derived class writes `using Visitor::Visit;`.
///
/// What a statement touches is reported by two further hooks, so that an analysis need not know
/// every kind of statement: `VisitRegion` for each tile operand with what is done to it,
/// `VisitElement` for each element load and store.
class Visitor {
 public:
  enum class AccessKind : uint8_t { kRead, kWrite, kReadWrite };

  virtual ~Visitor() = default;

  /// Dispatches on the kind; null is nothing.
  void VisitExpr(const ExprPtr& expr);
  void VisitStmt(const StmtPtr& stmt);

#define HOSTNPU_NODE(name, base, meaning) \
  virtual void Visit(const name& node) { VisitChildren(node); }
#include "tilelang/ir/nodes.def"
#undef HOSTNPU_NODE

  /// One tile operand. The default visits the bounds of the region.
  virtual void VisitRegion(const Region& region, AccessKind access);
  /// One element access; its indices are visited before. The default does nothing.
  virtual void VisitElement(BufferId /*buffer*/, AccessKind /*access*/) {}

 protected:
  template <typename T>
  void DispatchTo(const Node& node) {
    Visit(static_cast<const T&>(node));
  }
#define HOSTNPU_NODE(name, base, meaning) void VisitChildren(const name& node);
#include "tilelang/ir/nodes.def"
#undef HOSTNPU_NODE
};

/// What a TileOp does to the operand in role `role`; scalars and keywords have no access.
inline bool Reads(OperandRole role) {
  return role == OperandRole::kRead || role == OperandRole::kUpdate ||
         role == OperandRole::kReadOrScalar || role == OperandRole::kGlobal;
}
inline bool Writes(OperandRole role) {
  return role == OperandRole::kWrite || role == OperandRole::kUpdate;
}

}  // namespace hostnpu::tilelang::ir

#endif  // HOSTNPU_TILELANG_IR_VISITOR_H_

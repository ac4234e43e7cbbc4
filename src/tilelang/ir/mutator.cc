// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Every node's children are rebuilt in evaluation order; a node is copied only when one of them is
// another pointer than before.
#include "tilelang/ir/mutator.h"

namespace hostnpu::tilelang::ir {
namespace {

bool SameRegion(const Region& a, const Region& b) {
  if (a.buffer != b.buffer || a.dims.size() != b.dims.size()) return false;
  for (size_t i = 0; i < a.dims.size(); ++i) {
    if (a.dims[i].min != b.dims[i].min || a.dims[i].extent != b.dims[i].extent) return false;
  }
  return true;
}

/// A body must not be null; what was removed leaves an empty block.
StmtPtr Body(StmtPtr mutated, const StmtPtr& original) {
  return mutated != nullptr || original == nullptr ? mutated : MakeSeq({}, original->range);
}

}  // namespace

ExprPtr Mutator::MutateExpr(const ExprPtr& expr) {
  if (expr == nullptr) return nullptr;
  switch (expr->kind) {
#define HOSTNPU_EXPR_CASE(name) \
  case Kind::k##name:           \
    return DispatchTo<name>(expr);
    HOSTNPU_EXPR_CASE(Address)
    HOSTNPU_EXPR_CASE(Binary)
    HOSTNPU_EXPR_CASE(Bitcast)
    HOSTNPU_EXPR_CASE(Cast)
    HOSTNPU_EXPR_CASE(FloatImm)
    HOSTNPU_EXPR_CASE(IntImm)
    HOSTNPU_EXPR_CASE(Load)
    HOSTNPU_EXPR_CASE(MathCall)
    HOSTNPU_EXPR_CASE(Select)
    HOSTNPU_EXPR_CASE(Unary)
    HOSTNPU_EXPR_CASE(Var)
#undef HOSTNPU_EXPR_CASE
    default:
      break;
  }
  HOSTNPU_CHECK(false && "a statement stands where an expression must");
  return nullptr;
}

StmtPtr Mutator::MutateStmt(const StmtPtr& stmt) {
  if (stmt == nullptr) return nullptr;
  switch (stmt->kind) {
#define HOSTNPU_STMT_CASE(name) \
  case Kind::k##name:           \
    return DispatchTo<name>(stmt);
    HOSTNPU_STMT_CASE(Alloc)
    HOSTNPU_STMT_CASE(Assert)
    HOSTNPU_STMT_CASE(AtomicAdd)
    HOSTNPU_STMT_CASE(Bind)
    HOSTNPU_STMT_CASE(Break)
    HOSTNPU_STMT_CASE(Continue)
    HOSTNPU_STMT_CASE(Copy)
    HOSTNPU_STMT_CASE(Dump)
    HOSTNPU_STMT_CASE(For)
    HOSTNPU_STMT_CASE(Gemm)
    HOSTNPU_STMT_CASE(If)
    HOSTNPU_STMT_CASE(Parallel)
    HOSTNPU_STMT_CASE(PipeBarrier)
    HOSTNPU_STMT_CASE(Pipelined)
    HOSTNPU_STMT_CASE(PrintCall)
    HOSTNPU_STMT_CASE(Reduce)
    HOSTNPU_STMT_CASE(ScopeBlock)
    HOSTNPU_STMT_CASE(Seq)
    HOSTNPU_STMT_CASE(SetCrossFlag)
    HOSTNPU_STMT_CASE(SetDeqScale)
    HOSTNPU_STMT_CASE(SetFlag)
    HOSTNPU_STMT_CASE(Store)
    HOSTNPU_STMT_CASE(SyncAll)
    HOSTNPU_STMT_CASE(TileOp)
    HOSTNPU_STMT_CASE(WaitCrossFlag)
    HOSTNPU_STMT_CASE(WaitFlag)
    HOSTNPU_STMT_CASE(While)
#undef HOSTNPU_STMT_CASE
    default:
      break;
  }
  HOSTNPU_CHECK(false && "an expression stands where a statement must");
  return nullptr;
}

Region Mutator::MutateRegion(const Region& region) {
  Region result = region;
  result.buffer = MutateBuffer(region.buffer);
  for (Interval& dim : result.dims) {
    dim.min = MutateExpr(dim.min);
    dim.extent = MutateExpr(dim.extent);
  }
  return result;
}

// `Field` rebuilds one member into a local; `Changed` compares; both keep the functions below to
// the list of members.
#define HOSTNPU_EXPR_FIELD(field) const ExprPtr field = MutateExpr(node->field)
#define HOSTNPU_BODY_FIELD(field) const StmtPtr field = Body(MutateStmt(node->field), node->field)
#define HOSTNPU_REGION_FIELD(field) const Region field = MutateRegion(node->field)
#define HOSTNPU_LIST_FIELD(field) \
  std::vector<ExprPtr> field;     \
  for (const ExprPtr& item : node->field) field.push_back(MutateExpr(item))
#define HOSTNPU_LEAF(name, base) \
  base##Ptr Mutator::MutateChildren(const std::shared_ptr<const name>& node) { return node; }

HOSTNPU_LEAF(FloatImm, Expr)
HOSTNPU_LEAF(IntImm, Expr)
HOSTNPU_LEAF(Var, Expr)
HOSTNPU_LEAF(Break, Stmt)
HOSTNPU_LEAF(Continue, Stmt)
HOSTNPU_LEAF(PipeBarrier, Stmt)
HOSTNPU_LEAF(SyncAll, Stmt)

ExprPtr Mutator::MutateChildren(const std::shared_ptr<const Address>& node) {
  const BufferId buffer = MutateBuffer(node->buffer);
  if (buffer == node->buffer) return node;
  return With(*node, [&](Address& n) { n.buffer = buffer; });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const Alloc>& node) {
  const BufferId buffer = MutateBuffer(node->buffer);
  if (buffer == node->buffer) return node;
  return With(*node, [&](Alloc& n) { n.buffer = buffer; });
}

ExprPtr Mutator::MutateChildren(const std::shared_ptr<const Binary>& node) {
  HOSTNPU_EXPR_FIELD(lhs);
  HOSTNPU_EXPR_FIELD(rhs);
  if (lhs == node->lhs && rhs == node->rhs) return node;
  return With(*node, [&](Binary& n) {
    n.lhs = lhs;
    n.rhs = rhs;
  });
}

ExprPtr Mutator::MutateChildren(const std::shared_ptr<const Bitcast>& node) {
  HOSTNPU_EXPR_FIELD(value);
  if (value == node->value) return node;
  return With(*node, [&](Bitcast& n) { n.value = value; });
}

ExprPtr Mutator::MutateChildren(const std::shared_ptr<const Cast>& node) {
  HOSTNPU_EXPR_FIELD(value);
  if (value == node->value) return node;
  return With(*node, [&](Cast& n) { n.value = value; });
}

ExprPtr Mutator::MutateChildren(const std::shared_ptr<const Unary>& node) {
  HOSTNPU_EXPR_FIELD(value);
  if (value == node->value) return node;
  return With(*node, [&](Unary& n) { n.value = value; });
}

ExprPtr Mutator::MutateChildren(const std::shared_ptr<const MathCall>& node) {
  HOSTNPU_LIST_FIELD(args);
  if (args == node->args) return node;
  return With(*node, [&](MathCall& n) { n.args = args; });
}

ExprPtr Mutator::MutateChildren(const std::shared_ptr<const Select>& node) {
  HOSTNPU_EXPR_FIELD(condition);
  HOSTNPU_EXPR_FIELD(if_true);
  HOSTNPU_EXPR_FIELD(if_false);
  if (condition == node->condition && if_true == node->if_true && if_false == node->if_false)
    return node;
  return With(*node, [&](Select& n) {
    n.condition = condition;
    n.if_true = if_true;
    n.if_false = if_false;
  });
}

ExprPtr Mutator::MutateChildren(const std::shared_ptr<const Load>& node) {
  const BufferId buffer = MutateBuffer(node->buffer);
  HOSTNPU_LIST_FIELD(indices);
  if (buffer == node->buffer && indices == node->indices) return node;
  return With(*node, [&](Load& n) {
    n.buffer = buffer;
    n.indices = indices;
  });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const Assert>& node) {
  HOSTNPU_EXPR_FIELD(condition);
  if (condition == node->condition) return node;
  return With(*node, [&](Assert& n) { n.condition = condition; });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const AtomicAdd>& node) {
  HOSTNPU_REGION_FIELD(src);
  HOSTNPU_REGION_FIELD(dst);
  if (SameRegion(src, node->src) && SameRegion(dst, node->dst)) return node;
  return With(*node, [&](AtomicAdd& n) {
    n.src = src;
    n.dst = dst;
  });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const Bind>& node) {
  HOSTNPU_EXPR_FIELD(value);
  if (value == node->value) return node;
  return With(*node, [&](Bind& n) { n.value = value; });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const Copy>& node) {
  HOSTNPU_EXPR_FIELD(pad_value);
  HOSTNPU_REGION_FIELD(src);
  HOSTNPU_REGION_FIELD(dst);
  if (pad_value == node->pad_value && SameRegion(src, node->src) && SameRegion(dst, node->dst))
    return node;
  return With(*node, [&](Copy& n) {
    n.pad_value = pad_value;
    n.src = src;
    n.dst = dst;
  });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const Dump>& node) {
  HOSTNPU_EXPR_FIELD(count);
  HOSTNPU_REGION_FIELD(tile);
  if (count == node->count && SameRegion(tile, node->tile)) return node;
  return With(*node, [&](Dump& n) {
    n.count = count;
    n.tile = tile;
  });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const For>& node) {
  HOSTNPU_EXPR_FIELD(min);
  HOSTNPU_EXPR_FIELD(extent);
  HOSTNPU_BODY_FIELD(body);
  if (min == node->min && extent == node->extent && body == node->body) return node;
  return With(*node, [&](For& n) {
    n.min = min;
    n.extent = extent;
    n.body = body;
  });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const Pipelined>& node) {
  HOSTNPU_EXPR_FIELD(min);
  HOSTNPU_EXPR_FIELD(extent);
  HOSTNPU_BODY_FIELD(body);
  if (min == node->min && extent == node->extent && body == node->body) return node;
  return With(*node, [&](Pipelined& n) {
    n.min = min;
    n.extent = extent;
    n.body = body;
  });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const Gemm>& node) {
  HOSTNPU_EXPR_FIELD(init);
  HOSTNPU_REGION_FIELD(a);
  HOSTNPU_REGION_FIELD(b);
  HOSTNPU_REGION_FIELD(c);
  if (init == node->init && SameRegion(a, node->a) && SameRegion(b, node->b) &&
      SameRegion(c, node->c)) {
    return node;
  }
  return With(*node, [&](Gemm& n) {
    n.init = init;
    n.a = a;
    n.b = b;
    n.c = c;
  });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const If>& node) {
  HOSTNPU_EXPR_FIELD(condition);
  HOSTNPU_BODY_FIELD(then_body);
  const StmtPtr else_body = MutateStmt(node->else_body);
  if (condition == node->condition && then_body == node->then_body && else_body == node->else_body)
    return node;
  return With(*node, [&](If& n) {
    n.condition = condition;
    n.then_body = then_body;
    n.else_body = else_body;
  });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const Parallel>& node) {
  HOSTNPU_LIST_FIELD(extents);
  HOSTNPU_BODY_FIELD(body);
  if (extents == node->extents && body == node->body) return node;
  return With(*node, [&](Parallel& n) {
    n.extents = extents;
    n.body = body;
  });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const PrintCall>& node) {
  HOSTNPU_LIST_FIELD(args);
  if (args == node->args) return node;
  return With(*node, [&](PrintCall& n) { n.args = args; });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const Reduce>& node) {
  HOSTNPU_REGION_FIELD(src);
  HOSTNPU_REGION_FIELD(dst);
  if (SameRegion(src, node->src) && SameRegion(dst, node->dst)) return node;
  return With(*node, [&](Reduce& n) {
    n.src = src;
    n.dst = dst;
  });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const ScopeBlock>& node) {
  HOSTNPU_BODY_FIELD(body);
  if (body == node->body) return node;
  return With(*node, [&](ScopeBlock& n) { n.body = body; });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const Seq>& node) {
  std::vector<StmtPtr> stmts;
  bool changed = false;
  for (const StmtPtr& stmt : node->stmts) {
    const StmtPtr mutated = MutateStmt(stmt);
    changed |= mutated != stmt;
    if (mutated == nullptr) continue;
    const auto* inner = As<Seq>(mutated);
    if (inner != nullptr && stmt->kind != Kind::kSeq) {
      stmts.insert(stmts.end(), inner->stmts.begin(), inner->stmts.end());
    } else {
      stmts.push_back(mutated);
    }
  }
  if (!changed) return node;
  return With(*node, [&](Seq& n) { n.stmts = std::move(stmts); });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const SetCrossFlag>& node) {
  HOSTNPU_EXPR_FIELD(flag);
  if (flag == node->flag) return node;
  return With(*node, [&](SetCrossFlag& n) { n.flag = flag; });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const SetDeqScale>& node) {
  HOSTNPU_EXPR_FIELD(scale);
  if (scale == node->scale) return node;
  return With(*node, [&](SetDeqScale& n) { n.scale = scale; });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const SetFlag>& node) {
  HOSTNPU_EXPR_FIELD(flag);
  if (flag == node->flag) return node;
  return With(*node, [&](SetFlag& n) { n.flag = flag; });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const WaitFlag>& node) {
  HOSTNPU_EXPR_FIELD(flag);
  if (flag == node->flag) return node;
  return With(*node, [&](WaitFlag& n) { n.flag = flag; });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const WaitCrossFlag>& node) {
  HOSTNPU_EXPR_FIELD(flag);
  if (flag == node->flag) return node;
  return With(*node, [&](WaitCrossFlag& n) { n.flag = flag; });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const Store>& node) {
  const BufferId buffer = MutateBuffer(node->buffer);
  HOSTNPU_LIST_FIELD(indices);
  HOSTNPU_EXPR_FIELD(value);
  if (buffer == node->buffer && indices == node->indices && value == node->value) return node;
  return With(*node, [&](Store& n) {
    n.buffer = buffer;
    n.indices = indices;
    n.value = value;
  });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const TileOp>& node) {
  std::vector<TileArg> args = node->args;
  bool changed = false;
  for (TileArg& arg : args) {
    if (auto* region = std::get_if<Region>(&arg)) {
      Region mutated = MutateRegion(*region);
      changed |= !SameRegion(mutated, *region);
      *region = std::move(mutated);
    } else if (auto* scalar = std::get_if<ExprPtr>(&arg)) {
      ExprPtr mutated = MutateExpr(*scalar);
      changed |= mutated != *scalar;
      *scalar = std::move(mutated);
    } else if (auto* scalars = std::get_if<std::vector<ExprPtr>>(&arg)) {
      for (ExprPtr& item : *scalars) {
        ExprPtr mutated = MutateExpr(item);
        changed |= mutated != item;
        item = std::move(mutated);
      }
    }
  }
  if (!changed) return node;
  return With(*node, [&](TileOp& n) { n.args = std::move(args); });
}

StmtPtr Mutator::MutateChildren(const std::shared_ptr<const While>& node) {
  HOSTNPU_EXPR_FIELD(condition);
  HOSTNPU_BODY_FIELD(body);
  if (condition == node->condition && body == node->body) return node;
  return With(*node, [&](While& n) {
    n.condition = condition;
    n.body = body;
  });
}

}  // namespace hostnpu::tilelang::ir

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "tilelang/passes/affine.h"

#include "tilelang/ir/expr.h"
#include "tilelang/ir/visitor.h"

namespace hostnpu::tilelang::passes {

bool Mentions(const ir::ExprPtr& expr, const std::vector<ir::VarPtr>& vars) {
  class Finder : public ir::Visitor {
   public:
    using ir::Visitor::Visit;
    explicit Finder(const std::vector<ir::VarPtr>& vars) : vars_(vars) {}
    void Visit(const ir::Var& node) override {
      for (const ir::VarPtr& var : vars_) found = found || var->id == node.id;
    }
    bool found = false;

   private:
    const std::vector<ir::VarPtr>& vars_;
  } finder(vars);
  finder.VisitExpr(expr);
  return finder.found;
}

bool MayBeNegative(const ir::ExprPtr& expr) {
  if (const auto value = ir::ConstantInt(ir::Simplify(expr))) return *value < 0;
  class Finder : public ir::Visitor {
   public:
    using ir::Visitor::Visit;
    void Visit(const ir::Binary& node) override {
      found = found || node.op == ir::BinaryOp::kSub;
      VisitChildren(node);
    }
    void Visit(const ir::Unary& node) override {
      found = found || node.op == ir::UnaryOp::kNegate;
      VisitChildren(node);
    }
    void Visit(const ir::Load&) override {}  // its index is another matter
    void Visit(const ir::IntImm& node) override { found = found || node.value < 0; }
    bool found = false;
  } finder;
  finder.VisitExpr(expr);
  return finder.found;
}

std::optional<Affine> AsAffine(const ir::ExprPtr& expr, const std::vector<ir::VarPtr>& vars) {
  Affine affine;
  if (!Mentions(expr, vars)) {
    affine.rest = expr;
    return affine;
  }
  if (const auto* var = ir::As<ir::Var>(expr)) {
    for (size_t i = 0; i < vars.size(); ++i) {
      if (vars[i]->id == var->id) affine.coefficient[i] = 1;
    }
    affine.rest = ir::MakeInt(0);
    return affine;
  }
  const auto* binary = ir::As<ir::Binary>(expr);
  if (binary == nullptr) return std::nullopt;
  const auto lhs = AsAffine(binary->lhs, vars);
  const auto rhs = AsAffine(binary->rhs, vars);
  if (!lhs.has_value() || !rhs.has_value()) return std::nullopt;
  const bool adds = binary->op == ir::BinaryOp::kAdd;
  bool overflows = false;
  if (adds || binary->op == ir::BinaryOp::kSub) {
    for (size_t i = 0; i < 2; ++i) {
      const int64_t a = lhs->coefficient[i];
      const int64_t b = rhs->coefficient[i];
      overflows |= adds ? __builtin_add_overflow(a, b, &affine.coefficient[i])
                        : __builtin_sub_overflow(a, b, &affine.coefficient[i]);
    }
    if (overflows) return std::nullopt;
    affine.rest = adds ? ir::Add(lhs->rest, rhs->rest) : ir::Sub(lhs->rest, rhs->rest);
    return affine;
  }
  if (binary->op != ir::BinaryOp::kMul) return std::nullopt;
  const auto factor = !rhs->HasVar() ? ir::ConstantInt(rhs->rest) : std::nullopt;
  if (!factor.has_value()) return std::nullopt;
  for (size_t i = 0; i < 2; ++i) {
    overflows |= __builtin_mul_overflow(lhs->coefficient[i], *factor, &affine.coefficient[i]);
  }
  if (overflows) return std::nullopt;
  affine.rest = ir::Mul(lhs->rest, rhs->rest);
  return affine;
}

std::optional<std::vector<Affine>> AsAffine(const std::vector<ir::ExprPtr>& indices,
                                            const std::vector<ir::VarPtr>& vars) {
  std::vector<Affine> all;
  for (const ir::ExprPtr& index : indices) {
    auto affine = AsAffine(index, vars);
    if (!affine.has_value()) return std::nullopt;
    all.push_back(std::move(*affine));
  }
  return all;
}

std::optional<std::pair<int64_t, int64_t>> SpanOf(const ir::ExprPtr& index,
                                                  const std::vector<ir::VarPtr>& vars,
                                                  const std::vector<ir::ExprPtr>& extents) {
  const auto affine = AsAffine(index, vars);
  if (!affine.has_value()) return std::nullopt;
  const auto rest = ir::ConstantInt(ir::Simplify(affine->rest));
  if (!rest.has_value()) return std::nullopt;
  int64_t least = *rest;
  int64_t greatest = *rest;
  for (size_t i = 0; i < vars.size(); ++i) {
    const auto extent = ir::ConstantInt(extents[i]);
    int64_t step = 0;
    if (!extent.has_value() || *extent <= 0 ||
        __builtin_mul_overflow(affine->coefficient[i], *extent - 1, &step)) {
      return std::nullopt;
    }
    int64_t& bound = step < 0 ? least : greatest;
    if (__builtin_add_overflow(bound, step, &bound)) return std::nullopt;
  }
  return std::pair(least, greatest);
}

}  // namespace hostnpu::tilelang::passes

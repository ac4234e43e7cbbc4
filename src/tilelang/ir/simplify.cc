// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The extent of `A[bx * 64 : bx * 64 + 64]` must come out as the constant 64, or the shape rules of
// a copy cannot be applied. Integer expressions are therefore read as sums of products; what is not
// one (a load, a division) counts as a variable of its own, compared by structure.
#include <utility>
#include <vector>

#include "tilelang/ir/expr.h"

namespace hostnpu::tilelang::ir {
namespace {

/// A product of atoms with a coefficient. Coefficients and constants wrap at 64 bits, as the sums
/// they stand for do.
struct Term {
  uint64_t coefficient;
  std::vector<ExprPtr> factors;
};

struct Sum {
  uint64_t constant = 0;
  std::vector<Term> terms;
};

bool SameFactors(const std::vector<ExprPtr>& a, const std::vector<ExprPtr>& b) {
  if (a.size() != b.size()) return false;
  std::vector<bool> used(b.size(), false);
  for (const ExprPtr& factor : a) {
    bool found = false;
    for (size_t i = 0; i < b.size() && !found; ++i) {
      if (!used[i] && StructurallyEqual(factor, b[i])) used[i] = found = true;
    }
    if (!found) return false;
  }
  return true;
}

void AddTerm(Sum& sum, const Term& term) {
  if (term.factors.empty()) {
    sum.constant += term.coefficient;
    return;
  }
  for (size_t i = 0; i < sum.terms.size(); ++i) {
    if (!SameFactors(sum.terms[i].factors, term.factors)) continue;
    sum.terms[i].coefficient += term.coefficient;
    if (sum.terms[i].coefficient == 0)
      sum.terms.erase(sum.terms.begin() + static_cast<ptrdiff_t>(i));
    return;
  }
  if (term.coefficient != 0) sum.terms.push_back(term);
}

Sum Multiply(const Sum& a, const Sum& b) {
  const auto with_constant = [](const Sum& sum) {
    std::vector<Term> terms = sum.terms;
    if (sum.constant != 0) terms.push_back({sum.constant, {}});
    return terms;
  };
  Sum product;
  for (const Term& x : with_constant(a)) {
    for (const Term& y : with_constant(b)) {
      Term term{x.coefficient * y.coefficient, x.factors};
      term.factors.insert(term.factors.end(), y.factors.begin(), y.factors.end());
      AddTerm(product, term);
    }
  }
  return product;
}

Sum Read(const ExprPtr& value);

Sum Atom(const ExprPtr& value) { return Sum{0, {Term{1, {value}}}}; }

Sum ReadBinary(const Binary& binary, const ExprPtr& self) {
  if (binary.op == BinaryOp::kMul) return Multiply(Read(binary.lhs), Read(binary.rhs));
  if (binary.op == BinaryOp::kAdd || binary.op == BinaryOp::kSub) {
    Sum sum = Read(binary.lhs);
    const Sum right = Read(binary.rhs);
    const uint64_t sign = binary.op == BinaryOp::kAdd ? 1 : ~uint64_t{0};
    sum.constant += sign * right.constant;
    for (const Term& term : right.terms) AddTerm(sum, {sign * term.coefficient, term.factors});
    return sum;
  }
  const auto folded =
      MakeBinary(binary.op, Simplify(binary.lhs), Simplify(binary.rhs), binary.range);
  if (folded.ok() && folded.value()->kind == Kind::kIntImm) return Read(folded.value());
  return Atom(folded.ok() ? folded.value() : self);
}

Sum Read(const ExprPtr& value) {
  if (const auto number = ConstantInt(value)) return Sum{static_cast<uint64_t>(*number), {}};
  if (const auto* binary = As<Binary>(value)) return ReadBinary(*binary, value);
  if (const auto* unary = As<Unary>(value); unary != nullptr && unary->op == UnaryOp::kNegate) {
    return Multiply(Sum{~uint64_t{0}, {}}, Read(unary->value));
  }
  return Atom(value);
}

ExprPtr WriteTerm(const Term& term, int64_t coefficient) {
  ExprPtr product = term.factors[0];
  for (size_t i = 1; i < term.factors.size(); ++i) product = Mul(product, term.factors[i]);
  return coefficient == 1 ? product : Mul(product, MakeInt(coefficient));
}

ExprPtr Write(const Sum& sum, DType dtype) {
  ExprPtr result;
  for (const Term& term : sum.terms) {
    const auto coefficient = static_cast<int64_t>(term.coefficient);
    if (result != nullptr && coefficient < 0) {
      result = Sub(result, WriteTerm(term, static_cast<int64_t>(-term.coefficient)));
    } else {
      const ExprPtr product = WriteTerm(term, coefficient);
      result = result == nullptr ? product : Add(result, product);
    }
  }
  const auto constant = static_cast<int64_t>(sum.constant);
  if (result == nullptr) return MakeInt(constant, dtype);
  if (constant < 0) return Sub(result, MakeInt(static_cast<int64_t>(-sum.constant)));
  return Add(result, MakeInt(constant));
}

bool SameList(const std::vector<ExprPtr>& a, const std::vector<ExprPtr>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!StructurallyEqual(a[i], b[i])) return false;
  }
  return true;
}

bool IsCalculation(const ExprPtr& value) {
  return IsInteger(value->dtype) && value->dtype != DType::kBool &&
         (value->kind == Kind::kBinary || value->kind == Kind::kUnary);
}

}  // namespace

bool StructurallyEqual(const ExprPtr& a, const ExprPtr& b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || a->kind != b->kind || a->dtype != b->dtype) return false;
  switch (a->kind) {
    case Kind::kIntImm:
      return To<IntImm>(*a).value == To<IntImm>(*b).value;
    case Kind::kFloatImm:
      return To<FloatImm>(*a).value == To<FloatImm>(*b).value;
    case Kind::kVar:
      return To<Var>(*a).id == To<Var>(*b).id;
    case Kind::kUnary:
      return To<Unary>(*a).op == To<Unary>(*b).op &&
             StructurallyEqual(To<Unary>(*a).value, To<Unary>(*b).value);
    case Kind::kBinary:
      return To<Binary>(*a).op == To<Binary>(*b).op &&
             StructurallyEqual(To<Binary>(*a).lhs, To<Binary>(*b).lhs) &&
             StructurallyEqual(To<Binary>(*a).rhs, To<Binary>(*b).rhs);
    case Kind::kCast:
      return StructurallyEqual(To<Cast>(*a).value, To<Cast>(*b).value);
    case Kind::kBitcast:
      return StructurallyEqual(To<Bitcast>(*a).value, To<Bitcast>(*b).value);
    case Kind::kMathCall:
      return To<MathCall>(*a).function == To<MathCall>(*b).function &&
             SameList(To<MathCall>(*a).args, To<MathCall>(*b).args);
    case Kind::kSelect:
      return StructurallyEqual(To<Select>(*a).condition, To<Select>(*b).condition) &&
             StructurallyEqual(To<Select>(*a).if_true, To<Select>(*b).if_true) &&
             StructurallyEqual(To<Select>(*a).if_false, To<Select>(*b).if_false);
    case Kind::kLoad:
      return To<Load>(*a).buffer == To<Load>(*b).buffer &&
             SameList(To<Load>(*a).indices, To<Load>(*b).indices);
    case Kind::kAddress:
      return To<Address>(*a).buffer == To<Address>(*b).buffer;
    default:
      return false;
  }
}

bool SameValue(const ExprPtr& a, const ExprPtr& b) {
  if (StructurallyEqual(a, b)) return true;
  if (!IsInteger(a->dtype) || !IsInteger(b->dtype)) return false;
  const auto difference = MakeBinary(BinaryOp::kSub, a, b);
  return difference.ok() && ConstantInt(Simplify(difference.value())) == 0;
}

ExprPtr Simplify(const ExprPtr& value) {
  if (!IsCalculation(value)) return value;
  const ExprPtr shorter = Write(Read(value), value->dtype);
  // A coefficient or constant that the type does not hold would make the sum a wider one.
  return shorter->dtype != value->dtype || StructurallyEqual(shorter, value) ? value : shorter;
}

}  // namespace hostnpu::tilelang::ir

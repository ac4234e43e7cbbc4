// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_IR_EXPR_H_
#define HOSTNPU_TILELANG_IR_EXPR_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "tilelang/ir/node.h"

/// Building expressions: literals, type promotion, folding of constants. None of it needs a module:
/// symbolic sizes are calculated with long before a kernel is built.
namespace hostnpu::tilelang::ir {

ExprPtr MakeInt(int64_t value, DType dtype = DType::kInt32);
ExprPtr MakeBool(bool value);
ExprPtr MakeFloat(double value, DType dtype = DType::kFloat32);

/// lhs op rhs with both sides brought to their common type: a literal takes the other side's type,
/// an integer becomes float beside a float, the wider of two wins. Constants fold; x + 0 is x.
/// kInvalidArgument: a bitwise operator or a remainder on floats, division or remainder by the
/// constant zero.
base::Result<ExprPtr> MakeBinary(BinaryOp op, const ExprPtr& lhs, const ExprPtr& rhs,
                                 const SourceRange& range = {});
base::Result<ExprPtr> MakeUnary(UnaryOp op, const ExprPtr& value, const SourceRange& range = {});
/// `value` itself when it has that type already; literals are converted now.
ExprPtr MakeCast(DType dtype, const ExprPtr& value, const SourceRange& range = {});
base::Result<ExprPtr> MakeBitcast(DType dtype, const ExprPtr& value, const SourceRange& range = {});
base::Result<ExprPtr> MakeMath(MathFunction function, std::vector<ExprPtr> args,
                               const SourceRange& range = {});
ExprPtr MakeSelect(const ExprPtr& condition, const ExprPtr& if_true, const ExprPtr& if_false,
                   bool lazy, const SourceRange& range = {});
/// value as a condition: itself when bool, else value != 0.
ExprPtr MakeCondition(const ExprPtr& value);

/// For passes, where the operands are known to be legal.
ExprPtr Add(const ExprPtr& lhs, const ExprPtr& rhs);
ExprPtr Sub(const ExprPtr& lhs, const ExprPtr& rhs);
ExprPtr Mul(const ExprPtr& lhs, const ExprPtr& rhs);

std::optional<int64_t> ConstantInt(const ExprPtr& value);
std::optional<double> ConstantNumber(const ExprPtr& value);  ///< of an integer or a float literal

/// Equal trees (variables by id).
bool StructurallyEqual(const ExprPtr& a, const ExprPtr& b);
/// Equal for every value of the variables, as far as linear arithmetic shows.
bool SameValue(const ExprPtr& a, const ExprPtr& b);
/// The same value in a shorter form: sums of products of variables collected, constants folded.
ExprPtr Simplify(const ExprPtr& value);

/// The value for the given variables (int64 arithmetic, floor division); nullopt when a variable
/// has none, on division by zero, overflow, or for a node that is not integer arithmetic.
std::optional<int64_t> Evaluate(const ExprPtr& value,
                                const std::function<std::optional<int64_t>(const Var&)>& lookup);

}  // namespace hostnpu::tilelang::ir

#endif  // HOSTNPU_TILELANG_IR_EXPR_H_

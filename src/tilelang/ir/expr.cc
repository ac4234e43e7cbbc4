// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A TileLang author writes `bx * 64 + i` with Python ints, symbols and loaded values mixed, and
// expects one obvious type. The rules are those of TVM, which the programs were written against:
// literals adapt, integers follow floats, the wider type wins.
#include "tilelang/ir/expr.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "fmt/format.h"

namespace hostnpu::tilelang::ir {
namespace {

base::Error Invalid(std::string message) {
  return base::Error{.code = base::Code::kInvalidArgument, .message = std::move(message)};
}

bool IsLiteral(const ExprPtr& value) {
  return value->kind == Kind::kIntImm || value->kind == Kind::kFloatImm;
}

DType WiderInteger(DType a, DType b) {
  if (a == DType::kBool) return b;
  if (b == DType::kBool) return a;
  if (ClassOf(a) == ClassOf(b)) return DTypeBits(a) >= DTypeBits(b) ? a : b;
  switch (std::max(DTypeBits(a), DTypeBits(b))) {
    case 8:
      return DType::kInt8;
    case 16:
      return DType::kInt16;
    case 32:
      return DType::kInt32;
    default:
      return DType::kInt64;
  }
}

int64_t WrapTo(DType dtype, int64_t value) {
  if (dtype == DType::kBool) return value != 0;
  const uint32_t bits = DTypeBits(dtype);
  if (bits >= 64) return value;
  const uint64_t kept = static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1);
  const bool negative = ClassOf(dtype) == DTypeClass::kInt && (kept >> (bits - 1)) != 0;
  return static_cast<int64_t>(negative ? kept | ~((uint64_t{1} << bits) - 1) : kept);
}

/// False for a literal that the type would change: 2**33 beside an int32.
bool FitsType(const ExprPtr& literal, DType dtype) {
  const auto* imm = As<IntImm>(literal);
  return imm == nullptr || IsFloat(dtype) || DTypeBits(imm->dtype) <= DTypeBits(dtype) ||
         WrapTo(dtype, imm->value) == imm->value;
}

DType CommonType(const ExprPtr& lhs, const ExprPtr& rhs) {
  const DType a = lhs->dtype;
  const DType b = rhs->dtype;
  if (a == b) return a;
  const bool literal_a = IsLiteral(lhs);
  const bool literal_b = IsLiteral(rhs);
  if (literal_a != literal_b) {
    const DType typed = literal_a ? b : a;
    const DType other = literal_a ? a : b;
    const bool fits = FitsType(literal_a ? lhs : rhs, typed);
    if (IsFloat(typed) || (IsInteger(other) && typed != DType::kBool && fits)) return typed;
  }
  if (IsFloat(a) && IsFloat(b)) {
    if (DTypeBits(a) == DTypeBits(b)) return DType::kFloat32;
    return DTypeBits(a) > DTypeBits(b) ? a : b;
  }
  if (IsFloat(a)) return a;
  if (IsFloat(b)) return b;
  return WiderInteger(a, b);
}

/// A float as an integer type: toward zero, saturated, NaN 0; as the kernel does it (tl::Convert).
int64_t SaturateTo(DType dtype, double value) {
  if (dtype == DType::kBool) return value != 0;
  if (std::isnan(value)) return 0;
  const bool is_signed = ClassOf(dtype) == DTypeClass::kInt;
  const int bits = static_cast<int>(DTypeBits(dtype)) - (is_signed ? 1 : 0);
  const uint64_t highest = ~uint64_t{0} >> (64 - bits);
  if (value >= std::ldexp(1.0, bits)) return static_cast<int64_t>(highest);
  if (value <= (is_signed ? -std::ldexp(1.0, bits) : -1.0))
    return is_signed ? static_cast<int64_t>(~highest) : 0;
  return is_signed ? static_cast<int64_t>(value)
                   : static_cast<int64_t>(static_cast<uint64_t>(std::fmax(value, 0.0)));
}

/// A literal of a 16-bit float type holds what was written; its value is that, rounded.
double ValueOf(const FloatImm& imm) {
  const float value = static_cast<float>(imm.value);
  if (imm.dtype == DType::kFloat16) return static_cast<double>(static_cast<_Float16>(imm.value));
  if (imm.dtype != DType::kBfloat16 || !std::isfinite(value)) return imm.value;
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  return std::bit_cast<float>((bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u);
}

/// a op b in 64-bit two's complement; nullopt for division by zero.
std::optional<int64_t> FoldInt(BinaryOp op, int64_t a, int64_t b) {
  const auto wrap = [](uint64_t bits) { return static_cast<int64_t>(bits); };
  const uint64_t ua = static_cast<uint64_t>(a);
  const uint64_t ub = static_cast<uint64_t>(b);
  const bool divides =
      op == BinaryOp::kDiv || op == BinaryOp::kFloorDiv || op == BinaryOp::kFloorMod;
  if (divides && (b == 0 || (a == INT64_MIN && b == -1))) return std::nullopt;
  const int64_t remainder = divides ? a % b : 0;
  const bool below = remainder != 0 && ((remainder < 0) != (b < 0));
  switch (op) {
    case BinaryOp::kAdd:
      return wrap(ua + ub);
    case BinaryOp::kSub:
      return wrap(ua - ub);
    case BinaryOp::kMul:
      return wrap(ua * ub);
    case BinaryOp::kDiv:
      return a / b;
    case BinaryOp::kFloorDiv:
      return a / b - (below ? 1 : 0);
    case BinaryOp::kFloorMod:
      return below ? remainder + b : remainder;
    case BinaryOp::kMin:
      return std::min(a, b);
    case BinaryOp::kMax:
      return std::max(a, b);
    case BinaryOp::kBitAnd:
      return a & b;
    case BinaryOp::kBitOr:
      return a | b;
    case BinaryOp::kBitXor:
      return a ^ b;
    case BinaryOp::kShl:
      return b < 0 || b > 63 ? std::nullopt : std::optional<int64_t>(wrap(ua << ub));
    case BinaryOp::kShr:
      return b < 0 || b > 63 ? std::nullopt : std::optional<int64_t>(a >> b);
    case BinaryOp::kEq:
      return a == b;
    case BinaryOp::kNe:
      return a != b;
    case BinaryOp::kLt:
      return a < b;
    case BinaryOp::kLe:
      return a <= b;
    case BinaryOp::kGt:
      return a > b;
    case BinaryOp::kGe:
      return a >= b;
    case BinaryOp::kAnd:
      return a != 0 && b != 0;
    case BinaryOp::kOr:
      return a != 0 || b != 0;
  }
  return std::nullopt;
}

/// Folds arithmetic of float literals, in double; comparisons are left to the compiler.
std::optional<double> FoldFloat(BinaryOp op, double a, double b) {
  switch (op) {
    case BinaryOp::kAdd:
      return a + b;
    case BinaryOp::kSub:
      return a - b;
    case BinaryOp::kMul:
      return a * b;
    case BinaryOp::kDiv:
      return a / b;
    case BinaryOp::kMin:
      return std::min(a, b);
    case BinaryOp::kMax:
      return std::max(a, b);
    default:
      return std::nullopt;
  }
}

ExprPtr FoldIdentity(BinaryOp op, const ExprPtr& lhs, const ExprPtr& rhs) {
  if (!IsInteger(lhs->dtype)) return nullptr;
  const auto a = ConstantInt(lhs);
  const auto b = ConstantInt(rhs);
  const bool additive = op == BinaryOp::kAdd;
  if (additive && a == 0) return rhs;
  if ((additive || op == BinaryOp::kSub) && b == 0) return lhs;
  if (op == BinaryOp::kMul && a == 1) return rhs;
  if (op == BinaryOp::kMul && (a == 0)) return lhs;
  if (op == BinaryOp::kMul && (b == 0)) return rhs;
  if ((op == BinaryOp::kMul || op == BinaryOp::kFloorDiv || op == BinaryOp::kDiv) && b == 1)
    return lhs;
  return nullptr;
}

/// Folded constant, an identity's remaining side, or null when a node is needed.
ExprPtr Fold(BinaryOp op, const ExprPtr& lhs, const ExprPtr& rhs, DType result) {
  const auto a = ConstantInt(lhs);
  const auto b = ConstantInt(rhs);
  if (a && b) {
    const auto folded = FoldInt(op, *a, *b);
    if (!folded) return nullptr;
    // int32 is what Python's integers begin as, and grows as they do; the other types wrap.
    return MakeInt(result == DType::kInt32 ? *folded : WrapTo(result, *folded), result);
  }
  const bool floats = lhs->kind == Kind::kFloatImm && rhs->kind == Kind::kFloatImm;
  if (floats && !YieldsBool(op)) {
    const auto folded = FoldFloat(op, *ConstantNumber(lhs), *ConstantNumber(rhs));
    if (folded) return MakeFloat(*folded, result);
  }
  if (op == BinaryOp::kAnd || op == BinaryOp::kOr) {
    const bool absorbing = op == BinaryOp::kOr;
    if (a) return (*a != 0) == absorbing ? MakeBool(absorbing) : rhs;
    if (b) return (*b != 0) == absorbing ? MakeBool(absorbing) : lhs;
  }
  return FoldIdentity(op, lhs, rhs);
}

bool IsBitwise(BinaryOp op) {
  return op == BinaryOp::kBitAnd || op == BinaryOp::kBitOr || op == BinaryOp::kBitXor ||
         op == BinaryOp::kShl || op == BinaryOp::kShr;
}

bool Divides(BinaryOp op) {
  return op == BinaryOp::kDiv || op == BinaryOp::kFloorDiv || op == BinaryOp::kFloorMod;
}

}  // namespace

ExprPtr MakeInt(int64_t value, DType dtype) {
  return Make<IntImm>({}, [&](IntImm& imm) {
    imm.value = value;
    imm.dtype =
        dtype == DType::kInt32 && (value > INT32_MAX || value < INT32_MIN) ? DType::kInt64 : dtype;
  });
}

ExprPtr MakeBool(bool value) { return MakeInt(value ? 1 : 0, DType::kBool); }

ExprPtr MakeFloat(double value, DType dtype) {
  return Make<FloatImm>({}, [&](FloatImm& imm) {
    imm.value = value;
    imm.dtype = dtype;
  });
}

base::Result<ExprPtr> MakeBinary(BinaryOp op, const ExprPtr& lhs, const ExprPtr& rhs,
                                 const SourceRange& range) {
  ExprPtr a = lhs;
  ExprPtr b = rhs;
  if (op == BinaryOp::kAnd || op == BinaryOp::kOr) {
    a = MakeCondition(a);
    b = MakeCondition(b);
  } else {
    DType common = CommonType(a, b);
    // Python's True + True is 2; TVM's bool has no arithmetic.
    const bool keeps_bool =
        YieldsBool(op) || IsBitwise(op) || op == BinaryOp::kMin || op == BinaryOp::kMax;
    if (common == DType::kBool && !keeps_bool) common = DType::kInt32;
    if ((IsBitwise(op) || op == BinaryOp::kFloorMod) && IsFloat(common)) {
      return Invalid(
          fmt::format("operator '{}' is not defined on {}", BinarySymbol(op), DTypeName(common)));
    }
    a = MakeCast(common, a, range);
    b = MakeCast(common, b, range);
    if (Divides(op) && ConstantInt(b) == 0) {
      return Invalid(
          fmt::format("operator '{}' has the constant 0 on its right side", BinarySymbol(op)));
    }
  }
  const DType result = YieldsBool(op) ? DType::kBool : a->dtype;
  if (ExprPtr folded = Fold(op, a, b, result)) return folded;
  return ExprPtr(Make<Binary>(range, [&](Binary& node) {
    node.dtype = result;
    node.op = op;
    node.lhs = a;
    node.rhs = b;
  }));
}

base::Result<ExprPtr> MakeUnary(UnaryOp op, const ExprPtr& value, const SourceRange& range) {
  ExprPtr operand = op == UnaryOp::kNot ? MakeCondition(value) : value;
  if (op == UnaryOp::kBitNot && IsFloat(operand->dtype)) {
    return Invalid(fmt::format("operator '~' is not defined on {}", DTypeName(operand->dtype)));
  }
  if (op == UnaryOp::kNegate && operand->dtype == DType::kBool)
    operand = MakeCast(DType::kInt32, operand);
  if (const auto number = ConstantInt(operand)) {
    if (op == UnaryOp::kNegate) {
      const auto negated = static_cast<int64_t>(-static_cast<uint64_t>(*number));
      return MakeInt(WrapTo(operand->dtype, negated), operand->dtype);
    }
    if (op == UnaryOp::kNot) return MakeBool(*number == 0);
    return MakeInt(WrapTo(operand->dtype, ~*number), operand->dtype);
  }
  if (const auto* imm = As<FloatImm>(operand)) return MakeFloat(-imm->value, imm->dtype);
  return ExprPtr(Make<Unary>(range, [&](Unary& node) {
    node.dtype = op == UnaryOp::kNot ? DType::kBool : operand->dtype;
    node.op = op;
    node.value = operand;
  }));
}

ExprPtr MakeCast(DType dtype, const ExprPtr& value, const SourceRange& range) {
  if (value->dtype == dtype) return value;
  if (const auto number = ConstantInt(value)) {
    if (IsFloat(dtype)) return MakeFloat(static_cast<double>(*number), dtype);
    return MakeInt(WrapTo(dtype, *number), dtype);
  }
  if (const auto* imm = As<FloatImm>(value)) {
    if (IsFloat(dtype)) return MakeFloat(ValueOf(*imm), dtype);
    return MakeInt(SaturateTo(dtype, ValueOf(*imm)), dtype);
  }
  return Make<Cast>(range, [&](Cast& node) {
    node.dtype = dtype;
    node.value = value;
  });
}

base::Result<ExprPtr> MakeBitcast(DType dtype, const ExprPtr& value, const SourceRange& range) {
  if (DTypeBits(dtype) != DTypeBits(value->dtype)) {
    return Invalid(fmt::format("cannot reinterpret {} ({} bits) as {} ({} bits)",
                               DTypeName(value->dtype), DTypeBits(value->dtype), DTypeName(dtype),
                               DTypeBits(dtype)));
  }
  if (value->dtype == dtype) return value;
  return ExprPtr(Make<Bitcast>(range, [&](Bitcast& node) {
    node.dtype = dtype;
    node.value = value;
  }));
}

base::Result<ExprPtr> MakeMath(MathFunction function, std::vector<ExprPtr> args,
                               const SourceRange& range) {
  enum class Integers : uint8_t { kKeep, kFloat };
  struct Row {
    size_t arity;
    Integers integers;
  };
  static constexpr Row kRows[] = {
#define HOSTNPU_MATH_FUNCTION(name, text, arity, integers) {arity, Integers::k##integers},
#include "tilelang/ir/math_functions.def"
#undef HOSTNPU_MATH_FUNCTION
  };
  const Row& row = kRows[static_cast<size_t>(function)];
  if (args.size() != row.arity) {
    return Invalid(fmt::format("{} takes {} arguments, but {} are given",
                               MathFunctionName(function), row.arity, args.size()));
  }
  DType dtype = args[0]->dtype;
  if (args.size() == 2) dtype = CommonType(args[0], args[1]);
  if (IsInteger(dtype) && row.integers == Integers::kFloat) dtype = DType::kFloat32;
  for (ExprPtr& arg : args) arg = MakeCast(dtype, arg, range);
  return ExprPtr(Make<MathCall>(range, [&](MathCall& node) {
    node.dtype = dtype;
    node.function = function;
    node.args = std::move(args);
  }));
}

ExprPtr MakeSelect(const ExprPtr& condition, const ExprPtr& if_true, const ExprPtr& if_false,
                   bool lazy, const SourceRange& range) {
  const ExprPtr test = MakeCondition(condition);
  const DType dtype = CommonType(if_true, if_false);
  const ExprPtr a = MakeCast(dtype, if_true, range);
  const ExprPtr b = MakeCast(dtype, if_false, range);
  if (const auto known = ConstantInt(test)) return *known != 0 ? a : b;
  return Make<Select>(range, [&](Select& node) {
    node.dtype = dtype;
    node.condition = test;
    node.if_true = a;
    node.if_false = b;
    node.lazy = lazy;
  });
}

ExprPtr MakeCondition(const ExprPtr& value) {
  if (value->dtype == DType::kBool) return value;
  const ExprPtr zero =
      IsFloat(value->dtype) ? MakeFloat(0, value->dtype) : MakeInt(0, value->dtype);
  if (const auto number = ConstantNumber(value)) return MakeBool(*number != 0);
  return Make<Binary>(value->range, [&](Binary& node) {
    node.dtype = DType::kBool;
    node.op = BinaryOp::kNe;
    node.lhs = value;
    node.rhs = zero;
  });
}

ExprPtr Add(const ExprPtr& lhs, const ExprPtr& rhs) {
  return MakeBinary(BinaryOp::kAdd, lhs, rhs).value();
}
ExprPtr Sub(const ExprPtr& lhs, const ExprPtr& rhs) {
  return MakeBinary(BinaryOp::kSub, lhs, rhs).value();
}
ExprPtr Mul(const ExprPtr& lhs, const ExprPtr& rhs) {
  return MakeBinary(BinaryOp::kMul, lhs, rhs).value();
}

std::optional<int64_t> ConstantInt(const ExprPtr& value) {
  const auto* imm = As<IntImm>(value);
  return imm != nullptr ? std::optional<int64_t>(imm->value) : std::nullopt;
}

std::optional<double> ConstantNumber(const ExprPtr& value) {
  if (const auto number = ConstantInt(value)) return static_cast<double>(*number);
  const auto* imm = As<FloatImm>(value);
  return imm != nullptr ? std::optional<double>(imm->value) : std::nullopt;
}

std::optional<int64_t> Evaluate(const ExprPtr& value,
                                const std::function<std::optional<int64_t>(const Var&)>& lookup) {
  if (const auto number = ConstantInt(value)) return number;
  if (const auto* var = As<Var>(value)) return lookup(*var);
  if (const auto* cast = As<Cast>(value)) {
    return IsInteger(cast->value->dtype) && IsInteger(cast->dtype) ? Evaluate(cast->value, lookup)
                                                                   : std::nullopt;
  }
  if (const auto* unary = As<Unary>(value)) {
    const auto operand = Evaluate(unary->value, lookup);
    if (!operand) return std::nullopt;
    if (unary->op == UnaryOp::kNot) return *operand == 0;
    if (unary->op == UnaryOp::kBitNot) return ~*operand;
    return *operand == INT64_MIN ? std::nullopt : std::optional<int64_t>(-*operand);
  }
  if (const auto* select = As<Select>(value)) {
    const auto condition = Evaluate(select->condition, lookup);
    if (!condition) return std::nullopt;
    return Evaluate(*condition != 0 ? select->if_true : select->if_false, lookup);
  }
  const auto* binary = As<Binary>(value);
  if (binary == nullptr) return std::nullopt;
  const auto a = Evaluate(binary->lhs, lookup);
  const auto b = Evaluate(binary->rhs, lookup);
  if (!a || !b) return std::nullopt;
  int64_t checked = 0;
  if (binary->op == BinaryOp::kAdd && __builtin_add_overflow(*a, *b, &checked)) return std::nullopt;
  if (binary->op == BinaryOp::kSub && __builtin_sub_overflow(*a, *b, &checked)) return std::nullopt;
  if (binary->op == BinaryOp::kMul && __builtin_mul_overflow(*a, *b, &checked)) return std::nullopt;
  if (binary->op == BinaryOp::kShl &&
      (*b < 0 || *b > 62 || __builtin_mul_overflow(*a, int64_t{1} << *b, &checked))) {
    return std::nullopt;
  }
  return FoldInt(binary->op, *a, *b);
}

}  // namespace hostnpu::tilelang::ir

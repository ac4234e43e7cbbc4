// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "tilelang/codegen/text.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "tilelang/ir/expr.h"

namespace hostnpu::tilelang::codegen {
namespace {

constexpr const char* kReserved[] = {
    "auto",    "bool",     "break",  "case",    "char",   "class",     "const",     "continue",
    "default", "do",       "double", "else",    "enum",   "extern",    "float",     "for",
    "goto",    "half",     "if",     "inline",  "int",    "long",      "new",       "private",
    "public",  "register", "return", "short",   "signed", "sizeof",    "static",    "struct",
    "switch",  "template", "this",   "typedef", "union",  "unsigned",  "using",     "virtual",
    "void",    "volatile", "while",  "pipe",    "cid",    "vid",       "words",     "stream",
    "blocks",  "Add",      "Sub",    "Mul",     "Div",    "Max",       "Min",       "Exp",
    "Ln",      "Abs",      "Cast",   "Copy",    "Select", "Compare",   "Gather",    "Sort",
    "and",     "or",       "not",    "main",    "delete", "operator",  "y0",        "y1",
    "yn",      "j0",       "j1",     "jn",      "tl",     "log",       "exp",       "sqrt",
    "Sum",     "Sign",     "Fill",   "Floor",   "Ceil",   "Round",     "Trunc",     "Log",
    "Relu",    "Not",      "And",    "Or",      "index",  "Duplicate", "Transpose", "Broadcast",
    "Power",   "Sigmoid",  "Tanh",   "Sin",     "Cos",    "Xor",       "Matmul",    "Mmad",
    "Extract", "Concat",   "Axpy",   "Muls",    "Adds",   "Maxs",      "launched"};

std::string Clean(const std::string& name) {
  std::string clean;
  for (const char c : name) {
    clean += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ? c : '_';
  }
  if (clean.empty() || std::isdigit(static_cast<unsigned char>(clean[0])) != 0)
    clean.insert(0, "v");
  return clean;
}

}  // namespace

Names::Names(const ir::Module& module) {
  for (const char* word : kReserved) taken_.insert(word);
  taken_.insert(module.name);
  for (const ir::Buffer& buffer : module.buffers) buffers_.push_back(Fresh(buffer.name));
}

std::string Names::Fresh(const std::string& wish) {
  const std::string clean = Clean(wish);
  std::string name = clean;
  for (int i = 1; taken_.count(name) != 0; ++i) name = fmt::format("{}_{}", clean, i);
  taken_.insert(name);
  return name;
}

const std::string& Names::Of(const ir::Var& var) {
  auto found = vars_.find(var.id);
  if (found == vars_.end()) found = vars_.emplace(var.id, Fresh(var.name)).first;
  return found->second;
}

std::string StringLiteral(const std::string& text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      literal += '\\';
      literal += c;
    } else if (c == '\n') {
      literal += "\\n";
    } else if (c == '\t') {
      literal += "\\t";
    } else if (code < 0x20 || code == 0x7f) {
      literal += fmt::format("\\{:03o}", code);
    } else {
      literal += c;
    }
  }
  return literal + '"';
}

std::string FloatLiteral(double value, ir::DType dtype) {
  std::string text;
  if (std::isnan(value)) {
    text = "__builtin_nanf(\"\")";
  } else if (std::isinf(value)) {
    text = value > 0 ? "__builtin_inff()" : "-__builtin_inff()";
  } else {
    const bool wide = dtype == ir::DType::kFloat64;
    text = wide ? fmt::format("{:.17g}", value) : fmt::format("{:.9g}", value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    if (!wide) text += "f";
  }
  if (dtype == ir::DType::kFloat32 || dtype == ir::DType::kFloat64) return text;
  return fmt::format("{}({})", ir::AscendCType(dtype), text);
}

std::string ExprWriter::Write(const ir::ExprPtr& expr) {
  switch (expr->kind) {
    case ir::Kind::kIntImm: {
      const auto& node = ir::To<ir::IntImm>(*expr);
      if (expr->dtype == ir::DType::kBool) return node.value != 0 ? "true" : "false";
      if (expr->dtype == ir::DType::kInt32 && node.value >= 0) return fmt::format("{}", node.value);
      if (node.value == INT64_MIN) return "INT64_MIN";
      if (expr->dtype == ir::DType::kInt32 && node.value > INT32_MIN)
        return fmt::format("({})", node.value);
      return fmt::format("{}({}{})", ir::AscendCType(expr->dtype), node.value,
                         ir::DTypeBits(expr->dtype) == 64 ? "LL" : "");
    }
    case ir::Kind::kFloatImm:
      return FloatLiteral(ir::To<ir::FloatImm>(*expr).value, expr->dtype);
    case ir::Kind::kVar:
      return names_.Of(ir::To<ir::Var>(*expr));
    case ir::Kind::kBinary:
      return WriteBinary(ir::To<ir::Binary>(*expr));
    case ir::Kind::kUnary: {
      const auto& node = ir::To<ir::Unary>(*expr);
      const char* sign = node.op == ir::UnaryOp::kNegate   ? "-"
                         : node.op == ir::UnaryOp::kBitNot ? "~"
                                                           : "!";
      return fmt::format("{}({}{})", ir::AscendCType(expr->dtype), sign, Write(node.value));
    }
    case ir::Kind::kCast: {
      const auto& node = ir::To<ir::Cast>(*expr);
      if (expr->dtype == ir::DType::kBool) return fmt::format("({} != 0)", Write(node.value));
      if (node.value->dtype == ir::DType::kBool) {
        return fmt::format("{}({} ? 1 : 0)", ir::AscendCType(expr->dtype), Write(node.value));
      }
      return fmt::format("tl::Convert<{}>({})", ir::AscendCType(expr->dtype), Write(node.value));
    }
    case ir::Kind::kBitcast:
      return fmt::format("tl::Bitcast<{}>({})", ir::AscendCType(expr->dtype),
                         Write(ir::To<ir::Bitcast>(*expr).value));
    case ir::Kind::kMathCall:
      return WriteMath(ir::To<ir::MathCall>(*expr));
    case ir::Kind::kSelect: {
      const auto& node = ir::To<ir::Select>(*expr);
      return fmt::format("({} ? {} : {})", Write(node.condition), Write(node.if_true),
                         Write(node.if_false));
    }
    case ir::Kind::kLoad:
      return WriteLoad(ir::To<ir::Load>(*expr));
    case ir::Kind::kAddress: {
      const ir::BufferId buffer = ir::To<ir::Address>(*expr).buffer;
      return fmt::format("reinterpret_cast<uint64_t>({}.GetPhyAddr())", names_.Of(buffer));
    }
    default:
      HOSTNPU_CHECK(false);
      return "";
  }
}

std::string ExprWriter::WriteBinary(const ir::Binary& node) {
  const std::string lhs = Write(node.lhs);
  const std::string rhs = Write(node.rhs);
  const std::string type(ir::AscendCType(node.dtype));
  switch (node.op) {
    case ir::BinaryOp::kFloorDiv:
      if (ir::IsFloat(node.dtype)) return fmt::format("tl::FloorOf({} / {})", lhs, rhs);
      return fmt::format("tl::FloorDiv<{}>({}, {})", type, lhs, rhs);
    case ir::BinaryOp::kFloorMod:
      return fmt::format("tl::FloorMod<{}>({}, {})", type, lhs, rhs);
    case ir::BinaryOp::kMin:
      return fmt::format("tl::Min<{}>({}, {})", type, lhs, rhs);
    case ir::BinaryOp::kMax:
      return fmt::format("tl::Max<{}>({}, {})", type, lhs, rhs);
    case ir::BinaryOp::kShl:
      return fmt::format("tl::ShiftLeftOf<{}>({}, {})", type, lhs, rhs);
    case ir::BinaryOp::kShr:
      return fmt::format("tl::ShiftRightOf<{}>({}, {})", type, lhs, rhs);
    case ir::BinaryOp::kAnd:
      return fmt::format("({} && {})", lhs, rhs);
    case ir::BinaryOp::kOr:
      return fmt::format("({} || {})", lhs, rhs);
    default: {
      const std::string plain = fmt::format("({} {} {})", lhs, ir::BinarySymbol(node.op), rhs);
      // C++ computes narrow types as int or float; the result has the operands' type here.
      const bool narrow = ir::DTypeBits(node.dtype) < 32 && node.dtype != ir::DType::kBool;
      return narrow ? fmt::format("{}{}", type, plain) : plain;
    }
  }
}

std::string ExprWriter::WriteMath(const ir::MathCall& node) {
  const std::string first = Write(node.args[0]);
  const std::string type(ir::AscendCType(node.dtype));
  if (node.function == ir::MathFunction::kAbs) return fmt::format("tl::AbsOf<{}>({})", type, first);
  const auto wide = [&](const std::string& text) {
    return fmt::format("static_cast<float>({})", text);
  };
  std::string name;
  switch (node.function) {
    case ir::MathFunction::kExp:
      name = "ExpOf";
      break;
    case ir::MathFunction::kLog:
      name = "LogOf";
      break;
    case ir::MathFunction::kSqrt:
      name = "SqrtOf";
      break;
    case ir::MathFunction::kRsqrt:
      name = "RsqrtOf";
      break;
    case ir::MathFunction::kFloor:
      name = "FloorOf";
      break;
    case ir::MathFunction::kCeil:
      name = "CeilOf";
      break;
    case ir::MathFunction::kRound:
      name = "RoundOf";
      break;
    case ir::MathFunction::kTrunc:
      name = "TruncOf";
      break;
    case ir::MathFunction::kPow:
      return fmt::format("{}(tl::PowOf({}, {}))", type, wide(first), wide(Write(node.args[1])));
    case ir::MathFunction::kSin:
      name = "SinOf";
      break;
    case ir::MathFunction::kCos:
      name = "CosOf";
      break;
    case ir::MathFunction::kTanh:
      name = "TanhOf";
      break;
    case ir::MathFunction::kSigmoid:
      name = "SigmoidOf";
      break;
    case ir::MathFunction::kAbs:
      break;
  }
  return fmt::format("{}(tl::{}({}))", type, name, wide(first));
}

std::string ExprWriter::Offset(ir::BufferId id, const std::vector<ir::ExprPtr>& indices) {
  const ir::Buffer& buffer = module_.buffer(id);
  const bool wide = buffer.memory == ir::Memory::kGm;
  std::string text;
  std::string stride = wide ? "int64_t(1)" : "1";
  bool unit = true;
  int64_t constant = 0;
  int64_t constant_stride = 1;
  bool stride_known = true;
  for (size_t d = indices.size(); d-- > 0;) {
    const auto value = ir::ConstantInt(indices[d]);
    if (value.has_value() && stride_known) {
      constant += *value * constant_stride;
    } else if (!value.has_value() || *value != 0) {
      std::string term = Write(indices[d]);
      if (wide) term = fmt::format("int64_t({})", term);
      if (!unit)
        term +=
            stride_known ? fmt::format(" * {}", constant_stride) : fmt::format(" * ({})", stride);
      text = text.empty() ? term : term + " + " + text;
    }
    const auto extent = ir::ConstantInt(buffer.shape[d]);
    const std::string factor =
        extent.has_value() ? fmt::format("{}", *extent) : Write(buffer.shape[d]);
    stride = unit ? (wide ? fmt::format("int64_t({})", factor) : factor)
                  : fmt::format("{} * {}", stride, factor);
    stride_known = stride_known && extent.has_value();
    if (extent.has_value()) constant_stride *= *extent;
    unit = false;
  }
  if (text.empty()) return fmt::format("{}", constant);
  return constant == 0 ? text : fmt::format("{} + {}", text, constant);
}

std::string ExprWriter::WriteLoad(const ir::Load& node) {
  const ir::Buffer& buffer = module_.buffer(node.buffer);
  if (buffer.memory == ir::Memory::kVar) return names_.Of(node.buffer);
  std::string text =
      fmt::format("{}.GetValue({})", names_.Of(node.buffer), Offset(node.buffer, node.indices));
  if (node.dtype == ir::DType::kBool) text = fmt::format("({} != 0)", text);
  return text;
}

}  // namespace hostnpu::tilelang::codegen

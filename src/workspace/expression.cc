// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// Most wrong workspaces are wrong formulas: a product that passes 32 bits, a difference that
// becomes negative for a short sequence. So formulas are data here, computed in 64 bits with every
// step checked, and an error shows the formula and the values that broke it.
#include "workspace/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

namespace hostnpu::workspace {
namespace {

constexpr size_t kMaxDepth = 64;  // of nested parentheses, and of the evaluation stack

int64_t FloorDivide(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

}  // namespace

Bindings::Bindings(std::initializer_list<std::pair<std::string, int64_t>> values)
    : values_(values) {}

bool Bindings::Bind(std::string_view symbol, int64_t value) {
  if (const int64_t* bound = Find(symbol)) return *bound == value;
  values_.emplace_back(symbol, value);
  return true;
}

const int64_t* Bindings::Find(std::string_view symbol) const {
  for (const auto& [name, value] : values_) {
    if (name == symbol) return &value;
  }
  return nullptr;
}

/// Recursive descent; writes code for the stack machine.
class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  base::Result<Expression> Run() {
    expression_.text_ = std::string(text_);
    Sum();
    Skip();
    if (problem_.empty() && at_ < text_.size()) {
      Fail(fmt::format("'{}' is not expected", text_.substr(at_, 1)));
    }
    if (!problem_.empty()) {
      return base::Error{base::Code::kInvalidArgument,
                         fmt::format("\"{}\": {} at column {}.", text_, problem_, at_ + 1)};
    }
    return std::move(expression_);
  }

 private:
  using Op = Expression::Op;

  void Fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }

  void Skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool Take(std::string_view token) {
    Skip();
    if (!problem_.empty() || text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  void Emit(Op op, int64_t value = 0) {
    expression_.code_.push_back({op, value});
    if (op == Op::kConstant || op == Op::kSymbol) {
      expression_.depth_ = std::max(expression_.depth_, ++stack_);
      if (stack_ > kMaxDepth) Fail("the formula is nested too deeply");
    } else if (op != Op::kNegate) {
      --stack_;
    }
  }

  void Sum() {
    Product();
    while (problem_.empty()) {
      if (Take("+")) {
        Product();
        Emit(Op::kAdd);
      } else if (Take("-")) {
        Product();
        Emit(Op::kSubtract);
      } else {
        return;
      }
    }
  }

  void Product() {
    Unary();
    while (problem_.empty()) {
      Op op;
      if (Take("*")) {
        op = Op::kMultiply;
      } else if (Take("//") || Take("/")) {
        op = Op::kDivide;
      } else if (Take("%")) {
        op = Op::kModulo;
      } else {
        return;
      }
      Unary();
      Emit(op);
    }
  }

  void Unary() {
    if (++nesting_ > kMaxDepth) Fail("the formula is nested too deeply");
    if (!problem_.empty()) return;
    if (Take("-")) {
      Unary();
      Emit(Op::kNegate);
    } else if (Take("(")) {
      Sum();
      if (!Take(")")) Fail("')' is missing");
    } else {
      Leaf();
    }
    --nesting_;
  }

  void Leaf() {
    Skip();
    const size_t begin = at_;
    auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view word = text_.substr(begin, end - begin);
    if (word.empty()) return Fail("a number, a symbol or '(' is missing");
    if (std::isdigit(static_cast<unsigned char>(word[0]))) {
      int64_t value = 0;
      const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc() || rest != word.data() + word.size()) {
        return Fail(fmt::format("'{}' is not a whole number of 64 bits", word));
      }
      at_ = end;
      return Emit(Op::kConstant, value);
    }
    at_ = end;
    if (Take("(")) return Call(word, begin);
    auto& symbols = expression_.symbols_;
    const auto found = std::find(symbols.begin(), symbols.end(), word);
    Emit(Op::kSymbol, found - symbols.begin());
    if (found == symbols.end()) symbols.emplace_back(word);
  }

  void Call(std::string_view name, size_t begin) {
    Op op;
    if (name == "min") {
      op = Op::kMin;
    } else if (name == "max") {
      op = Op::kMax;
    } else if (name == "ceildiv") {
      op = Op::kCeilDiv;
    } else if (name == "align") {
      op = Op::kAlign;
    } else {
      at_ = begin;
      return Fail(fmt::format("there is no function '{}' (min, max, ceildiv, align)", name));
    }
    Sum();
    int count = 1;
    while (Take(",")) {
      Sum();
      Emit(op);
      ++count;
    }
    if (!Take(")")) return Fail("')' is missing");
    const bool variadic = op == Op::kMin || op == Op::kMax;
    if (count < 2 || (count > 2 && !variadic)) {
      Fail(fmt::format("'{}' takes {} arguments, {} given", name, variadic ? "two or more" : "two",
                       count));
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t stack_ = 0;
  size_t nesting_ = 0;
  std::string problem_;
  Expression expression_;
};

base::Result<Expression> Expression::Parse(std::string_view text) {
  return ExpressionParser(text).Run();
}

Expression Expression::Constant(int64_t value) {
  Expression expression;
  expression.text_ = fmt::format("{}", value);
  expression.code_.push_back({Op::kConstant, value});
  expression.depth_ = 1;
  return expression;
}

std::string_view Expression::AsSymbol() const {
  if (code_.size() != 1 || code_[0].op != Op::kSymbol) return {};
  return symbols_[0];
}

std::string Expression::Describe(const Bindings& bindings) const {
  std::string text = fmt::format("\"{}\"", text_);
  const char* glue = " with ";
  for (const std::string& symbol : symbols_) {
    const int64_t* value = bindings.Find(symbol);
    text += glue;
    text += value == nullptr ? symbol + " unbound" : fmt::format("{} = {}", symbol, *value);
    glue = ", ";
  }
  return text;
}

/// Computes `left op right`; returns what is wrong, or null.
const char* Expression::Apply(Op op, int64_t left, int64_t right, int64_t* value) {
  constexpr const char* kOverflow = "overflows 64 bits";
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  switch (op) {
    case Op::kAdd:
      return __builtin_add_overflow(left, right, value) ? kOverflow : nullptr;
    case Op::kSubtract:
      return __builtin_sub_overflow(left, right, value) ? kOverflow : nullptr;
    case Op::kMultiply:
      return __builtin_mul_overflow(left, right, value) ? kOverflow : nullptr;
    case Op::kMin:
      *value = std::min(left, right);
      return nullptr;
    case Op::kMax:
      *value = std::max(left, right);
      return nullptr;
    default:
      break;
  }
  if (right == 0) return "divides by zero";
  if (left == kLeast || right == kLeast) return kOverflow;
  switch (op) {
    case Op::kDivide:
      *value = FloorDivide(left, right);
      return nullptr;
    case Op::kModulo:
      *value = left - FloorDivide(left, right) * right;
      return nullptr;
    case Op::kCeilDiv:
      *value = -FloorDivide(-left, right);
      return nullptr;
    default:  // kAlign
      return __builtin_mul_overflow(-FloorDivide(-left, right), right, value) ? kOverflow : nullptr;
  }
}

base::Result<int64_t> Expression::Evaluate(const Bindings& bindings) const {
  int64_t stack[kMaxDepth + 1];
  size_t top = 0;
  for (const Code& code : code_) {
    if (code.op == Op::kConstant) {
      stack[top++] = code.value;
      continue;
    }
    const char* problem = nullptr;
    if (code.op == Op::kSymbol) {
      const int64_t* value = bindings.Find(symbols_[code.value]);
      if (value == nullptr) {
        problem = "has a symbol without a value";
      } else {
        stack[top++] = *value;
      }
    } else if (code.op == Op::kNegate) {
      problem = Apply(Op::kSubtract, 0, stack[top - 1], &stack[top - 1]);
    } else {
      --top;
      problem = Apply(code.op, stack[top - 1], stack[top], &stack[top - 1]);
    }
    if (problem != nullptr) {
      return base::Error{base::Code::kInvalidArgument,
                         fmt::format("Expression {} {}.", Describe(bindings), problem)};
    }
  }
  return stack[0];
}

}  // namespace hostnpu::workspace

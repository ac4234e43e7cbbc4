// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_WORKSPACE_EXPRESSION_H_
#define HOSTNPU_WORKSPACE_EXPRESSION_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace hostnpu::workspace {

/// Values of symbols: few, so a list in the order in which they were bound.
class Bindings {
 public:
  Bindings() = default;
  Bindings(std::initializer_list<std::pair<std::string, int64_t>> values);

  /// Binds a symbol. False if it already has another value, which then stays.
  bool Bind(std::string_view symbol, int64_t value);
  const int64_t* Find(std::string_view symbol) const;

 private:
  std::vector<std::pair<std::string, int64_t>> values_;
};

/// A size as a formula over symbols:
///
///     sum     = product {("+" | "-") product}
///     product = unary {("*" | "/" | "//" | "%") unary}
///     unary   = "-" unary | number | symbol | function "(" sum {"," sum} ")" | "(" sum ")"
///
/// Functions: min, max (two or more), ceildiv(a, b), align(a, b) (a rounded up to a multiple of b).
/// Division rounds down, also below zero; `/` and `//` are the same. All arithmetic is in 64 bits
/// and checked. Immutable and cheap to evaluate: no allocation unless there is an error to tell.
class Expression {
 public:
  /// Errors show the text and the column: `"n +* 2": a number, a symbol or '(' is missing at
  /// column 4.`
  static base::Result<Expression> Parse(std::string_view text);
  static Expression Constant(int64_t value);

  /// kInvalidArgument for an unbound symbol, a division by zero or an overflow, with the expression
  /// and the values of its symbols.
  base::Result<int64_t> Evaluate(const Bindings& bindings) const;

  /// The name, if the expression is nothing but a symbol; empty otherwise.
  std::string_view AsSymbol() const;
  /// The symbols, each once, in the order in which they appear.
  const std::vector<std::string>& symbols() const { return symbols_; }
  const std::string& text() const { return text_; }
  /// `"n * 4" with n = 7`: for messages.
  std::string Describe(const Bindings& bindings) const;

 private:
  friend class ExpressionParser;
  enum class Op : uint8_t {
    kConstant,
    kSymbol,
    kNegate,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kModulo,
    kMin,
    kMax,
    kCeilDiv,
    kAlign
  };
  /// One step of a stack machine. `value`: the constant, or the index of the symbol.
  struct Code {
    Op op;
    int64_t value;
  };
  static const char* Apply(Op op, int64_t left, int64_t right, int64_t* value);

  std::string text_;
  std::vector<Code> code_;
  std::vector<std::string> symbols_;
  size_t depth_ = 0;  // of the stack
};

}  // namespace hostnpu::workspace

#endif  // HOSTNPU_WORKSPACE_EXPRESSION_H_

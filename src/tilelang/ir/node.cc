// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Name tables generated from the .def lists, and the operand lists of tile operations, which stand
// there as text and are read once.
#include "tilelang/ir/node.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>

namespace hostnpu::tilelang::ir {
namespace {

constexpr std::string_view kKindNames[] = {
#define HOSTNPU_NODE(name, base, meaning) #name,
#include "tilelang/ir/nodes.def"
#undef HOSTNPU_NODE
};

constexpr std::string_view kBinarySymbols[] = {
#define HOSTNPU_BINARY_OP(name, symbol, result) symbol,
#include "tilelang/ir/binary_ops.def"
#undef HOSTNPU_BINARY_OP
};

enum class BinaryResult : uint8_t { kSame, kBoolean };

constexpr BinaryResult kBinaryResults[] = {
#define HOSTNPU_BINARY_OP(name, symbol, result) BinaryResult::k##result,
#include "tilelang/ir/binary_ops.def"
#undef HOSTNPU_BINARY_OP
};

constexpr std::string_view kMathNames[] = {
#define HOSTNPU_MATH_FUNCTION(name, text, arity, integers) text,
#include "tilelang/ir/math_functions.def"
#undef HOSTNPU_MATH_FUNCTION
};

constexpr std::string_view kPipeNames[] = {"FIX", "MTE1", "MTE2", "MTE3", "M", "V", "S", "ALL"};

struct TileOpRow {
  std::string_view name;
  std::string_view operands;
  TileRule rule;
};

constexpr TileOpRow kTileOpRows[] = {
#define HOSTNPU_TILE_OP(name, text, operands, rule) {text, operands, TileRule::k##rule},
#include "tilelang/ir/tile_ops.def"
#undef HOSTNPU_TILE_OP
};

std::vector<TileOperand> ParseOperands(std::string_view text) {
  std::vector<TileOperand> operands;
  for (char letter : text) {
    if (letter == '?') {
      operands.back().optional = true;
    } else if (letter != ' ') {
      operands.push_back({static_cast<OperandRole>(letter), false});
    }
  }
  return operands;
}

std::vector<TileOpFacts> ReadTileOps() {
  std::vector<TileOpFacts> facts;
  for (const TileOpRow& row : kTileOpRows) {
    facts.push_back({row.name, ParseOperands(row.operands), row.rule});
  }
  return facts;
}

const std::vector<TileOpFacts>& TileOps() {
  static const std::vector<TileOpFacts> facts = ReadTileOps();
  return facts;
}

}  // namespace

std::string_view KindName(Kind kind) { return kKindNames[static_cast<size_t>(kind)]; }
std::string_view BinarySymbol(BinaryOp op) { return kBinarySymbols[static_cast<size_t>(op)]; }
bool YieldsBool(BinaryOp op) {
  return kBinaryResults[static_cast<size_t>(op)] == BinaryResult::kBoolean;
}
std::string_view MathFunctionName(MathFunction function) {
  return kMathNames[static_cast<size_t>(function)];
}
const TileOpFacts& FactsOf(TileOpKind op) { return TileOps()[static_cast<size_t>(op)]; }

std::optional<TileOpKind> FindTileOp(std::string_view name) {
  for (size_t i = 0; i < std::size(kTileOpRows); ++i) {
    if (kTileOpRows[i].name == name) return static_cast<TileOpKind>(i);
  }
  return std::nullopt;
}

std::string_view PipeName(Pipe pipe) { return kPipeNames[static_cast<size_t>(pipe)]; }

std::optional<Pipe> FindPipe(std::string_view name) {
  std::string upper(name);
  for (char& letter : upper) letter = static_cast<char>(std::toupper(letter));
  if (upper.starts_with("PIPE_")) upper.erase(0, 5);
  for (size_t i = 0; i < std::size(kPipeNames); ++i) {
    if (kPipeNames[i] == upper) return static_cast<Pipe>(i);
  }
  return std::nullopt;
}

StmtPtr MakeSeq(std::vector<StmtPtr> stmts, const SourceRange& range) {
  const SourceRange where = range.known() || stmts.empty() ? range : stmts.front()->range;
  return Make<Seq>(where, [&](Seq& seq) { seq.stmts = std::move(stmts); });
}

VarPtr MakeVar(std::string name, DType dtype, const SourceRange& range) {
  static std::atomic<uint64_t> next_id{1};
  return Make<Var>(range, [&](Var& var) {
    var.id = next_id.fetch_add(1, std::memory_order_relaxed);
    var.name = std::move(name);
    var.dtype = dtype;
  });
}

}  // namespace hostnpu::tilelang::ir

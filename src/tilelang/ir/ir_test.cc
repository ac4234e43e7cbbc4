// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tilelang/ir/expr.h"
#include "tilelang/ir/module.h"
#include "tilelang/ir/mutator.h"
#include "tilelang/ir/printer.h"
#include "tilelang/ir/validator.h"
#include "tilelang/ir/visitor.h"

namespace hostnpu::tilelang::ir {
namespace {

/// copy A[bx * 64, ...] -> a_ub; a_ub = a_ub + a_ub, in one vector scope.
Module SmallModule() {
  Module module;
  module.name = "small";
  const VarPtr n = MakeVar("n", DType::kInt32);
  module.symbols = {n};
  const BufferId a = module.Add({.name = "A",
                                 .dtype = DType::kFloat16,
                                 .shape = {n},
                                 .memory = Memory::kGm,
                                 .kind = BufferKind::kParam});
  module.params = {{.name = "A", .buffer = a}};
  const BufferId ub = module.Add(
      {.name = "a_ub", .dtype = DType::kFloat16, .shape = {MakeInt(64)}, .memory = Memory::kUb});
  module.launch = {.blocks = MakeInt(4),
                   .cid = MakeVar("bx", DType::kInt32),
                   .vid = MakeVar("vid", DType::kInt32)};
  const Region tile{.buffer = a, .dims = {{Mul(module.launch.cid, MakeInt(64)), MakeInt(64)}}};
  std::vector<StmtPtr> body;
  body.push_back(Make<Alloc>({}, [&](Alloc& s) { s.buffer = ub; }));
  body.push_back(Make<Copy>({}, [&](Copy& s) {
    s.src = tile;
    s.dst = WholeRegion(module, ub);
  }));
  const Region whole = WholeRegion(module, ub);
  body.push_back(Make<TileOp>({}, [&](TileOp& s) {
    s.op = TileOpKind::kAdd;
    s.args = {whole, whole, whole};
  }));
  module.body = Make<ScopeBlock>({}, [&](ScopeBlock& s) {
    s.core = Core::kVector;
    s.body = MakeSeq(std::move(body));
  });
  return module;
}

ExprPtr Binary2(BinaryOp op, const ExprPtr& a, const ExprPtr& b) {
  return MakeBinary(op, a, b).value();
}

TEST(PrinterTest, PrintsAModuleAsTextThatAPersonCanRead) {
  EXPECT_EQ(Print(SmallModule()),
            "kernel small(A)\n"
            "  symbol n: int32\n"
            "  param A: GM float16 [n]\n"
            "  local a_ub: UB float16 [64]\n"
            "  launch 4 blocks, cid bx, vid vid\n"
            "  scope V\n"
            "    alloc a_ub\n"
            "    copy A[bx * 64:+64] -> a_ub\n"
            "    tile.add a_ub, a_ub, a_ub\n");
}

TEST(PrinterTest, PutsParenthesesOnlyWhereTheyChangeTheMeaning) {
  const VarPtr x = MakeVar("x", DType::kInt32);
  const ExprPtr sum = Add(x, MakeInt(1));
  EXPECT_EQ(PrintExpr(Mul(sum, sum)), "(x + 1) * (x + 1)");
  EXPECT_EQ(PrintExpr(Sub(x, Sub(x, MakeInt(2)))), "x - (x - 2)");
  EXPECT_EQ(PrintExpr(Add(Mul(x, x), x)), "x * x + x");
}

TEST(ExprTest, GivesALiteralTheTypeOfTheOtherSide) {
  const VarPtr half = MakeVar("h", DType::kFloat16);
  const VarPtr wide = MakeVar("w", DType::kInt64);
  EXPECT_EQ(Add(half, MakeFloat(0.5))->dtype, DType::kFloat16);
  EXPECT_EQ(Add(half, MakeInt(1))->dtype, DType::kFloat16);
  EXPECT_EQ(Add(wide, MakeInt(1))->dtype, DType::kInt64);
  EXPECT_EQ(Add(MakeVar("i", DType::kInt32), MakeFloat(0.5))->dtype, DType::kFloat32);
}

TEST(ExprTest, FoldsFloorDivisionTowardMinusInfinity) {
  EXPECT_EQ(ConstantInt(Binary2(BinaryOp::kFloorDiv, MakeInt(-7), MakeInt(2))), -4);
  EXPECT_EQ(ConstantInt(Binary2(BinaryOp::kFloorMod, MakeInt(-7), MakeInt(4))), 1);
  EXPECT_EQ(ConstantInt(Binary2(BinaryOp::kDiv, MakeInt(-7), MakeInt(2))), -3);
}

TEST(ExprTest, RefusesADivisionByTheConstantZero) {
  EXPECT_FALSE(MakeBinary(BinaryOp::kFloorMod, MakeVar("x", DType::kInt32), MakeInt(0)).ok());
  EXPECT_TRUE(MakeBinary(BinaryOp::kFloorMod, MakeVar("x", DType::kInt32), MakeInt(3)).ok());
}

TEST(ExprTest, SimplifiesTheExtentOfASlice) {
  const VarPtr bx = MakeVar("bx", DType::kInt32);
  const ExprPtr begin = Mul(bx, MakeInt(64));
  EXPECT_EQ(ConstantInt(Simplify(Sub(Add(begin, MakeInt(64)), begin))), 64);
  const ExprPtr end = Mul(Add(bx, MakeInt(1)), MakeInt(64));
  EXPECT_EQ(ConstantInt(Simplify(Sub(end, begin))), 64);
  const VarPtr n = MakeVar("n", DType::kInt32);
  EXPECT_EQ(PrintExpr(Simplify(Sub(Add(n, begin), begin))), "n");
}

TEST(ExprTest, EvaluatesASizeExpressionIn64Bits) {
  const VarPtr n = MakeVar("n", DType::kInt32);
  const ExprPtr size = Mul(Binary2(BinaryOp::kFloorDiv, Add(n, MakeInt(63)), MakeInt(64)),
                           MakeInt(int64_t{1} << 33));
  const auto lookup = [](const Var&) { return std::optional<int64_t>(130); };
  EXPECT_EQ(Evaluate(size, lookup), 3 * (int64_t{1} << 33));
  EXPECT_EQ(Evaluate(size, [](const Var&) { return std::optional<int64_t>(); }), std::nullopt);
}

TEST(MutatorTest, ReturnsTheSamePointerWhenNothingChanges) {
  const Module module = SmallModule();
  Mutator mutator;
  EXPECT_EQ(mutator.MutateStmt(module.body), module.body);
}

TEST(MutatorTest, ReplacesAVariableAndKeepsTheRest) {
  const Module module = SmallModule();
  Substitution substitution;
  substitution.Set(module.launch.cid, MakeInt(3));
  Module changed = module;
  changed.body = substitution.MutateStmt(module.body);
  EXPECT_NE(changed.body, module.body);
  EXPECT_NE(PrintBody(changed).find("copy A[3 * 64:+64]"), std::string::npos) << PrintBody(changed);
}

TEST(ValidatorTest, AcceptsASmallModule) { EXPECT_TRUE(Validate(SmallModule()).ok()); }

TEST(ValidatorTest, RejectsAVariableThatIsNotBound) {
  Module module = SmallModule();
  Substitution substitution;
  substitution.Set(module.launch.cid, MakeVar("stray", DType::kInt32));
  module.body = substitution.MutateStmt(module.body);
  const auto verdict = Validate(module);
  ASSERT_FALSE(verdict.ok());
  EXPECT_EQ(verdict.error().message,
            "internal error: the IR of kernel 'small' is not valid: variable 'stray' is used where "
            "it is not bound");
}

TEST(ValidatorTest, RejectsABufferThatIsUsedBeforeItIsAllocated) {
  Module module = SmallModule();
  const auto& scope = To<ScopeBlock>(*module.body);
  std::vector<StmtPtr> stmts = To<Seq>(*scope.body).stmts;
  std::swap(stmts[0], stmts[1]);
  module.body = MakeSeq(stmts);
  const auto verdict = Validate(module);
  ASSERT_FALSE(verdict.ok());
  EXPECT_NE(verdict.error().message.find("'a_ub' is used before it is allocated"),
            std::string::npos);
}

TEST(SourceRangeTest, PointsAtTheUsersLineWithACaret) {
  SourceMap sources;
  sources.files.push_back({"k.py", {"x = 1", "    T.copy(A, b)"}});
  const SourceRange range{.file = 0, .line = 2, .column = 5, .end_line = 2, .end_column = 17};
  EXPECT_EQ(FormatDiagnostic(sources, range, "no", {}, "say yes"),
            "k.py:2:5: error: no\n"
            "2 |     T.copy(A, b)\n"
            "  |     ^^^^^^^^^^^^\n"
            "help: say yes");
}

}  // namespace
}  // namespace hostnpu::tilelang::ir

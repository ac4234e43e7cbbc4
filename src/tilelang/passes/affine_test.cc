// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "tilelang/passes/affine.h"

#include <gtest/gtest.h>

#include "tilelang/ir/expr.h"
#include "tilelang/ir/module.h"

namespace hostnpu::tilelang::passes {
namespace {

using ir::DType;
using ir::ExprPtr;
using ir::MakeInt;

class AffineTest : public testing::Test {
 protected:
  const ir::VarPtr i_ = ir::MakeVar("i", DType::kInt32);
  const ir::VarPtr j_ = ir::MakeVar("j", DType::kInt32);
  const ir::VarPtr other_ = ir::MakeVar("cid", DType::kInt32);
  const std::vector<ir::VarPtr> vars_ = {i_, j_};
};

TEST_F(AffineTest, SeparatesTheLoopVariablesFromTheRest) {
  const ExprPtr index = ir::Add(ir::Sub(ir::Mul(i_, MakeInt(4)), j_), ir::Add(other_, MakeInt(3)));
  const auto affine = AsAffine(index, vars_);
  ASSERT_TRUE(affine.has_value());
  EXPECT_EQ(affine->coefficient[0], 4);
  EXPECT_EQ(affine->coefficient[1], -1);
  EXPECT_FALSE(Mentions(affine->rest, vars_));
  EXPECT_EQ(affine->PlainVar(), -1);
  EXPECT_EQ(AsAffine(ir::Add(j_, other_), vars_)->PlainVar(), 1);
}

TEST_F(AffineTest, LeavesProductsOfVariablesAlone) {
  EXPECT_FALSE(AsAffine(ir::Mul(i_, j_), vars_).has_value());
  EXPECT_FALSE(AsAffine(ir::Mul(i_, other_), vars_).has_value());
}

TEST_F(AffineTest, HasNoCoefficientBeyond64Bits) {
  const auto wide = ir::MakeVar("wide", DType::kInt64);
  const auto large = [](int64_t number) { return MakeInt(number, DType::kInt64); };
  const ExprPtr steep = ir::Mul(wide, large(int64_t{1} << 62));
  ASSERT_TRUE(AsAffine(steep, {wide}).has_value());
  EXPECT_FALSE(AsAffine(ir::Add(steep, steep), {wide}).has_value());
  EXPECT_FALSE(AsAffine(ir::Mul(steep, large(4)), {wide}).has_value());
}

TEST_F(AffineTest, GivesTheLeastAndTheGreatestValueOfAnIndex) {
  const std::vector<ExprPtr> extents = {MakeInt(8), MakeInt(16)};
  const auto rising = SpanOf(ir::Add(ir::Mul(i_, MakeInt(16)), j_), vars_, extents);
  EXPECT_EQ(rising, std::pair(int64_t{0}, int64_t{127}));
  const auto falling = SpanOf(ir::Sub(MakeInt(7), i_), vars_, extents);
  EXPECT_EQ(falling, std::pair(int64_t{0}, int64_t{7}));
  EXPECT_EQ(SpanOf(ir::Sub(i_, MakeInt(1)), vars_, extents), std::pair(int64_t{-1}, int64_t{6}));
}

TEST_F(AffineTest, TakesDifferencesForPossiblyNegativeAndCountsNot) {
  EXPECT_TRUE(MayBeNegative(MakeInt(-1)));
  EXPECT_TRUE(MayBeNegative(ir::Sub(other_, MakeInt(1))));
  EXPECT_TRUE(MayBeNegative(ir::Add(other_, MakeInt(-1))));
  EXPECT_FALSE(MayBeNegative(MakeInt(0)));
  EXPECT_FALSE(MayBeNegative(ir::Add(ir::Mul(other_, MakeInt(64)), MakeInt(3))));
  EXPECT_FALSE(MayBeNegative(ir::Sub(MakeInt(5), MakeInt(3))));
}

TEST_F(AffineTest, GivesNoSpanWhereItIsKnownOnlyWhenTheKernelRuns) {
  const std::vector<ExprPtr> extents = {MakeInt(8), MakeInt(16)};
  EXPECT_FALSE(SpanOf(ir::Add(i_, other_), vars_, extents).has_value());
  EXPECT_FALSE(SpanOf(i_, vars_, {other_, MakeInt(16)}).has_value());
  EXPECT_FALSE(SpanOf(i_, vars_, {MakeInt(0), MakeInt(16)}).has_value());
  const ExprPtr huge = ir::Mul(i_, MakeInt(int64_t{1} << 62, DType::kInt64));
  EXPECT_FALSE(SpanOf(huge, vars_, extents).has_value());
}

}  // namespace
}  // namespace hostnpu::tilelang::passes

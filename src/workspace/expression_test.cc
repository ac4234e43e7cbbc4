// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "workspace/expression.h"

#include <gtest/gtest.h>

namespace hostnpu::workspace {
namespace {

int64_t Value(std::string_view text, const Bindings& bindings = {}) {
  auto expression = Expression::Parse(text);
  if (!expression.ok()) {
    ADD_FAILURE() << expression.error().message;
    return 0;
  }
  auto value = expression->Evaluate(bindings);
  if (!value.ok()) {
    ADD_FAILURE() << value.error().message;
    return 0;
  }
  return *value;
}

std::string ErrorOf(std::string_view text, const Bindings& bindings = {}) {
  auto expression = Expression::Parse(text);
  if (!expression.ok()) return expression.error().message;
  auto value = expression->Evaluate(bindings);
  return value.ok() ? "value" : value.error().message;
}

TEST(ExpressionTest, ComputesWithTheUsualPrecedence) {
  EXPECT_EQ(Value("2 + 3 * 4 - 6 / 2"), 11);
  EXPECT_EQ(Value("(2 + 3) * -4"), -20);
  EXPECT_EQ(Value("100 - 10 - 1"), 89);
  EXPECT_EQ(Value("64 // 3 % 4"), 1);
}

TEST(ExpressionTest, DividesTowardsMinusInfinityLikePython) {
  EXPECT_EQ(Value("-7 / 2"), -4);
  EXPECT_EQ(Value("-7 % 2"), 1);
  EXPECT_EQ(Value("7 // -2"), -4);
}

TEST(ExpressionTest, KnowsItsFunctions) {
  EXPECT_EQ(Value("align(s2, 128)", {{"s2", 129}}), 256);
  EXPECT_EQ(Value("align(128, 128)"), 128);
  EXPECT_EQ(Value("ceildiv(13243, 4096)"), 4);
  EXPECT_EQ(Value("max(1, n, 3) + min(n, 2)", {{"n", 5}}), 7);
}

TEST(ExpressionTest, ComputesIn64Bits) {
  EXPECT_EQ(Value("m * n * 4", {{"m", 65536}, {"n", 65536}}), int64_t{1} << 34);
}

TEST(ExpressionTest, RefusesOverflowWithTheFormulaAndItsValues) {
  EXPECT_EQ(ErrorOf("m * n * 4", {{"m", int64_t{1} << 31}, {"n", int64_t{1} << 31}}),
            "Expression \"m * n * 4\" with m = 2147483648, n = 2147483648 overflows 64 bits.");
  EXPECT_EQ(ErrorOf("0 - a", {{"a", std::numeric_limits<int64_t>::min()}}),
            "Expression \"0 - a\" with a = -9223372036854775808 overflows 64 bits.");
  EXPECT_EQ(ErrorOf("a / -1", {{"a", std::numeric_limits<int64_t>::min()}}),
            "Expression \"a / -1\" with a = -9223372036854775808 overflows 64 bits.");
}

TEST(ExpressionTest, RefusesWhatHasNoValue) {
  EXPECT_EQ(ErrorOf("n * k", {{"n", 7}}),
            "Expression \"n * k\" with n = 7, k unbound has a symbol without a value.");
  EXPECT_EQ(ErrorOf("n / (n - 7)", {{"n", 7}}),
            "Expression \"n / (n - 7)\" with n = 7 divides by zero.");
}

TEST(ExpressionTest, ShowsWhereAFormulaIsWrong) {
  EXPECT_EQ(ErrorOf(""), "\"\": a number, a symbol or '(' is missing at column 1.");
  EXPECT_EQ(ErrorOf("n +* 2"), "\"n +* 2\": a number, a symbol or '(' is missing at column 4.");
  EXPECT_EQ(ErrorOf("(n + 2"), "\"(n + 2\": ')' is missing at column 7.");
  EXPECT_EQ(ErrorOf("n 2"), "\"n 2\": '2' is not expected at column 3.");
  EXPECT_EQ(ErrorOf("sqrt(n)"),
            "\"sqrt(n)\": there is no function 'sqrt' (min, max, ceildiv, align) at column 1.");
  EXPECT_EQ(ErrorOf("align(n)"), "\"align(n)\": 'align' takes two arguments, 1 given at column 9.");
  EXPECT_EQ(
      ErrorOf("99999999999999999999"),
      "\"99999999999999999999\": '99999999999999999999' is not a whole number of 64 bits at column "
      "1.");
}

TEST(ExpressionTest, SurvivesDeepNesting) {
  const std::string deep = std::string(10000, '(') + "1";
  EXPECT_NE(ErrorOf(deep).find("nested too deeply"), std::string::npos);
  EXPECT_NE(ErrorOf(std::string(10000, '-') + "1").find("nested too deeply"), std::string::npos);
  std::string sum = "1";
  for (int i = 0; i < 5000; ++i) sum += "+1";
  EXPECT_EQ(Value(sum), 5001);
}

}  // namespace
}  // namespace hostnpu::workspace

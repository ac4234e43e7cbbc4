// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "workspace/signature.h"

#include <gtest/gtest.h>

namespace hostnpu::workspace {
namespace {

Expression Parse(std::string_view text) { return std::move(Expression::Parse(text)).value(); }

Signature Softmax() {
  Signature signature;
  signature.name = "softmax";
  signature.parameters = {
      {"x", "float16", {Parse("m"), Parse("n")}, Role::kInput},
      {"scale", "float32", {Parse("n")}, Role::kInput},
      {"y", "float16", {Parse("m"), Parse("n")}, Role::kOutput},
      {"sums", "float32", {Parse("m"), Parse("align(n, 128) - 64")}, Role::kWorkspace},
  };
  return signature;
}

std::string ErrorOf(const std::vector<std::vector<int64_t>>& shapes) {
  auto bindings = BindSymbols(Softmax(), shapes);
  return bindings.ok() ? "bound" : bindings.error().message;
}

TEST(SignatureTest, SizesAWorkspaceFromTheShapesOfTheInputs) {
  auto bindings = BindSymbols(Softmax(), {{4, 130}, {130}});
  ASSERT_TRUE(bindings.ok()) << bindings.error().ToString();
  EXPECT_EQ(*EvaluateShape(Softmax(), 3, *bindings), (std::vector<int64_t>{4, 192}));
  EXPECT_EQ(*EvaluateBytes(Softmax(), 3, *bindings), 4 * 192 * 4);
  EXPECT_EQ(*EvaluateBytes(Softmax(), 2, *bindings), 4 * 130 * 2);
}

TEST(SignatureTest, NamesTheParameterThatDoesNotMatch) {
  EXPECT_EQ(ErrorOf({{4, 130}, {130}}), "bound");
  EXPECT_EQ(ErrorOf({{4, 130}}), "1 inputs are given, but the kernel has 2.");
  EXPECT_EQ(ErrorOf({{4, 130, 1}, {130}}),
            "[Input 0 \"x\"] has shape (4, 130, 1), but 2 dimensions are declared: (m, n).");
  EXPECT_EQ(ErrorOf({{4, 130}, {131}}),
            "[Input 1 \"scale\"] has shape (131) for (n), but n is 130 in an earlier parameter.");
  EXPECT_EQ(ErrorOf({{4, -1}, {130}}),
            "[Input 0 \"x\"] has shape (4, -1), whose dimension 1 is negative.");
}

TEST(SignatureTest, ChecksADimensionThatIsAFormula) {
  Signature signature;
  signature.name = "halve";
  signature.parameters = {{"x", "float32", {Parse("n")}, Role::kInput},
                          {"half", "float32", {Parse("ceildiv(n, 2)")}, Role::kInput}};
  EXPECT_TRUE(BindSymbols(signature, {{7}, {4}}).ok());
  auto bindings = BindSymbols(signature, {{7}, {3}});
  ASSERT_FALSE(bindings.ok());
  EXPECT_EQ(bindings.error().message,
            "[Input 1 \"half\"] has shape (3), but (ceildiv(n, 2)) is (4).");
}

TEST(SignatureTest, RefusesANegativeSizeWithTheFormulaAndItsValues) {
  auto bindings = BindSymbols(Softmax(), {{4, 0}, {0}});
  ASSERT_TRUE(bindings.ok());
  auto bytes = EvaluateBytes(Softmax(), 3, *bindings);
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.error().message,
            "Dimension 1 of [Workspace 3 \"sums\"] is -64: \"align(n, 128) - 64\" with n = 0.");
}

TEST(SignatureTest, RefusesAnAbsurdSize) {
  auto bindings = BindSymbols(Softmax(), {{int64_t{1} << 30, 1 << 20}, {1 << 20}});
  ASSERT_TRUE(bindings.ok());
  auto bytes = EvaluateBytes(Softmax(), 2, *bindings);
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(
      bytes.error().message,
      "[Output 2 \"y\"] of shape (1073741824, 1048576) and dtype float16 needs 2251799813685248 "
      "bytes; the limit is 1099511627776; \"m\" with m = 1073741824; \"n\" with n = 1048576.");
}

TEST(SignatureTest, KnowsEmptyTensorsAndHalfBytes) {
  Signature signature;
  signature.parameters = {
      {"a", "int4", {Parse("3")}, Role::kWorkspace},
      {"b", "int64", {Parse("4611686018427387904"), Parse("8"), Parse("0")}, Role::kWorkspace},
      {"c", "float32", {}, Role::kScalar},
      {"d", "float33", {}, Role::kScalar}};
  EXPECT_EQ(*EvaluateBytes(signature, 0, {}), 2);
  EXPECT_EQ(*EvaluateBytes(signature, 1, {}), 0);
  EXPECT_EQ(*EvaluateBytes(signature, 2, {}), 4);
  EXPECT_EQ(EvaluateBytes(signature, 3, {}).error().message, "There is no dtype \"float33\".");
}

}  // namespace
}  // namespace hostnpu::workspace

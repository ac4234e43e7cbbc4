// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The operator of the project beside this file as a C++ function. Prints one line a check that
// failed; the exit code is how many.
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "check.h"
#include "hostnpu/operator.h"

int main() {
  hostnpu::Operator op("ScaleShift");
  op.Set("scale", 2.0);
  std::vector<float> x(1000);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) - 500.0f;
  auto y = op(x);
  Check(y.ok(), "one call");
  if (!y.ok()) {
    std::printf("message: %s\n", y.error().message.c_str());
    return Finish();
  }
  Check(y->shape() == std::vector<int64_t>{1000} && y->dtype() == ACL_FLOAT,
        "shape and data type are inferred");
  bool equal = true;
  const std::vector<float> values = y->ToVector<float>();
  for (size_t i = 0; i < x.size(); ++i) equal = equal && values[i] == x[i] * 2.0f;
  Check(equal, "the result is x * 2");

  auto chained = op(op(y));
  Check(chained.ok() && chained->ToVector<float>()[1] == x[1] * 8.0f, "calls chain");
  hostnpu::Operator other = op;
  other.Set("scale", 1.0).Set("shift", 3.0);
  auto table = hostnpu::Tensor::From(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3});
  auto shifted = other(table);
  Check(shifted.ok() && shifted->shape() == std::vector<int64_t>({2, 3}) &&
            shifted->ToVector<float>()[5] == 9.0f,
        "attributes of a copy are its own");
  Check(op(table)->ToVector<float>()[5] == 12.0f, "and leave the original");
  const uint64_t allocations = hostnpu::GetWorkspaceStatistics()->allocations;
  for (int i = 0; i < 20; ++i) Check(op(x).ok(), "repeated calls");
  Check(hostnpu::GetWorkspaceStatistics()->allocations == allocations,
        "repeated calls allocate no workspace");

  auto empty = hostnpu::Tensor::Empty({0, 4}, ACL_FLOAT);
  auto nothing = op(empty);
  Check(nothing.ok() && nothing->shape() == std::vector<int64_t>({0, 4}), "empty tensors");

  Check(Says(op(hostnpu::Tensor::From(std::vector<int32_t>{1, 2})).error().message, "x int32"),
        "a data type it does not have");
  Check(Says(op(x, x).error().message, "has 1 inputs, but the call gives 2"), "too many inputs");
  Check(Says(op(std::nullopt).error().message, "Input \"x\" of ScaleShift is null"), "no input");
  Check(Says(hostnpu::Operator("ScaleShift")(x).error().message, "needs the attribute \"scale\""),
        "a required attribute that is not set");
  Check(Says(hostnpu::Operator(op).Set("scale", "two")(x).error().message,
             "Attribute \"scale\" is a number"),
        "an attribute of another kind");
  Check(Says(hostnpu::Operator(op).Set("sale", 1)(x).error().message, "no attribute \"sale\""),
        "an attribute it does not have");
  Check(Says(hostnpu::Operator("Missing")(x).error().message,
             "No loaded library has an operator Missing. Loaded: ScaleShift"),
        "an operator that is not loaded");
  Check(
      Says(hostnpu::Tensor::From(x, {10, 10}).error().message, "has 400 bytes, but 4000 are given"),
      "a shape that does not fit");
  Check(Says(op(hostnpu::Tensor::From(x, {-1})).error().message,
             "An input of ScaleShift is an error"),
        "an input that is an error");
  Check(Says(hostnpu::Operator(op).Set("scale", -1.0)(x).error().message, "tiling function"),
        "a tiling function that fails");
  Check(Says(hostnpu::LoadOperators("/no/such.so").error().message, "cannot be loaded"),
        "a library that is not there");
  Check(op(x).ok(), "the next call works");
  return Finish();
}

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// The size of a workspace follows from the shapes of the inputs and from nothing else a caller
// should have to know. Shapes bind symbols, symbols make sizes; each mismatch on the way has a
// parameter, a dimension and two values to show.
#include "workspace/signature.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hostnpu::workspace {
namespace {

struct DType {
  std::string_view name;
  int64_t bits;
};
constexpr DType kDTypes[] = {
    {"float16", 16},  {"half", 16},      {"bfloat16", 16},    {"bfloat16_t", 16}, {"float32", 32},
    {"float", 32},    {"float64", 64},   {"double", 64},      {"int4", 4},        {"int8", 8},
    {"int8_t", 8},    {"uint8", 8},      {"uint8_t", 8},      {"int16", 16},      {"int16_t", 16},
    {"uint16", 16},   {"uint16_t", 16},  {"int32", 32},       {"int32_t", 32},    {"uint32", 32},
    {"uint32_t", 32}, {"int64", 64},     {"int64_t", 64},     {"uint64", 64},     {"uint64_t", 64},
    {"bool", 8},      {"complex64", 64}, {"complex128", 128},
};

base::Error Invalid(std::string message) {
  return base::Error{base::Code::kInvalidArgument, std::move(message)};
}

const char* RoleName(Role role) {
  switch (role) {
    case Role::kInput:
      return "Input";
    case Role::kOutput:
      return "Output";
    case Role::kWorkspace:
      return "Workspace";
    case Role::kScalar:
      return "Scalar";
    case Role::kTiling:
      return "Tiling";
  }
  return "";
}

std::string Label(const Signature& signature, size_t index) {
  const Parameter& parameter = signature.parameters[index];
  return fmt::format("[{} {} \"{}\"]", RoleName(parameter.role), index, parameter.name);
}

std::string ShapeText(const std::vector<Expression>& shape) {
  std::vector<std::string> texts;
  for (const Expression& dimension : shape) texts.push_back(dimension.text());
  return fmt::format("({})", fmt::join(texts, ", "));
}

std::string ShapeText(const std::vector<int64_t>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

base::Error OfKernel(base::Error error, const Signature& signature) {
  return std::move(error).While(
      fmt::format("sizing the parameters of kernel \"{}\"", signature.name));
}

/// Binds the plain symbols of one input's shape.
base::Result<void> BindInput(const Signature& signature, size_t index,
                             const std::vector<int64_t>& shape, Bindings* bindings) {
  const Parameter& parameter = signature.parameters[index];
  if (shape.size() != parameter.shape.size()) {
    return Invalid(fmt::format("{} has shape {}, but {} dimensions are declared: {}.",
                               Label(signature, index), ShapeText(shape), parameter.shape.size(),
                               ShapeText(parameter.shape)));
  }
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] < 0) {
      return Invalid(fmt::format("{} has shape {}, whose dimension {} is negative.",
                                 Label(signature, index), ShapeText(shape), d));
    }
    const std::string_view symbol = parameter.shape[d].AsSymbol();
    if (symbol.empty() || bindings->Bind(symbol, shape[d])) continue;
    return Invalid(fmt::format("{} has shape {} for {}, but {} is {} in an earlier parameter.",
                               Label(signature, index), ShapeText(shape),
                               ShapeText(parameter.shape), symbol, *bindings->Find(symbol)));
  }
  return {};
}

base::Result<void> CheckInput(const Signature& signature, size_t index,
                              const std::vector<int64_t>& shape, const Bindings& bindings) {
  HOSTNPU_ASSIGN_OR_RETURN(const std::vector<int64_t> expected,
                           EvaluateShape(signature, index, bindings));
  if (expected == shape) return {};
  return Invalid(fmt::format("{} has shape {}, but {} is {}.", Label(signature, index),
                             ShapeText(shape), ShapeText(signature.parameters[index].shape),
                             ShapeText(expected)));
}

}  // namespace

const char* ContentsName(ContentsKind kind) {
  switch (kind) {
    case ContentsKind::kUndefined:
      return "undefined";
    case ContentsKind::kZero:
      return "zero";
    case ContentsKind::kValue:
      return "value";
    case ContentsKind::kPersistentZero:
      return "persistent-zero";
  }
  return "";
}

base::Result<int64_t> DTypeBits(std::string_view dtype) {
  for (const DType& known : kDTypes) {
    if (known.name == dtype) return known.bits;
  }
  return Invalid(fmt::format("There is no dtype \"{}\".", dtype));
}

base::Result<Bindings> BindSymbols(const Signature& signature,
                                   const std::vector<std::vector<int64_t>>& shapes) {
  std::vector<size_t> inputs;
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    if (signature.parameters[i].role == Role::kInput) inputs.push_back(i);
  }
  if (shapes.size() != inputs.size()) {
    return OfKernel(Invalid(fmt::format("{} inputs are given, but the kernel has {}.",
                                        shapes.size(), inputs.size())),
                    signature);
  }
  Bindings bindings;
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto bound = BindInput(signature, inputs[i], shapes[i], &bindings);
    if (!bound.ok()) return OfKernel(std::move(bound).error(), signature);
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto checked = CheckInput(signature, inputs[i], shapes[i], bindings);
    if (!checked.ok()) return OfKernel(std::move(checked).error(), signature);
  }
  return bindings;
}

base::Result<std::vector<int64_t>> EvaluateShape(const Signature& signature, size_t index,
                                                 const Bindings& bindings) {
  const Parameter& parameter = signature.parameters[index];
  std::vector<int64_t> shape;
  shape.reserve(parameter.shape.size());
  for (size_t d = 0; d < parameter.shape.size(); ++d) {
    auto value = parameter.shape[d].Evaluate(bindings);
    if (!value.ok()) {
      return std::move(value).error().While(
          fmt::format("evaluating dimension {} of {}", d, Label(signature, index)));
    }
    if (*value < 0) {
      return Invalid(fmt::format("Dimension {} of {} is {}: {}.", d, Label(signature, index),
                                 *value, parameter.shape[d].Describe(bindings)));
    }
    shape.push_back(*value);
  }
  return shape;
}

base::Result<int64_t> EvaluateBytes(const Signature& signature, size_t index,
                                    const Bindings& bindings) {
  const Parameter& parameter = signature.parameters[index];
  HOSTNPU_ASSIGN_OR_RETURN(const std::vector<int64_t> shape,
                           EvaluateShape(signature, index, bindings));
  auto bits = DTypeBits(parameter.dtype);
  if (!bits.ok()) {
    return std::move(bits).error().While(fmt::format("sizing {}", Label(signature, index)));
  }
  int64_t total = *bits;
  bool overflow = false;
  bool empty = false;
  for (int64_t dimension : shape) empty |= dimension == 0;
  for (int64_t dimension : shape) overflow |= __builtin_mul_overflow(total, dimension, &total);
  if (empty) return int64_t{0};
  if (!overflow && total / 8 <= kMaxBufferBytes) return (total + 7) / 8;
  std::string values;
  for (const Expression& dimension : parameter.shape) {
    if (!dimension.symbols().empty()) values += fmt::format("; {}", dimension.Describe(bindings));
  }
  return Invalid(fmt::format("{} of shape {} and dtype {} needs {} bytes; the limit is {}{}.",
                             Label(signature, index), ShapeText(shape), parameter.dtype,
                             overflow ? "more than 2^60" : fmt::format("{}", total / 8),
                             kMaxBufferBytes, values));
}

}  // namespace hostnpu::workspace

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Operators of a project that `hostnpu build-op` has built, called like functions:
//
//   hostnpu::LoadOperators("out/lib/libcust_opapi.so");
//   hostnpu::Operator add("AddCustom");
//   auto y = add(x1, x2);                            // hostnpu::Result<hostnpu::Tensor>
//   for (float value : y->ToVector<float>()) ...
//
// Shapes are inferred, outputs allocated, workspaces sized, leased and given back. C++17; nothing
// here throws.
#ifndef HOSTNPU_HOSTNPU_OPERATOR_H_
#define HOSTNPU_HOSTNPU_OPERATOR_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "acl/acl_base.h"
#include "hostnpu/runtime.h"

namespace hostnpu {

/// The aclDataType of an element type. half and bfloat16 have no C++ type here: give them by name.
template <typename T>
constexpr aclDataType DataTypeOf() {
  if constexpr (std::is_same_v<T, float>) return ACL_FLOAT;
  if constexpr (std::is_same_v<T, double>) return ACL_DOUBLE;
  if constexpr (std::is_same_v<T, bool>) return ACL_BOOL;
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    return sizeof(T) == 1   ? ACL_INT8
           : sizeof(T) == 2 ? ACL_INT16
           : sizeof(T) == 4 ? ACL_INT32
                            : ACL_INT64;
  }
  if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T>) {
    return sizeof(T) == 1   ? ACL_UINT8
           : sizeof(T) == 2 ? ACL_UINT16
           : sizeof(T) == 4 ? ACL_UINT32
                            : ACL_UINT64;
  }
  return ACL_DT_UNDEFINED;
}

/// A contiguous tensor in device memory. Cheap to copy: copies are the same tensor.
class HOSTNPU_API Tensor {
 public:
  /// Of that shape, contents undefined. Errors: a negative dimension, no such data type, no memory.
  static Result<Tensor> Empty(std::vector<int64_t> shape, aclDataType dtype, int device = 0);
  /// A copy of `size_bytes` bytes, which must be exactly what the shape needs.
  static Result<Tensor> FromBytes(const void* bytes, size_t size_bytes, std::vector<int64_t> shape,
                                  aclDataType dtype, int device = 0);
  /// A copy of the elements; without a shape they are one dimension.
  template <typename T>
  static Result<Tensor> From(const std::vector<T>& elements, std::vector<int64_t> shape = {},
                             aclDataType dtype = DataTypeOf<T>()) {
    if (shape.empty()) shape = {static_cast<int64_t>(elements.size())};
    return FromBytes(elements.data(), elements.size() * sizeof(T), std::move(shape), dtype);
  }

  const std::vector<int64_t>& shape() const;
  aclDataType dtype() const;
  void* data() const;  ///< null if it has no elements
  size_t size_bytes() const;
  /// The bytes as elements of T.
  template <typename T>
  std::vector<T> ToVector() const {
    std::vector<T> elements(size_bytes() / sizeof(T));
    if (!elements.empty()) memcpy(elements.data(), data(), elements.size() * sizeof(T));
    return elements;
  }

  struct State;
  explicit Tensor(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const State> state_;
};

/// One input of a call: a tensor, numbers that become one, a list of tensors (a dynamic input), or
/// nothing (an optional one). An error instead of a tensor is the error of the call.
struct OperatorInput {
  std::vector<Tensor> tensors;
  bool is_list = false;
  std::optional<Error> error;
  OperatorInput(std::nullopt_t) {}                              // NOLINT: implicit
  OperatorInput(Tensor tensor) : tensors{std::move(tensor)} {}  // NOLINT: implicit
  OperatorInput(const Result<Tensor>& tensor) {                 // NOLINT: implicit
    if (tensor.ok()) {
      tensors.push_back(*tensor);
    } else {
      error = tensor.error();
    }
  }
  OperatorInput(std::vector<Tensor> list)  // NOLINT: implicit
      : tensors(std::move(list)), is_list(true) {}
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  OperatorInput(const std::vector<T>& elements)  // NOLINT: implicit
      : OperatorInput(Tensor::From(elements)) {}
};

/// An operator by its type.
class HOSTNPU_API Operator {
 public:
  explicit Operator(std::string type);

  /// Gives an attribute by name; those not given have their defaults.
  Operator& Set(const std::string& attribute, int64_t value);
  Operator& Set(const std::string& attribute, int value) {
    return Set(attribute, static_cast<int64_t>(value));
  }
  Operator& Set(const std::string& attribute, double value);
  Operator& Set(const std::string& attribute, bool value);
  Operator& Set(const std::string& attribute, const std::string& value);
  Operator& Set(const std::string& attribute, const char* value) {
    return Set(attribute, std::string(value));
  }
  Operator& Set(const std::string& attribute, std::vector<int64_t> value);
  Operator& Set(const std::string& attribute, std::vector<float> value);
  Operator& Set(const std::string& attribute, std::vector<bool> value);
  Operator& Set(const std::string& attribute, std::vector<std::vector<int64_t>> value);

  /// Says how many tensors an output has that is a list (a dynamic output). Without it such an
  /// output has as many as the input list that it follows; if it follows none, calls are an error.
  Operator& Outputs(const std::string& output, size_t count);

  /// Runs the operator to its end on device 0 and gives all its outputs, those of a list one after
  /// the other. Errors name the operator, the parameter, the value and what is allowed.
  Result<std::vector<Tensor>> Call(const std::vector<OperatorInput>& inputs) const;
  /// The same for an operator with one output.
  template <typename... Inputs>
  Result<Tensor> operator()(const Inputs&... inputs) const {
    return One({OperatorInput(inputs)...});
  }

  struct State;

 private:
  Result<Tensor> One(const std::vector<OperatorInput>& inputs) const;
  State& Changed();

  std::shared_ptr<const State> state_;  // shared by copies until one of them sets an attribute
};

/// Loads a library that `hostnpu build-op` has made, with its operators.
HOSTNPU_API Status LoadOperators(const std::string& path);

}  // namespace hostnpu

#endif  // HOSTNPU_HOSTNPU_OPERATOR_H_

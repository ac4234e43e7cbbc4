// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// One call of an operator in C++: include/hostnpu/operator.h over the two phases of this layer. The
// inputs tell the outputs; everything in between is made here and goes with the call.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <variant>

#include "ascendc/op/ge_types.h"
#include "hostnpu/operator.h"
#include "hostnpu/operator_call.h"
#include "memory/device_memory.h"
#include "runtime/device.h"
#include "runtime/last_error.h"
#include "runtime/op_tensor.h"
#include "runtime/operator_call.h"
#include "runtime/own_stream.h"
#include "runtime/status.h"

namespace hostnpu {

struct Tensor::State {
  std::vector<int64_t> shape;
  aclDataType dtype = ACL_DT_UNDEFINED;
  size_t size_bytes = 0;
  std::optional<Buffer> buffer;
};

using IntArrays = std::vector<aclIntArray>;
using AttributeValue = std::variant<int64_t, double, bool, std::string, aclIntArray, aclFloatArray,
                                    aclBoolArray, IntArrays>;
struct Operator::State {
  std::string type;
  std::map<std::string, AttributeValue> attributes;
  std::map<std::string, size_t> list_lengths;  // of outputs that are lists
};

namespace {

using Kind = gert::RuntimeAttrs::Value::Kind;

Error Converted(const std::string& function, const base::Error& error) {
  runtime::MarkRead(error);
  return Error{runtime::StatusNumber(error), runtime::StatusText(function, error)};
}

base::Error Invalid(std::string message) {
  return base::Error{base::Code::kInvalidArgument, std::move(message)};
}

/// Bytes of a shape; nothing for a negative dimension, an unknown type or an overflow.
std::optional<size_t> BytesOf(const std::vector<int64_t>& shape, aclDataType dtype) {
  const int64_t bits = ge::GetBitsOfDataType(static_cast<ge::DataType>(dtype));
  int64_t count = 1;
  for (const int64_t dim : shape) {
    if (dim < 0 || __builtin_mul_overflow(count, dim, &count)) return std::nullopt;
  }
  int64_t total = 0;
  if (bits <= 0 || __builtin_mul_overflow(count, bits, &total) || total > INT64_MAX - 7) {
    return std::nullopt;
  }
  return static_cast<size_t>((total + 7) / 8);
}

aclTensor View(const Tensor& tensor) {
  aclTensor view;
  view.view_dims = tensor.shape();
  view.storage_dims = tensor.shape();
  view.strides.resize(view.view_dims.size());
  int64_t step = 1;
  for (size_t d = view.view_dims.size(); d-- > 0;) {
    view.strides[d] = step;
    step *= view.view_dims[d];
  }
  view.dtype = tensor.dtype();
  view.data = tensor.data();
  return view;
}

/// The arguments of a call, and the objects they point to.
class Arguments {
 public:
  base::Result<void> AddInputs(const op::Operator& op, const std::vector<OperatorInput>& inputs) {
    if (inputs.size() != op.inputs.size()) {
      return Invalid(fmt::format("{} has {} inputs, but the call gives {}.", op.type,
                                 op.inputs.size(), inputs.size()));
    }
    for (const OperatorInput& input : inputs) {
      if (input.error.has_value()) {
        return runtime::ErrorWith(
            input.error->number,
            fmt::format("An input of {} is an error.\n{}", op.type, input.error->message));
      }
      Add(input);
    }
    return {};
  }
  base::Result<void> AddAttributes(const op::Operator& op,
                                   const std::map<std::string, AttributeValue>& values) {
    for (const auto& [name, value] : values) {
      const bool known = std::any_of(op.attributes.begin(), op.attributes.end(),
                                     [&](const auto& attribute) { return attribute.name == name; });
      if (!known) return Invalid(fmt::format("{} has no attribute \"{}\".", op.type, name));
    }
    for (const op::AttributeDefinition& attribute : op.attributes) {
      const auto found = values.find(attribute.name);
      if (found == values.end() && attribute.required) {
        return Invalid(
            fmt::format("{} needs the attribute \"{}\": Set it.", op.type, attribute.name));
      }
      auto argument = found == values.end() ? base::Result<HostnpuOpArgument>(Default(attribute))
                                            : Given(attribute, found->second);
      if (!argument.ok()) {
        return std::move(
            argument.error().While(fmt::format("setting an attribute of {}", op.type)));
      }
      list_.push_back(*argument);
    }
    return {};
  }
  void AddOutput(const Tensor& tensor) { Add(OperatorInput(tensor)); }
  void AddOutputList(std::vector<Tensor> tensors) { Add(OperatorInput(std::move(tensors))); }

  const HostnpuOpArgument* data() const { return list_.data(); }
  uint32_t count() const { return static_cast<uint32_t>(list_.size()); }

 private:
  void Add(const OperatorInput& input) {
    HostnpuOpArgument argument = {HOSTNPU_OP_TENSOR, nullptr, 0, 0};
    aclTensorList list;
    for (const Tensor& tensor : input.tensors) {
      list.tensors.push_back(&views_.emplace_back(View(tensor)));
      argument.pointer = list.tensors.back();
    }
    if (input.is_list) {
      argument.kind = HOSTNPU_OP_TENSOR_LIST;
      argument.pointer = &lists_.emplace_back(std::move(list));
    }
    list_.push_back(argument);
  }

  /// The definition's own value: lists and texts are absent, numbers are given.
  static HostnpuOpArgument Default(const op::AttributeDefinition& attribute) {
    const auto& value = attribute.value;
    switch (attribute.kind) {
      case Kind::kFloat:
        return {HOSTNPU_OP_FLOAT, nullptr, 0, value.real};
      case Kind::kBool:
        return {HOSTNPU_OP_BOOL, nullptr, value.boolean ? 1 : 0, 0};
      case Kind::kInt:
        return {HOSTNPU_OP_INT, nullptr, value.integer, 0};
      default:
        return {HOSTNPU_OP_STRING, nullptr, 0, 0};
    }
  }

  HostnpuOpArgument ListOfLists(const IntArrays& arrays) {
    std::vector<const aclIntArray*>& pointers = arrays_.emplace_back();
    for (const aclIntArray& array : arrays) pointers.push_back(&array);
    return {HOSTNPU_OP_INT_ARRAY_LIST, pointers.data(), static_cast<int64_t>(pointers.size()), 0};
  }

  base::Result<HostnpuOpArgument> Given(const op::AttributeDefinition& attribute,
                                        const AttributeValue& value) {
    const auto* integer = std::get_if<int64_t>(&value);
    const auto* real = std::get_if<double>(&value);
    const auto* boolean = std::get_if<bool>(&value);
    const auto* text = std::get_if<std::string>(&value);
    const auto* integers = std::get_if<aclIntArray>(&value);
    const auto* reals = std::get_if<aclFloatArray>(&value);
    const auto* booleans = std::get_if<aclBoolArray>(&value);
    const auto* lists = std::get_if<IntArrays>(&value);
    const char* wanted = "a bool";
    switch (attribute.kind) {
      case Kind::kInt:
        wanted = "an integer";
        if (integer != nullptr) return HostnpuOpArgument{HOSTNPU_OP_INT, nullptr, *integer, 0};
        break;
      case Kind::kFloat:
        wanted = "a number";
        if (real != nullptr) return HostnpuOpArgument{HOSTNPU_OP_FLOAT, nullptr, 0, *real};
        if (integer != nullptr) {
          return HostnpuOpArgument{HOSTNPU_OP_FLOAT, nullptr, 0, static_cast<double>(*integer)};
        }
        break;
      case Kind::kBool:
        if (boolean != nullptr) {
          return HostnpuOpArgument{HOSTNPU_OP_BOOL, nullptr, *boolean ? 1 : 0, 0};
        }
        break;
      case Kind::kString:
        wanted = "a text";
        if (text != nullptr) return HostnpuOpArgument{HOSTNPU_OP_STRING, text->c_str(), 0, 0};
        break;
      case Kind::kIntList:
        wanted = "a list of integers";
        if (integers != nullptr) return HostnpuOpArgument{HOSTNPU_OP_INT_ARRAY, integers, 0, 0};
        break;
      case Kind::kFloatList:
        wanted = "a list of floats";
        if (reals != nullptr) return HostnpuOpArgument{HOSTNPU_OP_FLOAT_ARRAY, reals, 0, 0};
        break;
      case Kind::kBoolList:
        wanted = "a list of bools";
        if (booleans != nullptr) return HostnpuOpArgument{HOSTNPU_OP_BOOL_ARRAY, booleans, 0, 0};
        break;
      case Kind::kIntListList:
        wanted = "a list of lists of integers";
        if (lists != nullptr) return ListOfLists(*lists);
        break;
      case Kind::kNone:
        wanted = "of no type in its definition";
        break;
    }
    return Invalid(fmt::format("Attribute \"{}\" is {}.", attribute.name, wanted));
  }

  // Deques, because arguments point to their elements.
  std::deque<aclTensor> views_;
  std::deque<aclTensorList> lists_;
  std::deque<std::vector<const aclIntArray*>> arrays_;
  std::vector<HostnpuOpArgument> list_;
};

/// Makes the outputs of a call, and gives them to its arguments.
base::Result<std::vector<Tensor>> MakeOutputs(const op::Operator& op,
                                              const std::vector<runtime::InferredOutput>& inferred,
                                              Arguments* arguments) {
  std::vector<Tensor> outputs;
  std::vector<std::vector<Tensor>> of_parameter(op.outputs.size());
  for (const runtime::InferredOutput& output : inferred) {
    auto tensor = Tensor::Empty(output.dims, output.dtype);
    if (!tensor.ok()) {
      return runtime::ErrorWith(tensor.error().number,
                                fmt::format("Output \"{}\" of {} cannot be made.\n{}", output.name,
                                            op.type, tensor.error().message));
    }
    of_parameter[output.parameter].push_back(*tensor);
    outputs.push_back(std::move(*tensor));
  }
  for (size_t o = 0; o < op.outputs.size(); ++o) {
    if (op.outputs[o].presence == op::Presence::kDynamic) {
      arguments->AddOutputList(std::move(of_parameter[o]));
    } else {
      arguments->AddOutput(of_parameter[o].front());
    }
  }
  return outputs;
}

base::Result<std::vector<Tensor>> CallOperator(const std::string& type,
                                               const std::map<std::string, AttributeValue>& values,
                                               const std::map<std::string, size_t>& list_lengths,
                                               const std::vector<OperatorInput>& inputs) {
  HOSTNPU_ASSIGN_OR_RETURN(const op::Operator* op, runtime::FindOperator(type));
  HOSTNPU_ASSIGN_OR_RETURN(auto stream, runtime::OwnStream());
  Arguments arguments;
  if (auto r = arguments.AddInputs(*op, inputs); !r.ok()) return std::move(r).error();
  if (auto r = arguments.AddAttributes(*op, values); !r.ok()) return std::move(r).error();
  HOSTNPU_ASSIGN_OR_RETURN(
      const auto inferred,
      runtime::InferOutputs(type, arguments.data(), arguments.count(), list_lengths));
  HOSTNPU_ASSIGN_OR_RETURN(auto outputs, MakeOutputs(*op, inferred, &arguments));
  HOSTNPU_ASSIGN_OR_RETURN(auto call, runtime::PlanCall(type, arguments.data(), arguments.count()));
  auto run = runtime::FinishOwn(*stream, runtime::RunCall(call, nullptr, 0, stream->handle()));
  if (!run.ok()) return std::move(run).error();
  return outputs;
}

}  // namespace

Result<Tensor> Tensor::Empty(std::vector<int64_t> shape, aclDataType dtype, int device) {
  const std::optional<size_t> bytes = BytesOf(shape, dtype);
  if (!bytes.has_value()) {
    return Converted(
        "Tensor::Empty",
        Invalid(fmt::format("There is no tensor of {} with the shape {}.",
                            runtime::NameOfDataType(dtype), runtime::NameOfShape(shape))));
  }
  auto state = std::make_shared<State>();
  if (*bytes > 0) {
    auto buffer = Buffer::Allocate(*bytes, device);
    if (!buffer.ok()) return buffer.error();
    state->buffer.emplace(std::move(*buffer));
  }
  state->shape = std::move(shape);
  state->dtype = dtype;
  state->size_bytes = *bytes;
  return Tensor(std::move(state));
}

Result<Tensor> Tensor::FromBytes(const void* bytes, size_t size_bytes, std::vector<int64_t> shape,
                                 aclDataType dtype, int device) {
  auto tensor = Empty(std::move(shape), dtype, device);
  if (!tensor.ok()) return tensor;
  if (tensor->size_bytes() != size_bytes) {
    return Converted(
        "Tensor::FromBytes",
        Invalid(fmt::format("A tensor of {} with the shape {} has {} bytes, but {} are given.",
                            runtime::NameOfDataType(dtype), runtime::NameOfShape(tensor->shape()),
                            tensor->size_bytes(), size_bytes)));
  }
  if (size_bytes > 0) std::memcpy(tensor->data(), bytes, size_bytes);
  return tensor;
}

const std::vector<int64_t>& Tensor::shape() const { return state_->shape; }
aclDataType Tensor::dtype() const { return state_->dtype; }
size_t Tensor::size_bytes() const { return state_->size_bytes; }
void* Tensor::data() const { return state_->buffer.has_value() ? state_->buffer->data() : nullptr; }

Operator::Operator(std::string type)
    : state_(std::make_shared<const State>(State{std::move(type), {}, {}})) {}

Operator::State& Operator::Changed() {
  auto changed = std::make_shared<State>(*state_);
  state_ = changed;
  return *changed;
}

Operator& Operator::Set(const std::string& attribute, int64_t value) {
  Changed().attributes[attribute] = value;
  return *this;
}
Operator& Operator::Set(const std::string& attribute, double value) {
  Changed().attributes[attribute] = value;
  return *this;
}
Operator& Operator::Set(const std::string& attribute, bool value) {
  Changed().attributes[attribute] = value;
  return *this;
}
Operator& Operator::Set(const std::string& attribute, const std::string& value) {
  Changed().attributes[attribute] = value;
  return *this;
}
Operator& Operator::Set(const std::string& attribute, std::vector<int64_t> value) {
  Changed().attributes[attribute] = aclIntArray{std::move(value)};
  return *this;
}
Operator& Operator::Set(const std::string& attribute, std::vector<float> value) {
  Changed().attributes[attribute] = aclFloatArray{std::move(value)};
  return *this;
}
Operator& Operator::Set(const std::string& attribute, std::vector<bool> value) {
  Changed().attributes[attribute] = aclBoolArray{{value.begin(), value.end()}};
  return *this;
}
Operator& Operator::Set(const std::string& attribute, std::vector<std::vector<int64_t>> value) {
  IntArrays arrays;
  for (std::vector<int64_t>& list : value) arrays.push_back({std::move(list)});
  Changed().attributes[attribute] = std::move(arrays);
  return *this;
}

Operator& Operator::Outputs(const std::string& output, size_t count) {
  Changed().list_lengths[output] = count;
  return *this;
}

Result<std::vector<Tensor>> Operator::Call(const std::vector<OperatorInput>& inputs) const {
  auto outputs = CallOperator(state_->type, state_->attributes, state_->list_lengths, inputs);
  if (!outputs.ok()) return Converted("Operator(\"" + state_->type + "\")", outputs.error());
  return std::move(outputs).value();
}

Result<Tensor> Operator::One(const std::vector<OperatorInput>& inputs) const {
  auto outputs = Call(inputs);
  if (!outputs.ok()) return outputs.error();
  if (outputs->size() == 1) return outputs->front();
  return Converted(
      "Operator(\"" + state_->type + "\")",
      Invalid(fmt::format("{} has {} outputs: use Call.", state_->type, outputs->size())));
}

Status LoadOperators(const std::string& path) {
  if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) return Done{};
  return Converted("LoadOperators",
                   Invalid(fmt::format("'{}' cannot be loaded: {}.", path, dlerror())));
}

}  // namespace hostnpu

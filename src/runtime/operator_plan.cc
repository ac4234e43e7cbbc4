// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The first phase of an operator call. It is pure: it binds the arguments to the definition, infers
// shapes, asks the tiling function and adds up what the kernel needs, so that a failed one leaves
// nothing behind.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "acl/acl_rt.h"
#include "ascendc/platform/platform_infos_def.h"
#include "runtime/last_error.h"
#include "runtime/operator_call.h"
#include "runtime/system_parameter.h"

namespace hostnpu::runtime {
namespace {

using op::Operator;
using op::ParameterDefinition;
using op::Presence;

constexpr uint64_t kAlignment = workspace::kDefaultAlignment;
constexpr uint64_t kAbsurdBytes = workspace::kMaxBufferBytes;  // larger than the HBM of any chip

uint64_t RoundUp(uint64_t value, uint64_t step) { return (value + step - 1) / step * step; }

/// The call while it is being planned.
struct Planning {
  explicit Planning(const Operator& the_op) : op(the_op), call(std::make_shared<OperatorCall>()) {}
  const Operator& op;
  std::shared_ptr<OperatorCall> call;
  op::Node node;
  fe::PlatFormInfos platform;  // of this call only: tiling functions may change it
};

gert::CompileTimeTensorDesc DescOf(const aclTensor& tensor) {
  gert::CompileTimeTensorDesc desc;
  desc.SetDataType(static_cast<ge::DataType>(tensor.dtype));
  desc.SetOriginFormat(static_cast<ge::Format>(tensor.format));
  desc.SetStorageFormat(static_cast<ge::Format>(tensor.format));
  return desc;
}

base::Result<void> BindOutput(Planning& p, BoundTensor bound) {
  if (!bound.copy.IsContiguous()) {
    return InvalidCall(fmt::format("Output \"{}\" of {} is not contiguous.", bound.name, p.op.type),
                       ACLNN_ERR_PARAM_INVALID);
  }
  p.node.outputs.emplace_back(gert::Shape(bound.copy.view_dims));
  p.node.output_descs.push_back(DescOf(bound.copy));
  bound.is_output = true;
  p.call->tensors.push_back(std::move(bound));
  return {};
}

base::Result<void> BindInput(Planning& p, const ParameterDefinition& definition,
                             BoundTensor bound) {
  const gert::CompileTimeTensorDesc desc = DescOf(bound.copy);
  bound.needs_staging = !definition.ignore_contiguous && !bound.copy.IsContiguous();
  if (bound.needs_staging && ge::GetBitsOfDataType(desc.GetDataType()) % 8 != 0) {
    return base::Error{
        base::Code::kUnsupported,
        fmt::format("Input \"{}\" of {} is a view of {}, whose elements are no whole bytes; only "
                    "contiguous ones are supported.",
                    bound.name, p.op.type, NameOfDataType(bound.copy.dtype))};
  }
  // Device memory is host memory here, so values are always at hand for tiling functions that ask.
  p.node.inputs.emplace_back(gert::StorageShape(gert::Shape(bound.copy.view_dims)),
                             gert::StorageFormat(desc.GetOriginFormat(), desc.GetStorageFormat()),
                             definition.value_depend ? gert::kOnHost : gert::kOnDeviceHbm,
                             desc.GetDataType(), bound.copy.Address());
  p.node.input_descs.push_back(desc);
  p.call->tensors.push_back(std::move(bound));
  return {};
}

/// The tensors that an argument gives for a parameter; an absent optional one gives none.
base::Result<std::vector<const aclTensor*>> TensorsOf(const Planning& p,
                                                      const ParameterDefinition& definition,
                                                      const HostnpuOpArgument& argument,
                                                      const char* role) {
  const bool is_list = definition.presence == Presence::kDynamic;
  if (is_list != (argument.kind == HOSTNPU_OP_TENSOR_LIST)) {
    return InvalidCall(fmt::format("{} \"{}\" of {} is {}.", role, definition.name, p.op.type,
                                   is_list ? "a list of tensors, and one tensor is given"
                                           : "one tensor, and a list is given"),
                       ACLNN_ERR_PARAM_INVALID);
  }
  if (argument.pointer == nullptr) {
    if (definition.presence == Presence::kRequired || is_list) {
      return InvalidCall(fmt::format("{} \"{}\" of {} is null.", role, definition.name, p.op.type),
                         ACLNN_ERR_PARAM_NULLPTR);
    }
    return std::vector<const aclTensor*>();
  }
  if (!is_list) return std::vector{static_cast<const aclTensor*>(argument.pointer)};
  const auto& tensors = static_cast<const aclTensorList*>(argument.pointer)->tensors;
  if (tensors.empty()) {
    return InvalidCall(
        fmt::format("{} \"{}\" of {} is an empty list.", role, definition.name, p.op.type),
        ACLNN_ERR_PARAM_INVALID);
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i] != nullptr) continue;
    return InvalidCall(
        fmt::format("{} \"{}[{}]\" of {} is null.", role, definition.name, i, p.op.type),
        ACLNN_ERR_PARAM_NULLPTR);
  }
  return tensors;
}

base::Result<void> BindParameter(Planning& p, const ParameterDefinition& definition,
                                 const HostnpuOpArgument& argument, bool is_output) {
  const char* role = is_output ? "Output" : "Input";
  if (definition.dtypes.empty() && !definition.follow.empty()) {
    return FailedCall(fmt::format("{} \"{}\" of {} follows \"{}\", which is no input before it.",
                                  role, definition.name, p.op.type, definition.follow),
                      ACLNN_ERR_INNER);
  }
  HOSTNPU_ASSIGN_OR_RETURN(const std::vector<const aclTensor*> tensors,
                           TensorsOf(p, definition, argument, role));
  BoundParameter parameter;
  parameter.first = p.call->tensors.size();
  parameter.is_list = definition.presence == Presence::kDynamic;
  parameter.count = std::max<size_t>(tensors.size(), 1);
  auto& instances = is_output ? p.node.ir_outputs : p.node.ir_inputs;
  instances.push_back({is_output ? p.node.outputs.size() : p.node.inputs.size(), tensors.size()});
  p.call->parameters.push_back(parameter);
  BoundTensor bound;
  bound.name = definition.name;
  bound.is_output = is_output;
  if (tensors.empty()) p.call->tensors.push_back(bound);
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (parameter.is_list) bound.name = fmt::format("{}[{}]", definition.name, i);
    bound.is_present = true;
    bound.copy = *tensors[i];
    auto added = is_output ? BindOutput(p, bound) : BindInput(p, definition, bound);
    if (!added.ok()) return added;
  }
  return {};
}

/// The lists that an argument gives for an attribute that is a list of lists.
base::Result<std::vector<std::vector<int64_t>>> ListsOf(const Planning& p,
                                                        const op::AttributeDefinition& definition,
                                                        const HostnpuOpArgument& argument) {
  const auto* arrays = static_cast<const aclIntArray* const*>(argument.pointer);
  std::vector<std::vector<int64_t>> lists;
  for (int64_t i = 0; i < argument.integer; ++i) {
    if (arrays[i] == nullptr) {
      return InvalidCall(
          fmt::format("Attribute \"{}[{}]\" of {} is null.", definition.name, i, p.op.type),
          ACLNN_ERR_PARAM_NULLPTR);
    }
    lists.push_back(arrays[i]->values);
  }
  return lists;
}

base::Result<void> BindAttribute(Planning& p, const op::AttributeDefinition& definition,
                                 const HostnpuOpArgument& argument) {
  using Kind = gert::RuntimeAttrs::Value::Kind;
  gert::RuntimeAttrs::Value value = definition.value;
  value.kind = definition.kind;
  const auto missing = [&] {
    return InvalidCall(fmt::format("Attribute \"{}\" of {} is null.", definition.name, p.op.type),
                       ACLNN_ERR_PARAM_NULLPTR);
  };
  const bool is_list = definition.kind == Kind::kString || definition.kind == Kind::kIntList ||
                       definition.kind == Kind::kFloatList || definition.kind == Kind::kBoolList ||
                       definition.kind == Kind::kIntListList;
  if (is_list && argument.pointer == nullptr) {
    // The definition's own value. Of a list of no lists there is no pointer either.
    const bool is_empty = argument.kind == HOSTNPU_OP_INT_ARRAY_LIST && argument.integer == 0;
    if (definition.required && !is_empty) return missing();
    p.node.attrs.Append(std::move(value));
    return {};
  }
  switch (definition.kind) {
    case Kind::kInt:
      value.integer = argument.integer;
      break;
    case Kind::kFloat:
      value.real = static_cast<float>(argument.real);
      break;
    case Kind::kBool:
      value.boolean = argument.integer != 0;
      break;
    case Kind::kString:
      value.text = static_cast<const char*>(argument.pointer);
      break;
    case Kind::kIntList:
      value.integers = gert::TypedContinuousVector<int64_t>(
          static_cast<const aclIntArray*>(argument.pointer)->values);
      break;
    case Kind::kFloatList:
      value.reals = gert::TypedContinuousVector<float>(
          static_cast<const aclFloatArray*>(argument.pointer)->values);
      break;
    case Kind::kBoolList: {
      const auto& bytes = static_cast<const aclBoolArray*>(argument.pointer)->values;
      value.booleans =
          gert::TypedContinuousVector<bool>(std::vector<bool>(bytes.begin(), bytes.end()));
      break;
    }
    case Kind::kIntListList: {
      HOSTNPU_ASSIGN_OR_RETURN(const auto lists, ListsOf(p, definition, argument));
      value.integer_lists = gert::ContinuousVectorVector(lists);
      break;
    }
    case Kind::kNone:
      return base::Error{
          base::Code::kUnsupported,
          fmt::format("Attribute \"{}\" of {} has no type.", definition.name, p.op.type)};
  }
  p.node.attrs.Append(std::move(value));
  return {};
}

base::Result<void> BindInputs(Planning& p, const HostnpuOpArgument* arguments) {
  for (const ParameterDefinition& input : p.op.inputs) {
    if (auto r = BindParameter(p, input, *arguments++, false); !r.ok()) return r;
  }
  for (const op::AttributeDefinition& attribute : p.op.attributes) {
    if (auto r = BindAttribute(p, attribute, *arguments++); !r.ok()) return r;
  }
  return {};
}

base::Result<void> Bind(Planning& p, const HostnpuOpArgument* arguments, uint32_t count) {
  const size_t before = p.op.inputs.size() + p.op.attributes.size();
  const size_t wanted = before + p.op.outputs.size();
  if (count != wanted) {
    return InvalidCall(
        fmt::format("{} takes {} arguments ({} inputs, {} attributes, {} outputs), not {}.",
                    p.op.type, wanted, p.op.inputs.size(), p.op.attributes.size(),
                    p.op.outputs.size(), count),
        ACLNN_ERR_PARAM_INVALID);
  }
  if (auto r = BindInputs(p, arguments); !r.ok()) return r;
  for (size_t o = 0; o < p.op.outputs.size(); ++o) {
    if (auto r = BindParameter(p, p.op.outputs[o], arguments[before + o], true); !r.ok()) return r;
  }
  return {};
}

/// The supported combination of dtypes that the call is one of.
base::Result<size_t> ChooseCombination(const Planning& p) {
  size_t combinations = 1;
  for (const auto* list : {&p.op.inputs, &p.op.outputs}) {
    for (const ParameterDefinition& d : *list)
      combinations = std::max(combinations, d.dtypes.size());
  }
  // Parameters that are not bound (outputs that are still to be inferred) fit every combination.
  const auto fits = [&](const ParameterDefinition& d, size_t index, size_t combination) {
    if (index >= p.call->parameters.size() || d.dtypes.empty()) return true;
    const auto wanted = static_cast<int>(d.dtypes[std::min(combination, d.dtypes.size() - 1)]);
    const BoundParameter& parameter = p.call->parameters[index];
    for (size_t t = parameter.first; t < parameter.first + parameter.count; ++t) {
      const BoundTensor& bound = p.call->tensors[t];
      if (bound.is_present && static_cast<int>(bound.copy.dtype) != wanted) return false;
    }
    return true;
  };
  for (size_t c = 0; c < combinations; ++c) {
    bool all = true;
    size_t at = 0;
    for (const auto* list : {&p.op.inputs, &p.op.outputs}) {
      for (const ParameterDefinition& d : *list) all = fits(d, at++, c) && all;
    }
    if (all) return c;
  }
  std::vector<std::string> given;
  for (const BoundTensor& bound : p.call->tensors) {
    if (bound.is_present)
      given.push_back(fmt::format("{} {}", bound.name, NameOfDataType(bound.copy.dtype)));
  }
  std::vector<std::string> supported;
  for (size_t c = 0; c < combinations; ++c) {
    std::vector<std::string> row;
    for (const auto* list : {&p.op.inputs, &p.op.outputs}) {
      for (const ParameterDefinition& d : *list) {
        if (!d.dtypes.empty())
          row.push_back(NameOfDataType(d.dtypes[std::min(c, d.dtypes.size() - 1)]));
      }
    }
    supported.push_back(fmt::format("{}", fmt::join(row, " ")));
  }
  return InvalidCall(
      fmt::format("{} does not support these data types together: {}. Supported: {}.", p.op.type,
                  fmt::join(given, ", "), fmt::join(supported, "; ")),
      ACLNN_ERR_PARAM_INVALID);
}

/// Gives outputs that follow an input its shape; what follows none stays unknown.
void FollowShapes(const Planning& p, op::Node& inferred) {
  for (size_t o = 0; o < p.op.outputs.size(); ++o) {
    const ParameterDefinition& output = p.op.outputs[o];
    const op::Instances& place = p.node.ir_outputs[o];
    for (size_t k = 0; k < place.count; ++k) {
      gert::Shape shape{-1};
      for (size_t i = 0; i < p.op.inputs.size(); ++i) {
        const op::Instances& source = p.node.ir_inputs[i];
        if (!output.follows_shape || p.op.inputs[i].name != output.follow) continue;
        if (k < source.count) shape = p.node.inputs[source.first + k].GetOriginShape();
      }
      inferred.outputs[place.first + k] = gert::StorageShape(shape);
    }
  }
}

/// Asks the shape inference, or Follow() where there is none.
base::Result<void> InferShapes(const Planning& p, op::Node& inferred) {
  if (p.op.infer_shape == nullptr) {
    FollowShapes(p, inferred);
    return {};
  }
  for (gert::StorageShape& shape : inferred.outputs) shape = gert::StorageShape();
  gert::InferShapeContext context(inferred);
  const ge::graphStatus status = p.op.infer_shape(&context);
  if (status == ge::GRAPH_SUCCESS) return {};
  return FailedCall(
      fmt::format("The shape inference of {} failed with status {:#x}.", p.op.type, status),
      ACLNN_ERR_INNER_INFERSHAPE_ERROR);
}

// The caller makes the outputs, so inference only checks them: a wrong shape is found here and not
// as an overrun in the kernel.
base::Result<void> CheckInferredShapes(Planning& p) {
  op::Node inferred = p.node;
  if (auto r = InferShapes(p, inferred); !r.ok()) return r;
  size_t at = 0;
  for (const BoundTensor& bound : p.call->tensors) {
    if (!bound.is_output || !bound.is_present) continue;
    const gert::Shape& expected = inferred.outputs[at].GetOriginShape();
    const gert::Shape& given = p.node.outputs[at].GetOriginShape();
    ++at;
    bool known = true;
    std::vector<int64_t> dims;
    for (size_t d = 0; d < expected.GetDimNum(); ++d) {
      dims.push_back(expected.GetDim(d));
      known = known && expected.GetDim(d) >= 0;
    }
    if (known && expected != given) {
      return InvalidCall(
          fmt::format("Output \"{}\" of {} has the shape {}; the operator gives {}.", bound.name,
                      p.op.type, NameOfShape(bound.copy.view_dims), NameOfShape(dims)),
          ACLNN_ERR_PARAM_INVALID);
    }
  }
  return {};
}

// A kernel that adds to its outputs says so (SetNeedAtomic); they then start with what InitValue
// states.
base::Result<void> TakeInitialValues(Planning& p, size_t combination) {
  for (size_t o = 0; o < p.op.outputs.size(); ++o) {
    const ParameterDefinition& output = p.op.outputs[o];
    if (output.initial_values.empty()) continue;
    const std::string& value =
        output.initial_values[std::min(combination, output.initial_values.size() - 1)];
    const BoundParameter& parameter = p.call->parameters[p.op.inputs.size() + o];
    for (size_t t = parameter.first; t < parameter.first + parameter.count; ++t) {
      BoundTensor& bound = p.call->tensors[t];
      if (!bound.is_present) continue;
      const auto element = static_cast<size_t>(
          std::max<int64_t>(ge::GetSizeInBytes(1, static_cast<ge::DataType>(bound.copy.dtype)), 1));
      if (value.empty() || element % value.size() != 0) {
        return FailedCall(
            fmt::format("InitValue of output \"{}\" of {} does not fit its elements of {} "
                        "bytes: a plain number has to be 0, another value needs its type.",
                        output.name, p.op.type, element),
            ACLNN_ERR_INNER);
      }
      bound.fill = value;
    }
  }
  return {};
}

base::Result<void> Tile(Planning& p, size_t combination) {
  if (p.op.tiling == nullptr) {
    return FailedCall(fmt::format("{} has no tiling function.", p.op.type),
                      ACLNN_ERR_INNER_TILING_ERROR);
  }
  std::shared_ptr<void> compile_info;
  if (p.op.make_compile_info) {
    compile_info = p.op.make_compile_info();
    gert::TilingParseContext parse(p.node, compile_info.get());
    const ge::graphStatus status = p.op.tiling_parse(&parse);
    if (status != ge::GRAPH_SUCCESS) {
      return FailedCall(
          fmt::format("The tiling preparation of {} failed with status {:#x}.", p.op.type, status),
          ACLNN_ERR_INNER_TILING_ERROR);
    }
    p.node.compile_info = compile_info.get();
  }
  gert::TilingContext context(p.node);
  const ge::graphStatus status = p.op.tiling(&context);
  if (status != ge::GRAPH_SUCCESS) {
    return FailedCall(
        fmt::format(
            "The tiling function of {} failed with status {:#x}; its workspace sizes are not used.",
            p.op.type, status),
        ACLNN_ERR_INNER_TILING_ERROR);
  }
  if (context.GetBlockDim() == 0) {
    return FailedCall(
        fmt::format("The tiling function of {} set no number of blocks (SetBlockDim).", p.op.type),
        ACLNN_ERR_INNER_TILING_ERROR);
  }
  OperatorCall& call = *p.call;
  call.blocks = context.GetBlockDim();
  call.tiling_key = context.GetTilingKey();
  call.batch_mode = context.GetScheduleMode() != 0;
  const gert::TilingData& data = *context.GetRawTilingData();
  if (data.GetDataSize() > data.GetCapacity()) {
    return FailedCall(
        fmt::format("The tiling function of {} sets {} bytes of tiling data; there is room "
                    "for {}.",
                    p.op.type, data.GetDataSize(), data.GetCapacity()),
        ACLNN_ERR_INNER_TILING_ERROR);
  }
  const auto* bytes = static_cast<const uint8_t*>(data.GetData());
  call.tiling.assign(bytes, bytes + data.GetDataSize());
  size_t index = 0;
  for (const size_t size : context.workspace_sizes()) {
    if (size > kAbsurdBytes || call.kernel_workspace_bytes + size > kAbsurdBytes) {
      return FailedCall(
          fmt::format("The tiling function of {} asks for {} bytes as workspace {}, more "
                      "than {} bytes in all; "
                      "such a number is usually a negative or unset size.",
                      p.op.type, size, index, kAbsurdBytes),
          ACLNN_ERR_INNER_TILING_ERROR);
    }
    call.kernel_workspace_bytes += size;
    ++index;
  }
  return context.NeedAtomic() ? TakeInitialValues(p, combination) : base::Result<void>();
}

// Inputs that are views get a contiguous copy behind the kernel's workspace.
void PlaceStaging(OperatorCall& call) {
  call.copies_begin = RoundUp(call.kernel_workspace_bytes, kAlignment);
  uint64_t end = call.kernel_workspace_bytes;
  for (BoundTensor& bound : call.tensors) {
    if (!bound.needs_staging) continue;
    bound.staging = RoundUp(end, kAlignment);
    end = bound.staging + static_cast<uint64_t>(bound.copy.Bytes());
  }
  call.workspace_bytes = end;
}

bool AllOutputsEmpty(const OperatorCall& call) {
  bool any = false;
  for (const BoundTensor& bound : call.tensors) {
    if (!bound.is_output || !bound.is_present) continue;
    any = true;
    if (bound.copy.ElementCount() != 0) return false;
  }
  return any;
}

base::Result<void> Begin(Planning& p) {
  p.call->op = &p.op;
  p.node.name = p.op.type;
  p.node.type = p.op.type;
  if (auto level = SystemParameter(ACL_OPT_DETERMINISTIC); level.ok()) {
    p.node.deterministic = static_cast<int32_t>(*level);
  }
  if (!p.platform.Init()) return NewestError();
  p.node.platform = &p.platform;
  return {};
}

ge::DataType TypeIn(const ParameterDefinition& output, size_t combination) {
  if (output.dtypes.empty()) return ge::DT_UNDEFINED;
  return output.dtypes[std::min(combination, output.dtypes.size() - 1)];
}

/// Lists that are longer are a mistake.
constexpr size_t kMaxListLength = 4096;

base::Result<void> CheckListNames(const Operator& op,
                                  const std::map<std::string, size_t>& list_lengths) {
  for (const auto& [name, length] : list_lengths) {
    const bool known = std::any_of(op.outputs.begin(), op.outputs.end(), [&](const auto& output) {
      return output.name == name && output.presence == Presence::kDynamic;
    });
    if (known) continue;
    return InvalidCall(fmt::format("{} has no output \"{}\" that is a list.", op.type, name),
                       ACLNN_ERR_PARAM_INVALID);
  }
  return {};
}

/// How many tensors an output is that the runtime makes.
base::Result<size_t> LengthOf(const Planning& p, const ParameterDefinition& output,
                              const std::map<std::string, size_t>& list_lengths) {
  if (output.presence != Presence::kDynamic) return 1;
  if (const auto stated = list_lengths.find(output.name); stated != list_lengths.end()) {
    if (stated->second >= 1 && stated->second <= kMaxListLength) return stated->second;
    return InvalidCall(
        fmt::format("Output \"{}\" of {} is to be a list of {} tensors; it may have 1 to {}.",
                    output.name, p.op.type, stated->second, kMaxListLength),
        ACLNN_ERR_PARAM_INVALID);
  }
  for (size_t i = 0; i < p.op.inputs.size(); ++i) {
    const ParameterDefinition& input = p.op.inputs[i];
    if (input.presence == Presence::kDynamic && input.name == output.follow) {
      return p.node.ir_inputs[i].count;
    }
  }
  return InvalidCall(
      fmt::format(
          "Output \"{}\" of {} is a list, and nothing tells how many tensors it has: say it "
          "with Outputs(\"{}\", count).",
          output.name, p.op.type, output.name),
      ACLNN_ERR_PARAM_INVALID);
}

/// What shape and type inference have left in the node.
base::Result<std::vector<InferredOutput>> InferredOutputs(const Planning& p) {
  std::vector<InferredOutput> outputs;
  for (size_t o = 0; o < p.op.outputs.size(); ++o) {
    const op::Instances& place = p.node.ir_outputs[o];
    for (size_t k = 0; k < place.count; ++k) {
      InferredOutput output;
      output.name = p.op.outputs[o].name;
      if (p.op.outputs[o].presence == Presence::kDynamic) output.name += fmt::format("[{}]", k);
      output.parameter = o;
      output.dtype = static_cast<aclDataType>(p.node.output_descs[place.first + k].GetDataType());
      const gert::Shape& shape = p.node.outputs[place.first + k].GetOriginShape();
      for (size_t d = 0; d < shape.GetDimNum(); ++d) output.dims.push_back(shape.GetDim(d));
      if (std::any_of(output.dims.begin(), output.dims.end(), [](int64_t d) { return d < 0; })) {
        return FailedCall(
            fmt::format("Nothing tells the shape of output \"{}\" of {}: it has neither a "
                        "shape inference (SetInferShape) nor an input that it follows.",
                        output.name, p.op.type),
            ACLNN_ERR_INNER_INFERSHAPE_ERROR);
      }
      outputs.push_back(std::move(output));
    }
  }
  return outputs;
}
}  // namespace

base::Result<std::vector<InferredOutput>> InferOutputs(
    const std::string& type, const HostnpuOpArgument* arguments, uint32_t count,
    const std::map<std::string, size_t>& list_lengths) {
  HOSTNPU_ASSIGN_OR_RETURN(const Operator* op, FindOperator(type));
  if (count != op->inputs.size() + op->attributes.size()) {
    return InvalidCall(fmt::format("{} takes {} inputs and {} attributes, not {} arguments.", type,
                                   op->inputs.size(), op->attributes.size(), count),
                       ACLNN_ERR_PARAM_INVALID);
  }
  Planning p(*op);
  if (auto r = Begin(p); !r.ok()) return std::move(r).error();
  if (auto r = BindInputs(p, arguments); !r.ok()) return std::move(r).error();
  HOSTNPU_ASSIGN_OR_RETURN(const size_t combination, ChooseCombination(p));
  if (auto r = CheckListNames(*op, list_lengths); !r.ok()) return std::move(r).error();
  for (const ParameterDefinition& output : op->outputs) {
    HOSTNPU_ASSIGN_OR_RETURN(const size_t tensors, LengthOf(p, output, list_lengths));
    p.node.ir_outputs.push_back({p.node.outputs.size(), tensors});
    for (size_t i = 0; i < tensors; ++i) {
      p.node.outputs.emplace_back();
      p.node.output_descs.emplace_back();
      p.node.output_descs.back().SetDataType(TypeIn(output, combination));
    }
  }
  if (auto r = InferShapes(p, p.node); !r.ok()) return std::move(r).error();
  if (op->infer_data_type != nullptr) {
    gert::InferDataTypeContext context(p.node);
    const ge::graphStatus status = op->infer_data_type(&context);
    if (status != ge::GRAPH_SUCCESS) {
      return FailedCall(
          fmt::format("The data type inference of {} failed with status {:#x}.", type, status),
          ACLNN_ERR_INNER_INFERSHAPE_ERROR);
    }
  }
  return InferredOutputs(p);
}

base::Result<std::shared_ptr<OperatorCall>> PlanCall(const std::string& type,
                                                     const HostnpuOpArgument* arguments,
                                                     uint32_t count) {
  HOSTNPU_ASSIGN_OR_RETURN(const Operator* op, FindOperator(type));
  Planning p(*op);
  if (auto r = Begin(p); !r.ok()) return std::move(r).error();
  if (auto r = Bind(p, arguments, count); !r.ok()) return std::move(r).error();
  HOSTNPU_ASSIGN_OR_RETURN(const size_t combination, ChooseCombination(p));
  if (auto r = CheckInferredShapes(p); !r.ok()) return std::move(r).error();
  if (AllOutputsEmpty(*p.call)) {
    p.call->skip = true;
    return p.call;
  }
  p.call->kernel = op->kernels.size() == 1 ? 0 : combination;
  if (p.call->kernel >= op->kernels.size() || op->kernels[p.call->kernel] == nullptr) {
    return FailedCall(
        fmt::format("The library of {} has no kernel for these data types, or it cannot be "
                    "loaded.",
                    type),
        ACLNN_ERR_INNER_FIND_KERNEL_ERROR);
  }
  if (auto r = Tile(p, combination); !r.ok()) return std::move(r).error();
  PlaceStaging(*p.call);
  return p.call;
}

}  // namespace hostnpu::runtime

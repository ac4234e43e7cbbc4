// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// An operator call in two phases, as generated aclnn functions make it. The first is pure: it binds
// the arguments to the definition, infers shapes, asks the tiling function and adds up what the
// kernel needs. The second only places and launches, so that a failed first phase leaves nothing
// behind.
#include "runtime/operator_call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <unordered_map>

#include "arch/chip.h"
#include "ascendc/platform/platform_infos_def.h"
#include "memory/device_memory.h"
#include "runtime/context.h"
#include "runtime/device.h"
#include "runtime/last_error.h"
#include "runtime/launch.h"
#include "runtime/launch_memory.h"
#include "runtime/stream.h"
#include "runtime/system_parameter.h"

namespace hostnpu::runtime {
namespace {

using op::Operator;
using op::ParameterDefinition;
using op::Presence;

constexpr uint64_t kAlignment = 512;
constexpr uint64_t kAbsurdBytes = uint64_t{1} << 40;  // larger than the HBM of any chip

base::Error Invalid(std::string message, int number) {
  base::Error error{base::Code::kInvalidArgument, std::move(message)};
  error.number = number;
  return error;
}
base::Error Failed(std::string message, int number) {
  base::Error error{base::Code::kInvalidState, std::move(message)};
  error.number = number;
  return error;
}

uint64_t RoundUp(uint64_t value, uint64_t step) { return (value + step - 1) / step * step; }

/// The call while it is being planned.
struct Planning {
  explicit Planning(const Operator& the_op) : op(the_op), call(std::make_shared<OperatorCall>()) {}
  const Operator& op;
  std::shared_ptr<OperatorCall> call;
  op::Node node;
  fe::PlatFormInfos platform;  // of this call only: tiling functions may change it
};

base::Result<void> BindTensor(Planning& p, const ParameterDefinition& definition,
                              const HostnpuOpArgument& argument, bool is_output,
                              std::vector<op::Instances>& instances) {
  const char* role = is_output ? "Output" : "Input";
  if (definition.dtypes.empty() && !definition.follow.empty()) {
    return Failed(fmt::format("{} \"{}\" of {} follows \"{}\", which is no input before it.", role,
                              definition.name, p.op.type, definition.follow),
                  ACLNN_ERR_INNER);
  }
  if (argument.kind == HOSTNPU_OP_TENSOR_LIST || definition.presence == Presence::kDynamic) {
    base::Error error{
        base::Code::kUnsupported,
        fmt::format(
            "{} \"{}\" of {} is a list of tensors, which operator calls do not support yet.", role,
            definition.name, p.op.type)};
    return error;
  }
  const auto* tensor = static_cast<const aclTensor*>(argument.pointer);
  BoundTensor bound;
  bound.name = definition.name;
  bound.is_output = is_output;
  instances.push_back(
      {is_output ? p.node.outputs.size() : p.node.inputs.size(), tensor != nullptr ? 1u : 0u});
  if (tensor == nullptr) {
    if (definition.presence == Presence::kRequired) {
      return Invalid(fmt::format("{} \"{}\" of {} is null.", role, definition.name, p.op.type),
                     ACLNN_ERR_PARAM_NULLPTR);
    }
    p.call->tensors.push_back(std::move(bound));
    return {};
  }
  bound.is_present = true;
  bound.copy = *tensor;
  const gert::Shape shape(tensor->view_dims);
  const gert::StorageShape both(shape);
  gert::CompileTimeTensorDesc desc;
  desc.SetDataType(static_cast<ge::DataType>(tensor->dtype));
  desc.SetOriginFormat(static_cast<ge::Format>(tensor->format));
  desc.SetStorageFormat(static_cast<ge::Format>(tensor->format));
  if (is_output) {
    if (!tensor->IsContiguous()) {
      return Invalid(
          fmt::format("Output \"{}\" of {} is not contiguous.", definition.name, p.op.type),
          ACLNN_ERR_PARAM_INVALID);
    }
    p.node.outputs.push_back(both);
    p.node.output_descs.push_back(desc);
  } else {
    bound.needs_staging = !definition.ignore_contiguous && !tensor->IsContiguous();
    if (bound.needs_staging && ge::GetBitsOfDataType(desc.GetDataType()) % 8 != 0) {
      return base::Error{
          base::Code::kUnsupported,
          fmt::format("Input \"{}\" of {} is a view of {}, whose elements are no whole bytes; only "
                      "contiguous ones are supported.",
                      definition.name, p.op.type, NameOfDataType(tensor->dtype))};
    }
    // Device memory is host memory here, so values are always at hand for tiling functions that
    // ask.
    p.node.inputs.emplace_back(both,
                               gert::StorageFormat(desc.GetOriginFormat(), desc.GetStorageFormat()),
                               definition.value_depend ? gert::kOnHost : gert::kOnDeviceHbm,
                               desc.GetDataType(), tensor->Address());
    p.node.input_descs.push_back(desc);
  }
  p.call->tensors.push_back(std::move(bound));
  return {};
}

base::Result<void> BindAttribute(Planning& p, const op::AttributeDefinition& definition,
                                 const HostnpuOpArgument& argument) {
  using Kind = gert::RuntimeAttrs::Value::Kind;
  gert::RuntimeAttrs::Value value = definition.value;
  value.kind = definition.kind;
  const auto missing = [&] {
    return Invalid(fmt::format("Attribute \"{}\" of {} is null.", definition.name, p.op.type),
                   ACLNN_ERR_PARAM_NULLPTR);
  };
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
      if (argument.pointer == nullptr && definition.required) return missing();
      if (argument.pointer != nullptr) value.text = static_cast<const char*>(argument.pointer);
      break;
    case Kind::kIntList:
      if (argument.pointer == nullptr && definition.required) return missing();
      if (argument.pointer != nullptr) {
        value.integers = gert::TypedContinuousVector<int64_t>(
            static_cast<const aclIntArray*>(argument.pointer)->values);
      }
      break;
    case Kind::kFloatList:
      if (argument.pointer == nullptr && definition.required) return missing();
      if (argument.pointer != nullptr) {
        value.reals = gert::TypedContinuousVector<float>(
            static_cast<const aclFloatArray*>(argument.pointer)->values);
      }
      break;
    default:
      return base::Error{
          base::Code::kUnsupported,
          fmt::format("Attribute \"{}\" of {} has a kind that operator calls do not support yet.",
                      definition.name, p.op.type)};
  }
  p.node.attrs.Append(std::move(value));
  return {};
}

base::Result<void> Bind(Planning& p, const HostnpuOpArgument* arguments, uint32_t count) {
  const size_t wanted = p.op.inputs.size() + p.op.attributes.size() + p.op.outputs.size();
  if (count != wanted) {
    return Invalid(
        fmt::format("{} takes {} arguments ({} inputs, {} attributes, {} outputs), not {}.",
                    p.op.type, wanted, p.op.inputs.size(), p.op.attributes.size(),
                    p.op.outputs.size(), count),
        ACLNN_ERR_PARAM_INVALID);
  }
  size_t at = 0;
  for (const ParameterDefinition& input : p.op.inputs) {
    if (auto r = BindTensor(p, input, arguments[at++], false, p.node.ir_inputs); !r.ok()) return r;
  }
  for (const op::AttributeDefinition& attribute : p.op.attributes) {
    if (auto r = BindAttribute(p, attribute, arguments[at++]); !r.ok()) return r;
  }
  for (const ParameterDefinition& output : p.op.outputs) {
    if (auto r = BindTensor(p, output, arguments[at++], true, p.node.ir_outputs); !r.ok()) return r;
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
  const auto fits = [&](const ParameterDefinition& d, const BoundTensor& bound,
                        size_t combination) {
    if (!bound.is_present || d.dtypes.empty()) return true;
    const ge::DataType wanted =
        d.dtypes[d.dtypes.size() == 1 ? 0 : std::min(combination, d.dtypes.size() - 1)];
    return static_cast<int>(wanted) == static_cast<int>(bound.copy.dtype);
  };
  for (size_t c = 0; c < combinations; ++c) {
    bool all = true;
    size_t at = 0;
    for (const auto* list : {&p.op.inputs, &p.op.outputs}) {
      for (const ParameterDefinition& d : *list) all = fits(d, p.call->tensors[at++], c) && all;
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
  return Invalid(fmt::format("{} does not support these data types together: {}. Supported: {}.",
                             p.op.type, fmt::join(given, ", "), fmt::join(supported, "; ")),
                 ACLNN_ERR_PARAM_INVALID);
}

/// Gives outputs that follow an input its shape; what follows none stays unknown.
void FollowShapes(const Planning& p, op::Node& inferred) {
  for (size_t o = 0; o < p.op.outputs.size(); ++o) {
    const ParameterDefinition& output = p.op.outputs[o];
    const op::Instances& place = p.node.ir_outputs[o];
    if (place.count == 0) continue;
    gert::Shape shape{-1};
    for (size_t i = 0; i < p.op.inputs.size(); ++i) {
      const op::Instances& source = p.node.ir_inputs[i];
      if (!output.follows_shape || p.op.inputs[i].name != output.follow || source.count == 0)
        continue;
      shape = p.node.inputs[source.first].GetOriginShape();
    }
    inferred.outputs[place.first] = gert::StorageShape(shape);
  }
}

// The caller makes the outputs, so inference only checks them: a wrong shape is found here and not
// as an overrun in the kernel.
base::Result<void> CheckInferredShapes(Planning& p) {
  op::Node inferred = p.node;
  if (p.op.infer_shape == nullptr) {
    FollowShapes(p, inferred);
  } else {
    for (gert::StorageShape& shape : inferred.outputs) shape = gert::StorageShape();
    gert::InferShapeContext context(inferred);
    const ge::graphStatus status = p.op.infer_shape(&context);
    if (status != ge::GRAPH_SUCCESS) {
      return Failed(
          fmt::format("The shape inference of {} failed with status {:#x}.", p.op.type, status),
          ACLNN_ERR_INNER_INFERSHAPE_ERROR);
    }
  }
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
      return Invalid(
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
    BoundTensor& bound = p.call->tensors[p.op.inputs.size() + o];
    if (output.initial_values.empty() || !bound.is_present) continue;
    const std::string& value =
        output.initial_values[std::min(combination, output.initial_values.size() - 1)];
    const auto element = static_cast<size_t>(
        std::max<int64_t>(ge::GetSizeInBytes(1, static_cast<ge::DataType>(bound.copy.dtype)), 1));
    if (value.empty() || element % value.size() != 0) {
      return Failed(fmt::format("InitValue of output \"{}\" of {} does not fit its elements of {} "
                                "bytes: a plain number has to be 0, another value needs its type.",
                                output.name, p.op.type, element),
                    ACLNN_ERR_INNER);
    }
    bound.fill = value;
  }
  return {};
}

base::Result<void> Tile(Planning& p, size_t combination) {
  if (p.op.tiling == nullptr) {
    return Failed(fmt::format("{} has no tiling function.", p.op.type),
                  ACLNN_ERR_INNER_TILING_ERROR);
  }
  std::shared_ptr<void> compile_info;
  if (p.op.make_compile_info) {
    compile_info = p.op.make_compile_info();
    gert::TilingParseContext parse(p.node, compile_info.get());
    const ge::graphStatus status = p.op.tiling_parse(&parse);
    if (status != ge::GRAPH_SUCCESS) {
      return Failed(
          fmt::format("The tiling preparation of {} failed with status {:#x}.", p.op.type, status),
          ACLNN_ERR_INNER_TILING_ERROR);
    }
    p.node.compile_info = compile_info.get();
  }
  gert::TilingContext context(p.node);
  const ge::graphStatus status = p.op.tiling(&context);
  if (status != ge::GRAPH_SUCCESS) {
    return Failed(
        fmt::format(
            "The tiling function of {} failed with status {:#x}; its workspace sizes are not used.",
            p.op.type, status),
        ACLNN_ERR_INNER_TILING_ERROR);
  }
  if (context.GetBlockDim() == 0) {
    return Failed(
        fmt::format("The tiling function of {} set no number of blocks (SetBlockDim).", p.op.type),
        ACLNN_ERR_INNER_TILING_ERROR);
  }
  OperatorCall& call = *p.call;
  call.blocks = context.GetBlockDim();
  call.batch_mode = context.GetScheduleMode() != 0;
  call.tiling_key = context.GetTilingKey();
  const gert::TilingData& data = *context.GetRawTilingData();
  if (data.GetDataSize() > data.GetCapacity()) {
    return Failed(
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
      return Failed(fmt::format("The tiling function of {} asks for {} bytes as workspace {}, more "
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

/// Copies a view element by element into a contiguous buffer.
void Gather(const aclTensor& view, uint8_t* to) {
  const auto element =
      static_cast<size_t>(ge::GetSizeInBytes(1, static_cast<ge::DataType>(view.dtype)));
  const size_t rank = view.view_dims.size();
  std::vector<int64_t> index(rank, 0);
  const uint8_t* base = view.Address();
  for (int64_t k = view.ElementCount(); k > 0; --k) {
    int64_t at = 0;
    for (size_t d = 0; d < rank; ++d) at += index[d] * view.strides[d];
    std::memcpy(to, base + at * static_cast<int64_t>(element), element);
    to += element;
    for (size_t d = rank; d-- > 0;) {
      if (++index[d] < view.view_dims[d]) break;
      index[d] = 0;
    }
  }
}

/// Bytes of the outputs that start with a value.
struct OutputFill {
  uint8_t* data = nullptr;
  size_t bytes = 0;
  std::string value;
};

/// Before the kernel, in the order of the stream: tiling data, contiguous copies, initial values.
struct Preparation {
  std::byte* tiling = nullptr;
  std::byte* staging = nullptr;  // where leased copies begin; null: they lie in the caller's memory
  uint64_t staging_bytes = 0;
  std::vector<aclTensor> views;
  std::vector<uint8_t*> copies;  // where they go
  std::vector<OutputFill> fills;
};

class PrepareTask : public Task {
 public:
  PrepareTask(std::shared_ptr<OperatorCall> call, Preparation preparation)
      : call_(std::move(call)), preparation_(std::move(preparation)) {}
  Progress Run(Stream&) override {
    auto& memory = memory::DeviceMemory::Get();
    if (!call_->tiling.empty()) {
      memory.SetExtent(preparation_.tiling, call_->tiling.size(), call_->op->type + " tiling");
      std::memcpy(preparation_.tiling, call_->tiling.data(), call_->tiling.size());
    }
    if (preparation_.staging != nullptr) {
      memory.SetExtent(preparation_.staging, preparation_.staging_bytes,
                       call_->op->type + " contiguous copies");
    }
    for (size_t i = 0; i < preparation_.views.size(); ++i) {
      Gather(preparation_.views[i], preparation_.copies[i]);
    }
    for (const OutputFill& fill : preparation_.fills) {
      for (size_t at = 0; at < fill.bytes; at += fill.value.size()) {
        std::memcpy(fill.data + at, fill.value.data(), fill.value.size());
      }
    }
    return Progress::kDone;
  }
  std::string Describe() const override { return fmt::format("preparing {}", call_->op->type); }

 private:
  const std::shared_ptr<OperatorCall> call_;
  const Preparation preparation_;
};

/// After the kernel: gives back what the call held.
class ReleaseTask : public Task {
 public:
  ReleaseTask(std::shared_ptr<OperatorCall> call, std::vector<workspace::Lease> leases)
      : call_(std::move(call)), leases_(std::move(leases)) {}
  Progress Run(Stream&) override { return Progress::kDone; }
  std::string Describe() const override { return fmt::format("ending {}", call_->op->type); }

 private:
  const std::shared_ptr<OperatorCall> call_;
  const std::vector<workspace::Lease> leases_;
};

base::Result<void> CheckWorkspace(const OperatorCall& call, const void* workspace,
                                  uint64_t given_bytes, uint32_t device) {
  const auto complain = [&](const std::string& what) {
    return Invalid(fmt::format("The workspace ({}) of {} {}.", workspace, call.op->type, what),
                   ACLNN_ERR_PARAM_INVALID);
  };
  if (given_bytes < call.workspace_bytes) {
    return complain(
        fmt::format("has {} bytes, and {} are needed", given_bytes, call.workspace_bytes));
  }
  const auto buffer = memory::DeviceMemory::Get().Find(workspace);
  if (!buffer.has_value()) return complain("is not device memory");
  if (buffer->freed)
    return complain(fmt::format("points into {}, which has been freed", buffer->Name()));
  if (buffer->device != device) {
    return complain(fmt::format("is {} of [Device {}], and the stream is on [Device {}]",
                                buffer->Name(), buffer->device, device));
  }
  const uint64_t offset = reinterpret_cast<uintptr_t>(workspace) - buffer->base;
  if (buffer->size_bytes - offset < call.workspace_bytes) {
    return complain(fmt::format(
        "is at offset {} of {}, which has {} bytes: {} are left, and {} are needed", offset,
        buffer->Name(), buffer->size_bytes, buffer->size_bytes - offset, call.workspace_bytes));
  }
  if (reinterpret_cast<uintptr_t>(workspace) % 32 != 0)
    return complain("is not a multiple of 32 bytes");
  return {};
}

// The host itself reads what it makes contiguous and writes what it fills, so these have to lie in
// device memory as a whole; all others the launch and the kernel's own accesses check.
base::Result<void> CheckBytes(const OperatorCall& call, const BoundTensor& bound, uint32_t device) {
  const auto complain = [&](const std::string& what) {
    return Invalid(fmt::format("Tensor \"{}\" of {} ({}) {}.", bound.name, call.op->type,
                               bound.copy.data, what),
                   ACLNN_ERR_PARAM_INVALID);
  };
  const auto buffer = memory::DeviceMemory::Get().Find(bound.copy.data);
  if (!buffer.has_value() || buffer->origin == memory::Origin::kHost) {
    return complain("is not device memory");
  }
  if (buffer->freed)
    return complain(fmt::format("lies in {}, which has been freed", buffer->Name()));
  if (buffer->device != device) {
    return complain(fmt::format("lies in {} of [Device {}], and the stream is on [Device {}]",
                                buffer->Name(), buffer->device, device));
  }
  const auto range = bound.copy.ByteRange();
  const auto start =
      static_cast<int64_t>(reinterpret_cast<uintptr_t>(bound.copy.data) - buffer->base);
  if (!range.has_value() || start + range->first < 0 ||
      start + range->second > static_cast<int64_t>(buffer->size_bytes)) {
    return complain(fmt::format("goes with its strides and offset beyond {}, which has {} bytes",
                                buffer->Name(), buffer->size_bytes));
  }
  return {};
}

base::Result<void> CheckTensors(const OperatorCall& call, uint32_t device) {
  for (const BoundTensor& bound : call.tensors) {
    if (!bound.is_present || bound.copy.ElementCount() == 0) continue;
    if (bound.copy.data == nullptr) {
      return Invalid(fmt::format("Tensor \"{}\" of {} has no data.", bound.name, call.op->type),
                     ACLNN_ERR_PARAM_NULLPTR);
    }
    if (!bound.needs_staging && bound.fill.empty()) continue;
    if (auto bytes = CheckBytes(call, bound, device); !bytes.ok()) return bytes;
  }
  return {};
}

/// The workspace as one region: the library's part in front, as the tiling function counts it in.
PlanPointer PlanOf(const OperatorCall& call, uint64_t system_bytes) {
  const uint64_t front = std::min(system_bytes, call.kernel_workspace_bytes);
  return PlanOfOne(call.op->type, "workspace", front, call.kernel_workspace_bytes - front,
                   OperatorTable::Get().WorkspaceContents(call.op->type));
}

/// Leases bytes of the runtime's own for one call.
base::Result<std::byte*> Lease(Stream& stream, const OperatorCall& call, uint64_t bytes, Slot slot,
                               const char* what, std::vector<workspace::Lease>& leases) {
  auto lease = stream.memory().Acquire(slot, bytes, fmt::format("{} {}", call.op->type, what));
  if (!lease.ok()) {
    return std::move(lease.error().While(
        fmt::format("leasing {} bytes of {} for {}", bytes, what, call.op->type)));
  }
  std::byte* const base = lease->base();
  leases.push_back(std::move(lease).value());
  return base;
}

}  // namespace

struct OperatorTable::State {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Operator>> entries;
  std::map<std::string, workspace::Contents> contents;
};

OperatorTable& OperatorTable::Get() {
  static OperatorTable& table = *new OperatorTable;
  return table;
}

OperatorTable::State& OperatorTable::state() const {
  static State& state = *new State;
  return state;
}

Operator& OperatorTable::Entry(const std::string& type) {
  std::lock_guard lock(state().mutex);
  std::unique_ptr<Operator>& entry = state().entries[type];
  if (entry == nullptr) {
    entry = std::make_unique<Operator>();
    entry->type = type;
  }
  return *entry;
}

const Operator* OperatorTable::Find(const std::string& type) const {
  std::lock_guard lock(state().mutex);
  auto found = state().entries.find(type);
  return found == state().entries.end() || !found->second->defined ? nullptr : found->second.get();
}

void OperatorTable::SetWorkspaceContents(const std::string& type, workspace::Contents contents) {
  std::lock_guard lock(state().mutex);
  state().contents[type] = contents;
}

workspace::Contents OperatorTable::WorkspaceContents(const std::string& type) const {
  std::lock_guard lock(state().mutex);
  auto found = state().contents.find(type);
  return found == state().contents.end() ? workspace::Contents() : found->second;
}

std::vector<const Operator*> OperatorTable::All() const {
  std::lock_guard lock(state().mutex);
  std::vector<const Operator*> all;
  for (const auto& [type, entry] : state().entries) {
    if (entry->defined) all.push_back(entry.get());
  }
  return all;
}

base::Result<std::shared_ptr<OperatorCall>> PlanCall(const std::string& type,
                                                     const HostnpuOpArgument* arguments,
                                                     uint32_t count) {
  const Operator* op = OperatorTable::Get().Find(type);
  if (op == nullptr) {
    std::vector<std::string> known;
    for (const Operator* entry : OperatorTable::Get().All()) known.push_back(entry->type);
    return base::Error{
        base::Code::kNotFound,
        fmt::format("No loaded library has an operator {}. Loaded: {}.", type,
                    known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")))};
  }
  Planning p(*op);
  p.call->op = op;
  p.node.name = type;
  p.node.type = type;
  if (auto level = SystemParameter(ACL_OPT_DETERMINISTIC); level.ok()) {
    p.node.deterministic = static_cast<int32_t>(*level);
  }
  if (!p.platform.Init()) return NewestError();
  p.node.platform = &p.platform;
  if (auto r = Bind(p, arguments, count); !r.ok()) return std::move(r).error();
  HOSTNPU_ASSIGN_OR_RETURN(const size_t combination, ChooseCombination(p));
  if (auto r = CheckInferredShapes(p); !r.ok()) return std::move(r).error();
  if (AllOutputsEmpty(*p.call)) {
    p.call->skip = true;
    return p.call;
  }
  p.call->kernel = op->kernels.size() == 1 ? 0 : combination;
  if (p.call->kernel >= op->kernels.size() || op->kernels[p.call->kernel] == nullptr) {
    return Failed(
        fmt::format("The library of {} has no kernel for these data types, or it cannot be "
                    "loaded.",
                    type),
        ACLNN_ERR_INNER_FIND_KERNEL_ERROR);
  }
  if (auto r = Tile(p, combination); !r.ok()) return std::move(r).error();
  PlaceStaging(*p.call);
  return p.call;
}

base::Result<void> RunCall(const std::shared_ptr<OperatorCall>& call, void* workspace,
                           uint64_t workspace_bytes, void* stream_handle) {
  if (call->skip) return {};
  HOSTNPU_ASSIGN_OR_RETURN(std::shared_ptr<Stream> stream, FindStream(stream_handle));
  if (auto r = CheckTensors(*call, stream->device()); !r.ok()) return r;
  HOSTNPU_ASSIGN_OR_RETURN(const arch::Chip* chip, DeviceChip());
  const auto sequence = stream->HoldSequence();
  auto* base = static_cast<uint8_t*>(workspace);
  Preparation preparation;
  LaunchMemory memory;
  std::vector<workspace::Lease> leases;
  const uint64_t copies_begin = RoundUp(call->kernel_workspace_bytes, kAlignment);
  uint8_t* copies = nullptr;  // where the offsets of staged inputs count from
  if (base != nullptr && call->workspace_bytes > 0) {
    if (auto r = CheckWorkspace(*call, workspace, workspace_bytes, stream->device()); !r.ok())
      return r;
    copies = base;
  } else if (call->workspace_bytes > copies_begin) {
    preparation.staging_bytes = call->workspace_bytes - copies_begin;
    HOSTNPU_ASSIGN_OR_RETURN(preparation.staging,
                             Lease(*stream, *call, preparation.staging_bytes, Slot::kCopies,
                                   "contiguous copies", leases));
    copies = reinterpret_cast<uint8_t*>(preparation.staging) - copies_begin;
  }
  if (call->kernel_workspace_bytes > 0) {
    PlanPointer plan = PlanOf(*call, chip->system_workspace_bytes);
    if (base != nullptr) {
      memory.Watch(std::move(plan), reinterpret_cast<std::byte*>(base));
    } else {
      auto front = memory.Lease(stream->memory(), Slot::kWorkspace, std::move(plan));
      if (!front.ok()) {
        return std::move(front.error().While(fmt::format(
            "leasing {} bytes of workspace for {}", call->kernel_workspace_bytes, call->op->type)));
      }
      base = reinterpret_cast<uint8_t*>(*front);
    }
  }
  if (!call->tiling.empty()) {
    HOSTNPU_ASSIGN_OR_RETURN(preparation.tiling, Lease(*stream, *call, call->tiling.size(),
                                                       Slot::kTiling, "tiling", leases));
  }
  std::vector<uint8_t*> addresses;
  for (const BoundTensor& bound : call->tensors) {
    if (!bound.is_present) {
      addresses.push_back(nullptr);
    } else if (bound.needs_staging) {
      // Without bytes there is nothing to copy, and may be nowhere to copy to.
      addresses.push_back(copies == nullptr ? nullptr : copies + bound.staging);
      preparation.views.push_back(bound.copy);
      preparation.copies.push_back(addresses.back());
    } else {
      addresses.push_back(bound.copy.Address());
    }
    if (bound.fill.empty()) continue;
    preparation.fills.push_back(
        {addresses.back(), static_cast<size_t>(bound.copy.Bytes()), bound.fill});
  }
  addresses.push_back(call->kernel_workspace_bytes > 0 ? base : nullptr);
  addresses.push_back(reinterpret_cast<uint8_t*>(preparation.tiling));
  stream->Enqueue(std::make_unique<PrepareTask>(call, std::move(preparation)));
  const BatchMode mode(call->batch_mode);
  LeaveForNextLaunch(std::move(memory));
  const int status =
      call->op->kernels[call->kernel](call->blocks, stream->handle(), call->tiling_key,
                                      addresses.data(), static_cast<uint32_t>(addresses.size()));
  TakeLeftMemory();  // if it was not launched
  stream->Enqueue(std::make_unique<ReleaseTask>(call, std::move(leases)));
  if (status == op::kNoSuchInstance) {
    return Failed(fmt::format("The kernel of {} has no instance for the tiling key {}.",
                              call->op->type, call->tiling_key),
                  ACLNN_ERR_INNER_FIND_KERNEL_ERROR);
  }
  if (status != 0) {
    return NewestError().While(fmt::format("calling {} with tiling key {} and {} blocks",
                                           call->op->type, call->tiling_key, call->blocks));
  }
  return {};
}

namespace {
struct Executors {
  std::mutex mutex;
  std::unordered_map<const aclOpExecutor*, std::shared_ptr<OperatorCall>> live;
  uintptr_t next = 0x10000;
};
Executors& AllExecutors() {
  static Executors& executors = *new Executors;
  return executors;
}
}  // namespace

aclOpExecutor* AddExecutor(std::shared_ptr<OperatorCall> call) {
  Executors& all = AllExecutors();
  std::lock_guard lock(all.mutex);
  // A number that is never used again, so that a stale executor is found out.
  auto* handle = reinterpret_cast<aclOpExecutor*>(all.next += 16);
  all.live.emplace(handle, std::move(call));
  return handle;
}

base::Result<std::shared_ptr<OperatorCall>> FindExecutor(const aclOpExecutor* executor) {
  if (executor == nullptr) return Invalid("The executor is null.", ACLNN_ERR_INNER_NULLPTR);
  Executors& all = AllExecutors();
  std::lock_guard lock(all.mutex);
  auto found = all.live.find(executor);
  if (found == all.live.end()) {
    return Invalid(
        fmt::format("The executor ({}) does not exist or has been used: one that is not repeatable "
                    "(aclSetAclOpExecutorRepeatable) serves one call.",
                    fmt::ptr(executor)),
        ACLNN_ERR_PARAM_INVALID);
  }
  return found->second;
}

void RemoveExecutor(const aclOpExecutor* executor) {
  Executors& all = AllExecutors();
  std::lock_guard lock(all.mutex);
  all.live.erase(executor);
}

}  // namespace hostnpu::runtime

extern "C" __attribute__((visibility("default"))) hostnpu::op::Operator* hostnpu_operator(
    const char* type) {
  return &hostnpu::runtime::OperatorTable::Get().Entry(type);
}

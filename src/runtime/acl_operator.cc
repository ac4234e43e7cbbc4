// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstring>
#include <memory>
#include <optional>

#include "aclnn/aclnn_base.h"
#include "hostnpu/operator_call.h"
#include "runtime/api.h"
#include "runtime/op_tensor.h"
#include "runtime/operator_call.h"

using namespace hostnpu;           // NOLINT: C functions only
using namespace hostnpu::runtime;  // NOLINT

namespace {

constexpr uint64_t kMaxDims = 25;
constexpr int64_t kMaxElements = int64_t{1} << 56;  // so that their bits can be counted

aclnnStatus CopyDims(const std::vector<int64_t>& from, int64_t** dims, uint64_t* count) {
  if (dims == nullptr || count == nullptr) return ACLNN_ERR_PARAM_NULLPTR;
  *count = from.size();
  *dims = new int64_t[from.size() + 1];
  std::memcpy(*dims, from.data(), from.size() * sizeof(int64_t));
  return ACLNN_SUCCESS;
}

base::Error Numbered(int number, base::Error error) {
  error.number = number;
  return error;
}

base::Error InvalidAddress(std::string message) {
  return Numbered(ACLNN_ERR_PARAM_INVALID,
                  base::Error{base::Code::kInvalidArgument, std::move(message)});
}

/// A tensor of a call, and where to look for it in messages.
struct Picked {
  BoundTensor* tensor = nullptr;
  uint64_t index = 0;
};

/// The index-th of all tensors.
base::Result<Picked> PickAny(OperatorCall& call, uint64_t index) {
  if (index < call.tensors.size()) return Picked{&call.tensors[index], index};
  return InvalidAddress(fmt::format("The index ({}) is beyond the {} tensors of the call.", index,
                                    call.tensors.size()));
}

/// By the input or output of the definition; `relative` in a list, nothing for a single tensor.
base::Result<Picked> PickOf(OperatorCall& call, bool outputs, uint64_t ir_index,
                            std::optional<uint64_t> relative) {
  const size_t inputs = call.op->inputs.size();
  const size_t count = outputs ? call.op->outputs.size() : inputs;
  if (ir_index >= count) {
    return InvalidAddress(fmt::format("The index ({}) is beyond the {} {} of {}.", ir_index, count,
                                      outputs ? "outputs" : "inputs", call.op->type));
  }
  const BoundParameter& parameter = call.parameters[ir_index + (outputs ? inputs : 0)];
  if (parameter.is_list != relative.has_value()) {
    return InvalidAddress(fmt::format("Index {} of {} is {}.", ir_index, call.op->type,
                                      parameter.is_list ? "a list of tensors" : "one tensor"));
  }
  if (relative.value_or(0) >= parameter.count) {
    return InvalidAddress(fmt::format("The index ({}) is beyond the {} tensors of the list.",
                                      *relative, parameter.count));
  }
  return Picked{&call.tensors[parameter.first + relative.value_or(0)], ir_index};
}

/// A tensor of a repeatable executor gets other data.
template <typename Pick>
aclnnStatus SetAddress(const char* function, aclOpExecutor* executor, void* address, Pick pick) {
  return Call(function, [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto call, FindExecutor(executor));
    base::Result<Picked> picked = pick(*call);
    if (!picked.ok()) return std::move(picked).error();
    if (address == nullptr) return Numbered(ACLNN_ERR_INNER_NULLPTR, NullArgument("addr"));
    if (reinterpret_cast<uintptr_t>(address) % 32 != 0) {
      return InvalidAddress(
          fmt::format("The address ({}) is not a multiple of 32 bytes.", address));
    }
    if (!picked->tensor->is_present) {
      return InvalidAddress(fmt::format("Tensor \"{}\" ({}) is absent from the call.",
                                        picked->tensor->name, picked->index));
    }
    picked->tensor->copy.data = address;
    return {};
  });
}

}  // namespace

aclTensor* aclCreateTensor(const int64_t* view_dims, uint64_t view_dim_count, aclDataType dtype,
                           const int64_t* strides, int64_t offset, aclFormat format,
                           const int64_t* storage_dims, uint64_t storage_dim_count, void* data) {
  if ((view_dims == nullptr && view_dim_count > 0) || view_dim_count > kMaxDims ||
      storage_dim_count > kMaxDims) {
    return nullptr;
  }
  auto tensor = std::make_unique<aclTensor>();
  if (view_dim_count > 0) tensor->view_dims.assign(view_dims, view_dims + view_dim_count);
  tensor->strides.resize(view_dim_count);
  int64_t step = 1;
  for (size_t d = view_dim_count; d-- > 0;) {
    tensor->strides[d] = strides != nullptr ? strides[d] : step;
    const int64_t dim = tensor->view_dims[d];
    if (dim < 0 || __builtin_mul_overflow(step, dim, &step) || step > kMaxElements) return nullptr;
  }
  tensor->offset = offset;
  if (storage_dims != nullptr && storage_dim_count > 0) {
    tensor->storage_dims.assign(storage_dims, storage_dims + storage_dim_count);
  }
  tensor->dtype = dtype;
  tensor->format = format;
  tensor->data = data;
  return tensor.release();
}

aclScalar* aclCreateScalar(void* value, aclDataType dtype) {
  if (value == nullptr) return nullptr;
  auto scalar = std::make_unique<aclScalar>();
  scalar->dtype = dtype;
  const auto read = [value](auto zero) {
    std::memcpy(&zero, value, sizeof(zero));
    return zero;
  };
  switch (dtype) {
    case ACL_FLOAT:
      scalar->real = read(float{});
      break;
    case ACL_DOUBLE:
      scalar->real = read(double{});
      break;
    case ACL_FLOAT16:
      scalar->real = static_cast<double>(aclFloat16ToFloat(read(aclFloat16{})));
      break;
    case ACL_BF16:
      scalar->real = std::bit_cast<float>(uint32_t{read(uint16_t{})} << 16);
      break;
    case ACL_INT8:
      scalar->integer = read(int8_t{});
      break;
    case ACL_UINT8:
    case ACL_BOOL:
      scalar->integer = read(uint8_t{});
      break;
    case ACL_INT16:
      scalar->integer = read(int16_t{});
      break;
    case ACL_UINT16:
      scalar->integer = read(uint16_t{});
      break;
    case ACL_INT32:
      scalar->integer = read(int32_t{});
      break;
    case ACL_UINT32:
      scalar->integer = read(uint32_t{});
      break;
    case ACL_INT64:
      scalar->integer = read(int64_t{});
      break;
    default:
      return nullptr;
  }
  if (dtype != ACL_FLOAT && dtype != ACL_DOUBLE && dtype != ACL_FLOAT16 && dtype != ACL_BF16)
    scalar->real = static_cast<double>(scalar->integer);
  return scalar.release();
}

aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
  if (value == nullptr && size > 0) return nullptr;
  return new aclIntArray{std::vector<int64_t>(value, value + size)};
}
aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) {
  if (value == nullptr && size > 0) return nullptr;
  return new aclFloatArray{std::vector<float>(value, value + size)};
}
aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
  if (value == nullptr && size > 0) return nullptr;
  return new aclBoolArray{std::vector<uint8_t>(value, value + size)};
}
aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size) {
  if (value == nullptr && size > 0) return nullptr;
  return new aclTensorList{std::vector<const aclTensor*>(value, value + size)};
}
aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size) {
  if (value == nullptr && size > 0) return nullptr;
  return new aclScalarList{std::vector<const aclScalar*>(value, value + size)};
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  delete tensor;
  return ACLNN_SUCCESS;
}
aclnnStatus aclDestroyScalar(const aclScalar* scalar) {
  delete scalar;
  return ACLNN_SUCCESS;
}
aclnnStatus aclDestroyIntArray(const aclIntArray* array) {
  delete array;
  return ACLNN_SUCCESS;
}
aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) {
  delete array;
  return ACLNN_SUCCESS;
}
aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) {
  delete array;
  return ACLNN_SUCCESS;
}
aclnnStatus aclDestroyTensorList(const aclTensorList* list) {
  if (list != nullptr) {
    for (const aclTensor* tensor : list->tensors) delete tensor;
  }
  delete list;
  return ACLNN_SUCCESS;
}
aclnnStatus aclDestroyScalarList(const aclScalarList* list) {
  if (list != nullptr) {
    for (const aclScalar* scalar : list->scalars) delete scalar;
  }
  delete list;
  return ACLNN_SUCCESS;
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** dims, uint64_t* count) {
  return tensor == nullptr ? ACLNN_ERR_PARAM_NULLPTR : CopyDims(tensor->view_dims, dims, count);
}
aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** dims, uint64_t* count) {
  return tensor == nullptr ? ACLNN_ERR_PARAM_NULLPTR : CopyDims(tensor->storage_dims, dims, count);
}
aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** strides, uint64_t* count) {
  return tensor == nullptr ? ACLNN_ERR_PARAM_NULLPTR : CopyDims(tensor->strides, strides, count);
}
aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
  if (tensor == nullptr || offset == nullptr) return ACLNN_ERR_PARAM_NULLPTR;
  *offset = tensor->offset;
  return ACLNN_SUCCESS;
}
aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
  if (tensor == nullptr || format == nullptr) return ACLNN_ERR_PARAM_NULLPTR;
  *format = tensor->format;
  return ACLNN_SUCCESS;
}
aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dtype) {
  if (tensor == nullptr || dtype == nullptr) return ACLNN_ERR_PARAM_NULLPTR;
  *dtype = tensor->dtype;
  return ACLNN_SUCCESS;
}
aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** address) {
  if (tensor == nullptr || address == nullptr) return ACLNN_ERR_PARAM_NULLPTR;
  *address = tensor->data;
  return ACLNN_SUCCESS;
}
aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* address) {
  if (tensor == nullptr) return ACLNN_ERR_PARAM_NULLPTR;
  tensor->data = address;
  return ACLNN_SUCCESS;
}
aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
  if (array == nullptr || size == nullptr) return ACLNN_ERR_PARAM_NULLPTR;
  *size = array->values.size();
  return ACLNN_SUCCESS;
}
aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
  if (array == nullptr || size == nullptr) return ACLNN_ERR_PARAM_NULLPTR;
  *size = array->values.size();
  return ACLNN_SUCCESS;
}
aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
  if (array == nullptr || size == nullptr) return ACLNN_ERR_PARAM_NULLPTR;
  *size = array->values.size();
  return ACLNN_SUCCESS;
}
aclnnStatus aclGetTensorListSize(const aclTensorList* list, uint64_t* size) {
  if (list == nullptr || size == nullptr) return ACLNN_ERR_PARAM_NULLPTR;
  *size = list->tensors.size();
  return ACLNN_SUCCESS;
}

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
  return Call("aclSetAclOpExecutorRepeatable", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto call, FindExecutor(executor));
    call->repeatable = true;
    return {};
  });
}
aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  return Call("aclDestroyAclOpExecutor", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto call, FindExecutor(executor));
    RemoveExecutor(executor);
    return {};
  });
}
aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, uint64_t index, aclTensor*, void* address) {
  return SetAddress("aclSetTensorAddr", executor, address,
                    [&](OperatorCall& call) { return PickAny(call, index); });
}
aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, uint64_t index, aclTensor*,
                                  void* address) {
  return SetAddress("aclSetInputTensorAddr", executor, address,
                    [&](OperatorCall& call) { return PickOf(call, false, index, std::nullopt); });
}
aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, uint64_t index, aclTensor*,
                                   void* address) {
  return SetAddress("aclSetOutputTensorAddr", executor, address,
                    [&](OperatorCall& call) { return PickOf(call, true, index, std::nullopt); });
}
aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor* executor, uint64_t ir_index,
                                         uint64_t relative_index, aclTensorList*, void* address) {
  return SetAddress("aclSetDynamicInputTensorAddr", executor, address, [&](OperatorCall& call) {
    return PickOf(call, false, ir_index, relative_index);
  });
}
aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor* executor, uint64_t ir_index,
                                          uint64_t relative_index, aclTensorList*, void* address) {
  return SetAddress("aclSetDynamicOutputTensorAddr", executor, address, [&](OperatorCall& call) {
    return PickOf(call, true, ir_index, relative_index);
  });
}

aclnnStatus aclnnInit(const char* config) { return aclInit(config); }
aclnnStatus aclnnFinalize() { return aclFinalize(); }

__attribute__((visibility("default"))) aclnnStatus
hostnpu_op_plan(const char* function, const char* type, const HostnpuOpArgument* arguments,
                uint32_t count, uint64_t* workspace_bytes, aclOpExecutor** executor) {
  return Call(function, [&]() -> base::Result<void> {
    if (workspace_bytes == nullptr)
      return Numbered(ACLNN_ERR_PARAM_NULLPTR, NullArgument("workspaceSize"));
    if (executor == nullptr) return Numbered(ACLNN_ERR_PARAM_NULLPTR, NullArgument("executor"));
    HOSTNPU_ASSIGN_OR_RETURN(auto call, PlanCall(type, arguments, count));
    *workspace_bytes = call->workspace_bytes;
    *executor = AddExecutor(std::move(call));
    return {};
  });
}

__attribute__((visibility("default"))) aclnnStatus hostnpu_op_run(const char* function,
                                                                  void* workspace,
                                                                  uint64_t workspace_bytes,
                                                                  aclOpExecutor* executor,
                                                                  void* stream) {
  return Call(function, [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto call, FindExecutor(executor));
    auto result = RunCall(call, workspace, workspace_bytes, stream);
    if (!call->repeatable) RemoveExecutor(executor);
    return result;
  });
}

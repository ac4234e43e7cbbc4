// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels by name: binaries, functions, argument lists.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/api.h"
#include "runtime/argument_list.h"
#include "runtime/handle.h"
#include "runtime/module.h"

using namespace hostnpu;           // NOLINT: C functions only
using namespace hostnpu::runtime;  // NOLINT

namespace {

using Bytes = std::vector<char>;
using FunctionPointer = std::shared_ptr<const KernelFunction>;

template <typename T, HandleKind kind>
HandleTable<T>& TableOf() {
  static HandleTable<T>& table = *new HandleTable<T>(kind);
  return table;
}
HandleTable<Bytes>& Binaries() { return TableOf<Bytes, HandleKind::kBinary>(); }
HandleTable<Module>& Modules() { return TableOf<Module, HandleKind::kModule>(); }
HandleTable<FunctionPointer>& Functions() {
  return TableOf<FunctionPointer, HandleKind::kFunction>();
}
HandleTable<ArgumentList>& Arguments() { return TableOf<ArgumentList, HandleKind::kArguments>(); }

template <typename T>
void* AddNew(HandleTable<T>& table, std::shared_ptr<T> object) {
  return table.Add(table.NextId(), std::move(object));
}

template <typename T>
base::Result<std::shared_ptr<T>> FindIn(HandleTable<T>& table, const void* handle,
                                        const char* what) {
  if (auto found = table.Find(handle)) return found;
  return ErrorWith(
      ACL_ERROR_RT_INVALID_HANDLE,
      fmt::format("The {} is {}, which {}.", what, DescribeHandle(handle),
                  IsHandleOf(table.kind(), handle) ? "has been destroyed" : "is none"));
}

base::Result<const KernelFunction*> FindFunction(const void* handle) {
  HOSTNPU_ASSIGN_OR_RETURN(auto function, FindIn(Functions(), handle, "function"));
  return function->get();
}

/// What a launch configuration may ask for here.
base::Result<void> ApplyConfiguration(const aclrtLaunchKernelCfg* configuration,
                                      FunctionLaunch& launch) {
  if (configuration == nullptr) return {};
  for (size_t i = 0; i < configuration->numAttrs; ++i) {
    const aclrtLaunchKernelAttr& attribute = configuration->attrs[i];
    switch (attribute.id) {
      case ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE:
        launch.batch_mode = attribute.value.schemMode != 0;
        break;
      case ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH:  // speed only
      case ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT:              // what cannot go on ends at once
      case ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US:
        break;
      case ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE:
        launch.kernel_type = attribute.value.engineType == ACL_RT_ENGINE_TYPE_AIC
                                 ? HOSTNPU_KERNEL_AIC_ONLY
                                 : HOSTNPU_KERNEL_AIV_ONLY;
        break;
      default:
        return base::Error{base::Code::kUnsupported,
                           fmt::format("The launch attribute ({}) is not supported here.",
                                       static_cast<int>(attribute.id))};
    }
  }
  return {};
}

base::Result<void> LaunchPacked(aclrtFuncHandle handle, uint32_t blocks, const void* packed,
                                size_t bytes, const aclrtLaunchKernelCfg* configuration,
                                aclrtStream stream) {
  HOSTNPU_ASSIGN_OR_RETURN(const KernelFunction* function, FindFunction(handle));
  FunctionLaunch launch{function, blocks, packed, bytes, stream, HOSTNPU_KERNEL_UNDECLARED, 0};
  HOSTNPU_TRY(ApplyConfiguration(configuration, launch), "reading the launch configuration");
  return LaunchFunction(launch);
}

base::Result<void> AddModule(base::Result<std::shared_ptr<Module>> module, aclrtBinHandle* handle) {
  if (!module.ok()) return std::move(module).error();
  *handle = AddNew(Modules(), std::move(module).value());
  return {};
}

}  // namespace

aclrtBinary aclrtCreateBinary(const void* data, size_t size) {
  if (data == nullptr || size == 0) {
    KeepError("aclrtCreateBinary", NullArgument("data"));
    return nullptr;
  }
  const char* begin = static_cast<const char*>(data);
  return AddNew(Binaries(), std::make_shared<Bytes>(begin, begin + size));
}

aclError aclrtDestroyBinary(aclrtBinary handle) {
  return Call("aclrtDestroyBinary", [&]() -> base::Result<void> {
    HOSTNPU_TRY(FindIn(Binaries(), handle, "binary"), "destroying a binary");
    Binaries().Remove(handle);
    return {};
  });
}

aclError aclrtBinaryLoad(const aclrtBinary handle, aclrtBinHandle* module) {
  return Call("aclrtBinaryLoad", [&]() -> base::Result<void> {
    if (module == nullptr) return NullArgument("binHandle");
    HOSTNPU_ASSIGN_OR_RETURN(auto binary, FindIn(Binaries(), handle, "binary"));
    return AddModule(Module::LoadBytes(binary->data(), binary->size()), module);
  });
}

aclError aclrtBinaryLoadFromFile(const char* path, aclrtBinaryLoadOptions*,
                                 aclrtBinHandle* module) {
  return Call("aclrtBinaryLoadFromFile", [&]() -> base::Result<void> {
    if (path == nullptr) return NullArgument("binPath");
    if (module == nullptr) return NullArgument("binHandle");
    return AddModule(Module::Load(path), module);
  });
}

aclError aclrtBinaryLoadFromData(const void* data, size_t size, const aclrtBinaryLoadOptions*,
                                 aclrtBinHandle* module) {
  return Call("aclrtBinaryLoadFromData", [&]() -> base::Result<void> {
    if (data == nullptr || size == 0) return NullArgument("data");
    if (module == nullptr) return NullArgument("binHandle");
    return AddModule(Module::LoadBytes(data, size), module);
  });
}

aclError aclrtBinaryUnLoad(aclrtBinHandle handle) {
  return Call("aclrtBinaryUnLoad", [&]() -> base::Result<void> {
    HOSTNPU_TRY(FindIn(Modules(), handle, "module"), "unloading a module");
    Modules().Remove(handle);
    return {};
  });
}

aclError aclrtBinaryGetFunction(const aclrtBinHandle handle, const char* name,
                                aclrtFuncHandle* function) {
  return Call("aclrtBinaryGetFunction", [&]() -> base::Result<void> {
    if (name == nullptr) return NullArgument("kernelName");
    if (function == nullptr) return NullArgument("funcHandle");
    HOSTNPU_ASSIGN_OR_RETURN(auto module, FindIn(Modules(), handle, "module"));
    HOSTNPU_ASSIGN_OR_RETURN(auto found, module->Find(name));
    *function = AddNew(Functions(), std::make_shared<FunctionPointer>(std::move(found)));
    return {};
  });
}

aclError aclrtGetFunctionName(aclrtFuncHandle handle, uint32_t capacity, char* name) {
  return Call("aclrtGetFunctionName", [&]() -> base::Result<void> {
    if (name == nullptr) return NullArgument("name");
    HOSTNPU_ASSIGN_OR_RETURN(const KernelFunction* function, FindFunction(handle));
    if (function->name.size() + 1 > capacity) {
      return base::Error{base::Code::kInvalidArgument,
                         fmt::format("The name needs {} bytes and maxLen is {}.",
                                     function->name.size() + 1, capacity)};
    }
    std::memcpy(name, function->name.c_str(), function->name.size() + 1);
    return {};
  });
}

aclError aclrtGetFunctionAttribute(aclrtFuncHandle handle, aclrtFuncAttribute attribute,
                                   int64_t* value) {
  return Call("aclrtGetFunctionAttribute", [&]() -> base::Result<void> {
    if (value == nullptr) return NullArgument("attrValue");
    HOSTNPU_ASSIGN_OR_RETURN(const KernelFunction* function, FindFunction(handle));
    const auto kernel = KernelRegistry::Get().Find(function->name);
    const HostnpuKernelType type = kernel != nullptr ? kernel->type : HOSTNPU_KERNEL_AIV_ONLY;
    const engine::BlockCores cores = CoresOf(type);
    switch (attribute) {
      case ACL_FUNC_ATTR_KERNEL_TYPE:
        *value = IsMix(type)      ? ACL_KERNEL_TYPE_MIX
                 : cores.aic != 0 ? ACL_KERNEL_TYPE_CUBE
                                  : ACL_KERNEL_TYPE_VECTOR;
        return {};
      case ACL_FUNC_ATTR_KERNEL_RATIO:
        *value = static_cast<int64_t>(cores.aiv) << 16 | cores.aic;
        return {};
      case ACL_FUNC_ATTR_KERNEL_SCHED_MODE:
        *value = 0;
        return {};
    }
    return base::Error{base::Code::kInvalidArgument,
                       fmt::format("The attribute ({}) is none of aclrtFuncAttribute.",
                                   static_cast<int>(attribute))};
  });
}

aclError aclrtLaunchKernel(aclrtFuncHandle function, uint32_t blocks, const void* packed,
                           size_t bytes, aclrtStream stream) {
  return Call("aclrtLaunchKernel",
              [&] { return LaunchPacked(function, blocks, packed, bytes, nullptr, stream); });
}

aclError aclrtLaunchKernelV2(aclrtFuncHandle function, uint32_t blocks, const void* packed,
                             size_t bytes, aclrtLaunchKernelCfg* configuration,
                             aclrtStream stream) {
  return Call("aclrtLaunchKernelV2",
              [&] { return LaunchPacked(function, blocks, packed, bytes, configuration, stream); });
}

aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle function, uint32_t blocks,
                                       aclrtStream stream, aclrtLaunchKernelCfg* configuration,
                                       void* packed, size_t bytes, aclrtPlaceHolderInfo* places,
                                       size_t place_count) {
  return Call("aclrtLaunchKernelWithHostArgs", [&]() -> base::Result<void> {
    if (packed == nullptr) return NullArgument("hostArgs");
    if (places == nullptr && place_count != 0) return NullArgument("placeHolderArray");
    HOSTNPU_ASSIGN_OR_RETURN(const KernelFunction* found, FindFunction(function));
    ArgumentList list(*found);
    std::vector<aclrtPlaceHolderInfo> all(places, places + place_count);
    HOSTNPU_TRY(list.TakePacked(packed, bytes, all), "reading the arguments");
    FunctionLaunch launch{found, blocks, nullptr, 0, stream, HOSTNPU_KERNEL_UNDECLARED, 0};
    HOSTNPU_TRY(ApplyConfiguration(configuration, launch), "reading the launch configuration");
    return list.Launch(launch);
  });
}

aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle function, uint32_t blocks, aclrtStream stream,
                                     aclrtLaunchKernelCfg* configuration, aclrtArgsHandle arguments,
                                     void*) {
  return Call("aclrtLaunchKernelWithConfig", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(const KernelFunction* found, FindFunction(function));
    HOSTNPU_ASSIGN_OR_RETURN(auto list, FindIn(Arguments(), arguments, "argument list"));
    FunctionLaunch launch{found, blocks, nullptr, 0, stream, HOSTNPU_KERNEL_UNDECLARED, 0};
    HOSTNPU_TRY(ApplyConfiguration(configuration, launch), "reading the launch configuration");
    return list->Launch(launch);
  });
}

aclError aclrtKernelArgsInit(aclrtFuncHandle function, aclrtArgsHandle* arguments) {
  return Call("aclrtKernelArgsInit", [&]() -> base::Result<void> {
    if (arguments == nullptr) return NullArgument("argsHandle");
    HOSTNPU_ASSIGN_OR_RETURN(const KernelFunction* found, FindFunction(function));
    *arguments = AddNew(Arguments(), std::make_shared<ArgumentList>(*found));
    return {};
  });
}

aclError aclrtKernelArgsAppend(aclrtArgsHandle arguments, void* value, size_t bytes,
                               aclrtParamHandle* parameter) {
  return Call("aclrtKernelArgsAppend", [&]() -> base::Result<void> {
    if (value == nullptr) return NullArgument("param");
    HOSTNPU_ASSIGN_OR_RETURN(auto list, FindIn(Arguments(), arguments, "argument list"));
    HOSTNPU_ASSIGN_OR_RETURN(const size_t index, list->Append(value, bytes));
    if (parameter != nullptr) *parameter = ArgumentList::ParameterHandle(index);
    return {};
  });
}

aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle arguments, aclrtParamHandle* parameter) {
  return Call("aclrtKernelArgsAppendPlaceHolder", [&]() -> base::Result<void> {
    if (parameter == nullptr) return NullArgument("paramHandle");
    HOSTNPU_ASSIGN_OR_RETURN(auto list, FindIn(Arguments(), arguments, "argument list"));
    void* nothing = nullptr;
    HOSTNPU_ASSIGN_OR_RETURN(const size_t index, list->Append(&nothing, sizeof(nothing)));
    *parameter = ArgumentList::ParameterHandle(index);
    return {};
  });
}

aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle arguments, aclrtParamHandle parameter,
                                             size_t bytes, void** buffer) {
  return Call("aclrtKernelArgsGetPlaceHolderBuffer", [&]() -> base::Result<void> {
    if (buffer == nullptr) return NullArgument("bufferAddr");
    HOSTNPU_ASSIGN_OR_RETURN(auto list, FindIn(Arguments(), arguments, "argument list"));
    HOSTNPU_ASSIGN_OR_RETURN(*buffer, list->PlaceHolderBuffer(parameter, bytes));
    return {};
  });
}

aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle arguments, aclrtParamHandle parameter,
                                   void* value, size_t bytes) {
  return Call("aclrtKernelArgsParaUpdate", [&]() -> base::Result<void> {
    if (value == nullptr) return NullArgument("param");
    HOSTNPU_ASSIGN_OR_RETURN(auto list, FindIn(Arguments(), arguments, "argument list"));
    return list->Update(parameter, value, bytes);
  });
}

aclError aclrtKernelArgsFinalize(aclrtArgsHandle arguments) {
  return Call("aclrtKernelArgsFinalize", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto list, FindIn(Arguments(), arguments, "argument list"));
    return list->Finish();
  });
}

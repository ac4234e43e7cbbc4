// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/api.h"
#include "runtime/context.h"
#include "runtime/device.h"
#include "runtime/system_parameter.h"

using namespace hostnpu;           // NOLINT: C functions only
using namespace hostnpu::runtime;  // NOLINT

aclError aclrtCreateContext(aclrtContext* context, int32_t device) {
  return Call("aclrtCreateContext", [&]() -> base::Result<void> {
    if (context == nullptr) return NullArgument("context");
    HOSTNPU_ASSIGN_OR_RETURN(auto made, CreateContext(device));
    *context = made->handle();
    return {};
  });
}

aclError aclrtDestroyContext(aclrtContext context) {
  return Call("aclrtDestroyContext", [&] { return DestroyContext(context); });
}

aclError aclrtSetCurrentContext(aclrtContext handle) {
  return Call("aclrtSetCurrentContext", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto context, FindContext(handle));
    SetCurrentContext(std::move(context));
    return {};
  });
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
  return Call("aclrtGetCurrentContext", [&]() -> base::Result<void> {
    if (context == nullptr) return NullArgument("context");
    HOSTNPU_ASSIGN_OR_RETURN(auto current, CurrentContext());
    *context = current->handle();
    return {};
  });
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream) {
  return Call("aclrtCtxGetCurrentDefaultStream", [&]() -> base::Result<void> {
    if (stream == nullptr) return NullArgument("stream");
    HOSTNPU_ASSIGN_OR_RETURN(auto current, CurrentContext());
    *stream = current->DefaultStream()->handle();
    return {};
  });
}

aclError aclrtGetSysParamOpt(aclSysParamOpt option, int64_t* value) {
  return Call("aclrtGetSysParamOpt", [&]() -> base::Result<void> {
    if (value == nullptr) return NullArgument("value");
    HOSTNPU_ASSIGN_OR_RETURN(*value, SystemParameter(option));
    return {};
  });
}

aclError aclrtSetSysParamOpt(aclSysParamOpt option, int64_t value) {
  return Call("aclrtSetSysParamOpt", [&] { return SetSystemParameter(option, value); });
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt option, int64_t* value) {
  return Call("aclrtCtxGetSysParamOpt", [&]() -> base::Result<void> {
    if (value == nullptr) return NullArgument("value");
    HOSTNPU_TRY(CurrentContext(), "asking for a system parameter");
    HOSTNPU_ASSIGN_OR_RETURN(*value, SystemParameter(option));
    return {};
  });
}

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt option, int64_t value) {
  return Call("aclrtCtxSetSysParamOpt", [&]() -> base::Result<void> {
    HOSTNPU_TRY(CurrentContext(), "setting a system parameter");
    return SetSystemParameter(option, value);
  });
}

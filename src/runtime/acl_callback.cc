// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/api.h"
#include "runtime/context.h"
#include "runtime/host_callback.h"
#include "runtime/launch.h"

using namespace hostnpu;           // NOLINT: C functions only
using namespace hostnpu::runtime;  // NOLINT

struct rtExceptionInfo {
  FaultNotice notice;
  uint32_t thread_id;
};

aclError aclrtSubscribeReport(uint64_t thread, aclrtStream handle) {
  return Call("aclrtSubscribeReport", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    return Subscribe(thread, *stream);
  });
}

aclError aclrtUnSubscribeReport(uint64_t thread, aclrtStream handle) {
  return Call("aclrtUnSubscribeReport", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    return Unsubscribe(thread, *stream);
  });
}

aclError aclrtLaunchCallback(aclrtCallback function, void* data, aclrtCallbackBlockType kind,
                             aclrtStream handle) {
  return Call("aclrtLaunchCallback", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    return EnqueueCallback(*stream, function, data, kind == ACL_CALLBACK_BLOCK);
  });
}

aclError aclrtProcessReport(int32_t timeout) {
  return Call("aclrtProcessReport", [&]() -> base::Result<void> {
    if (timeout < -1 || timeout == 0) {
      return base::Error{base::Code::kInvalidArgument,
                         fmt::format("The time-out ({} ms) is neither -1 nor above 0.", timeout)};
    }
    return ProcessReport(timeout);
  });
}

aclError aclrtLaunchHostFunc(aclrtStream handle, aclrtHostFunc function, void* argument) {
  return Call("aclrtLaunchHostFunc", [&]() -> base::Result<void> {
    if (function == nullptr) return NullArgument("fn");
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    EnqueueHostFunction(*stream, function, argument);
    return {};
  });
}

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) {
  return Call("aclrtSetExceptionInfoCallback", [&]() -> base::Result<void> {
    if (callback == nullptr) {
      SetFaultListener(nullptr);
      return {};
    }
    SetFaultListener([callback](const FaultNotice& notice) {
      rtExceptionInfo info{notice, static_cast<uint32_t>(syscall(SYS_gettid))};
      callback(&info);
    });
    return {};
  });
}

uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info == nullptr ? UINT32_MAX : info->notice.task_id;
}

uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info == nullptr ? UINT32_MAX : info->notice.stream_id;
}

uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info == nullptr ? UINT32_MAX : info->thread_id;
}

uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info == nullptr ? UINT32_MAX : info->notice.device;
}

uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info) {
  return info == nullptr ? UINT32_MAX : static_cast<uint32_t>(info->notice.error_number);
}

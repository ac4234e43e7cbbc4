// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/api.h"
#include "runtime/context.h"
#include "runtime/device.h"

using namespace hostnpu;           // NOLINT: C functions only
using namespace hostnpu::runtime;  // NOLINT

aclError aclrtGetDeviceCount(uint32_t* count) {
  return Call("aclrtGetDeviceCount", [&]() -> base::Result<void> {
    if (count == nullptr) return NullArgument("count");
    *count = DeviceCount();
    return {};
  });
}

aclError aclrtSetDevice(int32_t device) {
  return Call("aclrtSetDevice", [&] { return SetDevice(device); });
}

aclError aclrtResetDevice(int32_t device) {
  return Call("aclrtResetDevice", [&] { return ResetDevice(device, false); });
}

aclError aclrtResetDeviceForce(int32_t device) {
  return Call("aclrtResetDeviceForce", [&] { return ResetDevice(device, true); });
}

aclError aclrtGetDevice(int32_t* device) {
  return Call("aclrtGetDevice", [&]() -> base::Result<void> {
    if (device == nullptr) return NullArgument("deviceId");
    HOSTNPU_ASSIGN_OR_RETURN(const uint32_t current, CurrentDevice());
    *device = static_cast<int32_t>(current);
    return {};
  });
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
  return Call("aclrtSynchronizeDeviceWithTimeout", [&]() -> base::Result<void> {
    if (timeout < -1) return InvalidTimeout(timeout);
    HOSTNPU_ASSIGN_OR_RETURN(const uint32_t device, CurrentDevice());
    return SynchronizeDevice(device, timeout);
  });
}

aclError aclrtSynchronizeDevice(void) {
  return Call("aclrtSynchronizeDevice", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(const uint32_t device, CurrentDevice());
    return SynchronizeDevice(device, -1);
  });
}

aclError aclrtGetRunMode(aclrtRunMode* mode) {
  return Call("aclrtGetRunMode", [&]() -> base::Result<void> {
    if (mode == nullptr) return NullArgument("runMode");
    *mode = ACL_HOST;
    return {};
  });
}

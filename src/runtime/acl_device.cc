// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/api.h"
#include "runtime/context.h"
#include "runtime/copy.h"
#include "runtime/device.h"
#include "runtime/device_attribute.h"

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

aclError aclrtSetTsDevice(aclrtTsId id) {
  return Call("aclrtSetTsDevice", [&]() -> base::Result<void> {
    if (id == ACL_TS_ID_AICORE || id == ACL_TS_ID_AIVECTOR) return {};
    return base::Error{
        base::Code::kInvalidArgument,
        fmt::format("The scheduler ({}) is none of aclrtTsId.", static_cast<int>(id))};
  });
}

aclError aclrtQueryDeviceStatus(int32_t device, aclrtDeviceStatus* status) {
  return Call("aclrtQueryDeviceStatus", [&]() -> base::Result<void> {
    if (status == nullptr) return NullArgument("deviceStatus");
    HOSTNPU_TRY(CheckDevice(device), "asking for a device's status");
    *status = ACL_RT_DEVICE_STATUS_NORMAL;
    return {};
  });
}

aclError aclrtGetDeviceInfo(uint32_t device, aclrtDevAttr attribute, int64_t* value) {
  return Call("aclrtGetDeviceInfo", [&]() -> base::Result<void> {
    if (value == nullptr) return NullArgument("value");
    HOSTNPU_TRY(CheckDevice(device), "asking for a device's attribute");
    HOSTNPU_ASSIGN_OR_RETURN(*value, DeviceAttribute(device, attribute));
    return {};
  });
}

aclError aclrtGetDeviceCapability(int32_t device, aclrtDevFeatureType, int32_t* value) {
  return Call("aclrtGetDeviceCapability", [&]() -> base::Result<void> {
    if (value == nullptr) return NullArgument("value");
    HOSTNPU_TRY(CheckDevice(device), "asking for a device's capability");
    *value = ACL_DEV_FEATURE_NOT_SUPPORT;
    return {};
  });
}

aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logical, int32_t* const physical) {
  return Call("aclrtGetPhyDevIdByLogicDevId", [&]() -> base::Result<void> {
    if (physical == nullptr) return NullArgument("phyDevId");
    HOSTNPU_TRY(CheckDevice(logical), "asking for a device's number");
    *physical = logical;
    return {};
  });
}

aclError aclrtGetLogicDevIdByPhyDevId(const int32_t physical, int32_t* const logical) {
  return Call("aclrtGetLogicDevIdByPhyDevId", [&]() -> base::Result<void> {
    if (logical == nullptr) return NullArgument("logicDevId");
    HOSTNPU_TRY(CheckDevice(physical), "asking for a device's number");
    *logical = physical;
    return {};
  });
}

aclError aclrtDeviceCanAccessPeer(int32_t* can, int32_t device, int32_t peer) {
  return Call("aclrtDeviceCanAccessPeer", [&]() -> base::Result<void> {
    if (can == nullptr) return NullArgument("canAccessPeer");
    HOSTNPU_TRY(CheckDevice(device), "asking for peer access");
    HOSTNPU_TRY(CheckDevice(peer), "asking for peer access");
    *can = device != peer ? 1 : 0;
    return {};
  });
}

aclError aclrtDeviceEnablePeerAccess(int32_t peer, uint32_t flags) {
  return Call("aclrtDeviceEnablePeerAccess", [&]() -> base::Result<void> {
    if (flags != 0) {
      return base::Error{base::Code::kInvalidArgument,
                         fmt::format("The flags ({}) are not 0, the one value there is.", flags)};
    }
    HOSTNPU_ASSIGN_OR_RETURN(const uint32_t device, CurrentDevice());
    return SetPeerAccess(device, peer, true);
  });
}

aclError aclrtDeviceDisablePeerAccess(int32_t peer) {
  return Call("aclrtDeviceDisablePeerAccess", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(const uint32_t device, CurrentDevice());
    return SetPeerAccess(device, peer, false);
  });
}

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) {
  return Call("aclrtSetDeviceSatMode", [&]() -> base::Result<void> {
    if (mode == ACL_RT_OVERFLOW_MODE_INFNAN) return {};
    return base::Error{base::Code::kUnsupported,
                       fmt::format("The overflow mode ({}) is not supported here; cores start in "
                                   "ACL_RT_OVERFLOW_MODE_INFNAN (1).",
                                   static_cast<int>(mode))};
  });
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode) {
  return Call("aclrtGetDeviceSatMode", [&]() -> base::Result<void> {
    if (mode == nullptr) return NullArgument("mode");
    *mode = ACL_RT_OVERFLOW_MODE_INFNAN;
    return {};
  });
}

aclError aclrtGetDeviceResLimit(int32_t device, aclrtDevResLimitType type, uint32_t* value) {
  return Call("aclrtGetDeviceResLimit", [&]() -> base::Result<void> {
    if (value == nullptr) return NullArgument("value");
    HOSTNPU_TRY(CheckDevice(device), "asking for a device's cores");
    HOSTNPU_ASSIGN_OR_RETURN(const arch::Chip* chip, DeviceChip());
    *value = type == ACL_RT_DEV_RES_CUBE_CORE ? chip->aic_count : chip->aiv_count;
    return {};
  });
}

aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value) {
  return Call("aclrtGetResInCurrentThread", [&]() -> base::Result<void> {
    if (value == nullptr) return NullArgument("value");
    HOSTNPU_ASSIGN_OR_RETURN(const arch::Chip* chip, DeviceChip());
    *value = type == ACL_RT_DEV_RES_CUBE_CORE ? chip->aic_count : chip->aiv_count;
    return {};
  });
}

aclError aclrtGetHardwareSyncAddr(void** address) {
  return Call("aclrtGetHardwareSyncAddr", [&]() -> base::Result<void> {
    if (address == nullptr) return NullArgument("addr");
    HOSTNPU_ASSIGN_OR_RETURN(const uint32_t device, CurrentDevice());
    HOSTNPU_ASSIGN_OR_RETURN(*address, HardwareSyncAddress(device));
    return {};
  });
}

aclError aclrtSetOpExecuteTimeOut(uint32_t) { return ACL_SUCCESS; }

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_DEVICE_ATTRIBUTE_H_
#define HOSTNPU_RUNTIME_DEVICE_ATTRIBUTE_H_

#include <cstdint>

#include "base/result.h"

namespace hostnpu::runtime {

/// The value of an aclrtDevAttr; an error for those that mean nothing here.
base::Result<int64_t> DeviceAttribute(uint32_t device, int attribute);

/// An address that programs hand to MIX kernels as their first argument. The engine keeps its flags
/// elsewhere; the buffer is there so that the address is one of the device. Made once a device.
base::Result<void*> HardwareSyncAddress(uint32_t device);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_DEVICE_ATTRIBUTE_H_

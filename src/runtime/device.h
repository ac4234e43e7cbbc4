// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_DEVICE_H_
#define HOSTNPU_RUNTIME_DEVICE_H_

#include <cstdint>
#include <memory>

#include "arch/chip.h"
#include "base/result.h"
#include "runtime/context.h"

namespace hostnpu::runtime {

/// The devices of this process: as many as HOSTNPU_DEVICES says (2 by default), all of the chip
/// that HOSTNPU_CHIP names, each with HOSTNPU_HBM_BYTES (or HOSTNPU_HBM_MB) of memory, by default
/// what the chip has. Read once, at the first use.
uint32_t DeviceCount();

/// The chip of the devices. An error if HOSTNPU_CHIP names none.
base::Result<const arch::Chip*> DeviceChip();

/// An error that names the device and their number if there is no such device.
base::Result<uint32_t> CheckDevice(int64_t device);

/// Makes the device's primary context current on this thread, and counts the use.
base::Result<void> SetDevice(int64_t device);
/// Takes one use away; the last one waits for the primary context's streams and destroys them and
/// their failures. `force` does so at once. Explicit contexts stay.
base::Result<void> ResetDevice(int64_t device, bool force);
/// The device of the current context.
base::Result<uint32_t> CurrentDevice();
/// The primary context, made if there is none, without making it current or counting it.
base::Result<std::shared_ptr<Context>> PrimaryContext(int64_t device);

/// A context of its own, made current on this thread.
base::Result<std::shared_ptr<Context>> CreateContext(int64_t device);
base::Result<void> DestroyContext(const void* handle);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_DEVICE_H_

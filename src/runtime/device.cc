// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/device.h"

#include <fmt/format.h>

#include <mutex>
#include <utility>
#include <vector>

#include "acl/acl_base.h"
#include "base/option.h"
#include "memory/device_memory.h"
#include "runtime/status.h"

namespace hostnpu::runtime {
namespace {

constexpr uint64_t kMegabyte = uint64_t{1} << 20;
constexpr uint64_t kMostBytes = uint64_t{1} << 46;

struct Primary {
  std::shared_ptr<Context> context;
  uint64_t uses = 0;
};

/// The devices as the environment describes them. Never destroyed.
struct Devices {
  std::mutex mutex;
  uint32_t count = 0;
  const arch::Chip* chip = nullptr;
  base::Result<void> setup;
  std::vector<Primary> primaries;

  static Devices& Get() {
    static Devices& devices = *new Devices;
    return devices;
  }

 private:
  Devices() {
    count = static_cast<uint32_t>(base::EnvNumber("HOSTNPU_DEVICES", 2, 1, 64));
    primaries.resize(count);
    auto found = arch::DefaultChip();
    if (!found.ok()) {
      setup = std::move(found).error();
      setup.error().number = ACL_ERROR_RT_SOC_VERSION;
      return;
    }
    chip = *found;
    const auto megabytes = base::EnvNumber("HOSTNPU_HBM_MB", 0, 1, kMostBytes / kMegabyte);
    const auto bytes = base::EnvNumber("HOSTNPU_HBM_BYTES",
                                       megabytes != 0 ? megabytes * static_cast<int64_t>(kMegabyte)
                                                      : static_cast<int64_t>(chip->hbm_bytes),
                                       1, kMostBytes);
    setup = memory::DeviceMemory::Get().Configure(count, static_cast<uint64_t>(bytes));
    // Buffers made before (a lent tensor, a test) do not matter as long as the devices exist.
    if (!setup.ok() && memory::DeviceMemory::Get().device_count() >= count) setup = {};
  }
};

std::shared_ptr<Context> MakeContext(uint32_t device, bool is_primary) {
  const uint64_t id = Contexts().NextId();
  auto context = std::make_shared<Context>(id, device, is_primary);
  Contexts().Add(id, context);
  return context;
}

/// The primary context, made if there is none, and counted in the same step: a reset on another
/// thread comes before both or after both.
std::shared_ptr<Context> TakePrimary(uint32_t device, uint64_t uses) {
  Devices& devices = Devices::Get();
  std::lock_guard lock(devices.mutex);
  Primary& primary = devices.primaries[device];
  if (primary.context == nullptr) primary.context = MakeContext(device, true);
  primary.uses += uses;
  return primary.context;
}

void EndContext(const std::shared_ptr<Context>& context) {
  if (context == nullptr) return;
  context->Destroy();
  Contexts().Remove(context->handle());
}

}  // namespace

uint32_t DeviceCount() { return Devices::Get().count; }

base::Result<const arch::Chip*> DeviceChip() {
  const Devices& devices = Devices::Get();
  if (!devices.setup.ok()) return devices.setup.error();
  return devices.chip;
}

base::Result<uint32_t> CheckDevice(int64_t device) {
  const Devices& devices = Devices::Get();
  if (!devices.setup.ok()) return devices.setup.error();
  if (device < 0 || device >= devices.count) {
    return ErrorWith(ACL_ERROR_RT_INVALID_DEVICEID,
                     fmt::format("[Device {}] does not exist; there are {}, numbered from 0 "
                                 "(HOSTNPU_DEVICES sets how many).",
                                 device, devices.count));
  }
  return static_cast<uint32_t>(device);
}

base::Result<std::shared_ptr<Context>> PrimaryContext(int64_t device) {
  HOSTNPU_ASSIGN_OR_RETURN(const uint32_t index, CheckDevice(device));
  return TakePrimary(index, 0);
}

base::Result<void> SetDevice(int64_t device) {
  HOSTNPU_ASSIGN_OR_RETURN(const uint32_t index, CheckDevice(device));
  SetCurrentContext(TakePrimary(index, 1));
  return {};
}

base::Result<void> ResetDevice(int64_t device, bool force) {
  HOSTNPU_ASSIGN_OR_RETURN(const uint32_t index, CheckDevice(device));
  Devices& devices = Devices::Get();
  std::shared_ptr<Context> ended;
  {
    std::lock_guard lock(devices.mutex);
    Primary& primary = devices.primaries[index];
    if (primary.uses == 0 && primary.context == nullptr) {
      return ErrorWith(ACL_ERROR_RT_CONTEXT_NULL,
                       fmt::format("[Device {}] has not been set with aclrtSetDevice, or has been "
                                   "reset already.",
                                   index));
    }
    if (primary.uses > 0) primary.uses -= 1;
    if (force) primary.uses = 0;
    if (primary.uses == 0) ended = std::exchange(primary.context, nullptr);
  }
  EndContext(ended);
  return {};
}

base::Result<uint32_t> CurrentDevice() {
  HOSTNPU_ASSIGN_OR_RETURN(auto context, CurrentContext());
  return context->device();
}

base::Result<std::shared_ptr<Context>> CreateContext(int64_t device) {
  HOSTNPU_ASSIGN_OR_RETURN(const uint32_t index, CheckDevice(device));
  auto context = MakeContext(index, false);
  SetCurrentContext(context);
  return context;
}

base::Result<void> DestroyContext(const void* handle) {
  HOSTNPU_ASSIGN_OR_RETURN(auto context, FindContext(handle));
  if (context->is_primary()) {
    return base::Error{base::Code::kInvalidArgument,
                       fmt::format("{} is the primary context of [Device {}], which ends with "
                                   "aclrtResetDevice.",
                                   context->Name(), context->device())};
  }
  EndContext(context);
  return {};
}

}  // namespace hostnpu::runtime

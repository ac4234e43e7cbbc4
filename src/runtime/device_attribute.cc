// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/device_attribute.h"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "acl/acl_rt.h"
#include "memory/device_memory.h"
#include "runtime/device.h"

namespace hostnpu::runtime {
namespace {

constexpr uint64_t kSyncAreaBytes = 4096;

}  // namespace

base::Result<int64_t> DeviceAttribute(uint32_t device, int attribute) {
  HOSTNPU_ASSIGN_OR_RETURN(const arch::Chip* chip, DeviceChip());
  switch (attribute) {
    case ACL_DEV_ATTR_AICPU_CORE_NUM:
      return chip->ai_cpu_count;
    case ACL_DEV_ATTR_AICORE_CORE_NUM:
    case ACL_DEV_ATTR_CUBE_CORE_NUM:
      return chip->aic_count;
    case ACL_DEV_ATTR_VECTOR_CORE_NUM:
      return chip->aiv_count;
    case ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE:
      return chip->UsableUbBytes();
    case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE: {
      HOSTNPU_ASSIGN_OR_RETURN(const auto status, memory::DeviceMemory::Get().Status(device));
      return static_cast<int64_t>(status.total_bytes);
    }
    case ACL_DEV_ATTR_L2_CACHE_SIZE:
      return static_cast<int64_t>(chip->l2_bytes);
    case ACL_DEV_ATTR_SMP_ID:
      return 0;
    case ACL_DEV_ATTR_PHY_CHIP_ID:
      return device;
    case ACL_DEV_ATTR_IS_VIRTUAL:
      return 0;
    case ACL_DEV_ATTR_NPU_ARCH:
      return chip->npu_arch;
    default:
      return base::Error{
          base::Code::kUnsupported,
          fmt::format("The attribute ({}) of [Device {}] is not known here.", attribute, device)};
  }
}

base::Result<void*> HardwareSyncAddress(uint32_t device) {
  static std::mutex& mutex = *new std::mutex;
  static auto& areas = *new std::map<uint32_t, void*>;
  std::lock_guard lock(mutex);
  void*& area = areas[device];
  if (area == nullptr) {
    HOSTNPU_ASSIGN_OR_RETURN(
        area, memory::DeviceMemory::Get().Allocate(device, kSyncAreaBytes, "hardware sync area"));
  }
  return area;
}

}  // namespace hostnpu::runtime

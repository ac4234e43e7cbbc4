// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "memory/device_memory.h"
#include "runtime/api.h"
#include "runtime/context.h"
#include "runtime/copy.h"
#include "runtime/device.h"
#include "runtime/launch_memory.h"

using namespace hostnpu;           // NOLINT: C functions only
using namespace hostnpu::runtime;  // NOLINT
using memory::DeviceMemory;

namespace {

base::Result<void> Allocate(void** data, size_t size, int policy) {
  if (data == nullptr) return NullArgument("devPtr");
  *data = nullptr;
  constexpr int kLastPage = ACL_MEM_MALLOC_HUGE1G_ONLY_P2P;
  constexpr int kKinds = ACL_MEM_TYPE_LOW_BAND_WIDTH | ACL_MEM_TYPE_HIGH_BAND_WIDTH |
                         ACL_MEM_ACCESS_USER_SPACE_READONLY;
  if (policy < 0 || (policy & ~kKinds) > kLastPage) {
    return base::Error{base::Code::kInvalidArgument,
                       fmt::format("The policy ({}) is none of aclrtMemMallocPolicy.", policy)};
  }
  HOSTNPU_ASSIGN_OR_RETURN(const uint32_t device, CurrentDevice());
  HOSTNPU_ASSIGN_OR_RETURN(*data, AllocateUndefined(device, size));
  return {};
}

base::Result<void> AllocateHost(void** data, uint64_t size) {
  if (data == nullptr) return NullArgument("hostPtr");
  *data = nullptr;
  HOSTNPU_ASSIGN_OR_RETURN(*data, DeviceMemory::Get().AllocateHost(size));
  return {};
}

base::Result<void> Free(void* data) {
  if (data == nullptr) return NullArgument("devPtr");
  return DeviceMemory::Get().Free(data);
}

base::Result<void> FreeHost(void* data) {
  if (data == nullptr) return NullArgument("hostPtr");
  return DeviceMemory::Get().FreeHost(data);
}

base::Result<void> CheckRegion(const void* data, size_t size) {
  if (data == nullptr) return NullArgument("devPtr");
  const auto buffer = DeviceMemory::Get().Find(data);
  if (!buffer.has_value() || buffer->freed ||
      size > buffer->base + buffer->size_bytes - reinterpret_cast<uintptr_t>(data)) {
    return base::Error{
        base::Code::kInvalidArgument,
        fmt::format("The range ({}, {} bytes) does not lie in one buffer.", data, size)};
  }
  return {};
}

/// The check of a copy, with the call in its error.
base::Result<Copy> Checked(const char* function, int kind, base::Result<Copy> copy) {
  if (!copy.ok()) copy.error().While(CallText(function, kind));
  return copy;
}

// What is still to be done may use the memory.
base::Result<void> SynchronizeAll() {
  for (const auto& stream : Streams().All()) static_cast<void>(stream->Synchronize());
  return {};
}

}  // namespace

aclError aclrtMalloc(void** data, size_t size, aclrtMemMallocPolicy policy) {
  return Call("aclrtMalloc", [&] { return Allocate(data, size, policy); });
}

aclError aclrtMallocAlign32(void** data, size_t size, aclrtMemMallocPolicy policy) {
  return Call("aclrtMallocAlign32", [&] { return Allocate(data, size, policy); });
}

aclError aclrtMallocCached(void** data, size_t size, aclrtMemMallocPolicy policy) {
  return Call("aclrtMallocCached", [&] { return Allocate(data, size, policy); });
}

aclError aclrtMallocWithCfg(void** data, size_t size, aclrtMemMallocPolicy policy,
                            aclrtMallocConfig*) {
  return Call("aclrtMallocWithCfg", [&] { return Allocate(data, size, policy); });
}

aclError aclrtMallocHost(void** data, size_t size) {
  return Call("aclrtMallocHost", [&] { return AllocateHost(data, size); });
}

aclError aclrtMallocHostWithCfg(void** data, uint64_t size, aclrtMallocConfig*) {
  return Call("aclrtMallocHostWithCfg", [&] { return AllocateHost(data, size); });
}

aclError aclrtFree(void* data) {
  return Call("aclrtFree", [&] { return Free(data); });
}

aclError aclrtFreeHost(void* data) {
  return Call("aclrtFreeHost", [&] { return FreeHost(data); });
}

aclError aclrtFreeWithDevSync(void* data) {
  return Call("aclrtFreeWithDevSync", [&]() -> base::Result<void> {
    HOSTNPU_TRY(SynchronizeAll(), "waiting for the device");
    return Free(data);
  });
}

aclError aclrtFreeHostWithDevSync(void* data) {
  return Call("aclrtFreeHostWithDevSync", [&]() -> base::Result<void> {
    HOSTNPU_TRY(SynchronizeAll(), "waiting for the device");
    return FreeHost(data);
  });
}

aclError aclrtMemcpy(void* dst, size_t dest_max, const void* src, size_t count,
                     aclrtMemcpyKind kind) {
  return Call("aclrtMemcpy", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(
        const Copy copy, Checked("aclrtMemcpy", kind, CheckCopy(dst, dest_max, src, count, kind)));
    copy.Run();
    return {};
  });
}

aclError aclrtMemcpyAsync(void* dst, size_t dest_max, const void* src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream handle) {
  return Call("aclrtMemcpyAsync", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    HOSTNPU_ASSIGN_OR_RETURN(const Copy copy, Checked("aclrtMemcpyAsync", kind,
                                                      CheckCopy(dst, dest_max, src, count, kind)));
    return EnqueueCopy(*stream, copy);
  });
}

aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind) {
  return Call("aclrtMemcpy2d", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(
        const Copy copy,
        Checked("aclrtMemcpy2d", kind, CheckCopy2d(dst, dpitch, src, spitch, width, height, kind)));
    copy.Run();
    return {};
  });
}

aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream handle) {
  return Call("aclrtMemcpy2dAsync", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    HOSTNPU_ASSIGN_OR_RETURN(const Copy copy,
                             Checked("aclrtMemcpy2dAsync", kind,
                                     CheckCopy2d(dst, dpitch, src, spitch, width, height, kind)));
    return EnqueueCopy(*stream, copy);
  });
}

aclError aclrtMemset(void* data, size_t max_count, int32_t value, size_t count) {
  return Call("aclrtMemset", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(const Fill fill, CheckFill(data, max_count, value, count));
    fill.Run();
    return {};
  });
}

aclError aclrtMemsetAsync(void* data, size_t max_count, int32_t value, size_t count,
                          aclrtStream handle) {
  return Call("aclrtMemsetAsync", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    HOSTNPU_ASSIGN_OR_RETURN(const Fill fill, CheckFill(data, max_count, value, count));
    return EnqueueFill(*stream, fill);
  });
}

aclError aclrtMemFlush(void* data, size_t size) {
  return Call("aclrtMemFlush", [&] { return CheckRegion(data, size); });
}

aclError aclrtMemInvalidate(void* data, size_t size) {
  return Call("aclrtMemInvalidate", [&] { return CheckRegion(data, size); });
}

aclError aclrtCmoAsync(void* data, size_t size, aclrtCmoType type, aclrtStream handle) {
  return Call("aclrtCmoAsync", [&]() -> base::Result<void> {
    if (type < ACL_RT_CMO_TYPE_PREFETCH || type > ACL_RT_CMO_TYPE_FLUSH) {
      return base::Error{
          base::Code::kInvalidArgument,
          fmt::format("The cache operation ({}) is none of aclrtCmoType.", static_cast<int>(type))};
    }
    HOSTNPU_TRY(FindStream(handle), "enqueueing a cache operation");
    return CheckRegion(data, size);  // the host's caches are coherent
  });
}

aclError aclrtGetMemInfo(aclrtMemAttr attribute, size_t* free, size_t* total) {
  return Call("aclrtGetMemInfo", [&]() -> base::Result<void> {
    if (free == nullptr || total == nullptr) return NullArgument("free or total");
    if (attribute < ACL_DDR_MEM || attribute > ACL_MEM_P2P_HUGE1G) {
      return base::Error{
          base::Code::kInvalidArgument,
          fmt::format("The attribute ({}) is none of aclrtMemAttr.", static_cast<int>(attribute))};
    }
    HOSTNPU_ASSIGN_OR_RETURN(const uint32_t device, CurrentDevice());
    HOSTNPU_ASSIGN_OR_RETURN(const auto status, DeviceMemory::Get().Status(device));
    const bool is_ddr = attribute == ACL_DDR_MEM || attribute == ACL_DDR_MEM_HUGE ||
                        attribute == ACL_DDR_MEM_NORMAL || attribute == ACL_DDR_MEM_P2P_HUGE ||
                        attribute == ACL_DDR_MEM_P2P_NORMAL;
    *total = is_ddr ? 0 : status.total_bytes;
    *free = is_ddr ? 0 : status.total_bytes - status.used_bytes;
    return {};
  });
}

aclError aclrtPointerGetAttributes(const void* address, aclrtPtrAttributes* attributes) {
  return Call("aclrtPointerGetAttributes", [&]() -> base::Result<void> {
    if (address == nullptr) return NullArgument("ptr");
    if (attributes == nullptr) return NullArgument("attributes");
    *attributes = {};
    attributes->pageSize = 4096;
    const auto buffer = DeviceMemory::Get().Find(address);
    attributes->location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
    if (!buffer.has_value() || buffer->freed) return {};
    attributes->location.id = buffer->device;
    attributes->location.type = buffer->origin == memory::Origin::kHost
                                    ? ACL_MEM_LOCATION_TYPE_HOST
                                    : ACL_MEM_LOCATION_TYPE_DEVICE;
    return {};
  });
}

aclError aclrtMemGetAddressRange(void* address, void** base_address, size_t* size) {
  return Call("aclrtMemGetAddressRange", [&]() -> base::Result<void> {
    if (address == nullptr) return NullArgument("ptr");
    const auto buffer = DeviceMemory::Get().Find(address);
    if (!buffer.has_value() || buffer->freed) {
      return base::Error{base::Code::kInvalidArgument,
                         fmt::format("The address ({}) is in no buffer.", address)};
    }
    if (base_address != nullptr) *base_address = reinterpret_cast<void*>(buffer->base);
    if (size != nullptr) *size = buffer->size_bytes;
    return {};
  });
}

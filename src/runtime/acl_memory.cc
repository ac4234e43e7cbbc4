// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "memory/device_memory.h"
#include "runtime/api.h"
#include "runtime/context.h"
#include "runtime/copy.h"
#include "runtime/device.h"

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
  HOSTNPU_ASSIGN_OR_RETURN(*data, DeviceMemory::Get().Allocate(device, size));
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
    HOSTNPU_ASSIGN_OR_RETURN(const Copy copy, CheckCopy(dst, dest_max, src, count, kind));
    copy.Run();
    return {};
  });
}

aclError aclrtMemcpyAsync(void* dst, size_t dest_max, const void* src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream handle) {
  return Call("aclrtMemcpyAsync", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    HOSTNPU_ASSIGN_OR_RETURN(const Copy copy, CheckCopy(dst, dest_max, src, count, kind));
    return EnqueueCopy(*stream, copy);
  });
}

aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind) {
  return Call("aclrtMemcpy2d", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(const Copy copy,
                             CheckCopy2d(dst, dpitch, src, spitch, width, height, kind));
    copy.Run();
    return {};
  });
}

aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream handle) {
  return Call("aclrtMemcpy2dAsync", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    HOSTNPU_ASSIGN_OR_RETURN(const Copy copy,
                             CheckCopy2d(dst, dpitch, src, spitch, width, height, kind));
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

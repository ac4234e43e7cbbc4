// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The first 16 MB of a workspace belong to the Ascend C library. Its layout on architecture 2201,
// for 50 vector cores: message slots (2 queues of 64 messages of 128 bytes for each), counted
// messages (8 of 64 bytes), UB message heads (64 bytes), then images and counters that need no
// clearing.
#include "runtime/system_workspace.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "memory/device_memory.h"

namespace hostnpu::runtime {
namespace {

constexpr uint64_t kVectorCores = 50;
constexpr uint64_t kSlotBytes = 2 * 64 * 128;  // of one vector core
constexpr uint64_t kCountedBytes = 8 * 64;
constexpr uint64_t kHeadBytes = 64;

}  // namespace

void ClearMessageQueues(const engine::LaunchSpec& spec) {
  const uint64_t lanes = std::max<uint64_t>(spec.cores.aiv, 1);
  const uint64_t cores = std::min(kVectorCores, spec.blocks * lanes);
  uint8_t* slots = spec.system_workspace;
  uint8_t* counted = slots + kVectorCores * kSlotBytes;
  uint8_t* heads = counted + kVectorCores * kCountedBytes;
  const auto buffer = memory::DeviceMemory::Get().Find(slots);
  const uint64_t end = heads + kVectorCores * kHeadBytes - slots;
  // A workspace too small for it is a fault as soon as the library uses it, and not before.
  if (!buffer.has_value() || buffer->freed ||
      buffer->base + buffer->size_bytes < reinterpret_cast<uintptr_t>(slots) + end) {
    return;
  }
  std::memset(slots, 0, cores * kSlotBytes);
  std::memset(counted, 0, cores * kCountedBytes);
  std::memset(heads, 0, cores * kHeadBytes);
}

base::Result<ZeroedSystemWorkspace> ZeroedSystemWorkspace::Map(uint32_t device,
                                                               uint64_t size_bytes) {
  void* data = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) {
    return base::Error{
        base::Code::kOutOfMemory,
        fmt::format("The host has no {} bytes left for the system workspace.", size_bytes)};
  }
  ZeroedSystemWorkspace workspace(static_cast<uint8_t*>(data), size_bytes);
  auto lent = memory::DeviceMemory::Get().Register(data, size_bytes, device, "system workspace");
  if (!lent.ok()) return std::move(lent).error();
  return workspace;
}

ZeroedSystemWorkspace::~ZeroedSystemWorkspace() {
  if (data_ == nullptr) return;
  static_cast<void>(memory::DeviceMemory::Get().Unregister(data_, size_bytes_));
  munmap(data_, size_bytes_);
}

}  // namespace hostnpu::runtime

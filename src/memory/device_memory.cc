// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Every address a kernel or an ACL call may name belongs to a buffer with a name and a size, and
// every check about bounds, ownership and life asks this table. Blocks come from mmap, big ones
// advised to use huge pages: a fresh 64 MiB block costs 25 ms to touch on small pages and 3 ms on
// large ones. Freed blocks are kept, because a host that frees and allocates the same sizes again
// (every operator does) would pay those page faults each time.
#include "memory/device_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <mutex>

namespace hostnpu::memory {
namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr uint64_t kHugePageBytes = uint64_t{2} << 20;
constexpr uint64_t kKeptBytes = uint64_t{2} << 30;  // freed blocks kept for reuse, at the most
constexpr size_t kFreedRanges = 4096;               // freed ranges remembered for messages
constexpr uint64_t kAbsurdBytes = uint64_t{1} << 46;

uint64_t RoundUp(uint64_t value, uint64_t step) { return (value + step - 1) / step * step; }

uint64_t MappedBytes(uint64_t size_bytes) {
  const uint64_t step = size_bytes >= kHugePageBytes ? kHugePageBytes : kPageBytes;
  return RoundUp(size_bytes, step);
}

/// Fresh pages, on a 2 MiB boundary when large enough for huge pages; null when the host has none.
void* MapBlock(uint64_t bytes) {
  const bool huge = bytes >= kHugePageBytes;
  const uint64_t slack = huge ? kHugePageBytes : 0;
  void* raw = mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  if (!huge) return raw;
  const auto start = reinterpret_cast<uintptr_t>(raw);
  const uintptr_t aligned = RoundUp(start, kHugePageBytes);
  if (aligned > start) munmap(raw, aligned - start);
  const uintptr_t end = start + bytes + slack;
  if (end > aligned + bytes)
    munmap(reinterpret_cast<void*>(aligned + bytes), end - aligned - bytes);
  void* block = reinterpret_cast<void*>(aligned);
  madvise(block, bytes, MADV_HUGEPAGE);
  return block;
}

}  // namespace

std::string BufferInfo::Name() const {
  return label.empty() ? fmt::format("[Buffer {}]", id)
                       : fmt::format("[Buffer {} \"{}\"]", id, label);
}

DeviceMemory::DeviceMemory() { devices_.resize(2, Device{uint64_t{64} << 30, 0, 0}); }

DeviceMemory& DeviceMemory::Get() {
  // Never destroyed: static objects of user programs may free device memory at exit.
  static DeviceMemory& memory = *new DeviceMemory;
  return memory;
}

base::Result<void> DeviceMemory::Configure(uint32_t device_count, uint64_t hbm_bytes) {
  std::unique_lock lock(mutex_);
  for (const auto& [base, entry] : live_) {
    if (entry.info.origin == Origin::kDevice) {
      return base::Error{base::Code::kInvalidState,
                         fmt::format("The devices cannot be configured while {} is allocated.",
                                     entry.info.Name())};
    }
  }
  devices_.assign(device_count, Device{hbm_bytes, 0, 0});
  return {};
}

uint32_t DeviceMemory::device_count() const {
  std::shared_lock lock(mutex_);
  return static_cast<uint32_t>(devices_.size());
}

void* DeviceMemory::TakeBlock(uint64_t mapped_bytes) {
  auto found = free_blocks_.find(mapped_bytes);
  if (found == free_blocks_.end()) return MapBlock(mapped_bytes);
  void* block = found->second;
  free_block_bytes_ -= found->first;
  free_blocks_.erase(found);
  return block;
}

void DeviceMemory::KeepBlock(void* data, uint64_t mapped_bytes) {
  if (free_block_bytes_ + mapped_bytes > kKeptBytes) {
    munmap(data, mapped_bytes);
    return;
  }
  free_blocks_.emplace(mapped_bytes, data);
  free_block_bytes_ += mapped_bytes;
}

base::Result<void*> DeviceMemory::AllocateLocked(uint32_t device, uint64_t size_bytes,
                                                 Origin origin, std::string label) {
  if (size_bytes == 0 || size_bytes > kAbsurdBytes) {
    return base::Error{base::Code::kInvalidArgument,
                       fmt::format("The size ({} bytes) is not between 1 and {} bytes.", size_bytes,
                                   kAbsurdBytes)};
  }
  if (origin == Origin::kDevice) {
    if (device >= devices_.size()) {
      return base::Error{
          base::Code::kInvalidArgument,
          fmt::format("[Device {}] does not exist; there are {}.", device, devices_.size())};
    }
    const Device& owner = devices_[device];
    if (size_bytes > owner.hbm_bytes - owner.used_bytes) {
      return base::Error{
          base::Code::kOutOfMemory,
          fmt::format("The size ({} bytes) is larger than what [Device {}] has free ({} of {} "
                      "bytes).",
                      size_bytes, device, owner.hbm_bytes - owner.used_bytes, owner.hbm_bytes)};
    }
  }
  const uint64_t mapped_bytes = MappedBytes(size_bytes);
  void* data = TakeBlock(mapped_bytes);
  if (data == nullptr) {
    return base::Error{base::Code::kOutOfMemory,
                       fmt::format("The host has no {} bytes of memory left.", mapped_bytes)};
  }
  const auto base = reinterpret_cast<uintptr_t>(data);
  Entry entry;
  entry.info = BufferInfo{next_id_++, std::move(label), base, size_bytes, device, origin, false};
  entry.mapped_bytes = mapped_bytes;
  // The range is in use again: it no longer counts as freed.
  auto stale = freed_.lower_bound(base);
  while (stale != freed_.end() && stale->first < base + mapped_bytes) stale = freed_.erase(stale);
  live_.emplace(base, std::move(entry));
  if (origin == Origin::kDevice) {
    devices_[device].used_bytes += size_bytes;
    devices_[device].peak_bytes =
        std::max(devices_[device].peak_bytes, devices_[device].used_bytes);
  }
  generation_.fetch_add(1, std::memory_order_release);
  return data;
}

base::Result<void*> DeviceMemory::Allocate(uint32_t device, uint64_t size_bytes,
                                           std::string label) {
  std::unique_lock lock(mutex_);
  return AllocateLocked(device, size_bytes, Origin::kDevice, std::move(label));
}

base::Result<void*> DeviceMemory::AllocateHost(uint64_t size_bytes) {
  std::unique_lock lock(mutex_);
  return AllocateLocked(0, size_bytes, Origin::kHost, "");
}

base::Result<void> DeviceMemory::Register(void* data, uint64_t size_bytes, uint32_t device,
                                          std::string label) {
  if (data == nullptr || size_bytes == 0) {
    return base::Error{base::Code::kInvalidArgument,
                       fmt::format("A lent buffer \"{}\" has no bytes (address {}, {} bytes).",
                                   label, data, size_bytes)};
  }
  std::unique_lock lock(mutex_);
  const auto base = reinterpret_cast<uintptr_t>(data);
  auto found = live_.find(base);
  if (found != live_.end()) {
    Entry& entry = found->second;
    if (entry.info.origin != Origin::kExternal) return {};  // device memory is known already
    entry.info.size_bytes = std::max(entry.info.size_bytes, size_bytes);
    entry.lend_count += 1;
  } else {
    Entry entry;
    entry.info = BufferInfo{next_id_++, std::move(label),  base, size_bytes,
                            device,     Origin::kExternal, false};
    entry.lend_count = 1;
    live_.emplace(base, std::move(entry));
    freed_.erase(base);
  }
  generation_.fetch_add(1, std::memory_order_release);
  return {};
}

base::Result<void> DeviceMemory::Unregister(void* data) {
  std::unique_lock lock(mutex_);
  auto found = live_.find(reinterpret_cast<uintptr_t>(data));
  if (found == live_.end() || found->second.info.origin != Origin::kExternal) return {};
  if (--found->second.lend_count == 0) {
    live_.erase(found);
    generation_.fetch_add(1, std::memory_order_release);
  }
  return {};
}

base::Result<void> DeviceMemory::FreeLocked(void* data, Origin origin) {
  const auto base = reinterpret_cast<uintptr_t>(data);
  auto found = live_.find(base);
  if (found == live_.end()) {
    const Entry* inside = FindLocked(base);
    if (inside != nullptr) {
      return base::Error{base::Code::kInvalidArgument,
                         fmt::format("The address ({}) is {} bytes inside {}, not its start.", data,
                                     base - inside->info.base, inside->info.Name())};
    }
    auto freed = freed_.find(base);
    if (freed != freed_.end()) {
      return base::Error{base::Code::kInvalidArgument,
                         fmt::format("{} ({}) was freed before.", freed->second.Name(), data)};
    }
    return base::Error{base::Code::kInvalidArgument,
                       fmt::format("The address ({}) is not one that was allocated here.", data)};
  }
  Entry& entry = found->second;
  if (entry.info.origin != origin) {
    const char* kind =
        entry.info.origin == Origin::kHost     ? "host memory: free it with aclrtFreeHost"
        : entry.info.origin == Origin::kDevice ? "device memory: free it with aclrtFree"
                                               : "lent by its owner, who frees it";
    return base::Error{base::Code::kInvalidArgument,
                       fmt::format("{} is {}.", entry.info.Name(), kind)};
  }
  if (origin == Origin::kDevice) devices_[entry.info.device].used_bytes -= entry.info.size_bytes;
  BufferInfo gone = entry.info;
  gone.freed = true;
  KeepBlock(data, entry.mapped_bytes);
  live_.erase(found);
  if (freed_.size() >= kFreedRanges) freed_.erase(freed_.begin());
  freed_[base] = std::move(gone);
  generation_.fetch_add(1, std::memory_order_release);
  return {};
}

base::Result<void> DeviceMemory::Free(void* data) {
  std::unique_lock lock(mutex_);
  return FreeLocked(data, Origin::kDevice);
}

base::Result<void> DeviceMemory::FreeHost(void* data) {
  std::unique_lock lock(mutex_);
  return FreeLocked(data, Origin::kHost);
}

const DeviceMemory::Entry* DeviceMemory::FindLocked(uintptr_t address) const {
  auto next = live_.upper_bound(address);
  // Lent ranges may nest (a view of a tensor beside the tensor): look at the few starts below.
  for (int steps = 0; next != live_.begin() && steps < 4; ++steps) {
    --next;
    const Entry& entry = next->second;
    if (address < entry.info.base + entry.info.size_bytes) return &entry;
    if (entry.info.origin != Origin::kExternal) break;
  }
  return nullptr;
}

std::optional<BufferInfo> DeviceMemory::Find(const void* address) const {
  std::shared_lock lock(mutex_);
  const auto value = reinterpret_cast<uintptr_t>(address);
  if (const Entry* entry = FindLocked(value)) return entry->info;
  auto next = freed_.upper_bound(value);
  if (next != freed_.begin()) {
    --next;
    if (value < next->second.base + next->second.size_bytes) return next->second;
  }
  return std::nullopt;
}

std::optional<BufferInfo> DeviceMemory::NearestBelow(const void* address) const {
  std::shared_lock lock(mutex_);
  auto next = live_.upper_bound(reinterpret_cast<uintptr_t>(address));
  if (next == live_.begin()) return std::nullopt;
  return (--next)->second.info;
}

base::Result<void> DeviceMemory::SetLabel(const void* data, std::string label) {
  std::unique_lock lock(mutex_);
  auto found = live_.find(reinterpret_cast<uintptr_t>(data));
  if (found == live_.end()) {
    return base::Error{base::Code::kNotFound,
                       fmt::format("No buffer starts at the address ({}).", data)};
  }
  found->second.info.label = std::move(label);
  return {};
}

base::Result<MemoryStatus> DeviceMemory::Status(uint32_t device) const {
  std::shared_lock lock(mutex_);
  if (device >= devices_.size()) {
    return base::Error{
        base::Code::kInvalidArgument,
        fmt::format("[Device {}] does not exist; there are {}.", device, devices_.size())};
  }
  const Device& d = devices_[device];
  return MemoryStatus{d.hbm_bytes, d.used_bytes, d.peak_bytes};
}

std::vector<BufferInfo> DeviceMemory::LiveBuffers(std::optional<uint32_t> device) const {
  std::shared_lock lock(mutex_);
  std::vector<BufferInfo> buffers;
  for (const auto& [base, entry] : live_) {
    if (!device.has_value() || entry.info.device == *device) buffers.push_back(entry.info);
  }
  return buffers;
}

void DeviceMemory::Trim() {
  std::unique_lock lock(mutex_);
  for (const auto& [bytes, data] : free_blocks_) munmap(data, bytes);
  free_blocks_.clear();
  free_block_bytes_ = 0;
}

}  // namespace hostnpu::memory

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

#include "base/poison.h"

namespace hostnpu::memory {
namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr uint64_t kHugePageBytes = uint64_t{2} << 20;
constexpr uint64_t kKeptBytes = uint64_t{2} << 30;  // freed blocks kept for reuse, at the most
constexpr uint64_t kLeastGrownBytes = uint64_t{4} << 20;  // smaller ones are mapped anew as quickly
constexpr size_t kFreedRanges = 4096;                     // freed ranges remembered for messages
constexpr uint64_t kAbsurdBytes = uint64_t{1} << 46;

uint64_t RoundUp(uint64_t value, uint64_t step) { return (value + step - 1) / step * step; }

/// What aclrtMalloc promises for a size: so much may be read.
uint64_t PaddedBytes(uint64_t size_bytes) { return RoundUp(size_bytes, 32) + 32; }

/// At least the padding more than the buffer, so that the end of a buffer, which is the address of
/// an empty slice of it, is never the start of another one. What is never touched costs nothing.
uint64_t MappedBytes(uint64_t size_bytes) {
  const uint64_t padded = PaddedBytes(size_bytes);
  if (size_bytes < kHugePageBytes) return RoundUp(padded, kPageBytes);
  const uint64_t huge_pages = RoundUp(size_bytes, kHugePageBytes);
  return huge_pages < padded ? huge_pages + kPageBytes : huge_pages;
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

/// Lets a mapping of `old_bytes` on a 2 MiB boundary become one of `bytes` on such a boundary. The
/// pages move with it, only those added are fresh. Null: it stands where and as it did.
void* Extend(void* block, uint64_t old_bytes, uint64_t bytes) {
  if (mremap(block, old_bytes, bytes, 0) != MAP_FAILED) return block;
  void* target = MapBlock(bytes);
  if (target == nullptr) return nullptr;
  if (mremap(block, old_bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, target) != MAP_FAILED) {
    return target;
  }
  munmap(target, bytes);
  return nullptr;
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

void* DeviceMemory::RemoveFreeBlock(FreeBlocks::iterator block) {
  void* data = block->second.data;
  free_block_bytes_ -= block->first;
  free_blocks_by_age_.erase(block->second.freed_at);
  free_blocks_.erase(block);
  return data;
}

// A workspace that grows with the shapes of its operator is freed and asked for again a little
// larger, again and again: its pages are taken along, and only what is added has to be cleared by
// the system. `larger`: the first kept block that is larger. Null: there is none to grow.
void* DeviceMemory::GrowBlock(FreeBlocks::iterator larger, uint64_t mapped_bytes) {
  if (larger == free_blocks_.begin()) return nullptr;
  const auto block = std::prev(larger);
  const uint64_t old_bytes = block->first;
  if (old_bytes < kLeastGrownBytes || old_bytes < mapped_bytes / 2) return nullptr;
  void* old = block->second.data;
  void* grown = Extend(old, old_bytes, mapped_bytes);
  if (grown == nullptr) return nullptr;
  if (grown != old) base::Unpoison(old, old_bytes);  // the addresses are the system's again
  RemoveFreeBlock(block);
  ForgetFreed(reinterpret_cast<uintptr_t>(old), old_bytes);
  return grown;
}

// A kept block serves sizes down to four fifths of its own: an arena that grows or shrinks a little
// finds one. `mapped_bytes` becomes the size of the block.
void* DeviceMemory::TakeBlock(uint64_t* mapped_bytes) {
  auto found = free_blocks_.lower_bound(*mapped_bytes);
  if (found != free_blocks_.end() && found->first - *mapped_bytes <= *mapped_bytes / 4) {
    *mapped_bytes = found->first;
    return RemoveFreeBlock(found);
  }
  void* fresh = GrowBlock(found, *mapped_bytes);
  if (fresh == nullptr) fresh = MapBlock(*mapped_bytes);
  if (fresh != nullptr || free_blocks_.empty()) return fresh;
  TrimLocked();
  return MapBlock(*mapped_bytes);
}

// Beyond the limit the blocks that have been idle longest go: their sizes are not asked for.
void DeviceMemory::KeepBlock(void* data, uint64_t mapped_bytes) {
  base::Poison(data, mapped_bytes);
  const auto kept = free_blocks_.emplace(mapped_bytes, FreeBlock{data, ++free_count_});
  free_blocks_by_age_.emplace(free_count_, kept);
  free_block_bytes_ += mapped_bytes;
  while (free_block_bytes_ > kKeptBytes) {
    const auto oldest = free_blocks_by_age_.begin()->second;
    const uint64_t bytes = oldest->first;
    Unmap(RemoveFreeBlock(oldest), bytes);
  }
}

// The range is in use again, or not ours any more: it no longer counts as freed.
void DeviceMemory::ForgetFreed(uintptr_t base, uint64_t bytes) {
  auto stale = freed_.lower_bound(base);
  while (stale != freed_.end() && stale->first < base + bytes) stale = freed_.erase(stale);
}

void DeviceMemory::Unmap(void* data, uint64_t bytes) {
  base::Unpoison(data, bytes);
  munmap(data, bytes);
  ForgetFreed(reinterpret_cast<uintptr_t>(data), bytes);
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
  uint64_t mapped_bytes = MappedBytes(size_bytes);
  void* data = TakeBlock(&mapped_bytes);
  if (data == nullptr) {
    return base::Error{base::Code::kOutOfMemory,
                       fmt::format("The host has no {} bytes of memory left.", mapped_bytes)};
  }
  base::Unpoison(data, size_bytes);
  base::Poison(static_cast<char*>(data) + size_bytes, mapped_bytes - size_bytes);
  const auto base = reinterpret_cast<uintptr_t>(data);
  Entry entry;
  entry.info = BufferInfo{next_id_++, std::move(label), base, size_bytes, device, origin, false};
  entry.allocated_bytes = size_bytes;
  entry.mapped_bytes = mapped_bytes;
  ForgetFreed(base, mapped_bytes);
  live_.emplace(base, std::move(entry));
  largest_bytes_ = std::max(largest_bytes_, size_bytes);
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
  std::unique_lock lock(mutex_);
  return RegisterLocked(data, size_bytes, device, label);
}

void DeviceMemory::Lend(std::span<LentBuffer> buffers, uint32_t device) {
  std::unique_lock lock(mutex_);
  for (LentBuffer& buffer : buffers) {
    if (buffer.data == nullptr) continue;
    if (!RegisterLocked(buffer.data, buffer.size_bytes, device, *buffer.label).ok()) {
      buffer.data = nullptr;
    }
  }
}

base::Result<void> DeviceMemory::RegisterLocked(void* data, uint64_t size_bytes, uint32_t device,
                                                const std::string& label) {
  if (data == nullptr || size_bytes == 0) {
    return base::Error{base::Code::kInvalidArgument,
                       fmt::format("A lent buffer \"{}\" has no bytes (address {}, {} bytes).",
                                   label, data, size_bytes)};
  }
  const auto base = reinterpret_cast<uintptr_t>(data);
  auto found = live_.find(base);
  if (found != live_.end()) {
    Entry& entry = found->second;
    if (entry.info.origin != Origin::kExternal) return {};  // device memory is known already
    if (entry.info.device != device) {
      return base::Error{
          base::Code::kInvalidArgument,
          fmt::format("{} ({}) is lent to [Device {}], so it cannot be lent to [Device {}] too.",
                      entry.info.Name(), data, entry.info.device, device)};
    }
    entry.info.size_bytes = std::max(entry.info.size_bytes, size_bytes);
    entry.also_lent.push_back(size_bytes);
  } else {
    Entry entry;
    entry.info = BufferInfo{next_id_++, label, base, size_bytes, device, Origin::kExternal, false};
    entry.lent_bytes = size_bytes;
    live_.emplace(base, std::move(entry));
    freed_.erase(base);
  }
  largest_bytes_ = std::max(largest_bytes_, size_bytes);
  generation_.fetch_add(1, std::memory_order_release);
  return {};
}

base::Result<void> DeviceMemory::Unregister(void* data, uint64_t size_bytes) {
  std::unique_lock lock(mutex_);
  return UnregisterLocked(data, size_bytes);
}

void DeviceMemory::EndLoans(std::span<const LentBuffer> buffers) {
  std::unique_lock lock(mutex_);
  for (const LentBuffer& buffer : buffers) {
    if (buffer.data != nullptr) (void)UnregisterLocked(buffer.data, buffer.size_bytes);
  }
}

base::Result<void> DeviceMemory::UnregisterLocked(void* data, uint64_t size_bytes) {
  auto found = live_.find(reinterpret_cast<uintptr_t>(data));
  if (found != live_.end() && found->second.info.origin != Origin::kExternal) return {};
  const auto unknown = [&] {
    return base::Error{base::Code::kNotFound,
                       fmt::format("No {} bytes at {} are lent.", size_bytes, data)};
  };
  if (found == live_.end()) return unknown();
  Entry& entry = found->second;
  std::vector<uint64_t>& others = entry.also_lent;
  if (entry.lent_bytes != size_bytes) {
    const auto ended = std::find(others.begin(), others.end(), size_bytes);
    if (ended == others.end()) return unknown();
    others.erase(ended);
  } else if (others.empty()) {
    live_.erase(found);
    generation_.fetch_add(1, std::memory_order_release);
    return {};
  } else {
    entry.lent_bytes = others.back();
    others.pop_back();
  }
  entry.info.size_bytes = entry.lent_bytes;
  for (uint64_t bytes : others) entry.info.size_bytes = std::max(entry.info.size_bytes, bytes);
  generation_.fetch_add(1, std::memory_order_release);
  return {};
}

base::Result<void> DeviceMemory::FreeLocked(void* data, Origin origin) {
  const auto base = reinterpret_cast<uintptr_t>(data);
  auto found = live_.find(base);
  if (found == live_.end()) {
    const BufferInfo* inside = FindLocked(base, 1);
    if (inside != nullptr) {
      return base::Error{base::Code::kInvalidArgument,
                         fmt::format("The address ({}) is {} bytes inside {}, not its start.", data,
                                     base - inside->base, inside->Name())};
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
  if (origin == Origin::kDevice) devices_[entry.info.device].used_bytes -= entry.allocated_bytes;
  BufferInfo gone = entry.info;
  gone.size_bytes = entry.allocated_bytes;  // all of it is gone, whatever SetExtent() said
  gone.freed = true;
  const uint64_t mapped_bytes = entry.mapped_bytes;
  live_.erase(found);
  if (freed_.size() >= kFreedRanges) freed_.erase(freed_.begin());
  freed_[base] = std::move(gone);
  KeepBlock(data, mapped_bytes);
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

/// The innermost live buffer that holds [address, address + bytes).
const BufferInfo* DeviceMemory::FindLocked(uintptr_t address, uint64_t bytes) const {
  const auto holds = [&](const BufferInfo& info) {
    const uint64_t offset = address - info.base;
    return offset < info.size_bytes && bytes <= info.size_bytes - offset;
  };
  for (auto next = live_.upper_bound(address); next != live_.begin();) {
    --next;
    const BufferInfo& info = next->second.info;
    if (next->second.parts.empty() && holds(info)) return &info;
    for (const BufferInfo& part : next->second.parts) {
      if (address >= part.base && holds(part)) return &part;
    }
    // Only lent ranges lie inside others; farther below than the largest buffer none reaches here.
    if (info.origin != Origin::kExternal || address - info.base >= largest_bytes_) return nullptr;
  }
  return nullptr;
}

std::optional<BufferInfo> DeviceMemory::FindFreedLocked(uintptr_t address) const {
  auto next = freed_.upper_bound(address);
  if (next == freed_.begin()) return std::nullopt;
  const BufferInfo& info = (--next)->second;
  if (address - info.base >= info.size_bytes) return std::nullopt;
  return info;
}

std::optional<BufferInfo> DeviceMemory::Find(const void* address) const {
  return FindRange(address, 1);
}

std::optional<BufferInfo> DeviceMemory::FindRange(const void* address, uint64_t bytes) const {
  std::shared_lock lock(mutex_);
  const auto value = reinterpret_cast<uintptr_t>(address);
  if (const BufferInfo* info = FindLocked(value, bytes)) return *info;
  if (const BufferInfo* info = FindLocked(value, 1)) return *info;
  return FindFreedLocked(value);
}

bool DeviceMemory::AreLabelledDeviceMemory(std::span<const void* const> addresses,
                                           uint32_t device) const {
  std::shared_lock lock(mutex_);
  return std::all_of(addresses.begin(), addresses.end(), [&](const void* address) {
    const BufferInfo* info = FindLocked(reinterpret_cast<uintptr_t>(address), 1);
    return info != nullptr && info->device == device && info->origin != Origin::kHost &&
           !info->label.empty();
  });
}

bool DeviceMemory::IsPadding(const void* address, uint64_t bytes, uint32_t device) const {
  std::shared_lock lock(mutex_);
  const auto begin = reinterpret_cast<uintptr_t>(address);
  auto next = live_.upper_bound(begin);
  if (next == live_.begin()) return false;
  const Entry& entry = std::prev(next)->second;
  const BufferInfo& info = entry.info;
  const bool is_whole = entry.parts.empty() && info.size_bytes == entry.allocated_bytes;
  const uint64_t padded = PaddedBytes(info.size_bytes);
  return info.origin == Origin::kDevice && info.device == device && is_whole && bytes <= padded &&
         begin - info.base <= padded - bytes;
}

std::optional<BufferInfo> DeviceMemory::NearestBelow(const void* address) const {
  std::shared_lock lock(mutex_);
  const auto value = reinterpret_cast<uintptr_t>(address);
  auto next = live_.upper_bound(value);
  if (next == live_.begin()) return std::nullopt;
  --next;
  const BufferInfo* nearest = &next->second.info;
  for (const BufferInfo& part : next->second.parts) {
    if (part.base <= value && (nearest == &next->second.info || part.base > nearest->base)) {
      nearest = &part;
    }
  }
  return *nearest;
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

void DeviceMemory::SetExtent(const void* data, uint64_t size_bytes, std::string_view label) {
  const auto base = reinterpret_cast<uintptr_t>(data);
  {
    std::shared_lock lock(mutex_);
    const auto found = live_.find(base);
    if (found == live_.end() || found->second.info.origin != Origin::kDevice) return;
    const BufferInfo& info = found->second.info;
    if (info.size_bytes == size_bytes && info.label == label && found->second.parts.empty()) return;
  }
  std::unique_lock lock(mutex_);
  const auto found = live_.find(base);
  if (found == live_.end() || found->second.info.origin != Origin::kDevice) return;
  Entry& entry = found->second;
  entry.info.label = label;
  entry.info.size_bytes = std::min(size_bytes, entry.allocated_bytes);
  entry.parts.clear();
  generation_.fetch_add(1, std::memory_order_release);
}

void DeviceMemory::SetParts(const void* data, std::span<const BlockPart> parts) {
  const auto base = reinterpret_cast<uintptr_t>(data);
  const auto is_part = [&](const BlockPart& part, const BufferInfo& known) {
    return known.base == base + part.offset && known.size_bytes == part.size_bytes &&
           known.label == part.label;
  };
  {
    std::shared_lock lock(mutex_);
    const auto found = live_.find(base);
    if (found == live_.end() || found->second.info.origin != Origin::kDevice) return;
    const std::vector<BufferInfo>& known = found->second.parts;
    if (std::equal(parts.begin(), parts.end(), known.begin(), known.end(), is_part)) return;
  }
  std::unique_lock lock(mutex_);
  const auto found = live_.find(base);
  if (found == live_.end() || found->second.info.origin != Origin::kDevice) return;
  Entry& entry = found->second;
  entry.info.size_bytes = entry.allocated_bytes;
  entry.parts.clear();
  for (const BlockPart& part : parts) {
    if (part.offset >= entry.allocated_bytes) continue;
    BufferInfo info = entry.info;
    info.label = part.label;
    info.base = base + part.offset;
    info.size_bytes = std::min(part.size_bytes, entry.allocated_bytes - part.offset);
    entry.parts.push_back(std::move(info));
  }
  generation_.fetch_add(1, std::memory_order_release);
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

void DeviceMemory::TrimLocked() {
  for (const auto& [bytes, block] : free_blocks_) Unmap(block.data, bytes);
  free_blocks_.clear();
  free_blocks_by_age_.clear();
  free_block_bytes_ = 0;
}

void DeviceMemory::Trim() {
  std::unique_lock lock(mutex_);
  TrimLocked();
}

}  // namespace hostnpu::memory

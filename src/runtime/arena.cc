// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/arena.h"

#include <algorithm>

#include "memory/device_memory.h"

namespace hostnpu::runtime {

Arena::Block::~Block() { static_cast<void>(memory::DeviceMemory::Get().Free(data_)); }

void Arena::MakeRoom(uint64_t size_bytes, uint64_t limit) {
  auto entry = blocks_.end();
  while (entry != blocks_.begin() && held_bytes_ + size_bytes > limit) {
    --entry;
    if (entry->second.use_count() != 1) continue;
    held_bytes_ -= entry->first.first;
    entry = blocks_.erase(entry);
  }
}

base::Result<Arena::Lease> Arena::Acquire(uint64_t size_bytes, Slot slot,
                                          const std::string& label) {
  std::lock_guard lock(mutex_);
  const std::pair key(size_bytes, slot);
  if (auto found = blocks_.find(key); found != blocks_.end()) return found->second;
  MakeRoom(size_bytes, std::max(largest_bytes_, size_bytes));
  auto& memory = memory::DeviceMemory::Get();
  auto data = memory.Allocate(device_, size_bytes, label);
  if (!data.ok() && held_bytes_ != 0) {
    MakeRoom(size_bytes, 0);
    data = memory.Allocate(device_, size_bytes, label);
  }
  if (!data.ok()) return std::move(data).error();
  held_bytes_ += size_bytes;
  largest_bytes_ = std::max(largest_bytes_, size_bytes);
  return blocks_.emplace(key, std::make_shared<Block>(*data, size_bytes)).first->second;
}

}  // namespace hostnpu::runtime

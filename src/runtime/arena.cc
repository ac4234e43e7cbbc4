// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/arena.h"

#include "memory/device_memory.h"

namespace hostnpu::runtime {

Arena::Block::~Block() { static_cast<void>(memory::DeviceMemory::Get().Free(data_)); }

base::Result<Arena::Lease> Arena::Acquire(uint64_t size_bytes, uint32_t slot,
                                          const std::string& label) {
  std::lock_guard lock(mutex_);
  Lease& block = blocks_[{size_bytes, slot}];
  if (block == nullptr) {
    auto& memory = memory::DeviceMemory::Get();
    auto data = memory.Allocate(device_, size_bytes, label);
    if (!data.ok() && blocks_.size() > 1) {
      std::erase_if(blocks_, [](const auto& entry) {
        return entry.second == nullptr || entry.second.use_count() == 1;
      });
      data = memory.Allocate(device_, size_bytes, label);
    }
    if (!data.ok()) {
      std::erase_if(blocks_, [](const auto& entry) { return entry.second == nullptr; });
      return std::move(data).error();
    }
    return blocks_[{size_bytes, slot}] = std::make_shared<Block>(*data, size_bytes);
  }
  return block;
}

void Arena::Trim() {
  std::lock_guard lock(mutex_);
  std::erase_if(blocks_, [](const auto& entry) { return entry.second.use_count() == 1; });
}

}  // namespace hostnpu::runtime

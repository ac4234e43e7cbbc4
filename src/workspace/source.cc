// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// Pools do not care where bytes come from, as long as there are enough of them at the right place.
// That is checked here and not trusted, because a short or crooked block would show up much later
// as a wrong number in somebody's kernel.
#include "workspace/source.h"

#include <fmt/format.h>

#include "memory/device_memory.h"

namespace hostnpu::workspace {

base::Result<void*> DeviceSource::Allocate(int64_t bytes, const std::string& label) {
  return memory::DeviceMemory::Get().Allocate(device_, static_cast<uint64_t>(bytes), label);
}

void DeviceSource::Free(void* data) {
  // An arena that a user freed by its address is gone already: nothing is left to do.
  static_cast<void>(memory::DeviceMemory::Get().Free(data));
}

base::Result<void*> HookSource::Allocate(int64_t bytes, const std::string& label) {
  const HookBlock block = allocate_(bytes, kDefaultAlignment);
  std::string problem;
  if (block.data == nullptr) {
    return base::Error{
        base::Code::kOutOfMemory,
        fmt::format("The allocation hook gives a null pointer for {} bytes of {}.", bytes, label)};
  }
  const auto past = reinterpret_cast<uintptr_t>(block.data) % uintptr_t{kDefaultAlignment};
  if (block.bytes < bytes) {
    problem = fmt::format("{} bytes, but {} were asked for", block.bytes, bytes);
  } else if (past != 0) {
    problem = fmt::format("a pointer {} bytes past a multiple of {}", past, kDefaultAlignment);
  } else if (blocks_.contains(block.data)) {
    problem = "a block that is still in use";
  }
  if (problem.empty()) {
    blocks_.emplace(block.data, block);
    return block.data;
  }
  if (!blocks_.contains(block.data)) free_(block);
  return base::Error{base::Code::kInvalidArgument,
                     fmt::format("The allocation hook gives {}, for {}.", problem, label)};
}

void HookSource::Free(void* data) {
  const auto found = blocks_.find(data);
  if (found == blocks_.end()) return;
  const HookBlock block = found->second;
  blocks_.erase(found);
  free_(block);
}

}  // namespace hostnpu::workspace

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_WORKSPACE_SOURCE_H_
#define HOSTNPU_WORKSPACE_SOURCE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

#include "base/result.h"
#include "workspace/signature.h"

namespace hostnpu::workspace {

/// Where a pool gets its memory. Called by one thread at a time per pool, never in the steady
/// state.
class Source {
 public:
  virtual ~Source() = default;
  /// At least `bytes` (> 0) at a multiple of kDefaultAlignment. `label` names them in messages.
  virtual base::Result<void*> Allocate(int64_t bytes, const std::string& label) = 0;
  virtual void Free(void* data) = 0;
};

/// Device memory, so that every address in an arena knows its buffer, and HBM is counted.
class DeviceSource final : public Source {
 public:
  explicit DeviceSource(uint32_t device) : device_(device) {}
  base::Result<void*> Allocate(int64_t bytes, const std::string& label) override;
  void Free(void* data) override;

 private:
  uint32_t device_;
};

/// What a user's allocation hook gives back.
struct HookBlock {
  void* data = nullptr;
  int64_t bytes = 0;
};

/// Memory from a user's functions. What they give is not believed: null, too few bytes and a broken
/// alignment are errors, and the block is given back before the error returns.
class HookSource final : public Source {
 public:
  using AllocateHook = std::function<HookBlock(int64_t bytes, int64_t alignment)>;
  using FreeHook = std::function<void(HookBlock block)>;
  HookSource(AllocateHook allocate, FreeHook free)
      : allocate_(std::move(allocate)), free_(std::move(free)) {}
  base::Result<void*> Allocate(int64_t bytes, const std::string& label) override;
  void Free(void* data) override;

 private:
  AllocateHook allocate_;
  FreeHook free_;
  std::unordered_map<void*, HookBlock> blocks_;
};

}  // namespace hostnpu::workspace

#endif  // HOSTNPU_WORKSPACE_SOURCE_H_

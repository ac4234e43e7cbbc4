// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ENGINE_BLOCK_LOCAL_H_
#define HOSTNPU_ENGINE_BLOCK_LOCAL_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace hostnpu::engine {

/// The __BLOCK_LOCAL__ variables of the module that a core's kernel lies in, as this core has them.
/// Used on the core's worker thread only.
class BlockLocals {
 public:
  /// The core has none, until Begin().
  void Clear() {
    place_ = nullptr;
    values_.clear();
  }
  /// The core begins: finds the variables on this thread and gives them their initial values, the
  /// `bytes` of the module's thread-local image at `image`.
  void Begin(const void* image, size_t bytes);
  /// The core goes on: the variables have the values it left in them.
  void Restore() const {
    if (place_ != nullptr) std::memcpy(place_, values_.data(), values_.size());
  }
  /// The core stops for a while.
  void Save() {
    if (place_ != nullptr) std::memcpy(values_.data(), place_, values_.size());
  }

 private:
  uint8_t* place_ = nullptr;  // null: none
  std::vector<uint8_t> values_;
};

}  // namespace hostnpu::engine

#endif  // HOSTNPU_ENGINE_BLOCK_LOCAL_H_

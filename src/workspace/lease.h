// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_WORKSPACE_LEASE_H_
#define HOSTNPU_WORKSPACE_LEASE_H_

#include <cstddef>
#include <cstdint>
#include <utility>

namespace hostnpu::workspace {

class Pool;
struct Arena;

/// The right of one launch to the bytes of an arena. Belongs to the launch and ends with it:
/// destroy it when the launch has finished on its stream, not when the host call returns. May be
/// ended on any thread. Must not outlive its pool.
class Lease {
 public:
  Lease() = default;
  Lease(Lease&& other) noexcept { *this = std::move(other); }
  Lease& operator=(Lease&& other) noexcept {
    if (this == &other) return *this;
    End();
    pool_ = std::exchange(other.pool_, nullptr);
    arena_ = std::exchange(other.arena_, nullptr);
    base_ = std::exchange(other.base_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
  }
  ~Lease() { End(); }

  /// Gives the bytes back. Does nothing the second time.
  void End();

  /// Null for a lease of 0 bytes.
  std::byte* base() const { return base_; }
  int64_t bytes() const { return bytes_; }

 private:
  friend class Lane;
  Lease(Pool* pool, Arena* arena, std::byte* base, int64_t bytes)
      : pool_(pool), arena_(arena), base_(base), bytes_(bytes) {}

  Pool* pool_ = nullptr;
  Arena* arena_ = nullptr;
  std::byte* base_ = nullptr;
  int64_t bytes_ = 0;
};

}  // namespace hostnpu::workspace

#endif  // HOSTNPU_WORKSPACE_LEASE_H_

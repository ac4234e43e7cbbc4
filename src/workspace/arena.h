// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_WORKSPACE_ARENA_H_
#define HOSTNPU_WORKSPACE_ARENA_H_

#include <atomic>
#include <cstdint>
#include <string>

namespace hostnpu::workspace {

/// One block of memory that a pool got from its source, and the count of leases on it.
///
/// `state` holds twice the number of leases, plus one once the arena is retired: the single atomic
/// operation that ends the last lease of a retired arena sees the value 1, so exactly one thread
/// frees it.
struct Arena {
  std::byte* base = nullptr;  // aligned as the request asked
  int64_t bytes = 0;          // from base on
  void* block = nullptr;      // what the source gave, and takes back
  int64_t block_bytes = 0;
  std::atomic<int64_t> state{0};
  uint32_t last_lane = 0;  // who leased it last, and when: for Lane::WaitFor
  uint64_t last_ticket = 0;
  bool taken_busy = false;  // last_lane took it over while leases of another lane were open

  bool Busy() const { return state.load(std::memory_order_acquire) >= 2; }
};

}  // namespace hostnpu::workspace

#endif  // HOSTNPU_WORKSPACE_ARENA_H_

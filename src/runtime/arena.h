// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_ARENA_H_
#define HOSTNPU_RUNTIME_ARENA_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/result.h"

namespace hostnpu::runtime {

/// Device memory that a stream lends to its launches. What one launch has had, a later one of the
/// same stream may have at once, because they run one after the other; so a block is lent again
/// while its last user is still waiting in the queue. Each block has exactly the size asked for, so
/// that an overrun is seen; blocks of other sizes that no launch waits for go before all of them
/// together would be larger than the largest.
class Arena {
 public:
  /// What a block is for. Two blocks of one launch differ in it.
  enum class Slot : uint32_t {
    kWorkspace,      ///< of a kernel
    kOperator,       ///< of an operator call: the kernel's part and contiguous copies
    kTiling,         ///< tiling data of an operator call
    kFirstArgument,  ///< and those behind it: data of an argument list, by argument
  };

  /// A block; alive as long as somebody holds it.
  class Block {
   public:
    explicit Block(void* data, uint64_t size_bytes) : data_(data), size_bytes_(size_bytes) {}
    ~Block();
    Block(const Block&) = delete;
    void* data() const { return data_; }
    uint64_t size_bytes() const { return size_bytes_; }

   private:
    void* const data_;
    const uint64_t size_bytes_;
  };
  using Lease = std::shared_ptr<Block>;

  explicit Arena(uint32_t device) : device_(device) {}

  /// A block of that size for one launch, under that label. kOutOfMemory when the device has no
  /// more.
  base::Result<Lease> Acquire(uint64_t size_bytes, Slot slot, const std::string& label);

 private:
  /// Forgets blocks nobody holds, the largest first, until `size_bytes` more fit into `limit`.
  void MakeRoom(uint64_t size_bytes, uint64_t limit);

  const uint32_t device_;
  std::mutex mutex_;
  std::map<std::pair<uint64_t, Slot>, Lease> blocks_;
  uint64_t held_bytes_ = 0;     // of all blocks
  uint64_t largest_bytes_ = 0;  // of one block, ever
};

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_ARENA_H_

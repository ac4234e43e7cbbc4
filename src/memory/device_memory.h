// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_MEMORY_DEVICE_MEMORY_H_
#define HOSTNPU_MEMORY_DEVICE_MEMORY_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hostnpu::memory {

/// Where the bytes of a buffer come from, and so who may free it and whether it counts against HBM.
enum class Origin {
  kDevice,    ///< Allocate(): device memory, owned here
  kHost,      ///< AllocateHost(): pinned host memory; a kernel must not touch it
  kExternal,  ///< Register(): somebody else's bytes lent to kernels (a tensor of a caller)
};

/// What an address belongs to. A copy: stays valid when the buffer goes.
struct BufferInfo {
  uint64_t id = 0;    ///< "Buffer 7"; counts up, never reused
  std::string label;  ///< "" or the name a user or the runtime gave
  uintptr_t base = 0;
  uint64_t size_bytes = 0;
  uint32_t device = 0;
  Origin origin = Origin::kDevice;
  bool freed = false;  ///< the newest buffer that held the address has been freed

  /// `[Buffer 7 "scores"]`, or `[Buffer 7]` without a label.
  std::string Name() const;
};

/// One of several buffers that a block is divided into.
struct BlockPart {
  uint64_t offset = 0;
  uint64_t size_bytes = 0;
  std::string_view label{};
};

/// Bytes that a caller lends for a while.
struct LentBuffer {
  void* data = nullptr;
  uint64_t size_bytes = 0;
  const std::string* label = nullptr;
};

/// Bytes used and free of one device.
struct MemoryStatus {
  uint64_t total_bytes = 0;
  uint64_t used_bytes = 0;
  uint64_t peak_bytes = 0;
};

/// All memory kernels and ACL calls may name, of all devices of the process: every address knows
/// its buffer. Thread-safe. Addresses are real host addresses, so a kernel uses them as they are.
///
/// Freed blocks are kept for reuse by sizes up to theirs, the latest ones up to a limit, and large
/// ones grow into somewhat larger ones; `freed` answers for a while after the free, until the range
/// is handed out again. The byte behind a buffer never belongs to another one that was allocated.
class DeviceMemory {
 public:
  /// The one table of the process.
  static DeviceMemory& Get();

  /// Sets the number of devices and the HBM of each; only while nothing is allocated.
  base::Result<void> Configure(uint32_t device_count, uint64_t hbm_bytes);
  uint32_t device_count() const;

  /// Device memory of `size_bytes` (> 0), 512-byte aligned (aclrtMalloc promises 64), contents
  /// undefined. kOutOfMemory when it would exceed the device's HBM or the host has no more; nothing
  /// is lost then.
  base::Result<void*> Allocate(uint32_t device, uint64_t size_bytes, std::string label = "");
  base::Result<void*> AllocateHost(uint64_t size_bytes);
  /// Lends [data, data + size) to kernels of `device` under `label`. Ranges lent may repeat
  /// (counted; the first label stays), nest and overlap each other (views of a tensor beside it),
  /// but not partly overlap a device buffer. The start of a device buffer is known already: nothing
  /// is done. kInvalidArgument: no bytes, or bytes that are lent to another device.
  base::Result<void> Register(void* data, uint64_t size_bytes, uint32_t device, std::string label);
  /// Ends one Register() of the same range. Of those that are lent still the longest counts.
  /// kNotFound: it is not lent.
  base::Result<void> Unregister(void* data, uint64_t size_bytes);

  /// Register() for each, at once. One that cannot be lent gets null data; null data is left out.
  void Lend(std::span<LentBuffer> buffers, uint32_t device);
  /// Unregister() for each that was lent, at once.
  void EndLoans(std::span<const LentBuffer> buffers);

  /// Frees by the address Allocate or AllocateHost gave. kInvalidArgument names what the address is
  /// (inside a buffer, freed before, of the other kind, unknown).
  base::Result<void> Free(void* data);
  base::Result<void> FreeHost(void* data);

  /// The buffer that holds `address`, freed ones included; nothing if it never was one.
  std::optional<BufferInfo> Find(const void* address) const;
  /// The live buffer that holds all of [address, address + bytes), so that a range of a lent tensor
  /// may run across a view of it that is lent too. If there is none, what Find(address) gives.
  std::optional<BufferInfo> FindRange(const void* address, uint64_t bytes) const;
  /// Whether each address lies in a live buffer of the device that is no host memory and has a
  /// label: all that a launch asks of its pointers, for a fraction of the time of Find().
  bool AreLabelledDeviceMemory(std::span<const void* const> addresses, uint32_t device) const;
  /// Whether [address, address + bytes) ends behind a live device buffer, but within the bytes that
  /// aclrtMalloc adds to it: up to the next multiple of 32, and 32 more. They may be read. A block
  /// that serves launches (SetExtent, SetParts) has none.
  bool IsPadding(const void* address, uint64_t bytes, uint32_t device) const;
  /// The live buffer that is nearest to `address` at or below it, for messages about overruns.
  std::optional<BufferInfo> NearestBelow(const void* address) const;

  /// Names the buffer that starts at `data`.
  base::Result<void> SetLabel(const void* data, std::string label);
  /// Lets the device buffer that starts at `data` end after `size_bytes` for every check and
  /// message, up to what was allocated, and names it: for a block that serves one launch after the
  /// other. HBM counts what was allocated. Does nothing if there is no such buffer.
  void SetExtent(const void* data, uint64_t size_bytes, std::string_view label);
  /// Lets the device buffer that starts at `data` be several, which do not overlap, for every check
  /// and message; what lies between them belongs to none. Until the next SetExtent() or SetParts().
  void SetParts(const void* data, std::span<const BlockPart> parts);

  base::Result<MemoryStatus> Status(uint32_t device) const;

  /// Changes at every allocation, free, registration: cores drop their cached windows when it
  /// moves.
  uint64_t generation() const { return generation_.load(std::memory_order_acquire); }

  /// Live buffers of a device (of all for nullopt), for leak reports.
  std::vector<BufferInfo> LiveBuffers(std::optional<uint32_t> device) const;

  /// Gives cached free blocks back to the operating system.
  void Trim();

 private:
  struct Entry {
    BufferInfo info;
    uint64_t allocated_bytes = 0;  // kDevice: what counts against HBM
    uint64_t mapped_bytes = 0;
    uint64_t lent_bytes = 0;            // kExternal: of one Register()
    std::vector<uint64_t> also_lent{};  // of the others: rare
    std::vector<BufferInfo> parts{};    // of SetParts(); none: the block is one buffer
  };
  struct Device {
    uint64_t hbm_bytes = 0;
    uint64_t used_bytes = 0;
    uint64_t peak_bytes = 0;
  };

  struct FreeBlock {
    void* data = nullptr;
    uint64_t freed_at = 0;  // counts frees
  };
  using FreeBlocks = std::multimap<uint64_t, FreeBlock>;  // by mapped size

  DeviceMemory();
  base::Result<void*> AllocateLocked(uint32_t device, uint64_t size_bytes, Origin origin,
                                     std::string label);
  base::Result<void> RegisterLocked(void* data, uint64_t size_bytes, uint32_t device,
                                    const std::string& label);
  base::Result<void> UnregisterLocked(void* data, uint64_t size_bytes);
  base::Result<void> FreeLocked(void* data, Origin origin);
  void TrimLocked();
  void* TakeBlock(uint64_t* mapped_bytes);
  void* GrowBlock(FreeBlocks::iterator larger, uint64_t mapped_bytes);
  void KeepBlock(void* data, uint64_t mapped_bytes);
  void* RemoveFreeBlock(FreeBlocks::iterator block);
  void Unmap(void* data, uint64_t bytes);
  void ForgetFreed(uintptr_t base, uint64_t bytes);
  const BufferInfo* FindLocked(uintptr_t address, uint64_t bytes) const;
  std::optional<BufferInfo> FindFreedLocked(uintptr_t address) const;

  mutable std::shared_mutex mutex_;
  std::map<uintptr_t, Entry> live_;        // by base
  uint64_t largest_bytes_ = 0;             // of all buffers there ever were
  std::map<uintptr_t, BufferInfo> freed_;  // by base; newest wins
  FreeBlocks free_blocks_;
  std::map<uint64_t, FreeBlocks::iterator> free_blocks_by_age_;
  uint64_t free_block_bytes_ = 0;
  uint64_t free_count_ = 0;
  std::vector<Device> devices_;
  uint64_t next_id_ = 1;
  std::atomic<uint64_t> generation_{1};
};

}  // namespace hostnpu::memory

#endif  // HOSTNPU_MEMORY_DEVICE_MEMORY_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/core_memory.h"

#include <sys/mman.h>

#include <cstring>
#include <utility>

#include "base/poison.h"

namespace hostnpu::engine {
namespace {

constexpr size_t kGuardBytes = 65536;  // a multiple of every page size in use
constexpr size_t kGrain = 65536;

size_t Room(size_t bytes) { return (bytes + kGrain - 1) / kGrain * kGrain; }

// Behind L0B lies the memory of the sparse index, a quarter of its size, which has no address of
// its own on the device.
size_t UsedBytes(const HostnpuLocalMemory* table, const HostnpuLocalMemory& memory) {
  const bool is_l0b = &memory == &table[HOSTNPU_MEMORY_L0B];
  return memory.size_bytes + (is_l0b ? size_t{memory.size_bytes} / 4 : 0);
}

size_t RoomOf(const HostnpuLocalMemory* table, const HostnpuLocalMemory& memory) {
  return Room(UsedBytes(table, memory));
}

}  // namespace

CoreMemory::CoreMemory(const arch::Chip& chip) {
  HostnpuLocalMemory* t = table_;
  // Both kinds get all memories, as in the vendor's CPU twin: code that runs on both kinds may read
  // a scalar from a memory its kind does not have. Pages that are never touched cost nothing.
  t[HOSTNPU_MEMORY_UB] = {nullptr, chip.ub_bytes, chip.UsableUbBytes()};
  t[HOSTNPU_MEMORY_L1] = {nullptr, chip.l1_bytes, chip.UsableL1Bytes()};
  t[HOSTNPU_MEMORY_L0A] = {nullptr, chip.l0a_bytes, chip.l0a_bytes};
  t[HOSTNPU_MEMORY_L0B] = {nullptr, chip.l0b_bytes, chip.l0b_bytes};
  t[HOSTNPU_MEMORY_L0C] = {nullptr, chip.l0c_bytes, chip.l0c_bytes};
  t[HOSTNPU_MEMORY_BT] = {nullptr, chip.bt_bytes, chip.bt_bytes};
  t[HOSTNPU_MEMORY_FB] = {nullptr, chip.fb_bytes, chip.fb_bytes};
  mapping_bytes_ = kGuardBytes;
  for (const HostnpuLocalMemory& m : table_) {
    if (m.size_bytes != 0) mapping_bytes_ += RoomOf(t, m) + kGuardBytes;
  }
  void* raw =
      mmap(nullptr, mapping_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) return;
  mapping_ = raw;
  char* next = static_cast<char*>(mapping_) + kGuardBytes;
  for (HostnpuLocalMemory& m : table_) {
    if (m.size_bytes == 0) continue;
    if (mprotect(next, RoomOf(t, m), PROT_READ | PROT_WRITE) != 0) {
      base::Unpoison(mapping_, mapping_bytes_);
      munmap(std::exchange(mapping_, nullptr), mapping_bytes_);
      return;
    }
    m.base = reinterpret_cast<uint8_t*>(next);
    base::Poison(next + UsedBytes(t, m), RoomOf(t, m) - UsedBytes(t, m));
    next += RoomOf(t, m) + kGuardBytes;
  }
}

CoreMemory::~CoreMemory() {
  if (mapping_ == nullptr) return;
  base::Unpoison(mapping_, mapping_bytes_);
  munmap(mapping_, mapping_bytes_);
}

void CoreMemory::Describe(HostnpuLocalMemory* table) const {
  std::memcpy(table, table_, sizeof(table_));
}

void CoreMemory::Fill(unsigned char pattern) {
  for (const HostnpuLocalMemory& m : table_) {
    if (m.size_bytes != 0) std::memset(m.base, pattern, m.size_bytes);
  }
}

}  // namespace hostnpu::engine

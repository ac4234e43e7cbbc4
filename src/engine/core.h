// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ENGINE_CORE_H_
#define HOSTNPU_ENGINE_CORE_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/block_local.h"
#include "engine/core_memory.h"
#include "engine/fiber.h"

namespace hostnpu::engine {

class Job;
struct Block;

inline constexpr uint32_t kFlagCount = 16;          // cross-core flag ids
inline constexpr uint32_t kFlagLimit = 15;          // outstanding sets a counter can hold
inline constexpr size_t kStackBytes = 1024 * 1024;  // reserved, touched as used

/// One AI core as the engine sees it: the record kernels read, the fiber they run on, their
/// memories, and what the core waits for. Pooled per worker thread; contents of the memories stay.
struct Core {
  Core(const arch::Chip& the_chip, HostnpuCoreKind the_kind)
      : chip(&the_chip), kind(the_kind), fiber(kStackBytes), memory(the_chip) {}

  enum class State {
    kReady,    // may run: fresh, or yielded while polling
    kWaiting,  // parked until ready() says so
    kDone,
  };

  /// False if the host has no memory for its stack or its memories.
  bool IsUsable() const { return fiber.IsUsable() && memory.IsUsable(); }
  /// Whether a waiting core may go on.
  bool CanRun() const {
    return state == State::kReady || (state == State::kWaiting && ready(ready_context) != 0);
  }
  /// "AIV 3, block 1".
  std::string Name() const;
  /// The place among the cores of a launch, whatever ran first: of several cores that have the same
  /// to say, the first is named.
  uint64_t Order() const;

  HostnpuCore abi = {};
  const arch::Chip* chip;
  HostnpuCoreKind kind;
  Fiber fiber;
  CoreMemory memory;
  BlockLocals block_locals;

  Job* job = nullptr;
  Block* block = nullptr;
  uint32_t lane = 0;  // sub-block: which AIV of the block
  State state = State::kDone;
  bool polling = false;  // yielded from a loop that watches memory
  const char* wait_what = "";
  uint32_t wait_flag = 0;
  int (*ready)(void*) = nullptr;
  void* ready_context = nullptr;
  bool trace_requested = false;  // resumed only to say where it stands
  std::vector<void*> trace;

  std::vector<std::pair<uint64_t, uint64_t>> barrier_visits;  // key -> how often
  uint64_t memory_generation = 0;  // of DeviceMemory when the GM windows were filled
  uint32_t window_device = 0;
  const void* locked_gm = nullptr;  // whose page this core has locked

  // Integer divisions without a result. Written by the signal handler, which must not allocate.
  uint64_t odd_divisions = 0;
  std::array<void*, 48> division_trace = {};  // of the first
  size_t division_trace_count = 0;
};

/// The cross-core flags of one block.
struct BlockFlags {
  using Counters = std::array<uint32_t, kFlagCount>;
  struct OfCore {
    std::array<uint64_t, kFlagCount> consumed = {};
    std::array<uint64_t, kFlagCount> mode0_sets = {};
    std::array<void*, kFlagCount> last_set = {};  // the return address of its last set
  };
  Counters aic_sets = {};                  // mode 2, for the AIVs
  std::array<Counters, 2> aiv_sets = {};   // mode 2, for the AIC
  std::array<Counters, 2> pair_sets = {};  // mode 1
  std::array<OfCore, 3> cores = {};        // the AIC, the AIVs
};

/// The cores of one block of a launch while they are in flight; all on one worker.
struct Block {
  uint64_t index = 0;
  uint32_t unfinished = 0;
  Core* aic = nullptr;
  std::array<Core*, 2> aiv = {};
  bool uses_flags = false;

  void Begin(uint64_t the_index, uint32_t cores) {
    index = the_index;
    unfinished = cores;
    aic = nullptr;
    aiv = {};
    uses_flags = false;
  }
  /// Most blocks use no flags and never pay for clearing them.
  BlockFlags& Flags() {
    if (!uses_flags) flags_ = BlockFlags();
    uses_flags = true;
    return flags_;
  }
  BlockFlags::OfCore& FlagsOf(const Core& core) {
    return Flags().cores[core.kind == HOSTNPU_CORE_AIC ? 0 : 1 + core.lane];
  }

 private:
  BlockFlags flags_;
};

}  // namespace hostnpu::engine

#endif  // HOSTNPU_ENGINE_CORE_H_

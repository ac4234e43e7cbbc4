// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Order between cores: cross-core flags, barriers over all cores, flags in GM, turns of blocks. All
// of them park the core that waits and let others run; a wait that nothing can end fails the
// launch.
#ifndef HOSTNPU_ASCENDC_BASIC_BLOCK_SYNC_H_
#define HOSTNPU_ASCENDC_BASIC_BLOCK_SYNC_H_

#include "identity.h"
#include "sync.h"
#include "tensor.h"

namespace AscendC {

/// Sets a cross-core flag. Mode 0: for all cores of this kind; 1: for the two vector cores of a
/// block; 2: between the cube core and the vector cores of a block.
template <uint8_t modeId, pipe_t pipe>
HOSTNPU_INLINE void CrossCoreSetFlag(uint16_t flagId) {
  static_assert(modeId <= 2, "CrossCoreSetFlag has modes 0, 1 and 2 on this chip");
  HostnpuCore& core = internal::ThisCore();
  core.abi->cross_core_set(&core, modeId, flagId);
}
/// Waits for a cross-core flag; the mode is that of the set.
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
HOSTNPU_INLINE void CrossCoreWaitFlag(uint16_t flagId) {
  HostnpuCore& core = internal::ThisCore();
  core.abi->cross_core_wait(&core, flagId);
}
/// CrossCoreSetFlag in mode 2 under its older name.
template <pipe_t pipe = PIPE_S>
HOSTNPU_INLINE void NotifyEvent(uint16_t flagId) {
  CrossCoreSetFlag<2, pipe>(flagId);
}
/// CrossCoreWaitFlag under its older name.
template <uint8_t modeId = 2, pipe_t pipe = PIPE_S>
HOSTNPU_INLINE void WaitEvent(uint16_t flagId) {
  CrossCoreWaitFlag<modeId, pipe>(flagId);
}

/// The pipes a SyncAll begins and ends on.
struct SyncAllConfig {
  pipe_t triggerPipe = PIPE_ALL;
  pipe_t waitPipe = PIPE_ALL;
};
constexpr SyncAllConfig DEFAULT_SYNC_ALL_CONFIG = {};

/// Waits until every core has come here: all vector cores, or with isAIVOnly false the cube cores
/// as well.
template <bool isAIVOnly = true>
HOSTNPU_INLINE void SyncAll() {
  HostnpuCore& core = internal::ThisCore();
  core.abi->sync_all(&core, isAIVOnly ? 1 : 0);
}
template <bool isAIVOnly, const SyncAllConfig& config>
HOSTNPU_INLINE void SyncAll() {
  SyncAll<isAIVOnly>();
}

namespace internal {

constexpr int32_t kSlotInts = 8;  // an int32 flag has a 32-byte block of GM for itself

inline int AlwaysReady(void*) { return 1; }
/// A store to GM that a parked core watches has been made: it is asked again.
inline void AnnounceStore(const char* what) {
  HostnpuCore& core = ThisCore();
  core.abi->wait_until(&core, what, &AlwaysReady, nullptr);
}

/// A flag in GM that is waited for.
struct SlotWait {
  int32_t* slot;
  int32_t value;
};
inline int SlotHasValue(void* context) {
  const auto& wait = *static_cast<const SlotWait*>(context);
  return __atomic_load_n(wait.slot, __ATOMIC_ACQUIRE) == wait.value ? 1 : 0;
}
/// Waits until the slot has one value and gives it another.
HOSTNPU_SHARED void ExchangeSlot(const char* api, int32_t* slot, int32_t from, int32_t to) {
  CheckGm(api, slot, sizeof(*slot), HOSTNPU_GM_WRITE);
  HostnpuCore& core = ThisCore();
  SlotWait wait{slot, from};
  core.abi->wait_until(&core, api, &SlotHasValue, &wait);
  __atomic_store_n(slot, to, __ATOMIC_RELEASE);
  AnnounceStore(api);
}

HOSTNPU_INLINE void CheckScratch(const char* api, const LocalTensor<int32_t>& ub, uint64_t bytes) {
  CheckLocal(api, ub.Memory(), ub.address_.absAddr, bytes);
}

/// Vector cores of the launch.
HOSTNPU_INLINE int64_t VectorCores() {
  const HostnpuCore& core = ThisCore();
  return core.block_count * core.sub_block_count;
}

}  // namespace internal

/// Waits until the first `usedCores` vector cores (0: all) have come here. On the device this
/// counts in GM, one int32 per 32 bytes, which has to be zero at first; here the counters are kept,
/// but nobody waits for them, so a workspace that was not cleared cannot let a core through too
/// early.
template <bool isAIVOnly = true>
inline void SyncAll(const GlobalTensor<int32_t>& gmWorkspace,
                    const LocalTensor<int32_t>& ubWorkspace, const int32_t usedCores = 0) {
  if (!internal::OnVectorCore()) return;
  const int64_t cores = usedCores != 0 ? usedCores : internal::VectorCores();
  const int64_t index = GetBlockIdx();
  if (HOSTNPU_UNLIKELY(index >= cores)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "SyncAll",
                  "has usedCores = %d, and core %lld comes to it; the cores below that number meet",
                  usedCores, (long long)index);
  }
  const uint64_t bytes = static_cast<uint64_t>(cores) * ONE_BLK_SIZE;
  internal::CheckGm("SyncAll", gmWorkspace.address_, bytes, HOSTNPU_GM_WRITE);
  internal::CheckScratch("SyncAll", ubWorkspace, bytes);
  int32_t* counter = gmWorkspace.address_ + index * internal::kSlotInts;
  __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + 1, __ATOMIC_RELEASE);
  HostnpuCore& core = internal::ThisCore();
  core.abi->barrier(&core, "SyncAll(gm, ub)", reinterpret_cast<uint64_t>(gmWorkspace.address_),
                    static_cast<uint32_t>(cores));
}

/// Sets flag `eventID` of block `blockIdx` in GM, once its last set has been waited for.
template <bool isAIVOnly = true>
inline void IBSet(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace,
                  int32_t blockIdx, int32_t eventID) {
  if (!internal::OnVectorCore()) return;
  internal::CheckScratch("IBSet", ubWorkspace, ONE_BLK_SIZE);
  const int64_t cores = GetBlockNum() * (isAIVOnly ? 1 : 2);
  internal::ExchangeSlot(
      "IBSet", gmWorkspace.address_ + (cores * eventID + blockIdx) * internal::kSlotInts, 0, 1);
}
/// Waits for flag `eventID` of block `blockIdx` in GM and clears it.
template <bool isAIVOnly = true>
inline void IBWait(const GlobalTensor<int32_t>& gmWorkspace,
                   const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx, int32_t eventID) {
  if (!internal::OnVectorCore()) return;
  internal::CheckScratch("IBWait", ubWorkspace, ONE_BLK_SIZE);
  const int64_t cores = GetBlockNum() * (isAIVOnly ? 1 : 2);
  internal::ExchangeSlot(
      "IBWait", gmWorkspace.address_ + (cores * eventID + blockIdx) * internal::kSlotInts, 1, 0);
}

namespace internal {

/// The turns of blocks: in round k, block i may go when the slots of the blocks before it hold k
/// and the others 0.
struct TurnWait {
  int32_t* slots;
  int64_t index;
  int64_t blocks;
  int32_t round;
};
inline int IsMyTurn(void* context) {
  const auto& wait = *static_cast<const TurnWait*>(context);
  for (int64_t i = 0; i < wait.blocks; ++i) {
    const int32_t value = __atomic_load_n(wait.slots + i * kSlotInts, __ATOMIC_ACQUIRE);
    if (value != (i < wait.index ? wait.round : 0)) return 0;
  }
  return 1;
}
/// The round this core is in, which lies in UB behind the copy of the slots.
HOSTNPU_SHARED int32_t& RoundOf(const char* api, const GlobalTensor<int32_t>& gm,
                                const LocalTensor<int32_t>& ub) {
  const uint64_t bytes = static_cast<uint64_t>(GetBlockNum()) * ONE_BLK_SIZE;
  CheckGm(api, gm.address_, bytes, HOSTNPU_GM_WRITE);
  CheckScratch(api, ub, bytes + ONE_BLK_SIZE);
  return ub.Data()[GetBlockNum() * kSlotInts];
}

}  // namespace internal

/// Prepares the turns: block 0 clears the slots in GM.
inline void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& gmWorkspace,
                                          LocalTensor<int32_t>& ubWorkspace) {
  if (!internal::OnVectorCore()) return;
  internal::RoundOf("InitDetermineComputeWorkspace", gmWorkspace, ubWorkspace) = 1;
  if (GetBlockIdx() != 0) return;
  for (int64_t i = 0; i < GetBlockNum(); ++i) {
    __atomic_store_n(gmWorkspace.address_ + i * internal::kSlotInts, 0, __ATOMIC_RELEASE);
  }
  internal::AnnounceStore("InitDetermineComputeWorkspace");
}
/// Waits until the blocks before this one have called NotifyNextBlock in this round.
HOSTNPU_SHARED void WaitPreBlock(GlobalTensor<int32_t>& gmWorkspace,
                                 LocalTensor<int32_t>& ubWorkspace) {
  if (!internal::OnVectorCore()) return;
  const int32_t round = internal::RoundOf("WaitPreBlock", gmWorkspace, ubWorkspace);
  internal::TurnWait wait{gmWorkspace.address_, GetBlockIdx(), GetBlockNum(), round};
  HostnpuCore& core = internal::ThisCore();
  core.abi->wait_until(&core, "WaitPreBlock", &internal::IsMyTurn, &wait);
}
/// Lets the next block go; the last one begins a new round.
HOSTNPU_SHARED void NotifyNextBlock(GlobalTensor<int32_t>& gmWorkspace,
                                    LocalTensor<int32_t>& ubWorkspace) {
  if (!internal::OnVectorCore()) return;
  int32_t& round = internal::RoundOf("NotifyNextBlock", gmWorkspace, ubWorkspace);
  const int64_t index = GetBlockIdx();
  const bool last = index + 1 == GetBlockNum();
  for (int64_t i = last ? 0 : index; i <= index; ++i) {
    __atomic_store_n(gmWorkspace.address_ + i * internal::kSlotInts, last ? 0 : round,
                     __ATOMIC_RELEASE);
  }
  round += 1;
  internal::AnnounceStore("NotifyNextBlock");
}

/// The unit that sends the messages of a GroupBarrier.
enum class PipeMode : uint8_t { SCALAR_MODE = 0, MTE3_MODE = 1, MAX };

/// A group of vector cores waits for another group. The workspace has 512 bytes for each core that
/// waits, in which each core that arrives counts for itself; it has to be zero at first.
template <PipeMode pipeMode>
class GroupBarrier {
 public:
  static_assert(pipeMode == PipeMode::MTE3_MODE, "GroupBarrier takes PipeMode::MTE3_MODE only");

  GroupBarrier(GM_ADDR groupWorkspace, uint32_t arriveSizeIn, uint32_t waitSizeIn)
      : counters_(reinterpret_cast<int32_t*>(groupWorkspace)),
        arrive_size_(arriveSizeIn),
        wait_size_(waitSizeIn) {
    if (HOSTNPU_UNLIKELY(arriveSizeIn == 0 || arriveSizeIn > kCounters || waitSizeIn == 0)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "GroupBarrier",
                    "has %u cores that arrive and %u that wait; 1 to %u can arrive, and 1 or more "
                    "wait",
                    arriveSizeIn, waitSizeIn, kCounters);
    }
    if (HOSTNPU_UNLIKELY(reinterpret_cast<uintptr_t>(groupWorkspace) % kLineBytes != 0)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ALIGNMENT, "GroupBarrier",
                    "has its workspace at %#llx, which is not a multiple of %u",
                    (unsigned long long)(uintptr_t)groupWorkspace, kLineBytes);
    }
  }
  /// The core `arriveIndex` of those that are waited for is done, once more.
  void Arrive(uint32_t arriveIndex) {
    if (!internal::OnVectorCore()) return;
    CheckIndex("GroupBarrier::Arrive", arriveIndex, arrive_size_);
    for (uint32_t line = 0; line < wait_size_; ++line) {
      __atomic_fetch_add(counters_ + line * kCounters + arriveIndex, 1, __ATOMIC_RELEASE);
    }
    internal::AnnounceStore("GroupBarrier::Arrive");
  }
  /// Waits, as core `waitIndex` of those that wait, until all have arrived as often as it has
  /// waited.
  void Wait(uint32_t waitIndex) {
    if (!internal::OnVectorCore()) return;
    CheckIndex("GroupBarrier::Wait", waitIndex, wait_size_);
    Line line = {counters_ + waitIndex * kCounters, arrive_size_, ++waits_};
    HostnpuCore& core = internal::ThisCore();
    core.abi->wait_until(&core, "GroupBarrier::Wait", &AllHaveArrived, &line);
  }
  /// Bytes of the workspace.
  uint64_t GetWorkspaceLen() { return uint64_t{wait_size_} * kLineBytes; }

 private:
  static constexpr uint32_t kLineBytes = 512;
  static constexpr uint32_t kCounters = kLineBytes / sizeof(int32_t);

  struct Line {
    const int32_t* counters;
    uint32_t arrive_size;
    int32_t waits;
  };
  static int AllHaveArrived(void* context) {
    const auto& line = *static_cast<const Line*>(context);
    for (uint32_t i = 0; i < line.arrive_size; ++i) {
      if (__atomic_load_n(line.counters + i, __ATOMIC_ACQUIRE) < line.waits) return 0;
    }
    return 1;
  }
  void CheckIndex(const char* api, uint32_t index, uint32_t size) {
    if (HOSTNPU_UNLIKELY(index >= size)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "is given index %u in a group of %u cores", index,
                    size);
    }
    internal::CheckGm(api, counters_, GetWorkspaceLen(), HOSTNPU_GM_WRITE);
  }

  int32_t* counters_;
  uint32_t arrive_size_;
  uint32_t wait_size_;
  int32_t waits_ = 0;
};

/// Hooks between the tasks of a super kernel; there is none here, so nothing to order.
template <pipe_t AIV_PIPE = PIPE_MTE3, pipe_t AIC_PIPE = PIPE_FIX, bool FORCE = false>
HOSTNPU_INLINE void SetNextTaskStart() {}
template <bool FORCE = false>
HOSTNPU_INLINE void WaitPreTaskEnd() {}

namespace internal {
/// The data cache is coherent here. But code that cleans it in a loop is watching memory: the cores
/// it waits for must run.
HOSTNPU_INLINE void CleanCache() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  HostnpuCore& core = ThisCore();
  core.poll_count = 0;
  core.abi->yield(&core);
}
}  // namespace internal

/// The cross-core flags of the vendor's own SyncAll, which kernels that synchronise by hand name.
constexpr uint16_t SYNC_AIC_FLAG = 11;
constexpr uint16_t SYNC_AIV_FLAG = 12;
constexpr uint16_t SYNC_AIC_AIV_FLAG = 13;
constexpr uint16_t SYNC_AIV_ONLY_ALL = 14;

/// Fetches instructions before they are needed, which a CPU does by itself.
#define PRELOAD(len) static_cast<void>(len)

/// Writes back and drops cached lines, so that this core and others see each other's scalar
/// accesses.
template <typename T, CacheLine entireType, DcciDst dcciDst>
HOSTNPU_INLINE void DataCacheCleanAndInvalid(const GlobalTensor<T>&) {
  internal::CleanCache();
}
template <typename T, CacheLine entireType, DcciDst dcciDst>
HOSTNPU_INLINE void DataCacheCleanAndInvalid(const LocalTensor<T>&) {}
template <typename T, CacheLine entireType>
HOSTNPU_INLINE void DataCacheCleanAndInvalid(const GlobalTensor<T>&) {
  internal::CleanCache();
}

/// Brings instructions into the instruction cache, in units of 2 KiB. Nothing to do: it changes no
/// result.
HOSTNPU_INLINE void ICachePreLoad(const int64_t) {}

/// Where the flags of cross-core synchronisation lie; here they lie in the engine.
inline void SetSyncBaseAddr(uint64_t) {}

}  // namespace AscendC

// The instructions under their own names.

HOSTNPU_INLINE void icache_preload(int64_t pages) { AscendC::ICachePreLoad(pages); }
/// Sets a cross-core flag; `message` is 1 | mode << 4 | flag << 8.
HOSTNPU_INLINE void ffts_cross_core_sync(pipe_t, uint64_t message) {
  HostnpuCore& core = AscendC::internal::ThisCore();
  core.abi->cross_core_set(&core, static_cast<uint32_t>(message >> 4 & 3),
                           static_cast<uint32_t>(message >> 8 & 15));
}
/// Waits for a cross-core flag.
HOSTNPU_INLINE void wait_flag_dev(int64_t flag) {
  HostnpuCore& core = AscendC::internal::ThisCore();
  core.abi->cross_core_wait(&core, static_cast<uint32_t>(flag));
}
HOSTNPU_INLINE void wait_flag_dev(pipe_t, int64_t flag) { wait_flag_dev(flag); }
/// Where the flags live on the device; nothing to set here.
HOSTNPU_INLINE void set_ffts_base_addr(uint64_t) {}

#endif  // HOSTNPU_ASCENDC_BASIC_BLOCK_SYNC_H_

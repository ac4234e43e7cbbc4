// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Order between the pipes of one core. Every instruction of a core runs when it is issued, so flags
// and barriers cost nothing here; what is left of them is the check that each wait has its set, and
// each set its wait.
#ifndef HOSTNPU_ASCENDC_BASIC_SYNC_H_
#define HOSTNPU_ASCENDC_BASIC_SYNC_H_

#include "../detail/core.h"

namespace AscendC {
namespace internal {

constexpr const char* kPipeNames[] = {"S",   "V",    "M",    "MTE1", "MTE2", "MTE3",
                                      "ALL", "MTE4", "MTE5", "V2",   "FIX"};
constexpr const char* kHardEventNames[] = {
    "MTE2_MTE1", "MTE1_MTE2", "MTE1_M", "M_MTE1",   "MTE2_V",    "V_MTE2",    "MTE3_V",
    "V_MTE3",    "M_V",       "V_M",    "V_V",      "MTE3_MTE1", "MTE1_MTE3", "MTE1_V",
    "MTE2_M",    "M_MTE2",    "V_MTE1", "M_FIX",    "FIX_M",     "MTE3_MTE2", "MTE2_MTE3",
    "S_V",       "V_S",       "S_MTE2", "MTE2_S",   "S_MTE3",    "MTE3_S",    "MTE2_FIX",
    "FIX_MTE2",  "FIX_S",     "M_S",    "FIX_MTE3", "MTE1_FIX",  "FIX_MTE1",  "FIX_FIX"};
static_assert(sizeof(kHardEventNames) / sizeof(kHardEventNames[0]) == kHardEventCount,
              "one name per event");

constexpr const char* EventName(HardEvent event) {
  return event < HardEvent::MAX ? kHardEventNames[static_cast<int>(event)] : "no event";
}

/// The event from pipe `source` to pipe `target`; MAX if the chip has none.
constexpr HardEvent EventBetween(pipe_t source, pipe_t target) {
  const char* a = kPipeNames[source];
  const char* b = kPipeNames[target];
  for (int i = 0; i < kHardEventCount; ++i) {
    const char* name = kHardEventNames[i];
    int at = 0;
    while (a[at] != 0 && name[at] == a[at]) ++at;
    if (a[at] != 0 || name[at] != '_') continue;
    int rest = 0;
    while (b[rest] != 0 && name[at + 1 + rest] == b[rest]) ++rest;
    if (b[rest] == 0 && name[at + 1 + rest] == 0) return static_cast<HardEvent>(i);
  }
  return HardEvent::MAX;
}

constexpr int kPipeCount = 11;
struct EventTable {
  HardEvent event[kPipeCount][kPipeCount] = {};
  constexpr EventTable() {
    for (int source = 0; source < kPipeCount; ++source) {
      for (int target = 0; target < kPipeCount; ++target) {
        event[source][target] =
            EventBetween(static_cast<pipe_t>(source), static_cast<pipe_t>(target));
      }
    }
  }
};
constexpr EventTable kEventTable;

HOSTNPU_FAULT_FUNCTION inline void EventIdFault(const char* api, HardEvent event, int id) {
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "is given %s flag %d; ids are 0 to %d",
                EventName(event), id, kEventIdCount - 1);
}
HOSTNPU_FAULT_FUNCTION inline void NeverSetFault(const char* api, HardEvent event, int id) {
  HOSTNPU_FAULT(HOSTNPU_FAULT_STALL, api,
                "waits for %s flag %d, which is not set: it would wait for ever", EventName(event),
                id);
}

HOSTNPU_INLINE PipeFlag& FlagOf(HardEvent event, int id) {
  uint8_t& known = Regs().flag_known[static_cast<int>(event)];
  PipeFlag& flag = AllPipeFlags()[static_cast<int>(event)][id];
  if ((known >> id & 1) == 0) flag = {};
  known |= static_cast<uint8_t>(1u << id);
  return flag;
}
/// Sets a flag for a caller at `place`; null: the framework waits for the flag by itself.
HOSTNPU_SHARED void RaiseFlagAt(const char* api, HardEvent event, int id, void* place) {
  if (HOSTNPU_UNLIKELY(id < 0 || id >= kEventIdCount)) EventIdFault(api, event, id);
  PipeFlag& flag = FlagOf(event, id);
  flag.sets += 1;
  flag.api = api;
  flag.place = place;
  Regs().flags_up += 1;
}
/// The same. Calls are never merged, because the return address says where the user set the flag.
__attribute__((nomerge)) HOSTNPU_SHARED void RaiseFlag(const char* api, HardEvent event, int id) {
  RaiseFlagAt(api, event, id, __builtin_return_address(0));
}
HOSTNPU_INLINE bool IsRaised(HardEvent event, int id) {
  const PipeFlag& flag = FlagOf(event, id);
  return flag.sets != flag.waits;
}
__attribute__((nomerge)) HOSTNPU_SHARED void TakeFlag(const char* api, HardEvent event, int id) {
  if (HOSTNPU_UNLIKELY(id < 0 || id >= kEventIdCount)) EventIdFault(api, event, id);
  if (HOSTNPU_UNLIKELY(!IsRaised(event, id))) NeverSetFault(api, event, id);
  FlagOf(event, id).waits += 1;
  Regs().flags_up -= 1;
}
/// A kernel has ended with flags set.
__attribute__((cold)) HOSTNPU_SHARED void ReportFlagsLeft() {
  HostnpuCore& core = ThisCore();
  for (int event = 0; event < kHardEventCount; ++event) {
    for (int id = 0; id < kEventIdCount; ++id) {
      if ((Regs().flag_known[event] >> id & 1) == 0) continue;
      const PipeFlag& flag = AllPipeFlags()[event][id];
      if (flag.sets == flag.waits || flag.place == nullptr) continue;
      core.abi->flag_left(&core, kHardEventNames[event], static_cast<uint32_t>(id), flag.api,
                          flag.sets, flag.waits, flag.place);
    }
  }
}

/// The lowest id of the event that is not taken; -1 if all are.
HOSTNPU_INLINE int LowestFreeEventId(HardEvent event) {
  const uint32_t free = ~static_cast<uint32_t>(Regs().event_used[static_cast<int>(event)]) & 0xFFu;
  return free == 0 ? -1 : __builtin_ctz(free);
}
HOSTNPU_FAULT_FUNCTION inline void NoEventIdFault(const char* api, HardEvent event) {
  HOSTNPU_FAULT(HOSTNPU_FAULT_QUEUE, api,
                "needs an event id of %s, and all %d are taken by tensors in queues and by "
                "AllocEventID",
                EventName(event), kEventIdCount);
}
HOSTNPU_INLINE TEventID TakeEventId(const char* api, HardEvent event) {
  const int id = LowestFreeEventId(event);
  if (HOSTNPU_UNLIKELY(id < 0)) NoEventIdFault(api, event);
  Regs().event_used[static_cast<int>(event)] |= static_cast<uint8_t>(1u << id);
  return static_cast<TEventID>(id);
}
HOSTNPU_INLINE void GiveEventId(HardEvent event, int id) {
  Regs().event_used[static_cast<int>(event)] &= static_cast<uint8_t>(~(1u << id));
}

}  // namespace internal

/// Sets a flag that the second pipe of `event` may wait for.
template <HardEvent event>
HOSTNPU_INLINE void SetFlag(int32_t id) {
  static_assert(event < HardEvent::MAX, "SetFlag needs an event between two pipes");
  internal::RaiseFlag("SetFlag", event, id);
}
/// Has the second pipe of `event` wait for a flag, and clears it. A flag that was never set is an
/// error: nothing could set it any more.
template <HardEvent event>
HOSTNPU_INLINE void WaitFlag(int32_t id) {
  static_assert(event < HardEvent::MAX, "WaitFlag needs an event between two pipes");
  internal::TakeFlag("WaitFlag", event, id);
}

/// Everything this pipe has been given is done before anything later of it begins.
template <pipe_t pipe>
HOSTNPU_INLINE void PipeBarrier() {
  static_assert(pipe != PIPE_S, "PipeBarrier<PIPE_S> is not available on this chip");
}
/// All memory accesses of that kind are done.
template <MemDsbT kind>
HOSTNPU_INLINE void DataSyncBarrier() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/// Flags from pipe `source` to pipe `target`, as an object.
template <pipe_t source, pipe_t target>
class TQueSync {
 public:
  /// See SetFlag.
  void SetFlag(TEventID id) { internal::RaiseFlag("TQueSync::SetFlag", kEvent, id); }
  /// See WaitFlag.
  void WaitFlag(TEventID id) { internal::TakeFlag("TQueSync::WaitFlag", kEvent, id); }

 private:
  static constexpr HardEvent kEvent = internal::kEventTable.event[source][target];
  static_assert(kEvent != HardEvent::MAX, "the chip has no flags between these two pipes");
};

namespace internal {
HOSTNPU_FAULT_FUNCTION inline void NoEventFault(const char* api, int source, int target) {
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                "is given pipes %d and %d; the chip has no flags there", source, target);
}
HOSTNPU_INLINE HardEvent CheckedEvent(const char* api, pipe_t source, pipe_t target) {
  const bool known =
      static_cast<uint32_t>(source) < kPipeCount && static_cast<uint32_t>(target) < kPipeCount;
  const HardEvent event = known ? kEventTable.event[source][target] : HardEvent::MAX;
  if (HOSTNPU_UNLIKELY(event == HardEvent::MAX)) NoEventFault(api, source, target);
  return event;
}
}  // namespace internal

}  // namespace AscendC

// The instructions under their own names, which some kernels use.

/// See AscendC::SetFlag.
HOSTNPU_INLINE void set_flag(pipe_t source, pipe_t target, int32_t id) {
  AscendC::internal::RaiseFlag("set_flag",
                               AscendC::internal::CheckedEvent("set_flag", source, target), id);
}
/// See AscendC::WaitFlag.
HOSTNPU_INLINE void wait_flag(pipe_t source, pipe_t target, int32_t id) {
  AscendC::internal::TakeFlag("wait_flag",
                              AscendC::internal::CheckedEvent("wait_flag", source, target), id);
}
/// See AscendC::PipeBarrier.
HOSTNPU_INLINE void pipe_barrier(pipe_t) {}

#endif  // HOSTNPU_ASCENDC_BASIC_SYNC_H_

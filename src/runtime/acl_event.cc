// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/api.h"
#include "runtime/context.h"
#include "runtime/event.h"

using namespace hostnpu;           // NOLINT: C functions only
using namespace hostnpu::runtime;  // NOLINT

namespace {

constexpr uint32_t kMostEvents = 65536;
constexpr uint32_t kKnownFlags = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS |
                                 ACL_EVENT_TIME_LINE | ACL_EVENT_DEVICE_USE_ONLY |
                                 ACL_EVENT_EXTERNAL;

base::Result<void> Create(aclrtEvent* event, uint32_t flags, bool counts_as_complete) {
  if (event == nullptr) return NullArgument("event");
  if ((flags & ~kKnownFlags) != 0) {
    return base::Error{
        base::Code::kInvalidArgument,
        fmt::format("The flags ({:#x}) hold others than {:#x}.", flags, kKnownFlags)};
  }
  HOSTNPU_TRY(CurrentContext(), "making an event");
  *event = CreateEvent(flags, counts_as_complete)->handle();
  return {};
}

base::Result<void> MakeWait(aclrtStream stream_handle, aclrtEvent event_handle,
                            int64_t timeout_ms) {
  HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(stream_handle));
  HOSTNPU_ASSIGN_OR_RETURN(auto event, FindEvent(event_handle));
  event->MakeWait(*stream, timeout_ms);
  return {};
}

}  // namespace

aclError aclrtCreateEvent(aclrtEvent* event) {
  return Call("aclrtCreateEvent", [&] { return Create(event, 0, false); });
}

aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flags) {
  return Call("aclrtCreateEventWithFlag", [&] { return Create(event, flags, false); });
}

aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flags) {
  return Call("aclrtCreateEventExWithFlag", [&] { return Create(event, flags, true); });
}

aclError aclrtDestroyEvent(aclrtEvent handle) {
  return Call("aclrtDestroyEvent", [&]() -> base::Result<void> {
    HOSTNPU_TRY(FindEvent(handle), "destroying an event");
    Events().Remove(handle);
    return {};
  });
}

aclError aclrtRecordEvent(aclrtEvent event_handle, aclrtStream stream_handle) {
  return Call("aclrtRecordEvent", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto event, FindEvent(event_handle));
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(stream_handle));
    event->Record(*stream);
    return {};
  });
}

aclError aclrtResetEvent(aclrtEvent event_handle, aclrtStream stream_handle) {
  return Call("aclrtResetEvent", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto event, FindEvent(event_handle));
    HOSTNPU_TRY(FindStream(stream_handle), "resetting an event");
    event->Reset();
    return {};
  });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return Call("aclrtStreamWaitEvent", [&] { return MakeWait(stream, event, -1); });
}

aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  return Call("aclrtStreamWaitEventWithTimeout", [&]() -> base::Result<void> {
    if (timeout < -1) return InvalidTimeout(timeout);
    return MakeWait(stream, event, timeout);
  });
}

aclError aclrtQueryEvent(aclrtEvent handle, aclrtEventStatus* status) {
  return Call("aclrtQueryEvent", [&]() -> base::Result<void> {
    if (status == nullptr) return NullArgument("status");
    HOSTNPU_ASSIGN_OR_RETURN(auto event, FindEvent(handle));
    *status = event->IsComplete() ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    return {};
  });
}

aclError aclrtQueryEventStatus(aclrtEvent handle, aclrtEventRecordedStatus* status) {
  return Call("aclrtQueryEventStatus", [&]() -> base::Result<void> {
    if (status == nullptr) return NullArgument("status");
    HOSTNPU_ASSIGN_OR_RETURN(auto event, FindEvent(handle));
    *status = event->IsComplete() ? ACL_EVENT_RECORDED_STATUS_COMPLETE
                                  : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    return {};
  });
}

aclError aclrtQueryEventWaitStatus(aclrtEvent handle, aclrtEventWaitStatus* status) {
  return Call("aclrtQueryEventWaitStatus", [&]() -> base::Result<void> {
    if (status == nullptr) return NullArgument("status");
    HOSTNPU_ASSIGN_OR_RETURN(auto event, FindEvent(handle));
    *status =
        event->AreWaitsOver() ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
    return {};
  });
}

aclError aclrtSynchronizeEvent(aclrtEvent handle) {
  return Call("aclrtSynchronizeEvent", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto event, FindEvent(handle));
    return event->Synchronize(-1);
  });
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent handle, int32_t timeout) {
  return Call("aclrtSynchronizeEventWithTimeout", [&]() -> base::Result<void> {
    if (timeout < -1) return InvalidTimeout(timeout);
    HOSTNPU_ASSIGN_OR_RETURN(auto event, FindEvent(handle));
    return event->Synchronize(timeout);
  });
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent start_handle, aclrtEvent end_handle) {
  return Call("aclrtEventElapsedTime", [&]() -> base::Result<void> {
    if (ms == nullptr) return NullArgument("ms");
    HOSTNPU_ASSIGN_OR_RETURN(auto start, FindEvent(start_handle));
    HOSTNPU_ASSIGN_OR_RETURN(auto end, FindEvent(end_handle));
    HOSTNPU_ASSIGN_OR_RETURN(const uint64_t begin_ns, start->Timestamp());
    HOSTNPU_ASSIGN_OR_RETURN(const uint64_t end_ns, end->Timestamp());
    if (end_ns < begin_ns) {
      return ErrorWith(ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL,
                       fmt::format("{} was recorded before {}.", end->Name(), start->Name()));
    }
    *ms = static_cast<float>(static_cast<double>(end_ns - begin_ns) * 1e-6);
    return {};
  });
}

aclError aclrtEventGetTimestamp(aclrtEvent handle, uint64_t* timestamp) {
  return Call("aclrtEventGetTimestamp", [&]() -> base::Result<void> {
    if (timestamp == nullptr) return NullArgument("timestamp");
    HOSTNPU_ASSIGN_OR_RETURN(auto event, FindEvent(handle));
    HOSTNPU_ASSIGN_OR_RETURN(const uint64_t ns, event->Timestamp());
    *timestamp = ns / 1000;
    return {};
  });
}

aclError aclrtGetEventId(aclrtEvent handle, uint32_t* id) {
  return Call("aclrtGetEventId", [&]() -> base::Result<void> {
    if (id == nullptr) return NullArgument("eventId");
    HOSTNPU_ASSIGN_OR_RETURN(auto event, FindEvent(handle));
    *id = static_cast<uint32_t>(event->id());
    return {};
  });
}

aclError aclrtGetEventAvailNum(uint32_t* count) {
  return Call("aclrtGetEventAvailNum", [&]() -> base::Result<void> {
    if (count == nullptr) return NullArgument("eventCount");
    const size_t used = Events().All().size();
    *count = used < kMostEvents ? kMostEvents - static_cast<uint32_t>(used) : 0;
    return {};
  });
}

aclError aclrtSetOpWaitTimeout(uint32_t seconds) {
  return Call("aclrtSetOpWaitTimeout", [&]() -> base::Result<void> {
    SetUnrecordedWaitLimit(seconds);
    return {};
  });
}

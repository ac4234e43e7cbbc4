// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_EVENT_H_
#define HOSTNPU_RUNTIME_EVENT_H_

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/handle.h"
#include "runtime/stream.h"
#include "workspace/pool.h"

namespace hostnpu::runtime {

/// A mark in a stream that the host or another stream waits for.
///
/// An event may be recorded again and again; whoever waits means the newest record at that moment.
/// Two manners, as on the device: one made with aclrtCreateEvent that has never been recorded (or
/// has been reset) is waited for until it is; one made with aclrtCreateEventExWithFlag counts as
/// complete then.
class Event : public std::enable_shared_from_this<Event> {
 public:
  Event(uint64_t id, uint32_t flags, bool counts_as_complete)
      : id_(id), flags_(flags), counts_as_complete_(counts_as_complete) {}

  /// Appends the mark to the stream.
  void Record(Stream& stream);
  /// Makes the stream wait. `timeout_ms` -1: without limit; but for an event that nobody has
  /// recorded the wait ends with an error after the limit of SetUnrecordedWaitLimit().
  void MakeWait(Stream& stream, int64_t timeout_ms);
  /// Forgets the record: whoever waits from now on waits for the next one.
  void Reset();

  /// Whether the newest record is done.
  bool IsComplete() const;
  /// Whether every wait for it in a stream is over.
  bool AreWaitsOver() const;
  /// Blocks the host. An error if it has not been recorded; the failure of its stream; kTimeout.
  base::Result<void> Synchronize(int64_t timeout_ms);
  /// Nanoseconds of the steady clock at the newest record. Errors: not recorded, not yet done.
  base::Result<uint64_t> Timestamp() const;

  uint64_t id() const { return id_; }
  uint32_t flags() const { return flags_; }
  void* handle() const { return MakeHandle(HandleKind::kEvent, id_); }
  std::string Name() const;  ///< "[Event 4]"

 private:
  friend class RecordTask;
  friend class WaitTask;

  void Complete(uint64_t ordinal, std::optional<base::Error> failure);
  bool IsRecordedLocked() const { return recorded_ > forgotten_; }
  /// Whether that record has been made and its stream has come there.
  bool IsDoneLocked(uint64_t ordinal) const;

  const uint64_t id_;
  const uint32_t flags_;
  const bool counts_as_complete_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t recorded_ = 0;       // how often Record() was called
  std::vector<uint64_t> open_;  // the records not done yet; of several streams in any order
  workspace::EventMark mark_;   // how far the stream of the newest record had come
  uint64_t newest_done_ = 0;    // time_ns_ and failure_ are of this one
  uint64_t forgotten_ = 0;      // records up to this one have been reset
  uint64_t time_ns_ = 0;
  uint64_t open_waits_ = 0;
  std::optional<base::Error> failure_;
  std::weak_ptr<Stream> stream_;  // of the newest record
  std::vector<std::shared_ptr<Stream>> waiting_;
};

HandleTable<Event>& Events();
/// The event of a handle, or an error that names the handle.
base::Result<std::shared_ptr<Event>> FindEvent(const void* handle);
std::shared_ptr<Event> CreateEvent(uint32_t flags, bool counts_as_complete);

/// How long a stream waits for an event nobody has recorded (60 s by default; 0: for ever).
void SetUnrecordedWaitLimit(uint32_t seconds);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_EVENT_H_

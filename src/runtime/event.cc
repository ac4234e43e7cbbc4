// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Recording and waiting are tasks of streams. A wait that cannot end yet blocks its stream without
// holding a thread; the record resumes it. A wait for an event that is never recorded would block a
// stream, and with it the program, for ever; therefore it has a limit.
#include "runtime/event.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

#include "acl/acl_base.h"
#include "runtime/dispatcher.h"
#include "runtime/last_error.h"
#include "runtime/status.h"

namespace hostnpu::runtime {
namespace {

using std::chrono::steady_clock;

std::atomic<uint32_t> unrecorded_wait_limit_s{60};

uint64_t NowNs() {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(steady_clock::now().time_since_epoch())
          .count());
}

}  // namespace

class RecordTask : public Task {
 public:
  RecordTask(std::shared_ptr<Event> event, uint64_t ordinal)
      : event_(std::move(event)), ordinal_(ordinal) {}
  Progress Run(Stream&) override {
    event_->Complete(ordinal_, std::nullopt);
    return Progress::kDone;
  }
  void Cancel(const base::Error& error) override { event_->Complete(ordinal_, error); }
  std::string Describe() const override { return fmt::format("recording {}", event_->Name()); }

 private:
  const std::shared_ptr<Event> event_;
  const uint64_t ordinal_;
};

class WaitTask : public Task {
 public:
  WaitTask(std::shared_ptr<Event> event, uint64_t ordinal, int64_t timeout_ms)
      : event_(std::move(event)), ordinal_(ordinal), timeout_ms_(timeout_ms) {}
  ~WaitTask() override {
    std::lock_guard lock(event_->mutex_);
    event_->open_waits_ -= 1;
  }

  Progress Run(Stream& stream) override {
    std::unique_lock lock(event_->mutex_);
    if (event_->IsDoneLocked(ordinal_)) return Progress::kDone;
    const auto now = steady_clock::now();
    if (!begun_.has_value()) {
      begun_ = now;
      limit_ms_ = timeout_ms_;
      const uint32_t limit_s = unrecorded_wait_limit_s.load();
      if (limit_ms_ < 0 && event_->recorded_ < ordinal_ && limit_s != 0) {
        limit_ms_ = int64_t{limit_s} * 1000;
      }
    }
    const bool recorded = event_->recorded_ >= ordinal_;
    const bool over = limit_ms_ >= 0 && now >= *begun_ + std::chrono::milliseconds(limit_ms_);
    if (over && (timeout_ms_ >= 0 || !recorded)) {
      lock.unlock();
      base::Error error = ErrorWith(
          ACL_ERROR_RT_TASK_TIMEOUT,
          fmt::format("{} has waited {} ms for {}, which {}.", stream.Name(), limit_ms_,
                      event_->Name(), recorded ? "is not complete" : "nobody has recorded"));
      NoteUnreadFailure(error);
      stream.Fail(std::move(error));
      return Progress::kDone;
    }
    event_->waiting_.push_back(stream.shared_from_this());
    lock.unlock();
    if (limit_ms_ >= 0 && !timed_ && !over) {
      timed_ = true;
      Dispatcher::Get().ResumeAt(stream.shared_from_this(),
                                 *begun_ + std::chrono::milliseconds(limit_ms_));
    }
    return Progress::kBlocked;
  }
  std::string Describe() const override { return fmt::format("waiting for {}", event_->Name()); }
  std::shared_ptr<Stream> WaitsFor() const override {
    std::lock_guard lock(event_->mutex_);
    return event_->stream_.lock();
  }

 private:
  const std::shared_ptr<Event> event_;
  const uint64_t ordinal_;
  const int64_t timeout_ms_;
  int64_t limit_ms_ = -1;
  bool timed_ = false;
  std::optional<steady_clock::time_point> begun_;
};

std::string Event::Name() const { return fmt::format("[Event {}]", id_); }

void Event::Record(Stream& stream) {
  const auto sequence = stream.HoldSequence();
  uint64_t ordinal = 0;
  {
    std::lock_guard lock(mutex_);
    ordinal = ++recorded_;
    open_.push_back(ordinal);
    stream.memory().Record(&mark_);
    stream_ = stream.weak_from_this();
  }
  stream.Enqueue(std::make_unique<RecordTask>(shared_from_this(), ordinal));
}

void Event::MakeWait(Stream& stream, int64_t timeout_ms) {
  const auto sequence = stream.HoldSequence();
  uint64_t ordinal = 0;
  {
    std::lock_guard lock(mutex_);
    if (!IsRecordedLocked() && counts_as_complete_) return;
    ordinal = IsRecordedLocked() ? recorded_ : recorded_ + 1;
    // A wait that may end before its record orders nothing.
    if (IsRecordedLocked() && timeout_ms < 0) stream.memory().WaitFor(mark_);
    open_waits_ += 1;
  }
  stream.Enqueue(std::make_unique<WaitTask>(shared_from_this(), ordinal, timeout_ms));
}

void Event::Reset() {
  std::lock_guard lock(mutex_);
  forgotten_ = recorded_;
}

bool Event::IsDoneLocked(uint64_t ordinal) const {
  return recorded_ >= ordinal && std::find(open_.begin(), open_.end(), ordinal) == open_.end();
}

void Event::Complete(uint64_t ordinal, std::optional<base::Error> failure) {
  std::vector<std::shared_ptr<Stream>> waiting;
  {
    std::lock_guard lock(mutex_);
    std::erase(open_, ordinal);
    if (ordinal > newest_done_) {
      newest_done_ = ordinal;
      time_ns_ = NowNs();
      failure_ = std::move(failure);
    }
    waiting.swap(waiting_);
  }
  changed_.notify_all();
  for (const auto& stream : waiting) stream->Resume();
}

bool Event::IsComplete() const {
  std::lock_guard lock(mutex_);
  if (!IsRecordedLocked()) return counts_as_complete_;
  return IsDoneLocked(recorded_);
}

bool Event::AreWaitsOver() const {
  std::lock_guard lock(mutex_);
  return open_waits_ == 0;
}

base::Result<void> Event::Synchronize(int64_t timeout_ms) {
  const auto deadline =
      steady_clock::now() + std::chrono::milliseconds(std::max<int64_t>(timeout_ms, 0));
  std::unique_lock lock(mutex_);
  if (!IsRecordedLocked()) {
    if (counts_as_complete_) return {};
    return ErrorWith(
        ACL_ERROR_RT_PARAM_INVALID,
        fmt::format("{} has not been recorded, so nothing would end the wait.", Name()));
  }
  const uint64_t ordinal = recorded_;
  const auto done = [&] { return IsDoneLocked(ordinal); };
  while (!done()) {
    const std::shared_ptr<Stream> stream = stream_.lock();
    // Without the lock: a stream asks its event while it holds its own.
    lock.unlock();
    if (stream != nullptr && !stream->IsIdle()) {
      timeout_ms < 0 ? stream->Drain() : stream->RunElsewhere();
    }
    lock.lock();
    if (timeout_ms < 0) {
      changed_.wait(lock, done);
    } else if (!changed_.wait_until(lock, deadline, done)) {
      base::Error error{base::Code::kTimeout,
                        fmt::format("{} is not complete after {} ms.", Name(), timeout_ms)};
      error.number = ACL_ERROR_RT_EVENT_SYNC_TIMEOUT;
      return error;
    }
  }
  if (failure_.has_value()) return *failure_;
  return {};
}

base::Result<uint64_t> Event::Timestamp() const {
  std::lock_guard lock(mutex_);
  if (!IsRecordedLocked()) {
    return ErrorWith(ACL_ERROR_RT_INTERNAL_ERROR,
                     fmt::format("{} has not been recorded, so it has no time.", Name()));
  }
  if (!IsDoneLocked(recorded_)) {
    return ErrorWith(ACL_ERROR_RT_EVENT_NOT_COMPLETE,
                     fmt::format("{} is not complete: synchronise it first.", Name()));
  }
  return time_ns_;
}

HandleTable<Event>& Events() {
  static HandleTable<Event>& table = *new HandleTable<Event>(HandleKind::kEvent);
  return table;
}

base::Result<std::shared_ptr<Event>> FindEvent(const void* handle) {
  if (auto event = Events().Find(handle)) return event;
  const char* what =
      IsHandleOf(HandleKind::kEvent, handle) ? "which has been destroyed" : "which is no event";
  return ErrorWith(handle == nullptr ? ACL_ERROR_INVALID_PARAM : ACL_ERROR_RT_INVALID_HANDLE,
                   fmt::format("The event is {}, {}.", DescribeHandle(handle), what));
}

std::shared_ptr<Event> CreateEvent(uint32_t flags, bool counts_as_complete) {
  const uint64_t id = Events().NextId();
  auto event = std::make_shared<Event>(id, flags, counts_as_complete);
  Events().Add(id, event);
  return event;
}

void SetUnrecordedWaitLimit(uint32_t seconds) { unrecorded_wait_limit_s.store(seconds); }

}  // namespace hostnpu::runtime

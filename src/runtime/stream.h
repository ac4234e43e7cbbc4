// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_STREAM_H_
#define HOSTNPU_RUNTIME_STREAM_H_

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "runtime/launch_memory.h"

namespace hostnpu::runtime {

class Context;
class Stream;

/// One thing a stream does when its turn comes. Owned by the stream; destroyed when it is done.
class Task {
 public:
  virtual ~Task() = default;

  enum class Progress {
    kDone,
    kBlocked,  ///< not possible yet; whoever makes it possible calls Stream::Resume()
  };
  /// Does it, on whatever thread runs the stream. After kBlocked it is called again.
  virtual Progress Run(Stream& stream) = 0;
  /// Called instead of Run() when the stream has failed before or has been aborted.
  virtual void Cancel(const base::Error&) {}
  /// What is being done, for messages: "running kernel 'add_custom'".
  virtual std::string Describe() const = 0;
  /// The stream whose progress a blocked task waits for; null if none is known.
  virtual std::shared_ptr<Stream> WaitsFor() const { return nullptr; }
};

/// Tasks in order, one at a time, asynchronously.
///
/// Who runs them: the thread that synchronises, if nobody has begun; else a worker of the engine,
/// which the dispatcher sends after some ten microseconds. So a host that launches and waits never
/// pays for a wake-up, and one that does other things still has its stream moving.
///
/// A failure is kept: all later tasks are cancelled, and every Synchronize() reports it, until the
/// stream is destroyed or its device reset.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(uint64_t id, Context& context, uint32_t priority, uint32_t flags);
  ~Stream();
  Stream(const Stream&) = delete;

  /// Appends a task. Returns at once, unless thousands are waiting: then it helps.
  void Enqueue(std::unique_ptr<Task> task);

  /// Returns when everything enqueued before the call is done, with the stream's failure if it has
  /// one. kTimeout after `timeout_ms`, if that is not negative.
  base::Result<void> Synchronize(int64_t timeout_ms = -1);
  bool IsIdle() const;

  /// Runs tasks on this thread until none is left or one blocks. Returns at once if another thread
  /// does so already.
  void Drain();
  /// A blocked task can go on.
  void Resume();
  /// Gives the stream to a worker now.
  void RunElsewhere();
  /// Cancels what has not begun.
  void Abort();
  /// For the dispatcher: takes the stream off its list; whether a runner is wanted.
  bool TakeOffList();

  /// Keeps `error` as the stream's failure; the first one wins.
  void Fail(base::Error error);
  std::optional<base::Error> failure() const;
  /// The stream works again.
  void ForgetFailure();
  /// Reports `error` at the next Synchronize(), once: a launch that was refused.
  void NoteRefusal(base::Error error);

  uint64_t id() const { return id_; }
  void* handle() const;
  std::string Name() const;  ///< "[Stream 3]"
  uint32_t priority() const { return priority_; }
  uint32_t flags() const { return flags_; }
  uint32_t device() const { return device_; }
  uint64_t context_id() const { return context_id_; }
  StreamMemory& memory() { return memory_; }
  /// Held by a thread that enqueues tasks which belong together (the data of a launch, then the
  /// launch): those of other threads do not come between, which would use the same blocks.
  std::unique_lock<std::recursive_mutex> HoldSequence() { return std::unique_lock(sequence_); }

  /// The numbers of aclrtStreamAttr. Kept and given back; a stream stops at a failure in any mode.
  enum class Attribute {
    kFailureMode = 1,
    kOverflowCheck = 2,
    kCustomTag = 3,
    kCacheOpInfo = 4,
    kPriority = 5,
  };
  base::Result<void> SetAttribute(Attribute attribute, uint64_t value);
  base::Result<uint64_t> GetAttribute(Attribute attribute) const;

 private:
  void DrainUntil(std::unique_lock<std::mutex>& lock, uint64_t target);
  bool StepLocked(std::unique_lock<std::mutex>& lock);
  base::Error TimeoutLocked(int64_t timeout_ms) const;
  base::Result<void> OutcomeLocked();
  void AskForRunner(std::unique_lock<std::mutex>& lock);

  const uint64_t id_;
  const uint64_t context_id_;
  const uint32_t device_;
  const uint32_t priority_;
  const uint32_t flags_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Task>> queue_;
  uint64_t enqueued_ = 0;
  uint64_t aborted_ = 0;  // tasks up to this one are cancelled when their turn comes
  std::atomic<uint64_t> completed_{0};
  uint32_t waiters_ = 0;
  bool running_ = false;         // a thread runs tasks
  bool blocked_ = false;         // the first task waits for Resume()
  bool resume_pending_ = false;  // Resume() came before the task had said kBlocked
  bool listed_ = false;          // the dispatcher knows of it
  std::optional<base::Error> failure_;
  std::optional<base::Error> refusal_;
  std::array<uint64_t, 6> attributes_ = {};  // by Attribute
  StreamMemory memory_;
  std::recursive_mutex sequence_;  // recursive: who enqueues may run a host function that does too
};

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_STREAM_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A stream is a queue and a rule about who works on it. One thread at a time does (`running_`),
// with the lock released while a task runs. Whoever synchronises takes that role if it is free,
// which is what makes a short launch cheap; otherwise it spins for as long as a wake-up would cost
// and then sleeps.
#include "runtime/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "acl/acl_base.h"
#include "engine/engine.h"
#include "runtime/context.h"
#include "runtime/dispatcher.h"
#include "runtime/handle.h"
#include "runtime/status.h"

namespace hostnpu::runtime {
namespace {

using std::chrono::steady_clock;

constexpr size_t kQueueLimit = 4096;  // beyond it the thread that enqueues helps
constexpr int kSpinTurns = 2000;      // some 20 us

/// The stream whose task this thread runs; null outside tasks.
const Stream*& StreamOfThisThread() {
  static thread_local const Stream* stream = nullptr;
  return stream;
}

}  // namespace

Stream::Stream(uint64_t id, Context& context, uint32_t priority, uint32_t flags)
    : id_(id),
      context_id_(context.id()),
      device_(context.device()),
      priority_(priority),
      flags_(flags),
      memory_(context.device(), fmt::format("[Stream {}]", id)) {
  attributes_[static_cast<size_t>(Attribute::kPriority)] = priority;
}

Stream::~Stream() = default;

void* Stream::handle() const { return MakeHandle(HandleKind::kStream, id_); }

std::string Stream::Name() const { return fmt::format("[Stream {}]", id_); }

void Stream::AskForRunner(std::unique_lock<std::mutex>& lock) {
  if (running_ || listed_ || queue_.empty() || blocked_) return;
  listed_ = true;
  lock.unlock();
  Dispatcher::Get().Add(shared_from_this());
  lock.lock();
}

void Stream::Enqueue(std::unique_ptr<Task> task) {
  std::unique_lock lock(mutex_);
  queue_.push_back(std::move(task));
  enqueued_ += 1;
  AskForRunner(lock);
  if (queue_.size() > kQueueLimit) DrainUntil(lock, enqueued_ - kQueueLimit / 2);
}

bool Stream::TakeOffList() {
  std::lock_guard lock(mutex_);
  listed_ = false;
  return !running_ && !blocked_ && !queue_.empty();
}

void Stream::RunElsewhere() {
  engine::Engine::Get().Post([self = shared_from_this()] { self->Drain(); });
}

// Runs the first task. False when it blocks. Called and returns with the lock held and running_
// set.
bool Stream::StepLocked(std::unique_lock<std::mutex>& lock) {
  Task* task = queue_.front().get();
  std::optional<base::Error> failure = failure_;
  if (completed_.load(std::memory_order_relaxed) < aborted_) {
    failure = ErrorWith(ACL_ERROR_RT_STREAM_ABORT, fmt::format("{} has been aborted.", Name()));
  }
  lock.unlock();
  Task::Progress progress = Task::Progress::kDone;
  const Stream* outer = std::exchange(StreamOfThisThread(), this);
  if (failure.has_value()) {
    task->Cancel(*failure);
  } else {
    progress = task->Run(*this);
  }
  StreamOfThisThread() = outer;
  lock.lock();
  if (progress == Task::Progress::kBlocked) {
    if (resume_pending_) {
      resume_pending_ = false;
      return true;
    }
    blocked_ = true;
    return false;
  }
  std::unique_ptr<Task> done = std::move(queue_.front());
  queue_.pop_front();
  resume_pending_ = false;
  lock.unlock();
  done.reset();
  lock.lock();
  completed_.fetch_add(1, std::memory_order_release);
  if (waiters_ != 0) changed_.notify_all();
  return true;
}

void Stream::DrainUntil(std::unique_lock<std::mutex>& lock, uint64_t target) {
  if (running_) return;
  running_ = true;
  while (!queue_.empty() && !blocked_ && completed_.load(std::memory_order_relaxed) < target) {
    if (!StepLocked(lock)) break;
  }
  running_ = false;
  if (waiters_ != 0) changed_.notify_all();
  AskForRunner(lock);
}

void Stream::Drain() {
  std::unique_lock lock(mutex_);
  DrainUntil(lock, ~uint64_t{0});
}

void Stream::Resume() {
  std::unique_lock lock(mutex_);
  if (!blocked_) {
    resume_pending_ = running_;
    return;
  }
  blocked_ = false;
  if (waiters_ != 0) changed_.notify_all();
  AskForRunner(lock);
}

// Tasks are numbered by their place, so what is to be cancelled is all up to the newest. They stay
// in the queue until their turn, because whoever synchronises counts what is done from the front.
void Stream::Abort() {
  std::unique_lock lock(mutex_);
  aborted_ = enqueued_;
  blocked_ = false;
  resume_pending_ = running_;  // the task that runs may be about to say kBlocked
  memory_.Restart();
  if (waiters_ != 0) changed_.notify_all();
  AskForRunner(lock);
}

bool Stream::IsIdle() const {
  std::lock_guard lock(mutex_);
  return queue_.empty() && !running_;
}

void Stream::Fail(base::Error error) {
  std::lock_guard lock(mutex_);
  if (!failure_.has_value()) failure_ = std::move(error);
}

std::optional<base::Error> Stream::failure() const {
  std::lock_guard lock(mutex_);
  return failure_;
}

void Stream::ForgetFailure() {
  std::lock_guard lock(mutex_);
  failure_.reset();
  refusal_.reset();
  memory_.Restart();
}

void Stream::NoteRefusal(base::Error error) {
  std::lock_guard lock(mutex_);
  if (!refusal_.has_value()) refusal_ = std::move(error);
}

base::Result<void> Stream::SetAttribute(Attribute attribute, uint64_t value) {
  if (attribute < Attribute::kFailureMode || attribute > Attribute::kPriority) {
    return base::Error{
        base::Code::kInvalidArgument,
        fmt::format("The attribute ({}) is none of aclrtStreamAttr.", static_cast<int>(attribute))};
  }
  std::lock_guard lock(mutex_);
  attributes_[static_cast<size_t>(attribute)] = value;
  return {};
}

base::Result<uint64_t> Stream::GetAttribute(Attribute attribute) const {
  if (attribute < Attribute::kFailureMode || attribute > Attribute::kPriority) {
    return base::Error{
        base::Code::kInvalidArgument,
        fmt::format("The attribute ({}) is none of aclrtStreamAttr.", static_cast<int>(attribute))};
  }
  std::lock_guard lock(mutex_);
  return attributes_[static_cast<size_t>(attribute)];
}

base::Error Stream::TimeoutLocked(int64_t timeout_ms) const {
  const std::string now =
      queue_.empty() ? ""
                     : fmt::format(" It is {}; {} more {} behind.", queue_.front()->Describe(),
                                   queue_.size() - 1, queue_.size() == 2 ? "task is" : "tasks are");
  return base::Error{base::Code::kTimeout,
                     fmt::format("{} is not done after {} ms.{}", Name(), timeout_ms, now)};
}

base::Result<void> Stream::OutcomeLocked() {
  if (failure_.has_value()) return *failure_;
  if (refusal_.has_value()) {
    base::Error error = std::move(*refusal_);
    refusal_.reset();
    return error;
  }
  return {};
}

base::Result<void> Stream::Synchronize(int64_t timeout_ms) {
  if (StreamOfThisThread() == this) {
    return base::Error{base::Code::kInvalidState,
                       fmt::format("{} is synchronised from a function that it runs itself, which "
                                   "would never end.",
                                   Name())};
  }
  const auto deadline =
      steady_clock::now() + std::chrono::milliseconds(std::max<int64_t>(timeout_ms, 0));
  std::unique_lock lock(mutex_);
  const uint64_t target = enqueued_;
  const auto done = [&] { return completed_.load(std::memory_order_acquire) >= target; };
  bool sent = false;
  while (!done()) {
    if (timeout_ms < 0 && !running_ && !blocked_) {
      DrainUntil(lock, target);
      continue;
    }
    if (timeout_ms >= 0 && !running_ && !blocked_ && !sent) {
      sent = true;
      lock.unlock();
      RunElsewhere();
      lock.lock();
      continue;
    }
    if (blocked_) {
      // The other stream may not have been begun by anybody.
      std::shared_ptr<Stream> other = queue_.front()->WaitsFor();
      if (other != nullptr && other.get() != this && !other->IsIdle()) {
        lock.unlock();
        timeout_ms < 0 ? other->Drain() : other->RunElsewhere();
        lock.lock();
        if (done() || !blocked_) continue;
      }
    } else {
      lock.unlock();
      for (int turn = 0; turn < kSpinTurns && !done(); ++turn) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
      }
      lock.lock();
      if (done()) break;
    }
    waiters_ += 1;
    if (timeout_ms < 0) {
      if (!done() && (running_ || blocked_)) changed_.wait(lock);
    } else if (changed_.wait_until(lock, deadline) == std::cv_status::timeout && !done()) {
      waiters_ -= 1;
      return TimeoutLocked(timeout_ms);
    }
    waiters_ -= 1;
  }
  return OutcomeLocked();
}

}  // namespace hostnpu::runtime

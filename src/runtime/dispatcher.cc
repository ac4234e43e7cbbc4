// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Waking a thread costs its waker two microseconds and takes five to fifteen to happen; an empty
// launch takes less. So launching wakes nobody while launches come in quick succession: this thread
// is awake then, and looks by itself.
#include "runtime/dispatcher.h"

#include <algorithm>
#include <thread>

#include "runtime/stream.h"

namespace hostnpu::runtime {
namespace {

using std::chrono::steady_clock;

constexpr auto kPeriod = std::chrono::microseconds(50);
constexpr int kIdleSweeps = 100;  // then it sleeps

}  // namespace

Dispatcher& Dispatcher::Get() {
  // Never destroyed: programs may use streams from static objects at exit.
  static Dispatcher& dispatcher = *new Dispatcher;
  return dispatcher;
}

Dispatcher::Dispatcher() {
  std::thread([this] { Loop(); }).detach();
}

void Dispatcher::Add(std::shared_ptr<Stream> stream) {
  std::lock_guard lock(mutex_);
  streams_.push_back(std::move(stream));
  if (asleep_) wake_.notify_one();
}

void Dispatcher::ResumeAt(std::shared_ptr<Stream> stream, steady_clock::time_point when) {
  std::lock_guard lock(mutex_);
  timers_.emplace_back(when, std::move(stream));
  if (asleep_) wake_.notify_one();
}

void Dispatcher::Sweep(std::unique_lock<std::mutex>& lock) {
  std::vector<std::weak_ptr<Stream>> streams = std::move(streams_);
  streams_.clear();
  std::vector<std::weak_ptr<Stream>> due;
  if (!timers_.empty()) {
    const auto now = steady_clock::now();
    std::erase_if(timers_, [&](auto& timer) {
      if (timer.first > now) return false;
      due.push_back(std::move(timer.second));
      return true;
    });
  }
  lock.unlock();
  for (const auto& listed : streams) {
    const std::shared_ptr<Stream> stream = listed.lock();
    if (stream != nullptr && stream->TakeOffList()) stream->RunElsewhere();
  }
  for (const auto& waiting : due) {
    if (const std::shared_ptr<Stream> stream = waiting.lock()) stream->Resume();
  }
  lock.lock();
}

void Dispatcher::Loop() {
  std::unique_lock lock(mutex_);
  int idle = 0;
  for (;;) {
    if (streams_.empty() && ++idle > kIdleSweeps) {
      asleep_ = true;
      if (timers_.empty()) {
        wake_.wait(lock);
      } else {
        const auto first = std::min_element(timers_.begin(), timers_.end(), [](auto& a, auto& b) {
                             return a.first < b.first;
                           })->first;
        wake_.wait_until(lock, first);
      }
      asleep_ = false;
      idle = 0;
    }
    lock.unlock();
    std::this_thread::sleep_for(kPeriod);
    lock.lock();
    if (!streams_.empty()) idle = 0;
    Sweep(lock);
  }
}

}  // namespace hostnpu::runtime

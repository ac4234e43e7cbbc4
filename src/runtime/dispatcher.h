// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_DISPATCHER_H_
#define HOSTNPU_RUNTIME_DISPATCHER_H_

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace hostnpu::runtime {

class Stream;

/// Sees to it that every stream with work is run by somebody, soon but not at once: a thread that
/// looks every 50 us at the streams that have been enqueued to, and gives those that nobody runs to
/// a worker of the engine. It sleeps when there has been nothing for a while.
class Dispatcher {
 public:
  static Dispatcher& Get();

  /// The stream has tasks and nobody runs them. Wakes the thread only if it sleeps.
  void Add(std::shared_ptr<Stream> stream);
  /// Calls Resume() of the stream at that time, so that its first task can see that time has
  /// passed.
  void ResumeAt(std::shared_ptr<Stream> stream, std::chrono::steady_clock::time_point when);

 private:
  Dispatcher();
  [[noreturn]] void Loop();
  void Sweep(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable wake_;
  // Weak, so that a stream that is destroyed goes at once, with its memory.
  std::vector<std::weak_ptr<Stream>> streams_;
  std::vector<std::pair<std::chrono::steady_clock::time_point, std::weak_ptr<Stream>>> timers_;
  bool asleep_ = false;
};

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_DISPATCHER_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ENGINE_ENGINE_H_
#define HOSTNPU_ENGINE_ENGINE_H_

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/launch.h"

namespace hostnpu::engine {

class Job;

/// The worker threads of the process and the launches they run.
///
/// A launch is run by the thread that calls Run(), which takes blocks like any worker, and by as
/// many workers as come to help. So a thread that waits for its own short launch never pays for a
/// wake-up: 48 empty blocks are over before another thread could have been woken.
class Engine {
 public:
  /// The one engine of the process, with HOSTNPU_THREADS workers (default: the machine's cores).
  static Engine& Get();

  /// Runs a launch to its end on this thread and on idle workers. Blocks. Any thread, but no
  /// kernel.
  LaunchOutcome Run(const LaunchSpec& spec);

  /// Has a worker call `task` soon. Tasks may call Run().
  void Post(std::function<void()> task);

  uint32_t worker_count() const { return static_cast<uint32_t>(threads_.size()); }

 private:
  explicit Engine(uint32_t workers);
  void WorkerLoop();
  /// A job in which this thread now has a place; needs mutex_.
  std::shared_ptr<Job> JoinJob();
  void Offer(const std::shared_ptr<Job>& job);

  /// How long a block of a kernel took the last time, by its entry. A collision only costs a wrong
  /// guess.
  struct BlockCost {
    std::atomic<HostnpuKernelEntry> entry{nullptr};
    std::atomic<uint64_t> nanoseconds{0};
  };
  BlockCost& CostOf(const LaunchSpec& spec);
  bool IsShort(const LaunchSpec& spec);

  std::array<BlockCost, 256> costs_ = {};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::shared_ptr<Job>> jobs_;
  std::atomic<uint64_t> work_epoch_{0};  // moves when there may be something to do
  uint32_t sleeping_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace hostnpu::engine

#endif  // HOSTNPU_ENGINE_ENGINE_H_

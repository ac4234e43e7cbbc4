// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_BASE_PARALLEL_H_
#define HOSTNPU_BASE_PARALLEL_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace hostnpu::base {

/// Calls job(0) to job(count - 1), as many at a time as there are cores, and returns when all have
/// ended. The calls may be in any order and on any thread.
template <typename Job>
void InParallel(size_t count, Job job) {
  const size_t workers = std::min<size_t>(count, std::max(1u, std::thread::hardware_concurrency()));
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i; (i = next.fetch_add(1)) < count;) job(i);
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < workers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace hostnpu::base

#endif  // HOSTNPU_BASE_PARALLEL_H_

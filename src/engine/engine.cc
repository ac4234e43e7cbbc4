// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Workers spin for a few microseconds before they sleep. A futex wake takes the waker 2 us and the
// sleeper 5 to 15; so a kernel that was over in that time is first run alone the next time.
#include "engine/engine.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "base/option.h"
#include "engine/device_abi.h"
#include "engine/job.h"

namespace hostnpu::engine {
namespace {

constexpr int kSpinTurns = 2000;
constexpr uint64_t kShortNanoseconds = 20000;  // about what it takes to have another thread at work

}  // namespace

Engine& Engine::Get() {
  // Never destroyed: streams of static objects may still run launches at exit, and worker threads
  // must not be joined from there.
  static Engine& engine = *new Engine(static_cast<uint32_t>(base::EnvNumber(
      "HOSTNPU_THREADS", std::max(1u, std::thread::hardware_concurrency()), 1, 1024)));
  return engine;
}

Engine::Engine(uint32_t workers) {
  for (uint32_t i = 0; i < workers; ++i) threads_.emplace_back([this] { WorkerLoop(); });
}

std::shared_ptr<Job> Engine::JoinJob() {
  for (const std::shared_ptr<Job>& job : jobs_) {
    if (job->TakePlace()) return job;
  }
  return nullptr;
}

void Engine::WorkerLoop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (std::shared_ptr<Job> job = JoinJob()) {
      lock.unlock();
      job->Join(nullptr, {});
      job.reset();
      lock.lock();
      continue;
    }
    if (!tasks_.empty()) {
      std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      task = nullptr;
      lock.lock();
      continue;
    }
    const uint64_t epoch = work_epoch_.load(std::memory_order_acquire);
    lock.unlock();
    int turns = kSpinTurns;
    while (turns-- > 0 && work_epoch_.load(std::memory_order_acquire) == epoch) {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    lock.lock();
    if (work_epoch_.load(std::memory_order_acquire) != epoch) continue;
    sleeping_ += 1;
    wake_.wait(lock);
    sleeping_ -= 1;
  }
}

void Engine::Post(std::function<void()> task) {
  bool sleeper = false;
  {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    work_epoch_.fetch_add(1, std::memory_order_release);
    sleeper = sleeping_ > 0;
  }
  if (sleeper) wake_.notify_one();
}

Engine::BlockCost& Engine::CostOf(const LaunchSpec& spec) {
  const auto entry = spec.aiv_entry != nullptr ? spec.aiv_entry : spec.aic_entry;
  const auto value = reinterpret_cast<uintptr_t>(entry);
  return costs_[(value >> 4 ^ value >> 12) % costs_.size()];
}

bool Engine::IsShort(const LaunchSpec& spec) {
  const BlockCost& cost = CostOf(spec);
  if (cost.entry.load(std::memory_order_relaxed) != spec.aiv_entry) return false;
  const uint64_t nanoseconds = cost.nanoseconds.load(std::memory_order_relaxed);
  return nanoseconds != 0 && spec.blocks < kShortNanoseconds / nanoseconds;
}

void Engine::Offer(const std::shared_ptr<Job>& job) {
  bool sleepers = false;
  {
    std::lock_guard lock(mutex_);
    jobs_.push_back(job);
    work_epoch_.fetch_add(1, std::memory_order_release);
    sleepers = sleeping_ > 0;
  }
  if (sleepers) wake_.notify_all();
}

// A launch that was short the last time is kept from the workers until it proves longer: one of
// them that is interrupted with a block in hand would hold up the others for a time slice.
LaunchOutcome Engine::Run(const LaunchSpec& spec) {
  if (spec.blocks == 0) return {};
  auto job = std::make_shared<Job>(spec);
  const bool may_share = spec.blocks > 1 && spec.worker_limit != 1;
  bool offered = false;
  if (may_share && !job->on_trial() && !IsShort(spec)) {
    offered = true;
    Offer(job);
  }
  const auto started = std::chrono::steady_clock::now();
  job->Join(may_share && !offered ? std::function<void()>([&] {
              offered = true;
              Offer(job);
            })
                                  : nullptr,
            started);
  const auto elapsed = std::chrono::steady_clock::now() - started;
  if (offered) {
    std::lock_guard lock(mutex_);
    std::erase(jobs_, job);
  }
  BlockCost& cost = CostOf(spec);
  cost.entry.store(spec.aiv_entry, std::memory_order_relaxed);
  cost.nanoseconds.store(
      static_cast<uint64_t>(std::chrono::nanoseconds(elapsed).count()) / spec.blocks + 1,
      std::memory_order_relaxed);
  job->WaitForWorkers();
  FlushPrints();
  return job->TakeOutcome();
}

}  // namespace hostnpu::engine

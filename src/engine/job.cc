// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// How a launch runs. Each worker in it keeps the cores it has begun; it runs one until that waits,
// then the next that can run, and only when all of them wait does it begin another block. So a
// kernel without hand-overs costs one fiber entry a block, one whose cores hand tiles to each other
// keeps three cores busy in the cache, and one that meets in SyncAll has as many blocks in flight
// as it needs.
#include "engine/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <thread>
#include <tuple>

#include "base/symbolize.h"
#include "engine/device_abi.h"

namespace hostnpu::engine {
namespace {

using std::chrono::steady_clock;

constexpr uint64_t kActive = ~uint64_t{0};
constexpr auto kPollLimit = std::chrono::seconds(10);
constexpr uint64_t kPollPasses = 1000;
constexpr auto kWakeAfter = std::chrono::microseconds(4);
constexpr auto kWakeWorth = std::chrono::microseconds(12);

uint64_t Mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

size_t KindIndex(HostnpuCoreKind kind) { return kind == HOSTNPU_CORE_AIC ? 0 : 1; }

std::string CoreName(HostnpuCoreKind kind, uint32_t lane, bool has_pair, uint64_t block) {
  const char* kind_name = kind == HOSTNPU_CORE_AIC ? "AIC" : "AIV";
  if (kind == HOSTNPU_CORE_AIV && has_pair) {
    return fmt::format("{} {}, block {}", kind_name, lane, block);
  }
  return fmt::format("{}, block {}", kind_name, block);
}

/// Blocks in order, in each the AIC (0) before its AIVs (1 and 2).
uint64_t OrderOf(uint64_t block, uint32_t core) { return block * 3 + core; }

}  // namespace

struct Job::Seat {
  Worker* worker = nullptr;
  std::vector<std::unique_ptr<Core>> cores;
  std::vector<std::unique_ptr<Block>> blocks;
  std::atomic<uint64_t> quiet_at{kActive};  // events_ when nothing here could run
  std::atomic<bool> polling{false};         // all that can run here is watching memory
  uint64_t random = 0;
  uint64_t switches = 0;
  uint64_t poll_passes = 0;
  uint64_t poll_events = kActive;
  steady_clock::time_point poll_since;
};

uint64_t Core::Order() const {
  return OrderOf(block != nullptr ? block->index : 0, kind == HOSTNPU_CORE_AIC ? 0 : 1 + lane);
}

std::string Core::Name() const {
  return CoreName(kind, lane, block != nullptr && block->aiv[1] != nullptr,
                  block != nullptr ? block->index : 0);
}

Worker& Worker::OfThisThread() {
  static thread_local Worker worker;
  return worker;
}

std::unique_ptr<Core> Worker::TakeCore(const arch::Chip& chip, HostnpuCoreKind kind) {
  for (size_t i = idle_.size(); i-- > 0;) {
    if (idle_[i]->chip == &chip && idle_[i]->kind == kind) {
      std::unique_ptr<Core> core = std::move(idle_[i]);
      idle_.erase(idle_.begin() + static_cast<ptrdiff_t>(i));
      return core;
    }
  }
  auto core = std::make_unique<Core>(chip, kind);
  return core->IsUsable() ? std::move(core) : nullptr;
}

void Worker::GiveBack(std::unique_ptr<Core> core) { idle_.push_back(std::move(core)); }

std::unique_ptr<Block> Worker::TakeBlock() {
  if (idle_blocks_.empty()) return std::make_unique<Block>();
  std::unique_ptr<Block> block = std::move(idle_blocks_.back());
  idle_blocks_.pop_back();
  return block;
}

void Worker::GiveBack(std::unique_ptr<Block> block) { idle_blocks_.push_back(std::move(block)); }

Job::Job(const LaunchSpec& spec) : spec_(spec), on_trial_(LacksCores(spec)) {}

void Job::KeepForUndo(const void* address, uint64_t bytes) {
  const auto* from = static_cast<const std::byte*>(address);
  overwritten_.push_back({const_cast<void*>(address), {from, from + bytes}});
}

void Job::UndoTrial() {
  for (; on_trial_ && !overwritten_.empty(); overwritten_.pop_back()) {
    const Overwritten& last = overwritten_.back();
    std::memcpy(last.address, last.bytes.data(), last.bytes.size());
  }
}

bool Job::TakePlace() {
  if (next_block_.load(std::memory_order_relaxed) >= spec_.blocks) return false;
  if (failed_.load(std::memory_order_relaxed)) return false;
  if (spec_.worker_limit != 0 &&
      place_count_.load(std::memory_order_relaxed) >= spec_.worker_limit) {
    return false;
  }
  place_count_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

uint64_t Job::CoreCount(HostnpuCoreKind kind) const {
  return spec_.blocks * (kind == HOSTNPU_CORE_AIC ? spec_.cores.aic : spec_.cores.aiv);
}

void Job::NoteEvent() {
  events_.fetch_add(1, std::memory_order_seq_cst);
  if (place_count_.load(std::memory_order_relaxed) > 1) events_.notify_all();
}

// A seed other than zero also starts blocks in another order, where all of them fit on the chip at
// once; beyond that the hardware's own order is part of what kernels may rely on.
uint64_t Job::BlockAt(uint64_t ordinal) const {
  if (spec_.seed == 0 || spec_.blocks > spec_.chip->aiv_count) return ordinal;
  const uint64_t turned = (ordinal + Mix(spec_.seed) % spec_.blocks) % spec_.blocks;
  return spec_.seed % 2 == 1 ? spec_.blocks - 1 - turned : turned;
}

bool Job::StartBlock(Seat& seat) {
  if (next_block_.load(std::memory_order_relaxed) >= spec_.blocks) return false;
  const uint64_t ordinal = next_block_.fetch_add(1, std::memory_order_relaxed);
  if (ordinal >= spec_.blocks) return false;
  std::unique_ptr<Block> block = seat.worker->TakeBlock();
  block->Begin(BlockAt(ordinal), spec_.cores.aic + spec_.cores.aiv);
  Block& begun = *seat.blocks.emplace_back(std::move(block));
  bool started = spec_.cores.aic == 0 || StartCore(seat, begun, HOSTNPU_CORE_AIC, 0);
  for (uint32_t lane = 0; started && lane < spec_.cores.aiv; ++lane) {
    started = StartCore(seat, begun, HOSTNPU_CORE_AIV, lane);
  }
  return true;
}

// The cores of the block that have been begun before go with the launch, which has failed.
void Job::ReportNoMemory(uint64_t block) {
  {
    std::lock_guard lock(mutex_);
    if (!fault_.has_value()) {
      Fault fault;
      fault.no_memory = true;
      fault.message = fmt::format("The host has no memory left for the cores of block {}", block);
      fault.kernel = spec_.kernel_name;
      fault_ = std::move(fault);
    }
  }
  failed_.store(true, std::memory_order_release);
  events_.fetch_add(1, std::memory_order_seq_cst);
  events_.notify_all();
}

bool Job::StartCore(Seat& seat, Block& block, HostnpuCoreKind kind, uint32_t lane) {
  std::unique_ptr<Core> core = seat.worker->TakeCore(*spec_.chip, kind);
  if (core == nullptr) {
    ReportNoMemory(block.index);
    return false;
  }
  core->job = this;
  core->block = &block;
  core->lane = lane;
  core->state = Core::State::kReady;
  core->polling = false;
  core->barrier_visits.clear();
  (kind == HOSTNPU_CORE_AIC ? block.aic : block.aiv[lane]) = core.get();
  PrepareCore(*core, spec_);
  core->fiber.Start(&Job::CoreBody, core.get());
  seat.cores.push_back(std::move(core));
  return true;
}

void Job::CoreBody(void* pointer) {
  auto* core = static_cast<Core*>(pointer);
  const LaunchSpec& spec = core->job->spec_;
  (core->kind == HOSTNPU_CORE_AIC ? spec.aic_entry : spec.aiv_entry)(spec.arguments);
  core->state = Core::State::kDone;
}

void Job::RunCore(Seat& seat, size_t position) {
  Core& core = *seat.cores[position];
  core.state = Core::State::kReady;
  core.polling = false;
  hostnpu_core = &core.abi;
  core.block_locals.Restore();
  core.fiber.Resume();
  core.block_locals.Save();
  hostnpu_core = nullptr;
  seat.switches += 1;
  if (core.fiber.finished()) FinishCore(seat, position);
}

void Job::FinishCore(Seat& seat, size_t position) {
  std::unique_ptr<Core> core = std::move(seat.cores[position]);
  seat.cores.erase(seat.cores.begin() + static_cast<ptrdiff_t>(position));
  Block* block = core->block;
  core->state = Core::State::kDone;
  NoteDivisions(*core);
  if (--block->unfinished == 0) {
    if (block->uses_flags && !failed_.load(std::memory_order_relaxed)) NoteFlagsLeft(*block);
    const auto held = std::find_if(seat.blocks.begin(), seat.blocks.end(),
                                   [block](const auto& one) { return one.get() == block; });
    seat.worker->GiveBack(std::move(*held));
    seat.blocks.erase(held);
  }
  seat.worker->GiveBack(std::move(core));
}

void Job::DropCores(Seat& seat) {
  for (std::unique_ptr<Core>& core : seat.cores) {
    if (!core->fiber.finished()) core->fiber.Abandon();
    core->state = Core::State::kDone;
    seat.worker->GiveBack(std::move(core));
  }
  seat.cores.clear();
  seat.blocks.clear();
}

// Runs every core that can run, once. With a seed, from a random start, so that sometimes the
// consumer and sometimes the producer comes first.
bool Job::RunPass(Seat& seat, bool* all_polling) {
  bool ran = false;
  *all_polling = true;
  size_t start = 0;
  if (spec_.seed != 0 && seat.cores.size() > 1) {
    seat.random = Mix(seat.random);
    start = seat.random % seat.cores.size();
    std::rotate(seat.cores.begin(), seat.cores.begin() + static_cast<ptrdiff_t>(start),
                seat.cores.end());
  }
  for (size_t i = 0; i < seat.cores.size();) {
    if (failed_.load(std::memory_order_relaxed)) return true;
    Core* core = seat.cores[i].get();
    if (!core->CanRun()) {
      ++i;
      continue;
    }
    ran = true;
    RunCore(seat, i);
    const bool still_there = i < seat.cores.size() && seat.cores[i].get() == core;
    if (!still_there || !core->polling) *all_polling = false;
    if (still_there) ++i;
  }
  return ran;
}

// Waking workers costs what sixty empty blocks cost. So they are woken only when the blocks not yet
// begun will take longer than that, to judge by those that were.
bool Job::IsWorthHelp(steady_clock::duration elapsed) const {
  if (elapsed < kWakeAfter) return false;
  const uint64_t begun = std::min(next_block_.load(std::memory_order_relaxed), spec_.blocks);
  const uint64_t left = spec_.blocks - begun;
  return elapsed * static_cast<int64_t>(left) >
         kWakeWorth * static_cast<int64_t>(std::max<uint64_t>(begun, 1));
}

void Job::Join(const std::function<void()>& on_long_run, steady_clock::time_point started) {
  Seat seat;
  seat.worker = &Worker::OfThisThread();
  seat.random = Mix(spec_.seed);
  {
    std::lock_guard lock(mutex_);
    seats_.push_back(&seat);
    seat.random += seats_.size();
  }
  EnterWorkerThread();
  bool called = on_long_run == nullptr;
  uint32_t turn = 0;
  while (!failed_.load(std::memory_order_acquire)) {
    // The clock costs as much as a fiber switch: look at it at first, then now and then.
    if (!called && !on_trial_ && turn != 0 && (turn < 4 || turn % 8 == 0) &&
        IsWorthHelp(steady_clock::now() - started)) {
      called = true;
      on_long_run();
    }
    ++turn;
    const uint64_t seen = events_.load(std::memory_order_seq_cst);
    // A store that others must see in order costs as much as two fiber switches.
    if (seat.quiet_at.load(std::memory_order_relaxed) != kActive) {
      seat.quiet_at.store(kActive, std::memory_order_seq_cst);
    }
    bool all_polling = true;
    if (RunPass(seat, &all_polling) && !all_polling) {
      seat.polling.store(false, std::memory_order_relaxed);
      seat.poll_events = kActive;
      continue;
    }
    if (on_trial_ && next_block_.load(std::memory_order_relaxed) != 0) {
      on_trial_ = false;
      overwritten_.clear();
    }
    if (StartBlock(seat)) continue;
    if (seat.cores.empty()) break;
    if (!WaitForChange(seat, seen)) break;
  }
  if (failed_.load(std::memory_order_acquire)) {
    AddWaits(seat);
    DropCores(seat);
  }
  {
    std::lock_guard lock(mutex_);
    std::erase(seats_, &seat);
    switches_ += seat.switches;
    place_count_.fetch_sub(1, std::memory_order_release);
  }
  // One worker fewer may make the others the last ones: they look again.
  events_.fetch_add(1, std::memory_order_seq_cst);
  events_.notify_all();
  place_count_.notify_all();
}

// Nothing here can run now. False when the launch is over for everybody because of a stall.
bool Job::WaitForChange(Seat& seat, uint64_t seen) {
  const bool polls = std::any_of(seat.cores.begin(), seat.cores.end(), [](const auto& core) {
    return core->state == Core::State::kReady;
  });
  seat.polling.store(polls, std::memory_order_seq_cst);
  if (!polls) seat.quiet_at.store(seen, std::memory_order_seq_cst);
  bool everybody_quiet = next_block_.load() >= spec_.blocks;
  {
    std::lock_guard lock(mutex_);
    for (const Seat* other : seats_) {
      const bool quiet = other->quiet_at.load(std::memory_order_seq_cst) == seen;
      if (!quiet && !other->polling.load(std::memory_order_seq_cst)) everybody_quiet = false;
      if (!polls && !quiet) everybody_quiet = false;
    }
  }
  everybody_quiet = everybody_quiet && events_.load(std::memory_order_seq_cst) == seen;
  if (!polls) {
    if (everybody_quiet) {
      ReportStall("every core waits, and no core is left that could end a wait");
      return false;
    }
    for (int spin = 0; spin < 4000; ++spin) {
      if (events_.load(std::memory_order_relaxed) != seen) return true;
      if (failed_.load(std::memory_order_relaxed)) return true;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    events_.wait(seen, std::memory_order_acquire);
    return true;
  }
  if (seat.poll_events != seen) {
    seat.poll_events = seen;
    seat.poll_passes = 0;
    seat.poll_since = steady_clock::now();
  }
  seat.poll_passes += 1;
  if (seat.poll_passes % 64 == 0) std::this_thread::yield();
  if (everybody_quiet && seat.poll_passes > kPollPasses && seat.poll_passes % 256 == 0 &&
      steady_clock::now() - seat.poll_since > kPollLimit) {
    ReportStall("for 10 seconds every core has waited or watched memory that no core changes");
    return false;
  }
  return true;
}

void Job::WaitForWorkers() {
  for (;;) {
    const uint32_t count = place_count_.load(std::memory_order_acquire);
    if (count == 0) break;
    for (int spin = 0; spin < 2000; ++spin) {
      if (place_count_.load(std::memory_order_acquire) != count) break;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    place_count_.wait(count, std::memory_order_acquire);
  }
  // The last one to leave still holds the lock for a moment after the count is down.
  std::lock_guard lock(mutex_);
}

LaunchOutcome Job::TakeOutcome() {
  std::lock_guard lock(mutex_);
  if (fault_.has_value()) {
    const std::vector<SourceLocation> locations =
        fault_->no_memory ? std::vector<SourceLocation>() : UserLocations(stacks_);
    if (!locations.empty()) fault_->location = locations.front();
    for (size_t i = 0; i < fault_->waits.size(); ++i) fault_->waits[i].location = locations[i];
  }
  if (fault_.has_value()) flags_left_.clear();
  std::sort(flags_left_.begin(), flags_left_.end(), [](const FlagLeft& a, const FlagLeft& b) {
    return std::tie(a.order, a.flag, a.place) < std::tie(b.order, b.flag, b.place);
  });
  std::sort(oddities_.begin(), oddities_.end(), [](const Oddity& a, const Oddity& b) {
    return std::tie(a.order, a.key) < std::tie(b.order, b.key);
  });
  return LaunchOutcome{std::move(fault_), std::move(flags_left_), std::move(oddities_), switches_};
}

// Makes the fault; every worker adds its own cores to it as it leaves, because only it can resume
// them.
void Job::ReportStall(const char* why) {
  {
    std::lock_guard lock(mutex_);
    if (!fault_.has_value()) {
      Fault fault;
      fault.kind = HOSTNPU_FAULT_STALL;
      fault.message = why;
      fault.kernel = spec_.kernel_name;
      fault_ = std::move(fault);
      all_wait_ = true;
    }
  }
  failed_.store(true, std::memory_order_release);
  events_.fetch_add(1, std::memory_order_seq_cst);
  events_.notify_all();
}

// A waiting core is resumed only to say where it stands, and parks again.
void Job::AddWaits(Seat& seat) {
  {
    std::lock_guard lock(mutex_);
    if (!all_wait_) return;  // a core failed by itself: where the others wait is its consequence
  }
  std::vector<CoreWait> waits;
  std::vector<std::vector<void*>> stacks;
  bool on_cube = false;
  for (std::unique_ptr<Core>& core : seat.cores) {
    if (core->state == Core::State::kReady && !core->polling) continue;  // begun by nobody yet
    core->trace_requested = true;
    hostnpu_core = &core->abi;
    core->fiber.Resume();
    hostnpu_core = nullptr;
    core->trace_requested = false;
    if (waits.empty()) on_cube = core->kind == HOSTNPU_CORE_AIC;
    waits.push_back(CoreWait{core->Name(), core->polling ? "polling memory" : core->wait_what, {}});
    stacks.push_back(std::move(core->trace));
  }
  if (waits.empty()) return;
  std::lock_guard lock(mutex_);
  if (fault_->waits.empty()) {
    fault_->api = waits.front().what;
    fault_->core = waits.front().core;
    fault_->on_cube = on_cube;
  }
  fault_->waits.insert(fault_->waits.end(), waits.begin(), waits.end());
  stacks_.insert(stacks_.end(), stacks.begin(), stacks.end());
}

void Job::RecordFault(Core& core, HostnpuFaultKind kind, const char* api, std::string message,
                      const std::vector<void*>& trace) {
  {
    std::lock_guard lock(mutex_);
    if (fault_.has_value()) return;
    Fault fault;
    fault.kind = kind;
    fault.api = api;
    fault.message = std::move(message);
    fault.kernel = spec_.kernel_name;
    fault.core = core.Name();
    fault.on_cube = core.kind == HOSTNPU_CORE_AIC;
    fault_ = std::move(fault);
    stacks_ = {trace};
  }
  failed_.store(true, std::memory_order_release);
  events_.fetch_add(1, std::memory_order_seq_cst);
  events_.notify_all();
}

void Job::Fail(Core& core, HostnpuFaultKind kind, const char* api, std::string message) {
  RecordFault(core, kind, api, std::move(message), base::CaptureStack());
  core.fiber.Exit();
}

void Job::Park(Core& core) {
  core.fiber.Yield();
  while (core.trace_requested) {
    core.trace = base::CaptureStack();
    core.fiber.Yield();
  }
}

void Job::Wait(Core& core, const char* what, int (*ready)(void*), void* context) {
  if (ready(context) != 0 && spec_.seed == 0) return;
  core.wait_what = what;
  core.ready = ready;
  core.ready_context = context;
  core.state = Core::State::kWaiting;
  Park(core);
}

void Job::Poll(Core& core) {
  core.state = Core::State::kReady;
  core.polling = true;
  Park(core);
}

Job::ModeZeroCounters& Job::UsedModeZero() {
  if (ModeZeroCounters* counters = mode_zero_.load(std::memory_order_acquire)) return *counters;
  std::lock_guard lock(mutex_);
  if (mode_zero_owner_ == nullptr) {
    mode_zero_owner_ = std::make_unique<ModeZeroCounters>();
    mode_zero_.store(mode_zero_owner_.get(), std::memory_order_release);
  }
  return *mode_zero_owner_;
}

uint64_t Job::Credit(const Core& core, uint32_t flag) const {
  const BlockFlags& block = core.block->Flags();
  const ModeZeroCounters* all_cores = mode_zero_.load(std::memory_order_acquire);
  uint64_t sets =
      all_cores == nullptr
          ? 0
          : (*all_cores)[KindIndex(core.kind)][flag].generations.load(std::memory_order_acquire);
  const uint32_t lanes = spec_.cores.aiv;
  if (core.kind == HOSTNPU_CORE_AIV) {
    sets += block.aic_sets[flag];
    sets += lanes == 2 ? std::min(block.pair_sets[0][flag], block.pair_sets[1][flag])
                       : block.pair_sets[0][flag];
  } else if (lanes != 0) {
    sets += lanes == 2 ? std::min(block.aiv_sets[0][flag], block.aiv_sets[1][flag])
                       : block.aiv_sets[0][flag];
  }
  return sets - core.block->FlagsOf(core).consumed[flag];
}

void Job::MakeRoom(Core& core, uint32_t mode, uint32_t flag) {
  if (mode != 2) return;
  Block& block = *core.block;
  const auto full = [&]() -> bool {
    if (core.kind == HOSTNPU_CORE_AIC) {
      for (const Core* aiv : block.aiv) {
        const bool takes_part =
            aiv != nullptr && aiv->block == &block && aiv->state != Core::State::kDone;
        if (takes_part && Credit(*aiv, flag) >= kFlagLimit) return true;
      }
      return false;
    }
    if (block.aic == nullptr || block.aic->block != &block ||
        block.aic->state == Core::State::kDone)
      return false;
    const uint64_t sets = block.Flags().aiv_sets[core.lane][flag];
    return sets - std::min<uint64_t>(block.FlagsOf(*block.aic).consumed[flag], sets) >= kFlagLimit;
  };
  // A turn for every other core of the block, and some more for chains of waits between them.
  constexpr int kTurns = 64;
  for (int turn = 0; turn < kTurns && full(); ++turn) Poll(core);
}

// Fails the core if what it has just set is more than the counter of a core that waits can hold.
void Job::CheckCounters(Core& core, uint32_t mode, uint32_t flag) {
  Block& block = *core.block;
  BlockFlags& flags = block.Flags();
  const uint64_t consumed = block.FlagsOf(core).consumed[flag];
  const auto check = [&](uint64_t sets, uint64_t waits, const char* unheard) {
    if (sets <= waits + kFlagLimit) return;
    Fail(core, HOSTNPU_FAULT_FLAG, "CrossCoreSetFlag",
         fmt::format("flag {} is set {} times without a wait{}; its counter holds {}", flag,
                     sets - waits, unheard, kFlagLimit));
  };
  const auto takes_part = [&](const Core* other) {
    return other != nullptr && other->block == &block && other->state != Core::State::kDone;
  };
  if (mode == 0) return check(block.FlagsOf(core).mode0_sets[flag], consumed, "");
  if (mode == 1) return check(flags.pair_sets[core.lane][flag], consumed, "");
  if (core.kind == HOSTNPU_CORE_AIC) {
    if (spec_.cores.aiv == 0) {
      check(flags.aic_sets[flag], 0, ", and the launch has no AIV that could wait");
    }
    for (const Core* aiv : block.aiv) {
      if (takes_part(aiv)) check(Credit(*aiv, flag), 0, "");
    }
  } else if (spec_.cores.aic == 0) {
    check(flags.aiv_sets[core.lane][flag], 0, ", and the launch has no AIC that could wait");
  } else if (takes_part(block.aic)) {
    check(flags.aiv_sets[core.lane][flag], block.FlagsOf(*block.aic).consumed[flag], "");
  }
}

void Job::SetFlag(Core& core, uint32_t mode, uint32_t flag, void* place) {
  if (mode == 1 && core.kind != HOSTNPU_CORE_AIV) return;
  MakeRoom(core, mode, flag);
  BlockFlags& flags = core.block->Flags();
  BlockFlags::OfCore& own = core.block->FlagsOf(core);
  own.last_set[flag] = place;
  uint64_t generation = 0;
  if (mode == 0) {
    generation = own.mode0_sets[flag]++;
  } else if (mode == 1) {
    flags.pair_sets[core.lane][flag] += 1;
  } else {
    (core.kind == HOSTNPU_CORE_AIC ? flags.aic_sets : flags.aiv_sets[core.lane])[flag] += 1;
  }
  CheckCounters(core, mode, flag);
  if (mode != 0) return NoteEvent();
  ModeZero& state = UsedModeZero()[KindIndex(core.kind)][flag];
  std::atomic<uint32_t>& arrivals = state.arrivals[generation % state.arrivals.size()];
  if (arrivals.fetch_add(1, std::memory_order_acq_rel) + 1 == CoreCount(core.kind)) {
    arrivals.store(0, std::memory_order_relaxed);
    state.generations.fetch_add(1, std::memory_order_acq_rel);
    NoteEvent();
  }
}

void Job::NoteFlagLeft(FlagLeft left) {
  std::lock_guard lock(mutex_);
  for (FlagLeft& known : flags_left_) {
    if (known.flag == left.flag && known.place == left.place && known.api == left.api) {
      const uint64_t others = known.others + 1;
      if (left.order < known.order) known = std::move(left);
      known.others = others;
      return;
    }
  }
  flags_left_.push_back(std::move(left));
}

void Job::NoteDivisions(Core& core) {
  const uint64_t count = std::exchange(core.odd_divisions, 0);
  if (count == 0) return;
  const auto begin = core.division_trace.begin();
  NoteOddity({"division",
              "the kernel divides an integer by zero, or the least one by -1; here that gives 0 "
              "(or itself), and on the device it is undefined",
              core.Name(), core.Order(),
              std::vector<void*>(begin, begin + static_cast<ptrdiff_t>(core.division_trace_count)),
              count - 1});
}

void Job::NoteOddity(Oddity oddity) {
  std::lock_guard lock(mutex_);
  for (Oddity& known : oddities_) {
    if (known.key == oddity.key) {
      const uint64_t others = known.others + 1 + oddity.others;
      if (oddity.order < known.order) known = std::move(oddity);
      known.others = others;
      return;
    }
  }
  oddities_.push_back(std::move(oddity));
}

// When the last core of a block has ended. A core that set a flag in mode 0 counts its own sets, so
// that a set which the others never joined is named as well.
void Job::NoteFlagsLeft(Block& block) {
  const BlockFlags& flags = block.Flags();
  const uint32_t lanes = spec_.cores.aiv;
  const auto name = [&](int core) {
    return core == 0 ? CoreName(HOSTNPU_CORE_AIC, 0, false, block.index)
                     : CoreName(HOSTNPU_CORE_AIV, static_cast<uint32_t>(core - 1), lanes == 2,
                                block.index);
  };
  for (uint32_t flag = 0; flag < kFlagCount; ++flag) {
    const auto note = [&](int setter, int waiter, uint64_t sets) {
      const uint64_t waits =
          waiter < 0 ? 0 : flags.cores[static_cast<size_t>(waiter)].consumed[flag];
      if (sets <= waits) return;
      NoteFlagLeft({fmt::format("cross-core flag {}", flag), "CrossCoreSetFlag", name(setter),
                    waiter < 0 ? "" : name(waiter), fmt::format("CrossCoreWaitFlag({})", flag),
                    sets, waits, flags.cores[static_cast<size_t>(setter)].last_set[flag],
                    OrderOf(block.index, static_cast<uint32_t>(setter))});
    };
    if (spec_.cores.aic != 0) {
      const uint64_t own = flags.cores[0].mode0_sets[flag];
      const uint32_t more = lanes == 2 && flags.aiv_sets[1][flag] > flags.aiv_sets[0][flag] ? 1 : 0;
      const uint64_t theirs = flags.aiv_sets[more][flag];
      note(theirs != 0 ? 1 + static_cast<int>(more) : 0, 0, own + theirs);
      if (lanes == 0) note(0, -1, flags.aic_sets[flag]);
    }
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      const int self = 1 + static_cast<int>(lane);
      const uint64_t own = flags.cores[lane + 1].mode0_sets[flag] + flags.pair_sets[lane][flag];
      note(flags.aic_sets[flag] != 0 ? 0 : self, self, own + flags.aic_sets[flag]);
      if (spec_.cores.aic == 0) note(self, -1, flags.aiv_sets[lane][flag]);
    }
  }
}

void Job::WaitFlag(Core& core, uint32_t flag, const char* what) {
  core.wait_flag = flag;
  Wait(
      core, what,
      [](void* pointer) -> int {
        const Core& waiting = *static_cast<Core*>(pointer);
        return waiting.job->Credit(waiting, waiting.wait_flag) > 0 ? 1 : 0;
      },
      &core);
  core.block->FlagsOf(core).consumed[flag] += 1;
}

Job::SoftBarrier& Job::BarrierFor(uint64_t key) {
  std::lock_guard lock(mutex_);
  return barriers_[key];
}

void Job::Barrier(Core& core, const char* what, uint64_t key, uint32_t participants) {
  auto visit = std::find_if(core.barrier_visits.begin(), core.barrier_visits.end(),
                            [key](const auto& entry) { return entry.first == key; });
  if (visit == core.barrier_visits.end()) {
    core.barrier_visits.emplace_back(key, 0);
    visit = core.barrier_visits.end() - 1;
  }
  struct Arrival {
    SoftBarrier* barrier;
    uint64_t needed;
  };
  Arrival arrival{&BarrierFor(key), ++visit->second * participants};
  arrival.barrier->arrived.fetch_add(1, std::memory_order_acq_rel);
  NoteEvent();
  Wait(
      core, what,
      [](void* pointer) -> int {
        const auto& at = *static_cast<Arrival*>(pointer);
        return at.barrier->arrived.load(std::memory_order_acquire) >= at.needed ? 1 : 0;
      },
      &arrival);
}

}  // namespace hostnpu::engine

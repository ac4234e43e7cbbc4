// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ENGINE_JOB_H_
#define HOSTNPU_ENGINE_JOB_H_

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/core.h"
#include "engine/launch.h"

namespace hostnpu::engine {

/// A thread that runs cores: its pool of idle cores and of records for blocks.
class Worker {
 public:
  /// The worker of this thread; made at first use.
  static Worker& OfThisThread();

  /// An idle core of that chip and kind, from the pool or new. Null: the host has no memory for it.
  std::unique_ptr<Core> TakeCore(const arch::Chip& chip, HostnpuCoreKind kind);
  void GiveBack(std::unique_ptr<Core> core);
  std::unique_ptr<Block> TakeBlock();
  void GiveBack(std::unique_ptr<Block> block);

 private:
  std::vector<std::unique_ptr<Core>> idle_;
  std::vector<std::unique_ptr<Block>> idle_blocks_;
};

/// One launch while it runs. Workers Join(), take blocks, run their cores, and leave.
///
/// Termination and stalls. `events_` counts everything that can let a waiting core go on. A worker
/// that finds none of its cores able to run notes the count it saw before looking. When every
/// worker in the launch has noted the present count, nobody can run and nobody can change that: a
/// stall.
class Job {
 public:
  explicit Job(const LaunchSpec& spec);

  /// Takes a place for this thread, if it could still find a block to run; Join() must follow. To
  /// be called where the owner cannot yet be past its WaitForWorkers(): what the launch is about
  /// lives no longer than that. The owner has its place from the start.
  bool TakePlace();
  /// Runs blocks on this thread until there is nothing left for it, and gives the place back. Calls
  /// `on_long_run`, unless it is null, when the launch that began at `started` is worth help.
  void Join(const std::function<void()>& on_long_run,
            std::chrono::steady_clock::time_point started);
  /// After its own Join(), the owner waits here for everybody who took a place.
  void WaitForWorkers();
  /// What the launch did, the places of a fault included. Once, when all have left.
  LaunchOutcome TakeOutcome();

  const LaunchSpec& spec() const { return spec_; }

  /// A launch of more blocks than the chip has cores begins with its first block alone, because a
  /// kernel whose cores meet is to be refused as if it had never begun. Until that block has ended,
  /// or waits for others, every write to GM is kept for UndoTrial, and nobody else may join.
  bool on_trial() const { return on_trial_; }
  /// The contents of GM that are about to be written.
  void KeepForUndo(const void* address, uint64_t bytes);
  /// Gives GM back what it had before the launch, if that is still on trial.
  void UndoTrial();

  // What cores ask for, on their fibers (device_abi.cc).
  /// `place`: the return address of the call.
  void SetFlag(Core& core, uint32_t mode, uint32_t flag, void* place);
  /// On hardware the cores run side by side; here one may run ahead until the counter of a flag is
  /// full while the other side has only not had its turn. Gives it turns before that counts as an
  /// overflow.
  void MakeRoom(Core& core, uint32_t mode, uint32_t flag);
  void WaitFlag(Core& core, uint32_t flag, const char* what);
  void Barrier(Core& core, const char* what, uint64_t key, uint32_t participants);
  void Wait(Core& core, const char* what, int (*ready)(void*), void* context);
  void Poll(Core& core);
  [[noreturn]] void Fail(Core& core, HostnpuFaultKind kind, const char* api, std::string message);
  /// Records a fault found by a signal handler; the caller then ends the core.
  void RecordFault(Core& core, HostnpuFaultKind kind, const char* api, std::string message,
                   const std::vector<void*>& trace);
  /// The core has ended with this flag set.
  void NoteFlagLeft(FlagLeft left);
  /// What the signal handler has counted for the core.
  void NoteDivisions(Core& core);
  /// Keeps the first of a key for the outcome, and counts the others.
  void NoteOddity(Oddity oddity);
  uint64_t CoreCount(HostnpuCoreKind kind) const;
  /// Something happened that may let a waiting core go on.
  void NoteEvent();

 private:
  struct Seat;  // one worker in this launch

  struct ModeZero {
    std::array<std::atomic<uint32_t>, 32> arrivals = {};
    std::atomic<uint64_t> generations{0};
  };
  using ModeZeroCounters = std::array<std::array<ModeZero, kFlagCount>, 2>;
  struct Overwritten {
    void* address;
    std::vector<std::byte> bytes;
  };
  struct SoftBarrier {
    std::atomic<uint64_t> arrived{0};
  };

  bool IsWorthHelp(std::chrono::steady_clock::duration elapsed) const;
  bool StartBlock(Seat& seat);
  void ReportNoMemory(uint64_t block);
  bool StartCore(Seat& seat, Block& block, HostnpuCoreKind kind, uint32_t lane);
  bool RunPass(Seat& seat, bool* all_polling);
  void RunCore(Seat& seat, size_t position);
  void FinishCore(Seat& seat, size_t position);
  void NoteFlagsLeft(Block& block);
  void DropCores(Seat& seat);
  bool WaitForChange(Seat& seat, uint64_t seen);
  void ReportStall(const char* why);
  void AddWaits(Seat& seat);
  void Park(Core& core);
  uint64_t Credit(const Core& core, uint32_t flag) const;
  void CheckCounters(Core& core, uint32_t mode, uint32_t flag);
  SoftBarrier& BarrierFor(uint64_t key);
  ModeZeroCounters& UsedModeZero();
  uint64_t BlockAt(uint64_t ordinal) const;
  static void CoreBody(void* core);

  const LaunchSpec& spec_;
  bool on_trial_;  // written and read by the owner's thread while it is alone
  std::vector<Overwritten> overwritten_;
  std::atomic<uint64_t> next_block_{0};
  std::atomic<uint64_t> events_{0};
  std::atomic<bool> failed_{false};
  // Of AIC and AIV cores. Made with the first use: most launches have none, and their job is small.
  std::atomic<ModeZeroCounters*> mode_zero_{nullptr};
  std::unique_ptr<ModeZeroCounters> mode_zero_owner_;

  mutable std::mutex mutex_;  // seats, switches, barriers, fault, stacks
  std::vector<Seat*> seats_;
  uint64_t switches_ = 0;                 // of the seats that have been left
  std::atomic<uint32_t> place_count_{1};  // taken; the owner's is the first
  std::map<uint64_t, SoftBarrier> barriers_;
  std::optional<Fault> fault_;
  bool all_wait_ = false;                   // the fault is that no core can go on
  std::vector<std::vector<void*>> stacks_;  // of the fault, or of each of its waits
  std::vector<FlagLeft> flags_left_;
  std::vector<Oddity> oddities_;
};

}  // namespace hostnpu::engine

#endif  // HOSTNPU_ENGINE_JOB_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_LAUNCH_MEMORY_H_
#define HOSTNPU_RUNTIME_LAUNCH_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workspace/launch.h"

namespace hostnpu::runtime {

/// The workspace memory of a device. Lives as long as the process.
workspace::Pool& PoolOf(uint32_t device);
/// Frees what no launch uses, of all devices. Returns the bytes freed.
int64_t TrimPools();

/// What undefined bytes hold: HOSTNPU_UNDEFINED, one of none, poison and zero. Read at first use.
workspace::FillPolicy UndefinedPolicy();
/// For tests: as if the variable had said so.
void SetUndefinedPolicy(workspace::FillPolicy policy);
/// Gives memory that has just been allocated these contents.
void FillUndefined(void* data, uint64_t bytes);

/// Device memory for a caller, with undefined contents. Workspaces that no launch uses go before it
/// is refused.
base::Result<void*> AllocateUndefined(uint32_t device, uint64_t bytes, std::string label = "");

/// What bytes are leased for. Those of one launch differ in it: each slot has a lane of the pool.
enum class Slot : uint32_t {
  kWorkspace = 0,        ///< and those behind it: more workspaces of one launch
  kCopies = 1000,        ///< contiguous copies of an operator's inputs
  kTiling = 1001,        ///< tiling data of an operator call
  kFirstList = 2000,     ///< and those behind it: lists of tensors, by parameter
  kFirstArgument = 4000  ///< and those behind it: data of an argument list, by argument
};
inline Slot SlotAt(Slot first, size_t index) {
  return static_cast<Slot>(static_cast<uint32_t>(first) + static_cast<uint32_t>(index));
}

/// The lanes of one stream. Thread-safe.
class StreamMemory {
 public:
  StreamMemory(uint32_t device, std::string stream_name);
  ~StreamMemory();
  StreamMemory(const StreamMemory&) = delete;

  /// `bytes` for the launch that is put on the stream next; `label` describes it in errors. Call it
  /// while holding Stream::HoldSequence(), so that leases come in the order of the queue.
  base::Result<workspace::Lease> Acquire(Slot slot, uint64_t bytes, std::string_view label);
  /// The same for a plan: its arena and its persistent block.
  base::Result<workspace::LaunchWorkspace> Prepare(Slot slot, const workspace::ArenaPlan& plan);

  /// For events: what comes after WaitFor(mark) runs after what was before Record(mark).
  void Record(workspace::EventMark* mark);
  void WaitFor(const workspace::EventMark& mark);
  /// The stream has dropped tasks, waits among them: what it has waited for counts no more.
  void Restart();
  /// Gives the memory back: of launches that have not finished when they have. Whoever launches
  /// nevertheless opens new lanes.
  void Close();

 private:
  workspace::Lane* LaneLocked(Slot slot);

  const uint32_t device_;
  const std::string stream_name_;
  std::mutex mutex_;
  std::map<Slot, workspace::Lane*> lanes_;
  std::vector<workspace::Lane*> parked_;  // of before a Restart(): launches may still run
  bool has_waited_ = false;
};

using PlanPointer = std::shared_ptr<const workspace::ArenaPlan>;
/// One workspace of a launch: `system_bytes` in front that are the library's, then `bytes` with
/// these contents. `owner` is the kernel or operator, `name` its parameter.
PlanPointer PlanOfOne(std::string owner, std::string name, uint64_t system_bytes, uint64_t bytes,
                      workspace::Contents contents);

/// The workspaces of one launch, from its place in the queue to its end.
class LaunchMemory {
 public:
  /// Leases a plan of PlanOfOne(). The address is that of the library's part, if there is one.
  base::Result<std::byte*> Lease(StreamMemory& memory, Slot slot, PlanPointer plan);
  /// Leases a plan of several workspaces, without a library's part. What is returned stays valid
  /// until the next lease or move.
  base::Result<const workspace::LaunchWorkspace*> LeaseAll(StreamMemory& memory, Slot slot,
                                                           PlanPointer plan);
  /// Memory of the caller: it is left as it is, but counted. Call it only for the report.
  void Watch(PlanPointer plan, std::byte* base);

  /// Before the kernel: bounds and names, initial contents.
  void Begin();
  /// After the kernel: says which persistent-zero workspace it left dirty, counts what it touched,
  /// and ends the leases.
  base::Result<void> End();
  bool empty() const { return parts_.empty(); }

 private:
  struct Part {
    PlanPointer plan;
    workspace::LaunchWorkspace workspace;          // of a lease
    std::byte* watched = nullptr;                  // of the caller, past the library's part
    std::vector<std::vector<std::byte>> before{};  // for the report: what stood in each region

    bool IsLeased() const { return watched == nullptr; }
    std::byte* RegionAt(size_t index) const {
      return IsLeased() ? workspace.Address(index) : watched;
    }
  };
  static void SetBounds(const Part& part);
  static void Remember(Part& part);
  static void Count(const Part& part);

  std::vector<Part> parts_;
};

/// Workspaces that the next launch of this thread takes along, because its caller has made them.
void LeaveForNextLaunch(LaunchMemory memory);
LaunchMemory TakeLeftMemory();

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_LAUNCH_MEMORY_H_

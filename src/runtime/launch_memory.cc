// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Where streams and pools meet. A lane hands the same bytes to one launch after the other, so what
// belongs to a single launch - how far its workspace reaches, what it is called, what it holds at
// the start, what was touched of it - is settled when the stream comes to it, not when it is
// queued.
#include "runtime/launch_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include "base/option.h"
#include "memory/device_memory.h"
#include "runtime/workspace_report.h"
#include "workspace/usage.h"

namespace hostnpu::runtime {
namespace {

using workspace::ContentsKind;
using workspace::FillPolicy;

struct DevicePool {
  explicit DevicePool(uint32_t device)
      : source(device), pool(&source, {fmt::format("[Device {}]", device)}) {}
  workspace::DeviceSource source;
  workspace::Pool pool;
};
struct Pools {
  std::mutex mutex;
  std::map<uint32_t, std::unique_ptr<DevicePool>> by_device;
};
Pools& AllPools() {
  static Pools& pools = *new Pools;
  return pools;
}

FillPolicy PolicyOfEnvironment() {
  const std::string text = base::EnvChoice("HOSTNPU_UNDEFINED", {"none", "poison", "zero"});
  return text == "poison" ? FillPolicy::kPoison
         : text == "zero" ? FillPolicy::kZero
                          : FillPolicy::kNone;
}
std::atomic<FillPolicy>& Policy() {
  static std::atomic<FillPolicy> policy(PolicyOfEnvironment());
  return policy;
}

/// Whether all of the region still is device memory; the caller may have freed its own since.
bool IsAlive(const std::byte* region, int64_t bytes) {
  const auto size = static_cast<uint64_t>(bytes);
  const auto buffer = memory::DeviceMemory::Get().FindRange(region, size);
  return buffer.has_value() && !buffer->freed &&
         reinterpret_cast<uintptr_t>(region) + size <= buffer->base + buffer->size_bytes;
}

LaunchMemory& Left() {
  static thread_local LaunchMemory left;
  return left;
}

/// Where the last byte that differs ends.
int64_t ChangedEnd(const std::vector<std::byte>& before, const std::byte* now) {
  size_t end = before.size();
  while (end > 0 && before[end - 1] == now[end - 1]) --end;
  return static_cast<int64_t>(end);
}

}  // namespace

workspace::Pool& PoolOf(uint32_t device) {
  Pools& pools = AllPools();
  std::lock_guard lock(pools.mutex);
  std::unique_ptr<DevicePool>& entry = pools.by_device[device];
  if (entry == nullptr) entry = std::make_unique<DevicePool>(device);
  return entry->pool;
}

int64_t TrimPools() {
  Pools& pools = AllPools();
  std::lock_guard lock(pools.mutex);
  int64_t freed = 0;
  for (const auto& [device, entry] : pools.by_device) freed += entry->pool.Trim();
  return freed;
}

FillPolicy UndefinedPolicy() { return Policy().load(std::memory_order_relaxed); }
void SetUndefinedPolicy(FillPolicy policy) { Policy().store(policy); }

void FillUndefined(void* data, uint64_t bytes) {
  switch (UndefinedPolicy()) {
    case FillPolicy::kNone:
      break;
    case FillPolicy::kPoison:
      workspace::FillPoison(static_cast<std::byte*>(data), static_cast<int64_t>(bytes));
      break;
    case FillPolicy::kZero:
      std::memset(data, 0, bytes);
      break;
  }
}

base::Result<void*> AllocateUndefined(uint32_t device, uint64_t bytes, std::string label) {
  auto& memory = memory::DeviceMemory::Get();
  auto data = memory.Allocate(device, bytes, label);
  if (!data.ok() && data.error().code == base::Code::kOutOfMemory && TrimPools() > 0) {
    data = memory.Allocate(device, bytes, std::move(label));
  }
  if (data.ok()) FillUndefined(*data, bytes);
  return data;
}

StreamMemory::StreamMemory(uint32_t device, std::string stream_name)
    : device_(device), stream_name_(std::move(stream_name)) {}

StreamMemory::~StreamMemory() { Close(); }

void StreamMemory::Close() {
  std::lock_guard lock(mutex_);
  for (const auto& [slot, lane] : lanes_) PoolOf(device_).CloseLane(lane);
  for (workspace::Lane* lane : parked_) PoolOf(device_).CloseLane(lane);
  lanes_.clear();
  parked_.clear();
  has_waited_ = false;
}

workspace::Lane* StreamMemory::LaneLocked(Slot slot) {
  workspace::Lane*& lane = lanes_[slot];
  if (lane == nullptr) {
    lane = PoolOf(device_).OpenLane(workspace::LaneKind::kStream, stream_name_);
  }
  return lane;
}

base::Result<workspace::Lease> StreamMemory::Acquire(Slot slot, uint64_t bytes,
                                                     std::string_view label) {
  std::lock_guard lock(mutex_);
  const auto wanted = static_cast<int64_t>(std::min<uint64_t>(bytes, INT64_MAX));
  return LaneLocked(slot)->Acquire(wanted, workspace::kDefaultAlignment, label);
}

base::Result<workspace::LaunchWorkspace> StreamMemory::Prepare(Slot slot,
                                                               const workspace::ArenaPlan& plan) {
  std::lock_guard lock(mutex_);
  return workspace::LaunchWorkspace::Prepare(LaneLocked(slot), plan, plan.owner);
}

// Only the lane of the workspace takes over from other streams: its arenas are the large ones.
void StreamMemory::Record(workspace::EventMark* mark) {
  std::lock_guard lock(mutex_);
  LaneLocked(Slot::kWorkspace)->Record(mark);
}

void StreamMemory::WaitFor(const workspace::EventMark& mark) {
  std::lock_guard lock(mutex_);
  LaneLocked(Slot::kWorkspace)->WaitFor(mark);
  has_waited_ = true;
}

// The lane that has waited stays open as long as the stream: launches that are running may use its
// persistent blocks.
void StreamMemory::Restart() {
  std::lock_guard lock(mutex_);
  if (!std::exchange(has_waited_, false)) return;
  parked_.push_back(lanes_[Slot::kWorkspace]);
  lanes_.erase(Slot::kWorkspace);
}

PlanPointer PlanOfOne(std::string owner, std::string name, uint64_t system_bytes, uint64_t bytes,
                      workspace::Contents contents) {
  auto plan = std::make_shared<workspace::ArenaPlan>();
  const auto front = static_cast<int64_t>(system_bytes);
  const auto size = static_cast<int64_t>(std::min<uint64_t>(bytes, INT64_MAX - system_bytes));
  const bool persistent = contents.kind == ContentsKind::kPersistentZero && size > 0;
  plan->owner = std::move(owner);
  plan->alignment = workspace::kDefaultAlignment;
  // The library's part lies before the user's in one piece, so a persistent one takes it along.
  (persistent ? plan->persistent_bytes : plan->bytes) = front + size;
  plan->unshared_bytes = front + size;
  plan->slots.push_back({std::move(name), front, size, 1, contents, persistent, 0});
  return plan;
}

base::Result<const workspace::LaunchWorkspace*> LaunchMemory::LeaseAll(StreamMemory& memory,
                                                                       Slot slot,
                                                                       PlanPointer plan) {
  Part part;
  HOSTNPU_ASSIGN_OR_RETURN(part.workspace, memory.Prepare(slot, *plan));
  part.plan = std::move(plan);
  parts_.push_back(std::move(part));
  return static_cast<const workspace::LaunchWorkspace*>(&parts_.back().workspace);
}

base::Result<std::byte*> LaunchMemory::Lease(StreamMemory& memory, Slot slot, PlanPointer plan) {
  const workspace::Slot region = plan->slots.front();
  if (region.bytes > workspace::kMaxBufferBytes) {
    return base::Error{
        base::Code::kOutOfMemory,
        fmt::format("The workspace ({} bytes) is larger than {} bytes, which is more "
                    "than any device has.",
                    region.bytes, workspace::kMaxBufferBytes)};
  }
  HOSTNPU_ASSIGN_OR_RETURN(const workspace::LaunchWorkspace* leased,
                           LeaseAll(memory, slot, std::move(plan)));
  return region.persistent ? leased->persistent() : leased->arena();
}

void LaunchMemory::Watch(PlanPointer plan, std::byte* base) {
  Part part;
  part.watched = base + plan->slots.front().offset;
  part.plan = std::move(plan);
  parts_.push_back(std::move(part));
}

// A single workspace and the library's part in front of it are one buffer, as on the device;
// several are buffers each, so that an overrun from one into the next is caught.
void LaunchMemory::SetBounds(const Part& part) {
  auto& memory = memory::DeviceMemory::Get();
  const std::vector<workspace::Slot>& slots = part.plan->slots;
  const auto bytes = [](int64_t count) { return static_cast<uint64_t>(count); };
  if (slots.size() == 1) {
    const workspace::Slot& slot = slots.front();
    memory.SetExtent(slot.persistent ? part.workspace.persistent() : part.workspace.arena(),
                     bytes(slot.offset + slot.bytes), slot.name);
    return;
  }
  for (const bool persistent : {false, true}) {
    const std::byte* block = persistent ? part.workspace.persistent() : part.workspace.arena();
    if (block == nullptr) continue;
    static thread_local std::vector<memory::BlockPart> inside;
    inside.clear();
    for (const workspace::Slot& slot : slots) {
      if (slot.persistent != persistent || slot.bytes == 0) continue;
      inside.push_back({bytes(slot.offset), bytes(slot.bytes), slot.name});
    }
    memory.SetParts(block, inside);
  }
}

void LaunchMemory::Remember(Part& part) {
  part.before.resize(part.plan->slots.size());
  for (size_t i = 0; i < part.before.size(); ++i) {
    const int64_t bytes = part.plan->slots[i].bytes;
    const std::byte* region = part.RegionAt(i);
    if (region != nullptr && IsAlive(region, bytes)) part.before[i].assign(region, region + bytes);
  }
}

void LaunchMemory::Begin() {
  const FillPolicy policy = UndefinedPolicy();
  const bool reports = ReportsWorkspaces();
  for (Part& part : parts_) {
    if (part.IsLeased()) {
      SetBounds(part);
      // What is touched of undefined bytes shows best on poison.
      part.workspace.Fill(0, reports && policy == FillPolicy::kNone ? FillPolicy::kPoison : policy);
    }
    if (reports) Remember(part);
  }
}

void LaunchMemory::Count(const Part& part) {
  for (size_t i = 0; i < part.before.size(); ++i) {
    const workspace::Slot& slot = part.plan->slots[i];
    if (part.before[i].empty() || !IsAlive(part.RegionAt(i), slot.bytes)) continue;
    CountWorkspace(part.plan->owner, slot.name, slot.bytes,
                   ChangedEnd(part.before[i], part.RegionAt(i)));
  }
}

base::Result<void> LaunchMemory::End() {
  base::Result<void> result;
  for (Part& part : parts_) {
    Count(part);
    if (!part.IsLeased()) continue;
    auto finished = part.workspace.Finish();
    if (result.ok() && !finished.ok()) result = std::move(finished);
  }
  parts_.clear();
  return result;
}

void LeaveForNextLaunch(LaunchMemory memory) { Left() = std::move(memory); }
LaunchMemory TakeLeftMemory() { return std::exchange(Left(), LaunchMemory()); }

}  // namespace hostnpu::runtime

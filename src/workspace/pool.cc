// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// Scratch memory has the shortest of lives, a launch, and is asked for thousands of times per
// second. Because a stream runs its launches in order, one arena per stream serves all of them, and
// a lease is a counter: the bytes may be promised to the next launch while the one before still
// waits in the queue. What is left to get right is the rare part: growing while older launches
// still use the old arena, limits, streams that come and go, and arenas that wander between streams
// ordered by an event.
#include "workspace/pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace hostnpu::workspace {
namespace {

int64_t RoundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// Whether all leases of the arena lie before what a lane has seen of the others. Of an arena that
/// was busy when its lane took it over it has not seen the older ones: that its lane runs behind
/// them is a wait that may be cancelled.
bool IsBehind(const std::vector<uint64_t>& seen, const Arena& arena) {
  return arena.last_lane < seen.size() && arena.last_ticket <= seen[arena.last_lane] &&
         (!arena.taken_busy || !arena.Busy());
}

bool Serves(const Arena& arena, int64_t bytes, int64_t alignment) {
  return arena.bytes >= bytes &&
         reinterpret_cast<uintptr_t>(arena.base) % static_cast<uintptr_t>(alignment) == 0;
}

base::Result<void> CheckRequest(int64_t bytes, int64_t alignment, std::string_view label) {
  if (bytes < 0 || bytes > kMaxBufferBytes) {
    return base::Error{base::Code::kInvalidArgument,
                       fmt::format("The workspace of {} has {} bytes; it may have 0 to {}.", label,
                                   bytes, kMaxBufferBytes)};
  }
  if (alignment < 1 || (alignment & (alignment - 1)) != 0 || alignment > (int64_t{1} << 30)) {
    return base::Error{
        base::Code::kInvalidArgument,
        fmt::format("Alignment ({}) of the workspace of {} is not a power of two up to "
                    "2^30.",
                    alignment, label)};
  }
  return {};
}

}  // namespace

void Lease::End() {
  Arena* const arena = std::exchange(arena_, nullptr);
  base_ = nullptr;
  bytes_ = 0;
  if (arena == nullptr) return;
  // After the subtraction the arena may be freed by somebody else, unless the result is 1.
  if (arena->state.fetch_sub(2, std::memory_order_acq_rel) - 2 == 1) pool_->FreeRetired(arena);
}

bool Lane::LeaseCurrent(int64_t bytes, int64_t alignment, Lease* lease) {
  if (current_ == nullptr || !Serves(*current_, bytes, alignment)) return false;
  if (!current_->Busy()) current_->taken_busy = false;
  current_->state.fetch_add(2, std::memory_order_relaxed);
  current_->last_ticket = ++ticket_;
  ++statistics_.leases;
  *lease = Lease(pool_, current_, current_->base, bytes);
  return true;
}

base::Result<Lease> Lane::Acquire(int64_t bytes, int64_t alignment, std::string_view label) {
  if (auto checked = CheckRequest(bytes, alignment, label); !checked.ok()) return checked.error();
  if (bytes == 0) return Lease();
  Lease lease;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (LeaseCurrent(bytes, alignment, &lease)) return lease;
  }
  const std::lock_guard<std::mutex> pool_lock(pool_->mutex_);
  if (auto grown = pool_->Grow(this, bytes, alignment, label); !grown.ok()) return grown.error();
  const std::lock_guard<std::mutex> lock(mutex_);
  HOSTNPU_CHECK(LeaseCurrent(bytes, alignment, &lease));
  return lease;
}

base::Result<std::byte*> Lane::Persistent(std::string_view key, int64_t bytes, int64_t alignment,
                                          bool* fresh) {
  *fresh = false;
  if (auto checked = CheckRequest(bytes, alignment, key); !checked.ok()) return checked.error();
  if (bytes == 0) return static_cast<std::byte*>(nullptr);
  const std::lock_guard<std::mutex> pool_lock(pool_->mutex_);
  // Only this function changes persistent_, and the pool's mutex keeps others out of it.
  const auto found = persistent_.find(key);
  if (found != persistent_.end() && Serves(*found->second, bytes, alignment)) {
    return found->second->base;
  }
  HOSTNPU_ASSIGN_OR_RETURN(Arena * arena, pool_->Obtain(bytes, alignment, this, key));
  std::memset(arena->base, 0, static_cast<size_t>(arena->bytes));
  *fresh = true;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (found != persistent_.end()) {
    kept_.push_back(found->second);  // launches in flight may still use it
    found->second = arena;
  } else {
    persistent_.emplace(key, arena);
  }
  return arena->base;
}

// Only this lane's own launches: what it has waited for itself may be cancelled, by an abort or a
// failure, before the mark is passed.
void Lane::Record(EventMark* mark) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  mark->pool_ = pool_;
  mark->lane_ = index_;
  mark->ticket_ = ticket_;
}

void Lane::WaitFor(const EventMark& mark) {
  if (mark.pool_ != pool_) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (seen_.size() <= mark.lane_) seen_.resize(mark.lane_ + 1, 0);
  seen_[mark.lane_] = std::max(seen_[mark.lane_], mark.ticket_);
}

LaneStatistics Lane::Statistics() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  LaneStatistics statistics = statistics_;
  if (current_ != nullptr) statistics.arena_bytes += current_->bytes;
  for (const Arena* arena : kept_) statistics.arena_bytes += arena->bytes;
  for (const auto& [key, arena] : persistent_) statistics.arena_bytes += arena->bytes;
  return statistics;
}

Pool::Pool(Source* source, PoolOptions options) : source_(source), options_(std::move(options)) {}

Pool::~Pool() {
  for (const std::unique_ptr<Lane>& lane : lanes_) {
    if (lane != nullptr) CloseLane(lane.get());
  }
  HOSTNPU_CHECK(arenas_.empty());  // a lease outlived its pool
}

Lane* Pool::OpenLane(LaneKind kind, std::string name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  size_t index = 0;
  while (index < lanes_.size() && lanes_[index] != nullptr) ++index;
  if (index == lanes_.size()) {
    lanes_.emplace_back();
    closed_tickets_.push_back(0);
  }
  lanes_[index].reset(new Lane(this, static_cast<uint32_t>(index), kind, std::move(name)));
  lanes_[index]->ticket_ =
      closed_tickets_[index];  // a mark of the old lane says nothing of this one
  return lanes_[index].get();
}

void Pool::CloseLane(Lane* lane) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Arena*> arenas = lane->kept_;
  if (lane->current_ != nullptr) arenas.push_back(lane->current_);
  for (const auto& [key, arena] : lane->persistent_) arenas.push_back(arena);
  closed_tickets_[lane->index_] = lane->ticket_;
  statistics_.leases += lane->statistics_.leases;
  lanes_[lane->index_].reset();
  for (Arena* arena : arenas) Retire(arena);
}

void Pool::Retire(Arena* arena) {
  if (arena->state.fetch_or(1, std::memory_order_acq_rel) == 0) Free(arena);
}

void Pool::Free(Arena* arena) {
  reserved_bytes_ -= arena->block_bytes;
  source_->Free(arena->block);
  const auto found = std::find_if(arenas_.begin(), arenas_.end(),
                                  [&](const auto& own) { return own.get() == arena; });
  HOSTNPU_CHECK(found != arenas_.end());
  std::swap(*found, arenas_.back());
  arenas_.pop_back();
}

void Pool::FreeRetired(Arena* arena) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Free(arena);
}

int64_t Pool::TrimLanes() {
  int64_t freed = 0;
  for (const std::unique_ptr<Lane>& lane : lanes_) {
    if (lane == nullptr || lane->kind_ == LaneKind::kGraph) continue;
    const std::lock_guard<std::mutex> lock(lane->mutex_);
    if (lane->current_ == nullptr || lane->current_->Busy()) continue;
    freed += lane->current_->block_bytes;
    Retire(std::exchange(lane->current_, nullptr));
  }
  return freed;
}

int64_t Pool::Trim() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return TrimLanes();
}

base::Result<void> Pool::MakeRoom(int64_t bytes, Lane* lane, std::string_view label) {
  if (locked_) {
    const LaneStatistics& known = lane->statistics_;
    return base::Error{
        base::Code::kOutOfMemory,
        fmt::format(
            "{} needs {} bytes of workspace, but the pool of {} is locked since its warm-up, "
            "whose largest launch on {} was {} with {} bytes. Run the largest shapes before "
            "LockWorkspaces(true), or unlock it with LockWorkspaces(false).",
            label, bytes, options_.name, lane->name_,
            known.largest_label.empty() ? "none" : known.largest_label, known.largest_request)};
  }
  if (reserved_bytes_ + bytes > options_.limit_bytes) TrimLanes();
  if (reserved_bytes_ + bytes <= options_.limit_bytes) return {};
  return base::Error{
      base::Code::kOutOfMemory,
      fmt::format(
          "{} needs {} bytes of workspace, but the pool of {} has {} of its limit of {} bytes "
          "in use by launches that have not finished or by graphs. Synchronise with them first, or "
          "raise the limit (SetWorkspaceLimit).",
          label, bytes, options_.name, reserved_bytes_, options_.limit_bytes)};
}

base::Result<Arena*> Pool::Obtain(int64_t bytes, int64_t alignment, Lane* lane,
                                  std::string_view label) {
  int64_t block_bytes = RoundUp(bytes, kDefaultAlignment);
  if (alignment > kDefaultAlignment) block_bytes += alignment;  // the source promises no more
  auto failed = [&](base::Error error) {
    ++statistics_.failures;
    return std::move(error).While(
        fmt::format("leasing workspace for {} on {}", label, lane->name_));
  };
  if (auto room = MakeRoom(block_bytes, lane, label); !room.ok()) return failed(room.error());
  const std::string name = fmt::format("workspace of {}", lane->name_);
  auto block = source_->Allocate(block_bytes, name);
  if (!block.ok() && TrimLanes() > 0) block = source_->Allocate(block_bytes, name);
  if (!block.ok()) return failed(block.error());
  auto arena = std::make_unique<Arena>();
  arena->block = *block;
  arena->block_bytes = block_bytes;
  const auto address = reinterpret_cast<uintptr_t>(*block);
  const auto past = address % static_cast<uintptr_t>(alignment);
  arena->base =
      static_cast<std::byte*>(*block) + (past == 0 ? 0 : alignment - static_cast<int64_t>(past));
  arena->bytes = block_bytes - (arena->base - static_cast<std::byte*>(*block));
  arena->last_lane = lane->index_;
  ++statistics_.allocations;
  reserved_bytes_ += block_bytes;
  statistics_.peak_reserved_bytes = std::max(statistics_.peak_reserved_bytes, reserved_bytes_);
  arenas_.push_back(std::move(arena));
  return arenas_.back().get();
}

/// The smallest arena that serves and whose every lease runs before this lane's next launch.
Arena* Pool::TakeOver(int64_t bytes, int64_t alignment, Lane* lane) {
  std::vector<uint64_t> seen;
  {
    const std::lock_guard<std::mutex> lock(lane->mutex_);
    seen = lane->seen_;
  }
  Lane* victim = nullptr;
  int64_t best = 0;
  for (const std::unique_ptr<Lane>& other : lanes_) {
    if (other == nullptr || other.get() == lane || other->kind_ == LaneKind::kGraph) continue;
    const std::lock_guard<std::mutex> lock(other->mutex_);
    const Arena* arena = other->current_;
    if (arena == nullptr || !Serves(*arena, bytes, alignment) || !IsBehind(seen, *arena)) continue;
    if (victim != nullptr && arena->bytes >= best) continue;
    victim = other.get();
    best = arena->bytes;
  }
  if (victim == nullptr) return nullptr;
  const std::lock_guard<std::mutex> lock(victim->mutex_);
  // Its owner may have leased it again since; then it is no longer ordered before us.
  if (victim->current_ == nullptr || !IsBehind(seen, *victim->current_)) return nullptr;
  victim->current_->taken_busy = victim->current_->Busy();
  return std::exchange(victim->current_, nullptr);
}

/// Gives the lane an arena that serves. Needs the pool's mutex, not the lane's.
base::Result<void> Pool::Grow(Lane* lane, int64_t bytes, int64_t alignment,
                              std::string_view label) {
  Arena* outgrown = nullptr;
  {
    const std::lock_guard<std::mutex> lock(lane->mutex_);
    if (lane->current_ != nullptr && Serves(*lane->current_, bytes, alignment)) return {};
  }
  Arena* arena = nullptr;
  if (lane->kind_ == LaneKind::kStream) arena = TakeOver(bytes, alignment, lane);
  const bool taken = arena != nullptr;
  if (!taken) {
    // An idle arena of this lane goes first, so that the two never exist together.
    if (lane->kind_ == LaneKind::kStream && !locked_) {
      const std::lock_guard<std::mutex> lock(lane->mutex_);
      if (lane->current_ != nullptr && !lane->current_->Busy()) {
        Retire(std::exchange(lane->current_, nullptr));
      }
    }
    HOSTNPU_ASSIGN_OR_RETURN(arena, Obtain(bytes, alignment, lane, label));
  }
  const std::lock_guard<std::mutex> lock(lane->mutex_);
  outgrown = std::exchange(lane->current_, arena);
  arena->last_lane = lane->index_;
  arena->last_ticket = lane->ticket_;
  ++(taken ? lane->statistics_.takeovers : lane->statistics_.growths);
  if (bytes > lane->statistics_.largest_request) {
    lane->statistics_.largest_request = bytes;
    lane->statistics_.largest_label = std::string(label);
  }
  if (outgrown == nullptr) return {};
  if (lane->kind_ == LaneKind::kGraph) {
    lane->kept_.push_back(outgrown);
  } else {
    Retire(outgrown);
  }
  return {};
}

void Pool::Lock() {
  const std::lock_guard<std::mutex> lock(mutex_);
  locked_ = true;
}

void Pool::Unlock() {
  const std::lock_guard<std::mutex> lock(mutex_);
  locked_ = false;
}

void Pool::SetLimit(int64_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  options_.limit_bytes = bytes;
}

int64_t Pool::BusyBytes() const {
  int64_t bytes = 0;
  for (const std::unique_ptr<Arena>& arena : arenas_) {
    if (arena->Busy()) bytes += arena->block_bytes;
  }
  return bytes;
}

PoolStatistics Pool::Statistics() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  PoolStatistics statistics = statistics_;
  statistics.reserved_bytes = reserved_bytes_;
  statistics.busy_bytes = BusyBytes();
  statistics.limit_bytes = options_.limit_bytes;
  statistics.arenas = arenas_.size();
  for (const std::unique_ptr<Lane>& lane : lanes_) {
    if (lane != nullptr) statistics.leases += lane->Statistics().leases;
  }
  return statistics;
}

std::string Pool::RenderStatistics() const {
  const PoolStatistics total = Statistics();
  std::string text = fmt::format(
      "workspace pool of {}\n  reserved {} bytes in {} arenas, {} in use, peak {}, limit {}\n"
      "  {} leases, {} allocations, {} refused\n",
      options_.name, total.reserved_bytes, total.arenas, total.busy_bytes,
      total.peak_reserved_bytes, total.limit_bytes, total.leases, total.allocations,
      total.failures);
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const std::unique_ptr<Lane>& lane : lanes_) {
    if (lane == nullptr) continue;
    const LaneStatistics own = lane->Statistics();
    text += fmt::format("  {:<16} {:>14} bytes  {:>10} leases  {:>4} growths  largest {} ({})\n",
                        lane->name(), own.arena_bytes, own.leases, own.growths, own.largest_request,
                        own.largest_label);
  }
  return text;
}

}  // namespace hostnpu::workspace

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_WORKSPACE_POOL_H_
#define HOSTNPU_WORKSPACE_POOL_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workspace/arena.h"
#include "workspace/lease.h"
#include "workspace/plan.h"
#include "workspace/source.h"

namespace hostnpu::workspace {

class Pool;

/// What an event carries from one lane to another: how far its own had come.
class EventMark {
 private:
  friend class Lane;
  const Pool* pool_ = nullptr;  // null: nothing noted yet
  uint32_t lane_ = 0;
  uint64_t ticket_ = 0;
};

enum class LaneKind {
  kStream,  ///< launches run in order, so each may use the bytes of the one before
  kGraph,   ///< a captured graph: addresses stay valid until the lane is closed, and nobody borrows
            ///< them
};

struct LaneStatistics {
  uint64_t leases = 0;
  uint64_t growths = 0;         // arenas got from the source
  uint64_t takeovers = 0;       // arenas taken over from another lane behind an event
  int64_t arena_bytes = 0;      // held now
  int64_t largest_request = 0;  // bytes
  std::string largest_label{};  // the launch that made it
};

/// The workspace memory of one stream or graph. Thread-safe.
///
/// Launches of a stream run one after the other, so all of them lease the same arena; it grows when
/// a launch needs more, and the smaller one is freed when its last lease ends.
class Lane {
 public:
  /// `bytes` at a multiple of `alignment` (a power of two) for one launch. `label` describes the
  /// launch in errors, "softmax(n = 4096)"; it is copied only if the arena must grow. In the steady
  /// state this takes one uncontended lock and allocates nothing. kOutOfMemory when the pool's
  /// limit, its lock or its source says no; then nothing is leased and the next call works.
  base::Result<Lease> Acquire(int64_t bytes, int64_t alignment, std::string_view label);

  /// The block for regions that keep their contents between launches, zeroed at first use; one per
  /// `key` (the kernel and its plan) and lane, and kept until the lane is closed. `fresh` tells
  /// whether it was made just now.
  base::Result<std::byte*> Persistent(std::string_view key, int64_t bytes, int64_t alignment,
                                      bool* fresh);

  /// Notes how far this lane has come.
  void Record(EventMark* mark) const;
  /// All later launches of this lane run after those before the mark. From now on this lane may
  /// take over arenas whose last lease lies before the mark. One of another pool orders nothing
  /// here.
  void WaitFor(const EventMark& mark);

  LaneStatistics Statistics() const;
  const std::string& name() const { return name_; }

 private:
  friend class Pool;
  Lane(Pool* pool, uint32_t index, LaneKind kind, std::string name)
      : pool_(pool), index_(index), kind_(kind), name_(std::move(name)) {}

  /// The current arena if it is large enough, else an empty lease. Needs mutex_.
  bool LeaseCurrent(int64_t bytes, int64_t alignment, Lease* lease);

  Pool* const pool_;
  const uint32_t index_;
  const LaneKind kind_;
  const std::string name_;
  mutable std::mutex mutex_;
  Arena* current_ = nullptr;
  uint64_t ticket_ = 0;         // of the last lease
  std::vector<uint64_t> seen_;  // by lane: everything up to this ticket runs before our next launch
  std::vector<Arena*> kept_;    // kGraph: outgrown arenas, still in recorded launches
  std::map<std::string, Arena*, std::less<>> persistent_;
  LaneStatistics statistics_;
};

struct PoolOptions {
  std::string name = "[Device 0]";
  int64_t limit_bytes = kMaxBufferBytes;  // of all arenas together
};

struct PoolStatistics {
  int64_t reserved_bytes = 0;  // in arenas now
  int64_t peak_reserved_bytes = 0;
  int64_t busy_bytes = 0;  // in arenas with leases now
  int64_t limit_bytes = 0;
  uint64_t arenas = 0;
  uint64_t allocations = 0;  // from the source, ever
  uint64_t failures = 0;     // requests refused, ever
  uint64_t leases = 0;       // of open and closed lanes, ever
};

/// The workspace memory of one device: a lane per stream. Lanes never share an arena, unless an
/// event orders them. Thread-safe. Must outlive its lanes' leases; the source must outlive the
/// pool.
class Pool {
 public:
  Pool(Source* source, PoolOptions options);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// The lane belongs to the pool and lives until CloseLane.
  Lane* OpenLane(LaneKind kind, std::string name);
  /// Arenas with leases are freed when the last one ends; the others at once.
  void CloseLane(Lane* lane);

  /// Frees the arenas of streams that no launch uses. Returns the bytes freed.
  int64_t Trim();
  /// After a warm-up: no lane may grow until Unlock. A launch that would is an error that names the
  /// largest launch of the warm-up.
  void Lock();
  void Unlock();
  /// Applies to growth from now on; what is reserved stays.
  void SetLimit(int64_t bytes);

  PoolStatistics Statistics() const;
  /// A table of the lanes and the sum.
  std::string RenderStatistics() const;

 private:
  friend class Lane;
  friend class Lease;

  /// All of these need mutex_; lane mutexes are taken under it, never the other way round.
  base::Result<Arena*> Obtain(int64_t bytes, int64_t alignment, Lane* lane, std::string_view label);
  base::Result<void> MakeRoom(int64_t bytes, Lane* lane, std::string_view label);
  Arena* TakeOver(int64_t bytes, int64_t alignment, Lane* lane);
  void Retire(Arena* arena);
  void Free(Arena* arena);
  int64_t TrimLanes();
  base::Result<void> Grow(Lane* lane, int64_t bytes, int64_t alignment, std::string_view label);
  int64_t BusyBytes() const;

  void FreeRetired(Arena* arena);  // takes mutex_

  Source* const source_;
  mutable std::mutex mutex_;
  PoolOptions options_;
  bool locked_ = false;
  std::vector<std::unique_ptr<Lane>> lanes_;  // by index; null: closed
  std::vector<uint64_t> closed_tickets_;      // by index: where the next lane there goes on
  std::vector<std::unique_ptr<Arena>> arenas_;
  int64_t reserved_bytes_ = 0;
  PoolStatistics statistics_;
};

}  // namespace hostnpu::workspace

#endif  // HOSTNPU_WORKSPACE_POOL_H_

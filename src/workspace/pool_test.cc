// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "workspace/pool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>
#include <set>
#include <thread>

#include "workspace/launch.h"

namespace hostnpu::workspace {
namespace {

/// Memory from the heap that counts what is out, can be told to fail, and poisons what it takes
/// back.
class CountingSource final : public Source {
 public:
  ~CountingSource() override { EXPECT_EQ(live_bytes, 0) << "leaked arenas"; }

  base::Result<void*> Allocate(int64_t bytes, const std::string& label) override {
    ++calls;
    if (fail_at >= 0 && fail_at-- == 0) {
      return base::Error{base::Code::kOutOfMemory, "The source has no " + label + "."};
    }
    void* data = std::aligned_alloc(512, static_cast<size_t>((bytes + 511) / 512 * 512));
    std::memset(data, 0xdd, static_cast<size_t>(bytes));
    sizes_[data] = bytes;
    live_bytes += bytes;
    peak_bytes = std::max(peak_bytes, live_bytes);
    return data;
  }

  void Free(void* data) override {
    const auto found = sizes_.find(data);
    ASSERT_NE(found, sizes_.end());
    live_bytes -= found->second;
    sizes_.erase(found);
    std::free(data);
  }

  int64_t live_bytes = 0;
  int64_t peak_bytes = 0;
  int64_t calls = 0;
  int64_t fail_at = -1;

 private:
  std::map<void*, int64_t> sizes_;
};

Lease Must(base::Result<Lease> lease) {
  EXPECT_TRUE(lease.ok()) << lease.error().ToString();
  return lease.ok() ? std::move(*lease) : Lease();
}

TEST(PoolTest, ReusesTheArenaOfAStreamAndAsksTheSourceOnce) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* lane = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  std::byte* first = nullptr;
  for (int i = 0; i < 100; ++i) {
    const Lease lease = Must(lane->Acquire(4096 - i, 512, "k"));
    if (first == nullptr) first = lease.base();
    EXPECT_EQ(lease.base(), first);
  }
  EXPECT_EQ(source.calls, 1);
  EXPECT_EQ(pool.Statistics().leases, 100u);
  EXPECT_EQ(pool.Statistics().busy_bytes, 0);
}

TEST(PoolTest, LetsQueuedLaunchesOfOneStreamShareTheArena) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* lane = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  const Lease a = Must(lane->Acquire(4096, 512, "a"));
  const Lease b = Must(lane->Acquire(1024, 512, "b"));  // runs after a
  EXPECT_EQ(a.base(), b.base());
}

TEST(PoolTest, KeepsAnOutgrownArenaUntilItsLastLaunchHasFinished) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* lane = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  Lease small = Must(lane->Acquire(1024, 512, "small"));
  std::memset(small.base(), 0x11, 1024);
  Lease large = Must(lane->Acquire(8192, 512, "large"));
  EXPECT_NE(small.base(), large.base());
  EXPECT_EQ(source.live_bytes, 1024 + 8192);
  EXPECT_EQ(small.base()[1023], std::byte{0x11});
  small.End();
  EXPECT_EQ(source.live_bytes, 8192);
}

TEST(PoolTest, NeverSharesBetweenStreamsThatNothingOrders) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* a = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  Lane* b = pool.OpenLane(LaneKind::kStream, "[Stream 1]");
  {
    Must(a->Acquire(4096, 512, "k"));
  }
  const Lease lease_b = Must(b->Acquire(4096, 512, "k"));
  const Lease lease_a = Must(a->Acquire(4096, 512, "k"));
  EXPECT_NE(lease_a.base(), lease_b.base());
}

TEST(PoolTest, HandsAnArenaToAnotherStreamBehindAnEvent) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* a = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  Lane* b = pool.OpenLane(LaneKind::kStream, "[Stream 1]");
  Lane* c = pool.OpenLane(LaneKind::kStream, "[Stream 2]");
  EventMark mark;
  Lease lease_a = Must(a->Acquire(4096, 512, "k"));  // not finished
  a->Record(&mark);
  b->WaitFor(mark);
  Lease lease_b = Must(b->Acquire(4096, 512, "k"));
  EXPECT_EQ(lease_a.base(), lease_b.base());
  EXPECT_EQ(b->Statistics().takeovers, 1u);
  // a is not ordered behind b, so it gets another arena; c is ordered behind b.
  const Lease again = Must(a->Acquire(4096, 512, "k"));
  EXPECT_NE(again.base(), lease_b.base());
  b->Record(&mark);
  c->WaitFor(mark);
  // That b runs behind a is a wait of b, which an abort may cancel: c does not rely on it.
  EXPECT_NE(Must(c->Acquire(2048, 512, "k")).base(), lease_b.base());
  lease_a.End();
  lease_b.End();
  lease_b = Must(b->Acquire(4096, 512, "k"));
  b->Record(&mark);
  c->WaitFor(mark);
  const Lease lease_c = Must(c->Acquire(4096, 512, "k"));
  EXPECT_EQ(lease_c.base(), lease_b.base());
}

TEST(PoolTest, AnEventOfAnotherDeviceOrdersNothing) {
  CountingSource source;
  Pool first(&source, {"[Device 0]"});
  Pool second(&source, {"[Device 1]"});
  Lane* there = first.OpenLane(LaneKind::kStream, "[Stream 0]");
  Lane* a = second.OpenLane(LaneKind::kStream, "[Stream 1]");
  Lane* b = second.OpenLane(LaneKind::kStream, "[Stream 2]");
  const Lease lease_a = Must(a->Acquire(4096, 512, "k"));
  Must(there->Acquire(64, 512, "k"));
  EventMark mark;
  there->Record(&mark);
  b->WaitFor(mark);
  EXPECT_NE(Must(b->Acquire(4096, 512, "k")).base(), lease_a.base());
}

TEST(PoolTest, DoesNotHandOverAnArenaLeasedAgainAfterTheEvent) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* a = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  Lane* b = pool.OpenLane(LaneKind::kStream, "[Stream 1]");
  EventMark mark;
  {
    Must(a->Acquire(4096, 512, "k"));
  }
  a->Record(&mark);
  const Lease later = Must(a->Acquire(4096, 512, "k"));
  b->WaitFor(mark);
  const Lease lease_b = Must(b->Acquire(4096, 512, "k"));
  EXPECT_NE(later.base(), lease_b.base());
}

TEST(PoolTest, ForgetsTheMarksOfAClosedStream) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* a = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  Lane* b = pool.OpenLane(LaneKind::kStream, "[Stream 1]");
  EventMark mark;
  {
    Must(a->Acquire(64, 512, "k"));
  }
  a->Record(&mark);
  b->WaitFor(mark);
  pool.CloseLane(a);
  Lane* reborn = pool.OpenLane(LaneKind::kStream, "[Stream 2]");
  const Lease lease = Must(reborn->Acquire(4096, 512, "k"));
  const Lease other = Must(b->Acquire(4096, 512, "k"));
  EXPECT_NE(lease.base(), other.base());
}

TEST(PoolTest, KeepsEveryArenaOfAGraphUntilItIsClosed) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* graph = pool.OpenLane(LaneKind::kGraph, "[Graph 0]");
  Lane* stream = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  std::byte* recorded = nullptr;
  {
    const Lease small = Must(graph->Acquire(1024, 512, "first"));
    recorded = small.base();
  }
  {
    Must(graph->Acquire(8192, 512, "second"));
  }
  EventMark mark;
  graph->Record(&mark);
  stream->WaitFor(mark);
  const Lease lease = Must(stream->Acquire(512, 512, "k"));
  EXPECT_NE(lease.base(), recorded);  // nobody borrows from a graph
  EXPECT_EQ(pool.Trim(), 0);
  std::memset(recorded, 1, 1024);  // still there for a replay
  EXPECT_EQ(source.live_bytes, 1024 + 8192 + 512);
  pool.CloseLane(graph);
  EXPECT_EQ(source.live_bytes, 512);
}

TEST(PoolTest, TrimsWhatNoLaunchUses) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* a = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  Lane* b = pool.OpenLane(LaneKind::kStream, "[Stream 1]");
  {
    Must(a->Acquire(4096, 512, "k"));
  }
  Lease busy = Must(b->Acquire(2048, 512, "k"));
  EXPECT_EQ(pool.Trim(), 4096);
  EXPECT_EQ(source.live_bytes, 2048);
  busy.End();
  EXPECT_EQ(pool.Trim(), 2048);
  EXPECT_EQ(source.live_bytes, 0);
  Must(a->Acquire(64, 512, "k"));
}

// S28: after S was leased and given back, a request for the whole limit of 2 S must be granted.
TEST(PoolTest, GrantsARequestForExactlyItsLimit) {
  CountingSource source;
  Pool pool(&source, {"[Device 0]", 2 * 4096});
  Lane* a = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  Lane* b = pool.OpenLane(LaneKind::kStream, "[Stream 1]");
  {
    Must(a->Acquire(4096, 512, "k"));
  }
  {
    Must(b->Acquire(4096, 512, "k"));
  }
  Lease whole = Must(a->Acquire(2 * 4096, 512, "k"));  // takes the idle bytes of b as well
  auto refused = b->Acquire(1, 512, "reduce(n = 7)");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(
      refused.error().ToString(),
      "reduce(n = 7) needs 512 bytes of workspace, but the pool of [Device 0] has 8192 of "
      "its limit "
      "of 8192 bytes in use by launches that have not finished or by graphs. Synchronise with "
      "them first, or raise the limit (SetWorkspaceLimit).\n"
      " - While leasing workspace for reduce(n = 7) on [Stream 1]");
  whole.End();
  Must(b->Acquire(1, 512, "k"));
  EXPECT_EQ(pool.Statistics().failures, 1u);
}

// S28: beside a launch that runs, a request for exactly what its limit leaves must be granted, in
// front of it as well as behind it.
TEST(PoolTest, GrantsARequestForExactlyWhatIsLeft) {
  CountingSource source;
  Pool pool(&source, {"[Device 0]", 3 * 4096});
  Lane* a = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  Lane* b = pool.OpenLane(LaneKind::kStream, "[Stream 1]");
  Lane* c = pool.OpenLane(LaneKind::kStream, "[Stream 2]");
  Lease head = Must(a->Acquire(4096, 512, "k"));
  const Lease middle = Must(b->Acquire(4096, 512, "k"));
  EXPECT_FALSE(c->Acquire(4097, 512, "k").ok());
  const Lease tail = Must(c->Acquire(4096, 512, "k"));  // the gap behind
  head.End();
  const Lease again = Must(a->Acquire(4096, 512, "k"));  // the gap in front
  EXPECT_EQ(pool.Statistics().reserved_bytes, 3 * 4096);
  EXPECT_EQ(pool.Statistics().busy_bytes, 3 * 4096);
  EXPECT_NE(again.base(), middle.base());
  EXPECT_NE(again.base(), tail.base());
}

// S16: locked after a warm-up with n = 16.
TEST(PoolTest, NamesTheMeasuredLaunchWhenItIsLocked) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* lane = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  {
    Must(lane->Acquire(16 * 512, 512, "scan(n = 16)"));
  }
  pool.Lock();
  {
    Must(lane->Acquire(16 * 512, 512, "scan(n = 15)"));
  }
  auto refused = lane->Acquire(4096 * 512, 512, "scan(n = 4096)");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(
      refused.error().message,
      "scan(n = 4096) needs 2097152 bytes of workspace, but the pool of [Device 0] is locked since "
      "its warm-up, whose largest launch on [Stream 0] was scan(n = 16) with 8192 bytes. Run the "
      "largest shapes before LockWorkspaces(true), or unlock it with LockWorkspaces(false).");
  {
    Must(lane->Acquire(16 * 512, 512, "scan(n = 16)"));
  }
  pool.Unlock();
  Must(lane->Acquire(4096 * 512, 512, "scan(n = 4096)"));
}

TEST(PoolTest, AlignsBeyondWhatTheSourcePromises) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* lane = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  const Lease lease = Must(lane->Acquire(100, 1 << 16, "k"));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(lease.base()) % (1 << 16), 0u);
  EXPECT_FALSE(lane->Acquire(100, 48, "k").ok());
  EXPECT_FALSE(lane->Acquire(-1, 512, "k").ok());
  EXPECT_EQ(Must(lane->Acquire(0, 512, "k")).base(), nullptr);
}

TEST(PoolTest, PeaksAtTheLargestOfAChainNotAtTheSum) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* lane = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  std::mt19937 random(4);
  int64_t largest = 0;
  for (int i = 0; i < 100; ++i) {
    const int64_t bytes = 512 * (1 + static_cast<int64_t>(random() % 5000));
    largest = std::max(largest, bytes);
    Must(lane->Acquire(bytes, 512, "op"));
  }
  EXPECT_EQ(source.peak_bytes, largest);
}

/// A chain of operators of several launches with a persistent block: everything that allocates.
base::Result<void> RunOperators(Pool* pool, Lane* lane) {
  Request request{"op", 4096, {{"a", 3000}, {"b", 9000}, {"count", 64}}, {}};
  request.regions[0].live = {{0, 1}};
  request.regions[1].live = {{1, 2}};
  request.regions[2].contents = Contents::PersistentZero();
  request.one_launch = false;
  HOSTNPU_ASSIGN_OR_RETURN(const ArenaPlan plan, PlanArena(request));
  for (int call = 0; call < 3; ++call) {
    HOSTNPU_ASSIGN_OR_RETURN(LaunchWorkspace launch, LaunchWorkspace::Prepare(lane, plan, "op"));
    HOSTNPU_ASSIGN_OR_RETURN(Lease nested, lane->Acquire(20000 + 1000 * call, 512, "inner"));
    launch.Fill(0, FillPolicy::kPoison);
    launch.Fill(1, FillPolicy::kPoison);
    HOSTNPU_TRY(launch.Finish(), "finishing");
    nested.End();
    pool->Trim();
  }
  return {};
}

TEST(PoolTest, SurvivesTheFailureOfEveryAllocation) {
  int64_t total = 0;
  {
    CountingSource source;
    Pool pool(&source, {});
    ASSERT_TRUE(RunOperators(&pool, pool.OpenLane(LaneKind::kStream, "[Stream 0]")).ok());
    total = source.calls;
  }
  EXPECT_GE(total, 4);
  for (int64_t fail = 0; fail < total; ++fail) {
    CountingSource source;
    Pool pool(&source, {});
    Lane* lane = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
    source.fail_at = fail;
    const auto failed = RunOperators(&pool, lane);
    // With idle arenas to trim a second attempt may succeed; without, the error comes back whole.
    if (!failed.ok()) EXPECT_EQ(failed.error().code, base::Code::kOutOfMemory);
    EXPECT_EQ(source.fail_at, -1);
    EXPECT_EQ(pool.Statistics().busy_bytes, 0) << "a lease leaked";
    EXPECT_TRUE(RunOperators(&pool, lane).ok()) << "the next call must work";
    pool.CloseLane(lane);
    EXPECT_EQ(source.live_bytes, 0);
  }
}

// S04: a counter that must be zero once and come back to zero.
TEST(LaunchWorkspaceTest, ReportsAPersistentZeroRegionThatIsLeftDirtyAfterThatLaunch) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* lane = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  Request request{"last_arriver", 0, {{"counter", 256}, {"partial", 64}}, {}};
  request.regions[0].contents = Contents::PersistentZero();
  auto plan = PlanArena(request);
  ASSERT_TRUE(plan.ok());
  for (int run = 0; run < 6; ++run) {
    const bool guilty = run == 3;
    auto launch = LaunchWorkspace::Prepare(lane, *plan, "last_arriver");
    ASSERT_TRUE(launch.ok());
    launch->Fill(plan->first_step, FillPolicy::kPoison);
    std::byte* counter = launch->Address(0);
    EXPECT_EQ(FindNonZero(counter, 256), std::nullopt) << "run " << run;
    counter[128] = std::byte{4};  // four cores have arrived
    counter[132] = std::byte{1};
    if (!guilty) counter[128] = counter[132] = std::byte{0};
    const auto finished = launch->Finish();
    EXPECT_EQ(finished.ok(), !guilty);
    if (finished.ok()) continue;
    EXPECT_EQ(
        finished.error().message,
        "[Workspace 0 \"counter\"] is persistent-zero, but kernel \"last_arriver\" leaves byte 128 "
        "as 0x04; 2 of 256 bytes are not zero.");
  }
}

TEST(LaunchWorkspaceTest, KeepsPersistentRegionsOfTwoKernelsAndTwoStreamsApart) {
  CountingSource source;
  Pool pool(&source, {});
  std::set<std::byte*> blocks;
  for (const char* stream : {"[Stream 0]", "[Stream 1]"}) {
    Lane* lane = pool.OpenLane(LaneKind::kStream, stream);
    for (const char* kernel : {"a", "b"}) {
      Request request{kernel, 0, {{"counter", 64, 512, Contents::PersistentZero(), {}}}, {}};
      auto plan = PlanArena(request);
      ASSERT_TRUE(plan.ok());
      auto launch = LaunchWorkspace::Prepare(lane, *plan, kernel);
      ASSERT_TRUE(launch.ok());
      blocks.insert(launch->Address(0));
    }
  }
  EXPECT_EQ(blocks.size(), 4u);
}

/// A stream as the runtime has it: a queue of launches and a thread that runs them in order.
class DeferredStream {
 public:
  explicit DeferredStream(size_t capacity = 1000)
      : capacity_(capacity), thread_([this] { Run(); }) {}
  ~DeferredStream() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  void Push(std::function<void()> launch) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return queue_.size() < capacity_; });
    queue_.push_back(std::move(launch));
    changed_.notify_all();
  }

 private:
  void Run() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return closed_ || !queue_.empty(); });
      if (queue_.empty()) return;
      auto launch = std::move(queue_.front());
      queue_.pop_front();
      changed_.notify_all();
      lock.unlock();
      launch();
      launch = nullptr;
      lock.lock();
    }
  }

  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  bool closed_ = false;
  std::thread thread_;
};

/// Who executes where, kept apart from the pool: an execution claims its bytes and gives them back.
class Recorder {
 public:
  void Begin(const std::byte* base, int64_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto above = running_.lower_bound(base);
    if (above != running_.end() && above->first < base + bytes) ++overlaps;
    if (above != running_.begin()) {
      const auto below = std::prev(above);
      if (below->first + below->second > base) ++overlaps;
    }
    running_[base] = bytes;
  }
  void Finish(const std::byte* base) {
    const std::lock_guard<std::mutex> lock(mutex_);
    running_.erase(base);
  }
  int64_t overlaps = 0;

 private:
  std::mutex mutex_;
  std::map<const std::byte*, int64_t> running_;
};

TEST(PoolStressTest, TenThousandLaunchesOnEightStreamsNeverOverlap) {
  constexpr int kThreads = 8;
  constexpr int kLaunches = 1250;  // each
  CountingSource source;
  Recorder recorder;
  std::atomic<int64_t> spoiled{0};
  {
    Pool pool(&source, {});
    std::vector<Lane*> lanes;
    std::vector<std::unique_ptr<DeferredStream>> streams;
    for (int i = 0; i < kThreads; ++i) {
      lanes.push_back(pool.OpenLane(LaneKind::kStream, "[Stream]"));
      streams.push_back(std::make_unique<DeferredStream>(16));
    }
    std::vector<std::thread> hosts;
    for (int t = 0; t < kThreads; ++t) {
      hosts.emplace_back([&, t] {
        std::mt19937 random(static_cast<uint32_t>(t));
        for (int i = 0; i < kLaunches; ++i) {
          const int64_t bytes = 1 + static_cast<int64_t>(random() % 30000);
          auto lease = lanes[static_cast<size_t>(t)]->Acquire(bytes, 512, "k");
          if (!lease.ok()) {
            ++spoiled;
            continue;
          }
          auto held = std::make_shared<Lease>(std::move(*lease));
          const auto mark = static_cast<std::byte>(t * 16 + i % 16);
          streams[static_cast<size_t>(t)]->Push([&recorder, &spoiled, held, mark] {
            recorder.Begin(held->base(), held->bytes());
            std::memset(held->base(), static_cast<int>(mark), static_cast<size_t>(held->bytes()));
            for (int64_t at = 0; at < held->bytes(); at += 997) spoiled += held->base()[at] != mark;
            recorder.Finish(held->base());
            held->End();
          });
          if (random() % 200 == 0) pool.Trim();
        }
      });
    }
    for (std::thread& host : hosts) host.join();
    streams.clear();
    EXPECT_EQ(pool.Statistics().busy_bytes, 0);
    EXPECT_EQ(pool.Statistics().leases, static_cast<uint64_t>(kThreads * kLaunches));
    for (Lane* lane : lanes) pool.CloseLane(lane);
    EXPECT_EQ(source.live_bytes, 0) << "memory returns to the base line";
  }
  EXPECT_EQ(recorder.overlaps, 0);
  EXPECT_EQ(spoiled.load(), 0);
}

TEST(PoolStressTest, TheRecorderSeesAnOverlap) {
  Recorder recorder;
  std::byte memory[64];
  recorder.Begin(memory, 32);
  recorder.Begin(memory + 16, 32);
  EXPECT_EQ(recorder.overlaps, 1);
}

TEST(PoolStressTest, EventsBetweenStreamsNeverLetLaunchesOverlap) {
  CountingSource source;
  Recorder recorder;
  {
    Pool pool(&source, {});
    Lane* lanes[2] = {pool.OpenLane(LaneKind::kStream, "[Stream 0]"),
                      pool.OpenLane(LaneKind::kStream, "[Stream 1]")};
    DeferredStream streams[2];
    std::mt19937 random(9);
    for (int i = 0; i < 2000; ++i) {
      const size_t from = random() % 2;
      auto held = std::make_shared<Lease>(
          Must(lanes[from]->Acquire(1 + static_cast<int64_t>(random() % 20000), 512, "k")));
      streams[from].Push([&recorder, held] {
        recorder.Begin(held->base(), held->bytes());
        std::this_thread::yield();
        recorder.Finish(held->base());
        held->End();
      });
      if (random() % 8 == 0) pool.Trim();  // so that lanes need arenas again
      if (random() % 3 != 0) continue;
      // An event on one stream, a wait on the other: in the pool and for real.
      EventMark mark;
      lanes[from]->Record(&mark);
      lanes[1 - from]->WaitFor(mark);
      auto reached = std::make_shared<std::atomic<bool>>(false);
      streams[from].Push([reached] { *reached = true; });
      streams[1 - from].Push([reached] {
        while (!*reached) std::this_thread::yield();
      });
    }
    EXPECT_GT(lanes[0]->Statistics().takeovers + lanes[1]->Statistics().takeovers, 0u);
  }
  EXPECT_EQ(recorder.overlaps, 0);
}

// S21: the host drops the owner before the queued launch has run.
TEST(PoolScenarioTest, HoldsAWorkspaceUntilTheQueuedLaunchHasRun) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* a = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  Lane* b = pool.OpenLane(LaneKind::kStream, "[Stream 1]");
  auto queued = std::make_shared<Lease>(Must(a->Acquire(4096, 512, "A")));
  pool.CloseLane(a);  // the owner goes, the launch has not run
  const Lease other = Must(b->Acquire(4096, 512, "B"));
  EXPECT_NE(queued->base(), other.base());
  std::memset(queued->base(), 1, 4096);
  queued->End();
  EXPECT_EQ(source.live_bytes, 4096);
}

// S25: workspaces are leased inside the consumer of a queue of length 1.
TEST(PoolScenarioTest, LeasesFromInsideTheConsumerOfABoundedQueue) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* lane = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  std::atomic<int> done{0};
  {
    DeferredStream stream(1);
    for (int i = 0; i < 3; ++i) {
      stream.Push([&, i] {
        const Lease lease = Must(lane->Acquire(4096 << i, 512, "k"));
        done += lease.base() != nullptr;
      });
    }
  }
  EXPECT_EQ(done, 3);
}

// S27: nobody set an allocator: device memory is the default, in a child process too.
TEST(PoolScenarioTest, HasABuiltInDefaultAlsoInAChildProcess) {
  auto launch = [] {
    DeviceSource source(0);
    Pool pool(&source, {});
    auto lease = pool.OpenLane(LaneKind::kStream, "[Stream 0]")->Acquire(1 << 20, 512, "k");
    if (!lease.ok()) return false;
    std::memset(lease->base(), 1, 1 << 20);
    return true;
  };
  EXPECT_TRUE(launch());
  const pid_t child = fork();
  if (child == 0) _exit(launch() ? 0 : 1);
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// S27: a user's hook wins, and what it gives is checked.
TEST(PoolScenarioTest, RefusesAHookThatGivesShortOrCrookedMemory) {
  alignas(512) static std::byte memory[8192];
  HookBlock answer;
  int freed = 0;
  int64_t asked_alignment = 0;
  HookSource source(
      [&](int64_t, int64_t alignment) {
        asked_alignment = alignment;
        return answer;
      },
      [&](HookBlock) { ++freed; });
  auto ask = [&](HookBlock block) {
    answer = block;
    Pool pool(&source, {});
    auto lease = pool.OpenLane(LaneKind::kStream, "[Stream 0]")->Acquire(4096, 512, "k");
    return lease.ok() ? "leased" : lease.error().message;
  };
  EXPECT_EQ(ask({memory, 8192}), "leased");
  EXPECT_EQ(asked_alignment, 512);
  EXPECT_EQ(ask({memory, 4095}),
            "The allocation hook gives 4095 bytes, but 4096 were asked for, for workspace of "
            "[Stream 0].");
  EXPECT_EQ(ask({memory + 64, 8000}),
            "The allocation hook gives a pointer 64 bytes past a multiple of 512, for workspace of "
            "[Stream 0].");
  EXPECT_EQ(ask({nullptr, 0}),
            "The allocation hook gives a null pointer for 4096 bytes of workspace of [Stream 0].");
  EXPECT_EQ(freed, 3);
}

// S24: the stream is chosen by the launch, not when the kernel was built.
TEST(PoolScenarioTest, TakesTheStreamOfTheLaunch) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* lanes[2] = {pool.OpenLane(LaneKind::kStream, "[Stream 0]"),
                    pool.OpenLane(LaneKind::kStream, "[Stream 1]")};
  auto plan = PlanArena({"k", 0, {{"a", 600}}, {}});  // made once, under no stream at all
  ASSERT_TRUE(plan.ok());
  auto launch = LaunchWorkspace::Prepare(lanes[1], *plan, "k");
  ASSERT_TRUE(launch.ok());
  EXPECT_EQ(lanes[0]->Statistics().leases, 0u);
  EXPECT_EQ(lanes[1]->Statistics().leases, 1u);
}

// S01: a running sum in a workspace nobody zeroed.
TEST(PoolScenarioTest, ShowsASumOverUndefinedContentsUnderPoison) {
  CountingSource source;
  Pool pool(&source, {});
  Lane* lane = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  auto run = [&](Contents contents, FillPolicy policy) {
    Request request{"sum", 0, {{"ws", 16, 512, contents, {}}}, {}};
    const ArenaPlan plan = std::move(PlanArena(request)).value();
    auto launch = LaunchWorkspace::Prepare(lane, plan, "sum");
    launch->Fill(plan.first_step, policy);
    auto* ws = reinterpret_cast<float*>(launch->Address(0));
    for (int block = 0; block < 4; ++block) *ws += 1.5f;
    return *ws;
  };
  EXPECT_NE(run({}, FillPolicy::kPoison), run({}, FillPolicy::kPoison));  // NaN
  EXPECT_EQ(run({}, FillPolicy::kZero), 6.0f);
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(run(Contents::Zero(), FillPolicy::kNone), 6.0f);
    EXPECT_EQ(run(Contents::Zero(), FillPolicy::kPoison), 6.0f);
  }
}

TEST(PoolTest, PrintsItsStatistics) {
  CountingSource source;
  Pool pool(&source, {"[Device 0]", 1 << 20});
  Lane* lane = pool.OpenLane(LaneKind::kStream, "[Stream 0]");
  const Lease lease = Must(lane->Acquire(4096, 512, "softmax(n = 7)"));
  EXPECT_EQ(
      pool.RenderStatistics(),
      "workspace pool of [Device 0]\n"
      "  reserved 4096 bytes in 1 arenas, 4096 in use, peak 4096, limit 1048576\n"
      "  1 leases, 1 allocations, 0 refused\n"
      "  [Stream 0]                 4096 bytes           1 leases     1 growths  largest 4096 "
      "(softmax(n = 7))\n");
}

}  // namespace
}  // namespace hostnpu::workspace

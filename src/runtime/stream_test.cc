// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "runtime/context.h"
#include "runtime/event.h"

namespace hostnpu::runtime {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class StreamTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&a_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&b_), ACL_SUCCESS);
    streams_ = Streams().All().size();
    events_ = Events().All().size();
  }
  void TearDown() override {
    EXPECT_EQ(Streams().All().size(), streams_) << "a test has leaked a stream";
    EXPECT_EQ(Events().All().size(), events_) << "a test has leaked an event";
    EXPECT_EQ(aclrtDestroyStream(a_), ACL_SUCCESS);
    EXPECT_EQ(aclrtDestroyStream(b_), ACL_SUCCESS);
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    aclGetRecentErrMsg();
  }
  static std::string Message() {
    const char* text = aclGetRecentErrMsg();
    return text == nullptr ? "" : text;
  }
  aclrtStream a_ = nullptr;
  aclrtStream b_ = nullptr;
  size_t streams_ = 0;
  size_t events_ = 0;
};

struct Step {
  std::vector<int>* order;
  int number;
};

void Append(void* pointer) {
  auto* step = static_cast<Step*>(pointer);
  step->order->push_back(step->number);
}

/// A task that holds its stream until it is opened.
struct Gate {
  std::atomic<bool> open{false};
  static void Wait(void* gate) {
    while (!static_cast<Gate*>(gate)->open.load()) std::this_thread::yield();
  }
};

TEST_F(StreamTest, DoesItsTasksInOrder) {
  std::vector<int> order;
  std::vector<Step> steps;
  for (int i = 0; i < 100; ++i) steps.push_back({&order, i});
  for (Step& step : steps) ASSERT_EQ(aclrtLaunchHostFunc(a_, Append, &step), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
}

TEST_F(StreamTest, ASynchroniseWithTimeOutSaysWhatIsRunning) {
  Gate gate;
  ASSERT_EQ(aclrtLaunchHostFunc(a_, Gate::Wait, &gate), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(a_, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_THAT(Message(), AllOf(HasSubstr("is not done after 20 ms"),
                               HasSubstr("running a function of the host")));
  gate.open = true;
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(a_, 60000), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(a_, -2), ACL_ERROR_INVALID_PARAM);
}

TEST_F(StreamTest, ATaskBehindAWaitForAnEventRunsAfterTheRecord) {
  Gate gate;
  std::vector<int> order;
  Step first{&order, 1};
  Step second{&order, 2};
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(a_, Gate::Wait, &gate), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(a_, Append, &first), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, a_), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(b_, event), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(b_, Append, &second), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(b_, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_THAT(Message(), HasSubstr("waiting for [Event "));
  gate.open = true;
  ASSERT_EQ(aclrtSynchronizeStream(b_), ACL_SUCCESS);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_F(StreamTest, SynchronisingAWaitingStreamRunsTheOneItWaitsFor) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  std::vector<int> order;
  Step steps[] = {{&order, 1}, {&order, 2}};
  for (int round = 0; round < 200; ++round) {
    order.clear();
    ASSERT_EQ(aclrtLaunchHostFunc(a_, Append, &steps[0]), ACL_SUCCESS);
    ASSERT_EQ(aclrtRecordEvent(event, a_), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(b_, event), ACL_SUCCESS);
    ASSERT_EQ(aclrtLaunchHostFunc(b_, Append, &steps[1]), ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(b_), ACL_SUCCESS);
    ASSERT_EQ(order, (std::vector<int>{1, 2}));
  }
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_F(StreamTest, AWaitForAnEventNobodyRecordsEndsWithAnError) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEventWithTimeout(a_, event, 20), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(a_), ACL_ERROR_RT_TASK_TIMEOUT);
  EXPECT_THAT(Message(), HasSubstr("which nobody has recorded"));
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  // The other manner counts as complete.
  ASSERT_EQ(aclrtCreateEventExWithFlag(&event, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(b_, event), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(b_), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_F(StreamTest, AnEventIsCompleteWhenItsStreamHasComeThere) {
  Gate gate;
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  ASSERT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtLaunchHostFunc(a_, Gate::Wait, &gate), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, a_), ACL_SUCCESS);
  ASSERT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 10), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  gate.open = true;
  ASSERT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  ASSERT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
  ASSERT_EQ(aclrtResetEvent(event, a_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  ASSERT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_F(StreamTest, TheTimeBetweenTwoEventsIsMeasured) {
  aclrtEvent start = nullptr;
  aclrtEvent end = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&start), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEvent(&end), ACL_SUCCESS);
  float ms = -1;
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_ERROR_RT_INTERNAL_ERROR);
  Gate gate;
  ASSERT_EQ(aclrtRecordEvent(start, a_), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(a_, Gate::Wait, &gate), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(end, a_), ACL_SUCCESS);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_ERROR_RT_EVENT_NOT_COMPLETE);
  gate.open = true;
  ASSERT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  ASSERT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_SUCCESS);
  EXPECT_GE(ms, 0.0f);
  ASSERT_EQ(aclrtRecordEvent(start, a_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL);
  EXPECT_EQ(aclrtDestroyEvent(start), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(end), ACL_SUCCESS);
  EXPECT_EQ(aclrtRecordEvent(end, a_), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_THAT(Message(), HasSubstr("which has been destroyed"));
  EXPECT_EQ(aclrtRecordEvent(a_, a_), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_THAT(Message(), AllOf(HasSubstr("[Stream "), HasSubstr("which is no event")));
}

TEST_F(StreamTest, ACallbackRunsOnTheThreadThatHasSubscribed) {
  std::atomic<bool> stop{false};
  std::atomic<int> runs{0};
  std::atomic<uint64_t> ran_on{0};
  struct Seen {
    std::atomic<int>* runs;
    std::atomic<uint64_t>* ran_on;
  } seen{&runs, &ran_on};
  std::thread reporter([&] {
    while (!stop) aclrtProcessReport(10);
  });
  const auto thread = static_cast<uint64_t>(reporter.native_handle());
  ASSERT_EQ(aclrtSubscribeReport(thread, a_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSubscribeReport(thread, a_), ACL_ERROR_REPEAT_SUBSCRIBE);
  const auto callback = [](void* pointer) {
    auto* s = static_cast<Seen*>(pointer);
    s->ran_on->store(static_cast<uint64_t>(pthread_self()));
    s->runs->fetch_add(1);
  };
  std::vector<int> order;
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(aclrtLaunchCallback(callback, &seen, ACL_CALLBACK_BLOCK, a_), ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
    EXPECT_EQ(runs.load(), i + 1) << "a blocking callback is over before the stream is";
  }
  EXPECT_EQ(ran_on.load(), thread);
  ASSERT_EQ(aclrtUnSubscribeReport(thread, a_), ACL_SUCCESS);
  EXPECT_EQ(aclrtLaunchCallback(callback, &seen, ACL_CALLBACK_BLOCK, a_),
            ACL_ERROR_STREAM_NOT_SUBSCRIBE);
  stop = true;
  reporter.join();
  EXPECT_EQ(aclrtProcessReport(10), ACL_ERROR_THREAD_NOT_SUBSCRIBE);
}

TEST_F(StreamTest, DestroyingAStreamByForceDropsWhatHasNotBegun) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&stream, 3, ACL_STREAM_FAST_LAUNCH), ACL_SUCCESS);
  uint32_t priority = 0;
  ASSERT_EQ(aclrtStreamGetPriority(stream, &priority), ACL_SUCCESS);
  EXPECT_EQ(priority, 3u);
  Gate gate;
  std::vector<int> order;
  Step step{&order, 1};
  ASSERT_EQ(aclrtLaunchHostFunc(stream, Gate::Wait, &gate), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(stream, Append, &step), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  ASSERT_EQ(aclrtStreamAbort(stream), ACL_SUCCESS);
  gate.open = true;
  EXPECT_EQ(aclrtDestroyStreamForce(stream), ACL_SUCCESS);
  EXPECT_TRUE(order.empty());
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtCreateStreamWithConfig(&stream, 8, 0), ACL_ERROR_INVALID_PARAM);
}

TEST_F(StreamTest, AWaitIsForTheRecordItFoundThoughAnotherStreamRecordsTheEventAgain) {
  Gate gate;
  std::vector<int> order;
  Step step{&order, 1};
  aclrtStream waiting = nullptr;
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateStream(&waiting), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(a_, Gate::Wait, &gate), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, a_), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(waiting, event), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(waiting, Append, &step), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, b_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(b_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS) << "the newest record is done";
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(waiting, 50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_TRUE(order.empty());
  gate.open = true;
  EXPECT_EQ(aclrtSynchronizeStream(waiting), ACL_SUCCESS);
  EXPECT_EQ(order, std::vector<int>{1});
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(waiting), ACL_SUCCESS);
}

TEST_F(StreamTest, AnAbortEndsNoSynchroniseBeforeWhatRunsIsDone) {
  Gate gate;
  std::vector<int> order;
  Step step{&order, 1};
  ASSERT_EQ(aclrtLaunchHostFunc(a_, Gate::Wait, &gate), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(a_, 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  std::atomic<bool> synchronised{false};
  std::thread waiting([&] {
    EXPECT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
    synchronised = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ASSERT_EQ(aclrtLaunchHostFunc(a_, Append, &step), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamAbort(a_), ACL_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(synchronised.load());
  gate.open = true;
  waiting.join();
  EXPECT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  EXPECT_TRUE(order.empty());
  ASSERT_EQ(aclrtLaunchHostFunc(a_, Append, &step), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  EXPECT_EQ(order, std::vector<int>{1}) << "what comes after the abort runs";
}

TEST_F(StreamTest, AnAbortedWaitNoLongerHoldsItsStream) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(a_, event), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(a_, 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  ASSERT_EQ(aclrtStreamAbort(a_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(a_, 10000), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_F(StreamTest, AFunctionThatSynchronisesItsOwnStreamGetsAnError) {
  struct Seen {
    aclrtStream stream;
    int own;
    int other;
    aclrtStream other_stream;
  } seen = {a_, 0, 0, b_};
  ASSERT_EQ(aclrtLaunchHostFunc(
                a_,
                [](void* pointer) {
                  auto* s = static_cast<Seen*>(pointer);
                  s->own = aclrtSynchronizeStream(s->stream);
                  s->other = aclrtSynchronizeStream(s->other_stream);
                },
                &seen),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  EXPECT_EQ(seen.own, ACL_ERROR_FAILURE);
  EXPECT_EQ(seen.other, ACL_SUCCESS);
}

TEST_F(StreamTest, AThousandTasksFromEightThreadsAreAllDone) {
  std::atomic<int> count{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
      for (int j = 0; j < 1000; ++j) {
        EXPECT_EQ(aclrtLaunchHostFunc(
                      a_, [](void* c) { static_cast<std::atomic<int>*>(c)->fetch_add(1); }, &count),
                  ACL_SUCCESS);
        if (j % 100 == 0) EXPECT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
      }
      EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(aclrtSynchronizeStream(a_), ACL_SUCCESS);
  EXPECT_EQ(count.load(), 8000);
}

}  // namespace
}  // namespace hostnpu::runtime

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A callback runs on a thread of the program: the stream puts it into that thread's mailbox, and
// the thread takes it out in aclrtProcessReport.
#include "runtime/host_callback.h"

#include <fmt/format.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "acl/acl_base.h"
#include "runtime/status.h"

namespace hostnpu::runtime {
namespace {

struct Letter {
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
  std::shared_ptr<std::atomic<bool>> done;
  std::shared_ptr<Stream> blocked;  // resumed when done
};

struct Mailbox {
  std::condition_variable arrived;
  std::deque<Letter> letters;
  std::set<uint64_t> streams;
};

/// Who has subscribed to what. Never destroyed.
struct Subscriptions {
  std::mutex mutex;
  std::map<uint64_t, std::shared_ptr<Mailbox>> by_thread;
  std::map<uint64_t, uint64_t> thread_of_stream;

  static Subscriptions& Get() {
    static Subscriptions& subscriptions = *new Subscriptions;
    return subscriptions;
  }
};

class HostFunctionTask : public Task {
 public:
  HostFunctionTask(void (*function)(void*), void* argument)
      : function_(function), argument_(argument) {}
  Progress Run(Stream&) override {
    function_(argument_);
    return Progress::kDone;
  }
  std::string Describe() const override { return "running a function of the host"; }

 private:
  void (*const function_)(void*);
  void* const argument_;
};

class CallbackTask : public Task {
 public:
  CallbackTask(std::shared_ptr<Mailbox> mailbox, Letter letter, bool blocks)
      : mailbox_(std::move(mailbox)), letter_(std::move(letter)), blocks_(blocks) {}

  Progress Run(Stream& stream) override {
    if (sent_) return letter_.done->load() ? Progress::kDone : Progress::kBlocked;
    sent_ = true;
    Letter letter = letter_;
    if (blocks_) letter.blocked = stream.shared_from_this();
    {
      std::lock_guard lock(Subscriptions::Get().mutex);
      mailbox_->letters.push_back(std::move(letter));
    }
    mailbox_->arrived.notify_one();
    return blocks_ ? Progress::kBlocked : Progress::kDone;
  }
  std::string Describe() const override {
    return "waiting for a callback that aclrtProcessReport has to run";
  }

 private:
  const std::shared_ptr<Mailbox> mailbox_;
  const Letter letter_;
  const bool blocks_;
  bool sent_ = false;
};

}  // namespace

void EnqueueHostFunction(Stream& stream, void (*function)(void*), void* argument) {
  stream.Enqueue(std::make_unique<HostFunctionTask>(function, argument));
}

base::Result<void> Subscribe(uint64_t thread, Stream& stream) {
  Subscriptions& all = Subscriptions::Get();
  std::lock_guard lock(all.mutex);
  if (all.thread_of_stream.count(stream.id()) != 0) {
    return ErrorWith(ACL_ERROR_REPEAT_SUBSCRIBE,
                     fmt::format("{} has been subscribed to already.", stream.Name()));
  }
  auto& mailbox = all.by_thread[thread];
  if (mailbox == nullptr) mailbox = std::make_shared<Mailbox>();
  mailbox->streams.insert(stream.id());
  all.thread_of_stream[stream.id()] = thread;
  return {};
}

base::Result<void> Unsubscribe(uint64_t thread, Stream& stream) {
  Subscriptions& all = Subscriptions::Get();
  std::lock_guard lock(all.mutex);
  auto found = all.thread_of_stream.find(stream.id());
  if (found == all.thread_of_stream.end() || found->second != thread) {
    return ErrorWith(ACL_ERROR_STREAM_NOT_SUBSCRIBE,
                     fmt::format("Thread {} has not subscribed to {}.", thread, stream.Name()));
  }
  all.thread_of_stream.erase(found);
  auto mailbox = all.by_thread[thread];
  mailbox->streams.erase(stream.id());
  if (mailbox->streams.empty()) all.by_thread.erase(thread);
  return {};
}

base::Result<void> EnqueueCallback(Stream& stream, void (*function)(void*), void* argument,
                                   bool blocks) {
  if (function == nullptr) {
    return base::Error{base::Code::kInvalidArgument, "Argument fn is null."};
  }
  std::shared_ptr<Mailbox> mailbox;
  {
    Subscriptions& all = Subscriptions::Get();
    std::lock_guard lock(all.mutex);
    auto found = all.thread_of_stream.find(stream.id());
    if (found == all.thread_of_stream.end()) {
      return ErrorWith(
          ACL_ERROR_STREAM_NOT_SUBSCRIBE,
          fmt::format("No thread has subscribed to {} (aclrtSubscribeReport), so nobody "
                      "would run the callback.",
                      stream.Name()));
    }
    mailbox = all.by_thread[found->second];
  }
  Letter letter{function, argument, std::make_shared<std::atomic<bool>>(false), nullptr};
  stream.Enqueue(std::make_unique<CallbackTask>(std::move(mailbox), std::move(letter), blocks));
  return {};
}

base::Result<void> ProcessReport(int64_t timeout_ms) {
  Subscriptions& all = Subscriptions::Get();
  Letter letter;
  {
    std::unique_lock lock(all.mutex);
    auto found = all.by_thread.find(static_cast<uint64_t>(pthread_self()));
    if (found == all.by_thread.end()) {
      return ErrorWith(ACL_ERROR_THREAD_NOT_SUBSCRIBE,
                       "This thread has not subscribed to any stream (aclrtSubscribeReport).");
    }
    std::shared_ptr<Mailbox> mailbox = found->second;
    const auto ready = [&] { return !mailbox->letters.empty(); };
    if (timeout_ms < 0) {
      mailbox->arrived.wait(lock, ready);
    } else if (!mailbox->arrived.wait_for(lock, std::chrono::milliseconds(timeout_ms), ready)) {
      return ErrorWith(ACL_ERROR_WAIT_CALLBACK_TIMEOUT,
                       fmt::format("No callback came within {} ms.", timeout_ms));
    }
    letter = std::move(mailbox->letters.front());
    mailbox->letters.pop_front();
  }
  letter.function(letter.argument);
  letter.done->store(true);
  if (letter.blocked != nullptr) letter.blocked->Resume();
  return {};
}

}  // namespace hostnpu::runtime

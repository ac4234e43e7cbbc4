// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A `<<<>>>` launch has no result to look at, and many programs do not look at the result of the
// synchronise either: they print their numbers and end. A failed launch must not pass so silently,
// hence the list of failures nobody has read, which is printed when the process exits. It is the
// one thing this library ever prints.
#include "runtime/last_error.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <vector>

#include "runtime/status.h"

namespace hostnpu::runtime {
namespace {

constexpr size_t kShownFailures = 8;
constexpr int kSpoiltExit = 1;

struct Newest {
  int number = 0;
  std::string message;  // empty: none, or read
  base::Error error;    // its own message is how a failure is known
  std::string handed_out;
};

Newest& NewestOfThisThread() {
  static thread_local Newest newest;
  return newest;
}

struct UnreadFailures {
  std::mutex mutex;
  std::vector<base::Error> errors;
  size_t dropped = 0;
  bool spoils_exit = false;
  bool hooked = false;
};

UnreadFailures& Unread() {
  static UnreadFailures& unread = *new UnreadFailures;
  return unread;
}

void PrintUnread(int status, void*) {
  UnreadFailures& unread = Unread();
  std::lock_guard lock(unread.mutex);
  if (!unread.errors.empty()) fflush(stdout);
  for (const base::Error& error : unread.errors) {
    fprintf(stderr, "hostnpu: %s\n", error.ToString().c_str());
  }
  if (unread.dropped != 0) {
    fprintf(stderr, "hostnpu: and %zu more failures of launches\n", unread.dropped);
  }
  unread.errors.clear();
  unread.dropped = 0;
  if (unread.spoils_exit && status == 0) {
    fflush(nullptr);
    _exit(kSpoiltExit);
  }
}

void Forget(const std::string& message) {
  UnreadFailures& unread = Unread();
  std::lock_guard lock(unread.mutex);
  std::erase_if(unread.errors, [&](const auto& error) { return error.message == message; });
}

}  // namespace

int KeepError(std::string_view function, const base::Error& error) {
  Newest& newest = NewestOfThisThread();
  newest.number = StatusNumber(error);
  newest.message = StatusText(function, error);
  newest.error = error;
  return newest.number;
}

base::Error NewestError() { return NewestOfThisThread().error; }

int LastErrorNumber(bool forget) {
  Newest& newest = NewestOfThisThread();
  const int number = newest.number;
  if (forget) newest.number = 0;
  return number;
}

const char* TakeLastMessage() {
  Newest& newest = NewestOfThisThread();
  if (newest.message.empty()) return nullptr;
  newest.handed_out = std::move(newest.message);
  newest.message.clear();
  Forget(newest.error.message);
  return newest.handed_out.c_str();
}

void NoteUnreadFailure(const base::Error& error, bool spoils_exit) {
  UnreadFailures& unread = Unread();
  std::lock_guard lock(unread.mutex);
  if (!unread.hooked) {
    unread.hooked = true;
    on_exit(PrintUnread, nullptr);
  }
  unread.spoils_exit = unread.spoils_exit || spoils_exit;
  const auto same = [&](const base::Error& other) { return other.message == error.message; };
  if (std::any_of(unread.errors.begin(), unread.errors.end(), same)) return;
  if (unread.errors.size() >= kShownFailures) {
    unread.dropped += 1;
    return;
  }
  unread.errors.push_back(error);
}

void MarkRead(const base::Error& error) { Forget(error.message); }

}  // namespace hostnpu::runtime

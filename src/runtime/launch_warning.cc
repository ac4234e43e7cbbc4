// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// What spoils nothing here, and on the device does so only by bad luck, is a warning and no failure
// of the launch: programs that run well there do it.
//
// A flag that is left set: every launch begins with clear flags here; on the device it lets a wait
// of the next kernel pass too early. A scalar that is read past the end of a buffer, from the bytes
// that aclrtMalloc adds: a kernel that looks one entry ahead in a table and never uses the last
// one. An integer divided by zero: the same kernel, for a next tile that does not exist.
#include "runtime/launch_warning.h"

#include <cstdio>
#include <mutex>
#include <set>
#include <tuple>

namespace hostnpu::runtime {
namespace {

void Print(const std::string& text) {
  const std::string line = "hostnpu: warning: " + text + "\n";
  fflush(stdout);
  fputs(line.c_str(), stderr);
}

}  // namespace

void Warn(const std::string& kernel, const engine::LaunchOutcome& outcome) {
  using Known = std::set<std::tuple<std::string, std::string, void*>>;
  static std::mutex& mutex = *new std::mutex;
  static Known& known = *new Known;
  const auto is_new = [&](const std::string& what, void* place) {
    std::lock_guard lock(mutex);
    return known.emplace(kernel, what, place).second;
  };
  for (const engine::FlagLeft& flag : outcome.flags_left) {
    if (is_new(flag.flag, flag.place)) Print(flag.ToString(kernel));
  }
  for (const engine::Oddity& oddity : outcome.oddities) {
    if (is_new(oddity.key, nullptr)) Print(oddity.ToString(kernel));
  }
}

}  // namespace hostnpu::runtime

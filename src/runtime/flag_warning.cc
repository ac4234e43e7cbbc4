// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A flag that is left set spoils nothing here, because every launch begins with clear flags; on the
// device it lets a wait of the next kernel pass too early. Programs that run well by luck leave
// some. So it is a warning, not a failure of the launch.
#include "runtime/flag_warning.h"

#include <cstdio>
#include <mutex>
#include <set>
#include <tuple>

namespace hostnpu::runtime {

void WarnOfFlagsLeft(const std::string& kernel, const std::vector<engine::FlagLeft>& flags) {
  using Known = std::set<std::tuple<std::string, std::string, void*>>;
  static std::mutex& mutex = *new std::mutex;
  static Known& known = *new Known;
  for (const engine::FlagLeft& flag : flags) {
    {
      std::lock_guard lock(mutex);
      if (!known.emplace(kernel, flag.flag, flag.place).second) continue;
    }
    const std::string text = "hostnpu: warning: " + flag.ToString(kernel) + "\n";
    fflush(stdout);
    fputs(text.c_str(), stderr);
  }
}

}  // namespace hostnpu::runtime

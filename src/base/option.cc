// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "base/option.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <vector>

namespace hostnpu::base {
namespace {

/// Once for each text: some variables are read at every launch.
void WarnOfText(const char* name, const char* text, const std::string& allowed,
                const std::string& used) {
  static std::mutex& mutex = *new std::mutex;
  static std::set<std::string>& told = *new std::set<std::string>;
  std::string warning =
      fmt::format("hostnpu: warning: {}={} is not {}; {} is used\n", name, text, allowed, used);
  std::lock_guard lock(mutex);
  if (told.insert(warning).second) std::fputs(warning.c_str(), stderr);
}

}  // namespace

std::string EnvText(const char* name, const std::string& fallback) {
  const char* text = std::getenv(name);
  return text != nullptr && *text != '\0' ? std::string(text) : fallback;
}

int64_t EnvNumber(const char* name, int64_t fallback, int64_t low, int64_t high) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return fallback;
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text, &end, 10);
  if (errno == 0 && *end == '\0' && value >= low && value <= high) return value;
  WarnOfText(name, text, fmt::format("a whole number from {} to {}", low, high),
             std::to_string(fallback));
  return fallback;
}

std::string EnvChoice(const char* name, const std::vector<std::string>& choices) {
  const std::string text = EnvText(name, choices.front());
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return text;
  WarnOfText(name, text.c_str(), fmt::format("one of {}", fmt::join(choices, ", ")),
             choices.front());
  return choices.front();
}

}  // namespace hostnpu::base

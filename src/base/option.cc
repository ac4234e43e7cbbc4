// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "base/option.h"

#include <cerrno>
#include <cstdlib>

namespace hostnpu::base {

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
  if (errno != 0 || *end != '\0' || value < low || value > high) return fallback;
  return value;
}

}  // namespace hostnpu::base

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_BASE_OPTION_H_
#define HOSTNPU_BASE_OPTION_H_

#include <cstdint>
#include <string>
#include <vector>

namespace hostnpu::base {

/// The environment variables hostnpu reads, in one place. Each is read when asked for, never
/// cached, so that a program may set it before the first call that needs it.

/// The text of an environment variable, or `fallback` when it is unset or empty.
std::string EnvText(const char* name, const std::string& fallback);

/// The whole number in an environment variable; `fallback` when it is unset or empty, and, with a
/// warning on standard error, when it is not a number or outside [low, high].
int64_t EnvNumber(const char* name, int64_t fallback, int64_t low, int64_t high);

/// The one of `choices` that an environment variable names; the first when it is unset or empty,
/// and, with a warning on standard error, when it names none of them.
std::string EnvChoice(const char* name, const std::vector<std::string>& choices);

}  // namespace hostnpu::base

#endif  // HOSTNPU_BASE_OPTION_H_

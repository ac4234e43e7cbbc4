// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_BASE_CHECK_H_
#define HOSTNPU_BASE_CHECK_H_

namespace hostnpu::base {

/// Prints `internal error: <condition> at <file>:<line>` and what to send us, then aborts.
[[noreturn]] void FailCheck(const char* condition, const char* file, int line);

}  // namespace hostnpu::base

/// Stays in release builds: an internal invariant that no input of a user can break.
#define HOSTNPU_CHECK(condition)                     \
  (__builtin_expect(static_cast<bool>(condition), 1) \
       ? static_cast<void>(0)                        \
       : ::hostnpu::base::FailCheck(#condition, __FILE__, __LINE__))

#endif  // HOSTNPU_BASE_CHECK_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_BASE_SUBPROCESS_H_
#define HOSTNPU_BASE_SUBPROCESS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace hostnpu::base {

/// How a program is started. Its standard input is empty.
struct SubprocessOptions {
  std::string working_directory{};                                 ///< empty: ours
  std::vector<std::pair<std::string, std::string>> environment{};  ///< set on top of ours
  int timeout_ms = 0;  ///< 0: none. When it runs out the program is killed, with its children.
};

/// How a program ended and what it printed.
struct SubprocessResult {
  int exit_code = 0;  ///< valid when signal is 0
  int signal = 0;     ///< the signal that ended it, or 0
  bool timed_out = false;
  std::string out{};
  std::string err{};

  bool ok() const { return exit_code == 0 && signal == 0; }
};

/// Runs a program to its end and collects what it prints on both outputs; blocks meanwhile.
/// `words[0]` is looked up in PATH when it has no slash. kNotFound when there is no such program.
/// Thread-safe.
Result<SubprocessResult> RunProgram(const std::vector<std::string>& words,
                                    const SubprocessOptions& options = {});

/// The full path of a program as the shell would find it; nothing when there is none.
std::optional<std::string> FindProgram(const std::string& name);

/// The absolute path of the file this function's code was loaded from (the program, or libhostnpu).
std::string PathOfThisBinary();

}  // namespace hostnpu::base

#endif  // HOSTNPU_BASE_SUBPROCESS_H_

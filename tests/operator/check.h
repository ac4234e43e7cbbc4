// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the programs of this folder check with: each prints one line a check that failed, and its
// exit code is how many.
#ifndef HOSTNPU_TESTS_OPERATOR_CHECK_H_
#define HOSTNPU_TESTS_OPERATOR_CHECK_H_

#include <cstdio>
#include <string>
#include <vector>

#include "acl/acl.h"

inline int failures = 0;

inline void Check(bool condition, const char* what) {
  if (condition) return;
  std::printf("failed: %s\n", what);
  ++failures;
}

/// Whether a message has this part; prints one that has not.
inline bool Says(const std::string& message, const char* part) {
  const bool found = message.find(part) != std::string::npos;
  if (!found) std::printf("message: %s\n", message.empty() ? "(none)" : message.c_str());
  return found;
}
/// The same for the newest message, which counts as read then.
inline bool Says(const char* part) {
  const char* message = aclGetRecentErrMsg();
  return Says(message == nullptr ? std::string() : message, part);
}

/// Keeps what a test makes until the program ends. A list owns its tensors, and a test may put one
/// into several lists: nothing is destroyed.
template <typename T>
T* Keep(T* made) {
  static auto* const kept = new std::vector<const void*>();
  kept->push_back(made);
  return made;
}

/// The end of main().
inline int Finish() {
  if (failures == 0) std::printf("every check passed\n");
  return failures;
}

#endif  // HOSTNPU_TESTS_OPERATOR_CHECK_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_BASE_SOURCE_H_
#define HOSTNPU_BASE_SOURCE_H_

#include <cstdint>
#include <string>

namespace hostnpu::base {

/// A place in a file of the user's. Lines and columns count from 1, columns in bytes; 0 means
/// unknown.
struct SourceLocation {
  std::string file{};
  uint32_t line = 0;
  uint32_t column = 0;

  bool known() const { return !file.empty(); }
  /// "file:line:column", without the parts that are unknown.
  std::string ToString() const;
  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

}  // namespace hostnpu::base

#endif  // HOSTNPU_BASE_SOURCE_H_

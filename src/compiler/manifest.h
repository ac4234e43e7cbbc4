// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_MANIFEST_H_
#define HOSTNPU_COMPILER_MANIFEST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hostnpu::compiler {

/// A file that a compilation read without our scan having seen it.
struct Dependency {
  std::string path;
  uint64_t size = 0;
  int64_t mtime_ns = 0;

  /// What the file is now; nothing when it is gone.
  static std::optional<Dependency> Of(const std::string& path);
  friend bool operator==(const Dependency&, const Dependency&) = default;
};

/// What stands in the file `manifest` of a cache entry. Its text is not for people: it is read
/// before each run of a program, and lists hundreds of files.
struct Manifest {
  std::string key;     ///< CacheKey::ToText(): an entry with another key is foreign
  std::string object;  ///< file name in the folder
  std::string object_hash;
  uint64_t object_bytes = 0;
  std::vector<Dependency> dependencies;
  std::string kernels;  ///< JSON text, the driver's

  std::string ToText() const;
  /// Nothing when the text is not, to its last byte, one that ToText gave.
  static std::optional<Manifest> FromText(std::string_view text);
};

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_MANIFEST_H_

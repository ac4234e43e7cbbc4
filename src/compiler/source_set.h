// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_SOURCE_SET_H_
#define HOSTNPU_COMPILER_SOURCE_SET_H_

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/result.h"

namespace hostnpu::compiler {

/// A file of the user's: a source given on the command line, or a header reached from one.
struct UserFile {
  std::string path;      ///< as the compiler will spell it
  std::string absolute;  ///< normalised; the key of the set
  std::string text;
  base::Hash128 hash;
};

/// One `#include` line.
struct IncludeLine {
  std::string name;
  bool quoted = false;
  uint32_t offset = 0;  ///< of the line in its file
};

/// The `#include` lines of a source, found line by line: one inside a comment or a raw string is
/// found too, which costs a file more in the set and nothing else. `#include MACRO` is not seen.
std::vector<IncludeLine> FindIncludes(std::string_view text);

/// The user's files of one compilation: sources and, through quoted includes and -I directories,
/// their headers. System headers and ours are not in it. Both branches of every condition are
/// followed.
struct SourceSet {
  std::map<std::string, UserFile> files;      ///< by absolute path
  std::vector<std::string> sources;           ///< absolute paths of the given sources, in order
  std::set<std::string> unresolved_includes;  ///< names that no user directory holds

  bool Includes(std::string_view name) const;
};

/// A source: its path, and its text where it is not on the disk.
struct SourceInput {
  std::string path;
  std::string text{};
  bool in_memory = false;
};

/// Reads the sources and the headers they reach. kNotFound names a source that does not exist.
base::Result<SourceSet> CollectSources(const std::vector<SourceInput>& sources,
                                       const std::vector<std::string>& include_dirs);

/// Whether a path belongs to the system rather than the user.
bool IsSystemPath(std::string_view path);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_SOURCE_SET_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_REQUEST_H_
#define HOSTNPU_COMPILER_REQUEST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/kernel_scanner.h"
#include "compiler/source_set.h"
#include "compiler/toolchain.h"

namespace hostnpu::compiler {

enum class OutputKind { kExecutable, kSharedObject, kObject };

/// What to compile and how. Plain data; everything that changes the result is in here or in the
/// environment variables that `CacheKey` lists.
struct CompileRequest {
  std::vector<SourceInput> sources;  ///< C++ of any extension; `.c` is compiled as C
  OutputKind output = OutputKind::kExecutable;
  std::vector<std::string> include_dirs;
  std::vector<std::string> defines;  ///< "NAME" or "NAME=text"
  std::vector<std::string> undefines;
  std::vector<std::string> link_inputs;     ///< objects, archives, "-lname", "-Ldir", in order
  std::vector<std::string> compiler_flags;  ///< given to clang behind ours, so that they win
  std::string standard = "c++17";
  std::string chip = "Ascend910B1";
  bool debug = false;  ///< -O0 -g instead of -O2 -gline-tables-only
  /// "address", "thread", "undefined", several with commas, or empty.
  std::string sanitize = SanitizersOfThisBuild();
};

/// What came out. Paths are absolute.
struct CompiledModule {
  std::string path;                  ///< the executable, shared object or object
  std::string folder;                ///< with the sources, the command and the log
  bool in_cache = true;              ///< false: `folder` is temporary and the caller's to remove
  bool was_cached = false;           ///< nothing had to be compiled
  uint64_t bytes = 0;                ///< of the file at `path`, of one in the cache
  std::string hash;                  ///< the same: base::HashFile as hexadecimal digits
  std::string diagnostics;           ///< warnings, rendered; errors come as the Error
  std::vector<std::string> notices;  ///< about the cache: "the cache folder ... is full"
  std::vector<KernelDeclaration> kernels;
  std::vector<std::string> files;  ///< every file of the user's that was read: sources and headers
};

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_REQUEST_H_

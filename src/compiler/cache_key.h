// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_CACHE_KEY_H_
#define HOSTNPU_COMPILER_CACHE_KEY_H_

#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "compiler/request.h"
#include "compiler/source_set.h"
#include "compiler/toolchain.h"

namespace hostnpu::compiler {

/// Everything that can change what a compilation gives. Plain data, so that the list can be read;
/// two compilations with equal keys give the same object. Files that no scan sees beforehand
/// (system headers, `#include MACRO`) are in the entry's manifest instead, and are looked at on
/// each load.
struct CacheKey {
  std::string format;  ///< of the entry itself; changes when we change its layout
  std::string hostnpu_version;
  std::string hostnpu_binary;  ///< identity of the program that rewrites and drives
  std::string headers_hash;    ///< contents of include/
  std::string compiler;        ///< identity: path, size, time of change
  std::string linker;
  std::string library;            ///< path of libhostnpu.so: it goes into the rpath
  std::string cpu;                ///< -march=native
  std::string working_directory;  ///< __FILE__ and debug information hold paths
  std::string output;             ///< executable, shared, object
  std::vector<std::pair<std::string, std::string>> files;  ///< path as spelt, hash of the bytes
  std::vector<std::string> sources;
  std::vector<std::string> include_dirs;
  std::vector<std::string> defines;
  std::vector<std::string> undefines;
  std::vector<std::string> link_inputs;     ///< with the identity of each file they name
  std::vector<std::string> compiler_flags;  ///< the same
  std::string standard;
  std::string chip;
  std::string mode;                      ///< debug, sanitizer
  std::vector<std::string> environment;  ///< "CPATH=..." and others that clang reads

  /// One field a line, for the manifest and for people who ask why an entry was not used.
  std::string ToText() const;
  base::Hash128 Hash() const;
};

/// The environment variables that change what clang or lld do.
std::vector<std::string> RelevantEnvironment();

CacheKey MakeCacheKey(const CompileRequest& request, const SourceSet& sources,
                      const Toolchain& toolchain, const std::string& headers_hash);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_CACHE_KEY_H_

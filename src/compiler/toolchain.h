// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_TOOLCHAIN_H_
#define HOSTNPU_COMPILER_TOOLCHAIN_H_

#include <string>
#include <vector>

#include "base/result.h"

namespace hostnpu::compiler {

/// Where the compiler and our own files are. Plain data.
struct Toolchain {
  std::string compiler;      ///< full path of clang++, version 19
  std::string linker;        ///< full path of ld.lld
  std::string include_root;  ///< holds acl/, ascendc/, hostnpu/
  std::string library;       ///< full path of libhostnpu.so
  std::string library_dir;
  std::string precompiled_dir;  ///< a Cache of headers that came with the build; may not be there

  /// The directories a kernel's includes are looked up in.
  std::vector<std::string> IncludeDirs() const {
    return {include_root + "/ascendc", include_root + "/ascendc/vendor", include_root};
  }
};

/// One thing that a toolchain needs and that is not there, with the way out.
struct MissingPart {
  std::string part;
  std::string message;
};

/// Finds the compiler (HOSTNPU_CXX, else clang++-19 in PATH or in LLVM 19's own folder) and our own
/// files relative to the program or library this code runs in: `<prefix>/bin` with
/// `<prefix>/include`, or a build tree whose CMakeCache.txt names the source tree. What is not
/// found is left empty and added to `missing`.
Toolchain LocateToolchain(std::vector<MissingPart>* missing);

/// The same, as an error that names the first missing part.
base::Result<Toolchain> RequireToolchain();

/// "19.1.7", as the compiler says it; empty when it cannot be asked. Starts the compiler.
std::string CompilerVersion(const Toolchain& toolchain);

/// A text that changes when the file is replaced: path, size and time of its last change.
std::string FileIdentity(const std::string& path);

/// A text that changes with the instructions this CPU has, because -march=native follows them.
std::string CpuIdentity();

/// What hostnpu itself was built with, "address,undefined", or empty. Programs are compiled with
/// the same unless asked otherwise: code that is not instrumented hides the reports of code that
/// is.
const char* SanitizersOfThisBuild();

/// The version of hostnpu.
const char* HostnpuVersion();

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_TOOLCHAIN_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_PRECOMPILED_H_
#define HOSTNPU_COMPILER_PRECOMPILED_H_

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "compiler/cache.h"
#include "compiler/headers.h"
#include "compiler/request.h"
#include "compiler/source_set.h"
#include "compiler/toolchain.h"

namespace hostnpu::compiler {

/// Which headers a source is given compiled ahead. Names as for `#include`; empty: none.
struct PrecompiledChoice {
  std::string kernel_header;            ///< detail/kernel_common.h or tilelang/tile_common.h
  std::string host_header;              ///< the C++ library and ACL, as host programs include them
  std::set<std::string> tested_macros;  ///< that our headers ask for

  bool none() const { return kernel_header.empty(); }
};

/// The precompiled headers that give these sources what the headers themselves would: the kernel's
/// header is included, and nothing defined before it (in a source, a header, by -include) changes
/// what it says.
PrecompiledChoice ChoosePrecompiled(const CompileRequest& request, const SourceSet& sources,
                                    const Headers& headers);

/// Headers compiled ahead. The functions that are no templates are in no object that uses them, so
/// that each is compiled once and not once a program: `object` goes to the linker too.
struct PrecompiledHeader {
  std::vector<std::string> files;           ///< of the cache, that clang reads for it: path() too
  std::vector<std::string> object_command;  ///< makes the object; all words but the output
  CacheEntry entry{};                       ///< of the header; without a path: there is none

  /// For -include-pch.
  const std::string& path() const { return entry.object_path; }
};

/// The headers of `choice` with the flags of this request: those that came with the build, else the
/// cache's, else built into the cache (three to five seconds), one process at a time.
/// `host_request` has what concerns the host's headers: all variants of a program share these. For
/// an object file that the user links himself the functions stay in it, and `object_command` is
/// empty.
base::Result<PrecompiledHeader> Precompile(const PrecompiledChoice& choice,
                                           const CompileRequest& request,
                                           const CompileRequest& host_request,
                                           const Toolchain& toolchain, const Cache& cache,
                                           bool uses_cpu_twin);

/// The path of the header's object; builds it where there is none (five seconds).
base::Result<std::string> PrecompiledObject(const PrecompiledHeader& header,
                                            const Toolchain& toolchain, const Cache& cache);

/// Compiles ahead, into `cache`, what almost every program asks for: Ascend C with and without
/// <cmath> on the host's side, and TileLang, in each variant. What is there already costs nothing,
/// the rest about ten seconds of CPU each; as many at a time as there are cores.
base::Result<void> PrecompileUsual(const Toolchain& toolchain, const Cache& cache);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_PRECOMPILED_H_

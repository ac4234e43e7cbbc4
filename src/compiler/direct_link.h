// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_DIRECT_LINK_H_
#define HOSTNPU_COMPILER_DIRECT_LINK_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/cache.h"
#include "compiler/toolchain.h"

namespace hostnpu::compiler {

/// The words of the linker that clang would start for `command`, which links `objects` (next to one
/// another in it) into `output`. What clang answered is remembered in the cache's folder: the next
/// program with the same flags does without clang's start. Nothing where clang would start more
/// than the linker, or gives it what depends on this one program: then clang has to do it.
std::optional<std::vector<std::string>> DirectLinkCommand(const std::vector<std::string>& command,
                                                          const std::vector<std::string>& objects,
                                                          const std::string& output,
                                                          const Toolchain& toolchain,
                                                          const Cache& cache);

/// The commands that `clang -###` prints, taken apart into words.
std::vector<std::vector<std::string>> ParsePlannedCommands(std::string_view text);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_DIRECT_LINK_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_VARIANT_H_
#define HOSTNPU_COMPILER_VARIANT_H_

#include <string>
#include <vector>

#include "compiler/source_set.h"

namespace hostnpu::compiler {

/// For which kind of core a translation unit is compiled. On the device a mixed kernel is compiled
/// twice, and some sources depend on it at compile time; all others are compiled once, for both.
enum class Variant { kBoth, kVector, kCube };

/// Whether a source of the user's asks at compile time for which kind of core it is compiled: by
/// the macros `__DAV_C220_CUBE__` and its like, or by `if constexpr` on the core type.
bool NeedsTwoVariants(const SourceSet& sources);

/// The macros that say so to the source and to our headers.
std::vector<std::string> DefinesOf(Variant variant);

/// What a kernel without any declaration runs on, as KERNEL_TASK_TYPE_DEFAULT would say it: cube
/// cores where the sources use cube instructions, both kinds where they use vector ones too. Empty
/// for vector code, which needs no word.
std::string InferTaskType(const SourceSet& sources);

/// The text of a C file that carries the shared object at `path` inside the program and loads it,
/// at the program's start, from memory.
std::string EmbeddedLoaderText(const std::string& path);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_VARIANT_H_

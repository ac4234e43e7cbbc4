// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_COMMAND_H_
#define HOSTNPU_COMPILER_COMMAND_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compiler/request.h"
#include "compiler/toolchain.h"

namespace hostnpu::compiler {

/// The files of one translation unit's compile step.
struct UnitPaths {
  std::string source;  ///< as the user spells it
  std::string object;
  std::string dependencies;   ///< where clang lists the files it read
  std::string overlay;        ///< empty: no file is rewritten
  std::string generated_dir;  ///< empty: no header is generated
  std::string precompiled;    ///< empty: no precompiled header
};

/// The flags that every unit of a request has, up to the user's own: language, optimisation,
/// macros, include directories. `uses_cpu_twin`: the sources use ICPU_RUN_KF, so `__CCE_KT_TEST__`
/// is set.
base::Result<std::vector<std::string>> CommonFlags(const CompileRequest& request,
                                                   const Toolchain& toolchain, bool uses_cpu_twin);

/// The words that compile one unit to an object. `common` is from CommonFlags.
std::vector<std::string> CompileCommand(const CompileRequest& request, const Toolchain& toolchain,
                                        const std::vector<std::string>& common,
                                        const UnitPaths& paths);

/// The words that link objects into the request's executable or shared object.
std::vector<std::string> LinkCommand(const CompileRequest& request, const Toolchain& toolchain,
                                     const std::vector<std::string>& objects,
                                     const std::string& output);

/// Whether a word that the user gives clang is for its linking only: `-lm`, `-L.`, `-Wl,...`.
bool IsLinkerWord(std::string_view word);

/// Flags that make clang's messages easy to read for a program.
std::vector<std::string> MessageFlags();

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_COMMAND_H_

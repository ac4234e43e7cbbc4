// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_DIAGNOSTICS_H_
#define HOSTNPU_COMPILER_DIAGNOSTICS_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "compiler/clang_output.h"
#include "compiler/prepare.h"
#include "compiler/source_set.h"

namespace hostnpu::compiler {

/// Turns clang's messages into the user's: places in rewritten files go back to the user's own
/// columns; a message inside our headers moves to the user's line that led there; names of the
/// vendor's interface that we lack are called by name; notes about our own code go.
/// `include_root` is where our headers are: a name that they declare is not called missing.
std::vector<base::Diagnostic> ToDiagnostics(const ClangOutput& output, const SourceSet& sources,
                                            const PreparedSources& prepared,
                                            const std::string& include_root);

/// Gives the linker's diagnostics the user's spelling of a path and the line it names. Where a main
/// function is missing, that is all that is said: `first_source` is then the file at fault.
std::vector<base::Diagnostic> ToLinkDiagnostics(std::vector<base::Diagnostic> diagnostics,
                                                const SourceSet& sources,
                                                const std::string& first_source);

/// What `api_names.def` knows of a name.
enum class ApiName { kKnown, kUnknown };
ApiName LookUpApiName(std::string_view name);

/// A path for people: the home directory becomes `~`.
std::string AbbreviateHome(const std::string& path);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_DIAGNOSTICS_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_CLANG_OUTPUT_H_
#define HOSTNPU_COMPILER_CLANG_OUTPUT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace hostnpu::compiler {

/// A message of clang as it stands in its output, before we make it the user's.
struct ClangMessage {
  base::Severity severity = base::Severity::kError;
  std::string file;  ///< empty for a message of the driver
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t range_end = 0;  ///< the column behind the source range that starts at `column`, or 0
  std::string text;
  std::vector<ClangMessage> notes;
};

struct ClangOutput {
  std::vector<ClangMessage> messages;
  std::vector<std::string> other_lines;  ///< what is not a message: linker text, a crash report
};

/// Reads what clang printed when run with `MessageFlags()`.
ClangOutput ParseClangOutput(std::string_view text);

/// Reads what ld.lld printed: undefined and duplicate symbols, with the place that needs them.
std::vector<base::Diagnostic> ParseLinkerOutput(std::string_view text);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_CLANG_OUTPUT_H_

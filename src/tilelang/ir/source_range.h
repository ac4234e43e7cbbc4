// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_IR_SOURCE_RANGE_H_
#define HOSTNPU_TILELANG_IR_SOURCE_RANGE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace hostnpu::tilelang::ir {

/// Where in the user's Python text a node comes from. Lines and columns count from 1; the end
/// column is one past the last character. line == 0: nowhere.
struct SourceRange {
  uint32_t file = 0;  ///< index into SourceMap::files
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t end_line = 0;
  uint32_t end_column = 0;

  bool known() const { return line != 0; }
};

/// The Python files a kernel was parsed from (more than one with imported macros).
struct SourceMap {
  struct File {
    std::string path;
    std::vector<std::string> lines;  ///< without line ends
  };
  std::vector<File> files;
};

/// A remark below an error: "'A_L1' is allocated here with shape (64, 64)".
struct Note {
  SourceRange range;
  std::string message;
};

/// Renders `path:line:col: error: message`, the line with a caret below it, then the notes the same
/// way, then `help: ...` when `help` is not empty.
std::string FormatDiagnostic(const SourceMap& sources, const SourceRange& range,
                             const std::string& message, const std::vector<Note>& notes = {},
                             const std::string& help = {});

/// "path:line" for comments in generated code; "" when nowhere.
std::string FormatLocation(const SourceMap& sources, const SourceRange& range);

}  // namespace hostnpu::tilelang::ir

#endif  // HOSTNPU_TILELANG_IR_SOURCE_RANGE_H_

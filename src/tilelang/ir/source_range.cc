// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// An error of the front end, of a pass or of the planner must look the same and point at the user's
// own line. The form is the one compilers use: path:line:col, the line, a caret below.
#include "tilelang/ir/source_range.h"

#include <algorithm>
#include <string_view>

#include "fmt/format.h"

namespace hostnpu::tilelang::ir {
namespace {

/// The line of the range and the carets below it; a range over several lines is marked to the end
/// of its first line.
std::string FormatExcerpt(const SourceMap& sources, const SourceRange& range) {
  if (!range.known() || range.file >= sources.files.size()) return "";
  const SourceMap::File& file = sources.files[range.file];
  if (range.line > file.lines.size()) return "";
  const std::string& text = file.lines[range.line - 1];
  const size_t begin = std::min<size_t>(range.column == 0 ? 0 : range.column - 1, text.size());
  size_t end = range.end_line == range.line ? range.end_column - 1 : text.size();
  end = std::clamp<size_t>(end, begin + 1, std::max(text.size(), begin + 1));
  const std::string number = std::to_string(range.line);
  return fmt::format("\n{} | {}\n{} | {}{}", number, text, std::string(number.size(), ' '),
                     std::string(begin, ' '), std::string(end - begin, '^'));
}

std::string FormatOne(const SourceMap& sources, const SourceRange& range, std::string_view severity,
                      const std::string& message) {
  if (!range.known() || range.file >= sources.files.size()) {
    return fmt::format("{}: {}", severity, message);
  }
  return fmt::format("{}:{}:{}: {}: {}{}", sources.files[range.file].path, range.line, range.column,
                     severity, message, FormatExcerpt(sources, range));
}

}  // namespace

std::string FormatDiagnostic(const SourceMap& sources, const SourceRange& range,
                             const std::string& message, const std::vector<Note>& notes,
                             const std::string& help) {
  std::string text = FormatOne(sources, range, "error", message);
  for (const Note& note : notes)
    text += "\n" + FormatOne(sources, note.range, "note", note.message);
  if (!help.empty()) text += "\nhelp: " + help;
  return text;
}

std::string FormatLocation(const SourceMap& sources, const SourceRange& range) {
  if (!range.known() || range.file >= sources.files.size()) return "";
  return fmt::format("{}:{}", sources.files[range.file].path, range.line);
}

}  // namespace hostnpu::tilelang::ir

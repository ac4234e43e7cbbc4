// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// One renderer for all messages to authors of programs, so that the C++ compiler, the TileLang
// front end and the planner look alike:
//
//   add_custom.asc:42:5: error: the message
//   42 |     TransDataTo5HD<int8_t>(dst, src, params);
//      |     ^~~~~~~~~~~~~~~~~~~~~~
//   note: what else is known
#include "base/diagnostic.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace hostnpu::base {
namespace {

const char* Name(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
    case Severity::kHelp:
      return "help";
  }
  return "error";
}

const char* Color(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "\033[1;31m";
    case Severity::kWarning:
      return "\033[1;35m";
    case Severity::kNote:
      return "\033[1;36m";
    case Severity::kHelp:
      return "\033[1;32m";
  }
  return "";
}

/// The code point at `at`, which moves behind it. A damaged byte counts as itself.
uint32_t NextCodePoint(std::string_view text, size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
  if (more == 0) return lead;
  uint32_t point = lead & (0x3fu >> more);
  for (int i = 0; i < more && at < text.size(); ++i) {
    const auto next = static_cast<unsigned char>(text[at]);
    if ((next & 0xc0) != 0x80) break;
    point = point << 6 | (next & 0x3f);
    ++at;
  }
  return point;
}

bool IsWide(uint32_t point) {
  return (point >= 0x1100 && point <= 0x115f) || (point >= 0x2e80 && point <= 0xa4cf) ||
         (point >= 0xac00 && point <= 0xd7a3) || (point >= 0xf900 && point <= 0xfaff) ||
         (point >= 0xfe30 && point <= 0xfe6f) || (point >= 0xff00 && point <= 0xff60) ||
         (point >= 0x1f300 && point <= 0x1faff) || (point >= 0x20000 && point <= 0x3fffd);
}

std::string Excerpt(const Diagnostic& diagnostic, bool color) {
  const std::string line = std::to_string(diagnostic.location.line);
  const std::string gutter(line.size(), ' ');
  std::string text = fmt::format("{} | {}\n", line, diagnostic.excerpt);
  const uint32_t column = diagnostic.location.column;
  if (column == 0) return text;
  const size_t before = std::min<size_t>(column - 1, diagnostic.excerpt.size());
  std::string padding;  // tabs stay tabs, so that the caret stands below its character
  for (size_t at = 0; at < before;) {
    const size_t begin = at;
    const uint32_t point = NextCodePoint(diagnostic.excerpt, at);
    padding += point == '\t'
                   ? "\t"
                   : std::string(DisplayWidth(diagnostic.excerpt.substr(begin, at - begin)), ' ');
  }
  const size_t marked =
      std::min<size_t>(diagnostic.caret_length, diagnostic.excerpt.size() - before);
  const size_t width = std::max<size_t>(1, DisplayWidth(diagnostic.excerpt.substr(before, marked)));
  const std::string caret = "^" + std::string(width - 1, '~');
  text += fmt::format("{} | {}{}{}{}\n", gutter, padding, color ? "\033[1;32m" : "", caret,
                      color ? "\033[0m" : "");
  return text;
}

}  // namespace

std::string SourceLocation::ToString() const {
  if (!known()) return {};
  if (line == 0) return file;
  return column == 0 ? fmt::format("{}:{}", file, line)
                     : fmt::format("{}:{}:{}", file, line, column);
}

Diagnostic& Diagnostic::AddNote(std::string text, SourceLocation where) {
  Diagnostic note;
  note.severity = Severity::kNote;
  note.location = std::move(where);
  note.message = std::move(text);
  notes.push_back(std::move(note));
  return *this;
}

Diagnostic& Diagnostic::AddHelp(std::string text) {
  AddNote(std::move(text));
  notes.back().severity = Severity::kHelp;
  return *this;
}

std::string Render(const Diagnostic& diagnostic, bool color) {
  std::string text;
  if (diagnostic.location.known()) text = diagnostic.location.ToString() + ": ";
  if (color && !text.empty()) text = "\033[1m" + text + "\033[0m";
  text += fmt::format("{}{}:{} {}\n", color ? Color(diagnostic.severity) : "",
                      Name(diagnostic.severity), color ? "\033[0m" : "", diagnostic.message);
  if (!diagnostic.excerpt.empty() && diagnostic.location.line != 0)
    text += Excerpt(diagnostic, color);
  for (const Diagnostic& note : diagnostic.notes) text += Render(note, color);
  return text;
}

std::string Render(const std::vector<Diagnostic>& diagnostics, bool color) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += Render(diagnostic, color);
  return text;
}

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) width += IsWide(NextCodePoint(text, at)) ? 2 : 1;
  return width;
}

bool WantsColor(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* term = std::getenv("TERM");
  return isatty(descriptor) != 0 && (term == nullptr || std::string_view(term) != "dumb");
}

}  // namespace hostnpu::base

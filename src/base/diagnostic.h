// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_BASE_DIAGNOSTIC_H_
#define HOSTNPU_BASE_DIAGNOSTIC_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace hostnpu::base {

enum class Severity { kError, kWarning, kNote, kHelp };

/// A message to the author of a program, with the place it is about.
struct Diagnostic {
  Severity severity = Severity::kError;
  SourceLocation location{};
  std::string message{};      ///< lower case, no full stop
  std::string excerpt{};      ///< the source line; empty: none is shown
  uint32_t caret_length = 1;  ///< bytes from the column on that are underlined
  std::vector<Diagnostic> notes{};

  /// A note or a help that stands below this diagnostic. Returns itself for chaining.
  Diagnostic& AddNote(std::string text, SourceLocation where = {});
  Diagnostic& AddHelp(std::string text);
};

/// `file:line:col: error: text`, the source line with a caret under it, then the notes. Ends in a
/// newline. `color` adds terminal colours.
std::string Render(const Diagnostic& diagnostic, bool color = false);

/// All of them, one after the other.
std::string Render(const std::vector<Diagnostic>& diagnostics, bool color = false);

/// The columns a terminal needs for a UTF-8 text; a tab counts as one.
size_t DisplayWidth(std::string_view text);

/// Whether colours are wanted on a file descriptor: a terminal, and NO_COLOR is unset or empty.
bool WantsColor(int descriptor);

}  // namespace hostnpu::base

#endif  // HOSTNPU_BASE_DIAGNOSTIC_H_

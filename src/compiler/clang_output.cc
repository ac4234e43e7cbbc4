// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/clang_output.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/strings.h"

namespace hostnpu::compiler {
namespace {

struct SeverityWord {
  std::string_view word;
  base::Severity severity;
};
constexpr std::array<SeverityWord, 5> kSeverities = {{{"fatal error: ", base::Severity::kError},
                                                      {"error: ", base::Severity::kError},
                                                      {"warning: ", base::Severity::kWarning},
                                                      {"note: ", base::Severity::kNote},
                                                      {"remark: ", base::Severity::kNote}}};

/// Reads ":<number>" and moves behind it.
bool TakeNumber(std::string_view& text, uint32_t* number) {
  if (!text.starts_with(':')) return false;
  size_t end = 1;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  const auto value = base::ParseNumber(text.substr(1, end - 1));
  if (!value || *value > UINT32_MAX) return false;
  *number = static_cast<uint32_t>(*value);
  text.remove_prefix(end);
  return true;
}

/// The end column of "{line:column-line:column}" when it starts at the message's own place.
void TakeRanges(std::string_view& text, ClangMessage& message) {
  if (text.starts_with(":{")) text.remove_prefix(1);
  while (text.starts_with('{')) {
    const size_t close = text.find('}');
    if (close == std::string_view::npos) return;
    std::string_view range = text.substr(1, close - 1);
    text.remove_prefix(close + 1);
    std::string with_colon = ":" + std::string(range);
    std::string_view rest = with_colon;
    uint32_t line = 0, column = 0, end_line = 0, end_column = 0;
    if (!TakeNumber(rest, &line) || !TakeNumber(rest, &column) || !rest.starts_with('-')) continue;
    const std::string tail = ":" + std::string(rest.substr(1));
    rest = tail;
    if (!TakeNumber(rest, &end_line) || !TakeNumber(rest, &end_column)) continue;
    if (line == message.line && end_line == line && column <= message.column) {
      message.range_end = std::max(message.range_end, end_column);
    }
  }
}

/// A message line; nothing when it is none. The path ends at the first ":<line>:<column>:".
std::optional<ClangMessage> ParseMessage(std::string_view line) {
  for (const SeverityWord& entry : kSeverities) {
    for (const std::string_view tool : {"", "clang++: ", "clang: ", "clang++-19: ", "clang-19: "}) {
      if (line.starts_with(std::string(tool) + std::string(entry.word))) {
        ClangMessage message;
        message.severity = entry.severity;
        message.text = std::string(line.substr(tool.size() + entry.word.size()));
        return message;
      }
    }
  }
  for (size_t at = line.find(':'); at != std::string_view::npos; at = line.find(':', at + 1)) {
    std::string_view rest = line.substr(at);
    ClangMessage message;
    message.file = std::string(line.substr(0, at));
    if (!TakeNumber(rest, &message.line)) continue;
    if (!TakeNumber(rest, &message.column)) continue;
    TakeRanges(rest, message);
    if (!rest.starts_with(": ")) continue;
    rest.remove_prefix(2);
    for (const SeverityWord& entry : kSeverities) {
      if (!rest.starts_with(entry.word)) continue;
      message.severity = entry.severity;
      message.text = std::string(rest.substr(entry.word.size()));
      return message;
    }
  }
  return std::nullopt;
}

bool IsCount(std::string_view line) {  // "2 errors generated."
  return line.ends_with(" generated.") && !line.empty() && line[0] >= '0' && line[0] <= '9';
}

/// "ops.cpp:12 (/src/ops.cpp:12)" or "ops.cpp:12" -> the place; else unknown.
base::SourceLocation PlaceOfReference(std::string_view text) {
  base::SourceLocation place;
  if (const size_t open = text.find(" ("); open != std::string_view::npos) {
    std::string_view full = text.substr(open + 2);
    if (full.ends_with(')')) full.remove_suffix(1);
    text = full;
  }
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return place;
  const auto line = base::ParseNumber(text.substr(colon + 1));
  if (!line) return place;
  place.file = std::string(text.substr(0, colon));
  place.line = static_cast<uint32_t>(*line);
  if (place.file.starts_with("./")) place.file.erase(0, 2);
  return place;
}

}  // namespace

ClangOutput ParseClangOutput(std::string_view text) {
  ClangOutput output;
  for (const std::string_view line : base::SplitLines(text)) {
    if (auto message = ParseMessage(line)) {
      if (message->severity == base::Severity::kNote && !output.messages.empty()) {
        output.messages.back().notes.push_back(std::move(*message));
      } else {
        output.messages.push_back(std::move(*message));
      }
    } else if (!line.starts_with("In file included from ") && !line.starts_with("In module ") &&
               !line.starts_with("                 from ") && !IsCount(line)) {
      output.other_lines.emplace_back(line);
    }
  }
  return output;
}

std::vector<base::Diagnostic> ParseLinkerOutput(std::string_view text) {
  std::vector<base::Diagnostic> diagnostics;
  constexpr std::string_view kReferenced = ">>> referenced by ";
  constexpr std::string_view kDefined = ">>> defined at ";
  for (const std::string_view line : base::SplitLines(text)) {
    const size_t error = line.find(": error: ");
    if (line.starts_with("ld.lld") && error != std::string_view::npos) {
      base::Diagnostic diagnostic;
      diagnostic.message = std::string(line.substr(error + 9));
      constexpr std::string_view kUndefined = "undefined symbol: ";
      constexpr std::string_view kDuplicate = "duplicate symbol: ";
      if (diagnostic.message.starts_with(kUndefined)) {
        diagnostic.message =
            "undefined symbol '" + diagnostic.message.substr(kUndefined.size()) + "'";
      } else if (diagnostic.message.starts_with(kDuplicate)) {
        diagnostic.message =
            "'" + diagnostic.message.substr(kDuplicate.size()) + "' is defined twice";
      }
      diagnostics.push_back(std::move(diagnostic));
    } else if (!diagnostics.empty() && line.starts_with(kReferenced)) {
      base::SourceLocation place = PlaceOfReference(line.substr(kReferenced.size()));
      if (!diagnostics.back().location.known()) {
        diagnostics.back().location = std::move(place);
      }
    } else if (!diagnostics.empty() && line.starts_with(kDefined)) {
      base::SourceLocation place = PlaceOfReference(line.substr(kDefined.size()));
      if (!diagnostics.back().location.known()) {
        diagnostics.back().location = std::move(place);
      } else if (place.known()) {
        diagnostics.back().AddNote("the other definition is here", std::move(place));
      }
    }
  }
  return diagnostics;
}

}  // namespace hostnpu::compiler

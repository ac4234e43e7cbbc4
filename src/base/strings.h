// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_BASE_STRINGS_H_
#define HOSTNPU_BASE_STRINGS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hostnpu::base {

/// The text without white space (space, tab, CR, LF, FF, VT) at either end. A view into `text`.
std::string_view Trim(std::string_view text);

/// The pieces between `separator`s, empty ones included; one empty piece for an empty text.
std::vector<std::string_view> Split(std::string_view text, char separator);

/// The lines of `text` without their line ends (LF or CRLF). A final newline starts no extra line.
std::vector<std::string_view> SplitLines(std::string_view text);

/// The parts with `separator` between them.
std::string Join(const std::vector<std::string>& parts, std::string_view separator);

/// `text` with every occurrence of `from` (not empty) replaced by `to`, left to right.
std::string ReplaceAll(std::string_view text, std::string_view from, std::string_view to);

/// ASCII lower case; other bytes unchanged.
std::string ToLower(std::string_view text);

/// The whole text as an unsigned decimal number; nothing for anything else, or out of range.
std::optional<uint64_t> ParseNumber(std::string_view text);

/// `text` quoted so that a POSIX shell reads it back as one word; unquoted where that is not
/// needed.
std::string ShellQuote(std::string_view text);

/// The words as one line that a POSIX shell reads back unchanged.
std::string ShellJoin(const std::vector<std::string>& words);

/// `text` as a C++ string literal with its quotes.
std::string CppQuote(std::string_view text);

/// A size for people: "0 bytes", "512 bytes", "1.5 KiB", "23 MiB".
std::string FormatBytes(uint64_t bytes);

/// The candidate nearest to `word` by edit distance, for "did you mean"; nothing when none is
/// within a third of the word's length.
std::optional<std::string_view> Nearest(std::string_view word,
                                        const std::vector<std::string_view>& candidates);

}  // namespace hostnpu::base

#endif  // HOSTNPU_BASE_STRINGS_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_LEXER_H_
#define HOSTNPU_COMPILER_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hostnpu::compiler {

enum class TokenKind : uint8_t {
  kIdentifier,  ///< names and keywords
  kNumber,      ///< a preprocessing number, digit separators included
  kString,      ///< a string literal with its prefix, raw strings included
  kCharacter,   ///< a character literal with its prefix
  kHeaderName,  ///< `<x.h>` or `"x.h"` behind #include
  kPunctuator,  ///< one character, except `::`, `->`, `<<`, `<=`, `>=`, `==`, `##`, `...`
  kLaunchOpen,  ///< `<<<`, exactly three
};

/// A piece of source text. `>>>` stays three tokens: only a parser can tell it from template
/// brackets.
struct Token {
  TokenKind kind;
  uint32_t begin;      ///< byte offset in the file
  uint32_t end;        ///< one past the last byte
  uint32_t directive;  ///< 0 outside; else the number of the preprocessor line it stands on, from 1
  std::string_view text;  ///< the raw bytes; may hold backslash-newlines
};

/// Splits C++ source into tokens the way the first three phases of translation do: comments and
/// backslash-newlines are white space, raw strings are not looked into, a preprocessor line ends at
/// its first newline that is neither continued nor inside a comment. Never fails: what no compiler
/// would accept (an unclosed quote) ends at the end of its line, and the compiler reports it later.
/// The tokens point into `source`, which must outlive them.
std::vector<Token> Lex(std::string_view source);

/// The token's text without backslash-newlines.
std::string CleanText(const Token& token);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_LEXER_H_

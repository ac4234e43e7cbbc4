// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// The launch syntax `k<<<...>>>(...)` is not C++, so clang never sees it: it is rewritten before.
// For that we need just enough of a lexer to never mistake a comment, a string or a raw string for
// code, and to know where each preprocessor line ends. Everything keeps its byte offset, because
// the rewriter edits the text in place and errors are mapped back by offset.
#include "compiler/lexer.h"

#include <algorithm>
#include <array>

namespace hostnpu::compiler {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsIdentifierStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool IsIdentifierPart(char c) { return IsIdentifierStart(c) || IsDigit(c); }
bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<Token> Run() {
    if (source_.starts_with("\xef\xbb\xbf")) at_ = 3;
    while (at_ < source_.size()) Step();
    return std::move(tokens_);
  }

 private:
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  /// The length of a backslash-newline at an offset (blanks may stand between), or 0.
  size_t SpliceAt(size_t offset) const {
    if (offset >= source_.size() || source_[offset] != '\\') return 0;
    size_t end = offset + 1;
    while (end < source_.size() && IsBlank(source_[end])) ++end;
    return end < source_.size() && source_[end] == '\n' ? end + 1 - offset : 0;
  }

  void Add(TokenKind kind, size_t begin) {
    tokens_.push_back({kind, static_cast<uint32_t>(begin), static_cast<uint32_t>(at_),
                       in_directive_ ? directive_ : 0, source_.substr(begin, at_ - begin)});
    line_start_ = false;
  }

  void Step() {
    const char c = Peek();
    if (const size_t splice = SpliceAt(at_); splice != 0) {
      at_ += splice;
    } else if (c == '\n') {
      ++at_;
      line_start_ = true;
      in_directive_ = false;
    } else if (IsBlank(c) || c == '\0') {
      ++at_;
    } else if (c == '/' && Peek(1) == '/') {
      SkipLineComment();
    } else if (c == '/' && Peek(1) == '*') {
      SkipBlockComment();
    } else if (c == '#' && line_start_ && !in_directive_) {
      StartDirective();
    } else if (expect_header_ && (c == '<' || c == '"')) {
      LexHeaderName(c == '<' ? '>' : '"');
    } else {
      expect_header_ = false;
      LexToken(c);
    }
  }

  void LexToken(char c) {
    if (IsIdentifierStart(c)) {
      LexIdentifier();
    } else if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) {
      LexNumber();
    } else if (c == '"') {
      LexQuoted('"', at_, TokenKind::kString);
    } else if (c == '\'') {
      LexQuoted('\'', at_, TokenKind::kCharacter);
    } else {
      LexPunctuator();
    }
  }

  void SkipLineComment() {
    while (at_ < source_.size() && source_[at_] != '\n') {
      const size_t splice = SpliceAt(at_);
      at_ += splice != 0 ? splice : 1;
    }
  }

  void SkipBlockComment() {
    const size_t end = source_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? source_.size() : end + 2;
  }

  void StartDirective() {
    in_directive_ = true;
    ++directive_;
    const size_t begin = at_++;
    Add(TokenKind::kPunctuator, begin);
    directive_name_next_ = true;
  }

  void LexIdentifier() {
    const size_t begin = at_;
    while (IsIdentifierPart(Peek()) || SpliceAt(at_) != 0) {
      const size_t splice = SpliceAt(at_);
      if (splice != 0 && !IdentifierGoesOnAfterSplices()) break;
      at_ += splice != 0 ? splice : 1;
    }
    const std::string_view text = source_.substr(begin, at_ - begin);
    if (Peek() == '"' &&
        (text == "R" || text == "LR" || text == "uR" || text == "UR" || text == "u8R")) {
      return LexRawString(begin);
    }
    if (Peek() == '"' && (text == "L" || text == "u" || text == "U" || text == "u8")) {
      return LexQuoted('"', begin, TokenKind::kString);
    }
    if (Peek() == '\'' && (text == "L" || text == "u" || text == "U" || text == "u8")) {
      return LexQuoted('\'', begin, TokenKind::kCharacter);
    }
    Add(TokenKind::kIdentifier, begin);
    if (directive_name_next_) {
      directive_name_next_ = false;
      expect_header_ = text == "include" || text == "include_next" || text == "import";
    }
  }

  bool IdentifierGoesOnAfterSplices() const {
    size_t offset = at_;
    for (size_t length; (length = SpliceAt(offset)) != 0;) offset += length;
    return offset < source_.size() && IsIdentifierPart(source_[offset]);
  }

  void LexNumber() {
    const size_t begin = at_++;
    while (at_ < source_.size()) {
      const char c = Peek();
      const char before = source_[at_ - 1];
      const bool sign = (c == '+' || c == '-') &&
                        (before == 'e' || before == 'E' || before == 'p' || before == 'P');
      const bool separator = c == '\'' && IsIdentifierPart(Peek(1));
      if (!IsIdentifierPart(c) && c != '.' && !sign && !separator) break;
      ++at_;
    }
    Add(TokenKind::kNumber, begin);
  }

  /// A quoted literal whose opening quote is at at_; `begin` is where its prefix starts.
  void LexQuoted(char quote, size_t begin, TokenKind kind) {
    ++at_;
    while (at_ < source_.size() && source_[at_] != '\n') {
      if (const size_t splice = SpliceAt(at_); splice != 0) {
        at_ += splice;
      } else if (source_[at_] == '\\') {
        at_ = std::min(at_ + 2, source_.size());
      } else if (source_[at_++] == quote) {
        break;
      }
    }
    Add(kind, begin);
  }

  void LexRawString(size_t begin) {
    const size_t open = source_.find('(', at_);
    if (open == std::string_view::npos ||
        open - at_ > 17) {  // at most 16 characters may stand before
      return LexQuoted('"', begin, TokenKind::kString);
    }
    const std::string close = ")" + std::string(source_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const size_t end = source_.find(close, open + 1);
    at_ = end == std::string_view::npos ? source_.size() : end + close.size();
    Add(TokenKind::kString, begin);
  }

  void LexHeaderName(char close) {
    expect_header_ = false;
    const size_t begin = at_++;
    while (at_ < source_.size() && source_[at_] != '\n' && source_[at_] != close) ++at_;
    if (at_ < source_.size() && source_[at_] == close) ++at_;
    Add(TokenKind::kHeaderName, begin);
  }

  void LexPunctuator() {
    directive_name_next_ = false;
    const size_t begin = at_;
    if (Peek() == '<') {
      size_t run = 1;
      while (Peek(run) == '<') ++run;
      if (run == 3) {
        at_ += 3;
        return Add(TokenKind::kLaunchOpen, begin);
      }
      if (run > 3) {  // a merge conflict marker, or nonsense: never a launch
        at_ += run;
        return Add(TokenKind::kPunctuator, begin);
      }
    }
    static constexpr std::array<std::string_view, 8> kLong = {"...", "::", "->", "<<",
                                                              "<=",  ">=", "==", "##"};
    for (const std::string_view text : kLong) {
      if (source_.substr(at_).starts_with(text)) {
        at_ += text.size();
        return Add(TokenKind::kPunctuator, begin);
      }
    }
    ++at_;
    Add(TokenKind::kPunctuator, begin);
  }

  std::string_view source_;
  size_t at_ = 0;
  bool line_start_ = true;
  bool in_directive_ = false;
  bool directive_name_next_ = false;
  bool expect_header_ = false;
  uint32_t directive_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> Lex(std::string_view source) { return Lexer(source).Run(); }

std::string CleanText(const Token& token) {
  std::string text;
  text.reserve(token.text.size());
  for (size_t i = 0; i < token.text.size();) {
    if (token.text[i] == '\\') {
      size_t end = i + 1;
      while (end < token.text.size() && IsBlank(token.text[end])) ++end;
      if (end < token.text.size() && token.text[end] == '\n') {
        i = end + 1;
        continue;
      }
    }
    text += token.text[i++];
  }
  return text;
}

}  // namespace hostnpu::compiler

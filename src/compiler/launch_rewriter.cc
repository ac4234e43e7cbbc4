// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// Finding the three parts of a launch without a C++ parser:
//
//   NAME       read backwards from `<<<`: `ns::k`, `k<T, (a > b)>`, `X::template k<T>`, `table[i]`,
//              `p->kernel`, `PICK(kernel)`. Template brackets are matched backwards.
//   CONFIG     read forwards to the `>>>` outside of all brackets. A run of `>` may close templates
//              inside the configuration too, so open template brackets are counted.
//   ARGUMENTS  the bracket behind `>>>`.
//
// Inside a macro definition all three must stand on that preprocessor line, and a macro parameter
// in NAME goes into the name text with `#`.
#include "compiler/launch_rewriter.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "base/strings.h"

namespace hostnpu::compiler {
namespace {

bool Is(const Token& token, std::string_view text) {
  return token.kind == TokenKind::kPunctuator && token.text == text;
}
bool IsWord(const Token& token) { return token.kind == TokenKind::kIdentifier; }

/// Words that end the part before a name: `return k<<<...>>>` launches k, not `return k`.
bool EndsName(std::string_view word) {
  static const std::set<std::string_view> kWords = {"return", "else",      "do",       "case",
                                                    "throw",  "co_return", "co_await", "co_yield"};
  return kWords.count(word) != 0;
}

class Finder {
 public:
  Finder(std::string_view source, const std::vector<Token>& tokens)
      : source_(source), tokens_(tokens) {}

  std::vector<Edit> Run() {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == TokenKind::kLaunchOpen) RewriteAt(i);
    }
    return std::move(edits_);
  }

 private:
  bool SameLine(size_t a, size_t b) const { return tokens_[a].directive == tokens_[b].directive; }

  /// The opening bracket that belongs to the closing one at `close`, on the same preprocessor line.
  std::optional<size_t> MatchBack(size_t close) const {
    int depth = 0;
    for (size_t i = close + 1; i-- > 0;) {
      if (!SameLine(i, close)) continue;
      const Token& token = tokens_[i];
      if (Is(token, ")") || Is(token, "]") || Is(token, "}")) ++depth;
      if ((Is(token, "(") || Is(token, "[") || Is(token, "{")) && --depth == 0) return i;
    }
    return std::nullopt;
  }

  /// The `<` that belongs to the template bracket at `close`.
  std::optional<size_t> MatchTemplateBack(size_t close) const {
    int depth = 0;
    for (size_t i = close + 1; i-- > 0;) {
      if (!SameLine(i, close)) continue;
      const Token& token = tokens_[i];
      if (Is(token, ">")) {
        ++depth;
      } else if (Is(token, "<")) {
        if (--depth == 0) return i;
      } else if (Is(token, ")") || Is(token, "]") || Is(token, "}")) {
        const auto open = MatchBack(i);
        if (!open) return std::nullopt;
        i = *open;
      } else if (Is(token, ";") || Is(token, "(") || Is(token, "{") || Is(token, "[")) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  /// The token before `i` on the same preprocessor line (code outside continues across them).
  std::optional<size_t> Before(size_t i) const {
    for (size_t j = i; j-- > 0;) {
      if (SameLine(j, i)) return j;
      if (tokens_[i].directive != 0) return std::nullopt;
    }
    return std::nullopt;
  }

  /// The first token of the one piece of a name that ends at `last`: an identifier with what
  /// follows it in brackets.
  std::optional<size_t> PieceStart(size_t last) const {
    size_t at = last;
    if (Is(tokens_[at], ">")) {
      const auto open = MatchTemplateBack(at);
      if (!open) return std::nullopt;
      const auto name = Before(*open);
      return name && IsWord(tokens_[*name]) ? name : std::nullopt;
    }
    while (Is(tokens_[at], ")") || Is(tokens_[at], "]")) {
      const auto open = MatchBack(at);
      if (!open) return std::nullopt;
      const auto before = Before(*open);
      if (before && Is(tokens_[*before], ">")) return PieceStart(*before);  // `pick<T>(kernel)<<<`
      const bool goes_on = before && (IsWord(tokens_[*before]) || Is(tokens_[*before], ")") ||
                                      Is(tokens_[*before], "]"));
      const bool closed = !goes_on || (IsWord(tokens_[*before]) && EndsName(tokens_[*before].text));
      if (closed) return Is(tokens_[*open], "(") ? open : std::nullopt;  // `(kernel)<<<`
      at = *before;
    }
    return IsWord(tokens_[at]) && !EndsName(tokens_[at].text) ? std::optional(at) : std::nullopt;
  }

  /// The first token of the name that ends before the `<<<` at `open`.
  std::optional<size_t> NameStart(size_t open) const {
    const auto last = Before(open);
    if (!last) return std::nullopt;
    auto start = PieceStart(*last);
    while (start) {
      auto before = Before(*start);
      if (before && IsWord(tokens_[*before]) && tokens_[*before].text == "template") {
        start = before;
        before = Before(*start);
      }
      if (!before) break;
      const Token& link = tokens_[*before];
      const bool joined = Is(link, "::") || Is(link, ".") || Is(link, "->");
      if (!joined) break;
      const auto piece_end = Before(*before);
      const bool has_piece =
          piece_end && (IsWord(tokens_[*piece_end]) || Is(tokens_[*piece_end], ">") ||
                        Is(tokens_[*piece_end], ")") || Is(tokens_[*piece_end], "]"));
      const auto earlier = has_piece ? PieceStart(*piece_end) : std::nullopt;
      if (!earlier) {
        if (Is(link, "::")) start = before;  // `::k`
        break;
      }
      start = earlier;
    }
    return start;
  }

  /// Whether other preprocessor lines stand between two tokens.
  bool IsSplit(size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i) {
      if (!SameLine(i, begin)) return true;
    }
    return false;
  }

  /// How many `>` stand side by side from `i` on.
  size_t RunOfClosers(size_t i) const {
    size_t run = 0;
    while (i + run < tokens_.size() && Is(tokens_[i + run], ">") &&
           (run == 0 || tokens_[i + run].begin == tokens_[i + run - 1].end)) {
      ++run;
    }
    return run;
  }

  /// The first of the three `>` that end the configuration opened at `open`.
  std::optional<size_t> ConfigEnd(size_t open) const {
    int depth = 0;
    size_t templates = 0;  // `<` that may be waiting for their `>`
    for (size_t i = open + 1; i < tokens_.size(); ++i) {
      if (!SameLine(i, open)) {
        if (tokens_[open].directive != 0) return std::nullopt;
        continue;
      }
      const Token& token = tokens_[i];
      if (Is(token, "(") || Is(token, "[") || Is(token, "{")) ++depth;
      if (Is(token, ")") || Is(token, "]") || Is(token, "}")) {
        if (--depth < 0) return std::nullopt;
      }
      if (Is(token, ";") && depth == 0) return std::nullopt;
      if (depth != 0) continue;
      // A launch gives an error code, which is no configuration; its `>>>` must not end this one.
      if (token.kind == TokenKind::kLaunchOpen) return std::nullopt;
      if (Is(token, "<") && IsWord(tokens_[i - 1])) ++templates;
      if (!Is(token, ">")) continue;
      const size_t run = RunOfClosers(i);
      if (run >= 3 && (run == 3 ? templates < 3 : run - 3 <= templates)) return i + run - 3;
      templates -= std::min(templates, run);
      i += run - 1;
    }
    return std::nullopt;
  }

  /// The bracket that closes the one at `open`.
  std::optional<size_t> MatchForward(size_t open) const {
    int depth = 0;
    for (size_t i = open; i < tokens_.size(); ++i) {
      if (!SameLine(i, open)) {
        if (tokens_[open].directive != 0) return std::nullopt;
        continue;
      }
      if (Is(tokens_[i], "(") || Is(tokens_[i], "[") || Is(tokens_[i], "{")) ++depth;
      if (Is(tokens_[i], ")") || Is(tokens_[i], "]") || Is(tokens_[i], "}")) {
        if (--depth == 0) return i;
      }
    }
    return std::nullopt;
  }

  /// The parameters of the function-like macro on whose line the token stands.
  std::set<std::string> MacroParameters(size_t i) const {
    std::set<std::string> parameters;
    size_t first = i;
    while (first > 0 && SameLine(first - 1, i)) --first;
    // # define NAME ( a , b
    if (tokens_[i].directive == 0 || first + 3 >= i || tokens_[first + 1].text != "define")
      return {};
    const Token& name = tokens_[first + 2];
    if (!Is(tokens_[first + 3], "(") || tokens_[first + 3].begin != name.end) return {};
    for (size_t j = first + 4; j < i && !Is(tokens_[j], ")"); ++j) {
      if (IsWord(tokens_[j])) parameters.insert(CleanText(tokens_[j]));
      if (Is(tokens_[j], "...")) parameters.insert("__VA_ARGS__");
    }
    return parameters;
  }

  static bool NeedsBlank(const std::string& text, const std::string& next) {
    const auto word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    return !text.empty() && ((word(text.back()) && word(next.front())) || text.back() == ',');
  }

  /// The name as a string literal, macro parameters turned into their arguments' text.
  std::string NameLiteral(size_t begin, size_t end) const {
    const std::set<std::string> parameters = MacroParameters(begin);
    std::string literal;
    std::string text;
    for (size_t i = begin; i < end; ++i) {
      const std::string token = CleanText(tokens_[i]);
      if (parameters.count(token) != 0) {
        if (!text.empty()) literal += base::CppQuote(text) + " ";
        literal += "#" + token + " ";
        text.clear();
      } else {
        if (NeedsBlank(text, token)) text += ' ';
        text += token;
      }
    }
    if (!text.empty() || literal.empty()) literal += base::CppQuote(text);
    return std::string(base::Trim(literal));
  }

  /// The newlines of a range, as that place needs them: continued inside a preprocessor line.
  std::string NewlinesOf(uint32_t begin, uint32_t end, bool in_directive) const {
    const auto count = std::count(source_.begin() + begin, source_.begin() + end, '\n');
    std::string newlines;
    for (auto i = count; i > 0; --i) newlines += in_directive ? "\\\n" : "\n";
    return newlines;
  }

  bool HoldsLaunch(size_t begin, size_t end) const {
    return std::any_of(tokens_.begin() + begin, tokens_.begin() + end,
                       [](const Token& token) { return token.kind == TokenKind::kLaunchOpen; });
  }

  void RewriteAt(size_t open) {
    const auto name = NameStart(open);
    if (!name || IsSplit(*name, open) || HoldsLaunch(*name, open)) return;
    const auto close = ConfigEnd(open);
    if (!close || *close + 3 >= tokens_.size() || !SameLine(*close + 3, open)) return;
    if (!Is(tokens_[*close + 3], "(")) return;
    const auto before = Before(*name);
    if (before && IsWord(tokens_[*before]) && tokens_[*before].text == "operator") return;
    if (IsWord(tokens_[*name]) && tokens_[*name].text == "operator") return;
    const auto last = MatchForward(*close + 3);
    if (!last) return;
    const bool in_directive = tokens_[open].directive != 0;
    edits_.push_back({tokens_[*name].begin, tokens_[open].end,
                      "(::hostnpu::kernel::LaunchOn(" + NameLiteral(*name, open) +
                          ", __FILE__, __LINE__, " +
                          NewlinesOf(tokens_[*name].begin, tokens_[open].end, in_directive)});
    ReplaceNulls(open, *close);
    Edit call{tokens_[*close].begin, tokens_[*close + 2].end, ") << [=](auto... hostnpu_args) { "};
    for (size_t i = *name; i < open; ++i) {
      const Token& token = tokens_[i];
      const std::string text = CleanText(token);
      if (i != *name && NeedsBlank(call.text, text)) call.text += ' ';
      call.echoes.push_back({static_cast<uint32_t>(call.text.size()),
                             static_cast<uint32_t>(text.size()), token.begin});
      call.text += text;
    }
    call.text += "(hostnpu_args...); })";
    edits_.push_back(std::move(call));
    ReplaceNulls(*close + 3, *last);
  }

  /// `NULL` is a number to a lambda's `auto`: where it is a whole argument, the pointer is meant.
  /// In an argument's own brackets C++ judges; a launch in an argument replaces its own.
  void ReplaceNulls(size_t open, size_t close) {
    int depth = 0;
    for (size_t i = open + 1; i < close; ++i) {
      const Token& token = tokens_[i];
      if (token.kind == TokenKind::kLaunchOpen) {
        if (const auto end = ConfigEnd(i)) i = *end + 2;
        continue;
      }
      if (Is(token, "(") || Is(token, "[") || Is(token, "{")) ++depth;
      if (Is(token, ")") || Is(token, "]") || Is(token, "}")) --depth;
      if (depth != 0) continue;
      const bool alone =
          (i - 1 == open || Is(tokens_[i - 1], ",")) && (i + 1 == close || Is(tokens_[i + 1], ","));
      if (alone && IsWord(tokens_[i]) && tokens_[i].text == "NULL") {
        edits_.push_back({tokens_[i].begin, tokens_[i].end, "nullptr"});
      }
    }
  }

  std::string_view source_;
  const std::vector<Token>& tokens_;
  std::vector<Edit> edits_;
};

}  // namespace

std::vector<Edit> RewriteLaunches(std::string_view source, const std::vector<Token>& tokens) {
  return Finder(source, tokens).Run();
}

}  // namespace hostnpu::compiler

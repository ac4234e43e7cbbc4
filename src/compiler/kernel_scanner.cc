// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// What the runtime must know of a kernel and no C++ program can tell it: which cores the author
// meant (`__vector__`, KERNEL_TASK_TYPE_DEFAULT), and what the parameters are called. On the device
// this sits in sections of the object file; here it is read from the source. Kernels are functions
// at namespace level marked `__global__`; the scan follows braces to know the namespace and the end
// of a body, and takes each branch of a preprocessor condition from the same start, because
// branches often open the same brace twice.
#include "compiler/kernel_scanner.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/strings.h"

namespace hostnpu::compiler {
namespace {

bool Is(const Token& token, std::string_view text) {
  return token.kind == TokenKind::kPunctuator && token.text == text;
}
bool IsWord(const Token& token) { return token.kind == TokenKind::kIdentifier; }
bool IsWord(const Token& token, std::string_view text) {
  return IsWord(token) && token.text == text;
}

/// Qualifiers that take a bracket: the `(` behind them does not open the parameters.
bool TakesBracket(std::string_view word) {
  static const std::set<std::string_view> kWords = {"__mix__", "__attribute__", "__launch_bounds__",
                                                    "alignas", "decltype",      "__declspec"};
  return kWords.count(word) != 0;
}

/// Tokens as text, blanks only where two words would touch.
std::string JoinTokens(const std::vector<Token>& tokens, size_t begin, size_t end) {
  std::string text;
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t i = begin; i < end; ++i) {
    const std::string next = CleanText(tokens[i]);
    if (!text.empty() && word(text.back()) && word(next.front())) text += ' ';
    text += next;
  }
  return text;
}

/// The core qualifiers among the tokens of one kind of line, each with its bracket.
std::vector<std::string> QualifiersIn(const std::vector<Token>& tokens, size_t begin, size_t end,
                                      uint32_t directive) {
  static const std::set<std::string_view> kQualifiers = {"__aicore__", "__vector__", "__cube__",
                                                         "__mix__"};
  std::vector<std::string> qualifiers;
  for (size_t i = begin; i < end; ++i) {
    if (tokens[i].directive != directive || !IsWord(tokens[i])) continue;
    if (kQualifiers.count(tokens[i].text) == 0) continue;
    size_t last = i;
    if (i + 1 < end && Is(tokens[i + 1], "(")) {
      while (last < end && !Is(tokens[last], ")")) ++last;
    }
    qualifiers.push_back(JoinTokens(tokens, i, std::min(last + 1, end)));
  }
  return qualifiers;
}

/// What a preprocessor line does to the conditions that are open.
enum class ConditionStep { kNone, kOpens, kBranches, kCloses };

/// The step of the line that starts at token `i`; kNone where none starts.
ConditionStep ConditionStepAt(const std::vector<Token>& tokens, size_t i) {
  const uint32_t directive = tokens[i].directive;
  const bool starts = directive != 0 && (i == 0 || tokens[i - 1].directive != directive);
  if (!starts || i + 1 >= tokens.size() || tokens[i + 1].directive != directive) {
    return ConditionStep::kNone;
  }
  const std::string_view name = tokens[i + 1].text;
  if (name == "if" || name == "ifdef" || name == "ifndef") return ConditionStep::kOpens;
  if (name == "endif") return ConditionStep::kCloses;
  const bool branches = name == "else" || name == "elif" || name == "elifdef" || name == "elifndef";
  return branches ? ConditionStep::kBranches : ConditionStep::kNone;
}

/// One brace that is open: a namespace with its name, or anything else.
struct Scope {
  enum Kind { kNamespace, kLinkage, kClass, kOther } kind;
  std::string name;
};

class Scanner {
 public:
  Scanner(std::string_view source, const std::vector<Token>& tokens, const GlobalAliases& aliases,
          const KnownMacros& known)
      : tokens_(tokens), aliases_(aliases), known_(known), lines_(source) {}

  std::vector<KernelDeclaration> Run() {
    for (size_t i = 0; i < tokens_.size();) {
      if (tokens_[i].directive != 0) {
        i = Directive(i);
      } else {
        i = Code(i);
      }
    }
    return std::move(kernels_);
  }

 private:
  bool IsGlobal(const Token& token) const {
    return IsWord(token) &&
           (token.text == "__global__" || aliases_.count(std::string(token.text)) != 0);
  }

  /// Handles the preprocessor line that starts at `i`; returns where it ends.
  size_t Directive(size_t i) {
    size_t end = i;
    while (end < tokens_.size() && tokens_[end].directive == tokens_[i].directive) ++end;
    FollowCondition(i);
    if (i + 3 < end && IsWord(tokens_[i + 1], "define") && Is(tokens_[i + 3], "(")) {
      for (size_t j = i + 4; j < end; ++j) {
        if (IsGlobal(tokens_[j])) Kernel(j, i + 3, end);
      }
    }
    return end;
  }

  /// Keeps the scopes right where a condition opens, branches or closes at token `i`.
  void FollowCondition(size_t i) {
    switch (ConditionStepAt(tokens_, i)) {
      case ConditionStep::kNone:
        break;
      case ConditionStep::kOpens:
        conditions_.push_back(scopes_);
        break;
      case ConditionStep::kBranches:
        if (!conditions_.empty()) scopes_ = conditions_.back();
        break;
      case ConditionStep::kCloses:
        if (!conditions_.empty()) conditions_.pop_back();
        break;
    }
  }

  size_t Code(size_t i) {
    const Token& token = tokens_[i];
    if (Is(token, "{")) {
      scopes_.push_back(ScopeOpenedAt(i));
    } else if (Is(token, "}")) {
      if (!scopes_.empty()) scopes_.pop_back();
    } else if (IsGlobal(token)) {
      const size_t next = Kernel(i, 0, tokens_.size());
      for (size_t j = i; j < next; ++j) FollowCondition(j);
      return next;
    }
    return i + 1;
  }

  /// What the brace at `i` opens, from the words since the last `;`, `{` or `}`.
  Scope ScopeOpenedAt(size_t brace) const {
    size_t begin = brace;
    while (begin > 0 && !Is(tokens_[begin - 1], ";") && !Is(tokens_[begin - 1], "{") &&
           !Is(tokens_[begin - 1], "}") && tokens_[begin - 1].directive == 0) {
      --begin;
    }
    for (size_t i = begin; i < brace; ++i) {
      if (IsWord(tokens_[i], "namespace")) {
        return {Scope::kNamespace, JoinTokens(tokens_, i + 1, brace)};
      }
      if (Is(tokens_[i], "(") || Is(tokens_[i], "=")) return {Scope::kOther, {}};
      if (IsWord(tokens_[i], "class") || IsWord(tokens_[i], "struct") ||
          IsWord(tokens_[i], "union")) {
        const bool in_template_list =
            i > begin && (Is(tokens_[i - 1], "<") || Is(tokens_[i - 1], ","));
        if (!in_template_list) return {Scope::kClass, {}};
      }
    }
    const bool linkage = brace >= begin + 2 && IsWord(tokens_[begin], "extern") &&
                         tokens_[begin + 1].kind == TokenKind::kString;
    return {linkage ? Scope::kLinkage : Scope::kOther, {}};
  }

  /// The `#endif` of the condition that has another branch at `branch`.
  size_t EndOfCondition(size_t branch, size_t limit) const {
    int depth = 1;
    for (size_t i = branch + 1; i < limit; ++i) {
      const ConditionStep step = ConditionStepAt(tokens_, i);
      if (step == ConditionStep::kOpens) ++depth;
      if (step == ConditionStep::kCloses && --depth == 0) return i;
    }
    return limit;
  }

  /// The bracket that closes the one at `open`, before `limit`, on lines of the same kind. Every
  /// branch of a condition starts at the same depth; of one that opened before `open`, only the
  /// branch that `open` stands in counts.
  std::optional<size_t> MatchForward(size_t open, size_t limit) const {
    int depth = 0;
    std::vector<int> depth_at_condition;
    for (size_t i = open; i < limit; ++i) {
      const ConditionStep step = ConditionStepAt(tokens_, i);
      if (step == ConditionStep::kOpens) {
        depth_at_condition.push_back(depth);
      } else if (step == ConditionStep::kBranches && !depth_at_condition.empty()) {
        depth = depth_at_condition.back();
      } else if (step == ConditionStep::kBranches) {
        i = EndOfCondition(i, limit);
        continue;
      } else if (step == ConditionStep::kCloses && !depth_at_condition.empty()) {
        depth_at_condition.pop_back();
      }
      if (tokens_[i].directive != tokens_[open].directive) continue;
      if (Is(tokens_[i], "(") || Is(tokens_[i], "[") || Is(tokens_[i], "{")) ++depth;
      if (Is(tokens_[i], ")") || Is(tokens_[i], "]") || Is(tokens_[i], "}")) {
        if (--depth == 0) return i;
      }
    }
    return std::nullopt;
  }

  /// The bracket that opens the one closed at `close`; `floor` when there is none.
  size_t MatchBack(size_t close, size_t floor) const {
    int depth = 0;
    for (size_t i = close + 1; i-- > floor;) {
      if (Is(tokens_[i], ")")) ++depth;
      if (Is(tokens_[i], "(") && --depth == 0) return i;
    }
    return floor;
  }

  /// The first token of the declaration that holds `global`: conditions may stand in it.
  size_t DeclarationStart(size_t global, size_t floor) const {
    size_t begin = global;
    while (begin > floor) {
      const Token& before = tokens_[begin - 1];
      if (before.directive != tokens_[global].directive) {
        const size_t line = LineStart(begin - 1);
        if (ConditionStepAt(tokens_, line) == ConditionStep::kNone) break;
        begin = line;
        continue;
      }
      if (Is(before, ";") || Is(before, "}") || Is(before, "{")) break;
      begin = Is(before, ")") ? MatchBack(begin - 1, floor) : begin - 1;
    }
    return begin;
  }

  /// The first token of the preprocessor line that `i` stands on.
  size_t LineStart(size_t i) const {
    while (i > 0 && tokens_[i - 1].directive == tokens_[i].directive) --i;
    return i;
  }

  /// Whether the condition that opens at token `i` holds; nothing where that is not known.
  std::optional<bool> Holds(size_t i) const {
    const std::string_view kind = tokens_[i + 1].text;
    bool wanted = kind != "ifndef";
    size_t at = i + 2;
    const auto here = [&](size_t k) {
      return k < tokens_.size() && tokens_[k].directive == tokens_[i].directive;
    };
    const auto skip = [&](std::string_view text) {
      const bool found = here(at) && tokens_[at].text == text;
      at += found ? 1 : 0;
      return found;
    };
    if (kind == "if") {
      if (skip("!")) wanted = false;
      if (!skip("defined")) return std::nullopt;
      skip("(");
    }
    if (!here(at)) return std::nullopt;
    const auto macro = known_.find(CleanText(tokens_[at++]));
    if (kind == "if") skip(")");
    if (macro == known_.end() || here(at)) return std::nullopt;
    return macro->second == wanted;
  }

  /// The tokens of a declaration's head without preprocessor lines and what they are known to leave
  /// out.
  std::vector<Token> LiveTokens(size_t begin, size_t end) const {
    std::vector<Token> live;
    std::vector<std::optional<bool>> conditions;  // of the branch, for each that is open
    for (size_t i = begin; i < end; ++i) {
      const ConditionStep step = ConditionStepAt(tokens_, i);
      if (step == ConditionStep::kOpens) {
        conditions.push_back(Holds(i));
      } else if (step == ConditionStep::kBranches && !conditions.empty()) {
        std::optional<bool>& holds = conditions.back();
        if (holds) holds = !*holds;
      } else if (step == ConditionStep::kCloses && !conditions.empty()) {
        conditions.pop_back();
      }
      if (tokens_[i].directive != tokens_[end].directive) continue;
      const bool is_left_out =
          std::any_of(conditions.begin(), conditions.end(),
                      [](std::optional<bool> holds) { return holds == false; });
      if (!is_left_out) live.push_back(tokens_[i]);
    }
    return live;
  }

  /// The `(` that opens the parameters: the first behind a name that is no qualifier with a
  /// bracket.
  std::optional<size_t> ParametersOpen(size_t global, size_t limit) const {
    for (size_t i = global + 1; i < limit; ++i) {
      if (tokens_[i].directive != tokens_[global].directive) continue;
      if (Is(tokens_[i], ";") || Is(tokens_[i], "{") || Is(tokens_[i], "}")) return std::nullopt;
      if (!Is(tokens_[i], "(")) continue;
      const bool named = IsWord(tokens_[i - 1]) || (tokens_[global].directive != 0 && i > 0);
      if (named && IsWord(tokens_[i - 1]) && !TakesBracket(tokens_[i - 1].text)) return i;
      const auto close = MatchForward(i, limit);
      if (!close) return std::nullopt;
      i = *close;
    }
    return std::nullopt;
  }

  /// Reads the kernel whose `__global__` is at `global`; returns where the scan goes on.
  size_t Kernel(size_t global, size_t floor, size_t limit) {
    const auto open = ParametersOpen(global, limit);
    const auto close = open ? MatchForward(*open, limit) : std::nullopt;
    if (!close) return global + 1;
    KernelDeclaration kernel;
    kernel.name = CleanText(tokens_[*open - 1]);
    kernel.line = lines_.PositionOf(tokens_[*open - 1].begin).line;
    kernel.in_macro = tokens_[global].directive != 0;
    kernel.name_is_macro_parameter = kernel.in_macro && IsMacroParameter(floor, kernel.name);
    ReadHead(DeclarationStart(global, floor), *open - 1, kernel);
    ReadParameters(*open + 1, *close, kernel);
    size_t next = *close + 1;
    while (next < limit && !Is(tokens_[next], "{") && !Is(tokens_[next], ";")) ++next;
    if (next < limit && Is(tokens_[next], "{")) {
      const auto end = MatchForward(next, limit);
      if (!end) return *close + 1;
      kernel.is_definition = true;
      kernel.body_end = tokens_[*end].end;
      ReadBody(next, *end, kernel);
      next = *end;
    }
    kernels_.push_back(std::move(kernel));
    return next + 1;
  }

  /// Whether the macro whose parameters open at `open` has one of that name.
  bool IsMacroParameter(size_t open, const std::string& name) const {
    for (size_t i = open + 1; i < tokens_.size() && !Is(tokens_[i], ")"); ++i) {
      if (IsWord(tokens_[i]) && tokens_[i].text == name) return true;
    }
    return false;
  }

  void ReadHead(size_t begin, size_t end, KernelDeclaration& kernel) const {
    const std::vector<Token> head = LiveTokens(begin, end);
    std::vector<std::string> qualifiers =
        QualifiersIn(head, 0, head.size(), tokens_[end].directive);
    for (size_t i = 0; i < head.size(); ++i) {
      if (!IsWord(head[i])) continue;
      if (head[i].text == "template") kernel.is_template = true;
      if (head[i].text == "extern" && i + 1 < head.size() &&
          head[i + 1].kind == TokenKind::kString) {
        kernel.is_extern_c = true;
      }
      const auto alias = aliases_.find(CleanText(head[i]));
      if (alias != aliases_.end() && !alias->second.empty()) qualifiers.push_back(alias->second);
    }
    kernel.qualifiers = base::Join(qualifiers, " ");
    for (const Scope& scope : scopes_) {
      if (kernel.in_macro) break;
      if (scope.kind == Scope::kLinkage) kernel.is_extern_c = true;
      if (scope.kind == Scope::kClass || scope.kind == Scope::kOther) kernel.in_class = true;
      if (scope.kind == Scope::kNamespace) kernel.in_namespace = true;
      if (scope.kind == Scope::kNamespace && !scope.name.empty()) {
        kernel.qualified_name += scope.name + "::";
      }
    }
    if (kernel.is_extern_c) kernel.qualified_name.clear();
    kernel.qualified_name += kernel.name;
  }

  void ReadParameters(size_t begin, size_t end, KernelDeclaration& kernel) const {
    const uint32_t directive = tokens_[end].directive;
    int depth = 0;
    size_t start = begin;
    for (size_t i = begin; i <= end; ++i) {
      const Token& token = tokens_[i];
      if (token.directive != directive) {
        kernel.has_conditional_parameters |= ConditionStepAt(tokens_, i) != ConditionStep::kNone;
      } else if (i == end || (depth == 0 && Is(token, ","))) {
        AddParameter(start, i, directive, kernel);
        start = i + 1;
      } else if (Is(token, "(") || Is(token, "[") || Is(token, "{") || Is(token, "<")) {
        ++depth;
      } else if (Is(token, ")") || Is(token, "]") || Is(token, "}") || Is(token, ">")) {
        --depth;
      }
    }
  }

  void AddParameter(size_t begin, size_t end, uint32_t directive, KernelDeclaration& kernel) const {
    KernelParameter parameter;
    std::vector<Token> type;
    for (size_t i = begin; i < end; ++i) {
      if (tokens_[i].directive != directive) continue;
      if (Is(tokens_[i], "=")) break;
      if (IsWord(tokens_[i], "__gm__")) {
        parameter.is_global_memory = true;
      } else if (IsWord(tokens_[i], "__kfc_workspace__")) {
        parameter.is_kfc_workspace = true;
      } else {
        type.push_back(tokens_[i]);
      }
    }
    if (type.empty() || (type.size() == 1 && IsWord(type[0], "void"))) return;  // `k()`, `k(void)`
    static const std::set<std::string_view> kTypeWords = {
        "int", "char", "short", "long", "float", "double", "unsigned", "signed", "bool", "const"};
    if (type.size() > 1 && IsWord(type.back()) && kTypeWords.count(type.back().text) == 0 &&
        !Is(type[type.size() - 2], "::")) {
      parameter.name = CleanText(type.back());
      type.pop_back();
    }
    parameter.type = JoinTokens(type, 0, type.size());
    if (parameter.type == "GM_ADDR") parameter.is_global_memory = true;
    kernel.parameters.push_back(std::move(parameter));
  }

  void ReadBody(size_t begin, size_t end, KernelDeclaration& kernel) const {
    for (size_t i = begin; i + 1 < end; ++i) {
      const bool is_default = IsWord(tokens_[i], "KERNEL_TASK_TYPE_DEFAULT");
      if ((!is_default && !IsWord(tokens_[i], "KERNEL_TASK_TYPE")) || !Is(tokens_[i + 1], "(")) {
        continue;
      }
      const auto close = MatchForward(i + 1, end);
      if (!close) continue;
      const std::string argument = JoinTokens(tokens_, i + 2, *close);
      if (is_default) {
        kernel.task_type = argument;
      } else if (const size_t comma = argument.rfind(','); comma != std::string::npos) {
        kernel.task_types_by_key.push_back(argument.substr(0, comma) + "=" +
                                           argument.substr(comma + 1));
      }
    }
  }

  const std::vector<Token>& tokens_;
  const GlobalAliases& aliases_;
  const KnownMacros& known_;
  LineIndex lines_;
  std::vector<Scope> scopes_;
  std::vector<std::vector<Scope>> conditions_;  // the scopes at each open #if
  std::vector<KernelDeclaration> kernels_;
};

/// "(uint32_t hostnpu_blocks, void* hostnpu_stream, void* hostnpu_0, AddTiling hostnpu_1)".
std::string AclrtLaunchParameters(const KernelDeclaration& kernel) {
  std::string text = "(uint32_t hostnpu_blocks, void* hostnpu_stream";
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const KernelParameter& parameter = kernel.parameters[i];
    text += ", " + (parameter.IsPointer() ? std::string("void*") : parameter.type) + " hostnpu_" +
            std::to_string(i);
  }
  return text + ")";
}

std::string AclrtLaunchDefinition(const KernelDeclaration& kernel) {
  std::string arguments;
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const KernelParameter& parameter = kernel.parameters[i];
    const std::string value = "hostnpu_" + std::to_string(i);
    if (i != 0) arguments += ", ";
    arguments += parameter.IsPointer() ? "(" + parameter.type + ")" + value : value;
  }
  return "extern \"C\" __attribute__((weak, visibility(\"default\"))) uint32_t aclrtlaunch_" +
         kernel.name + AclrtLaunchParameters(kernel) +
         " { return (uint32_t)(::hostnpu::kernel::LaunchOn::Form(" +
         base::CppQuote(kernel.qualified_name) + ", __FILE__, " + std::to_string(kernel.line) +
         ", hostnpu_blocks, hostnpu_stream, HOSTNPU_LAUNCH_ACLRT) << [=](auto... hostnpu_args) { " +
         kernel.name + "(hostnpu_args...); })(" + arguments + "); }";
}

}  // namespace

GlobalAliases FindGlobalAliases(const std::vector<Token>& tokens) {
  GlobalAliases aliases;
  for (size_t i = 0; i + 3 < tokens.size(); ++i) {
    const uint32_t directive = tokens[i].directive;
    const bool starts = directive != 0 && (i == 0 || tokens[i - 1].directive != directive);
    if (!starts || tokens[i + 1].text != "define" || tokens[i + 2].directive != directive) continue;
    if (Is(tokens[i + 3], "(") && tokens[i + 3].begin == tokens[i + 2].end) continue;
    if (tokens[i + 2].text == "__global__") continue;
    bool is_global = false;
    size_t end = i + 3;
    for (; end < tokens.size() && tokens[end].directive == directive; ++end) {
      is_global |= IsWord(tokens[end], "__global__");
    }
    if (!is_global) continue;
    aliases[CleanText(tokens[i + 2])] =
        base::Join(QualifiersIn(tokens, i + 3, end, directive), " ");
  }
  return aliases;
}

std::vector<KernelDeclaration> ScanKernels(std::string_view source,
                                           const std::vector<Token>& tokens,
                                           const GlobalAliases& aliases, const KnownMacros& known) {
  return Scanner(source, tokens, aliases, known).Run();
}

std::string ParameterList(const KernelDeclaration& kernel) {
  std::string list;
  for (const KernelParameter& parameter : kernel.parameters) {
    if (!list.empty()) list += ';';
    list += parameter.name + ":" + parameter.type + ":";
    if (parameter.is_global_memory) list += "gm";
    if (parameter.is_kfc_workspace) list += parameter.is_global_memory ? ",kfc" : "kfc";
  }
  return list;
}

std::vector<Edit> RegisterKernels(const std::vector<KernelDeclaration>& kernels,
                                  bool with_aclrtlaunch) {
  std::vector<Edit> edits;
  for (const KernelDeclaration& kernel : kernels) {
    if (!kernel.is_definition || kernel.in_class) continue;
    const std::string name =
        kernel.name_is_macro_parameter ? "#" + kernel.name : base::CppQuote(kernel.qualified_name);
    const std::string task_type =
        kernel.task_types_by_key.empty()
            ? kernel.task_type
            : kernel.task_type + ";" + base::Join(kernel.task_types_by_key, ";");
    std::string text = " HOSTNPU_REGISTER_KERNEL(" + name + ", __FILE__, " +
                       std::to_string(kernel.line) + ", " + base::CppQuote(kernel.qualifiers) +
                       ", " + base::CppQuote(task_type) + ", " +
                       base::CppQuote(ParameterList(kernel)) + ");";
    const bool is_plain = !kernel.is_template && !kernel.in_macro;
    const auto same_name = [&](const KernelDeclaration& other) {
      return other.is_definition && other.qualified_name == kernel.qualified_name;
    };
    // Of overloads the name alone names none.
    if (is_plain && std::count_if(kernels.begin(), kernels.end(), same_name) == 1) {
      // A kernel may have the name of a scalar function (sqrt), which the global one hides.
      const char* scope = kernel.in_namespace ? "" : "::";
      text += " HOSTNPU_REGISTER_ENTRY(" + name + ", " + scope + kernel.name + ");";
    }
    if (with_aclrtlaunch && is_plain && !kernel.has_conditional_parameters) {
      text += " " + AclrtLaunchDefinition(kernel);
    }
    edits.push_back({kernel.body_end, kernel.body_end, std::move(text)});
  }
  return edits;
}

std::string AclrtLaunchHeader(const KernelDeclaration& kernel) {
  const std::string guard = "HOSTNPU_ACLRTLAUNCH_" + kernel.name + "_H_";
  return "// Generated by hostnpu from the kernel's source.\n#ifndef " + guard + "\n#define " +
         guard +
         "\n#include <stdint.h>\n"
         "#ifndef ACLRT_LAUNCH_KERNEL\n#define ACLRT_LAUNCH_KERNEL(kernel) aclrtlaunch_##kernel\n"
         "#endif\nextern \"C\" uint32_t aclrtlaunch_" +
         kernel.name + AclrtLaunchParameters(kernel) + ";\n#endif\n";
}

}  // namespace hostnpu::compiler

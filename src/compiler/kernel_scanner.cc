// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// What the runtime must know of a kernel and no C++ program can tell it: which cores the author
// meant
// (`__vector__`, KERNEL_TASK_TYPE_DEFAULT), and what the parameters are called. On the device this
// sits in sections of the object file; here it is read from the source. Kernels are functions at
// namespace level marked `__global__`; the scan follows braces to know the namespace, and takes
// each branch of a preprocessor condition from the same start, because branches often open the same
// brace twice.
#include "compiler/kernel_scanner.h"

#include <algorithm>
#include <optional>

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

/// One brace that is open: a namespace with its name, or anything else.
struct Scope {
  enum Kind { kNamespace, kLinkage, kClass, kOther } kind;
  std::string name;
};

class Scanner {
 public:
  Scanner(std::string_view source, const std::vector<Token>& tokens,
          const std::set<std::string>& aliases)
      : tokens_(tokens), aliases_(aliases), lines_(source) {}

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
    const std::string_view name = i + 1 < end ? tokens_[i + 1].text : std::string_view();
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      conditions_.push_back(scopes_);
    } else if ((name == "else" || name == "elif") && !conditions_.empty()) {
      scopes_ = conditions_.back();
    } else if (name == "endif" && !conditions_.empty()) {
      conditions_.pop_back();
    } else if (name == "define" && i + 3 < end && Is(tokens_[i + 3], "(")) {
      for (size_t j = i + 4; j < end; ++j) {
        if (IsGlobal(tokens_[j])) Kernel(j, i + 3, end);
      }
    }
    return end;
  }

  size_t Code(size_t i) {
    const Token& token = tokens_[i];
    if (Is(token, "{")) {
      scopes_.push_back(ScopeOpenedAt(i));
    } else if (Is(token, "}")) {
      if (!scopes_.empty()) scopes_.pop_back();
    } else if (IsGlobal(token)) {
      return Kernel(i, 0, tokens_.size());
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

  /// The bracket that closes the one at `open`, before `limit`, on lines of the same kind.
  std::optional<size_t> MatchForward(size_t open, size_t limit) const {
    int depth = 0;
    for (size_t i = open; i < limit; ++i) {
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

  /// The first token of the declaration that holds `global`.
  size_t DeclarationStart(size_t global, size_t floor) const {
    size_t begin = global;
    while (begin > floor) {
      const Token& before = tokens_[begin - 1];
      if (before.directive != tokens_[global].directive) break;
      if (Is(before, ";") || Is(before, "}") || Is(before, "{")) break;
      begin = Is(before, ")") ? MatchBack(begin - 1, floor) : begin - 1;
    }
    return begin;
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
    static const std::set<std::string_view> kQualifiers = {"__aicore__", "__vector__", "__cube__",
                                                           "__mix__"};
    std::vector<std::string> qualifiers;
    for (size_t i = begin; i < end; ++i) {
      if (tokens_[i].directive != tokens_[end].directive) continue;
      if (IsWord(tokens_[i], "template")) kernel.is_template = true;
      if (IsWord(tokens_[i], "extern") && tokens_[i + 1].kind == TokenKind::kString) {
        kernel.is_extern_c = true;
      }
      if (!IsWord(tokens_[i]) || kQualifiers.count(tokens_[i].text) == 0) continue;
      const auto close = Is(tokens_[i + 1], "(") ? MatchForward(i + 1, end) : std::nullopt;
      qualifiers.push_back(JoinTokens(tokens_, i, close ? *close + 1 : i + 1));
    }
    kernel.qualifiers = base::Join(qualifiers, " ");
    for (const Scope& scope : scopes_) {
      if (kernel.in_macro) break;
      if (scope.kind == Scope::kLinkage) kernel.is_extern_c = true;
      if (scope.kind == Scope::kClass || scope.kind == Scope::kOther) kernel.in_class = true;
      if (scope.kind == Scope::kNamespace && !scope.name.empty()) {
        kernel.qualified_name += scope.name + "::";
      }
    }
    if (kernel.is_extern_c) kernel.qualified_name.clear();
    kernel.qualified_name += kernel.name;
  }

  void ReadParameters(size_t begin, size_t end, KernelDeclaration& kernel) const {
    int depth = 0;
    size_t start = begin;
    for (size_t i = begin; i <= end; ++i) {
      const Token& token = tokens_[i];
      if (i == end || (depth == 0 && Is(token, ","))) {
        if (i > start) AddParameter(start, i, kernel);
        start = i + 1;
      } else if (Is(token, "(") || Is(token, "[") || Is(token, "{") || Is(token, "<")) {
        ++depth;
      } else if (Is(token, ")") || Is(token, "]") || Is(token, "}") || Is(token, ">")) {
        --depth;
      }
    }
  }

  void AddParameter(size_t begin, size_t end, KernelDeclaration& kernel) const {
    KernelParameter parameter;
    std::vector<Token> type;
    for (size_t i = begin; i < end && !Is(tokens_[i], "="); ++i) {
      if (tokens_[i].directive != tokens_[begin].directive) continue;
      if (IsWord(tokens_[i], "__gm__")) {
        parameter.is_global_memory = true;
      } else if (IsWord(tokens_[i], "__kfc_workspace__")) {
        parameter.is_kfc_workspace = true;
      } else {
        type.push_back(tokens_[i]);
      }
    }
    if (type.size() == 1 && IsWord(type[0], "void")) return;  // `k(void)`
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
  const std::set<std::string>& aliases_;
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

std::vector<std::string> FindGlobalAliases(const std::vector<Token>& tokens) {
  std::vector<std::string> aliases;
  for (size_t i = 0; i + 3 < tokens.size(); ++i) {
    const uint32_t directive = tokens[i].directive;
    const bool starts = directive != 0 && (i == 0 || tokens[i - 1].directive != directive);
    if (!starts || tokens[i + 1].text != "define" || tokens[i + 2].directive != directive) continue;
    if (Is(tokens[i + 3], "(") && tokens[i + 3].begin == tokens[i + 2].end) continue;
    if (tokens[i + 2].text == "__global__") continue;
    for (size_t j = i + 3; j < tokens.size() && tokens[j].directive == directive; ++j) {
      if (IsWord(tokens[j], "__global__")) aliases.push_back(CleanText(tokens[i + 2]));
    }
  }
  return aliases;
}

std::vector<KernelDeclaration> ScanKernels(std::string_view source,
                                           const std::vector<Token>& tokens,
                                           const std::set<std::string>& aliases) {
  return Scanner(source, tokens, aliases).Run();
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
      text += " HOSTNPU_REGISTER_ENTRY(" + name + ", " + kernel.name + ");";
    }
    if (with_aclrtlaunch && is_plain) {
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

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// clang speaks about the program it compiled: rewritten launches, templates of our headers, lambdas
// the user never wrote. This file turns that into messages about the user's program. The rule for
// an error inside our headers: the first note that stands in a file of the user's says who asked
// for it, and that is where the error is reported.
#include "compiler/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/file.h"
#include "base/option.h"
#include "base/strings.h"
#include "compiler/headers.h"

namespace hostnpu::compiler {
namespace {

constexpr std::string_view kApiNames[] = {
#define HOSTNPU_API_NAME(kind, name) std::string_view(#name),
#include "compiler/api_names.def"
#undef HOSTNPU_API_NAME
};

constexpr std::string_view kApiHeaders[] = {
#define HOSTNPU_API_HEADER(name) std::string_view(name),
#include "compiler/api_headers.def"
#undef HOSTNPU_API_HEADER
};

constexpr size_t kMaxCandidates = 4;

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The text between the first pair of quotes behind `before`; empty when there is none.
std::string_view QuotedAfter(std::string_view text, std::string_view before) {
  const size_t at = text.find(before);
  if (at == std::string_view::npos) return {};
  const size_t begin = at + before.size();
  const size_t end = text.find('\'', begin);
  return end == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin);
}

/// Ascend C's names for the types that clang calls by their own.
std::string VendorTypeNames(std::string_view arguments) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kNames = {
      {{"signed char", "int8_t"},
       {"unsigned char", "uint8_t"},
       {"unsigned short", "uint16_t"},
       {"unsigned int", "uint32_t"},
       {"unsigned long", "uint64_t"},
       {"short", "int16_t"},
       {"long", "int64_t"},
       {"int", "int32_t"},
       {"_Float16", "half"},
       {"__bf16", "bfloat16_t"},
       {"AscendC::half", "half"},
       {"AscendC::bfloat16_t", "bfloat16_t"}}};
  std::vector<std::string> parts;
  for (std::string_view part : base::Split(arguments, ',')) {
    part = base::Trim(part);
    for (const auto& [clang_name, vendor_name] : kNames) {
      if (part == clang_name) {
        part = vendor_name;
        break;
      }
    }
    parts.emplace_back(part);
  }
  return base::Join(parts, ", ");
}

/// Whether a note only tells how clang got from our code to the user's.
bool IsPathNote(std::string_view text) {
  return text.starts_with("in instantiation of") || text.starts_with("in implicit expansion of") ||
         text.starts_with("while substituting") || text.starts_with("requested here") ||
         text.find("requested here") != std::string_view::npos || text.starts_with("in call to '");
}

/// Whether a text names things that only exist because we rewrote the launch.
bool NamesOurCode(std::string_view text) {
  return text.find("hostnpu::") != std::string_view::npos ||
         text.find("hostnpu_args") != std::string_view::npos ||
         text.find("(lambda at ") != std::string_view::npos ||
         text.find("(anonymous class)") != std::string_view::npos;
}

class Converter {
 public:
  Converter(const SourceSet& sources, const PreparedSources& prepared,
            const std::string& include_root)
      : sources_(sources), prepared_(prepared), include_root_(include_root) {}

  base::Diagnostic Convert(const ClangMessage& message) const {
    const UserFile* file = FileOf(message);
    base::Diagnostic diagnostic;
    size_t origin = message.notes.size();
    if (file == nullptr && !message.file.empty()) {
      origin = FirstUserNote(message);
    }
    if (origin < message.notes.size()) {
      diagnostic = Place(message.notes[origin]);
      diagnostic.message = TextFromHeader(message);
    } else {
      diagnostic = Place(message);
      diagnostic.message = TextInUserFile(message, diagnostic);
    }
    diagnostic.severity = message.severity;
    for (size_t i = 0; i < message.notes.size(); ++i) {
      if (i != origin) AddNote(message.notes[i], file != nullptr, diagnostic);
    }
    LimitCandidates(diagnostic);
    diagnostic.message = base::ReplaceAll(diagnostic.message, "_Float16", "half");
    for (base::Diagnostic& note : diagnostic.notes) {
      note.message = base::ReplaceAll(note.message, "_Float16", "half");
    }
    return diagnostic;
  }

 private:
  const UserFile* FileOf(const ClangMessage& message) const {
    if (message.file.empty()) return nullptr;
    const auto at = sources_.files.find(base::NormalizePath(message.file));
    return at == sources_.files.end() ? nullptr : &at->second;
  }

  size_t FirstUserNote(const ClangMessage& message) const {
    for (size_t i = 0; i < message.notes.size(); ++i) {
      if (FileOf(message.notes[i]) != nullptr && IsPathNote(message.notes[i].text)) return i;
    }
    for (size_t i = 0; i < message.notes.size(); ++i) {
      if (FileOf(message.notes[i]) != nullptr) return i;
    }
    return message.notes.size();
  }

  /// The place of a message in the user's own text, with the line and the length to underline.
  base::Diagnostic Place(const ClangMessage& message) const {
    base::Diagnostic diagnostic;
    diagnostic.severity = message.severity;
    diagnostic.message = message.text;
    const UserFile* file = FileOf(message);
    if (file == nullptr) {
      diagnostic.location = {message.file, message.line, message.column};
      return diagnostic;
    }
    uint32_t line = message.line;
    uint32_t column = message.column;
    uint32_t end = message.range_end;
    const auto edited = prepared_.edited.find(file->absolute);
    if (edited != prepared_.edited.end()) {
      const LineIndex edited_lines(edited->second.text);
      const LineIndex lines(file->text);
      const auto back = [&](uint32_t at_column) {
        return lines.PositionOf(
            edited->second.map.ToOriginal(edited_lines.OffsetOf(message.line, at_column)));
      };
      const LineIndex::Position start = back(column);
      const LineIndex::Position last = end > column ? back(end - 1) : start;
      end = last.line == start.line && end > column ? last.column + 1 : 0;
      line = start.line;
      column = start.column;
    }
    diagnostic.location = {file->path, line, column};
    const std::vector<std::string_view> text_lines = base::SplitLines(file->text);
    if (line != 0 && line <= text_lines.size()) {
      diagnostic.excerpt = std::string(text_lines[line - 1]);
      diagnostic.caret_length =
          end > column ? end - column : WordLength(diagnostic.excerpt, column);
    }
    return diagnostic;
  }

  static uint32_t WordLength(std::string_view line, uint32_t column) {
    if (column == 0 || column > line.size()) return 1;
    uint32_t length = 0;
    while (column - 1 + length < line.size() && IsWordByte(line[column - 1 + length])) ++length;
    return std::max(length, 1u);
  }

  /// A message of our headers. A static_assert there is written for the user; `<T>` in it becomes
  /// the type it was asked for.
  static std::string TextFromHeader(const ClangMessage& message) {
    std::string text = message.text;
    if (text.starts_with("static assertion failed")) {
      const size_t requirement = text.find("': ");
      const size_t plain = text.find(": ");
      if (text.starts_with("static assertion failed due to requirement '") &&
          requirement != std::string::npos) {
        text = text.substr(requirement + 3);
      } else if (plain != std::string::npos) {
        text = text.substr(plain + 2);
      }
    }
    const size_t placeholder = text.find("<T>");
    if (placeholder == std::string::npos) return text;
    size_t begin = placeholder;
    while (begin > 0 && IsWordByte(text[begin - 1])) --begin;
    const std::string name = text.substr(begin, placeholder - begin);
    for (const ClangMessage& note : message.notes) {
      const std::string_view entity = QuotedAfter(note.text, "'");
      const size_t at = entity.find(name + "<");
      if (at == std::string_view::npos || !entity.ends_with('>')) continue;
      if (at > 0 && IsWordByte(entity[at - 1])) continue;
      std::string_view arguments = entity.substr(at + name.size() + 1);
      arguments.remove_suffix(1);
      return base::ReplaceAll(text, "<T>", "<" + VendorTypeNames(arguments) + ">");
    }
    return text;
  }

  std::string TextInUserFile(const ClangMessage& message, base::Diagnostic& diagnostic) const {
    if (auto text = MissingApi(message.text)) {
      return *text;
    }
    if (message.text.ends_with("file not found")) return MissingHeader(message.text, diagnostic);
    return base::ReplaceAll(message.text, "(hostnpu_args)", "");
  }

  /// The message about a name that neither the user nor our headers declare.
  std::optional<std::string> MissingApi(std::string_view text) const {
    std::string_view name;
    bool in_namespace = false;
    for (const std::string_view start :
         {"no member named '", "no template named '", "no type named '", "unknown class name '"}) {
      if (!text.starts_with(start)) continue;
      name = QuotedAfter(text, start);
      in_namespace = text.find("in namespace 'AscendC'") != std::string_view::npos;
    }
    for (const std::string_view start :
         {"use of undeclared identifier '", "unknown type name '", "undeclared identifier '"}) {
      if (text.starts_with(start)) name = QuotedAfter(text, start);
    }
    if (name.starts_with("AscendC::")) {
      name.remove_prefix(9);
      in_namespace = true;
    }
    if (name.empty()) return std::nullopt;
    if (LookUpApiName(name) == ApiName::kKnown) {
      if (HeadersMention(include_root_, name))
        return std::nullopt;  // there, but not where it is sought
      return fmt::format("{} is not implemented on the CPU", name);
    }
    if (!in_namespace) return std::nullopt;
    const std::string_view hint = text.find("; did you mean") != std::string_view::npos
                                      ? text.substr(text.find("; did you mean"))
                                      : std::string_view();
    return fmt::format("AscendC has no '{}'{}", name, hint);
  }

  static std::string MissingHeader(const std::string& text, base::Diagnostic& diagnostic) {
    const std::string name(QuotedAfter(text, "'"));
    if (name.starts_with("aclrtlaunch_") && name.ends_with(".h")) {
      const std::string kernel = name.substr(12, name.size() - 14);
      diagnostic.AddNote(
          fmt::format("'{}' is generated from the source that defines the kernel '{}'; "
                      "give that source in the same command",
                      name, kernel));
    } else if (std::binary_search(std::begin(kApiHeaders), std::end(kApiHeaders),
                                  std::string_view(name))) {
      return fmt::format("the header '{}' is not provided by hostnpu", name);
    }
    return text;
  }

  void AddNote(const ClangMessage& note, bool primary_is_users,
               base::Diagnostic& diagnostic) const {
    const bool in_user_file = FileOf(note) != nullptr;
    if (NamesOurCode(note.text) || (!in_user_file && !note.file.empty())) {
      const bool is_candidate = note.text.starts_with("candidate ") && !NamesOurCode(note.text);
      if (!is_candidate) return;
      diagnostic.AddNote(note.text);  // what our function would take; where it stands does not help
      return;
    }
    if (!primary_is_users && note.text.starts_with("expression evaluates to")) return;
    if (note.text.starts_with("expanded from macro") && !diagnostic.notes.empty() &&
        diagnostic.notes.back().message == note.text) {
      return;  // our rewriting spreads a launch over a macro's line; one place is enough
    }
    diagnostic.notes.push_back(Place(note));
    diagnostic.notes.back().severity = base::Severity::kNote;
  }

  /// An overloaded name of ours may have dozens of candidates: the first few say enough.
  static void LimitCandidates(base::Diagnostic& diagnostic) {
    size_t kept = 0;
    size_t dropped = 0;
    std::vector<base::Diagnostic> notes;
    for (base::Diagnostic& note : diagnostic.notes) {
      if (!note.location.known() && note.message.starts_with("candidate ")) {
        const bool repeated = std::any_of(notes.begin(), notes.end(), [&note](const auto& other) {
          return other.message == note.message;
        });
        if (repeated || kept == kMaxCandidates) {
          dropped += repeated ? 0 : 1;
          continue;
        }
        ++kept;
      }
      notes.push_back(std::move(note));
    }
    diagnostic.notes = std::move(notes);
    if (dropped != 0) {
      diagnostic.AddNote(
          fmt::format("and {} more {}", dropped, dropped == 1 ? "candidate" : "candidates"));
    }
  }

  const SourceSet& sources_;
  const PreparedSources& prepared_;
  const std::string& include_root_;
};

}  // namespace

std::vector<base::Diagnostic> ToDiagnostics(const ClangOutput& output, const SourceSet& sources,
                                            const PreparedSources& prepared,
                                            const std::string& include_root) {
  std::vector<base::Diagnostic> diagnostics;
  const Converter converter(sources, prepared, include_root);
  for (const ClangMessage& message : output.messages) {
    diagnostics.push_back(converter.Convert(message));
  }
  return diagnostics;
}

std::vector<base::Diagnostic> ToLinkDiagnostics(std::vector<base::Diagnostic> diagnostics,
                                                const SourceSet& sources,
                                                const std::string& first_source) {
  for (base::Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.message == "undefined symbol 'main'") {
      base::Diagnostic no_main;
      no_main.location.file = first_source;
      no_main.message = "there is no main function: this is a kernel, not a program";
      no_main.AddHelp(
          "give the host program's source in the same command, or make a shared object with: "
          "hostnpu build -shared");
      return {no_main};
    }
    const auto at = sources.files.find(base::NormalizePath(diagnostic.location.file));
    if (!diagnostic.location.known() || at == sources.files.end()) continue;
    diagnostic.location.file = at->second.path;
    const auto lines = base::SplitLines(at->second.text);
    const uint32_t line = diagnostic.location.line;
    if (line != 0 && line <= lines.size()) diagnostic.excerpt = std::string(lines[line - 1]);
  }
  return diagnostics;
}

ApiName LookUpApiName(std::string_view name) {
  return std::binary_search(std::begin(kApiNames), std::end(kApiNames), name) ? ApiName::kKnown
                                                                              : ApiName::kUnknown;
}

std::string AbbreviateHome(const std::string& path) {
  const std::string home = base::EnvText("HOME", "");
  return home.size() > 1 && path.starts_with(home + "/") ? "~" + path.substr(home.size()) : path;
}

}  // namespace hostnpu::compiler

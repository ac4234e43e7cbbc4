// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/compile_options.h"

#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>

#include "arch/chip.h"
#include "base/file.h"
#include "base/strings.h"

namespace hostnpu::cli {
namespace {

constexpr const char* kForClang = "Options for clang";  // a heading of the help

bool IsOneOf(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool IsSource(const std::string& extension) {
  return IsOneOf(extension, {".asc", ".cpp", ".cce", ".cc", ".cxx", ".c", ".C", ".c++"});
}

bool IsLinkInput(const std::string& path) {
  const std::string extension = base::ExtensionOf(path);
  return IsOneOf(extension, {".o", ".a", ".so"}) || path.find(".so.") != std::string::npos;
}

}  // namespace

CLI::Option* CompileOptions::AddTo(CLI::App& parser) {
  CLI::Option* file_option =
      parser.add_option("file", files, "Source files (.asc .cpp .cce ...), objects, libraries")
          ->required()
          ->type_name("FILE");
  parser.add_option("--chip", chip, "Chip to be (default Ascend910B1, or HOSTNPU_CHIP)")
      ->type_name("NAME");
  parser.option_defaults()->group(kForClang);
  parser.add_option("-D", defines, "Define a macro")
      ->type_name("NAME[=TEXT]")
      ->allow_extra_args(false);
  parser.add_option("-U", undefines, "Undefine a macro")
      ->type_name("NAME")
      ->allow_extra_args(false);
  parser.add_option("-I", include_dirs, "Look for headers in a directory")
      ->type_name("DIR")
      ->allow_extra_args(false);
  parser.add_option("-l", libraries, "Link a library")->type_name("NAME")->allow_extra_args(false);
  parser.add_option("-L", library_dirs, "Look for libraries in a directory")
      ->type_name("DIR")
      ->allow_extra_args(false);
  parser.add_option("--std", standard, "Language version (default c++17)")->type_name("VERSION");
  parser.add_option("--sanitize", sanitize, "Compile with a sanitizer: address, thread, undefined")
      ->type_name("NAME");
  parser.add_flag("--debug,-g", debug, "Compile with -O0 -g, for a debugger");
  parser.add_option("--compiler-flag,-X", compiler_flags, "Give a word to clang as it is")
      ->type_name("WORD")
      ->allow_extra_args(false);
  parser.option_defaults()->group("Options");
  return file_option;
}

bool IsForClang(const CLI::Option& option) { return option.get_group() == kForClang; }

std::string FirstForClang(const CLI::App& parser) {
  for (const CLI::Option* option : parser.get_options()) {
    if (IsForClang(*option) && option->count() > 0) return option->get_name();
  }
  return {};
}

base::Result<compiler::CompileRequest> CompileOptions::ToRequest() const {
  compiler::CompileRequest request;
  request.defines = defines;
  request.undefines = undefines;
  request.include_dirs = include_dirs;
  request.compiler_flags = compiler_flags;
  request.debug = debug;
  if (!sanitize.empty()) {
    if (!request.sanitize.empty() && sanitize != request.sanitize) {
      return base::Error{base::Code::kInvalidArgument,
                         fmt::format("--sanitize {} is asked for, but this hostnpu is itself built "
                                     "with '{}', and one program cannot have both",
                                     sanitize, request.sanitize),
                         {}};
    }
    request.sanitize = sanitize;
  }
  if (!standard.empty()) request.standard = standard;
  HOSTNPU_ASSIGN_OR_RETURN(const arch::Chip* found,
                           chip.empty() ? arch::DefaultChip() : arch::FindChip(chip));
  request.chip = std::string(found->name);
  for (const std::string& file : files) {
    if (!base::StatFile(file)) {
      return base::Error{base::Code::kNotFound, fmt::format("there is no file '{}'", file), {}};
    }
    if (base::IsDirectory(file)) {
      return base::Error{base::Code::kInvalidArgument,
                         fmt::format("'{}' is a directory, not a source file", file),
                         {}};
    }
    if (IsSource(base::ExtensionOf(file))) {
      request.sources.push_back({file});
    } else if (IsLinkInput(file)) {
      request.link_inputs.push_back(file);
    } else {
      return base::Error{
          base::Code::kInvalidArgument,
          fmt::format("'{}' is of a kind that hostnpu does not compile (known: .asc, "
                      ".cpp, .cce, .cc, .cxx, .c; .o, .a and .so are linked)",
                      file),
          {}};
    }
  }
  for (const std::string& directory : library_dirs) request.link_inputs.push_back("-L" + directory);
  for (const std::string& library : libraries) request.link_inputs.push_back("-l" + library);
  return request;
}

std::vector<std::string> NormalizeArguments(const std::vector<std::string>& words) {
  std::vector<std::string> normalized;
  for (const std::string& word : words) {
    if (word.starts_with("-std=")) {
      normalized.push_back("-" + word);
    } else if (word == "-shared") {
      normalized.push_back("--shared");
    } else {
      normalized.push_back(word);
    }
  }
  return normalized;
}

}  // namespace hostnpu::cli

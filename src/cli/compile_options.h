// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_CLI_COMPILE_OPTIONS_H_
#define HOSTNPU_CLI_COMPILE_OPTIONS_H_

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "compiler/request.h"

namespace hostnpu::cli {

/// The options that every command which compiles has: -D -U -I -l -L -std= --chip --debug.
struct CompileOptions {
  std::vector<std::string> files;
  std::vector<std::string> defines;
  std::vector<std::string> undefines;
  std::vector<std::string> include_dirs;
  std::vector<std::string> libraries;
  std::vector<std::string> library_dirs;
  std::vector<std::string> compiler_flags;
  std::string standard;
  std::string chip;
  std::string sanitize;
  bool debug = false;

  /// Returns the option of the files, which is required.
  CLI::Option* AddTo(CLI::App& parser);

  /// What the files are: sources to compile, objects and libraries to link. kInvalidArgument for a
  /// file of a kind that we do not take, kNotFound for one that is not there.
  base::Result<compiler::CompileRequest> ToRequest() const;
};

/// Whether an option, of those, means something to clang only.
bool IsForClang(const CLI::Option& option);

/// The first option for clang that was given, by its name; or empty.
std::string FirstForClang(const CLI::App& parser);

/// `-std=c++20` and the like are how people write it, though `-s` is one letter: turns each such
/// word of the command line into the long form that the parser knows.
std::vector<std::string> NormalizeArguments(const std::vector<std::string>& words);

}  // namespace hostnpu::cli

#endif  // HOSTNPU_CLI_COMPILE_OPTIONS_H_

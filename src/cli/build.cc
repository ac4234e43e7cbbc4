// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// `hostnpu build`: the same compilation as `run`, with the result put where the user wants it.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>

#include "base/file.h"
#include "cli/command.h"
#include "cli/compile_options.h"
#include "compiler/driver.h"

namespace hostnpu::cli {
namespace {

struct BuildOptions {
  CompileOptions compile;
  std::string output;
  std::string dependency_file;
  bool shared = false;
  bool compile_only = false;
  std::vector<std::string> clang_flags;
};

/// Whether the user's path holds the module already.
bool IsDelivered(const compiler::CompiledModule& module, const std::string& output) {
  if (!module.was_cached) return false;
  const auto status = base::StatFile(output);
  if (!status || status->is_directory || status->size != module.bytes) return false;
  const auto held = base::HashFile(output);
  return held.ok() && held->hash.ToHex() == module.hash;
}

/// Copies the module to the user's path: beside it first, then by a rename, so that a program that
/// is running from there keeps its file. What is there already is only made new for make and ninja:
/// a rename over a file waits for the disk.
base::Result<void> Deliver(const compiler::CompiledModule& module, const std::string& output) {
  struct stat st;
  const mode_t mode = stat(module.path.c_str(), &st) == 0 ? st.st_mode & 0777 : 0644;
  if (!IsDelivered(module, output) || utimensat(AT_FDCWD, output.c_str(), nullptr, 0) != 0) {
    HOSTNPU_ASSIGN_OR_RETURN(const std::string bytes, base::ReadFile(module.path));
    if (base::IsDirectory(output)) {
      return base::Error{base::Code::kInvalidArgument,
                         fmt::format("'{}' is a directory; name a file with -o", output),
                         {}};
    }
    HOSTNPU_TRY(base::WriteFileAtomically(output, bytes), "writing the result");
  }
  if (chmod(output.c_str(), mode) != 0) {
    return base::Error{base::Code::kIo, fmt::format("cannot make '{}' executable", output), {}};
  }
  return {};
}

/// A make rule that says of which files the result was made; make and ninja read it.
base::Result<void> WriteDependencies(const compiler::CompiledModule& module,
                                     const BuildOptions& options) {
  if (options.dependency_file.empty()) return {};
  const auto escaped = [](const std::string& path) {
    std::string text;
    for (const char c : path) {
      if (c == ' ' || c == '#') text += '\\';
      if (c == '$') text += '$';
      text += c;
    }
    return text;
  };
  std::string rule = escaped(options.output) + ":";
  for (const std::string& file : module.files) rule += " \\\n  " + escaped(file);
  return base::WriteFileAtomically(options.dependency_file, rule + "\n");
}

int Run(const BuildOptions& options) {
  if (options.shared && options.compile_only) {
    PrintError("-shared and -c exclude each other: one makes a shared object, one an object");
    return kExitUsage;
  }
  auto request = options.compile.ToRequest();
  if (!request.ok()) return ReportError(request.error());
  if (options.compile_only && request->sources.size() != 1) {
    PrintError(fmt::format("-c makes one object from one source, but {} are given",
                           request->sources.size()));
    return kExitUsage;
  }
  if (options.shared) request->output = compiler::OutputKind::kSharedObject;
  if (options.compile_only) request->output = compiler::OutputKind::kObject;
  request->compiler_flags.insert(request->compiler_flags.end(), options.clang_flags.begin(),
                                 options.clang_flags.end());
  auto module = compiler::Compile(*request);
  if (!module.ok()) return ReportError(module.error());
  for (const std::string& notice : module->notices) PrintWarning(notice);
  std::fputs(module->diagnostics.c_str(), stderr);
  auto delivered = Deliver(*module, options.output);
  if (delivered.ok()) delivered = WriteDependencies(*module, options);
  if (!module->in_cache) (void)base::RemoveTree(module->folder);
  return delivered.ok() ? static_cast<int>(kExitClean) : ReportError(delivered.error());
}

}  // namespace

Command AddBuild(CLI::App& app) {
  auto options = std::make_shared<BuildOptions>();
  CLI::App* parser =
      app.add_subcommand("build", "Make an executable, a shared object or an object");
  options->compile.AddTo(*parser);
  parser->add_option("-o,--output", options->output, "Where to put the result")
      ->required()
      ->type_name("OUT");
  parser->add_option("--depfile", options->dependency_file, "Write a make rule of the files read")
      ->type_name("FILE");
  parser->add_flag("--shared", options->shared, "Make a shared object (also: -shared)");
  parser->add_flag("-c", options->compile_only, "Make an object; do not link");
  parser->footer("Words behind -- go to clang.");
  return {parser,
          [options](const std::vector<std::string>& rest) {
            options->clang_flags = rest;
            return Run(*options);
          },
          true};
}

}  // namespace hostnpu::cli

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// `hostnpu run`: compile, or take from the cache, and become the program. The program replaces this
// process (exec), so its exit code, its signals and its terminal are its own.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "arch/chip.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/compile_options.h"
#include "cli/run_python.h"
#include "compiler/driver.h"

namespace hostnpu::cli {
namespace {

struct RunOptions {
  const CLI::App* parser = nullptr;
  CompileOptions compile;
  std::vector<std::string> arguments;
  std::string module;  // of Python, in place of files
  std::string seed;
  int threads = 0;
  bool workspace_report = false;
  std::string undefined;  // what undefined memory holds; empty: as the environment says
};

void SetEnvironment(const RunOptions& options, const std::string& chip) {
  if (!options.compile.chip.empty()) setenv("HOSTNPU_CHIP", chip.c_str(), 1);
  if (!options.seed.empty()) setenv("HOSTNPU_SEED", options.seed.c_str(), 1);
  if (options.threads > 0) setenv("HOSTNPU_THREADS", std::to_string(options.threads).c_str(), 1);
  if (options.workspace_report) setenv("HOSTNPU_WORKSPACE_REPORT", "1", 1);
  if (!options.undefined.empty()) setenv("HOSTNPU_UNDEFINED", options.undefined.c_str(), 1);
}

/// Becomes the program. Returns only when that cannot be done: the errno that says why.
int Execute(const compiler::CompiledModule& module, const RunOptions& options) {
  std::vector<std::string> words = {module.path};
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::fflush(nullptr);
  if (module.in_cache) {
    execv(module.path.c_str(), pointers.data());
  } else {  // the file goes before the program starts: an open descriptor keeps its contents
    const int program = open(module.path.c_str(), O_RDONLY | O_CLOEXEC);
    const int error_number = errno;
    (void)base::RemoveTree(module.folder);
    if (program < 0) return error_number;
    fexecve(program, pointers.data(), environ);
  }
  return errno;
}

/// A TileLang script, or a module: words behind it that are no options of ours are its own.
int RunScript(const RunOptions& options) {
  const bool is_module = !options.module.empty();
  if (const std::string option = FirstForClang(*options.parser); !option.empty()) {
    PrintError(fmt::format("'{}' is for sources that clang compiles, but '{}' is a {}", option,
                           is_module ? options.module : options.compile.files.front(),
                           is_module ? "module of Python" : "script"));
    return kExitUsage;
  }
  if (!options.compile.chip.empty()) {
    auto chip = arch::FindChip(options.compile.chip);
    if (!chip.ok()) return ReportError(chip.error());
  }
  std::vector<std::string> arguments = options.compile.files;
  if (is_module) arguments = {kModuleOption, options.module};
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  SetEnvironment(options, options.compile.chip);
  return RunPython("hostnpu.run", arguments);
}

int Run(const RunOptions& options) {
  if (!options.module.empty() || IsPythonScript(options.compile.files.front())) {
    return RunScript(options);
  }
  auto request = options.compile.ToRequest();
  if (!request.ok()) return ReportError(request.error());
  SetEnvironment(options, request->chip);
  for (int attempt = 1;; ++attempt) {
    auto module = compiler::Compile(*request);
    if (!module.ok()) return ReportError(module.error());
    for (const std::string& notice : module->notices) PrintWarning(notice);
    std::fputs(module->diagnostics.c_str(), stderr);
    const int error_number = Execute(*module, options);
    // Another process may have evicted the entry since it was verified.
    if (error_number == ENOENT && attempt == 1) continue;
    PrintError(
        fmt::format("cannot start '{}': {}", module->path, base::SystemMessage(error_number)));
    return kExitInternal;
  }
}

}  // namespace

Command AddRun(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* parser = app.add_subcommand("run", "Compile a program and run it");
  options->parser = parser;
  CLI::Option* files = options->compile.AddTo(*parser);
  files->required(false);
  parser->add_option(kModuleOption, options->module, "Run a module of Python, such as pytest")
      ->type_name("MODULE")
      ->excludes(files);
  parser->parse_complete_callback([options, files] {
    if (options->module.empty() && files->count() == 0) {
      throw CLI::RequiredError(files->get_name());
    }
  });
  parser->add_option("--seed", options->seed, "Order in which cores run: 0 is the natural one")
      ->type_name("N")
      ->check(CLI::Range(int64_t{0}, INT64_MAX));
  parser->add_option("--threads", options->threads, "Worker threads (default: all cores)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  parser->add_flag("--workspace-report", options->workspace_report,
                   "Print what each workspace was used for at the end");
  CLI::Option* undefined =
      parser
          ->add_option(
              "--undefined", options->undefined,
              "What memory nobody has written holds: none (whatever is there), poison, zero")
          ->type_name("CONTENTS")
          ->check(CLI::IsMember({"none", "poison", "zero"}));
  parser
      ->add_flag_callback(
          "--poison", [options] { options->undefined = "poison"; },
          "Short for --undefined poison: NaN in every float, far out of bounds as an index")
      ->excludes(undefined);
  parser->footer(
      "Words behind -- go to the program; so do those behind a Python script but for the long "
      "options above that are not for clang.");
  return {parser,
          [options](const std::vector<std::string>& rest) {
            options->arguments = rest;
            return Run(*options);
          },
          true};
}

}  // namespace hostnpu::cli

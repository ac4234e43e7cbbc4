// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/run_python.h"

namespace hostnpu::cli {
namespace {

struct IrOptions {
  std::string after;
  std::vector<std::string> script;  // and its arguments
};

int ShowIr(const IrOptions& options, const std::vector<std::string>& rest) {
  if (!IsPythonScript(options.script.front())) {
    PrintError("'" + options.script.front() +
               "' is no TileLang script: its name does not end in .py");
    return kExitUsage;
  }
  std::vector<std::string> words;
  if (!options.after.empty()) words = {"--after", options.after};
  words.insert(words.end(), options.script.begin(), options.script.end());
  words.insert(words.end(), rest.begin(), rest.end());
  return RunPython("hostnpu.ir", words);
}

}  // namespace

Command AddIr(CLI::App& app) {
  auto options = std::make_shared<IrOptions>();
  CLI::App* parser = app.add_subcommand("ir", "Print the IR of a TileLang script's kernels");
  parser
      ->add_option("--after", options->after,
                   "As this pass leaves it; without, as the last one does")
      ->type_name("PASS");
  parser->add_option("script", options->script, "The script, and arguments of its own")
      ->type_name("SCRIPT")
      ->required();
  parser->footer(
      "Words behind -- are the script's, whatever they look like. The script runs as with"
      " 'hostnpu run'; what it prints goes to standard error.");
  return {parser,
          [options](const std::vector<std::string>& rest) { return ShowIr(*options, rest); },
          /*takes_rest=*/true};
}

}  // namespace hostnpu::cli

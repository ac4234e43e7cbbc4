// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// The front door. The words behind `--` belong to the program or to clang, and so do those behind a
// Python script, or a module (`-m pytest`), that are no options of ours: they are cut off before
// the parser sees them and handed over unread.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/compile_options.h"
#include "cli/run_python.h"

namespace hostnpu::cli {
namespace {

/// The message of a parser error names the option; the usage line follows, and where to read more.
int UsageError(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help
  PrintError(error.what());
  std::fputs("note: see 'hostnpu --help', or 'hostnpu COMMAND --help'\n", stderr);
  return kExitUsage;
}

struct Words {
  std::vector<std::string> own;
  std::vector<std::string> rest;  // the program's, or clang's
};

/// Whether a value follows the option; nothing for a word that is not ours behind a script: short
/// ones, those for clang and --help may be the script's own.
std::optional<bool> OwnBehindScript(const CLI::App& command, const std::string& word) {
  if (!word.starts_with("--")) return std::nullopt;
  const size_t equals = word.find('=');
  const CLI::Option* option = command.get_option_no_throw(word.substr(0, equals));
  if (option == nullptr || option == command.get_help_ptr() || IsForClang(*option)) {
    return std::nullopt;
  }
  return option->get_items_expected_min() > 0 && equals == std::string::npos;
}

Words Split(const CLI::App& app, const std::vector<std::string>& words) {
  const auto dashes = std::find(words.begin(), words.end(), "--");
  auto script = dashes;
  if (words.begin() != dashes && (words[0] == "run" || words[0] == "ir")) {
    script = std::find_if(words.begin(), dashes, [&](const std::string& word) {
      return word == kModuleOption ? words[0] == "run"
                                   : !word.starts_with("-") && IsPythonScript(word);
    });
    if (script != dashes && *script == kModuleOption && script + 1 != dashes) ++script;
  }
  auto next = script == dashes ? dashes : script + 1;
  Words split{{words.begin(), next}, {}};
  while (next != dashes) {
    const auto takes_value = OwnBehindScript(*app.get_subcommand(words[0]), *next);
    auto& to = takes_value ? split.own : split.rest;
    to.push_back(*next++);
    if (takes_value.value_or(false) && next != dashes) to.push_back(*next++);
  }
  if (dashes != words.end()) split.rest.insert(split.rest.end(), dashes + 1, words.end());
  return split;
}

int Main(const std::vector<std::string>& words) {
  CLI::App app("Runs Ascend NPU operators on a CPU host.", "hostnpu");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  const std::vector<Command> commands = {
      AddRun(app),    AddBuild(app),  AddBuildOp(app), AddDescribeLibrary(app),
      AddDoctor(app), AddCache(app),  AddExplain(app), AddIr(app),
      AddPlan(app),   AddVersion(app)};
  const Words split = Split(app, words);
  const std::vector<std::string>& rest = split.rest;
  std::vector<std::string> own = NormalizeArguments(split.own);
  std::reverse(own.begin(), own.end());  // as the parser wants them
  try {
    app.parse(std::move(own));
  } catch (const CLI::ParseError& error) {
    return UsageError(app, error);
  }
  for (const Command& command : commands) {
    if (!*command.parser) continue;
    if (!rest.empty() && !command.takes_rest) {
      PrintError("'" + command.parser->get_name() + "' takes no words behind --");
      return kExitUsage;
    }
    return command.run(rest);
  }
  return kExitUsage;
}

}  // namespace
}  // namespace hostnpu::cli

int main(int argc, char** argv) {
  return hostnpu::cli::Main(std::vector<std::string>(argv + 1, argv + argc));
}

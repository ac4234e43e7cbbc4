// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// The front door. The words behind `--` belong to the program or to clang, and so do those behind a
// Python script, as with `python script.py`: they are cut off before the parser sees them and
// handed over unread.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
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

using Word = std::vector<std::string>::const_iterator;

/// One past the words that are ours.
Word EndOfOwnWords(const std::vector<std::string>& words) {
  const Word dashes = std::find(words.begin(), words.end(), "--");
  if (words.empty() || (words[0] != "run" && words[0] != "ir")) return dashes;
  const Word script = std::find_if(words.begin(), dashes, [](const std::string& word) {
    return !word.starts_with("-") && IsPythonScript(word);
  });
  if (script == dashes) return dashes;
  // `hostnpu ir script.py --after PASS` reads well, so that option may stand there too.
  const Word next = script + 1;
  if (words[0] == "ir" && next != dashes && next->starts_with("--after=")) return next + 1;
  if (words[0] == "ir" && dashes - next >= 2 && *next == "--after") return next + 2;
  return next;
}

int Main(const std::vector<std::string>& words) {
  const Word end = EndOfOwnWords(words);
  const bool has_dashes = end != words.end() && *end == "--";
  const std::vector<std::string> rest(has_dashes ? end + 1 : end, words.end());
  std::vector<std::string> own = NormalizeArguments({words.begin(), end});
  std::reverse(own.begin(), own.end());  // as the parser wants them

  CLI::App app("Runs Ascend NPU operators on a CPU host.", "hostnpu");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  const std::vector<Command> commands = {
      AddRun(app),    AddBuild(app),  AddBuildOp(app), AddDescribeLibrary(app),
      AddDoctor(app), AddCache(app),  AddExplain(app), AddIr(app),
      AddPlan(app),   AddVersion(app)};
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

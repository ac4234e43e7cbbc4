// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_CLI_COMMAND_H_
#define HOSTNPU_CLI_COMMAND_H_

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace hostnpu::cli {

/// How the program ends, for scripts.
enum ExitCode : int {
  kExitClean = 0,
  kExitFindings = 1,
  kExitUsage = 2,  ///< a wrong argument, or a source that does not compile
  kExitInternal = 3,
};

/// One subcommand: where it stands in the argument parser, and what to do when it was chosen. `run`
/// gets the words behind `--` and returns an exit code.
struct Command {
  CLI::App* parser = nullptr;
  std::function<int(const std::vector<std::string>& rest)> run{};
  bool takes_rest = false;  ///< whether words behind `--` mean anything to it
};

// One function per file `<name>.cc`. Each adds its subcommand, with its options, to the parser.
Command AddRun(CLI::App& app);
Command AddBuild(CLI::App& app);
Command AddBuildOp(CLI::App& app);
Command AddDescribeLibrary(CLI::App& app);
Command AddDoctor(CLI::App& app);
Command AddCache(CLI::App& app);
Command AddExplain(CLI::App& app);
Command AddIr(CLI::App& app);
Command AddPlan(CLI::App& app);
Command AddVersion(CLI::App& app);

/// Prints an error to stderr in the form its code asks for, and returns the exit code it means.
int ReportError(const base::Error& error);

/// Prints "hostnpu: <severity>: <text>" to stderr.
void PrintError(const std::string& text);
void PrintWarning(const std::string& text);

}  // namespace hostnpu::cli

#endif  // HOSTNPU_CLI_COMMAND_H_

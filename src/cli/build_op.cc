// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>

#include "base/file.h"
#include "cli/command.h"
#include "cli/operator_project.h"

namespace hostnpu::cli {
namespace {

int BuildOp(OperatorProjectOptions options) {
  if (options.output.empty()) options.output = base::JoinPath(options.directory, "build_out");
  auto built = BuildOperatorProject(options);
  if (!built.ok()) return ReportError(built.error());
  for (const BuiltOperator& op : built->operators) {
    std::printf("%-28s kernel %s, %zu variant%s, %s\n", op.type.c_str(), op.kernel.c_str(),
                op.variants, op.variants == 1 ? "" : "s", op.header.c_str());
  }
  std::printf("library %s\n", built->library.c_str());
  return kExitClean;
}

// Loads a library of operators in a process of its own, so that its static objects cannot harm the
// build, and prints what it has registered.
int DescribeLibrary(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    PrintError(dlerror());
    return kExitUsage;
  }
  using Describe = const char* (*)();
  const auto describe = reinterpret_cast<Describe>(dlsym(library, "hostnpu_describe_operators"));
  if (describe == nullptr) {
    PrintError("the library is not linked with libhostnpu");
    return kExitUsage;
  }
  std::puts(describe());
  std::fflush(stdout);
  return kExitClean;
}

}  // namespace

Command AddBuildOp(CLI::App& app) {
  auto options = std::make_shared<OperatorProjectOptions>();
  CLI::App* parser = app.add_subcommand(
      "build-op", "Make a library with aclnn functions from an operator project");
  parser->add_option("DIR", options->directory, "A project with op_host and op_kernel folders")
      ->required();
  parser->add_option("-o,--output", options->output, "Where to put it (DIR/build_out)")
      ->type_name("OUT");
  parser->add_option("--chip", options->chip, "The chip to build for")->type_name("NAME");
  parser->add_option("-D", options->defines, "Define a macro")
      ->type_name("NAME[=TEXT]")
      ->allow_extra_args(false);
  parser->add_option("-I", options->include_dirs, "Look for headers there")
      ->type_name("DIR")
      ->allow_extra_args(false);
  parser->add_flag("--debug", options->debug, "Compile for a debugger");
  return {parser, [options](const std::vector<std::string>&) { return BuildOp(*options); }, false};
}

Command AddDescribeLibrary(CLI::App& app) {
  auto path = std::make_shared<std::string>();
  CLI::App* parser =
      app.add_subcommand("describe-library", "Print the operators of a library as JSON");
  parser->add_option("LIBRARY", *path, "A shared object")->required();
  parser->group("");  // for build-op itself
  return {parser, [path](const std::vector<std::string>&) { return DescribeLibrary(*path); },
          false};
}

}  // namespace hostnpu::cli

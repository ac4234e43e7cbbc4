// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/command.h"
#include "compiler/toolchain.h"

namespace hostnpu::cli {

Command AddVersion(CLI::App& app) {
  CLI::App* parser = app.add_subcommand("version", "Print the version");
  return {parser, [](const std::vector<std::string>&) {
            fmt::print("hostnpu {}\n", compiler::HostnpuVersion());
            return static_cast<int>(kExitClean);
          }};
}

}  // namespace hostnpu::cli

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "base/strings.h"
#include "cli/command.h"

namespace hostnpu::cli {
namespace {

struct Entry {
  std::string_view name;
  std::string_view severity;
  std::string_view text;
  std::string_view explanation;
};

constexpr Entry kEntries[] = {
#define HOSTNPU_DIAGNOSTIC(name, severity, text, explanation) {#name, #severity, text, explanation},
#include "base/diagnostics.def"
#undef HOSTNPU_DIAGNOSTIC
};

int List() {
  for (const Entry& entry : kEntries) fmt::print("{:<24}{}\n", entry.name, entry.text);
  return kExitClean;
}

int Explain(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Entry& entry : kEntries) {
    if (entry.name == name) {
      fmt::print("{}: {}: {}\n\n{}\n", entry.name, entry.severity, entry.text, entry.explanation);
      return kExitClean;
    }
    names.push_back(entry.name);
  }
  const auto nearest = base::Nearest(name, names);
  PrintError(fmt::format(
      "there is no message '{}'{}", name,
      nearest ? fmt::format("; did you mean '{}'?", *nearest) : "; 'hostnpu explain' lists all"));
  return kExitUsage;
}

}  // namespace

Command AddExplain(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  CLI::App* parser = app.add_subcommand("explain", "Explain a message, or list all");
  parser->add_option("id", *name, "Name of the message")->type_name("ID");
  return {parser, [name](const std::vector<std::string>&) {
            return name->empty() ? List() : Explain(*name);
          }};
}

}  // namespace hostnpu::cli

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/cache.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "cli/command.h"
#include "compiler/diagnostics.h"
#include "compiler/precompiled.h"
#include "compiler/toolchain.h"

namespace hostnpu::cli {
namespace {

struct CacheOptions {
  std::string action = "show";
  bool json = false;
};

uint64_t Sum(const std::vector<compiler::CacheEntryInfo>& entries) {
  uint64_t bytes = 0;
  for (const auto& entry : entries) bytes += entry.bytes;
  return bytes;
}

void ShowJson(const compiler::Cache& cache, const std::vector<compiler::CacheEntryInfo>& entries) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& entry : entries) {
    list.push_back({{"name", entry.name},
                    {"object", entry.object},
                    {"bytes", entry.bytes},
                    {"used_ns", entry.used_ns}});
  }
  const nlohmann::json report = {{"folder", cache.root()},
                                 {"bytes", Sum(entries)},
                                 {"limit_bytes", cache.limit_bytes()},
                                 {"entries", std::move(list)}};
  fmt::print("{}\n", report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void ShowText(const compiler::Cache& cache, const std::vector<compiler::CacheEntryInfo>& entries) {
  fmt::print("folder   {}\n", compiler::AbbreviateHome(cache.root()));
  fmt::print("entries  {}\n", entries.size());
  fmt::print("size     {} of {}\n", base::FormatBytes(Sum(entries)),
             base::FormatBytes(cache.limit_bytes()));
  if (!entries.empty())
    fmt::print("\n{:<22}{:>10}  {:<16}  {}\n", "entry", "size", "last used", "object");
  for (const auto& entry : entries) {
    const std::time_t seconds = entry.used_ns / 1000000000;
    fmt::print("{:<22}{:>10}  {:%Y-%m-%d %H:%M}  {}\n", entry.name, base::FormatBytes(entry.bytes),
               fmt::localtime(seconds), entry.object.empty() ? "(failed; log only)" : entry.object);
  }
}

int Show(const compiler::Cache& cache, bool json) {
  std::vector<compiler::CacheEntryInfo> entries = cache.List();
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.used_ns > b.used_ns; });
  if (json) {
    ShowJson(cache, entries);
  } else {
    ShowText(cache, entries);
  }
  return kExitClean;
}

int Clear(const compiler::Cache& cache) {
  const size_t count = cache.List().size();
  const auto cleared = cache.Clear();
  if (!cleared.ok()) return ReportError(cleared.error());
  fmt::print("removed {} {} ({}) from {}\n", count, count == 1 ? "entry" : "entries",
             base::FormatBytes(*cleared), compiler::AbbreviateHome(cache.root()));
  return kExitClean;
}

int Precompile(const compiler::Cache& cache) {
  const auto toolchain = compiler::RequireToolchain();
  if (!toolchain.ok()) return ReportError(toolchain.error());
  const auto made = compiler::PrecompileUsual(*toolchain, cache);
  if (!made.ok()) return ReportError(made.error());
  fmt::print("the headers of new programs are compiled in {}\n",
             compiler::AbbreviateHome(cache.root()));
  return kExitClean;
}

}  // namespace

Command AddCache(CLI::App& app) {
  auto options = std::make_shared<CacheOptions>();
  CLI::App* parser = app.add_subcommand("cache", "Show, clear or fill what is compiled already");
  parser
      ->add_option(
          "action", options->action,
          "show (the default), clear, or precompile: the headers of new programs, so that the "
          "first program compiles as quickly as the next (a minute or two)")
      ->check(CLI::IsMember({"show", "clear", "precompile"}));
  parser->add_flag("--json", options->json, "Print JSON");
  return {parser, [options](const std::vector<std::string>&) {
            const compiler::Cache cache(compiler::Cache::DefaultRoot());
            if (options->action == "clear") return Clear(cache);
            if (options->action == "precompile") return Precompile(cache);
            return Show(cache, options->json);
          }};
}

}  // namespace hostnpu::cli

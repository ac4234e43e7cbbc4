// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// `hostnpu doctor`: what a bug report needs, in one paste. Its exit code is 1 when something that
// `hostnpu run` needs is missing.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "arch/chip.h"
#include "base/file.h"
#include "base/option.h"
#include "base/strings.h"
#include "cli/command.h"
#include "compiler/cache.h"
#include "compiler/diagnostics.h"
#include "compiler/toolchain.h"

namespace hostnpu::cli {
namespace {

/// One line of the report. `problem` says what to do about it; empty: all is well.
struct Finding {
  std::string name;
  std::string value;
  std::string problem{};
};

std::string CpuModel() {
  const auto text = base::ReadFile("/proc/cpuinfo");
  if (!text.ok()) return "unknown";
  for (const std::string_view line : base::SplitLines(*text)) {
    if (line.starts_with("model name"))
      return std::string(base::Trim(line.substr(line.find(':') + 1)));
  }
  return "unknown";
}

Finding CheckCompiler(const compiler::Toolchain& toolchain) {
  if (toolchain.compiler.empty()) return {"compiler", "missing", ""};
  const std::string version = compiler::CompilerVersion(toolchain);
  Finding finding{"compiler", fmt::format("clang {} ({})", version, toolchain.compiler)};
  if (version.empty()) {
    finding.problem = fmt::format("'{}' does not run", toolchain.compiler);
  } else if (!version.starts_with("19.")) {
    finding.problem = fmt::format("clang {} is not tested; hostnpu is made for clang 19", version);
  }
  return finding;
}

Finding CheckCache() {
  const compiler::Cache cache(compiler::Cache::DefaultRoot());
  uint64_t bytes = 0;
  const auto entries = cache.List();
  for (const auto& entry : entries) bytes += entry.bytes;
  Finding finding{"cache",
                  fmt::format("{} ({} entries, {} of {})", compiler::AbbreviateHome(cache.root()),
                              entries.size(), base::FormatBytes(bytes),
                              base::FormatBytes(cache.limit_bytes()))};
  auto prepared = cache.Prepare();
  auto work = prepared.ok() ? cache.MakeWorkFolder() : base::Result<std::string>(prepared.error());
  if (!work.ok()) {
    finding.problem = "the cache cannot be written: " + work.error().message;
  } else {
    (void)base::RemoveTree(*work);
  }
  return finding;
}

Finding CheckChip() {
  const auto chip = arch::DefaultChip();
  if (!chip.ok()) return {"chip", base::EnvText("HOSTNPU_CHIP", ""), chip.error().message};
  const arch::Chip& found = **chip;
  return {"chip", fmt::format("{} ({} cube cores, {} vector cores, UB {}, L1 {})", found.name,
                              found.aic_count, found.aiv_count, base::FormatBytes(found.ub_bytes),
                              base::FormatBytes(found.l1_bytes))};
}

Finding CheckCores() {
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const int64_t threads = base::EnvNumber("HOSTNPU_THREADS", cores, 1, 4096);
  return {"cores", fmt::format("{}, {} worker threads", cores, threads)};
}

Finding CheckMemory() {
  const int64_t bytes = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return {"memory", base::FormatBytes(static_cast<uint64_t>(bytes))};
}

std::vector<Finding> Examine() {
  std::vector<compiler::MissingPart> missing;
  const compiler::Toolchain toolchain = compiler::LocateToolchain(&missing);
  std::vector<Finding> findings = {
      {"hostnpu", compiler::HostnpuVersion()},
      CheckCompiler(toolchain),
      {"linker", toolchain.linker.empty() ? "missing" : toolchain.linker},
      {"headers", toolchain.include_root.empty() ? "missing" : toolchain.include_root},
      {"library", toolchain.library.empty() ? "missing" : toolchain.library},
      CheckChip(),
      {"cpu", CpuModel()},
      CheckCores(),
      CheckMemory(),
      CheckCache(),
  };
  for (const compiler::MissingPart& part : missing) {
    for (Finding& finding : findings) {
      if (finding.name == part.part) finding.problem = part.message;
    }
  }
  return findings;
}

void PrintJson(const std::vector<Finding>& findings) {
  nlohmann::json report = nlohmann::json::object();
  nlohmann::json problems = nlohmann::json::array();
  for (const Finding& finding : findings) {
    report[finding.name] = finding.value;
    if (!finding.problem.empty()) {
      problems.push_back({{"part", finding.name}, {"message", finding.problem}});
    }
  }
  report["problems"] = std::move(problems);
  fmt::print("{}\n", report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void PrintText(const std::vector<Finding>& findings) {
  size_t problems = 0;
  for (const Finding& finding : findings) {
    fmt::print("{:<10}{}\n", finding.name, finding.value);
    problems += finding.problem.empty() ? 0 : 1;
  }
  if (problems == 0) {
    fmt::print("\nnothing is missing\n");
    return;
  }
  fmt::print("\n{} {}:\n", problems, problems == 1 ? "problem" : "problems");
  for (const Finding& finding : findings) {
    if (!finding.problem.empty()) fmt::print("  {}: {}\n", finding.name, finding.problem);
  }
}

}  // namespace

Command AddDoctor(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  CLI::App* parser = app.add_subcommand("doctor", "Print what hostnpu finds on this machine");
  parser->add_flag("--json", *json, "Print JSON");
  return {parser, [json](const std::vector<std::string>&) {
            const std::vector<Finding> findings = Examine();
            if (*json) {
              PrintJson(findings);
            } else {
              PrintText(findings);
            }
            for (const Finding& finding : findings) {
              if (!finding.problem.empty()) return static_cast<int>(kExitFindings);
            }
            return static_cast<int>(kExitClean);
          }};
}

}  // namespace hostnpu::cli

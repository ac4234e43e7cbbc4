// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// `hostnpu plan`: the planner alone, for anybody's buffers. It reads the CSV form in which planning
// problems are exchanged, so that hostnpu and other planners can be compared on one file.
#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "base/file.h"
#include "cli/command.h"
#include "planner/csv.h"
#include "planner/explain.h"
#include "planner/solver.h"
#include "planner/validator.h"
#include "report/memory_map.h"

namespace hostnpu::cli {
namespace {

struct PlanArguments {
  std::string path{};
  int64_t capacity = planner::kUnlimited;
  int64_t alignment = 1;
  bool exact = false;
  double time_limit_seconds = 60;
  std::string html{};
  std::string csv{};
  bool json = false;
};

base::Result<std::string> ReadInput(const std::string& path) {
  if (path != "-") return base::ReadFile(path);
  std::string text;
  char part[1 << 16];
  while (const size_t count = std::fread(part, 1, sizeof(part), stdin)) text.append(part, count);
  return text;
}

/// Solves and checks; a plan that the independent validator refuses is our own error.
base::Result<planner::Solution> SolveChecked(const planner::Problem& problem,
                                             const PlanArguments& arguments) {
  planner::SolveOptions options;
  options.exact = arguments.exact;
  options.time_limit_seconds = arguments.time_limit_seconds;
  HOSTNPU_ASSIGN_OR_RETURN(planner::Solution solution, planner::Solve(problem, options));
  planner::Problem open = problem;
  if (solution.verdict != planner::Verdict::kFits) open.capacity = planner::kUnlimited;
  HOSTNPU_TRY(planner::Validate(open, solution.plan), "checking the plan");
  return solution;
}

base::Result<void> WriteOutputs(const PlanArguments& arguments, const report::MemoryMap& map) {
  if (!arguments.html.empty()) {
    HOSTNPU_TRY(base::WriteFile(arguments.html, report::RenderHtml(map)), "writing the page");
  }
  if (!arguments.csv.empty()) {
    HOSTNPU_TRY(base::WriteFile(arguments.csv, planner::WriteCsv(map.problem, map.plan)),
                "writing the plan");
  }
  return {};
}

void PrintFailure(const PlanArguments& arguments, const planner::Problem& problem,
                  const planner::Solution& solution) {
  planner::Wording wording;
  if (arguments.html.empty()) {
    wording.command = fmt::format("hostnpu plan {} --html plan.html", arguments.path);
  }
  const base::Error error = planner::ExplainFailure(problem, solution, wording);
  fmt::print(stderr, "{}: error: {}\n", arguments.path, error.message);
}

int Plan(const PlanArguments& arguments) {
  auto text = ReadInput(arguments.path);
  if (!text.ok()) return ReportError(text.error());
  auto problem = planner::ReadCsv(*text);
  if (!problem.ok()) {
    PrintError(fmt::format("{}: {}", arguments.path, problem.error().message));
    return kExitUsage;
  }
  problem->capacity = arguments.capacity;
  for (planner::Buffer& buffer : problem->buffers) {
    if (buffer.alignment == 1) buffer.alignment = arguments.alignment;
  }
  auto solution = SolveChecked(*problem, arguments);
  if (!solution.ok()) {
    return ReportError(solution.error().While(fmt::format("planning '{}'", arguments.path)));
  }

  const report::MemoryMap map = report::MakeMemoryMap(arguments.path, *problem, *solution);
  if (auto written = WriteOutputs(arguments, map); !written.ok()) {
    return ReportError(written.error());
  }
  std::fputs((arguments.json ? report::RenderJson(map) : report::RenderText(map)).c_str(), stdout);
  if (solution->verdict == planner::Verdict::kFits) return kExitClean;
  std::fflush(stdout);
  PrintFailure(arguments, *problem, *solution);
  return kExitFindings;
}

}  // namespace

Command AddPlan(CLI::App& app) {
  auto arguments = std::make_shared<PlanArguments>();
  CLI::App* parser = app.add_subcommand("plan", "Give buffers with lifetimes offsets in a memory");
  parser
      ->add_option("problem", arguments->path,
                   "CSV file id,lower,upper,size[,alignment][,offset]; '-' is stdin")
      ->required()
      ->type_name("FILE");
  parser->add_option("--capacity", arguments->capacity, "Size of the memory in bytes")
      ->check(CLI::NonNegativeNumber)
      ->type_name("BYTES");
  parser->add_option("--alignment", arguments->alignment, "Alignment of buffers that have none")
      ->check(CLI::PositiveNumber)
      ->type_name("BYTES");
  parser->add_flag("--exact", arguments->exact,
                   "Search until a plan fits, or until it is proved that none does");
  parser
      ->add_option("--time-limit", arguments->time_limit_seconds, "Limit of --exact, 60 by default")
      ->check(CLI::NonNegativeNumber)
      ->type_name("SECONDS");
  parser->add_option("--html", arguments->html, "Draw the plan as a page")->type_name("FILE");
  parser->add_option("--csv", arguments->csv, "Write the problem with its offsets")
      ->type_name("FILE");
  parser->add_flag("--json", arguments->json, "Print JSON instead of a table");
  return {parser, [arguments](const std::vector<std::string>&) { return Plan(*arguments); }};
}

}  // namespace hostnpu::cli

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// What a plan costs in the quick mode, beside first fit alone, which is what a program that plans
// its memory at compile time usually has; the counter says how far above the lower bound the plan
// is.
//
// Problems are generated (fixed seeds), and each CSV file of the folder HOSTNPU_PLANNER_PROBLEMS
// names is one more: google/minimalloc and cappadokes/idealloc publish some. Whether and when the
// exact mode fits one is what `hostnpu plan FILE --exact --capacity BYTES` answers.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "planner/csv.h"
#include "planner/solver.h"
#include "planner/sweep.h"
#include "planner/validator.h"

namespace {

using namespace hostnpu::planner;

/// Buffers as a chain of operators makes them: most live a few steps, one in ten much longer.
Problem ChainOf(int count) {
  std::mt19937 random(static_cast<uint32_t>(count));
  Problem problem;
  for (int i = 0; i < count; ++i) {
    Buffer buffer;
    buffer.name = "b" + std::to_string(i);
    buffer.size = 512 * (1 + static_cast<int64_t>(random() % 2000));
    const int64_t steps = 1 + static_cast<int64_t>(random() % (i % 10 == 0 ? 100 : 6));
    buffer.live.push_back({i, i + steps});
    problem.buffers.push_back(std::move(buffer));
  }
  return problem;
}

/// A chain whose links meet only their neighbours, as the operators of a plain sequence do.
Problem LinksOf(int count) {
  Problem problem = ChainOf(count);
  for (Buffer& buffer : problem.buffers) buffer.live[0].upper = buffer.live[0].lower + 2;
  return problem;
}

void Plan(benchmark::State& state, const Problem& problem, int64_t effort) {
  SolveOptions options;
  options.effort = effort;
  int64_t height = 0;
  for (auto _ : state) {
    auto solution = Solve(problem, options);
    if (!solution.ok() || !FindViolations(problem, solution->plan).empty()) {
      state.SkipWithError("no valid plan");
      return;
    }
    height = solution->plan.height;
  }
  state.counters["height/bound"] =
      static_cast<double>(height) / static_cast<double>(MaxLiveBytes(problem));
}

void Register(const std::string& group, const Problem& problem) {
  for (const auto& [variant, effort] :
       {std::pair{"hostnpu", SolveOptions{}.effort}, std::pair{"first_fit_only", int64_t{0}}}) {
    benchmark::RegisterBenchmark((group + "/" + variant).c_str(), [problem, effort = effort](
                                                                      benchmark::State& state) {
      Plan(state, problem, effort);
    })->Unit(benchmark::kMillisecond);
  }
}

/// A file that is no problem is named, and nothing is measured then.
bool RegisterFiles(const char* folder) {
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".csv") paths.push_back(entry.path());
  }
  if (error) {
    std::fprintf(stderr, "HOSTNPU_PLANNER_PROBLEMS=%s: %s\n", folder, error.message().c_str());
    return false;
  }
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    auto problem = ReadCsv(text.str());
    if (!problem.ok()) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(), problem.error().message.c_str());
      return false;
    }
    Register("plan_" + path.stem().string(), *problem);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const int count : {5, 100, 1000}) {
    Register("plan_chain_of_" + std::to_string(count) + "_buffers", ChainOf(count));
  }
  Register("plan_chain_of_1000_links", LinksOf(1000));
  const char* folder = std::getenv("HOSTNPU_PLANNER_PROBLEMS");
  if (folder != nullptr && !RegisterFiles(folder)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// Plans every CSV problem given on the command line and prints one row each: size, lower bound,
// height, their ratio, and the time of the quick mode; with --capacity BYTES also whether the exact
// mode finds a plan within it, and when. Times are CPU time of the one thread. The data is not part
// of the project: fetch it from the public planners (google/minimalloc, cappadokes/idealloc).
#include <fmt/format.h>
#include <time.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "planner/csv.h"
#include "planner/solver.h"
#include "planner/sweep.h"
#include "planner/validator.h"

namespace {

using namespace hostnpu::planner;

double CpuMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

bool MeasureFile(const std::string& path, int64_t capacity, double limit, int64_t effort) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  auto problem = ReadCsv(text.str());
  if (!file || !problem.ok()) {
    fmt::print(stderr, "{}: {}\n", path, file ? problem.error().message : "cannot be read");
    return false;
  }
  SolveOptions options;
  if (effort >= 0) options.effort = effort;
  double start = CpuMilliseconds();
  auto quick = Solve(*problem, options);
  const double quick_ms = CpuMilliseconds() - start;
  start = CpuMilliseconds();
  if (!quick.ok() || !FindViolations(*problem, quick->plan).empty()) {
    fmt::print(stderr, "{}: no valid plan\n", path);
    return false;
  }
  const double check_ms = CpuMilliseconds() - start;
  const int64_t least = MaxLiveBytes(*problem);
  fmt::print("{:<22} {:>6} {:>14} {:>14} {:>8.4f} {:>9.2f} {:>9.2f} {:>9}",
             std::filesystem::path(path).filename().string(), problem->buffers.size(), least,
             quick->plan.height,
             static_cast<double>(quick->plan.height) / static_cast<double>(least), quick_ms,
             check_ms, quick->nodes);
  if (capacity > 0) {
    problem->capacity = capacity;
    options.exact = true;
    options.time_limit_seconds = limit;
    start = CpuMilliseconds();
    auto exact = Solve(*problem, options);
    const bool fits = exact.ok() && exact->verdict == Verdict::kFits &&
                      FindViolations(*problem, exact->plan).empty();
    fmt::print(" {:>9} {:>9.2f} {:>9}", fits ? "fits" : "no plan", CpuMilliseconds() - start,
               exact.ok() ? exact->nodes : 0);
  }
  fmt::print("\n");
  std::fflush(stdout);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  int64_t capacity = 0;
  double limit = 60;
  int64_t effort = -1;
  bool good = true;
  fmt::print("{:<22} {:>6} {:>14} {:>14} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "problem",
             "n", "bound", "height", "ratio", "ms", "check ms", "nodes", "exact", "ms", "nodes");
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--capacity") == 0 && i + 1 < argc) {
      capacity = std::strtoll(argv[++i], nullptr, 10);
    } else if (std::strcmp(argv[i], "--limit") == 0 && i + 1 < argc) {
      limit = std::strtod(argv[++i], nullptr);
    } else if (std::strcmp(argv[i], "--effort") == 0 && i + 1 < argc) {
      effort = std::strtoll(argv[++i], nullptr, 10);
    } else {
      good &= MeasureFile(argv[i], capacity, limit, effort);
    }
  }
  return good ? 0 : 1;
}

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "base/file.h"
#include "base/strings.h"
#include "base/subprocess.h"
#include "compiler/clang_output.h"
#include "compiler/command.h"
#include "compiler/depfile.h"
#include "compiler/diagnostics.h"
#include "compiler/precompiled.h"

namespace hostnpu::compiler {

struct Build::Unit {
  std::vector<std::string> command;
  UnitPaths paths;
  base::Result<base::SubprocessResult> run = base::SubprocessResult{};
};

namespace {

/// "dir/add_custom.asc" -> "add_custom".
std::string StemOf(const std::string& path) {
  const std::string name = base::FileNameOf(path);
  const std::string extension = base::ExtensionOf(path);
  const std::string stem = name.substr(0, name.size() - extension.size());
  return stem.empty() ? "program" : stem;
}

/// Runs the jobs, as many at a time as there are cores.
template <typename Job>
void InParallel(size_t count, Job job) {
  const size_t workers = std::min<size_t>(count, std::max(1u, std::thread::hardware_concurrency()));
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i; (i = next.fetch_add(1)) < count;) job(i);
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < workers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
}

std::string DescribeEnd(const base::SubprocessResult& run) {
  return run.signal != 0 ? fmt::format("was ended by signal {}", run.signal)
                         : fmt::format("ended with exit code {}", run.exit_code);
}

}  // namespace

Build::Build(const CompileRequest& request, const Toolchain& toolchain, const SourceSet& sources,
             std::string folder, std::string final_folder, const Cache* cache)
    : request_(request),
      toolchain_(toolchain),
      sources_(sources),
      folder_(std::move(folder)),
      final_folder_(std::move(final_folder)),
      cache_(cache) {}

std::string Build::OutputPath() const {
  const std::string stem =
      StemOf(request_.sources.empty() ? std::string("program") : request_.sources.front().path);
  switch (request_.output) {
    case OutputKind::kExecutable:
      return folder_ + "/" + stem;
    case OutputKind::kSharedObject:
      return folder_ + "/lib" + stem + ".so";
    case OutputKind::kObject:
      return folder_ + "/" + stem + ".o";
  }
  return folder_ + "/" + stem;
}

base::Result<void> Build::WriteInputs() {
  for (const SourceInput& source : request_.sources) {
    const std::string absolute = base::NormalizePath(source.path);
    if (!source.in_memory || prepared_.edited.count(absolute) != 0) continue;
    prepared_.edited.emplace(absolute, ApplyEdits(source.text, {}));
  }
  for (const auto& [absolute, text] : prepared_.edited) {
    auto written = base::WriteFile(folder_ + "/" + EditedFileName(prepared_, absolute), text.text);
    if (!written.ok()) return written;
  }
  for (const GeneratedHeader& header : prepared_.headers) {
    const std::string path = folder_ + "/generated/" + header.name;
    HOSTNPU_TRY(base::MakeDirectories(base::DirectoryOf(path)), "generating a kernel's header");
    HOSTNPU_TRY(base::WriteFile(path, header.text), "generating a kernel's header");
  }
  return base::WriteFile(folder_ + "/overlay.yaml", OverlayYaml(prepared_, folder_));
}

base::Result<std::string> Build::TryPrecompiled() const {
  if (cache_ == nullptr || !MayUsePrecompiled(request_, sources_, toolchain_)) return std::string();
  return PrecompiledHeader(request_, toolchain_, *cache_, prepared_.uses_cpu_twin);
}

base::Result<bool> Build::CompileUnits(std::vector<Unit>& units, BuildResult& result) {
  HOSTNPU_ASSIGN_OR_RETURN(const std::vector<std::string> common,
                           CommonFlags(request_, toolchain_, prepared_.uses_cpu_twin));
  const auto precompiled = TryPrecompiled();  // when it fails, the compilation itself says why
  for (size_t i = 0; i < request_.sources.size(); ++i) {
    const std::string& source = request_.sources[i].path;
    Unit unit;
    unit.paths.source = source;
    unit.paths.object = request_.output == OutputKind::kObject
                            ? OutputPath()
                            : fmt::format("{}/{:02}-{}.o", folder_, i + 1, StemOf(source));
    unit.paths.dependencies = fmt::format("{}/{:02}-{}.d", folder_, i + 1, StemOf(source));
    if (!prepared_.edited.empty()) unit.paths.overlay = folder_ + "/overlay.yaml";
    if (!prepared_.headers.empty()) unit.paths.generated_dir = folder_ + "/generated";
    if (precompiled.ok() && base::ExtensionOf(source) != ".c")
      unit.paths.precompiled = *precompiled;
    unit.command = CompileCommand(request_, toolchain_, common, unit.paths);
    commands_ += base::ShellJoin(unit.command) + "\n";
    units.push_back(std::move(unit));
  }
  InParallel(units.size(),
             [&units](size_t i) { units[i].run = base::RunProgram(units[i].command); });
  bool succeeded = true;
  for (const Unit& unit : units) {
    if (!unit.run.ok()) return unit.run.error();
    result.raw_output += unit.run->err + unit.run->out;
    const ClangOutput output = ParseClangOutput(unit.run->err);
    std::vector<base::Diagnostic> diagnostics =
        ToDiagnostics(output, sources_, prepared_, toolchain_.include_root);
    const bool explained = std::any_of(diagnostics.begin(), diagnostics.end(), [](const auto& d) {
      return d.severity == base::Severity::kError;
    });
    if (!unit.run->ok() && !explained) {
      base::Diagnostic diagnostic;
      diagnostic.location.file = unit.paths.source;
      diagnostic.message = "the compiler " + DescribeEnd(*unit.run) + " without saying why";
      diagnostics.push_back(std::move(diagnostic));
    }
    result.diagnostics += base::Render(diagnostics);
    succeeded &= unit.run->ok();
  }
  return succeeded;
}

std::string Build::RenderLinkFailure(const std::string& output) const {
  std::vector<base::Diagnostic> diagnostics =
      ToLinkDiagnostics(ParseLinkerOutput(output), sources_,
                        request_.sources.empty() ? std::string() : request_.sources.front().path);
  if (diagnostics.empty()) {
    base::Diagnostic diagnostic;
    const auto lines = base::SplitLines(output);
    diagnostic.message = lines.empty() ? "the linker failed without saying why"
                                       : "the linker failed: " + std::string(lines.front());
    diagnostics.push_back(std::move(diagnostic));
  }
  return base::Render(diagnostics);
}

base::Result<bool> Build::Link(const std::vector<Unit>& units, BuildResult& result) {
  std::vector<std::string> objects;
  for (const Unit& unit : units) objects.push_back(unit.paths.object);
  const std::vector<std::string> command =
      LinkCommand(request_, toolchain_, objects, result.object);
  commands_ += base::ShellJoin(command) + "\n";
  HOSTNPU_ASSIGN_OR_RETURN(const base::SubprocessResult run, base::RunProgram(command));
  result.raw_output += run.err + run.out;
  if (!run.ok()) result.diagnostics += RenderLinkFailure(run.err);
  for (const std::string& object : objects) (void)base::RemoveTree(object);
  return run.ok();
}

void Build::CollectDependencies(const std::vector<Unit>& units, BuildResult& result) const {
  std::set<std::string> seen;
  for (const Unit& unit : units) {
    for (const std::string& path : ReadDependencies(unit.paths.dependencies)) {
      const std::string absolute = base::NormalizePath(path);
      if (sources_.files.count(absolute) != 0 || absolute.starts_with(folder_ + "/") ||
          absolute.starts_with(toolchain_.include_root + "/") || path == unit.paths.precompiled ||
          !seen.insert(absolute).second) {
        continue;
      }
      if (auto dependency = Dependency::Of(absolute)) result.dependencies.push_back(*dependency);
    }
  }
}

base::Result<BuildResult> Build::Run() {
  BuildResult result;
  const bool export_launchers = request_.output != OutputKind::kExecutable;
  prepared_ = PrepareSources(sources_, export_launchers);
  result.kernels = prepared_.kernels;
  result.object = OutputPath();
  auto written = WriteInputs();
  if (!written.ok()) return std::move(written).error();
  std::vector<Unit> units;
  auto compiled = CompileUnits(units, result);
  if (!compiled.ok()) return std::move(compiled).error();
  result.succeeded = *compiled;
  if (result.succeeded && request_.output != OutputKind::kObject) {
    auto linked = Link(units, result);
    if (!linked.ok()) return std::move(linked).error();
    result.succeeded = *linked;
  }
  if (result.succeeded) CollectDependencies(units, result);
  (void)base::WriteFile(folder_ + "/command", base::ReplaceAll(commands_, folder_, final_folder_));
  (void)base::WriteFile(folder_ + "/overlay.yaml", OverlayYaml(prepared_, final_folder_));
  (void)base::WriteFile(folder_ + "/log", result.raw_output);
  return result;
}

bool Build::SourcesUnchanged() const {
  for (const auto& [absolute, file] : sources_.files) {
    if (prepared_.edited.count(absolute) != 0) continue;  // clang read our copy
    const auto text = base::ReadFile(file.absolute);
    if (!text.ok() || base::HashBytes(*text) != file.hash) return false;
  }
  return true;
}

}  // namespace hostnpu::compiler

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
  Variant variant = Variant::kBoth;
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
      // The folder has a "command" and a "log" of its own.
      return folder_ + "/" + stem + (stem == "command" || stem == "log" ? "_program" : "");
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

base::Result<std::string> Build::TryPrecompiled(const CompileRequest& request) const {
  if (cache_ == nullptr || !MayUsePrecompiled(request, sources_, toolchain_)) return std::string();
  return PrecompiledHeader(request, toolchain_, *cache_, prepared_.uses_cpu_twin);
}

base::Result<void> Build::AddUnits(Variant variant, std::vector<Unit>& units) {
  CompileRequest request = request_;
  const std::vector<std::string> defines = DefinesOf(variant);
  request.defines.insert(request.defines.begin(), defines.begin(), defines.end());
  HOSTNPU_ASSIGN_OR_RETURN(const std::vector<std::string> common,
                           CommonFlags(request, toolchain_, prepared_.uses_cpu_twin));
  const auto precompiled = TryPrecompiled(request);  // when it fails, the compilation says why
  for (size_t i = 0; i < request.sources.size(); ++i) {
    const std::string& source = request.sources[i].path;
    const std::string name = fmt::format("{}/{:02}-{}{}", folder_, i + 1, StemOf(source),
                                         variant == Variant::kCube ? "-cube" : "");
    Unit unit;
    unit.variant = variant;
    unit.paths.source = source;
    const bool is_result = request.output == OutputKind::kObject && variant == Variant::kBoth;
    unit.paths.object = is_result ? OutputPath() : name + ".o";
    unit.paths.dependencies = name + ".d";
    if (!prepared_.edited.empty()) unit.paths.overlay = folder_ + "/overlay.yaml";
    if (!prepared_.headers.empty()) unit.paths.generated_dir = folder_ + "/generated";
    if (precompiled.ok() && base::ExtensionOf(source) != ".c")
      unit.paths.precompiled = *precompiled;
    unit.command = CompileCommand(request, toolchain_, common, unit.paths);
    commands_ += base::ShellJoin(unit.command) + "\n";
    units.push_back(std::move(unit));
  }
  return {};
}

base::Result<bool> Build::CompileUnits(std::vector<Unit>& units, BuildResult& result) {
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
    const std::string rendered = base::Render(diagnostics);  // both variants warn about the same
    if (unit.variant != Variant::kCube || result.diagnostics.find(rendered) == std::string::npos) {
      result.diagnostics += rendered;
    }
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

base::Result<bool> Build::RunStep(const std::vector<std::string>& command, BuildResult& result) {
  commands_ += base::ShellJoin(command) + "\n";
  HOSTNPU_ASSIGN_OR_RETURN(const base::SubprocessResult run, base::RunProgram(command));
  result.raw_output += run.err + run.out;
  if (!run.ok()) result.diagnostics += RenderLinkFailure(run.err);
  return run.ok();
}

base::Result<bool> Build::EmbedCubeVariant(const std::vector<Unit>& units, std::string* object,
                                           BuildResult& result) {
  std::vector<std::string> objects;
  for (const Unit& unit : units) {
    if (unit.variant == Variant::kCube) objects.push_back(unit.paths.object);
  }
  if (objects.empty()) return true;
  const std::string variant = folder_ + "/cube-variant.so";
  const std::string script = folder_ + "/cube-variant.map";
  const std::string loader = folder_ + "/cube-loader.c";
  HOSTNPU_TRY(base::WriteFile(script, "{ local: *; };\n"), "embedding the cube variant");
  HOSTNPU_TRY(base::WriteFile(loader, EmbeddedLoaderText(variant)), "embedding the cube variant");
  CompileRequest request = request_;
  request.output = OutputKind::kSharedObject;
  request.link_inputs.push_back("-Wl,--version-script=" + script);
  HOSTNPU_ASSIGN_OR_RETURN(const bool linked,
                           RunStep(LinkCommand(request, toolchain_, objects, variant), result));
  for (const std::string& used : objects) (void)base::RemoveTree(used);
  if (!linked) return false;
  *object = folder_ + "/cube-loader.o";
  HOSTNPU_ASSIGN_OR_RETURN(const bool compiled, RunStep({toolchain_.compiler, "-x", "c", "-O1",
                                                         "-fPIC", "-c", loader, "-o", *object},
                                                        result));
  (void)base::RemoveTree(variant);
  return compiled;
}

base::Result<bool> Build::Link(const std::vector<Unit>& units, const std::string& embedded,
                               BuildResult& result) {
  std::vector<std::string> objects;
  for (const Unit& unit : units) {
    if (unit.variant != Variant::kCube) objects.push_back(unit.paths.object);
  }
  if (!embedded.empty()) objects.push_back(embedded);
  std::vector<std::string> command = LinkCommand(request_, toolchain_, objects, result.object);
  if (request_.output == OutputKind::kObject) {  // an object with its cube variant: merge the two
    command = {toolchain_.compiler, "--ld-path=" + toolchain_.linker, "-r", "-nostdlib"};
    command.insert(command.end(), objects.begin(), objects.end());
    command.insert(command.end(), {"-o", result.object});
  }
  auto linked = RunStep(command, result);
  for (const std::string& object : objects) (void)base::RemoveTree(object);
  return linked;
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
  const bool twice = prepared_.needs_two_variants;
  HOSTNPU_TRY(AddUnits(twice ? Variant::kVector : Variant::kBoth, units), "compiling");
  if (twice) HOSTNPU_TRY(AddUnits(Variant::kCube, units), "compiling");
  HOSTNPU_ASSIGN_OR_RETURN(result.succeeded, CompileUnits(units, result));
  std::string embedded;
  if (result.succeeded) {
    HOSTNPU_ASSIGN_OR_RETURN(result.succeeded, EmbedCubeVariant(units, &embedded, result));
  }
  if (result.succeeded && (request_.output != OutputKind::kObject || twice)) {
    HOSTNPU_ASSIGN_OR_RETURN(result.succeeded, Link(units, embedded, result));
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

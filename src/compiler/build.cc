// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "base/file.h"
#include "base/parallel.h"
#include "base/strings.h"
#include "base/subprocess.h"
#include "compiler/clang_output.h"
#include "compiler/command.h"
#include "compiler/depfile.h"
#include "compiler/diagnostics.h"
#include "compiler/direct_link.h"
#include "compiler/precompiled.h"

namespace hostnpu::compiler {

struct Build::Unit {
  std::vector<std::string> command;
  UnitPaths paths;
  Variant variant = Variant::kBoth;
  PrecompiledHeader precompiled;
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

bool AreThere(const std::vector<std::string>& files) {
  return std::all_of(files.begin(), files.end(), base::IsFile);
}

std::string DescribeEnd(const base::SubprocessResult& run) {
  return run.signal != 0 ? fmt::format("was ended by signal {}", run.signal)
                         : fmt::format("ended with exit code {}", run.exit_code);
}

}  // namespace

Build::Build(const CompileRequest& request, const Toolchain& toolchain, const SourceSet& sources,
             const Headers& headers, std::string folder, std::string final_folder,
             const Cache* cache)
    : request_(request),
      toolchain_(toolchain),
      sources_(sources),
      headers_(headers),
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

CompileRequest Build::RequestOf(Variant variant) const {
  CompileRequest request = request_;
  const std::vector<std::string> defines = DefinesOf(variant);
  request.defines.insert(request.defines.begin(), defines.begin(), defines.end());
  return request;
}

/// The precompiled header of each variant; an empty one where there is none to be used, or none can
/// be made: then the compilation says why.
std::vector<PrecompiledHeader> Build::PrecompileFor(const std::vector<Variant>& variants,
                                                    const PrecompiledChoice& choice) const {
  std::vector<PrecompiledHeader> headers(variants.size());
  if (choice.none()) return headers;
  base::InParallel(variants.size(), [&](size_t i) {
    auto header = Precompile(choice, RequestOf(variants[i]), request_, toolchain_, *cache_,
                             prepared_.uses_cpu_twin);
    if (header.ok()) headers[i] = *std::move(header);
  });
  return headers;
}

base::Result<std::vector<std::string>> Build::CommandOf(const Unit& unit) const {
  const CompileRequest request = RequestOf(unit.variant);
  HOSTNPU_ASSIGN_OR_RETURN(const std::vector<std::string> common,
                           CommonFlags(request, toolchain_, prepared_.uses_cpu_twin));
  return CompileCommand(request, toolchain_, common, unit.paths);
}

base::Result<void> Build::AddUnits(Variant variant, const PrecompiledHeader& precompiled,
                                   std::vector<Unit>& units) {
  for (size_t i = 0; i < request_.sources.size(); ++i) {
    const std::string& source = request_.sources[i].path;
    const std::string name = fmt::format("{}/{:02}-{}{}", folder_, i + 1, StemOf(source),
                                         variant == Variant::kCube ? "-cube" : "");
    Unit unit;
    unit.variant = variant;
    unit.paths.source = source;
    const bool is_result = request_.output == OutputKind::kObject && variant == Variant::kBoth;
    unit.paths.object = is_result ? OutputPath() : name + ".o";
    unit.paths.dependencies = name + ".d";
    if (!prepared_.edited.empty()) unit.paths.overlay = folder_ + "/overlay.yaml";
    if (!prepared_.headers.empty()) unit.paths.generated_dir = folder_ + "/generated";
    if (base::ExtensionOf(source) != ".c") unit.precompiled = precompiled;
    unit.paths.precompiled = unit.precompiled.path();
    for (const std::string& file : unit.precompiled.files) files_of_cache_.push_back(file);
    HOSTNPU_ASSIGN_OR_RETURN(unit.command, CommandOf(unit));
    units.push_back(std::move(unit));
  }
  return {};
}

/// A source that does not compile behind the host's headers, whose names may clash with its own,
/// is compiled again behind the kernel's alone.
void Build::CompileUnit(Unit& unit) const {
  unit.run = base::RunProgram(unit.command);
  const bool failed = unit.run.ok() && !unit.run->ok();
  if (!failed || unit.precompiled.path().empty() || precompiled_.host_header.empty()) return;
  if (!AreThere(unit.precompiled.files)) return;  // no fault of the source: see Run()
  PrecompiledChoice kernel_only = precompiled_;
  kernel_only.host_header.clear();
  unit.precompiled = PrecompileFor({unit.variant}, kernel_only).front();
  unit.paths.precompiled = unit.precompiled.path();
  const auto command = CommandOf(unit);
  if (!command.ok()) return;
  unit.command = *command;
  unit.run = base::RunProgram(unit.command);
}

/// For the answer that stays in the cache: with any object, which has to be there, it is the same.
void Build::AskHowToLink() const {
  if (cache_ == nullptr) return;
  const std::vector<std::string> objects = {folder_ + "/question.o"};
  if (!base::WriteFile(objects[0], "").ok()) return;
  (void)DirectLinkCommand(LinkCommand(request_, toolchain_, objects, OutputPath()), objects,
                          OutputPath(), toolchain_, *cache_);
  (void)base::RemoveTree(objects[0]);
}

base::Result<bool> Build::CompileUnits(std::vector<Unit>& units, BuildResult& result) {
  // The objects of precompiled headers, where they are not made yet, are made meanwhile; so is the
  // question of how to link.
  std::map<std::string, PrecompiledHeader> headers;
  for (const Unit& unit : units) {
    if (!unit.precompiled.object_command.empty()) {
      headers.emplace(unit.precompiled.path(), unit.precompiled);
    }
  }
  std::vector<std::function<void()>> jobs;
  for (Unit& unit : units) jobs.push_back([this, &unit] { CompileUnit(unit); });
  for (const auto& [path, header] : headers) {
    jobs.push_back([this, &header = header] {
      (void)PrecompiledObject(header, toolchain_, *cache_);  // ObjectsToLink asks again
    });
  }
  if (request_.output != OutputKind::kObject) jobs.push_back([this] { AskHowToLink(); });
  base::InParallel(jobs.size(), [&jobs](size_t i) { jobs[i](); });
  for (const Unit& unit : units) {
    commands_ += base::ShellJoin(unit.command) + "\n";
    for (const std::string& file : unit.precompiled.files) files_of_cache_.push_back(file);
  }
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

base::Result<bool> Build::RunLink(const std::vector<std::string>& command,
                                  const std::vector<std::string>& objects,
                                  const std::string& output, BuildResult& result) {
  commands_ += base::ShellJoin(command) + "\n";
  std::optional<std::vector<std::string>> direct;
  if (cache_ != nullptr) direct = DirectLinkCommand(command, objects, output, toolchain_, *cache_);
  HOSTNPU_ASSIGN_OR_RETURN(const base::SubprocessResult run,
                           base::RunProgram(direct ? *direct : command));
  return Linked(run, result);
}

base::Result<bool> Build::RunStep(const std::vector<std::string>& command, BuildResult& result) {
  commands_ += base::ShellJoin(command) + "\n";
  HOSTNPU_ASSIGN_OR_RETURN(const base::SubprocessResult run, base::RunProgram(command));
  return Linked(run, result);
}

bool Build::Linked(const base::SubprocessResult& run, BuildResult& result) const {
  result.raw_output += run.err + run.out;
  // lld writes through a mapping of its output: where the disk has no room for it, that is a
  // SIGBUS.
  if (run.signal == SIGBUS || run.err.find(strsignal(SIGBUS)) != std::string::npos) {
    result.raw_output += base::SystemMessage(ENOSPC) + "\n";
  }
  if (!run.ok()) result.diagnostics += RenderLinkFailure(run.err);
  return run.ok();
}

/// The objects of the cube variant, or of the others, and of the headers they were compiled behind.
base::Result<std::vector<std::string>> Build::ObjectsToLink(const std::vector<Unit>& units,
                                                            bool of_cube) {
  std::vector<std::string> objects;
  std::set<std::string> shared;
  for (const Unit& unit : units) {
    if ((unit.variant == Variant::kCube) != of_cube) continue;
    objects.push_back(unit.paths.object);
    if (unit.precompiled.object_command.empty()) continue;
    HOSTNPU_ASSIGN_OR_RETURN(std::string object,
                             PrecompiledObject(unit.precompiled, toolchain_, *cache_));
    files_of_cache_.push_back(object);
    shared.insert(std::move(object));
  }
  objects.insert(objects.end(), shared.begin(), shared.end());
  return objects;
}

void Build::RemoveObjects(const std::vector<Unit>& units, bool of_cube) {
  for (const Unit& unit : units) {
    if ((unit.variant == Variant::kCube) == of_cube) (void)base::RemoveTree(unit.paths.object);
  }
}

base::Result<bool> Build::EmbedCubeVariant(const std::vector<Unit>& units, std::string* object,
                                           BuildResult& result) {
  HOSTNPU_ASSIGN_OR_RETURN(const std::vector<std::string> objects, ObjectsToLink(units, true));
  if (objects.empty()) return true;
  const std::string variant = folder_ + "/cube-variant.so";
  const std::string script = folder_ + "/cube-variant.map";
  const std::string loader = folder_ + "/cube-loader.c";
  HOSTNPU_TRY(base::WriteFile(script, "{ local: *; };\n"), "embedding the cube variant");
  HOSTNPU_TRY(base::WriteFile(loader, EmbeddedLoaderText(variant)), "embedding the cube variant");
  CompileRequest request = request_;
  request.output = OutputKind::kSharedObject;
  request.link_inputs.push_back("-Wl,--version-script=" + script);
  HOSTNPU_ASSIGN_OR_RETURN(
      const bool linked,
      RunLink(LinkCommand(request, toolchain_, objects, variant), objects, variant, result));
  RemoveObjects(units, true);
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
  HOSTNPU_ASSIGN_OR_RETURN(std::vector<std::string> objects, ObjectsToLink(units, false));
  if (!embedded.empty()) objects.push_back(embedded);
  std::vector<std::string> command = LinkCommand(request_, toolchain_, objects, result.object);
  if (request_.output == OutputKind::kObject) {  // an object with its cube variant: merge the two
    command = {toolchain_.compiler, "--ld-path=" + toolchain_.linker, "-r", "-nostdlib"};
    command.insert(command.end(), objects.begin(), objects.end());
    command.insert(command.end(), {"-o", result.object});
  }
  auto linked = RunLink(command, objects, result.object, result);
  RemoveObjects(units, false);
  if (!embedded.empty()) (void)base::RemoveTree(embedded);
  return linked;
}

void Build::CollectDependencies(const std::vector<Unit>& units, BuildResult& result) const {
  std::set<std::string> seen;
  for (const Unit& unit : units) {
    for (const std::string& path : ReadDependencies(unit.paths.dependencies)) {
      const std::string absolute = base::NormalizePath(path);
      if (sources_.files.count(absolute) != 0 || absolute.starts_with(folder_ + "/") ||
          absolute.starts_with(toolchain_.include_root + "/") ||
          base::ExtensionOf(absolute) == ".pch" || !seen.insert(absolute).second) {
        continue;
      }
      if (auto dependency = Dependency::Of(absolute)) result.dependencies.push_back(*dependency);
    }
  }
}

/// Whether another process, or the cache's limit, took away what a step needed.
bool Build::LostPrecompiled() const { return !AreThere(files_of_cache_); }

base::Result<BuildResult> Build::CompileAndLink() {
  BuildResult result;
  result.kernels = prepared_.kernels;
  result.object = OutputPath();
  const bool twice = prepared_.needs_two_variants;
  const std::vector<Variant> variants =
      twice ? std::vector{Variant::kVector, Variant::kCube} : std::vector{Variant::kBoth};
  const std::vector<PrecompiledHeader> headers = PrecompileFor(variants, precompiled_);
  std::vector<Unit> units;
  for (size_t i = 0; i < variants.size(); ++i) {
    HOSTNPU_TRY(AddUnits(variants[i], headers[i], units), "compiling");
  }
  HOSTNPU_ASSIGN_OR_RETURN(result.succeeded, CompileUnits(units, result));
  std::string embedded;
  if (result.succeeded) {
    HOSTNPU_ASSIGN_OR_RETURN(result.succeeded, EmbedCubeVariant(units, &embedded, result));
  }
  if (result.succeeded && (request_.output != OutputKind::kObject || twice)) {
    HOSTNPU_ASSIGN_OR_RETURN(result.succeeded, Link(units, embedded, result));
  }
  if (result.succeeded) CollectDependencies(units, result);
  return result;
}

base::Result<BuildResult> Build::Run() {
  const bool export_launchers = request_.output != OutputKind::kExecutable;
  prepared_ = PrepareSources(sources_, export_launchers, request_.defines);
  auto written = WriteInputs();
  if (!written.ok()) return std::move(written).error();
  if (cache_ != nullptr) precompiled_ = ChoosePrecompiled(request_, sources_, headers_);
  auto attempt = CompileAndLink();
  const bool failed = !attempt.ok() || !attempt->succeeded;
  if (failed && LostPrecompiled()) {
    precompiled_ = {};
    commands_.clear();
    attempt = CompileAndLink();
    if (attempt.ok()) {
      attempt->notice =
          "headers compiled ahead left the cache while they were in use; this was compiled without "
          "them (HOSTNPU_CACHE_LIMIT_MB says how much the cache keeps)";
    }
  }
  if (!attempt.ok()) return std::move(attempt).error();
  BuildResult& result = *attempt;
  (void)base::WriteFile(folder_ + "/command", base::ReplaceAll(commands_, folder_, final_folder_));
  (void)base::WriteFile(folder_ + "/overlay.yaml", OverlayYaml(prepared_, final_folder_));
  (void)base::WriteFile(folder_ + "/log", result.raw_output);
  return attempt;
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

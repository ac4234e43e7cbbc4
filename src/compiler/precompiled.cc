// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// kernel_operator.h is most of what clang reads in a small kernel. Precompiled it costs
// milliseconds. It must be invisible: a macro that our headers test, defined before the include, is
// either part of the precompiled header's own flags (-D) or rules it out (#define). Names that our
// headers only use as names (template parameters called T or N) do not matter: precompiled they are
// safer than not.
#include "compiler/precompiled.h"

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/hash.h"
#include "base/strings.h"
#include "base/subprocess.h"
#include "compiler/command.h"
#include "compiler/depfile.h"
#include "compiler/headers.h"

namespace hostnpu::compiler {
namespace {

constexpr const char* kHeader = "kernel_operator.h";

/// The names that `#define` and `#undef` lines of a text touch.
std::vector<std::string> DefinedNames(std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view raw : base::SplitLines(text)) {
    std::string_view line = base::Trim(raw);
    if (!line.starts_with('#')) continue;
    line = base::Trim(line.substr(1));
    if (!line.starts_with("define ") && !line.starts_with("undef ")) continue;
    line = base::Trim(line.substr(line.find(' ')));
    const size_t end = std::min(line.find_first_of(" \t("), line.size());
    names.emplace_back(line.substr(0, end));
  }
  return names;
}

bool IsKeyword(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kKeywords = {
      "private", "protected", "class", "inline", "static", "const", "final", "public", "explicit"};
  return std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end();
}

/// A macro that the system's headers may test: reserved names.
bool IsReserved(std::string_view name) { return name.starts_with('_'); }

std::string NameOfDefine(const std::string& define) { return define.substr(0, define.find('=')); }

/// The request with only those macros that the headers can see.
CompileRequest ReducedRequest(const CompileRequest& request, const Toolchain& toolchain) {
  CompileRequest reduced = request;
  const auto matters = [&toolchain](const std::string& define) {
    const std::string name = NameOfDefine(define);
    return IsReserved(name) || IsKeyword(name) || HeadersTestMacro(toolchain.include_root, name);
  };
  const auto drop = [&matters](std::vector<std::string>& list) {
    list.erase(std::remove_if(list.begin(), list.end(),
                              [&matters](const std::string& item) { return !matters(item); }),
               list.end());
  };
  drop(reduced.defines);
  drop(reduced.undefines);
  reduced.include_dirs.clear();
  auto& flags = reduced.compiler_flags;
  flags.erase(std::remove_if(flags.begin(), flags.end(),
                             [](const std::string& flag) {
                               return flag.starts_with("-l") || flag.starts_with("-L") ||
                                      flag.starts_with("-Wl,") || flag.starts_with("-I");
                             }),
              flags.end());
  return reduced;
}

}  // namespace

bool MayUsePrecompiled(const CompileRequest& request, const SourceSet& sources,
                       const Toolchain& toolchain) {
  if (!sources.Includes(kHeader)) return false;
  for (const std::string& flag : request.compiler_flags) {
    // Another language, another order of includes, or another precompiled header.
    for (const char* prefix :
         {"-include", "-imacros", "-D", "-U", "-x", "-isystem", "-iquote", "-f"}) {
      if (flag.starts_with(prefix)) return false;
    }
  }
  for (const auto& [absolute, file] : sources.files) {
    std::string_view before = file.text;
    const bool is_source = std::find(sources.sources.begin(), sources.sources.end(), absolute) !=
                           sources.sources.end();
    if (is_source) {
      for (const IncludeLine& include : FindIncludes(file.text)) {
        if (include.name == kHeader) before = before.substr(0, include.offset);
      }
    }
    for (const std::string& name : DefinedNames(before)) {
      if (IsReserved(name) || IsKeyword(name)) return false;
      if (HeadersTestMacro(toolchain.include_root, name)) return false;
    }
  }
  return true;
}

base::Result<std::string> PrecompiledHeader(const CompileRequest& request,
                                            const Toolchain& toolchain, const Cache& cache,
                                            bool uses_cpu_twin) {
  const CompileRequest reduced = ReducedRequest(request, toolchain);
  HOSTNPU_ASSIGN_OR_RETURN(const std::vector<std::string> common,
                           CommonFlags(reduced, toolchain, uses_cpu_twin));
  std::vector<std::string> words = {toolchain.compiler, "-x", "c++-header",
                                    "-std=" + reduced.standard};
  words.insert(words.end(), common.begin(), common.end());
  words.insert(words.end(), reduced.compiler_flags.begin(), reduced.compiler_flags.end());
  words.insert(words.end(), {"-fpch-instantiate-templates", "-w"});
  std::string key = "precompiled header\n" + base::ShellJoin(words) + "\n" + CpuIdentity() + "\n" +
                    FileIdentity(toolchain.compiler) + "\n";
  for (const std::string& variable : {"CPATH", "CPLUS_INCLUDE_PATH"}) {
    const char* value = std::getenv(variable.c_str());
    key += variable + "=" + (value == nullptr ? "" : value) + "\n";
  }
  const std::string name = "pch-" + base::HashBytes(key).ToHex().substr(0, 16);
  if (const auto entry = cache.Find(name, key)) return entry->object_path;
  HOSTNPU_ASSIGN_OR_RETURN(const base::FileLock lock, cache.Lock(name));
  if (const auto entry = cache.Find(name, key)) return entry->object_path;
  HOSTNPU_ASSIGN_OR_RETURN(const std::string work, cache.MakeWorkFolder());
  const std::string object = std::string(kHeader) + ".pch";
  const std::string dependencies = work + "/dependencies";
  words.insert(words.end(), {"-MD", "-MF", dependencies, toolchain.IncludeDirs()[0] + "/" + kHeader,
                             "-o", work + "/" + object});
  const auto run = base::RunProgram(words);
  if (!run.ok() || !run->ok()) {
    (void)base::RemoveTree(work);
    if (!run.ok()) return run.error();
    return base::Error{base::Code::kCompileError, run->err, {}};
  }
  (void)base::WriteFile(work + "/command", base::ShellJoin(words) + "\n");
  Manifest manifest;
  manifest.key = key;
  manifest.object = object;
  for (const std::string& path : ReadDependencies(dependencies)) {
    if (auto dependency = Dependency::Of(path)) manifest.dependencies.push_back(*dependency);
  }
  auto entry = cache.Insert(name, work, std::move(manifest));
  if (!entry.ok()) {
    (void)base::RemoveTree(work);
    return std::move(entry).error();
  }
  return entry->object_path;
}

}  // namespace hostnpu::compiler

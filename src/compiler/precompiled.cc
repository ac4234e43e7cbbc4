// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// The headers are most of what clang reads in a small program, and the functions in them most of
// what it generates code for. Compiled ahead, the first costs milliseconds and the second nothing:
//
//   host.pch     <- host headers (C++ library, ACL), only for programs that include some of them
//   kernel.pch   <- host.pch + the kernel's header
//   kernel.o     <- kernel.pch: the functions of the kernel's header that are no templates
//
// It must be invisible: a macro that our headers test, defined before the include, is either part
// of the precompiled header's own flags (-D) or rules it out (#define). Names that our headers only
// use as names (template parameters called T or N) do not matter: precompiled they are safer than
// not. Names of host headers that a program did not ask for can matter, so that what fails with
// them is compiled again without (Build).
#include "compiler/precompiled.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/file.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/strings.h"
#include "base/subprocess.h"
#include "compiler/cache_key.h"
#include "compiler/command.h"
#include "compiler/depfile.h"
#include "compiler/variant.h"

namespace hostnpu::compiler {
namespace {

/// A header that programs include, and the one compiled ahead for it: the same with what most
/// programs instantiate of its templates.
struct KernelHeader {
  std::string_view included;
  std::string_view compiled;
};
/// The first that is included counts: each includes those behind it.
constexpr std::array<KernelHeader, 2> kKernelHeaders = {{
    {"tilelang/tile.h", "tilelang/tile_common.h"},
    {"kernel_operator.h", "detail/kernel_common.h"},
}};

/// What is slow enough to read that a program which includes it gets detail/host_headers.h.
constexpr std::array<std::string_view, 18> kHostHeaders = {
    "algorithm", "array",  "chrono",  "fstream", "functional", "iomanip",
    "iostream",  "limits", "map",     "memory",  "numeric",    "sstream",
    "string",    "vector", "istream", "ostream", "utility",    "unordered_map"};

/// The same for detail/host_math_headers.h.
constexpr std::array<std::string_view, 4> kMathHeaders = {"cmath", "math.h", "random", "complex"};

/// The functions of this precompiled header are in an object of their own.
const std::array<std::string, 3> kWithObject = {"-fpch-codegen", "-Xclang",
                                                "-building-pch-with-obj"};

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

/// Whether a macro may change what headers say: a keyword, a reserved name (the system's headers
/// may ask for it), or one that ours ask for.
bool MayMatter(const std::string& name, const std::set<std::string>& tested) {
  static constexpr std::array<std::string_view, 9> kKeywords = {
      "private", "protected", "class", "inline", "static", "const", "final", "public", "explicit"};
  return name.starts_with('_') || tested.count(name) != 0 ||
         std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end();
}

/// `_DATA_UTILS_H_`: reserved or not, nobody but its own header asks for it.
bool IsIncludeGuard(std::string_view name) {
  while (name.ends_with('_')) name.remove_suffix(1);
  return name.ends_with("_H") || name.ends_with("_HPP");
}

/// The request with only those macros that the headers can see.
CompileRequest ReducedRequest(const CompileRequest& request, const std::set<std::string>& tested) {
  CompileRequest reduced = request;
  const auto drop = [&tested](std::vector<std::string>& list) {
    list.erase(std::remove_if(list.begin(), list.end(),
                              [&tested](const std::string& item) {
                                return !MayMatter(item.substr(0, item.find('=')), tested);
                              }),
               list.end());
  };
  drop(reduced.defines);
  drop(reduced.undefines);
  reduced.include_dirs.clear();
  auto& flags = reduced.compiler_flags;
  flags.erase(std::remove_if(flags.begin(), flags.end(),
                             [](const std::string& flag) {
                               return IsLinkerWord(flag) || flag.starts_with("-I");
                             }),
              flags.end());
  return reduced;
}

/// clang's words for a text of `language`, all but the files.
base::Result<std::vector<std::string>> CommandFor(const std::string& language,
                                                  const CompileRequest& reduced,
                                                  const Toolchain& toolchain, bool uses_cpu_twin) {
  HOSTNPU_ASSIGN_OR_RETURN(const std::vector<std::string> common,
                           CommonFlags(reduced, toolchain, uses_cpu_twin));
  std::vector<std::string> words = {toolchain.compiler, "-x", language, "-std=" + reduced.standard};
  words.insert(words.end(), common.begin(), common.end());
  words.insert(words.end(), reduced.compiler_flags.begin(), reduced.compiler_flags.end());
  words.push_back("-w");
  if (language == "c++-header") words.push_back("-fpch-instantiate-templates");
  return words;
}

std::string FindHeader(const Toolchain& toolchain, const std::string& name) {
  for (const std::string& directory : toolchain.IncludeDirs()) {
    std::string path = base::JoinPath(directory, name);
    if (base::IsFile(path)) return path;
  }
  return name;
}

/// One file to be made by clang and kept in the cache.
struct Product {
  std::string name;                ///< of the file
  std::vector<std::string> words;  ///< clang's, all but the files
  std::string input;
  const CacheEntry* base = nullptr;  ///< another product that it is made from
};

/// The files that a product was made from: its base, which stands for what that was made from, and
/// what clang read beyond it.
std::vector<Dependency> DependenciesOf(const Product& product, const std::string& list) {
  std::vector<Dependency> dependencies;
  std::set<std::string> of_base = {"/dev/null"};
  if (product.base != nullptr) {
    for (const Dependency& each : product.base->manifest.dependencies) of_base.insert(each.path);
    if (auto base = Dependency::Of(product.base->object_path)) dependencies.push_back(*base);
  }
  for (const std::string& path : ReadDependencies(list)) {
    if (!of_base.insert(path).second) continue;
    if (auto dependency = Dependency::Of(path)) dependencies.push_back(*dependency);
  }
  return dependencies;
}

/// The entry of a product: of the build, else of the cache, made where there is none. Its base was
/// verified: an entry that was made from it needs no other look at the base's files.
base::Result<CacheEntry> MakeEntry(Product product, const Toolchain& toolchain,
                                   const Cache& cache) {
  std::vector<std::string>& words = product.words;
  words.push_back(product.input);
  std::string key = "precompiled " + product.name + "\n" + base::ShellJoin(words) + "\n" +
                    CpuIdentity() + "\n" + FileIdentity(toolchain.compiler) + "\n";
  for (const std::string& variable : RelevantEnvironment()) key += variable + "\n";
  const std::string name = "pch-" + base::HashBytes(key).ToHex().substr(0, 16);
  if (auto entry = Cache(toolchain.precompiled_dir).Find(name, key)) return *std::move(entry);
  if (auto entry = cache.Find(name, key)) return *std::move(entry);
  HOSTNPU_ASSIGN_OR_RETURN(const base::FileLock lock, cache.Lock(name));
  if (auto entry = cache.Find(name, key)) return *std::move(entry);
  HOSTNPU_ASSIGN_OR_RETURN(const std::string work, cache.MakeWorkFolder());
  const std::string dependencies = work + "/dependencies";
  words.insert(words.end(), {"-MD", "-MF", dependencies, "-o", work + "/" + product.name});
  const auto run = base::RunProgram(words);
  if (!run.ok() || !run->ok()) {
    (void)base::RemoveTree(work);
    if (!run.ok()) return run.error();
    return base::Error{base::Code::kCompileError, run->err, {}};
  }
  (void)base::WriteFile(work + "/command", base::ShellJoin(words) + "\n");
  Manifest manifest;
  manifest.key = key;
  manifest.object = product.name;
  manifest.dependencies = DependenciesOf(product, dependencies);
  auto entry = cache.Insert(name, work, std::move(manifest));
  if (!entry.ok()) (void)base::RemoveTree(work);
  return entry;
}

}  // namespace

PrecompiledChoice ChoosePrecompiled(const CompileRequest& request, const SourceSet& sources,
                                    const Headers& headers) {
  const auto included = [&sources](std::string_view name) { return sources.Includes(name); };
  const auto kernel =
      std::find_if(kKernelHeaders.begin(), kKernelHeaders.end(),
                   [&included](const KernelHeader& header) { return included(header.included); });
  if (kernel == kKernelHeaders.end()) return {};
  for (const std::string& flag : request.compiler_flags) {
    // Another language, another order of includes, or another precompiled header.
    for (const char* prefix :
         {"-include", "-imacros", "-D", "-U", "-x", "-isystem", "-iquote", "-f"}) {
      if (flag.starts_with(prefix)) return {};
    }
  }
  PrecompiledChoice choice;
  choice.tested_macros = headers.TestedMacros();
  for (const auto& [absolute, file] : sources.files) {
    std::string_view before = file.text;
    const bool is_source = std::find(sources.sources.begin(), sources.sources.end(), absolute) !=
                           sources.sources.end();
    if (is_source) {
      for (const IncludeLine& include : FindIncludes(file.text)) {
        if (include.name == kernel->included) before = before.substr(0, include.offset);
      }
    }
    for (const std::string& name : DefinedNames(before)) {
      if (MayMatter(name, choice.tested_macros) && !IsIncludeGuard(name)) return {};
    }
  }
  choice.kernel_header = kernel->compiled;
  if (std::any_of(kMathHeaders.begin(), kMathHeaders.end(), included)) {
    choice.host_header = "detail/host_math_headers.h";
  } else if (std::any_of(kHostHeaders.begin(), kHostHeaders.end(), included)) {
    choice.host_header = "detail/host_headers.h";
  }
  return choice;
}

base::Result<PrecompiledHeader> Precompile(const PrecompiledChoice& choice,
                                           const CompileRequest& request,
                                           const CompileRequest& host_request,
                                           const Toolchain& toolchain, const Cache& cache,
                                           bool uses_cpu_twin) {
  std::optional<CacheEntry> host;
  if (!choice.host_header.empty()) {
    HOSTNPU_ASSIGN_OR_RETURN(
        std::vector<std::string> words,
        CommandFor("c++-header", ReducedRequest(host_request, choice.tested_macros), toolchain,
                   uses_cpu_twin));
    const std::string path = toolchain.IncludeDirs()[0] + "/" + choice.host_header;
    HOSTNPU_ASSIGN_OR_RETURN(
        host, MakeEntry({"host.pch", std::move(words), path, nullptr}, toolchain, cache));
  }
  const CompileRequest reduced = ReducedRequest(request, choice.tested_macros);
  HOSTNPU_ASSIGN_OR_RETURN(std::vector<std::string> words,
                           CommandFor("c++-header", reduced, toolchain, uses_cpu_twin));
  if (host) words.insert(words.end(), {"-include-pch", host->object_path});
  const bool with_object = request.output != OutputKind::kObject;
  if (with_object) words.insert(words.end(), kWithObject.begin(), kWithObject.end());
  const std::string path = FindHeader(toolchain, choice.kernel_header);
  HOSTNPU_ASSIGN_OR_RETURN(
      CacheEntry entry,
      MakeEntry({"kernel.pch", std::move(words), path, host ? &*host : nullptr}, toolchain, cache));
  PrecompiledHeader header;
  header.entry = std::move(entry);
  header.files = {header.path()};
  if (host) header.files.push_back(host->object_path);
  if (!with_object) return header;
  HOSTNPU_ASSIGN_OR_RETURN(header.object_command,
                           CommandFor("c++", reduced, toolchain, uses_cpu_twin));
  header.object_command.insert(header.object_command.end(), {"-include-pch", header.path()});
  header.object_command.insert(header.object_command.end(), kWithObject.begin(), kWithObject.end());
  header.object_command.push_back("-c");
  return header;
}

base::Result<std::string> PrecompiledObject(const PrecompiledHeader& header,
                                            const Toolchain& toolchain, const Cache& cache) {
  HOSTNPU_ASSIGN_OR_RETURN(
      const CacheEntry entry,
      MakeEntry({"kernel.o", header.object_command, "/dev/null", &header.entry}, toolchain, cache));
  return entry.object_path;
}

base::Result<void> PrecompileUsual(const Toolchain& toolchain, const Cache& cache) {
  struct Usual {
    PrecompiledChoice choice;
    Variant variant;
    base::Result<void> made;
  };
  HOSTNPU_TRY(cache.Prepare(), "compiling headers ahead");
  const std::set<std::string> tested =
      ReadHeaders(toolchain.include_root, {cache.root()}).TestedMacros();
  std::vector<Usual> list;
  for (const Variant variant : {Variant::kBoth, Variant::kVector, Variant::kCube}) {
    list.push_back({{"tilelang/tile_common.h", "", tested}, variant, {}});
    list.push_back({{"detail/kernel_common.h", "detail/host_math_headers.h", tested}, variant, {}});
    list.push_back({{"detail/kernel_common.h", "detail/host_headers.h", tested}, variant, {}});
  }
  base::InParallel(list.size(), [&](size_t i) {
    Usual& usual = list[i];
    CompileRequest request;
    request.defines = DefinesOf(usual.variant);
    const auto header =
        Precompile(usual.choice, request, CompileRequest(), toolchain, cache, false);
    if (!header.ok()) {
      usual.made = header.error();
      return;
    }
    if (auto object = PrecompiledObject(*header, toolchain, cache); !object.ok()) {
      usual.made = object.error();
    }
  });
  for (const Usual& usual : list) {
    if (!usual.made.ok()) return usual.made.error();
  }
  return {};
}

}  // namespace hostnpu::compiler

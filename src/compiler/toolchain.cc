// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// Everything the driver needs from the machine. Paths are found anew on each start (a handful of
// stat calls) and never baked in, so that a build tree may be moved and a package relocated.
#include "compiler/toolchain.h"

#include <fmt/format.h>

#include <cstdint>
#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

#include "base/file.h"
#include "base/option.h"
#include "base/strings.h"
#include "base/subprocess.h"

namespace hostnpu::compiler {
namespace {

constexpr const char* kLibraryName = "libhostnpu.so";

/// The source tree of the build tree at `build`, as CMake recorded it; empty when it is none.
std::string SourceTreeOf(const std::string& build) {
  const auto cache = base::ReadFile(build + "/CMakeCache.txt");
  if (!cache.ok()) return {};
  constexpr std::string_view kKey = "\nhostnpu_SOURCE_DIR:STATIC=";
  const size_t at = cache->find(kKey);
  if (at == std::string::npos) return {};
  const size_t begin = at + kKey.size();
  return cache->substr(begin, cache->find('\n', begin) - begin);
}

void LocateOwnFiles(Toolchain& toolchain, std::vector<MissingPart>* missing) {
  const std::string binary = base::PathOfThisBinary();
  const std::string home = base::EnvText("HOSTNPU_HOME", "");
  std::vector<std::string> prefixes;
  if (!home.empty()) prefixes.push_back(home);
  std::string above = base::DirectoryOf(binary);
  for (int i = 0; i < 4 && above != "/"; ++i, above = base::DirectoryOf(above)) {
    prefixes.push_back(above);
  }
  for (const std::string& prefix : prefixes) {
    if (toolchain.include_root.empty()) {
      std::vector<std::string> roots = {prefix + "/include", prefix + "/include/hostnpu"};
      if (const std::string source = SourceTreeOf(prefix); !source.empty()) {
        roots = {source + "/include"};
      }
      for (const std::string& root : roots) {
        if (base::IsDirectory(root + "/ascendc") && toolchain.include_root.empty()) {
          toolchain.include_root = root;
        }
      }
    }
    for (const char* lib : {"/lib", "/lib64", "/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu"}) {
      const std::string candidate = prefix + lib + "/" + kLibraryName;
      if (toolchain.library.empty() && base::IsFile(candidate)) toolchain.library = candidate;
    }
  }
  if (!toolchain.library.empty()) {
    toolchain.library_dir = base::DirectoryOf(toolchain.library);
    toolchain.precompiled_dir = toolchain.library_dir + "/hostnpu-precompiled";
  }
  if (toolchain.include_root.empty()) {
    missing->push_back({"headers", fmt::format("the headers of hostnpu (include/ascendc) are not "
                                               "beside '{}'; set HOSTNPU_HOME to where hostnpu is",
                                               binary)});
  }
  if (toolchain.library.empty()) {
    missing->push_back(
        {"library", fmt::format("{} is not beside '{}'; build the target 'hostnpu' or "
                                "set HOSTNPU_HOME to where hostnpu is",
                                kLibraryName, binary)});
  }
}

void LocateCompiler(Toolchain& toolchain, std::vector<MissingPart>* missing) {
  const std::string chosen = base::EnvText("HOSTNPU_CXX", "");
  const std::vector<std::string> names =
      chosen.empty() ? std::vector<std::string>{"clang++-19", "/usr/lib/llvm-19/bin/clang++"}
                     : std::vector<std::string>{chosen};
  for (const std::string& name : names) {
    if (auto path = base::FindProgram(name); path && toolchain.compiler.empty()) {
      toolchain.compiler = *path;
    }
  }
  if (toolchain.compiler.empty()) {
    missing->push_back(
        {"compiler",
         chosen.empty()
             ? "clang++-19 is not in PATH; on Debian or Ubuntu: apt install clang-19 lld-19"
             : fmt::format("HOSTNPU_CXX names '{}', which is no program", chosen)});
  }
  for (const char* name : {"ld.lld-19", "/usr/lib/llvm-19/bin/ld.lld", "ld.lld"}) {
    if (auto path = base::FindProgram(name); path && toolchain.linker.empty()) {
      toolchain.linker = *path;
    }
  }
  if (toolchain.linker.empty()) {
    missing->push_back(
        {"linker", "ld.lld-19 is not in PATH; on Debian or Ubuntu: apt install lld-19"});
  }
}

}  // namespace

Toolchain LocateToolchain(std::vector<MissingPart>* missing) {
  Toolchain toolchain;
  LocateCompiler(toolchain, missing);
  LocateOwnFiles(toolchain, missing);
  return toolchain;
}

base::Result<Toolchain> RequireToolchain() {
  std::vector<MissingPart> missing;
  Toolchain toolchain = LocateToolchain(&missing);
  if (!missing.empty()) return base::Error{base::Code::kNotFound, missing.front().message, {}};
  return toolchain;
}

std::string CompilerVersion(const Toolchain& toolchain) {
  const auto run = base::RunProgram({toolchain.compiler, "-dumpversion"});
  return run.ok() && run->ok() ? std::string(base::Trim(run->out)) : std::string();
}

std::string FileIdentity(const std::string& path) {
  const auto status = base::StatFile(path);
  if (!status) return path + " absent";
  return fmt::format("{} {} {}", base::RealPath(path).value_or(path), status->size,
                     status->mtime_ns);
}

std::string CpuIdentity() {
#if defined(__x86_64__)
  // The leaves that clang asks for -march=native, with the words that hold instructions: others
  // hold the number of the core we happen to run on, or the size of a state that the system set.
  struct Leaf {
    unsigned leaf, subleaf;
    bool a, b, c, d;
  };
  constexpr Leaf kLeaves[] = {{0, 0, true, true, true, true},
                              {1, 0, true, false, true, true},
                              {7, 0, true, true, true, true},
                              {7, 1, true, true, true, true},
                              {0xd, 0, true, false, false, false},
                              {0xd, 1, true, false, false, false},
                              {0x14, 0, false, true, false, false},
                              {0x19, 0, false, true, false, false},
                              {0x24, 0, false, true, false, false},
                              {0x80000001, 0, false, false, true, true},
                              {0x80000008, 0, false, true, false, false}};
  std::string text = "x86_64";
  for (const Leaf& leaf : kLeaves) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __get_cpuid_count(leaf.leaf, leaf.subleaf, &a, &b, &c, &d);
    text += fmt::format(" {:x}.{:x}.{:x}.{:x}", leaf.a ? a : 0, leaf.b ? b : 0, leaf.c ? c : 0,
                        leaf.d ? d : 0);
  }
  return text;
#elif defined(__aarch64__)
  const auto midr = base::ReadFile("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1");
  return fmt::format("aarch64 {:x} {:x} {}", getauxval(AT_HWCAP), getauxval(AT_HWCAP2),
                     midr.ok() ? base::Trim(*midr) : "unknown");
#else
  return "other";
#endif
}

const char* HostnpuVersion() { return HOSTNPU_VERSION; }

const char* SanitizersOfThisBuild() { return HOSTNPU_SANITIZE; }

}  // namespace hostnpu::compiler

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// The clang command lines. Why each unusual flag is there:
//
//   -ffp-contract=off    a*b+c rounds twice, as the vector unit does; fused forms are spelt as such
//   -fno-math-errno      sqrt becomes an instruction; no kernel looks at errno
//   -isystem             warnings of our headers are not the user's business
//   -Wno-error=c++11-narrowing   g++, which the vendor's CPU mode uses, takes it as a warning
//
// The user's flags come last, so that -O0, -U or another -std= win.
#include "compiler/command.h"

#include <fmt/format.h>

#include "arch/chip.h"
#include "base/file.h"

namespace hostnpu::compiler {
namespace {

void Append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// What both steps must agree on.
std::vector<std::string> CodegenFlags(const CompileRequest& request) {
  std::vector<std::string> flags;
  if (request.debug) {
    Append(flags, {"-O0", "-g"});
  } else {
    // A call in tail position would take the kernel's own frame, and with it the place a report
    // names.
    Append(flags, {"-O2", "-gline-tables-only", "-fno-optimize-sibling-calls"});
  }
  if (!request.sanitize.empty()) {
    // The check of an object's type wants type information, which libhostnpu has none of.
    Append(flags, {"-fsanitize=" + request.sanitize, "-fno-sanitize=vptr",
                   "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"});
  }
  return flags;
}

bool IsC(const std::string& path) { return base::ExtensionOf(path) == ".c"; }

}  // namespace

std::vector<std::string> MessageFlags() {
  return {"-fno-caret-diagnostics",    "-fdiagnostics-print-source-range-info",
          "-fno-color-diagnostics",    "-ftemplate-backtrace-limit=0",
          "-fmacro-backtrace-limit=0", "-fno-diagnostics-fixit-info"};
}

bool IsLinkerWord(std::string_view word) {
  return word.starts_with("-l") || word.starts_with("-L") || word.starts_with("-Wl,");
}

base::Result<std::vector<std::string>> CommonFlags(const CompileRequest& request,
                                                   const Toolchain& toolchain, bool uses_cpu_twin) {
  HOSTNPU_ASSIGN_OR_RETURN(const arch::Chip* chip, arch::FindChip(request.chip));
  std::vector<std::string> flags = CodegenFlags(request);
  Append(flags, {"-march=native", "-ffp-contract=off", "-fno-math-errno", "-fPIC",
                 "-Wno-error=c++11-narrowing", "-Wno-unknown-attributes",
                 // `queue.template EnQue(tile)`: the chip's compiler is older than this error.
                 "-Wno-missing-template-arg-list-after-template-kw"});
  // Examples pass pointers they never set to kernels that never read them. Null ones pass.
  Append(flags, {"-ftrivial-auto-var-init=zero", "-ftrivial-auto-var-init-max-size=8"});
  flags.push_back("-D__CCE_AICORE__=220");
  flags.push_back(fmt::format("-D__NPU_ARCH__={}", chip->npu_arch));
  flags.push_back("-DASCENDC_CPU_DEBUG=1");
  if (uses_cpu_twin) flags.push_back("-D__CCE_KT_TEST__=1");
  for (const std::string& define : request.defines) flags.push_back("-D" + define);
  for (const std::string& undefine : request.undefines) flags.push_back("-U" + undefine);
  for (const std::string& directory : request.include_dirs) flags.push_back("-I" + directory);
  for (const std::string& directory : toolchain.IncludeDirs()) {
    Append(flags, {"-isystem", directory});
  }
  return flags;
}

std::vector<std::string> CompileCommand(const CompileRequest& request, const Toolchain& toolchain,
                                        const std::vector<std::string>& common,
                                        const UnitPaths& paths) {
  std::vector<std::string> words = {toolchain.compiler};
  if (IsC(paths.source)) {
    Append(words, {"-x", "c"});
  } else {
    Append(words, {"-x", "c++", "-std=" + request.standard});
  }
  if (!paths.precompiled.empty()) Append(words, {"-include-pch", paths.precompiled});
  Append(words, common);
  if (!paths.generated_dir.empty()) words.push_back("-I" + paths.generated_dir);
  if (!paths.overlay.empty()) Append(words, {"-ivfsoverlay", paths.overlay});
  for (const std::string& word : request.compiler_flags) {
    if (!IsLinkerWord(word)) words.push_back(word);
  }
  Append(words, MessageFlags());
  Append(words, {"-MD", "-MF", paths.dependencies, "-c", paths.source, "-o", paths.object});
  return words;
}

std::vector<std::string> LinkCommand(const CompileRequest& request, const Toolchain& toolchain,
                                     const std::vector<std::string>& objects,
                                     const std::string& output) {
  std::vector<std::string> words = {toolchain.compiler, "--ld-path=" + toolchain.linker};
  Append(words, CodegenFlags(request));
  if (request.output == OutputKind::kSharedObject) words.push_back("-shared");
  Append(words, objects);
  Append(words, request.link_inputs);
  Append(words, {toolchain.library, "-Wl,-rpath," + toolchain.library_dir, "-pthread", "-ldl"});
  Append(words, request.compiler_flags);
  Append(words, {"-Wno-unused-command-line-argument", "-o", output});
  return words;
}

}  // namespace hostnpu::compiler

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// From the user's files to what clang reads. Most files go through untouched: only one that has
// `<<<`, `__global__` (or a macro standing for it) or `block_local` in its bytes is lexed at all.
#include "compiler/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/file.h"
#include "compiler/launch_rewriter.h"
#include "compiler/variant.h"

namespace hostnpu::compiler {
namespace {

bool Contains(const std::string& text, std::string_view word) {
  return text.find(word) != std::string::npos;
}

/// Macros for `__global__` anywhere in the user's files.
GlobalAliases CollectAliases(const SourceSet& sources) {
  GlobalAliases aliases;
  for (const auto& [absolute, file] : sources.files) {
    if (!Contains(file.text, "__global__") || !Contains(file.text, "#")) continue;
    aliases.merge(FindGlobalAliases(Lex(file.text)));
  }
  return aliases;
}

constexpr std::string_view kBlockLocal = "block_local";

/// `[[block_local]]` becomes __BLOCK_LOCAL__. clang does not know the attribute and
/// would leave it out: one variable for all cores.
void RewriteBlockLocals(std::string_view source, const std::vector<Token>& tokens,
                        std::vector<Edit>& edits) {
  constexpr std::string_view kPattern[] = {"[", "[", kBlockLocal, "]", "]"};
  for (size_t i = 0; i + std::size(kPattern) <= tokens.size(); ++i) {
    const auto same = [](std::string_view text, const Token& token) { return token.text == text; };
    if (!std::equal(std::begin(kPattern), std::end(kPattern), &tokens[i], same)) continue;
    const uint32_t begin = tokens[i].begin, end = tokens[i + std::size(kPattern) - 1].end;
    const std::string_view replaced = source.substr(begin, end - begin);
    std::string text = "__BLOCK_LOCAL__";
    text.append(static_cast<size_t>(std::count(replaced.begin(), replaced.end(), '\n')), '\n');
    edits.push_back({begin, end, std::move(text)});
  }
}

bool NeedsLexing(const std::string& text, const GlobalAliases& aliases) {
  if (Contains(text, "<<<") || Contains(text, "__global__") || Contains(text, kBlockLocal))
    return true;
  for (const auto& [alias, qualifiers] : aliases) {
    if (Contains(text, alias)) return true;
  }
  return false;
}

/// Whether any file calls a kernel by ACLRT_LAUNCH_KERNEL or its generated function.
bool CallsLaunchers(const SourceSet& sources) {
  for (const auto& [absolute, file] : sources.files) {
    if (Contains(file.text, "ACLRT_LAUNCH_KERNEL") || Contains(file.text, "aclrtlaunch_"))
      return true;
  }
  return false;
}

bool UsesCpuTwin(const SourceSet& sources) {
  return sources.Includes("tikicpulib.h") ||
         std::any_of(sources.files.begin(), sources.files.end(),
                     [](const auto& file) { return Contains(file.second.text, "ICPU_RUN_KF"); });
}

/// Whether `defines`, as for -D, have that macro.
bool IsDefinedBy(const std::vector<std::string>& defines, std::string_view macro) {
  return std::any_of(defines.begin(), defines.end(), [macro](const std::string& define) {
    return std::string_view(define).substr(0, define.find('=')) == macro;
  });
}

void GenerateHeaders(const SourceSet& sources, PreparedSources& prepared) {
  for (const std::string& include : sources.unresolved_includes) {
    constexpr std::string_view kPrefix = "aclrtlaunch_";
    const std::string name = base::FileNameOf(include);
    if (!name.starts_with(kPrefix) || !name.ends_with(".h")) continue;
    const std::string kernel_name = name.substr(kPrefix.size(), name.size() - kPrefix.size() - 2);
    for (const KernelDeclaration& kernel : prepared.kernels) {
      if (kernel.name != kernel_name || !kernel.is_definition) continue;
      prepared.headers.push_back({include, AclrtLaunchHeader(kernel)});
      break;
    }
  }
}

}  // namespace

PreparedSources PrepareSources(const SourceSet& sources, bool export_launchers,
                               const std::vector<std::string>& defines) {
  PreparedSources prepared;
  prepared.uses_cpu_twin = UsesCpuTwin(sources);
  const KnownMacros known = {
      {"__CCE_KT_TEST__", prepared.uses_cpu_twin || IsDefinedBy(defines, "__CCE_KT_TEST__")}};
  const GlobalAliases aliases = CollectAliases(sources);
  std::optional<std::string> inferred;  // reads every file, and only once
  const bool with_aclrtlaunch = export_launchers || CallsLaunchers(sources);
  for (const auto& [absolute, file] : sources.files) {
    if (!NeedsLexing(file.text, aliases)) continue;
    const std::vector<Token> tokens = Lex(file.text);
    std::vector<Edit> edits = RewriteLaunches(file.text, tokens);
    RewriteBlockLocals(file.text, tokens, edits);
    std::vector<KernelDeclaration> kernels = ScanKernels(file.text, tokens, aliases, known);
    for (KernelDeclaration& kernel : kernels) {
      const bool declared = Contains(kernel.qualifiers, "__vector__") ||
                            Contains(kernel.qualifiers, "__cube__") ||
                            Contains(kernel.qualifiers, "__mix__");
      if (!declared && kernel.task_type.empty() && kernel.task_types_by_key.empty()) {
        if (!inferred) inferred = InferTaskType(sources);
        kernel.task_type = *inferred;
      }
    }
    std::vector<Edit> registrations = RegisterKernels(kernels, with_aclrtlaunch);
    std::move(registrations.begin(), registrations.end(), std::back_inserter(edits));
    std::move(kernels.begin(), kernels.end(), std::back_inserter(prepared.kernels));
    if (!edits.empty()) prepared.edited.emplace(absolute, ApplyEdits(file.text, edits));
  }
  prepared.needs_two_variants = NeedsTwoVariants(sources);
  GenerateHeaders(sources, prepared);
  return prepared;
}

std::string EditedFileName(const PreparedSources& prepared, const std::string& absolute) {
  const auto at = prepared.edited.find(absolute);
  const auto index = std::distance(prepared.edited.begin(), at);
  return fmt::format("{:02}-{}", index + 1, base::FileNameOf(absolute));
}

std::string OverlayYaml(const PreparedSources& prepared, const std::string& folder) {
  nlohmann::json roots = nlohmann::json::array();
  for (const auto& [absolute, text] : prepared.edited) {
    roots.push_back({{"type", "file"},
                     {"name", absolute},
                     {"external-contents", folder + "/" + EditedFileName(prepared, absolute)}});
  }
  nlohmann::json overlay = {{"version", 0},
                            {"case-sensitive", "true"},
                            {"use-external-names", false},
                            {"roots", std::move(roots)}};
  return overlay.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace hostnpu::compiler

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_BUILD_H_
#define HOSTNPU_COMPILER_BUILD_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "base/subprocess.h"
#include "compiler/cache.h"
#include "compiler/headers.h"
#include "compiler/precompiled.h"
#include "compiler/prepare.h"
#include "compiler/request.h"
#include "compiler/source_set.h"
#include "compiler/toolchain.h"
#include "compiler/variant.h"

namespace hostnpu::compiler {

/// What the steps of a build gave. `succeeded` false: the user's source is at fault, and
/// `diagnostics` says where.
struct BuildResult {
  bool succeeded = false;
  std::string object;
  std::string diagnostics;  ///< rendered
  std::string raw_output;   ///< what clang and lld printed
  std::string notice;       ///< about the cache, or empty
  std::vector<Dependency> dependencies;
  std::vector<KernelDeclaration> kernels;
};

/// The steps of one compilation inside a folder: write what clang is to read, compile each source
/// (several at a time), link. Writes `command` and `log` into the folder too, for people.
class Build {
 public:
  /// `cache` is where the precompiled header is; null: none is used. `final_folder` is where the
  /// folder will be in the end: the `command` left for people works from there.
  Build(const CompileRequest& request, const Toolchain& toolchain, const SourceSet& sources,
        const Headers& headers, std::string folder, std::string final_folder, const Cache* cache);

  /// An Error means that a step could not be run at all (disk, missing program).
  base::Result<BuildResult> Run();

  /// Whether the files on disk still are what the set holds.
  bool SourcesUnchanged() const;

 private:
  struct Unit;
  base::Result<void> WriteInputs();
  base::Result<BuildResult> CompileAndLink();
  bool LostPrecompiled() const;
  CompileRequest RequestOf(Variant variant) const;
  std::vector<PrecompiledHeader> PrecompileFor(const std::vector<Variant>& variants,
                                               const PrecompiledChoice& choice) const;
  base::Result<void> AddUnits(Variant variant, const PrecompiledHeader& precompiled,
                              std::vector<Unit>& units);
  base::Result<std::vector<std::string>> CommandOf(const Unit& unit) const;
  void CompileUnit(Unit& unit) const;
  void AskHowToLink() const;
  base::Result<std::vector<std::string>> ObjectsToLink(const std::vector<Unit>& units,
                                                       bool of_cube);
  static void RemoveObjects(const std::vector<Unit>& units, bool of_cube);
  base::Result<bool> CompileUnits(std::vector<Unit>& units, BuildResult& result);
  base::Result<bool> RunStep(const std::vector<std::string>& command, BuildResult& result);
  base::Result<bool> RunLink(const std::vector<std::string>& command,
                             const std::vector<std::string>& objects, const std::string& output,
                             BuildResult& result);
  bool Linked(const base::SubprocessResult& run, BuildResult& result) const;
  base::Result<bool> EmbedCubeVariant(const std::vector<Unit>& units, std::string* object,
                                      BuildResult& result);
  base::Result<bool> Link(const std::vector<Unit>& units, const std::string& embedded,
                          BuildResult& result);
  void CollectDependencies(const std::vector<Unit>& units, BuildResult& result) const;
  std::string OutputPath() const;
  std::string RenderLinkFailure(const std::string& output) const;

  const CompileRequest& request_;
  const Toolchain& toolchain_;
  const SourceSet& sources_;
  const Headers& headers_;
  std::string folder_;
  std::string final_folder_;
  const Cache* cache_;
  PreparedSources prepared_;
  PrecompiledChoice precompiled_;
  std::vector<std::string> files_of_cache_;  // that the steps read
  std::string commands_;
};

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_BUILD_H_

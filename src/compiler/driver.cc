// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// One compilation, from request to module:
//
//   collect the user's files -> key -> in the cache? done
//   else, with the key's lock: rewrite, precompiled header, clang per source, link, into the cache
//
// The work happens in a folder on the cache's own file system, which becomes the entry by a rename.
// Where the cache cannot be written, the folder is a temporary one and is used from there.
#include "compiler/driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/file.h"
#include "base/option.h"
#include "base/strings.h"
#include "base/subprocess.h"
#include "compiler/build.h"
#include "compiler/cache_key.h"
#include "compiler/diagnostics.h"
#include "compiler/headers.h"
#include "compiler/kernel_list.h"
#include "compiler/prepare.h"

namespace hostnpu::compiler {
namespace {

constexpr size_t kNameDigits = 16;

CompiledModule ModuleOf(const CacheEntry& entry) {
  CompiledModule module;
  module.path = entry.object_path;
  module.folder = entry.folder;
  module.bytes = entry.manifest.object_bytes;
  module.hash = entry.manifest.object_hash;
  module.kernels = KernelsFromJson(entry.manifest.kernels);
  return module;
}

bool IsDiskFull(const std::string& text) {
  return text.find(base::SystemMessage(ENOSPC)) != std::string::npos ||
         text.find(base::SystemMessage(EDQUOT)) != std::string::npos;
}

class Session {
 public:
  Session(const CompileRequest& request, const Cache& cache) : request_(request), cache_(cache) {}

  base::Result<CompiledModule> Run() {
    HOSTNPU_ASSIGN_OR_RETURN(toolchain_, RequireToolchain());
    HOSTNPU_ASSIGN_OR_RETURN(sources_, CollectSources(request_.sources, request_.include_dirs));
    headers_ = ReadHeaders(toolchain_.include_root, {cache_.root(), toolchain_.precompiled_dir});
    const CacheKey key = MakeCacheKey(request_, sources_, toolchain_, headers_.hash);
    key_text_ = key.ToText();
    name_ = key.Hash().ToHex().substr(0, kNameDigits);
    if (auto entry = cache_.Find(name_, key_text_)) return Cached(*entry);
    if (auto prepared = cache_.Prepare(); !prepared.ok()) {
      return WithoutCache(prepared.error().message);
    }
    auto lock = cache_.Lock(name_);
    if (!lock.ok()) return WithoutCache(lock.error().message);
    if (auto entry = cache_.Find(name_, key_text_)) return Cached(*entry);
    auto work = cache_.MakeWorkFolder();
    if (!work.ok()) return WithoutCache(work.error().message);
    return IntoCache(*work);
  }

 private:
  /// The user's files: what our scan read, and what clang read beyond it.
  std::vector<std::string> FilesRead(const std::vector<Dependency>& dependencies) const {
    std::vector<std::string> files;
    for (const auto& [path, file] : sources_.files) files.push_back(path);
    for (const Dependency& dependency : dependencies) files.push_back(dependency.path);
    return files;
  }

  CompiledModule Cached(const CacheEntry& entry) const {
    CompiledModule module = ModuleOf(entry);
    module.files = FilesRead(entry.manifest.dependencies);
    module.was_cached = true;
    return module;
  }

  base::Result<CompiledModule> IntoCache(const std::string& work) {
    Build build(request_, toolchain_, sources_, headers_, work, cache_.root() + "/" + name_,
                &cache_);
    auto built = build.Run();
    if (!built.ok()) {
      (void)base::RemoveTree(work);
      if (IsDiskFull(built.error().message)) return WithoutCache(built.error().message);
      return std::move(built).error();
    }
    if (!built->succeeded) {
      if (IsDiskFull(built->raw_output)) {
        (void)base::RemoveTree(work);
        return WithoutCache(base::SystemMessage(ENOSPC));
      }
      const auto kept = cache_.KeepFailure(name_, work);
      return Failure(*built, kept.ok() ? *kept : work);
    }
    if (!build.SourcesUnchanged())
      return Uncached(*built, work, {});  // edited meanwhile: not this key
    Manifest manifest;
    manifest.key = key_text_;
    manifest.object = base::FileNameOf(built->object);
    manifest.dependencies = built->dependencies;
    manifest.kernels = KernelsToJson(built->kernels);
    auto entry = cache_.Insert(name_, work, std::move(manifest));
    if (!entry.ok()) return Uncached(*built, work, Notice(entry.error().message));
    CompiledModule module = ModuleOf(*entry);
    module.files = FilesRead(entry->manifest.dependencies);
    module.diagnostics = built->diagnostics;
    if (!built->notice.empty()) module.notices.push_back(built->notice);
    return module;
  }

  /// Compiles in a temporary folder, because the cache cannot be used for `reason`.
  base::Result<CompiledModule> WithoutCache(const std::string& reason) {
    const std::string parent = base::EnvText("TMPDIR", "/tmp");
    HOSTNPU_ASSIGN_OR_RETURN(const std::string work,
                             base::MakeTemporaryDirectory(parent, "hostnpu-"));
    Build build(request_, toolchain_, sources_, headers_, work, work, nullptr);
    auto built = build.Run();
    if (!built.ok()) {
      (void)base::RemoveTree(work);
      return std::move(built).error();
    }
    if (!built->succeeded) return Failure(*built, work);
    return Uncached(*built, work, Notice(reason));
  }

  std::string Notice(const std::string& reason) const {
    return fmt::format("the cache folder '{}' cannot be used: {}; going on without it",
                       AbbreviateHome(cache_.root()), reason);
  }

  CompiledModule Uncached(const BuildResult& built, const std::string& work,
                          std::string notice) const {
    CompiledModule module;
    module.files = FilesRead(built.dependencies);
    module.path = built.object;
    module.folder = work;
    module.in_cache = false;
    module.diagnostics = built.diagnostics;
    module.kernels = built.kernels;
    if (!built.notice.empty()) module.notices.push_back(built.notice);
    if (!notice.empty()) module.notices.push_back(std::move(notice));
    return module;
  }

  base::Error Failure(const BuildResult& built, const std::string& folder) const {
    return {base::Code::kCompileError,
            built.diagnostics + fmt::format("note: the full compiler command and log are in {}/",
                                            AbbreviateHome(folder)),
            {}};
  }

  const CompileRequest& request_;
  const Cache& cache_;
  Toolchain toolchain_;
  SourceSet sources_;
  Headers headers_;
  std::string key_text_;
  std::string name_;
};

}  // namespace

base::Result<CompiledModule> Compile(const CompileRequest& request, const Cache& cache) {
  if (request.sources.empty() && request.link_inputs.empty()) {
    return base::Error{base::Code::kInvalidArgument, "there is no source file to compile", {}};
  }
  return Session(request, cache).Run();
}

base::Result<CompiledModule> Compile(const CompileRequest& request) {
  return Compile(request, Cache(Cache::DefaultRoot()));
}

base::Result<CompiledModule> CompileSharedObject(CompileRequest request) {
  request.output = OutputKind::kSharedObject;
  return Compile(request);
}

}  // namespace hostnpu::compiler

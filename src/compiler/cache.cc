// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// The rules that make a shared folder trustworthy:
//
//   in     an entry is filled in tmp/ and enters by one rename: it is there whole or not at all;
//   out    an entry is renamed to tmp/ before it is deleted, so that nobody reads half of one;
//   load   the manifest's key must be the whole key (names are short hashes), the object must have
//          the hash it had, and each file the compilation read must be as it was.
//
// Nothing here is needed for a correct result: every error only means that we compile.
#include "compiler/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>

#include "base/option.h"
#include "base/strings.h"

namespace hostnpu::compiler {
namespace {

constexpr const char* kManifest = "manifest";
constexpr const char* kTotal = "total";
constexpr int64_t kAbandonedAfterNs =
    int64_t{3600} * 1000000000;  // a compile takes minutes at most

constexpr size_t kMostLines = 1000;  // of the file kTotal, before the entries are counted again

bool IsEntryName(const std::string& name) {
  return name != "tmp" && name != "locks" && name != "source" && !name.starts_with('.') &&
         !name.starts_with(kTotal) && !name.starts_with("headers-") && !name.starts_with("link-");
}

}  // namespace

std::string Cache::DefaultRoot() {
  const std::string chosen = base::EnvText("HOSTNPU_CACHE_DIR", "");
  if (!chosen.empty()) return base::NormalizePath(chosen);
  const std::string xdg = base::EnvText("XDG_CACHE_HOME", "");
  if (xdg.starts_with('/')) return base::NormalizePath(xdg + "/hostnpu");
  const std::string home = base::EnvText("HOME", "");
  return home.empty() ? "/tmp/hostnpu-cache" : base::NormalizePath(home + "/.cache/hostnpu");
}

uint64_t Cache::DefaultLimitBytes() {
  return static_cast<uint64_t>(base::EnvNumber("HOSTNPU_CACHE_LIMIT_MB", 2048, 1, int64_t{1} << 30))
         << 20;
}

Cache::Cache(std::string root, uint64_t limit_bytes)
    : root_(std::move(root)), limit_bytes_(limit_bytes) {}

base::Result<void> Cache::Prepare() const {
  for (const char* folder : {"", "/tmp", "/locks"}) {
    auto made = base::MakeDirectories(root_ + folder);
    if (!made.ok()) return made;
  }
  return {};
}

std::optional<CacheEntry> Cache::Find(const std::string& name, const std::string& key_text) const {
  const std::string folder = PathOf(name);
  const auto text = base::ReadFile(folder + "/" + kManifest);
  if (!text.ok()) return std::nullopt;
  const auto manifest = Manifest::FromText(*text);
  if (!manifest || manifest->object.find('/') != std::string::npos) {
    Discard(folder);
    return std::nullopt;
  }
  if (manifest->key != key_text) return std::nullopt;  // foreign: the same short name, another key
  const std::string object_path = folder + "/" + manifest->object;
  const auto object = base::HashFile(object_path);
  const bool whole = object.ok() && object->bytes == manifest->object_bytes &&
                     object->hash.ToHex() == manifest->object_hash;
  const bool current = std::all_of(
      manifest->dependencies.begin(), manifest->dependencies.end(),
      [](const Dependency& dependency) { return Dependency::Of(dependency.path) == dependency; });
  if (!whole || !current) {
    Discard(folder);
    return std::nullopt;
  }
  utimensat(AT_FDCWD, (folder + "/" + kManifest).c_str(), nullptr, 0);
  return CacheEntry{folder, object_path, *manifest};
}

base::Result<base::FileLock> Cache::Lock(const std::string& name) const {
  return base::FileLock::Acquire(root_ + "/locks/" + name);
}

base::Result<std::string> Cache::MakeWorkFolder() const {
  return base::MakeTemporaryDirectory(root_ + "/tmp", "work-");
}

base::Result<CacheEntry> Cache::Insert(const std::string& name, const std::string& work_folder,
                                       Manifest manifest) const {
  HOSTNPU_ASSIGN_OR_RETURN(const base::FileHash object,
                           base::HashFile(work_folder + "/" + manifest.object));
  manifest.object_bytes = object.bytes;
  manifest.object_hash = object.hash.ToHex();
  auto written = base::WriteFile(work_folder + "/" + kManifest, manifest.ToText());
  if (!written.ok()) return std::move(written).error();
  HOSTNPU_ASSIGN_OR_RETURN(const std::string folder, MoveIn(name, work_folder));
  return CacheEntry{folder, folder + "/" + manifest.object, std::move(manifest)};
}

base::Result<std::string> Cache::KeepFailure(const std::string& name,
                                             const std::string& work_folder) const {
  return MoveIn(name, work_folder);
}

base::Result<std::string> Cache::MoveIn(const std::string& name,
                                        const std::string& work_folder) const {
  const std::string folder = PathOf(name);
  const uint64_t bytes = base::TreeBytes(work_folder);
  Discard(folder);
  auto renamed = base::Rename(work_folder, folder);
  if (!renamed.ok()) return std::move(renamed).error();
  RemoveAbandonedWork();
  const auto total = AddToTotal(bytes);
  if (!total || *total > limit_bytes_) Evict(name);
  return folder;
}

/// The file has a line for each entry that came in since the last count. What was removed since is
/// still in it, so that the sum is never too small; nothing when it is time to count.
std::optional<uint64_t> Cache::AddToTotal(uint64_t bytes) const {
  const std::string path = PathOf(kTotal);
  const auto text = base::ReadFile(path);
  if (!text.ok()) return std::nullopt;
  const auto lines = base::SplitLines(*text);
  if (lines.empty() || lines.size() > kMostLines) return std::nullopt;
  uint64_t total = bytes;
  for (const std::string_view line : lines) {
    uint64_t each = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), each);
    if (error != std::errc() || end != line.data() + line.size()) return std::nullopt;
    total += each;
  }
  if (!base::AppendToFile(path, fmt::format("{}\n", bytes)).ok()) return std::nullopt;
  return total;
}

void Cache::Discard(const std::string& folder) const {
  if (!base::IsDirectory(folder)) return;
  const auto grave = base::MakeTemporaryDirectory(root_ + "/tmp", "old-");
  if (!grave.ok()) return;
  (void)base::Rename(folder, *grave);
  (void)base::RemoveTree(*grave);
}

std::vector<CacheEntryInfo> Cache::Measure() const {
  std::vector<CacheEntryInfo> entries;
  for (const std::string& name : base::ListDirectory(root_)) {
    const std::string folder = PathOf(name);
    if (!IsEntryName(name) || !base::IsDirectory(folder)) continue;
    CacheEntryInfo info;
    info.name = name;
    info.bytes = base::TreeBytes(folder);
    auto status = base::StatFile(folder + "/" + kManifest);
    if (!status) status = base::StatFile(folder);
    if (status) info.used_ns = status->mtime_ns;
    entries.push_back(std::move(info));
  }
  return entries;
}

std::vector<CacheEntryInfo> Cache::List() const {
  std::vector<CacheEntryInfo> entries = Measure();
  for (CacheEntryInfo& entry : entries) {
    const auto text = base::ReadFile(PathOf(entry.name) + "/" + kManifest);
    if (!text.ok()) continue;
    if (auto manifest = Manifest::FromText(*text)) entry.object = std::move(manifest->object);
  }
  return entries;
}

uint64_t Cache::TotalBytes() const { return base::TreeBytes(root_); }

base::Result<uint64_t> Cache::Clear() const {
  const uint64_t before = base::IsDirectory(root_) ? TotalBytes() : 0;
  for (const std::string& name : base::ListDirectory(root_)) {
    if (name == "locks" || name == "tmp") continue;  // a process may be at work there
    if (IsEntryName(name)) Discard(PathOf(name));
    auto removed = base::RemoveTree(PathOf(name));  // what could not be renamed, and single files
    if (!removed.ok()) return std::move(removed).error();
  }
  RemoveAbandonedWork();
  return before - std::min(before, base::IsDirectory(root_) ? TotalBytes() : 0);
}

void Cache::RemoveAbandonedWork() const {
  const int64_t now = base::FileClockNs();
  for (const std::string& name : base::ListDirectory(root_ + "/tmp")) {
    const std::string path = root_ + "/tmp/" + name;
    const auto status = base::StatFile(path);
    if (status && now - status->mtime_ns > kAbandonedAfterNs) (void)base::RemoveTree(path);
  }
}

void Cache::Evict(const std::string& keep) const {
  std::vector<CacheEntryInfo> entries = Measure();
  uint64_t total = 0;
  for (const CacheEntryInfo& entry : entries) total += entry.bytes;
  if (total > limit_bytes_) {
    std::sort(entries.begin(), entries.end(), [](const CacheEntryInfo& a, const CacheEntryInfo& b) {
      return a.used_ns < b.used_ns;
    });
    for (const CacheEntryInfo& entry : entries) {
      if (total <= limit_bytes_ - limit_bytes_ / 5)
        break;  // some room, so that not each insert evicts
      if (entry.name == keep) continue;
      Discard(PathOf(entry.name));
      total -= entry.bytes;
    }
  }
  (void)base::WriteFileAtomically(PathOf(kTotal), fmt::format("{}\n", total));
}

}  // namespace hostnpu::compiler

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
#include <ctime>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "base/option.h"

namespace hostnpu::compiler {
namespace {

constexpr const char* kManifest = "manifest.json";
constexpr int64_t kAbandonedAfterNs =
    int64_t{3600} * 1000000000;  // a compile takes minutes at most

int64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * int64_t{1000000000} + now.tv_nsec;
}

bool IsEntryName(const std::string& name) {
  return name != "tmp" && name != "locks" && name != "source" && !name.starts_with('.') &&
         name.find("headers-") != 0;
}

}  // namespace

std::optional<Dependency> Dependency::Of(const std::string& path) {
  const auto status = base::StatFile(path);
  if (!status) return std::nullopt;
  return Dependency{path, status->size, status->mtime_ns};
}

std::string Manifest::ToJson() const {
  nlohmann::json json;
  json["key"] = key;
  json["object"] = object;
  json["object_hash"] = object_hash;
  json["object_bytes"] = object_bytes;
  json["kernels"] = kernels;
  nlohmann::json list = nlohmann::json::array();
  for (const Dependency& dependency : dependencies) {
    list.push_back({dependency.path, dependency.size, dependency.mtime_ns});
  }
  json["dependencies"] = std::move(list);
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<Manifest> Manifest::FromJson(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto is_text = [&json](const char* name) {
    return json.contains(name) && json.at(name).is_string();
  };
  if (!is_text("key") || !is_text("object") || !is_text("object_hash") || !is_text("kernels") ||
      !json.contains("object_bytes") || !json.at("object_bytes").is_number_unsigned() ||
      !json.contains("dependencies") || !json.at("dependencies").is_array()) {
    return std::nullopt;
  }
  Manifest manifest;
  manifest.key = json.at("key").get<std::string>();
  manifest.object = json.at("object").get<std::string>();
  manifest.object_hash = json.at("object_hash").get<std::string>();
  manifest.object_bytes = json.at("object_bytes").get<uint64_t>();
  manifest.kernels = json.at("kernels").get<std::string>();
  for (const nlohmann::json& item : json.at("dependencies")) {
    if (!item.is_array() || item.size() != 3 || !item[0].is_string() ||
        !item[1].is_number_unsigned() || !item[2].is_number_integer()) {
      return std::nullopt;
    }
    manifest.dependencies.push_back(
        {item[0].get<std::string>(), item[1].get<uint64_t>(), item[2].get<int64_t>()});
  }
  return manifest;
}

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
  const auto manifest = Manifest::FromJson(*text);
  if (!manifest || manifest->object.find('/') != std::string::npos) {
    Discard(folder);
    return std::nullopt;
  }
  if (manifest->key != key_text) return std::nullopt;  // foreign: the same short name, another key
  const std::string object_path = folder + "/" + manifest->object;
  const auto object = base::ReadFile(object_path);
  const bool whole = object.ok() && object->size() == manifest->object_bytes &&
                     base::HashBytes(*object).ToHex() == manifest->object_hash;
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
  HOSTNPU_ASSIGN_OR_RETURN(const std::string object,
                           base::ReadFile(work_folder + "/" + manifest.object));
  manifest.object_bytes = object.size();
  manifest.object_hash = base::HashBytes(object).ToHex();
  const std::string manifest_path = work_folder + "/" + kManifest;
  auto written = base::WriteFile(manifest_path, manifest.ToJson());
  if (!written.ok()) return std::move(written).error();
  const std::string folder = PathOf(name);
  Discard(folder);
  auto renamed = base::Rename(work_folder, folder);
  if (!renamed.ok()) return std::move(renamed).error();
  Evict(name);
  return CacheEntry{folder, folder + "/" + manifest.object, std::move(manifest)};
}

base::Result<std::string> Cache::KeepFailure(const std::string& name,
                                             const std::string& work_folder) const {
  const std::string folder = PathOf(name);
  Discard(folder);
  auto renamed = base::Rename(work_folder, folder);
  if (!renamed.ok()) return std::move(renamed).error();
  Evict(name);
  return folder;
}

void Cache::Discard(const std::string& folder) const {
  if (!base::IsDirectory(folder)) return;
  const auto grave = base::MakeTemporaryDirectory(root_ + "/tmp", "old-");
  if (!grave.ok()) return;
  (void)base::Rename(folder, *grave);
  (void)base::RemoveTree(*grave);
}

std::vector<CacheEntryInfo> Cache::List() const {
  std::vector<CacheEntryInfo> entries;
  for (const std::string& name : base::ListDirectory(root_)) {
    const std::string folder = PathOf(name);
    if (!IsEntryName(name) || !base::IsDirectory(folder)) continue;
    CacheEntryInfo info;
    info.name = name;
    info.bytes = base::TreeBytes(folder);
    const auto status = base::StatFile(folder + "/" + kManifest);
    if (status) {
      info.used_ns = status->mtime_ns;
      const auto text = base::ReadFile(folder + "/" + kManifest);
      if (text.ok()) {
        if (const auto manifest = Manifest::FromJson(*text)) info.object = manifest->object;
      }
    } else if (const auto folder_status = base::StatFile(folder)) {
      info.used_ns = folder_status->mtime_ns;
    }
    entries.push_back(std::move(info));
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
  const int64_t now = NowNs();
  for (const std::string& name : base::ListDirectory(root_ + "/tmp")) {
    const std::string path = root_ + "/tmp/" + name;
    const auto status = base::StatFile(path);
    if (status && now - status->mtime_ns > kAbandonedAfterNs) (void)base::RemoveTree(path);
  }
}

void Cache::Evict(const std::string& keep) const {
  RemoveAbandonedWork();
  std::vector<CacheEntryInfo> entries = List();
  uint64_t total = 0;
  for (const CacheEntryInfo& entry : entries) total += entry.bytes;
  if (total <= limit_bytes_) return;
  std::sort(entries.begin(), entries.end(),
            [](const CacheEntryInfo& a, const CacheEntryInfo& b) { return a.used_ns < b.used_ns; });
  for (const CacheEntryInfo& entry : entries) {
    if (total <= limit_bytes_ - limit_bytes_ / 5)
      break;  // some room, so that not each insert evicts
    if (entry.name == keep) continue;
    Discard(PathOf(entry.name));
    total -= entry.bytes;
  }
}

}  // namespace hostnpu::compiler

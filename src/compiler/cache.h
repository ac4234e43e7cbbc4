// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_CACHE_H_
#define HOSTNPU_COMPILER_CACHE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "compiler/manifest.h"

namespace hostnpu::compiler {

/// An entry that was verified: its key is ours, its object is whole, its dependencies are
/// unchanged.
struct CacheEntry {
  std::string folder;
  std::string object_path;
  Manifest manifest;
};

/// One line of `hostnpu cache`.
struct CacheEntryInfo {
  std::string name;
  std::string object;
  uint64_t bytes = 0;
  int64_t used_ns = 0;  ///< when it was last made or loaded
};

/// Compiled objects on disk, by content:
///
///   <root>/3f9ac1d2.../   object, manifest, command, log, the rewritten sources
///   <root>/tmp/           entries being made; each leaves by one rename, whole
///   <root>/source/        the Ascend C text of TileLang programs, for messages and debuggers
///   <root>/locks/         one per key, so that two processes do not compile the same thing twice
///   <root>/total          what the entries take, so that they are not counted for each new one
///
/// Safe against crashes (a rename is the only way in), against other processes and against damaged
/// entries (verified on each load). Every function may block on the disk. Thread-safe.
class Cache {
 public:
  /// HOSTNPU_CACHE_DIR, else $XDG_CACHE_HOME/hostnpu, else ~/.cache/hostnpu.
  static std::string DefaultRoot();
  /// HOSTNPU_CACHE_LIMIT_MB in bytes; 2 GiB unless set.
  static uint64_t DefaultLimitBytes();

  explicit Cache(std::string root, uint64_t limit_bytes = DefaultLimitBytes());

  const std::string& root() const { return root_; }
  uint64_t limit_bytes() const { return limit_bytes_; }

  /// Makes the folders; an error says why the cache cannot be written.
  base::Result<void> Prepare() const;

  /// The entry of a key, verified, and marked as used now. Nothing when there is none to trust;
  /// what is damaged or out of date is removed.
  std::optional<CacheEntry> Find(const std::string& name, const std::string& key_text) const;

  /// Waits for the lock of a key. While it is held no other process compiles that key.
  base::Result<base::FileLock> Lock(const std::string& name) const;

  /// A new empty folder on the cache's own file system, to be filled and given to Insert.
  base::Result<std::string> MakeWorkFolder() const;

  /// Writes the manifest into `work_folder` and moves the folder in as entry `name`, replacing what
  /// is there. The object must be in the folder. Then removes the entries used longest ago until
  /// the limit is kept. On an error the folder is still the caller's.
  base::Result<CacheEntry> Insert(const std::string& name, const std::string& work_folder,
                                  Manifest manifest) const;

  /// Keeps the folder of a failed compilation for its command and log; returns where it is now.
  base::Result<std::string> KeepFailure(const std::string& name,
                                        const std::string& work_folder) const;

  std::vector<CacheEntryInfo> List() const;
  uint64_t TotalBytes() const;
  /// Removes everything but what another process is making just now; returns how many bytes that
  /// was.
  base::Result<uint64_t> Clear() const;

 private:
  std::string PathOf(const std::string& name) const { return root_ + "/" + name; }
  base::Result<std::string> MoveIn(const std::string& name, const std::string& work_folder) const;
  std::optional<uint64_t> AddToTotal(uint64_t bytes) const;
  std::vector<CacheEntryInfo> Measure() const;
  void Evict(const std::string& keep) const;
  void RemoveAbandonedWork() const;
  void Discard(const std::string& folder) const;

  std::string root_;
  uint64_t limit_bytes_;
};

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_CACHE_H_

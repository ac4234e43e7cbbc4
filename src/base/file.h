// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_BASE_FILE_H_
#define HOSTNPU_BASE_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/result.h"

namespace hostnpu::base {

/// Files as whole texts. Every function may block on the disk. Paths are used as given: relative
/// ones against the working directory. Errors name the path and the system's reason; code kNotFound
/// when the path does not exist, kIo otherwise.

/// What a path leads to, symbolic links followed.
struct FileStatus {
  bool is_directory = false;
  uint64_t size = 0;
  int64_t mtime_ns = 0;  ///< last change of the contents, nanoseconds since the epoch
  uint64_t inode = 0;
};

/// Nothing when the path does not exist or cannot be looked at.
/// Now, on the clock of FileStatus::mtime_ns.
int64_t FileClockNs();

std::optional<FileStatus> StatFile(const std::string& path);

/// Whether an ordinary file (not a directory) is there.
bool IsFile(const std::string& path);
bool IsDirectory(const std::string& path);

/// The whole contents. A directory is an error.
Result<std::string> ReadFile(const std::string& path);

/// The size and a hash of the contents, read piece by piece. The hash is not HashBytes of the
/// whole.
struct FileHash {
  uint64_t bytes = 0;
  Hash128 hash;
};
Result<FileHash> HashFile(const std::string& path);

/// Adds to the end of an existing file, in one piece also where others do the same.
Result<void> AppendToFile(const std::string& path, std::string_view bytes);

/// Replaces the contents in place; not atomic. The file is as long as `bytes` or an error is
/// returned.
Result<void> WriteFile(const std::string& path, std::string_view bytes);

/// Writes beside the target and renames: readers see the old contents or the new, whole.
Result<void> WriteFileAtomically(const std::string& path, std::string_view bytes);

/// Makes the directory and its parents; it is no error that they exist.
Result<void> MakeDirectories(const std::string& path);

/// Makes a new directory `<parent>/<prefix>XXXXXX` and returns its path.
Result<std::string> MakeTemporaryDirectory(const std::string& parent, const std::string& prefix);

/// Removes a file, or a directory with all it holds. Never follows a symbolic link. It is no error
/// that nothing is there.
Result<void> RemoveTree(const std::string& path);

/// The names in a directory without `.` and `..`, sorted; empty when it cannot be read.
std::vector<std::string> ListDirectory(const std::string& path);

/// A file or a folder below a directory.
struct TreeEntry {
  std::string path;  ///< starts with the directory as it was given
  FileStatus status;
};
/// All files and folders below a directory, and itself, by path; links are followed. What cannot be
/// read is left out.
std::vector<TreeEntry> ListTree(const std::string& directory);

/// The states of `names` in a directory, in their order; nothing when one of them is not there.
/// Twice as fast as by whole paths.
std::optional<std::vector<FileStatus>> StatFilesOf(const std::string& directory,
                                                   const std::vector<std::string_view>& names);

/// The sum of the sizes of all files below a directory, in bytes.
uint64_t TreeBytes(const std::string& path);

/// Renames over an existing file or an empty directory.
Result<void> Rename(const std::string& from, const std::string& to);

/// Absolute and free of `.`, `..` and doubled slashes, by text alone: links are not followed.
std::string NormalizePath(const std::string& path);

/// The path with every link resolved; nothing when it does not exist.
std::optional<std::string> RealPath(const std::string& path);

/// "dir/name" -> "dir"; "name" -> ".".
std::string DirectoryOf(const std::string& path);
/// "dir/name.ext" -> "name.ext".
std::string FileNameOf(const std::string& path);
/// "dir/name.ext" -> ".ext"; empty when there is none.
std::string ExtensionOf(const std::string& path);
/// `name` below `directory`, unless `name` is absolute.
std::string JoinPath(const std::string& directory, const std::string& name);

/// The system's text for an errno, e.g. "No space left on device".
std::string SystemMessage(int error_number);

/// Holds an exclusive advisory lock (flock) on a file while alive. The lock goes with the process,
/// so a crash never leaves it behind.
class FileLock {
 public:
  /// Waits until the lock is ours. Creates the file.
  static Result<FileLock> Acquire(const std::string& path);

  FileLock(FileLock&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  FileLock& operator=(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace hostnpu::base

#endif  // HOSTNPU_BASE_FILE_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// Whole-file input and output that tells a full disk, a missing file and a forbidden one apart. The
// cache builds on WriteFileAtomically and Rename: a crash at any moment leaves the old state or the
// new.
#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>

#include "base/strings.h"

namespace hostnpu::base {
namespace {

Error SystemError(std::string_view doing, const std::string& path, int error_number) {
  Error error;
  error.code = error_number == ENOENT || error_number == ENOTDIR ? Code::kNotFound : Code::kIo;
  error.message = fmt::format("cannot {} '{}': {}", doing, path, SystemMessage(error_number));
  return error;
}

/// Closes on destruction; `Close` reports what a deferred write error (NFS, quota) has to say.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }
  bool Close() {
    const int fd = fd_;
    fd_ = -1;
    return close(fd) == 0;
  }

 private:
  int fd_;
};

FileStatus StatusOf(const struct stat& st) {
  return {S_ISDIR(st.st_mode), static_cast<uint64_t>(st.st_size),
          st.st_mtim.tv_sec * int64_t{1000000000} + st.st_mtim.tv_nsec,
          static_cast<uint64_t>(st.st_ino)};
}

/// Adds the directory `name` of `parent` and what is below it. Relative to open directories, so
/// that the kernel does not walk the whole path for each file.
void AddTree(int parent, const char* name, const std::string& path,
             std::vector<TreeEntry>& entries) {
  const int descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* directory = descriptor < 0 ? nullptr : fdopendir(descriptor);
  if (directory == nullptr) {
    if (descriptor >= 0) close(descriptor);
    return;
  }
  struct stat st;
  if (fstat(descriptor, &st) == 0) entries.push_back({path, StatusOf(st)});
  while (const dirent* entry = readdir(directory)) {
    const std::string_view child = entry->d_name;
    if (child == "." || child == ".." || fstatat(descriptor, entry->d_name, &st, 0) != 0) continue;
    std::string child_path = fmt::format("{}/{}", path, child);
    if (S_ISDIR(st.st_mode)) {
      AddTree(descriptor, entry->d_name, child_path, entries);
    } else {
      entries.push_back({std::move(child_path), StatusOf(st)});
    }
  }
  closedir(directory);
}

/// Fills the buffer as far as the file reaches; the count, or -1 with errno.
ssize_t ReadFully(int descriptor, char* buffer, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t count = read(descriptor, buffer + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) break;
    done += static_cast<size_t>(count);
  }
  return static_cast<ssize_t>(done);
}

/// Messages name `shown`: what the caller asked for, where that is another file.
Result<void> WriteAll(const std::string& path, int flags, std::string_view bytes,
                      const std::string& shown) {
  Descriptor file(open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666));
  if (file.get() < 0) return SystemError("write", shown, errno);
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = write(file.get(), bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError("write", shown, errno);
    done += static_cast<size_t>(count);
  }
  if (!file.Close()) return SystemError("write", shown, errno);
  return {};
}

}  // namespace

std::string SystemMessage(int error_number) {
  char buffer[256];
  return strerror_r(error_number, buffer, sizeof(buffer));  // the GNU form returns the text
}

int64_t FileClockNs() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * int64_t{1000000000} + now.tv_nsec;
}

std::optional<FileStatus> StatFile(const std::string& path) {
  struct stat st;
  if (stat(path.c_str(), &st) != 0) return std::nullopt;
  return StatusOf(st);
}

bool IsFile(const std::string& path) {
  const auto status = StatFile(path);
  return status && !status->is_directory;
}

bool IsDirectory(const std::string& path) {
  const auto status = StatFile(path);
  return status && status->is_directory;
}

Result<std::string> ReadFile(const std::string& path) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return SystemError("read", path, errno);
  struct stat st;
  if (fstat(file.get(), &st) != 0) return SystemError("read", path, errno);
  if (S_ISDIR(st.st_mode)) return SystemError("read", path, EISDIR);
  std::string bytes(static_cast<size_t>(std::max<off_t>(st.st_size, 0)), '\0');
  size_t done = 0;
  while (true) {  // the size is a hint only: the file may grow, and /proc files say 0
    if (done == bytes.size()) bytes.resize(bytes.size() + 4096);
    const ssize_t count = ReadFully(file.get(), bytes.data() + done, bytes.size() - done);
    if (count < 0) return SystemError("read", path, errno);
    if (count == 0) break;
    done += static_cast<size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

Result<FileHash> HashFile(const std::string& path) {
  constexpr size_t kPiece = size_t{64} << 10;  // stays in the cache of the core
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return SystemError("read", path, errno);
  const auto piece = std::make_unique<char[]>(kPiece);
  Hasher hasher;
  FileHash result;
  while (true) {
    const ssize_t count = ReadFully(file.get(), piece.get(), kPiece);
    if (count < 0) return SystemError("read", path, errno);
    if (count == 0) break;
    hasher.Add(std::string_view(piece.get(), static_cast<size_t>(count)));
    result.bytes += static_cast<uint64_t>(count);
  }
  result.hash = hasher.Finish();
  return result;
}

Result<void> AppendToFile(const std::string& path, std::string_view bytes) {
  return WriteAll(path, O_APPEND, bytes, path);
}

Result<void> WriteFile(const std::string& path, std::string_view bytes) {
  return WriteAll(path, O_CREAT | O_TRUNC, bytes, path);
}

Result<void> WriteFileAtomically(const std::string& path, std::string_view bytes) {
  const std::string beside = fmt::format("{}.{}.tmp", path, getpid());
  if (auto written = WriteAll(beside, O_CREAT | O_TRUNC, bytes, path); !written.ok()) {
    unlink(beside.c_str());
    return written;
  }
  if (auto renamed = Rename(beside, path); !renamed.ok()) {
    unlink(beside.c_str());
    return renamed;
  }
  return {};
}

Result<void> MakeDirectories(const std::string& path) {
  if (path.empty() || IsDirectory(path)) return {};
  if (const std::string parent = DirectoryOf(path); parent != path && parent != ".") {
    auto made = MakeDirectories(parent);
    if (!made.ok()) return made;
  }
  if (mkdir(path.c_str(), 0777) != 0 && !(errno == EEXIST && IsDirectory(path))) {
    return SystemError("make directory", path, errno);
  }
  return {};
}

Result<std::string> MakeTemporaryDirectory(const std::string& parent, const std::string& prefix) {
  std::string path = JoinPath(parent, prefix + "XXXXXX");
  if (mkdtemp(path.data()) == nullptr) return SystemError("make directory", path, errno);
  return path;
}

Result<void> RemoveTree(const std::string& path) {
  struct stat st;
  if (lstat(path.c_str(), &st) != 0) {
    if (errno == ENOENT) return {};
    return SystemError("remove", path, errno);
  }
  if (!S_ISDIR(st.st_mode)) {
    if (unlink(path.c_str()) != 0 && errno != ENOENT) return SystemError("remove", path, errno);
    return {};
  }
  for (const std::string& name : ListDirectory(path)) {
    auto removed = RemoveTree(JoinPath(path, name));
    if (!removed.ok()) return removed;
  }
  if (rmdir(path.c_str()) != 0 && errno != ENOENT) return SystemError("remove", path, errno);
  return {};
}

std::vector<std::string> ListDirectory(const std::string& path) {
  std::vector<std::string> names;
  DIR* directory = opendir(path.c_str());
  if (directory == nullptr) return names;
  while (const dirent* entry = readdir(directory)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  closedir(directory);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<TreeEntry> ListTree(const std::string& directory) {
  std::vector<TreeEntry> entries;
  AddTree(AT_FDCWD, directory.c_str(), directory, entries);
  std::sort(entries.begin(), entries.end(),
            [](const TreeEntry& a, const TreeEntry& b) { return a.path < b.path; });
  return entries;
}

std::optional<std::vector<FileStatus>> StatFilesOf(const std::string& directory,
                                                   const std::vector<std::string_view>& names) {
  const Descriptor parent(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.get() < 0) return std::nullopt;
  std::vector<FileStatus> states;
  states.reserve(names.size());
  std::string terminated;
  for (const std::string_view name : names) {
    terminated = name;
    struct stat st;
    if (fstatat(parent.get(), terminated.c_str(), &st, 0) != 0) return std::nullopt;
    states.push_back(StatusOf(st));
  }
  return states;
}

uint64_t TreeBytes(const std::string& path) {
  struct stat st;
  if (lstat(path.c_str(), &st) != 0) return 0;
  if (!S_ISDIR(st.st_mode)) return static_cast<uint64_t>(st.st_size);
  uint64_t bytes = 0;
  for (const std::string& name : ListDirectory(path)) bytes += TreeBytes(JoinPath(path, name));
  return bytes;
}

Result<void> Rename(const std::string& from, const std::string& to) {
  if (rename(from.c_str(), to.c_str()) != 0) return SystemError("rename to", to, errno);
  return {};
}

std::string NormalizePath(const std::string& path) {
  std::string absolute = path;
  if (!path.starts_with('/')) {
    char buffer[PATH_MAX];
    const char* working = getcwd(buffer, sizeof(buffer));
    absolute = std::string(working == nullptr ? "/" : working) + "/" + path;
  }
  std::vector<std::string> parts;
  for (const std::string_view part : Split(absolute, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.emplace_back(part);
    } else if (!parts.empty()) {
      parts.pop_back();
    }
  }
  return "/" + Join(parts, "/");
}

std::optional<std::string> RealPath(const std::string& path) {
  char buffer[PATH_MAX];
  if (realpath(path.c_str(), buffer) == nullptr) return std::nullopt;
  return std::string(buffer);
}

std::string DirectoryOf(const std::string& path) {
  const size_t slash = path.find_last_not_of('/') == std::string::npos
                           ? std::string::npos
                           : path.rfind('/', path.find_last_not_of('/'));
  if (slash == std::string::npos) return path.starts_with('/') ? "/" : ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string FileNameOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string ExtensionOf(const std::string& path) {
  const std::string name = FileNameOf(path);
  const size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? std::string() : name.substr(dot);
}

std::string JoinPath(const std::string& directory, const std::string& name) {
  if (name.starts_with('/') || directory.empty() || directory == ".") return name;
  return directory.ends_with('/') ? directory + name : directory + "/" + name;
}

Result<FileLock> FileLock::Acquire(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return SystemError("lock", path, errno);
  while (flock(descriptor, LOCK_EX) != 0) {
    if (errno == EINTR) continue;
    const int error_number = errno;
    close(descriptor);
    return SystemError("lock", path, error_number);
  }
  return FileLock(descriptor);
}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace hostnpu::base

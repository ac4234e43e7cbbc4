// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace hostnpu::base {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = MakeTemporaryDirectory(::testing::TempDir(), "file_test-");
    ASSERT_TRUE(made.ok()) << made.error().message;
    folder_ = *made;
  }
  void TearDown() override { EXPECT_TRUE(RemoveTree(folder_).ok()); }
  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
};

TEST_F(FileTest, ReadsBackWhatItWrote) {
  for (const size_t size : {0, 1, 4095, 4096, 4097, 1000000}) {
    std::string bytes(size, '\0');
    for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 31);
    ASSERT_TRUE(WriteFile(Path("a"), bytes).ok());
    const auto read = ReadFile(Path("a"));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, bytes) << size;
  }
}

TEST_F(FileTest, ReadsFilesThatSayTheyAreEmpty) {
  const auto read = ReadFile("/proc/self/status");
  ASSERT_TRUE(read.ok());
  EXPECT_THAT(*read, HasSubstr("Pid:"));
}

TEST_F(FileTest, NamesAMissingFileAndTellsItFromOtherErrors) {
  const auto missing = ReadFile(Path("none"));
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, Code::kNotFound);
  EXPECT_EQ(missing.error().message,
            "cannot read '" + Path("none") + "': No such file or directory");
  const auto directory = ReadFile(folder_);
  ASSERT_FALSE(directory.ok());
  EXPECT_EQ(directory.error().code, Code::kIo);
}

TEST_F(FileTest, ReportsAFullDisk) {
  if (!IsFile("/dev/full") && !StatFile("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const auto written = WriteFile("/dev/full", "x");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message, "cannot write '/dev/full': No space left on device");
}

TEST_F(FileTest, ReplacesAFileAtomicallyAndLeavesNothingBeside) {
  ASSERT_TRUE(WriteFile(Path("a"), "old").ok());
  ASSERT_TRUE(WriteFileAtomically(Path("a"), "new").ok());
  EXPECT_EQ(*ReadFile(Path("a")), "new");
  EXPECT_THAT(ListDirectory(folder_), ElementsAre("a"));
  const auto nowhere = WriteFileAtomically(Path("no/such/folder/a"), "x");
  ASSERT_FALSE(nowhere.ok());
  EXPECT_EQ(nowhere.error().message,
            "cannot write '" + Path("no/such/folder/a") + "': No such file or directory");
}

TEST_F(FileTest, MakesFoldersWithTheirParentsOnceOrTwice) {
  EXPECT_TRUE(MakeDirectories(Path("a/b/c")).ok());
  EXPECT_TRUE(MakeDirectories(Path("a/b/c")).ok());
  EXPECT_TRUE(IsDirectory(Path("a/b/c")));
  ASSERT_TRUE(WriteFile(Path("f"), "").ok());
  EXPECT_FALSE(MakeDirectories(Path("f/g")).ok());
}

TEST_F(FileTest, MakesTheSameFoldersFromManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { failures += MakeDirectories(Path("p/q/r/s")).ok() ? 0 : 1; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
}

TEST_F(FileTest, RemovesATreeButNotWhatALinkPointsTo) {
  ASSERT_TRUE(MakeDirectories(Path("keep")).ok());
  ASSERT_TRUE(WriteFile(Path("keep/a"), "x").ok());
  ASSERT_TRUE(MakeDirectories(Path("gone/sub")).ok());
  ASSERT_EQ(symlink(Path("keep").c_str(), Path("gone/link").c_str()), 0);
  EXPECT_TRUE(RemoveTree(Path("gone")).ok());
  EXPECT_TRUE(RemoveTree(Path("gone")).ok());
  EXPECT_THAT(ListDirectory(folder_), ElementsAre("keep"));
  EXPECT_TRUE(IsFile(Path("keep/a")));
}

TEST_F(FileTest, ListsTheFilesAndFoldersOfATreeByPath) {
  ASSERT_TRUE(MakeDirectories(Path("a/b")).ok());
  ASSERT_TRUE(WriteFile(Path("a/x"), "12345").ok());
  ASSERT_TRUE(WriteFile(Path("a/b/y"), "").ok());
  ASSERT_EQ(symlink(Path("a/x").c_str(), Path("a/link").c_str()), 0);
  ASSERT_EQ(symlink(Path("none").c_str(), Path("a/dangling").c_str()), 0);
  std::vector<std::string> paths;
  for (const TreeEntry& entry : ListTree(Path("a"))) {
    paths.push_back(entry.path);
    const auto status = StatFile(entry.path);
    ASSERT_TRUE(status) << entry.path;
    EXPECT_EQ(entry.status.is_directory, status->is_directory) << entry.path;
    EXPECT_EQ(entry.status.size, status->size) << entry.path;
    EXPECT_EQ(entry.status.mtime_ns, status->mtime_ns) << entry.path;
  }
  EXPECT_THAT(paths,
              ElementsAre(Path("a"), Path("a/b"), Path("a/b/y"), Path("a/link"), Path("a/x")));
  EXPECT_THAT(ListTree(Path("none")), IsEmpty());
}

TEST_F(FileTest, SaysTheStatesOfSeveralFilesOfADirectoryOrThatOneIsMissing) {
  ASSERT_TRUE(MakeDirectories(Path("a/b")).ok());
  ASSERT_TRUE(WriteFile(Path("a/x"), "12345").ok());
  ASSERT_TRUE(WriteFile(Path("a/b/y"), "1").ok());
  const auto states = StatFilesOf(Path("a"), {"b/y", ".", "x"});
  ASSERT_TRUE(states);
  ASSERT_EQ(states->size(), 3u);
  EXPECT_EQ((*states)[0].size, 1u);
  EXPECT_TRUE((*states)[1].is_directory);
  EXPECT_EQ((*states)[2].size, 5u);
  EXPECT_EQ((*states)[2].mtime_ns, StatFile(Path("a/x"))->mtime_ns);
  EXPECT_FALSE(StatFilesOf(Path("a"), {"x", "b/none"}));
  EXPECT_FALSE(StatFilesOf(Path("none"), {"x"}));
}

TEST_F(FileTest, HashesAFileOfAnySizeByItsContents) {
  for (const size_t size : {0u, 1u, 65535u, 65536u, 65537u, 300000u}) {
    std::string text(size, 'x');
    ASSERT_TRUE(WriteFile(Path("a"), text).ok());
    ASSERT_TRUE(WriteFile(Path("b"), text).ok());
    EXPECT_EQ(HashFile(Path("a"))->bytes, size);
    EXPECT_EQ(HashFile(Path("a"))->hash, HashFile(Path("b"))->hash);
    if (size == 0) continue;
    text.back() = 'y';
    ASSERT_TRUE(WriteFile(Path("b"), text).ok());
    EXPECT_FALSE(HashFile(Path("a"))->hash == HashFile(Path("b"))->hash) << size;
  }
  EXPECT_EQ(HashFile(Path("none")).error().code, Code::kNotFound);
  EXPECT_FALSE(HashFile(folder_).ok());
}

TEST_F(FileTest, AppendsToAFileThatIsThere) {
  ASSERT_TRUE(WriteFile(Path("a"), "1\n").ok());
  ASSERT_TRUE(AppendToFile(Path("a"), "2\n").ok());
  EXPECT_EQ(*ReadFile(Path("a")), "1\n2\n");
  EXPECT_EQ(AppendToFile(Path("none"), "1").error().code, Code::kNotFound);
}

TEST_F(FileTest, SumsTheBytesOfATree) {
  ASSERT_TRUE(MakeDirectories(Path("a/b")).ok());
  ASSERT_TRUE(WriteFile(Path("a/x"), std::string(100, 'x')).ok());
  ASSERT_TRUE(WriteFile(Path("a/b/y"), std::string(11, 'y')).ok());
  EXPECT_EQ(TreeBytes(Path("a")), 111u);
  EXPECT_EQ(TreeBytes(Path("none")), 0u);
}

TEST_F(FileTest, HoldsALockAgainstOtherProcesses) {
  const std::string held = Path("held");
  int start[2];
  ASSERT_EQ(pipe(start), 0);
  const pid_t child = fork();  // before the lock is taken: a forked copy of a lock is the same lock
  if (child == 0) {
    char byte;
    if (read(start[0], &byte, 1) != 1) _exit(2);
    auto theirs = FileLock::Acquire(Path("lock"));
    _exit(theirs.ok() && IsFile(held) ? 0 : 1);
  }
  auto lock = FileLock::Acquire(Path("lock"));
  ASSERT_TRUE(lock.ok());
  ASSERT_EQ(write(start[1], "x", 1), 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, WNOHANG), 0);  // it waits
  ASSERT_TRUE(WriteFile(held, "").ok());
  {
    const FileLock released = std::move(lock).value();
  }
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  close(start[0]);
  close(start[1]);
}

TEST_F(FileTest, LosesALockWithItsProcess) {
  const pid_t child = fork();
  if (child == 0) {
    auto lock = FileLock::Acquire(Path("lock"));
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(FileLock::Acquire(Path("lock")).ok());
}

TEST(Path, NormalizesByTextAlone) {
  EXPECT_EQ(NormalizePath("/a/./b//c/../d/"), "/a/b/d");
  EXPECT_EQ(NormalizePath("/../.."), "/");
  EXPECT_EQ(NormalizePath("x"), NormalizePath(".") + "/x");
}

TEST(Path, TakesPathsApart) {
  EXPECT_EQ(DirectoryOf("a/b.c"), "a");
  EXPECT_EQ(DirectoryOf("b.c"), ".");
  EXPECT_EQ(DirectoryOf("/b"), "/");
  EXPECT_EQ(DirectoryOf("/"), "/");
  EXPECT_EQ(DirectoryOf("a/b/"), "a");
  EXPECT_EQ(FileNameOf("a/b.c"), "b.c");
  EXPECT_EQ(ExtensionOf("a.d/b"), "");
  EXPECT_EQ(ExtensionOf(".bashrc"), "");
  EXPECT_EQ(ExtensionOf("a.tar.gz"), ".gz");
  EXPECT_EQ(JoinPath("a", "b"), "a/b");
  EXPECT_EQ(JoinPath("a/", "b"), "a/b");
  EXPECT_EQ(JoinPath(".", "b"), "b");
  EXPECT_EQ(JoinPath("a", "/b"), "/b");
}

}  // namespace
}  // namespace hostnpu::base

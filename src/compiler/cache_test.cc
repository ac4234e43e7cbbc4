// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/cache.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"

namespace hostnpu::compiler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = base::MakeTemporaryDirectory(::testing::TempDir(), "cache_test-");
    ASSERT_TRUE(made.ok());
    root_ = *made;
  }
  void TearDown() override { EXPECT_TRUE(base::RemoveTree(root_).ok()); }

  /// Puts an entry in the way the driver does.
  static base::Result<CacheEntry> Put(const Cache& cache, const std::string& name,
                                      const std::string& key, const std::string& object,
                                      std::vector<Dependency> dependencies = {}) {
    HOSTNPU_TRY(cache.Prepare(), "preparing");
    HOSTNPU_ASSIGN_OR_RETURN(const std::string work, cache.MakeWorkFolder());
    HOSTNPU_TRY(base::WriteFile(work + "/object", object), "writing");
    Manifest manifest;
    manifest.key = key;
    manifest.object = "object";
    manifest.dependencies = std::move(dependencies);
    return cache.Insert(name, work, std::move(manifest));
  }

  std::string root_;
};

TEST_F(CacheTest, FindsWhatWasPutInByItsWholeKey) {
  const Cache cache(root_);
  EXPECT_FALSE(cache.Find("aa", "key"));
  ASSERT_TRUE(Put(cache, "aa", "key", "code").ok());
  const auto entry = cache.Find("aa", "key");
  ASSERT_TRUE(entry);
  EXPECT_EQ(*base::ReadFile(entry->object_path), "code");
}

TEST_F(CacheTest, TakesNoForeignEntryOfTheSameName) {
  const Cache cache(root_);
  ASSERT_TRUE(Put(cache, "aa", "key of another program", "code").ok());
  EXPECT_FALSE(cache.Find("aa", "key"));
  EXPECT_TRUE(cache.Find("aa", "key of another program"));  // and leaves it to its owner
}

TEST_F(CacheTest, TakesNoTruncatedObject) {
  const Cache cache(root_);
  const auto entry = Put(cache, "aa", "key", std::string(1000, 'x'));
  ASSERT_TRUE(entry.ok());
  ASSERT_EQ(truncate(entry->object_path.c_str(), 999), 0);
  EXPECT_FALSE(cache.Find("aa", "key"));
  EXPECT_FALSE(base::IsDirectory(entry->folder));  // it is removed, so that it is made anew
}

TEST_F(CacheTest, TakesNoObjectWithAChangedByte) {
  const Cache cache(root_);
  const auto entry = Put(cache, "aa", "key", "0123456789");
  ASSERT_TRUE(entry.ok());
  ASSERT_TRUE(base::WriteFile(entry->object_path, "0123456780").ok());
  EXPECT_FALSE(cache.Find("aa", "key"));
}

TEST_F(CacheTest, TakesNoEntryWithADamagedManifest) {
  const Cache cache(root_);
  for (const std::string damage :
       {"", "hostnpu-entry 2\n", "hostnpu-entry 1\nobject 4 1 x 6 object\n",
        "hostnpu-entry 2\nobject 4 0  16 ../../etc/passwd\ndependencies 0 \nkernels 0 \nkey 3 "
        "key\n",
        "hostnpu-entry 2\nobject -1 0  6 object\ndependencies 0 \nkernels 0 \nkey 3 key\n",
        "hostnpu-entry 2\nobject 4 0  6 object\ndependencies 9 \nkernels 0 \nkey 3 key\n",
        "hostnpu-entry 2\nobject 4 0  99999 object\ndependencies 0 \nkernels 0 \nkey 3 key\n"}) {
    const auto entry = Put(cache, "aa", "key", "code");
    ASSERT_TRUE(entry.ok());
    ASSERT_TRUE(base::WriteFile(entry->folder + "/manifest", damage).ok());
    EXPECT_FALSE(cache.Find("aa", "key")) << damage;
  }
}

TEST_F(CacheTest, TakesNoEntryWhoseDependencyChangedOrWent) {
  const Cache cache(root_);
  const std::string header = root_ + "/system.h";
  ASSERT_TRUE(base::WriteFile(header, "1").ok());
  ASSERT_TRUE(Put(cache, "aa", "key", "code", {*Dependency::Of(header)}).ok());
  EXPECT_TRUE(cache.Find("aa", "key"));
  ASSERT_TRUE(base::WriteFile(header, "12").ok());
  EXPECT_FALSE(cache.Find("aa", "key"));
  ASSERT_TRUE(Put(cache, "aa", "key", "code", {*Dependency::Of(header)}).ok());
  ASSERT_TRUE(base::RemoveTree(header).ok());
  EXPECT_FALSE(cache.Find("aa", "key"));
}

TEST_F(CacheTest, ReplacesAnEntry) {
  const Cache cache(root_);
  ASSERT_TRUE(Put(cache, "aa", "key", "old").ok());
  ASSERT_TRUE(Put(cache, "aa", "key", "new").ok());
  EXPECT_EQ(*base::ReadFile(cache.Find("aa", "key")->object_path), "new");
  EXPECT_THAT(base::ListDirectory(root_ + "/tmp"), IsEmpty());
}

TEST_F(CacheTest, IgnoresWhatACrashLeftInTheMiddle) {
  const Cache cache(root_);
  ASSERT_TRUE(cache.Prepare().ok());
  const pid_t child = fork();
  if (child == 0) {  // dies with a half-written entry
    const auto work = cache.MakeWorkFolder();
    if (!work.ok() || !base::WriteFile(*work + "/object", "half").ok()) _exit(1);
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_FALSE(cache.Find("aa", "key"));
  EXPECT_THAT(cache.List(), IsEmpty());
  EXPECT_TRUE(Put(cache, "aa", "key", "code").ok());
  EXPECT_TRUE(cache.Find("aa", "key"));
}

TEST_F(CacheTest, RemovesAbandonedWorkWhenItIsOld) {
  const Cache cache(root_);
  ASSERT_TRUE(cache.Prepare().ok());
  const auto abandoned = cache.MakeWorkFolder();
  const auto busy = cache.MakeWorkFolder();
  ASSERT_TRUE(abandoned.ok() && busy.ok());
  const timespec long_ago[2] = {{1000000000, 0}, {1000000000, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, abandoned->c_str(), long_ago, 0), 0);
  ASSERT_TRUE(Put(cache, "aa", "key", "code").ok());
  EXPECT_FALSE(base::IsDirectory(*abandoned));
  EXPECT_TRUE(base::IsDirectory(*busy));
}

TEST_F(CacheTest, EvictsWhatWasUsedLongestAgo) {
  const Cache cache(root_, 4000);
  const std::string object(1000, 'x');
  ASSERT_TRUE(Put(cache, "a", "a", object).ok());
  ASSERT_TRUE(Put(cache, "b", "b", object).ok());
  const timespec earlier[2] = {{1000000000, 0}, {1000000000, 0}};
  const timespec later[2] = {{1000000100, 0}, {1000000100, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, (root_ + "/a/manifest").c_str(), earlier, 0), 0);
  ASSERT_EQ(utimensat(AT_FDCWD, (root_ + "/b/manifest").c_str(), later, 0), 0);
  EXPECT_TRUE(cache.Find("a", "a"));  // now `b` is the oldest
  ASSERT_TRUE(Put(cache, "c", "c", object).ok());
  ASSERT_TRUE(Put(cache, "d", "d", object).ok());
  EXPECT_FALSE(cache.Find("b", "b"));
  EXPECT_TRUE(cache.Find("d", "d"));
}

TEST_F(CacheTest, CountsItsEntriesAgainWhenTheRunningTotalIsLostOrWrong) {
  const Cache cache(root_, 4000);
  const std::string object(1000, 'x');
  for (const char* total : {"", "x\n", "-5\n", "99999999999999999999999\n"}) {
    ASSERT_TRUE(Put(cache, "a", "a", object).ok());
    ASSERT_TRUE(Put(cache, "b", "b", object).ok());
    ASSERT_TRUE(base::WriteFile(root_ + "/total", total).ok());
    ASSERT_TRUE(Put(cache, "c", "c", object).ok());
    ASSERT_TRUE(Put(cache, "d", "d", object).ok());
    uint64_t bytes = 0;
    for (const CacheEntryInfo& entry : cache.List()) bytes += entry.bytes;
    EXPECT_LE(bytes, 4000u) << total;  // the four together are more
    EXPECT_TRUE(cache.Find("d", "d")) << total;
  }
}

TEST_F(CacheTest, KeepsTheNewEntryEvenIfItAloneIsTooBig) {
  const Cache cache(root_, 100);
  ASSERT_TRUE(Put(cache, "a", "a", std::string(1000, 'x')).ok());
  EXPECT_TRUE(cache.Find("a", "a"));
}

TEST_F(CacheTest, ServesManyProcessesThatMakeTheSameKey) {
  const Cache cache(root_);
  ASSERT_TRUE(cache.Prepare().ok());
  constexpr int kProcesses = 6;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      for (int round = 0; round < 20; ++round) {
        const auto lock = cache.Lock("aa");
        if (!lock.ok()) _exit(2);
        if (cache.Find("aa", "key")) continue;
        if (!Put(cache, "aa", "key", std::string(100000, 'x')).ok()) _exit(3);
        if (!base::WriteFile(root_ + "/made-" + std::to_string(getpid()), "").ok()) _exit(4);
      }
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  int made = 0;
  for (const std::string& name : base::ListDirectory(root_))
    made += name.starts_with("made-") ? 1 : 0;
  EXPECT_EQ(made, 1);
}

TEST_F(CacheTest, ServesReadersWhileTheEntryIsReplacedWithoutALock) {
  const Cache cache(root_);
  ASSERT_TRUE(Put(cache, "aa", "key", std::string(50000, 'x')).ok());
  const pid_t writer = fork();
  if (writer == 0) {
    for (int i = 0; i < 50; ++i) (void)Put(cache, "aa", "key", std::string(50000, 'x'));
    _exit(0);
  }
  for (int i = 0; i < 200; ++i) {
    if (const auto entry = cache.Find("aa", "key")) {
      const auto object = base::ReadFile(entry->object_path);
      if (object.ok()) {
        EXPECT_EQ(object->size(), 50000u);
      }
    }
  }
  int status = 0;
  ASSERT_EQ(waitpid(writer, &status, 0), writer);
}

TEST_F(CacheTest, ListsAndClears) {
  const Cache cache(root_);
  ASSERT_TRUE(Put(cache, "aa", "key", std::string(5000, 'x')).ok());
  ASSERT_TRUE(base::MakeDirectories(root_ + "/source/0123").ok());  // the text of TileLang programs
  const auto entries = cache.List();
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].name, "aa");
  EXPECT_EQ(entries[0].object, "object");
  EXPECT_GE(entries[0].bytes, 5000u);
  const auto cleared = cache.Clear();
  ASSERT_TRUE(cleared.ok());
  EXPECT_GE(*cleared, 5000u);
  EXPECT_THAT(cache.List(), IsEmpty());
  EXPECT_TRUE(Cache(root_ + "/none").Clear().ok());
}

TEST_F(CacheTest, ClearsNothingThatIsBeingMade) {
  const Cache cache(root_);
  ASSERT_TRUE(Put(cache, "aa", "key", "code").ok());
  const auto work = cache.MakeWorkFolder();
  ASSERT_TRUE(work.ok());
  ASSERT_TRUE(base::WriteFile(*work + "/object", "half").ok());
  ASSERT_TRUE(cache.Clear().ok());
  EXPECT_THAT(cache.List(), IsEmpty());
  EXPECT_TRUE(base::IsFile(*work + "/object"));
  Manifest manifest;
  manifest.key = "key";
  manifest.object = "object";
  EXPECT_TRUE(cache.Insert("aa", *work, std::move(manifest)).ok());
  EXPECT_TRUE(cache.Find("aa", "key"));
}

TEST_F(CacheTest, KeepsTheFolderOfAFailureButNeverLoadsIt) {
  const Cache cache(root_);
  ASSERT_TRUE(cache.Prepare().ok());
  const auto work = cache.MakeWorkFolder();
  ASSERT_TRUE(work.ok());
  ASSERT_TRUE(base::WriteFile(*work + "/log", "error").ok());
  const auto kept = cache.KeepFailure("aa", *work);
  ASSERT_TRUE(kept.ok());
  EXPECT_EQ(*base::ReadFile(*kept + "/log"), "error");
  EXPECT_FALSE(cache.Find("aa", "key"));
}

TEST_F(CacheTest, SaysWhyItCannotBeWritten) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  ASSERT_EQ(chmod(root_.c_str(), 0500), 0);
  const auto prepared = Cache(root_).Prepare();
  ASSERT_FALSE(prepared.ok());
  EXPECT_THAT(prepared.error().message, HasSubstr("Permission denied"));
  ASSERT_EQ(chmod(root_.c_str(), 0700), 0);
}

TEST_F(CacheTest, RefusesAFileInPlaceOfItsFolder) {
  ASSERT_TRUE(base::WriteFile(root_ + "/file", "").ok());
  EXPECT_FALSE(Cache(root_ + "/file").Prepare().ok());
}

TEST_F(CacheTest, ReportsAFullDisk) {
  const std::string mount_point = root_ + "/disk";
  ASSERT_TRUE(base::MakeDirectories(mount_point).ok());
  if (mount("tmpfs", mount_point.c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "a small file system needs root";
  }
  const Cache cache(mount_point);
  const auto put = Put(cache, "aa", "key", std::string(200000, 'x'));
  EXPECT_FALSE(put.ok());
  if (!put.ok()) {
    EXPECT_THAT(put.error().message, HasSubstr("No space left on device"));
  }
  EXPECT_FALSE(cache.Find("aa", "key"));
  EXPECT_EQ(umount(mount_point.c_str()), 0);
}

TEST(Manifest, ReadsBackWhatItWrote) {
  Manifest manifest;
  manifest.key = "key\nwith \"lines\"";
  manifest.object = "add";
  manifest.object_hash = "00ff";
  manifest.object_bytes = 12;
  manifest.kernels = "[]";
  manifest.dependencies = {{"/usr/include/a\nb c.h", 7, -1}};
  const auto read = Manifest::FromText(manifest.ToText());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->key, manifest.key);
  EXPECT_EQ(read->object, "add");
  EXPECT_EQ(read->object_hash, "00ff");
  EXPECT_EQ(read->kernels, "[]");
  EXPECT_EQ(read->object_bytes, 12u);
  EXPECT_THAT(read->dependencies, ElementsAre(manifest.dependencies[0]));
  const std::string text = manifest.ToText();
  for (size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(Manifest::FromText(text.substr(0, size))) << size;
  }
  EXPECT_FALSE(Manifest::FromText(text + " "));
}

}  // namespace
}  // namespace hostnpu::compiler

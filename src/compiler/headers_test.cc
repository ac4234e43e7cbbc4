// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/headers.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file.h"

namespace hostnpu::compiler {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class HeadersTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto folder = base::MakeTemporaryDirectory("/tmp", "hostnpu-headers-test-");
    ASSERT_TRUE(folder.ok()) << folder.error().message;
    folder_ = *folder;
    for (const char* each : {"/include/a", "/include/b", "/memo", "/other"}) {
      ASSERT_TRUE(base::MakeDirectories(folder_ + each).ok());
    }
    Write("a/x.h", "#if defined(ALPHA)\n#endif\nint x;\n");
    Write("b/y.h", "int y;\n");
    MakeAllOld();
  }
  void TearDown() override { (void)base::RemoveTree(folder_); }

  std::string Root() const { return folder_ + "/include"; }
  std::string Memo() const { return folder_ + "/memo"; }
  Headers Read() const { return ReadHeaders(Root(), {Memo(), folder_ + "/other"}); }

  void Write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(base::WriteFile(Root() + "/" + name, text).ok());
  }

  /// As if nothing had changed for an hour; each time a little later.
  void MakeAllOld() {
    const timespec then = {(base::FileClockNs() / 1000000000) - seconds_ago_, 5};
    seconds_ago_ -= 10;
    const timespec times[2] = {then, then};
    for (const base::TreeEntry& entry : base::ListTree(Root())) {
      ASSERT_EQ(utimensat(AT_FDCWD, entry.path.c_str(), times, 0), 0);
    }
  }

  /// Changes the bytes of a file and nothing that its state says, so that whoever reads the file
  /// tells another hash than whoever remembers it.
  void ChangeUnseen(const std::string& name, const std::string& text) const {
    struct stat before;
    const std::string path = Root() + "/" + name;
    ASSERT_EQ(stat(path.c_str(), &before), 0);
    ASSERT_EQ(text.size(), static_cast<size_t>(before.st_size));
    ASSERT_TRUE(base::WriteFile(path, text).ok());
    const timespec times[2] = {before.st_atim, before.st_mtim};
    ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }

  std::string folder_;
  int64_t seconds_ago_ = 3600;
};

TEST_F(HeadersTest, ReadsTheWordsOfTheConditions) {
  EXPECT_THAT(Read().TestedMacros(), AllOf(Contains("ALPHA"), Not(Contains("x"))));
}

TEST_F(HeadersTest, WhatIsUnchangedIsRememberedAndNotReadAgain) {
  const Headers first = Read();
  EXPECT_THAT(base::ListDirectory(Memo()), SizeIs(1));
  ChangeUnseen("b/y.h", "int z;\n");
  const Headers second = Read();
  EXPECT_EQ(second.hash, first.hash);
  EXPECT_EQ(second.condition_words, first.condition_words);
}

TEST_F(HeadersTest, WhatAnotherFolderRemembersIsTaken) {
  const Headers first = ReadHeaders(Root(), {folder_ + "/other"});
  ChangeUnseen("b/y.h", "int z;\n");
  EXPECT_EQ(Read().hash, first.hash);
  EXPECT_THAT(base::ListDirectory(Memo()), IsEmpty());
}

TEST_F(HeadersTest, ADifferentTreeIsNotTakenForTheRememberedOne) {
  const Headers first = Read();
  ASSERT_TRUE(base::MakeDirectories(folder_ + "/copy/a").ok());
  ASSERT_TRUE(base::WriteFile(folder_ + "/copy/a/x.h", "int other;\n").ok());
  EXPECT_NE(ReadHeaders(folder_ + "/copy", {Memo()}).hash, first.hash);
}

TEST_F(HeadersTest, AnyChangeOfTheTreeIsSeen) {
  const std::string first = Read().hash;
  Write("b/y.h", "int w;\n");
  const std::string changed = Read().hash;
  EXPECT_NE(changed, first) << "other bytes";

  MakeAllOld();
  EXPECT_EQ(Read().hash, changed);
  Write("b/new.h", "int n;\n");
  const std::string more = Read().hash;
  EXPECT_NE(more, changed) << "a file that came";

  MakeAllOld();
  EXPECT_EQ(Read().hash, more);
  ASSERT_TRUE(base::RemoveTree(Root() + "/a/x.h").ok());
  EXPECT_NE(Read().hash, more) << "a file that went";

  ASSERT_TRUE(base::RemoveTree(Root() + "/b/new.h").ok());
  Write("a/x.h", "#if defined(ALPHA)\n#endif\nint x;\n");
  Write("b/y.h", "int y;\n");
  EXPECT_EQ(Read().hash, first) << "as at the beginning";

  ASSERT_TRUE(base::MakeDirectories(Root() + "/a/deep").ok());
  MakeAllOld();
  EXPECT_EQ(Read().hash, first);
  Write("a/deep/z.h", "int z;\n");
  EXPECT_NE(Read().hash, first) << "a file in a folder that was empty";

  MakeAllOld();
  const std::string deep = Read().hash;
  ASSERT_TRUE(base::Rename(Root() + "/a/deep", Root() + "/b/deep").ok());
  EXPECT_NE(Read().hash, deep) << "a folder that moved";
}

TEST_F(HeadersTest, WhatChangedAMomentAgoIsNotRemembered) {
  Write("b/y.h", "int w;\n");
  const std::string first = Read().hash;
  EXPECT_THAT(base::ListDirectory(Memo()), IsEmpty());
  ChangeUnseen("b/y.h", "int v;\n");  // as a clock that is too coarse shows it
  EXPECT_NE(Read().hash, first);
}

TEST_F(HeadersTest, ADamagedMemoIsNotBelieved) {
  const std::string first = Read().hash;
  const auto names = base::ListDirectory(Memo());
  ASSERT_THAT(names, SizeIs(1));
  const std::string path = Memo() + "/" + names[0];
  const auto memo = base::ReadFile(path);
  ASSERT_TRUE(memo.ok());
  for (size_t size = 0; size < memo->size(); size += 7) {
    ASSERT_TRUE(base::WriteFile(path, memo->substr(0, size)).ok());
    EXPECT_EQ(Read().hash, first) << size;
  }
}

}  // namespace
}  // namespace hostnpu::compiler

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/source_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "compiler/depfile.h"

namespace hostnpu::compiler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Names(std::string_view text) {
  std::vector<std::string> names;
  for (const IncludeLine& include : FindIncludes(text)) names.push_back(include.name);
  return names;
}

TEST(FindIncludes, SeesEveryFormOfAnIncludeLine) {
  EXPECT_THAT(
      Names("#include \"a.h\"\n  #  include <b/c.h> // x\n#include_next <d.h>\n"
            "/* y */#include \"e.h\"\nint a; # include \"no.h\"\n#include MACRO\n#inc \"f\"\n"),
      ElementsAre("a.h", "b/c.h", "d.h", "e.h"));
}

TEST(FindIncludes, SurvivesDamagedLines) {
  EXPECT_THAT(Names("#include\n#include \"\n#include <a\n#"), IsEmpty());
}

class SourceSetTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = base::MakeTemporaryDirectory(::testing::TempDir(), "source_set_test-");
    ASSERT_TRUE(made.ok());
    folder_ = *made;
  }
  void TearDown() override { EXPECT_TRUE(base::RemoveTree(folder_).ok()); }
  void Write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(base::MakeDirectories(base::DirectoryOf(folder_ + "/" + name)).ok());
    ASSERT_TRUE(base::WriteFile(folder_ + "/" + name, text).ok());
  }
  std::vector<std::string> Files(const SourceSet& set) const {
    std::vector<std::string> names;
    for (const auto& [absolute, file] : set.files)
      names.push_back(absolute.substr(folder_.size() + 1));
    return names;
  }
  std::string folder_;
};

TEST_F(SourceSetTest, FollowsQuotedIncludesFromFileToFile) {
  Write("a.asc", "#include \"h/b.h\"\n#include <cstdio>\n");
  Write("h/b.h", "#include \"c.h\"\n#include \"../d.h\"\n");
  Write("h/c.h", "#include \"b.h\"\n");
  Write("d.h", "");
  Write("unrelated.h", "");
  const auto set = CollectSources({{folder_ + "/a.asc"}}, {});
  ASSERT_TRUE(set.ok());
  EXPECT_THAT(Files(*set), ElementsAre("a.asc", "d.h", "h/b.h", "h/c.h"));
  EXPECT_TRUE(set->Includes("cstdio"));
  EXPECT_FALSE(set->Includes("h/b.h"));
}

TEST_F(SourceSetTest, LooksIntoIncludeDirectoriesForBothForms) {
  Write("a.asc", "#include <x.h>\n#include \"y.h\"\n");
  Write("one/x.h", "");
  Write("two/x.h", "");
  Write("two/y.h", "");
  const auto set = CollectSources({{folder_ + "/a.asc"}}, {folder_ + "/one", folder_ + "/two"});
  ASSERT_TRUE(set.ok());
  EXPECT_THAT(Files(*set), ElementsAre("a.asc", "one/x.h", "two/y.h"));
}

TEST_F(SourceSetTest, FollowsBothBranchesOfACondition) {
  Write("a.asc", "#ifdef A\n#include \"x.h\"\n#else\n#include \"y.h\"\n#endif\n");
  Write("x.h", "");
  Write("y.h", "");
  const auto set = CollectSources({{folder_ + "/a.asc"}}, {});
  ASSERT_TRUE(set.ok());
  EXPECT_THAT(Files(*set), ElementsAre("a.asc", "x.h", "y.h"));
}

TEST_F(SourceSetTest, TakesASourceFromMemory) {
  Write("x.h", "");
  const auto set = CollectSources({{folder_ + "/made.asc", "#include \"x.h\"\n", true}}, {});
  ASSERT_TRUE(set.ok());
  EXPECT_THAT(Files(*set), ElementsAre("made.asc", "x.h"));
}

TEST_F(SourceSetTest, NamesAMissingSourceAndAFolder) {
  const auto missing = CollectSources({{folder_ + "/none.asc"}}, {});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, base::Code::kNotFound);
  EXPECT_FALSE(CollectSources({{folder_}}, {}).ok());
}

TEST(Dependencies, ReadsARuleAsClangWritesIt) {
  EXPECT_THAT(ParseDependencies("a.o: b.cc \\\n  /c\\ d/e.h f$$g.h \\\n h\\#i\n"),
              ElementsAre("b.cc", "/c d/e.h", "f$g.h", "h#i"));
  EXPECT_THAT(ParseDependencies(""), IsEmpty());
  EXPECT_THAT(ParseDependencies("a.o:"), IsEmpty());
}

}  // namespace
}  // namespace hostnpu::compiler

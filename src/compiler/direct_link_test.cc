// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/direct_link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/subprocess.h"

namespace hostnpu::compiler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(PlannedCommands, AreTakenApartWithTheirQuotes) {
  const auto commands = ParsePlannedCommands(
      "Debian clang version 19.1.7\nTarget: x86_64-pc-linux-gnu\n \"/usr/bin/ld.lld-19\" \"-o\" "
      "\"a \\\"b\\\" \\$c \\\\d\" \"\"\n");
  ASSERT_EQ(commands.size(), 1u);
  EXPECT_THAT(commands[0], ElementsAre("/usr/bin/ld.lld-19", "-o", "a \"b\" $c \\d", ""));
  EXPECT_THAT(ParsePlannedCommands("clang: error: no input files\n"), IsEmpty());
}

class DirectLinkTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = base::MakeTemporaryDirectory(::testing::TempDir(), "direct_link_test-");
    ASSERT_TRUE(made.ok());
    folder_ = *made;
    std::vector<MissingPart> missing;
    toolchain_ = LocateToolchain(&missing);
    if (toolchain_.compiler.empty() || toolchain_.linker.empty()) GTEST_SKIP() << "no clang";
    cache_ = std::make_unique<Cache>(folder_ + "/cache");
    ASSERT_TRUE(cache_->Prepare().ok());
  }
  void TearDown() override { EXPECT_TRUE(base::RemoveTree(folder_).ok()); }

  /// An object whose program ends with `code`.
  std::string ObjectOf(int code) {
    const std::string stem = folder_ + "/" + std::to_string(code);
    EXPECT_TRUE(
        base::WriteFile(stem + ".c", "int main(void) { return " + std::to_string(code) + "; }")
            .ok());
    const auto run = base::RunProgram(
        {toolchain_.compiler, "-x", "c", "-fPIC", "-c", stem + ".c", "-o", stem + ".o"});
    EXPECT_TRUE(run.ok() && run->ok());
    return stem + ".o";
  }

  std::optional<std::vector<std::string>> Ask(const std::string& object, const std::string& output,
                                              const std::vector<std::string>& flags = {}) {
    std::vector<std::string> command = {toolchain_.compiler, "--ld-path=" + toolchain_.linker,
                                        object, "-o", output};
    command.insert(command.end(), flags.begin(), flags.end());
    return DirectLinkCommand(command, {object}, output, toolchain_, *cache_);
  }

  static int ExitCodeOf(const std::string& program) {
    const auto run = base::RunProgram({program});
    return run.ok() ? run->exit_code : -1;
  }

  size_t Memos() const {
    size_t count = 0;
    for (const auto& name : base::ListDirectory(folder_ + "/cache")) {
      count += name.starts_with("link-");
    }
    return count;
  }

  std::string folder_;
  Toolchain toolchain_;
  std::unique_ptr<Cache> cache_;
};

TEST_F(DirectLinkTest, LinksOtherObjectsIntoOtherOutputsByWhatClangSaidOnce) {
  for (const int code : {3, 4}) {
    const std::string output = folder_ + "/out-" + std::to_string(code) + "/program";
    ASSERT_TRUE(base::MakeDirectories(base::DirectoryOf(output)).ok());
    const auto words = Ask(ObjectOf(code), output);
    ASSERT_TRUE(words);
    EXPECT_EQ(words->front(), toolchain_.linker);
    const auto run = base::RunProgram(*words);
    ASSERT_TRUE(run.ok());
    EXPECT_TRUE(run->ok()) << run->err;
    EXPECT_EQ(ExitCodeOf(output), code);
    EXPECT_EQ(Memos(), 1u);
  }
}

TEST_F(DirectLinkTest, AsksAgainForOtherFlags) {
  const std::string object = ObjectOf(0);
  ASSERT_TRUE(base::MakeDirectories(folder_ + "/out").ok());
  ASSERT_TRUE(Ask(object, folder_ + "/out/a"));
  const auto words = Ask(object, folder_ + "/out/a", {"-shared"});
  ASSERT_TRUE(words);
  EXPECT_THAT(*words, ::testing::Contains("-shared"));
  EXPECT_EQ(Memos(), 2u);
}

TEST_F(DirectLinkTest, AsksAgainWhereTheMemoIsDamaged) {
  const std::string object = ObjectOf(0);
  ASSERT_TRUE(base::MakeDirectories(folder_ + "/out").ok());
  const auto words = Ask(object, folder_ + "/out/a");
  ASSERT_TRUE(words);
  for (const auto& name : base::ListDirectory(folder_ + "/cache")) {
    if (!name.starts_with("link-")) continue;
    const std::string path = folder_ + "/cache/" + name;
    const auto text = base::ReadFile(path);
    ASSERT_TRUE(text.ok());
    ASSERT_TRUE(base::WriteFile(path, text->substr(0, text->size() / 2)).ok());
  }
  EXPECT_EQ(Ask(object, folder_ + "/out/a"), words);
}

TEST_F(DirectLinkTest, LeavesToClangWhatItDoesNotAnswerWithOneLinker) {
  const std::string object = ObjectOf(0);
  EXPECT_FALSE(Ask(folder_ + "/missing.o", folder_ + "/out"));  // clang names the missing file
  EXPECT_FALSE(Ask(object, folder_ + "/out", {"--no-such-option"}));  // and the unknown option
  EXPECT_FALSE(Ask(object, folder_ + "/out", {"-Wl,-Map=" + folder_ + "/map"}));  // of this program
  EXPECT_EQ(Memos(), 0u);
}

}  // namespace
}  // namespace hostnpu::compiler

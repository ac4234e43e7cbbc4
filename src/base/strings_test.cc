// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "base/strings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/subprocess.h"

namespace hostnpu::base {
namespace {

using ::testing::ElementsAre;

TEST(Strings, TrimsWhiteSpaceAtBothEndsOnly) {
  EXPECT_EQ(Trim(" \t a b \r\n"), "a b");
  EXPECT_EQ(Trim(""), "");
  EXPECT_EQ(Trim(" \n "), "");
}

TEST(Strings, SplitsIntoPiecesAndKeepsEmptyOnes) {
  EXPECT_THAT(Split("a,,b,", ','), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(Split("", ','), ElementsAre(""));
}

TEST(Strings, SplitsLinesWithEitherLineEnd) {
  EXPECT_THAT(SplitLines("a\r\nb\n\nc"), ElementsAre("a", "b", "", "c"));
  EXPECT_THAT(SplitLines("a\n"), ElementsAre("a"));
  EXPECT_TRUE(SplitLines("").empty());
}

TEST(Strings, ReplacesEveryOccurrenceWithoutLookingAtTheReplacement) {
  EXPECT_EQ(ReplaceAll("aXbX", "X", "XX"), "aXXbXX");
  EXPECT_EQ(ReplaceAll("aaa", "aa", "b"), "ba");
  EXPECT_EQ(ReplaceAll("", "a", "b"), "");
}

TEST(Strings, ParsesOnlyWholeNumbersInRange) {
  EXPECT_EQ(ParseNumber("42"), 42u);
  EXPECT_EQ(ParseNumber("18446744073709551615"), UINT64_MAX);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "1x", "18446744073709551616"}) {
    EXPECT_FALSE(ParseNumber(text)) << text;
  }
}

TEST(Strings, QuotesWordsSoThatTheShellReadsThemBack) {
  const std::vector<std::string> words = {"plain", "",     "a b", "it's",
                                          "$HOME", "x\ny", "*",   "-D\"a\""};
  const auto run = RunProgram({"/bin/sh", "-c", "printf '%s|' " + ShellJoin(words)});
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->out, Join(words, "|") + "|");
  EXPECT_EQ(ShellQuote("-I/usr/include"), "-I/usr/include");
}

TEST(Strings, QuotesCppLiterals) {
  EXPECT_EQ(CppQuote("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(CppQuote("\n?"), R"("\012\077")");
}

TEST(Strings, FormatsSizesForPeople) {
  EXPECT_EQ(FormatBytes(0), "0 bytes");
  EXPECT_EQ(FormatBytes(1023), "1023 bytes");
  EXPECT_EQ(FormatBytes(1024), "1 KiB");
  EXPECT_EQ(FormatBytes(1536), "1.5 KiB");
  EXPECT_EQ(FormatBytes(1048575), "1 MiB");
  EXPECT_EQ(FormatBytes(uint64_t{23} << 20), "23 MiB");
  EXPECT_EQ(FormatBytes(UINT64_MAX), "16 EiB");
}

TEST(Strings, FindsTheNearestWordButNoFarOne) {
  EXPECT_EQ(Nearest("ub-overflw", {"ub-overflow", "no-main"}), "ub-overflow");
  EXPECT_FALSE(Nearest("something", {"ub-overflow", "no-main"}));
  EXPECT_FALSE(Nearest("", {}));
}

}  // namespace
}  // namespace hostnpu::base

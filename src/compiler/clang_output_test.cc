// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/clang_output.h"

#include <gtest/gtest.h>

namespace hostnpu::compiler {
namespace {

TEST(ClangOutput, ReadsAMessageWithItsRangeAndItsNotes) {
  const auto output = ParseClangOutput(
      "In file included from a.asc:1:\n"
      "inc/b.h:7:3:{7:3-7:12}{7:14-7:15}: error: no matching function for call to 'k' [-Wx]\n"
      "a.asc:4:9: note: candidate function not viable\n"
      "1 error generated.\n");
  ASSERT_EQ(output.messages.size(), 1u);
  const ClangMessage& message = output.messages[0];
  EXPECT_EQ(message.file, "inc/b.h");
  EXPECT_EQ(message.line, 7u);
  EXPECT_EQ(message.column, 3u);
  EXPECT_EQ(message.range_end, 12u);  // the range that starts at the message
  EXPECT_EQ(message.text, "no matching function for call to 'k' [-Wx]");
  ASSERT_EQ(message.notes.size(), 1u);
  EXPECT_EQ(message.notes[0].column, 9u);
  EXPECT_TRUE(output.other_lines.empty());
}

TEST(ClangOutput, ReadsMessagesWithoutAPlace) {
  const auto output = ParseClangOutput("clang++-19: error: no such file or directory: 'x'\n");
  ASSERT_EQ(output.messages.size(), 1u);
  EXPECT_TRUE(output.messages[0].file.empty());
}

TEST(ClangOutput, ReadsPathsWithColons) {
  const auto output = ParseClangOutput("dir:3/a.asc:1:2: fatal error: 'x.h' file not found\n");
  ASSERT_EQ(output.messages.size(), 1u);
  EXPECT_EQ(output.messages[0].file, "dir:3/a.asc");
  EXPECT_EQ(output.messages[0].severity, base::Severity::kError);
}

TEST(ClangOutput, KeepsOtherLinesApart) {
  const auto output = ParseClangOutput("PLEASE submit a bug report\n\nStack dump:\n");
  EXPECT_TRUE(output.messages.empty());
  EXPECT_EQ(output.other_lines.size(), 3u);
}

TEST(LinkerOutput, NamesUndefinedSymbolsWhereTheyAreUsed) {
  const auto diagnostics = ParseLinkerOutput(
      "ld.lld-19: error: undefined symbol: Answer(int)\n"
      ">>> referenced by main.cpp:6 (/w/main.cpp:6)\n"
      ">>>               /tmp/01-main.o:(main)\n"
      "clang++-19: error: linker command failed with exit code 1 (use -v to see invocation)\n");
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].message, "undefined symbol 'Answer(int)'");
  EXPECT_EQ(diagnostics[0].location, (base::SourceLocation{"/w/main.cpp", 6, 0}));
}

TEST(LinkerOutput, NamesBothPlacesOfADoubleDefinition) {
  const auto diagnostics = ParseLinkerOutput(
      "ld.lld: error: duplicate symbol: main\n"
      ">>> defined at a.cpp:1 (/w/a.cpp:1)\n>>>            /tmp/a.o:(main)\n"
      ">>> defined at b.cpp:2 (/w/b.cpp:2)\n>>>            /tmp/b.o:(.text+0x0)\n");
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].message, "'main' is defined twice");
  EXPECT_EQ(diagnostics[0].location.file, "/w/a.cpp");
  ASSERT_EQ(diagnostics[0].notes.size(), 1u);
  EXPECT_EQ(diagnostics[0].notes[0].location.line, 2u);
}

}  // namespace
}  // namespace hostnpu::compiler

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace hostnpu::base {
namespace {

Diagnostic Sample() {
  Diagnostic diagnostic;
  diagnostic.location = {"a.asc", 42, 5};
  diagnostic.message = "Foo is not implemented";
  diagnostic.excerpt = "    Foo(x);";
  diagnostic.caret_length = 3;
  return diagnostic;
}

TEST(Diagnostic, ShowsPlaceTextLineAndCaret) {
  EXPECT_EQ(Render(Sample()), R"(a.asc:42:5: error: Foo is not implemented
42 |     Foo(x);
   |     ^~~
)");
}

TEST(Diagnostic, PutsNotesAndHelpBelow) {
  Diagnostic diagnostic = Sample();
  diagnostic.AddNote("declared here", {"b.h", 7, 0}).AddHelp("use Bar");
  EXPECT_EQ(Render(diagnostic), R"(a.asc:42:5: error: Foo is not implemented
42 |     Foo(x);
   |     ^~~
b.h:7: note: declared here
help: use Bar
)");
}

TEST(Diagnostic, LeavesOutWhatIsUnknown) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::kWarning;
  diagnostic.message = "no place";
  EXPECT_EQ(Render(diagnostic), "warning: no place\n");
  diagnostic.location.file = "a.asc";
  EXPECT_EQ(Render(diagnostic), "a.asc: warning: no place\n");
}

TEST(Diagnostic, KeepsTheCaretBelowItsCharacterBehindTabsAndWideText) {
  Diagnostic diagnostic = Sample();
  diagnostic.excerpt = "\t\"变\" Foo";
  diagnostic.location.column = 8;  // bytes: tab, quote, three of the character, quote, blank
  EXPECT_EQ(Render(diagnostic),
            "a.asc:42:8: error: Foo is not implemented\n42 | \t\"变\" Foo\n   | \t     ^~~\n");
}

TEST(Diagnostic, SurvivesAColumnBeyondTheLine) {
  Diagnostic diagnostic = Sample();
  diagnostic.location.column = 400;
  diagnostic.caret_length = 50;
  EXPECT_EQ(Render(diagnostic),
            "a.asc:42:400: error: Foo is not implemented\n42 |     Foo(x);\n   |            ^\n");
}

TEST(Diagnostic, SurvivesDamagedUtf8) {
  Diagnostic diagnostic = Sample();
  diagnostic.excerpt = "\xe5\xff\xf0";
  diagnostic.location.column = 4;
  EXPECT_FALSE(Render(diagnostic).empty());
  EXPECT_EQ(DisplayWidth("\xe5\xff\xf0"), 3u);
}

TEST(Diagnostic, ColoursOnlyWhenAsked) {
  EXPECT_EQ(Render(Sample()).find('\033'), std::string::npos);
  EXPECT_NE(Render(Sample(), true).find("\033[1;31merror:\033[0m"), std::string::npos);
}

TEST(Diagnostic, WantsNoColourInAPipeOrWithNoColor) {
  int descriptors[2];
  ASSERT_EQ(pipe(descriptors), 0);
  EXPECT_FALSE(WantsColor(descriptors[1]));
  close(descriptors[0]);
  close(descriptors[1]);
}

TEST(DisplayWidth, CountsWideCharactersTwice) {
  EXPECT_EQ(DisplayWidth(""), 0u);
  EXPECT_EQ(DisplayWidth("abc"), 3u);
  EXPECT_EQ(DisplayWidth("变量"), 4u);
  EXPECT_EQ(DisplayWidth("é"), 1u);
}

}  // namespace
}  // namespace hostnpu::base

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/lexer.h"

#include <gtest/gtest.h>

namespace hostnpu::compiler {
namespace {

std::vector<std::string> Texts(std::string_view source) {
  std::vector<std::string> texts;
  for (const Token& token : Lex(source)) texts.emplace_back(token.text);
  return texts;
}

using Words = std::vector<std::string>;

TEST(Lexer, SplitsNamesNumbersAndPunctuation) {
  EXPECT_EQ(Texts("a+=b->c::d;"), (Words{"a", "+", "=", "b", "->", "c", "::", "d", ";"}));
}

TEST(Lexer, TakesNoTextForNoTokens) {
  EXPECT_TRUE(Lex("").empty());
  EXPECT_TRUE(Lex(" \t\r\n\f").empty());
}

TEST(Lexer, SkipsCommentsOfBothKinds) {
  EXPECT_EQ(Texts("a // b <<< c\nd /* e <<<\n f */ g"), (Words{"a", "d", "g"}));
}

TEST(Lexer, SkipsALineCommentThatIsContinued) {
  EXPECT_EQ(Texts("a // b \\\n c\nd"), (Words{"a", "d"}));
}

TEST(Lexer, EndsAnUnclosedCommentAtTheEndOfTheFile) { EXPECT_EQ(Texts("a /* b"), (Words{"a"})); }

TEST(Lexer, KeepsStringsWhole) {
  EXPECT_EQ(Texts(R"(f("a <<< \" b", L"c", u8"d"))"),
            (Words{"f", "(", R"("a <<< \" b")", ",", R"(L"c")", ",", R"(u8"d")", ")"}));
}

TEST(Lexer, KeepsCharactersWhole) {
  EXPECT_EQ(Texts(R"('<' '\'' L'"' x)"), (Words{"'<'", R"('\'')", R"(L'"')", "x"}));
}

TEST(Lexer, KeepsRawStringsWhole) {
  EXPECT_EQ(Texts("x = R\"(a \" <<< \n )\" + y"),
            (Words{"x", "=", "R\"(a \" <<< \n )\"", "+", "y"}));
  EXPECT_EQ(Texts("R\"ab(c)\" )ab\" z"), (Words{"R\"ab(c)\" )ab\"", "z"}));
  EXPECT_EQ(Texts("u8R\"(x)\" UR\"(y)\""), (Words{"u8R\"(x)\"", "UR\"(y)\""}));
}

TEST(Lexer, TakesANameThatEndsInRForNoRawString) {
  EXPECT_EQ(Texts("FOUR\"(x)\""), (Words{"FOUR", "\"(x)\""}));
}

TEST(Lexer, DoesNotEndARawStringAtASplice) {
  EXPECT_EQ(Texts("R\"(a\\\nb)\" c"), (Words{"R\"(a\\\nb)\"", "c"}));
}

TEST(Lexer, EndsAnUnclosedStringAtItsLine) {
  EXPECT_EQ(Texts("#error don't <<<\nk<<<"), (Words{"#", "error", "don", "'t <<<", "k", "<<<"}));
}

TEST(Lexer, TakesDigitSeparatorsAndExponentsIntoTheNumber) {
  EXPECT_EQ(Texts("1'000'000 1e-5f 0x1p+3 .5 1.f"),
            (Words{"1'000'000", "1e-5f", "0x1p+3", ".5", "1.f"}));
}

TEST(Lexer, OpensALaunchOnlyWithExactlyThree) {
  const auto tokens = Lex("a <<< b << c <<<< d <<<<<<< HEAD");
  ASSERT_EQ(tokens.size(), 9u);
  EXPECT_EQ(tokens[1].kind, TokenKind::kLaunchOpen);
  EXPECT_EQ(tokens[3].text, "<<");
  EXPECT_EQ(tokens[5].text, "<<<<");
  EXPECT_EQ(tokens[7].text, "<<<<<<<");
}

TEST(Lexer, LeavesClosingBracketsSingle) {
  EXPECT_EQ(Texts("a>>>b"), (Words{"a", ">", ">", ">", "b"}));
}

TEST(Lexer, NumbersPreprocessorLines) {
  const auto tokens = Lex("a\n#define X \\\n  b\nc\n  # if 1 // d\ne");
  ASSERT_EQ(tokens.size(), 10u);
  EXPECT_EQ(tokens[0].directive, 0u);
  EXPECT_EQ(tokens[4].text, "b");
  EXPECT_EQ(tokens[4].directive, 1u);
  EXPECT_EQ(tokens[5].directive, 0u);
  EXPECT_EQ(tokens[7].text, "if");
  EXPECT_EQ(tokens[7].directive, 2u);
  EXPECT_EQ(tokens[8].text, "1");
}

TEST(Lexer, GoesOnWithAPreprocessorLineBehindABlockComment) {
  const auto tokens = Lex("#define X /* a\n b */ c\nd");
  ASSERT_EQ(tokens.size(), 5u);
  EXPECT_EQ(tokens[3].text, "c");
  EXPECT_EQ(tokens[3].directive, 1u);
  EXPECT_EQ(tokens[4].directive, 0u);
}

TEST(Lexer, ReadsHeaderNamesOnlyBehindInclude) {
  const auto tokens = Lex("#include <a/b.h>\n#include \"c d.h\"\n#if 1 < 2\n");
  EXPECT_EQ(tokens[2].kind, TokenKind::kHeaderName);
  EXPECT_EQ(tokens[2].text, "<a/b.h>");
  EXPECT_EQ(tokens[5].text, "\"c d.h\"");
  EXPECT_EQ(tokens[9].text, "<");
}

TEST(Lexer, JoinsANameAcrossASplice) {
  const auto tokens = Lex("ab\\\ncd + e");
  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(CleanText(tokens[0]), "abcd");
  EXPECT_EQ(tokens[0].text, "ab\\\ncd");
}

TEST(Lexer, TakesASpliceBetweenTokensForWhiteSpace) {
  EXPECT_EQ(Texts("a \\\n b\\  \r\nc"), (Words{"a", "b\\  \r\nc"}));
}

TEST(Lexer, SkipsAByteOrderMark) { EXPECT_EQ(Texts("\xef\xbb\xbf#if"), (Words{"#", "if"})); }

TEST(Lexer, TakesCharactersBeyondAsciiAsPartsOfNames) {
  EXPECT_EQ(Texts("变量=1"), (Words{"变量", "=", "1"}));
}

TEST(Lexer, SurvivesEveryPrefixOfATrickySource) {
  const std::string source =
      "#define K(x) k<x><<<1, \\\n 2>>>(\"a\\\"\", 'b', R\"z(q)z\") /* c */ // d\n L'e' 1'2 \\";
  for (size_t length = 0; length <= source.size(); ++length) {
    const std::string_view prefix = std::string_view(source).substr(0, length);
    for (const Token& token : Lex(prefix)) {
      ASSERT_LE(token.end, prefix.size());
      ASSERT_LT(token.begin, token.end);
    }
  }
}

}  // namespace
}  // namespace hostnpu::compiler

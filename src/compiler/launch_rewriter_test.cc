// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/launch_rewriter.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hostnpu::compiler {
namespace {

EditedText Edited(std::string_view source) {
  return ApplyEdits(source, RewriteLaunches(source, Lex(source)));
}

/// What becomes of a source, with the parts that are always the same made short:
/// `LAUNCH("name", config, { name })(arguments)`.
std::string Rewritten(std::string_view source) {
  std::string text = Edited(source).text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
            std::count(source.begin(), source.end(), '\n'))
      << text;
  const auto replace = [&text](std::string_view from, std::string_view to) {
    for (size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
  };
  replace("(::hostnpu::kernel::LaunchOn(", "LAUNCH(");
  replace("__FILE__, __LINE__, ", "");
  replace(") << [=](auto... hostnpu_args) ", " ");
  replace("(hostnpu_args...); })", " })");
  return text;
}

TEST(LaunchRewriter, RewritesAPlainLaunch) {
  EXPECT_EQ(Edited("k<<<8, nullptr, s>>>(x, 5);").text,
            "(::hostnpu::kernel::LaunchOn(\"k\", __FILE__, __LINE__, 8, nullptr, s) << "
            "[=](auto... hostnpu_args) { k(hostnpu_args...); })(x, 5);");
}

TEST(LaunchRewriter, LeavesSourceWithoutLaunchesAlone) {
  const std::string_view source = "int a = b << 3; // k<<<1>>>(x)\nauto s = \"k<<<1>>>()\";";
  EXPECT_TRUE(RewriteLaunches(source, Lex(source)).empty());
}

TEST(LaunchRewriter, TakesOneToFourConfigurationValues) {
  EXPECT_EQ(Rewritten("k<<<1>>>();"), R"(LAUNCH("k", 1 { k })();)");
  EXPECT_EQ(Rewritten("k<<<1, 0>>>();"), R"(LAUNCH("k", 1, 0 { k })();)");
  EXPECT_EQ(Rewritten("k<<<1, 2, 3, s>>>(x);"), R"(LAUNCH("k", 1, 2, 3, s { k })(x);)");
}

TEST(LaunchRewriter, ReadsTemplateArgumentsBackwards) {
  EXPECT_EQ(Rewritten("k<float, 2><<<b, 0, s>>>(x);"),
            R"(LAUNCH("k<float, 2>", b, 0, s { k<float, 2> })(x);)");
  EXPECT_EQ(Rewritten("k<A<B<int>>><<<1>>>();"),
            R"(LAUNCH("k<A<B<int>>>", 1 { k<A<B<int>>> })();)");
  EXPECT_EQ(Rewritten("k<(a > b), f(c, d)><<<1>>>();"),
            R"(LAUNCH("k<(a>b), f(c, d)>", 1 { k<(a>b), f(c, d)> })();)");
  EXPECT_EQ(Rewritten("k<p->n><<<1>>>();"), R"(LAUNCH("k<p->n>", 1 { k<p->n> })();)");
}

TEST(LaunchRewriter, ReadsQualifiedNamesBackwards) {
  EXPECT_EQ(Rewritten("x = 1; a::b<int>::k<T, 2><<<1>>>();"),
            R"(x = 1; LAUNCH("a::b<int>::k<T, 2>", 1 { a::b<int>::k<T, 2> })();)");
  EXPECT_EQ(Rewritten("{ ::k<<<1>>>(); }"), R"({ LAUNCH("::k", 1 { ::k })(); })");
  EXPECT_EQ(Rewritten("return ::ns::k<<<1>>>();"), R"(return LAUNCH("::ns::k", 1 { ::ns::k })();)");
  EXPECT_EQ(Rewritten("X::template k<T><<<1>>>();"),
            R"(LAUNCH("X::template k<T>", 1 { X::template k<T> })();)");
}

TEST(LaunchRewriter, ReadsOtherCallables) {
  EXPECT_EQ(Rewritten("table[i]<<<1>>>(x);"), R"(LAUNCH("table[i]", 1 { table[i] })(x);)");
  EXPECT_EQ(Rewritten("this->k<<<1>>>(x);"), R"(LAUNCH("this->k", 1 { this->k })(x);)");
  EXPECT_EQ(Rewritten("a.b->k<<<1>>>(x);"), R"(LAUNCH("a.b->k", 1 { a.b->k })(x);)");
  EXPECT_EQ(Rewritten("PICK(k, 2)<<<1>>>(x);"), R"_(LAUNCH("PICK(k, 2)", 1 { PICK(k, 2) })(x);)_");
  EXPECT_EQ(Rewritten("(*p)<<<1>>>(x);"), R"_(LAUNCH("(*p)", 1 { (*p) })(x);)_");
}

TEST(LaunchRewriter, StopsTheNameAtAKeyword) {
  EXPECT_EQ(Rewritten("return k<<<1>>>();"), R"(return LAUNCH("k", 1 { k })();)");
  EXPECT_EQ(Rewritten("if (a) k<<<1>>>(); else k2<<<1>>>();"),
            R"(if (a) LAUNCH("k", 1 { k })(); else LAUNCH("k2", 1 { k2 })();)");
}

TEST(LaunchRewriter, FindsTheEndOfTheConfiguration) {
  EXPECT_EQ(Rewritten("k<<<f(a>>>b), 0, s>>>(x);"), R"(LAUNCH("k", f(a>>>b), 0, s { k })(x);)");
  EXPECT_EQ(Rewritten("k<<<N<2>>>>(x);"), R"(LAUNCH("k", N<2> { k })(x);)");
  EXPECT_EQ(Rewritten("k<<<A<B<C<int>>>::n, 0>>>(x);"),
            R"(LAUNCH("k", A<B<C<int>>>::n, 0 { k })(x);)");
  EXPECT_EQ(Rewritten("k<<<a < b ? a : b, 0, s>>>(x);"),
            R"(LAUNCH("k", a < b ? a : b, 0, s { k })(x);)");
  EXPECT_EQ(Rewritten("k<<<n >> 1, 0, s>>>(x);"), R"(LAUNCH("k", n >> 1, 0, s { k })(x);)");
}

TEST(LaunchRewriter, KeepsTheLinesOfASplitLaunch) {
  EXPECT_EQ(Rewritten("Adapter<\n    Kernel>\n    <<<b, nullptr,\n       s>>>(\n  x);"),
            "LAUNCH(\"Adapter<Kernel>\", \n\nb, nullptr,\n       s { Adapter<Kernel> })(\n  x);");
}

TEST(LaunchRewriter, DropsCommentsFromTheName) {
  EXPECT_EQ(Rewritten("k /* the\nkernel */ <float> // f\n<<<1>>>();"),
            "LAUNCH(\"k<float>\", \n\n1 { k<float> })();");
}

TEST(LaunchRewriter, ReplacesNullWhereItIsAWholeArgument) {
  EXPECT_EQ(Rewritten("k<<<1, NULL, NULL>>>(NULL, x, NULL);"),
            R"(LAUNCH("k", 1, nullptr, nullptr { k })(nullptr, x, nullptr);)");
  EXPECT_EQ(Rewritten("k<<<1>>>(a == NULL, f(b, NULL + 1));"),
            R"(LAUNCH("k", 1 { k })(a == NULL, f(b, NULL + 1));)");
}

TEST(LaunchRewriter, LeavesNullInAnArgumentsOwnBracketsAlone) {
  EXPECT_EQ(Rewritten("k<<<f(NULL), NULL>>>(g(NULL, 1), NULL);"),
            R"(LAUNCH("k", f(NULL), nullptr { k })(g(NULL, 1), nullptr);)");
  EXPECT_EQ(Rewritten("a<<<1>>>(b<<<1, NULL>>>(NULL), NULL);"),
            R"(LAUNCH("a", 1 { a })(LAUNCH("b", 1, nullptr { b })(nullptr), nullptr);)");
}

TEST(LaunchRewriter, LeavesALaunchInANameOrAConfigurationToTheCompiler) {
  EXPECT_EQ(Rewritten("k<<<b<<<1>>>(x), 0>>>(y);"), R"(k<<<LAUNCH("b", 1 { b })(x), 0>>>(y);)");
  EXPECT_EQ(Rewritten("k<<<1>>>(NULL)<<<1>>>(y);"), R"(LAUNCH("k", 1 { k })(nullptr)<<<1>>>(y);)");
  EXPECT_EQ(Rewritten("t[k<<<1>>>(x)]<<<1>>>(y);"), R"(t[LAUNCH("k", 1 { k })(x)]<<<1>>>(y);)");
  EXPECT_EQ(Rewritten("pick<T>(k)<<<1>>>(y);"), R"_(LAUNCH("pick<T>(k)", 1 { pick<T>(k) })(y);)_");
}

TEST(LaunchRewriter, RewritesSeveralLaunchesOnALine) {
  EXPECT_EQ(Rewritten("a<<<1>>>(); b<<<2>>>(y);"),
            R"(LAUNCH("a", 1 { a })(); LAUNCH("b", 2 { b })(y);)");
}

TEST(LaunchRewriter, RewritesALaunchInsideTheArgumentsOfAnother) {
  EXPECT_EQ(Rewritten("a<<<1>>>([&] { b<<<2>>>(); return 1; }());"),
            R"(LAUNCH("a", 1 { a })([&] { LAUNCH("b", 2 { b })(); return 1; }());)");
}

TEST(LaunchRewriter, RewritesInsideAMacroDefinition) {
  EXPECT_EQ(Rewritten("#define RUN(T, n) k<T><<<n, 0, s>>>(x)\nRUN(int, 1);\nq<<<1>>>();"),
            "#define RUN(T, n) LAUNCH(\"k<\" #T \">\", n, 0, s { k<T> })(x)\nRUN(int, 1);\n"
            "LAUNCH(\"q\", 1 { q })();");
}

TEST(LaunchRewriter, ContinuesTheLinesOfAMacroDefinition) {
  EXPECT_EQ(Rewritten("#define RUN(kernel) \\\n  kernel \\\n  <<<1>>>(x); \\\n  more()\n"),
            "#define RUN(kernel) \\\n  LAUNCH(#kernel, \\\n1 { kernel })(x); \\\n  more()\n");
}

TEST(LaunchRewriter, DoesNotReadAcrossAPreprocessorLine) {
  const std::string_view split = "k\n#if A\n<<<1>>>(x);\n#endif\n";
  EXPECT_EQ(Rewritten(split), split);
  EXPECT_EQ(Rewritten("k<<<1>>>(x,\n#if A\n  y\n#else\n  z\n#endif\n);"),
            "LAUNCH(\"k\", 1 { k })(x,\n#if A\n  y\n#else\n  z\n#endif\n);");
}

TEST(LaunchRewriter, LeavesWhatIsNoLaunchAlone) {
  for (const std::string_view source :
       {"a <<< b;", "<<<1>>>(x);", "k<<<1>>> x;", "k<<<1>>;", "k<<<1; >>>(x);", "k<<<1>>>(x",
        "operator<<<char>>>(x);", "std::operator<<<int>(o, 1);", "return <<<1>>>(x);", "k<<<",
        "<<<"}) {
    EXPECT_TRUE(RewriteLaunches(source, Lex(source)).empty()) << source;
  }
}

TEST(LaunchRewriter, MapsAPlaceInTheLambdaBackToTheName) {
  const std::string source = "int a;\nns::k<T><<<8, 0, s>>>(x, y);";
  const EditedText edited = Edited(source);
  const size_t lambda = edited.text.find("{ ns::k<T>");
  ASSERT_NE(lambda, std::string::npos);
  EXPECT_EQ(edited.map.ToOriginal(static_cast<uint32_t>(lambda + 2)), source.find("ns::k"));
  EXPECT_EQ(edited.map.ToOriginal(static_cast<uint32_t>(edited.text.find("k<T>(host"))),
            source.find("k<T>"));
  EXPECT_EQ(edited.map.ToOriginal(static_cast<uint32_t>(edited.text.find("8, 0"))),
            source.find("8, 0"));
  EXPECT_EQ(edited.map.ToOriginal(static_cast<uint32_t>(edited.text.find("(x, y)"))),
            source.find("(x, y)"));
  EXPECT_EQ(edited.map.ToOriginal(0), 0u);
}

TEST(LaunchRewriter, SurvivesAnyOrderOfThePiecesOfLaunches) {
  static constexpr std::string_view kPieces[] = {"k",    "<<<", ">>>(", "(", ")", "<",
                                                 ">",    ",",   "::",   "[", "]", ";",
                                                 "NULL", "\n",  "1",    "{", "}", "#define M(k) "};
  uint32_t state = 1;
  for (int round = 0; round < 20000; ++round) {
    std::string source;
    for (int i = 0; i < 24; ++i) {
      state = state * 1664525u + 1013904223u;
      source += kPieces[(state >> 16) % std::size(kPieces)];
      source += ' ';
    }
    Rewritten(source);
  }
}

TEST(LaunchRewriter, SurvivesEveryPrefixOfALaunch) {
  const std::string source =
      "#define M(a) a<b, (c)><<<d<e>, f[g]>>>(h)\nx::y<z>[1]<<<1, NULL>>>(M(q));";
  for (size_t length = 0; length <= source.size(); ++length) {
    Rewritten(std::string_view(source).substr(0, length));
    Rewritten(std::string_view(source).substr(length));
  }
}

}  // namespace
}  // namespace hostnpu::compiler

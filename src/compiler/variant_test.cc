// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/variant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/prepare.h"

namespace hostnpu::compiler {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SourceSet Sources(const std::string& text) {
  SourceSet sources;
  sources.sources = {"/w/a.asc"};
  sources.files.emplace("/w/a.asc", UserFile{"a.asc", "/w/a.asc", text, base::HashBytes(text)});
  return sources;
}

TEST(NeedsTwoVariants, SeesTheMacrosOfTheDevice) {
  for (const char* macro :
       {"__DAV_C220_CUBE__", "__DAV_C220_VEC__", "__DAV_CUBE__", "__DAV_VEC__"}) {
    EXPECT_TRUE(NeedsTwoVariants(Sources("#ifdef " + std::string(macro) + "\n#endif\n"))) << macro;
  }
}

TEST(NeedsTwoVariants, SeesBranchesThatAreDecidedWhileCompiling) {
  EXPECT_TRUE(NeedsTwoVariants(Sources("if constexpr (g_coreType == AscendC::AIC) { a(); }")));
  EXPECT_TRUE(NeedsTwoVariants(Sources("if constexpr(N > 1 && ASCEND_IS_AIV) { a(); }")));
}

TEST(NeedsTwoVariants, LeavesOrdinarySourcesToOneCompilation) {
  EXPECT_FALSE(NeedsTwoVariants(Sources("if (g_coreType == AscendC::AIC) { a(); }")));
  EXPECT_FALSE(NeedsTwoVariants(Sources("if ASCEND_IS_AIC { a(); }")));
  EXPECT_FALSE(
      NeedsTwoVariants(Sources("if constexpr (N > 1) { if (g_coreType == AscendC::AIC) a(); }")));
}

TEST(InferTaskType, FollowsTheInstructionsThatAreUsed) {
  EXPECT_EQ(InferTaskType(Sources("TQue<VECIN, 1> q; Add(a, b, c);")), "");
  EXPECT_EQ(InferTaskType(Sources("Mmad(c, a, b, p); Fixpipe(o, c);")), "KERNEL_TYPE_AIC_ONLY");
  EXPECT_EQ(InferTaskType(Sources("REGIST_MATMUL_OBJ(&pipe, w, mm);")), "KERNEL_TYPE_MIX_AIC_1_2");
  EXPECT_EQ(InferTaskType(Sources("Mmad(c, a, b, p); TQue<VECOUT, 1> q;")),
            "KERNEL_TYPE_MIX_AIC_1_2");
}

TEST(InferTaskType, TakesNoOtherWordForAnInstructionOfTheCube) {
  for (const char* text :
       {"// Mmad, Fixpipe\nAdd(a, b, c);", "puts(\"LoadData\");", "LoadDataFromFile(path);",
        "static int LoadData(const char* path) { return 0; }\nint x = LoadData(path);",
        "enum Op { Matmul };", "template <int N> struct Matmul {}; Matmul<1> m;"}) {
    EXPECT_EQ(InferTaskType(Sources(std::string(text) + "\nTQue<VECIN, 1> q;")), "") << text;
  }
  EXPECT_EQ(InferTaskType(Sources("void LoadData() { AscendC::LoadData(a, b, p); }")),
            "KERNEL_TYPE_AIC_ONLY");
  EXPECT_EQ(InferTaskType(Sources("matmul::Matmul<A, B, C, D> mm;")), "KERNEL_TYPE_AIC_ONLY");
  EXPECT_EQ(InferTaskType(Sources("struct Matmul { matmul::Matmul<A, B, C, D> mm; };")),
            "KERNEL_TYPE_AIC_ONLY");
}

TEST(PrepareSources, InfersOnlyWhereNothingIsDeclared) {
  const auto registered = [](const std::string& head, const std::string& body) {
    const auto prepared = PrepareSources(
        Sources("__global__ " + head + " void k(GM_ADDR x) {" + body + " Mmad(a); }"), false);
    return prepared.edited.at("/w/a.asc").text;
  };
  EXPECT_THAT(registered("__aicore__", ""), HasSubstr("KERNEL_TYPE_AIC_ONLY"));
  EXPECT_THAT(registered("__vector__", ""), Not(HasSubstr("KERNEL_TYPE_AIC_ONLY")));
  EXPECT_THAT(registered("__aicore__", "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);"),
              Not(HasSubstr("KERNEL_TYPE_AIC_ONLY")));
}

TEST(EmbeddedLoader, NamesTheFileItCarries) {
  EXPECT_THAT(EmbeddedLoaderText("/a b/cube.so"), HasSubstr(R"(.incbin \"/a b/cube.so\")"));
}

}  // namespace
}  // namespace hostnpu::compiler

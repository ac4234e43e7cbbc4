// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel_scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hostnpu::compiler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<KernelDeclaration> Scan(std::string_view source) {
  const auto tokens = Lex(source);
  return ScanKernels(source, tokens, FindGlobalAliases(tokens));
}

KernelDeclaration ScanOne(std::string_view source) {
  const auto kernels = Scan(source);
  EXPECT_EQ(kernels.size(), 1u) << source;
  return kernels.empty() ? KernelDeclaration{} : kernels.front();
}

std::string Registered(std::string_view source, bool with_aclrtlaunch = false) {
  return ApplyEdits(source, RegisterKernels(Scan(source), with_aclrtlaunch)).text;
}

TEST(KernelScanner, ReadsAnExternCKernel) {
  const auto kernel = ScanOne(
      "\nextern \"C\" __global__ __aicore__ void add_custom(GM_ADDR x, __gm__ uint8_t* y,\n"
      "    uint32_t n, AddTiling tiling) { body(); }");
  EXPECT_EQ(kernel.name, "add_custom");
  EXPECT_EQ(kernel.qualified_name, "add_custom");
  EXPECT_EQ(kernel.line, 2u);
  EXPECT_TRUE(kernel.is_extern_c);
  EXPECT_TRUE(kernel.is_definition);
  EXPECT_FALSE(kernel.is_template);
  EXPECT_EQ(kernel.qualifiers, "__aicore__");
  EXPECT_EQ(ParameterList(kernel), "x:GM_ADDR:gm;y:uint8_t*:gm;n:uint32_t:;tiling:AddTiling:");
}

TEST(KernelScanner, ReadsCoreQualifiers) {
  EXPECT_EQ(ScanOne("__global__ __vector__ void k() {}").qualifiers, "__vector__");
  EXPECT_EQ(ScanOne("__global__ __cube__ void k() {}").qualifiers, "__cube__");
  EXPECT_EQ(ScanOne("__global__ __aicore__ __mix__(1, 2) void k() {}").qualifiers,
            "__aicore__ __mix__(1,2)");
  EXPECT_EQ(ScanOne("__mix__(1,1) __global__ void k() {}").qualifiers, "__mix__(1,1)");
}

TEST(KernelScanner, ReadsTemplatesWithDefaultsAndNestedTypes) {
  const auto kernel = ScanOne(
      "template <typename T, class U = Foo<int>, int N = (1 > 0)>\n"
      "__global__ __aicore__ void k(__gm__ T* x, Pair<int, U> p = {1, 2}, const ns::Tiling t) {}");
  EXPECT_TRUE(kernel.is_template);
  EXPECT_EQ(ParameterList(kernel), "x:T*:gm;p:Pair<int,U>:;t:const ns::Tiling:");
}

TEST(KernelScanner, TakesTheBranchOfAKnownMacroBeforeAName) {
  const auto scan = [](const std::string& source, const KnownMacros& known) {
    const auto tokens = Lex(source);
    const auto kernels = ScanKernels(source, tokens, {}, known);
    EXPECT_EQ(kernels.size(), 1u) << source;
    return kernels.empty() ? KernelDeclaration{} : kernels.front();
  };
  for (const char* condition :
       {"#ifdef TWIN", "#if defined(TWIN)", "#if defined TWIN", "#  ifdef  TWIN  // and why"}) {
    const std::string source =
        "#include \"a.h\"\n" + std::string(condition) +
        "\ntemplate <int n> __vector__\n#else\nextern \"C\" __cube__\n#endif\n"
        "__global__ void k(GM_ADDR x) {}";
    const auto with = scan(source, {{"TWIN", true}});
    EXPECT_TRUE(with.is_template) << condition;
    EXPECT_FALSE(with.is_extern_c) << condition;
    EXPECT_EQ(with.qualifiers, "__vector__") << condition;
    const auto without = scan(source, {{"TWIN", false}});
    EXPECT_FALSE(without.is_template) << condition;
    EXPECT_TRUE(without.is_extern_c) << condition;
    EXPECT_EQ(without.qualifiers, "__cube__") << condition;
    const auto unknown = scan(source, {{"OTHER", true}});
    EXPECT_TRUE(unknown.is_template && unknown.is_extern_c) << condition;
  }
  for (const char* condition : {"#ifndef TWIN", "#if !defined(TWIN)", "#if ! defined TWIN"}) {
    const std::string source =
        std::string(condition) + "\nextern \"C\"\n#endif\n__global__ void k() {}";
    EXPECT_FALSE(scan(source, {{"TWIN", true}}).is_extern_c) << condition;
    EXPECT_TRUE(scan(source, {{"TWIN", false}}).is_extern_c) << condition;
  }
  const std::string more =
      "#if defined(TWIN) && defined(B)\ntemplate <int n>\n#endif\n__global__ void k() {}";
  EXPECT_TRUE(scan(more, {{"TWIN", false}}).is_template) << "a condition of more than a macro";
}

TEST(KernelScanner, AConditionThatEndsBeforeADeclarationIsNoPartOfIt) {
  EXPECT_FALSE(ScanOne("#ifdef A\ntemplate <typename T> struct S {};\n#endif\n"
                       "__global__ void k() {}")
                   .is_template);
  EXPECT_FALSE(ScanOne("template <typename T>\n#include \"rest_of_it.h\"\n__global__ void k() {}")
                   .is_template);
}

TEST(KernelScanner, KnowsTheNamespace) {
  EXPECT_EQ(
      ScanOne("namespace a::b { namespace { namespace c {\n__global__ void k();}}}").qualified_name,
      "a::b::c::k");
  EXPECT_EQ(ScanOne("namespace a { void f() { if (x) { } } }\n__global__ void k();").qualified_name,
            "k");
  EXPECT_EQ(ScanOne("namespace a { extern \"C\" __global__ void k(); }").qualified_name, "k");
  EXPECT_EQ(ScanOne("namespace a { class B { int x; }; __global__ void k(); }").qualified_name,
            "a::k");
}

TEST(KernelScanner, TakesALinkageBlockForLinkage) {
  const auto kernel = ScanOne("extern \"C\" {\n__global__ __aicore__ void k(GM_ADDR x) {}\n}");
  EXPECT_TRUE(kernel.is_extern_c);
  EXPECT_FALSE(kernel.in_class);
}

TEST(KernelScanner, TellsDeclarationsFromDefinitions) {
  EXPECT_FALSE(ScanOne("__global__ void k(GM_ADDR x);").is_definition);
  EXPECT_TRUE(ScanOne("__global__ void k(GM_ADDR x)\n{\n}").is_definition);
}

TEST(KernelScanner, ReadsTaskTypesFromTheBody) {
  const auto kernel = ScanOne(
      "__global__ __aicore__ void k(GM_ADDR x) {\n"
      "  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);\n"
      "  // KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);\n"
      "  KERNEL_TASK_TYPE(101, KERNEL_TYPE_AIV_ONLY);\n}");
  EXPECT_EQ(kernel.task_type, "KERNEL_TYPE_MIX_AIC_1_2");
  EXPECT_THAT(kernel.task_types_by_key, ElementsAre("101=KERNEL_TYPE_AIV_ONLY"));
}

TEST(KernelScanner, MarksKfcWorkspaces) {
  EXPECT_EQ(ParameterList(ScanOne("__global__ void k(GM_ADDR a, __kfc_workspace__ GM_ADDR w);")),
            "a:GM_ADDR:gm;w:GM_ADDR:gm,kfc");
}

TEST(KernelScanner, TakesVoidAndNothingForNoParameters) {
  EXPECT_TRUE(ScanOne("__global__ void k(void);").parameters.empty());
  EXPECT_TRUE(ScanOne("__global__ void k();").parameters.empty());
}

TEST(KernelScanner, TakesUnnamedParameters) {
  EXPECT_EQ(ParameterList(ScanOne("__global__ void k(GM_ADDR, uint8_t*, unsigned int, ns::T);")),
            ":GM_ADDR:gm;:uint8_t*:;:unsigned int:;:ns::T:");
}

TEST(KernelScanner, FollowsMacrosThatStandForGlobal) {
  const auto kernel =
      ScanOne("#define MY_GLOBAL __global__ __aicore__\nMY_GLOBAL void k(GM_ADDR x) {}");
  EXPECT_EQ(kernel.name, "k");
  EXPECT_EQ(kernel.qualifiers, "__aicore__");
}

TEST(KernelScanner, TakesTheCoresThatAMacroForGlobalNames) {
  EXPECT_EQ(ScanOne("#define K __global__ __cube__\nK void k() {}").qualifiers, "__cube__");
  EXPECT_EQ(ScanOne("#define K __mix__(1, 2) __global__\nextern \"C\" K void k() {}").qualifiers,
            "__mix__(1,2)");
  EXPECT_EQ(ScanOne("#define K __global__\nK __vector__ void k() {}").qualifiers, "__vector__");
}

TEST(KernelScanner, TakesEachBranchOfAConditionFromTheSameStart) {
  const auto kernels = Scan(
      "namespace a {\n#ifdef X\nvoid f(int a) {\n#else\nvoid f() {\n#endif\n}\n"
      "__global__ void k();\n}\n__global__ void q();");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].qualified_name, "a::k");
  EXPECT_EQ(kernels[1].qualified_name, "q");
}

TEST(KernelScanner, FindsTheEndOfABodyWhoseBranchesOpenTheSameBrace) {
  EXPECT_THAT(Registered("namespace a {\n__global__ void k() {\n#if A\nif (x) {\n#elifdef B\n"
                         "if (z) {\n#else\nif (y) {\n#endif\n}\n} // end\n}"),
              HasSubstr("} HOSTNPU_REGISTER_KERNEL(\"a::k\", __FILE__, 2, \"\", \"\", \"\"); "
                        "HOSTNPU_REGISTER_ENTRY(\"a::k\", k); // end"));
}

TEST(KernelScanner, TakesTwoHeadsOfOneBodyForOneKernel) {
  const auto kernels = Scan(
      "namespace a {\n#if A\n__global__ void k(int n) {\n#else\n__global__ void k() {\n#endif\n"
      "}\n__global__ void q();\n}\n__global__ void r();");
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(kernels[1].qualified_name, "a::q");
  EXPECT_EQ(kernels[2].qualified_name, "r");
}

TEST(KernelScanner, ReadsParametersAroundAConditionAndMakesNoLauncher) {
  const std::string source =
      "__global__ void k(GM_ADDR x,\n#ifdef A\n  GM_ADDR y,\n#endif\n  uint32_t n) {\n}";
  EXPECT_EQ(ParameterList(ScanOne(source)), "x:GM_ADDR:gm;y:GM_ADDR:gm;n:uint32_t:");
  EXPECT_THAT(Registered(source, true), Not(HasSubstr("aclrtlaunch_k")));
}

TEST(KernelScanner, SeesNoKernelInCommentsAndStrings) {
  EXPECT_TRUE(Scan("// __global__ void k();\nauto s = \"__global__ void k();\";").empty());
}

TEST(KernelScanner, SurvivesEveryPrefixOfAKernel) {
  const std::string source =
      "namespace a { template <int N> extern \"C\" __global__ __mix__(1,2) void k(GM_ADDR x = "
      "f({1}), "
      "T<A, B> y) { KERNEL_TASK_TYPE(1, B); } }\n#define D(n) __global__ void n() {}\n";
  for (size_t length = 0; length <= source.size(); ++length) {
    Registered(source.substr(0, length), true);
    Registered(source.substr(length), true);
  }
}

TEST(RegisterKernels, AddsTheRegistrationOnTheLineOfTheClosingBrace) {
  EXPECT_EQ(
      Registered("__global__ __vector__ void k(GM_ADDR x) {\n}  // end\nint a;"),
      "__global__ __vector__ void k(GM_ADDR x) {\n} HOSTNPU_REGISTER_KERNEL(\"k\", __FILE__, 1, "
      "\"__vector__\", \"\", \"x:GM_ADDR:gm\"); HOSTNPU_REGISTER_ENTRY(\"k\", ::k);  // end\nint "
      "a;");
}

TEST(RegisterKernels, LeavesDeclarationsAndMembersAlone) {
  for (const std::string source :
       {"__global__ void k();", "struct A { static __global__ void k() {} };"}) {
    EXPECT_EQ(Registered(source, true), source);
  }
}

TEST(RegisterKernels, RegistersTheEntryOfAPlainKernelOnly) {
  EXPECT_THAT(Registered("namespace a { __global__ void k(int n) {} }"),
              HasSubstr("HOSTNPU_REGISTER_ENTRY(\"a::k\", k);"));
  EXPECT_THAT(Registered("template <int N> __global__ void k(int n) {}"),
              Not(HasSubstr("HOSTNPU_REGISTER_ENTRY")));
  EXPECT_THAT(Registered("__global__ void k(int n) {} __global__ void k(float n) {}"),
              Not(HasSubstr("HOSTNPU_REGISTER_ENTRY")));
}

TEST(RegisterKernels, SpellsTheNameOfAMacroParameterByItsArgument) {
  EXPECT_THAT(
      Registered("#define DEF(n) extern \"C\" __global__ void n(GM_ADDR x) { f(); }\nDEF(k)"),
      HasSubstr("{ f(); } HOSTNPU_REGISTER_KERNEL(#n, __FILE__"));
}

TEST(RegisterKernels, DefinesTheLauncherOfAPlainKernelOnly) {
  const std::string plain = Registered("__global__ void k(GM_ADDR x, Tiling t) {}", true);
  EXPECT_THAT(plain, HasSubstr("uint32_t aclrtlaunch_k(uint32_t hostnpu_blocks, void* "
                               "hostnpu_stream, void* hostnpu_0, Tiling hostnpu_1)"));
  EXPECT_THAT(plain, HasSubstr("((GM_ADDR)hostnpu_0, hostnpu_1)"));
  EXPECT_THAT(Registered("template <int N> __global__ void k(GM_ADDR x) {}", true),
              Not(HasSubstr("aclrtlaunch_k")));
  EXPECT_THAT(Registered("__global__ void k(GM_ADDR x) {}", false),
              Not(HasSubstr("aclrtlaunch_k")));
}

TEST(AclrtLaunchHeader, DeclaresTheLauncher) {
  const std::string header =
      AclrtLaunchHeader(ScanOne("__global__ void k(GM_ADDR x, uint32_t n) {}"));
  EXPECT_THAT(header,
              HasSubstr("extern \"C\" uint32_t aclrtlaunch_k(uint32_t hostnpu_blocks, void* "
                        "hostnpu_stream, void* hostnpu_0, uint32_t hostnpu_1);"));
  EXPECT_THAT(header, HasSubstr("#define ACLRT_LAUNCH_KERNEL(kernel) aclrtlaunch_##kernel"));
}

}  // namespace
}  // namespace hostnpu::compiler

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// What printf, assert and DumpTensor print, byte for byte.
#undef NDEBUG  // kernels assert in every build

#include <cstdio>

#include "kernel_fixture.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

template <typename Kernel, typename... A>
std::string PrintedBy(const LaunchOptions& options, LaunchResult* result, Kernel kernel,
                      const A&... arguments) {
  std::fflush(stdout);
  ::testing::internal::CaptureStdout();
  *result = Launch(options, kernel, arguments...);
  std::fflush(stdout);
  return ::testing::internal::GetCapturedStdout();
}
template <typename Kernel>
std::string PrintedBy(Kernel kernel) {
  LaunchResult result;
  std::string text = PrintedBy({}, &result, kernel);
  EXPECT_TRUE(result.ok) << result.report;
  return text;
}

TEST(PrintTest, EachCallIsHeadedByItsCore) {
  EXPECT_EQ(PrintedBy([] { printf("hello world device\n"); }),
            "[AIV Block 0/1] hello world device\n");
  EXPECT_EQ(PrintedBy([] { AscendC::printf("fmt string int: %d\n", 0x123); }),
            "[AIV Block 0/1] fmt string int: 291\n");
  EXPECT_EQ(PrintedBy([] { AscendC::PRINTF("%f\n", 3.14f); }), "[AIV Block 0/1] 3.140000\n");
}

TEST(PrintTest, ArgumentsCarryTheirOwnTypes) {
  EXPECT_EQ(PrintedBy([] {
              printf("%f %f %ld %lld %u %x %s %5.1f|%-4d|%*d %%\n", half(1.5f), bfloat16_t(2.5f),
                     -3, int8_t(-4), 4000000000u, int8_t(-1), "text", 2.25, 7, 3, 8);
            }),
            "[AIV Block 0/1] 1.500000 2.500000 -3 -4 4000000000 ff text   2.2|7   |  8 %\n");
}

TEST(PrintTest, AWrongOrMissingArgumentPrintsInsteadOfCrashing) {
  EXPECT_EQ(PrintedBy([] { printf("%s %d %q\n", 7, 2.9f); }),
            "[AIV Block 0/1] (not a string) 2 %q\n");
  EXPECT_EQ(PrintedBy([] { PRINTF("%d %s\n", 1); }), "[AIV Block 0/1] 1 %s\n");
}

TEST(PrintTest, LinesOfManyCoresAreWhole) {
  LaunchOptions options;
  options.blocks = 40;
  LaunchResult result;
  const std::string text = PrintedBy(options, &result, [] {
    for (int i = 0; i < 10; ++i) printf("%d a line that must stay whole\n", i);
  });
  size_t lines = 0, at = 0;
  while (at < text.size()) {
    const size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    EXPECT_EQ(line.rfind("[AIV Block ", 0), 0u) << line;
    EXPECT_NE(line.find("/40] "), std::string::npos) << line;
    EXPECT_EQ(line.find("whole"), line.size() - 5) << line;
    ++lines;
    at = end + 1;
  }
  EXPECT_EQ(lines, 400u);
}

TEST(PrintTest, TheTwoVectorCoresOfAMixedBlockAreTold) {
  LaunchOptions options;
  options.aic = 1;
  options.aiv = 2;
  LaunchResult result;
  const std::string text = PrintedBy(options, &result, [] { printf("here\n"); });
  for (const char* line :
       {"[AIC Block 0/1] here\n", "[AIV Block 0/2] here\n", "[AIV Block 1/2] here\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << text;
  }
}

TEST(AssertTest, AFailedAssertPrintsAndEndsTheLaunchAtItsLine) {
  LaunchResult result;
  const std::string text = PrintedBy({}, &result, [](int a) { assert(a == 6); }, 7);
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.kind, HOSTNPU_FAULT_ASSERT);
  EXPECT_NE(text.find("[ASSERT] "), std::string::npos);
  EXPECT_NE(text.find(": : Assertion `a == 6' failed.\n"), std::string::npos) << text;
  EXPECT_TRUE(PrintedBy({}, &result, [](int a) { assert(a == 6); }, 6).empty());
  EXPECT_TRUE(result.ok);
}

TEST(AssertTest, TheMessageOfAscendcAssertIsFormatted) {
  LaunchResult result;
  const std::string text = PrintedBy(
      {}, &result, [](int a) { ascendc_assert(a != 10, "The assertFlag value is %d.\n", a); }, 10);
  EXPECT_FALSE(result.ok);
  EXPECT_NE(text.find("Assertion `a != 10' The assertFlag value is 10.\n"), std::string::npos)
      << text;
}

TEST(AssertTest, AnAssertOfTheCLibraryEndsTheLaunchAndNotTheProcess) {
  LaunchResult result;
  PrintedBy({}, &result, [] { __assert_fail("x > 0", "a_file.cpp", 12, "f"); });
  EXPECT_EQ(result.kind, HOSTNPU_FAULT_ASSERT);
  EXPECT_NE(result.message.find("x > 0"), std::string::npos) << result.message;
}

TEST(AssertTest, AscendcAssertRunsItsOwnPieceFirst) {
  LaunchResult result;
  const std::string text = PrintedBy(
      {}, &result,
      [](int a) { ASCENDC_ASSERT((a < 3), { KERNEL_LOG(KERNEL_ERROR, "a is %d", a); }); }, 5);
  EXPECT_EQ(result.kind, HOSTNPU_FAULT_ASSERT);
  EXPECT_EQ(text.rfind("[ERROR][Block_0][AIV_0][", 0), 0u) << text;
  EXPECT_NE(text.find("] a is 5\n"), std::string::npos) << text;
}

TEST(DumpTest, ALocalTensorIsPrintedWithItsPlaceAndType) {
  EXPECT_EQ(PrintedBy([] {
              LocalTensor<half> x(TPosition::VECCALC, 256, 64);
              for (int i = 0; i < 4; ++i) x.SetValue(i, half(i + 0.5f));
              DumpTensor(x, 5, 4);
              DumpAccChkPoint(x, 6, 2, 2);
            }),
            "[AIV Block 0/1] DumpTensor: desc=5, addr=0x100, data_type=float16, position=UB, "
            "dump_size=4\n[0.500000, 1.500000, 2.500000, 3.500000]\n"
            "[AIV Block 0/1] DumpTensor: desc=6, addr=0x104, data_type=float16, position=UB, "
            "dump_size=2\n[2.500000, 3.500000]\n");
}

TEST(DumpTest, AShapeNestsAndSaysWhereDataRunOut) {
  const std::string text = PrintedBy([] {
    LocalTensor<int32_t> x(TPosition::VECCALC, 0, 64);
    for (int i = 0; i < 8; ++i) x.SetValue(i, i);
    const uint32_t exact[] = {2, 3}, more[] = {2, 4};
    DumpTensor(x, 1, 6, ShapeInfo(2, exact));
    DumpTensor(x, 2, 6, ShapeInfo(2, more));
    DumpTensor(x, 3, 8, ShapeInfo(2, exact));
  });
  EXPECT_NE(text.find("dump_size=6\n[[0,1,2],\n[3,4,5]]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("shape is [2, 4], dumpSize is 6, data is not enough.\n"
                      "[[0,1,2,3],\n[4,5,-,-]]\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("shape is [2, 3], dumpSize is 8, dumpSize is greater than shapeSize.\n"
                      "[[0,1,2],\n[3,4,5]]\n"),
            std::string::npos)
      << text;
}

TEST(DumpTest, AGmDumpBeyondItsBufferIsAFault) {
  Gm<uint8_t> x(std::vector<uint8_t>{1, 2, 3}, "x");
  const auto kernel = [](GM_ADDR x, uint32_t count) {
    GlobalTensor<uint8_t> gx;
    gx.SetGlobalBuffer(x);
    DumpTensor(gx, 1, count);
  };
  LaunchResult result;
  const std::string text = PrintedBy({}, &result, kernel, x, 3u);
  EXPECT_NE(text.find("position=GM, dump_size=3\n[1, 2, 3]\n"), std::string::npos) << text;
  PrintedBy({}, &result, kernel, x, 4096u);
  EXPECT_EQ(result.kind, HOSTNPU_FAULT_GM_BOUNDS);
}

// Outside kernels the same names serve the host.
TEST(HostPrintTest, HostCodePrintsPlainly) {
  std::fflush(stdout);
  ::testing::internal::CaptureStdout();
  printf("zero\n");
  printf("%d %s\n", 3, "three");
  std::printf("%.1f\n", 0.5);
  std::fflush(stdout);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "zero\n3 three\n0.5\n");
}

}  // namespace
}  // namespace hostnpu::testing

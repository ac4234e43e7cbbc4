// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Repeat counts beyond what the hardware has: refused with the value, in every instruction that
// takes one. 300 in the vendor's uint8_t would be 44.
#include <gmock/gmock.h>

#include <functional>

#include "kernel_fixture.h"
#include "tensors.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

// Large enough for 255 repeats that all lie in one place.
LocalTensor<half> X() { return Ub<half>(0, 128); }
LocalTensor<half> Y() { return Ub<half>(4096, 128); }
LocalTensor<float> F() { return Ub<float>(8192, 64); }
LocalTensor<uint8_t> Bits() { return Ub<uint8_t>(16384, 8192); }
LocalTensor<uint32_t> Offsets() { return Ub<uint32_t>(32768, 64); }
constexpr BinaryRepeatParams kTwo(1, 1, 1, 0, 0, 0);
constexpr UnaryRepeatParams kOne(1, 1, 0, 0);

struct Instruction {
  const char* name;
  void (*run)(int);
};
const Instruction kInstructions[] = {
    {"Add", [](int n) { Add(X(), X(), Y(), 64, n, kTwo); }},
    {"Exp", [](int n) { Exp(X(), Y(), 64, n, kOne); }},
    {"Adds", [](int n) { Adds(X(), Y(), half(1), 64, n, kOne); }},
    {"Axpy", [](int n) { Axpy(X(), Y(), half(1), 64, n, kOne); }},
    {"MulAddDst", [](int n) { MulAddDst(X(), X(), Y(), 64, n, kTwo); }},
    {"Duplicate", [](int n) { Duplicate(X(), half(1), 64, n, 1, 0); }},
    {"Cast", [](int n) { Cast(F(), X(), RoundMode::CAST_NONE, 64, n, kOne); }},
    {"Compare", [](int n) { Compare(Bits(), X(), Y(), CMPMODE::LT, 128, n, kTwo); }},
    {"CompareScalar",
     [](int n) { CompareScalar(Bits(), X(), half(1), CMPMODE::LT, 128, n, kOne); }},
    {"Select",
     [](int n) { Select(X(), Bits(), X(), Y(), SELMODE::VSEL_TENSOR_TENSOR_MODE, 64, n, kTwo); }},
    {"Gather", [](int n) { Gather(F(), Y().ReinterpretCast<float>(), Offsets(), 0, 64, n, 0); }},
    {"Gatherb", [](int n) { Gatherb(X(), Y(), Offsets(), n, GatherRepeatParams(1, 0)); }},
    {"Brcb", [](int n) { Brcb(X(), Ub<half>(65536, 2048), n, BrcbRepeatParams(1, 0)); }},
    {"Copy", [](int n) { Copy(X(), Y(), 64, n, CopyRepeatParams(1, 1, 0, 0)); }},
    {"CreateVecIndex",
     [](int n) {
       auto dst = X();
       CreateVecIndex(dst, half(0), 64, n, 1, 0);
     }},
    {"WholeReduceSum", [](int n) { WholeReduceSum(X(), Ub<half>(65536, 128), 64, n, 1, 1, 0); }},
    {"TransDataTo5HD",
     [](int n) {
       LocalTensor<half> rows[16];
       for (LocalTensor<half>& row : rows) row = X();
       TransDataTo5HD(rows, rows, TransDataTo5HDParams(false, false, n, 0, 0));
     }},
    {"MrgSort",
     [](int n) {
       const uint16_t lengths[4] = {4, 4, 4, 4};
       const LocalTensor<float> from = Ub<float>(0, 8192);
       MrgSort(Ub<float>(65536, 8192), MrgSortSrcList<float>(from, from[8], from[16], from[24]),
               MrgSort4Info(lengths, false, 15, n));
     }},
};

LaunchResult RunOnce(const Instruction& instruction, int times) {
  static void (*run)(int);
  static int count;
  run = instruction.run, count = times;
  return Launch({}, [] {
    for (uint32_t i = 0; i < 64; ++i) Offsets().SetValue(i, 0);
    run(count);
  });
}

TEST(RepeatTest, CountsBeyond255AreRefusedWithTheirValue) {
  for (const Instruction& instruction : kInstructions) {
    EXPECT_EQ(RunOnce(instruction, 255).report, "") << instruction.name;
    for (int times : {300, 256, -1}) {
      if (times != 300 && &instruction != kInstructions) continue;  // a report takes a while
      const LaunchResult result = RunOnce(instruction, times);
      EXPECT_EQ(result.kind, HOSTNPU_FAULT_ARGUMENT) << instruction.name << ' ' << times;
      EXPECT_THAT(result.message, ::testing::HasSubstr("has repeatTime = " + std::to_string(times) +
                                                       "; 0 to 255 exist"))
          << instruction.name;
    }
  }
}

TEST(RepeatTest, CounterModeCountsElementsWhateverTheRepeatCount) {
  const LaunchResult result = Launch({}, [] {
    Duplicate(X(), half(1), 128);
    SetMaskCount();
    SetVectorMask<half, MaskMode::COUNTER>(0, 100);
    Adds<half, false>(X(), X(), half(2), MASK_PLACEHOLDER, 300, kOne);
    SetMaskNorm();
    ResetMask();
    CORE_CHECK(X().GetValue(99) == half(3) && X().GetValue(100) == half(1));
  });
  EXPECT_TRUE(result.ok) << result.report;
}

}  // namespace
}  // namespace hostnpu::testing

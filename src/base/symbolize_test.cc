// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "base/symbolize.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace hostnpu::base {
namespace {

[[gnu::noinline]] std::vector<void*> StackOfThisFunction(int* line) {
  *line = __LINE__ + 1;
  std::vector<void*> stack = CaptureStack();
  asm volatile("" : : "r"(stack.data()));
  return stack;
}

bool HasFrameOfThisFile(const std::vector<Frame>& frames) {
  for (const Frame& frame : frames) {
    if (frame.file.find("symbolize_test.cc") != std::string::npos) return true;
  }
  return false;
}

TEST(SymbolizeTest, EachAddressHasItsOwnFramesInTheOrderGiven) {
  int line = 0;
  const std::vector<void*> stack = StackOfThisFunction(&line);
  std::vector<void*> addresses = {nullptr};  // of no module
  addresses.insert(addresses.end(), stack.rbegin(), stack.rend());
  const std::vector<std::vector<Frame>> frames = Symbolize(addresses);
  ASSERT_EQ(frames.size(), addresses.size());
  EXPECT_TRUE(frames.front().empty());
  // Reversed, the last address of this file is the innermost: the call in StackOfThisFunction.
  for (size_t i = frames.size(); i-- > 0;) {
    if (!HasFrameOfThisFile(frames[i])) continue;
    EXPECT_NE(frames[i].front().function.find("StackOfThisFunction"), std::string::npos);
    EXPECT_EQ(frames[i].front().line, static_cast<uint32_t>(line));
    EXPECT_GT(frames[i].front().column, 0u);
    return;
  }
  FAIL() << "no frame lies in this file";
}

TEST(SymbolizeTest, WithoutASymbolizerNoAddressHasFrames) {
  setenv("HOSTNPU_SYMBOLIZER", "/no/such/program", 1);
  int line = 0;
  const std::vector<void*> stack = StackOfThisFunction(&line);
  const std::vector<std::vector<Frame>> frames = Symbolize(stack);
  unsetenv("HOSTNPU_SYMBOLIZER");
  ASSERT_EQ(frames.size(), stack.size());
  for (const std::vector<Frame>& one : frames) EXPECT_TRUE(one.empty());
}

}  // namespace
}  // namespace hostnpu::base

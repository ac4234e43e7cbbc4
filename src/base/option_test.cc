// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "base/option.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace hostnpu::base {
namespace {

constexpr const char* kName = "HOSTNPU_OPTION_TEST";

/// What reading the variable prints when it has this text.
template <typename Read>
std::string Printed(const char* text, Read read) {
  setenv(kName, text, 1);
  ::testing::internal::CaptureStderr();
  read();
  const std::string printed = ::testing::internal::GetCapturedStderr();
  unsetenv(kName);
  return printed;
}

TEST(OptionTest, ANumberIsReadAndAWrongOneIsToldOnceWithWhatIsUsed) {
  int64_t value = 0;
  const auto read = [&] { value = EnvNumber(kName, 5, 1, 64); };
  EXPECT_EQ(Printed("64", read), "");
  EXPECT_EQ(value, 64);
  EXPECT_EQ(Printed("", read), "");
  EXPECT_EQ(value, 5);
  for (const char* wrong : {"65", "0", "7x", "x", "99999999999999999999"}) {
    value = 0;
    EXPECT_EQ(Printed(wrong, read), "hostnpu: warning: HOSTNPU_OPTION_TEST=" + std::string(wrong) +
                                        " is not a whole number from 1 to 64; 5 is used\n");
    EXPECT_EQ(value, 5);
    EXPECT_EQ(Printed(wrong, read), "");
  }
}

TEST(OptionTest, AChoiceIsOneOfTheListAndAnotherWordIsTold) {
  std::string value;
  const auto read = [&] { value = EnvChoice(kName, {"none", "poison"}); };
  EXPECT_EQ(Printed("poison", read), "");
  EXPECT_EQ(value, "poison");
  EXPECT_EQ(Printed("", read), "");
  EXPECT_EQ(value, "none");
  EXPECT_EQ(
      Printed("posion", read),
      "hostnpu: warning: HOSTNPU_OPTION_TEST=posion is not one of none, poison; none is used\n");
  EXPECT_EQ(value, "none");
}

}  // namespace
}  // namespace hostnpu::base

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "planner/csv.h"

#include <gtest/gtest.h>

namespace hostnpu::planner {
namespace {

std::string ErrorOf(std::string_view text) {
  auto problem = ReadCsv(text);
  return problem.ok() ? "read" : problem.error().message;
}

TEST(CsvTest, ReadsThePublicForm) {
  auto problem = ReadCsv("id,lower,upper,size\nb1,0,3,4\nb2,3,9,5\n");
  ASSERT_TRUE(problem.ok());
  ASSERT_EQ(problem->buffers.size(), 2u);
  EXPECT_EQ(problem->buffers[1], (Buffer{"b2", 5, {{3, 9}}, 1, {}}));
}

TEST(CsvTest, ReadsColumnsInAnyOrderWithOffsetsAndWindowsLineEnds) {
  auto problem = ReadCsv("size, id ,offset,end,start,alignment\r\n4,x,,9,3,\r\n\r\n8,y,64,5,0,32");
  ASSERT_TRUE(problem.ok()) << problem.error().message;
  EXPECT_EQ(problem->buffers[0], (Buffer{"x", 4, {{3, 9}}, 1, {}}));
  EXPECT_EQ(problem->buffers[1], (Buffer{"y", 8, {{0, 5}}, 32, 64}));
}

TEST(CsvTest, JoinsRowsOfOneIdToOneBuffer) {
  auto problem = ReadCsv("id,lower,upper,size\nx,0,3,4\ny,0,1,1\nx,7,9,4\n");
  ASSERT_TRUE(problem.ok());
  ASSERT_EQ(problem->buffers.size(), 2u);
  EXPECT_EQ(problem->buffers[0].live, (std::vector<Interval>{{0, 3}, {7, 9}}));
}

TEST(CsvTest, WritesWhatItReads) {
  const std::string text =
      "id,lower,upper,size,alignment,offset\nx,0,3,4,32,64\nx,7,9,4,32,64\ny,0,1,1,1,0\n";
  auto problem = ReadCsv(text);
  ASSERT_TRUE(problem.ok());
  EXPECT_EQ(WriteCsv(*problem, {{64, 0}, 68}), text);
}

TEST(CsvTest, NamesTheLineAndTheTextOfAnError) {
  EXPECT_EQ(ErrorOf(""), "line 1: no header; a problem begins with id,lower,upper,size.");
  EXPECT_EQ(ErrorOf("id,lower,upper\n"), "line 1: column \"size\" is missing.");
  EXPECT_EQ(
      ErrorOf("id,lower,upper,size,colour\n"),
      "line 1: there is no column \"colour\"; the columns are id, lower, upper, size, alignment, "
      "offset.");
  EXPECT_EQ(ErrorOf("id,lower,upper,size,end\n"), "line 1: column \"end\" stands twice.");
  EXPECT_EQ(ErrorOf("id,lower,upper,size\nx,0,3,12x\n"),
            "line 2: size is \"12x\", not a whole number.");
  EXPECT_EQ(ErrorOf("id,lower,upper,size\n\nx,0,,12\n"),
            "line 3: upper is \"\", not a whole number.");
  EXPECT_EQ(ErrorOf("id,lower,upper,size\nx,0,3\n"), "line 2: 3 fields, but the header has 4.");
  EXPECT_EQ(ErrorOf("id,lower,upper,size\nx,0,3,99999999999999999999\n"),
            "line 2: size is 99999999999999999999, beyond 64 bits.");
  EXPECT_EQ(ErrorOf("id,lower,upper,size\nx,3,3,1\n"),
            "line 2: lifetime [3, 3) of \"x\" is empty.");
  EXPECT_EQ(ErrorOf("id,lower,upper,size\nx,0,3,-1\n"),
            "line 2: size of \"x\" is -1, which is negative.");
  EXPECT_EQ(ErrorOf("id,lower,upper,size\n,0,3,1\n"), "line 2: id is empty.");
  EXPECT_EQ(ErrorOf("id,lower,upper,size,offset\nx,0,3,1,-4\n"),
            "line 2: offset is -4, which is negative.");
  EXPECT_EQ(ErrorOf("id,lower,upper,size\nx,0,3,1\nx,5,6,2\n"),
            "line 3: \"x\" came before with another size, alignment or offset.");
}

}  // namespace
}  // namespace hostnpu::planner

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "base/subprocess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "base/file.h"

namespace hostnpu::base {
namespace {

using ::testing::HasSubstr;

SubprocessResult Shell(const std::string& script, const SubprocessOptions& options = {}) {
  auto run = RunProgram({"/bin/sh", "-c", script}, options);
  EXPECT_TRUE(run.ok());
  return run.ok() ? *run : SubprocessResult{};
}

TEST(Subprocess, CollectsBothOutputsAndTheExitCode) {
  const auto run = Shell("echo out; echo err >&2; exit 7");
  EXPECT_EQ(run.out, "out\n");
  EXPECT_EQ(run.err, "err\n");
  EXPECT_EQ(run.exit_code, 7);
  EXPECT_FALSE(run.ok());
}

TEST(Subprocess, ReadsMoreThanAPipeHoldsOnBothOutputs) {
  const auto run = Shell("head -c 300000 /dev/zero >&2; head -c 400000 /dev/zero");
  EXPECT_EQ(run.out.size(), 400000u);
  EXPECT_EQ(run.err.size(), 300000u);
  EXPECT_TRUE(run.ok());
}

TEST(Subprocess, SaysWhichSignalEndedTheProgram) {
  const auto run = Shell("kill -SEGV $$");
  EXPECT_EQ(run.signal, SIGSEGV);
  EXPECT_FALSE(run.ok());
}

TEST(Subprocess, GivesAnEmptyInput) { EXPECT_EQ(Shell("cat; echo done").out, "done\n"); }

TEST(Subprocess, SetsEnvironmentOnTopOfOurs) {
  setenv("HOSTNPU_TEST_KEPT", "kept", 1);
  setenv("HOSTNPU_TEST_CHANGED", "before", 1);
  SubprocessOptions options;
  options.environment = {{"HOSTNPU_TEST_CHANGED", "after"}, {"HOSTNPU_TEST_NEW", "new"}};
  EXPECT_EQ(Shell("echo $HOSTNPU_TEST_KEPT $HOSTNPU_TEST_CHANGED $HOSTNPU_TEST_NEW", options).out,
            "kept after new\n");
}

TEST(Subprocess, RunsInAnotherFolder) {
  SubprocessOptions options;
  options.working_directory = "/";
  EXPECT_EQ(Shell("pwd", options).out, "/\n");
}

TEST(Subprocess, KillsAProgramAndItsChildrenWhenTheTimeIsUp) {
  SubprocessOptions options;
  options.timeout_ms = 50;
  const auto start = std::chrono::steady_clock::now();
  const auto run = Shell("sleep 20 & sleep 20", options);
  EXPECT_TRUE(run.timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Subprocess, NamesAProgramThatIsNotThere) {
  const auto run = RunProgram({"/no/such/program"});
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code, Code::kNotFound);
  EXPECT_THAT(run.error().message, HasSubstr("cannot start '/no/such/program'"));
  EXPECT_FALSE(RunProgram({}).ok());
}

TEST(Subprocess, FindsProgramsAsTheShellDoes) {
  EXPECT_TRUE(FindProgram("sh"));
  EXPECT_EQ(FindProgram("/bin/sh"), "/bin/sh");
  EXPECT_FALSE(FindProgram("no-such-program-anywhere"));
  EXPECT_FALSE(FindProgram("/etc/passwd"));  // not executable
}

TEST(Subprocess, KnowsItsOwnFile) {
  const std::string path = PathOfThisBinary();
  EXPECT_TRUE(path.starts_with('/'));
  EXPECT_TRUE(IsFile(path));
}

}  // namespace
}  // namespace hostnpu::base

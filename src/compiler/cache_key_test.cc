// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/cache_key.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <set>

#include "base/file.h"

namespace hostnpu::compiler {
namespace {

CompileRequest SampleRequest() {
  CompileRequest request;
  request.sources = {{"a.asc", "int a;", true}};
  request.include_dirs = {"inc"};
  request.defines = {"A=1"};
  return request;
}

SourceSet SampleSources(const std::string& text = "int a;") {
  SourceSet sources;
  sources.sources = {"/w/a.asc"};
  sources.files.emplace("/w/a.asc", UserFile{"a.asc", "/w/a.asc", text, base::HashBytes(text)});
  return sources;
}

std::string KeyOf(const CompileRequest& request, const SourceSet& sources = SampleSources(),
                  const Toolchain& toolchain = {}, const std::string& headers = "h") {
  return MakeCacheKey(request, sources, toolchain, headers).ToText();
}

TEST(CacheKey, IsTheSameForTheSameInput) {
  EXPECT_EQ(KeyOf(SampleRequest()), KeyOf(SampleRequest()));
  const CacheKey key = MakeCacheKey(SampleRequest(), SampleSources(), {}, "h");
  EXPECT_EQ(key.Hash(), key.Hash());
}

TEST(CacheKey, ChangesWithEachPartOfARequest) {
  const std::vector<std::function<void(CompileRequest&)>> changes = {
      [](CompileRequest& r) { r.sources[0].path = "b.asc"; },
      [](CompileRequest& r) { r.output = OutputKind::kSharedObject; },
      [](CompileRequest& r) { r.output = OutputKind::kObject; },
      [](CompileRequest& r) { r.include_dirs.push_back("other"); },
      [](CompileRequest& r) { r.defines = {"A=2"}; },
      [](CompileRequest& r) { r.defines = {}; },
      [](CompileRequest& r) { r.undefines = {"A"}; },
      [](CompileRequest& r) { r.link_inputs = {"-lm"}; },
      [](CompileRequest& r) { r.compiler_flags = {"-O0"}; },
      [](CompileRequest& r) { r.standard = "c++20"; },
      [](CompileRequest& r) { r.chip = "Ascend910B4"; },
      [](CompileRequest& r) { r.debug = true; },
      [](CompileRequest& r) { r.sanitize = "address"; },
  };
  std::set<std::string> keys = {KeyOf(SampleRequest())};
  for (const auto& change : changes) {
    CompileRequest request = SampleRequest();
    change(request);
    EXPECT_TRUE(keys.insert(KeyOf(request)).second) << "change " << keys.size();
  }
}

TEST(CacheKey, ChangesWithAnyByteOfAnyFile) {
  EXPECT_NE(KeyOf(SampleRequest(), SampleSources("int a;")),
            KeyOf(SampleRequest(), SampleSources("int a; ")));
  SourceSet more = SampleSources();
  more.files.emplace("/w/h.h", UserFile{"h.h", "/w/h.h", "", base::HashBytes("")});
  EXPECT_NE(KeyOf(SampleRequest(), more), KeyOf(SampleRequest()));
}

TEST(CacheKey, ChangesWithCompilerHeadersAndLibrary) {
  Toolchain toolchain;
  toolchain.compiler = "/bin/sh";
  EXPECT_NE(KeyOf(SampleRequest(), SampleSources(), toolchain), KeyOf(SampleRequest()));
  toolchain = {};
  toolchain.library = "/opt/lib/libhostnpu.so";
  EXPECT_NE(KeyOf(SampleRequest(), SampleSources(), toolchain), KeyOf(SampleRequest()));
  EXPECT_NE(KeyOf(SampleRequest(), SampleSources(), {}, "other headers"), KeyOf(SampleRequest()));
}

TEST(CacheKey, ChangesWithEachFileThatAWordForTheLinkerNames) {
  const auto folder = base::MakeTemporaryDirectory(::testing::TempDir(), "key-");
  ASSERT_TRUE(folder.ok());
  CompileRequest request = SampleRequest();
  request.link_inputs = {*folder + "/a.o", "-L" + *folder, "-lpart", "-l:exact.a"};
  request.compiler_flags = {"-Wl,--version-script=" + *folder + "/map"};
  std::set<std::string> keys = {KeyOf(request)};
  for (const char* name : {"a.o", "libpart.so", "libpart.a", "exact.a", "map"}) {
    for (const char* contents : {"1", "12"}) {
      ASSERT_TRUE(base::WriteFile(*folder + "/" + name, contents).ok());
      EXPECT_TRUE(keys.insert(KeyOf(request)).second) << name << " " << contents;
    }
  }
  ASSERT_TRUE(base::WriteFile(*folder + "/libother.a", "1").ok());
  EXPECT_FALSE(keys.insert(KeyOf(request)).second);
  EXPECT_TRUE(base::RemoveTree(*folder).ok());
}

TEST(CacheKey, ChangesWithTheEnvironmentThatClangReads) {
  const std::string before = KeyOf(SampleRequest());
  setenv("CPATH", "/somewhere", 1);
  EXPECT_NE(KeyOf(SampleRequest()), before);
  unsetenv("CPATH");
  EXPECT_EQ(KeyOf(SampleRequest()), before);
}

TEST(CacheKey, CannotBeFooledByANewlineInAValue) {
  CompileRequest one = SampleRequest();
  one.defines = {"A=1", "B"};
  CompileRequest other = SampleRequest();
  other.defines = {"A=1\ndefine=1:B"};
  EXPECT_NE(KeyOf(one), KeyOf(other));
}

}  // namespace
}  // namespace hostnpu::compiler

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/cache_key.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/file.h"
#include "base/subprocess.h"

namespace hostnpu::compiler {
namespace {

constexpr const char* kFormat = "1";

std::string OutputName(OutputKind kind) {
  switch (kind) {
    case OutputKind::kExecutable:
      return "executable";
    case OutputKind::kSharedObject:
      return "shared";
    case OutputKind::kObject:
      return "object";
  }
  return "unknown";
}

void AppendLine(std::string& text, const char* name, const std::string& value) {
  // A newline in a value must not look like another field.
  text += fmt::format("{}={}:{}\n", name, value.size(), value);
}

void AppendLines(std::string& text, const char* name, const std::vector<std::string>& values) {
  for (const std::string& value : values) AppendLine(text, name, value);
}

}  // namespace

std::string CacheKey::ToText() const {
  std::string text;
  AppendLine(text, "format", format);
  AppendLine(text, "hostnpu_version", hostnpu_version);
  AppendLine(text, "hostnpu_binary", hostnpu_binary);
  AppendLine(text, "headers_hash", headers_hash);
  AppendLine(text, "compiler", compiler);
  AppendLine(text, "linker", linker);
  AppendLine(text, "library", library);
  AppendLine(text, "cpu", cpu);
  AppendLine(text, "working_directory", working_directory);
  AppendLine(text, "output", output);
  for (const auto& [path, hash] : files) AppendLine(text, "file", hash + " " + path);
  AppendLines(text, "source", sources);
  AppendLines(text, "include_dir", include_dirs);
  AppendLines(text, "define", defines);
  AppendLines(text, "undefine", undefines);
  AppendLines(text, "link_input", link_inputs);
  AppendLines(text, "compiler_flag", compiler_flags);
  AppendLine(text, "standard", standard);
  AppendLine(text, "chip", chip);
  AppendLine(text, "mode", mode);
  AppendLines(text, "environment", environment);
  return text;
}

base::Hash128 CacheKey::Hash() const { return base::HashBytes(ToText()); }

std::vector<std::string> RelevantEnvironment() {
  std::vector<std::string> values;
  for (const char* name :
       {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH",
        "GCC_EXEC_PREFIX", "CCC_OVERRIDE_OPTIONS", "SOURCE_DATE_EPOCH",
        "CLANG_CONFIG_FILE_SYSTEM_DIR", "CLANG_CONFIG_FILE_USER_DIR", "LLD_REPRODUCE"}) {
    if (const char* value = std::getenv(name)) values.push_back(std::string(name) + "=" + value);
  }
  return values;
}

CacheKey MakeCacheKey(const CompileRequest& request, const SourceSet& sources,
                      const Toolchain& toolchain, const std::string& headers_hash) {
  CacheKey key;
  key.format = kFormat;
  key.hostnpu_version = HostnpuVersion();
  key.hostnpu_binary = FileIdentity(base::PathOfThisBinary());
  key.headers_hash = headers_hash;
  key.compiler = FileIdentity(toolchain.compiler);
  key.linker = FileIdentity(toolchain.linker);
  key.library = toolchain.library;
  key.cpu = CpuIdentity();
  key.working_directory = base::NormalizePath(".");
  key.output = OutputName(request.output);
  for (const auto& [absolute, file] : sources.files) {
    key.files.emplace_back(file.path, file.hash.ToHex());
  }
  for (const SourceInput& source : request.sources) key.sources.push_back(source.path);
  key.include_dirs = request.include_dirs;
  key.defines = request.defines;
  key.undefines = request.undefines;
  for (const std::string& input : request.link_inputs) {
    key.link_inputs.push_back(input.starts_with('-') ? input : input + " " + FileIdentity(input));
  }
  key.compiler_flags = request.compiler_flags;
  key.standard = request.standard;
  key.chip = request.chip;
  key.mode = fmt::format("debug={} check={} sanitize={} main={}", request.debug, request.check,
                         request.sanitize, request.require_main);
  key.environment = RelevantEnvironment();
  return key;
}

}  // namespace hostnpu::compiler

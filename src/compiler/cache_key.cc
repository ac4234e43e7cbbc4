// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/cache_key.h"

#include <fmt/format.h>

#include <algorithm>
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

/// What of the disk a word for the linker or the compiler names: itself, the library that `-lNAME`
/// means in the `-L` folders, or a file behind `=`, `,` or `@` (`-Wl,--version-script=FILE`). Files
/// of system folders are not looked for: they change with the system's packages.
std::vector<std::string> FilesNamedBy(const std::string& word,
                                      const std::vector<std::string>& library_dirs) {
  std::vector<std::string> files;
  if (word.starts_with("-l") && word.size() > 2) {
    const std::string name = word.substr(2);
    const std::vector<std::string> candidates =
        name[0] == ':' ? std::vector<std::string>{name.substr(1)}
                       : std::vector<std::string>{"lib" + name + ".so", "lib" + name + ".a"};
    for (const std::string& directory : library_dirs) {
      for (const std::string& candidate : candidates) {
        files.push_back(base::JoinPath(directory, candidate));
      }
    }
    return files;
  }
  for (size_t begin = 0; begin <= word.size();) {
    const size_t end = std::min(word.find_first_of("=,@", begin), word.size());
    const std::string part = word.substr(begin, end - begin);
    if (!part.empty() && base::IsFile(part)) files.push_back(part);
    begin = end + 1;
  }
  return files;
}

/// Words with the identity of each file they name. A library that is not there is part of it too:
/// it may appear.
std::vector<std::string> WithIdentity(const std::vector<std::string>& words,
                                      const std::vector<std::string>& library_dirs) {
  std::vector<std::string> described;
  for (const std::string& word : words) {
    std::string text = word;
    for (const std::string& file : FilesNamedBy(word, library_dirs)) {
      text += " " + FileIdentity(file);
    }
    described.push_back(std::move(text));
  }
  return described;
}

std::vector<std::string> LibraryDirs(const CompileRequest& request) {
  std::vector<std::string> dirs;
  for (const auto* words : {&request.link_inputs, &request.compiler_flags}) {
    for (const std::string& word : *words) {
      if (word.starts_with("-L") && word.size() > 2) dirs.push_back(word.substr(2));
    }
  }
  return dirs;
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
  const std::vector<std::string> library_dirs = LibraryDirs(request);
  key.link_inputs = WithIdentity(request.link_inputs, library_dirs);
  key.compiler_flags = WithIdentity(request.compiler_flags, library_dirs);
  key.standard = request.standard;
  key.chip = request.chip;
  key.mode = fmt::format("debug={} sanitize={}", request.debug, request.sanitize);
  key.environment = RelevantEnvironment();
  return key;
}

}  // namespace hostnpu::compiler

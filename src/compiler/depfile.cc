// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/depfile.h"

#include "base/file.h"

namespace hostnpu::compiler {

std::vector<std::string> ParseDependencies(std::string_view makefile) {
  std::vector<std::string> paths;
  const size_t colon = makefile.find(": ");
  if (colon == std::string_view::npos) return paths;
  std::string path;
  const auto flush = [&] {
    if (!path.empty()) paths.push_back(std::move(path));
    path.clear();
  };
  for (size_t i = colon + 1; i < makefile.size(); ++i) {
    const char c = makefile[i];
    const char next = i + 1 < makefile.size() ? makefile[i + 1] : '\0';
    if (c == '\\' && (next == '\n' || next == '\r')) {
      flush();
      ++i;
    } else if (c == '\\' && (next == ' ' || next == '#')) {
      path += next;
      ++i;
    } else if (c == '$' && next == '$') {
      path += '$';
      ++i;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      flush();
    } else if (c == '\n') {
      flush();
      break;
    } else {
      path += c;
    }
  }
  flush();
  return paths;
}

std::vector<std::string> ReadDependencies(const std::string& path) {
  const auto text = base::ReadFile(path);
  return text.ok() ? ParseDependencies(*text) : std::vector<std::string>();
}

}  // namespace hostnpu::compiler

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/strings.h"

namespace hostnpu::compiler {
namespace {

struct HeaderFile {
  std::string path;
  base::FileStatus status;
};

void Collect(const std::string& folder, std::vector<HeaderFile>& files) {
  for (const std::string& name : base::ListDirectory(folder)) {
    const std::string path = folder + "/" + name;
    const auto status = base::StatFile(path);
    if (!status) continue;
    if (status->is_directory) {
      Collect(path, files);
    } else {
      files.push_back({path, *status});
    }
  }
}

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Whether `name` stands as a whole word in `text`.
bool HasWord(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool starts = at == 0 || !IsWordByte(text[at - 1]);
    const size_t end = at + name.size();
    if (starts && (end == text.size() || !IsWordByte(text[end]))) return true;
  }
  return false;
}

/// Adds each word of `text`.
void AddWords(std::string_view text, std::set<std::string>& words) {
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && IsWordByte(text[end])) ++end;
    if (end > begin) words.emplace(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace

std::string HashHeaders(const std::string& include_root, const std::string& memo_folder) {
  std::vector<HeaderFile> files;
  Collect(include_root, files);
  base::Hasher stamps;
  for (const HeaderFile& file : files) {
    stamps.Add(file.path).Add(file.status.size).Add(static_cast<uint64_t>(file.status.mtime_ns));
  }
  const std::string stamp = stamps.Finish().ToHex();
  const std::string memo_path =
      memo_folder + "/headers-" + base::HashBytes(include_root).ToHex().substr(0, 16);
  if (const auto memo = base::ReadFile(memo_path); memo.ok()) {
    const auto lines = base::SplitLines(*memo);
    if (lines.size() == 2 && lines[0] == stamp && lines[1].size() == 32)
      return std::string(lines[1]);
  }
  base::Hasher contents;
  for (const HeaderFile& file : files) {
    const auto text = base::ReadFile(file.path);
    contents.Add(file.path.substr(include_root.size())).Add(text.ok() ? *text : "");
  }
  const std::string hash = contents.Finish().ToHex();
  (void)base::WriteFileAtomically(memo_path, stamp + "\n" + hash + "\n");  // only saves time
  return hash;
}

bool HeadersMention(const std::string& include_root, std::string_view name) {
  std::vector<HeaderFile> files;
  Collect(include_root + "/ascendc", files);
  return std::any_of(files.begin(), files.end(), [name](const HeaderFile& file) {
    const auto text = base::ReadFile(file.path);
    return text.ok() && HasWord(*text, name);
  });
}

std::set<std::string> TestedMacros(const std::string& include_root) {
  std::set<std::string> words;
  std::vector<HeaderFile> files;
  Collect(include_root, files);
  for (const HeaderFile& file : files) {
    const auto text = base::ReadFile(file.path);
    if (!text.ok()) continue;
    bool continues = false;  // the condition goes on behind a backslash
    for (const std::string_view raw : base::SplitLines(*text)) {
      std::string_view line = base::Trim(raw);
      if (!continues) {
        if (!line.starts_with('#')) continue;
        line = base::Trim(line.substr(1));
        if (!line.starts_with("if") && !line.starts_with("elif")) continue;
      }
      AddWords(line, words);
      continues = line.ends_with('\\');
    }
  }
  return words;
}

}  // namespace hostnpu::compiler

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/headers.h"

#include <algorithm>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/strings.h"

namespace hostnpu::compiler {
namespace {

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

/// Adds the words of each `#if` and `#elif` of a header.
void AddConditionWords(std::string_view text, std::set<std::string>& words) {
  bool continues = false;  // the condition goes on behind a backslash
  for (const std::string_view raw : base::SplitLines(text)) {
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

}  // namespace

std::set<std::string> Headers::TestedMacros() const {
  std::set<std::string> words;
  AddWords(condition_words, words);
  return words;
}

Headers ReadHeaders(const std::string& include_root, const std::string& memo_folder) {
  const std::vector<base::TreeFile> files = base::ListTree(include_root);
  base::Hasher stamps;
  for (const base::TreeFile& file : files) {
    stamps.Add(file.path).Add(file.status.size).Add(static_cast<uint64_t>(file.status.mtime_ns));
  }
  const std::string stamp = stamps.Finish().ToHex();
  const std::string memo_path =
      memo_folder + "/headers-" + base::HashBytes(include_root).ToHex().substr(0, 16);
  if (const auto memo = base::ReadFile(memo_path); memo.ok()) {
    const auto lines = base::SplitLines(*memo);
    if (lines.size() == 3 && lines[0] == stamp && lines[1].size() == 32) {
      return {std::string(lines[1]), std::string(lines[2])};
    }
  }
  base::Hasher contents;
  std::set<std::string> words;
  for (const base::TreeFile& file : files) {
    const auto text = base::ReadFile(file.path);
    contents.Add(file.path.substr(include_root.size())).Add(text.ok() ? *text : "");
    if (text.ok()) AddConditionWords(*text, words);
  }
  const Headers headers = {contents.Finish().ToHex(),
                           base::Join({words.begin(), words.end()}, " ")};
  (void)base::WriteFileAtomically(  // only saves time
      memo_path, stamp + "\n" + headers.hash + "\n" + headers.condition_words + "\n");
  return headers;
}

bool HeadersMention(const std::string& include_root, std::string_view name) {
  const std::vector<base::TreeFile> files = base::ListTree(include_root + "/ascendc");
  return std::any_of(files.begin(), files.end(), [name](const base::TreeFile& file) {
    const auto text = base::ReadFile(file.path);
    return text.ok() && HasWord(*text, name);
  });
}

}  // namespace hostnpu::compiler

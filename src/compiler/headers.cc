// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "compiler/headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
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

// The memo: what was read, and of which files and folders. A folder's time says whether a name came
// or went, so that the folders need not be read again.
//
//   hostnpu-headers 2
//   STAMP              of the states of all names
//   HASH
//   CONDITION WORDS
//   NAME               (many times; relative to the headers' folder, which is ".")
constexpr std::string_view kFormat = "hostnpu-headers 2";
constexpr size_t kFirstName = 4;

/// What changed this little before we read may have changed again without a later time.
constexpr int64_t kCoarsestClockNs = int64_t{2} * 1000000000;

std::string StampOf(const std::vector<std::string_view>& names,
                    const std::vector<base::FileStatus>& states) {
  base::Hasher stamp;
  for (size_t i = 0; i < names.size(); ++i) {
    stamp.Add(names[i]).Add(states[i].size).Add(static_cast<uint64_t>(states[i].mtime_ns));
  }
  return stamp.Finish().ToHex();
}

/// What the memo says; nothing when there is none, or when it is of other files.
std::optional<Headers> Remembered(const std::string& include_root, const std::string& memo_path) {
  const auto memo = base::ReadFile(memo_path);
  if (!memo.ok()) return std::nullopt;
  const std::vector<std::string_view> lines = base::SplitLines(*memo);
  if (lines.size() <= kFirstName || lines[0] != kFormat) return std::nullopt;
  const std::vector<std::string_view> names(lines.begin() + kFirstName, lines.end());
  const auto states = base::StatFilesOf(include_root, names);
  if (!states || StampOf(names, *states) != lines[1]) return std::nullopt;
  return Headers{std::string(lines[2]), std::string(lines[3])};
}

/// The memo's text; nothing when a change during our reading could go unseen.
std::optional<std::string> MemoOf(const std::string& include_root,
                                  const std::vector<base::TreeEntry>& entries, int64_t read_at_ns,
                                  const Headers& headers) {
  std::vector<std::string_view> names;
  std::vector<base::FileStatus> states;
  for (const base::TreeEntry& entry : entries) {
    if (entry.status.mtime_ns > read_at_ns - kCoarsestClockNs) return std::nullopt;
    const std::string_view path = entry.path;
    names.push_back(path == include_root ? "." : path.substr(include_root.size() + 1));
    states.push_back(entry.status);
    if (names.back().find('\n') != std::string_view::npos) return std::nullopt;
  }
  std::string text = fmt::format("{}\n{}\n{}\n{}\n", kFormat, StampOf(names, states), headers.hash,
                                 headers.condition_words);
  for (const std::string_view name : names) text.append(name).append("\n");
  return text;
}

}  // namespace

std::set<std::string> Headers::TestedMacros() const {
  std::set<std::string> words;
  AddWords(condition_words, words);
  return words;
}

Headers ReadHeaders(const std::string& include_root, const std::vector<std::string>& memo_folders) {
  const std::string memo_name = "/headers-" + base::HashBytes(include_root).ToHex().substr(0, 16);
  for (const std::string& folder : memo_folders) {
    if (auto headers = Remembered(include_root, folder + memo_name)) return *std::move(headers);
  }
  const int64_t now_ns = base::FileClockNs();
  const std::vector<base::TreeEntry> entries = base::ListTree(include_root);
  base::Hasher contents;
  std::set<std::string> words;
  for (const base::TreeEntry& entry : entries) {
    if (entry.status.is_directory) continue;
    const auto text = base::ReadFile(entry.path);
    contents.Add(entry.path.substr(include_root.size())).Add(text.ok() ? *text : "");
    if (text.ok()) AddConditionWords(*text, words);
  }
  Headers headers = {contents.Finish().ToHex(), base::Join({words.begin(), words.end()}, " ")};
  if (const auto memo = MemoOf(include_root, entries, now_ns, headers)) {
    (void)base::WriteFileAtomically(memo_folders.front() + memo_name, *memo);  // only saves time
  }
  return headers;
}

bool HeadersMention(const std::string& include_root, std::string_view name) {
  const std::vector<base::TreeEntry> entries = base::ListTree(include_root + "/ascendc");
  return std::any_of(entries.begin(), entries.end(), [name](const base::TreeEntry& entry) {
    const auto text = base::ReadFile(entry.path);
    return text.ok() && HasWord(*text, name);
  });
}

}  // namespace hostnpu::compiler

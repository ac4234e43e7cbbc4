// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// clang knows which start files, folders and libraries a program of this system is linked with, and
// takes longer to start than lld to link. So it is asked once for each set of flags (`-###`), and
// its answer kept with a marker in place of the objects and of the output.
#include "compiler/direct_link.h"

#include <algorithm>

#include "base/file.h"
#include "base/hash.h"
#include "base/strings.h"
#include "base/subprocess.h"
#include "compiler/cache_key.h"

namespace hostnpu::compiler {
namespace {

constexpr std::string_view kObjects = "<objects>";
constexpr std::string_view kOutput = "<output>";

/// The command with markers; nothing when the objects do not stand together in it, once.
std::optional<std::vector<std::string>> ToTemplate(const std::vector<std::string>& command,
                                                   const std::vector<std::string>& objects,
                                                   const std::string& output) {
  if (objects.empty()) return std::nullopt;
  const auto at = std::search(command.begin(), command.end(), objects.begin(), objects.end());
  if (at == command.end()) return std::nullopt;
  std::vector<std::string> words(command.begin(), at);
  words.emplace_back(kObjects);
  words.insert(words.end(), at + static_cast<std::ptrdiff_t>(objects.size()), command.end());
  std::replace(words.begin(), words.end(), output, std::string(kOutput));
  const std::string folder = base::DirectoryOf(output) + "/";
  for (const std::string& word : words) {
    if (word.find(folder) != std::string::npos || word.find('\n') != std::string::npos) {
      return std::nullopt;  // something else of this one program
    }
  }
  return words;
}

std::vector<std::string> FillIn(const std::vector<std::string_view>& words,
                                const std::vector<std::string>& objects,
                                const std::string& output) {
  std::vector<std::string> command;
  for (const std::string_view word : words) {
    if (word == kObjects) {
      command.insert(command.end(), objects.begin(), objects.end());
    } else {
      command.emplace_back(word == kOutput ? std::string_view(output) : word);
    }
  }
  return command;
}

/// Whether the files that clang named by their full path, the start files among them, are there.
bool FilesAreThere(const std::vector<std::string_view>& words) {
  return std::all_of(words.begin(), words.end(), [](std::string_view word) {
    return !word.starts_with('/') || !word.ends_with(".o") || base::IsFile(std::string(word));
  });
}

}  // namespace

std::vector<std::vector<std::string>> ParsePlannedCommands(std::string_view text) {
  std::vector<std::vector<std::string>> commands;
  for (const std::string_view line : base::SplitLines(text)) {
    if (!line.starts_with(" \"")) continue;  // what clang says of itself
    std::vector<std::string>& words = commands.emplace_back();
    bool inside = false;
    for (size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '"') {
        inside = !inside;
        if (inside) words.emplace_back();
      } else if (inside) {
        if (line[i] == '\\' && i + 1 < line.size()) ++i;
        words.back() += line[i];
      }
    }
  }
  return commands;
}

std::optional<std::vector<std::string>> DirectLinkCommand(const std::vector<std::string>& command,
                                                          const std::vector<std::string>& objects,
                                                          const std::string& output,
                                                          const Toolchain& toolchain,
                                                          const Cache& cache) {
  const auto asked = ToTemplate(command, objects, output);
  if (!asked) return std::nullopt;
  std::string key = base::ShellJoin(*asked) + "\n" + FileIdentity(toolchain.compiler) + "\n" +
                    FileIdentity(toolchain.linker) + "\n";
  for (const std::string& variable : RelevantEnvironment()) key += variable + "\n";
  const std::string key_line = base::HashBytes(key).ToHex();
  const std::string memo_path = cache.root() + "/link-" + key_line.substr(0, 16);
  if (const auto memo = base::ReadFile(memo_path); memo.ok()) {
    std::vector<std::string_view> lines = base::SplitLines(*memo);
    if (lines.size() > 2 && lines.front() == key_line && lines.back() == "end") {
      const std::vector<std::string_view> words(lines.begin() + 1, lines.end() - 1);
      if (FilesAreThere(words)) return FillIn(words, objects, output);
    }
  }
  std::vector<std::string> question = command;
  question.emplace_back("-###");
  const auto answer = base::RunProgram(question);
  if (!answer.ok() || !answer->ok()) return std::nullopt;
  const auto planned = ParsePlannedCommands(answer->err);
  if (planned.size() != 1 || planned[0][0] != toolchain.linker) return std::nullopt;
  const auto words = ToTemplate(planned[0], objects, output);
  if (!words) return std::nullopt;
  (void)base::WriteFileAtomically(  // only saves time
      memo_path, key_line + "\n" + base::Join(*words, "\n") + "\nend\n");
  return planned[0];
}

}  // namespace hostnpu::compiler

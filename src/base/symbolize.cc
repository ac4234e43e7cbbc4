// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels carry no source positions in their calls: that would cost every instruction two registers
// and change the signatures users see. A report needs a position once, so it is worked out once,
// from the line tables (-gline-tables-only) of the module, with its inlined frames.
#include "base/symbolize.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <map>

#include "base/option.h"
#include "base/strings.h"
#include "base/subprocess.h"

namespace hostnpu::base {
namespace {

struct Walk {
  std::span<void*> addresses;
  size_t count = 0;
};

_Unwind_Reason_Code Visit(_Unwind_Context* context, void* data) {
  auto* walk = static_cast<Walk*>(data);
  if (walk->count >= walk->addresses.size()) return _URC_END_OF_STACK;
  int before_instruction = 0;
  const uintptr_t pc = _Unwind_GetIPInfo(context, &before_instruction);
  if (pc == 0) return _URC_END_OF_STACK;
  // A return address points past the call; one less lies inside it.
  walk->addresses[walk->count++] = reinterpret_cast<void*>(before_instruction != 0 ? pc + 1 : pc);
  return _URC_NO_REASON;
}

/// The program that turns addresses into lines, or "" if there is none.
std::string SymbolizerPath() {
  const std::string named = EnvText("HOSTNPU_SYMBOLIZER", "");
  if (!named.empty()) return named;
  for (const char* path : {"/usr/bin/llvm-symbolizer-19", "/usr/lib/llvm-19/bin/llvm-symbolizer",
                           "/usr/bin/llvm-symbolizer"}) {
    if (access(path, X_OK) == 0) return path;
  }
  return "";
}

/// Reads the symbolizer's plain output: two lines a frame, an empty line between addresses.
std::vector<std::vector<Frame>> ReadFrames(std::string_view output, size_t count) {
  std::vector<std::vector<Frame>> all(1);
  std::string function;
  bool expects_place = false;
  for (const std::string_view line : SplitLines(output)) {
    if (line.empty()) {
      all.emplace_back();
      expects_place = false;
      continue;
    }
    expects_place = !expects_place;
    if (expects_place) {
      function = line;
      continue;
    }
    const std::vector<std::string_view> parts = Split(line, ':');
    if (parts.size() < 3) continue;
    const auto line_number = ParseNumber(parts[parts.size() - 2]);
    const auto column = ParseNumber(parts.back());
    if (!line_number.has_value() || *line_number == 0 || !column.has_value()) continue;
    const size_t file_size = line.size() - parts.back().size() - parts[parts.size() - 2].size() - 2;
    all.back().push_back(Frame{function, std::string(line.substr(0, file_size)),
                               static_cast<uint32_t>(*line_number),
                               static_cast<uint32_t>(*column)});
  }
  all.resize(count);
  return all;
}

struct Place {
  std::string module;
  uintptr_t offset;
};

Place PlaceOf(void* return_address) {
  const auto pc = reinterpret_cast<uintptr_t>(return_address) - 1;
  Dl_info info{};
  link_map* map = nullptr;
  if (dladdr1(reinterpret_cast<void*>(pc), &info, reinterpret_cast<void**>(&map),
              RTLD_DL_LINKMAP) == 0 ||
      map == nullptr) {
    return {};
  }
  std::string path =
      map->l_name != nullptr && *map->l_name != '\0' ? map->l_name : "/proc/self/exe";
  if (path == "/proc/self/exe") {
    char exe[4096];
    const ssize_t length = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
    if (length > 0) path.assign(exe, static_cast<size_t>(length));
  } else if (path.rfind("/proc/self/fd/", 0) == 0) {
    path = fmt::format("/proc/{}/fd/{}", getpid(), path.substr(14));
  }
  return {path, pc - map->l_addr};
}

}  // namespace

size_t CaptureStackInto(std::span<void*> addresses) {
  Walk walk{addresses};
  _Unwind_Backtrace(Visit, &walk);
  return walk.count;
}

std::vector<void*> CaptureStack(size_t limit) {
  std::vector<void*> addresses(limit);
  addresses.resize(CaptureStackInto(addresses));
  return addresses;
}

std::vector<std::vector<Frame>> Symbolize(const std::vector<void*>& return_addresses) {
  std::vector<std::vector<Frame>> frames(return_addresses.size());
  const std::string program = SymbolizerPath();
  if (program.empty()) return frames;
  std::map<std::string, std::vector<size_t>> by_module;
  std::vector<Place> places;
  for (void* address : return_addresses) {
    places.push_back(PlaceOf(address));
    if (!places.back().module.empty()) by_module[places.back().module].push_back(places.size() - 1);
  }
  for (const auto& [module, indices] : by_module) {
    std::vector<std::string> words = {program, "--inlines", "--demangle", "--obj=" + module};
    for (size_t index : indices) words.push_back(fmt::format("{:#x}", places[index].offset));
    const auto run = RunProgram(words);
    if (!run.ok()) continue;
    std::vector<std::vector<Frame>> found = ReadFrames(run->out, indices.size());
    for (size_t i = 0; i < indices.size(); ++i) frames[indices[i]] = std::move(found[i]);
  }
  return frames;
}

}  // namespace hostnpu::base

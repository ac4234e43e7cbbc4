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

#include <cstdio>
#include <cstdlib>
#include <map>

#include "base/option.h"

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

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

/// Reads the symbolizer's plain output: two lines a frame, an empty line between addresses.
std::vector<std::vector<Frame>> ReadFrames(FILE* pipe, size_t count) {
  std::vector<std::vector<Frame>> all(1);
  char* line = nullptr;
  size_t capacity = 0;
  std::string function;
  bool expects_place = false;
  while (getline(&line, &capacity, pipe) > 0) {
    std::string text(line);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    if (text.empty()) {
      all.emplace_back();
      expects_place = false;
    } else if (!expects_place) {
      function = text;
      expects_place = true;
    } else {
      expects_place = false;
      const size_t column_at = text.rfind(':');
      const size_t line_at =
          column_at == std::string::npos ? column_at : text.rfind(':', column_at - 1);
      if (line_at == std::string::npos) continue;
      Frame frame{function, text.substr(0, line_at),
                  static_cast<uint32_t>(std::strtoul(text.c_str() + line_at + 1, nullptr, 10)),
                  static_cast<uint32_t>(std::strtoul(text.c_str() + column_at + 1, nullptr, 10))};
      if (frame.line != 0 && frame.file != "??") all.back().push_back(std::move(frame));
    }
  }
  std::free(line);
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

std::vector<Frame> Symbolize(const std::vector<void*>& return_addresses) {
  const std::string program = SymbolizerPath();
  if (program.empty()) return {};
  std::map<std::string, std::vector<size_t>> by_module;
  std::vector<Place> places;
  for (void* address : return_addresses) {
    places.push_back(PlaceOf(address));
    if (!places.back().module.empty()) by_module[places.back().module].push_back(places.size() - 1);
  }
  std::vector<std::vector<Frame>> frames(return_addresses.size());
  for (const auto& [module, indices] : by_module) {
    std::string command = Quoted(program) + " --inlines --demangle --obj=" + Quoted(module);
    for (size_t index : indices) command += fmt::format(" {:#x}", places[index].offset);
    command += " 2>/dev/null";
    FILE* pipe = popen(command.c_str(), "re");
    if (pipe == nullptr) continue;
    std::vector<std::vector<Frame>> found = ReadFrames(pipe, indices.size());
    pclose(pipe);
    for (size_t i = 0; i < indices.size(); ++i) frames[indices[i]] = std::move(found[i]);
  }
  std::vector<Frame> flat;
  for (std::vector<Frame>& list : frames) {
    for (Frame& frame : list) flat.push_back(std::move(frame));
  }
  return flat;
}

}  // namespace hostnpu::base

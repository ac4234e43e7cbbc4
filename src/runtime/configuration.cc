// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/configuration.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "acl/acl_base.h"
#include "runtime/device.h"
#include "runtime/status.h"

namespace hostnpu::runtime {
namespace {

using nlohmann::json;

struct Uses {
  std::mutex mutex;
  uint64_t count = 0;
};

Uses& AllUses() {
  static Uses& uses = *new Uses;
  return uses;
}

base::Result<json> ReadJson(const char* path) {
  std::ifstream file(path);
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) {
    return ErrorWith(ACL_ERROR_INVALID_FILE,
                     fmt::format("The configuration '{}' does not exist or cannot be read.", path));
  }
  json document = json::parse(text.str(), nullptr, false);
  if (document.is_discarded() || !document.is_object()) {
    return ErrorWith(ACL_ERROR_PARSE_FILE,
                     fmt::format("The configuration '{}' is not a JSON object.", path));
  }
  return document;
}

base::Result<void> SetDefaultDevice(const json& section, const char* path) {
  const auto found = section.find("default_device");
  if (found == section.end()) return {};
  const std::string text = found->is_string() ? found->get<std::string>() : found->dump();
  char* end = nullptr;
  const long device = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0') {
    return ErrorWith(ACL_ERROR_FILE_ATTR_INVALID,
                     fmt::format("default_device (\"{}\") in '{}' is not a number.", text, path));
  }
  return SetDevice(device);
}

base::Result<void> Configure(const char* path) {
  HOSTNPU_ASSIGN_OR_RETURN(const json document, ReadJson(path));
  static const std::set<std::string> kWithoutMeaning = {"StackSize",
                                                        "ErrMsgMode",
                                                        "simd_printf_fifo_size_per_core",
                                                        "simt_printf_fifo_size",
                                                        "op_debug_config",
                                                        "max_opqueue_num",
                                                        "acl_graph"};
  for (const auto& [key, section] : document.items()) {
    if (kWithoutMeaning.count(key) != 0) continue;
    if (key == "defaultDevice") {
      if (auto set = SetDefaultDevice(section, path); !set.ok()) return set;
      continue;
    }
    const int number = key == "dump"       ? ACL_ERROR_INVALID_DUMP_CONFIG
                       : key == "profiler" ? ACL_ERROR_INVALID_PROFILING_CONFIG
                                           : ACL_ERROR_FILE_ATTR_INVALID;
    return ErrorWith(number,
                     fmt::format("The section \"{}\" of '{}' is not supported here.", key, path));
  }
  return {};
}

}  // namespace

base::Result<void> Initialize(const char* path) {
  Uses& uses = AllUses();
  std::lock_guard lock(uses.mutex);
  if (uses.count != 0) {
    uses.count += 1;
    return ErrorWith(ACL_ERROR_REPEAT_INITIALIZE,
                     "aclInit has been called before; once is enough.");
  }
  if (auto chip = DeviceChip(); !chip.ok()) return chip.error();
  if (path != nullptr && *path != '\0') {
    if (auto configured = Configure(path); !configured.ok()) return configured;
  }
  uses.count = 1;
  return {};
}

base::Error FinalizedBefore() {
  return ErrorWith(ACL_ERROR_REPEAT_FINALIZE,
                   "aclFinalize has been called before, or aclInit has not been called.");
}

base::Result<uint64_t> Finalize(bool all) {
  Uses& uses = AllUses();
  std::lock_guard lock(uses.mutex);
  if (uses.count == 0) return FinalizedBefore();
  uses.count = all ? 0 : uses.count - 1;
  return uses.count;
}

}  // namespace hostnpu::runtime

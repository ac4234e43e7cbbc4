// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "engine/launch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "engine/device_abi.h"

namespace hostnpu::engine {
namespace {

constexpr size_t kWaitsShown = 12;

/// Paths below the working directory are shown relative to it.
std::string Shown(const std::string& file) {
  char here[4096];
  if (getcwd(here, sizeof(here)) == nullptr) return file;
  const std::string prefix = std::string(here) + "/";
  return file.rfind(prefix, 0) == 0 ? file.substr(prefix.size()) : file;
}

}  // namespace

bool LacksCores(const LaunchSpec& spec) {
  return spec.blocks * spec.cores.aiv > spec.chip->aiv_count ||
         spec.blocks * spec.cores.aic > spec.chip->aic_count;
}

std::optional<std::string> LackOfCores(const LaunchSpec& spec) {
  if (!LacksCores(spec)) return std::nullopt;
  const bool aiv = spec.blocks * spec.cores.aiv > spec.chip->aiv_count;
  return fmt::format("its {} blocks need {} {} and {} has {}", spec.blocks,
                     spec.blocks * (aiv ? spec.cores.aiv : spec.cores.aic), aiv ? "AIV" : "AIC",
                     spec.chip->name, aiv ? spec.chip->aiv_count : spec.chip->aic_count);
}

std::string SourceLocation::ToString() const {
  if (line == 0) return "an unknown place";
  if (column == 0) return fmt::format("{}:{}", Shown(file), line);
  return fmt::format("{}:{}:{}", Shown(file), line, column);
}

std::string Fault::ToString() const {
  if (kind == HOSTNPU_FAULT_STALL && !waits.empty()) {
    std::string text = fmt::format("Kernel '{}' has stalled: {}.", kernel, message);
    const size_t shown = std::min(waits.size(), kWaitsShown);
    for (size_t i = 0; i < shown; ++i) {
      text += fmt::format("\n   {:<16}  {:<22}  {}", waits[i].core, waits[i].what,
                          waits[i].location.ToString());
    }
    if (waits.size() > shown) text += fmt::format("\n   and {} more cores", waits.size() - shown);
    return text;
  }
  if (no_memory) return fmt::format("{}, in kernel '{}'.", message, kernel);
  const std::string subject = api.empty() ? message : fmt::format("{} {}", api, message);
  return fmt::format("{}.\n   at {}, in kernel '{}', {}", subject, location.ToString(), kernel,
                     core);
}

std::string FlagLeft::ToString(const std::string& kernel) const {
  const auto count = [](uint64_t number, const char* what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
  };
  const std::string set = count(sets, "set"), waited = count(waits, "wait");
  const std::string counts = waiter == setter ? fmt::format("{} and {} on {}", set, waited, setter)
                             : waiter.empty()
                                 ? fmt::format("{} by {}, and no core that could wait", set, setter)
                                 : fmt::format("{} by {}, {} by {}", set, setter, waited, waiter);
  std::string text =
      fmt::format("Kernel '{}' has ended with {} still set: {}", kernel, flag, counts);
  if (others != 0)
    text += fmt::format(", and likewise on {} more core{}", others, others == 1 ? "" : "s");
  text += fmt::format(
      ".\n   last set by {} at {}", api,
      place == nullptr ? "an unknown place" : UserLocations({{place}}).front().ToString());
  text += "\n   on the device it stays set for the next kernel";
  if (!waiter.empty()) text += fmt::format("; {} takes it back", way_out);
  return text;
}

std::string Oddity::ToString(const std::string& kernel) const {
  const std::string more = others == 0 ? "" : fmt::format(" ({} more times)", others);
  return fmt::format("{}{}.\n   at {}, in kernel '{}', {}", what, more,
                     UserLocations({stack}).front().ToString(), kernel, core);
}

}  // namespace hostnpu::engine

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// A workspace has two sizes: what the host formula declares and what the kernel touches. Nobody
// compares them, so one drifts: too small corrupts a neighbour for some lengths only, too large
// turns away kernels that would run. The high-water mark makes both visible.
#include "workspace/usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace hostnpu::workspace {
namespace {

std::string SizeText(int64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (bytes >= 1'000'000'000) return fmt::format("{:.1f} GB", value / 1e9);
  if (bytes >= 1'000'000) return fmt::format("{:.1f} MB", value / 1e6);
  if (bytes >= 1'000) return fmt::format("{:.1f} kB", value / 1e3);
  return fmt::format("{} bytes", bytes);
}

int64_t Percent(int64_t part, int64_t whole) {
  if (whole == 0) return 100;
  return static_cast<int64_t>(100.0 * static_cast<double>(part) / static_cast<double>(whole) + 0.5);
}

}  // namespace

Usage::Usage(const ArenaPlan& plan) : owner_(plan.owner) {
  for (const Slot& slot : plan.slots) regions_.push_back({slot.name, slot.bytes, 0});
}

void Usage::Touch(size_t index, int64_t offset, int64_t bytes) {
  if (bytes <= 0) return;
  regions_[index].touched_bytes = std::max(regions_[index].touched_bytes, offset + bytes);
}

std::string Usage::Render() const {
  int64_t declared = 0;
  int64_t touched = 0;
  size_t width = 6;
  for (const RegionUsage& region : regions_) {
    declared += region.declared_bytes;
    touched += std::min(region.touched_bytes, region.declared_bytes);
    width = std::max(width, region.name.size());
  }
  std::string text = fmt::format("workspace of {}: reserved {}, touched {} %\n", owner_,
                                 SizeText(declared), Percent(touched, declared));
  for (const RegionUsage& region : regions_) {
    text += fmt::format("  {:<{}}  {:>14} declared  {:>14} touched  {:>3} %\n", region.name, width,
                        region.declared_bytes, region.touched_bytes,
                        Percent(region.touched_bytes, region.declared_bytes));
  }
  return text;
}

std::vector<std::string> Usage::WasteWarnings(int percent) const {
  std::vector<std::string> warnings;
  for (const RegionUsage& region : regions_) {
    if (Percent(region.touched_bytes, region.declared_bytes) >= percent) continue;
    warnings.push_back(
        fmt::format("workspace \"{}\" of \"{}\" has {} bytes, but only {} of them ({} %) "
                    "were touched",
                    region.name, owner_, region.declared_bytes, region.touched_bytes,
                    Percent(region.touched_bytes, region.declared_bytes)));
  }
  return warnings;
}

base::Result<void> Usage::CheckOverrun() const {
  for (size_t i = 0; i < regions_.size(); ++i) {
    const RegionUsage& region = regions_[i];
    if (region.touched_bytes <= region.declared_bytes) continue;
    return base::Error{
        base::Code::kKernelFault,
        fmt::format("Kernel \"{}\" touches [Workspace {} \"{}\"] up to byte {}, but it "
                    "has {} bytes: {} too few.",
                    owner_, i, region.name, region.touched_bytes, region.declared_bytes,
                    region.touched_bytes - region.declared_bytes)};
  }
  return {};
}

base::Result<void> CheckFormula(const std::string& region, const Expression& declared_bytes,
                                std::span<const Bindings> shapes,
                                const std::function<int64_t(const Bindings&)>& touched) {
  std::optional<size_t> smallest;
  int64_t needed = 0;
  int64_t given = 0;
  size_t failures = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    HOSTNPU_ASSIGN_OR_RETURN(const int64_t declared, declared_bytes.Evaluate(shapes[i]));
    const int64_t end = touched(shapes[i]);
    if (end <= declared) continue;
    ++failures;
    if (smallest.has_value() && end >= needed) continue;
    smallest = i;
    needed = end;
    given = declared;
  }
  if (!smallest.has_value()) return {};
  return base::Error{
      base::Code::kKernelFault,
      fmt::format("Workspace \"{}\" is declared as {}: {} bytes, but the kernel touches "
                  "{}: {} too few. {} of {} shapes fail; this is the smallest.",
                  region, declared_bytes.Describe(shapes[*smallest]), given, needed, needed - given,
                  failures, shapes.size())};
}

}  // namespace hostnpu::workspace

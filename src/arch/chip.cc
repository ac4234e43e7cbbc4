// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "arch/chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/option.h"

namespace hostnpu::arch {
namespace {

// One row of a table in chips/*.def. Memory sizes are those of the family the file describes.
#define HOSTNPU_CHIP_2201(name, aic, aiv, ai_cpu, mhz, hbm_gib, l2_mib) \
  Chip{name,                                                            \
       2201,                                                            \
       aic,                                                             \
       aiv,                                                             \
       ai_cpu,                                                          \
       mhz,                                                             \
       hbm_gib * (uint64_t{1} << 30),                                   \
       l2_mib * (uint64_t{1} << 20),                                    \
       196608,                                                          \
       524288,                                                          \
       65536,                                                           \
       65536,                                                           \
       131072,                                                          \
       1024,                                                            \
       7168,                                                            \
       2048,                                                            \
       256,                                                             \
       uint64_t{16} << 20,                                              \
       32,                                                              \
       110},

constexpr Chip kChips[] = {
#include "arch/chips/ascend910_93.def"
#include "arch/chips/ascend910b.def"
};

// By name: the order of the table above is the formatter's.
constexpr const char* kDefaultChip = "Ascend910B1";

bool SameName(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

std::span<const Chip> AllChips() { return kChips; }

base::Result<const Chip*> FindChip(std::string_view name) {
  std::string known;
  for (const Chip& chip : kChips) {
    if (SameName(chip.name, name)) return &chip;
    if (!known.empty()) known += ", ";
    known += chip.name;
  }
  return base::Error{base::Code::kNotFound,
                     fmt::format("There is no chip named \"{}\". Known chips: {}.", name, known)};
}

base::Result<const Chip*> DefaultChip() {
  return FindChip(base::EnvText("HOSTNPU_CHIP", kDefaultChip));
}

}  // namespace hostnpu::arch

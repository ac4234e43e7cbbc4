// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// On a device a workspace holds what the last kernel left there, and a kernel that reads before it
// writes works until it does not. Here the initial contents are written as declared, undefined ones
// can be made poisonous, and a promise to leave zeros behind is checked after every launch.
#include "workspace/contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace hostnpu::workspace {
namespace {

void FillPattern(std::byte* data, int64_t bytes, uint64_t pattern, uint32_t pattern_bytes) {
  uint64_t word = pattern;  // the pattern repeated over 8 bytes
  for (uint32_t width = pattern_bytes; width < 8; width *= 2) {
    const uint64_t low = word & ((uint64_t{1} << (8 * width)) - 1);
    word = low | low << (8 * width);
  }
  int64_t at = 0;
  for (; at + 8 <= bytes; at += 8) std::memcpy(data + at, &word, 8);
  std::memcpy(data + at, &word, static_cast<size_t>(bytes - at));
}

void FillSlot(const Slot& slot, std::byte* arena) {
  std::byte* const data = arena + slot.offset;
  if (slot.contents.kind == ContentsKind::kZero) {
    std::memset(data, 0, static_cast<size_t>(slot.bytes));
  } else if (slot.contents.kind == ContentsKind::kValue) {
    FillPattern(data, slot.bytes, slot.contents.pattern, slot.contents.pattern_bytes);
  }
}

}  // namespace

void FillPoison(std::byte* data, int64_t bytes) {
  FillPattern(data, bytes, uint64_t{kPoisonOdd} << 8 | kPoisonEven, 2);
}

void FillContents(const ArenaPlan& plan, int64_t step, std::byte* arena, FillPolicy policy) {
  // Undefined regions first: in one launch they may share bytes with a region that has contents.
  for (const Slot& slot : plan.slots) {
    if (slot.persistent || slot.first_step != step || slot.bytes == 0) continue;
    if (slot.contents.kind != ContentsKind::kUndefined) continue;
    if (policy == FillPolicy::kPoison) FillPoison(arena + slot.offset, slot.bytes);
    if (policy == FillPolicy::kZero) {
      std::memset(arena + slot.offset, 0, static_cast<size_t>(slot.bytes));
    }
  }
  for (const Slot& slot : plan.slots) {
    if (slot.persistent || slot.first_step != step || slot.bytes == 0) continue;
    FillSlot(slot, arena);
  }
}

std::optional<int64_t> FindNonZero(const std::byte* data, int64_t bytes) {
  int64_t at = 0;
  for (; at + 64 <= bytes; at += 64) {
    uint64_t words[8];
    std::memcpy(words, data + at, 64);
    uint64_t any = 0;
    for (uint64_t word : words) any |= word;
    if (any != 0) break;
  }
  for (; at < bytes; ++at) {
    if (data[at] != std::byte{0}) return at;
  }
  return std::nullopt;
}

base::Result<void> CheckPersistentZero(const ArenaPlan& plan, std::byte* persistent) {
  std::string text;
  for (size_t i = 0; i < plan.slots.size(); ++i) {
    const Slot& slot = plan.slots[i];
    if (!slot.persistent) continue;
    std::byte* const data = persistent + slot.offset;
    const std::optional<int64_t> first = FindNonZero(data, slot.bytes);
    if (!first.has_value()) continue;
    const auto dirty = slot.bytes - std::count(data, data + slot.bytes, std::byte{0});
    if (!text.empty()) text += '\n';
    text += fmt::format(
        "[Workspace {} \"{}\"] is persistent-zero, but kernel \"{}\" leaves byte {} as "
        "0x{:02x}; {} of {} bytes are not zero.",
        i, slot.name, plan.owner, *first, static_cast<uint8_t>(data[*first]), dirty, slot.bytes);
    std::memset(data, 0, static_cast<size_t>(slot.bytes));
  }
  if (text.empty()) return {};
  return base::Error{base::Code::kInvalidState, std::move(text)};
}

}  // namespace hostnpu::workspace

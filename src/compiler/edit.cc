// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0

// Edits of a user's file, and the way back. clang reports places in the edited text; the user must
// read places in their own. Lines are the same by construction, columns are mapped through the
// segments.
#include "compiler/edit.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace hostnpu::compiler {

uint32_t PositionMap::ToOriginal(uint32_t edited) const {
  const auto next = std::upper_bound(
      segments_.begin(), segments_.end(), edited,
      [](uint32_t offset, const Segment& segment) { return offset < segment.edited; });
  if (next == segments_.begin()) return edited;
  const Segment& segment = *(next - 1);
  return segment.copied ? segment.original + (edited - segment.edited) : segment.original;
}

EditedText ApplyEdits(std::string_view original, const std::vector<Edit>& edits) {
  std::vector<size_t> order(edits.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&edits](size_t a, size_t b) {
    return edits[a].begin != edits[b].begin ? edits[a].begin < edits[b].begin : a < b;
  });
  std::string text;
  std::vector<PositionMap::Segment> segments;
  uint32_t at = 0;
  const auto edited_size = [&text] { return static_cast<uint32_t>(text.size()); };
  for (const size_t index : order) {
    const Edit& edit = edits[index];
    HOSTNPU_CHECK(edit.begin >= at && edit.end >= edit.begin && edit.end <= original.size());
    segments.push_back({edited_size(), at, true});
    text += original.substr(at, edit.begin - at);
    const uint32_t inserted = edited_size();
    segments.push_back({inserted, edit.begin, false});
    for (const Echo& echo : edit.echoes) {
      segments.push_back({inserted + echo.offset, echo.original, true});
      segments.push_back({inserted + echo.offset + echo.length, edit.begin, false});
    }
    text += edit.text;
    at = edit.end;
  }
  segments.push_back({edited_size(), at, true});
  text += original.substr(at);
  return {std::move(text), PositionMap(std::move(segments))};
}

LineIndex::LineIndex(std::string_view text) : size_(static_cast<uint32_t>(text.size())) {
  starts_.push_back(0);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts_.push_back(static_cast<uint32_t>(i + 1));
  }
}

LineIndex::Position LineIndex::PositionOf(uint32_t offset) const {
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line = static_cast<uint32_t>(next - starts_.begin());
  return {line, offset - starts_[line - 1] + 1};
}

uint32_t LineIndex::OffsetOf(uint32_t line, uint32_t column) const {
  if (line == 0) return 0;
  if (line > starts_.size()) return size_;
  const uint32_t end = line < starts_.size() ? starts_[line] : size_;
  const uint32_t offset = starts_[line - 1] + (column == 0 ? 0 : column - 1);
  return std::min(offset, end);
}

}  // namespace hostnpu::compiler

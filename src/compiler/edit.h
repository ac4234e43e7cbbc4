// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_EDIT_H_
#define HOSTNPU_COMPILER_EDIT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hostnpu::compiler {

/// A part of an inserted text that repeats original text: an error inside it is the user's.
struct Echo {
  uint32_t offset;    ///< where it starts in the inserted text
  uint32_t length;    ///< bytes
  uint32_t original;  ///< the offset of the original text it repeats
};

/// Replaces the bytes [begin, end) of a file. `text` holds as many newlines as the bytes it
/// replaces, so that line numbers never change.
struct Edit {
  uint32_t begin;
  uint32_t end;
  std::string text;
  std::vector<Echo> echoes{};
};

/// From offsets in the edited text back to offsets in the original.
class PositionMap {
 public:
  /// A run of the edited text. Where `copied`, original offsets run along; else all of it stands
  /// for the one original offset.
  struct Segment {
    uint32_t edited;
    uint32_t original;
    bool copied;
  };

  explicit PositionMap(std::vector<Segment> segments = {}) : segments_(std::move(segments)) {}
  uint32_t ToOriginal(uint32_t edited) const;

 private:
  std::vector<Segment> segments_;  // by edited offset; the first at 0
};

struct EditedText {
  std::string text;
  PositionMap map;
};

/// Applies edits, which must not overlap; they are sorted first. Several insertions at one offset
/// keep the order in which they are given.
EditedText ApplyEdits(std::string_view original, const std::vector<Edit>& edits);

/// Offsets to lines and columns and back; both counted from 1, columns in bytes.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);

  struct Position {
    uint32_t line;
    uint32_t column;
  };
  Position PositionOf(uint32_t offset) const;
  /// Clamped into the text when the line or the column is not there.
  uint32_t OffsetOf(uint32_t line, uint32_t column) const;

 private:
  std::vector<uint32_t> starts_;
  uint32_t size_;
};

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_EDIT_H_

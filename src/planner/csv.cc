// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// Planning problems are exchanged as CSV files written by many hands: columns in other orders,
// lines that end in CR LF, spaces. All of that is read; anything that could be misread is an error
// with its line.
#include "planner/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace hostnpu::planner {
namespace {

enum Column { kId, kLower, kUpper, kSize, kAlignment, kOffset, kColumnCount };
constexpr const char* kNames[] = {"id", "lower", "upper", "size", "alignment", "offset"};

base::Error Invalid(std::string message) {
  return base::Error{base::Code::kInvalidArgument, std::move(message)};
}

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string_view> Split(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const size_t comma = line.find(',');
    fields.push_back(Trim(line.substr(0, comma)));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

/// Where each Column stands in a row; -1: nowhere.
struct Header {
  int position[kColumnCount] = {-1, -1, -1, -1, -1, -1};
  size_t field_count = 0;
};

base::Result<Header> ReadHeader(std::string_view line, int number) {
  Header header;
  const std::vector<std::string_view> fields = Split(line);
  header.field_count = fields.size();
  for (size_t i = 0; i < fields.size(); ++i) {
    std::string_view name = fields[i];
    if (name == "buffer" || name == "buffer_id") name = "id";
    if (name == "start") name = "lower";
    if (name == "end") name = "upper";
    const auto* found = std::find(std::begin(kNames), std::end(kNames), name);
    if (found == std::end(kNames)) {
      return Invalid(
          fmt::format("line {}: there is no column \"{}\"; the columns are id, lower, "
                      "upper, size, alignment, offset.",
                      number, fields[i]));
    }
    int& position = header.position[found - std::begin(kNames)];
    if (position >= 0) {
      return Invalid(fmt::format("line {}: column \"{}\" stands twice.", number, fields[i]));
    }
    position = static_cast<int>(i);
  }
  for (int column = kId; column <= kSize; ++column) {
    if (header.position[column] < 0) {
      return Invalid(fmt::format("line {}: column \"{}\" is missing.", number, kNames[column]));
    }
  }
  return header;
}

base::Result<int64_t> ReadNumber(std::string_view text, Column column, int number) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    return Invalid(fmt::format("line {}: {} is {}, beyond 64 bits.", number, kNames[column], text));
  }
  if (error != std::errc() || end != text.data() + text.size()) {
    return Invalid(
        fmt::format("line {}: {} is \"{}\", not a whole number.", number, kNames[column], text));
  }
  return value;
}

/// Adds one row to the problem. `known` maps ids to buffers.
base::Result<void> ReadRow(std::string_view line, int number, const Header& header,
                           std::unordered_map<std::string, int32_t>* known, Problem* problem) {
  const std::vector<std::string_view> fields = Split(line);
  if (fields.size() != header.field_count) {
    return Invalid(fmt::format("line {}: {} fields, but the header has {}.", number, fields.size(),
                               header.field_count));
  }
  int64_t value[kColumnCount] = {0, 0, 0, 0, 1, -1};
  for (int column = kLower; column < kColumnCount; ++column) {
    if (header.position[column] < 0) continue;
    const std::string_view text = fields[header.position[column]];
    if (text.empty() && column >= kAlignment) continue;
    HOSTNPU_ASSIGN_OR_RETURN(value[column], ReadNumber(text, static_cast<Column>(column), number));
    if (column == kOffset && value[column] < 0) {
      return Invalid(fmt::format("line {}: offset is {}, which is negative.", number, text));
    }
  }
  const std::string id(fields[header.position[kId]]);
  if (id.empty()) return Invalid(fmt::format("line {}: id is empty.", number));
  if (value[kLower] >= value[kUpper]) {
    return Invalid(fmt::format("line {}: lifetime [{}, {}) of \"{}\" is empty.", number,
                               value[kLower], value[kUpper], id));
  }
  if (value[kSize] < 0) {
    return Invalid(
        fmt::format("line {}: size of \"{}\" is {}, which is negative.", number, id, value[kSize]));
  }
  if (value[kAlignment] < 1) {
    return Invalid(fmt::format("line {}: alignment of \"{}\" is {}, which is below 1.", number, id,
                               value[kAlignment]));
  }
  Buffer buffer{id, value[kSize], {{value[kLower], value[kUpper]}}, value[kAlignment], {}};
  if (value[kOffset] >= 0) buffer.offset = value[kOffset];
  const auto [entry, added] = known->emplace(id, static_cast<int32_t>(problem->buffers.size()));
  if (added) {
    problem->buffers.push_back(std::move(buffer));
    return {};
  }
  Buffer& first = problem->buffers[entry->second];
  if (first.size != buffer.size || first.alignment != buffer.alignment ||
      first.offset != buffer.offset) {
    return Invalid(fmt::format(
        "line {}: \"{}\" came before with another size, alignment or offset.", number, id));
  }
  first.live.push_back(buffer.live.front());
  return {};
}

}  // namespace

base::Result<Problem> ReadCsv(std::string_view text) {
  Problem problem;
  std::unordered_map<std::string, int32_t> known;
  Header header;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const size_t newline = text.find('\n');
    const std::string_view line = Trim(text.substr(0, newline));
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (line.empty()) continue;
    if (header.field_count == 0) {
      HOSTNPU_ASSIGN_OR_RETURN(header, ReadHeader(line, number));
    } else if (auto row = ReadRow(line, number, header, &known, &problem); !row.ok()) {
      return row.error();
    }
  }
  if (header.field_count == 0) {
    return Invalid("line 1: no header; a problem begins with id,lower,upper,size.");
  }
  return problem;
}

std::string WriteCsv(const Problem& problem, const Plan& plan) {
  bool aligned = false;
  for (const Buffer& buffer : problem.buffers) aligned |= buffer.alignment != 1;
  std::string text =
      aligned ? "id,lower,upper,size,alignment,offset\n" : "id,lower,upper,size,offset\n";
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    const std::string id = buffer.name.empty() ? fmt::format("{}", i) : buffer.name;
    for (const Interval& live : buffer.live) {
      text += fmt::format("{},{},{},{},", id, live.lower, live.upper, buffer.size);
      if (aligned) text += fmt::format("{},", buffer.alignment);
      text += fmt::format("{}\n", plan.offsets[i]);
    }
  }
  return text;
}

}  // namespace hostnpu::planner

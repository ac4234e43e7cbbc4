// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
// A list of offsets convinces nobody. What does: how far the plan is from what nobody can beat,
// when the peak is and who causes it, and which buffers took over whose bytes. The text and the
// page say the same, because the page draws the JSON that a script would read.
#include "report/memory_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "planner/sweep.h"

namespace hostnpu::report {
namespace {

using Json = nlohmann::ordered_json;
using planner::Buffer;
using planner::Interval;
using planner::Verdict;

// The compiler of this project knows #embed; the page stays a file of its own that an editor can
// open.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions"
constexpr char kPage[] = {
#embed "templates/memory_map.html"
    , 0};
#pragma clang diagnostic pop

constexpr char kDataMark[] = "/*DATA*/null";
constexpr char kTitleMark[] = "<!--TITLE-->";

const char* VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFits:
      return "fits";
    case Verdict::kImpossible:
      return "impossible";
    case Verdict::kGaveUp:
      return "gave up";
  }
  return "";
}

std::string BufferName(const planner::Problem& problem, int32_t index) {
  const std::string& name = problem.buffers[index].name;
  return name.empty() ? fmt::format("buffer {}", index) : name;
}

std::string StepText(const Buffer& buffer) {
  std::string text;
  for (const Interval& live : buffer.live) {
    if (!text.empty()) text += ", ";
    text += live.upper - live.lower == 1 ? fmt::format("{}", live.lower)
                                         : fmt::format("{} to {}", live.lower, live.upper - 1);
  }
  return text;
}

/// For each buffer, whom it shares with, by name; at most three, then a count.
std::map<int32_t, std::string> SharingText(const MemoryMap& map) {
  std::map<int32_t, std::vector<int32_t>> partners;
  for (const planner::Sharing& sharing : map.explanation.sharing) {
    partners[sharing.first].push_back(sharing.second);
    partners[sharing.second].push_back(sharing.first);
  }
  std::map<int32_t, std::string> texts;
  for (const auto& [index, others] : partners) {
    std::string& text = texts[index];
    for (size_t i = 0; i < std::min<size_t>(others.size(), 3); ++i) {
      if (i > 0) text += ", ";
      text += BufferName(map.problem, others[i]);
    }
    if (others.size() > 3) text += fmt::format(" and {} more", others.size() - 3);
  }
  return texts;
}

std::string Summary(const MemoryMap& map) {
  const planner::Explanation& facts = map.explanation;
  const double above = map.lower_bound > 0
                           ? 100.0 * static_cast<double>(map.plan.height - map.lower_bound) /
                                 static_cast<double>(map.lower_bound)
                           : 0.0;
  std::string text = fmt::format("plan of {}: {} buffers\n", map.title, map.problem.buffers.size());
  text += fmt::format("  height         {} bytes ({})\n", map.plan.height,
                      above > 0
                          ? fmt::format("{:.2f} % above the lower bound {}", above, map.lower_bound)
                          : "proved to be the least");
  if (map.problem.capacity != planner::kUnlimited) {
    text += fmt::format("  capacity       {} bytes: {}\n", map.problem.capacity,
                        map.verdict == Verdict::kFits ? "fits" : "does not fit");
  }
  text += fmt::format("  without reuse  {} bytes\n", facts.total_bytes);
  text += fmt::format("  peak           step {}: {} buffers alive, {} bytes in holes\n",
                      facts.peak.lower, facts.at_peak.size(), facts.waste_bytes);
  return text;
}

std::vector<int32_t> ByOffset(const MemoryMap& map) {
  std::vector<int32_t> order(map.problem.buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return map.plan.offsets[a] != map.plan.offsets[b] ? map.plan.offsets[a] < map.plan.offsets[b]
                                                      : a < b;
  });
  return order;
}

Json ToJson(const MemoryMap& map) {
  Json root;
  root["title"] = map.title;
  root["verdict"] = VerdictName(map.verdict);
  root["height"] = map.plan.height;
  root["lower_bound"] = map.lower_bound;
  root["capacity"] =
      map.problem.capacity == planner::kUnlimited ? Json() : Json(map.problem.capacity);
  root["without_reuse"] = map.explanation.total_bytes;
  root["peak"] = {{"lower", map.explanation.peak.lower},
                  {"upper", map.explanation.peak.upper},
                  {"live_bytes", map.explanation.live_bytes},
                  {"waste_bytes", map.explanation.waste_bytes},
                  {"buffers", map.explanation.at_peak}};
  root["buffers"] = Json::array();
  for (size_t i = 0; i < map.problem.buffers.size(); ++i) {
    const Buffer& buffer = map.problem.buffers[i];
    Json live = Json::array();
    for (const Interval& stretch : buffer.live) live.push_back({stretch.lower, stretch.upper});
    root["buffers"].push_back({{"name", BufferName(map.problem, static_cast<int32_t>(i))},
                               {"size", buffer.size},
                               {"alignment", buffer.alignment},
                               {"offset", map.plan.offsets[i]},
                               {"pinned", buffer.offset.has_value()},
                               {"live", live}});
  }
  root["sharing"] = Json::array();
  for (const planner::Sharing& sharing : map.explanation.sharing) {
    root["sharing"].push_back(
        {{"first", sharing.first}, {"second", sharing.second}, {"bytes", sharing.bytes}});
  }
  root["steps"] = Json::array();
  for (const planner::Step& step : planner::SweepLiveBytes(map.problem)) {
    root["steps"].push_back({step.time, step.live_bytes});
  }
  return root;
}

std::string Dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string EscapeHtml(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

void ReplaceAll(std::string* text, std::string_view mark, std::string_view value) {
  for (size_t at = 0; (at = text->find(mark, at)) != std::string::npos; at += value.size()) {
    text->replace(at, mark.size(), value);
  }
}

}  // namespace

MemoryMap MakeMemoryMap(std::string title, planner::Problem problem,
                        const planner::Solution& solution) {
  MemoryMap map;
  map.title = std::move(title);
  map.problem = std::move(problem);
  map.plan = solution.plan;
  map.lower_bound = solution.lower_bound;
  map.verdict = solution.verdict;
  map.explanation = planner::Explain(map.problem, map.plan, 2000);
  return map;
}

std::string RenderText(const MemoryMap& map, size_t row_limit) {
  std::string text = Summary(map);
  const std::map<int32_t, std::string> sharing = SharingText(map);
  const std::vector<int32_t> order = ByOffset(map);
  const size_t rows = std::min(row_limit, order.size());
  size_t name_width = 6;
  size_t step_width = 5;
  for (size_t i = 0; i < rows; ++i) {
    name_width = std::max(name_width, BufferName(map.problem, order[i]).size());
    step_width = std::max(step_width, StepText(map.problem.buffers[order[i]]).size());
  }
  if (rows > 0) {
    text += fmt::format("\n  {:<{}}  {:>14}  {:>14}  {:<{}}  shares bytes with\n", "buffer",
                        name_width, "offset", "size", "steps", step_width);
  }
  for (size_t i = 0; i < rows; ++i) {
    const Buffer& buffer = map.problem.buffers[order[i]];
    const auto partners = sharing.find(order[i]);
    text += fmt::format("  {:<{}}  {:>14}  {:>14}  {:<{}}  {}", BufferName(map.problem, order[i]),
                        name_width, map.plan.offsets[order[i]], buffer.size, StepText(buffer),
                        step_width, partners == sharing.end() ? "" : partners->second);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  if (rows < order.size()) text += fmt::format("  and {} more\n", order.size() - rows);
  return text;
}

std::string RenderJson(const MemoryMap& map) { return Dump(ToJson(map), 1) + "\n"; }

std::string RenderHtml(const MemoryMap& map) {
  std::string data = Dump(ToJson(map), -1);
  // A name may hold "</script>": inside a script element only this sequence ends the data.
  for (size_t at = 0; (at = data.find("</", at)) != std::string::npos; at += 3) {
    data.replace(at, 2, "<\\/");
  }
  std::string page = kPage;
  ReplaceAll(&page, kTitleMark, EscapeHtml(map.title));
  ReplaceAll(&page, kDataMark, data);
  return page;
}

}  // namespace hostnpu::report

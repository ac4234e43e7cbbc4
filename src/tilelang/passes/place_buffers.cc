// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// On-chip memories are small and programs are written against their exact sizes. Buffers lie side
// by side where that fits, so that no two pipes ever wait for each other over a shared byte; only
// where it does not fit are lifetimes worked out and handed to the planner.
//
// A buffer lives from its first to its last use. Around a loop that matters: what is used on both
// sides of a loop lives through all of it, and so does what the loop reads before it has written
// all of it, because the value then comes from the turn before.
#include "tilelang/passes/place_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "planner/solver.h"
#include "planner/sweep.h"
#include "tilelang/ir/expr.h"
#include "tilelang/ir/visitor.h"

namespace hostnpu::tilelang::passes {
namespace {

using ir::BufferId;
using ir::Memory;

int64_t RoundUp(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

int64_t Dim(const ir::Buffer& buffer, int64_t from_last) {
  if (from_last >= buffer.rank()) return 1;
  return ir::ConstantInt(buffer.shape[static_cast<size_t>(buffer.rank() - 1 - from_last)])
      .value_or(0);
}

int64_t LeadingCount(const ir::Buffer& buffer) {
  int64_t count = 1;
  for (int64_t i = 2; i < buffer.rank(); ++i) count *= Dim(buffer, i);
  return count;
}

int64_t CapacityOf(const arch::Chip& chip, Memory memory) {
  switch (memory) {
    case Memory::kUb:
      return chip.UsableUbBytes();
    case Memory::kL1:
      return chip.UsableL1Bytes();
    case Memory::kL0A:
      return chip.l0a_bytes;
    case Memory::kL0B:
      return chip.l0b_bytes;
    default:
      return chip.l0c_bytes;
  }
}

/// One use of a storage: when, in which loops, and how.
struct Use {
  int64_t at = 0;
  std::vector<int> loops;    // outermost first
  bool whole = false;        // of all its elements, for certain
  bool conditional = false;  // inside an if, or a loop nested in the loop asked about
  ir::Visitor::AccessKind access = ir::Visitor::AccessKind::kRead;
  ir::SourceRange range{};  // of the statement
  int body = 0;             // the innermost loop or branch around it

  bool Reads() const { return access != ir::Visitor::AccessKind::kWrite; }
  bool Writes() const { return access != ir::Visitor::AccessKind::kRead; }
};
struct LoopSpan {
  int64_t begin = 0;
  int64_t end = 0;
};

/// Numbers the statements and notes every use of every on-chip storage.
class Timeline : public ir::Visitor {
 public:
  using ir::Visitor::Visit;
  explicit Timeline(const ir::Module& module) : module_(module), uses(module.buffers.size()) {}

  void Visit(const ir::For& node) override { VisitLoop(node); }
  void Visit(const ir::Pipelined& node) override { VisitLoop(node); }
  void Visit(const ir::While& node) override { VisitLoop(node); }
  void Visit(const ir::Parallel& node) override { VisitLoop(node); }
  void Visit(const ir::If& node) override {
    ++now;
    VisitExpr(node.condition);
    ++if_depth_;
    const int outer_body = body_;
    body_ = ++bodies_;
    VisitStmt(node.then_body);
    body_ = ++bodies_;
    VisitStmt(node.else_body);
    body_ = outer_body;
    --if_depth_;
  }
  void Visit(const ir::Copy& node) override { VisitStep(node); }
  void Visit(const ir::Gemm& node) override { VisitStep(node); }
  void Visit(const ir::TileOp& node) override { VisitStep(node); }
  void Visit(const ir::Reduce& node) override { VisitStep(node); }
  void Visit(const ir::AtomicAdd& node) override { VisitStep(node); }
  void Visit(const ir::Store& node) override { VisitStep(node); }
  void Visit(const ir::Bind& node) override { VisitStep(node); }
  void Visit(const ir::Dump& node) override { VisitStep(node); }

  void VisitRegion(const ir::Region& region, AccessKind access) override {
    Visitor::VisitRegion(region, access);
    const bool whole =
        ir::IsWhole(module_, region) && module_.buffer(region.buffer).kind != ir::BufferKind::kView;
    Note(region.buffer, whole, access);
  }
  void VisitElement(BufferId buffer, AccessKind access) override { Note(buffer, false, access); }

  int64_t now = 0;
  std::vector<LoopSpan> loops;

 private:
  template <typename T>
  void VisitStep(const T& node) {
    ++now;
    range_ = node.range;
    VisitChildren(node);
  }
  template <typename T>
  void VisitLoop(const T& node) {
    ++now;
    const int id = static_cast<int>(loops.size());
    loops.push_back({now, now});
    open_.push_back(id);
    const int outer_ifs = if_depth_;
    if_depth_ = 0;
    if_depth_stack_.push_back(outer_ifs);
    const int outer_body = body_;
    body_ = ++bodies_;
    VisitChildren(node);
    body_ = outer_body;
    if_depth_ = if_depth_stack_.back();
    if_depth_stack_.pop_back();
    open_.pop_back();
    ++now;
    loops[static_cast<size_t>(id)].end = now;
  }
  void Note(BufferId buffer, bool whole, AccessKind access) {
    uses[static_cast<size_t>(module_.Storage(buffer))].push_back(
        {now, open_, whole, if_depth_ > 0, access, range_, body_});
  }

  const ir::Module& module_;
  std::vector<int> open_;
  std::vector<int> if_depth_stack_;
  int if_depth_ = 0;
  ir::SourceRange range_{};
  int body_ = 0;
  int bodies_ = 0;

 public:
  std::vector<std::vector<Use>> uses;
};

planner::Interval LiveRange(const std::vector<Use>& uses, const std::vector<LoopSpan>& loops) {
  int64_t lower = uses.front().at;
  int64_t upper = uses.back().at + 1;
  for (size_t depth = 0;; ++depth) {
    // The loop at this depth that holds every use, if there is one.
    const bool inside = std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
      return use.loops.size() > depth &&
             use.loops[depth] ==
                 (uses.front().loops.size() > depth ? uses.front().loops[depth] : -1);
    });
    if (!inside) {
      // Uses on both sides of loops: each loop that has one lives through as a whole.
      for (const Use& use : uses) {
        if (use.loops.size() <= depth) continue;
        const LoopSpan& span = loops[static_cast<size_t>(use.loops[depth])];
        lower = std::min(lower, span.begin);
        upper = std::max(upper, span.end);
      }
      return {lower, upper};
    }
    const Use& first = uses.front();
    const bool fresh_each_turn =
        first.whole && !first.Reads() && !first.conditional && first.loops.size() == depth + 1;
    if (!fresh_each_turn) {
      const LoopSpan& span = loops[static_cast<size_t>(first.loops[depth])];
      return {span.begin, span.end};
    }
  }
}

/// What has to be placed in one memory.
struct Plot {
  std::vector<BufferId> buffers;
  planner::Problem problem;
  std::vector<planner::Interval> fixed;  // bytes the user has pinned
};

void AddPinned(Plot& plot, int64_t begin, int64_t bytes) {
  plot.fixed.push_back({begin, begin + bytes});
  std::sort(plot.fixed.begin(), plot.fixed.end(),
            [](const auto& a, const auto& b) { return a.lower < b.lower; });
  std::vector<planner::Interval> merged;
  for (const planner::Interval& range : plot.fixed) {
    if (!merged.empty() && range.lower <= merged.back().upper) {
      merged.back().upper = std::max(merged.back().upper, range.upper);
    } else {
      merged.push_back(range);
    }
  }
  plot.fixed = std::move(merged);
}

std::string DescribePeak(const ir::Module& module, const Plot& plot,
                         const planner::Problem& problem) {
  // The step at which most bytes are alive.
  std::map<int64_t, int64_t> change;
  for (const planner::Buffer& buffer : problem.buffers) {
    for (const planner::Interval& live : buffer.live) {
      change[live.lower] += buffer.size;
      change[live.upper] -= buffer.size;
    }
  }
  int64_t bytes = 0, most = -1, peak = 0;
  for (const auto& [step, delta] : change) {
    bytes += delta;
    if (bytes > most) {
      most = bytes;
      peak = step;
    }
  }
  std::string text;
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const planner::Buffer& buffer = problem.buffers[i];
    const bool alive =
        std::any_of(buffer.live.begin(), buffer.live.end(),
                    [peak](const auto& live) { return live.lower <= peak && peak < live.upper; });
    if (!alive) continue;
    const std::string where =
        i < plot.buffers.size() && module.buffer(plot.buffers[i]).range.known()
            ? ir::FormatLocation(*module.sources, module.buffer(plot.buffers[i]).range)
            : "hidden";
    text += fmt::format("\n        {:<20} {:>8} bytes   {}", buffer.name, buffer.size, where);
  }
  return text;
}

base::Result<void> Solve(ir::Module& module, Plot& plot, const Timeline& timeline, Memory memory,
                         int64_t capacity) {
  planner::Problem problem = plot.problem;
  problem.capacity = capacity;
  for (const planner::Interval& pinned : plot.fixed) {
    problem.buffers.push_back({.name = "(pinned)",
                               .size = pinned.upper - pinned.lower,
                               .live = {{0, timeline.now + 2}},
                               .offset = pinned.lower});
  }
  const auto place = [&](const planner::Plan& plan) {
    for (size_t i = 0; i < plot.buffers.size(); ++i) {
      module.buffer(plot.buffers[i]).address = plan.offsets[i];
    }
  };
  planner::Problem apart = problem;
  for (planner::Buffer& buffer : apart.buffers) buffer.live = {{0, timeline.now + 2}};
  for (const planner::Problem* attempt : {&apart, &problem}) {
    HOSTNPU_ASSIGN_OR_RETURN(planner::Solution solution, planner::Solve(*attempt));
    if (solution.verdict == planner::Verdict::kFits) {
      place(solution.plan);
      return {};
    }
    if (attempt == &apart) continue;
    const int64_t needed = solution.plan.height;
    ir::SourceRange range = module.launch.range;
    if (!plot.buffers.empty()) range = module.buffer(plot.buffers.front()).range;
    return ErrorAt(
        module, range,
        fmt::format("the kernel needs {} bytes of {}, {} more than the {} bytes there are; alive "
                    "at the peak:{}",
                    needed, ir::MemoryName(memory), needed - capacity, capacity,
                    DescribePeak(module, plot, problem)));
  }
  return {};
}

/// A buffer that is read although another one, pinned over it, was written since its last use: for
/// certain, that is, both whole, and all three in one body, which is gone through from its start to
/// its end. What depends on the turn of a loop or on a condition is the program's own affair, as it
/// is on the device.
struct Clobber {
  const Use* last = nullptr;
  const Use* write = nullptr;
  const Use* read = nullptr;
};
std::optional<Clobber> FindClobber(const std::vector<Use>& uses, const std::vector<Use>& others) {
  for (const Use& read : uses) {
    // Of the statement itself the write may be noted before the read.
    const auto after = std::find_if(uses.begin(), uses.end(),
                                    [&read](const Use& use) { return use.at == read.at; });
    if (after == uses.begin()) continue;
    const Use& last = *std::prev(after);
    if (!read.Reads() || !read.whole) continue;
    if (last.body != read.body) continue;
    for (const Use& write : others) {
      if (write.Writes() && write.whole && write.body == read.body && write.at < read.at &&
          (last.at < write.at || (last.at == write.at && !last.Writes()))) {
        return Clobber{&last, &write, &read};
      }
    }
  }
  return std::nullopt;
}

/// Pinned buffers may share bytes, but only by turns.
base::Result<void> CheckPins(const ir::Module& module, const Timeline& timeline) {
  const auto pinned = [&module](size_t i) {
    const ir::Buffer& buffer = module.buffers[i];
    return buffer.kind == ir::BufferKind::kLocal && buffer.address.has_value();
  };
  for (size_t i = 0; i < module.buffers.size(); ++i) {
    for (size_t j = 0; j < module.buffers.size(); ++j) {
      if (i == j || !pinned(i) || !pinned(j)) continue;
      const ir::Buffer& kept = module.buffers[i];
      const ir::Buffer& other = module.buffers[j];
      const int64_t lower = std::max(*kept.address, *other.address);
      const int64_t upper =
          std::min(*kept.address + StorageBytes(module, static_cast<BufferId>(i)),
                   *other.address + StorageBytes(module, static_cast<BufferId>(j)));
      if (kept.memory != other.memory || lower >= upper) continue;
      const auto found = FindClobber(timeline.uses[i], timeline.uses[j]);
      if (!found) continue;
      return ErrorAt(
          module, found->read->range,
          fmt::format("'{}' is read here, but '{}', which T.annotate_address puts over bytes [{}, "
                      "{}) of it in {}, was written since",
                      kept.name, other.name, lower, upper, ir::MemoryName(kept.memory)),
          {{found->last->range, fmt::format("'{}' was last used here", kept.name)},
           {found->write->range, fmt::format("and '{}' written here", other.name)}},
          "buffers may share bytes only while one of them is not needed; pin them apart");
    }
  }
  return {};
}

class ScratchNeed : public ir::Visitor {
 public:
  using ir::Visitor::Visit;
  explicit ScratchNeed(const ir::Module& module) : module_(module) {}
  void Visit(const ir::Reduce& node) override {
    const ir::Buffer& buffer = module_.buffer(node.src.buffer);
    Need(1024 + 2 * 4 * RoundUp(Dim(buffer, 0), 8));
  }
  void Visit(const ir::TileOp& node) override {
    if (node.op != ir::TileOpKind::kSort && node.op != ir::TileOpKind::kTopk) return;
    const auto* src = std::get_if<ir::Region>(&node.args[1]);
    if (src == nullptr) return;
    const ir::Buffer& buffer = module_.buffer(src->buffer);
    Need(8 * RoundUp(Dim(buffer, 0) * Dim(buffer, 1) * LeadingCount(buffer), 32));
  }
  int64_t bytes = 0;

 private:
  void Need(int64_t count) { bytes = std::max(bytes, RoundUp(count, 32)); }
  const ir::Module& module_;
};

}  // namespace

int64_t PaddedRows(const ir::Module& module, BufferId id) {
  const ir::Buffer& buffer = module.buffer(module.Storage(id));
  return RoundUp(Dim(buffer, 1), ir::DTypeBits(buffer.dtype) <= 8 ? 32 : 16);
}

int64_t PaddedColumns(const ir::Module& module, BufferId id) {
  const ir::Buffer& buffer = module.buffer(module.Storage(id));
  return RoundUp(Dim(buffer, 0),
                 std::max<int64_t>(16, 32 / std::max<int64_t>(1, ir::DTypeBytes(buffer.dtype))));
}

int64_t StorageBytes(const ir::Module& module, BufferId id) {
  const ir::Buffer& buffer = module.buffer(id);
  if (!ir::IsCubeMemory(buffer.memory)) {
    return RoundUp(
        ir::DTypeBytes(buffer.dtype, Dim(buffer, 0) * Dim(buffer, 1) * LeadingCount(buffer)), 32);
  }
  return ir::DTypeBytes(buffer.dtype,
                        PaddedRows(module, id) * PaddedColumns(module, id) * LeadingCount(buffer));
}

int64_t ScratchBytes(const ir::Module& module) {
  ScratchNeed need(module);
  need.VisitStmt(module.body);
  return need.bytes;
}

base::Result<ir::Module> PlaceBuffers(ir::Module module, const arch::Chip& chip) {
  Timeline timeline(module);
  timeline.VisitStmt(module.body);
  HOSTNPU_TRY(CheckPins(module, timeline), "placing on-chip buffers");
  std::map<Memory, Plot> plots;
  for (size_t i = 0; i < module.buffers.size(); ++i) {
    const auto id = static_cast<BufferId>(i);
    const ir::Buffer& buffer = module.buffers[i];
    const bool on_chip = buffer.memory == Memory::kUb || ir::IsCubeMemory(buffer.memory);
    if (buffer.kind != ir::BufferKind::kLocal || !on_chip) continue;
    for (const ir::ExprPtr& extent : buffer.shape) {
      if (ir::ConstantInt(extent).value_or(-1) < 0) {
        return ErrorAt(
            module, buffer.range,
            fmt::format("'{}' is on the chip and must have a constant shape", buffer.name));
      }
    }
    Plot& plot = plots[buffer.memory];
    const int64_t bytes = StorageBytes(module, id);
    if (buffer.address.has_value()) {
      AddPinned(plot, *buffer.address, bytes);
      continue;
    }
    const std::vector<Use>& uses = timeline.uses[i];
    const planner::Interval live =
        uses.empty() ? planner::Interval{0, 1} : LiveRange(uses, timeline.loops);
    const int64_t alignment =
        ir::IsCubeMemory(buffer.memory) && buffer.memory != Memory::kL1 ? 1024 : 32;
    plot.buffers.push_back(id);
    plot.problem.buffers.push_back({.name = buffer.name,
                                    .size = RoundUp(bytes, alignment),
                                    .live = {live},
                                    .alignment = alignment});
  }
  if (const int64_t scratch = ScratchBytes(module); scratch > 0) {
    ir::Buffer hidden;
    hidden.name = kScratchName;
    hidden.dtype = ir::DType::kUint8;
    hidden.shape = {ir::MakeInt(scratch)};
    hidden.memory = Memory::kUb;
    Plot& plot = plots[Memory::kUb];
    plot.buffers.push_back(module.Add(std::move(hidden)));
    plot.problem.buffers.push_back(
        {.name = "(scratch)", .size = scratch, .live = {{0, timeline.now + 2}}, .alignment = 32});
  }
  for (auto& [memory, plot] : plots) {
    auto placed = Solve(module, plot, timeline, memory, CapacityOf(chip, memory));
    // The last bytes of UB and L1 are kept for the system. Without memory planning the reference
    // lays buffers out to the very end of the hardware, and public programs count on it.
    const int64_t whole = memory == Memory::kUb   ? chip.ub_bytes
                          : memory == Memory::kL1 ? chip.l1_bytes
                                                  : 0;
    if (!placed.ok() && whole != 0 && !module.config.memory_planning &&
        Solve(module, plot, timeline, memory, whole).ok()) {
      continue;
    }
    HOSTNPU_TRY(std::move(placed), "placing on-chip buffers");
  }
  return module;
}

}  // namespace hostnpu::tilelang::passes

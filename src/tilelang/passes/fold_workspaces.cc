// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A workspace with a slice for each block needs only as many slices as there are blocks in flight.
// That is sound where no block looks into the slice of another. So every access is followed: its
// first index has to be rows * block + rest, with the rest inside the rows of a slice whatever the
// loops do, and the other indices must not run over into the next slice.
#include "tilelang/passes/fold_workspaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "tilelang/ir/expr.h"
#include "tilelang/ir/printer.h"
#include "tilelang/ir/visitor.h"
#include "tilelang/passes/streams.h"

namespace hostnpu::tilelang::passes {
namespace {

using ir::BufferId;
using ir::ExprPtr;

constexpr int64_t kLargest = int64_t{1} << 40;  // beyond it nothing is said about an index

/// per_block * the block's number + something from low to high.
struct Range {
  int64_t per_block = 0;
  int64_t low = 0;
  int64_t high = 0;

  bool IsNumber() const { return per_block == 0 && low == high; }
};
using MaybeRange = std::optional<Range>;

MaybeRange Small(const Range& range) {
  const auto fits = [](int64_t value) { return std::llabs(value) <= kLargest; };
  if (!fits(range.per_block) || !fits(range.low) || !fits(range.high)) return std::nullopt;
  return range;
}

int64_t FloorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

MaybeRange Times(const Range& range, int64_t factor) {
  // Both fit 41 bits, so that a product need not fit 64.
  Range product;
  int64_t low = 0;
  int64_t high = 0;
  if (__builtin_mul_overflow(range.per_block, factor, &product.per_block) ||
      __builtin_mul_overflow(range.low, factor, &low) ||
      __builtin_mul_overflow(range.high, factor, &high)) {
    return std::nullopt;
  }
  product.low = std::min(low, high);
  product.high = std::max(low, high);
  return Small(product);
}

MaybeRange Divided(const Range& range, int64_t divisor) {
  if (divisor <= 0 || range.per_block % divisor != 0) return std::nullopt;
  return Range{range.per_block / divisor, FloorDiv(range.low, divisor),
               FloorDiv(range.high, divisor)};
}

MaybeRange Remainder(const Range& range, int64_t divisor) {
  if (divisor <= 0 || range.per_block % divisor != 0) return std::nullopt;
  if (range.low >= 0 && range.high < divisor) return Range{0, range.low, range.high};
  return Range{0, 0, divisor - 1};
}

MaybeRange Joined(const Range& a, const Range& b) {
  if (a.per_block != b.per_block) return std::nullopt;
  return Range{a.per_block, std::min(a.low, b.low), std::max(a.high, b.high)};
}

/// What is known of the variables that stand in indices.
class Ranges {
 public:
  explicit Ranges(const ir::Launch& launch) {
    if (launch.cid != nullptr) known_[launch.cid->id] = {1, 0, 0};
    if (launch.vid != nullptr) known_[launch.vid->id] = {0, 0, 1};
  }

  void Learn(const ir::Var& var, const MaybeRange& range) {
    if (range.has_value()) known_[var.id] = *range;
  }
  /// A loop from `min` on with `extent` values.
  void LearnLoop(const ir::Var& var, const ExprPtr& min, const ExprPtr& extent) {
    const MaybeRange first = Of(min);
    const MaybeRange count = Of(extent);
    if (!first || !count || count->per_block != 0) return;
    Learn(var, Small({first->per_block, first->low,
                      first->high + std::max<int64_t>(count->high - 1, 0)}));
  }

  MaybeRange Of(const ExprPtr& expr) const {
    if (const auto number = ir::ConstantInt(expr)) return Small({0, *number, *number});
    if (const auto* var = ir::As<ir::Var>(expr)) {
      const auto found = known_.find(var->id);
      return found == known_.end() ? std::nullopt : MaybeRange(found->second);
    }
    if (const auto* cast = ir::As<ir::Cast>(expr)) {
      const bool keeps = !ir::IsFloat(cast->dtype) && !ir::IsFloat(cast->value->dtype) &&
                         ir::DTypeBits(cast->dtype) >= 32;
      return keeps ? Of(cast->value) : std::nullopt;
    }
    if (const auto* select = ir::As<ir::Select>(expr)) {
      const MaybeRange a = Of(select->if_true);
      const MaybeRange b = Of(select->if_false);
      return a && b ? Joined(*a, *b) : std::nullopt;
    }
    const auto* binary = ir::As<ir::Binary>(expr);
    return binary == nullptr ? std::nullopt : OfBinary(*binary);
  }

 private:
  MaybeRange OfBinary(const ir::Binary& node) const {
    const MaybeRange a = Of(node.lhs);
    const MaybeRange b = Of(node.rhs);
    if (!a || !b) return std::nullopt;
    switch (node.op) {
      case ir::BinaryOp::kAdd:
        return Small({a->per_block + b->per_block, a->low + b->low, a->high + b->high});
      case ir::BinaryOp::kSub:
        return Small({a->per_block - b->per_block, a->low - b->high, a->high - b->low});
      case ir::BinaryOp::kMul:
        if (b->IsNumber()) return Times(*a, b->low);
        return a->IsNumber() ? Times(*b, a->low) : std::nullopt;
      case ir::BinaryOp::kFloorDiv:
        return b->IsNumber() ? Divided(*a, b->low) : std::nullopt;
      case ir::BinaryOp::kFloorMod:
        return b->IsNumber() ? Remainder(*a, b->low) : std::nullopt;
      case ir::BinaryOp::kMin:
      case ir::BinaryOp::kMax:
        return Joined(*a, *b);
      default:
        return std::nullopt;
    }
  }

  std::map<uint64_t, Range> known_;
};

/// Follows every access to the workspaces, and keeps the first that is not private.
class AccessChecker : public ir::Visitor {
 public:
  using ir::Visitor::Visit;
  AccessChecker(const ir::Module& module, const std::vector<BufferId>& workspaces)
      : module_(module), ranges_(module.launch) {
    for (const BufferId id : workspaces) rows[id] = 0;
  }

  void Visit(const ir::For& node) override {
    ranges_.LearnLoop(*node.var, node.min, node.extent);
    VisitChildren(node);
  }
  void Visit(const ir::Pipelined& node) override {
    ranges_.LearnLoop(*node.var, node.min, node.extent);
    VisitChildren(node);
  }
  void Visit(const ir::Bind& node) override {
    VisitChildren(node);
    ranges_.Learn(*node.var, ranges_.Of(node.value));
  }
  void Visit(const ir::Copy& node) override { VisitClipped(node); }
  void Visit(const ir::AtomicAdd& node) override { VisitClipped(node); }
  void Visit(const ir::Load& node) override {
    VisitChildren(node);
    CheckElement(node.buffer, node.indices, node.range);
  }
  void Visit(const ir::Store& node) override {
    VisitChildren(node);
    CheckElement(node.buffer, node.indices, node.range);
  }
  void Visit(const ir::SyncAll& node) override { Meet(node, "T.sync_all"); }
  void Visit(const ir::SetCrossFlag& node) override {
    if (node.mode == 0) Meet(node, "T.set_cross_flag of mode 0");
    VisitChildren(node);
  }
  void VisitRegion(const ir::Region& region, AccessKind access) override {
    Visitor::VisitRegion(region, access);
    if (rows.count(module_.Storage(region.buffer)) == 0) return;
    Check(region.buffer, region.dims, region.range, is_clipped_);
  }

  /// Of a slice, by workspace; 0: it is never used.
  std::map<BufferId, int64_t> rows;
  std::optional<base::Error> error;
  std::optional<ir::SourceRange> meeting;  ///< where all blocks wait for each other
  std::string meeting_name;

 private:
  /// A copy moves nothing that is beyond the last two dimensions of a tensor in GM.
  template <typename T>
  void VisitClipped(const T& node) {
    is_clipped_ = true;
    VisitChildren(node);
    is_clipped_ = false;
  }
  void Meet(const ir::Stmt& node, const char* name) {
    if (meeting.has_value()) return;
    meeting = node.range;
    meeting_name = name;
  }
  void CheckElement(BufferId buffer, const std::vector<ExprPtr>& indices,
                    const ir::SourceRange& range) {
    if (rows.count(module_.Storage(buffer)) == 0) return;
    std::vector<ir::Interval> dims;
    for (const ExprPtr& index : indices) dims.push_back({index, ir::MakeInt(1)});
    Check(buffer, dims, range, false);
  }

  void Check(BufferId id, const std::vector<ir::Interval>& dims, const ir::SourceRange& range,
             bool is_clipped) {
    if (error.has_value()) return;
    const std::string why = WhyShared(id, dims, is_clipped);
    if (why.empty()) return;
    const std::string access =
        ir::PrintRegion(module_, ir::Region{.buffer = id, .dims = dims, .range = range});
    error = ErrorAt(
        module_, range,
        fmt::format(
            "fold_workspaces: a block must be seen to stay in its own slice of '{}', but {} "
            "{}",
            module_.buffer(module_.Storage(id)).name, access, why),
        {}, "index the first dimension by the number of the block, or leave fold_workspaces out");
  }

  /// Why it cannot be shown that a block stays in its own slice; empty where it can.
  std::string WhyShared(BufferId id, const std::vector<ir::Interval>& dims, bool is_clipped) {
    const ir::Buffer& buffer = module_.buffer(id);
    if (buffer.kind == ir::BufferKind::kView) return "sees it in another shape";
    const MaybeRange first = ranges_.Of(dims[0].min);
    const MaybeRange count = ranges_.Of(dims[0].extent);
    if (!first || first->per_block <= 0 || !count || count->per_block != 0) {
      return fmt::format("has the first index {}, which is not known to go by the block",
                         ir::PrintExpr(module_, dims[0].min));
    }
    int64_t& slice = rows[id];
    if (slice == 0) slice = first->per_block;
    if (slice != first->per_block) {
      return fmt::format("takes slices of {} rows, and an access before it slices of {}",
                         first->per_block, slice);
    }
    const int64_t end = first->high + std::max<int64_t>(count->high, 0);
    if (first->low < 0 || end > slice) {
      return fmt::format("reaches the rows {} to {} of a slice of {}", first->low, end - 1, slice);
    }
    for (size_t d = 1; d < dims.size(); ++d) {
      if (is_clipped && d + 2 >= dims.size()) continue;
      const MaybeRange index = ranges_.Of(dims[d].min);
      const MaybeRange extent = ranges_.Of(dims[d].extent);
      const auto size = ir::ConstantInt(buffer.shape[d]);
      const bool inside = index && extent && size && index->per_block == 0 &&
                          extent->per_block == 0 && index->low >= 0 &&
                          index->high + extent->high <= *size;
      if (!inside) {
        return fmt::format("has the index {} in dimension {}, which is not known to stay inside it",
                           ir::PrintExpr(module_, dims[d].min), d);
      }
    }
    return "";
  }

  const ir::Module& module_;
  Ranges ranges_;
  bool is_clipped_ = false;
};

/// How many blocks the chip runs at once.
int64_t BlocksAtOnce(const ir::Module& module, const arch::Chip& chip) {
  const Work work = WorkOf(module, module.body);
  const bool vector = work.vector || !work.cube;
  const bool mixed = vector && (work.cube || HasCrossCoreSync(module.body));
  const int64_t lanes = module.launch.threads == 0 ? 2 : 1;
  const int64_t by_vector = chip.aiv_count / lanes;
  if (mixed) return std::max<int64_t>(std::min<int64_t>(chip.aic_count, by_vector), 1);
  return std::max<int64_t>(vector ? by_vector : chip.aic_count, 1);
}

}  // namespace

base::Result<ir::Module> FoldWorkspaces(ir::Module module, const std::vector<BufferId>& workspaces,
                                        const arch::Chip& chip) {
  AccessChecker checker(module, workspaces);
  checker.VisitStmt(module.body);
  if (checker.error.has_value()) return std::move(*checker.error);
  std::map<BufferId, int64_t> rows;
  for (const auto& [id, slice] : checker.rows) {
    if (slice != 0) rows[id] = slice;
  }
  for (size_t i = 0; i < module.buffers.size(); ++i) {
    const ir::Buffer& buffer = module.buffers[i];
    if (buffer.kind == ir::BufferKind::kWorkspace && buffer.per_block) {
      rows[static_cast<BufferId>(i)] = 1;
    }
  }
  if (rows.empty()) return module;
  for (const auto& [id, slice] : rows) {
    const ir::Buffer& buffer = module.buffer(id);
    if (buffer.init == ir::InitialContents::kUndefined) continue;
    return ErrorAt(module, buffer.range,
                   fmt::format("fold_workspaces: '{}' has contents when the kernel begins, which a "
                               "slice that served another block no longer has",
                               buffer.name),
                   {}, "leave init= or fold_workspaces out");
  }
  if (checker.meeting.has_value()) {
    return ErrorAt(module, *checker.meeting,
                   fmt::format("fold_workspaces: in {} all blocks wait for each other, and the "
                               "blocks of a folded kernel do not all run at once",
                               checker.meeting_name),
                   {}, "leave fold_workspaces out");
  }
  const int64_t at_once = BlocksAtOnce(module, chip);
  const auto blocks = ir::ConstantInt(module.launch.blocks);
  if (blocks.has_value() && *blocks <= at_once) return module;
  module.launch.at_once = at_once;
  for (const auto& [id, slice] : rows) module.buffer(id).folded_rows = slice;
  return module;
}

}  // namespace hostnpu::tilelang::passes

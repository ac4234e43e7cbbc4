// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// T.Parallel says that iterations are independent, so a statement may run over the whole tile
// before the next one begins. Vector instructions want exactly that. The work here is to see which
// element accesses are a tile, a row, a column or a scalar of it, and to fall back to a loop over
// elements when one is something else (an indirect index, an if on data).
#include "tilelang/passes/lower_parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "tilelang/ir/expr.h"
#include "tilelang/ir/mutator.h"
#include "tilelang/ir/printer.h"
#include "tilelang/ir/visitor.h"
#include "tilelang/passes/affine.h"

namespace hostnpu::tilelang::passes {
namespace {

using ir::BufferId;
using ir::DType;
using ir::ExprPtr;
using ir::Interval;
using ir::Memory;
using ir::Region;
using ir::StmtPtr;
using ir::TileOpKind;
using ir::VarPtr;

/// Finds an access to a memory of the chip that leaves its buffer whatever the data are: there is
/// nothing beyond a tile, so the elements would be those of a neighbour. Accesses to GM are
/// clipped; a plain load from GM takes the tile as it is, whatever the loop's extents; and what
/// stands under a condition is left alone.
class BoundsChecker : public ir::Visitor {
 public:
  using ir::Visitor::Visit;
  BoundsChecker(const ir::Module& module, const ir::Parallel& loop)
      : module_(module), loop_(loop) {}

  void Visit(const ir::Load& node) override {
    Check(node.buffer, node.indices, node.range, "reads");
    VisitChildren(node);
  }
  void Visit(const ir::Store& node) override {
    const auto* load = ir::As<ir::Load>(node.value);
    const bool fills = load != nullptr && module_.buffer(load->buffer).memory == Memory::kGm;
    if (!fills) Check(node.buffer, node.indices, node.range, "writes");
    VisitChildren(node);
  }
  void Visit(const ir::Select& node) override { VisitExpr(node.condition); }
  void Visit(const ir::If& node) override { VisitExpr(node.condition); }

  std::optional<base::Error> error;

 private:
  void Check(BufferId id, const std::vector<ExprPtr>& indices, const ir::SourceRange& range,
             const char* verb) {
    const ir::Buffer& buffer = module_.buffer(id);
    if (buffer.memory == Memory::kGm || error.has_value()) return;
    for (size_t d = 0; d < indices.size(); ++d) {
      const auto size = ir::ConstantInt(buffer.shape[d]);
      const auto span = SpanOf(indices[d], loop_.vars, loop_.extents);
      if (!size.has_value() || !span.has_value()) continue;
      if (span->first >= 0 && span->second < *size) continue;
      const std::string shape = ir::PrintShape(buffer.shape);
      error = ir::ErrorAt(
          module_, range.known() ? range : loop_.range,
          fmt::format("T.Parallel {} '{}' at index {} of dimension {}, which has {} elements", verb,
                      buffer.name, span->first < 0 ? span->first : span->second, d, *size),
          {{buffer.range,
            fmt::format("'{}' is allocated here with shape {}", buffer.name, shape)}});
      return;
    }
  }

  const ir::Module& module_;
  const ir::Parallel& loop_;
};

/// Lowers the stores of one loop.
class Lowering {
 public:
  Lowering(ir::Module& module, const ir::Parallel& loop) : module_(module), loop_(loop) {
    for (const ExprPtr& extent : loop.extents)
      extents_.push_back(ir::ConstantInt(extent).value_or(-1));
  }

  StmtPtr Run() {
    std::vector<StmtPtr> stmts;
    if (const auto* seq = ir::As<ir::Seq>(loop_.body)) {
      stmts = seq->stmts;
    } else {
      stmts = {loop_.body};
    }
    bool only_stores = true;
    for (const StmtPtr& stmt : stmts)
      only_stores = only_stores && ir::As<ir::Store>(stmt) != nullptr;
    if (!only_stores) return Elementwise(loop_.body);
    for (const StmtPtr& stmt : stmts) {
      const size_t mark = out_.size();
      const size_t buffers = module_.buffers.size();
      if (!LowerStore(stmt)) {
        out_.resize(mark);
        module_.buffers.resize(buffers);  // temporaries of the attempt would take room in UB
        out_.push_back(Elementwise(stmt));
      }
    }
    return ir::MakeSeq(std::move(out_), loop_.range);
  }

 private:
  const ir::Buffer& BufferOf(BufferId id) const { return module_.buffer(id); }

  // ---- the forms of a store
  // --------------------------------------------------------------------------

  bool LowerStore(const StmtPtr& stmt) {
    const ir::Store& store = ir::To<ir::Store>(*stmt);
    const auto dst = AsAffine(store.indices, loop_.vars);
    if (!dst.has_value()) return false;
    const Memory memory = BufferOf(store.buffer).memory;
    if (const auto* load = ir::As<ir::Load>(store.value)) {
      if (LowerCopy(stmt, *dst, *load, memory)) return true;
    }
    if (memory == Memory::kL0C) return LowerAccumulator(store, *dst);
    if (memory == Memory::kGm) {
      if (const auto* cast = ir::As<ir::Cast>(store.value)) {
        const auto* load = ir::As<ir::Load>(cast->value);
        if (load != nullptr && BufferOf(load->buffer).memory == Memory::kL0C &&
            LowerCopy(stmt, *dst, *load, memory)) {
          return true;
        }
      }
      return LowerToGm(store, *dst);
    }
    if (memory != Memory::kUb) return false;
    const auto tile = TileOfIndices(store.buffer, *dst);
    if (!tile.has_value()) return false;
    return LowerExpression(store.value, *tile);
  }

  // A pure load or store of GM. Both sides walk the variables in one order, each once: a copy turns
  // and repeats nothing.
  bool LowerCopy(const StmtPtr& whole, const std::vector<Affine>& dst, const ir::Load& load,
                 Memory memory) {
    const ir::Store& store = ir::To<ir::Store>(*whole);
    const Memory from = BufferOf(load.buffer).memory;
    const auto src = AsAffine(load.indices, loop_.vars);
    if (!src.has_value()) return false;
    const bool from_gm = from == Memory::kGm && (memory == Memory::kUb || memory == Memory::kL1);
    const bool to_gm = memory == Memory::kGm && (from == Memory::kUb || from == Memory::kL0C);
    if (!from_gm && !to_gm) return false;
    const auto walked = VarsInOrder(dst);
    if (!walked.has_value() || walked != VarsInOrder(*src)) return false;
    // A copy cannot leave out what stands before the tensor; elements, which UB has, can.
    const bool has_elements = memory == Memory::kUb || from == Memory::kUb;
    ExprPtr inside;
    for (const Affine& index : from_gm ? *src : dst) {
      if (!has_elements || !index.HasVar() || !MayBeNegative(index.rest)) continue;
      if (ir::ConstantInt(ir::Simplify(index.rest)).has_value()) return false;
      const ExprPtr zero = ir::MakeInt(0, index.rest->dtype);
      const ExprPtr here = ir::MakeBinary(ir::BinaryOp::kGe, index.rest, zero).value();
      inside = inside == nullptr ? here : ir::MakeBinary(ir::BinaryOp::kAnd, inside, here).value();
    }
    // Loading takes the destination tile as a whole; storing takes what the loop covers.
    std::vector<ExprPtr> extents = loop_.extents;
    if (from_gm) {
      for (size_t d = 0; d < dst.size(); ++d) {
        const int var = dst[d].PlainVar();
        if (dst[d].HasVar() && (var < 0 || ir::ConstantInt(dst[d].rest).value_or(-1) != 0))
          return false;
        if (var >= 0) extents[static_cast<size_t>(var)] = BufferOf(store.buffer).shape[d];
      }
    }
    const auto src_region = RegionOf(load.buffer, *src, extents);
    const auto dst_region = RegionOf(store.buffer, dst, extents);
    if (!src_region.has_value() || !dst_region.has_value()) return false;
    StmtPtr moved = ir::Make<ir::Copy>(store.range, [&](ir::Copy& copy) {
      copy.src = *src_region;
      copy.dst = *dst_region;
    });
    if (inside != nullptr) {
      moved = ir::Make<ir::If>(store.range, [&](ir::If& branch) {
        branch.condition = inside;
        branch.then_body = moved;
        branch.else_body = Elementwise(whole);
      });
    }
    out_.push_back(std::move(moved));
    return true;
  }

  // C[i, j] = constant: the writer starts the accumulator from zero.
  bool LowerAccumulator(const ir::Store& store, const std::vector<Affine>& dst) {
    if (!ir::ConstantNumber(store.value).has_value()) return false;
    const auto region = RegionOf(store.buffer, dst, loop_.extents);
    if (!region.has_value()) return false;
    out_.push_back(Op(TileOpKind::kFill, {*region, store.value}));
    return true;
  }

  bool LowerToGm(const ir::Store& store, const std::vector<Affine>& dst) {
    if (!HasConstantExtents()) return false;
    for (const Affine& index : dst) {
      if (index.HasVar() && MayBeNegative(index.rest)) return false;
    }
    const auto region = RegionOf(store.buffer, dst, loop_.extents);
    if (!region.has_value() || !UsesEachVarOnce(dst)) return false;
    const Region tile = Temporary(BufferOf(store.buffer).dtype);
    if (!LowerExpression(store.value, tile)) return false;
    out_.push_back(ir::Make<ir::Copy>(store.range, [&](ir::Copy& copy) {
      copy.src = tile;
      copy.dst = *region;
    }));
    return true;
  }

  // ---- tiles
  // -----------------------------------------------------------------------------------------

  bool HasConstantExtents() const {
    for (const int64_t extent : extents_) {
      if (extent <= 0) return false;
    }
    return true;
  }
  /// The loop variables that plain indices are, dimension by dimension; nothing where an index is
  /// another expression of one, or where a variable stands twice.
  static std::optional<std::vector<int>> VarsInOrder(const std::vector<Affine>& indices) {
    std::vector<int> vars;
    for (const Affine& index : indices) {
      if (!index.HasVar()) continue;
      const int var = index.PlainVar();
      if (var < 0 || std::find(vars.begin(), vars.end(), var) != vars.end()) return std::nullopt;
      vars.push_back(var);
    }
    return vars;
  }
  /// Each variable once, the outer one first.
  bool UsesEachVarOnce(const std::vector<Affine>& indices) const {
    const auto vars = VarsInOrder(indices);
    return vars.has_value() && vars->size() == loop_.vars.size() &&
           std::is_sorted(vars->begin(), vars->end());
  }

  /// The rectangle that affine indices walk over; nothing where a dimension is not one variable or
  /// none.
  std::optional<Region> RegionOf(BufferId buffer, const std::vector<Affine>& indices,
                                 const std::vector<ExprPtr>& extents) const {
    Region region;
    region.buffer = buffer;
    region.range = loop_.range;
    for (const Affine& index : indices) {
      if (!index.HasVar()) {
        region.dims.push_back({index.rest, ir::MakeInt(1)});
        continue;
      }
      const int var = index.PlainVar();
      if (var < 0) return std::nullopt;
      region.dims.push_back({index.rest, extents[static_cast<size_t>(var)]});
    }
    return region;
  }

  /// The region when it is a tile of the loop: each variable once, in order.
  std::optional<Region> TileOfIndices(BufferId buffer, const std::vector<Affine>& indices) const {
    if (!HasConstantExtents() || !UsesEachVarOnce(indices)) return std::nullopt;
    return RegionOf(buffer, indices, loop_.extents);
  }

  Region Temporary(DType dtype) {
    ir::Buffer buffer;
    buffer.name = "tl_tmp" + std::to_string(module_.buffers.size());
    buffer.dtype = dtype;
    buffer.shape = loop_.extents;
    buffer.memory = Memory::kUb;
    buffer.range = loop_.range;
    const BufferId id = module_.Add(std::move(buffer));
    out_.push_back(ir::Make<ir::Alloc>(loop_.range, [&](ir::Alloc& alloc) { alloc.buffer = id; }));
    return ir::WholeRegion(module_, id, loop_.range);
  }

  StmtPtr Op(TileOpKind kind, std::vector<ir::TileArg> args) const {
    return ir::Make<ir::TileOp>(loop_.range, [&](ir::TileOp& op) {
      op.op = kind;
      op.args = std::move(args);
    });
  }
  ExprPtr Count() const {
    int64_t count = 1;
    for (const int64_t extent : extents_) count *= extent;
    return ir::MakeInt(count);
  }

  // ---- expressions
  // -----------------------------------------------------------------------------------

  /// A value over the tile: a region of its size, or one scalar for all of it.
  struct Operand {
    std::optional<Region> region;
    ExprPtr scalar;
    bool is_temporary = false;
  };

  static bool HasVectorArithmetic(DType dtype) {
    return dtype == DType::kFloat32 || dtype == DType::kFloat16 || dtype == DType::kInt32 ||
           dtype == DType::kInt16;
  }

  bool LowerExpression(const ExprPtr& value, const Region& dst) {
    const auto operand = Lower(value, &dst);
    if (!operand.has_value()) return false;
    if (!operand->region.has_value()) {
      out_.push_back(Op(TileOpKind::kFill, {dst, operand->scalar}));
      return true;
    }
    if (SameRegion(*operand->region, dst)) return true;
    if (Overlaps(*operand->region, dst)) return false;
    out_.push_back(ir::Make<ir::Copy>(loop_.range, [&](ir::Copy& copy) {
      copy.src = *operand->region;
      copy.dst = dst;
    }));
    return true;
  }

  bool SameRegion(const Region& a, const Region& b) const {
    if (a.buffer != b.buffer || a.dims.size() != b.dims.size()) return false;
    for (size_t d = 0; d < a.dims.size(); ++d) {
      if (!ir::SameValue(a.dims[d].min, b.dims[d].min) ||
          !ir::SameValue(a.dims[d].extent, b.dims[d].extent)) {
        return false;
      }
    }
    return true;
  }
  /// Of one storage and not the same tile: elementwise order would matter.
  bool Overlaps(const Region& a, const Region& b) const {
    return module_.Storage(a.buffer) == module_.Storage(b.buffer) && !SameRegion(a, b);
  }

  /// Where an operation writes: the final destination if it is the last one, a temporary that is
  /// free again, or a new one.
  Region Target(DType dtype, const Region* final, std::initializer_list<const Operand*> operands) {
    if (final != nullptr) return *final;
    for (const Operand* operand : operands) {
      if (operand->is_temporary && BufferOf(operand->region->buffer).dtype == dtype)
        return *operand->region;
    }
    return Temporary(dtype);
  }

  std::optional<Operand> Lower(const ExprPtr& value, const Region* final) {
    if (!Mentions(value, loop_.vars)) return Operand{std::nullopt, value, false};
    if (const auto* load = ir::As<ir::Load>(value)) return LowerLoad(*load, final);
    if (const auto* cast = ir::As<ir::Cast>(value)) return LowerCast(*cast, final);
    if (const auto* binary = ir::As<ir::Binary>(value)) return LowerBinary(*binary, final);
    if (const auto* call = ir::As<ir::MathCall>(value)) return LowerMath(*call, final);
    if (const auto* unary = ir::As<ir::Unary>(value)) {
      if (unary->op != ir::UnaryOp::kNegate || !HasVectorArithmetic(value->dtype))
        return std::nullopt;
      const auto operand = Lower(unary->value, nullptr);
      if (!operand.has_value() || !operand->region.has_value()) return std::nullopt;
      const Region target = Target(value->dtype, final, {&*operand});
      if (Overlaps(*operand->region, target)) return std::nullopt;
      const ExprPtr minus = ir::IsFloat(value->dtype) ? ir::MakeFloat(-1, value->dtype)
                                                      : ir::MakeInt(-1, value->dtype);
      out_.push_back(Op(TileOpKind::kMul, {target, *operand->region, minus}));
      return Operand{target, nullptr, final == nullptr};
    }
    return std::nullopt;
  }

  std::optional<Operand> LowerLoad(const ir::Load& load, const Region* final) {
    if (BufferOf(load.buffer).memory != Memory::kUb) return std::nullopt;
    const auto indices = AsAffine(load.indices, loop_.vars);
    if (!indices.has_value()) return std::nullopt;
    if (const auto tile = TileOfIndices(load.buffer, *indices))
      return Operand{*tile, nullptr, false};
    if (loop_.vars.size() != 2) return std::nullopt;
    // A row b[j] or a column b[i]: spread over the tile first.
    int axis = -1;
    Region line;
    line.buffer = load.buffer;
    for (const Affine& index : *indices) {
      if (!index.HasVar()) {
        line.dims.push_back({index.rest, ir::MakeInt(1)});
        continue;
      }
      const int var = index.PlainVar();
      if (var < 0 || axis >= 0) return std::nullopt;
      axis = var == 1 ? 0 : 1;
      line.dims.push_back({index.rest, loop_.extents[static_cast<size_t>(var)]});
    }
    if (axis < 0) return std::nullopt;
    const Region target =
        final != nullptr && module_.Storage(final->buffer) != module_.Storage(load.buffer)
            ? *final
            : Temporary(load.dtype);
    out_.push_back(Op(TileOpKind::kBroadcast, {target, line, ir::MakeInt(axis)}));
    return Operand{target, nullptr, final == nullptr || !SameRegion(target, *final)};
  }

  std::optional<Operand> LowerCast(const ir::Cast& cast, const Region* final) {
    const auto operand = Lower(cast.value, nullptr);
    if (!operand.has_value() || !operand->region.has_value()) return std::nullopt;
    const DType from = cast.value->dtype;
    // A bool is whether the value differs from 0, which no conversion says.
    if (from == DType::kBool || cast.dtype == DType::kBool) return std::nullopt;
    if (from == cast.dtype) return operand;
    const Region target = final != nullptr ? *final : Temporary(cast.dtype);
    if (Overlaps(*operand->region, target)) return std::nullopt;
    const char* mode = ir::IsFloat(from) && !ir::IsFloat(cast.dtype) ? "CAST_TRUNC" : "CAST_RINT";
    out_.push_back(Op(TileOpKind::kCast, {target, *operand->region, std::string(mode), Count()}));
    return Operand{target, nullptr, final == nullptr};
  }

  static std::optional<TileOpKind> KindOf(ir::BinaryOp op, DType dtype) {
    switch (op) {
      case ir::BinaryOp::kAdd:
        return TileOpKind::kAdd;
      case ir::BinaryOp::kSub:
        return TileOpKind::kSub;
      case ir::BinaryOp::kMul:
        return TileOpKind::kMul;
      case ir::BinaryOp::kMax:
        return TileOpKind::kMax;
      case ir::BinaryOp::kMin:
        return TileOpKind::kMin;
      case ir::BinaryOp::kDiv:
        return ir::IsFloat(dtype) ? std::optional(TileOpKind::kDiv) : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  std::optional<Operand> LowerBinary(const ir::Binary& binary, const Region* final) {
    const DType dtype = binary.dtype;
    const auto kind = KindOf(binary.op, dtype);
    if (!kind.has_value() || !HasVectorArithmetic(dtype)) return std::nullopt;
    auto lhs = Lower(binary.lhs, nullptr);
    if (!lhs.has_value()) return std::nullopt;
    auto rhs = Lower(binary.rhs, nullptr);
    if (!rhs.has_value()) return std::nullopt;
    const bool commutes = *kind != TileOpKind::kSub && *kind != TileOpKind::kDiv;
    if (!lhs->region.has_value() && commutes) std::swap(lhs, rhs);
    if (!lhs->region.has_value()) {
      // scalar - tile, scalar / tile: the scalar becomes a tile of its own.
      const Region filled = Temporary(dtype);
      out_.push_back(Op(TileOpKind::kFill, {filled, lhs->scalar}));
      lhs = Operand{filled, nullptr, true};
    }
    const Region target = Target(dtype, final, {&*lhs, &*rhs});
    if (Overlaps(*lhs->region, target)) return std::nullopt;
    if (rhs->region.has_value() && Overlaps(*rhs->region, target)) return std::nullopt;
    if (rhs->region.has_value()) {
      out_.push_back(Op(*kind, {target, *lhs->region, *rhs->region}));
    } else {
      out_.push_back(Op(*kind, {target, *lhs->region, rhs->scalar}));
    }
    return Operand{target, nullptr, final == nullptr};
  }

  std::optional<Operand> LowerMath(const ir::MathCall& call, const Region* final) {
    if (call.dtype != DType::kFloat32 && call.dtype != DType::kFloat16) return std::nullopt;
    TileOpKind kind;
    switch (call.function) {
      case ir::MathFunction::kExp:
        kind = TileOpKind::kExp;
        break;
      case ir::MathFunction::kLog:
        kind = TileOpKind::kLn;
        break;
      case ir::MathFunction::kSqrt:
        kind = TileOpKind::kSqrt;
        break;
      case ir::MathFunction::kRsqrt:
        kind = TileOpKind::kRsqrt;
        break;
      case ir::MathFunction::kAbs:
        kind = TileOpKind::kAbs;
        break;
      case ir::MathFunction::kSigmoid:
        kind = TileOpKind::kSigmoid;
        break;
      default:
        return std::nullopt;
    }
    const auto operand = Lower(call.args[0], nullptr);
    if (!operand.has_value() || !operand->region.has_value()) return std::nullopt;
    const Region target = Target(call.dtype, final, {&*operand});
    if (Overlaps(*operand->region, target)) return std::nullopt;
    out_.push_back(Op(kind, {target, *operand->region}));
    return Operand{target, nullptr, final == nullptr};
  }

  // ---- elements
  // --------------------------------------------------------------------------------------

  /// Keeps element accesses to GM inside the declared shape.
  class Guard : public ir::Mutator {
   public:
    using ir::Mutator::Mutate;
    Guard(const ir::Module& module, const std::vector<VarPtr>& vars)
        : module_(module), vars_(vars) {}

    ExprPtr Mutate(const std::shared_ptr<const ir::Load>& node) override {
      const ExprPtr load = MutateChildren(node);
      const ExprPtr inside = Inside(node->buffer, ir::To<ir::Load>(*load).indices);
      if (inside == nullptr) return load;
      const ExprPtr zero =
          ir::IsFloat(node->dtype) ? ir::MakeFloat(0, node->dtype) : ir::MakeInt(0, node->dtype);
      return ir::MakeSelect(inside, load, zero, /*lazy=*/true, node->range);
    }
    StmtPtr Mutate(const std::shared_ptr<const ir::Store>& node) override {
      const StmtPtr store = MutateChildren(node);
      const ExprPtr inside = Inside(node->buffer, ir::To<ir::Store>(*store).indices);
      if (inside == nullptr) return store;
      return ir::Make<ir::If>(node->range, [&](ir::If& branch) {
        branch.condition = inside;
        branch.then_body = store;
      });
    }

   private:
    ExprPtr Inside(BufferId buffer, const std::vector<ExprPtr>& indices) const {
      const ir::Buffer& facts = module_.buffer(buffer);
      if (facts.memory != Memory::kGm) return nullptr;
      ExprPtr all;
      for (size_t d = 0; d < indices.size(); ++d) {
        if (!Mentions(indices[d], vars_)) continue;
        if (!NeverNegative(indices[d])) {
          const ExprPtr zero = ir::MakeInt(0, indices[d]->dtype);
          all = Both(all, ir::MakeBinary(ir::BinaryOp::kGe, indices[d], zero).value());
        }
        all = Both(all, ir::MakeBinary(ir::BinaryOp::kLt, indices[d], facts.shape[d]).value());
      }
      return all;
    }
    /// Constants and loop variables, which count from 0, added and multiplied.
    bool NeverNegative(const ExprPtr& index) const {
      const auto affine = AsAffine(index, vars_);
      return affine.has_value() && affine->coefficient[0] >= 0 && affine->coefficient[1] >= 0 &&
             ir::ConstantInt(ir::Simplify(affine->rest)).value_or(-1) >= 0;
    }
    static ExprPtr Both(const ExprPtr& a, const ExprPtr& b) {
      return a == nullptr ? b : ir::MakeBinary(ir::BinaryOp::kAnd, a, b).value();
    }
    const ir::Module& module_;
    const std::vector<VarPtr>& vars_;
  };

  StmtPtr Elementwise(const StmtPtr& body) {
    Guard guard(module_, loop_.vars);
    StmtPtr nest = guard.MutateStmt(body);
    for (size_t i = loop_.vars.size(); i-- > 0;) {
      nest = ir::Make<ir::For>(loop_.range, [&](ir::For& loop) {
        loop.var = loop_.vars[i];
        loop.min = ir::MakeInt(0, loop_.vars[i]->dtype);
        loop.extent = loop_.extents[i];
        loop.body = nest;
      });
    }
    return nest;
  }

  ir::Module& module_;
  const ir::Parallel& loop_;
  std::vector<int64_t> extents_;
  std::vector<StmtPtr> out_;
};

class ParallelLowering : public ir::Mutator {
 public:
  using ir::Mutator::Mutate;
  explicit ParallelLowering(ir::Module& module) : module_(module) {}

  std::optional<base::Error> error;

  StmtPtr Mutate(const std::shared_ptr<const ir::Parallel>& node) override {
    BoundsChecker bounds(module_, *node);
    bounds.VisitStmt(node->body);
    if (bounds.error.has_value()) {
      if (!error.has_value()) error = std::move(bounds.error);
      return node;
    }
    const StmtPtr inner = MutateChildren(node);  // a Parallel inside a Parallel's body
    if (const auto* loop = ir::As<ir::Parallel>(inner)) return Lowering(module_, *loop).Run();
    return inner;
  }

 private:
  ir::Module& module_;
};

}  // namespace

base::Result<ir::Module> LowerParallel(ir::Module module) {
  ParallelLowering lowering(module);
  module.body = lowering.MutateStmt(module.body);
  if (lowering.error.has_value()) return std::move(*lowering.error);
  return module;
}

}  // namespace hostnpu::tilelang::passes

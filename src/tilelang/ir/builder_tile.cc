// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules of T.tile.* and T.reduce_*: which operands are tiles, how many elements they have,
// which modes exist. The operand lists come from tile_ops.def; what only one operation asks for
// stands below in a function of its own.
#include <algorithm>
#include <array>

#include "fmt/format.h"
#include "tilelang/ir/builder.h"
#include "tilelang/ir/expr.h"
#include "tilelang/ir/printer.h"

namespace hostnpu::tilelang::ir {
namespace {

constexpr std::string_view kCastModes[] = {"CAST_NONE",  "CAST_RINT",  "CAST_FLOOR", "CAST_CEIL",
                                           "CAST_ROUND", "CAST_TRUNC", "CAST_ODD"};
constexpr std::string_view kCompareModes[] = {"EQ", "NE", "GT", "GE", "LT", "LE"};
constexpr std::string_view kSelectModes[] = {"VSEL_CMPMASK_SPR", "VSEL_TENSOR_SCALAR_MODE",
                                             "VSEL_TENSOR_TENSOR_MODE"};
constexpr std::string_view kGatherPatterns[] = {"P0101", "P1010", "P0001", "P0010",
                                                "P0100", "P1000", "P1111"};
constexpr std::string_view kReduceNames[] = {"sum", "max", "min"};

template <size_t kCount>
bool IsOneOf(std::string_view word, const std::string_view (&words)[kCount]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

template <size_t kCount>
std::string ListOf(const std::string_view (&words)[kCount]) {
  return fmt::format("{}", fmt::join(words, ", "));
}

const Region* AsRegion(const TileArg& arg) { return std::get_if<Region>(&arg); }

/// Extents other than 1.
std::vector<ExprPtr> Significant(const Region& region) {
  std::vector<ExprPtr> kept;
  for (const Interval& dim : region.dims) {
    if (ConstantInt(dim.extent) != 1) kept.push_back(dim.extent);
  }
  return kept;
}

bool CountsDiffer(const Region& a, const Region& b) {
  const auto x = ConstantInt(CountOf(a));
  const auto y = ConstantInt(CountOf(b));
  return x && y && *x != *y;
}

std::string ShapeOf(const Region& region) {
  std::vector<ExprPtr> extents;
  for (const Interval& dim : region.dims) extents.push_back(dim.extent);
  return PrintShape(extents);
}

bool IsRowExpand(TileOpKind op) {
  return op == TileOpKind::kRowExpandMul || op == TileOpKind::kRowExpandMulExperiment ||
         op == TileOpKind::kRowExpandSubExperiment || op == TileOpKind::kRowExpandDivExperiment;
}

}  // namespace

base::Result<TileArg> Builder::TileArgument(const TileOpFacts& facts, size_t index,
                                            const Operand& operand,
                                            const std::vector<TileArg>& before) {
  const OperandRole role = facts.operands[index].role;
  const std::string op = fmt::format("T.tile.{}", facts.name);
  const std::string name = fmt::format("argument {}", index + 1);
  const auto wrong = [&](std::string_view expected) {
    return Fail(Raise::kType,
                fmt::format("{} of {} is {}, but something else is given", name, op, expected));
  };
  const auto* ref = std::get_if<TileRef>(&operand);
  const auto* scalar = std::get_if<ExprPtr>(&operand);
  switch (role) {
    case OperandRole::kKeyword:
      if (const auto* keyword = std::get_if<std::string>(&operand)) return TileArg(*keyword);
      return wrong("a string");
    case OperandRole::kScalars:
      if (const auto* list = std::get_if<std::vector<ExprPtr>>(&operand)) return TileArg(*list);
      return wrong("a list of numbers");
    case OperandRole::kFlag:
      if (scalar != nullptr && ConstantInt(*scalar)) return TileArg(*scalar);
      return wrong("True or False");
    case OperandRole::kReadOrScalar:
    case OperandRole::kScalar:
      break;
    default: {
      HOSTNPU_ASSIGN_OR_RETURN(Region region, TileRegion(operand, op, name));
      return TileArg(std::move(region));
    }
  }
  // A mutable scalar, or a buffer of one element where a scalar is due, stands for its value.
  if (ref != nullptr && ref->form == TileRef::Form::kWhole) {
    const Buffer& buffer = module_.buffer(Resolve(ref->buffer));
    const Region whole = WholeRegion(module_, Resolve(ref->buffer));
    if (buffer.memory == Memory::kVar ||
        (role == OperandRole::kScalar && ConstantInt(CountOf(whole)) == 1)) {
      HOSTNPU_ASSIGN_OR_RETURN(
          const ExprPtr value,
          Load(ref->buffer, std::vector<ExprPtr>(buffer.shape.size(), MakeInt(0))));
      return TileArg(value);
    }
  }
  if (scalar != nullptr) return TileArg(*scalar);
  if (ref != nullptr && role == OperandRole::kReadOrScalar) {
    HOSTNPU_ASSIGN_OR_RETURN(Region region, TileRegion(operand, op, name));
    return TileArg(std::move(region));
  }
  if (ref != nullptr && !before.empty()) return wrong("a number or a scalar expression");
  return wrong("a number or a scalar expression");
}

base::Result<std::vector<TileArg>> Builder::TileArgs(const TileOpFacts& facts,
                                                     const std::vector<Operand>& args) {
  size_t required = 0;
  for (const TileOperand& operand : facts.operands) required += operand.optional ? 0 : 1;
  if (args.size() < required || args.size() > facts.operands.size()) {
    return Fail(Raise::kType, fmt::format("T.tile.{} takes {} arguments, but {} are given",
                                          facts.name, facts.operands.size(), args.size()));
  }
  std::vector<TileArg> result;
  for (size_t i = 0; i < args.size(); ++i) {
    HOSTNPU_ASSIGN_OR_RETURN(TileArg arg, TileArgument(facts, i, args[i], result));
    const Region* region = AsRegion(arg);
    if (region != nullptr) {
      const Buffer& buffer = module_.buffer(region->buffer);
      const bool global = facts.operands[i].role == OperandRole::kGlobal;
      const bool fits = global ? buffer.memory == Memory::kGm
                               : buffer.memory == Memory::kUb || buffer.memory == Memory::kShared ||
                                     buffer.memory == Memory::kFragment;
      if (!fits) {
        return Fail(
            Raise::kValue,
            fmt::format("argument {} of T.tile.{} is in {}, but '{}' is in {}", i + 1, facts.name,
                        global ? "GM" : "UB", buffer.name, MemoryName(buffer.memory)),
            {AboutBuffer(region->buffer)});
      }
    }
    result.push_back(std::move(arg));
  }
  return result;
}

base::Result<void> Builder::CheckTileRule(const TileOpFacts& facts,
                                          const std::vector<TileArg>& args) {
  if (facts.rule == TileRule::kFree) return {};
  const Region& dst = *AsRegion(args[0]);
  const DType dtype = module_.buffer(dst.buffer).dtype;
  for (size_t i = 1; i < args.size(); ++i) {
    const Region* src = AsRegion(args[i]);
    if (src == nullptr) continue;
    const std::vector<Note> notes = {AboutBuffer(dst.buffer), AboutBuffer(src->buffer)};
    if (facts.rule == TileRule::kSame && CountsDiffer(dst, *src)) {
      return Fail(
          Raise::kAssertion,
          fmt::format("size must be same: T.tile.{} has {} elements in '{}' and {} in '{}'",
                      facts.name, *ConstantInt(CountOf(dst)), module_.buffer(dst.buffer).name,
                      *ConstantInt(CountOf(*src)), module_.buffer(src->buffer).name),
          notes);
    }
    if (module_.buffer(src->buffer).dtype != dtype) {
      return Fail(Raise::kValue,
                  fmt::format("T.tile.{} works on one type, but '{}' is {} and '{}' is {}",
                              facts.name, module_.buffer(dst.buffer).name, DTypeName(dtype),
                              module_.buffer(src->buffer).name,
                              DTypeName(module_.buffer(src->buffer).dtype)),
                  notes, "convert one with T.tile.cast");
    }
  }
  return {};
}

base::Result<void> Builder::ResolveBroadcast(ir::TileOp& op) {
  const Region& dst = *AsRegion(op.args[0]);
  const Region& src = *AsRegion(op.args[1]);
  const int64_t asked = *ConstantInt(std::get<ExprPtr>(op.args[2]));  // 2: not given
  const std::string shapes = fmt::format("shape {} to shape {}", ShapeOf(src), ShapeOf(dst));
  const auto cannot = [&](std::string_view why) {
    return Fail(Raise::kValue, fmt::format("Cannot broadcast {}: {}", shapes, why),
                {AboutBuffer(src.buffer), AboutBuffer(dst.buffer)});
  };
  if (asked != 0 && asked != 1 && asked != 2)
    return cannot(fmt::format("axis must be 0 or 1, but {} is given", asked));
  const auto extent = [](const Region& region, size_t from_end) {
    return from_end <= region.dims.size() ? region.dims[region.dims.size() - from_end].extent
                                          : MakeInt(1);
  };
  int64_t axis = -1;
  if (dst.dims.size() == 1) {
    const bool fits = ConstantInt(CountOf(src)) == 1 || SameValue(CountOf(src), CountOf(dst));
    if (!fits)
      return cannot("a one-dimensional destination takes one element, or as many as it has");
    axis = SameValue(CountOf(src), CountOf(dst)) ? -1 : 1;
  } else if (src.dims.size() == 1) {
    const bool as_row = SameValue(extent(dst, 1), extent(src, 1));
    axis = asked == 2 ? (as_row ? 0 : 1) : asked;
    if (!SameValue(extent(dst, axis == 0 ? 1 : 2), extent(src, 1)))
      return cannot("Dimension mismatch");
  } else {
    const bool rows = ConstantInt(extent(src, 2)) == 1 && ConstantInt(extent(dst, 2)) != 1;
    const bool columns = ConstantInt(extent(src, 1)) == 1 && ConstantInt(extent(dst, 1)) != 1;
    const bool same =
        SameValue(extent(src, 1), extent(dst, 1)) && SameValue(extent(src, 2), extent(dst, 2));
    if (asked == 2) axis = rows ? 0 : columns ? 1 : -1;
    if (asked != 2) axis = same ? -1 : asked;
    const bool both = rows && columns;  // one element to a tile
    const bool fits = both || (axis == 0 && SameValue(extent(src, 1), extent(dst, 1)) && rows) ||
                      (axis == 1 && SameValue(extent(src, 2), extent(dst, 2)) && columns) ||
                      (axis == -1 && same);
    if (!fits) return cannot("Dimension mismatch");
    if (both) axis = 2;
  }
  op.args[2] = MakeInt(axis);
  return {};
}

base::Result<void> Builder::CheckTileOp(ir::TileOp& op) {
  const std::string name(FactsOf(op.op).name);
  const auto keyword = [&](size_t index) { return std::get<std::string>(op.args[index]); };
  const auto mode_error = [&](size_t index, const std::string& modes) {
    return Fail(Raise::kAssertion, fmt::format("T.tile.{} has no mode '{}'; the modes are {}", name,
                                               keyword(index), modes));
  };
  if (op.op == TileOpKind::kCast && !IsOneOf(keyword(2), kCastModes))
    return mode_error(2, ListOf(kCastModes));
  if (op.op == TileOpKind::kCompare) {
    if (!IsOneOf(keyword(3), kCompareModes)) return mode_error(3, ListOf(kCompareModes));
    return {};
  }
  if (op.op == TileOpKind::kSelect) {
    if (!IsOneOf(keyword(4), kSelectModes)) return mode_error(4, ListOf(kSelectModes));
    const bool scalar = AsRegion(op.args[3]) == nullptr;
    if (scalar != (keyword(4) == "VSEL_TENSOR_SCALAR_MODE")) {
      return Fail(Raise::kAssertion,
                  fmt::format("mode '{}' of T.tile.select does not fit: src1 is {}", keyword(4),
                              scalar ? "a scalar" : "a tile"));
    }
    const Region& dst = *AsRegion(op.args[0]);
    const Region& src = *AsRegion(op.args[2]);
    if (CountsDiffer(dst, src)) {
      return Fail(Raise::kAssertion,
                  fmt::format("T.tile.select has the shape {} in dst and {} in src0", ShapeOf(dst),
                              ShapeOf(src)),
                  {AboutBuffer(dst.buffer), AboutBuffer(src.buffer)});
    }
  }
  if (op.op == TileOpKind::kGatherMask && !IsOneOf(keyword(2), kGatherPatterns)) {
    return mode_error(2, ListOf(kGatherPatterns));
  }
  if (op.op == TileOpKind::kBroadcast) return ResolveBroadcast(op);
  if (op.op == TileOpKind::kBrcbExperiment) {
    const auto repeat = ConstantInt(std::get<ExprPtr>(op.args[2]));
    const auto have = ConstantInt(CountOf(*AsRegion(op.args[1])));
    if (repeat && have && *have < 8 * *repeat) {
      return Fail(Raise::kAssertion,
                  fmt::format("T.tile.{} reads 8 elements for each of {} repeats, but src has {}",
                              name, *repeat, *have));
    }
  }
  if (IsRowExpand(op.op)) {
    const std::vector<ExprPtr> rows = Significant(*AsRegion(op.args[2]));
    const Region& dst = *AsRegion(op.args[0]);
    const Region& src = *AsRegion(op.args[1]);
    const bool blocks = op.args.size() > 3 && ConstantInt(std::get<ExprPtr>(op.args[3])) == 1;
    const ExprPtr dst_rows =
        dst.dims.size() >= 2 ? dst.dims[dst.dims.size() - 2].extent : MakeInt(1);
    const bool fits = rows.empty() ? ConstantInt(dst_rows) == 1
                                   : SameValue(rows[0], dst_rows) || !ConstantInt(rows[0]);
    if (CountsDiffer(dst, src) || (!fits && !blocks)) {
      return Fail(
          Raise::kValue,
          fmt::format("T.tile.{} takes one factor for each row: dst has shape {}, src0 {}, src1 {}",
                      name, ShapeOf(dst), ShapeOf(src), ShapeOf(*AsRegion(op.args[2]))));
    }
  }
  return {};
}

base::Result<StmtPtr> Builder::Tile(std::string_view name, const std::vector<Operand>& args) {
  const auto kind = FindTileOp(name);
  if (!kind) return Fail(Raise::kUnsupported, fmt::format("there is no T.tile.{}", name));
  if (auto verdict = CheckCore(Core::kVector, fmt::format("T.tile.{}", name)); !verdict.ok()) {
    return std::move(verdict).error();
  }
  const TileOpFacts& facts = FactsOf(*kind);
  HOSTNPU_ASSIGN_OR_RETURN(std::vector<TileArg> checked, TileArgs(facts, args));
  if (auto verdict = CheckTileRule(facts, checked); !verdict.ok())
    return std::move(verdict).error();
  base::Result<void> verdict;
  auto node = Make<ir::TileOp>(range_, [&](ir::TileOp& op) {
    op.op = *kind;
    op.args = std::move(checked);
    verdict = CheckTileOp(op);
  });
  if (!verdict.ok()) return std::move(verdict).error();
  return StmtPtr(std::move(node));
}

base::Result<void> Builder::CheckReduceShapes(const ir::Reduce& reduce, int dim,
                                              bool has_real_shape) {
  const size_t rank = reduce.src.dims.size();
  if (rank > 2) return {};  // 3-D: the reference does not check
  const ExprPtr rows = rank == 2 ? reduce.src.dims[0].extent : MakeInt(1);
  const ExprPtr columns = reduce.src.dims.back().extent;
  const std::vector<ExprPtr> out = Significant(reduce.dst);
  const ExprPtr expected = rank == 1 ? MakeInt(1) : reduce.axis == 1 ? rows : columns;
  bool fits =
      out.empty() ? ConstantInt(expected) == 1 : out.size() == 1 && SameValue(out[0], expected);
  // With real_shape the result of a row may stand in a row of the physical width.
  if (!fits && has_real_shape) fits = out.size() <= 1;
  if (!fits && out.size() == 1) fits = !ConstantInt(out[0]) || !ConstantInt(expected);
  if (fits) return {};
  return Fail(
      Raise::kValue,
      fmt::format("T.reduce_{} of shape {} along dim {} gives {} values, but out has shape {}",
                  kReduceNames[static_cast<size_t>(reduce.reduce)], ShapeOf(reduce.src), dim,
                  PrintExpr(module_, expected), ShapeOf(reduce.dst)),
      {AboutBuffer(reduce.src.buffer), AboutBuffer(reduce.dst.buffer)});
}

base::Result<StmtPtr> Builder::Reduce(std::string_view kind, const Operand& src, const Operand& dst,
                                      int dim, bool clear,
                                      std::optional<std::vector<int64_t>> real_shape) {
  const std::string op = fmt::format("T.reduce_{}", kind);
  const auto found = std::find(std::begin(kReduceNames), std::end(kReduceNames), kind);
  if (found == std::end(kReduceNames)) {
    return Fail(Raise::kValue, fmt::format("T.reduce has no type '{}'; the types are {}", kind,
                                           ListOf(kReduceNames)));
  }
  if (auto verdict = CheckCore(Core::kVector, op); !verdict.ok()) return std::move(verdict).error();
  HOSTNPU_ASSIGN_OR_RETURN(Region from, TileRegion(src, op, "buffer"));
  HOSTNPU_ASSIGN_OR_RETURN(Region to, TileRegion(dst, op, "out"));
  const int rank = static_cast<int>(from.dims.size());
  const bool one = rank == 1;
  const bool fits = one ? (dim == 0 || dim == -1) : dim >= -2 && dim <= 1;
  if (!fits) {
    return Fail(Raise::kValue,
                fmt::format("{} has no axis {}: a tile of {} dimensions has {}", op, dim, rank,
                            one ? "0 and -1" : "0 (-2) over its rows and 1 (-1) over its columns"));
  }
  if (module_.buffer(from.buffer).dtype != module_.buffer(to.buffer).dtype) {
    return Fail(
        Raise::kValue,
        fmt::format("{} works on one type, but '{}' is {} and '{}' is {}", op,
                    module_.buffer(from.buffer).name, DTypeName(module_.buffer(from.buffer).dtype),
                    module_.buffer(to.buffer).name, DTypeName(module_.buffer(to.buffer).dtype)),
        {AboutBuffer(from.buffer), AboutBuffer(to.buffer)});
  }
  std::array<int64_t, 2> real = {0, 0};
  if (real_shape) {
    if (real_shape->size() != 2) {
      return Fail(Raise::kValue,
                  fmt::format("real_shape of {} has two values, rows and columns, but {} are given",
                              op, real_shape->size()));
    }
    real = {(*real_shape)[0], (*real_shape)[1]};
    for (int i = 0; i < 2; ++i) {
      const int from_end = 2 - i;
      const auto limit = rank >= from_end
                             ? ConstantInt(from.dims[static_cast<size_t>(rank - from_end)].extent)
                             : 1;
      if (real[static_cast<size_t>(i)] < 0 || (limit && real[static_cast<size_t>(i)] > *limit)) {
        return Fail(Raise::kValue,
                    fmt::format("real_shape of {} has the value {}, but the tile has {}", op,
                                real[static_cast<size_t>(i)], limit ? *limit : -1));
      }
    }
  }
  const auto node = Make<ir::Reduce>(range_, [&](ir::Reduce& reduce) {
    reduce.reduce = static_cast<ReduceKind>(found - std::begin(kReduceNames));
    reduce.src = std::move(from);
    reduce.dst = std::move(to);
    reduce.axis = one || dim == 1 || dim == -1 ? 1 : 0;
    reduce.clear = clear;
    reduce.real_rows = real[0];
    reduce.real_columns = real[1];
  });
  if (auto verdict = CheckReduceShapes(*node, dim, real_shape.has_value()); !verdict.ok()) {
    return std::move(verdict).error();
  }
  return StmtPtr(node);
}

}  // namespace hostnpu::tilelang::ir

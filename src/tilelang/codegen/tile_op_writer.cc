// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// T.tile.* operations. Most are one function of tilelang/tile.h with the operands in the order of
// the Python call; the table says which, the rest is written case by case.
#include <fmt/format.h>

#include "tilelang/codegen/stmt_writer.h"
#include "tilelang/ir/expr.h"
#include "tilelang/passes/place_buffers.h"

namespace hostnpu::tilelang::codegen {
namespace {

using ir::Region;
using ir::TileOpKind;

/// Functions whose operands are the tiles and scalars of the call as they stand.
struct Direct {
  TileOpKind op;
  const char* tiles;   // with a tile as the last operand
  const char* scalar;  // with a scalar there; null: does not occur
};
constexpr Direct kDirect[] = {
    {TileOpKind::kAdd, "TileAdd", "TileAdds"},
    {TileOpKind::kSub, "TileSub", "TileSubs"},
    {TileOpKind::kMul, "TileMul", "TileMuls"},
    {TileOpKind::kDiv, "TileDiv", "TileDivs"},
    {TileOpKind::kMax, "TileMax", "TileMaxs"},
    {TileOpKind::kMin, "TileMin", "TileMins"},
    {TileOpKind::kBitwiseAnd, "TileAnd", "TileAnds"},
    {TileOpKind::kBitwiseOr, "TileOr", "TileOrs"},
    {TileOpKind::kBitwiseXor, "TileXor", nullptr},
    {TileOpKind::kBitwiseNot, "TileNot", nullptr},
    {TileOpKind::kExp, "TileExp", nullptr},
    {TileOpKind::kLn, "TileLn", nullptr},
    {TileOpKind::kAbs, "TileAbs", nullptr},
    {TileOpKind::kReciprocal, "TileReciprocal", nullptr},
    {TileOpKind::kSqrt, "TileSqrt", nullptr},
    {TileOpKind::kRsqrt, "TileRsqrt", nullptr},
    {TileOpKind::kRelu, "TileRelu", nullptr},
    {TileOpKind::kSin, "TileSin", nullptr},
    {TileOpKind::kCos, "TileCos", nullptr},
    {TileOpKind::kSigmoid, "TileSigmoid", nullptr},
    {TileOpKind::kSilu, "TileSilu", nullptr},
    {TileOpKind::kPow, "TilePow", nullptr},
    {TileOpKind::kLeakyRelu, nullptr, "TileLeakyRelu"},
    {TileOpKind::kMulAddDst, "TileMulAddDst", nullptr},
    {TileOpKind::kGatherMaskIndex, "TileGatherIndex", nullptr},
    {TileOpKind::kTranspose, "TileTranspose", nullptr},
    {TileOpKind::kSort32, "TileSort32", nullptr},
    {TileOpKind::kMergeSort, "TileMergeSort", nullptr},
};

const Region& RegionAt(const ir::TileOp& node, size_t i) { return std::get<Region>(node.args[i]); }
const ir::ExprPtr& ScalarAt(const ir::TileOp& node, size_t i) {
  return std::get<ir::ExprPtr>(node.args[i]);
}
const std::string& KeywordAt(const ir::TileOp& node, size_t i) {
  return std::get<std::string>(node.args[i]);
}

}  // namespace

void StmtWriter::WriteTileOp(const ir::TileOp& node) {
  const ir::DType dtype = module_.buffer(RegionAt(node, 0).buffer).dtype;
  for (const Direct& direct : kDirect) {
    if (direct.op != node.op) continue;
    std::string args;
    bool has_scalar = false;
    for (const ir::TileArg& arg : node.args) {
      if (!args.empty()) args += ", ";
      if (const auto* region = std::get_if<Region>(&arg)) {
        args += TileText(*region);
      } else {
        args += ScalarText(std::get<ir::ExprPtr>(arg), dtype);
        has_scalar = true;
      }
    }
    const char* function = has_scalar ? direct.scalar : direct.tiles;
    Line(fmt::format("tl::{}({});", function, args));
    return;
  }
  WriteTileOpCall(node);
}

void StmtWriter::WriteTileOpCall(const ir::TileOp& node) {
  const Region& dst = RegionAt(node, 0);
  const ir::DType dtype = module_.buffer(dst.buffer).dtype;
  const std::string type = TypeOf(dst.buffer);
  // The run of `count` elements that a region begins; counts may be larger than the region.
  const auto run = [&](const Region& region, const ir::ExprPtr& count) {
    const ir::Buffer& buffer = module_.buffer(region.buffer);
    ir::ExprPtr size = ir::MakeInt(1);
    for (const ir::ExprPtr& extent : buffer.shape) size = ir::Mul(size, extent);
    std::vector<ir::ExprPtr> mins;
    for (const ir::Interval& dim : region.dims) mins.push_back(dim.min);
    const std::string offset = exprs_.Offset(region.buffer, mins);
    return fmt::format("tl::Tile<{}>({}, tl::Min<int32_t>({}, {} - ({})))", TypeOf(region.buffer),
                       Start(region), Int(count), Int(size), offset);
  };
  // Whole operands from their first element on, for instructions that walk by blocks.
  const auto from = [&](size_t i) { return run(RegionAt(node, i), ir::MakeInt(1 << 30)); };
  const auto tile = [&](size_t i) { return TileText(RegionAt(node, i)); };
  const auto scalar = [&](size_t i) { return Int(ScalarAt(node, i)); };
  switch (node.op) {
    case TileOpKind::kBitwiseLshift:
    case TileOpKind::kBitwiseRshift:
      Line(fmt::format("tl::{}({}, {}, {});",
                       node.op == TileOpKind::kBitwiseLshift ? "TileShiftLeft" : "TileShiftRight",
                       tile(0), tile(1), scalar(2)));
      return;
    case TileOpKind::kAxpy:
      Line(fmt::format(
          "tl::TileAxpy({}, {}, {});", tile(0), tile(1),
          ScalarText(ScalarAt(node, 2), module_.buffer(RegionAt(node, 1).buffer).dtype)));
      return;
    case TileOpKind::kFill:
      if (module_.buffer(dst.buffer).memory == ir::Memory::kL0C) {
        if (ir::ConstantNumber(ScalarAt(node, 1)).value_or(1) != 0) {
          Fail(node.range, "an accumulator in L0C can be filled with 0 only");
          return;
        }
        Line(fmt::format("tl::ClearL0C({}, l0a_stage, l0b_stage, {}, {});", FractalStart(dst),
                         passes::PaddedRows(module_, dst.buffer),
                         passes::PaddedColumns(module_, dst.buffer)));
        return;
      }
      Line(fmt::format("tl::TileFill({}, {});", tile(0), ScalarText(ScalarAt(node, 1), dtype)));
      return;
    case TileOpKind::kCast:
      Line(fmt::format("tl::TileCast({}, {}, RoundMode::{}, deq_scale);",
                       CountedTile(dst, ScalarAt(node, 3)),
                       CountedTile(RegionAt(node, 1), ScalarAt(node, 3)), KeywordAt(node, 2)));
      return;
    case TileOpKind::kRound:
      Line(fmt::format("tl::TileRound({}, {});", CountedTile(dst, ScalarAt(node, 2)),
                       CountedTile(RegionAt(node, 1), ScalarAt(node, 2))));
      return;
    case TileOpKind::kClamp: {
      const std::string out = CountedTile(dst, ScalarAt(node, 4));
      Line(fmt::format("tl::TileMaxs({}, {}, {});", out,
                       CountedTile(RegionAt(node, 1), ScalarAt(node, 4)),
                       ScalarText(ScalarAt(node, 2), dtype)));
      Line(
          fmt::format("tl::TileMins({}, {}, {});", out, out, ScalarText(ScalarAt(node, 3), dtype)));
      return;
    }
    case TileOpKind::kClampMax:
    case TileOpKind::kClampMin:
      Line(fmt::format(
          "tl::{}({}, {}, {});", node.op == TileOpKind::kClampMax ? "TileMins" : "TileMaxs",
          CountedTile(dst, ScalarAt(node, 3)), CountedTile(RegionAt(node, 1), ScalarAt(node, 3)),
          ScalarText(ScalarAt(node, 2), dtype)));
      return;
    case TileOpKind::kCompare: {
      const ir::DType operand = module_.buffer(RegionAt(node, 1).buffer).dtype;
      if (std::holds_alternative<Region>(node.args[2])) {
        Line(fmt::format("tl::TileCompare({}, {}, {}, CMPMODE::{});", tile(0), tile(1), tile(2),
                         KeywordAt(node, 3)));
      } else {
        Line(fmt::format("tl::TileCompares({}, {}, {}, CMPMODE::{});", tile(0), tile(1),
                         ScalarText(ScalarAt(node, 2), operand), KeywordAt(node, 3)));
      }
      return;
    }
    case TileOpKind::kSelect:
      if (std::holds_alternative<Region>(node.args[3])) {
        Line(fmt::format("tl::TileSelect({}, {}, {}, {});", tile(0), tile(1), tile(2), tile(3)));
      } else {
        Line(fmt::format("tl::TileSelects({}, {}, {}, {});", tile(0), tile(1), tile(2),
                         ScalarText(ScalarAt(node, 3), dtype)));
      }
      return;
    case TileOpKind::kCreateVecIndex:
      Line(fmt::format("tl::TileProgression({0}, {1}, {2}(1), 1 << 30);", tile(0),
                       ScalarText(ScalarAt(node, 1), dtype), type));
      return;
    case TileOpKind::kArithProgression:
      Line(fmt::format("tl::TileProgression({}, {}, {}, {});", from(0),
                       ScalarText(ScalarAt(node, 1), dtype), ScalarText(ScalarAt(node, 2), dtype),
                       scalar(3)));
      return;
    case TileOpKind::kBroadcast:
      if (ir::ConstantInt(ScalarAt(node, 2)) == -1) {
        Line(fmt::format("tl::CopyUbToUb({}, {});", tile(0), tile(1)));
      } else {
        Line(fmt::format("tl::TileBroadcast({}, {}, {});", tile(0), tile(1), scalar(2)));
      }
      return;
    case TileOpKind::kRowExpandMul:
    case TileOpKind::kRowExpandMulExperiment:
    case TileOpKind::kRowExpandSubExperiment:
    case TileOpKind::kRowExpandDivExperiment: {
      const char* operation = node.op == TileOpKind::kRowExpandSubExperiment   ? "kSub"
                              : node.op == TileOpKind::kRowExpandDivExperiment ? "kDiv"
                                                                               : "kMul";
      const bool blocks =
          node.args.size() > 3 && ir::ConstantInt(ScalarAt(node, 3)).value_or(0) != 0;
      Line(fmt::format("tl::TileRowExpand<tl::RowOperation::{}>({}, {}, {}, {});", operation,
                       tile(0), tile(1), tile(2), blocks ? "true" : "false"));
      return;
    }
    case TileOpKind::kBrcbExperiment:
      Line(fmt::format("tl::TileBrcb({}, {}, {}, {}, {});", from(0), tile(1), scalar(2), scalar(3),
                       scalar(4)));
      return;
    case TileOpKind::kGather:
      Line(fmt::format("tl::TileGather({}, {}, {}, {});", tile(0), from(1), tile(2), scalar(3)));
      return;
    case TileOpKind::kGatherb:
      Line(fmt::format("tl::TileGatherb({}, {}, {}, {}, {}, {});", from(0), from(1), tile(2),
                       scalar(3), scalar(4), scalar(5)));
      return;
    case TileOpKind::kGatherMask: {
      const std::string& pattern = KeywordAt(node, 2);  // "P0101": bit 0 of each group stands last
      uint32_t keep = 0;
      const int period = static_cast<int>(pattern.size()) - 1;
      for (int i = 0; i < period; ++i) {
        if (pattern[pattern.size() - 1 - static_cast<size_t>(i)] == '1') keep |= 1u << i;
      }
      Line(fmt::format("tl::TileGatherPattern({}, {}, {}u, {});", from(0), tile(1), keep, period));
      return;
    }
    case TileOpKind::kGatherMaskExperiment: {
      const auto& strides = std::get<std::vector<ir::ExprPtr>>(node.args[5]);
      Line(fmt::format("tl::TileGatherBits({}, {}, {}, {}, {}, {}, {}, {}, {});", from(0), from(1),
                       from(2), scalar(3), scalar(4), Int(strides[0]), Int(strides[1]),
                       Int(strides[2]), Int(strides[3])));
      return;
    }
    case TileOpKind::kSort:
    case TileOpKind::kTopk: {
      const bool top = node.op == TileOpKind::kTopk;
      const std::string count = scalar(top ? 3 : 2);
      const std::string pairs = top ? scalar(2) : fmt::format("tl::RoundUp({}, 32)", count);
      Line(fmt::format("tl::TileSortPairs({}, {}, {}, {}, {});", from(0), from(1), count, pairs,
                       passes::kScratchName));
      return;
    }
    case TileOpKind::kInitSortBuf:
      Line(fmt::format("tl::TileInitSort({}, {});", tile(0), scalar(1)));
      return;
    case TileOpKind::kBlockReduceMax:
    case TileOpKind::kBlockReduceMin:
    case TileOpKind::kBlockReduceSum: {
      const char* api = node.op == TileOpKind::kBlockReduceMax   ? "BlockReduceMax"
                        : node.op == TileOpKind::kBlockReduceMin ? "BlockReduceMin"
                                                                 : "BlockReduceSum";
      Line(fmt::format("AscendC::{}<{}>({}, {}, {}, {}, {}, {}, {});", api, type, Start(dst),
                       Start(RegionAt(node, 1)), scalar(2), scalar(3), scalar(4), scalar(5),
                       scalar(6)));
      return;
    }
    case TileOpKind::kWholeReduceMax:
    case TileOpKind::kWholeReduceMin:
      Line(fmt::format("AscendC::{}<{}>({}, {}, {}, {}, {}, {}, {}, ReduceOrder::{});",
                       node.op == TileOpKind::kWholeReduceMax ? "WholeReduceMax" : "WholeReduceMin",
                       type, Start(dst), Start(RegionAt(node, 1)), scalar(2), scalar(3), scalar(4),
                       scalar(5), scalar(6), KeywordAt(node, 7)));
      return;
    case TileOpKind::kWholeReduceSum:
      Line(fmt::format("AscendC::WholeReduceSum<{}>({}, {}, {}, {}, {}, {}, {});", type, Start(dst),
                       Start(RegionAt(node, 1)), scalar(2), scalar(3), scalar(4), scalar(5),
                       scalar(6)));
      return;
    case TileOpKind::kBilinearInterpolation:
      Line(fmt::format("tl::TileBilinear({}, {}, {}, {}, {}, {} != 0, {}, {}, {});", from(0),
                       from(1), from(2), from(3), scalar(5), scalar(6), scalar(7), scalar(8),
                       scalar(9)));
      return;
    case TileOpKind::kSubExperiment:
      Line(fmt::format("tl::TileSub({}, {}, {});", CountedTile(dst, ScalarAt(node, 3)),
                       CountedTile(RegionAt(node, 1), ScalarAt(node, 3)),
                       CountedTile(RegionAt(node, 2), ScalarAt(node, 3))));
      return;
    case TileOpKind::kAbsExperiment:
      Line(fmt::format("tl::TileAbs({}, {});", CountedTile(dst, ScalarAt(node, 2)),
                       CountedTile(RegionAt(node, 1), ScalarAt(node, 2))));
      return;
    case TileOpKind::kMinsExperiment:
      Line(fmt::format("tl::TileMins({}, {}, {});", CountedTile(dst, ScalarAt(node, 3)),
                       CountedTile(RegionAt(node, 1), ScalarAt(node, 3)),
                       ScalarText(ScalarAt(node, 2), dtype)));
      return;
    case TileOpKind::kReduceSumExperiment:
      Line(fmt::format("tl::TileSumRows({}, {}, 1, {}, {});", from(0), from(1), scalar(2),
                       scalar(2)));
      return;
    case TileOpKind::kReduceSumMaskExperiment:
      Line(fmt::format("tl::TileSumMasked({}, {}, {}, {}, {});", from(0), from(1), scalar(2),
                       scalar(3), scalar(4)));
      return;
    case TileOpKind::kFillExperiment: {
      const auto& mask = std::get<std::vector<ir::ExprPtr>>(node.args[2]);
      Line(fmt::format("AscendC::Duplicate<{}>({}, {}, static_cast<uint64_t>({}), {}, {}, {});",
                       type, Start(dst), ScalarText(ScalarAt(node, 1), dtype), Int(mask[0]),
                       scalar(3), scalar(4), scalar(5)));
      return;
    }
    case TileOpKind::kSumExperiment: {
      const auto& shape = std::get<std::vector<ir::ExprPtr>>(node.args[2]);
      Line(fmt::format("tl::TileSumRows({}, {}, {}, {}, {});", from(0), from(1), Int(shape[0]),
                       Int(shape[1]), Int(shape[2])));
      return;
    }
    case TileOpKind::kCacheCleanInvalidate:
      Line(fmt::format("DataCacheCleanAndInvalid<{}, CacheLine::{}, DcciDst::{}>({});", type,
                       KeywordAt(node, 1), KeywordAt(node, 2), Start(dst)));
      return;
    default:
      Fail(node.range,
           fmt::format("T.tile.{} has no Ascend C form here", ir::FactsOf(node.op).name));
  }
}

std::string StmtWriter::CountedTile(const Region& region, const ir::ExprPtr& count) {
  // A count that is the region's own size leaves its rows visible, so that strided regions stay
  // right.
  ir::ExprPtr size = ir::MakeInt(1);
  for (const ir::Interval& dim : region.dims) size = ir::Mul(size, dim.extent);
  if (count == nullptr || ir::SameValue(size, count)) return TileText(region);
  const ir::Buffer& buffer = module_.buffer(region.buffer);
  ir::ExprPtr whole = ir::MakeInt(1);
  for (const ir::ExprPtr& extent : buffer.shape) whole = ir::Mul(whole, extent);
  std::vector<ir::ExprPtr> mins;
  for (const ir::Interval& dim : region.dims) mins.push_back(dim.min);
  return fmt::format("tl::Tile<{}>({}, tl::Min<int32_t>({}, {} - ({})))", TypeOf(region.buffer),
                     Start(region), Int(count), Int(whole), exprs_.Offset(region.buffer, mins));
}

}  // namespace hostnpu::tilelang::codegen

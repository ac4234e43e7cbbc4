// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// T.tile.* operations. Each is a call of one function, of tilelang/tile.h or of Ascend C, with the
// operands in some form of their own; the table below says which, in a small notation, and what
// depends on more than the operands' kinds follows it.
#include <fmt/format.h>

#include <string_view>

#include "tilelang/codegen/stmt_writer.h"
#include "tilelang/ir/builder.h"
#include "tilelang/ir/expr.h"
#include "tilelang/passes/place_buffers.h"

namespace hostnpu::tilelang::codegen {
namespace {

using ir::Region;
using ir::TileOpKind;

/// How an operation is written. In the text, N being the number of an operand:
///   $tN  the tile                        $fN    all from the tile's first element on, for
///   $pN  its first element                      instructions that walk by blocks
///   $cN/M  the run of as many elements   $iN    a scalar as an integer
///        as scalar M says                $sN    a scalar in the type of the destination
///   $kN  a keyword                       $sN/M  a scalar in the type of operand M
///   $lN.K  entry K of a list             $T     the destination's type
///   $*   all operands, as t and s        $S     the hidden scratch buffer
/// A newline separates two statements.
struct Form {
  TileOpKind op;
  const char* text;
  const char* with_scalar = nullptr;  ///< where the operand that may be a scalar is one
};
constexpr Form kForms[] = {
    {TileOpKind::kAdd, "tl::TileAdd($*)", "tl::TileAdds($*)"},
    {TileOpKind::kSub, "tl::TileSub($*)", "tl::TileSubs($*)"},
    {TileOpKind::kMul, "tl::TileMul($*)", "tl::TileMuls($*)"},
    {TileOpKind::kDiv, "tl::TileDiv($*)", "tl::TileDivs($*)"},
    {TileOpKind::kMax, "tl::TileMax($*)", "tl::TileMaxs($*)"},
    {TileOpKind::kMin, "tl::TileMin($*)", "tl::TileMins($*)"},
    {TileOpKind::kBitwiseAnd, "tl::TileAnd($*)", "tl::TileAnds($*)"},
    {TileOpKind::kBitwiseOr, "tl::TileOr($*)", "tl::TileOrs($*)"},
    {TileOpKind::kBitwiseXor, "tl::TileXor($*)"},
    {TileOpKind::kBitwiseNot, "tl::TileNot($*)"},
    {TileOpKind::kBitwiseLshift, "tl::TileShiftLeft($t0, $t1, $i2)"},
    {TileOpKind::kBitwiseRshift, "tl::TileShiftRight($t0, $t1, $i2)"},
    {TileOpKind::kExp, "tl::TileExp($*)"},
    {TileOpKind::kLn, "tl::TileLn($*)"},
    {TileOpKind::kAbs, "tl::TileAbs($*)"},
    {TileOpKind::kReciprocal, "tl::TileReciprocal($*)"},
    {TileOpKind::kSqrt, "tl::TileSqrt($*)"},
    {TileOpKind::kRsqrt, "tl::TileRsqrt($*)"},
    {TileOpKind::kRelu, "tl::TileRelu($*)"},
    {TileOpKind::kSin, "tl::TileSin($*)"},
    {TileOpKind::kCos, "tl::TileCos($*)"},
    {TileOpKind::kSigmoid, "tl::TileSigmoid($*)"},
    {TileOpKind::kSilu, "tl::TileSilu($*)"},
    {TileOpKind::kPow, "tl::TilePow($*)"},
    {TileOpKind::kLeakyRelu, "tl::TileLeakyRelu($*)"},
    {TileOpKind::kMulAddDst, "tl::TileMulAddDst($*)"},
    {TileOpKind::kAxpy, "tl::TileAxpy($t0, $t1, $s2/1)"},
    {TileOpKind::kFill, "tl::TileFill($t0, $s1)"},
    {TileOpKind::kCast, "tl::TileCast($c0/3, $c1/3, RoundMode::$k2, deq_scale)"},
    {TileOpKind::kRound, "tl::TileRound($c0/2, $c1/2)"},
    {TileOpKind::kClamp, "tl::TileMaxs($c0/4, $c1/4, $s2)\ntl::TileMins($c0/4, $c0/4, $s3)"},
    {TileOpKind::kClampMax, "tl::TileMins($c0/3, $c1/3, $s2)"},
    {TileOpKind::kClampMin, "tl::TileMaxs($c0/3, $c1/3, $s2)"},
    {TileOpKind::kCompare, "tl::TileCompare($t0, $t1, $t2, CMPMODE::$k3)",
     "tl::TileCompares($t0, $t1, $s2/1, CMPMODE::$k3)"},
    {TileOpKind::kSelect, "tl::TileSelect($t0, $t1, $t2, $t3)",
     "tl::TileSelects($t0, $t1, $t2, $s3)"},
    {TileOpKind::kCreateVecIndex, "tl::TileProgression($t0, $s1, $T(1), 1 << 30)"},
    {TileOpKind::kArithProgression, "tl::TileProgression($f0, $s1, $s2, $i3)"},
    {TileOpKind::kBroadcast, "tl::TileBroadcast($t0, $t1, $i2)"},
    {TileOpKind::kRowExpandMul, "tl::TileRowExpand<tl::RowOperation::kMul>($t0, $t1, $t2, false)"},
    {TileOpKind::kRowExpandMulExperiment,
     "tl::TileRowExpand<tl::RowOperation::kMul>($t0, $t1, $t2, $i3 != 0)"},
    {TileOpKind::kRowExpandSubExperiment,
     "tl::TileRowExpand<tl::RowOperation::kSub>($t0, $t1, $t2, $i3 != 0)"},
    {TileOpKind::kRowExpandDivExperiment,
     "tl::TileRowExpand<tl::RowOperation::kDiv>($t0, $t1, $t2, $i3 != 0)"},
    {TileOpKind::kBrcbExperiment, "tl::TileBrcb($f0, $t1, $i2, $i3, $i4)"},
    {TileOpKind::kGather, "tl::TileGather($t0, $f1, $t2, $i3)"},
    {TileOpKind::kGatherb, "tl::TileGatherb($f0, $f1, $t2, $i3, $i4, $i5)"},
    {TileOpKind::kGatherMaskIndex, "tl::TileGatherIndex($*)"},
    {TileOpKind::kGatherMaskExperiment,
     "tl::TileGatherBits($f0, $f1, $f2, $i3, $i4, $l5.0, $l5.1, $l5.2, $l5.3)"},
    {TileOpKind::kTranspose, "tl::TileTranspose($*)"},
    {TileOpKind::kSort32, "tl::TileSort32($*)"},
    {TileOpKind::kSort, "tl::TileSortPairs($f0, $f1, $i2, tl::RoundUp($i2, 32), $S)"},
    {TileOpKind::kTopk, "tl::TileSortPairs($f0, $f1, $i3, $i2, $S)"},
    {TileOpKind::kMergeSort, "tl::TileMergeSort($*)"},
    {TileOpKind::kInitSortBuf, "tl::TileInitSort($t0, $i1)"},
    {TileOpKind::kBlockReduceMax, "AscendC::BlockReduceMax<$T>($p0, $p1, $i2, $i3, $i4, $i5, $i6)"},
    {TileOpKind::kBlockReduceMin, "AscendC::BlockReduceMin<$T>($p0, $p1, $i2, $i3, $i4, $i5, $i6)"},
    {TileOpKind::kBlockReduceSum, "AscendC::BlockReduceSum<$T>($p0, $p1, $i2, $i3, $i4, $i5, $i6)"},
    {TileOpKind::kWholeReduceMax,
     "AscendC::WholeReduceMax<$T>($p0, $p1, $i2, $i3, $i4, $i5, $i6, ReduceOrder::$k7)"},
    {TileOpKind::kWholeReduceMin,
     "AscendC::WholeReduceMin<$T>($p0, $p1, $i2, $i3, $i4, $i5, $i6, ReduceOrder::$k7)"},
    {TileOpKind::kWholeReduceSum, "AscendC::WholeReduceSum<$T>($p0, $p1, $i2, $i3, $i4, $i5, $i6)"},
    {TileOpKind::kBilinearInterpolation,
     "tl::TileBilinear($f0, $f1, $f2, $f3, $i5, $i6 != 0, $i7, $i8, $i9)"},
    {TileOpKind::kSubExperiment, "tl::TileSub($c0/3, $c1/3, $c2/3)"},
    {TileOpKind::kAbsExperiment, "tl::TileAbs($c0/2, $c1/2)"},
    {TileOpKind::kMinsExperiment, "tl::TileMins($c0/3, $c1/3, $s2)"},
    {TileOpKind::kReduceSumExperiment, "tl::TileSumRows($f0, $f1, 1, $i2, $i2)"},
    {TileOpKind::kReduceSumMaskExperiment, "tl::TileSumMasked($f0, $f1, $i2, $i3, $i4)"},
    {TileOpKind::kFillExperiment,
     "AscendC::Duplicate<$T>($p0, $s1, static_cast<uint64_t>($l2.0), $i3, $i4, $i5)"},
    {TileOpKind::kSumExperiment, "tl::TileSumRows($f0, $f1, $l2.0, $l2.1, $l2.2)"},
    {TileOpKind::kCacheCleanInvalidate,
     "DataCacheCleanAndInvalid<$T, CacheLine::$k1, DcciDst::$k2>($p0)"},
};

const Region& RegionAt(const ir::TileOp& node, size_t i) { return std::get<Region>(node.args[i]); }
const ir::ExprPtr& ScalarAt(const ir::TileOp& node, size_t i) {
  return std::get<ir::ExprPtr>(node.args[i]);
}
const std::string& KeywordAt(const ir::TileOp& node, size_t i) {
  return std::get<std::string>(node.args[i]);
}

/// The table's text for the operands that the node has; null when there is none.
const char* TextOf(const ir::TileOp& node) {
  for (const Form& form : kForms) {
    if (form.op != node.op) continue;
    const auto& operands = ir::FactsOf(node.op).operands;
    for (size_t i = 0; i < node.args.size() && form.with_scalar != nullptr; ++i) {
      const bool may_be_scalar = operands[i].role == ir::OperandRole::kReadOrScalar;
      if (may_be_scalar && !std::holds_alternative<Region>(node.args[i])) return form.with_scalar;
    }
    return form.text;
  }
  return nullptr;
}

/// The number at the front of `text`, which it leaves.
size_t TakeNumber(std::string_view& text) {
  size_t number = 0;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    number = number * 10 + static_cast<size_t>(text.front() - '0');
    text.remove_prefix(1);
  }
  return number;
}

/// The number after `mark` at the front of `text`, or nothing where another character stands.
std::optional<size_t> TakeMarked(std::string_view& text, char mark) {
  if (text.size() < 2 || text[0] != mark || text[1] < '0' || text[1] > '9') return std::nullopt;
  text.remove_prefix(1);
  return TakeNumber(text);
}

}  // namespace

// The run of `count` elements that a region begins; counts may be larger than the region.
std::string StmtWriter::RunText(const Region& region, const ir::ExprPtr& count) {
  ir::ExprPtr size = ir::MakeInt(1);
  for (const ir::ExprPtr& extent : module_.buffer(region.buffer).shape)
    size = ir::Mul(size, extent);
  std::vector<ir::ExprPtr> mins;
  for (const ir::Interval& dim : region.dims) mins.push_back(dim.min);
  return fmt::format("tl::Tile<{}>({}, tl::Min<int32_t>({}, {} - ({})))", TypeOf(region.buffer),
                     Start(region), Int(count), Int(size), exprs_.Offset(region.buffer, mins));
}

std::string StmtWriter::CountedTile(const Region& region, const ir::ExprPtr& count) {
  // A count that is the region's own size leaves its rows visible, so that strided regions stay
  // right.
  return ir::SameValue(ir::CountOf(region), count) ? TileText(region) : RunText(region, count);
}

std::string StmtWriter::AllOperands(const ir::TileOp& node) {
  const ir::DType dtype = module_.buffer(RegionAt(node, 0).buffer).dtype;
  std::string text;
  for (const ir::TileArg& arg : node.args) {
    if (!text.empty()) text += ", ";
    const auto* region = std::get_if<Region>(&arg);
    text += region != nullptr ? TileText(*region) : ScalarText(std::get<ir::ExprPtr>(arg), dtype);
  }
  return text;
}

// One operand in the notation of the table; `rest` begins behind the $ and loses what is read.
std::string StmtWriter::OperandText(const ir::TileOp& node, std::string_view& rest) {
  const char form = rest.front();
  rest.remove_prefix(1);
  if (form == '*') return AllOperands(node);
  if (form == 'S') return std::string(passes::kScratchName);
  if (form == 'T') return TypeOf(RegionAt(node, 0).buffer);
  const size_t i = TakeNumber(rest);
  switch (form) {
    case 't':
      return TileText(RegionAt(node, i));
    case 'f':
      return RunText(RegionAt(node, i), ir::MakeInt(1 << 30));
    case 'p':
      return Start(RegionAt(node, i));
    case 'c':
      return CountedTile(RegionAt(node, i), ScalarAt(node, TakeMarked(rest, '/').value_or(0)));
    case 'k':
      return KeywordAt(node, i);
    case 'l':
      return Int(
          std::get<std::vector<ir::ExprPtr>>(node.args[i])[TakeMarked(rest, '.').value_or(0)]);
    case 's': {
      const size_t like = TakeMarked(rest, '/').value_or(0);
      return ScalarText(ScalarAt(node, i), module_.buffer(RegionAt(node, like).buffer).dtype);
    }
    default:
      return Int(ScalarAt(node, i));
  }
}

void StmtWriter::WriteForm(const ir::TileOp& node, std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '$') {
      line += OperandText(node, text);
    } else if (c == '\n') {
      Line(line + ";");
      line.clear();
    } else {
      line += c;
    }
  }
  Line(line + ";");
}

// An accumulator takes no writer but the cube.
void StmtWriter::WriteFillL0C(const ir::TileOp& node) {
  const Region& dst = RegionAt(node, 0);
  if (ir::ConstantNumber(ScalarAt(node, 1)).value_or(1) != 0) {
    Fail(node.range, "an accumulator in L0C can be filled with 0 only");
    return;
  }
  Line(fmt::format("tl::ClearL0C({}, l0a_stage, l0b_stage, {}, {});", FractalStart(dst),
                   passes::PaddedRows(module_, dst.buffer),
                   passes::PaddedColumns(module_, dst.buffer)));
}

// "P0101" and the like: bit 0 of each group stands last.
void StmtWriter::WriteGatherMask(const ir::TileOp& node) {
  const std::string& pattern = KeywordAt(node, 2);
  const size_t period = pattern.size() - 1;
  uint32_t keep = 0;
  for (size_t i = 0; i < period; ++i) {
    if (pattern[pattern.size() - 1 - i] == '1') keep |= 1u << i;
  }
  WriteForm(node, fmt::format("tl::TileGatherPattern($f0, $t1, {}u, {})", keep, period));
}

void StmtWriter::WriteTileOp(const ir::TileOp& node) {
  const ir::Memory memory = module_.buffer(RegionAt(node, 0).buffer).memory;
  if (node.op == TileOpKind::kFill && memory == ir::Memory::kL0C) {
    WriteFillL0C(node);
  } else if (node.op == TileOpKind::kGatherMask) {
    WriteGatherMask(node);
  } else if (node.op == TileOpKind::kBroadcast && ir::ConstantInt(ScalarAt(node, 2)) == -1) {
    WriteForm(node, "tl::CopyUbToUb($t0, $t1)");
  } else if (const char* text = TextOf(node)) {
    WriteForm(node, text);
  } else {
    Fail(node.range, fmt::format("T.tile.{} has no Ascend C form here", ir::FactsOf(node.op).name));
  }
}

}  // namespace hostnpu::tilelang::codegen

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies and products. The direction follows from the memories; GM sides are clipped to the
// declared shape, on-chip sides never are.
#include <fmt/format.h>

#include "tilelang/codegen/stmt_writer.h"
#include "tilelang/ir/builder.h"
#include "tilelang/ir/expr.h"
#include "tilelang/ir/printer.h"
#include "tilelang/passes/place_buffers.h"

namespace hostnpu::tilelang::codegen {

using ir::Memory;

bool StmtWriter::OpenOuterLoops(ir::Region& a, const Matrix& am, ir::Region& b, const Matrix& bm,
                                int* opened) {
  *opened = 0;
  if (am.outer_dims.empty() && bm.outer_dims.empty()) return true;
  if (am.outer_dims.size() != bm.outer_dims.size()) return false;
  for (size_t i = 0; i < am.outer_dims.size(); ++i) {
    ir::Interval& x = a.dims[static_cast<size_t>(am.outer_dims[i])];
    ir::Interval& y = b.dims[static_cast<size_t>(bm.outer_dims[i])];
    if (!ir::SameValue(x.extent, y.extent)) return false;
    const ir::VarPtr var = ir::MakeVar("outer", ir::DType::kInt32);
    Line(fmt::format("for (int32_t {0} = 0; {0} < {1}; ++{0}) {{", names_.Of(*var), Int(x.extent)));
    indent_ += "  ";
    ++*opened;
    x = {ir::Add(x.min, var), ir::MakeInt(1)};
    y = {ir::Add(y.min, var), ir::MakeInt(1)};
  }
  return true;
}

void StmtWriter::CloseLoops(int opened) {
  for (; opened > 0; --opened) {
    indent_.resize(indent_.size() - 2);
    Line("}");
  }
}

/// All of the last two dimensions: the matrix that L0 holds as fractals of its own.
static bool IsWholeMatrix(const ir::Module& module, const ir::Region& region) {
  const ir::Buffer& buffer = module.buffer(region.buffer);
  for (size_t d = region.dims.size() < 2 ? 0 : region.dims.size() - 2; d < region.dims.size();
       ++d) {
    if (ir::ConstantInt(region.dims[d].min) != 0) return false;
    if (!ir::SameValue(region.dims[d].extent, buffer.shape[d])) return false;
  }
  return true;
}

bool StmtWriter::NeedWholeMatrix(const ir::Region& region, const char* what) {
  if (IsWholeMatrix(module_, region)) return true;
  Fail(region.range,
       fmt::format("{} takes a whole matrix of {}, but {} is a part of '{}'", what,
                   ir::MemoryName(module_.buffer(region.buffer).memory),
                   ir::PrintRegion(module_, region), module_.buffer(region.buffer).name));
  return false;
}

bool StmtWriter::CanTurn(const ir::Region& region, const char* what) {
  const ir::Buffer& buffer = module_.buffer(region.buffer);
  if (ir::DTypeBits(buffer.dtype) == 16) return true;
  Fail(region.range,
       fmt::format("{} transposes a left matrix of float16 or bfloat16, but '{}' is {}", what,
                   buffer.name, ir::DTypeName(buffer.dtype)));
  return false;
}

void StmtWriter::WriteCopy(const ir::Copy& node) {
  const Memory from = module_.buffer(node.src.buffer).memory;
  const Memory to = module_.buffer(node.dst.buffer).memory;
  // The builder could not say so of memories that were inferred after it.
  const bool to_l0 = to == Memory::kL0A || to == Memory::kL0B;
  const char* option = node.enable_relu && from != Memory::kL0C ? "enable_relu"
                       : node.transpose && !to_l0               ? "transpose"
                       : node.pad_value != nullptr && (from != Memory::kGm || to != Memory::kUb)
                           ? "pad_value"
                           : nullptr;
  if (option != nullptr) {
    Fail(node.range, fmt::format("T.copy from {} to {} has no {}", ir::MemoryName(from),
                                 ir::MemoryName(to), option));
    return;
  }
  if (from == Memory::kGm && to == Memory::kUb) {
    WriteGmUb(node, true);
  } else if (from == Memory::kUb && to == Memory::kGm) {
    WriteGmUb(node, false);
  } else if (from == Memory::kUb && to == Memory::kUb) {
    WriteUbUb(node);
  } else if (from == Memory::kGm && to == Memory::kL1) {
    WriteGmToL1(node);
  } else if (from == Memory::kL1 && (to == Memory::kL0A || to == Memory::kL0B)) {
    WriteL1ToL0(node);
  } else if (from == Memory::kL0C && to == Memory::kGm) {
    WriteL0CToGm(node.src, node.dst, node.enable_relu, false);
  } else if ((from == Memory::kL0C && to == Memory::kUb) ||
             (from == Memory::kUb && to == Memory::kL1)) {
    Fail(node.range,
         fmt::format(
             "T.copy from {} to {} needs an automatic workspace, which is not supported yet; "
             "copy through a workspace in global memory",
             ir::MemoryName(from), ir::MemoryName(to)));
  } else {
    Fail(node.range,
         fmt::format("T.copy has no path from {} to {}", ir::MemoryName(from), ir::MemoryName(to)));
  }
}

/// More than there is room for, as far as can be shown.
static bool Exceeds(const ir::ExprPtr& extent, const ir::ExprPtr& room) {
  const auto wanted = ir::ConstantInt(extent);
  const auto have = ir::ConstantInt(room);
  return wanted.has_value() && have.has_value() && *wanted > *have;
}

/// The same number of elements, as far as can be shown.
static bool HoldsAsMany(const ir::Region& a, const ir::Region& b) {
  return ir::SameValue(ir::CountOf(a), ir::CountOf(b));
}

void StmtWriter::WriteGmUb(const ir::Copy& node, bool to_ub) {
  ir::Region gm = to_ub ? node.src : node.dst;
  ir::Region ub = to_ub ? node.dst : node.src;
  if (module_.buffer(gm.buffer).dtype != module_.buffer(ub.buffer).dtype) {
    Fail(node.range,
         fmt::format(
             "T.copy between global memory and UB does not convert: '{}' is {} and '{}' is {}",
             module_.buffer(gm.buffer).name, ir::DTypeName(module_.buffer(gm.buffer).dtype),
             module_.buffer(ub.buffer).name, ir::DTypeName(module_.buffer(ub.buffer).dtype)));
    return;
  }
  Matrix g = AsMatrix(module_, gm);
  Matrix u = AsMatrix(module_, ub);
  // A GM region of one matrix may fill a tile of more dimensions, and the reverse, where the tile
  // is one run.
  int opened = 0;
  const bool paired = OpenOuterLoops(gm, g, ub, u, &opened);
  std::string tile;
  if (!paired) {
    if (!g.outer_dims.empty() || !u.contiguous) {
      Fail(node.range, fmt::format("{} and {} do not pair dimension by dimension",
                                   ir::PrintRegion(module_, gm), ir::PrintRegion(module_, ub)));
      CloseLoops(opened);
      return;
    }
    tile = TileText(ub, g.rows, g.cols, g.cols);
  } else {
    u = AsMatrix(module_, ub);
    const bool same = ir::SameValue(g.rows, u.rows) && ir::SameValue(g.cols, u.cols);
    if (same) {
      tile = TileText(ub, u.rows, u.cols, u.pitch);
    } else if (u.contiguous && (HoldsAsMany(gm, ub) || ir::ConstantInt(u.cols) == 1)) {
      tile = TileText(ub, g.rows, g.cols,
                      g.cols);  // the same elements, seen with the other side's rows
    } else if (!u.contiguous && ir::ConstantInt(u.cols) == 1 && ir::ConstantInt(g.rows) == 1 &&
               ir::SameValue(u.rows, g.cols)) {
      // A row of GM and a column of UB.
      tile = TileText(ub, u.rows, u.cols, u.pitch);
      std::swap(g.rows, g.cols);
      g.row_dim = g.col_dim;
      g.col_dim = -1;
      g.pitch = ir::MakeInt(1);
    } else if (to_ub && !Exceeds(g.rows, u.rows) && !Exceeds(g.cols, u.cols)) {
      tile = TileText(ub, u.rows, u.cols, u.pitch);  // what GM does not give is filled up
    } else if (!to_ub && u.contiguous) {
      tile = TileText(ub, g.rows, g.cols, g.cols);
    } else {
      Fail(node.range, fmt::format("{} and {} have rows of different lengths",
                                   ir::PrintRegion(module_, gm), ir::PrintRegion(module_, ub)));
    }
  }
  const std::string rows = ClipText(gm, g.row_dim, g.rows);
  const std::string cols = ClipText(gm, g.col_dim, g.cols);
  if (to_ub) {
    const ir::DType dtype = module_.buffer(ub.buffer).dtype;
    const std::string pad = node.pad_value == nullptr ? fmt::format("{}(0)", TypeOf(ub.buffer))
                                                      : ScalarText(node.pad_value, dtype);
    Line(fmt::format("tl::CopyGmToUb({}, {}, {}, {}, {}, {});", tile, Start(gm), Int(g.pitch), rows,
                     cols, pad));
  } else {
    Line(fmt::format("tl::CopyUbToGm({}, {}, {}, {}, {});", Start(gm), Int(g.pitch), tile, rows,
                     cols));
  }
  CloseLoops(opened);
}

void StmtWriter::WriteUbUb(const ir::Copy& node) {
  ir::Region src = node.src;
  ir::Region dst = node.dst;
  const Matrix s = AsMatrix(module_, src);
  const Matrix d = AsMatrix(module_, dst);
  int opened = 0;
  const bool loops = s.outer_dims.size() == d.outer_dims.size() && !s.outer_dims.empty() &&
                     OpenOuterLoops(src, s, dst, d, &opened);
  static_cast<void>(loops);
  Line(fmt::format("tl::CopyOrConvert({}, {}, deq_scale);", TileText(dst), TileText(src)));
  CloseLoops(opened);
}

void StmtWriter::WriteGmToL1(const ir::Copy& node) {
  ir::Region gm = node.src;
  ir::Region l1 = node.dst;
  const Matrix g = AsMatrix(module_, gm);
  // In L1 the last two dimensions are the matrix, whatever their extents.
  Matrix l;
  const int rank = static_cast<int>(l1.dims.size());
  for (int d = 0; d < rank - 2; ++d) {
    if (ir::ConstantInt(l1.dims[static_cast<size_t>(d)].extent) != 1) l.outer_dims.push_back(d);
  }
  int opened = 0;
  if (!OpenOuterLoops(gm, g, l1, l, &opened)) {
    Fail(node.range, fmt::format("{} and {} do not pair dimension by dimension",
                                 ir::PrintRegion(module_, gm), ir::PrintRegion(module_, l1)));
    return;
  }
  const std::string rows = ClipText(gm, g.row_dim, g.rows);
  const std::string cols = ClipText(gm, g.col_dim, g.cols);
  const int64_t rows_pad = passes::PaddedRows(module_, l1.buffer);
  const int64_t cols_pad = passes::PaddedColumns(module_, l1.buffer);
  const bool at_start =
      (rank < 2 || ir::ConstantInt(l1.dims[static_cast<size_t>(rank - 2)].min) == 0) &&
      ir::ConstantInt(l1.dims[static_cast<size_t>(rank - 1)].min) == 0;
  std::string clear = "0";
  if (at_start && !(rows == fmt::format("{}", rows_pad) && cols == fmt::format("{}", cols_pad))) {
    clear = fmt::format("({} < {} || {} < {}) ? {} : 0", rows, rows_pad, cols, cols_pad,
                        rows_pad * cols_pad);
  }
  Line(fmt::format("tl::CopyGmToL1({}, {}, {}, {}, {}, {});", NzText(l1), Start(gm), Int(g.pitch),
                   rows, cols, clear));
  CloseLoops(opened);
}

void StmtWriter::WriteL1ToL0(const ir::Copy& node) {
  if (!NeedWholeMatrix(node.dst, "T.copy")) return;
  const ir::Buffer& dst = module_.buffer(node.dst.buffer);
  if (node.transpose && dst.memory == Memory::kL0A && !CanTurn(node.src, "T.copy")) return;
  const size_t rank = dst.shape.size();
  const std::string rows = rank >= 2 ? Int(dst.shape[rank - 2]) : "1";
  const std::string cols = Int(dst.shape[rank - 1]);
  Line(fmt::format("tl::{}({}, {}, {}, {}, {});",
                   dst.memory == Memory::kL0A ? "LoadL0A" : "LoadL0B", FractalStart(node.dst),
                   NzText(node.src), rows, cols, node.transpose ? "true" : "false"));
}

void StmtWriter::WriteL0CToGm(const ir::Region& src, const ir::Region& dst, bool relu,
                              bool atomic) {
  const Matrix g = AsMatrix(module_, dst);
  const size_t rank = src.dims.size();
  bool planes = false;
  for (size_t d = 0; d + 2 < rank; ++d) planes = planes || ir::ConstantInt(src.dims[d].extent) != 1;
  if (!g.outer_dims.empty() || planes) {
    Fail(dst.range,
         fmt::format("{} is not a matrix", ir::PrintRegion(module_, planes ? src : dst)));
    return;
  }
  const int64_t rows_pad = passes::PaddedRows(module_, src.buffer);
  const ir::ExprPtr row = rank >= 2 ? src.dims[rank - 2].min : ir::MakeInt(0);
  const ir::ExprPtr col = src.dims[rank - 1].min;
  if (ir::ConstantInt(col).value_or(0) % 16 != 0) {
    Fail(src.range, fmt::format("{} begins at a column that is not a multiple of 16",
                                ir::PrintRegion(module_, src)));
    return;
  }
  std::string start = FractalStart(src);
  if (ir::ConstantInt(row) != 0 || ir::ConstantInt(col) != 0) {
    start = fmt::format("{}[({}) / 16 * {} + ({}) * 16]", start, Int(col), rows_pad * 16, Int(row));
  }
  const std::string rows = ClipText(dst, g.row_dim, g.rows);
  const std::string cols = ClipText(dst, g.col_dim, g.cols);
  if (atomic) {
    Line(fmt::format("tl::AtomicAddL0CToGm({}, {}, {}, {}, {}, {}, deq_scale);", Start(dst),
                     Int(g.pitch), start, rows_pad, rows, cols));
  } else {
    Line(fmt::format("tl::CopyL0CToGm({}, {}, {}, {}, {}, {}, {}, deq_scale);", Start(dst),
                     Int(g.pitch), start, rows_pad, rows, cols, relu ? "true" : "false"));
  }
}

void StmtWriter::WriteAtomicAdd(const ir::AtomicAdd& node) {
  if (module_.buffer(node.src.buffer).memory == Memory::kL0C) {
    WriteL0CToGm(node.src, node.dst, false, true);
    return;
  }
  ir::Region gm = node.dst;
  ir::Region ub = node.src;
  const Matrix g = AsMatrix(module_, gm);
  const Matrix u = AsMatrix(module_, ub);
  const bool same = ir::SameValue(g.rows, u.rows) && ir::SameValue(g.cols, u.cols);
  if (!g.outer_dims.empty() || (!same && !u.contiguous)) {
    Fail(node.range, fmt::format("{} and {} do not pair", ir::PrintRegion(module_, gm),
                                 ir::PrintRegion(module_, ub)));
    return;
  }
  const std::string tile =
      same ? TileText(ub, u.rows, u.cols, u.pitch) : TileText(ub, g.rows, g.cols, g.cols);
  Line(fmt::format("tl::AtomicAddUbToGm({}, {}, {}, {}, {});", Start(gm), Int(g.pitch), tile,
                   ClipText(gm, g.row_dim, g.rows), ClipText(gm, g.col_dim, g.cols)));
}

void StmtWriter::WriteGemm(const ir::Gemm& node) {
  const char* op = node.mma ? "T.mma" : "T.gemm_v0";
  if (!NeedWholeMatrix(node.c, op)) return;
  if (node.mma && (!NeedWholeMatrix(node.a, op) || !NeedWholeMatrix(node.b, op))) return;
  if (node.transpose_a && !CanTurn(node.a, op)) return;
  const auto extent = [](const ir::Region& region, size_t from_last) {
    return region.dims.size() > from_last ? region.dims[region.dims.size() - 1 - from_last].extent
                                          : ir::MakeInt(1);
  };
  const std::string m = Int(extent(node.c, 1));
  const std::string n = Int(extent(node.c, 0));
  const std::string k = Int(extent(node.a, node.transpose_a ? 1 : 0));
  const std::string init = node.init == nullptr ? "false" : exprs_.Write(node.init);
  if (node.mma) {
    Line(fmt::format("tl::MmaL0({}, {}, {}, {}, {}, {}, {});", FractalStart(node.c),
                     FractalStart(node.a), FractalStart(node.b), m, n, k, init));
    return;
  }
  const std::string type = TypeOf(node.a.buffer);
  Line(
      fmt::format("tl::GemmV0({}, {}, {}, l0a_stage.ReinterpretCast<{}>(), "
                  "l0b_stage.ReinterpretCast<{}>(), {}, {}, "
                  "{}, {}, {}, {});",
                  FractalStart(node.c), NzText(node.a), NzText(node.b), type, type, m, n, k,
                  node.transpose_a ? "true" : "false", node.transpose_b ? "true" : "false", init));
}

void StmtWriter::WriteReduce(const ir::Reduce& node) {
  const ir::Buffer& src = module_.buffer(node.src.buffer);
  const size_t rank = node.src.dims.size();
  ir::ExprPtr rows = rank >= 2 ? node.src.dims[rank - 2].extent : ir::MakeInt(1);
  ir::ExprPtr cols = node.src.dims[rank - 1].extent;
  if (node.real_rows > 0) rows = ir::MakeInt(node.real_rows);
  if (node.real_columns > 0) cols = ir::MakeInt(node.real_columns);
  const char* kind = node.reduce == ir::ReduceKind::kSum   ? "kSum"
                     : node.reduce == ir::ReduceKind::kMax ? "kMax"
                                                           : "kMin";
  const std::string tile = TileText(node.src, rows, cols, src.shape[rank - 1]);
  // The results follow each other, whatever the shape of the destination is called; in a column of
  // a wider tile they follow its pitch.
  const ir::ExprPtr results = node.axis == 0 ? cols : rows;
  const std::string out = AsMatrix(module_, node.dst).contiguous
                              ? fmt::format("tl::Tile<{}>({}, {})", TypeOf(node.dst.buffer),
                                            Start(node.dst), Int(results))
                              : TileText(node.dst);
  Line(fmt::format("tl::{}<tl::ReduceKind::{}>({}, {}, {}, {});",
                   node.axis == 0 ? "ReduceRows" : "ReduceColumns", kind, out, tile,
                   node.clear ? "true" : "false", passes::kScratchName));
}

}  // namespace hostnpu::tilelang::codegen

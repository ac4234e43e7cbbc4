// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Statements become calls of tilelang/tile.h, one line each where it can be, so that the text reads
// as the program did. Control flow and scalars are written as they are; each stream leaves out what
// is not its work.
#include "tilelang/codegen/stmt_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "tilelang/ir/expr.h"
#include "tilelang/ir/printer.h"
#include "tilelang/ir/visitor.h"
#include "tilelang/passes/place_buffers.h"
#include "tilelang/passes/streams.h"

namespace hostnpu::tilelang::codegen {
namespace {

using ir::Memory;

bool IsOne(const ir::ExprPtr& value) { return ir::ConstantInt(value) == 1; }
bool IsZero(const ir::ExprPtr& value) { return ir::ConstantInt(value) == 0; }

/// Whether the elements of a region follow each other in memory.
bool IsOneRun(const ir::Buffer& buffer, const ir::Region& region) {
  bool whole = true;
  for (size_t d = region.dims.size(); d-- > 0;) {
    if (!whole && !IsOne(region.dims[d].extent)) return false;
    whole = whole && ir::SameValue(region.dims[d].extent, buffer.shape[d]);
  }
  return true;
}

/// Whether the value may be another one when it is looked at again.
bool HasLoad(const ir::ExprPtr& value) {
  class Finder : public ir::Visitor {
   public:
    using ir::Visitor::Visit;
    void Visit(const ir::Load&) override { found = true; }
    bool found = false;
  } finder;
  finder.VisitExpr(value);
  return finder.found;
}

}  // namespace

Matrix AsMatrix(const ir::Module& module, const ir::Region& region) {
  const ir::Buffer& buffer = module.buffer(region.buffer);
  const int rank = static_cast<int>(region.dims.size());
  Matrix matrix;
  std::vector<int> active;
  for (int d = 0; d < rank; ++d) {
    if (d == rank - 1 || !IsOne(region.dims[static_cast<size_t>(d)].extent)) active.push_back(d);
  }
  if (active.size() < 2 && rank >= 2 && active.back() != rank - 2)
    active.insert(active.begin(), rank - 2);
  matrix.col_dim = active.back();
  active.pop_back();
  if (!active.empty()) {
    matrix.row_dim = active.back();
    active.pop_back();
  }
  matrix.outer_dims = active;
  matrix.cols = region.dims[static_cast<size_t>(matrix.col_dim)].extent;
  matrix.rows =
      matrix.row_dim < 0 ? ir::MakeInt(1) : region.dims[static_cast<size_t>(matrix.row_dim)].extent;
  matrix.pitch = ir::MakeInt(1);
  for (int d = std::max(matrix.row_dim, 0) + (matrix.row_dim < 0 ? 0 : 1); d < rank; ++d) {
    matrix.pitch = ir::Mul(matrix.pitch, buffer.shape[static_cast<size_t>(d)]);
  }
  matrix.contiguous = IsOneRun(buffer, region);
  return matrix;
}

StmtWriter::StmtWriter(const ir::Module& module, Names& names, ir::Core core, std::string indent)
    : module_(module),
      names_(names),
      core_(core),
      indent_(std::move(indent)),
      exprs_(module, names) {}

base::Result<std::string> StmtWriter::Write(const ir::StmtPtr& body) {
  if (body != nullptr) WriteStmt(body);
  if (error_.has_value()) return std::move(*error_);
  return std::move(out_);
}

void StmtWriter::Line(const std::string& text) { out_ += indent_ + text + "\n"; }

void StmtWriter::Locate(const ir::Stmt& stmt) {
  if (!stmt.range.known() || module_.sources == nullptr) return;
  const std::string location = ir::FormatLocation(*module_.sources, stmt.range);
  if (location == last_location_) return;
  last_location_ = location;
  const size_t slash = location.find_last_of('/');
  Line("// " + (slash == std::string::npos ? location : location.substr(slash + 1)));
}

void StmtWriter::Fail(const ir::SourceRange& range, const std::string& message) {
  if (!error_.has_value()) error_ = ir::ErrorAt(module_, range, message);
}

std::string StmtWriter::TypeOf(ir::BufferId buffer) const {
  return std::string(ir::AscendCType(module_.buffer(buffer).dtype));
}

bool StmtWriter::Belongs(const ir::StmtPtr& stmt) const {
  const passes::Work work = passes::WorkOf(module_, stmt);
  if (!work.any()) return true;
  return core_ == ir::Core::kCube ? work.cube : work.vector;
}

void StmtWriter::WriteBlock(const ir::StmtPtr& body) {
  indent_ += "  ";
  if (body != nullptr) WriteStmt(body);
  indent_.resize(indent_.size() - 2);
}

void StmtWriter::WriteLoop(const ir::VarPtr& var, const ir::ExprPtr& min, const ir::ExprPtr& extent,
                           int64_t step, const ir::StmtPtr& body) {
  const std::string name = names_.Of(*var);
  const std::string type(ir::AscendCType(var->dtype));
  const std::string next =
      step == 1 ? fmt::format("++{}", name) : fmt::format("{} += {}", name, step);
  std::string end = IsZero(min) ? Int(extent) : fmt::format("{} + {}", Int(min), Int(extent));
  std::string begin = fmt::format("{} {} = {}", type, name, Int(min));
  if (HasLoad(min) || HasLoad(extent)) {  // the body may change what the bounds are read from
    const std::string bound = names_.Fresh(name + "_end");
    begin += fmt::format(", {} = {} + {}", bound, name, Int(extent));
    end = bound;
  }
  Line(fmt::format("for ({}; {} < {}; {}) {{", begin, name, end, next));
  WriteBlock(body);
  Line("}");
}

void StmtWriter::WriteStmt(const ir::StmtPtr& stmt) {
  if (error_.has_value() || stmt == nullptr || !Belongs(stmt)) return;
  switch (stmt->kind) {
    case ir::Kind::kSeq:
      for (const ir::StmtPtr& child : ir::To<ir::Seq>(*stmt).stmts) WriteStmt(child);
      return;
    case ir::Kind::kAlloc: {
      const ir::BufferId id = ir::To<ir::Alloc>(*stmt).buffer;
      const ir::Buffer& buffer = module_.buffer(id);
      if (buffer.memory == Memory::kVar) Line(fmt::format("{} {} = 0;", TypeOf(id), names_.Of(id)));
      return;
    }
    case ir::Kind::kScopeBlock: {
      const auto& node = ir::To<ir::ScopeBlock>(*stmt);
      if (node.core != core_) return;
      Line("{");
      WriteBlock(node.body);
      Line("}");
      return;
    }
    case ir::Kind::kFor: {
      const auto& node = ir::To<ir::For>(*stmt);
      WriteLoop(node.var, node.min, node.extent, node.step, node.body);
      return;
    }
    case ir::Kind::kPipelined: {
      const auto& node = ir::To<ir::Pipelined>(*stmt);
      WriteLoop(node.var, node.min, node.extent, 1, node.body);
      return;
    }
    case ir::Kind::kWhile: {
      const auto& node = ir::To<ir::While>(*stmt);
      Line(fmt::format("while ({}) {{", exprs_.Write(node.condition)));
      WriteBlock(node.body);
      Line("}");
      return;
    }
    case ir::Kind::kIf:
      WriteIf(ir::To<ir::If>(*stmt));
      return;
    case ir::Kind::kBreak:
      Line("break;");
      return;
    case ir::Kind::kContinue:
      Line("continue;");
      return;
    case ir::Kind::kBind:
      WriteBind(ir::To<ir::Bind>(*stmt));
      return;
    case ir::Kind::kAssert: {
      const auto& node = ir::To<ir::Assert>(*stmt);
      Line(fmt::format("ascendc_assert({}, \"%s\", {});", exprs_.Write(node.condition),
                       StringLiteral(node.message)));
      return;
    }
    default:
      Locate(*stmt);
      WriteOperation(*stmt);
  }
}

void StmtWriter::WriteOperation(const ir::Stmt& stmt) {
  switch (stmt.kind) {
    case ir::Kind::kCopy:
      WriteCopy(ir::To<ir::Copy>(stmt));
      break;
    case ir::Kind::kGemm:
      WriteGemm(ir::To<ir::Gemm>(stmt));
      break;
    case ir::Kind::kReduce:
      WriteReduce(ir::To<ir::Reduce>(stmt));
      break;
    case ir::Kind::kTileOp:
      WriteTileOp(ir::To<ir::TileOp>(stmt));
      break;
    case ir::Kind::kAtomicAdd:
      WriteAtomicAdd(ir::To<ir::AtomicAdd>(stmt));
      break;
    case ir::Kind::kStore:
      WriteStore(ir::To<ir::Store>(stmt));
      return;
    case ir::Kind::kPrintCall:
      WritePrint(ir::To<ir::PrintCall>(stmt));
      return;
    case ir::Kind::kDump:
      WriteDump(ir::To<ir::Dump>(stmt));
      return;
    case ir::Kind::kSetDeqScale:
      Line(fmt::format("deq_scale = {};", exprs_.Write(ir::To<ir::SetDeqScale>(stmt).scale)));
      return;
    default:
      WriteSync(stmt);
      return;
  }
  if (module_.config.auto_sync) Line("PipeBarrier<PIPE_ALL>();");
}

void StmtWriter::WriteIf(const ir::If& node) {
  if (core_ == ir::Core::kCube && passes::ReadsVectorMemory(module_, node.condition)) {
    Fail(node.range, "the cube core cannot branch on a value in UB");
    return;
  }
  Line(fmt::format("if ({}) {{", exprs_.Write(node.condition)));
  WriteBlock(node.then_body);
  if (node.else_body != nullptr) {
    Line("} else {");
    WriteBlock(node.else_body);
  }
  Line("}");
}

void StmtWriter::WriteBind(const ir::Bind& node) {
  if (core_ == ir::Core::kCube && passes::ReadsVectorMemory(module_, node.value)) return;
  const char* type =
      node.var->dtype == ir::DType::kBool ? "bool" : ir::AscendCType(node.var->dtype).data();
  Line(fmt::format("[[maybe_unused]] const {} {} = {};", type, names_.Of(*node.var),
                   exprs_.Write(node.value)));
}

void StmtWriter::WriteDump(const ir::Dump& node) {
  std::string shape;
  if (!node.shape.empty()) {
    const std::string sizes = names_.Fresh("dump_shape");
    Line(fmt::format("const uint32_t {}[] = {{{}}};", sizes, fmt::join(node.shape, ", ")));
    shape = fmt::format(", ShapeInfo({}, {})", node.shape.size(), sizes);
  }
  Line(fmt::format("DumpTensor({}, {}, static_cast<uint32_t>({}){});", Start(node.tile),
                   node.description, Int(node.count), shape));
}

void StmtWriter::WriteStore(const ir::Store& node) {
  const ir::Buffer& buffer = module_.buffer(node.buffer);
  const std::string value = exprs_.Write(node.value);
  if (core_ == ir::Core::kCube && passes::ReadsVectorMemory(module_, node.value)) return;
  if (buffer.memory == Memory::kVar) {
    Line(fmt::format("{} = {};", names_.Of(node.buffer), value));
    return;
  }
  if (buffer.memory != Memory::kUb && buffer.memory != Memory::kGm) {
    Fail(node.range, fmt::format("an element of '{}' cannot be stored: {} takes whole tiles only",
                                 buffer.name, ir::MemoryName(buffer.memory)));
    return;
  }
  Line(fmt::format("{}.SetValue({}, static_cast<{}>({}));", names_.Of(node.buffer),
                   exprs_.Offset(node.buffer, node.indices), TypeOf(node.buffer), value));
}

void StmtWriter::WritePrint(const ir::PrintCall& node) {
  std::string args;
  for (const ir::ExprPtr& arg : node.args) {
    const std::string text = exprs_.Write(arg);
    args += ", " + (ir::IsFloat(arg->dtype) ? fmt::format("static_cast<float>({})", text) : text);
  }
  Line(fmt::format("AscendC::PRINTF({}{});", StringLiteral(node.format), args));
}

// ---- flags and barriers
// --------------------------------------------------------------------------------

// The hardware has eight ids a pair of pipes and takes the low bits of larger ones.
std::string StmtWriter::EventId(const ir::ExprPtr& flag) {
  const auto value = ir::ConstantInt(flag);
  return value.has_value() ? fmt::format("{}", *value & 7) : fmt::format("({}) & 7", Int(flag));
}

void StmtWriter::WriteSync(const ir::Stmt& stmt) {
  switch (stmt.kind) {
    case ir::Kind::kSetFlag: {
      const auto& node = ir::To<ir::SetFlag>(stmt);
      Line(fmt::format("SetFlag<HardEvent::{}_{}>({});", ir::PipeName(node.src),
                       ir::PipeName(node.dst), EventId(node.flag)));
      return;
    }
    case ir::Kind::kWaitFlag: {
      const auto& node = ir::To<ir::WaitFlag>(stmt);
      Line(fmt::format("WaitFlag<HardEvent::{}_{}>({});", ir::PipeName(node.src),
                       ir::PipeName(node.dst), EventId(node.flag)));
      return;
    }
    case ir::Kind::kPipeBarrier: {
      const ir::Pipe pipe = ir::To<ir::PipeBarrier>(stmt).pipe;
      // The scalar pipe needs none, and the hardware refuses one.
      if (pipe != ir::Pipe::kS) Line(fmt::format("PipeBarrier<PIPE_{}>();", ir::PipeName(pipe)));
      return;
    }
    case ir::Kind::kSetCrossFlag: {
      const auto& node = ir::To<ir::SetCrossFlag>(stmt);
      Line(fmt::format("CrossCoreSetFlag<{}, PIPE_{}>({});", node.mode, ir::PipeName(node.pipe),
                       Int(node.flag)));
      return;
    }
    case ir::Kind::kWaitCrossFlag:
      Line(fmt::format("CrossCoreWaitFlag({});", Int(ir::To<ir::WaitCrossFlag>(stmt).flag)));
      return;
    case ir::Kind::kSyncAll:
      Line("SyncAll<sync_all_aiv_only>();");
      return;
    default:
      Fail(stmt.range, fmt::format("{} has no Ascend C form here", ir::KindName(stmt.kind)));
  }
}

// ---- operands
// ------------------------------------------------------------------------------------------

std::string StmtWriter::Start(const ir::Region& region) {
  std::vector<ir::ExprPtr> mins;
  for (const ir::Interval& dim : region.dims) mins.push_back(dim.min);
  const std::string offset = exprs_.Offset(region.buffer, mins);
  if (offset == "0") return names_.Of(region.buffer);
  if (module_.buffer(region.buffer).memory == Memory::kGm) {
    return fmt::format("{}[static_cast<uint64_t>({})]", names_.Of(region.buffer), offset);
  }
  return fmt::format("{}[{}]", names_.Of(region.buffer), offset);
}

std::string StmtWriter::TileText(const ir::Region& region, const ir::ExprPtr& rows,
                                 const ir::ExprPtr& cols, const ir::ExprPtr& pitch) {
  return fmt::format("tl::Tile<{}>({}, {}, {}, {})", TypeOf(region.buffer), Start(region),
                     Int(rows), Int(cols), Int(pitch));
}

std::string StmtWriter::TileText(const ir::Region& region) {
  const Matrix matrix = AsMatrix(module_, region);
  ir::ExprPtr rows = matrix.rows;
  // Outer dimensions join the rows where they follow each other in memory.
  if (!matrix.outer_dims.empty()) {
    const ir::Buffer& buffer = module_.buffer(region.buffer);
    int inner = matrix.row_dim;
    for (size_t i = matrix.outer_dims.size(); i-- > 0;) {
      const int outer = matrix.outer_dims[i];
      bool joined = true;
      for (int d = outer + 1; d <= inner; ++d) {
        joined = joined && ir::SameValue(region.dims[static_cast<size_t>(d)].extent,
                                         buffer.shape[static_cast<size_t>(d)]);
      }
      if (!joined) {
        Fail(region.range, fmt::format("{} is not a matrix of evenly spaced rows",
                                       ir::PrintRegion(module_, region)));
        return "";
      }
      rows = ir::Mul(rows, region.dims[static_cast<size_t>(outer)].extent);
      inner = outer;
    }
  }
  if (matrix.row_dim < 0 || (matrix.contiguous && IsOne(rows))) {
    return fmt::format("tl::Tile<{}>({}, {})", TypeOf(region.buffer), Start(region),
                       Int(matrix.cols));
  }
  return TileText(region, rows, matrix.cols, matrix.pitch);
}

std::string StmtWriter::ScalarText(const ir::ExprPtr& value, ir::DType dtype) {
  const std::string text = exprs_.Write(value);
  const bool literal = ir::ConstantNumber(value).has_value();
  if (value->dtype == dtype && !literal) return text;
  if (literal) {
    const double number = *ir::ConstantNumber(value);
    if (ir::IsFloat(dtype)) return FloatLiteral(number, dtype);
    if (ir::ConstantInt(value).has_value()) {
      return fmt::format("static_cast<{}>({})", ir::AscendCType(dtype), *ir::ConstantInt(value));
    }
  }
  return fmt::format("tl::Convert<{}>({})", ir::AscendCType(dtype), text);
}

std::string StmtWriter::ClipText(const ir::Region& gm, int dim, const ir::ExprPtr& extent) {
  if (dim < 0) return "1";
  const ir::Interval& interval = gm.dims[static_cast<size_t>(dim)];
  const ir::ExprPtr& size = module_.buffer(gm.buffer).shape[static_cast<size_t>(dim)];
  const auto min = ir::ConstantInt(interval.min);
  const auto whole = ir::ConstantInt(size);
  const auto wanted = ir::ConstantInt(extent);
  if (min.has_value() && *min < 0 && wanted.value_or(1) > 0) {
    Fail(gm.range, fmt::format("{} begins at index {} of dimension {}",
                               ir::PrintRegion(module_, gm), *min, dim));
  }
  if (min.has_value() && whole.has_value() && wanted.has_value() && *min >= 0 &&
      *min + *wanted <= *whole) {
    return fmt::format("{}", *wanted);
  }
  if (ir::SameValue(size, extent) && min == 0) return Int(extent);
  return fmt::format("tl::Clip({}, {}, {})", Int(size), Int(interval.min), Int(extent));
}

std::string StmtWriter::FractalStart(const ir::Region& region) {
  const int rank = static_cast<int>(region.dims.size());
  const int64_t plane =
      passes::PaddedRows(module_, region.buffer) * passes::PaddedColumns(module_, region.buffer);
  std::string offset;
  int64_t stride = plane;
  for (int d = rank - 3; d >= 0; --d) {
    const ir::ExprPtr& min = region.dims[static_cast<size_t>(d)].min;
    if (!IsZero(min))
      offset += fmt::format("{}({}) * {}", offset.empty() ? "" : " + ", Int(min), stride);
    stride *=
        ir::ConstantInt(module_.buffer(region.buffer).shape[static_cast<size_t>(d)]).value_or(1);
  }
  if (offset.empty()) return names_.Of(region.buffer);
  return fmt::format("{}[{}]", names_.Of(region.buffer), offset);
}

std::string StmtWriter::NzText(const ir::Region& region) {
  const size_t rank = region.dims.size();
  const std::string row = rank >= 2 ? Int(region.dims[rank - 2].min) : "0";
  return fmt::format("tl::Nz<{}>{{{}, {}, {}, {}}}", TypeOf(region.buffer), FractalStart(region),
                     passes::PaddedRows(module_, region.buffer), row,
                     Int(region.dims[rank - 1].min));
}

}  // namespace hostnpu::tilelang::codegen

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_CODEGEN_STMT_WRITER_H_
#define HOSTNPU_TILELANG_CODEGEN_STMT_WRITER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilelang/codegen/text.h"
#include "tilelang/ir/module.h"

namespace hostnpu::tilelang::codegen {

/// A region as a matrix: the last two dimensions that are not of extent 1 (the last one always
/// counts).
struct Matrix {
  int row_dim = -1;  ///< -1: one row
  int col_dim = -1;
  std::vector<int> outer_dims;  ///< other dimensions with an extent other than 1, outermost first
  ir::ExprPtr rows;
  ir::ExprPtr cols;
  ir::ExprPtr pitch;        ///< elements from row to row
  bool contiguous = false;  ///< known while writing: all elements of the region are one run
};
Matrix AsMatrix(const ir::Module& module, const ir::Region& region);

/// Writes the body of one instruction stream.
class StmtWriter {
 public:
  StmtWriter(const ir::Module& module, Names& names, ir::Core core, std::string indent);

  /// The text, or the first error.
  base::Result<std::string> Write(const ir::StmtPtr& body);

  /// Whether the stream has use for the statement.
  bool Belongs(const ir::StmtPtr& stmt) const;

 private:
  void WriteStmt(const ir::StmtPtr& stmt);
  void WriteBlock(const ir::StmtPtr& body);
  void WriteLoop(const ir::VarPtr& var, const ir::ExprPtr& min, const ir::ExprPtr& extent,
                 int64_t step, const ir::StmtPtr& body);
  void WriteStore(const ir::Store& node);
  void WriteCopy(const ir::Copy& node);
  void WriteGmUb(const ir::Copy& node, bool to_ub);
  void WriteUbUb(const ir::Copy& node);
  void WriteGmToL1(const ir::Copy& node);
  void WriteL1ToL0(const ir::Copy& node);
  void WriteL0CToGm(const ir::Region& src, const ir::Region& dst, bool relu, bool atomic);
  void WriteAtomicAdd(const ir::AtomicAdd& node);
  void WriteGemm(const ir::Gemm& node);
  void WriteReduce(const ir::Reduce& node);
  void WriteTileOp(const ir::TileOp& node);
  void WriteForm(const ir::TileOp& node, std::string_view text);
  void WriteFillL0C(const ir::TileOp& node);
  void WriteGatherMask(const ir::TileOp& node);
  std::string OperandText(const ir::TileOp& node, std::string_view& rest);
  std::string AllOperands(const ir::TileOp& node);
  void WriteOperation(const ir::Stmt& stmt);
  void WriteIf(const ir::If& node);
  void WriteBind(const ir::Bind& node);
  void WriteDump(const ir::Dump& node);
  void WriteSync(const ir::Stmt& stmt);
  void WritePrint(const ir::PrintCall& node);

  // One line of code, with the indent and the source location where that changes.
  void Line(const std::string& text);
  void Locate(const ir::Stmt& stmt);
  void Fail(const ir::SourceRange& range, const std::string& message);

  std::string Int(const ir::ExprPtr& expr) { return exprs_.Write(expr); }
  std::string EventId(const ir::ExprPtr& flag);
  std::string TypeOf(ir::BufferId buffer) const;
  /// `name[offset of the region's first element]`.
  std::string Start(const ir::Region& region);
  std::string TileText(const ir::Region& region);
  std::string TileText(const ir::Region& region, const ir::ExprPtr& rows, const ir::ExprPtr& cols,
                       const ir::ExprPtr& pitch);
  /// The run of `count` elements that a region begins, as far as its buffer goes.
  std::string RunText(const ir::Region& region, const ir::ExprPtr& count);
  /// The region itself when it has `count` elements, or that run.
  std::string CountedTile(const ir::Region& region, const ir::ExprPtr& count);
  std::string NzText(const ir::Region& region);
  std::string FractalStart(const ir::Region& region);
  std::string ClipText(const ir::Region& gm, int dim, const ir::ExprPtr& extent);
  std::string ScalarText(const ir::ExprPtr& value, ir::DType dtype);
  /// Loops over outer dimensions that both sides have; their mins move along.
  bool OpenOuterLoops(ir::Region& a, const Matrix& am, ir::Region& b, const Matrix& bm,
                      int* opened);
  void CloseLoops(int opened);
  /// An error for a part of a matrix in L0, which no instruction finds.
  bool NeedWholeMatrix(const ir::Region& region, const char* what);
  /// Whether L0A can take the transpose of a matrix; an error where its type has none.
  bool CanTurn(const ir::Region& region, const char* what);

  const ir::Module& module_;
  Names& names_;
  ir::Core core_;
  std::string indent_;
  ExprWriter exprs_;
  std::string out_;
  std::string last_location_;
  std::optional<base::Error> error_;
};

}  // namespace hostnpu::tilelang::codegen

#endif  // HOSTNPU_TILELANG_CODEGEN_STMT_WRITER_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_IR_BUILDER_H_
#define HOSTNPU_TILELANG_IR_BUILDER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "tilelang/ir/module.h"

namespace hostnpu::tilelang::ir {

/// A tile as the program wrote it: `buf`, `buf[i, j]` or `buf[a:b, c]`. The builder turns it into a
/// Region, by rules that differ from operation to operation.
struct TileRef {
  enum class Form : uint8_t { kWhole, kElement, kSlices };
  BufferId buffer = kNoBuffer;
  Form form = Form::kWhole;
  std::vector<Interval> dims{};  ///< kElement: extent null; kSlices: extent given, 1 for an index
};

/// One argument of an operation, before its rules are applied.
using Operand = std::variant<TileRef, ExprPtr, std::string, std::vector<ExprPtr>>;

/// Which Python exception an error of the builder corresponds to; programs catch these.
enum class Raise : uint8_t { kAssertion, kValue, kType, kUnsupported, kSyntax };

/// The last error in parts: the front end adds the place and renders it.
struct Diagnostic {
  Raise raise = Raise::kValue;
  std::string message{};
  std::vector<Note> notes{};
  std::string help{};
};

/// Builds one Module, statement by statement, and checks each against the rules of the language.
/// One builder, one kernel, one thread. Operations are made (`Copy`, `TileOp`, ...) and then
/// emitted, because a program may choose among made ones; allocations and bindings are emitted at
/// once.
///
/// Every function that fails returns the sentence as an Error and keeps the parts in
/// `diagnostic()`.
class Builder {
 public:
  Builder(std::string name, std::shared_ptr<SourceMap> sources);

  /// The range given to the nodes made from now on.
  void SetRange(const SourceRange& range) { range_ = range; }
  const SourceRange& range() const { return range_; }
  const Diagnostic& diagnostic() const { return diagnostic_; }
  const Module& module() const { return module_; }
  SourceMap& sources() { return *sources_; }

  // The signature, in order.
  base::Result<BufferId> AddTensor(std::string name, DType dtype, std::vector<ExprPtr> shape);
  base::Result<ExprPtr> AddScalar(std::string name, DType dtype);

  // The launch. Statements made before it run at the start of each block.
  base::Result<void> BeginKernel(std::vector<ExprPtr> blocks, int threads);
  ExprPtr cid() const { return module_.launch.cid; }
  ExprPtr vid() const { return module_.launch.vid; }
  void SetLaunchNames(const std::string& cid, const std::string& vid);
  bool in_kernel() const { return module_.launch.blocks != nullptr; }

  // Buffers.
  base::Result<BufferId> Alloc(std::string name, std::vector<ExprPtr> shape, DType dtype,
                               Memory memory);
  /// A mutable scalar; `init` may be null.
  base::Result<BufferId> AllocVar(std::string name, DType dtype, const ExprPtr& init);
  base::Result<BufferId> AllocWorkspace(std::string name, std::vector<ExprPtr> shape, DType dtype,
                                        bool per_block, InitialContents init, double init_value);
  /// From here on `dst` means the storage of `src` seen as `dtype` (T.reinterpretcast).
  base::Result<void> Reinterpret(BufferId dst, const TileRef& src, DType dtype);
  /// The storage of `buffer` under another shape or dtype (T.view, T.reshape).
  base::Result<BufferId> View(BufferId buffer, std::vector<ExprPtr> shape, DType dtype);
  base::Result<void> SetAddress(BufferId buffer, int64_t offset_bytes);
  base::Result<void> SetLayout(BufferId buffer, Layout layout);
  void Rename(BufferId buffer, std::string name) {
    module_.buffer(Resolve(buffer)).name = std::move(name);
  }
  /// The buffer that a name of the program means now, after reinterpretcast.
  BufferId Resolve(BufferId buffer) const;

  // Expressions.
  /// Evaluates `value` here, once; literals and variables come back as they are.
  ExprPtr Bind(const std::string& name, const ExprPtr& value);
  /// A variable of `dtype` bound to `value` even when it is a literal.
  ExprPtr BindTyped(const std::string& name, DType dtype, const ExprPtr& value);
  base::Result<ExprPtr> Load(BufferId buffer, std::vector<ExprPtr> indices);
  /// `buf[a:b, c]`; a stop of null means the end, an index has `is_index`.
  struct Subscript {
    ExprPtr start{};
    ExprPtr stop{};
    bool is_index = false;
  };
  base::Result<TileRef> Slice(BufferId buffer, const std::vector<Subscript>& subscripts);

  // Blocks. `Open` begins a block, the matching `Close...` makes the statement of it and emits it.
  void Open() { blocks_.emplace_back(); }
  StmtPtr Close();
  base::Result<void> CloseFor(const ExprPtr& var, const ExprPtr& min, const ExprPtr& stop,
                              int64_t step);
  base::Result<void> ClosePipelined(const ExprPtr& var, const ExprPtr& min, const ExprPtr& stop,
                                    int64_t num_stages, int64_t cross_interval);
  base::Result<void> CloseParallel(const std::vector<ExprPtr>& vars,
                                   const std::vector<ExprPtr>& extents);
  base::Result<void> CloseWhile(const ExprPtr& condition);
  void OpenScope(Core core);
  void CloseScope();
  /// `then_body` and `else_body` as Close gave them.
  void EmitIf(const ExprPtr& condition, StmtPtr then_body, StmtPtr else_body);
  void Emit(StmtPtr stmt);
  void OpenLoop(bool parallel);
  base::Result<StmtPtr> LoopExit(bool is_break);

  // Operations; builder_copy.cc, builder_tile.cc.
  base::Result<StmtPtr> Copy(const Operand& src, const Operand& dst, bool enable_relu,
                             bool transpose, const ExprPtr& pad_value);
  base::Result<StmtPtr> Gemm(const Operand& a, const Operand& b, const Operand& c, bool transpose_a,
                             bool transpose_b, const ExprPtr& init, bool mma);
  base::Result<StmtPtr> AtomicAdd(const Operand& dst, const Operand& src);
  base::Result<StmtPtr> Tile(std::string_view name, const std::vector<Operand>& args);
  base::Result<StmtPtr> Reduce(std::string_view kind, const Operand& src, const Operand& dst,
                               int dim, bool clear, std::optional<std::vector<int64_t>> real_shape);
  base::Result<StmtPtr> Store(const TileRef& element, const ExprPtr& value);

  // Synchronisation and output.
  base::Result<StmtPtr> Flag(bool set, std::string_view src, std::string_view dst,
                             const ExprPtr& flag);
  base::Result<StmtPtr> Barrier(std::string_view pipe);
  base::Result<StmtPtr> CrossFlag(bool set, std::string_view pipe, const ExprPtr& flag, int mode);
  StmtPtr SyncAll();
  StmtPtr SetDeqScale(const ExprPtr& scale);
  StmtPtr Print(std::string format, std::vector<ExprPtr> args);
  base::Result<StmtPtr> Dump(const Operand& tile, int64_t description, const ExprPtr& count,
                             std::vector<int64_t> shape);
  StmtPtr Assert(const ExprPtr& condition, std::string message);

  /// The finished module, validated. The builder is spent.
  base::Result<Module> Finish(const PassConfig& config);

  /// Records the parts and returns the sentence as an Error.
  base::Error Fail(Raise raise, std::string message, std::vector<Note> notes = {},
                   std::string help = {});
  /// "'A_L1' is allocated here with shape (64, 64) and type float16".
  Note AboutBuffer(BufferId buffer) const;

 private:
  base::Result<void> CheckShape(const std::string& name, std::vector<ExprPtr>& shape);
  void CollectSymbols(const std::vector<ExprPtr>& shape);
  base::Result<Region> TileRegion(const Operand& operand, std::string_view op,
                                  std::string_view role);
  /// An error for a part of a buffer on the chip that is known to leave it: what stands there is a
  /// neighbour's. Global memory is clipped, or known by its real size when the kernel runs.
  base::Result<void> CheckInside(BufferId buffer, const std::vector<Interval>& dims);
  base::Result<void> CheckCore(Core core, std::string_view op);
  base::Result<std::pair<Region, Region>> CopyRegions(const TileRef& src, const TileRef& dst,
                                                      bool transpose);
  base::Result<void> CheckCopyShapes(const Region& src, const Region& dst, bool both_whole,
                                     bool transpose);
  base::Result<void> CheckCopyTypes(const ir::Copy& copy);
  base::Result<Region> MatrixOperand(const Operand& operand, std::string_view op,
                                     std::string_view role);
  base::Result<std::vector<TileArg>> TileArgs(const TileOpFacts& facts,
                                              const std::vector<Operand>& args);
  base::Result<TileArg> TileArgument(const TileOpFacts& facts, size_t index, const Operand& operand,
                                     const std::vector<TileArg>& before);
  base::Result<void> CheckTileRule(const TileOpFacts& facts, const std::vector<TileArg>& args);
  base::Result<void> CheckTileOp(ir::TileOp& op);
  base::Result<void> ResolveBroadcast(ir::TileOp& op);
  base::Result<void> CheckReduceShapes(const ir::Reduce& reduce, int dim, bool has_real_shape);
  std::string Describe(const Region& region) const;

  Module module_;
  std::shared_ptr<SourceMap> sources_;
  SourceRange range_{};
  Diagnostic diagnostic_{};
  std::vector<std::vector<StmtPtr>> blocks_;
  std::vector<Core> scopes_;
  std::vector<bool> loops_;  ///< one per open loop; true for Parallel
  std::map<BufferId, BufferId> renamed_;
};

/// Element count of a region, 1 for an empty list.
ExprPtr CountOf(const Region& region);

}  // namespace hostnpu::tilelang::ir

#endif  // HOSTNPU_TILELANG_IR_BUILDER_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_IR_NODE_H_
#define HOSTNPU_TILELANG_IR_NODE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/check.h"
#include "tilelang/ir/source_range.h"
#include "tilelang/ir/type.h"

/// The immutable tree. A node never changes after construction; a pass builds new nodes along the
/// path of a change and shares the rest, so "nothing changed" is pointer equality. A buffer is not
/// a node: nodes name it by BufferId, and its facts (memory, shape, address) stand once, in
/// Module::buffers (module.h), so that a pass which learns a buffer's memory touches the table and
/// no node.
namespace hostnpu::tilelang::ir {

enum class Kind : uint8_t {
#define HOSTNPU_NODE(name, base, meaning) k##name,
#include "tilelang/ir/nodes.def"
#undef HOSTNPU_NODE
};

/// "Copy", for the printer and for messages.
std::string_view KindName(Kind kind);

/// Index into Module::buffers.
enum class BufferId : uint32_t {};
inline constexpr BufferId kNoBuffer = static_cast<BufferId>(0xffffffff);

struct Node {
  Kind kind;
  SourceRange range{};

 protected:
  explicit Node(Kind node_kind) : kind(node_kind) {}
};

struct Expr : Node {
  DType dtype = DType::kInt32;

 protected:
  explicit Expr(Kind node_kind) : Node(node_kind) {}
};

struct Stmt : Node {
 protected:
  explicit Stmt(Kind node_kind) : Node(node_kind) {}
};

using ExprPtr = std::shared_ptr<const Expr>;
using StmtPtr = std::shared_ptr<const Stmt>;

#define HOSTNPU_NODE(name, base, meaning) struct name;
#include "tilelang/ir/nodes.def"
#undef HOSTNPU_NODE

/// Gives a node type its kind: `struct Copy : NodeOf<Stmt, Kind::kCopy> { ... };`
template <typename Base, Kind kKindOfNode>
struct NodeOf : Base {
  static constexpr Kind kKind = kKindOfNode;
  NodeOf() : Base(kKindOfNode) {}
};

/// The node as T, or nullptr if it is another kind (or null).
template <typename T>
const T* As(const Node* node) {
  return node != nullptr && node->kind == T::kKind ? static_cast<const T*>(node) : nullptr;
}
template <typename T, typename P>
const T* As(const std::shared_ptr<const P>& node) {
  return As<T>(node.get());
}

/// The node as T; the caller knows its kind.
template <typename T>
const T& To(const Node& node) {
  HOSTNPU_CHECK(node.kind == T::kKind);
  return static_cast<const T&>(node);
}

// ---------------------------------------------------------------------------------------------------
// Operators

enum class BinaryOp : uint8_t {
#define HOSTNPU_BINARY_OP(name, symbol, result) k##name,
#include "tilelang/ir/binary_ops.def"
#undef HOSTNPU_BINARY_OP
};
std::string_view BinarySymbol(BinaryOp op);
bool YieldsBool(BinaryOp op);

enum class UnaryOp : uint8_t { kNegate, kBitNot, kNot };

enum class MathFunction : uint8_t {
#define HOSTNPU_MATH_FUNCTION(name, text, arity, integers) k##name,
#include "tilelang/ir/math_functions.def"
#undef HOSTNPU_MATH_FUNCTION
};
std::string_view MathFunctionName(MathFunction function);

enum class TileOpKind : uint8_t {
#define HOSTNPU_TILE_OP(name, text, operands, rule) k##name,
#include "tilelang/ir/tile_ops.def"
#undef HOSTNPU_TILE_OP
};
inline constexpr size_t kTileOpCount =
#define HOSTNPU_TILE_OP(name, text, operands, rule) +1
#include "tilelang/ir/tile_ops.def"
#undef HOSTNPU_TILE_OP
    ;

enum class TileRule : uint8_t { kSame, kTyped, kFree };

/// What one operand of a tile operation is; the letters of tile_ops.def.
enum class OperandRole : char {
  kWrite = 'w',
  kUpdate = 'm',
  kRead = 'r',
  kReadOrScalar = 'v',
  kScalar = 's',
  kKeyword = 'k',
  kGlobal = 'g',
  kFlag = 'b',
  kScalars = 'n',
};

struct TileOperand {
  OperandRole role;
  bool optional;
};

/// One row of tile_ops.def.
struct TileOpFacts {
  std::string_view name;  ///< as in T.tile.<name>
  std::vector<TileOperand> operands;
  TileRule rule;
};
const TileOpFacts& FactsOf(TileOpKind op);
std::optional<TileOpKind> FindTileOp(std::string_view name);

// ---------------------------------------------------------------------------------------------------
// Expressions

struct IntImm : NodeOf<Expr, Kind::kIntImm> {
  int64_t value = 0;
};

struct FloatImm : NodeOf<Expr, Kind::kFloatImm> {
  double value = 0;
};

/// Identity is `id`, unique in the process; the name is for people and may repeat.
struct Var : NodeOf<Expr, Kind::kVar> {
  uint64_t id = 0;
  std::string name;
};
using VarPtr = std::shared_ptr<const Var>;

struct Unary : NodeOf<Expr, Kind::kUnary> {
  UnaryOp op = UnaryOp::kNegate;
  ExprPtr value;
};

struct Binary : NodeOf<Expr, Kind::kBinary> {
  BinaryOp op = BinaryOp::kAdd;
  ExprPtr lhs;
  ExprPtr rhs;  ///< of the same dtype as lhs
};

struct Cast : NodeOf<Expr, Kind::kCast> {
  ExprPtr value;
};

struct Bitcast : NodeOf<Expr, Kind::kBitcast> {
  ExprPtr value;
};

struct MathCall : NodeOf<Expr, Kind::kMathCall> {
  MathFunction function = MathFunction::kAbs;
  std::vector<ExprPtr> args;
};

struct Select : NodeOf<Expr, Kind::kSelect> {
  ExprPtr condition;
  ExprPtr if_true;
  ExprPtr if_false;
  bool lazy = true;  ///< T.if_then_else and `a if c else b`; false: T.Select
};

struct Load : NodeOf<Expr, Kind::kLoad> {
  BufferId buffer = kNoBuffer;
  std::vector<ExprPtr> indices;  ///< one per dimension
};

struct Address : NodeOf<Expr, Kind::kAddress> {
  BufferId buffer = kNoBuffer;
};

// ---------------------------------------------------------------------------------------------------
// Regions and operands

/// [min, min + extent) of one dimension.
struct Interval {
  ExprPtr min;
  ExprPtr extent;
};

/// A rectangular part of a buffer, every dimension given. The builder has resolved `buf`, `buf[i,
/// j]` and `buf[a:b, c]` to this one form (spec section 7.1).
struct Region {
  BufferId buffer = kNoBuffer;
  std::vector<Interval> dims;
  SourceRange range{};
};

/// One operand of a TileOp: which of them stands in tile_ops.def.
using TileArg = std::variant<Region, ExprPtr, std::string, std::vector<ExprPtr>>;

// ---------------------------------------------------------------------------------------------------
// Statements

struct Seq : NodeOf<Stmt, Kind::kSeq> {
  std::vector<StmtPtr> stmts;
};

struct Bind : NodeOf<Stmt, Kind::kBind> {
  VarPtr var;
  ExprPtr value;
};

/// Says where a buffer's life begins; shape and memory stand in the table.
struct Alloc : NodeOf<Stmt, Kind::kAlloc> {
  BufferId buffer = kNoBuffer;
};

struct Store : NodeOf<Stmt, Kind::kStore> {
  BufferId buffer = kNoBuffer;
  std::vector<ExprPtr> indices;
  ExprPtr value;  ///< already of the buffer's dtype
};

struct For : NodeOf<Stmt, Kind::kFor> {
  VarPtr var;
  ExprPtr min;
  ExprPtr extent;    ///< no turn when <= 0
  int64_t step = 1;  ///< > 0
  StmtPtr body;
};

struct Pipelined : NodeOf<Stmt, Kind::kPipelined> {
  VarPtr var;
  ExprPtr min;
  ExprPtr extent;
  int64_t num_stages = 0;
  int64_t cross_interval = 1;
  StmtPtr body;
};

struct Parallel : NodeOf<Stmt, Kind::kParallel> {
  std::vector<VarPtr> vars;      ///< one or two
  std::vector<ExprPtr> extents;  ///< one each; the first value is 0
  StmtPtr body;
};

struct While : NodeOf<Stmt, Kind::kWhile> {
  ExprPtr condition;
  StmtPtr body;
};

struct If : NodeOf<Stmt, Kind::kIf> {
  ExprPtr condition;
  StmtPtr then_body;
  StmtPtr else_body;  ///< null when there is none
};

struct Break : NodeOf<Stmt, Kind::kBreak> {};
struct Continue : NodeOf<Stmt, Kind::kContinue> {};

struct ScopeBlock : NodeOf<Stmt, Kind::kScopeBlock> {
  Core core = Core::kCube;
  StmtPtr body;
};

struct Copy : NodeOf<Stmt, Kind::kCopy> {
  Region src;
  Region dst;
  bool enable_relu = false;  ///< L0C to GM only
  bool transpose = false;    ///< L1 to L0A or L0B only
  ExprPtr pad_value;         ///< GM to UB: fills what the source does not cover; null: 0
};

struct Gemm : NodeOf<Stmt, Kind::kGemm> {
  Region a;
  Region b;
  Region c;
  bool transpose_a = false;
  bool transpose_b = false;
  ExprPtr init;      ///< bool: c starts at 0; may be known only at run time
  bool mma = false;  ///< a and b are L0A and L0B (T.mma), else L1 (T.gemm_v0)
};

struct TileOp : NodeOf<Stmt, Kind::kTileOp> {
  TileOpKind op = TileOpKind::kAdd;
  std::vector<TileArg> args;  ///< by the operand list of FactsOf(op)
};

enum class ReduceKind : uint8_t { kSum, kMax, kMin };

struct Reduce : NodeOf<Stmt, Kind::kReduce> {
  ReduceKind reduce = ReduceKind::kSum;
  Region src;
  Region dst;
  int axis = 0;  ///< of the trailing tile of two: 0 over rows, 1 over columns; 1-D sources use 1
  bool clear = true;         ///< false: merged with what dst held
  int64_t real_rows = 0;     ///< 0: all (real_shape); counted on the trailing tile of two
  int64_t real_columns = 0;  ///< 0: all
};

struct AtomicAdd : NodeOf<Stmt, Kind::kAtomicAdd> {
  Region dst;  ///< GM
  Region src;  ///< UB or L0C
};

struct SetDeqScale : NodeOf<Stmt, Kind::kSetDeqScale> {
  ExprPtr scale;  ///< float32
};

/// Pipes as T.set_flag names them, and kAll for barrier_all.
enum class Pipe : uint8_t { kFix, kMte1, kMte2, kMte3, kM, kV, kS, kAll };
std::string_view PipeName(Pipe pipe);
std::optional<Pipe> FindPipe(std::string_view name);  ///< any case, with or without "PIPE_"

struct SetFlag : NodeOf<Stmt, Kind::kSetFlag> {
  Pipe src = Pipe::kS;
  Pipe dst = Pipe::kS;
  ExprPtr flag;
};

struct WaitFlag : NodeOf<Stmt, Kind::kWaitFlag> {
  Pipe src = Pipe::kS;
  Pipe dst = Pipe::kS;
  ExprPtr flag;
};

struct PipeBarrier : NodeOf<Stmt, Kind::kPipeBarrier> {
  Pipe pipe = Pipe::kAll;
};

struct SetCrossFlag : NodeOf<Stmt, Kind::kSetCrossFlag> {
  Pipe pipe = Pipe::kFix;
  ExprPtr flag;
  int mode = 2;  ///< 0: all cores of the kind; 1: the AIVs of a block; 2: AIC and its AIVs
};

struct WaitCrossFlag : NodeOf<Stmt, Kind::kWaitCrossFlag> {
  ExprPtr flag;
  std::optional<Pipe> pipe;
};

struct SyncAll : NodeOf<Stmt, Kind::kSyncAll> {};

struct PrintCall : NodeOf<Stmt, Kind::kPrintCall> {
  std::string format;  ///< C format, escapes already resolved
  std::vector<ExprPtr> args;
};

struct Dump : NodeOf<Stmt, Kind::kDump> {
  Region tile;
  uint32_t description = 0;
  ExprPtr count;
  std::vector<int64_t> shape;
};

struct Assert : NodeOf<Stmt, Kind::kAssert> {
  ExprPtr condition;
  std::string message;
};

// ---------------------------------------------------------------------------------------------------
// Making nodes

/// A new node of type T at `range`, filled by `fill(T&)`: the only moment a node may be written.
template <typename T, typename Fill>
std::shared_ptr<const T> Make(const SourceRange& range, Fill&& fill) {
  auto node = std::make_shared<T>();
  node->range = range;
  std::forward<Fill>(fill)(*node);
  return node;
}

/// A copy of `node` changed by `change(T&)`.
template <typename T, typename Change>
std::shared_ptr<const T> With(const T& node, Change&& change) {
  auto copy = std::make_shared<T>(node);
  std::forward<Change>(change)(*copy);
  return copy;
}

/// A statement list as one statement at the range of the first.
StmtPtr MakeSeq(std::vector<StmtPtr> stmts, const SourceRange& range = {});

/// A fresh variable; the name is for people.
VarPtr MakeVar(std::string name, DType dtype, const SourceRange& range = {});

}  // namespace hostnpu::tilelang::ir

#endif  // HOSTNPU_TILELANG_IR_NODE_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The structure of a kernel: signature, launch, buffers, blocks. The rules of the operations stand
// in builder_copy.cc and builder_tile.cc.
#include "tilelang/ir/builder.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "tilelang/ir/expr.h"
#include "tilelang/ir/printer.h"
#include "tilelang/ir/validator.h"
#include "tilelang/ir/visitor.h"

namespace hostnpu::tilelang::ir {
namespace {

/// Symbols in order of appearance: the variables of a shape that are not scalar parameters.
class SymbolFinder : public Visitor {
 public:
  using Visitor::Visit;
  void Visit(const Var& node) override {
    for (const uint64_t id : ids_) {
      if (id == node.id) return;
    }
    ids_.push_back(node.id);
    found_.push_back(&node);
  }
  const std::vector<const Var*>& found() const { return found_; }

 private:
  std::vector<uint64_t> ids_;
  std::vector<const Var*> found_;
};

bool IsAtom(const ExprPtr& value) {
  return value->kind == Kind::kIntImm || value->kind == Kind::kFloatImm ||
         value->kind == Kind::kVar;
}

}  // namespace

Builder::Builder(std::string name, std::shared_ptr<SourceMap> sources)
    : sources_(std::move(sources)) {
  module_.name = std::move(name);
  module_.sources = sources_;
  blocks_.emplace_back();
}

base::Error Builder::Fail(Raise raise, std::string message, std::vector<Note> notes,
                          std::string help) {
  diagnostic_ = {raise, message, std::move(notes), std::move(help)};
  return base::Error{.code = base::Code::kInvalidArgument, .message = std::move(message)};
}

Note Builder::AboutBuffer(BufferId id) const {
  const Buffer& buffer = module_.buffer(id);
  const bool declared = buffer.kind == BufferKind::kParam;
  return {buffer.range, fmt::format("'{}' is {} here with shape {} and type {}", buffer.name,
                                    declared ? "declared" : "allocated", PrintShape(buffer.shape),
                                    DTypeName(buffer.dtype))};
}

BufferId Builder::Resolve(BufferId buffer) const {
  const auto found = renamed_.find(buffer);
  return found == renamed_.end() ? buffer : found->second;
}

base::Result<void> Builder::CheckShape(const std::string& name, std::vector<ExprPtr>& shape) {
  if (shape.empty()) return Fail(Raise::kValue, fmt::format("'{}' has no dimension", name));
  constexpr int64_t kMostElements = int64_t{1} << 59;  // sizes in bits still fit 64 of them
  int64_t elements = 1;
  bool too_many = false;
  for (ExprPtr& size : shape) {
    if (IsFloat(size->dtype)) {
      return Fail(Raise::kType, fmt::format("'{}' has the size {}, which is not an integer", name,
                                            PrintExpr(size)));
    }
    size = Simplify(size);
    if (const auto number = ConstantInt(size); number && *number < 0) {
      return Fail(Raise::kValue, fmt::format("'{}' has the negative size {}", name, *number));
    }
    const int64_t factor = ConstantInt(size).value_or(1);
    too_many = too_many || __builtin_mul_overflow(elements, factor, &elements);
  }
  if (too_many || elements > kMostElements) {
    return Fail(Raise::kValue, fmt::format("'{}' with shape {} has more than {} elements", name,
                                           PrintShape(shape), kMostElements));
  }
  return {};
}

void Builder::CollectSymbols(const std::vector<ExprPtr>& shape) {
  SymbolFinder finder;
  for (const ExprPtr& size : shape) finder.VisitExpr(size);
  for (const Var* var : finder.found()) {
    const auto same = [&](const VarPtr& other) { return other != nullptr && other->id == var->id; };
    const bool scalar = std::any_of(module_.params.begin(), module_.params.end(),
                                    [&](const Param& param) { return same(param.scalar); });
    const bool known = std::any_of(module_.symbols.begin(), module_.symbols.end(), same);
    const bool launch = same(module_.launch.cid) || same(module_.launch.vid);
    if (!scalar && !known && !launch) module_.symbols.push_back(std::make_shared<Var>(*var));
  }
}

base::Result<BufferId> Builder::AddTensor(std::string name, DType dtype,
                                          std::vector<ExprPtr> shape) {
  HOSTNPU_TRY(CheckShape(name, shape), "declaring parameter '" + name + "'");
  CollectSymbols(shape);
  Buffer buffer;
  buffer.name = name;
  buffer.dtype = dtype;
  buffer.shape = std::move(shape);
  buffer.kind = BufferKind::kParam;
  buffer.range = range_;
  const BufferId id = module_.Add(std::move(buffer));
  Param param;
  param.name = std::move(name);
  param.buffer = id;
  param.range = range_;
  module_.params.push_back(std::move(param));
  return id;
}

base::Result<ExprPtr> Builder::AddScalar(std::string name, DType dtype) {
  Param param;
  param.scalar = MakeVar(name, dtype, range_);
  param.name = std::move(name);
  param.range = range_;
  module_.params.push_back(param);
  return ExprPtr(param.scalar);
}

base::Result<void> Builder::BeginKernel(std::vector<ExprPtr> blocks, int threads) {
  if (in_kernel()) {
    return Fail(Raise::kValue, "a kernel function has exactly one T.Kernel, and this is the second",
                {{module_.launch.range, "the first is here"}});
  }
  if (blocks.size() != 1) {
    return Fail(Raise::kAssertion,
                fmt::format("NPU kernel must have exactly one block dimension, but {} are given",
                            blocks.size()));
  }
  if (threads < 0 || threads > 2) {
    return Fail(Raise::kAssertion,
                fmt::format("threads is {}, but an NPU block has 1 or 2 vector cores", threads));
  }
  if (IsFloat(blocks[0]->dtype)) {
    return Fail(Raise::kType,
                fmt::format("the block count {} is not an integer", PrintExpr(module_, blocks[0])));
  }
  CollectSymbols(blocks);
  module_.launch.blocks = Simplify(blocks[0]);
  module_.launch.threads = threads;
  module_.launch.cid = MakeVar("cid", DType::kInt32, range_);
  if (threads == 0) module_.launch.vid = MakeVar("vid", DType::kInt32, range_);
  module_.launch.range = range_;
  return {};
}

void Builder::SetLaunchNames(const std::string& cid, const std::string& vid) {
  // Nothing refers to the launch variables yet, so new ones may take their place.
  module_.launch.cid = MakeVar(cid, DType::kInt32, module_.launch.range);
  if (module_.launch.vid) module_.launch.vid = MakeVar(vid, DType::kInt32, module_.launch.range);
}

base::Result<BufferId> Builder::Alloc(std::string name, std::vector<ExprPtr> shape, DType dtype,
                                      Memory memory) {
  if (!in_kernel()) {
    return Fail(Raise::kValue, fmt::format("'{}' is allocated outside T.Kernel", name), {},
                "move the allocation into the with block of T.Kernel");
  }
  HOSTNPU_TRY(CheckShape(name, shape), "allocating '" + name + "'");
  for (const ExprPtr& size : shape) {
    if (!ConstantInt(size)) {
      return Fail(
          Raise::kValue,
          fmt::format("'{}' has the size {}, but the size of an on-chip buffer is a constant", name,
                      PrintExpr(module_, size)));
    }
  }
  Buffer buffer;
  buffer.name = std::move(name);
  buffer.dtype = dtype;
  buffer.shape = std::move(shape);
  buffer.memory = memory;
  buffer.range = range_;
  const BufferId id = module_.Add(std::move(buffer));
  Emit(Make<ir::Alloc>(range_, [&](ir::Alloc& node) { node.buffer = id; }));
  return id;
}

base::Result<BufferId> Builder::AllocVar(std::string name, DType dtype, const ExprPtr& init) {
  HOSTNPU_ASSIGN_OR_RETURN(const BufferId id,
                           Alloc(std::move(name), {MakeInt(1)}, dtype, Memory::kVar));
  if (init != nullptr) {
    HOSTNPU_ASSIGN_OR_RETURN(StmtPtr store,
                             Store({id, TileRef::Form::kElement, {{MakeInt(0), nullptr}}}, init));
    Emit(std::move(store));
  }
  return id;
}

base::Result<BufferId> Builder::AllocWorkspace(std::string name, std::vector<ExprPtr> shape,
                                               DType dtype, bool per_block, InitialContents init,
                                               double init_value) {
  HOSTNPU_TRY(CheckShape(name, shape), "allocating workspace '" + name + "'");
  CollectSymbols(shape);
  Buffer buffer;
  buffer.name = std::move(name);
  buffer.dtype = dtype;
  buffer.shape = std::move(shape);
  buffer.memory = Memory::kGm;
  buffer.kind = BufferKind::kWorkspace;
  buffer.per_block = per_block;
  buffer.init = init;
  buffer.init_value = init_value;
  buffer.range = range_;
  return module_.Add(std::move(buffer));
}

base::Result<void> Builder::Reinterpret(BufferId dst, const TileRef& src, DType dtype) {
  const Buffer& target = module_.buffer(Resolve(dst));
  const BufferId base = Resolve(src.buffer);
  if (src.form != TileRef::Form::kWhole) {
    return Fail(Raise::kType,
                "the source of T.reinterpretcast is a whole buffer, but a part of one is given");
  }
  Buffer view;
  view.name = target.name;
  view.dtype = dtype;
  view.shape = target.shape;
  view.memory = module_.buffer(base).memory;
  view.kind = BufferKind::kView;
  view.base = base;
  view.range = range_;
  const BufferId id = module_.Add(std::move(view));
  renamed_[dst] = id;
  return {};
}

base::Result<BufferId> Builder::View(BufferId buffer, std::vector<ExprPtr> shape, DType dtype) {
  const BufferId base = Resolve(buffer);
  const Buffer& source = module_.buffer(base);
  HOSTNPU_TRY(CheckShape(source.name, shape), "viewing '" + source.name + "'");
  const auto bytes = [](const std::vector<ExprPtr>& sizes, DType type) -> ExprPtr {
    ExprPtr product = MakeInt(DTypeBytes(type));
    for (const ExprPtr& size : sizes) product = Mul(product, size);
    return product;
  };
  if (!SameValue(bytes(shape, dtype), bytes(source.shape, source.dtype))) {
    return Fail(
        Raise::kValue,
        fmt::format("a view of shape {} and type {} does not have the {} bytes of '{}'",
                    PrintShape(shape), DTypeName(dtype),
                    PrintExpr(module_, Simplify(bytes(source.shape, source.dtype))), source.name),
        {AboutBuffer(base)});
  }
  Buffer view;
  view.name = source.name + "_view";
  view.dtype = dtype;
  view.shape = std::move(shape);
  view.memory = source.memory;
  view.kind = BufferKind::kView;
  view.base = base;
  view.range = range_;
  return module_.Add(std::move(view));
}

base::Result<void> Builder::SetAddress(BufferId id, int64_t offset_bytes) {
  Buffer& buffer = module_.buffer(Resolve(id));
  if (offset_bytes < 0) {
    return Fail(Raise::kValue, fmt::format("T.annotate_address gives '{}' the negative offset {}",
                                           buffer.name, offset_bytes));
  }
  if (buffer.memory == Memory::kGm || buffer.memory == Memory::kVar) {
    return Fail(Raise::kValue,
                fmt::format("T.annotate_address places on-chip buffers, but '{}' is in {}",
                            buffer.name, MemoryName(buffer.memory)),
                {AboutBuffer(Resolve(id))});
  }
  buffer.address = offset_bytes;
  return {};
}

base::Result<void> Builder::SetLayout(BufferId id, Layout layout) {
  module_.buffer(Resolve(id)).layout = layout;
  return {};
}

ExprPtr Builder::Bind(const std::string& name, const ExprPtr& value) {
  if (IsAtom(value)) return value;
  return BindTyped(name, value->dtype, value);
}

ExprPtr Builder::BindTyped(const std::string& name, DType dtype, const ExprPtr& value) {
  const VarPtr var = MakeVar(name, dtype, range_);
  Emit(Make<ir::Bind>(range_, [&](ir::Bind& node) {
    node.var = var;
    node.value = MakeCast(dtype, value, range_);
  }));
  return var;
}

base::Result<ExprPtr> Builder::Load(BufferId id, std::vector<ExprPtr> indices) {
  const BufferId resolved = Resolve(id);
  const Buffer& buffer = module_.buffer(resolved);
  if (indices.size() != buffer.shape.size()) {
    return Fail(Raise::kValue,
                fmt::format("'{}' has {} dimensions, but {} indices are given", buffer.name,
                            buffer.shape.size(), indices.size()),
                {AboutBuffer(resolved)});
  }
  std::vector<Interval> element;
  for (size_t i = 0; i < indices.size(); ++i) {
    if (IsFloat(indices[i]->dtype)) {
      return Fail(Raise::kType,
                  fmt::format("index {} of '{}' has type {}, but an index is an integer", i,
                              buffer.name, DTypeName(indices[i]->dtype)));
    }
    indices[i] = Simplify(indices[i]);
    element.push_back({indices[i], nullptr});
  }
  HOSTNPU_TRY(CheckInside(resolved, element), "reading an element");
  return ExprPtr(Make<ir::Load>(range_, [&](ir::Load& node) {
    node.buffer = resolved;
    node.indices = std::move(indices);
    node.dtype = buffer.dtype;
  }));
}

base::Result<TileRef> Builder::Slice(BufferId id, const std::vector<Subscript>& subscripts) {
  const BufferId resolved = Resolve(id);
  const Buffer& buffer = module_.buffer(resolved);
  if (subscripts.size() != buffer.shape.size()) {
    return Fail(Raise::kValue,
                fmt::format("'{}' has {} dimensions, but {} are given", buffer.name,
                            buffer.shape.size(), subscripts.size()),
                {AboutBuffer(resolved)}, "write every dimension, ':' for a whole one");
  }
  TileRef ref{resolved, TileRef::Form::kSlices, {}};
  for (size_t i = 0; i < subscripts.size(); ++i) {
    const Subscript& subscript = subscripts[i];
    const ExprPtr start = subscript.start ? Simplify(subscript.start) : MakeInt(0);
    const ExprPtr stop = subscript.stop ? subscript.stop : buffer.shape[i];
    const ExprPtr extent = subscript.is_index ? MakeInt(1) : Simplify(ir::Sub(stop, start));
    ref.dims.push_back({start, extent});
  }
  return ref;
}

void Builder::Emit(StmtPtr stmt) { blocks_.back().push_back(std::move(stmt)); }

StmtPtr Builder::Close() {
  StmtPtr block = MakeSeq(std::move(blocks_.back()), range_);
  blocks_.pop_back();
  return block;
}

void Builder::OpenLoop(bool parallel) {
  loops_.push_back(parallel);
  Open();
}

base::Result<void> Builder::CloseFor(const ExprPtr& var, const ExprPtr& min, const ExprPtr& stop,
                                     int64_t step) {
  loops_.pop_back();
  StmtPtr body = Close();
  if (step <= 0) {
    return Fail(
        Raise::kValue,
        fmt::format("the step of a loop is {}, but only positive constants are possible", step));
  }
  Emit(Make<For>(range_, [&](For& node) {
    node.var = std::make_shared<Var>(To<Var>(*var));
    node.min = min;
    node.extent = Simplify(ir::Sub(stop, min));
    node.step = step;
    node.body = std::move(body);
  }));
  return {};
}

base::Result<void> Builder::ClosePipelined(const ExprPtr& var, const ExprPtr& min,
                                           const ExprPtr& stop, int64_t num_stages,
                                           int64_t cross_interval) {
  loops_.pop_back();
  StmtPtr body = Close();
  Emit(Make<Pipelined>(range_, [&](Pipelined& node) {
    node.var = std::make_shared<Var>(To<Var>(*var));
    node.min = min;
    node.extent = Simplify(ir::Sub(stop, min));
    node.num_stages = num_stages;
    node.cross_interval = cross_interval;
    node.body = std::move(body);
  }));
  return {};
}

base::Result<void> Builder::CloseParallel(const std::vector<ExprPtr>& vars,
                                          const std::vector<ExprPtr>& extents) {
  loops_.pop_back();
  StmtPtr body = Close();
  const bool nested = std::find(loops_.begin(), loops_.end(), true) != loops_.end();
  if (vars.empty() || vars.size() > 2 || (nested && vars.size() > 1)) {
    return Fail(Raise::kValue, "Unsupported: 3D or higher dimensional parallel loops detected", {},
                "put a serial loop around a one- or two-dimensional T.Parallel");
  }
  Emit(Make<Parallel>(range_, [&](Parallel& node) {
    for (const ExprPtr& var : vars) node.vars.push_back(std::make_shared<Var>(To<Var>(*var)));
    for (const ExprPtr& extent : extents) node.extents.push_back(Simplify(extent));
    node.body = std::move(body);
  }));
  return {};
}

base::Result<void> Builder::CloseWhile(const ExprPtr& condition) {
  loops_.pop_back();
  StmtPtr body = Close();
  Emit(Make<While>(range_, [&](While& node) {
    node.condition = MakeCondition(condition);
    node.body = std::move(body);
  }));
  return {};
}

void Builder::OpenScope(Core core) {
  scopes_.push_back(core);
  Open();
}

void Builder::CloseScope() {
  StmtPtr body = Close();
  const Core core = scopes_.back();
  scopes_.pop_back();
  Emit(Make<ScopeBlock>(range_, [&](ScopeBlock& node) {
    node.core = core;
    node.body = std::move(body);
  }));
}

void Builder::EmitIf(const ExprPtr& condition, StmtPtr then_body, StmtPtr else_body) {
  Emit(Make<If>(range_, [&](If& node) {
    node.condition = MakeCondition(condition);
    node.then_body = std::move(then_body);
    node.else_body = std::move(else_body);
  }));
}

base::Result<StmtPtr> Builder::LoopExit(bool is_break) {
  const char* name = is_break ? "break" : "continue";
  if (loops_.empty()) return Fail(Raise::kSyntax, fmt::format("'{}' stands outside a loop", name));
  if (loops_.back()) {
    return Fail(Raise::kSyntax,
                fmt::format("'{}' stands in T.Parallel, whose iterations have no order", name));
  }
  if (is_break) return StmtPtr(Make<Break>(range_, [](Break&) {}));
  return StmtPtr(Make<Continue>(range_, [](Continue&) {}));
}

base::Result<void> Builder::CheckCore(Core core, std::string_view op) {
  if (scopes_.empty() || scopes_.back() == core) return {};
  return Fail(Raise::kValue,
              fmt::format("{} runs on the {} core, but stands in T.Scope(\"{}\")", op,
                          core == Core::kCube ? "cube" : "vector", CoreName(scopes_.back())));
}

base::Result<StmtPtr> Builder::Store(const TileRef& element, const ExprPtr& value) {
  HOSTNPU_CHECK(element.form == TileRef::Form::kElement);
  const BufferId resolved = Resolve(element.buffer);
  const Buffer& buffer = module_.buffer(resolved);
  if (element.dims.size() != buffer.shape.size()) {
    return Fail(Raise::kValue,
                fmt::format("'{}' has {} dimensions, but {} indices are given", buffer.name,
                            buffer.shape.size(), element.dims.size()),
                {AboutBuffer(resolved)});
  }
  HOSTNPU_TRY(CheckInside(resolved, element.dims), "writing an element");
  return StmtPtr(Make<ir::Store>(range_, [&](ir::Store& node) {
    node.buffer = resolved;
    for (const Interval& dim : element.dims) node.indices.push_back(Simplify(dim.min));
    node.value = MakeCast(buffer.dtype, value, range_);
  }));
}

base::Result<StmtPtr> Builder::Flag(bool set, std::string_view src, std::string_view dst,
                                    const ExprPtr& flag) {
  const auto from = FindPipe(src);
  const auto to = FindPipe(dst);
  if (!from || !to) {
    return Fail(Raise::kValue,
                fmt::format("there is no pipe '{}'; the pipes are fix, mte1, mte2, mte3, m, v, s",
                            from ? dst : src));
  }
  const auto fill = [&](auto& node) {
    node.src = *from;
    node.dst = *to;
    node.flag = flag;
  };
  if (set) return StmtPtr(Make<SetFlag>(range_, fill));
  return StmtPtr(Make<WaitFlag>(range_, fill));
}

base::Result<StmtPtr> Builder::Barrier(std::string_view pipe) {
  const auto found = FindPipe(pipe);
  if (!found) {
    return Fail(
        Raise::kValue,
        fmt::format("there is no pipe '{}'; the pipes are fix, mte1, mte2, mte3, m, v, s, all",
                    pipe));
  }
  return StmtPtr(Make<PipeBarrier>(range_, [&](PipeBarrier& node) { node.pipe = *found; }));
}

base::Result<StmtPtr> Builder::CrossFlag(bool set, std::string_view pipe, const ExprPtr& flag,
                                         int mode) {
  const auto found = FindPipe(pipe);
  if (!found && (set || !pipe.empty())) {
    return Fail(
        Raise::kValue,
        fmt::format("there is no pipe '{}'; the pipes are fix, mte1, mte2, mte3, m, v, s", pipe));
  }
  if (mode < 0 || mode > 2) {
    return Fail(Raise::kValue,
                fmt::format("the mode of a cross flag is 0, 1 or 2, but {} is given", mode));
  }
  if (const auto id = ConstantInt(flag); id && (*id < 0 || *id > 15)) {
    return Fail(Raise::kValue, fmt::format("the cross flags are 0 to 15, but {} is given", *id));
  }
  if (!set) {
    return StmtPtr(Make<WaitCrossFlag>(range_, [&](WaitCrossFlag& node) {
      node.flag = flag;
      node.pipe = found;
    }));
  }
  return StmtPtr(Make<SetCrossFlag>(range_, [&](SetCrossFlag& node) {
    node.pipe = *found;
    node.flag = flag;
    node.mode = mode;
  }));
}

StmtPtr Builder::SyncAll() {
  return Make<ir::SyncAll>(range_, [](ir::SyncAll&) {});
}

StmtPtr Builder::SetDeqScale(const ExprPtr& scale) {
  return Make<ir::SetDeqScale>(
      range_, [&](ir::SetDeqScale& node) { node.scale = MakeCast(DType::kFloat32, scale); });
}

StmtPtr Builder::Print(std::string format, std::vector<ExprPtr> args) {
  return Make<PrintCall>(range_, [&](PrintCall& node) {
    node.format = std::move(format);
    node.args = std::move(args);
  });
}

base::Result<StmtPtr> Builder::Dump(const Operand& tile, int64_t description, const ExprPtr& count,
                                    std::vector<int64_t> shape) {
  if (description < 0 || description > 0xffffffffLL) {
    return Fail(
        Raise::kValue,
        fmt::format("desc of T.dump_tensor is an integer of 0 to 4294967295, but {} is given",
                    description));
  }
  HOSTNPU_ASSIGN_OR_RETURN(Region region, TileRegion(tile, "T.dump_tensor", "tensor"));
  return StmtPtr(Make<ir::Dump>(range_, [&](ir::Dump& node) {
    node.tile = std::move(region);
    node.description = static_cast<uint32_t>(description);
    node.count = count;
    node.shape = std::move(shape);
  }));
}

StmtPtr Builder::Assert(const ExprPtr& condition, std::string message) {
  return Make<ir::Assert>(range_, [&](ir::Assert& node) {
    node.condition = MakeCondition(condition);
    node.message = std::move(message);
  });
}

base::Result<Module> Builder::Finish(const PassConfig& config) {
  if (!in_kernel())
    return Fail(Raise::kValue, fmt::format("kernel function '{}' has no T.Kernel", module_.name));
  module_.config = config;
  module_.body = Close();
  HOSTNPU_TRY(Validate(module_), "building kernel '" + module_.name + "'");
  return std::move(module_);
}

ExprPtr CountOf(const Region& region) {
  ExprPtr count = MakeInt(1);
  for (const Interval& dim : region.dims) count = Mul(count, dim.extent);
  return Simplify(count);
}

}  // namespace hostnpu::tilelang::ir

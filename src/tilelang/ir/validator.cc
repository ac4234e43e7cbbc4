// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs after the front end and after each pass. It shares no code with the builder, so that a
// mistake in the builder's bookkeeping shows here.
#include "tilelang/ir/validator.h"

#include <set>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "tilelang/ir/printer.h"
#include "tilelang/ir/visitor.h"

namespace hostnpu::tilelang::ir {
namespace {

class Validator : public Visitor {
 public:
  using Visitor::Visit;
  explicit Validator(const Module& module)
      : module_(module), allocated_(module.buffers.size(), false) {
    for (const VarPtr& symbol : module.symbols) bound_.insert(symbol->id);
    for (const Param& param : module.params) {
      if (param.scalar) bound_.insert(param.scalar->id);
    }
    CheckTables();
    if (module.launch.cid) bound_.insert(module.launch.cid->id);
    if (module.launch.vid) bound_.insert(module.launch.vid->id);
  }

  std::string TakeFault() { return std::move(fault_); }

  void Visit(const Var& node) override {
    if (!bound_.contains(node.id))
      Fail(fmt::format("variable '{}' is used where it is not bound", node.name));
  }
  void Visit(const Binary& node) override {
    Need(node.lhs, "lhs of Binary");
    Need(node.rhs, "rhs of Binary");
    if (node.lhs && node.rhs && node.lhs->dtype != node.rhs->dtype) {
      Fail(fmt::format("'{}' has sides of type {} and {}", BinarySymbol(node.op),
                       DTypeName(node.lhs->dtype), DTypeName(node.rhs->dtype)));
    }
    VisitChildren(node);
  }
  void Visit(const Load& node) override {
    CheckElement(node.buffer, node.indices.size());
    VisitChildren(node);
  }
  void Visit(const Store& node) override {
    CheckElement(node.buffer, node.indices.size());
    Need(node.value, "value of Store");
    if (fault_.empty() && node.value->dtype != module_.buffer(node.buffer).dtype) {
      Fail(fmt::format("a {} is stored into the {} buffer '{}'", DTypeName(node.value->dtype),
                       DTypeName(module_.buffer(node.buffer).dtype),
                       module_.buffer(node.buffer).name));
    }
    VisitChildren(node);
  }
  void Visit(const Alloc& node) override {
    if (!CheckId(node.buffer)) return;
    allocated_[static_cast<size_t>(node.buffer)] = true;
  }
  void Visit(const Bind& node) override {
    Need(node.value, "value of Bind");
    VisitChildren(node);
    if (fault_.empty() && node.value->dtype != node.var->dtype)
      Fail("Bind has a value of another type than its variable");
    bound_.insert(node.var->id);
    if (!blocks_.empty()) blocks_.back().push_back(node.var->id);
  }
  void Visit(const Seq& node) override {
    blocks_.emplace_back();
    for (const StmtPtr& stmt : node.stmts) {
      Need(stmt, "statement of Seq");
      VisitStmt(stmt);
    }
    for (uint64_t id : blocks_.back()) bound_.erase(id);
    blocks_.pop_back();
  }
  void Visit(const For& node) override {
    if (node.step <= 0) Fail("For has a step that is not positive");
    Loop(node.min, node.extent, {node.var}, node.body);
  }
  void Visit(const Pipelined& node) override { Loop(node.min, node.extent, {node.var}, node.body); }
  void Visit(const Parallel& node) override {
    if (node.vars.empty() || node.vars.size() > 2 || node.extents.size() != node.vars.size()) {
      Fail("Parallel does not have one or two variables with an extent each");
    }
    for (const ExprPtr& extent : node.extents) VisitExpr(extent);
    Loop(nullptr, nullptr, node.vars, node.body);
  }
  void Visit(const While& node) override {
    Condition(node.condition);
    VisitExpr(node.condition);
    Loop(nullptr, nullptr, {}, node.body);
  }
  void Visit(const If& node) override {
    Condition(node.condition);
    Need(node.then_body, "then_body of If");
    VisitChildren(node);
  }
  void Visit(const Break&) override {
    if (loops_ == 0) Fail("Break stands outside a loop");
  }
  void Visit(const Continue&) override {
    if (loops_ == 0) Fail("Continue stands outside a loop");
  }
  void Visit(const Assert& node) override {
    Condition(node.condition);
    VisitChildren(node);
  }
  void Visit(const Gemm& node) override {
    Condition(node.init);
    VisitChildren(node);
  }
  void Visit(const TileOp& node) override {
    CheckTileOp(node);
    if (fault_.empty()) VisitChildren(node);
  }
  void VisitRegion(const Region& region, AccessKind access) override {
    CheckElement(region.buffer, region.dims.size());
    for (const Interval& dim : region.dims) {
      Need(dim.min, "min of a region");
      Need(dim.extent, "extent of a region");
    }
    if (fault_.empty()) Visitor::VisitRegion(region, access);
  }

 private:
  void Fail(const std::string& message) {
    if (fault_.empty()) fault_ = message;
  }
  template <typename P>
  void Need(const P& pointer, const char* what) {
    if (pointer == nullptr) Fail(fmt::format("{} is empty", what));
  }
  void Condition(const ExprPtr& condition) {
    Need(condition, "a condition");
    if (condition != nullptr && condition->dtype != DType::kBool) {
      Fail(fmt::format("a condition has type {}", DTypeName(condition->dtype)));
    }
  }
  bool CheckId(BufferId id) {
    if (static_cast<size_t>(id) < module_.buffers.size()) return true;
    Fail(fmt::format("buffer id {} is not in the table of {}", static_cast<uint32_t>(id),
                     module_.buffers.size()));
    return false;
  }
  void CheckElement(BufferId id, size_t rank) {
    if (!CheckId(id)) return;
    const Buffer& buffer = module_.buffer(id);
    if (rank != buffer.shape.size()) {
      Fail(fmt::format("'{}' has rank {}, but {} dimensions are given", buffer.name,
                       buffer.shape.size(), rank));
    }
    const BufferKind kind = module_.buffer(module_.Storage(id)).kind;
    if (kind == BufferKind::kLocal && !allocated_[static_cast<size_t>(module_.Storage(id))]) {
      Fail(fmt::format("'{}' is used before it is allocated", buffer.name));
    }
  }
  void CheckTables() {
    for (const Buffer& buffer : module_.buffers) {
      if (buffer.kind == BufferKind::kView) CheckId(buffer.base);
      for (const ExprPtr& size : buffer.shape) {
        Need(size, "a size of a buffer");
        if (buffer.memory == Memory::kGm) VisitExpr(size);
      }
    }
    Need(module_.body, "body of the module");
    Need(module_.launch.blocks, "block count of the launch");
    Need(module_.launch.cid, "block id of the launch");
    if (module_.launch.blocks) VisitExpr(module_.launch.blocks);
  }
  void CheckTileOp(const TileOp& node) {
    const TileOpFacts& facts = FactsOf(node.op);
    size_t required = 0;
    for (const TileOperand& operand : facts.operands) required += operand.optional ? 0 : 1;
    if (node.args.size() < required || node.args.size() > facts.operands.size()) {
      Fail(fmt::format("tile.{} has {} arguments", facts.name, node.args.size()));
      return;
    }
    for (size_t i = 0; i < node.args.size(); ++i) {
      const OperandRole role = facts.operands[i].role;
      const size_t form = node.args[i].index();  // Region, ExprPtr, string, list
      const bool fits = role == OperandRole::kReadOrScalar                           ? form <= 1
                        : role == OperandRole::kKeyword                              ? form == 2
                        : role == OperandRole::kScalars                              ? form == 3
                        : role == OperandRole::kScalar || role == OperandRole::kFlag ? form == 1
                                                                                     : form == 0;
      if (!fits) Fail(fmt::format("tile.{} has an argument {} of the wrong form", facts.name, i));
      if (form == 1) Need(std::get<ExprPtr>(node.args[i]), "a scalar of TileOp");
    }
  }
  void Loop(const ExprPtr& min, const ExprPtr& extent, const std::vector<VarPtr>& vars,
            const StmtPtr& body) {
    VisitExpr(min);
    VisitExpr(extent);
    Need(body, "body of a loop");
    for (const VarPtr& var : vars) bound_.insert(var->id);
    ++loops_;
    VisitStmt(body);
    --loops_;
    for (const VarPtr& var : vars) bound_.erase(var->id);
  }

  const Module& module_;
  std::string fault_;
  std::vector<bool> allocated_;
  std::set<uint64_t> bound_;
  std::vector<std::vector<uint64_t>> blocks_;
  int loops_ = 0;
};

}  // namespace

base::Result<void> Validate(const Module& module) {
  Validator validator(module);
  validator.VisitStmt(module.body);
  std::string fault = validator.TakeFault();
  if (fault.empty()) return {};
  return base::Error{
      .code = base::Code::kInternal,
      .message = fmt::format("internal error: the IR of kernel '{}' is not valid: {}", module.name,
                             fault)};
}

}  // namespace hostnpu::tilelang::ir

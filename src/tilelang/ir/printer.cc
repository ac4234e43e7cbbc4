// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The printed form is read by people (hostnpu ir), compared by tests and diffed between passes, so
// it must be stable: names only, no addresses and no ids. Names are made unique on first sight, in
// program order.
#include "tilelang/ir/printer.h"

#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "tilelang/ir/expr.h"
#include "tilelang/ir/visitor.h"

namespace hostnpu::tilelang::ir {
namespace {

const Module& EmptyModule() {
  static const Module module;
  return module;
}

/// Binding strength, as in Python.
int Precedence(BinaryOp op) {
  switch (op) {
    case BinaryOp::kMin:
    case BinaryOp::kMax:
      return 20;  // printed as calls
    case BinaryOp::kMul:
    case BinaryOp::kDiv:
    case BinaryOp::kFloorDiv:
    case BinaryOp::kFloorMod:
      return 12;
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
      return 11;
    case BinaryOp::kShl:
    case BinaryOp::kShr:
      return 10;
    case BinaryOp::kBitAnd:
      return 9;
    case BinaryOp::kBitXor:
      return 8;
    case BinaryOp::kBitOr:
      return 7;
    case BinaryOp::kAnd:
      return 4;
    case BinaryOp::kOr:
      return 3;
    default:
      return 6;  // comparisons
  }
}

std::string FloatText(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (std::isnan(value)) return "nan";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string Quoted(const std::string& text) {
  std::string result = "\"";
  for (char letter : text) {
    if (letter == '\n') {
      result += "\\n";
    } else {
      if (letter == '"' || letter == '\\') result += '\\';
      result += letter;
    }
  }
  return result + "\"";
}

/// Prints expressions and, through Visitor, statements, into `text_`.
class Printer : public Visitor {
 public:
  using Visitor::Visit;
  explicit Printer(const Module& module) : module_(module) {
    for (size_t i = 0; i < module.buffers.size(); ++i) {
      buffer_names_.push_back(Unique(module.buffers[i].name));
    }
  }

  std::string TakeText() { return std::move(text_); }
  void set_shallow() { shallow_ = true; }

  std::string Expression(const ExprPtr& expr, int outer = 0) {
    if (expr == nullptr) return "none";
    switch (expr->kind) {
      case Kind::kIntImm: {
        const auto& imm = To<IntImm>(*expr);
        if (imm.dtype == DType::kBool) return imm.value != 0 ? "True" : "False";
        return std::to_string(imm.value);
      }
      case Kind::kFloatImm:
        return FloatText(To<FloatImm>(*expr).value);
      case Kind::kVar:
        return VarName(To<Var>(*expr));
      case Kind::kLoad:
        return fmt::format("{}[{}]", BufferName(To<Load>(*expr).buffer),
                           List(To<Load>(*expr).indices));
      case Kind::kAddress:
        return fmt::format("address({})", BufferName(To<Address>(*expr).buffer));
      case Kind::kCast:
        return fmt::format("{}({})", DTypeName(expr->dtype), Expression(To<Cast>(*expr).value));
      case Kind::kBitcast:
        return fmt::format("reinterpret({}, {})", DTypeName(expr->dtype),
                           Expression(To<Bitcast>(*expr).value));
      case Kind::kMathCall:
        return fmt::format("{}({})", MathFunctionName(To<MathCall>(*expr).function),
                           List(To<MathCall>(*expr).args));
      case Kind::kSelect: {
        const auto& select = To<Select>(*expr);
        return fmt::format("{}({}, {}, {})", select.lazy ? "if_then_else" : "select",
                           Expression(select.condition), Expression(select.if_true),
                           Expression(select.if_false));
      }
      case Kind::kUnary:
        return UnaryText(To<Unary>(*expr));
      case Kind::kBinary:
        return BinaryText(To<Binary>(*expr), outer);
      default:
        return std::string(KindName(expr->kind));
    }
  }

  std::string RegionText(const Region& region) {
    if (IsWhole(module_, region)) return BufferName(region.buffer);
    std::string dims;
    for (const Interval& dim : region.dims) {
      if (!dims.empty()) dims += ", ";
      dims += Expression(dim.min);
      if (ConstantInt(dim.extent) != 1) dims += ":+" + Expression(dim.extent, 13);
    }
    return fmt::format("{}[{}]", BufferName(region.buffer), dims);
  }

  std::string Shape(const std::vector<ExprPtr>& shape) { return fmt::format("[{}]", List(shape)); }

  std::string BufferName(BufferId id) const {
    return id == kNoBuffer ? "<none>" : buffer_names_[static_cast<size_t>(id)];
  }

  std::string VarName(const Var& var) {
    const auto found = var_names_.find(var.id);
    if (found != var_names_.end()) return found->second;
    return var_names_.emplace(var.id, Unique(var.name)).first->second;
  }

  void Header() {
    std::string params;
    for (const Param& param : module_.params) {
      if (!params.empty()) params += ", ";
      params += param.scalar
                    ? fmt::format("{}: {}", VarName(*param.scalar), DTypeName(param.scalar->dtype))
                    : BufferName(param.buffer);
    }
    text_ += fmt::format("kernel {}({})\n", module_.name, params);
    for (const VarPtr& symbol : module_.symbols) {
      text_ += fmt::format("  symbol {}: {}\n", VarName(*symbol), DTypeName(symbol->dtype));
    }
    for (size_t i = 0; i < module_.buffers.size(); ++i)
      text_ += BufferLine(static_cast<BufferId>(i));
    if (module_.launch.blocks == nullptr) return;
    text_ += fmt::format("  launch {} blocks, cid {}", Expression(module_.launch.blocks),
                         VarName(*module_.launch.cid));
    if (module_.launch.vid) text_ += fmt::format(", vid {}", VarName(*module_.launch.vid));
    if (module_.launch.threads != 0) text_ += fmt::format(", threads {}", module_.launch.threads);
    if (module_.launch.at_once != 0) text_ += fmt::format(", {} at once", module_.launch.at_once);
    text_ += "\n";
  }

  void Body() {
    indent_ = 1;
    VisitStmt(module_.body);
  }

  void Visit(const Alloc& node) override { Line(fmt::format("alloc {}", BufferName(node.buffer))); }
  void Visit(const Assert& node) override {
    Line(fmt::format("assert {}, {}", Expression(node.condition), Quoted(node.message)));
  }
  void Visit(const AtomicAdd& node) override {
    Line(fmt::format("atomic_add {} <- {}", RegionText(node.dst), RegionText(node.src)));
  }
  void Visit(const Bind& node) override {
    Line(fmt::format("{}: {} = {}", VarName(*node.var), DTypeName(node.var->dtype),
                     Expression(node.value)));
  }
  void Visit(const Break&) override { Line("break"); }
  void Visit(const Continue&) override { Line("continue"); }
  void Visit(const Copy& node) override {
    std::string line = fmt::format("copy {} -> {}", RegionText(node.src), RegionText(node.dst));
    if (node.enable_relu) line += ", relu";
    if (node.transpose) line += ", transpose";
    if (node.pad_value) line += ", pad " + Expression(node.pad_value);
    Line(line);
  }
  void Visit(const Dump& node) override {
    Line(fmt::format("dump {}, {}, {}", RegionText(node.tile), node.description,
                     Expression(node.count)));
  }
  void Visit(const For& node) override {
    const std::string step = node.step == 1 ? "" : fmt::format(" step {}", node.step);
    Line(fmt::format("for {} in {}:+{}{}", VarName(*node.var), Expression(node.min),
                     Expression(node.extent, 13), step));
    Block(node.body);
  }
  void Visit(const Gemm& node) override {
    std::string line = fmt::format("{} {} += {} @ {}", node.mma ? "mma" : "gemm",
                                   RegionText(node.c), RegionText(node.a), RegionText(node.b));
    if (node.transpose_a) line += ", transpose_a";
    if (node.transpose_b) line += ", transpose_b";
    if (ConstantInt(node.init) != 0) line += ", init " + Expression(node.init);
    Line(line);
  }
  void Visit(const If& node) override {
    Line(fmt::format("if {}", Expression(node.condition)));
    Block(node.then_body);
    if (node.else_body == nullptr || shallow_) return;
    Line("else");
    Block(node.else_body);
  }
  void Visit(const Parallel& node) override {
    std::string vars;
    for (const VarPtr& var : node.vars) vars += (vars.empty() ? "" : ", ") + VarName(*var);
    Line(fmt::format("parallel {} in {}", vars, List(node.extents)));
    Block(node.body);
  }
  void Visit(const PipeBarrier& node) override {
    Line(fmt::format("pipe_barrier {}", PipeName(node.pipe)));
  }
  void Visit(const Pipelined& node) override {
    Line(fmt::format("pipelined {} in {}:+{}, stages {}", VarName(*node.var), Expression(node.min),
                     Expression(node.extent, 13), node.num_stages));
    Block(node.body);
  }
  void Visit(const PrintCall& node) override {
    Line(fmt::format("print {}{}{}", Quoted(node.format), node.args.empty() ? "" : ", ",
                     List(node.args)));
  }
  void Visit(const Reduce& node) override {
    static constexpr std::string_view kNames[] = {"sum", "max", "min"};
    std::string line =
        fmt::format("reduce_{} {} <- {}, axis {}", kNames[static_cast<size_t>(node.reduce)],
                    RegionText(node.dst), RegionText(node.src), node.axis);
    if (!node.clear) line += ", merge";
    if (node.real_rows != 0 || node.real_columns != 0) {
      line += fmt::format(", real [{}, {}]", node.real_rows, node.real_columns);
    }
    Line(line);
  }
  void Visit(const ScopeBlock& node) override {
    Line(fmt::format("scope {}", CoreName(node.core)));
    Block(node.body);
  }
  void Visit(const Seq& node) override {
    for (const StmtPtr& stmt : node.stmts) VisitStmt(stmt);
  }
  void Visit(const SetCrossFlag& node) override {
    Line(fmt::format("set_cross_flag {}, {}, mode {}", PipeName(node.pipe), Expression(node.flag),
                     node.mode));
  }
  void Visit(const SetDeqScale& node) override { Line("set_deq_scale " + Expression(node.scale)); }
  void Visit(const SetFlag& node) override {
    Line(fmt::format("set_flag {} -> {}, {}", PipeName(node.src), PipeName(node.dst),
                     Expression(node.flag)));
  }
  void Visit(const Store& node) override {
    Line(fmt::format("{}[{}] = {}", BufferName(node.buffer), List(node.indices),
                     Expression(node.value)));
  }
  void Visit(const SyncAll&) override { Line("sync_all"); }
  void Visit(const TileOp& node) override {
    std::string args;
    for (const TileArg& arg : node.args) args += (args.empty() ? " " : ", ") + ArgText(arg);
    Line(fmt::format("tile.{}{}", FactsOf(node.op).name, args));
  }
  void Visit(const WaitCrossFlag& node) override {
    const std::string pipe = node.pipe ? fmt::format(", {}", PipeName(*node.pipe)) : "";
    Line(fmt::format("wait_cross_flag {}{}", Expression(node.flag), pipe));
  }
  void Visit(const WaitFlag& node) override {
    Line(fmt::format("wait_flag {} -> {}, {}", PipeName(node.src), PipeName(node.dst),
                     Expression(node.flag)));
  }
  void Visit(const While& node) override {
    Line(fmt::format("while {}", Expression(node.condition)));
    Block(node.body);
  }

 private:
  std::string Unique(const std::string& name) {
    std::string unique = name;
    for (int i = 1; !names_.insert(unique).second; ++i) unique = fmt::format("{}.{}", name, i);
    return unique;
  }

  std::string List(const std::vector<ExprPtr>& items) {
    std::string text;
    for (const ExprPtr& item : items) text += (text.empty() ? "" : ", ") + Expression(item);
    return text;
  }

  std::string UnaryText(const Unary& node) {
    static constexpr std::string_view kSymbols[] = {"-", "~", "not "};
    return fmt::format("{}{}", kSymbols[static_cast<size_t>(node.op)], Expression(node.value, 15));
  }

  std::string BinaryText(const Binary& node, int outer) {
    const int own = Precedence(node.op);
    if (own == 20) {
      return fmt::format("{}({}, {})", BinarySymbol(node.op), Expression(node.lhs),
                         Expression(node.rhs));
    }
    const std::string text = fmt::format("{} {} {}", Expression(node.lhs, own),
                                         BinarySymbol(node.op), Expression(node.rhs, own + 1));
    return own < outer ? "(" + text + ")" : text;
  }

  std::string ArgText(const TileArg& arg) {
    if (const auto* region = std::get_if<Region>(&arg)) return RegionText(*region);
    if (const auto* scalar = std::get_if<ExprPtr>(&arg)) return Expression(*scalar);
    if (const auto* keyword = std::get_if<std::string>(&arg)) return Quoted(*keyword);
    return fmt::format("[{}]", List(std::get<std::vector<ExprPtr>>(arg)));
  }

  std::string BufferLine(BufferId id) {
    const Buffer& buffer = module_.buffer(id);
    static constexpr std::string_view kKinds[] = {"param", "local", "workspace", "view of "};
    std::string kind(kKinds[static_cast<size_t>(buffer.kind)]);
    if (buffer.kind == BufferKind::kView) kind += BufferName(buffer.base);
    if (buffer.kind == BufferKind::kView && buffer.base_offset != 0)
      kind += fmt::format(" + {}", buffer.base_offset);
    if (buffer.address) kind += fmt::format(" at {}", *buffer.address);
    const std::string folded =
        buffer.folded_rows == 0 ? "" : fmt::format(", folded to slices of {}", buffer.folded_rows);
    return fmt::format("  {} {}: {} {} {}{}\n", kind, BufferName(id), MemoryName(buffer.memory),
                       DTypeName(buffer.dtype), Shape(buffer.shape), folded);
  }

  void Line(std::string_view line) {
    text_.append(static_cast<size_t>(indent_) * 2, ' ');
    text_ += line;
    text_ += '\n';
  }

  void Block(const StmtPtr& body) {
    if (shallow_) return;
    ++indent_;
    VisitStmt(body);
    --indent_;
  }

  const Module& module_;
  std::string text_;
  int indent_ = 0;
  bool shallow_ = false;
  std::set<std::string> names_;
  std::vector<std::string> buffer_names_;
  std::map<uint64_t, std::string> var_names_;
};

}  // namespace

std::string Print(const Module& module) {
  Printer printer(module);
  printer.Header();
  printer.Body();
  return printer.TakeText();
}

std::string PrintBody(const Module& module) {
  Printer printer(module);
  printer.Body();
  return printer.TakeText();
}

std::string PrintExpr(const Module& module, const ExprPtr& expr) {
  return Printer(module).Expression(expr);
}

std::string PrintExpr(const ExprPtr& expr) { return PrintExpr(EmptyModule(), expr); }

std::string PrintRegion(const Module& module, const Region& region) {
  return Printer(module).RegionText(region);
}

std::string PrintShape(const std::vector<ExprPtr>& shape) {
  std::string text;
  for (const ExprPtr& size : shape) text += (text.empty() ? "" : ", ") + PrintExpr(size);
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

std::string PrintHead(const Module& module, const StmtPtr& stmt) {
  Printer printer(module);
  printer.set_shallow();
  printer.VisitStmt(stmt);
  std::string text = printer.TakeText();
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace hostnpu::tilelang::ir

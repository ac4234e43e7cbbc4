// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Builder and Module for the parser: each method converts its arguments, calls the C++ builder and
// turns a failure into the Python exception it stands for.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "convert.h"
#include "fmt/format.h"
#include "tilelang/ir/builder.h"
#include "tilelang/ir/expr.h"
#include "tilelang/ir/printer.h"

namespace hostnpu::bindings {
namespace {

using ir::Builder;
using BuilderPtr = std::shared_ptr<Builder>;
using RangeTuple = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;

ir::SourceRange ToRange(const RangeTuple& range) {
  const auto [file, line, column, end_line, end_column] = range;
  return {
      .file = file, .line = line, .column = column, .end_line = end_line, .end_column = end_column};
}

ir::Memory ToMemory(const std::string& name) {
  if (const auto memory = ir::FindMemory(name)) return *memory;
  RaiseAs("value", fmt::format("there is no memory '{}'", name));
}

nb::object Optional(const ir::StmtPtr& stmt) { return stmt ? nb::cast(PyStmt{stmt}) : nb::none(); }

void DefSignature(nb::class_<Builder>& cls) {
  cls.def("add_file", [](Builder& self, const std::string& path, std::vector<std::string> lines) {
    self.sources().files.push_back({path, std::move(lines)});
    return static_cast<uint32_t>(self.sources().files.size() - 1);
  });
  cls.def("set_range",
          [](Builder& self, const RangeTuple& range) { self.SetRange(ToRange(range)); });
  cls.def("format_error", [](Builder& self, const RangeTuple& range, const std::string& message,
                             const std::vector<std::tuple<RangeTuple, std::string>>& notes,
                             const std::string& help) {
    std::vector<ir::Note> rendered;
    for (const auto& [where, text] : notes) rendered.push_back({ToRange(where), text});
    return ir::FormatDiagnostic(self.sources(), ToRange(range), message, rendered, help);
  });
  cls.def("add_tensor", [](const BuilderPtr& self, const std::string& name, nb::handle dtype,
                           nb::handle shape) {
    return PyBuffer{self,
                    Take(*self, self->AddTensor(name, ToDType(dtype), ToExprs(shape, "a shape")))};
  });
  cls.def("add_scalar", [](Builder& self, const std::string& name, nb::handle dtype) {
    return PyExpr{Take(self, self.AddScalar(name, ToDType(dtype)))};
  });
  cls.def("begin_kernel", [](Builder& self, nb::handle blocks, int threads) {
    Take(self, self.BeginKernel(ToExprs(blocks, "the block count"), threads));
  });
  cls.def("set_launch_names", &Builder::SetLaunchNames);
  cls.def_prop_ro("cid", [](const Builder& self) { return PyExpr{self.cid()}; });
  cls.def_prop_ro("vid", [](const Builder& self) -> nb::object {
    return self.vid() ? nb::cast(PyExpr{self.vid()}) : nb::none();
  });
  cls.def_prop_ro("in_kernel", &Builder::in_kernel);
  cls.def("finish", [](Builder& self, bool auto_sync, bool memory_planning, bool auto_cv_combine,
                       bool auto_cv_sync) {
    return Take(self, self.Finish({auto_sync, memory_planning, auto_cv_combine, auto_cv_sync}));
  });
}

void DefBuffers(nb::class_<Builder>& cls) {
  cls.def("alloc", [](const BuilderPtr& self, const std::string& name, nb::handle shape,
                      nb::handle dtype, const std::string& memory) {
    return PyBuffer{self, Take(*self, self->Alloc(name, ToExprs(shape, "a shape"), ToDType(dtype),
                                                  ToMemory(memory)))};
  });
  cls.def("alloc_var", [](const BuilderPtr& self, const std::string& name, nb::handle dtype,
                          nb::handle init) {
    return PyBuffer{
        self, Take(*self, self->AllocVar(name, ToDType(dtype), ToOptionalExpr(init, "init")))};
  });
  cls.def("alloc_workspace", [](const BuilderPtr& self, const std::string& name, nb::handle shape,
                                nb::handle dtype, bool per_block, const std::string& init,
                                double value) {
    return PyBuffer{
        self, Take(*self, self->AllocWorkspace(name, ToExprs(shape, "a shape"), ToDType(dtype),
                                               per_block, ToContents(init), value))};
  });
  cls.def("reinterpret", [](Builder& self, const PyBuffer& dst, nb::handle src, nb::handle dtype) {
    const ir::Operand operand = ToOperand(src, "the source of T.reinterpretcast");
    const auto* ref = std::get_if<ir::TileRef>(&operand);
    if (ref == nullptr)
      RaiseAs("type", "the source of T.reinterpretcast is a buffer, but a number is given");
    Take(self, self.Reinterpret(dst.id, *ref, ToDType(dtype)));
  });
  cls.def("view", [](const BuilderPtr& self, const PyBuffer& buffer, nb::handle shape,
                     nb::handle dtype) {
    const ir::Buffer& source = self->module().buffer(self->Resolve(buffer.id));
    const ir::DType type = dtype.is_none() ? source.dtype : ToDType(dtype);
    std::vector<ir::ExprPtr> sizes = shape.is_none() ? source.shape : ToExprs(shape, "a shape");
    return PyBuffer{self, Take(*self, self->View(buffer.id, std::move(sizes), type))};
  });
  cls.def("set_address", [](Builder& self, const PyBuffer& buffer, int64_t offset) {
    Take(self, self.SetAddress(buffer.id, offset));
  });
  cls.def("set_layout", [](Builder& self, const PyBuffer& buffer, const std::string& layout) {
    const ir::Layout value = layout == "zn"             ? ir::Layout::kZn
                             : layout == "nz"           ? ir::Layout::kNz
                             : layout == "column_major" ? ir::Layout::kColumnMajor
                                                        : ir::Layout::kDefault;
    Take(self, self.SetLayout(buffer.id, value));
  });
  cls.def("rename", [](Builder& self, const PyBuffer& buffer, const std::string& name) {
    self.Rename(buffer.id, name);
  });
  cls.def("bind", [](Builder& self, const std::string& name, nb::handle value) {
    return FromExpr(self.Bind(name, ToExpr(value, "the value")));
  });
  cls.def("bind_typed",
          [](Builder& self, const std::string& name, nb::handle dtype, nb::handle value) {
            return FromExpr(self.BindTyped(name, ToDType(dtype), ToExpr(value, "the value")));
          });
  cls.def("address", [](Builder& self, const PyBuffer& buffer) {
    const ir::BufferId id = self.Resolve(buffer.id);
    return PyExpr{ir::Make<ir::Address>(self.range(), [&](ir::Address& node) {
      node.buffer = id;
      node.dtype = ir::DType::kUint64;
    })};
  });
}

void DefBlocks(nb::class_<Builder>& cls) {
  cls.def("open", &Builder::Open);
  cls.def("close", [](Builder& self) { return Optional(self.Close()); });
  cls.def("open_loop", &Builder::OpenLoop);
  cls.def("close_for",
          [](Builder& self, const PyExpr& var, nb::handle min, nb::handle stop, int64_t step) {
            Take(self, self.CloseFor(var.value, ToExpr(min, "the start of a loop"),
                                     ToExpr(stop, "the end of a loop"), step));
          });
  cls.def("close_pipelined", [](Builder& self, const PyExpr& var, nb::handle min, nb::handle stop,
                                int64_t stages, int64_t interval) {
    Take(self, self.ClosePipelined(var.value, ToExpr(min, "the start of a loop"),
                                   ToExpr(stop, "the end of a loop"), stages, interval));
  });
  cls.def("close_parallel", [](Builder& self, nb::handle vars, nb::handle extents) {
    Take(self, self.CloseParallel(ToExprs(vars, "a loop variable"),
                                  ToExprs(extents, "the extent of T.Parallel")));
  });
  cls.def("close_while", [](Builder& self, nb::handle condition) {
    Take(self, self.CloseWhile(ToExpr(condition, "a condition")));
  });
  cls.def("open_scope", [](Builder& self, bool cube) {
    self.OpenScope(cube ? ir::Core::kCube : ir::Core::kVector);
  });
  cls.def("close_scope", &Builder::CloseScope);
  cls.def("emit", [](Builder& self, const PyStmt& stmt) { self.Emit(stmt.value); });
  cls.def(
      "emit_if",
      [](Builder& self, nb::handle condition, const PyStmt& then_body, nb::handle else_body) {
        const ir::StmtPtr other = else_body.is_none() ? nullptr : nb::cast<PyStmt>(else_body).value;
        self.EmitIf(ToExpr(condition, "a condition"), then_body.value, other);
      },
      nb::arg("condition"), nb::arg("then_body"), nb::arg("else_body").none());
  cls.def("loop_exit",
          [](Builder& self, bool is_break) { return PyStmt{Take(self, self.LoopExit(is_break))}; });
}

void DefOperations(nb::class_<Builder>& cls) {
  cls.def(
      "copy",
      [](Builder& self, nb::handle src, nb::handle dst, bool relu, bool transpose, nb::handle pad) {
        return PyStmt{
            Take(self, self.Copy(ToOperand(src, "src of T.copy"), ToOperand(dst, "dst of T.copy"),
                                 relu, transpose, ToOptionalExpr(pad, "pad_value")))};
      },
      nb::arg("src"), nb::arg("dst"), nb::arg("enable_relu"), nb::arg("transpose"),
      nb::arg("pad_value").none());
  cls.def("gemm", [](Builder& self, nb::handle a, nb::handle b, nb::handle c, bool ta, bool tb,
                     nb::handle init, bool mma) {
    return PyStmt{Take(self, self.Gemm(ToOperand(a, "A"), ToOperand(b, "B"), ToOperand(c, "C"), ta,
                                       tb, ToExpr(init, "init"), mma))};
  });
  cls.def("atomic_add", [](Builder& self, nb::handle dst, nb::handle src) {
    return PyStmt{Take(self, self.AtomicAdd(ToOperand(dst, "dst"), ToOperand(src, "src")))};
  });
  cls.def("tile", [](Builder& self, const std::string& name, nb::args args) {
    std::vector<ir::Operand> operands;
    const std::string what = "an argument of T.tile." + name;
    for (nb::handle arg : args) operands.push_back(ToOperand(arg, what.c_str()));
    return PyStmt{Take(self, self.Tile(name, operands))};
  });
  cls.def(
      "reduce",
      [](Builder& self, const std::string& kind, nb::handle src, nb::handle dst, int dim,
         bool clear, std::optional<std::vector<int64_t>> real_shape) {
        return PyStmt{Take(self, self.Reduce(kind, ToOperand(src, "buffer"), ToOperand(dst, "out"),
                                             dim, clear, std::move(real_shape)))};
      },
      nb::arg("kind"), nb::arg("src"), nb::arg("dst"), nb::arg("dim"), nb::arg("clear"),
      nb::arg("real_shape").none());
  cls.def("store", [](Builder& self, const PyBuffer& buffer, nb::handle indices, nb::handle value) {
    ir::TileRef element{.buffer = buffer.id, .form = ir::TileRef::Form::kElement};
    for (const ir::ExprPtr& index : ToExprs(indices, "an index"))
      element.dims.push_back({index, nullptr});
    return PyStmt{Take(self, self.Store(element, ToExpr(value, "the stored value")))};
  });
  cls.def("set_deq_scale", [](Builder& self, nb::handle scale) {
    return PyStmt{self.SetDeqScale(ToExpr(scale, "the scale"))};
  });
}

void DefSynchronisation(nb::class_<Builder>& cls) {
  cls.def("flag", [](Builder& self, bool set, const std::string& src, const std::string& dst,
                     nb::handle flag) {
    return PyStmt{Take(self, self.Flag(set, src, dst, ToExpr(flag, "a flag")))};
  });
  cls.def("barrier", [](Builder& self, const std::string& pipe) {
    return PyStmt{Take(self, self.Barrier(pipe))};
  });
  cls.def("cross_flag",
          [](Builder& self, bool set, const std::string& pipe, nb::handle flag, int mode) {
            return PyStmt{Take(self, self.CrossFlag(set, pipe, ToExpr(flag, "a flag"), mode))};
          });
  cls.def("sync_all", [](Builder& self) { return PyStmt{self.SyncAll()}; });
}

void DefDebugging(nb::class_<Builder>& cls) {
  cls.def("print", [](Builder& self, const std::string& format, nb::handle args) {
    std::vector<ir::ExprPtr> values;
    for (nb::handle arg : args) values.push_back(ToExpr(arg, "an argument of T.printf"));
    return PyStmt{self.Print(format, std::move(values))};
  });
  cls.def("dump", [](Builder& self, nb::handle tile, int64_t description, nb::handle count,
                     std::vector<int64_t> shape) {
    return PyStmt{Take(self, self.Dump(ToOperand(tile, "tensor"), description,
                                       ToExpr(count, "dump_size"), std::move(shape)))};
  });
  cls.def("assert_", [](Builder& self, nb::handle condition, const std::string& message) {
    return PyStmt{self.Assert(ToExpr(condition, "a condition"), message)};
  });
}

}  // namespace

void BindBuilder(nb::module_& m) {
  auto cls = nb::class_<Builder>(m, "Builder", "Builds the IR of one kernel function.");
  cls.def("__init__", [](Builder* self, const std::string& name) {
    new (self) Builder(name, std::make_shared<ir::SourceMap>());
  });
  DefSignature(cls);
  DefBuffers(cls);
  DefBlocks(cls);
  DefOperations(cls);
  DefSynchronisation(cls);
  DefDebugging(cls);
}

}  // namespace hostnpu::bindings

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Module: the finished kernel. Python asks it for its parameters, its text and what it reads and
// writes.
#include "tilelang_module.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "convert.h"
#include "tilelang/ir/param_usage.h"
#include "tilelang/ir/printer.h"

namespace hostnpu::bindings {
namespace {

nb::list Parameters(const ir::Module& module) {
  const std::vector<ir::ParamUsage> usage = ir::AnalyzeParams(module);
  nb::list rows;
  for (size_t i = 0; i < module.params.size(); ++i) {
    const ir::Param& param = module.params[i];
    nb::dict row;
    row["name"] = param.name;
    row["is_tensor"] = param.scalar == nullptr;
    row["read"] = usage[i].read;
    row["written"] = usage[i].written;
    row["read_before_write"] = usage[i].read_before_write;
    row["line"] = param.range.line;
    if (param.scalar) {
      row["dtype"] = std::string(ir::DTypeName(param.scalar->dtype));
      row["shape"] = nb::tuple();
    } else {
      const ir::Buffer& buffer = module.buffer(param.buffer);
      row["dtype"] = std::string(ir::DTypeName(buffer.dtype));
      nb::list shape;
      for (const ir::ExprPtr& size : buffer.shape) shape.append(FromExpr(size));
      row["shape"] = nb::tuple(shape);
    }
    rows.append(row);
  }
  return rows;
}

}  // namespace

void BindModule(nb::module_& m) {
  auto cls = nb::class_<ir::Module>(m, "Module", "A finished kernel function.");
  cls.def_ro("name", &ir::Module::name);
  cls.def("__repr__", [](const ir::Module& self) { return ir::Print(self); });
  cls.def("text", [](const ir::Module& self) { return ir::Print(self); }, "The IR as text.");
  cls.def("params", &Parameters,
          "One dict per parameter: name, dtype, shape, what the kernel does to it.");
  cls.def("symbols", [](const ir::Module& self) {
    nb::list rows;
    for (const ir::VarPtr& symbol : self.symbols) rows.append(nb::cast(PyExpr{symbol}));
    return rows;
  });
  cls.def("with_config", [](const ir::Module& self, bool auto_sync, bool memory_planning,
                            bool auto_cv_combine, bool auto_cv_sync) {
    ir::Module copy = self;
    copy.config = {auto_sync, memory_planning, auto_cv_combine, auto_cv_sync};
    return copy;
  });
  cls.def_prop_ro("blocks", [](const ir::Module& self) { return FromExpr(self.launch.blocks); });
  cls.def_prop_ro("threads", [](const ir::Module& self) { return self.launch.threads; });
}

}  // namespace hostnpu::bindings

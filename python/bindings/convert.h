// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PYTHON_BINDINGS_CONVERT_H_
#define HOSTNPU_PYTHON_BINDINGS_CONVERT_H_

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "tilelang/ir/builder.h"

/// Python objects of the TileLang front end and how they turn into IR. Exceptions exist only here.
namespace hostnpu::bindings {

namespace nb = nanobind;
namespace ir = hostnpu::tilelang::ir;

/// `Expr` of Python: a run-time value.
struct PyExpr {
  ir::ExprPtr value;
};

/// `Stmt` of Python: an operation that is made and not yet emitted.
struct PyStmt {
  ir::StmtPtr value;
};

/// `Buffer` of Python.
struct PyBuffer {
  std::shared_ptr<ir::Builder> builder;
  ir::BufferId id;
};

/// `Region` of Python: `buf[a:b, c]`.
struct PyRegion {
  std::shared_ptr<ir::Builder> builder;
  ir::TileRef ref;
};

/// Raises the Python exception for an error that needs no builder.
[[noreturn]] void Raise(const base::Error& error);
/// Raises the exception class the builder recorded, with notes and help as attributes.
[[noreturn]] void Raise(const ir::Builder& builder, const base::Error& error);
[[noreturn]] void RaiseAs(const char* kind, const std::string& message);

template <typename T>
T Take(base::Result<T> result) {
  if (!result.ok()) Raise(result.error());
  return std::move(result).value();
}
template <typename T>
T Take(const ir::Builder& builder, base::Result<T> result) {
  if (!result.ok()) Raise(builder, result.error());
  return std::move(result).value();
}
inline void Take(const ir::Builder& builder, base::Result<void> result) {
  if (!result.ok()) Raise(builder, result.error());
}

/// An expression from an Expr, a mutable scalar, a Python or numpy number; nullopt for anything
/// else.
std::optional<ir::ExprPtr> TryExpr(nb::handle object);
/// The same, or TypeError naming `what`.
ir::ExprPtr ToExpr(nb::handle object, const char* what);
/// An operand of an operation: tile, number, string or list of numbers.
ir::Operand ToOperand(nb::handle object, const char* what);
/// None is null.
ir::ExprPtr ToOptionalExpr(nb::handle object, const char* what);
std::vector<ir::ExprPtr> ToExprs(nb::handle sequence, const char* what);

/// Python's own int or bool for an int32 or bool literal, else an Expr.
nb::object FromExpr(const ir::ExprPtr& value);
ir::DType ToDType(nb::handle object);

/// What a workspace holds at first: "undefined", "zero", "value" or "persistent-zero".
ir::InitialContents ToContents(const std::string& name);
const char* ContentsName(ir::InitialContents contents);

void BindExpr(nb::module_& m);
void BindBuilder(nb::module_& m);

}  // namespace hostnpu::bindings

#endif  // HOSTNPU_PYTHON_BINDINGS_CONVERT_H_

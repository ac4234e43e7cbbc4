// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A kernel mixes run-time values with Python's: `T.tile.mul(a, a, scale)`, `buf[i * 2, :]`.
// Everything that can stand for a value is recognised here, once.
#include "convert.h"

#include <climits>

#include "fmt/format.h"
#include "tilelang/ir/expr.h"

namespace hostnpu::bindings {
namespace {

const char* KindOf(ir::Raise raise) {
  switch (raise) {
    case ir::Raise::kAssertion:
      return "assertion";
    case ir::Raise::kType:
      return "type";
    case ir::Raise::kUnsupported:
      return "unsupported";
    case ir::Raise::kSyntax:
      return "syntax";
    case ir::Raise::kValue:
      break;
  }
  return "value";
}

[[noreturn]] void CallRaise(const char* kind, const std::string& message, const nb::object& notes,
                            const std::string& help) {
  nb::module_::import_("hostnpu.tilelang.errors")
      .attr("raise_diagnostic")(kind, message, notes, help);
  throw nb::type_error("raise_diagnostic returned");  // it never does
}

std::optional<ir::ExprPtr> FromLong(PyObject* object) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (overflow != 0) throw nb::value_error("an integer does not fit 64 bits");
  return ir::MakeInt(value);
}

constexpr const char* kContents[] = {"undefined", "zero", "value", "persistent-zero"};

std::string TypeName(nb::handle object) {
  return nb::cast<std::string>(nb::str(object.type().attr("__name__")));
}

}  // namespace

void RaiseAs(const char* kind, const std::string& message) {
  CallRaise(kind, message, nb::list(), "");
}

void Raise(const base::Error& error) {
  RaiseAs(error.code == base::Code::kInternal      ? "internal"
          : error.code == base::Code::kUnsupported ? "unsupported"
                                                   : "value",
          error.ToString());
}

void Raise(const ir::Builder& builder, const base::Error& error) {
  if (error.code == base::Code::kInternal) Raise(error);
  const ir::Diagnostic& diagnostic = builder.diagnostic();
  nb::list notes;
  for (const ir::Note& note : diagnostic.notes) {
    const ir::SourceRange& range = note.range;
    notes.append(nb::make_tuple(
        nb::make_tuple(range.file, range.line, range.column, range.end_line, range.end_column),
        note.message));
  }
  CallRaise(KindOf(diagnostic.raise), diagnostic.message, notes, diagnostic.help);
}

std::optional<ir::ExprPtr> TryExpr(nb::handle object) {
  PyObject* raw = object.ptr();
  if (PyBool_Check(raw)) return ir::MakeBool(raw == Py_True);
  if (PyLong_Check(raw)) return FromLong(raw);
  if (PyFloat_Check(raw)) return ir::MakeFloat(PyFloat_AS_DOUBLE(raw));
  if (const PyExpr* expr = nullptr; nb::try_cast(object, expr) && expr != nullptr)
    return expr->value;
  if (const PyBuffer* buffer = nullptr; nb::try_cast(object, buffer) && buffer != nullptr) {
    if (buffer->builder->module().buffer(buffer->builder->Resolve(buffer->id)).memory !=
        ir::Memory::kVar) {
      return std::nullopt;
    }
    return Take(*buffer->builder, buffer->builder->Load(buffer->id, {ir::MakeInt(0)}));
  }
  if (nb::isinstance<PyRegion>(object) || PyUnicode_Check(raw) || PySequence_Check(raw))
    return std::nullopt;
  if (PyIndex_Check(raw)) {
    const nb::object number = nb::steal(PyNumber_Index(raw));
    if (number.is_valid()) return FromLong(number.ptr());
    PyErr_Clear();
  }
  if (PyType_GetSlot(Py_TYPE(raw), Py_nb_float) != nullptr) {
    const double number = PyFloat_AsDouble(raw);
    if (!(number == -1.0 && PyErr_Occurred() != nullptr)) return ir::MakeFloat(number);
    PyErr_Clear();
  }
  return std::nullopt;
}

ir::ExprPtr ToExpr(nb::handle object, const char* what) {
  if (auto value = TryExpr(object)) return *value;
  RaiseAs("type", fmt::format("{} is a number or a run-time value, but {} is given", what,
                              nb::isinstance<PyBuffer>(object)   ? "a whole buffer"
                              : nb::isinstance<PyRegion>(object) ? "a region of a buffer"
                                                                 : "a " + TypeName(object)));
}

ir::ExprPtr ToOptionalExpr(nb::handle object, const char* what) {
  return object.is_none() ? nullptr : ToExpr(object, what);
}

std::vector<ir::ExprPtr> ToExprs(nb::handle sequence, const char* what) {
  std::vector<ir::ExprPtr> values;
  if (auto single = TryExpr(sequence)) return {*single};
  if (!nb::isinstance<nb::tuple>(sequence) && !nb::isinstance<nb::list>(sequence)) {
    RaiseAs("type", fmt::format("{} is a tuple or list of sizes, but a {} is given", what,
                                TypeName(sequence)));
  }
  for (nb::handle item : sequence) values.push_back(ToExpr(item, what));
  return values;
}

ir::Operand ToOperand(nb::handle object, const char* what) {
  if (const PyRegion* region = nullptr; nb::try_cast(object, region) && region != nullptr)
    return region->ref;
  if (const PyBuffer* buffer = nullptr; nb::try_cast(object, buffer) && buffer != nullptr) {
    return ir::TileRef{.buffer = buffer->builder->Resolve(buffer->id),
                       .form = ir::TileRef::Form::kWhole};
  }
  if (nb::isinstance<nb::str>(object)) return nb::cast<std::string>(object);
  if (auto value = TryExpr(object)) return *value;
  if (nb::isinstance<nb::list>(object) || nb::isinstance<nb::tuple>(object))
    return ToExprs(object, what);
  RaiseAs("type", fmt::format("{} is a buffer, a region of one or a number, but a {} is given",
                              what, TypeName(object)));
}

nb::object FromExpr(const ir::ExprPtr& value) {
  if (const auto* imm = ir::As<ir::IntImm>(value)) {
    if (imm->dtype == ir::DType::kBool) return nb::bool_(imm->value != 0);
    if (imm->dtype == ir::DType::kInt32) return nb::int_(imm->value);
  }
  return nb::cast(PyExpr{value});
}

ir::DType ToDType(nb::handle object) {
  std::string name;
  if (nb::isinstance<nb::str>(object)) {
    name = nb::cast<std::string>(object);
  } else if (nb::hasattr(object, "dtype_name")) {
    name = nb::cast<std::string>(object.attr("dtype_name"));
  } else {
    // torch.float16, numpy.float16, numpy.dtype: the last word of the name.
    name = nb::hasattr(object, "__name__") ? nb::cast<std::string>(nb::str(object.attr("__name__")))
                                           : nb::cast<std::string>(nb::str(object));
    if (const size_t dot = name.rfind('.'); dot != std::string::npos) name = name.substr(dot + 1);
  }
  if (const auto dtype = ir::FindDType(name)) return *dtype;
  RaiseAs("value", fmt::format("there is no data type '{}'", name));
}

ir::InitialContents ToContents(const std::string& name) {
  for (size_t i = 0; i < std::size(kContents); ++i) {
    if (name == kContents[i]) return static_cast<ir::InitialContents>(i);
  }
  RaiseAs("value", fmt::format("a workspace cannot hold '{}' at first", name));
}

const char* ContentsName(ir::InitialContents contents) {
  return kContents[static_cast<size_t>(contents)];
}

}  // namespace hostnpu::bindings

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Expr: run-time values with Python's operators. Buffers that are mutable scalars have the same
// operators.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>

#include "convert.h"
#include "fmt/format.h"
#include "tilelang/ir/expr.h"
#include "tilelang/ir/printer.h"

namespace hostnpu::bindings {
namespace {

/// self op other, or NotImplemented for an operand that is no value, so that Python asks the other
/// side.
nb::object Binary(ir::BinaryOp op, nb::handle lhs, nb::handle rhs) {
  const auto a = TryExpr(lhs);
  const auto b = TryExpr(rhs);
  if (!a || !b) return nb::borrow(Py_NotImplemented);
  return FromExpr(Take(ir::MakeBinary(op, *a, *b)));
}

template <typename Class>
void DefOperators(Class& cls) {
  struct Row {
    const char* name;
    const char* reflected;
    ir::BinaryOp op;
  };
  static constexpr Row kRows[] = {
      {"__add__", "__radd__", ir::BinaryOp::kAdd},
      {"__sub__", "__rsub__", ir::BinaryOp::kSub},
      {"__mul__", "__rmul__", ir::BinaryOp::kMul},
      {"__truediv__", "__rtruediv__", ir::BinaryOp::kDiv},
      {"__floordiv__", "__rfloordiv__", ir::BinaryOp::kFloorDiv},
      {"__mod__", "__rmod__", ir::BinaryOp::kFloorMod},
      {"__and__", "__rand__", ir::BinaryOp::kBitAnd},
      {"__or__", "__ror__", ir::BinaryOp::kBitOr},
      {"__xor__", "__rxor__", ir::BinaryOp::kBitXor},
      {"__lshift__", "__rlshift__", ir::BinaryOp::kShl},
      {"__rshift__", "__rrshift__", ir::BinaryOp::kShr},
      {"__lt__", nullptr, ir::BinaryOp::kLt},
      {"__le__", nullptr, ir::BinaryOp::kLe},
      {"__gt__", nullptr, ir::BinaryOp::kGt},
      {"__ge__", nullptr, ir::BinaryOp::kGe},
      {"__eq__", nullptr, ir::BinaryOp::kEq},
      {"__ne__", nullptr, ir::BinaryOp::kNe},
  };
  for (const Row& row : kRows) {
    const ir::BinaryOp op = row.op;
    cls.def(
        row.name, [op](nb::handle self, nb::handle other) { return Binary(op, self, other); },
        nb::is_operator());
    if (row.reflected == nullptr) continue;
    cls.def(
        row.reflected, [op](nb::handle self, nb::handle other) { return Binary(op, other, self); },
        nb::is_operator());
  }
  const auto unary = [](ir::UnaryOp op) {
    return [op](nb::handle self) {
      return FromExpr(Take(ir::MakeUnary(op, ToExpr(self, "the operand"))));
    };
  };
  cls.def("__neg__", unary(ir::UnaryOp::kNegate));
  cls.def("__invert__", unary(ir::UnaryOp::kBitNot));
  cls.def("__pos__", [](nb::handle self) { return FromExpr(ToExpr(self, "the operand")); });
}

void DefExprClass(nb::module_& m) {
  auto cls = nb::class_<PyExpr>(m, "Expr", "A value known only when the kernel runs.");
  DefOperators(cls);
  cls.def_prop_ro("dtype",
                  [](const PyExpr& self) { return std::string(ir::DTypeName(self.value->dtype)); });
  cls.def_prop_ro("name", [](const PyExpr& self) -> std::optional<std::string> {
    if (const auto* var = ir::As<ir::Var>(self.value)) return var->name;
    return std::nullopt;
  });
  cls.def_prop_ro("is_var", [](const PyExpr& self) { return self.value->kind == ir::Kind::kVar; });
  cls.def_prop_ro("is_load",
                  [](const PyExpr& self) { return self.value->kind == ir::Kind::kLoad; });
  cls.def_prop_ro("key", [](const PyExpr& self) -> uint64_t {
    const auto* var = ir::As<ir::Var>(self.value);
    return var != nullptr ? var->id : 0;
  });
  cls.def_prop_ro(
      "constant",
      [](const PyExpr& self) -> nb::object {
        if (const auto number = ir::ConstantInt(self.value)) return nb::int_(*number);
        if (const auto number = ir::ConstantNumber(self.value)) return nb::float_(*number);
        return nb::none();
      },
      "The number, when it is known, else None.");
  cls.def("astype", [](const PyExpr& self, nb::handle dtype) {
    return PyExpr{ir::MakeCast(ToDType(dtype), self.value)};
  });
  cls.def("__repr__", [](const PyExpr& self) { return ir::PrintExpr(self.value); });
  cls.def("__hash__", [](const PyExpr& self) {
    const auto* var = ir::As<ir::Var>(self.value);
    return var != nullptr ? static_cast<size_t>(var->id)
                          : std::hash<const void*>{}(self.value.get());
  });
  cls.def("__index__", [](const PyExpr& self) -> int64_t {
    if (const auto number = ir::ConstantInt(self.value)) return *number;
    RaiseAs(
        "type",
        fmt::format("{} is known only when the kernel runs, but a Python integer is needed here",
                    ir::PrintExpr(self.value)));
  });
  cls.def("__float__", [](const PyExpr& self) -> double {
    if (const auto number = ir::ConstantNumber(self.value)) return *number;
    RaiseAs("type",
            fmt::format("{} is known only when the kernel runs, but a Python float is needed here",
                        ir::PrintExpr(self.value)));
  });
  cls.def("__bool__", [](const PyExpr& self) -> bool {
    if (const auto number = ir::ConstantNumber(self.value)) return *number != 0;
    RaiseAs("type", fmt::format("{} is known only when the kernel runs, so Python cannot decide on "
                                "it; a kernel's own if, "
                                "while and conditional expression can",
                                ir::PrintExpr(self.value)));
  });
}

void DefValueFunctions(nb::module_& m) {
  m.def("symbolic", [](const std::string& name, nb::handle dtype) {
    return PyExpr{ir::MakeVar(name, ToDType(dtype))};
  });
  m.def("variable", [](const std::string& name, nb::handle dtype) {
    return PyExpr{ir::MakeVar(name, ToDType(dtype))};
  });
  m.def("math_call", [](const std::string& name, nb::args args) {
    static constexpr std::string_view kNames[] = {
#define HOSTNPU_MATH_FUNCTION(enumerator, text, arity, integers) text,
#include "tilelang/ir/math_functions.def"
#undef HOSTNPU_MATH_FUNCTION
    };
    std::vector<ir::ExprPtr> values;
    for (nb::handle arg : args) values.push_back(ToExpr(arg, "the argument"));
    for (size_t i = 0; i < std::size(kNames); ++i) {
      if (kNames[i] == name)
        return FromExpr(Take(ir::MakeMath(static_cast<ir::MathFunction>(i), std::move(values))));
    }
    RaiseAs("unsupported", fmt::format("there is no function '{}'", name));
  });
  m.def("binary", [](const std::string& symbol, nb::handle a, nb::handle b) {
    static constexpr std::string_view kSymbols[] = {
#define HOSTNPU_BINARY_OP(enumerator, text, result) text,
#include "tilelang/ir/binary_ops.def"
#undef HOSTNPU_BINARY_OP
    };
    for (size_t i = 0; i < std::size(kSymbols); ++i) {
      if (kSymbols[i] != symbol) continue;
      return FromExpr(Take(ir::MakeBinary(static_cast<ir::BinaryOp>(i), ToExpr(a, "the left side"),
                                          ToExpr(b, "the right side"))));
    }
    RaiseAs("unsupported", fmt::format("there is no operator '{}'", symbol));
  });
  m.def("logical_not", [](nb::handle value) {
    return FromExpr(Take(ir::MakeUnary(ir::UnaryOp::kNot, ToExpr(value, "the operand of not"))));
  });
  m.def("select", [](nb::handle condition, nb::handle if_true, nb::handle if_false, bool lazy) {
    return FromExpr(ir::MakeSelect(ToExpr(condition, "the condition"), ToExpr(if_true, "the value"),
                                   ToExpr(if_false, "the value"), lazy));
  });
}

void DefTypeFunctions(nb::module_& m) {
  m.def("cast", [](nb::handle value, nb::handle dtype) {
    return PyExpr{ir::MakeCast(ToDType(dtype), ToExpr(value, "the value"))};
  });
  m.def("bitcast", [](nb::handle value, nb::handle dtype) {
    return PyExpr{Take(ir::MakeBitcast(ToDType(dtype), ToExpr(value, "the value")))};
  });
  m.def("constant", [](nb::handle value, nb::handle dtype) {
    return PyExpr{ir::MakeCast(ToDType(dtype), ToExpr(value, "the value"))};
  });
  m.def("is_value", [](nb::handle object) { return TryExpr(object).has_value(); });
  m.def(
      "is_runtime",
      [](nb::handle object) {
        if (!nb::isinstance<PyExpr>(object) && !nb::isinstance<PyBuffer>(object)) return false;
        const auto value = TryExpr(object);
        return value && !ir::ConstantNumber(*value);
      },
      "Whether the object is a value that only the running kernel knows.");
  m.def("dtype_name", [](nb::handle dtype) { return std::string(ir::DTypeName(ToDType(dtype))); });
  m.def("dtype_bits", [](nb::handle dtype) { return ir::DTypeBits(ToDType(dtype)); });
  m.def("ascendc_type",
        [](nb::handle dtype) { return std::string(ir::AscendCType(ToDType(dtype))); });
  m.def(
      "evaluate",
      [](nb::handle value, nb::dict symbols) -> std::optional<int64_t> {
        return ir::Evaluate(ToExpr(value, "the size"),
                            [&](const ir::Var& var) -> std::optional<int64_t> {
                              const nb::int_ key(var.id);
                              if (!symbols.contains(key)) return std::nullopt;
                              return nb::cast<int64_t>(symbols[key]);
                            });
      },
      "The value of a size, given {key: number} for its symbols; None when one is missing.");
}

/// `buf[...]`: an element when every subscript is an index, else a region.
nb::object GetItem(const PyBuffer& self, nb::handle key) {
  nb::tuple keys =
      nb::isinstance<nb::tuple>(key) ? nb::borrow<nb::tuple>(key) : nb::make_tuple(key);
  std::vector<ir::Builder::Subscript> subscripts;
  bool all_indices = true;
  for (nb::handle item : keys) {
    if (!PySlice_Check(item.ptr())) {
      subscripts.push_back({ToExpr(item, "an index"), nullptr, true});
      continue;
    }
    all_indices = false;
    const nb::object step = item.attr("step");
    if (!step.is_none() && !(nb::isinstance<nb::int_>(step) && nb::cast<int64_t>(step) == 1)) {
      RaiseAs("unsupported", "a slice of a buffer has the step 1");
    }
    subscripts.push_back({ToOptionalExpr(item.attr("start"), "the start of a slice"),
                          ToOptionalExpr(item.attr("stop"), "the stop of a slice"), false});
  }
  if (all_indices) {
    std::vector<ir::ExprPtr> indices;
    for (const auto& subscript : subscripts) indices.push_back(subscript.start);
    return nb::cast(PyExpr{Take(*self.builder, self.builder->Load(self.id, std::move(indices)))});
  }
  return nb::cast(
      PyRegion{self.builder, Take(*self.builder, self.builder->Slice(self.id, subscripts))});
}

nb::tuple Shape(const std::vector<ir::ExprPtr>& shape) {
  nb::list sizes;
  for (const ir::ExprPtr& size : shape) sizes.append(FromExpr(size));
  return nb::tuple(sizes);
}

void DefBufferClasses(nb::module_& m) {
  auto buffer = nb::class_<PyBuffer>(m, "Buffer",
                                     "A tensor parameter, an on-chip buffer or a mutable scalar.");
  DefOperators(buffer);
  const auto facts = [](const PyBuffer& self) -> const ir::Buffer& {
    return self.builder->module().buffer(self.builder->Resolve(self.id));
  };
  buffer.def_prop_ro("name", [facts](const PyBuffer& self) { return facts(self).name; });
  buffer.def_prop_ro("dtype", [facts](const PyBuffer& self) {
    return std::string(ir::DTypeName(facts(self).dtype));
  });
  buffer.def_prop_ro("shape", [facts](const PyBuffer& self) { return Shape(facts(self).shape); });
  buffer.def_prop_ro("memory", [facts](const PyBuffer& self) {
    return std::string(ir::MemoryName(facts(self).memory));
  });
  buffer.def("scope", [facts](const PyBuffer& self) {
    return std::string(ir::MemoryName(facts(self).memory));
  });
  buffer.def_prop_ro("is_scalar", [facts](const PyBuffer& self) {
    return facts(self).memory == ir::Memory::kVar;
  });
  buffer.def_prop_ro("id", [](const PyBuffer& self) { return static_cast<uint32_t>(self.id); });
  buffer.def("__getitem__", &GetItem);
  buffer.def("__hash__", [](const PyBuffer& self) { return static_cast<size_t>(self.id); });
  buffer.def("__bool__", [facts](const PyBuffer& self) -> bool {
    if (facts(self).memory != ir::Memory::kVar) return true;
    RaiseAs("type",
            fmt::format("'{}' is known only when the kernel runs, so Python cannot decide on it",
                        facts(self).name));
  });
  buffer.def("same_as",
             [](const PyBuffer& self, const PyBuffer& other) { return self.id == other.id; });
  buffer.def("__repr__", [facts](const PyBuffer& self) {
    return fmt::format("Buffer({}, {}, {}, {})", facts(self).name,
                       ir::MemoryName(facts(self).memory), ir::DTypeName(facts(self).dtype),
                       ir::PrintShape(facts(self).shape));
  });

  auto region = nb::class_<PyRegion>(m, "Region", "A rectangular part of a buffer.");
  region.def_prop_ro("buffer",
                     [](const PyRegion& self) { return PyBuffer{self.builder, self.ref.buffer}; });
  region.def_prop_ro("dtype", [](const PyRegion& self) {
    return std::string(ir::DTypeName(self.builder->module().buffer(self.ref.buffer).dtype));
  });
  region.def_prop_ro("shape", [](const PyRegion& self) {
    std::vector<ir::ExprPtr> extents;
    for (const ir::Interval& dim : self.ref.dims) extents.push_back(dim.extent);
    return Shape(extents);
  });
}

}  // namespace

void BindExpr(nb::module_& m) {
  DefExprClass(m);
  nb::class_<PyStmt>(m, "Stmt", "An operation that is made and not yet part of the kernel.");
  DefBufferClasses(m);
  DefValueFunctions(m);
  DefTypeFunctions(m);
}

}  // namespace hostnpu::bindings

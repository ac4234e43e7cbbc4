// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// From a finished Module to a Kernel that can be called: passes, Ascend C text, compiler, dlopen.
// The roles of the parameters come from Python, which knows out_idx and workspace_idx.
#include <dlfcn.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <new>

#include "arch/chip.h"
#include "base/file.h"
#include "base/hash.h"
#include "compiler/cache.h"
#include "compiler/driver.h"
#include "convert.h"
#include "fmt/format.h"
#include "kernel.h"
#include "runtime_door.h"
#include "tilelang/codegen/ascendc_writer.h"
#include "tilelang/ir/param_usage.h"
#include "tilelang/ir/printer.h"
#include "tilelang/passes/fold_workspaces.h"
#include "tilelang/passes/pipeline.h"

namespace hostnpu::bindings {
namespace {

namespace codegen = hostnpu::tilelang::codegen;
namespace passes = hostnpu::tilelang::passes;

/// The text of a kernel before it is compiled.
struct Generated {
  ir::Module module;
  codegen::GeneratedKernel kernel;
  std::string chip;
};

const arch::Chip* ChipNamed(const std::string& name) {
  return Take(name.empty() ? arch::DefaultChip() : arch::FindChip(name));
}

template <typename T>
T TakeCompiled(base::Result<T> result) {
  if (result.ok()) return std::move(result).value();
  const bool internal = result.error().code == base::Code::kInternal;
  RaiseAs(internal ? "internal" : "compile", result.error().ToString());
}

/// `folded`: the parameters that are workspaces, where the workspaces are to be folded.
Generated Generate(const ir::Module& module, const std::string& chip_name,
                   const std::optional<std::vector<size_t>>& folded) {
  const arch::Chip* chip = ChipNamed(chip_name);
  base::Result<ir::Module> lowered = base::Error{};
  base::Result<codegen::GeneratedKernel> written = base::Error{};
  {
    nb::gil_scoped_release release;
    lowered = passes::Lower(module, *chip);
    if (lowered.ok() && folded.has_value()) {
      std::vector<ir::BufferId> workspaces;
      for (const size_t index : *folded) workspaces.push_back(module.params[index].buffer);
      lowered = passes::FoldWorkspaces(std::move(lowered).value(), workspaces, *chip);
    }
    if (lowered.ok()) written = codegen::WriteAscendC(*lowered);
  }
  ir::Module result = TakeCompiled(std::move(lowered));
  return {std::move(result), TakeCompiled(std::move(written)), std::string(chip->name)};
}

std::vector<Slot> SlotsOf(const Generated& generated, const std::vector<std::string>& roles,
                          const std::vector<std::tuple<std::string, double>>& contents) {
  const std::vector<ir::ParamUsage> usage = ir::AnalyzeParams(generated.module);
  std::vector<Slot> slots;
  for (const codegen::KernelParameter& parameter : generated.kernel.parameters) {
    using Kind = codegen::KernelParameter::Kind;
    Slot slot;
    slot.name = parameter.name;
    slot.dtype = parameter.dtype;
    slot.is_symbol = parameter.kind == Kind::kSymbol;
    slot.var = parameter.var;
    if (parameter.kind == Kind::kTensor || parameter.kind == Kind::kWorkspace) {
      const ir::Buffer& buffer = generated.module.buffer(parameter.buffer);
      slot.shape = buffer.shape;
      slot.per_block = parameter.kind == Kind::kWorkspace && buffer.per_block;
      slot.folded_rows = buffer.folded_rows;
      slot.init = buffer.init;
      slot.init_value = buffer.init_value;
    }
    if (parameter.kind == Kind::kScalar) slot.role = Role::kScalar;
    if (parameter.kind == Kind::kWorkspace) slot.role = Role::kWorkspace;
    slot.hidden = parameter.kind == Kind::kWorkspace;
    const size_t index = slots.size();
    if (index < usage.size()) slot.read = usage[index].read;
    if (index < usage.size()) slot.written = usage[index].written;
    if (parameter.kind == Kind::kTensor && index < roles.size()) {
      slot.role = roles[index] == "output"      ? Role::kOutput
                  : roles[index] == "workspace" ? Role::kWorkspace
                                                : Role::kInput;
      const auto& [name, value] = contents[index];
      slot.init = ToContents(name);
      slot.init_value = value;
    }
    slots.push_back(std::move(slot));
  }
  return slots;
}

/// Puts the text where a debugger, a fault's file:line and the compiler find it: in the cache, by
/// content.
base::Result<std::string> WriteSource(const codegen::GeneratedKernel& kernel) {
  const std::string folder = compiler::Cache::DefaultRoot() + "/source/" +
                             base::HashBytes(kernel.source).ToHex().substr(0, 16);
  const std::string path = folder + "/" + kernel.name + ".asc";
  if (base::IsFile(path)) return path;
  HOSTNPU_TRY(base::MakeDirectories(folder), "keeping the generated source");
  HOSTNPU_TRY(base::WriteFileAtomically(path, kernel.source), "keeping the generated source");
  return path;
}

nb::tuple Compile(const Generated& generated, const std::vector<std::string>& roles,
                  const std::vector<std::tuple<std::string, double>>& contents,
                  std::vector<std::string> flags) {
  compiler::CompileRequest request;
  request.sources.push_back({Take(WriteSource(generated.kernel))});
  request.output = compiler::OutputKind::kSharedObject;
  request.chip = generated.chip;
  request.compiler_flags = std::move(flags);
  base::Result<compiler::CompiledModule> compiled = base::Error{};
  void* library = nullptr;
  std::string failure;
  {
    nb::gil_scoped_release release;
    compiled = compiler::CompileSharedObject(request);
    if (compiled.ok()) library = dlopen(compiled->path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (compiled.ok() && library == nullptr) failure = dlerror();
  }
  const compiler::CompiledModule module = TakeCompiled(std::move(compiled));
  if (library == nullptr)
    RaiseAs("internal", fmt::format("the compiled kernel cannot be loaded: {}", failure));
  void* symbol = dlsym(library, generated.kernel.entry.c_str());
  if (symbol == nullptr)
    RaiseAs("internal",
            fmt::format("the compiled kernel has no entry '{}'", generated.kernel.entry));
  auto kernel = std::make_unique<Kernel>(
      generated.module.name, SlotsOf(generated, roles, contents), generated.module.launch.blocks,
      generated.module.launch.at_once, reinterpret_cast<int (*)(const uint64_t*, void*)>(symbol),
      request.sources.front().path);
  return nb::make_tuple(nb::cast(kernel.release(), nb::rv_policy::take_ownership), module.path,
                        module.was_cached);
}

/// (pass, text, changed) after each pass.
nb::list Trace(const ir::Module& module, const std::string& chip_name) {
  std::vector<std::tuple<std::string, std::string, bool>> steps;
  const auto note = [&](std::string_view pass, const ir::Module& after, bool changed) {
    steps.emplace_back(std::string(pass), ir::Print(after), changed);
  };
  auto lowered = passes::Lower(module, *ChipNamed(chip_name), note);
  nb::list rows;
  for (const auto& [pass, text, changed] : steps) rows.append(nb::make_tuple(pass, text, changed));
  if (!lowered.ok() && rows.size() == 0) TakeCompiled(std::move(lowered));
  return rows;
}

PyObject* CallKernel(PyObject* self, PyObject* args, PyObject* keywords) {
  const Callable* callable = nb::inst_ready(self) ? nb::inst_ptr<Callable>(self) : nullptr;
  if (callable == nullptr || callable->kernel == nullptr) {
    PyErr_SetString(PyExc_TypeError, "this kernel is not compiled yet");
    return nullptr;
  }
  if (keywords != nullptr && PyDict_GET_SIZE(keywords) != 0) {
    PyErr_SetString(PyExc_TypeError, "a kernel takes its arguments by position, not by name");
    return nullptr;
  }
  try {
    return callable->kernel->Call(args).release().ptr();
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

void BindCallable(nb::module_& m) {
  static PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(&CallKernel)}, {0, nullptr}};
  auto cls = nb::class_<Callable>(m, "Callable", "Calls the kernel that it is bound to.",
                                  nb::type_slots(slots));
  cls.def(nb::init<>());
  cls.def(
      "bind",
      [](Callable& self, const nb::object& kernel) {
        self.kernel = nb::cast<Kernel*>(kernel);
        self.owner = kernel;
      },
      nb::arg("kernel"));
}

}  // namespace

void BindKernel(nb::module_& m) {
  ExposeRuntime();
  BindCallable(m);
  auto generated = nb::class_<Generated>(m, "Generated", "A kernel as Ascend C text.");
  generated.def_prop_ro("source", [](const Generated& self) { return self.kernel.source; });
  generated.def_prop_ro("host_source",
                        [](const Generated& self) { return self.kernel.host_source; });
  generated.def_prop_ro("entry", [](const Generated& self) { return self.kernel.entry; });
  generated.def_prop_ro("ir", [](const Generated& self) { return ir::Print(self.module); });
  generated.def_prop_ro("hidden_workspaces", [](const Generated& self) {
    std::vector<std::string> names;
    for (const auto& parameter : self.kernel.parameters) {
      if (parameter.kind == codegen::KernelParameter::Kind::kWorkspace)
        names.push_back(parameter.name);
    }
    return names;
  });
  m.def("generate", &Generate, nb::arg("module"), nb::arg("chip") = "",
        nb::arg("folded") = nb::none());
  m.def("compile", &Compile, nb::arg("generated"), nb::arg("roles"), nb::arg("contents"),
        nb::arg("flags"), "(Kernel, path of the library, whether it came from the cache).");
  m.def("trace", &Trace, nb::arg("module"), nb::arg("chip") = "");
  m.def(
      "chip",
      [](const std::string& name) {
        const arch::Chip* chip = ChipNamed(name);
        nb::dict facts;
        facts["name"] = std::string(chip->name);
        facts["aic_count"] = chip->aic_count;
        facts["aiv_count"] = chip->aiv_count;
        facts["hbm_bytes"] = chip->hbm_bytes;
        facts["l2_bytes"] = chip->l2_bytes;
        facts["ub_bytes"] = chip->ub_bytes;
        facts["l1_bytes"] = chip->l1_bytes;
        facts["l0c_bytes"] = chip->l0c_bytes;
        return facts;
      },
      nb::arg("name") = "", "The numbers of a chip, of the chosen one without a name.");
  m.def("pass_names", [] {
    std::vector<std::string> names;
    for (std::string_view name : passes::PassNames()) names.emplace_back(name);
    return names;
  });

  auto cls = nb::class_<Kernel>(m, "Kernel", "A compiled kernel.");
  cls.def("order_results", &Kernel::OrderResults, nb::arg("slots"));
  cls.def("plan", &Kernel::Plan);
  cls.def_prop_rw("strict", &Kernel::strict, &Kernel::set_strict);
}

}  // namespace hostnpu::bindings

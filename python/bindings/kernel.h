// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PYTHON_BINDINGS_KERNEL_H_
#define HOSTNPU_PYTHON_BINDINGS_KERNEL_H_

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/launch_memory.h"
#include "tensor.h"
#include "tilelang/codegen/ascendc_writer.h"
#include "tilelang/ir/module.h"

namespace hostnpu::bindings {

namespace ir = hostnpu::tilelang::ir;

enum class Role : uint8_t { kInput, kOutput, kWorkspace, kScalar };

/// One word of a call: a parameter of the signature, a hidden workspace, or a symbol.
struct Slot {
  std::string name;
  Role role = Role::kInput;
  bool is_symbol = false;
  ir::DType dtype = ir::DType::kFloat32;
  std::vector<ir::ExprPtr> shape{};
  ir::VarPtr var{};  ///< symbol or scalar parameter

  bool read = false;     ///< by the kernel
  bool written = false;  ///< by the kernel
  bool hidden = false;   ///< a workspace that no parameter names

  // Workspaces.
  bool per_block = false;  ///< hidden: one for each block
  ir::InitialContents init = ir::InitialContents::kUndefined;
  double init_value = 0;
  int64_t folded_rows = 0;  ///< of a slice of a folded one; 0: it has a slice for each block

  // A size that no symbol changes, worked out once.
  bool is_fixed = false;
  std::vector<int64_t> fixed_shape{};
  int64_t fixed_bytes = 0;
};

/// How a symbol is found: (size of dimension `dim` of slot `slot` - offset) / factor.
struct Solution {
  size_t slot;
  int32_t dim;
  int64_t factor;
  int64_t offset;
};

/// A compiled kernel and how to call it. Calls from several threads are safe.
class Kernel {
 public:
  /// `slots` in the order of the words that the generated `entry` takes; its code stays loaded for
  /// good. `source_path` is the generated text, whose comments have the lines of the Python script.
  /// `at_once` is the number of blocks that share folded workspaces, 0 without them.
  Kernel(std::string name, std::vector<Slot> slots, ir::ExprPtr blocks, int64_t at_once,
         int (*entry)(const uint64_t*, void*), std::string source_path);
  ~Kernel();
  Kernel(const Kernel&) = delete;

  /// Calls with a tuple of Python's arguments; blocks until the kernel has finished. Raises on
  /// misuse.
  nb::object Call(nb::handle args);

  /// Lets several results stand in the order of these slots instead of the signature's.
  void OrderResults(const std::vector<size_t>& slots);

  /// What a call with inputs of these shapes leases: "rows", one a workspace, and "total_bytes".
  nb::dict Plan(nb::args shapes);

  void set_strict(bool strict) { strict_ = strict; }
  bool strict() const { return strict_; }

 private:
  struct Frame;
  class FrameInUse;
  nb::object Call(Frame& frame, nb::handle args);
  void Match(Frame& frame, size_t count) const;
  /// Raises when the arguments fall short by exactly the scratch that nothing declares (S71).
  void ExplainUndeclared(size_t count) const;
  void OpenArguments(Frame& frame, nb::handle args);
  void OpenTensor(size_t slot, size_t position, nb::handle argument, TensorView* view) const;
  void SetScalar(Frame& frame, size_t slot, nb::handle argument) const;
  void CheckTensor(size_t slot, const TensorView& view) const;
  void Solve(Frame& frame) const;
  void CheckShapes(Frame& frame);
  void Complain(const std::string& message);
  std::optional<int64_t> Evaluate(const Frame& frame, const ir::ExprPtr& size) const;
  /// The shape for the plan from a sequence or a tensor. Raises for what is neither.
  std::vector<int64_t> ReadShape(size_t slot, nb::handle given) const;
  /// In numbers, for these symbols; of a workspace with the blocks in front where each has its own.
  std::vector<int64_t> DeclaredShapeOf(const Frame& frame, const Slot& slot) const;
  /// The same, with as many slices as a folded workspace has.
  std::vector<int64_t> ShapeOf(const Frame& frame, const Slot& slot) const;
  int64_t BytesFor(const Frame& frame, const Slot& slot) const;
  void FixSizes();
  /// Raises, with the name, for a product that no memory holds.
  int64_t BytesOf(const Slot& slot, const std::vector<int64_t>& shape) const;
  void AllocateOutputs(Frame& frame) const;
  /// Where the workspaces of these sizes stand; null if there are none. Made once for each of the
  /// sizes that came last.
  runtime::PlanPointer PlanWorkspaces(const std::vector<int64_t>& sizes);
  void Run(Frame& frame);
  nb::object Results(Frame& frame) const;
  std::string NamesOf(const std::vector<size_t>& list) const;
  std::string Inputs() const;
  std::string Expected() const;
  size_t SymbolIndex(uint64_t id) const;

  /// What a fault says, with the line of the Python script behind the generated one.
  std::string ExplainFault(const std::string& text) const;

  const std::string name_;
  std::vector<Slot> slots_;  // as they are from the constructor on
  const ir::ExprPtr blocks_;
  const int64_t at_once_;
  int (*const entry_)(const uint64_t*, void*);
  const std::string source_path_;
  bool strict_ = true;
  bool complained_ = false;
  size_t signature_size_ = 0;

  std::vector<size_t> inputs_;      // tensors and scalars passed, in order
  std::vector<size_t> passed_all_;  // inputs and outputs, in signature order
  std::vector<size_t> outputs_;
  std::vector<size_t> result_order_;  // the outputs as they are returned
  std::vector<size_t> workspaces_;
  std::vector<size_t> symbols_;                   // slots
  std::vector<std::vector<Solution>> solutions_;  // by index in symbols_

  std::vector<std::unique_ptr<Frame>> frames_;  // of calls that are over

  std::mutex plans_mutex_;
  std::vector<runtime::PlanPointer> plans_;  // the latest in front
};

/// What Python's class of kernels derives from: a call of it goes to the Kernel, and not through
/// the interpreter first.
struct Callable {
  Kernel* kernel = nullptr;
  nb::object owner{};  ///< of the Kernel
};

/// The compile step, the Kernel class and the Callable class of Python.
void BindKernel(nb::module_& m);

}  // namespace hostnpu::bindings

#endif  // HOSTNPU_PYTHON_BINDINGS_KERNEL_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// One call of a TileLang kernel: the caller gives the inputs; sizes are solved from them, outputs
// made, workspaces planned and leased from the stream, everything named to the memory table so that
// a stray access is caught and named, and the generated entry called. All of it costs a few
// microseconds, so nothing here goes back to Python except to make an error.
#include "kernel.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <tuple>
#include <utility>

#include "base/file.h"
#include "convert.h"
#include "fmt/format.h"
#include "memory/device_memory.h"
#include "runtime_door.h"
#include "tilelang/ir/expr.h"
#include "tilelang/ir/printer.h"
#include "workspace/signature.h"

namespace hostnpu::bindings {
namespace {

constexpr size_t kPlansKept = 8;  // of one kernel, for later calls with the same sizes
/// Between two workspaces: a loop that goes on at the end of one meets this and is caught.
constexpr int64_t kGuardBytes = workspace::kDefaultAlignment;

/// The shape of something passed; belongs to whoever passed it.
struct GivenShape {
  const int64_t* sizes = nullptr;  ///< null: nothing is passed
  int32_t ndim = 0;

  std::string Text() const {
    return fmt::format("({}{})", fmt::join(sizes, sizes + ndim, ", "), ndim == 1 ? "," : "");
  }
};

/// What a call lends to kernels.
class Loans {
 public:
  Loans() = default;
  ~Loans() { End(); }
  Loans(const Loans&) = delete;
  Loans& operator=(const Loans&) = delete;

  void Add(void* data, int64_t bytes, const std::string& name) {
    if (data == nullptr || bytes <= 0) return;
    buffers_.push_back({data, static_cast<uint64_t>(bytes), &name});
  }
  void Begin() {
    memory::DeviceMemory::Get().Lend(buffers_, 0);
    begun_ = true;
  }
  void End() {
    if (begun_) memory::DeviceMemory::Get().EndLoans(buffers_);
    begun_ = false;
    buffers_.clear();
  }

 private:
  std::vector<memory::LentBuffer> buffers_;
  bool begun_ = false;
};

/// The bytes of one element of this value.
workspace::Contents ValueOf(ir::DType dtype, double value) {
  uint64_t pattern = 0;
  const auto put = [&](auto typed) { std::memcpy(&pattern, &typed, sizeof(typed)); };
  switch (dtype) {
    case ir::DType::kFloat32:
      put(static_cast<float>(value));
      break;
    case ir::DType::kFloat64:
      put(value);
      break;
    case ir::DType::kFloat16:
      put(static_cast<_Float16>(value));
      break;
    case ir::DType::kBfloat16: {
      const auto narrow = static_cast<float>(value);
      uint32_t bits = 0;
      std::memcpy(&bits, &narrow, sizeof(bits));
      put(static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16));
      break;
    }
    default:
      put(static_cast<int64_t>(value));
      break;
  }
  const uint32_t bytes = std::max(static_cast<uint32_t>(ir::DTypeBits(dtype)) / 8, 1u);
  return workspace::Contents::Value(pattern, bytes);
}

workspace::Contents ContentsOf(const Slot& slot) {
  switch (slot.init) {
    case ir::InitialContents::kUndefined:
      break;
    case ir::InitialContents::kZero:
      return workspace::Contents::Zero();
    case ir::InitialContents::kPersistentZero:
      return workspace::Contents::PersistentZero();
    case ir::InitialContents::kValue:
      return ValueOf(slot.dtype, slot.init_value);
  }
  return {};
}

bool HasSizes(const workspace::ArenaPlan& plan, const std::vector<int64_t>& sizes) {
  return std::equal(plan.slots.begin(), plan.slots.end(), sizes.begin(), sizes.end(),
                    [](const workspace::Slot& slot, int64_t bytes) { return slot.bytes == bytes; });
}

/// factor and offset of a size that is linear in one symbol and has no other.
std::optional<std::pair<int64_t, int64_t>> Linear(const ir::ExprPtr& size, uint64_t symbol) {
  const auto at = [&](int64_t number) {
    return ir::Evaluate(size, [&](const ir::Var& var) -> std::optional<int64_t> {
      return var.id == symbol ? std::optional(number) : std::nullopt;
    });
  };
  const auto zero = at(0);
  const auto one = at(1);
  if (!zero || !one || *one == *zero) return std::nullopt;
  const int64_t factor = *one - *zero;
  for (const int64_t probe : {2, 63, 64, 1000, 12345}) {
    if (at(probe) != *zero + factor * probe) return std::nullopt;
  }
  return std::pair{factor, *zero};
}

/// The bytes of a tensor; nothing for more than a buffer may have.
std::optional<int64_t> BytesIn(ir::DType dtype, const std::vector<int64_t>& shape) {
  int64_t bits = static_cast<int64_t>(ir::DTypeBits(dtype));
  bool fits = true;
  for (const int64_t size : shape) fits = !__builtin_mul_overflow(bits, size, &bits) && fits;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  if (!fits || bits / 8 > workspace::kMaxBufferBytes) return std::nullopt;
  return bits / 8 + (bits % 8 != 0 ? 1 : 0);
}

/// Whether a kernel's parameter of this type can be the number.
bool Fits(ir::DType dtype, int64_t number) {
  const size_t bits = ir::DTypeBits(dtype);
  switch (ir::ClassOf(dtype)) {
    case ir::DTypeClass::kInt:
      return bits >= 64 || (number >= -(int64_t{1} << (bits - 1)) && number >> (bits - 1) <= 0);
    case ir::DTypeClass::kUint:
      return bits >= 64 || (number >= 0 && number >> bits == 0);
    default:
      return false;
  }
}

}  // namespace

/// Everything of one call. Kept by the kernel between its calls.
struct Kernel::Frame {
  explicit Frame(const Kernel& kernel)
      : words(kernel.slots_.size(), 0),
        known(kernel.symbols_.size(), 0),
        symbols(kernel.symbols_.size(), 0),
        views(kernel.slots_.size()),
        shapes(kernel.slots_.size()),
        objects(kernel.slots_.size()) {}

  /// Gives back what the call held.
  void Clear() {
    loans.End();
    for (TensorView& view : views) view.Release();
    for (nb::object& object : objects) object.reset();
    sizes.clear();
    std::fill(words.begin(), words.end(), 0);
    std::fill(known.begin(), known.end(), 0);
    std::fill(symbols.begin(), symbols.end(), 0);
    std::fill(shapes.begin(), shapes.end(), GivenShape());
    passed = nullptr;
    source = TensorSource::kNone;
    api = nullptr;
  }

  std::vector<uint64_t> words;
  std::vector<int64_t> sizes;  ///< of the workspaces
  std::vector<char> known;
  std::vector<int64_t> symbols;
  std::vector<TensorView> views;    ///< by slot; kNone where nothing is passed
  std::vector<GivenShape> shapes;   ///< by slot; null where nothing is passed
  std::vector<nb::object> objects;  ///< outputs to give back, by slot
  Loans loans;                      ///< they end before the views do
  const std::vector<size_t>* passed = nullptr;
  TensorSource source = TensorSource::kNone;
  const dlpack::ExchangeApi* api = nullptr;
};

Kernel::Kernel(std::string name, std::vector<Slot> slots, ir::ExprPtr blocks, int64_t at_once,
               int (*entry)(const uint64_t*, void*), std::string source_path)
    : name_(std::move(name)),
      slots_(std::move(slots)),
      blocks_(std::move(blocks)),
      at_once_(at_once),
      entry_(entry),
      source_path_(std::move(source_path)) {
  for (size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (!slot.is_symbol && !slot.hidden) signature_size_ = i + 1;
    if (slot.is_symbol) {
      symbols_.push_back(i);
      continue;
    }
    if (slot.role == Role::kInput || slot.role == Role::kScalar) inputs_.push_back(i);
    if (slot.role == Role::kOutput) outputs_.push_back(i);
    if (slot.role == Role::kWorkspace) workspaces_.push_back(i);
    if (slot.role != Role::kWorkspace) passed_all_.push_back(i);
  }
  result_order_ = outputs_;
  solutions_.resize(symbols_.size());
  for (size_t s = 0; s < symbols_.size(); ++s) {
    const uint64_t id = slots_[symbols_[s]].var->id;
    for (const bool outputs : {false, true}) {  // inputs decide first
      for (const size_t i : outputs ? outputs_ : inputs_) {
        if (slots_[i].role == Role::kScalar) continue;
        for (size_t dim = 0; dim < slots_[i].shape.size(); ++dim) {
          if (const auto linear = Linear(slots_[i].shape[dim], id)) {
            solutions_[s].push_back({i, static_cast<int32_t>(dim), linear->first, linear->second});
          }
        }
      }
    }
    // Inputs before outputs, and a size that is the symbol itself before one that has to be
    // divided.
    std::sort(solutions_[s].begin(), solutions_[s].end(),
              [&](const Solution& a, const Solution& b) {
                const auto rank = [&](const Solution& x) {
                  const int output = slots_[x.slot].role == Role::kOutput ? 1 : 0;
                  const int divided = x.factor == 1 && x.offset == 0 ? 0 : 1;
                  return std::tuple(output, divided, x.slot, x.dim);
                };
                return rank(a) < rank(b);
              });
  }
  FixSizes();
}

Kernel::~Kernel() = default;  // the code stays loaded: a stream may still name it

size_t Kernel::SymbolIndex(uint64_t id) const {
  for (size_t s = 0; s < symbols_.size(); ++s) {
    if (slots_[symbols_[s]].var->id == id) return s;
  }
  return symbols_.size();
}

std::string Kernel::NamesOf(const std::vector<size_t>& list) const {
  std::vector<std::string> parts;
  for (size_t i : list) parts.push_back(slots_[i].name);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string Kernel::Inputs() const {
  return fmt::format("the {} input{} ({})", inputs_.size(), inputs_.size() == 1 ? "" : "s",
                     NamesOf(inputs_));
}

std::string Kernel::Expected() const {
  if (outputs_.empty()) return Inputs();
  return fmt::format("{}, or the inputs and all outputs ({})", Inputs(), NamesOf(passed_all_));
}

void Kernel::Match(Frame& frame, size_t count) const {
  if (count == inputs_.size()) {
    frame.passed = &inputs_;
  } else if (count == passed_all_.size()) {
    frame.passed = &passed_all_;
  } else {
    const std::string missing =
        count < inputs_.size()
            ? fmt::format("; '{}' is the first that is missing", slots_[inputs_[count]].name)
            : "";
    ExplainUndeclared(count);
    RaiseAs("value", fmt::format("kernel '{}' takes {}, but {} arguments are given{}", name_,
                                 Expected(), count, missing));
  }
}

void Kernel::ExplainUndeclared(size_t count) const {
  // A parameter that the kernel fills itself and that no list names: too few arguments by just
  // those.
  std::vector<size_t> scratch;
  for (const size_t i : inputs_) {
    if (slots_[i].written && slots_[i].read) scratch.push_back(i);
  }
  if (scratch.empty() || count + scratch.size() != inputs_.size()) return;
  std::vector<size_t> indices = workspaces_;
  std::erase_if(indices, [&](size_t i) { return i >= signature_size_; });
  std::vector<std::string> lines;
  for (const size_t i : scratch) {
    indices.push_back(i);
    lines.push_back(
        fmt::format("parameter {} `{}` is neither passed nor declared", i, slots_[i].name));
  }
  std::sort(indices.begin(), indices.end());
  RaiseAs("value",
          fmt::format("kernel '{}' is given {} arguments: {}; the kernel writes and reads {}, so "
                      "workspace_idx=[{}] would be right",
                      name_, count, fmt::join(lines, ", "), scratch.size() == 1 ? "it" : "them",
                      fmt::join(indices, ", ")));
}

void Kernel::OpenArguments(Frame& frame, nb::handle args) {
  for (size_t i = 0; i < frame.passed->size(); ++i) {
    const size_t slot = (*frame.passed)[i];
    const nb::handle argument = PyTuple_GET_ITEM(args.ptr(), static_cast<Py_ssize_t>(i));
    if (slots_[slot].role == Role::kScalar) {
      SetScalar(frame, slot, argument);
      continue;
    }
    TensorView& view = frame.views[slot];
    OpenTensor(slot, i, argument, &view);
    CheckTensor(slot, view);
    frame.shapes[slot] = {view.sizes(), view.ndim()};
    frame.words[slot] = reinterpret_cast<uint64_t>(view.data());
    if (frame.source == TensorSource::kNone) {
      frame.source = view.source();
      frame.api = view.api();
    }
    if (slots_[slot].role == Role::kOutput) frame.objects[slot] = nb::borrow(argument);
  }
}

void Kernel::OpenTensor(size_t slot, size_t position, nb::handle argument, TensorView* view) const {
  std::string failure;
  try {
    if (view->Open(argument)) return;
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_Exception)) throw;  // an interrupt is the caller's
    failure = nb::cast<std::string>(nb::str(error.value()));
    failure.resize(std::min(failure.find('\n'), failure.size()));
  }
  const auto type = nb::cast<std::string>(argument.type().attr("__name__"));
  const std::string which = fmt::format("argument {} of kernel '{}' (parameter '{}')", position + 1,
                                        name_, slots_[slot].name);
  if (failure.empty())
    RaiseAs("type", fmt::format("{} is a tensor, but a {} is given", which, type));
  RaiseAs("value", fmt::format("{} is a {} whose memory cannot be used: {}", which, type, failure));
}

void Kernel::SetScalar(Frame& frame, size_t slot, nb::handle argument) const {
  const Slot& spec = slots_[slot];
  if (PyLong_CheckExact(argument.ptr()) != 0) {
    int overflow = 0;
    const int64_t number = PyLong_AsLongLongAndOverflow(argument.ptr(), &overflow);
    if (overflow == 0 && Fits(spec.dtype, number)) {
      frame.words[slot] = static_cast<uint64_t>(number);
      return;
    }
  }
  const auto value = TryExpr(argument);
  const auto number = value ? ir::ConstantNumber(*value) : std::nullopt;
  if (!number) {
    RaiseAs("type", fmt::format("parameter '{}' of kernel '{}' is a {}, but a {} is given",
                                spec.name, name_, ir::DTypeName(spec.dtype),
                                nb::cast<std::string>(argument.type().attr("__name__"))));
  }
  if (ir::IsFloat(spec.dtype)) {
    std::memcpy(&frame.words[slot], &*number, sizeof(double));
    return;
  }
  const auto integer = ir::ConstantInt(*value);
  if (!integer || (ir::DTypeBits(spec.dtype) < 64 &&
                   ir::ConstantInt(ir::MakeCast(spec.dtype, *value)) != integer)) {
    RaiseAs("value", fmt::format("parameter '{}' of kernel '{}' is a {}, but {} does not fit it",
                                 spec.name, name_, ir::DTypeName(spec.dtype),
                                 nb::cast<std::string>(nb::str(argument))));
  }
  frame.words[slot] = static_cast<uint64_t>(*integer);
}

void Kernel::CheckTensor(size_t slot, const TensorView& view) const {
  const Slot& spec = slots_[slot];
  if (!view.on_cpu()) {
    RaiseAs("value", fmt::format("parameter '{}' of kernel '{}' is on a device that is not the CPU",
                                 spec.name, name_));
  }
  const auto dtype = view.dtype();
  const bool bytes = dtype == ir::DType::kBool &&
                     (spec.dtype == ir::DType::kUint8 || spec.dtype == ir::DType::kInt8);
  if (dtype != spec.dtype && !bytes) {
    RaiseAs("value", fmt::format("Buffer dtype mismatch: parameter '{}' of kernel '{}' has type "
                                 "{}, but a tensor of type {} is "
                                 "given",
                                 spec.name, name_, ir::DTypeName(spec.dtype), view.DTypeText()));
  }
  if (!view.contiguous()) {
    RaiseAs("value",
            fmt::format(
                "parameter '{}' of kernel '{}' is not contiguous (shape {}); pass x.contiguous()",
                spec.name, name_, view.ShapeText()));
  }
  if (spec.role == Role::kOutput && !view.writable()) {
    RaiseAs("value", fmt::format("output '{}' of kernel '{}' is read-only", spec.name, name_));
  }
  if (spec.written && !view.writable()) {
    RaiseAs("value",
            fmt::format("parameter '{}' of kernel '{}' is read-only, but the kernel writes it",
                        spec.name, name_));
  }
}

void Kernel::Solve(Frame& frame) const {
  for (size_t s = 0; s < symbols_.size(); ++s) {
    for (const Solution& solution : solutions_[s]) {
      const GivenShape& given = frame.shapes[solution.slot];
      if (given.sizes == nullptr) continue;
      // A caller may pass [1, n] for [n]: leading dimensions of one are looked through.
      const auto rank = static_cast<int32_t>(slots_[solution.slot].shape.size());
      const int32_t dim = solution.dim + given.ndim - rank;
      if (dim < 0) continue;
      const int64_t rest = given.sizes[dim] - solution.offset;
      if (rest % solution.factor != 0) continue;
      frame.symbols[s] = rest / solution.factor;
      frame.known[s] = 1;
      break;
    }
    frame.words[symbols_[s]] = static_cast<uint64_t>(frame.symbols[s]);
    if (frame.known[s]) continue;
    RaiseAs("value", fmt::format("Unfounded symbolic var: the size '{}' of kernel '{}' cannot be "
                                 "found from the inputs; no input has "
                                 "a dimension that is '{}' or a multiple of it",
                                 slots_[symbols_[s]].name, name_, slots_[symbols_[s]].name));
  }
}

std::optional<int64_t> Kernel::Evaluate(const Frame& frame, const ir::ExprPtr& size) const {
  if (const auto* imm = ir::As<ir::IntImm>(size)) return imm->value;
  return ir::Evaluate(size, [&](const ir::Var& var) -> std::optional<int64_t> {
    const size_t s = SymbolIndex(var.id);
    if (s < symbols_.size()) return frame.symbols[s];
    for (size_t i = 0; i < slots_.size(); ++i) {
      if (slots_[i].role == Role::kScalar && slots_[i].var != nullptr &&
          slots_[i].var->id == var.id) {
        return static_cast<int64_t>(frame.words[i]);
      }
    }
    return std::nullopt;
  });
}

std::vector<int64_t> Kernel::ShapeOf(const Frame& frame, const Slot& slot) const {
  std::vector<int64_t> shape = DeclaredShapeOf(frame, slot);
  if (slot.folded_rows == 0) return shape;
  const int64_t slices = std::clamp<int64_t>(Evaluate(frame, blocks_).value_or(1), 0, at_once_);
  shape[0] = std::min(shape[0], slices * slot.folded_rows);
  return shape;
}

std::vector<int64_t> Kernel::DeclaredShapeOf(const Frame& frame, const Slot& slot) const {
  std::vector<int64_t> shape;
  for (const ir::ExprPtr& size : slot.shape) {
    const auto number = Evaluate(frame, size);
    if (!number || *number < 0) {
      RaiseAs("value",
              fmt::format(
                  "the size {} of '{}' in kernel '{}' is {}", ir::PrintExpr(size), slot.name, name_,
                  number ? std::to_string(*number) : "not an integer that the inputs decide"));
    }
    shape.push_back(*number);
  }
  if (slot.per_block)
    shape.insert(shape.begin(), std::max<int64_t>(Evaluate(frame, blocks_).value_or(1), 0));
  return shape;
}

void Kernel::Complain(const std::string& message) {
  if (strict_) RaiseAs("value", message);
  if (complained_) return;
  complained_ = true;
  if (PyErr_WarnEx(PyExc_UserWarning, message.c_str(), 1) != 0) throw nb::python_error();
}

void Kernel::CheckShapes(Frame& frame) {
  if (complained_ && !strict_) return;
  for (const size_t i : *frame.passed) {
    const GivenShape& given = frame.shapes[i];
    if (given.sizes == nullptr) continue;
    const Slot& slot = slots_[i];
    if (slot.is_fixed && std::equal(given.sizes, given.sizes + given.ndim, slot.fixed_shape.begin(),
                                    slot.fixed_shape.end())) {
      continue;
    }
    bool same = static_cast<size_t>(given.ndim) == slot.shape.size();
    for (int32_t d = 0; same && d < given.ndim; ++d) {
      same = Evaluate(frame, slot.shape[static_cast<size_t>(d)]) == given.sizes[d];
    }
    if (same) continue;
    std::vector<std::string> sizes;
    for (const ir::ExprPtr& size : slot.shape) {
      const auto number = Evaluate(frame, size);
      const bool fixed = size->kind == ir::Kind::kIntImm || !number;
      sizes.push_back(fixed ? ir::PrintExpr(size)
                            : fmt::format("{} = {}", ir::PrintExpr(size), *number));
    }
    Complain(fmt::format(
        "parameter '{}' of kernel '{}' has shape ({}{}), but a tensor of shape {} is given",
        slot.name, name_, fmt::join(sizes, ", "), sizes.size() == 1 ? "," : "", given.Text()));
  }
}

void Kernel::AllocateOutputs(Frame& frame) const {
  if (frame.passed == &passed_all_ && !outputs_.empty() && frame.passed->size() != inputs_.size())
    return;
  if (frame.source == TensorSource::kNone && !outputs_.empty()) {
    frame.api = LoadedTorch();
    frame.source = frame.api != nullptr ? TensorSource::kExchange : SourceWithoutTorch();
  }
  for (const size_t i : outputs_) {
    const Slot& slot = slots_[i];
    std::vector<int64_t> solved;
    if (!slot.is_fixed) solved = ShapeOf(frame, slot);
    const std::vector<int64_t>& shape = slot.is_fixed ? slot.fixed_shape : solved;
    if (!slot.is_fixed) (void)BytesOf(slot, shape);  // raises for a size that cannot be
    void* data = nullptr;
    frame.objects[i] = AllocateTensor(frame.source, frame.api, slot.dtype, shape.data(),
                                      static_cast<int32_t>(shape.size()), &data);
    frame.words[i] = reinterpret_cast<uint64_t>(data);
  }
}

int64_t Kernel::BytesOf(const Slot& slot, const std::vector<int64_t>& shape) const {
  const auto bytes = BytesIn(slot.dtype, shape);
  if (bytes) return *bytes;
  RaiseAs("value", fmt::format("'{}' of kernel '{}' with shape ({}) of {} has more than {} bytes",
                               slot.name, name_, fmt::join(shape, ", "), ir::DTypeName(slot.dtype),
                               workspace::kMaxBufferBytes));
}

int64_t Kernel::BytesFor(const Frame& frame, const Slot& slot) const {
  return slot.is_fixed ? slot.fixed_bytes : BytesOf(slot, ShapeOf(frame, slot));
}

void Kernel::FixSizes() {
  const Frame none(*this);
  const auto is_number = [](const ir::ExprPtr& size) {
    return ir::As<ir::IntImm>(size) != nullptr;
  };
  for (Slot& slot : slots_) {
    if (slot.is_symbol || slot.role == Role::kScalar) continue;
    if (!std::all_of(slot.shape.begin(), slot.shape.end(), is_number)) continue;
    if ((slot.per_block || slot.folded_rows != 0) && !is_number(blocks_)) continue;
    std::vector<int64_t> shape = ShapeOf(none, slot);
    // A declared size may be a bound that nothing comes near: only a call that needs it refuses it.
    const auto bytes = BytesIn(slot.dtype, shape);
    if (!bytes) continue;
    slot.fixed_shape = std::move(shape);
    slot.fixed_bytes = *bytes;
    slot.is_fixed = true;
  }
}

runtime::PlanPointer Kernel::PlanWorkspaces(const std::vector<int64_t>& sizes) {
  if (sizes.empty()) return nullptr;
  std::lock_guard lock(plans_mutex_);
  for (size_t i = 0; i < plans_.size(); ++i) {
    if (!HasSizes(*plans_[i], sizes)) continue;
    std::rotate(plans_.begin(), plans_.begin() + static_cast<ptrdiff_t>(i),
                plans_.begin() + static_cast<ptrdiff_t>(i) + 1);
    return plans_.front();
  }
  workspace::Request request;
  request.owner = name_;
  request.guard_bytes = kGuardBytes;
  for (size_t w = 0; w < sizes.size(); ++w) {
    const Slot& slot = slots_[workspaces_[w]];
    request.regions.push_back(
        {slot.name, sizes[w], workspace::kDefaultAlignment, ContentsOf(slot), {}});
  }
  auto plan = std::make_shared<const workspace::ArenaPlan>(Take(workspace::PlanArena(request)));
  if (plans_.size() == kPlansKept) plans_.pop_back();
  plans_.insert(plans_.begin(), plan);
  return plan;
}

void Kernel::Run(Frame& frame) {
  for (const size_t i : passed_all_) {
    const Slot& slot = slots_[i];
    if (slot.role == Role::kScalar) continue;
    const TensorView& view = frame.views[i];
    const int64_t bytes =
        view.source() != TensorSource::kNone ? view.bytes() : BytesFor(frame, slot);
    frame.loans.Add(reinterpret_cast<void*>(frame.words[i]), bytes, slot.name);
  }
  frame.loans.Begin();
  for (const size_t i : workspaces_) frame.sizes.push_back(BytesFor(frame, slots_[i]));
  const CallWorkspaces workspaces{PlanWorkspaces(frame.sizes), workspaces_};
  base::Result<void> outcome;
  {
    nb::gil_scoped_release release;
    outcome = RunAndWait(entry_, frame.words.data(), workspaces);
  }
  if (outcome.ok()) return;
  const bool ran_to_its_end = outcome.error().code != base::Code::kKernelFault;
  RaiseAs(ran_to_its_end ? "workspace" : "kernel", ExplainFault(outcome.error().ToString()));
}

std::string Kernel::ExplainFault(const std::string& text) const {
  // A place below the working directory is shown relative to it: file and folder are looked for.
  const size_t slash = source_path_.rfind('/', source_path_.rfind('/') - 1);
  const std::string shown = source_path_.substr(slash + 1) + ":";
  const size_t at = text.find(shown);
  const auto source = base::ReadFile(source_path_);
  if (at == std::string::npos || !source.ok()) return text;
  const int64_t line = std::atoll(text.c_str() + at + shown.size());
  std::istringstream lines(*source);
  std::string origin;
  std::string one;
  for (int64_t number = 1; number <= line && std::getline(lines, one); ++number) {
    const size_t start = std::min(one.find_first_not_of(' '), one.size());
    // `// script.py:12` stands above the first statement of each line of the script.
    const size_t colon = one.rfind(':');
    if (one.compare(start, 3, "// ") == 0 && colon != std::string::npos && colon + 1 < one.size() &&
        one.find_first_not_of("0123456789", colon + 1) == std::string::npos)
      origin = one.substr(start + 3);
  }
  if (origin.empty()) return text;
  const size_t end = std::min(text.find('\n', at), text.size());
  return fmt::format("{}\n   from {}{}", text.substr(0, end), origin, text.substr(end));
}

nb::object Kernel::Results(Frame& frame) const {
  if (outputs_.size() == 1) return frame.objects[outputs_[0]];
  nb::list results;
  for (const size_t i : result_order_) results.append(frame.objects[i]);
  return results;
}

void Kernel::OrderResults(const std::vector<size_t>& slots) {
  std::vector<size_t> ascending = slots;
  std::sort(ascending.begin(), ascending.end());
  if (ascending != outputs_) RaiseAs("internal", "the order of the results is not of the outputs");
  result_order_ = slots;
}

/// A frame of the kernel's for one call. The interpreter's lock guards the list; another call may
/// come while this one runs.
class Kernel::FrameInUse {
 public:
  explicit FrameInUse(Kernel& kernel) : kernel_(kernel) {
    if (kernel.frames_.empty()) kernel.frames_.push_back(std::make_unique<Frame>(kernel));
    frame_ = std::move(kernel.frames_.back());
    kernel.frames_.pop_back();
  }
  ~FrameInUse() {
    frame_->Clear();
    kernel_.frames_.push_back(std::move(frame_));
  }
  FrameInUse(const FrameInUse&) = delete;
  Frame& operator*() const { return *frame_; }

 private:
  Kernel& kernel_;
  std::unique_ptr<Frame> frame_;
};

nb::object Kernel::Call(nb::handle args) {
  const FrameInUse frame(*this);
  return Call(*frame, args);
}

nb::object Kernel::Call(Frame& frame, nb::handle args) {
  Match(frame, static_cast<size_t>(PyTuple_GET_SIZE(args.ptr())));
  OpenArguments(frame, args);
  Solve(frame);
  CheckShapes(frame);
  AllocateOutputs(frame);
  Run(frame);
  return Results(frame);
}

std::vector<int64_t> Kernel::ReadShape(size_t slot, nb::handle given) const {
  const nb::object shape =
      nb::hasattr(given, "shape") ? nb::object(given.attr("shape")) : nb::borrow(given);
  const auto refuse = [&] {
    RaiseAs("type", fmt::format("the plan of kernel '{}' takes a shape or a tensor for parameter "
                                "'{}', but {} is given",
                                name_, slots_[slot].name, nb::cast<std::string>(nb::repr(given))));
  };
  if (PyUnicode_Check(shape.ptr()) != 0 || PySequence_Check(shape.ptr()) == 0) refuse();
  std::vector<int64_t> sizes;
  for (nb::handle item : shape) {
    int64_t size = 0;
    const bool fits = nb::try_cast<int64_t>(item, size);
    if (!fits && PyLong_Check(item.ptr()) == 0) refuse();
    if (!fits || size < 0 || size > workspace::kMaxBufferBytes) {
      RaiseAs("value",
              fmt::format("the size {} of parameter '{}' of kernel '{}' is not between 0 and {}",
                          nb::cast<std::string>(nb::str(item)), slots_[slot].name, name_,
                          workspace::kMaxBufferBytes));
    }
    sizes.push_back(size);
  }
  return sizes;
}

nb::dict Kernel::Plan(nb::args shapes) {
  Frame frame(*this);
  if (shapes.size() != inputs_.size()) {
    RaiseAs("value", fmt::format("the plan of kernel '{}' takes a shape (or the number) for each "
                                 "of {}, but {} are given",
                                 name_, Inputs(), shapes.size()));
  }
  frame.passed = &inputs_;
  std::vector<std::vector<int64_t>> sizes(slots_.size());
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const size_t slot = inputs_[i];
    if (slots_[slot].role == Role::kScalar) {
      SetScalar(frame, slot, shapes[i]);
      continue;
    }
    sizes[slot] = ReadShape(slot, shapes[i]);
    frame.shapes[slot] = {sizes[slot].data(), static_cast<int32_t>(sizes[slot].size())};
  }
  Solve(frame);
  CheckShapes(frame);
  std::vector<int64_t> bytes;
  for (const size_t i : workspaces_) bytes.push_back(BytesFor(frame, slots_[i]));
  const runtime::PlanPointer plan = PlanWorkspaces(bytes);
  nb::list rows;
  for (size_t w = 0; w < workspaces_.size(); ++w) {
    const Slot& slot = slots_[workspaces_[w]];
    nb::list dims;
    for (int64_t size : ShapeOf(frame, slot)) dims.append(size);
    nb::dict row;
    row["name"] = slot.name;
    row["shape"] = nb::tuple(dims);
    row["dtype"] = std::string(ir::DTypeName(slot.dtype));
    row["bytes"] = bytes[w];
    row["declared"] = BytesOf(slot, DeclaredShapeOf(frame, slot));
    row["offset"] = plan->slots[w].offset;
    row["persistent"] = plan->slots[w].persistent;
    row["contents"] = ContentsName(slot.init);
    rows.append(row);
  }
  nb::dict result;
  result["rows"] = rows;
  result["total_bytes"] = plan == nullptr ? 0 : plan->bytes + plan->persistent_bytes;
  return result;
}

}  // namespace hostnpu::bindings

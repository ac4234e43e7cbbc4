// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ API: include/hostnpu/runtime.h over the objects of this layer.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "acl/acl_base.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/option.h"
#include "compiler/driver.h"
#include "hostnpu/runtime.h"
#include "memory/device_memory.h"
#include "runtime/context.h"
#include "runtime/device.h"
#include "runtime/last_error.h"
#include "runtime/launch_memory.h"
#include "runtime/module.h"
#include "runtime/operator_call.h"
#include "runtime/own_stream.h"
#include "runtime/status.h"
#include "runtime/workspace_report.h"

namespace hostnpu {

struct Kernel::State {
  std::shared_ptr<const runtime::KernelFunction> function;
  std::vector<Parameter> parameters;
  std::optional<size_t> system_parameter;  // begins with the library's part of the workspace
};

struct Module::State {
  std::shared_ptr<runtime::Module> module;
};

struct Stream::State {
  std::shared_ptr<runtime::Stream> stream;
  ~State() { static_cast<void>(runtime::DestroyStream(stream->handle(), false)); }
};

namespace {

using memory::DeviceMemory;

Error Converted(const char* function, const base::Error& error) {
  runtime::MarkRead(error);
  return Error{runtime::StatusNumber(error), runtime::StatusText(function, error)};
}

Status Converted(const char* function, const base::Result<void>& result) {
  if (!result.ok()) return Converted(function, result.error());
  return Done{};
}

base::Error Invalid(std::string message) {
  return base::Error{base::Code::kInvalidArgument, std::move(message)};
}

Kernel MakeKernel(std::shared_ptr<const runtime::KernelFunction> function) {
  auto state = std::make_shared<Kernel::State>();
  const auto kernel = runtime::KernelRegistry::Get().Find(function->name);
  for (size_t i = 0; i < function->arguments.size(); ++i) {
    const HostnpuArgument& argument = function->arguments[i];
    Parameter parameter;
    if (kernel != nullptr && i < kernel->parameters.size()) {
      parameter.name = kernel->parameters[i].name;
      parameter.type = kernel->parameters[i].type;
    }
    parameter.offset = argument.offset;
    parameter.size_bytes = argument.size_bytes;
    parameter.is_pointer = argument.is_pointer != 0;
    state->parameters.push_back(std::move(parameter));
  }
  if (kernel != nullptr) state->system_parameter = kernel->SystemWorkspaceParameter();
  state->function = std::move(function);
  return Kernel(std::move(state));
}

Result<Module> CompileSource(compiler::SourceInput source, const CompileOptions& options) {
  compiler::CompileRequest request;
  request.sources = {std::move(source)};
  request.include_dirs = options.include_dirs;
  request.defines = options.defines;
  request.compiler_flags = options.flags;
  request.standard = options.standard;
  request.debug = options.debug;
  auto chip = options.chip.empty() ? runtime::DeviceChip() : arch::FindChip(options.chip);
  if (!chip.ok()) return Converted("Module::Compile", chip.error());
  request.chip = std::string((*chip)->name);
  auto compiled = compiler::CompileSharedObject(std::move(request));
  if (!compiled.ok()) return Converted("Module::Compile", compiled.error());
  return Module::Load(compiled->path);
}

/// Puts a source text where a compiler and a debugger can read it. The folder's name follows from
/// the text, so that the compilation is found in the cache the next time.
base::Result<std::string> KeepText(const std::string& text, const std::string& name) {
  const std::string stem = name.substr(name.rfind('/') + 1);
  const std::string folder = fmt::format("{}/hostnpu-{}/{}", base::EnvText("TMPDIR", "/tmp"),
                                         getuid(), base::HashBytes(text).ToHex());
  HOSTNPU_TRY(base::MakeDirectories(folder), "keeping a source text");
  const std::string path = folder + "/" + (stem.empty() ? "kernel.asc" : stem);
  const auto held = base::ReadFile(path);
  if (held.ok() && *held == text) return path;
  const std::string fresh = fmt::format("{}.{}", path, getpid());
  HOSTNPU_TRY(base::WriteFile(fresh, text), "keeping a source text");
  HOSTNPU_TRY(base::Rename(fresh, path), "keeping a source text");
  return path;
}

workspace::Contents ContentsOf(WorkspaceContents contents) {
  switch (contents) {
    case WorkspaceContents::kZero:
      return workspace::Contents::Zero();
    case WorkspaceContents::kPersistentZero:
      return workspace::Contents::PersistentZero();
    case WorkspaceContents::kUndefined:
      break;
  }
  return {};
}

/// The packed arguments of one Launch() and what they need until it is done.
class Call {
 public:
  Call(const Kernel& kernel, std::shared_ptr<runtime::Stream> stream)
      : kernel_(kernel),
        stream_(std::move(stream)),
        packed_(std::max<size_t>(kernel.packed_bytes(), 1)) {}
  ~Call() {
    for (const auto& [data, bytes] : lent_) {
      static_cast<void>(DeviceMemory::Get().Unregister(data, bytes));
    }
  }
  Call(const Call&) = delete;

  base::Result<void> AddInput(const Input& input) {
    HOSTNPU_ASSIGN_OR_RETURN(const Parameter* parameter, NextPointer("an input"));
    void* data = const_cast<void*>(input.data);
    if (input.size_bytes == 0) data = nullptr;
    if (data != nullptr) {
      auto lent = DeviceMemory::Get().Register(data, input.size_bytes, 0, parameter->name);
      if (!lent.ok()) return lent;
      lent_.emplace_back(data, input.size_bytes);
    }
    return Store(*parameter, &data, sizeof(data));
  }

  base::Result<void> AddBuffer(size_t bytes, bool zeroed, const char* what,
                               std::vector<Buffer>& into) {
    HOSTNPU_ASSIGN_OR_RETURN(const Parameter* parameter, NextPointer(what));
    auto buffer = Buffer::Allocate(std::max<size_t>(bytes, 1), 0, parameter->name);
    if (!buffer.ok()) {
      return runtime::ErrorWith(
          buffer.error().number,
          fmt::format("{} '{}' of kernel '{}' cannot be allocated.\n{}", what, parameter->name,
                      kernel_.name(), buffer.error().message));
    }
    void* data = buffer->data();
    if (zeroed) std::memset(data, 0, bytes);
    into.push_back(std::move(*buffer));
    return Store(*parameter, &data, sizeof(data));
  }

  base::Result<void> AddWorkspace(const WorkspaceSize& size) {
    uint64_t system_bytes = 0;
    if (kernel_.state().system_parameter == next_) {
      HOSTNPU_ASSIGN_OR_RETURN(const arch::Chip* chip, runtime::DeviceChip());
      system_bytes = chip->system_workspace_bytes;
    }
    HOSTNPU_ASSIGN_OR_RETURN(const Parameter* parameter, NextPointer("a workspace"));
    std::byte* data = nullptr;
    if (system_bytes + size.size_bytes > 0) {
      HOSTNPU_ASSIGN_OR_RETURN(
          data, memory_.Lease(stream_->memory(),
                              runtime::SlotAt(runtime::Slot::kWorkspace, workspaces_++),
                              runtime::PlanOfOne(kernel_.name(), parameter->name, system_bytes,
                                                 size.size_bytes, ContentsOf(size.contents))));
    }
    return Store(*parameter, &data, sizeof(data));
  }

  base::Result<void> AddScalar(const Scalar& scalar) {
    HOSTNPU_ASSIGN_OR_RETURN(const Parameter* parameter, Next());
    if (parameter->is_pointer) {  // tiling data in global memory
      next_ -= 1;
      HOSTNPU_TRY(AddBuffer(scalar.bytes.size(), false, "The data of", held_), "passing a struct");
      std::memcpy(held_.back().data(), scalar.bytes.data(), scalar.bytes.size());
      return {};
    }
    const std::vector<unsigned char> value = ConvertedTo(*parameter, scalar);
    if (value.size() != parameter->size_bytes) {
      return Invalid(
          fmt::format("Parameter '{}' of kernel '{}' ({}) has {} bytes, but the argument has "
                      "{}.",
                      parameter->name, kernel_.name(), parameter->type, parameter->size_bytes,
                      scalar.bytes.size()));
    }
    return Store(*parameter, value.data(), value.size());
  }

  /// Launches and waits.
  base::Result<void> Run(uint64_t blocks) {
    runtime::FunctionLaunch launch;
    launch.function = kernel_.state().function.get();
    launch.blocks = blocks;
    launch.packed = packed_.data();
    launch.packed_bytes = kernel_.packed_bytes();
    launch.stream = stream_->handle();
    runtime::LeaveForNextLaunch(std::move(memory_));
    auto result = runtime::LaunchFunction(launch);
    runtime::TakeLeftMemory();  // if it was refused
    return runtime::FinishOwn(*stream_, std::move(result));
  }

 private:
  base::Result<const Parameter*> Next() {
    if (next_ < kernel_.parameters().size()) return &kernel_.parameters()[next_++];
    return Invalid(fmt::format("Kernel '{}' has {} parameters.", kernel_.name(), next_));
  }
  base::Result<const Parameter*> NextPointer(const char* what) {
    HOSTNPU_ASSIGN_OR_RETURN(const Parameter* parameter, Next());
    if (parameter->is_pointer) return parameter;
    return Invalid(
        fmt::format("Parameter '{}' of kernel '{}' ({}) is no pointer, so it cannot be {}.",
                    parameter->name, kernel_.name(), parameter->type, what));
  }
  base::Result<void> Store(const Parameter& parameter, const void* value, size_t bytes) {
    std::memcpy(packed_.data() + parameter.offset, value, bytes);
    return {};
  }

  /// A number in the width and kind of the parameter; other bytes as they are.
  static std::vector<unsigned char> ConvertedTo(const Parameter& parameter, const Scalar& scalar) {
    const size_t width = parameter.size_bytes;
    const auto bytes_of = [](const auto& value) {
      std::vector<unsigned char> bytes(sizeof(value));
      std::memcpy(bytes.data(), &value, sizeof(value));
      return bytes;
    };
    const bool wants_float = parameter.type == "float" || parameter.type == "double";
    if (wants_float && (scalar.is_float || scalar.is_integer)) {
      const double number = AsDouble(scalar);
      return width == sizeof(float) ? bytes_of(static_cast<float>(number)) : bytes_of(number);
    }
    if (!scalar.is_integer || width > sizeof(int64_t)) return scalar.bytes;
    int64_t number = AsInteger(scalar);
    std::vector<unsigned char> bytes = bytes_of(number);
    bytes.resize(width);
    return bytes;
  }
  static int64_t AsInteger(const Scalar& scalar) {
    int64_t value = 0;
    const bool negative = (scalar.bytes.back() & 0x80) != 0;
    if (negative) value = -1;
    std::memcpy(&value, scalar.bytes.data(), std::min(scalar.bytes.size(), sizeof(value)));
    return value;
  }
  static double AsDouble(const Scalar& scalar) {
    if (scalar.is_integer) return static_cast<double>(AsInteger(scalar));
    if (scalar.bytes.size() == sizeof(float)) {
      float value = 0;
      std::memcpy(&value, scalar.bytes.data(), sizeof(value));
      return value;
    }
    double value = 0;
    std::memcpy(&value, scalar.bytes.data(), sizeof(value));
    return value;
  }

  const Kernel& kernel_;
  const std::shared_ptr<runtime::Stream> stream_;
  runtime::LaunchMemory memory_;
  size_t workspaces_ = 0;
  std::vector<unsigned char> packed_;
  std::vector<std::pair<void*, size_t>> lent_;
  std::vector<Buffer> held_;
  size_t next_ = 0;
};

base::Result<std::vector<Buffer>> RunCall(const Kernel& kernel, uint64_t blocks,
                                          const std::vector<Input>& inputs, const Outputs& outputs,
                                          const Workspaces& workspaces,
                                          const std::vector<Scalar>& scalars) {
  const size_t given = inputs.size() + outputs.size() + workspaces.size() + scalars.size();
  if (given != kernel.parameters().size()) {
    return Invalid(
        fmt::format("Kernel '{}' has {} parameters, but the launch gives {} arguments: {} "
                    "inputs, {} outputs, {} workspaces, {} scalars.",
                    kernel.name(), kernel.parameters().size(), given, inputs.size(), outputs.size(),
                    workspaces.size(), scalars.size()));
  }
  HOSTNPU_ASSIGN_OR_RETURN(auto stream, runtime::OwnStream());
  Call call(kernel, std::move(stream));
  std::vector<Buffer> results;
  for (const Input& input : inputs) HOSTNPU_TRY(call.AddInput(input), "passing an input");
  for (const OutputSize& output : outputs) {
    HOSTNPU_TRY(call.AddBuffer(output.size_bytes, output.zeroed, "an output", results),
                "passing an output");
  }
  for (const WorkspaceSize& size : workspaces) {
    HOSTNPU_TRY(call.AddWorkspace(size), "passing a workspace");
  }
  for (const Scalar& scalar : scalars) HOSTNPU_TRY(call.AddScalar(scalar), "passing a scalar");
  if (auto run = call.Run(blocks); !run.ok()) return run.error();
  return results;
}

}  // namespace

const std::string& Kernel::name() const { return state_->function->name; }
const std::vector<Parameter>& Kernel::parameters() const { return state_->parameters; }
size_t Kernel::packed_bytes() const { return state_->function->arguments_bytes; }

Result<Module> Module::Compile(const std::string& path, const CompileOptions& options) {
  compiler::SourceInput source;
  source.path = path;
  return CompileSource(std::move(source), options);
}

Result<Module> Module::CompileText(const std::string& text, const std::string& name,
                                   const CompileOptions& options) {
  auto path = KeepText(text, name);
  if (!path.ok()) return Converted("Module::CompileText", path.error());
  compiler::SourceInput source;
  source.path = std::move(path).value();
  return CompileSource(std::move(source), options);
}

Result<Module> Module::Load(const std::string& path) {
  auto module = runtime::Module::Load(path);
  if (!module.ok()) return Converted("Module::Load", module.error());
  return Module(std::make_shared<const State>(State{std::move(module).value()}));
}

Result<Kernel> Module::Find(const std::string& name) const {
  auto function = state_->module->Find(name);
  if (!function.ok()) return Converted("Module::Find", function.error());
  return MakeKernel(std::move(function).value());
}

std::vector<std::string> Module::kernel_names() const {
  std::vector<std::string> names;
  for (const auto& function : state_->module->functions()) names.push_back(function->name);
  return names;
}

Result<Stream> Stream::Create(int device) {
  auto context = runtime::PrimaryContext(device);
  if (!context.ok()) return Converted("Stream::Create", context.error());
  auto state = std::make_shared<State>();
  state->stream = (*context)->CreateStream(0, 0);
  return Stream(std::move(state));
}

Status Stream::Synchronize() {
  return Converted("Stream::Synchronize", state_->stream->Synchronize());
}

Status Stream::Reset() {
  static_cast<void>(state_->stream->Synchronize());
  if (auto failure = state_->stream->failure()) runtime::MarkRead(*failure);
  state_->stream->ForgetFailure();
  return Done{};
}

void* Stream::handle() const { return state_->stream->handle(); }

Result<Buffer> Buffer::Allocate(size_t size_bytes, int device, const std::string& label) {
  auto index = runtime::CheckDevice(device);
  if (!index.ok()) return Converted("Buffer::Allocate", index.error());
  auto data = runtime::AllocateUndefined(*index, size_bytes, label);
  if (!data.ok()) return Converted("Buffer::Allocate", data.error());
  return Buffer(*data, size_bytes);
}

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_bytes_(other.size_bytes_) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

Buffer::~Buffer() {
  if (data_ != nullptr) static_cast<void>(DeviceMemory::Get().Free(data_));
}

Status Lend(void* data, size_t size_bytes, int device, const std::string& label) {
  auto index = runtime::CheckDevice(device);
  if (!index.ok()) return Converted("Lend", index.error());
  return Converted("Lend", DeviceMemory::Get().Register(data, size_bytes, *index, label));
}

Status TakeBack(void* data, size_t size_bytes) {
  return Converted("TakeBack", DeviceMemory::Get().Unregister(data, size_bytes));
}

Status LaunchPacked(const Kernel& kernel, uint64_t blocks, const void* packed, size_t packed_bytes,
                    void* stream) {
  if (stream == nullptr && !runtime::CurrentContext().ok()) {
    auto context = runtime::PrimaryContext(0);
    if (!context.ok()) return Converted("LaunchPacked", context.error());
    runtime::SetCurrentContext(std::move(context).value());
  }
  runtime::FunctionLaunch launch;
  launch.function = kernel.state().function.get();
  launch.blocks = blocks;
  launch.packed = packed;
  launch.packed_bytes = packed_bytes;
  launch.stream = stream;
  return Converted("LaunchPacked", runtime::LaunchFunction(launch));
}

Status SetWorkspaceSize(const std::string& kernel, uint64_t size_bytes,
                        WorkspaceContents contents) {
  return Converted("SetWorkspaceSize", runtime::KernelRegistry::Get().SetWorkspaceBytes(
                                           kernel, size_bytes, ContentsOf(contents)));
}

void SetOperatorWorkspaceContents(const std::string& type, WorkspaceContents contents) {
  runtime::OperatorTable::Get().SetWorkspaceContents(type, ContentsOf(contents));
}

Result<WorkspaceStatistics> GetWorkspaceStatistics(int device) {
  auto index = runtime::CheckDevice(device);
  if (!index.ok()) return Converted("GetWorkspaceStatistics", index.error());
  const workspace::PoolStatistics pool = runtime::PoolOf(*index).Statistics();
  WorkspaceStatistics statistics;
  statistics.reserved_bytes = static_cast<uint64_t>(pool.reserved_bytes);
  statistics.peak_reserved_bytes = static_cast<uint64_t>(pool.peak_reserved_bytes);
  statistics.busy_bytes = static_cast<uint64_t>(pool.busy_bytes);
  statistics.limit_bytes = static_cast<uint64_t>(pool.limit_bytes);
  statistics.allocations = pool.allocations;
  statistics.refused = pool.failures;
  statistics.leases = pool.leases;
  return statistics;
}

Status SetWorkspaceLimit(uint64_t size_bytes, int device) {
  auto index = runtime::CheckDevice(device);
  if (!index.ok()) return Converted("SetWorkspaceLimit", index.error());
  runtime::PoolOf(*index).SetLimit(static_cast<int64_t>(
      std::min<uint64_t>(size_bytes, static_cast<uint64_t>(workspace::kMaxBufferBytes))));
  return Done{};
}

Result<uint64_t> TrimWorkspaces(int device) {
  auto index = runtime::CheckDevice(device);
  if (!index.ok()) return Converted("TrimWorkspaces", index.error());
  return static_cast<uint64_t>(runtime::PoolOf(*index).Trim());
}

Status LockWorkspaces(bool locked, int device) {
  auto index = runtime::CheckDevice(device);
  if (!index.ok()) return Converted("LockWorkspaces", index.error());
  workspace::Pool& pool = runtime::PoolOf(*index);
  locked ? pool.Lock() : pool.Unlock();
  return Done{};
}

std::string WorkspaceReport() { return runtime::RenderWorkspaceReport(); }

Result<Launched> Launch(const Kernel& kernel, uint64_t blocks, const std::vector<Input>& inputs,
                        const Outputs& outputs, const Workspaces& workspaces,
                        const std::vector<Scalar>& scalars) {
  auto results = RunCall(kernel, blocks, inputs, outputs, workspaces, scalars);
  if (!results.ok()) return Converted("Launch", results.error());
  return Launched(std::move(results).value());
}

}  // namespace hostnpu

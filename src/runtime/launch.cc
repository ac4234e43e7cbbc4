// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// From the call behind `<<<>>>` to the engine. What is checked here is what the host can know
// before anything runs: a pointer that is wrong on arrival is reported with the name of its
// parameter, instead of as a fault of some core in some instruction.
#include "runtime/launch.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstring>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "acl/acl_base.h"
#include "base/option.h"
#include "engine/engine.h"
#include "memory/device_memory.h"
#include "runtime/context.h"
#include "runtime/device.h"
#include "runtime/last_error.h"
#include "runtime/launch_warning.h"
#include "runtime/status.h"
#include "runtime/system_workspace.h"
#include "runtime/workspace_report.h"

namespace hostnpu::runtime {
namespace {

constexpr uint64_t kMostBlocks = uint64_t{1} << 31;
constexpr unsigned char kLocalPoison = 0xff;  // a NaN in every floating type

std::mutex& ListenerMutex() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}
std::function<void(const FaultNotice&)>& Listener() {
  static auto& listener = *new std::function<void(const FaultNotice&)>;
  return listener;
}

/// A launch on its way: what the checks found out, in the order they do.
struct Submission {
  explicit Submission(const HostnpuLaunch& the_launch) : launch(the_launch) {}
  const HostnpuLaunch& launch;
  std::shared_ptr<const Kernel> kernel;  // null: unknown source
  HostnpuKernelType type = HOSTNPU_KERNEL_AIV_ONLY;
  uint32_t device = 0;
  bool is_twin = false;
  StreamMemory* stream_memory = nullptr;  // null: there is no stream
  std::unique_ptr<PackedArguments> arguments;
  LaunchMemory memory;
  engine::LaunchSpec spec;
  bool clears_message_queues = false;

  std::string ParameterName(size_t index) const {
    return kernel != nullptr ? kernel->ParameterName(index) : fmt::format("number {}", index + 1);
  }
  std::string KernelName() const {
    return kernel != nullptr ? kernel->name : PlainKernelName(launch.name);
  }
};

void* PointerArgument(const HostnpuLaunch& launch, size_t index) {
  void* value = nullptr;
  std::memcpy(&value,
              static_cast<const char*>(launch.arguments) + launch.argument_list[index].offset,
              sizeof(value));
  return value;
}

base::Error PointerError(const Submission& s, size_t index, const void* value,
                         const std::string& what) {
  return base::Error{base::Code::kInvalidArgument,
                     fmt::format("Argument {} of kernel '{}' ({}) {}.", s.ParameterName(index),
                                 s.KernelName(), value, what)};
}

base::Result<void> CheckPointer(const Submission& s, size_t index) {
  const void* value = PointerArgument(s.launch, index);
  if (value == nullptr) return {};
  auto& memory = memory::DeviceMemory::Get();
  std::optional<memory::BufferInfo> buffer = memory.Find(value);
  if (!buffer.has_value()) {
    if (s.is_twin) return {};
    // The end of a buffer is the address of an empty slice; no other one begins there.
    const auto before = memory.Find(static_cast<const char*>(value) - 1);
    if (before.has_value() && !before->freed && before->device == s.device) return {};
  }
  if (!buffer.has_value()) {
    return PointerError(s, index, value, "is not device memory, and no kernel can use it");
  }
  if (buffer->freed) {
    return PointerError(s, index, value,
                        fmt::format("points into {}, which has been freed", buffer->Name()));
  }
  if (buffer->origin == memory::Origin::kHost && !s.is_twin) {
    return PointerError(
        s, index, value,
        fmt::format("points into {}, which is host memory (aclrtMallocHost)", buffer->Name()));
  }
  if (buffer->device != s.device && buffer->origin != memory::Origin::kHost) {
    return PointerError(
        s, index, value,
        fmt::format("points into {} of [Device {}], and the kernel runs on [Device {}]",
                    buffer->Name(), buffer->device, s.device));
  }
  if (buffer->label.empty() && s.kernel != nullptr && index < s.kernel->parameters.size() &&
      buffer->base == reinterpret_cast<uintptr_t>(value)) {
    static_cast<void>(memory.SetLabel(value, s.kernel->parameters[index].name));
  }
  return {};
}

/// Whether all pointers are beyond doubt, found out at once; false where there are too many.
bool PointersAreKnown(const Submission& s) {
  std::array<const void*, 32> pointers;
  size_t count = 0;
  for (uint32_t i = 0; i < s.launch.argument_count; ++i) {
    if (s.launch.argument_list[i].is_pointer == 0) continue;
    const void* value = PointerArgument(s.launch, i);
    if (value == nullptr) continue;
    if (count == pointers.size()) return false;
    pointers[count++] = value;
  }
  return memory::DeviceMemory::Get().AreLabelledDeviceMemory({pointers.data(), count}, s.device);
}

base::Result<void> CheckArguments(const Submission& s) {
  if (PointersAreKnown(s)) return {};
  for (uint32_t i = 0; i < s.launch.argument_count; ++i) {
    if (s.launch.argument_list[i].is_pointer == 0) continue;
    if (auto result = CheckPointer(s, i); !result.ok()) return result;
  }
  return {};
}

/// The workspace of a launch that passes null for it, of `bytes` behind the library's part.
base::Result<uint8_t*> LeaseWorkspace(Submission& s, const std::string& name, uint64_t system_bytes,
                                      uint64_t bytes) {
  auto front = s.memory.Lease(
      *s.stream_memory, Slot::kWorkspace,
      PlanOfOne(s.KernelName(), name, system_bytes, bytes, s.kernel->workspace_contents));
  if (front.ok()) return reinterpret_cast<uint8_t*>(*front);
  return std::move(front.error().While(fmt::format("leasing {} bytes of workspace for kernel '{}'",
                                                   system_bytes + bytes, s.KernelName())));
}

/// Counts the caller's workspace in the report: it is what its buffer has from there on.
void WatchWorkspace(Submission& s, const std::string& name, uint64_t system_bytes,
                    uint8_t* workspace) {
  if (!ReportsWorkspaces()) return;
  const auto buffer = memory::DeviceMemory::Get().Find(workspace);
  if (!buffer.has_value() || buffer->freed) return;
  const uint64_t offset = reinterpret_cast<uintptr_t>(workspace) - buffer->base;
  const uint64_t bytes = buffer->size_bytes - offset;
  if (bytes <= system_bytes) return;
  s.memory.Watch(PlanOfOne(s.KernelName(), name, system_bytes, bytes - system_bytes, {}),
                 reinterpret_cast<std::byte*>(workspace));
}

// The entry wrapper of the device, and what goes beyond it: a workspace that is null but of known
// size is leased from the stream.
base::Result<void> PlaceWorkspace(Submission& s) {
  if (s.kernel == nullptr || s.is_twin) return {};
  const std::optional<size_t> position = s.kernel->WorkspaceParameter();
  if (!position.has_value() || *position >= s.launch.argument_count) return {};
  const HostnpuArgument& argument = s.launch.argument_list[*position];
  if (argument.is_pointer == 0) return {};
  const KernelParameter& parameter = s.kernel->parameters[*position];
  const uint64_t system_bytes = s.spec.chip->system_workspace_bytes;
  const bool has_system_part = s.kernel->SystemWorkspaceParameter().has_value();
  const uint64_t front_bytes = has_system_part ? system_bytes : 0;
  auto* workspace = static_cast<uint8_t*>(PointerArgument(s.launch, *position));
  if (workspace != nullptr) {
    // A caller that has leased it for this launch counts it itself.
    if (s.memory.empty()) WatchWorkspace(s, parameter.name, front_bytes, workspace);
  } else if (s.kernel->workspace_bytes.value_or(0) + front_bytes == 0) {
    return {};
  } else if (s.kernel->workspace_bytes.has_value() || parameter.is_kfc_workspace) {
    HOSTNPU_ASSIGN_OR_RETURN(workspace, LeaseWorkspace(s, parameter.name, front_bytes,
                                                       s.kernel->workspace_bytes.value_or(0)));
    s.arguments->SetPointer(argument.offset, workspace);
  } else if (IsMix(s.type)) {
    return PointerError(
        s, *position, nullptr,
        "is the workspace of a kernel compiled with HAVE_WORKSPACE that runs on both "
        "kinds of cores: the device would return without computing. Pass a workspace, "
        "or tell its size with hostnpu::SetWorkspaceSize");
  }
  if (!has_system_part || workspace == nullptr) return {};
  s.spec.system_workspace = workspace;
  s.clears_message_queues = IsMix(s.type);
  if (s.kernel->have_workspace) s.arguments->SetPointer(argument.offset, workspace + system_bytes);
  return {};
}

std::string LaunchPlace(const char* file, uint32_t line) {
  if (file == nullptr || line == 0) return "";
  engine::SourceLocation place;
  place.file = file;
  place.line = line;
  return " launched at " + place.ToString();
}
std::string LaunchPlace(const HostnpuLaunch& launch) {
  return LaunchPlace(launch.file, launch.line);
}

HostnpuKernelType TypeOfLaunch(const HostnpuLaunch& launch, const Kernel* kernel,
                               HostnpuKernelEntry aic_variant) {
  if (launch.kernel_type != HOSTNPU_KERNEL_UNDECLARED) {
    return static_cast<HostnpuKernelType>(launch.kernel_type);
  }
  if (launch.form == HOSTNPU_LAUNCH_ICPU) return HOSTNPU_KERNEL_MIX_AIC_1_2;
  const HostnpuKernelType declared =
      kernel != nullptr ? kernel->TypeFor(launch.tiling_key) : HOSTNPU_KERNEL_UNDECLARED;
  if (declared != HOSTNPU_KERNEL_UNDECLARED) return declared;
  // A source is compiled for cube cores too only if it uses them.
  return aic_variant != nullptr ? HOSTNPU_KERNEL_MIX_AIC_1_2 : HOSTNPU_KERNEL_AIV_ONLY;
}

/// The task of a stream that runs one kernel.
class LaunchTask : public Task {
 public:
  LaunchTask(Submission&& s)
      : spec_(std::move(s.spec)),
        arguments_(std::move(s.arguments)),
        memory_(std::move(s.memory)),
        clears_message_queues_(s.clears_message_queues),
        file_(s.launch.file),
        line_(s.launch.line) {}

  Progress Run(Stream& stream) override {
    memory_.Begin();
    if (clears_message_queues_) ClearMessageQueues(spec_);
    engine::LaunchOutcome outcome = engine::Engine::Get().Run(spec_);
    Warn(spec_.kernel_name, outcome);
    base::Result<void> result;
    const auto doing = [&] {
      return fmt::format("running kernel '{}'{} in {} of [Device {}]", spec_.kernel_name,
                         LaunchPlace(file_, line_), stream.Name(), spec_.device);
    };
    auto ended = memory_.End();  // after a fault too: what the kernel left dirty is zeroed
    if (outcome.fault.has_value()) {
      result = ErrorOfFault(*outcome.fault, doing());
    } else if (!ended.ok()) {
      ended.error().number =
          spec_.cores.aiv != 0 ? ACL_ERROR_RT_VECTOR_CORE_EXCEPTION : ACL_ERROR_RT_AICORE_EXCEPTION;
      result = std::move(ended.error().While(doing()));
    }
    if (!result.ok()) Fail(stream, std::move(result).error());
    return Progress::kDone;
  }
  std::string Describe() const override {
    return fmt::format("running kernel '{}'", spec_.kernel_name);
  }

 private:
  void Fail(Stream& stream, base::Error error) const {
    NoteUnreadFailure(error);
    const FaultNotice notice{static_cast<uint32_t>(id_), static_cast<uint32_t>(stream.id()),
                             spec_.device, StatusNumber(error)};
    stream.Fail(std::move(error));
    std::function<void(const FaultNotice&)> listener;
    {
      std::lock_guard lock(ListenerMutex());
      listener = Listener();
    }
    if (listener) listener(notice);
  }
  static uint64_t NextId() {
    static std::atomic<uint64_t> next{1};
    return next.fetch_add(1, std::memory_order_relaxed);
  }

  const uint64_t id_ = NextId();
  engine::LaunchSpec spec_;
  std::unique_ptr<PackedArguments> arguments_;
  LaunchMemory memory_;
  const bool clears_message_queues_;
  const char* const file_;  // a literal of the module that has the kernel too
  const uint32_t line_;
};

base::Result<void> RunTwin(Submission& s) {
  HOSTNPU_ASSIGN_OR_RETURN(
      ZeroedSystemWorkspace system,
      ZeroedSystemWorkspace::Map(s.device, s.spec.chip->system_workspace_bytes));
  s.spec.system_workspace = system.data();
  s.spec.is_twin = true;
  engine::LaunchOutcome outcome = engine::Engine::Get().Run(s.spec);
  Warn(s.spec.kernel_name, outcome);
  if (!outcome.fault.has_value()) return {};
  return ErrorOfFault(*outcome.fault, fmt::format("running kernel '{}'{}", s.spec.kernel_name,
                                                  LaunchPlace(s.launch)));
}

bool& InBatchMode() {
  static thread_local bool on = false;
  return on;
}

base::Result<void> Prepare(Submission& s) {
  const HostnpuLaunch& launch = s.launch;
  auto& registry = KernelRegistry::Get();
  s.kernel = registry.Find(launch.name);
  if (launch.blocks == 0 || launch.blocks > kMostBlocks) {
    return base::Error{
        base::Code::kInvalidArgument,
        fmt::format("The number of blocks ({}) of kernel '{}' is not between 1 and {}.",
                    launch.blocks, s.KernelName(), kMostBlocks)};
  }
  HOSTNPU_ASSIGN_OR_RETURN(const arch::Chip* chip, DeviceChip());
  const HostnpuKernelEntry aic_variant = registry.FindAicVariant(launch.variant_key);
  s.type = TypeOfLaunch(launch, s.kernel.get(), aic_variant);
  HOSTNPU_TRY(CheckArguments(s),
              fmt::format("launching kernel '{}'{}", s.KernelName(), LaunchPlace(launch)));
  s.arguments = std::make_unique<PackedArguments>(launch);
  engine::LaunchSpec& spec = s.spec;
  spec.kernel_name = s.KernelName();
  spec.blocks = launch.blocks;
  spec.cores = CoresOf(s.type);
  spec.aiv_entry = launch.entry;
  spec.aic_entry = aic_variant != nullptr ? aic_variant : launch.entry;
  spec.arguments = s.arguments->data();
  spec.chip = chip;
  spec.device = s.device;
  spec.seed = static_cast<uint64_t>(base::EnvNumber("HOSTNPU_SEED", 0, 0, INT64_MAX));
  spec.tiling_key = launch.tiling_key;
  if (const auto lack = InBatchMode() ? engine::LackOfCores(spec) : std::nullopt) {
    return base::Error{base::Code::kInvalidArgument,
                       fmt::format("Kernel '{}' is launched in batch mode (schedule mode 1), where "
                                   "all cores start together, but {}.",
                                   spec.kernel_name, *lack)};
  }
  if (UndefinedPolicy() == workspace::FillPolicy::kPoison) spec.fill_local_memory = kLocalPoison;
  return PlaceWorkspace(s);
}

base::Result<void> SubmitTo(const std::shared_ptr<Stream>& stream, const HostnpuLaunch& launch) {
  if (auto failure = stream->failure()) {
    return std::move(
        failure->While(fmt::format("launching kernel '{}' in {}, which has failed before",
                                   PlainKernelName(launch.name), stream->Name())));
  }
  Submission s(launch);
  s.device = stream->device();
  s.stream_memory = &stream->memory();
  s.memory = TakeLeftMemory();
  const auto sequence = stream->HoldSequence();
  if (auto result = Prepare(s); !result.ok()) return result;
  stream->Enqueue(std::make_unique<LaunchTask>(std::move(s)));
  return {};
}

base::Result<void> SubmitTwin(const HostnpuLaunch& launch) {
  Submission s(launch);
  if (auto device = CurrentDevice(); device.ok()) s.device = *device;
  s.is_twin = true;
  auto result = Prepare(s);
  if (result.ok()) result = RunTwin(s);
  if (!result.ok()) NoteUnreadFailure(result.error(), true);
  return result;
}

}  // namespace

BatchMode::BatchMode(bool on) : before_(std::exchange(InBatchMode(), on)) {}

BatchMode::~BatchMode() { InBatchMode() = before_; }

PackedArguments::PackedArguments(const HostnpuLaunch& launch)
    : align_(std::max<size_t>(launch.arguments_align, alignof(std::max_align_t))),
      destroy_(launch.destroy_arguments) {
  data_ = ::operator new(std::max<size_t>(launch.arguments_bytes, 1), std::align_val_t{align_});
  if (launch.copy_arguments != nullptr) {
    launch.copy_arguments(data_, launch.arguments);
  } else {
    std::memcpy(data_, launch.arguments, launch.arguments_bytes);
  }
}

PackedArguments::~PackedArguments() {
  if (destroy_ != nullptr) destroy_(data_);
  ::operator delete(data_, std::align_val_t{align_});
}

void PackedArguments::SetPointer(uint32_t offset, void* value) {
  std::memcpy(static_cast<char*>(data_) + offset, &value, sizeof(value));
}

base::Error ErrorOfFault(const engine::Fault& fault, std::string doing) {
  if (fault.no_memory) {
    base::Error refused{base::Code::kOutOfMemory, fault.ToString()};
    refused.While(std::move(doing));
    return refused;
  }
  base::Error error{
      fault.kind == HOSTNPU_FAULT_STALL ? base::Code::kStall : base::Code::kKernelFault,
      fault.ToString()};
  error.number = fault.kind == HOSTNPU_FAULT_STALL ? ACL_ERROR_RT_AICORE_TIMEOUT
                 : fault.on_cube                   ? ACL_ERROR_RT_AICORE_EXCEPTION
                                                   : ACL_ERROR_RT_VECTOR_CORE_EXCEPTION;
  error.While(std::move(doing));
  return error;
}

void SetFaultListener(std::function<void(const FaultNotice&)> listener) {
  std::lock_guard lock(ListenerMutex());
  Listener() = std::move(listener);
}

base::Result<void> SubmitLaunch(const HostnpuLaunch& launch) {
  if (launch.name == nullptr || launch.entry == nullptr) {
    return base::Error{base::Code::kInvalidArgument, "The launch has no kernel."};
  }
  if (launch.form == HOSTNPU_LAUNCH_ICPU) return SubmitTwin(launch);
  auto stream = FindStream(launch.stream);
  base::Result<void> result;
  if (!stream.ok()) {
    result = std::move(stream.error().While(
        fmt::format("launching kernel '{}'{}", PlainKernelName(launch.name), LaunchPlace(launch))));
  } else {
    result = SubmitTo(*stream, launch);
  }
  if (!result.ok()) {
    NoteUnreadFailure(result.error());
    // `<<<>>>` has no result: the next synchronise gives it.
    const bool result_is_lost = launch.form == HOSTNPU_LAUNCH_CHEVRON;
    if (result_is_lost && stream.ok()) (*stream)->NoteRefusal(result.error());
  }
  return result;
}

}  // namespace hostnpu::runtime

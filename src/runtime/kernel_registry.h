// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_KERNEL_REGISTRY_H_
#define HOSTNPU_RUNTIME_KERNEL_REGISTRY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ascendc/detail/launch_abi.h"
#include "base/result.h"
#include "engine/launch.h"
#include "workspace/signature.h"

namespace hostnpu::runtime {

/// One parameter of a kernel, as its source states it.
struct KernelParameter {
  std::string name;
  std::string type;
  bool is_kfc_workspace = false;
  /// Its name says workspace: "workspace", "usrWorkspace", "ws".
  bool names_workspace = false;
};

/// What is known of one kernel. Lives as long as the process.
struct Kernel {
  std::string name;  ///< "ns::add_custom"
  std::string file;
  uint32_t line = 0;
  std::vector<KernelParameter> parameters;
  /// What the source declares: by qualifiers, else by KERNEL_TASK_TYPE_DEFAULT; UNDECLARED if by
  /// neither.
  HostnpuKernelType type = HOSTNPU_KERNEL_UNDECLARED;
  /// KERNEL_TASK_TYPE(key, type): other types for some tiling keys.
  std::vector<std::pair<uint64_t, HostnpuKernelType>> types_by_key;
  bool have_workspace = false;
  bool have_tiling = false;
  /// Bytes of its workspace, as SetWorkspaceSize told; nothing if it has not.
  std::optional<uint64_t> workspace_bytes;
  /// What its workspace holds at the start, where the runtime leases it.
  workspace::Contents workspace_contents;

  HostnpuKernelType TypeFor(uint64_t tiling_key) const;
  /// Which parameter is the workspace: by HAVE_WORKSPACE's rule, else the one marked
  /// `__kfc_workspace__`, else the one so named.
  std::optional<size_t> WorkspaceParameter() const;
  /// The same where the kernel's entry takes the library's part in front of it, by HAVE_WORKSPACE
  /// or `__kfc_workspace__`.
  std::optional<size_t> SystemWorkspaceParameter() const;
  /// "'x'", or "number 3" when it has no name: for messages.
  std::string ParameterName(size_t index) const;
};

/// How to call a kernel by name: its entry, and its parameters as they lie in a C struct.
struct KernelFunction {
  std::string name;
  std::string variant_key;
  HostnpuKernelEntry entry = nullptr;
  std::vector<HostnpuArgument> arguments;
  size_t arguments_bytes = 0;
  size_t arguments_align = 1;
};

/// Every kernel of every module loaded, by name.
class KernelRegistry {
 public:
  static KernelRegistry& Get();

  void Register(const HostnpuKernelInfo& info);
  void RegisterEntry(const HostnpuEntryInfo& info);
  void RegisterAicVariant(const char* key, HostnpuKernelEntry entry);

  /// The kernel a launch names: "add", "ns::add", "add<float, 2>", "::ns::add<T>". A name without
  /// namespace finds one in any namespace. Null if the source was never scanned (a kernel made by a
  /// macro, a function pointer).
  std::shared_ptr<const Kernel> Find(std::string_view launch_name) const;
  /// The function of that name, found as Find() does; null if it is a template or unknown.
  std::shared_ptr<const KernelFunction> FindFunction(std::string_view name) const;
  /// Collects the functions that this thread registers from now on, while it loads a module.
  void BeginModule();
  std::vector<std::shared_ptr<const KernelFunction>> EndModule();
  /// The AIC variant of a launch; null if its source was compiled once.
  HostnpuKernelEntry FindAicVariant(const char* key) const;
  /// kNotFound names the kernels there are.
  base::Result<void> SetWorkspaceBytes(std::string_view name, uint64_t bytes,
                                       workspace::Contents contents = {});
  std::vector<std::shared_ptr<const Kernel>> All() const;

 private:
  std::shared_ptr<const Kernel> FindLocked(std::string_view launch_name) const;

  /// Finds a std::string by any text, without making one.
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  mutable std::shared_mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const Kernel>, TextHash, std::equal_to<>>
      by_name_;
  std::unordered_map<std::string, std::vector<std::string>> by_last_part_;
  std::unordered_map<std::string, HostnpuKernelEntry> aic_variants_;
  std::unordered_map<std::string, std::shared_ptr<const KernelFunction>> functions_;
};

/// "ns::add" of "::ns::add<float, 2>".
std::string PlainKernelName(std::string_view launch_name);

/// The type that `__vector__`, `__cube__` or `__mix__(c, v)` declare; UNDECLARED for others.
HostnpuKernelType TypeOfQualifiers(std::string_view qualifiers);
/// The type of "KERNEL_TYPE_MIX_AIC_1_2"; UNDECLARED for texts that name none.
HostnpuKernelType TypeOfTaskType(std::string_view task_type);
/// The cores of one block. UNDECLARED counts as AIV only.
engine::BlockCores CoresOf(HostnpuKernelType type);
bool IsMix(HostnpuKernelType type);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_KERNEL_REGISTRY_H_

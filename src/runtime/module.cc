// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/module.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "acl/acl_base.h"
#include "base/hash.h"
#include "runtime/launch.h"
#include "runtime/status.h"

namespace hostnpu::runtime {
namespace {

/// "add_custom" of "_Z10add_customPhS_S_"; any other text as it is.
std::string Demangled(std::string_view name) {
  const std::string text(name);
  if (text.rfind("_Z", 0) != 0) return text;
  int status = 0;
  char* plain = abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status);
  if (plain == nullptr) return text;
  std::string result = plain;
  std::free(plain);
  return result.substr(0, result.find('('));
}

/// The modules by what dlopen gave for them, and by the hash of the bytes. The system loads a file
/// once and its static objects register kernels once, so a second load has to find what the first
/// one collected.
struct LoadedModules {
  std::mutex mutex;
  std::unordered_map<void*, std::shared_ptr<Module>> by_library;
  std::mutex bytes_mutex;  // taken before the other one
  std::unordered_map<std::string, std::shared_ptr<Module>> by_bytes;
};
LoadedModules& AllLoaded() {
  static LoadedModules& modules = *new LoadedModules;
  return modules;
}

}  // namespace

base::Result<std::shared_ptr<Module>> Module::Load(const std::string& path) {
  if (access(path.c_str(), R_OK) != 0) {
    return ErrorWith(ACL_ERROR_INVALID_FILE,
                     fmt::format("The file '{}' does not exist or cannot be read.", path));
  }
  LoadedModules& loaded = AllLoaded();
  std::lock_guard lock(loaded.mutex);
  KernelRegistry::Get().BeginModule();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto functions = KernelRegistry::Get().EndModule();
  if (library == nullptr) {
    return base::Error{
        base::Code::kInvalidArgument,
        fmt::format("'{}' is no shared object that hostnpu has built: {}.", path, dlerror())};
  }
  std::shared_ptr<Module>& module = loaded.by_library[library];
  if (module == nullptr) {
    module = std::make_shared<Module>();
    module->functions_ = std::move(functions);
  }
  return module;
}

// Modules stay for ever, and so does the file of each: bytes that are loaded again must not cost
// another one.
base::Result<std::shared_ptr<Module>> Module::LoadBytes(const void* data, size_t size_bytes) {
  LoadedModules& loaded = AllLoaded();
  std::lock_guard lock(loaded.bytes_mutex);
  const std::string hash = base::HashBytes({static_cast<const char*>(data), size_bytes}).ToHex();
  if (auto found = loaded.by_bytes.find(hash); found != loaded.by_bytes.end()) return found->second;
  const int file = memfd_create("hostnpu_module", MFD_CLOEXEC);
  if (file < 0) return base::Error{base::Code::kIo, "The system gives no file in memory."};
  size_t written = 0;
  while (written < size_bytes) {
    const ssize_t step =
        write(file, static_cast<const char*>(data) + written, size_bytes - written);
    if (step <= 0) {
      close(file);
      return base::Error{base::Code::kIo, fmt::format("{} bytes cannot be written.", size_bytes)};
    }
    written += static_cast<size_t>(step);
  }
  // The system takes a name it has loaded before for the same library. So the file stays open, as
  // long as the module does, and no other gets its name.
  auto module = Load(fmt::format("/proc/self/fd/{}", file));
  if (module.ok()) {
    loaded.by_bytes.emplace(hash, *module);
  } else {
    close(file);
  }
  return module;
}

base::Result<std::shared_ptr<const KernelFunction>> Module::Find(std::string_view name) const {
  const std::string plain = PlainKernelName(Demangled(name));
  std::string known;
  for (const auto& function : functions_) {
    if (function->name == plain || function->name.ends_with("::" + plain)) return function;
    known += (known.empty() ? "'" : ", '") + function->name + "'";
  }
  return ErrorWith(
      ACL_ERROR_RT_KERNEL_LOOKUP,
      fmt::format("There is no kernel '{}' in the module; {}.", name,
                  known.empty() ? "it has none that can be called by name" : "there are " + known));
}

base::Result<void> LaunchFunction(const FunctionLaunch& launch) {
  const KernelFunction& function = *launch.function;
  // What lies behind the last parameter is padding, and callers often leave it out.
  const size_t used = function.arguments.empty()
                          ? 0
                          : function.arguments.back().offset + function.arguments.back().size_bytes;
  if (launch.packed_bytes < used || launch.packed_bytes > function.arguments_bytes) {
    return base::Error{
        base::Code::kInvalidArgument,
        fmt::format("The arguments have {} bytes, but the {} of kernel '{}' take {}.",
                    launch.packed_bytes,
                    function.arguments.size() == 1
                        ? "1 parameter"
                        : fmt::format("{} parameters", function.arguments.size()),
                    function.name, used)};
  }
  if (launch.packed == nullptr && used != 0) {
    return base::Error{base::Code::kInvalidArgument, "The arguments are null."};
  }
  HostnpuLaunch raw = {};
  raw.name = function.name.c_str();
  raw.form = HOSTNPU_LAUNCH_ACLRT;
  raw.blocks = launch.blocks;
  raw.stream = launch.stream;
  raw.variant_key = function.variant_key.c_str();
  raw.entry = function.entry;
  raw.kernel_type = launch.kernel_type;
  raw.arguments = launch.packed;
  raw.arguments_bytes = launch.packed_bytes;
  raw.arguments_align = function.arguments_align;
  raw.argument_list = function.arguments.data();
  raw.argument_count = static_cast<uint32_t>(function.arguments.size());
  raw.tiling_key = launch.tiling_key;
  const BatchMode mode(launch.batch_mode);
  return SubmitLaunch(raw);
}

}  // namespace hostnpu::runtime

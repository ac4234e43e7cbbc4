// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_MODULE_H_
#define HOSTNPU_RUNTIME_MODULE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ascendc/detail/launch_abi.h"
#include "base/result.h"
#include "runtime/kernel_registry.h"

namespace hostnpu::runtime {

/// A shared object with kernels, loaded into this process. Stays loaded: a kernel of it may be in a
/// queue, and its texts in messages.
class Module {
 public:
  /// Loads a shared object that hostnpu has built; one that is loaded already gives the same
  /// module. ACL_ERROR_INVALID_FILE: no such file; kInvalidArgument: no shared object.
  static base::Result<std::shared_ptr<Module>> Load(const std::string& path);
  /// The same from its bytes, which may go; equal ones give the same module.
  static base::Result<std::shared_ptr<Module>> LoadBytes(const void* data, size_t size_bytes);

  /// The kernel of that name; also by the mangled name of a function, as a toolchain would give it.
  /// kNotFound names those there are.
  base::Result<std::shared_ptr<const KernelFunction>> Find(std::string_view name) const;
  const std::vector<std::shared_ptr<const KernelFunction>>& functions() const { return functions_; }

 private:
  std::vector<std::shared_ptr<const KernelFunction>> functions_;
};

/// Launches a kernel by its function. `packed` holds the parameters as a C struct of them does.
struct FunctionLaunch {
  const KernelFunction* function = nullptr;
  uint64_t blocks = 1;
  const void* packed = nullptr;
  size_t packed_bytes = 0;
  void* stream = nullptr;
  uint32_t kernel_type = HOSTNPU_KERNEL_UNDECLARED;
  uint64_t tiling_key = 0;
  bool batch_mode = false;  // see BatchMode
};
/// Like SubmitLaunch(); also refuses packed parameters of another size than the kernel's, naming
/// both.
base::Result<void> LaunchFunction(const FunctionLaunch& launch);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_MODULE_H_

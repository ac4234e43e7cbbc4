// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_ARGUMENT_LIST_H_
#define HOSTNPU_RUNTIME_ARGUMENT_LIST_H_

#include <cstdint>
#include <map>
#include <vector>

#include "acl/acl_rt.h"
#include "base/result.h"
#include "runtime/launch_memory.h"
#include "runtime/module.h"

namespace hostnpu::runtime {

/// The arguments of a kernel, given one after the other (aclrtKernelArgs*). A placeholder is a
/// pointer parameter whose bytes the list carries itself (tiling data): at the launch they are
/// copied to device memory, and the parameter points there.
class ArgumentList {
 public:
  explicit ArgumentList(const KernelFunction& function);

  /// The next argument; gives its position. An error if there is no parameter left, or its size is
  /// another.
  base::Result<size_t> Append(const void* value, size_t bytes);
  base::Result<void> Update(aclrtParamHandle parameter, const void* value, size_t bytes);
  /// Room for the bytes of a placeholder; lives as long as the list.
  base::Result<void*> PlaceHolderBuffer(aclrtParamHandle parameter, size_t bytes);
  /// An error unless every parameter has its argument.
  base::Result<void> Finish();
  /// All arguments at once, packed as in a C struct, followed by the bytes that placeholders mean.
  base::Result<void> TakePacked(const void* packed, size_t bytes,
                                const std::vector<aclrtPlaceHolderInfo>& places);
  /// Launches with function, stream and blocks of `launch`.
  base::Result<void> Launch(FunctionLaunch launch);

  static aclrtParamHandle ParameterHandle(size_t index) {
    return reinterpret_cast<aclrtParamHandle>(index + 1);
  }

 private:
  base::Result<size_t> IndexOf(aclrtParamHandle parameter) const;

  const KernelFunction& function_;
  std::vector<uint8_t> packed_;
  size_t given_ = 0;
  std::map<size_t, std::vector<uint8_t>> place_holders_;  // by parameter
};

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_ARGUMENT_LIST_H_

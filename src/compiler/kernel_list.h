// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_KERNEL_LIST_H_
#define HOSTNPU_COMPILER_KERNEL_LIST_H_

#include <string>
#include <vector>

#include "compiler/kernel_scanner.h"

namespace hostnpu::compiler {

/// The kernels of a module as the manifest keeps them, and back. Text that is no such list gives
/// none.
std::string KernelsToJson(const std::vector<KernelDeclaration>& kernels);
std::vector<KernelDeclaration> KernelsFromJson(const std::string& json);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_KERNEL_LIST_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_KERNEL_SCANNER_H_
#define HOSTNPU_COMPILER_KERNEL_SCANNER_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/edit.h"
#include "compiler/lexer.h"

namespace hostnpu::compiler {

/// One parameter of a kernel, as text.
struct KernelParameter {
  std::string name;  ///< empty when it has none
  std::string type;  ///< "GM_ADDR", "uint8_t*", "AddTiling": without address space qualifiers
  bool is_global_memory = false;  ///< `__gm__` or GM_ADDR
  bool is_kfc_workspace = false;  ///< `__kfc_workspace__`

  bool IsPointer() const { return type == "GM_ADDR" || type.ends_with('*'); }
};

/// A `__global__` function as it stands in a source.
struct KernelDeclaration {
  std::string name;            ///< "add_custom"
  std::string qualified_name;  ///< "ns::add_custom"
  uint32_t line = 0;           ///< of the name
  bool is_template = false;
  bool is_extern_c = false;
  bool in_namespace = false;
  bool is_definition = false;
  bool in_class = false;
  bool in_macro = false;                    ///< inside a #define
  bool has_conditional_parameters = false;  ///< an #if stands among them; all branches are listed
  bool name_is_macro_parameter = false;
  std::string qualifiers;  ///< "__aicore__", "__vector__", "__mix__(1,2)", blank between
  std::string task_type;   ///< argument of KERNEL_TASK_TYPE_DEFAULT, or empty
  /// "key=type" of each KERNEL_TASK_TYPE(key, type) in the body.
  std::vector<std::string> task_types_by_key;
  std::vector<KernelParameter> parameters;
  uint32_t body_end = 0;  ///< the offset behind the body's `}`; 0 for a declaration
};

/// Macros that stand for `__global__`, each with the core qualifiers that its text has besides:
/// "CUBE_KERNEL" -> "__cube__".
using GlobalAliases = std::map<std::string, std::string>;

/// The object-like macros of a source whose text has `__global__` in it.
GlobalAliases FindGlobalAliases(const std::vector<Token>& tokens);

/// Macros of which it is known before preprocessing whether they are defined.
using KnownMacros = std::map<std::string, bool>;

/// Every kernel declared or defined in a source. Of what stands before a name under a condition on
/// a known macro (`#ifdef`, `#if defined`), the live branch counts; under any other, all branches
/// do.
std::vector<KernelDeclaration> ScanKernels(std::string_view source,
                                           const std::vector<Token>& tokens,
                                           const GlobalAliases& aliases,
                                           const KnownMacros& known = {});

/// The parameters in the form of HostnpuKernelInfo: "x:GM_ADDR:gm;tiling:AddTiling:".
std::string ParameterList(const KernelDeclaration& kernel);

/// Adds behind each defined kernel, on the line of its `}`, the macro that registers it and, where
/// `with_aclrtlaunch`, the function that ACLRT_LAUNCH_KERNEL(name) calls. Placed there they see the
/// same namespace and stand under the same #if as the kernel.
std::vector<Edit> RegisterKernels(const std::vector<KernelDeclaration>& kernels,
                                  bool with_aclrtlaunch);

/// The text of the header `aclrtlaunch_<name>.h`.
std::string AclrtLaunchHeader(const KernelDeclaration& kernel);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_KERNEL_SCANNER_H_

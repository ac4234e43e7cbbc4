// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_CLI_OPERATOR_TEXT_H_
#define HOSTNPU_CLI_OPERATOR_TEXT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hostnpu::cli {

/// One operator of a project, as the library describes it.
struct OperatorFacts {
  struct Parameter {
    std::string name;
    std::string presence;     // "required", "optional", "dynamic"
    std::vector<int> dtypes;  // one a combination
    std::vector<int> formats;
  };
  struct Attribute {
    std::string name;
    std::string kind;  // "int", "float", "bool", "string", "int list", "float list", "bool list",
                       // "int list list"
  };
  std::string type;
  std::vector<Parameter> inputs;
  std::vector<Parameter> outputs;
  std::vector<Attribute> attributes;
  std::map<std::string, std::string> extended;

  size_t Combinations() const;
};

/// One instantiation of a kernel template: the key that asks for it and its template arguments.
struct KernelInstance {
  uint64_t key = 0;
  std::string arguments;  // "half, half, 8, 1"; empty for a kernel that is no template
};

/// "add_custom" for "AddCustom", "conv3d_dx" for "Conv3dDx".
std::string SnakeCase(const std::string& type);
/// "half" for 1 (DT_FLOAT16); "" for a type kernels do not know.
std::string KernelTypeOf(int dtype);
/// "DT_FLOAT16".
std::string DataTypeEnumerator(int dtype);
std::string FormatEnumerator(int format);

/// aclnn_<op>.h.
std::string AclnnHeader(const OperatorFacts& facts);
/// The two functions it declares.
std::string AclnnSource(const OperatorFacts& facts);
/// A source that loads the kernels beside the library when that is loaded.
std::string LoaderSource(const std::map<std::string, std::vector<std::string>>& kernels_by_type);
/// A source that includes the kernel and exports its launcher.
std::string KernelGlue(const std::string& kernel_file, const std::string& kernel,
                       size_t parameter_count, const std::vector<KernelInstance>& instances,
                       bool is_template);

}  // namespace hostnpu::cli

#endif  // HOSTNPU_CLI_OPERATOR_TEXT_H_

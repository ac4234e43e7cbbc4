// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_CLI_OPERATOR_PROJECT_H_
#define HOSTNPU_CLI_OPERATOR_PROJECT_H_

#include <string>
#include <vector>

#include "base/result.h"

namespace hostnpu::cli {

/// What `hostnpu build-op` is asked for.
struct OperatorProjectOptions {
  std::string directory;  ///< with op_host/ and op_kernel/, at any depth
  std::string output;     ///< made if it is missing
  std::string chip = "Ascend910B1";
  bool debug = false;
  std::vector<std::string> defines;
  std::vector<std::string> include_dirs;
};

/// One operator as it was built.
struct BuiltOperator {
  std::string type;     ///< "AddCustom"
  std::string kernel;   ///< "add_custom"
  size_t variants = 0;  ///< kernels compiled: one, or one a combination of data types
  std::string header;   ///< OUT/include/aclnn_add_custom.h
};
struct BuiltProject {
  std::string library;  ///< OUT/lib/libcust_opapi.so
  std::vector<BuiltOperator> operators;
};

/// Compiles a vendor-style operator project into a library with aclnn functions:
///
///   op_host/*.cpp    -> definition, inference and tiling, into the library
///   op_kernel/*.cpp  -> one shared object a kernel variant, in OUT/lib/kernels, loaded by the
///   library OUT/include      -> aclnn_<op>.h
base::Result<BuiltProject> BuildOperatorProject(const OperatorProjectOptions& options);

}  // namespace hostnpu::cli

#endif  // HOSTNPU_CLI_OPERATOR_PROJECT_H_

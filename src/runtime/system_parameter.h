// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_SYSTEM_PARAMETER_H_
#define HOSTNPU_RUNTIME_SYSTEM_PARAMETER_H_

#include <cstdint>

#include "base/result.h"

namespace hostnpu::runtime {

/// Options of the process that tiling functions ask for (aclSysParamOpt: determinism and the like).
/// ACL_ERROR_RT_SYSPARAMOPT_NOT_SET until set; results here are the same for every run anyway.
base::Result<int64_t> SystemParameter(int option);
base::Result<void> SetSystemParameter(int option, int64_t value);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_SYSTEM_PARAMETER_H_

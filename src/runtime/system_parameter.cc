// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/system_parameter.h"

#include <fmt/format.h>

#include <array>
#include <mutex>
#include <optional>

#include "acl/acl_base.h"
#include "runtime/status.h"

namespace hostnpu::runtime {
namespace {

constexpr int kOptions = ACL_OPT_STRONG_CONSISTENCY + 1;

struct Parameters {
  std::mutex mutex;
  std::array<std::optional<int64_t>, kOptions> values;
};

Parameters& All() {
  static Parameters& parameters = *new Parameters;
  return parameters;
}

base::Result<void> CheckOption(int option) {
  if (option >= 0 && option < kOptions) return {};
  return base::Error{base::Code::kInvalidArgument,
                     fmt::format("The option ({}) is none of aclSysParamOpt.", option)};
}

}  // namespace

base::Result<int64_t> SystemParameter(int option) {
  HOSTNPU_TRY(CheckOption(option), "asking for a system parameter");
  std::lock_guard lock(All().mutex);
  const std::optional<int64_t>& value = All().values[static_cast<size_t>(option)];
  if (value.has_value()) return *value;
  return ErrorWith(ACL_ERROR_RT_SYSPARAMOPT_NOT_SET,
                   fmt::format("The system parameter {} has not been set.", option));
}

base::Result<void> SetSystemParameter(int option, int64_t value) {
  HOSTNPU_TRY(CheckOption(option), "setting a system parameter");
  std::lock_guard lock(All().mutex);
  All().values[static_cast<size_t>(option)] = value;
  return {};
}

}  // namespace hostnpu::runtime

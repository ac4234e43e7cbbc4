// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the acl_*.cc files share: each C function is a call of one or two functions of this layer
// whose result becomes a number.
#ifndef HOSTNPU_RUNTIME_API_H_
#define HOSTNPU_RUNTIME_API_H_

#include <fmt/format.h>

#include "acl/acl.h"
#include "base/result.h"
#include "runtime/last_error.h"
#include "runtime/status.h"

namespace hostnpu::runtime {

/// The error of a null argument; `name` is the parameter's.
inline base::Error NullArgument(const char* name) {
  return base::Error{base::Code::kInvalidArgument, fmt::format("Argument {} is null.", name)};
}

/// The error of a time-out below -1.
inline base::Error InvalidTimeout(int32_t timeout) {
  return base::Error{base::Code::kInvalidArgument,
                     fmt::format("The time-out ({} ms) is neither -1 nor at least 0.", timeout)};
}

/// Runs `body`, which gives a Result<void>, and turns that into the number of the ACL function.
template <typename Body>
aclError Call(const char* function, Body body) {
  return KeepResult(function, body());
}

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_API_H_

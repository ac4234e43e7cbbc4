// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_STATUS_H_
#define HOSTNPU_RUNTIME_STATUS_H_

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hostnpu::runtime {

/// One error of ACL, from status.def.
struct Status {
  int number;
  std::string_view name;
  std::string_view sentence;
};

/// Every error there is, in the order of status.def.
std::span<const Status> AllStatuses();

/// The error of that number; null for numbers ACL does not have.
const Status* FindStatus(int number);

/// The ACL number of an error: the one it carries, else the one of its code.
int StatusNumber(const base::Error& error);

/// An error with its ACL number.
base::Error ErrorWith(int number, std::string message);

/// The text of aclGetRecentErrMsg:
///
///     aclrtMemcpy failed with ACL_ERROR_INVALID_PARAM (100000).
///     Count (4096 bytes) is larger than destMax (1024 bytes) of [Buffer 7 "scores"].
///      - While copying from host memory to [Device 0]
std::string StatusText(std::string_view function, const base::Error& error);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_STATUS_H_

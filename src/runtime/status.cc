// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Below this layer an error has a class of faults; ACL's callers want a number. Most numbers follow
// from the class; where ACL has a number of its own, whoever finds the error attaches it.
#include "runtime/status.h"

#include <fmt/format.h>

#include "acl/acl_base.h"
#include "aclnn/acl_meta.h"

namespace hostnpu::runtime {
namespace {

const Status kStatuses[] = {
#define HOSTNPU_STATUS(name, sentence) {name, #name, sentence},
#include "runtime/status.def"
#undef HOSTNPU_STATUS
};

int NumberOfCode(base::Code code) {
  switch (code) {
    case base::Code::kInvalidArgument:
      return ACL_ERROR_INVALID_PARAM;
    case base::Code::kInvalidState:
      return ACL_ERROR_FAILURE;
    case base::Code::kNotFound:
      return ACL_ERROR_KERNEL_NOT_FOUND;
    case base::Code::kOutOfMemory:
      return ACL_ERROR_RT_MEMORY_ALLOCATION;
    case base::Code::kUnsupported:
      return ACL_ERROR_FEATURE_UNSUPPORTED;
    case base::Code::kCompileError:
      return ACL_ERROR_OP_LOAD_FAILED;
    case base::Code::kKernelFault:
      return ACL_ERROR_RT_VECTOR_CORE_EXCEPTION;
    case base::Code::kStall:
      return ACL_ERROR_RT_AICORE_TIMEOUT;
    case base::Code::kTimeout:
      return ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
    case base::Code::kIo:
      return ACL_ERROR_INVALID_FILE;
    case base::Code::kInternal:
      return ACL_ERROR_INTERNAL_ERROR;
  }
  return ACL_ERROR_INTERNAL_ERROR;
}

}  // namespace

std::span<const Status> AllStatuses() { return kStatuses; }

const Status* FindStatus(int number) {
  for (const Status& status : kStatuses) {
    if (status.number == number) return &status;
  }
  return nullptr;
}

int StatusNumber(const base::Error& error) {
  return error.number != 0 ? error.number : NumberOfCode(error.code);
}

base::Error ErrorWith(int number, std::string message) {
  base::Error error{base::Code::kInvalidArgument, std::move(message)};
  error.number = number;
  return error;
}

std::string StatusText(std::string_view function, const base::Error& error) {
  const int number = StatusNumber(error);
  const Status* status = FindStatus(number);
  return fmt::format("{} failed with {} ({}).\n{}", function,
                     status != nullptr ? status->name : "an unknown error", number,
                     error.ToString());
}

}  // namespace hostnpu::runtime

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/api.h"
#include "runtime/configuration.h"
#include "runtime/device.h"

using namespace hostnpu;           // NOLINT: C functions only
using namespace hostnpu::runtime;  // NOLINT

aclError aclInit(const char* path) {
  return Call("aclInit", [&] { return Initialize(path); });
}

aclError aclFinalize(void) {
  return Call("aclFinalize", [] { return Finalize(true); });
}

aclError aclFinalizeReference(uint64_t* count) {
  return Call("aclFinalizeReference", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(const uint64_t left, Finalize(false));
    if (count != nullptr) *count = left;
    return {};
  });
}

aclError aclrtGetVersion(int32_t* major, int32_t* minor, int32_t* patch) {
  return Call("aclrtGetVersion", [&]() -> base::Result<void> {
    if (major == nullptr || minor == nullptr || patch == nullptr) return NullArgument("version");
    *major = ACL_MAJOR_VERSION;
    *minor = ACL_MINOR_VERSION;
    *patch = ACL_PATCH_VERSION;
    return {};
  });
}

const char* aclGetRecentErrMsg(void) { return TakeLastMessage(); }

aclError aclrtPeekAtLastError(aclrtLastErrLevel) { return LastErrorNumber(false); }

aclError aclrtGetLastError(aclrtLastErrLevel) { return LastErrorNumber(true); }

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_prof.h"

#include "runtime/api.h"

using namespace hostnpu;           // NOLINT: C functions only
using namespace hostnpu::runtime;  // NOLINT

namespace {

aclError NotHere(const char* function) {
  return KeepError(function,
                   base::Error{base::Code::kUnsupported,
                               "Profiling is not supported: there is no device to measure."});
}

}  // namespace

aclError aclprofInit(const char*, size_t) { return NotHere("aclprofInit"); }

aclError aclprofFinalize(void) { return NotHere("aclprofFinalize"); }

aclprofConfig* aclprofCreateConfig(uint32_t*, uint32_t, aclprofAicoreMetrics,
                                   const aclprofAicoreEvents*, uint64_t) {
  NotHere("aclprofCreateConfig");
  return nullptr;
}

aclError aclprofDestroyConfig(const aclprofConfig*) { return NotHere("aclprofDestroyConfig"); }

aclError aclprofStart(const aclprofConfig*) { return NotHere("aclprofStart"); }

aclError aclprofStop(const aclprofConfig*) { return NotHere("aclprofStop"); }

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The runtime is part of this extension. Python loads extensions privately, so the kernels loaded
// later would not find it; the extension is therefore opened once more, for everybody.
#include "runtime_door.h"

#include <dlfcn.h>

#include <string>

#include "fmt/format.h"

extern "C" {
// The C functions of the runtime (include/acl); a stream of null is the default one.
int aclrtSetDevice(int32_t device);
int aclrtSynchronizeStream(void* stream);
const char* aclGetRecentErrMsg();
}

namespace hostnpu::bindings {

namespace {

base::Error LastError(int status) {
  const char* message = aclGetRecentErrMsg();
  return base::Error{.code = base::Code::kKernelFault,
                     .message = message != nullptr && *message != '\0'
                                    ? std::string(message)
                                    : fmt::format("the launch failed with {}", status)};
}

/// Kernels of Python run on device 0; each thread says so once.
int EnsureContext() {
  thread_local bool chosen = false;
  if (chosen) return 0;
  const int status = aclrtSetDevice(0);
  chosen = status == 0;
  return status;
}

}  // namespace

base::Result<void> RunAndWait(int (*entry)(const uint64_t* words, void* stream),
                              const uint64_t* words) {
  int status = EnsureContext();
  if (status == 0) status = entry(words, nullptr);
  if (status == 0) status = aclrtSynchronizeStream(nullptr);
  if (status == 0) return {};
  return LastError(status);
}

void ExposeRuntime() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&ExposeRuntime), &info) == 0 || info.dli_fname == nullptr)
    return;
  (void)dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

}  // namespace hostnpu::bindings

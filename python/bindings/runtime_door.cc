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
// The C functions of the runtime (include/acl).
int aclrtSetDevice(int32_t device);
int aclrtCreateStream(void** stream);
int aclrtDestroyStreamForce(void* stream);
int aclrtSynchronizeStream(void* stream);
int aclrtGetLastError(int level);
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

/// The stream of a thread. A stream that has seen a fault refuses everything after it, so it is
/// given up then and the next call gets a new one.
struct ThreadStream {
  void* handle = nullptr;

  int Ensure() {
    if (handle != nullptr) return 0;
    if (const int status = aclrtSetDevice(0); status != 0) return status;
    return aclrtCreateStream(&handle);
  }
  void GiveUp() {
    if (handle != nullptr) (void)aclrtDestroyStreamForce(handle);
    handle = nullptr;
  }
};

ThreadStream& StreamOfThread() {
  thread_local ThreadStream stream;
  return stream;
}

}  // namespace

base::Result<void> RunAndWait(int (*entry)(const uint64_t* words, void* stream),
                              const uint64_t* words) {
  ThreadStream& stream = StreamOfThread();
  int status = stream.Ensure();
  if (status == 0) status = entry(words, stream.handle);
  if (status == 0) status = aclrtSynchronizeStream(stream.handle);
  if (status == 0) return {};
  base::Error error = LastError(status);
  stream.GiveUp();
  constexpr int kThreadLevel = 0;
  (void)aclrtGetLastError(kThreadLevel);  // forgets it: the entry of the next launch asks for it
  return error;
}

void ExposeRuntime() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&ExposeRuntime), &info) == 0 || info.dli_fname == nullptr)
    return;
  (void)dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

}  // namespace hostnpu::bindings

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The runtime is part of this extension. Python loads extensions privately, so the kernels loaded
// later would not find it; the extension is therefore opened once more, for everybody.
#include "runtime_door.h"

#include <dlfcn.h>

#include <memory>
#include <string>
#include <utility>

#include "base/check.h"
#include "fmt/format.h"
#include "runtime/context.h"
#include "runtime/stream.h"

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

/// The stream of a thread. A stream that has seen a fault refuses everything after it, so it is
/// given up then and the next call gets a new one.
class ThreadStream {
 public:
  ~ThreadStream() { GiveUp(); }

  int Ensure() {
    if (handle_ != nullptr) return 0;
    if (const int status = aclrtSetDevice(0); status != 0) return status;
    if (const int status = aclrtCreateStream(&handle_); status != 0) return status;
    auto found = runtime::FindStream(handle_);
    HOSTNPU_CHECK(found.ok());
    stream_ = *std::move(found);
    return 0;
  }
  void* handle() const { return handle_; }
  runtime::Stream& stream() const { return *stream_; }
  void GiveUp() {
    if (handle_ != nullptr) (void)aclrtDestroyStreamForce(handle_);
    handle_ = nullptr;
    stream_.reset();
  }

 private:
  void* handle_ = nullptr;
  std::shared_ptr<runtime::Stream> stream_;
};

ThreadStream& StreamOfThread() {
  thread_local ThreadStream stream;
  return stream;
}

/// The newest error of this thread, for a call that ended with `status`.
base::Error ErrorOf(int status) {
  const char* message = aclGetRecentErrMsg();
  return base::Error{.code = base::Code::kKernelFault,
                     .message = message != nullptr && *message != '\0'
                                    ? std::string(message)
                                    : fmt::format("the launch failed with {}", status)};
}

/// Leases the workspaces of a call and makes them ready. The stream is idle and no other thread
/// knows it, so there is nothing to wait for.
base::Result<void> Begin(runtime::Stream& stream, const CallWorkspaces& workspaces, uint64_t* words,
                         runtime::LaunchMemory* memory) {
  if (workspaces.plan == nullptr) return {};
  HOSTNPU_ASSIGN_OR_RETURN(
      const workspace::LaunchWorkspace* leased,
      memory->LeaseAll(stream.memory(), runtime::Slot::kWorkspace, workspaces.plan));
  for (size_t i = 0; i < workspaces.slots.size(); ++i) {
    words[workspaces.slots[i]] = reinterpret_cast<uint64_t>(leased->Address(i));
  }
  memory->Begin();
  return {};
}

}  // namespace

base::Result<void> RunAndWait(int (*entry)(const uint64_t* words, void* stream), uint64_t* words,
                              const CallWorkspaces& workspaces) {
  ThreadStream& stream = StreamOfThread();
  runtime::LaunchMemory memory;
  int status = stream.Ensure();
  if (status == 0) {
    if (auto begun = Begin(stream.stream(), workspaces, words, &memory); !begun.ok()) return begun;
    status = entry(words, stream.handle());
  }
  base::Result<void> outcome;
  if (status != 0) {
    outcome = ErrorOf(status);
    (void)aclrtSynchronizeStream(stream.handle());  // parts that were launched before
  } else if (status = aclrtSynchronizeStream(stream.handle()); status != 0) {
    outcome = ErrorOf(status);
  }
  auto ended = memory.End();  // after a fault too: what the kernel left dirty is zeroed
  if (status == 0) return ended;
  stream.GiveUp();
  constexpr int kThreadLevel = 0;
  (void)aclrtGetLastError(kThreadLevel);  // forgets it: the entry of the next launch asks for it
  return outcome;
}

void ExposeRuntime() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&ExposeRuntime), &info) == 0 || info.dli_fname == nullptr)
    return;
  (void)dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

}  // namespace hostnpu::bindings

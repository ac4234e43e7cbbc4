// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "acl/acl_base.h"
#include "runtime/status.h"

namespace hostnpu::runtime {
namespace {

std::shared_ptr<Context>& CurrentSlot() {
  static thread_local std::shared_ptr<Context> current;
  return current;
}

/// A table that is never destroyed: static objects of programs may still use it at exit.
template <typename T, HandleKind kind>
HandleTable<T>& TableOf() {
  static HandleTable<T>& table = *new HandleTable<T>(kind);
  return table;
}

}  // namespace

HandleTable<Context>& Contexts() { return TableOf<Context, HandleKind::kContext>(); }
HandleTable<Stream>& Streams() { return TableOf<Stream, HandleKind::kStream>(); }

Context::Context(uint64_t id, uint32_t device, bool is_primary)
    : id_(id), device_(device), is_primary_(is_primary) {}

std::string Context::Name() const { return fmt::format("[Context {}]", id_); }

std::shared_ptr<Stream> Context::DefaultStream() {
  std::lock_guard lock(mutex_);
  if (default_stream_ == nullptr) default_stream_ = CreateStream(0, 0);
  return default_stream_;
}

bool Context::IsDefaultStream(const Stream& stream) {
  std::lock_guard lock(mutex_);
  return default_stream_.get() == &stream;
}

std::shared_ptr<Stream> Context::CreateStream(uint32_t priority, uint32_t flags) {
  const uint64_t id = Streams().NextId();
  auto stream = std::make_shared<Stream>(id, *this, priority, flags);
  Streams().Add(id, stream);
  return stream;
}

void Context::Destroy() {
  if (destroyed_.exchange(true)) return;
  for (const auto& stream : Streams().All()) {
    if (stream->context_id() != id_) continue;
    static_cast<void>(stream->Synchronize());
    Streams().Remove(stream->handle());
  }
  std::lock_guard lock(mutex_);
  default_stream_.reset();
}

void SetCurrentContext(std::shared_ptr<Context> context) { CurrentSlot() = std::move(context); }

base::Result<std::shared_ptr<Context>> CurrentContext() {
  const std::shared_ptr<Context>& current = CurrentSlot();
  if (current == nullptr) {
    return ErrorWith(ACL_ERROR_RT_CONTEXT_NULL,
                     "This thread has no current context: it has called neither aclrtSetDevice nor "
                     "aclrtSetCurrentContext.");
  }
  if (current->destroyed()) {
    return ErrorWith(ACL_ERROR_RT_CONTEXT_NULL,
                     fmt::format("The current context of this thread, {}, has been destroyed.",
                                 current->Name()));
  }
  return current;
}

base::Result<std::shared_ptr<Stream>> FindStream(const void* handle) {
  if (handle == nullptr) {
    HOSTNPU_ASSIGN_OR_RETURN(auto context, CurrentContext());
    return context->DefaultStream();
  }
  if (auto stream = Streams().Find(handle)) return stream;
  if (IsHandleOf(HandleKind::kStream, handle)) {
    return ErrorWith(ACL_ERROR_RT_INVALID_HANDLE,
                     fmt::format("{} has been destroyed.", DescribeHandle(handle)));
  }
  return ErrorWith(ACL_ERROR_RT_INVALID_HANDLE,
                   fmt::format("The stream is {}, which is no stream.", DescribeHandle(handle)));
}

base::Result<std::shared_ptr<Context>> FindContext(const void* handle) {
  if (auto context = Contexts().Find(handle)) return context;
  if (IsHandleOf(HandleKind::kContext, handle)) {
    return ErrorWith(ACL_ERROR_RT_INVALID_HANDLE,
                     fmt::format("{} has been destroyed.", DescribeHandle(handle)));
  }
  return ErrorWith(ACL_ERROR_RT_INVALID_HANDLE,
                   fmt::format("The context is {}, which is no context.", DescribeHandle(handle)));
}

base::Result<void> DestroyStream(const void* handle, bool force) {
  if (handle == nullptr) {
    return base::Error{base::Code::kInvalidArgument,
                       "The stream is null; the default stream cannot be destroyed."};
  }
  HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
  if (auto context = Contexts().Find(MakeHandle(HandleKind::kContext, stream->context_id()));
      context != nullptr && context->IsDefaultStream(*stream)) {
    return base::Error{
        base::Code::kInvalidArgument,
        fmt::format("{} is the default stream of {}, which cannot be destroyed by itself.",
                    stream->Name(), context->Name())};
  }
  if (force) stream->Abort();
  static_cast<void>(stream->Synchronize());
  Streams().Remove(handle);
  stream->memory().Close();  // others may hold the stream a little longer
  return {};
}

base::Result<void> SynchronizeDevice(uint32_t device, int64_t timeout_ms) {
  using std::chrono::steady_clock;
  const auto start = steady_clock::now();
  base::Result<void> outcome;
  for (const auto& stream : Streams().All()) {
    if (stream->device() != device) continue;
    int64_t left = -1;
    if (timeout_ms >= 0) {
      const auto spent =
          std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - start);
      left = std::max<int64_t>(0, timeout_ms - spent.count());
    }
    auto result = stream->Synchronize(left);
    if (!result.ok() && outcome.ok()) outcome = std::move(result);
  }
  return outcome;
}

}  // namespace hostnpu::runtime

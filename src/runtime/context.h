// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_CONTEXT_H_
#define HOSTNPU_RUNTIME_CONTEXT_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "arch/chip.h"
#include "base/result.h"
#include "runtime/handle.h"
#include "runtime/stream.h"

namespace hostnpu::runtime {

/// A container of streams on one device. A thread has at most one current context.
class Context {
 public:
  Context(uint64_t id, uint32_t device, bool is_primary);

  uint64_t id() const { return id_; }
  uint32_t device() const { return device_; }
  bool is_primary() const { return is_primary_; }
  void* handle() const { return MakeHandle(HandleKind::kContext, id_); }
  std::string Name() const;  ///< "[Context 2]"

  /// The stream that a null handle stands for; made when first asked for.
  std::shared_ptr<Stream> DefaultStream();
  bool IsDefaultStream(const Stream& stream);
  std::shared_ptr<Stream> CreateStream(uint32_t priority, uint32_t flags);

  /// Waits for all streams of this context and destroys them; handles of them are dead then.
  void Destroy();
  bool destroyed() const { return destroyed_.load(std::memory_order_acquire); }

 private:
  const uint64_t id_;
  const uint32_t device_;
  const bool is_primary_;
  std::atomic<bool> destroyed_{false};
  std::mutex mutex_;
  std::shared_ptr<Stream> default_stream_;
};

HandleTable<Context>& Contexts();
HandleTable<Stream>& Streams();

/// Makes the context current on this thread; null for none.
void SetCurrentContext(std::shared_ptr<Context> context);
/// The current context, or the error ACL_ERROR_RT_CONTEXT_NULL.
base::Result<std::shared_ptr<Context>> CurrentContext();

/// The stream of a handle: the current context's default stream for null; an error that names the
/// handle if it is destroyed or none of a stream.
base::Result<std::shared_ptr<Stream>> FindStream(const void* handle);
base::Result<std::shared_ptr<Context>> FindContext(const void* handle);

/// Waits for the stream and ends it. `force` cancels what has not begun.
base::Result<void> DestroyStream(const void* handle, bool force);
/// Every stream of a device; the first failure is the result. `timeout_ms` -1: without limit.
base::Result<void> SynchronizeDevice(uint32_t device, int64_t timeout_ms);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_CONTEXT_H_

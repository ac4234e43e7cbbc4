// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_HOST_CALLBACK_H_
#define HOSTNPU_RUNTIME_HOST_CALLBACK_H_

#include <cstdint>

#include "base/result.h"
#include "runtime/stream.h"

namespace hostnpu::runtime {

/// A function of the host in a stream, run by the thread that runs the stream.
void EnqueueHostFunction(Stream& stream, void (*function)(void*), void* argument);

/// The thread (as pthread_self names it) will run the stream's callbacks in ProcessReport(). A
/// stream has one such thread.
base::Result<void> Subscribe(uint64_t thread, Stream& stream);
base::Result<void> Unsubscribe(uint64_t thread, Stream& stream);

/// A callback in a stream, run by its subscriber. With `blocks` the stream waits until it has run.
base::Result<void> EnqueueCallback(Stream& stream, void (*function)(void*), void* argument,
                                   bool blocks);

/// Runs the next callback of this thread's streams; waits for one for `timeout_ms` (-1: without
/// limit).
base::Result<void> ProcessReport(int64_t timeout_ms);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_HOST_CALLBACK_H_

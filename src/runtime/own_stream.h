// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_OWN_STREAM_H_
#define HOSTNPU_RUNTIME_OWN_STREAM_H_

#include <memory>

#include "base/result.h"
#include "runtime/stream.h"

namespace hostnpu::runtime {

/// The stream in which calls of this thread that run to their end do so (hostnpu::Launch,
/// hostnpu::Operator), on device 0. Kept, so that its workspaces serve one call after the other.
base::Result<std::shared_ptr<Stream>> OwnStream();

/// Waits for it. A failure is the result and is forgotten: the stream works again.
base::Result<void> FinishOwn(Stream& stream, base::Result<void> launched);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_OWN_STREAM_H_

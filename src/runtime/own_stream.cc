// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/own_stream.h"

#include "runtime/context.h"
#include "runtime/device.h"

namespace hostnpu::runtime {

base::Result<std::shared_ptr<Stream>> OwnStream() {
  struct Own {
    std::shared_ptr<Stream> stream;
    ~Own() {
      if (stream != nullptr) static_cast<void>(DestroyStream(stream->handle(), false));
    }
  };
  static thread_local Own own;
  if (own.stream != nullptr && FindStream(own.stream->handle()).ok()) return own.stream;
  HOSTNPU_ASSIGN_OR_RETURN(auto context, PrimaryContext(0));
  own.stream = context->CreateStream(0, 0);
  return own.stream;
}

base::Result<void> FinishOwn(Stream& stream, base::Result<void> launched) {
  auto finished = stream.Synchronize();
  if (!finished.ok()) stream.ForgetFailure();
  return launched.ok() ? std::move(finished) : std::move(launched);
}

}  // namespace hostnpu::runtime

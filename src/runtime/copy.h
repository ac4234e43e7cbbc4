// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_COPY_H_
#define HOSTNPU_RUNTIME_COPY_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "runtime/stream.h"

namespace hostnpu::runtime {

/// A copy that has been checked: `rows` rows of `row_bytes`, whose starts are a pitch apart.
struct Copy {
  void* dst = nullptr;
  const void* src = nullptr;
  size_t row_bytes = 0;
  size_t rows = 1;
  size_t dst_pitch = 0;
  size_t src_pitch = 0;
  void Run() const;
};

/// A fill that has been checked.
struct Fill {
  void* dst = nullptr;
  size_t bytes = 0;
  uint8_t value = 0;
  void Run() const;
};

/// Checks a copy as aclrtMemcpy is given it, `kind` being an aclrtMemcpyKind: nulls, `count`
/// against `dest_max`, the kind against where the addresses really are, and the ranges against
/// their buffers. Memory of the host that was not allocated here is not known, and so not checked.
/// A count of 0 is legal and copies nothing.
base::Result<Copy> CheckCopy(void* dst, size_t dest_max, const void* src, size_t count, int kind);
base::Result<Copy> CheckCopy2d(void* dst, size_t dst_pitch, const void* src, size_t src_pitch,
                               size_t width, size_t height, int kind);
/// "calling aclrtMemcpy(kind = ACL_MEMCPY_HOST_TO_DEVICE)": the outermost line of a copy's error.
std::string CallText(const char* function, int kind);
base::Result<Fill> CheckFill(void* dst, size_t max_count, int32_t value, size_t count);

/// Appends to the stream. Buffers freed before its turn comes make the stream fail.
base::Result<void> EnqueueCopy(Stream& stream, const Copy& copy);
base::Result<void> EnqueueFill(Stream& stream, const Fill& fill);

/// Lets copies go between two devices, as aclrtDeviceEnablePeerAccess does for the current one.
base::Result<void> SetPeerAccess(uint32_t device, int64_t peer, bool enabled);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_COPY_H_

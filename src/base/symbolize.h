// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_BASE_SYMBOLIZE_H_
#define HOSTNPU_BASE_SYMBOLIZE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hostnpu::base {

/// One source frame of a call stack; inlined calls are frames of their own.
struct Frame {
  std::string function;
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
};

/// The return addresses of the calling thread's (or fiber's) stack, innermost first. At most
/// `limit`.
std::vector<void*> CaptureStack(size_t limit = 48);

/// The same into memory of the caller's, at most its size; returns how many. Allocates nothing, so
/// that a signal handler may call it.
size_t CaptureStackInto(std::span<void*> addresses);

/// The source frames of each return address, innermost first, from the modules' line tables. Runs
/// llvm-symbolizer (HOSTNPU_SYMBOLIZER names another) once for each module; an address that it
/// cannot place has no frames, and without the program none has. Takes a tenth of a second however
/// many addresses there are: for reports only, and for a whole report at once.
std::vector<std::vector<Frame>> Symbolize(const std::vector<void*>& return_addresses);

}  // namespace hostnpu::base

#endif  // HOSTNPU_BASE_SYMBOLIZE_H_

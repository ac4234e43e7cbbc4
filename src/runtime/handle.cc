// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/handle.h"

#include <fmt/format.h>

namespace hostnpu::runtime {

std::string DescribeHandle(const void* handle) {
  if (handle == nullptr) return "null";
  const char* name = nullptr;
  switch (static_cast<HandleKind>(reinterpret_cast<uint64_t>(handle) >> kHandleShift)) {
    case HandleKind::kContext:
      name = "Context";
      break;
    case HandleKind::kStream:
      name = "Stream";
      break;
    case HandleKind::kEvent:
      name = "Event";
      break;
    case HandleKind::kBinary:
      name = "Binary";
      break;
    case HandleKind::kModule:
      name = "Module";
      break;
    case HandleKind::kFunction:
      name = "Function";
      break;
    case HandleKind::kArguments:
      name = "Arguments";
      break;
  }
  if (name == nullptr) return fmt::format("the address {}", handle);
  return fmt::format("[{} {}]", name, IdOfHandle(handle));
}

}  // namespace hostnpu::runtime

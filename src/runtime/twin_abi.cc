// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "ascendc/detail/twin_abi.h"

#include "runtime/guarded_memory.h"
#include "runtime/last_error.h"

#define HOSTNPU_EXPORT extern "C" __attribute__((visibility("default")))

using namespace hostnpu::runtime;  // NOLINT: C functions only

HOSTNPU_EXPORT void* hostnpu_gm_alloc(size_t bytes) {
  if (bytes == 0) return nullptr;  // a tensor without elements: no failure
  auto data = AllocateGuarded(bytes);
  if (data.ok()) return *data;
  KeepError("GmAlloc", data.error());
  NoteUnreadFailure(data.error(), true);
  return nullptr;
}

HOSTNPU_EXPORT void hostnpu_gm_free(void* address) {
  auto result = FreeGuarded(address);
  if (result.ok()) return;
  KeepError("GmFree", result.error());
  NoteUnreadFailure(result.error(), true);
}

HOSTNPU_EXPORT const char* hostnpu_twin_failure(void) { return TakeLastMessage(); }

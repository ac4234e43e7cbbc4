// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that we map and hand out ourselves is one live block to AddressSanitizer. These tell it
// which of it nobody may touch; in other builds they do nothing.
#ifndef HOSTNPU_BASE_POISON_H_
#define HOSTNPU_BASE_POISON_H_

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define HOSTNPU_ASAN 1
#endif
#endif

namespace hostnpu::base {

/// From here on an access to these bytes is reported.
inline void Poison([[maybe_unused]] const void* data, [[maybe_unused]] size_t bytes) {
#ifdef HOSTNPU_ASAN
  __asan_poison_memory_region(data, bytes);
#endif
}

/// Takes Poison() back, and whatever the compiler's own frames left there.
inline void Unpoison([[maybe_unused]] const void* data, [[maybe_unused]] size_t bytes) {
#ifdef HOSTNPU_ASAN
  __asan_unpoison_memory_region(data, bytes);
#endif
}

}  // namespace hostnpu::base

#endif  // HOSTNPU_BASE_POISON_H_

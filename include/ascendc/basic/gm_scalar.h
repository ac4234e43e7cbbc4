// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// GM without UB: scalar accesses past the data cache, and filling GM with a value.
#ifndef HOSTNPU_ASCENDC_BASIC_GM_SCALAR_H_
#define HOSTNPU_ASCENDC_BASIC_GM_SCALAR_H_

#include "burst.h"

namespace AscendC {

/// A scalar store that other cores see at once.
template <typename T>
inline void WriteGmByPassDCache(__gm__ T* address, T value) {
  internal::CheckGm("WriteGmByPassDCache", address, sizeof(T), HOSTNPU_GM_WRITE);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  internal::StoreGmScalar(address, value);
}
/// A scalar load of what other cores have stored.
template <typename T>
inline T ReadGmByPassDCache(__gm__ T* address) {
  internal::CheckGm("ReadGmByPassDCache", address, sizeof(T), HOSTNPU_GM_READ_SCALAR);
  internal::CountPoll();
  const T value = internal::LoadGmScalar(address);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return value;
}

namespace internal {
/// Writes `count` times the same element, under the atomic state of the core as any other
/// write-out.
HOSTNPU_SHARED void FillGm(const char* api, uint8_t* dst, uint64_t count, const uint8_t* element,
                           uint32_t element_bytes) {
  if (count == 0) return;
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(count, uint64_t{element_bytes}, &bytes)) bytes = ~uint64_t{0};
  CheckGm(api, dst, bytes, HOSTNPU_GM_WRITE);
  alignas(64) uint8_t pattern[1024];
  for (uint32_t at = 0; at < sizeof(pattern); at += element_bytes)
    __builtin_memcpy(pattern + at, element, element_bytes);
  for (uint64_t at = 0; at < bytes; at += sizeof(pattern)) {
    const uint64_t left = bytes - at;
    WriteGm(dst + at, pattern, left < sizeof(pattern) ? left : sizeof(pattern));
  }
}
}  // namespace internal

/// Fills `size` elements of GM.
template <typename T, typename U = T>
inline void Fill(GlobalTensor<T> dst, uint64_t size, U value) {
  if (!internal::OnVectorCore()) return;
  const PrimT<T> element = static_cast<PrimT<T>>(value);
  internal::FillGm("Fill", reinterpret_cast<uint8_t*>(dst.address_), size,
                   reinterpret_cast<const uint8_t*>(&element), sizeof(element));
}
/// The same under its earlier names.
template <typename T>
inline void InitGlobalMemory(GlobalTensor<T>& dst, uint64_t size, T value) {
  Fill<T>(dst, size, value);
}
template <typename T>
inline void InitOutput(GlobalTensor<T> dst, uint32_t size, T value = T(0)) {
  Fill<T>(dst, size, value);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_GM_SCALAR_H_

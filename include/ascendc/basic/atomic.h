// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Atomic write-out: after SetAtomicAdd/Max/Min every write of this core from UB, L1 or L0C to GM
// reads, combines and writes each element as one step towards the other cores. A write is cut at
// 4 KiB pages of GM; the page is locked, combined in a vectorised loop, and unlocked. An element
// that lies across two pages belongs to the page of its first byte.
#ifndef HOSTNPU_ASCENDC_BASIC_ATOMIC_H_
#define HOSTNPU_ASCENDC_BASIC_ATOMIC_H_

#include "../detail/core.h"
#include "tensor.h"

namespace AscendC {
namespace internal {

/// Values of the type field of the control register.
enum AtomicTypeCode : uint32_t {
  kAtomicOff = 0,
  kAtomicFloat,
  kAtomicHalf,
  kAtomicInt16,
  kAtomicInt32,
  kAtomicInt8,
  kAtomicBfloat16,
};
enum AtomicOperationCode : uint32_t { kAtomicAdd = 0, kAtomicMax, kAtomicMin };

// By TypeIndex.
constexpr AtomicTypeCode kAtomicCodes[kTypeCount] = {
    kAtomicHalf,  kAtomicFloat, kAtomicBfloat16, kAtomicInt8, kAtomicOff, kAtomicInt16, kAtomicOff,
    kAtomicInt32, kAtomicOff,   kAtomicOff,      kAtomicOff,  kAtomicOff, kAtomicOff,   kAtomicOff};
template <typename T>
constexpr uint32_t AtomicCodeOf() {
  return kAtomicCodes[TypeIndex<T>()];
}

constexpr uint64_t kGmPageBytes = 4096;

template <uint32_t operation, typename T>
HOSTNPU_INLINE T CombineAtomic(T old_value, T new_value) {
  if constexpr (operation == kAtomicAdd) {
    if constexpr (IsSameType<T, int8_t>::value || IsSameType<T, int16_t>::value ||
                  IsSameType<T, int32_t>::value) {
      return static_cast<T>(static_cast<uint32_t>(old_value) + static_cast<uint32_t>(new_value));
    } else {
      return T((float)old_value + (float)new_value);  // one rounding to T
    }
  } else {
    const bool first = operation == kAtomicMax ? old_value > new_value : old_value < new_value;
    return first ? old_value : new_value;
  }
}

template <typename T, uint32_t operation>
__attribute__((noinline)) inline void CombineIntoGm(uint8_t* dst, const uint8_t* src,
                                                    uint64_t bytes) {
  HostnpuCore& core = ThisCore();
  const HostnpuDeviceAbi* abi = core.abi;
  if (HOSTNPU_UNLIKELY(bytes % sizeof(T) != 0)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "SetAtomicAdd/Max/Min",
                  "is in force with elements of %s, and %llu bytes in a row are written, which are "
                  "no whole number of them",
                  TypeName<T>(), (unsigned long long)bytes);
  }
  uint64_t left = bytes / sizeof(T);
  while (left != 0) {
    const uint64_t room = kGmPageBytes - reinterpret_cast<uintptr_t>(dst) % kGmPageBytes;
    const uint64_t fit = (room + sizeof(T) - 1) / sizeof(T);
    const uint64_t count = fit < left ? fit : left;
    abi->gm_lock(&core, dst);
    for (uint64_t i = 0; i < count; ++i) {
      T old_value, new_value;  // elements may lie at any byte
      __builtin_memcpy(&old_value, dst + i * sizeof(T), sizeof(T));
      __builtin_memcpy(&new_value, src + i * sizeof(T), sizeof(T));
      old_value = CombineAtomic<operation, T>(old_value, new_value);
      __builtin_memcpy(dst + i * sizeof(T), &old_value, sizeof(T));
    }
    abi->gm_unlock(&core, dst);
    dst += count * sizeof(T);
    src += count * sizeof(T);
    left -= count;
  }
}

/// Writes `bytes` to checked GM: plainly, or combined with what is there if the core says so. Every
/// instruction that writes GM from an on-chip memory comes through here.
HOSTNPU_INLINE void WriteGm(uint8_t* dst, const uint8_t* src, uint64_t bytes) {
  const auto combine = Regs().atomic_combine;
  if (HOSTNPU_LIKELY(combine == nullptr)) {
    __builtin_memcpy(dst, src, bytes);
  } else {
    combine(dst, src, bytes);
  }
}

/// The chip's compiler takes any type here: kernels instantiate branches for types that they never
/// run with.
template <typename T, uint32_t operation>
HOSTNPU_INLINE void SetAtomic(const char* api) {
  if constexpr (AtomicCodeOf<T>() == kAtomicOff) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                  "is for %s; this chip has half, bfloat16_t, float, int8_t, int16_t and int32_t",
                  TypeName<T>());
  } else {
    Regs().atomic_type = AtomicCodeOf<T>();
    Regs().atomic_operation = operation;
    Regs().atomic_combine = &CombineIntoGm<T, operation>;
  }
}
template <typename T>
inline void SetAtomic(const char* api, uint32_t operation) {
  if (operation == kAtomicAdd) return SetAtomic<T, kAtomicAdd>(api);
  if (operation == kAtomicMax) return SetAtomic<T, kAtomicMax>(api);
  SetAtomic<T, kAtomicMin>(api);
}

}  // namespace internal

/// Writes from this core to GM add to what is there, element by element, until SetAtomicNone.
template <typename T>
inline void SetAtomicAdd() {
  internal::SetAtomic<T, internal::kAtomicAdd>("SetAtomicAdd");
}
/// As SetAtomicAdd, keeping the larger value.
template <typename T>
inline void SetAtomicMax() {
  internal::SetAtomic<T, internal::kAtomicMax>("SetAtomicMax");
}
/// As SetAtomicAdd, keeping the smaller value.
template <typename T>
inline void SetAtomicMin() {
  internal::SetAtomic<T, internal::kAtomicMin>("SetAtomicMin");
}
/// Changes the element type and leaves the operation as it is.
template <typename T>
inline void SetAtomicType() {
  internal::SetAtomic<T>("SetAtomicType", internal::Regs().atomic_operation);
}
/// Ends atomic write-out.
inline void SetAtomicNone() {
  internal::Regs().atomic_type = internal::kAtomicOff;
  internal::Regs().atomic_operation = internal::kAtomicAdd;
  internal::Regs().atomic_combine = nullptr;
}
inline void DisableDmaAtomic() { SetAtomicNone(); }

enum class AtomicDtype {
  ATOMIC_NONE = 0,
  ATOMIC_F32,
  ATOMIC_F16,
  ATOMIC_S16,
  ATOMIC_S32,
  ATOMIC_S8,
  ATOMIC_BF16
};
enum class AtomicOp { ATOMIC_SUM = 0 };

template <AtomicDtype type, AtomicOp operation>
inline void SetStoreAtomicConfig() {
  static_assert(operation == AtomicOp::ATOMIC_SUM, "SetStoreAtomicConfig knows ATOMIC_SUM only");
  if constexpr (type == AtomicDtype::ATOMIC_NONE) SetAtomicNone();
  if constexpr (type == AtomicDtype::ATOMIC_F32) SetAtomicAdd<float>();
  if constexpr (type == AtomicDtype::ATOMIC_F16) SetAtomicAdd<half>();
  if constexpr (type == AtomicDtype::ATOMIC_S16) SetAtomicAdd<int16_t>();
  if constexpr (type == AtomicDtype::ATOMIC_S32) SetAtomicAdd<int32_t>();
  if constexpr (type == AtomicDtype::ATOMIC_S8) SetAtomicAdd<int8_t>();
  if constexpr (type == AtomicDtype::ATOMIC_BF16) SetAtomicAdd<bfloat16_t>();
}
inline void GetStoreAtomicConfig(uint16_t& type, uint16_t& operation) {
  type = static_cast<uint16_t>(internal::Regs().atomic_type);
  operation = static_cast<uint16_t>(internal::Regs().atomic_operation);
}

namespace internal {
/// A scalar read-modify-write of GM; returns the old value.
template <typename T, typename Combine>
inline T ScalarAtomic(const char* api, T* address, Combine combine) {
  CheckGm(api, address, sizeof(T), HOSTNPU_GM_WRITE);
  if (reinterpret_cast<uintptr_t>(address) % sizeof(T) != 0) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ALIGNMENT, api,
                  "has its address at %p, which is not a multiple of %u", (const void*)address,
                  (uint32_t)sizeof(T));
  }
  HostnpuCore& core = ThisCore();
  CountPoll();
  core.abi->gm_lock(&core, address);
  const T old_value = *address;
  *address = combine(old_value);
  core.abi->gm_unlock(&core, address);
  return old_value;
}
template <typename T>
constexpr bool IsScalarAtomicType() {
  return IsSameType<T, int32_t>::value || IsSameType<T, uint32_t>::value ||
         IsSameType<T, int64_t>::value || IsSameType<T, uint64_t>::value;
}
}  // namespace internal

/// Scalar atomics on GM. Each returns the value before.
template <typename T>
inline T AtomicAdd(__gm__ T* address, T value) {
  static_assert(internal::IsScalarAtomicType<T>() || IsSameType<T, float>::value,
                "AtomicAdd<T> takes (u)int32_t, (u)int64_t or float");
  return internal::ScalarAtomic("AtomicAdd", address, [value](T old) -> T {
    T sum;
    if constexpr (IsSameType<T, float>::value) {
      sum = old + value;
    } else {
      __builtin_add_overflow(old, value, &sum);  // wraps around
    }
    return sum;
  });
}
template <typename T>
inline T AtomicMax(__gm__ T* address, T value) {
  static_assert(internal::IsScalarAtomicType<T>(), "AtomicMax<T> takes (u)int32_t or (u)int64_t");
  return internal::ScalarAtomic("AtomicMax", address,
                                [value](T old) -> T { return old > value ? old : value; });
}
template <typename T>
inline T AtomicMin(__gm__ T* address, T value) {
  static_assert(internal::IsScalarAtomicType<T>(), "AtomicMin<T> takes (u)int32_t or (u)int64_t");
  return internal::ScalarAtomic("AtomicMin", address,
                                [value](T old) -> T { return old < value ? old : value; });
}
/// Stores `desired` where `expected` stands.
template <typename T>
inline T AtomicCas(__gm__ T* address, T expected, T desired) {
  static_assert(internal::IsScalarAtomicType<T>(), "AtomicCas<T> takes (u)int32_t or (u)int64_t");
  return internal::ScalarAtomic("AtomicCas", address, [expected, desired](T old) -> T {
    return old == expected ? desired : old;
  });
}
template <typename T>
inline T AtomicExch(__gm__ T* address, T value) {
  static_assert(internal::IsScalarAtomicType<T>(), "AtomicExch<T> takes (u)int32_t or (u)int64_t");
  return internal::ScalarAtomic("AtomicExch", address, [value](T) -> T { return value; });
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_ATOMIC_H_

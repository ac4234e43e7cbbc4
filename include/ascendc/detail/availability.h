// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which element types an instruction takes, and the compile error of one it does not:
// "Add<int8_t> is not available on this chip", at the line of the user's call.
#ifndef HOSTNPU_ASCENDC_DETAIL_AVAILABILITY_H_
#define HOSTNPU_ASCENDC_DETAIL_AVAILABILITY_H_

#include "../basic/types.h"

namespace AscendC {
namespace internal {

// Sets of element types.
constexpr uint32_t kHalf = 1u << 0;
constexpr uint32_t kFloat = 1u << 1;
constexpr uint32_t kBfloat16 = 1u << 2;
constexpr uint32_t kInt8 = 1u << 3;
constexpr uint32_t kUint8 = 1u << 4;
constexpr uint32_t kInt16 = 1u << 5;
constexpr uint32_t kUint16 = 1u << 6;
constexpr uint32_t kInt32 = 1u << 7;
constexpr uint32_t kUint32 = 1u << 8;
constexpr uint32_t kInt64 = 1u << 9;
constexpr uint32_t kUint64 = 1u << 10;
constexpr uint32_t kInt4 = 1u << 11;
constexpr uint32_t kBool = 1u << 12;
constexpr uint32_t kOtherType = 1u << 13;

/// The set that holds only T.
template <typename T>
constexpr uint32_t TypeBit() {
  using U = PrimT<T>;
  return IsSameType<U, half>::value         ? kHalf
         : IsSameType<U, float>::value      ? kFloat
         : IsSameType<U, bfloat16_t>::value ? kBfloat16
         : IsSameType<U, int8_t>::value     ? kInt8
         : IsSameType<U, uint8_t>::value    ? kUint8
         : IsSameType<U, int16_t>::value    ? kInt16
         : IsSameType<U, uint16_t>::value   ? kUint16
         : IsSameType<U, int32_t>::value    ? kInt32
         : IsSameType<U, uint32_t>::value   ? kUint32
         : IsSameType<U, int64_t>::value    ? kInt64
         : IsSameType<U, uint64_t>::value   ? kUint64
         : IsSameType<U, int4b_t>::value    ? kInt4
         : IsSameType<U, bool>::value       ? kBool
                                            : kOtherType;
}

}  // namespace internal
}  // namespace AscendC

// Defines Available##name<T>: naming its `value` fails to compile for a type outside `types`.
#define HOSTNPU_REFUSE(name, types, bit, type)            \
  static_assert(kType != (bit) || ((types) & (bit)) != 0, \
                #name "<" type "> is not available on this chip");
#define HOSTNPU_AVAILABLE(name, types)                             \
  template <typename T>                                            \
  struct Available##name {                                         \
    static constexpr uint32_t kType = internal::TypeBit<T>();      \
    HOSTNPU_REFUSE(name, types, internal::kHalf, "half")           \
    HOSTNPU_REFUSE(name, types, internal::kFloat, "float")         \
    HOSTNPU_REFUSE(name, types, internal::kBfloat16, "bfloat16_t") \
    HOSTNPU_REFUSE(name, types, internal::kInt8, "int8_t")         \
    HOSTNPU_REFUSE(name, types, internal::kUint8, "uint8_t")       \
    HOSTNPU_REFUSE(name, types, internal::kInt16, "int16_t")       \
    HOSTNPU_REFUSE(name, types, internal::kUint16, "uint16_t")     \
    HOSTNPU_REFUSE(name, types, internal::kInt32, "int32_t")       \
    HOSTNPU_REFUSE(name, types, internal::kUint32, "uint32_t")     \
    HOSTNPU_REFUSE(name, types, internal::kInt64, "int64_t")       \
    HOSTNPU_REFUSE(name, types, internal::kUint64, "uint64_t")     \
    HOSTNPU_REFUSE(name, types, internal::kInt4, "int4b_t")        \
    HOSTNPU_REFUSE(name, types, internal::kBool, "bool")           \
    HOSTNPU_REFUSE(name, types, internal::kOtherType, "this type") \
    static constexpr bool value = true;                            \
  };

#endif  // HOSTNPU_ASCENDC_DETAIL_AVAILABILITY_H_

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

// Sets of element types: bit TypeIndex<T>() is T.
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

/// What moves and fills by its bits, without looking at the value.
constexpr uint32_t kAny16Or32 = kHalf | kBfloat16 | kFloat | kInt16 | kUint16 | kInt32 | kUint32;

/// The set that holds only T.
template <typename T>
constexpr uint32_t TypeBit() {
  return 1u << TypeIndex<T>();
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

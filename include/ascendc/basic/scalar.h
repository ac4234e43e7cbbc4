// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The scalar unit: bit counting and conversions of single values.
#ifndef HOSTNPU_ASCENDC_BASIC_SCALAR_H_
#define HOSTNPU_ASCENDC_BASIC_SCALAR_H_

#include "types.h"

namespace AscendC {

/// How many bits of the value are 1, or 0.
template <int countValue>
inline int64_t GetBitCount(uint64_t value) {
  static_assert(countValue == 0 || countValue == 1, "GetBitCount<0 or 1>");
  return __builtin_popcountll(countValue == 1 ? value : ~value);
}
template <int countValue>
inline int64_t ScalarGetCountOfValue(uint64_t value) {
  return GetBitCount<countValue>(value);
}
/// Zeros above the highest 1; 64 for 0.
inline int64_t CountLeadingZero(uint64_t value) { return value == 0 ? 64 : __builtin_clzll(value); }
inline int64_t ScalarCountLeadingZero(uint64_t value) { return CountLeadingZero(value); }
/// Bits below the sign bit that equal it; -1 for 0 and -1, whose bits all do.
inline int64_t CountBitsCntSameAsSignBit(int64_t value) {
  return value == 0 || value == -1 ? -1 : __builtin_clrsbll(value);
}
inline int64_t ScalarCountBitsCntSameAsSignBit(int64_t value) {
  return CountBitsCntSameAsSignBit(value);
}
/// The lowest position that holds countValue; -1 if none does.
template <int countValue>
inline int64_t GetSFFValue(uint64_t value) {
  static_assert(countValue == 0 || countValue == 1, "GetSFFValue<0 or 1>");
  return __builtin_ffsll(static_cast<long long>(countValue == 1 ? value : ~value)) - 1;
}
template <int countValue>
inline int64_t ScalarGetSFFValue(uint64_t value) {
  return GetSFFValue<countValue>(value);
}

namespace internal {
/// The integral value in the direction of the mode. CAST_NONE rounds to nearest even.
template <RoundMode mode>
inline float RoundToIntegral(float value) {
  if constexpr (mode == RoundMode::CAST_FLOOR) return __builtin_floorf(value);
  if constexpr (mode == RoundMode::CAST_CEIL) return __builtin_ceilf(value);
  if constexpr (mode == RoundMode::CAST_TRUNC) return __builtin_truncf(value);
  if constexpr (mode == RoundMode::CAST_ROUND) return __builtin_roundf(value);
  return __builtin_rintf(value);
}
/// float to half by the mode, overflow to Inf.
template <RoundMode mode>
inline half RoundToHalf(float value) {
  const half nearest = static_cast<half>(value);
  const float back = static_cast<float>(nearest);
  if (mode == RoundMode::CAST_NONE || mode == RoundMode::CAST_RINT || back == value ||
      value != value) {
    return nearest;
  }
  // The two neighbours of the value in half: toward zero, and away from it.
  const uint16_t raw = __builtin_bit_cast(uint16_t, nearest);
  const bool beyond = __builtin_fabsf(back) > __builtin_fabsf(value);
  const uint16_t toward = static_cast<uint16_t>(beyond ? raw - 1 : raw);
  const half inner = __builtin_bit_cast(half, toward);
  const half outer = __builtin_bit_cast(half, static_cast<uint16_t>(toward + 1));
  if constexpr (mode == RoundMode::CAST_TRUNC) return inner;
  if constexpr (mode == RoundMode::CAST_FLOOR) return value < 0 ? outer : inner;
  if constexpr (mode == RoundMode::CAST_CEIL) return value < 0 ? inner : outer;
  if constexpr (mode == RoundMode::CAST_ODD) return (toward & 1) != 0 ? inner : outer;
  const float inner_gap = __builtin_fabsf(value - static_cast<float>(inner));
  const float half_step =
      __builtin_fabsf(static_cast<float>(outer) - static_cast<float>(inner)) / 2;
  return inner_gap < half_step ? inner : outer;  // CAST_ROUND: ties away from zero
}
}  // namespace internal

/// Converts one value: float to half or int32_t, half to int32_t or float, int32_t to float ...
template <typename T, typename U, RoundMode roundMode>
inline U ScalarCast(T value) {
  if constexpr (IsSameType<T, float>::value && IsSameType<U, half>::value) {
    return internal::RoundToHalf<roundMode>(value);
  } else if constexpr ((IsSameType<T, float>::value || IsSameType<T, half>::value) &&
                       (IsSameType<U, int32_t>::value || IsSameType<U, int64_t>::value)) {
    const float rounded = internal::RoundToIntegral<roundMode>(static_cast<float>(value));
    constexpr U kMax = static_cast<U>(~(uint64_t{1} << (sizeof(U) * 8 - 1)));
    if (rounded != rounded) return 0;
    if (rounded >= static_cast<float>(kMax)) return kMax;
    if (rounded < -static_cast<float>(kMax)) return static_cast<U>(-kMax - 1);
    return static_cast<U>(rounded);
  } else {
    return static_cast<U>(value);
  }
}
template <typename T, typename U, RoundMode roundMode>
inline U Cast(T value) {
  return ScalarCast<T, U, roundMode>(value);
}

/// The bits of a value as a number; what is wider than the value is 0.
template <typename T, typename U>
inline U GetScalarBitcodeValue(T value) {
  U bits = {};
  __builtin_memcpy(&bits, &value, sizeof(T) < sizeof(U) ? sizeof(T) : sizeof(U));
  return bits;
}
template <typename T>
inline uint64_t GetScalarBitcodeValue(T value) {
  return GetScalarBitcodeValue<T, uint64_t>(value);
}

inline float Cast(const bfloat16_t& value) { return static_cast<float>(value); }
inline bfloat16_t Cast(const float& value) { return bfloat16_t(value); }
inline float ToFloat(const bfloat16_t& value) { return static_cast<float>(value); }
/// Rounds to nearest even.
inline bfloat16_t ToBfloat16(const float& value) { return bfloat16_t(value); }

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_SCALAR_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The rounding modes, and conversions between element types. A conversion that can lose something
// is two steps: round to the grid of the destination (whole numbers, halves, bfloats) as a float,
// then store that value exactly, or saturated.
#ifndef HOSTNPU_ASCENDC_SEMANTICS_ROUNDING_H_
#define HOSTNPU_ASCENDC_SEMANTICS_ROUNDING_H_

#include "arithmetic.h"

namespace AscendC {
namespace semantics {

/// The whole number in the direction of the mode. CAST_NONE is CAST_RINT: nearest, ties to even.
/// CAST_ROUND has ties away from zero.
template <RoundMode mode>
__attribute__((always_inline)) inline float RoundToWhole(float value) {
  if constexpr (mode == RoundMode::CAST_FLOOR) return __builtin_floorf(value);
  if constexpr (mode == RoundMode::CAST_CEIL) return __builtin_ceilf(value);
  if constexpr (mode == RoundMode::CAST_TRUNC) return __builtin_truncf(value);
  if constexpr (mode == RoundMode::CAST_ROUND) return __builtin_roundf(value);
  return __builtin_roundevenf(value);
}

/// Which of the two neighbours of a value is taken: `inner` is the one toward zero, `twice_value`
/// and `sum` tell on which side of the middle the value lies.
template <RoundMode mode>
__attribute__((always_inline)) inline bool TakesOuter(bool negative, bool inner_is_odd,
                                                      float twice_value, float sum) {
  if constexpr (mode == RoundMode::CAST_FLOOR) return negative;
  if constexpr (mode == RoundMode::CAST_CEIL) return !negative;
  if constexpr (mode == RoundMode::CAST_TRUNC) return false;
  if constexpr (mode == RoundMode::CAST_ODD) return !inner_is_odd;
  if constexpr (mode == RoundMode::CAST_ROUND) return twice_value >= sum;
  return twice_value > sum || (twice_value == sum && inner_is_odd);
}

/// The half in the direction of the mode, beyond the largest one Inf or the largest one.
template <RoundMode mode>
__attribute__((always_inline)) inline half RoundToHalfGrid(float value) {
  const half nearest = static_cast<half>(value);
  if constexpr (mode == RoundMode::CAST_NONE || mode == RoundMode::CAST_RINT) return nearest;
  const float magnitude = FloatOf(BitsOf(value) & 0x7FFFFFFFu);
  const uint16_t raw = __builtin_bit_cast(uint16_t, nearest);
  const uint16_t sign = raw & 0x8000u;
  const uint16_t near = raw & 0x7FFFu;
  const float near_value = static_cast<float>(__builtin_bit_cast(half, near));
  const uint16_t inner = static_cast<uint16_t>(near_value > magnitude ? near - 1 : near);
  const float inner_value = static_cast<float>(__builtin_bit_cast(half, inner));
  const uint16_t outer = static_cast<uint16_t>(inner + 1);
  const float outer_value =
      outer == 0x7C00u ? 65536.0f : static_cast<float>(__builtin_bit_cast(half, outer));
  const bool exact = inner_value == magnitude || value != value;
  const bool take_outer =
      TakesOuter<mode>(sign != 0, (inner & 1) != 0, 2 * magnitude, inner_value + outer_value);
  const uint16_t chosen = exact ? inner : take_outer ? outer : inner;
  const uint16_t result = value != value ? near : chosen;
  return __builtin_bit_cast(half, static_cast<uint16_t>(sign | result));
}

/// The bfloat16 in the direction of the mode.
template <RoundMode mode>
__attribute__((always_inline)) inline uint16_t RoundToBfloatGrid(float value) {
  const uint32_t bits = BitsOf(value);
  const uint32_t lost = bits & 0xFFFFu;
  const uint32_t inner = bits >> 16;
  bool up = false;
  if constexpr (mode == RoundMode::CAST_FLOOR) {
    up = lost != 0 && (bits >> 31) != 0;
  } else if constexpr (mode == RoundMode::CAST_CEIL) {
    up = lost != 0 && (bits >> 31) == 0;
  } else if constexpr (mode == RoundMode::CAST_TRUNC) {
    up = false;
  } else if constexpr (mode == RoundMode::CAST_ODD) {
    up = lost != 0 && (inner & 1) == 0;
  } else if constexpr (mode == RoundMode::CAST_ROUND) {
    up = lost >= 0x8000u;
  } else {
    up = lost + (inner & 1) > 0x8000u;
  }
  const bool nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
  return static_cast<uint16_t>(nan ? inner | 0x40u : inner + (up ? 1u : 0u));
}

/// A whole number as D, saturated; NaN becomes 0.
template <typename D>
__attribute__((always_inline)) inline D WholeTo(float value) {
  if constexpr (sizeof(D) <= 2) {
    constexpr float lowest = D(-1) < D(0) ? -static_cast<float>(1u << (sizeof(D) * 8 - 1)) : 0.0f;
    constexpr float highest =
        static_cast<float>((1u << (sizeof(D) * 8 - (D(-1) < D(0) ? 1 : 0))) - 1);
    const float above = value > lowest ? value : lowest;
    const float within = above < highest ? above : highest;
    return static_cast<D>(static_cast<int32_t>(value != value ? 0.0f : within));
  } else {
    constexpr float limit = sizeof(D) == 4 ? 0x1p31f : 0x1p63f;
    constexpr D highest = static_cast<D>((uint64_t{1} << (sizeof(D) * 8 - 1)) - 1);
    const bool too_large = value >= limit;
    const float above = value > -limit ? value : -limit;
    const float within = too_large || value != value ? 0.0f : above;
    const D converted = static_cast<D>(within);
    return too_large ? highest : converted;
  }
}

/// An integer as D, saturated.
template <typename D, typename S>
__attribute__((always_inline)) inline D IntegerTo(S value) {
  if constexpr (sizeof(D) >= sizeof(S)) {
    return static_cast<D>(value);
  } else {
    constexpr S highest = static_cast<S>((uint64_t{1} << (sizeof(D) * 8 - 1)) - 1);
    constexpr S lowest = static_cast<S>(-highest - 1);
    const S above = value > lowest ? value : lowest;
    return static_cast<D>(above < highest ? above : highest);
  }
}

/// An integer as float in the direction of the mode.
template <RoundMode mode>
inline float IntegerToFloat(int64_t value) {
  const bool negative = value < 0;
  const uint64_t magnitude =
      negative ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
  if (magnitude < (uint64_t{1} << 24)) return static_cast<float>(value);
  const int shift = 40 - __builtin_clzll(magnitude);
  if (shift <= 0) return static_cast<float>(value);
  const uint64_t inner = magnitude >> shift;
  const uint64_t lost = magnitude & ((uint64_t{1} << shift) - 1);
  const uint64_t middle = uint64_t{1} << (shift - 1);
  bool up = false;
  if constexpr (mode == RoundMode::CAST_FLOOR) {
    up = lost != 0 && negative;
  } else if constexpr (mode == RoundMode::CAST_CEIL) {
    up = lost != 0 && !negative;
  } else if constexpr (mode == RoundMode::CAST_ROUND) {
    up = lost >= middle;
  } else if constexpr (mode != RoundMode::CAST_TRUNC) {
    up = lost > middle || (lost == middle && (inner & 1) != 0);
  }
  const float result =
      static_cast<float>(inner + (up ? 1 : 0)) * FloatOf(static_cast<uint32_t>(shift + 127) << 23);
  return negative ? -result : result;
}

/// What an int32 becomes as half under a dequantisation scale.
__attribute__((always_inline)) inline half Dequantise(int32_t value, float scale) {
  return static_cast<half>(static_cast<float>(value) * 0x1p-17f * scale * 0x1p17f);
}

}  // namespace semantics
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_SEMANTICS_ROUNDING_H_

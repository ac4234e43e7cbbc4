// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The bfloat16 of host code, as operator packages name it.
#ifndef HOSTNPU_ASCENDC_OPDEV_BFLOAT16_H_
#define HOSTNPU_ASCENDC_OPDEV_BFLOAT16_H_

#include <cstdint>

#include "../basic/types.h"

namespace op {

/// The upper half of a float. Converts from and to every arithmetic type, rounding to nearest even.
struct bfloat16 {
  uint16_t value = 0;

  bfloat16() = default;
  template <typename T>
  bfloat16(T x)  // NOLINT: implicit as in the vendor's
      : value(::bfloat16_t::Round(static_cast<float>(x))) {}
  operator float() const { return __builtin_bit_cast(float, static_cast<uint32_t>(value) << 16); }
  bfloat16& operator+=(bfloat16 x) { return *this = bfloat16(float(*this) + float(x)); }
  bfloat16& operator-=(bfloat16 x) { return *this = bfloat16(float(*this) - float(x)); }
  bfloat16& operator*=(bfloat16 x) { return *this = bfloat16(float(*this) * float(x)); }
  bfloat16& operator/=(bfloat16 x) { return *this = bfloat16(float(*this) / float(x)); }
};
static_assert(sizeof(bfloat16) == 2, "bfloat16 is stored in two bytes");

}  // namespace op

#endif  // HOSTNPU_ASCENDC_OPDEV_BFLOAT16_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The half of host code, as operator packages name it.
#ifndef HOSTNPU_ASCENDC_OPDEV_FP16_T_H_
#define HOSTNPU_ASCENDC_OPDEV_FP16_T_H_

#include <cstdint>

namespace op {

/// IEEE binary16. Converts from and to every arithmetic type, rounding to nearest even.
struct fp16_t {
  uint16_t val = 0;

  fp16_t() = default;
  template <typename T>
  fp16_t(T value)  // NOLINT: implicit as in the vendor's
      : val(__builtin_bit_cast(uint16_t, static_cast<_Float16>(static_cast<float>(value)))) {}
  operator float() const { return static_cast<float>(__builtin_bit_cast(_Float16, val)); }
  static fp16_t FromBits(uint16_t bits) {
    fp16_t value;
    value.val = bits;
    return value;
  }
  fp16_t& operator+=(fp16_t x) { return *this = fp16_t(float(*this) + float(x)); }
  fp16_t& operator-=(fp16_t x) { return *this = fp16_t(float(*this) - float(x)); }
  fp16_t& operator*=(fp16_t x) { return *this = fp16_t(float(*this) * float(x)); }
  fp16_t& operator/=(fp16_t x) { return *this = fp16_t(float(*this) / float(x)); }
};
static_assert(sizeof(fp16_t) == 2, "fp16_t is stored in two bytes");

}  // namespace op

#endif  // HOSTNPU_ASCENDC_OPDEV_FP16_T_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Bitwise operations and shifts on one element.
#ifndef HOSTNPU_ASCENDC_SEMANTICS_BITS_H_
#define HOSTNPU_ASCENDC_SEMANTICS_BITS_H_

#include "../basic/types.h"

namespace AscendC {
namespace semantics {

struct And {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Not {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a) {
    return static_cast<T>(~a);
  }
};

/// Shifts zeros in; an amount of the width or more gives 0.
struct ShiftLeft {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a, T amount) {
    constexpr uint32_t bits = sizeof(T) * 8;
    const uint32_t by = static_cast<uint32_t>(amount);
    return by >= bits ? T(0) : static_cast<T>(static_cast<uint32_t>(a) << by);
  }
};
/// Shifts copies of the sign in, or zeros for an unsigned type; an amount of the width or more
/// leaves nothing but those.
struct ShiftRight {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a, T amount) {
    constexpr uint32_t bits = sizeof(T) * 8;
    const uint32_t by = static_cast<uint32_t>(amount);
    if (T(-1) < T(0)) return static_cast<T>(a >> (by >= bits ? bits - 1 : by));
    return by >= bits ? T(0) : static_cast<T>(a >> by);
  }
};
/// ShiftRight, plus the last bit that was shifted out.
struct ShiftRightRounded {
  template <typename T>
  static __attribute__((always_inline)) inline T Apply(T a, T amount) {
    const uint32_t by = static_cast<uint32_t>(amount);
    if (by == 0) return a;
    const T last = static_cast<T>(ShiftRight::Apply<T>(a, static_cast<T>(by - 1)) & 1);
    return static_cast<T>(ShiftRight::Apply<T>(a, amount) + last);
  }
};

}  // namespace semantics
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_SEMANTICS_BITS_H_

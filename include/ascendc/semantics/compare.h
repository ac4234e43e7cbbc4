// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Comparisons of eight elements at a time, one result bit each, element 0 in the lowest bit. With
// NaN every comparison is false but NE.
#ifndef HOSTNPU_ASCENDC_SEMANTICS_COMPARE_H_
#define HOSTNPU_ASCENDC_SEMANTICS_COMPARE_H_

#include "../basic/types.h"

namespace AscendC {
namespace semantics {

// Vectors wider than the target's registers are only ever passed inline.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
typedef float Float8 __attribute__((ext_vector_type(8)));
typedef half Half8 __attribute__((ext_vector_type(8)));
typedef int32_t Int8x32 __attribute__((ext_vector_type(8)));
typedef bool Bool8 __attribute__((ext_vector_type(8)));

/// Of less, greater and equal, which make a comparison true; NE is "not equal", so that NaN counts.
struct CompareTerms {
  int32_t less;
  int32_t greater;
  int32_t equal;
  int32_t inverted;

  static CompareTerms Of(CMPMODE mode) {
    const auto when = [](bool condition) { return condition ? -1 : 0; };
    return {when(mode == CMPMODE::LT || mode == CMPMODE::LE),
            when(mode == CMPMODE::GT || mode == CMPMODE::GE),
            when(mode == CMPMODE::EQ || mode == CMPMODE::LE || mode == CMPMODE::GE ||
                 mode == CMPMODE::NE),
            when(mode == CMPMODE::NE)};
  }
};

template <typename Vector>
__attribute__((always_inline)) inline uint8_t CompareEight(Vector a, Vector b,
                                                           const CompareTerms& terms) {
  const Int8x32 less = (Int8x32)(a < b);
  const Int8x32 greater = (Int8x32)(a > b);
  const Int8x32 equal = (Int8x32)(a == b);
  const Int8x32 result =
      ((less & terms.less) | (greater & terms.greater) | (equal & terms.equal)) ^ terms.inverted;
  return __builtin_bit_cast(uint8_t, __builtin_convertvector(result, Bool8));
}

/// Eight elements in the type they are compared in.
__attribute__((always_inline)) inline Float8 LoadEight(const float* values) {
  Float8 loaded;
  __builtin_memcpy(&loaded, values, sizeof(loaded));
  return loaded;
}
__attribute__((always_inline)) inline Float8 LoadEight(const half* values) {
  Half8 loaded;
  __builtin_memcpy(&loaded, values, sizeof(loaded));
  return __builtin_convertvector(loaded, Float8);
}
__attribute__((always_inline)) inline Int8x32 LoadEight(const int32_t* values) {
  Int8x32 loaded;
  __builtin_memcpy(&loaded, values, sizeof(loaded));
  return loaded;
}

#pragma clang diagnostic pop

}  // namespace semantics
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_SEMANTICS_COMPARE_H_

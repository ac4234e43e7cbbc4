// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ASCENDC_STD_ALGORITHM_H_
#define HOSTNPU_ASCENDC_STD_ALGORITHM_H_

#include "type_traits.h"

namespace AscendC {
namespace Std {

/// The arguments may be of two types; the result is of their common one.
template <typename T, typename U>
constexpr auto max(const T& a, const U& b) {
  return a > b ? a : b;
}
template <typename T, typename U>
constexpr auto min(const T& a, const U& b) {
  return a > b ? b : a;
}

}  // namespace Std
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_STD_ALGORITHM_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ASCENDC_STD_UTILITY_H_
#define HOSTNPU_ASCENDC_STD_UTILITY_H_

#include "type_traits.h"

namespace AscendC {
namespace Std {

template <typename T>
add_rvalue_reference_t<T> declval() noexcept;

template <typename T>
constexpr T&& forward(remove_reference_t<T>& value) noexcept {
  return static_cast<T&&>(value);
}
template <typename T>
constexpr T&& forward(remove_reference_t<T>&& value) noexcept {
  return static_cast<T&&>(value);
}
template <typename T>
constexpr remove_reference_t<T>&& move(T&& value) noexcept {
  return static_cast<remove_reference_t<T>&&>(value);
}

template <typename T, T... values>
struct IntegerSequence {
  using type = IntegerSequence;
  using valueType = T;
  static constexpr size_t size() { return sizeof...(values); }
};
template <typename T, T n>
using MakeIntegerSequence = __make_integer_seq<IntegerSequence, T, n>;
template <size_t... indices>
using index_sequence = IntegerSequence<size_t, indices...>;
template <size_t n>
using make_index_sequence = MakeIntegerSequence<size_t, n>;

}  // namespace Std
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_STD_UTILITY_H_

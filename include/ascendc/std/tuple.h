// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// AscendC::Std::tuple. Members lie in the order they are named, as in a struct.
#ifndef HOSTNPU_ASCENDC_STD_TUPLE_H_
#define HOSTNPU_ASCENDC_STD_TUPLE_H_

#include "utility.h"

namespace AscendC {
namespace Std {

template <typename... T>
class tuple;
template <>
class tuple<> {};

template <typename Head, typename... Tail>
class tuple<Head, Tail...> {
 public:
  constexpr tuple() : head(), tail() {}
  constexpr tuple(const Head& first, const Tail&... rest) : head(first), tail(rest...) {}
  template <
      typename H, typename... A,
      typename = enable_if_t<sizeof...(A) == sizeof...(Tail) && is_convertible<H, Head>::value &&
                             !is_same<remove_cvref_t<H>, tuple>::value>>
  constexpr tuple(H&& first, A&&... rest)
      : head(Std::forward<H>(first)), tail(Std::forward<A>(rest)...) {}
  constexpr tuple(const tuple&) = default;
  constexpr tuple(tuple&&) = default;
  constexpr tuple& operator=(const tuple&) = default;
  /// Through references too: tie(a, b) = make_tuple(1, 2).
  template <typename H, typename... A>
  constexpr tuple& operator=(const tuple<H, A...>& other) {
    head = other.head;
    tail = other.tail;
    return *this;
  }

  Head head;
  tuple<Tail...> tail;
};

template <typename... T>
tuple(T...) -> tuple<T...>;

template <typename T>
struct tuple_size;
template <typename... T>
struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <typename T>
struct tuple_size<const T> : tuple_size<T> {};
template <typename T>
struct tuple_size<volatile T> : tuple_size<T> {};
template <typename T>
struct tuple_size<const volatile T> : tuple_size<T> {};
template <typename T>
inline constexpr size_t tuple_size_v = tuple_size<T>::value;

template <size_t n, typename T>
struct tuple_element;
template <size_t n, typename Head, typename... Tail>
struct tuple_element<n, tuple<Head, Tail...>> : tuple_element<n - 1, tuple<Tail...>> {};
template <typename Head, typename... Tail>
struct tuple_element<0, tuple<Head, Tail...>> {
  using type = Head;
};
template <size_t n, typename T>
struct tuple_element<n, const T> {
  using type = const typename tuple_element<n, T>::type;
};
template <size_t n, typename T>
struct tuple_element<n, volatile T> {
  using type = volatile typename tuple_element<n, T>::type;
};
template <size_t n, typename T>
using tuple_element_t = typename tuple_element<n, T>::type;

template <size_t n, typename... T>
constexpr typename tuple_element<n, tuple<T...>>::type& get(tuple<T...>& t) noexcept {
  static_assert(n < sizeof...(T), "Std::get: the tuple has fewer members");
  if constexpr (n == 0) {
    return t.head;
  } else {
    return get<n - 1>(t.tail);
  }
}
template <size_t n, typename... T>
constexpr const typename tuple_element<n, tuple<T...>>::type& get(const tuple<T...>& t) noexcept {
  static_assert(n < sizeof...(T), "Std::get: the tuple has fewer members");
  if constexpr (n == 0) {
    return t.head;
  } else {
    return get<n - 1>(t.tail);
  }
}
template <size_t n, typename... T>
constexpr typename tuple_element<n, tuple<T...>>::type&& get(tuple<T...>&& t) noexcept {
  return static_cast<typename tuple_element<n, tuple<T...>>::type&&>(get<n>(t));
}

template <typename... T>
constexpr tuple<decay_t<T>...> make_tuple(T&&... values) {
  return tuple<decay_t<T>...>(Std::forward<T>(values)...);
}
template <typename... T>
constexpr tuple<T&...> tie(T&... values) noexcept {
  return tuple<T&...>(values...);
}
template <typename... T>
constexpr tuple<T&&...> forward_as_tuple(T&&... values) noexcept {
  return tuple<T&&...>(Std::forward<T>(values)...);
}

/// Takes any assignment and forgets it.
struct ignore_t {
  template <typename T>
  constexpr const ignore_t& operator=(const T&) const noexcept {
    return *this;
  }
};
inline constexpr ignore_t ignore{};

template <typename T>
struct is_tuple : false_type {};
template <typename... T>
struct is_tuple<tuple<T...>> : true_type {};
template <typename T>
struct is_tuple<const T> : is_tuple<T> {};
template <typename T>
inline constexpr bool is_tuple_v = is_tuple<T>::value;

}  // namespace Std
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_STD_TUPLE_H_

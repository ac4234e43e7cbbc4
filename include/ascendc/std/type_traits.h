// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// AscendC::Std type traits: the standard library's, under the vendor's namespace, without its
// headers. Where clang has a builtin, it is used.
#ifndef HOSTNPU_ASCENDC_STD_TYPE_TRAITS_H_
#define HOSTNPU_ASCENDC_STD_TYPE_TRAITS_H_

#include "../basic/types.h"

namespace AscendC {
namespace Std {

template <typename T, T v>
struct integral_constant {
  static constexpr T value = v;
  using value_type = T;
  using type = integral_constant;
  constexpr operator value_type() const noexcept { return value; }
  constexpr value_type operator()() const noexcept { return value; }
};
template <bool v>
using bool_constant = integral_constant<bool, v>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

/// Is T the constant n?
template <auto n, typename T>
struct is_constant : false_type {};
template <auto n, typename T>
struct is_constant<n, const T> : is_constant<n, T> {};
template <auto n, typename T>
struct is_constant<n, T&> : is_constant<n, T> {};
template <auto n, typename T>
struct is_constant<n, T&&> : is_constant<n, T> {};
template <auto n, typename T>
struct is_constant<n, const T&> : is_constant<n, T> {};
template <auto n, typename T, T v>
struct is_constant<n, integral_constant<T, v>> : bool_constant<v == n> {};

template <bool condition, typename T = void>
struct enable_if {};
template <typename T>
struct enable_if<true, T> {
  using type = T;
};
template <bool condition, typename T = void>
using enable_if_t = typename enable_if<condition, T>::type;

template <bool condition, typename A, typename B>
struct conditional {
  using type = A;
};
template <typename A, typename B>
struct conditional<false, A, B> {
  using type = B;
};
template <bool condition, typename A, typename B>
using conditional_t = typename conditional<condition, A, B>::type;

template <typename A, typename B>
struct is_same : bool_constant<__is_same(A, B)> {};
template <typename From, typename To>
struct is_convertible : bool_constant<__is_convertible(From, To)> {};
template <typename Base, typename Derived>
struct is_base_of : bool_constant<__is_base_of(Base, Derived)> {};

template <typename T>
struct remove_const {
  using type = T;
};
template <typename T>
struct remove_const<const T> {
  using type = T;
};
template <typename T>
struct remove_volatile {
  using type = T;
};
template <typename T>
struct remove_volatile<volatile T> {
  using type = T;
};
template <typename T>
struct remove_cv {
  using type = typename remove_volatile<typename remove_const<T>::type>::type;
};
template <typename T>
struct remove_reference {
  using type = T;
};
template <typename T>
struct remove_reference<T&> {
  using type = T;
};
template <typename T>
struct remove_reference<T&&> {
  using type = T;
};
template <typename T>
struct remove_cvref {
  using type = typename remove_cv<typename remove_reference<T>::type>::type;
};
template <typename T>
struct remove_pointer {
  using type = T;
};
template <typename T>
struct remove_pointer<T*> {
  using type = T;
};
template <typename T>
struct remove_pointer<T* const> {
  using type = T;
};
template <typename T>
struct remove_pointer<T* volatile> {
  using type = T;
};
template <typename T>
struct remove_pointer<T* const volatile> {
  using type = T;
};
template <typename T>
struct remove_extent {
  using type = T;
};
template <typename T>
struct remove_extent<T[]> {
  using type = T;
};
template <typename T, size_t n>
struct remove_extent<T[n]> {
  using type = T;
};
template <typename T>
struct add_const {
  using type = const T;
};
template <typename T>
struct add_volatile {
  using type = volatile T;
};
template <typename T>
struct add_cv {
  using type = const volatile T;
};
template <typename T>
struct add_lvalue_reference {
  using type = __add_lvalue_reference(T);
};
template <typename T>
struct add_rvalue_reference {
  using type = __add_rvalue_reference(T);
};
template <typename T>
struct add_pointer {
  using type = __add_pointer(T);
};
template <typename T>
struct decay {
  using type = __decay(T);
};

template <typename T>
using remove_const_t = typename remove_const<T>::type;
template <typename T>
using remove_volatile_t = typename remove_volatile<T>::type;
template <typename T>
using remove_cv_t = typename remove_cv<T>::type;
template <typename T>
using remove_reference_t = typename remove_reference<T>::type;
template <typename T>
using remove_cvref_t = typename remove_cvref<T>::type;
template <typename T>
using remove_pointer_t = typename remove_pointer<T>::type;
template <typename T>
using remove_extent_t = typename remove_extent<T>::type;
template <typename T>
using add_const_t = typename add_const<T>::type;
template <typename T>
using add_volatile_t = typename add_volatile<T>::type;
template <typename T>
using add_cv_t = typename add_cv<T>::type;
template <typename T>
using add_lvalue_reference_t = typename add_lvalue_reference<T>::type;
template <typename T>
using add_rvalue_reference_t = typename add_rvalue_reference<T>::type;
template <typename T>
using add_pointer_t = typename add_pointer<T>::type;
template <typename T>
using decay_t = typename decay<T>::type;

template <typename T, typename... Options>
struct is_one_of : bool_constant<(__is_same(T, Options) || ...)> {};
template <typename T, T v, T... options>
struct is_one_of_value : bool_constant<((v == options) || ...)> {};

/// half counts as a floating-point type, bfloat16_t does not.
template <typename T>
struct is_floating_point : is_one_of<remove_cv_t<T>, float, double, long double, half> {};
template <typename T>
struct is_integral
    : is_one_of<remove_cv_t<T>, bool, unsigned long long, long long, unsigned long, long,
                unsigned int, int, unsigned short, short, unsigned char, signed char, char> {};
template <typename T, T v>
struct is_integral<integral_constant<T, v>> : true_type {};
template <typename T>
struct is_void : is_same<remove_cv_t<T>, void> {};
template <typename T>
struct is_array : bool_constant<__is_array(T)> {};
template <typename T>
struct is_class : bool_constant<__is_class(T)> {};
template <typename T>
struct is_union : bool_constant<__is_union(T)> {};
template <typename T>
struct is_function : bool_constant<__is_function(T)> {};
template <typename T>
struct is_const : bool_constant<__is_const(T)> {};
template <typename T>
struct is_pointer : bool_constant<__is_pointer(T)> {};
template <typename T>
struct is_reference : bool_constant<__is_reference(T)> {};
template <typename T>
struct is_referenceable : bool_constant<__is_referenceable(T)> {};

template <typename A, typename B>
inline constexpr bool is_same_v = is_same<A, B>::value;
template <typename From, typename To>
inline constexpr bool is_convertible_v = is_convertible<From, To>::value;
template <typename Base, typename Derived>
inline constexpr bool is_base_of_v = is_base_of<Base, Derived>::value;
template <typename T, typename... Options>
inline constexpr bool is_one_of_v = is_one_of<T, Options...>::value;
template <typename T, T v, T... options>
inline constexpr bool is_one_of_value_v = is_one_of_value<T, v, options...>::value;
template <auto n, typename T>
inline constexpr bool is_constant_v = is_constant<n, T>::value;
template <typename T>
inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <typename T>
inline constexpr bool is_integral_v = is_integral<T>::value;
template <typename T>
inline constexpr bool is_void_v = is_void<T>::value;
template <typename T>
inline constexpr bool is_array_v = is_array<T>::value;
template <typename T>
inline constexpr bool is_class_v = is_class<T>::value;
template <typename T>
inline constexpr bool is_union_v = is_union<T>::value;
template <typename T>
inline constexpr bool is_function_v = is_function<T>::value;
template <typename T>
inline constexpr bool is_const_v = is_const<T>::value;
template <typename T>
inline constexpr bool is_pointer_v = is_pointer<T>::value;
template <typename T>
inline constexpr bool is_reference_v = is_reference<T>::value;

}  // namespace Std
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_STD_TYPE_TRAITS_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Text that a kernel prints. Arguments carry their own type, so that a half prints with %f, a
// 32-bit integer with %ld, and a wrong conversion prints something instead of reading a stray
// register. One call of Print reaches the output whole, headed by the core that speaks.
#ifndef HOSTNPU_ASCENDC_DETAIL_TEXT_H_
#define HOSTNPU_ASCENDC_DETAIL_TEXT_H_

#include "core.h"

extern "C" {
int vprintf(const char* __restrict format, __builtin_va_list arguments);
}

namespace AscendC {
namespace internal {

/// Text that grows; freed at the end of the scope.
class Text {
 public:
  Text() = default;
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  ~Text() {
    if (data_ != local_) __builtin_free(data_);
  }

  const char* data() const { return data_; }
  size_t size() const { return size_; }

  void Append(const char* text, size_t length) {
    Reserve(length);
    __builtin_memcpy(data_ + size_, text, length);
    size_ += length;
  }
  void Append(const char* text) { Append(text, __builtin_strlen(text)); }
  __attribute__((format(printf, 2, 3))) void AppendFormat(const char* format, ...) {
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    AppendVa(format, arguments);
    __builtin_va_end(arguments);
  }
  void AppendVa(const char* format, __builtin_va_list arguments) {
    __builtin_va_list again;
    __builtin_va_copy(again, arguments);
    const int length = __builtin_vsnprintf(data_ + size_, capacity_ - size_, format, arguments);
    if (length > 0 && static_cast<size_t>(length) >= capacity_ - size_) {
      Reserve(static_cast<size_t>(length) + 1);
      __builtin_vsnprintf(data_ + size_, capacity_ - size_, format, again);
    }
    __builtin_va_end(again);
    if (length > 0) size_ += static_cast<size_t>(length);
  }

 private:
  void Reserve(size_t more) {
    if (size_ + more <= capacity_) return;
    const size_t capacity = 2 * (size_ + more);
    char* data = static_cast<char*>(__builtin_malloc(capacity));
    if (data == nullptr) __builtin_trap();
    __builtin_memcpy(data, data_, size_);
    if (data_ != local_) __builtin_free(data_);
    data_ = data;
    capacity_ = capacity;
  }

  char local_[512];
  char* data_ = local_;
  size_t size_ = 0;
  size_t capacity_ = sizeof(local_);
};

/// One argument of a print, with its kind.
struct PrintArgument {
  enum Kind : uint8_t { kSigned, kUnsigned, kFloat, kString, kPointer } kind;
  uint8_t bytes;
  union {
    int64_t number;
    double real;
    const char* text;
    const void* pointer;
  };
};

template <typename T>
inline PrintArgument MakePrintArgument(T value) {
  PrintArgument argument = {};
  argument.bytes = sizeof(T);
  if constexpr (__is_floating_point(T) || IsSameType<T, half>::value ||
                IsSameType<T, bfloat16_t>::value) {
    argument.kind = PrintArgument::kFloat;
    argument.real = static_cast<double>(static_cast<float>(value));
    if constexpr (sizeof(T) >= sizeof(double)) argument.real = static_cast<double>(value);
  } else if constexpr (IsSameType<T, const char*>::value || IsSameType<T, char*>::value) {
    argument.kind = PrintArgument::kString;
    argument.text = value;
  } else if constexpr (__is_pointer(T)) {
    argument.kind = PrintArgument::kPointer;
    argument.pointer = reinterpret_cast<const void*>(value);
  } else if constexpr (__is_enum(T) || __is_integral(T)) {
    using Integer = decltype(static_cast<int64_t>(value));
    argument.kind = T(-1) < T(0) ? PrintArgument::kSigned : PrintArgument::kUnsigned;
    argument.number = static_cast<Integer>(value);
  } else {
    static_assert(__is_integral(T), "printf takes numbers, pointers and C strings");
  }
  return argument;
}

/// Appends one conversion: `spec` is its text without length modifiers, from % on.
inline void AppendConversion(Text& text, char* spec, size_t length, char conversion, int star_count,
                             const int* stars, const PrintArgument& argument) {
  const bool is_float = argument.kind == PrintArgument::kFloat;
  const auto append = [&](auto value) {
    spec[length] = 0;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat-security"
    if (star_count == 0) text.AppendFormat(spec, value);
    if (star_count == 1) text.AppendFormat(spec, stars[0], value);
    if (star_count == 2) text.AppendFormat(spec, stars[0], stars[1], value);
#pragma clang diagnostic pop
  };
  switch (conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      spec[length++] = 'l';
      spec[length++] = 'l';
      spec[length++] = conversion;
      if (is_float) {
        append(static_cast<long long>(argument.real));
      } else if (conversion == 'd' || conversion == 'i' || argument.bytes >= 8) {
        append(static_cast<long long>(argument.number));
      } else {
        append(static_cast<long long>(argument.number & ((int64_t{1} << 8 * argument.bytes) - 1)));
      }
      return;
    case 'c':
      spec[length++] = 'c';
      append(static_cast<int>(argument.number));
      return;
    case 's':
      spec[length++] = 's';
      if (argument.kind == PrintArgument::kString) {
        append(argument.text == nullptr ? "(null)" : argument.text);
      } else {
        append("(not a string)");
      }
      return;
    case 'p':
      spec[length++] = 'p';
      append(argument.pointer);
      return;
    default:
      spec[length++] = conversion;
      append(is_float ? argument.real
             : argument.kind == PrintArgument::kUnsigned
                 ? static_cast<double>(static_cast<uint64_t>(argument.number))
                 : static_cast<double>(argument.number));
  }
}

/// printf's language over typed arguments. A conversion without an argument prints as it stands.
__attribute__((noinline)) inline void AppendPrint(Text& text, const char* format,
                                                  const PrintArgument* arguments, uint32_t count) {
  uint32_t next = 0;
  while (*format != 0) {
    const char* percent = format;
    while (*percent != 0 && *percent != '%') ++percent;
    text.Append(format, static_cast<size_t>(percent - format));
    if (*percent == 0) return;
    if (percent[1] == '%') {
      text.Append("%", 1);
      format = percent + 2;
      continue;
    }
    char spec[40];
    size_t length = 0;
    int stars[2] = {0, 0};
    int star_count = 0;
    const char* at = percent;
    spec[length++] = *at++;
    for (; *at != 0 && __builtin_strchr("-+ #0123456789.*", *at) != nullptr; ++at) {
      if (*at == '*' && star_count < 2 && next < count) {
        stars[star_count++] = static_cast<int>(arguments[next++].number);
      }
      if (length < 30) spec[length++] = *at;
    }
    while (*at == 'l' || *at == 'h' || *at == 'z' || *at == 't' || *at == 'j') ++at;
    const bool known = *at != 0 && __builtin_strchr("diuxXocspfFeEgGaA", *at) != nullptr;
    if (known && next < count) {
      AppendConversion(text, spec, length, *at, star_count, stars, arguments[next++]);
      format = at + 1;
    } else {
      text.Append("%", 1);
      format = percent + 1;
    }
  }
}

/// "[AIV Block 3/8] ": the core among its kind.
inline void AppendCoreHeader(Text& text) {
  const HostnpuCore& core = ThisCore();
  const bool vector = core.core_kind == HOSTNPU_CORE_AIV;
  const long long lanes = vector && core.is_mix != 0 ? core.task_ratio : 1;
  const long long lane = lanes > 1 ? core.sub_block_index : 0;
  text.AppendFormat("[%s Block %lld/%lld] ", vector ? "AIV" : "AIC",
                    (long long)core.block_index * lanes + lane,
                    (long long)core.block_count * lanes);
}

__attribute__((noinline, format(printf, 1, 2))) inline void PrintOnHost(const char* format, ...) {
  __builtin_va_list arguments;
  __builtin_va_start(arguments, format);
  vprintf(format, arguments);
  __builtin_va_end(arguments);
}

/// To the program's output: whole, headed by the core in a kernel, plainly outside.
inline void PutText(const Text& text) {
  HostnpuCore* core = hostnpu_core;
  if (core != nullptr) {
    core->abi->print(core, text.data(), text.size());
  } else {
    PrintOnHost("%.*s", static_cast<int>(text.size()), text.data());
  }
}

__attribute__((noinline)) inline void PrintArguments(const char* format,
                                                     const PrintArgument* arguments,
                                                     uint32_t count) {
  Text text;
  if (hostnpu_core != nullptr) AppendCoreHeader(text);
  AppendPrint(text, format, arguments, count);
  PutText(text);
}

template <typename... T>
inline void Print(const char* format, const T&... values) {
  const PrintArgument arguments[sizeof...(T) + 1] = {
      MakePrintArgument<__decay(const T&)>(values)..., PrintArgument{}};
  PrintArguments(format, arguments, sizeof...(T));
}

}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_DETAIL_TEXT_H_

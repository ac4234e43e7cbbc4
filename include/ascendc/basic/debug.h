// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// printf, assert, DumpTensor: what a kernel says to its author. The texts are those of the vendor's
// tools. The same source also compiles host code, so each of these works outside kernels too.
//
// C's own printf and __assert_fail are bound to the functions below by their link names, because
// kernels call them unqualified, with <cstdio> or <cassert> included or not.
#ifndef HOSTNPU_ASCENDC_BASIC_DEBUG_H_
#define HOSTNPU_ASCENDC_BASIC_DEBUG_H_

#include "../detail/text.h"
#include "tensor.h"

extern "C" {
int printf(const char* __restrict format, ...) __asm__("hostnpu_printf");
void __assert_fail(const char* assertion, const char* file, unsigned int line,
                   const char* function) noexcept __asm__("hostnpu_assert_fail");
__attribute__((noreturn)) void abort(void) noexcept;
int fflush(struct _IO_FILE* stream);
int getpid(void) noexcept;

__attribute__((weak)) int hostnpu_printf(const char* format, ...) {
  __builtin_va_list arguments;
  __builtin_va_start(arguments, format);
  int length;
  if (hostnpu_core == nullptr) {
    length = vprintf(format, arguments);
  } else {
    AscendC::internal::Text text;
    AscendC::internal::AppendCoreHeader(text);
    const size_t header = text.size();
    text.AppendVa(format, arguments);
    AscendC::internal::PutText(text);
    length = static_cast<int>(text.size() - header);
  }
  __builtin_va_end(arguments);
  return length;
}
}

namespace AscendC {
namespace internal {

[[noreturn]] inline void AbortHost() {
  fflush(nullptr);
  abort();
}

/// Prints "[ASSERT] file:line: `message`" and ends the core; outside kernels, the process.
[[noreturn]] __attribute__((noinline, cold)) inline void FailAssertion(
    const char* file, unsigned line, const char* expression, const char* format,
    const PrintArgument* arguments, uint32_t count) {
  Text text;
  if (format == nullptr) {
    text.AppendFormat("[ASSERT] %s:%u: : Assertion `%s' failed.\n", file, line, expression);
  } else {
    text.AppendFormat("[ASSERT] %s:%u: Assertion `%s' ", file, line, expression);
    AppendPrint(text, format, arguments, count);
    if (text.data()[text.size() - 1] != '\n') text.Append("\n");
  }
  PutText(text);
  if (hostnpu_core == nullptr) AbortHost();
  HOSTNPU_FAULT(HOSTNPU_FAULT_ASSERT, "assert", "fails: %s (%s:%u)", expression, file, line);
}
template <typename... T>
[[noreturn]] inline void AssertionFailed(const char* file, unsigned line, const char* expression,
                                         const char* format = nullptr, const T&... values) {
  const PrintArgument arguments[sizeof...(T) + 1] = {
      MakePrintArgument<__decay(const T&)>(values)..., PrintArgument{}};
  FailAssertion(file, line, expression, format, arguments, sizeof...(T));
}

/// KERNEL_LOG: "[ERROR][Block_0][AIV_0][file:line][function][pid] message".
template <typename... T>
inline void Log(const char* level, const char* file, int line, const char* function,
                const char* format, const T&... values) {
  const PrintArgument arguments[sizeof...(T) + 1] = {
      MakePrintArgument<__decay(const T&)>(values)..., PrintArgument{}};
  Text text;
  if (hostnpu_core != nullptr) {
    text.AppendFormat("[%s][Block_%lld][%s_%lld][%s:%d][%s][%d] ", level,
                      (long long)hostnpu_core->block_index, OnCubeCore() ? "AIC" : "AIV",
                      (long long)hostnpu_core->sub_block_index, file, line, function, getpid());
  } else {
    text.AppendFormat("[%s][host][%s:%d][%s][%d] ", level, file, line, function, getpid());
  }
  AppendPrint(text, format, arguments, sizeof...(T));
  text.Append("\n");
  PutText(text);
}

/// After a failed ASCENDC_ASSERT has said its own piece.
[[noreturn]] __attribute__((noinline, cold)) inline void StopAtAssertion(const char* file, int line,
                                                                         const char* expression) {
  if (hostnpu_core == nullptr) AbortHost();
  HOSTNPU_FAULT(HOSTNPU_FAULT_ASSERT, "ASCENDC_ASSERT", "fails: %s (%s:%d)", expression, file,
                line);
}

template <typename T>
constexpr const char* DumpTypeName() {
  using U = PrimT<T>;
  return IsSameType<U, half>::value         ? "float16"
         : IsSameType<U, float>::value      ? "float32"
         : IsSameType<U, bfloat16_t>::value ? "bfloat16"
         : IsSameType<U, int8_t>::value     ? "int8"
         : IsSameType<U, uint8_t>::value    ? "uint8"
         : IsSameType<U, int16_t>::value    ? "int16"
         : IsSameType<U, uint16_t>::value   ? "uint16"
         : IsSameType<U, int32_t>::value    ? "int32"
         : IsSameType<U, uint32_t>::value   ? "uint32"
         : IsSameType<U, int64_t>::value    ? "int64"
         : IsSameType<U, uint64_t>::value   ? "uint64"
         : IsSameType<U, bool>::value       ? "bool"
                                            : "";
}

template <typename T>
void AppendElement(Text& text, const void* data, uint64_t index) {
  const T value = static_cast<const T*>(data)[index];
  if constexpr (IsSameType<T, bool>::value) {
    text.AppendFormat("%d", static_cast<const uint8_t*>(data)[index] != 0);
  } else if constexpr (__is_integral(T)) {
    if constexpr (T(-1) < T(0)) {
      text.AppendFormat("%lld", static_cast<long long>(value));
    } else {
      text.AppendFormat("%llu", static_cast<unsigned long long>(value));
    }
  } else {
    text.AppendFormat("%f", static_cast<double>(static_cast<float>(value)));
  }
}

using ElementAppender = void (*)(Text& text, const void* data, uint64_t index);

/// "[[1,2],\n[3,4]]": `count` elements in the nesting of the shape, "-" where they run out.
inline void AppendShaped(Text& text, ElementAppender append, const void* data, uint64_t count,
                         const ShapeInfo& shape) {
  uint64_t total = 1;
  for (uint32_t i = 0; i < shape.shapeDim; ++i) total *= shape.shape[i];
  text.Append("shape is [");
  for (uint32_t i = 0; i < shape.shapeDim; ++i)
    text.AppendFormat(i == 0 ? "%u" : ", %u", shape.shape[i]);
  text.AppendFormat("], dumpSize is %llu", (unsigned long long)count);
  text.Append(total > count   ? ", data is not enough.\n"
              : total < count ? ", dumpSize is greater than shapeSize.\n"
                              : ".\n");
  for (uint64_t i = 0; i < total; ++i) {
    uint64_t block = 1;
    uint32_t opened = 0;
    for (uint32_t d = shape.shapeDim; d > 0; --d) {
      block *= shape.shape[d - 1];
      if (i % block == 0) ++opened;
    }
    for (uint32_t d = 0; d < opened; ++d) text.Append("[");
    if (i < count) {
      append(text, data, i);
    } else {
      text.Append("-");
    }
    block = 1;
    uint32_t closed = 0;
    for (uint32_t d = shape.shapeDim; d > 0; --d) {
      block *= shape.shape[d - 1];
      if ((i + 1) % block == 0) ++closed;
    }
    for (uint32_t d = 0; d < closed; ++d) text.Append("]");
    if (i + 1 < total) text.Append(closed != 0 ? ",\n" : ",");
  }
  text.Append("\n");
}

__attribute__((noinline)) inline void Dump(ElementAppender append, const char* type,
                                           const char* position, uint64_t address, const void* data,
                                           uint32_t desc, uint32_t count, const ShapeInfo* shape) {
  Text text;
  AppendCoreHeader(text);
  text.AppendFormat("DumpTensor: desc=%u, addr=0x%llx, data_type=%s, position=%s, dump_size=%u\n",
                    desc, (unsigned long long)address, type, position, count);
  if (shape != nullptr && shape->shapeDim != 0) {
    AppendShaped(text, append, data, count, *shape);
  } else {
    text.Append("[");
    for (uint32_t i = 0; i < count; ++i) {
      if (i != 0) text.Append(", ");
      append(text, data, i);
    }
    text.Append("]\n");
  }
  PutText(text);
}

template <typename T>
inline void DumpOf(const LocalTensor<T>& tensor, uint32_t desc, uint32_t count,
                   const ShapeInfo* shape) {
  static_assert(DumpTypeName<T>()[0] != 0, "DumpTensor<T> takes numbers and bool");
  const HostnpuMemoryKind kind = tensor.Memory();
  if ((kind == HOSTNPU_MEMORY_UB) != OnVectorCore()) return;
  CheckLocal("DumpTensor", kind, tensor.address_.absAddr, BytesOf<T>(count));
  Dump(&AppendElement<PrimT<T>>, DumpTypeName<T>(), MemoryName(kind),
       static_cast<uint64_t>(tensor.address_.absAddr - ThisCore().memory[kind].base),
       tensor.address_.absAddr, desc, count, shape);
}
template <typename T>
inline void DumpOf(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t count,
                   const ShapeInfo* shape) {
  static_assert(DumpTypeName<T>()[0] != 0, "DumpTensor<T> takes numbers and bool");
  CheckGm("DumpTensor", tensor.address_, BytesOf<T>(count), HOSTNPU_GM_READ);
  Dump(&AppendElement<PrimT<T>>, DumpTypeName<T>(), "GM",
       reinterpret_cast<uint64_t>(tensor.address_), tensor.address_, desc, count, shape);
}

}  // namespace internal

/// Prints as C's printf, whole, headed by the core: "[AIV Block 0/8] ".
template <class... Args>
inline void printf(const char* format, const Args&... values) {
  internal::Print(format, values...);
}
template <class... Args>
inline void PRINTF(const char* format, const Args&... values) {
  internal::Print(format, values...);
}

/// Prints `count` elements. `desc` is the caller's own number, such as a line.
template <typename T>
inline void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t count) {
  internal::DumpOf(tensor, desc, count, nullptr);
}
template <typename T>
inline void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t count) {
  internal::DumpOf(tensor, desc, count, nullptr);
}
template <typename T>
inline void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t count,
                       const ShapeInfo& shape) {
  internal::DumpOf(tensor, desc, count, &shape);
}
template <typename T>
inline void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t count,
                       const ShapeInfo& shape) {
  internal::DumpOf(tensor, desc, count, &shape);
}
/// The same from element `offset` on.
template <typename T>
inline void DumpAccChkPoint(const LocalTensor<T>& tensor, uint32_t index, uint32_t offset,
                            uint32_t count) {
  internal::DumpOf(tensor[offset], index, count, nullptr);
}
template <typename T>
inline void DumpAccChkPoint(const GlobalTensor<T>& tensor, uint32_t index, uint32_t offset,
                            uint32_t count) {
  internal::DumpOf(tensor[offset], index, count, nullptr);
}

}  // namespace AscendC

using AscendC::printf;
using AscendC::PRINTF;

extern "C" __attribute__((weak)) void hostnpu_assert_fail(const char* assertion, const char* file,
                                                          unsigned int line, const char*) noexcept {
  AscendC::internal::FailAssertion(file, line, assertion, nullptr, nullptr, 0);
}

#undef assert
#undef ascendc_assert
#if !defined(NDEBUG) && !(defined(ASCENDC_DUMP) && ASCENDC_DUMP == 0)
#define HOSTNPU_ASSERT_EXPRESSION(expression, ...)    \
  (__builtin_expect(static_cast<bool>(expression), 1) \
       ? static_cast<void>(0)                         \
       : ::AscendC::internal::AssertionFailed(__FILE__, __LINE__, #expression, ##__VA_ARGS__))
#define assert(...) HOSTNPU_ASSERT_EXPRESSION(__VA_ARGS__)
#define ascendc_assert(...) HOSTNPU_ASSERT_EXPRESSION(__VA_ARGS__)
#else
#define assert(...) static_cast<void>(0)
#define ascendc_assert(...) static_cast<void>(0)
#endif
#ifndef ASSERT
#define ASSERT(x) assert(x)
#endif

#define ASCENDC_ASSERT(condition, behaviour)                                \
  do {                                                                      \
    if (__builtin_expect(!(condition), 0)) {                                \
      behaviour;                                                            \
      ::AscendC::internal::StopAtAssertion(__FILE__, __LINE__, #condition); \
    }                                                                       \
  } while (0)
#define HOSTNPU_LOG_NAME_KERNEL_DEBUG "DEBUG"
#define HOSTNPU_LOG_NAME_KERNEL_INFO "INFO"
#define HOSTNPU_LOG_NAME_KERNEL_WARN "WARN"
#define HOSTNPU_LOG_NAME_KERNEL_ERROR "ERROR"
#define KERNEL_LOG(level, ...) \
  ::AscendC::internal::Log(HOSTNPU_LOG_NAME_##level, __FILE__, __LINE__, __FUNCTION__, __VA_ARGS__)

#endif  // HOSTNPU_ASCENDC_BASIC_DEBUG_H_

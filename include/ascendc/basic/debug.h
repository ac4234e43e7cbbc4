// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// printf, assert, DumpTensor: what a kernel says to its author. The texts are those of the vendor's
// tools, each headed by its core, and never torn by another core's. The same source also compiles
// host code, so each of these works outside kernels too.
//
// C's own printf and __assert_fail are bound to ours by their link names, because kernels call them
// unqualified, with <cstdio> or <cassert> included or not.
#ifndef HOSTNPU_ASCENDC_BASIC_DEBUG_H_
#define HOSTNPU_ASCENDC_BASIC_DEBUG_H_

#include "../detail/print_abi.h"
#include "tensor.h"

extern "C" {
int printf(const char* __restrict format, ...) __asm__("hostnpu_printf");
void __assert_fail(const char* assertion, const char* file, unsigned int line,
                   const char* function) noexcept __asm__("hostnpu_assert_fail");
__attribute__((noreturn)) void abort(void) noexcept;
}

namespace AscendC {
namespace internal {

template <typename T>
inline HostnpuPrintArgument MakePrintArgument(T value) {
  HostnpuPrintArgument argument = {};
  argument.bytes = sizeof(T);
  if constexpr (IsSameType<T, half>::value || IsSameType<T, bfloat16_t>::value) {
    argument.kind = HOSTNPU_PRINT_FLOAT;
    argument.real = static_cast<double>(static_cast<float>(value));
  } else if constexpr (__is_floating_point(T)) {
    argument.kind = HOSTNPU_PRINT_FLOAT;
    argument.real = static_cast<double>(value);
  } else if constexpr (IsSameType<T, const char*>::value || IsSameType<T, char*>::value) {
    argument.kind = HOSTNPU_PRINT_STRING;
    argument.text = value;
  } else if constexpr (__is_pointer(T)) {
    argument.kind = HOSTNPU_PRINT_POINTER;
    argument.pointer = reinterpret_cast<const void*>(value);
  } else if constexpr (__is_enum(T)) {
    argument.kind = HOSTNPU_PRINT_SIGNED;
    argument.number = static_cast<int64_t>(value);
  } else {
    static_assert(__is_integral(T), "printf takes numbers, pointers and C strings");
    argument.kind = T(-1) < T(0) ? HOSTNPU_PRINT_SIGNED : HOSTNPU_PRINT_UNSIGNED;
    argument.number = static_cast<int64_t>(value);
  }
  return argument;
}

/// Arguments of a print; the last one is not counted, so that there is always one.
template <typename... T>
struct PrintArguments {
  HostnpuPrintArgument list[sizeof...(T) + 1];
  explicit PrintArguments(const T&... values)
      : list{MakePrintArgument<__decay(const T&)>(values)..., HostnpuPrintArgument{}} {}
};

template <typename... T>
[[noreturn]] inline void AssertionFailed(const char* file, unsigned line, const char* expression,
                                         const char* format = nullptr, const T&... values) {
  hostnpu_fail_assertion(file, line, expression, format, PrintArguments<T...>(values...).list,
                         sizeof...(T));
}
template <typename... T>
inline void Log(const char* level, const char* file, int line, const char* function,
                const char* format, const T&... values) {
  hostnpu_log(level, file, line, function, format, PrintArguments<T...>(values...).list,
              sizeof...(T));
}

/// After a failed ASCENDC_ASSERT has said its own piece.
HOSTNPU_FAULT_FUNCTION inline void StopAtAssertion(const char* file, int line,
                                                   const char* expression) {
  if (hostnpu_core == nullptr) abort();
  HOSTNPU_FAULT(HOSTNPU_FAULT_ASSERT, "ASCENDC_ASSERT", "fails: %s (%s:%d)", expression, file,
                line);
}

// By TypeIndex.
constexpr HostnpuElementType kDumpTypes[kTypeCount] = {
    HOSTNPU_ELEMENT_FLOAT16, HOSTNPU_ELEMENT_FLOAT32, HOSTNPU_ELEMENT_BFLOAT16,
    HOSTNPU_ELEMENT_INT8,    HOSTNPU_ELEMENT_UINT8,   HOSTNPU_ELEMENT_INT16,
    HOSTNPU_ELEMENT_UINT16,  HOSTNPU_ELEMENT_INT32,   HOSTNPU_ELEMENT_UINT32,
    HOSTNPU_ELEMENT_INT64,   HOSTNPU_ELEMENT_UINT64,  HOSTNPU_ELEMENT_NONE,
    HOSTNPU_ELEMENT_BOOL,    HOSTNPU_ELEMENT_NONE};

/// Dumps memory that is checked already; `address` as it is printed.
template <typename T>
inline void Dump(const void* data, uint64_t address, const char* position, uint32_t desc,
                 uint32_t count, const ShapeInfo& shape) {
  constexpr HostnpuElementType type = kDumpTypes[TypeIndex<T>()];
  static_assert(type != HOSTNPU_ELEMENT_NONE, "DumpTensor<T> takes numbers and bool");
  ShapeInfo::CheckDims("DumpTensor", shape.shapeDim);
  const HostnpuDump dump = {data, address, position,       type,
                            desc, count,   shape.shapeDim, shape.shape};
  hostnpu_dump(&dump);
}

}  // namespace internal

/// Prints as C's printf does, whole, headed by the core: "[AIV Block 0/8] ".
template <class... Args>
inline void printf(const char* format, const Args&... values) {
  hostnpu_print(format, internal::PrintArguments<Args...>(values...).list, sizeof...(Args));
}
template <class... Args>
inline void PRINTF(const char* format, const Args&... values) {
  hostnpu_print(format, internal::PrintArguments<Args...>(values...).list, sizeof...(Args));
}

/// Prints `count` elements. `desc` is the caller's own number, such as a line.
template <typename T>
inline void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t count,
                       const ShapeInfo& shape = {}) {
  const HostnpuMemoryKind kind = tensor.Memory();
  if ((kind == HOSTNPU_MEMORY_UB) != internal::OnVectorCore()) return;
  const uint8_t* data = tensor.address_.absAddr;
  internal::CheckLocal("DumpTensor", kind, data, internal::BytesOf<T>(count));
  const auto offset = static_cast<uint64_t>(data - internal::ThisCore().memory[kind].base);
  internal::Dump<T>(data, offset, internal::MemoryName(kind), desc, count, shape);
}
template <typename T>
inline void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t count,
                       const ShapeInfo& shape = {}) {
  internal::CheckGm("DumpTensor", tensor.address_, internal::BytesOf<T>(count), HOSTNPU_GM_READ);
  internal::Dump<T>(tensor.address_, reinterpret_cast<uint64_t>(tensor.address_), "GM", desc, count,
                    shape);
}
/// The same from element `offset` on.
template <typename T>
inline void DumpAccChkPoint(const LocalTensor<T>& tensor, uint32_t index, uint32_t offset,
                            uint32_t count) {
  DumpTensor(tensor[offset], index, count);
}
template <typename T>
inline void DumpAccChkPoint(const GlobalTensor<T>& tensor, uint32_t index, uint32_t offset,
                            uint32_t count) {
  DumpTensor(tensor[offset], index, count);
}

}  // namespace AscendC

using AscendC::printf;
using AscendC::PRINTF;

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

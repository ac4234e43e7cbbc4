/* Copyright 2026 The hostnpu Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What kernels print: printf, KERNEL_LOG, assert and DumpTensor. The formatting is compiled into
 * libhostnpu, once, and not into every kernel. Each call reaches the program's output whole. Inside
 * a kernel the text is headed by the core; outside, it is printed plainly. Plain C.
 */
#ifndef HOSTNPU_ASCENDC_DETAIL_PRINT_ABI_H_
#define HOSTNPU_ASCENDC_DETAIL_PRINT_ABI_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HOSTNPU_PRINT_ABI __attribute__((visibility("default")))

enum HostnpuPrintKind {
  HOSTNPU_PRINT_SIGNED,
  HOSTNPU_PRINT_UNSIGNED,
  HOSTNPU_PRINT_FLOAT,
  HOSTNPU_PRINT_STRING,
  HOSTNPU_PRINT_POINTER
};

/* One argument, with its own type: a half prints with %f, a 32-bit integer with %ld, and a wrong
 * conversion prints something instead of reading a stray register. */
typedef struct HostnpuPrintArgument {
  uint8_t kind;  /* HostnpuPrintKind */
  uint8_t bytes; /* of the argument's type */
  union {
    int64_t number;
    double real;
    const char* text;
    const void* pointer;
  };
} HostnpuPrintArgument;

/* printf's language. A conversion without an argument prints as it stands. */
HOSTNPU_PRINT_ABI void hostnpu_print(const char* format, const HostnpuPrintArgument* arguments,
                                     uint32_t count);
/* KERNEL_LOG: "[ERROR][Block_0][AIV_0][file:line][function][pid] message". */
HOSTNPU_PRINT_ABI void hostnpu_log(const char* level, const char* file, int line,
                                   const char* function, const char* format,
                                   const HostnpuPrintArgument* arguments, uint32_t count);
/* Prints "[ASSERT] file:line: ..." and ends the core; outside kernels, the process. format may be
 * null. */
HOSTNPU_PRINT_ABI __attribute__((noreturn)) void hostnpu_fail_assertion(
    const char* file, unsigned line, const char* expression, const char* format,
    const HostnpuPrintArgument* arguments, uint32_t count);

enum HostnpuElementType {
  HOSTNPU_ELEMENT_FLOAT16,
  HOSTNPU_ELEMENT_FLOAT32,
  HOSTNPU_ELEMENT_BFLOAT16,
  HOSTNPU_ELEMENT_INT8,
  HOSTNPU_ELEMENT_UINT8,
  HOSTNPU_ELEMENT_INT16,
  HOSTNPU_ELEMENT_UINT16,
  HOSTNPU_ELEMENT_INT32,
  HOSTNPU_ELEMENT_UINT32,
  HOSTNPU_ELEMENT_INT64,
  HOSTNPU_ELEMENT_UINT64,
  HOSTNPU_ELEMENT_BOOL,
  HOSTNPU_ELEMENT_NONE
};

typedef struct HostnpuDump {
  const void* data;     /* checked by the caller */
  uint64_t address;     /* as printed: the offset in an on-chip memory, or the GM address */
  const char* position; /* "UB" */
  uint32_t type;        /* HostnpuElementType */
  uint32_t desc;
  uint32_t count;
  uint32_t dims; /* 0: no shape */
  const uint32_t* shape;
} HostnpuDump;

HOSTNPU_PRINT_ABI void hostnpu_dump(const HostnpuDump* dump);

/* C's printf and __assert_fail of a translation unit that has the kernel headers: they are bound to
 * these by their link names, because kernels call them unqualified. */
HOSTNPU_PRINT_ABI int hostnpu_printf(const char* format, ...);
HOSTNPU_PRINT_ABI void hostnpu_assert_fail(const char* assertion, const char* file, unsigned line,
                                           const char* function);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* HOSTNPU_ASCENDC_DETAIL_PRINT_ABI_H_ */

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The bounds-checked C functions that host code of vendor programs calls: they refuse, with a
// non-zero result and an untouched target, what would write past `capacity`.
#ifndef HOSTNPU_ASCENDC_VENDOR_SECUREC_H_
#define HOSTNPU_ASCENDC_VENDOR_SECUREC_H_

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef int errno_t;
#ifndef EOK
#define EOK 0
#endif

static inline errno_t memcpy_s(void* target, size_t capacity, const void* source, size_t count) {
  if (count == 0) return EOK;
  if (target == NULL || source == NULL) return EINVAL;
  if (count > capacity) return ERANGE;
  memcpy(target, source, count);
  return EOK;
}
static inline errno_t memmove_s(void* target, size_t capacity, const void* source, size_t count) {
  if (count == 0) return EOK;
  if (target == NULL || source == NULL) return EINVAL;
  if (count > capacity) return ERANGE;
  memmove(target, source, count);
  return EOK;
}
static inline errno_t memset_s(void* target, size_t capacity, int value, size_t count) {
  if (target == NULL) return EINVAL;
  if (count > capacity) return ERANGE;
  memset(target, value, count);
  return EOK;
}
static inline errno_t strcpy_s(char* target, size_t capacity, const char* source) {
  if (target == NULL || source == NULL) return EINVAL;
  return memcpy_s(target, capacity, source, strlen(source) + 1);
}
static inline int vsnprintf_s(char* target, size_t capacity, size_t count, const char* format,
                              va_list arguments) {
  if (target == NULL || capacity == 0) return -1;
  const size_t room = count < capacity ? count + 1 : capacity;
  const int written = vsnprintf(target, room, format, arguments);
  return written < 0 || (size_t)written >= room ? -1 : written;
}
__attribute__((format(printf, 4, 5))) static inline int snprintf_s(char* target, size_t capacity,
                                                                   size_t count, const char* format,
                                                                   ...) {
  va_list arguments;
  va_start(arguments, format);
  const int written = vsnprintf_s(target, capacity, count, format, arguments);
  va_end(arguments);
  return written;
}
__attribute__((format(printf, 3, 4))) static inline int sprintf_s(char* target, size_t capacity,
                                                                  const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int written = vsnprintf_s(target, capacity, capacity, format, arguments);
  va_end(arguments);
  return written;
}

#endif  // HOSTNPU_ASCENDC_VENDOR_SECUREC_H_

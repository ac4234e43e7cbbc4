// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions on types and numbers that need no device.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <new>
#include <string>

#include "base/option.h"
#include "runtime/api.h"
#include "runtime/device.h"

using namespace hostnpu;           // NOLINT: C functions only
using namespace hostnpu::runtime;  // NOLINT

struct aclDataBuffer {
  void* data;
  size_t size;
};

namespace {

constexpr uint16_t kLargestHalf = 0x7BFF;
constexpr int kHalfBias = 15;
constexpr int kFloatBias = 127;

}  // namespace

float aclFloat16ToFloat(aclFloat16 value) {
  const int exponent = value >> 10 & 0x1F;
  const int mantissa = value & 0x3FF;
  // An exponent of 31 is read as an ordinary one.
  const float magnitude = exponent == 0
                              ? std::ldexp(static_cast<float>(mantissa), -24)
                              : std::ldexp(static_cast<float>(mantissa | 0x400), exponent - 25);
  return (value & 0x8000) != 0 ? -magnitude : magnitude;
}

aclFloat16 aclFloatToFloat16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  const int exponent = static_cast<int>(bits >> 23 & 0xFF) - kFloatBias + kHalfBias;
  const uint32_t mantissa = bits & 0x7FFFFF;
  if (exponent >= 31) return sign | kLargestHalf;  // also Inf and NaN
  if (exponent < -10) return sign;
  const uint32_t significand = exponent > 0 ? mantissa : mantissa | 0x800000;
  const int dropped = exponent > 0 ? 13 : 14 - exponent;
  uint32_t half = significand >> dropped;
  if (exponent > 0) half |= static_cast<uint32_t>(exponent) << 10;
  const uint32_t rest = significand & ((1u << dropped) - 1);
  const uint32_t tie = 1u << (dropped - 1);
  if (rest > tie || (rest == tie && (half & 1) != 0)) ++half;
  return sign | static_cast<uint16_t>(std::min<uint32_t>(half, kLargestHalf));
}

size_t aclDataTypeSize(aclDataType type) {
  switch (type) {
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0:
      return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16:
      return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32:
      return 4;
    case ACL_DOUBLE:
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_COMPLEX64:
      return 8;
    case ACL_COMPLEX128:
      return 16;
    default:
      return 0;
  }
}

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  return new (std::nothrow) aclDataBuffer{data, size};
}

aclError aclDestroyDataBuffer(const aclDataBuffer* buffer) {
  return Call("aclDestroyDataBuffer", [&]() -> base::Result<void> {
    if (buffer == nullptr) return NullArgument("dataBuffer");
    delete buffer;
    return {};
  });
}

aclError aclUpdateDataBuffer(aclDataBuffer* buffer, void* data, size_t size) {
  return Call("aclUpdateDataBuffer", [&]() -> base::Result<void> {
    if (buffer == nullptr) return NullArgument("dataBuffer");
    *buffer = aclDataBuffer{data, size};
    return {};
  });
}

void* aclGetDataBufferAddr(const aclDataBuffer* buffer) {
  return buffer == nullptr ? nullptr : buffer->data;
}

uint32_t aclGetDataBufferSize(const aclDataBuffer* buffer) {
  return buffer == nullptr ? 0 : static_cast<uint32_t>(buffer->size);
}

size_t aclGetDataBufferSizeV2(const aclDataBuffer* buffer) {
  return buffer == nullptr ? 0 : buffer->size;
}

void aclAppLog(aclLogLevel level, const char* function, const char* file, uint32_t line,
               const char* format, ...) {
  if (level < base::EnvNumber("HOSTNPU_LOG_LEVEL", ACL_ERROR, ACL_DEBUG, ACL_ERROR + 1)) return;
  const char* kNames[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  const char* name = level >= ACL_DEBUG && level <= ACL_ERROR ? kNames[level] : "?";
  fprintf(stderr, "[%s] %s:%u %s: %s\n", name, file == nullptr ? "?" : file, line,
          function == nullptr ? "?" : function, text);
}

const char* aclrtGetSocName(void) {
  auto chip = DeviceChip();
  return chip.ok() ? (*chip)->name.data() : nullptr;
}

aclError aclGetCannAttributeList(const aclCannAttr** list, size_t* count) {
  return Call("aclGetCannAttributeList", [&]() -> base::Result<void> {
    if (list == nullptr || count == nullptr) return NullArgument("cannAttrList or num");
    static const aclCannAttr kAttributes[] = {ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16,
                                              ACL_CANN_ATTR_JIT_COMPILE};
    *list = kAttributes;
    *count = std::size(kAttributes);
    return {};
  });
}

aclError aclGetCannAttribute(aclCannAttr attribute, int32_t* value) {
  return Call("aclGetCannAttribute", [&]() -> base::Result<void> {
    if (value == nullptr) return NullArgument("value");
    if (attribute < ACL_CANN_ATTR_INF_NAN || attribute > ACL_CANN_ATTR_JIT_COMPILE) {
      return base::Error{
          base::Code::kInvalidArgument,
          fmt::format("The attribute ({}) is none of aclCannAttr.", static_cast<int>(attribute))};
    }
    *value = 1;
    return {};
  });
}

aclError aclGetDeviceCapability(uint32_t device, aclDeviceInfo what, int64_t* value) {
  return Call("aclGetDeviceCapability", [&]() -> base::Result<void> {
    if (value == nullptr) return NullArgument("value");
    HOSTNPU_TRY(CheckDevice(device), "asking for a capability");
    HOSTNPU_ASSIGN_OR_RETURN(const arch::Chip* chip, DeviceChip());
    switch (what) {
      case ACL_DEVICE_INFO_AI_CORE_NUM:
        *value = chip->aic_count;
        return {};
      case ACL_DEVICE_INFO_VECTOR_CORE_NUM:
        *value = chip->aiv_count;
        return {};
      case ACL_DEVICE_INFO_L2_SIZE:
        *value = static_cast<int64_t>(chip->l2_bytes);
        return {};
      default:
        return base::Error{
            base::Code::kInvalidArgument,
            fmt::format("The property ({}) is none of aclDeviceInfo.", static_cast<int>(what))};
    }
  });
}

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Data types, formats and status codes of the graph engine, as operator host code names them.
#ifndef HOSTNPU_ASCENDC_OP_GE_TYPES_H_
#define HOSTNPU_ASCENDC_OP_GE_TYPES_H_

#include <stddef.h>
#include <stdint.h>

#include <string>

#include "../basic/type_numbers_end.h"

namespace ge {

using char_t = char;
using graphStatus = uint32_t;
constexpr graphStatus GRAPH_SUCCESS = 0;
constexpr graphStatus GRAPH_FAILED = 0xFFFFFFFF;
constexpr graphStatus GRAPH_PARAM_INVALID = 50331649;
constexpr graphStatus GRAPH_NODE_WITHOUT_CONST_INPUT = 50331648;

/// Values are those of aclDataType.
enum DataType : int {
  DT_FLOAT = 0,
  DT_FLOAT16 = 1,
  DT_INT8 = 2,
  DT_INT32 = 3,
  DT_UINT8 = 4,
  DT_INT16 = 6,
  DT_UINT16 = 7,
  DT_UINT32 = 8,
  DT_INT64 = 9,
  DT_UINT64 = 10,
  DT_DOUBLE = 11,
  DT_BOOL = 12,
  DT_STRING = 13,
  DT_DUAL_SUB_INT8 = 14,
  DT_DUAL_SUB_UINT8 = 15,
  DT_COMPLEX64 = 16,
  DT_COMPLEX128 = 17,
  DT_QINT8 = 18,
  DT_QINT16 = 19,
  DT_QINT32 = 20,
  DT_QUINT8 = 21,
  DT_QUINT16 = 22,
  DT_RESOURCE = 23,
  DT_STRING_REF = 24,
  DT_DUAL = 25,
  DT_VARIANT = 26,
  DT_BF16 = 27,
  DT_UNDEFINED = 28,
  DT_INT4 = 29,
  DT_UINT1 = 30,
  DT_INT2 = 31,
  DT_UINT2 = 32,
  DT_COMPLEX32 = 33,
  DT_HIFLOAT8 = 34,
  DT_FLOAT8_E5M2 = 35,
  DT_FLOAT8_E4M3FN = 36,
  DT_FLOAT8_E8M0 = 37,
  DT_FLOAT6_E3M2 = 38,
  DT_FLOAT6_E2M3 = 39,
  DT_FLOAT4_E2M1 = 40,
  DT_FLOAT4_E1M2 = 41,
  DT_MAX
};

enum Format : int {
  FORMAT_NCHW = 0,
  FORMAT_NHWC = 1,
  FORMAT_ND = 2,
  FORMAT_NC1HWC0 = 3,
  FORMAT_FRACTAL_Z = 4,
  FORMAT_NC1C0HWPAD = 5,
  FORMAT_NHWC1C0 = 6,
  FORMAT_FSR_NCHW = 7,
  FORMAT_FRACTAL_DECONV = 8,
  FORMAT_C1HWNC0 = 9,
  FORMAT_FRACTAL_Z_C04 = 14,
  FORMAT_CHWN = 15,
  FORMAT_HWCN = 16,
  FORMAT_NC1HWC0_C04 = 12,
  FORMAT_NDHWC = 27,
  FORMAT_FRACTAL_NZ = 29,
  FORMAT_NCDHW = 30,
  FORMAT_DHWCN = 31,
  FORMAT_NDC1HWC0 = 32,
  FORMAT_FRACTAL_Z_3D = 33,
  FORMAT_NCL = 47,
  FORMAT_RESERVED = 40,
  FORMAT_NULL = 0x7fffffff,
};

constexpr Format GetPrimaryFormat(int32_t format) { return static_cast<Format>(format & 0xff); }

/// Bits of one element; 0 for types without a fixed size.
constexpr int GetBitsOfDataType(DataType dtype) {
  switch (dtype) {
    case DT_INT8:
    case DT_UINT8:
    case DT_BOOL:
    case DT_QINT8:
    case DT_QUINT8:
    case DT_HIFLOAT8:
    case DT_FLOAT8_E5M2:
    case DT_FLOAT8_E4M3FN:
    case DT_FLOAT8_E8M0:
      return 8;
    case DT_FLOAT16:
    case DT_INT16:
    case DT_UINT16:
    case DT_BF16:
    case DT_QINT16:
    case DT_QUINT16:
      return 16;
    case DT_FLOAT:
    case DT_INT32:
    case DT_UINT32:
    case DT_QINT32:
    case DT_COMPLEX32:
      return 32;
    case DT_INT64:
    case DT_UINT64:
    case DT_DOUBLE:
    case DT_COMPLEX64:
      return 64;
    case DT_COMPLEX128:
      return 128;
    case DT_INT4:
    case DT_FLOAT4_E2M1:
    case DT_FLOAT4_E1M2:
      return 4;
    case DT_INT2:
    case DT_UINT2:
      return 2;
    case DT_UINT1:
      return 1;
    default:
      return 0;
  }
}
/// Bytes of one element; for types below a byte 1000 plus the bits, as the vendor has it; -1 for
/// none.
constexpr int GetSizeByDataType(DataType dtype) {
  const int bits = GetBitsOfDataType(dtype);
  return bits == 0 ? -1 : bits < 8 ? 1000 + bits : bits / 8;
}
/// Bytes that `count` elements take, rounded up; -1 for a type without a size.
constexpr int64_t GetSizeInBytes(int64_t count, DataType dtype) {
  const int bits = GetBitsOfDataType(dtype);
  return bits == 0 ? -1 : (count * bits + 7) / 8;
}

class TypeUtils {
 public:
  static std::string DataTypeToSerialString(DataType dtype) {
    switch (dtype) {
#define HOSTNPU_DTYPE_NAME(name) \
  case name:                     \
    return #name
      HOSTNPU_DTYPE_NAME(DT_FLOAT);
      HOSTNPU_DTYPE_NAME(DT_FLOAT16);
      HOSTNPU_DTYPE_NAME(DT_INT8);
      HOSTNPU_DTYPE_NAME(DT_INT32);
      HOSTNPU_DTYPE_NAME(DT_UINT8);
      HOSTNPU_DTYPE_NAME(DT_INT16);
      HOSTNPU_DTYPE_NAME(DT_UINT16);
      HOSTNPU_DTYPE_NAME(DT_UINT32);
      HOSTNPU_DTYPE_NAME(DT_INT64);
      HOSTNPU_DTYPE_NAME(DT_UINT64);
      HOSTNPU_DTYPE_NAME(DT_DOUBLE);
      HOSTNPU_DTYPE_NAME(DT_BOOL);
      HOSTNPU_DTYPE_NAME(DT_COMPLEX64);
      HOSTNPU_DTYPE_NAME(DT_COMPLEX128);
      HOSTNPU_DTYPE_NAME(DT_BF16);
      HOSTNPU_DTYPE_NAME(DT_INT4);
#undef HOSTNPU_DTYPE_NAME
      default:
        return "DT_UNDEFINED";
    }
  }
  static std::string FormatToSerialString(Format format) {
    return format == FORMAT_ND           ? "ND"
           : format == FORMAT_NCHW       ? "NCHW"
           : format == FORMAT_NHWC       ? "NHWC"
           : format == FORMAT_FRACTAL_NZ ? "FRACTAL_NZ"
           : format == FORMAT_NC1HWC0    ? "NC1HWC0"
           : format == FORMAT_NCDHW      ? "NCDHW"
                                         : "format " + std::to_string(static_cast<int>(format));
  }
  static bool GetDataTypeLength(DataType dtype, uint32_t& length) {
    const int size = GetSizeByDataType(dtype);
    if (size < 0) return false;
    length = static_cast<uint32_t>(size);
    return true;
  }
};

/// A string that crosses library borders.
class AscendString {
 public:
  AscendString() = default;
  AscendString(const char* text) : text_(text == nullptr ? "" : text) {}  // NOLINT: implicit
  const char* GetString() const { return text_.c_str(); }
  size_t GetLength() const { return text_.size(); }
  bool operator==(const AscendString& other) const { return text_ == other.text_; }
  bool operator!=(const AscendString& other) const { return text_ != other.text_; }
  bool operator<(const AscendString& other) const { return text_ < other.text_; }

 private:
  std::string text_;
};

}  // namespace ge

#endif  // HOSTNPU_ASCENDC_OP_GE_TYPES_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/op_tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

int64_t aclTensor::ElementCount() const {
  int64_t count = 1;
  for (const int64_t dim : view_dims) count *= dim;
  return count;
}

bool aclTensor::IsContiguous() const {
  int64_t expected = 1;
  for (size_t d = view_dims.size(); d-- > 0;) {
    if (view_dims[d] != 1 && strides[d] != expected) return ElementCount() == 0;
    expected *= view_dims[d];
  }
  return true;
}

uint8_t* aclTensor::Address() const {
  if (data == nullptr) return nullptr;
  return static_cast<uint8_t*>(data) + ge::GetSizeInBytes(offset, static_cast<ge::DataType>(dtype));
}

int64_t aclTensor::Bytes() const {
  return ge::GetSizeInBytes(ElementCount(), static_cast<ge::DataType>(dtype));
}

std::optional<std::pair<int64_t, int64_t>> aclTensor::ByteRange() const {
  constexpr int64_t kFarthest = int64_t{1} << 56;
  int64_t first = offset;
  int64_t last = offset;
  for (size_t d = 0; d < view_dims.size(); ++d) {
    int64_t reach = 0;
    int64_t& end = strides[d] < 0 ? first : last;
    if (__builtin_mul_overflow(view_dims[d] - 1, strides[d], &reach) ||
        __builtin_add_overflow(end, reach, &end)) {
      return std::nullopt;
    }
  }
  if (first < -kFarthest || last > kFarthest) return std::nullopt;
  const int64_t element = ge::GetSizeInBytes(1, static_cast<ge::DataType>(dtype));
  return std::pair(first * element, (last + 1) * element);
}

namespace hostnpu::runtime {

std::string NameOfDataType(int dtype) {
  switch (static_cast<ge::DataType>(dtype)) {
    case ge::DT_FLOAT:
      return "float32";
    case ge::DT_FLOAT16:
      return "float16";
    case ge::DT_BF16:
      return "bfloat16";
    case ge::DT_DOUBLE:
      return "float64";
    case ge::DT_INT4:
      return "int4";
    case ge::DT_INT8:
      return "int8";
    case ge::DT_INT16:
      return "int16";
    case ge::DT_INT32:
      return "int32";
    case ge::DT_INT64:
      return "int64";
    case ge::DT_UINT8:
      return "uint8";
    case ge::DT_UINT16:
      return "uint16";
    case ge::DT_UINT32:
      return "uint32";
    case ge::DT_UINT64:
      return "uint64";
    case ge::DT_BOOL:
      return "bool";
    case ge::DT_COMPLEX64:
      return "complex64";
    case ge::DT_COMPLEX128:
      return "complex128";
    default:
      return fmt::format("dtype {}", dtype);
  }
}

std::string NameOfShape(const std::vector<int64_t>& dims) {
  return fmt::format("({})", fmt::join(dims, ", "));
}

}  // namespace hostnpu::runtime

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_OP_TENSOR_H_
#define HOSTNPU_RUNTIME_OP_TENSOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aclnn/acl_meta.h"
#include "ascendc/op/tensor.h"

/// The objects behind the opaque names of aclnn/acl_meta.h. Plain data.
struct aclTensor {
  std::vector<int64_t> view_dims;
  std::vector<int64_t> strides;  // in elements; as many as view_dims
  int64_t offset = 0;            // of the view in the storage, in elements
  std::vector<int64_t> storage_dims;
  aclDataType dtype = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_ND;
  void* data = nullptr;  // start of the storage

  int64_t ElementCount() const;
  /// Whether the view is its elements one after the other.
  bool IsContiguous() const;
  /// Address of the first element of the view.
  uint8_t* Address() const;
  int64_t Bytes() const;
  /// The bytes the view reaches from `data` on: [first, second). For whole-byte elements and a view
  /// that is not empty; nothing if they are more than an address can say.
  std::optional<std::pair<int64_t, int64_t>> ByteRange() const;
};
struct aclScalar {
  aclDataType dtype = ACL_DT_UNDEFINED;
  double real = 0;
  int64_t integer = 0;
};
struct aclIntArray {
  std::vector<int64_t> values;
};
struct aclFloatArray {
  std::vector<float> values;
};
struct aclBoolArray {
  std::vector<uint8_t> values;
};
struct aclTensorList {
  std::vector<const aclTensor*> tensors;
};
struct aclScalarList {
  std::vector<const aclScalar*> scalars;
};

namespace hostnpu::runtime {

/// "float16" for ACL_FLOAT16.
std::string NameOfDataType(int dtype);
/// "(2, 3)".
std::string NameOfShape(const std::vector<int64_t>& dims);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_OP_TENSOR_H_

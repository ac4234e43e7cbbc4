// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// ge::Shape, the shape that the host functions of the high-level library take.
#ifndef HOSTNPU_ASCENDC_GRAPH_TENSOR_H_
#define HOSTNPU_ASCENDC_GRAPH_TENSOR_H_

#include <stddef.h>
#include <stdint.h>

#include <utility>
#include <vector>

namespace ge {

/// Dimensions, outermost first.
class Shape {
 public:
  Shape() = default;
  explicit Shape(std::vector<int64_t> dims) : dims_(std::move(dims)) {}

  size_t GetDimNum() const { return dims_.size(); }
  int64_t GetDim(size_t index) const { return index < dims_.size() ? dims_[index] : 0; }
  bool SetDim(size_t index, int64_t value) {
    if (index >= dims_.size()) return false;
    dims_[index] = value;
    return true;
  }
  std::vector<int64_t> GetDims() const { return dims_; }
  /// Elements; 0 for no dimensions, -1 where one is unknown or the product overflows.
  int64_t GetShapeSize() const {
    if (dims_.empty()) return 0;
    int64_t size = 1;
    for (const int64_t dim : dims_) {
      if (dim < 0 || __builtin_mul_overflow(size, dim, &size)) return -1;
    }
    return size;
  }

 private:
  std::vector<int64_t> dims_;
};

}  // namespace ge

#endif  // HOSTNPU_ASCENDC_GRAPH_TENSOR_H_

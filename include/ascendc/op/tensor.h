// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Shapes, tensors and attributes as tiling and shape inference functions see them.
#ifndef HOSTNPU_ASCENDC_OP_TENSOR_H_
#define HOSTNPU_ASCENDC_OP_TENSOR_H_

#include <string.h>

#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "ge_types.h"

namespace gert {

/// Up to 25 dimensions.
class Shape {
 public:
  static constexpr size_t kMaxDimNum = 25;
  static constexpr int64_t kInvalidDimValue = std::numeric_limits<int64_t>::min();

  Shape() = default;
  Shape(std::initializer_list<int64_t> dims) {
    for (const int64_t dim : dims) AppendDim(dim);
  }
  explicit Shape(const std::vector<int64_t>& dims) {
    for (const int64_t dim : dims) AppendDim(dim);
  }

  bool operator==(const Shape& other) const {
    if (count_ != other.count_) return false;
    for (size_t i = 0; i < count_; ++i) {
      if (dims_[i] != other.dims_[i]) return false;
    }
    return true;
  }
  bool operator!=(const Shape& other) const { return !(*this == other); }

  size_t GetDimNum() const { return count_; }
  void SetDimNum(size_t count) { count_ = count <= kMaxDimNum ? count : kMaxDimNum; }
  int64_t GetDim(size_t index) const {
    return index < kMaxDimNum ? dims_[index] : kInvalidDimValue;
  }
  int64_t operator[](size_t index) const { return GetDim(index); }
  int64_t& operator[](size_t index) { return dims_[index < kMaxDimNum ? index : kMaxDimNum - 1]; }
  void SetDim(size_t index, int64_t value) {
    if (index < kMaxDimNum) dims_[index] = value;
  }
  Shape& AppendDim(int64_t value) {
    if (count_ < kMaxDimNum) dims_[count_++] = value;
    return *this;
  }
  /// Elements; 1 for a scalar, -1 where a dimension is unknown, -1 on overflow.
  int64_t GetShapeSize() const {
    int64_t size = 1;
    for (size_t i = 0; i < count_; ++i) {
      if (dims_[i] < 0 || __builtin_mul_overflow(size, dims_[i], &size)) return -1;
    }
    return size;
  }
  bool IsScalar() const { return count_ == 0; }
  void SetScalar() { count_ = 0; }

 private:
  size_t count_ = 0;
  int64_t dims_[kMaxDimNum] = {};
};

/// The shape as the user gave it, and as it lies in memory.
class StorageShape {
 public:
  StorageShape() = default;
  StorageShape(std::initializer_list<int64_t> origin, std::initializer_list<int64_t> storage)
      : origin_(origin), storage_(storage) {}
  explicit StorageShape(const Shape& both) : origin_(both), storage_(both) {}

  const Shape& GetOriginShape() const { return origin_; }
  const Shape& GetStorageShape() const { return storage_; }
  Shape& MutableOriginShape() { return origin_; }
  Shape& MutableStorageShape() { return storage_; }

 private:
  Shape origin_;
  Shape storage_;
};

class ExpandDimsType {
 public:
  ExpandDimsType() = default;
  explicit ExpandDimsType(const char*) {}
};

class StorageFormat {
 public:
  StorageFormat() = default;
  StorageFormat(ge::Format origin, ge::Format storage, const ExpandDimsType& = {})
      : origin_(origin), storage_(storage) {}
  ge::Format GetOriginFormat() const { return origin_; }
  ge::Format GetStorageFormat() const { return storage_; }
  void SetOriginFormat(ge::Format format) { origin_ = format; }
  void SetStorageFormat(ge::Format format) { storage_ = format; }

 private:
  ge::Format origin_ = ge::FORMAT_ND;
  ge::Format storage_ = ge::FORMAT_ND;
};

/// Data type and format of one input or output.
class CompileTimeTensorDesc {
 public:
  ge::DataType GetDataType() const { return dtype_; }
  void SetDataType(ge::DataType dtype) { dtype_ = dtype; }
  const StorageFormat& GetFormat() const { return format_; }
  ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
  ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
  void SetOriginFormat(ge::Format format) { format_.SetOriginFormat(format); }
  void SetStorageFormat(ge::Format format) { format_.SetStorageFormat(format); }

 private:
  ge::DataType dtype_ = ge::DT_UNDEFINED;
  StorageFormat format_;
};

enum TensorPlacement : int { kOnDeviceHbm, kOnHost, kFollowing, kOnDeviceP2p, kTensorPlacementEnd };

/// An input with, where tiling may read it, its values on the host.
class Tensor {
 public:
  Tensor() = default;
  Tensor(const StorageShape& shape, const StorageFormat& format, TensorPlacement placement,
         ge::DataType dtype, void* address)
      : shape_(shape), format_(format), placement_(placement), dtype_(dtype), address_(address) {}

  const Shape& GetOriginShape() const { return shape_.GetOriginShape(); }
  const Shape& GetStorageShape() const { return shape_.GetStorageShape(); }
  const StorageShape& GetShape() const { return shape_; }
  StorageShape& MutableShape() { return shape_; }
  int64_t GetShapeSize() const { return shape_.GetStorageShape().GetShapeSize(); }
  ge::DataType GetDataType() const { return dtype_; }
  ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
  ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
  TensorPlacement GetPlacement() const { return placement_; }
  size_t GetSize() const {
    const int64_t bytes = ge::GetSizeInBytes(GetShapeSize(), dtype_);
    return bytes < 0 ? 0 : static_cast<size_t>(bytes);
  }
  /// The values, or null where they are not on the host.
  template <typename T>
  const T* GetData() const {
    return static_cast<const T*>(address_);
  }
  template <typename T>
  T* GetData() {
    return static_cast<T*>(address_);
  }
  const void* GetAddr() const { return address_; }

 private:
  StorageShape shape_;
  StorageFormat format_;
  TensorPlacement placement_ = kOnDeviceHbm;
  ge::DataType dtype_ = ge::DT_UNDEFINED;
  void* address_ = nullptr;
};

/// A list attribute whose element type the reader knows.
class ContinuousVector {
 public:
  size_t GetSize() const { return size_; }
  size_t GetCapacity() const { return size_; }
  const void* GetData() const { return bytes_.data(); }
  void* MutableData() { return bytes_.data(); }

 protected:
  std::vector<uint8_t> bytes_;
  size_t size_ = 0;  // in elements
};

/// A list attribute. Adds nothing to its base but the type, so that a pointer to one may be made a
/// pointer to the other.
template <typename T>
class TypedContinuousVector : public ContinuousVector {
 public:
  TypedContinuousVector() = default;
  explicit TypedContinuousVector(const std::vector<T>& values) {
    size_ = values.size();
    bytes_.resize(size_ * sizeof(T));
    size_t at = 0;
    for (const T value : values) memcpy(bytes_.data() + sizeof(T) * at++, &value, sizeof(T));
  }
  const T* GetData() const { return static_cast<const T*>(ContinuousVector::GetData()); }
  T* MutableData() { return static_cast<T*>(ContinuousVector::MutableData()); }
};

/// A list of lists.
class ContinuousVectorVector {
 public:
  ContinuousVectorVector() = default;
  template <typename T>
  explicit ContinuousVectorVector(const std::vector<std::vector<T>>& lists) {
    for (const std::vector<T>& list : lists) lists_.push_back(TypedContinuousVector<T>(list));
  }
  size_t GetSize() const { return lists_.size(); }
  /// Null beyond the last one.
  const ContinuousVector* Get(size_t index) const {
    return index < lists_.size() ? &lists_[index] : nullptr;
  }

 private:
  std::vector<ContinuousVector> lists_;
};

/// The attributes of a node, in the order of the operator's definition.
class RuntimeAttrs {
 public:
  struct Value {
    enum class Kind {
      kNone,
      kInt,
      kFloat,
      kBool,
      kString,
      kIntList,
      kFloatList,
      kBoolList,
      kIntListList
    } kind = Kind::kNone;
    int64_t integer = 0;
    float real = 0;
    bool boolean = false;
    std::string text;
    TypedContinuousVector<int64_t> integers;
    TypedContinuousVector<float> reals;
    TypedContinuousVector<bool> booleans;
    ContinuousVectorVector integer_lists;
  };

  size_t GetAttrNum() const { return values_.size(); }
  const int64_t* GetInt(size_t index) const {
    return Is(index, Value::Kind::kInt) ? &values_[index]->integer : nullptr;
  }
  const float* GetFloat(size_t index) const {
    return Is(index, Value::Kind::kFloat) ? &values_[index]->real : nullptr;
  }
  const bool* GetBool(size_t index) const {
    return Is(index, Value::Kind::kBool) ? &values_[index]->boolean : nullptr;
  }
  const char* GetStr(size_t index) const {
    return Is(index, Value::Kind::kString) ? values_[index]->text.c_str() : nullptr;
  }
  const TypedContinuousVector<int64_t>* GetListInt(size_t index) const {
    return Is(index, Value::Kind::kIntList) ? &values_[index]->integers : nullptr;
  }
  const TypedContinuousVector<float>* GetListFloat(size_t index) const {
    return Is(index, Value::Kind::kFloatList) ? &values_[index]->reals : nullptr;
  }
  /// Lists of int64_t.
  const ContinuousVectorVector* GetListListInt(size_t index) const {
    return Is(index, Value::Kind::kIntListList) ? &values_[index]->integer_lists : nullptr;
  }
  /// The value as T: int64_t, float, bool, char, a TypedContinuousVector, a ContinuousVector or a
  /// ContinuousVectorVector; null where it is another kind.
  template <typename T>
  const T* GetAttrPointer(size_t index) const {
    return Pointer(index, static_cast<const T*>(nullptr));
  }

  void Append(Value value) { values_.push_back(std::make_shared<Value>(std::move(value))); }

 private:
  bool Is(size_t index, Value::Kind kind) const {
    return index < values_.size() && values_[index]->kind == kind;
  }
  const int64_t* Pointer(size_t index, const int64_t*) const { return GetInt(index); }
  const float* Pointer(size_t index, const float*) const { return GetFloat(index); }
  const bool* Pointer(size_t index, const bool*) const { return GetBool(index); }
  const char* Pointer(size_t index, const char*) const { return GetStr(index); }
  // The low half of an int64, which is where a narrower read of the vendor's buffer looks.
  const int32_t* Pointer(size_t index, const int32_t*) const {
    return reinterpret_cast<const int32_t*>(GetInt(index));
  }
  const uint32_t* Pointer(size_t index, const uint32_t*) const {
    return reinterpret_cast<const uint32_t*>(GetInt(index));
  }
  const uint64_t* Pointer(size_t index, const uint64_t*) const {
    return reinterpret_cast<const uint64_t*>(GetInt(index));
  }
  const TypedContinuousVector<int64_t>* Pointer(size_t index,
                                                const TypedContinuousVector<int64_t>*) const {
    return GetListInt(index);
  }
  const TypedContinuousVector<float>* Pointer(size_t index,
                                              const TypedContinuousVector<float>*) const {
    return GetListFloat(index);
  }
  const TypedContinuousVector<bool>* Pointer(size_t index,
                                             const TypedContinuousVector<bool>*) const {
    return Is(index, Value::Kind::kBoolList) ? &values_[index]->booleans : nullptr;
  }
  const ContinuousVector* Pointer(size_t index, const ContinuousVector*) const {
    if (const auto* integers = GetListInt(index)) return integers;
    if (const auto* reals = GetListFloat(index)) return reals;
    return Pointer(index, static_cast<const TypedContinuousVector<bool>*>(nullptr));
  }
  const ContinuousVectorVector* Pointer(size_t index, const ContinuousVectorVector*) const {
    return GetListListInt(index);
  }

  std::vector<std::shared_ptr<Value>> values_;
};

}  // namespace gert

#endif  // HOSTNPU_ASCENDC_OP_TENSOR_H_

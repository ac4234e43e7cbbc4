// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists of tensors whose number and shapes are known at run time only. In GM, in 64-bit words:
//
//     | offset of the pointers, in bytes | descriptor | descriptor | ... | pointer | pointer | ...
//     descriptor: | low half: dims, high half: index, in the first one the count | dim | dim | ...
//
// A list without shapes has 0 dims and one descriptor of two words.
#ifndef HOSTNPU_ASCENDC_BASIC_LIST_TENSOR_H_
#define HOSTNPU_ASCENDC_BASIC_LIST_TENSOR_H_

#include "tensor.h"

namespace AscendC {

class ListTensorDesc;

/// One tensor of a list. The shape goes where SetShapeAddr says.
template <class T>
class TensorDesc {
 public:
  void SetShapeAddr(uint64_t* shape) { shape_ = shape; }
  uint64_t GetDim() { return dims_; }
  uint64_t GetIndex() { return index_; }
  uint64_t GetShape(uint32_t dim) {
    if (shape_ == nullptr || dim >= dims_) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "TensorDesc::GetShape",
                    "is asked for dimension %u of a tensor with %u%s", dim, dims_,
                    shape_ == nullptr ? " and no SetShapeAddr" : "");
    }
    return shape_[dim];
  }
  __gm__ T* GetDataPtr() { return data_; }
  GlobalTensor<T> GetDataObj() {
    uint64_t size = 1;
    for (uint32_t i = 0; i < dims_; ++i) size *= GetShape(i);
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(data_, size);
    return tensor;
  }

 private:
  friend class ListTensorDesc;
  uint32_t dims_ = 0;
  uint32_t index_ = 0;
  uint64_t* shape_ = nullptr;
  __gm__ T* data_ = nullptr;
};

/// Reads a list; each access is checked against its allocation.
class ListTensorDesc {
 public:
  ListTensorDesc() = default;
  explicit ListTensorDesc(__gm__ void* data, uint32_t length = 0xffffffff,
                          uint32_t count = 0xffffffff) {
    Init(data, length, count);
  }

  /// `length` in bytes and `count` are compared with what the list says, where both are given.
  void Init(__gm__ void* data, uint32_t length = 0xffffffff, uint32_t count = 0xffffffff) {
    const auto* words = static_cast<const uint64_t*>(data);
    const uint64_t pointer_offset = Word(words);
    descriptors_ = words + 1;
    pointers_ = words + pointer_offset / sizeof(uint64_t);
    const uint64_t first = Word(descriptors_);
    dims_ = static_cast<uint32_t>(first);
    descriptor_words_ = dims_ == 0 ? 2 : 1 + dims_;
    count_ = static_cast<uint32_t>(first >> 32);
    if (count_ == 0) count_ = static_cast<uint32_t>(Word(pointers_ - descriptor_words_) >> 32) + 1;
    const uint64_t described = dims_ == 0 ? 1 : count_;
    if (pointer_offset != (1 + described * descriptor_words_) * sizeof(uint64_t)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "ListTensorDesc",
                    "reads a list of %u tensors of %u dims whose pointers lie at byte %llu instead "
                    "of %llu",
                    count_, dims_, (unsigned long long)pointer_offset,
                    (unsigned long long)((1 + described * descriptor_words_) * sizeof(uint64_t)));
    }
    if (length != 0xffffffff && count != 0xffffffff &&
        (count != count_ || length != pointer_offset + count_ * sizeof(uint64_t))) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "ListTensorDesc",
                    "is told of %u tensors in %u bytes, but the list has %u in %llu", count, length,
                    count_, (unsigned long long)(pointer_offset + count_ * sizeof(uint64_t)));
    }
  }

  template <class T>
  void GetDesc(TensorDesc<T>& desc, uint32_t index) {
    desc.data_ = GetDataPtr<T>(index);
    desc.index_ = index;
    desc.dims_ = dims_;
    if (desc.shape_ == nullptr) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "ListTensorDesc::GetDesc",
                    "is given a TensorDesc without SetShapeAddr");
    }
    const uint64_t* shape = descriptors_ + static_cast<uint64_t>(index) * descriptor_words_ + 1;
    for (uint32_t i = 0; i < dims_; ++i) desc.shape_[i] = Word(shape + i);
  }
  template <class T>
  __gm__ T* GetDataPtr(uint32_t index) {
    if (index >= count_) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "ListTensorDesc::GetDataPtr",
                    "is asked for tensor %u of a list of %u", index, count_);
    }
    return reinterpret_cast<__gm__ T*>(Word(pointers_ + index));
  }
  uint32_t GetSize() { return count_; }

 private:
  static uint64_t Word(const uint64_t* at) {
    internal::CheckGm("ListTensorDesc", at, sizeof(uint64_t), HOSTNPU_GM_READ);
    return *at;
  }

  const uint64_t* pointers_ = nullptr;
  const uint64_t* descriptors_ = nullptr;
  uint32_t dims_ = 0;
  uint32_t descriptor_words_ = 0;
  uint32_t count_ = 0;
};

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_LIST_TENSOR_H_

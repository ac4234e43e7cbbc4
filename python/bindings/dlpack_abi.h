// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PYTHON_BINDINGS_DLPACK_ABI_H_
#define HOSTNPU_PYTHON_BINDINGS_DLPACK_ABI_H_

#include <cstdint>

/// The DLPack exchange format, as its public specification fixes it (version 1, C ABI). Only what
/// is used here; names follow ours, the layout is the standard's.
namespace hostnpu::bindings::dlpack {

enum TypeCode : uint8_t {
  kInt = 0,
  kUint = 1,
  kFloat = 2,
  kBfloat = 4,
  kBool = 6,
  kFloat8E4m3fn = 10,
  kFloat8E5m2 = 12,
};

inline constexpr int32_t kCpu = 1;
inline constexpr int32_t kCudaHost = 3;
inline constexpr uint64_t kReadOnly = 1;

struct Device {
  int32_t device_type;
  int32_t device_id;
};

struct DataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct Tensor {
  void* data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t* shape;
  int64_t* strides;  // null: row-major
  uint64_t byte_offset;
};

struct ManagedTensor {
  Tensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(ManagedTensor* self);
};

struct Version {
  uint32_t major;
  uint32_t minor;
};

struct ManagedTensorVersioned {
  Version version;
  void* manager_ctx;
  void (*deleter)(ManagedTensorVersioned* self);
  uint64_t flags;
  Tensor dl_tensor;
};

/// What a tensor class offers to C callers under `__dlpack_c_exchange_api__`, in a capsule named
/// "dlpack_exchange_api".
struct ExchangeApi {
  Version version;
  void* previous;
  int (*allocate)(Tensor* prototype, ManagedTensorVersioned** out, void* error_context,
                  void (*set_error)(void* error_context, const char* kind, const char* message));
  int (*managed_from_object)(void* object, ManagedTensorVersioned** out);
  int (*to_object)(ManagedTensorVersioned* tensor, void** out_object);
  int (*tensor_from_object)(void* object, Tensor* out);  // may be null
  int (*current_work_stream)(int32_t device_type, int32_t device_id, void** out);
};

}  // namespace hostnpu::bindings::dlpack

#endif  // HOSTNPU_PYTHON_BINDINGS_DLPACK_ABI_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PYTHON_BINDINGS_TENSOR_H_
#define HOSTNPU_PYTHON_BINDINGS_TENSOR_H_

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <string>

#include "dlpack_abi.h"
#include "tilelang/ir/type.h"

namespace hostnpu::bindings {

namespace nb = nanobind;

/// Where a tensor comes from, and so what its outputs become.
enum class TensorSource : uint8_t {
  kNone,      ///< not a tensor
  kExchange,  ///< a class with DLPack's C exchange functions (torch)
  kNumpy,
  kDlpack,  ///< anything else with __dlpack__
};

/// A caller's tensor, seen without a copy. Holds what keeps the view valid.
class TensorView {
 public:
  TensorView() = default;
  ~TensorView() { Release(); }
  TensorView(const TensorView&) = delete;
  TensorView& operator=(const TensorView&) = delete;

  /// Looks at `object`; false when it is no tensor. Raises what the object's own protocol raises.
  bool Open(nb::handle object);
  void Release();

  TensorSource source() const { return source_; }
  const dlpack::ExchangeApi* api() const { return api_; }
  void* data() const { return data_; }
  int32_t ndim() const { return tensor_.ndim; }
  const int64_t* sizes() const { return tensor_.shape; }  ///< ndim() of them
  /// The element type; nullopt for one that kernels do not have.
  std::optional<tilelang::ir::DType> dtype() const;
  std::string DTypeText() const;
  std::string ShapeText() const;
  bool on_cpu() const {
    return tensor_.device.device_type == dlpack::kCpu ||
           tensor_.device.device_type == dlpack::kCudaHost;
  }
  bool writable() const { return writable_; }
  int64_t count() const;
  int64_t bytes() const { return (count() * tensor_.dtype.bits + 7) / 8; }
  /// Row-major without gaps; dimensions of size 1 and empty tensors do not matter.
  bool contiguous() const;

 private:
  /// Raises for a tensor whose memory has not the sign that its elements have.
  void CheckSign(nb::handle object) const;
  bool OpenNumpy(nb::handle object);
  bool OpenDlpack(nb::handle object);

  TensorSource source_ = TensorSource::kNone;
  const dlpack::ExchangeApi* api_ = nullptr;
  dlpack::Tensor tensor_{};
  void* data_ = nullptr;
  bool writable_ = true;
  bool has_buffer_ = false;
  bool strides_in_bytes_ = false;
  Py_buffer buffer_{};
  nb::object capsule_{};
};

/// The DLPack type of an element type.
dlpack::DataType ToDlpack(tilelang::ir::DType dtype);

/// A new tensor of the kind `source`, contents undefined. `api` is that of the input for kExchange.
/// Its address goes to `data`.
nb::object AllocateTensor(TensorSource source, const dlpack::ExchangeApi* api,
                          tilelang::ir::DType dtype, const int64_t* shape, int32_t ndim,
                          void** data);

/// The exchange functions of torch if it is loaded in this process, else null.
const dlpack::ExchangeApi* LoadedTorch();

/// What the outputs of a call without inputs become then: arrays of numpy if there is one, else
/// tensors of our own.
TensorSource SourceWithoutTorch();

void BindTensor(nb::module_& m);

}  // namespace hostnpu::bindings

#endif  // HOSTNPU_PYTHON_BINDINGS_TENSOR_H_

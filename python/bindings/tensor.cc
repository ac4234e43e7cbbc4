// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls take torch tensors, numpy arrays and anything with __dlpack__, and must not pay Python's
// price for looking at one. Torch offers C functions for it (a few tens of nanoseconds); numpy has
// the buffer protocol; the rest goes through a DLPack capsule.
#include "tensor.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "tilelang/ir/type.h"

namespace hostnpu::bindings {
namespace {

namespace ir = hostnpu::tilelang::ir;

struct KnownClass {
  PyTypeObject* type;
  const dlpack::ExchangeApi* api;  // null: has none
};

/// Classes seen so far; classes live long, and the list is short. Guarded by the interpreter's
/// lock.
std::vector<KnownClass>& KnownClasses() {
  static std::vector<KnownClass> classes;
  return classes;
}

const dlpack::ExchangeApi* ApiOfType(PyTypeObject* type) {
  std::vector<KnownClass>& classes = KnownClasses();
  for (const KnownClass& known : classes) {
    if (known.type == type) return known.api;
  }
  const dlpack::ExchangeApi* api = nullptr;
  PyObject* capsule =
      PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__dlpack_c_exchange_api__");
  if (capsule != nullptr && PyCapsule_IsValid(capsule, "dlpack_exchange_api") != 0) {
    api = static_cast<const dlpack::ExchangeApi*>(
        PyCapsule_GetPointer(capsule, "dlpack_exchange_api"));
    if (api != nullptr && (api->version.major != 1 || api->tensor_from_object == nullptr))
      api = nullptr;
  }
  Py_XDECREF(capsule);
  PyErr_Clear();
  Py_INCREF(type);  // the address must not be reused by another class
  classes.push_back({type, api});
  return api;
}

std::optional<dlpack::DataType> FormatType(const char* format, Py_ssize_t item_bytes) {
  if (format == nullptr) return std::nullopt;
  while (*format == '<' || *format == '=' || *format == '@' || *format == '|') ++format;
  const auto bits = static_cast<uint8_t>(item_bytes * 8);
  switch (*format) {
    case '?':
      return dlpack::DataType{dlpack::kBool, 8, 1};
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
      return dlpack::DataType{dlpack::kInt, bits, 1};
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
      return dlpack::DataType{dlpack::kUint, bits, 1};
    case 'e':
    case 'f':
    case 'd':
      return dlpack::DataType{dlpack::kFloat, bits, 1};
    default:
      return std::nullopt;
  }
}

[[noreturn]] void ThrowPython() { throw nb::python_error(); }

void SetAllocationError(void*, const char*, const char* message) {
  PyErr_SetString(PyExc_MemoryError, message);
}

nb::object AllocateByExchange(const dlpack::ExchangeApi& api, dlpack::Tensor prototype,
                              void** data) {
  dlpack::ManagedTensorVersioned* managed = nullptr;
  if (api.allocate(&prototype, &managed, nullptr, &SetAllocationError) != 0) {
    if (PyErr_Occurred() == nullptr)
      PyErr_SetString(PyExc_MemoryError, "an output cannot be allocated");
    ThrowPython();
  }
  *data = static_cast<char*>(managed->dl_tensor.data) + managed->dl_tensor.byte_offset;
  void* object = nullptr;
  if (api.to_object(managed, &object) != 0) ThrowPython();
  return nb::steal(static_cast<PyObject*>(object));
}

/// The types that numpy has with the package ml_dtypes only, under the names it has there.
struct MlType {
  ir::DType dtype;
  const char* name;
};
constexpr MlType kMlTypes[] = {{ir::DType::kBfloat16, "bfloat16"},
                               {ir::DType::kFloat8E4m3, "float8_e4m3fn"},
                               {ir::DType::kFloat8E5m2, "float8_e5m2"}};

std::optional<dlpack::DataType> MlDType(nb::handle array) {
  const auto name = nb::cast<std::string>(array.attr("dtype").attr("name"));
  for (const MlType& type : kMlTypes) {
    if (name == type.name) return ToDlpack(type.dtype);
  }
  return std::nullopt;
}

nb::object NumpyDType(ir::DType dtype) {
  nb::object type = nb::str(std::string(ir::DTypeName(dtype)).c_str());
  for (const MlType& known : kMlTypes) {
    if (known.dtype == dtype) type = nb::module_::import_("ml_dtypes").attr(known.name);
  }
  return nb::module_::import_("numpy").attr("dtype")(type);
}

nb::object AllocateNumpy(ir::DType dtype, const int64_t* shape, int32_t ndim, void** data) {
  nb::list sizes;
  for (int32_t i = 0; i < ndim; ++i) sizes.append(shape[i]);
  nb::object array =
      nb::module_::import_("numpy").attr("empty")(nb::tuple(sizes), NumpyDType(dtype));
  *data = reinterpret_cast<void*>(nb::cast<uintptr_t>(array.attr("ctypes").attr("data")));
  return array;
}

struct FreeMemory {
  void operator()(void* data) const { std::free(data); }
};

/// hostnpu.Tensor: memory of our own that any DLPack consumer can take.
struct OwnTensor {
  std::unique_ptr<void, FreeMemory> data;
  ir::DType dtype = ir::DType::kFloat32;
  std::vector<int64_t> shape;

  int64_t bytes() const {
    int64_t count = 1;
    for (const int64_t size : shape) count *= size;
    return ir::DTypeBytes(dtype, count);
  }
};

OwnTensor MakeOwn(ir::DType dtype, std::vector<int64_t> shape) {
  OwnTensor tensor{nullptr, dtype, std::move(shape)};
  constexpr size_t kAlignment = 512;
  const auto bytes = static_cast<size_t>(std::max<int64_t>(tensor.bytes(), 1));
  tensor.data.reset(
      std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment));
  if (tensor.data == nullptr) throw std::bad_alloc();
  return tensor;
}

struct Export {
  dlpack::ManagedTensorVersioned versioned{};
  dlpack::ManagedTensor plain{};
  std::vector<int64_t> shape;
  PyObject* owner = nullptr;
};

void ReleaseExport(Export* exported) {
  const PyGILState_STATE state = PyGILState_Ensure();
  Py_XDECREF(exported->owner);
  PyGILState_Release(state);
  delete exported;
}

nb::tuple ShapeTuple(const std::vector<int64_t>& shape) {
  nb::list sizes;
  for (const int64_t size : shape) sizes.append(size);
  return nb::tuple(sizes);
}

nb::object ExportTensor(nb::handle self, bool versioned) {
  const OwnTensor& tensor = nb::cast<const OwnTensor&>(self);
  auto* exported = new Export;
  exported->shape = tensor.shape;
  exported->owner = self.ptr();
  Py_INCREF(self.ptr());
  dlpack::Tensor view{};
  view.data = tensor.data.get();
  view.device = {dlpack::kCpu, 0};
  view.ndim = static_cast<int32_t>(tensor.shape.size());
  view.dtype = ToDlpack(tensor.dtype);
  view.shape = exported->shape.data();
  exported->versioned = {{1, 0},
                         exported,
                         [](dlpack::ManagedTensorVersioned* own) {
                           ReleaseExport(static_cast<Export*>(own->manager_ctx));
                         },
                         0,
                         view};
  exported->plain = {view, exported, [](dlpack::ManagedTensor* own) {
                       ReleaseExport(static_cast<Export*>(own->manager_ctx));
                     }};
  const auto destroy = [](PyObject* capsule) {
    // A consumer renames the capsule when it takes the tensor.
    if (PyCapsule_IsValid(capsule, "dltensor_versioned") != 0) {
      auto* own = static_cast<dlpack::ManagedTensorVersioned*>(
          PyCapsule_GetPointer(capsule, "dltensor_versioned"));
      own->deleter(own);
    } else if (PyCapsule_IsValid(capsule, "dltensor") != 0) {
      auto* own = static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
      own->deleter(own);
    }
  };
  PyObject* capsule = versioned ? PyCapsule_New(&exported->versioned, "dltensor_versioned", destroy)
                                : PyCapsule_New(&exported->plain, "dltensor", destroy);
  if (capsule == nullptr) ThrowPython();
  return nb::steal(capsule);
}

nb::object AllocateOwn(ir::DType dtype, const int64_t* shape, int32_t ndim, void** data) {
  OwnTensor tensor = MakeOwn(dtype, std::vector<int64_t>(shape, shape + ndim));
  *data = tensor.data.get();
  return nb::cast(std::move(tensor));
}

nb::object CopyOwn(const OwnTensor& tensor) {
  OwnTensor copy = MakeOwn(tensor.dtype, tensor.shape);
  std::memcpy(copy.data.get(), tensor.data.get(), static_cast<size_t>(tensor.bytes()));
  return nb::cast(std::move(copy));
}

/// __dlpack__ of the array API: `options` as a consumer may give them.
nb::object ToDlpackCapsule(nb::handle self, const nb::kwargs& options) {
  const auto given = [&](const char* name) {
    return options.contains(name) ? nb::object(options[name]) : nb::none();
  };
  for (const auto& [key, value] : options) {
    const auto name = nb::cast<std::string>(key);
    if (name != "stream" && name != "max_version" && name != "dl_device" && name != "copy")
      throw nb::type_error(fmt::format("__dlpack__ has no argument '{}'", name).c_str());
  }
  if (!given("stream").is_none())
    throw nb::buffer_error("a tensor of hostnpu is on the CPU, which has no stream");
  if (const nb::object device = given("dl_device");
      !device.is_none() && !device.equal(nb::make_tuple(dlpack::kCpu, 0)))
    throw nb::buffer_error(
        "a tensor of hostnpu is on the CPU and cannot be given to another device");
  const nb::object copy = given("copy");
  const nb::object source = !copy.is_none() && nb::cast<bool>(copy)
                                ? CopyOwn(nb::cast<const OwnTensor&>(self))
                                : nb::borrow(self);
  const nb::object version = given("max_version");
  return ExportTensor(source, !version.is_none() && nb::cast<int>(version[0]) >= 1);
}

/// __array__ of numpy. Through unsigned integers of the same width, because numpy's readers do not
/// know the types of ml_dtypes.
nb::object ToNumpy(nb::handle self, const nb::object& dtype, const nb::object& copy) {
  const OwnTensor& tensor = nb::cast<const OwnTensor&>(self);
  const nb::object own = NumpyDType(tensor.dtype);
  const bool converts = !dtype.is_none() && !own.equal(dtype);
  if (converts && !copy.is_none() && !nb::cast<bool>(copy))
    throw nb::value_error("a tensor of hostnpu changes its type only by a copy");
  nb::dict facts;
  facts["version"] = 3;
  facts["shape"] = ShapeTuple(tensor.shape);
  facts["typestr"] = fmt::format("=u{}", ir::DTypeBytes(tensor.dtype));
  facts["data"] = nb::make_tuple(reinterpret_cast<uintptr_t>(tensor.data.get()), false);
  nb::dict fields;
  fields["__array_interface__"] = facts;
  fields["owner"] = self;  // lives as long as the array
  const nb::object holder = nb::module_::import_("types").attr("SimpleNamespace")(**fields);
  const nb::object array = nb::module_::import_("numpy").attr("asarray")(holder).attr("view")(own);
  if (converts) return array.attr("astype")(dtype);
  return !copy.is_none() && nb::cast<bool>(copy) ? nb::object(array.attr("copy")()) : array;
}

}  // namespace

void TensorView::CheckSign(nb::handle object) const {
  // The imaginary part of a conjugate is a view that torch negates as it is read. It takes every
  // other element, so that only one of a single element passes for contiguous.
  if (count() != 1 || !nb::hasattr(object, "is_neg") || !nb::cast<bool>(object.attr("is_neg")()))
    return;
  PyErr_SetString(PyExc_ValueError,
                  "torch negates it as it is read, and memory has the other sign; pass "
                  "x.resolve_neg()");
  ThrowPython();
}

bool TensorView::Open(nb::handle object) {
  PyTypeObject* type = Py_TYPE(object.ptr());
  api_ = ApiOfType(type);
  if (api_ != nullptr) {
    if (api_->tensor_from_object(object.ptr(), &tensor_) != 0) ThrowPython();
    CheckSign(object);
    data_ = static_cast<char*>(tensor_.data) + tensor_.byte_offset;
    source_ = TensorSource::kExchange;
    return true;
  }
  if (PyObject_CheckBuffer(object.ptr()) != 0 && std::strcmp(type->tp_name, "numpy.ndarray") == 0) {
    if (OpenNumpy(object)) return true;
  }
  return OpenDlpack(object);
}

bool TensorView::OpenNumpy(nb::handle object) {
  std::optional<dlpack::DataType> dtype;
  if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_STRIDES | PyBUF_FORMAT) == 0) {
    has_buffer_ = true;
    dtype = FormatType(buffer_.format, buffer_.itemsize);
  } else {
    // An element type that buffers do not describe. Those of ml_dtypes go as bytes of their width.
    PyErr_Clear();
    dtype = MlDType(object);
    if (!dtype) return false;
    const nb::object bits = object.attr("view")(dtype->bits == 8 ? "uint8" : "uint16");
    if (PyObject_GetBuffer(bits.ptr(), &buffer_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) ThrowPython();
    has_buffer_ = true;
  }
  if (!dtype) {
    Release();
    return false;
  }
  static_assert(sizeof(Py_ssize_t) == sizeof(int64_t));
  data_ = buffer_.buf;
  writable_ = buffer_.readonly == 0;
  tensor_ = {buffer_.buf,
             {dlpack::kCpu, 0},
             buffer_.ndim,
             *dtype,
             reinterpret_cast<int64_t*>(buffer_.shape),
             reinterpret_cast<int64_t*>(buffer_.strides),
             0};
  strides_in_bytes_ = true;
  source_ = TensorSource::kNumpy;
  return true;
}

bool TensorView::OpenDlpack(nb::handle object) {
  PyObject* method = PyObject_GetAttrString(object.ptr(), "__dlpack__");
  if (method == nullptr) {
    PyErr_Clear();
    return false;
  }
  PyObject* capsule = PyObject_CallNoArgs(method);
  Py_DECREF(method);
  if (capsule == nullptr) ThrowPython();
  capsule_ = nb::steal(capsule);
  if (PyCapsule_IsValid(capsule, "dltensor_versioned") != 0) {
    const auto* managed = static_cast<dlpack::ManagedTensorVersioned*>(
        PyCapsule_GetPointer(capsule, "dltensor_versioned"));
    tensor_ = managed->dl_tensor;
    writable_ = (managed->flags & dlpack::kReadOnly) == 0;
  } else if (PyCapsule_IsValid(capsule, "dltensor") != 0) {
    tensor_ =
        static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"))->dl_tensor;
  } else {
    return false;
  }
  data_ = static_cast<char*>(tensor_.data) + tensor_.byte_offset;
  const bool numpy = std::strcmp(Py_TYPE(object.ptr())->tp_name, "numpy.ndarray") == 0;
  source_ = numpy ? TensorSource::kNumpy : TensorSource::kDlpack;
  return true;
}

void TensorView::Release() {
  if (has_buffer_) PyBuffer_Release(&buffer_);
  has_buffer_ = false;
  capsule_ = nb::object();  // not taken, so its own destructor releases the tensor
  source_ = TensorSource::kNone;
  api_ = nullptr;
  tensor_ = {};
  data_ = nullptr;
  writable_ = true;
  strides_in_bytes_ = false;
}

std::optional<ir::DType> TensorView::dtype() const {
  const dlpack::DataType& type = tensor_.dtype;
  if (type.lanes != 1) return std::nullopt;
  const auto sized = [&](ir::DType b8, ir::DType b16, ir::DType b32,
                         ir::DType b64) -> std::optional<ir::DType> {
    switch (type.bits) {
      case 8:
        return b8;
      case 16:
        return b16;
      case 32:
        return b32;
      case 64:
        return b64;
      default:
        return std::nullopt;
    }
  };
  using D = ir::DType;
  switch (type.code) {
    case dlpack::kInt:
      return type.bits == 4 ? std::optional(D::kInt4)
                            : sized(D::kInt8, D::kInt16, D::kInt32, D::kInt64);
    case dlpack::kUint:
      return sized(D::kUint8, D::kUint16, D::kUint32, D::kUint64);
    case dlpack::kFloat:
      return type.bits == 8 ? std::nullopt
                            : sized(D::kFloat16, D::kFloat16, D::kFloat32, D::kFloat64);
    case dlpack::kBfloat:
      return D::kBfloat16;
    case dlpack::kBool:
      return D::kBool;
    case dlpack::kFloat8E4m3fn:
      return D::kFloat8E4m3;
    case dlpack::kFloat8E5m2:
      return D::kFloat8E5m2;
    default:
      return std::nullopt;
  }
}

std::string TensorView::DTypeText() const {
  if (const auto type = dtype()) return std::string(ir::DTypeName(*type));
  return fmt::format("a type of {} bits (DLPack code {})", tensor_.dtype.bits, tensor_.dtype.code);
}

std::string TensorView::ShapeText() const {
  std::vector<int64_t> shape(tensor_.shape, tensor_.shape + tensor_.ndim);
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

int64_t TensorView::count() const {
  int64_t product = 1;
  for (int32_t i = 0; i < tensor_.ndim; ++i) product *= tensor_.shape[i];
  return product;
}

bool TensorView::contiguous() const {
  if (tensor_.strides == nullptr) return true;
  int64_t expected = strides_in_bytes_ ? tensor_.dtype.bits / 8 : 1;
  bool dense = true;
  for (int32_t i = tensor_.ndim - 1; i >= 0; --i) {
    if (tensor_.shape[i] == 0) return true;
    if (tensor_.shape[i] != 1 && tensor_.strides[i] != expected) dense = false;
    expected *= tensor_.shape[i];
  }
  return dense;
}

dlpack::DataType ToDlpack(ir::DType dtype) {
  const auto bits = static_cast<uint8_t>(ir::DTypeBits(dtype));
  if (dtype == ir::DType::kBfloat16) return {dlpack::kBfloat, bits, 1};
  if (dtype == ir::DType::kFloat8E4m3) return {dlpack::kFloat8E4m3fn, bits, 1};
  if (dtype == ir::DType::kFloat8E5m2) return {dlpack::kFloat8E5m2, bits, 1};
  switch (ir::ClassOf(dtype)) {
    case ir::DTypeClass::kBool:
      return {dlpack::kBool, bits, 1};
    case ir::DTypeClass::kInt:
      return {dlpack::kInt, bits, 1};
    case ir::DTypeClass::kUint:
      return {dlpack::kUint, bits, 1};
    case ir::DTypeClass::kFloat:
      break;
  }
  return {dlpack::kFloat, bits, 1};
}

nb::object AllocateTensor(TensorSource source, const dlpack::ExchangeApi* api, ir::DType dtype,
                          const int64_t* shape, int32_t ndim, void** data) {
  if (source == TensorSource::kExchange) {
    dlpack::Tensor prototype{};
    prototype.device = {dlpack::kCpu, 0};
    prototype.ndim = ndim;
    prototype.dtype = ToDlpack(dtype);
    prototype.shape = const_cast<int64_t*>(shape);
    return AllocateByExchange(*api, prototype, data);
  }
  if (source == TensorSource::kNumpy) return AllocateNumpy(dtype, shape, ndim, data);
  return AllocateOwn(dtype, shape, ndim, data);
}

const dlpack::ExchangeApi* LoadedTorch() {
  PyObject* modules = PyImport_GetModuleDict();
  PyObject* torch = PyDict_GetItemString(modules, "torch");  // borrowed
  if (torch == nullptr) return nullptr;
  PyObject* type = PyObject_GetAttrString(torch, "Tensor");
  if (type == nullptr || PyType_Check(type) == 0) {
    PyErr_Clear();
    Py_XDECREF(type);
    return nullptr;
  }
  const dlpack::ExchangeApi* api = ApiOfType(reinterpret_cast<PyTypeObject*>(type));
  Py_DECREF(type);
  return api;
}

TensorSource SourceWithoutTorch() {
  PyObject* numpy = PyImport_ImportModule("numpy");
  if (numpy == nullptr) PyErr_Clear();
  const bool found = numpy != nullptr;
  Py_XDECREF(numpy);
  return found ? TensorSource::kNumpy : TensorSource::kDlpack;
}

void BindTensor(nb::module_& m) {
  auto cls = nb::class_<OwnTensor>(
      m, "Tensor", "A result whose memory is hostnpu's: __dlpack__ and __array__ give it on.");
  cls.def_prop_ro("shape", [](const OwnTensor& self) { return ShapeTuple(self.shape); });
  cls.def_prop_ro("dtype",
                  [](const OwnTensor& self) { return std::string(ir::DTypeName(self.dtype)); });
  cls.def("__dlpack_device__", [](const OwnTensor&) { return nb::make_tuple(dlpack::kCpu, 0); });
  cls.def("__dlpack__", &ToDlpackCapsule);
  cls.def("__array__", &ToNumpy, nb::arg("dtype").none() = nb::none(),
          nb::arg("copy").none() = nb::none());
  cls.def("__repr__", [](const OwnTensor& self) {
    return fmt::format("hostnpu.Tensor(shape=({}{}), dtype={})", fmt::join(self.shape, ", "),
                       self.shape.size() == 1 ? "," : "", ir::DTypeName(self.dtype));
  });
}

}  // namespace hostnpu::bindings

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// GlobalTensor and LocalTensor: typed views of GM and of the on-chip memories. A LocalTensor holds
// a host pointer; the position says which memory it lies in, and so which checks apply.
#ifndef HOSTNPU_ASCENDC_BASIC_TENSOR_H_
#define HOSTNPU_ASCENDC_BASIC_TENSOR_H_

#include "../detail/core.h"

namespace AscendC {

#define K_MAX_SHAPE_DIM 8  // a macro: programs ask with #ifndef

/// Shape of a tensor as a user notes it; the library itself never reads it.
struct ShapeInfo {
  ShapeInfo() = default;
  ShapeInfo(uint8_t dims, const uint32_t* sizes, uint8_t original_dims,
            const uint32_t* original_sizes, DataFormat format)
      : shapeDim(dims), originalShapeDim(original_dims), dataFormat(format) {
    CheckDims("ShapeInfo", dims);
    CheckDims("ShapeInfo", original_dims);
    for (uint32_t i = 0; i < dims; ++i) shape[i] = sizes[i];
    for (uint32_t i = 0; i < original_dims; ++i) originalShape[i] = original_sizes[i];
  }
  ShapeInfo(uint8_t dims, const uint32_t* sizes, DataFormat format)
      : ShapeInfo(dims, sizes, dims, sizes, format) {}
  ShapeInfo(uint8_t dims, const uint32_t* sizes) : ShapeInfo(dims, sizes, DataFormat::ND) {}

  /// A number of dimensions that the record has room for.
  static void CheckDims(const char* api, uint8_t dims) {
    if (HOSTNPU_UNLIKELY(dims > K_MAX_SHAPE_DIM)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "has %u dimensions; the most are %u", dims,
                    K_MAX_SHAPE_DIM);
    }
  }

  uint8_t shapeDim = 0;
  uint8_t originalShapeDim = 0;
  uint32_t shape[K_MAX_SHAPE_DIM] = {};
  uint32_t originalShape[K_MAX_SHAPE_DIM] = {};
  DataFormat dataFormat = DataFormat::ND;
};

/// Elements of a shape: the product of its dimensions; 1 for none.
inline int32_t GetShapeSize(const ShapeInfo& info) {
  ShapeInfo::CheckDims("GetShapeSize", info.shapeDim);
  int32_t size = 1;
  for (uint32_t i = 0; i < info.shapeDim; ++i) size *= static_cast<int32_t>(info.shape[i]);
  return size;
}

/// A buffer of a TPipe: where it lies, how long it is, and what its queue last did with it.
enum class TBufState : uint8_t { FREE = 0, OCCUPIED, ENQUE, DEQUE };
struct TBufType {
  TBufState state = TBufState::FREE;
  HardEvent enQueEvt = HardEvent::MAX;  // of the flag EnQue has set, while it is set
  HardEvent freeBufEvt = HardEvent::MAX;
  TEventID enQueEvtID = -1;
  TEventID freeBufEvtID = -1;
  uint32_t address = 0;  // offset in its memory
  uint32_t dataLen = 0;  // bytes
  uint32_t usertag = 0;
};
using TBufHandle = uint8_t*;

/// The address part of a LocalTensor, under the names users of the vendor's header know. Without a
/// buffer it counts as one of UB, where every access to it is out of bounds.
struct TBuffAddr {
  uint32_t dataLen = 0;     // bytes from absAddr to the end of the buffer
  uint32_t bufferAddr = 0;  // offset in the memory
  TBufHandle bufferHandle = nullptr;
  uint8_t logicPos = static_cast<uint8_t>(TPosition::VECCALC);
  uint8_t* absAddr = nullptr;
};

namespace internal {
/// Element i of a packed int4 array, as a value; other types as they are.
template <typename T>
HOSTNPU_INLINE T LoadElement(const T* base, uint64_t index) {
  if constexpr (IsSameType<T, int4b_t>::value) {
    const uint8_t byte = reinterpret_cast<const uint8_t*>(base)[index / 2];
    return int4b_t{static_cast<uint8_t>(index % 2 == 0 ? byte & 15 : byte >> 4)};
  } else {
    return base[index];
  }
}
#if __has_feature(address_sanitizer)
#define HOSTNPU_GM_SCALAR_LOAD __attribute__((no_sanitize("address"), noinline))
#else
#define HOSTNPU_GM_SCALAR_LOAD HOSTNPU_INLINE
#endif
/// Whether the host moves elements of that size in one piece.
template <typename T>
inline constexpr bool kMovesWhole = sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0;

/// A scalar of GM moves in one piece, because another core may poll it. What is read CheckGm has
/// let pass; it may be one of the bytes which aclrtMalloc adds behind a buffer: AddressSanitizer,
/// who is told that they are nobody's, is not asked again.
template <typename T>
HOSTNPU_GM_SCALAR_LOAD T LoadGmScalar(const T* address) {
  T value;
  if constexpr (kMovesWhole<T>) {
    __atomic_load(const_cast<T*>(address), &value, __ATOMIC_RELAXED);
  } else {
    __builtin_memcpy(&value, address, sizeof(value));
  }
  return value;
}
template <typename T>
HOSTNPU_INLINE void StoreGmScalar(T* address, T value) {
  if constexpr (kMovesWhole<T>) {
    __atomic_store(address, &value, __ATOMIC_RELAXED);
  } else {
    __builtin_memcpy(address, &value, sizeof(value));
  }
}
template <typename T>
HOSTNPU_INLINE void StoreElement(T* base, uint64_t index, T value) {
  if constexpr (IsSameType<T, int4b_t>::value) {
    uint8_t& byte = reinterpret_cast<uint8_t*>(base)[index / 2];
    byte = static_cast<uint8_t>(index % 2 == 0 ? (byte & 0xF0) | (value.storage & 15)
                                               : (byte & 15) | (value.storage << 4));
  } else {
    base[index] = value;
  }
}
/// Code that watches GM in a loop must let other cores run, or it would wait for ever.
HOSTNPU_INLINE void CountPoll() {
  HostnpuCore& core = ThisCore();
  if (HOSTNPU_UNLIKELY(++core.poll_count >= 4096)) {
    core.poll_count = 0;
    core.abi->yield(&core);
  }
}
}  // namespace internal

/// A typed view of global memory.
template <typename T>
class GlobalTensor {
 public:
  using PrimType = PrimT<T>;

  GlobalTensor() = default;

  /// `size` in elements; 0: not stated.
  void SetGlobalBuffer(__gm__ PrimType* address, uint64_t size) {
    address_ = address;
    size_ = size;
  }
  void SetGlobalBuffer(__gm__ PrimType* address) { SetGlobalBuffer(address, 0); }

  const __gm__ PrimType* GetPhyAddr() const { return address_; }
  __gm__ PrimType* GetPhyAddr(uint64_t offset) const { return At(offset); }

  /// A scalar read; checked against the allocation.
  PrimType GetValue(uint64_t offset) const {
    const PrimType* element = At(offset);
    internal::CheckGm("GlobalTensor::GetValue", element, sizeof(PrimType), HOSTNPU_GM_READ_SCALAR);
    internal::CountPoll();
    if constexpr (SizeOfBits<PrimType>::value < 8) return internal::LoadElement(address_, offset);
    // Read anew each time, because another core may have written it. Not through a volatile
    // pointer: a bfloat16 is a class, and classes are not copied from volatile.
    asm volatile("" : : : "memory");
    return internal::LoadGmScalar(element);
  }
  /// A scalar write; checked against the allocation.
  void SetValue(uint64_t offset, PrimType value) {
    PrimType* element = At(offset);
    internal::CheckGm("GlobalTensor::SetValue", element, sizeof(PrimType), HOSTNPU_GM_WRITE);
    if constexpr (SizeOfBits<PrimType>::value < 8) {
      internal::StoreElement(address_, offset, value);
    } else {
      internal::StoreGmScalar(element, value);
    }
  }
  __gm__ PrimType& operator()(uint64_t offset) const {
    static_assert(SizeOfBits<PrimType>::value >= 8, "an int4b_t has no address: use SetValue");
    PrimType* element = At(offset);
    internal::CheckGm("GlobalTensor::operator()", element, sizeof(PrimType), HOSTNPU_GM_READ);
    return *element;
  }
  GlobalTensor operator[](uint64_t offset) const {
    GlobalTensor part = *this;
    part.address_ = At(offset);
    part.size_ = size_ > offset ? size_ - offset : 0;
    return part;
  }

  uint64_t GetSize() const { return size_; }
  void SetSize(uint64_t size) { size_ = size; }
  void SetShapeInfo(const ShapeInfo& info) { shape_info_ = info; }
  ShapeInfo GetShapeInfo() const { return shape_info_; }
  template <CacheRwMode rw = CacheRwMode::RW>
  void SetL2CacheHint(CacheMode) {}  // caching does not change results

  __gm__ PrimType* address_ = nullptr;

 private:
  /// A number, as on the device: a kernel may step before the buffer and come back, and what is
  /// accessed is checked.
  PrimType* At(uint64_t offset) const {
    constexpr uint64_t kBits = SizeOfBits<PrimType>::value;
    return reinterpret_cast<PrimType*>(reinterpret_cast<uint64_t>(address_) +
                                       (kBits < 8 ? offset * kBits / 8 : offset * (kBits / 8)));
  }

  uint64_t size_ = 0;
  ShapeInfo shape_info_;
};

/// A typed view of an on-chip memory of this core.
template <typename T>
class LocalTensor {
 public:
  using PrimType = PrimT<T>;

  LocalTensor() = default;
  /// Static tensor programming: `byte_offset` into the memory of `position`, `size` in elements.
  LocalTensor(TPosition position, uint32_t byte_offset, uint32_t size) {
    const HostnpuMemoryKind kind = internal::MemoryOf(position);
    if (kind == HOSTNPU_MEMORY_GM) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "LocalTensor",
                    "is given position %d, which is not on the chip", (int)position);
    }
    const HostnpuLocalMemory& memory = internal::ThisCore().memory[kind];
    const uint64_t bytes = internal::BytesOf<T>(size);
    if (byte_offset > memory.size_bytes || bytes > memory.size_bytes - byte_offset) {
      internal::LocalBoundsFault("LocalTensor", kind, memory.base + byte_offset, bytes);
    }
    address_.absAddr = memory.base + byte_offset;
    address_.bufferAddr = byte_offset;
    address_.dataLen = static_cast<uint32_t>(bytes);
    address_.logicPos = static_cast<uint8_t>(position);
  }
  /// A tensor in UB from `byte_offset` to the end of the memory.
  explicit LocalTensor(uint32_t byte_offset)
      : LocalTensor(
            TPosition::VECCALC, byte_offset,
            static_cast<uint32_t>(internal::ElementsIn<T>(
                internal::ThisCore().memory[HOSTNPU_MEMORY_UB].size_bytes > byte_offset
                    ? internal::ThisCore().memory[HOSTNPU_MEMORY_UB].size_bytes - byte_offset
                    : 0))) {}
  explicit LocalTensor(const TBuffAddr& address) : address_(address) {}
  /// dst = a + b: computes the expression into this tensor; see tensor_operators.h.
  template <typename Expression, typename = typename Expression::HostnpuExpression>
  LocalTensor& operator=(const Expression& expression) {
    expression.Into(*this);
    return *this;
  }

  uint32_t GetSize() const {
    return static_cast<uint32_t>(internal::ElementsIn<T>(address_.dataLen));
  }
  void SetSize(uint32_t size) {
    address_.dataLen = static_cast<uint32_t>(internal::BytesOf<T>(size));
  }
  uint32_t GetLength() const { return address_.dataLen; }
  void SetBufferLen(uint32_t elements) { SetSize(elements); }

  PrimType GetValue(uint32_t index) const {
    const PrimType* element = At(index);
    if (HOSTNPU_UNLIKELY(IsNowhere(element))) return PrimType();
    internal::CheckLocal("LocalTensor::GetValue", Memory(), element, sizeof(PrimType));
    if constexpr (SizeOfBits<PrimType>::value < 8) return internal::LoadElement(Data(), index);
    return *element;
  }
  template <typename U>
  void SetValue(uint32_t index, U value) const {
    PrimType* element = At(index);
    if (HOSTNPU_UNLIKELY(IsNowhere(element))) return;
    internal::CheckLocal("LocalTensor::SetValue", Memory(), element, sizeof(PrimType));
    if constexpr (SizeOfBits<PrimType>::value < 8) {
      internal::StoreElement(Data(), index, PrimType(value));
    } else {
      *element = static_cast<PrimType>(value);
    }
  }
  PrimType& operator()(uint32_t index) const {
    static_assert(SizeOfBits<PrimType>::value >= 8, "an int4b_t has no address: use SetValue");
    PrimType* element = At(index);
    internal::CheckLocal("LocalTensor::operator()", Memory(), element, sizeof(PrimType));
    return *element;
  }
  LocalTensor operator[](uint32_t offset) const {
    LocalTensor part = *this;
    const uint64_t bytes = static_cast<uint64_t>(offset) * SizeOfBits<PrimType>::value / 8;
    // Wherever that is: what uses the tensor checks it.
    part.address_.absAddr =
        reinterpret_cast<uint8_t*>(reinterpret_cast<uint64_t>(address_.absAddr) + bytes);
    part.address_.bufferAddr += static_cast<uint32_t>(bytes);
    part.address_.dataLen =
        address_.dataLen > bytes ? address_.dataLen - static_cast<uint32_t>(bytes) : 0;
    return part;
  }
  template <typename U>
  LocalTensor<U> ReinterpretCast() const {
    return LocalTensor<U>(address_);
  }

  /// Not the vendor's: where the elements are.
  PrimType* Data() const { return reinterpret_cast<PrimType*>(address_.absAddr); }

  /// The address as a number, as on the device: kernels add bytes to it, and cast it to pointers.
  /// Element offset in `offset`.
  uint64_t GetPhyAddr() const { return reinterpret_cast<uint64_t>(Data()); }
  uint64_t GetPhyAddr(uint32_t offset) const { return reinterpret_cast<uint64_t>(At(offset)); }
  int32_t GetPosition() const { return address_.logicPos; }
  TBufHandle GetBufferHandle() const { return address_.bufferHandle; }

  void SetUserTag(uint32_t tag) {
    if (address_.bufferHandle != nullptr)
      reinterpret_cast<TBufType*>(address_.bufferHandle)->usertag = tag;
  }
  uint32_t GetUserTag() const {
    return address_.bufferHandle != nullptr
               ? reinterpret_cast<TBufType*>(address_.bufferHandle)->usertag
               : 0;
  }
  void SetAddr(const TBuffAddr& address) { address_ = address; }
  /// Becomes `source` advanced by `offset` of its elements.
  template <typename U>
  void SetAddrWithOffset(LocalTensor<U>& source, uint32_t offset) {
    address_ = source[offset].address_;
  }
  void SetShapeInfo(const ShapeInfo& info) { shape_info_ = info; }
  ShapeInfo GetShapeInfo() const { return shape_info_; }

  HostnpuMemoryKind Memory() const {
    return internal::MemoryOf(static_cast<TPosition>(address_.logicPos));
  }

  TBuffAddr address_;

 private:
  /// A cube core has no UB, and copies into it are not made there. A vector kernel that runs on one
  /// all the same (the CPU twin's mixed mode) takes indices from what it never loaded.
  bool IsNowhere(const PrimType* element) const {
    return internal::OnCubeCore() && Memory() == HOSTNPU_MEMORY_UB &&
           !internal::IsInLocal(HOSTNPU_MEMORY_UB, element, sizeof(PrimType));
  }
  PrimType* At(uint32_t offset) const {
    return reinterpret_cast<PrimType*>(reinterpret_cast<uint64_t>(address_.absAddr) +
                                       static_cast<uint64_t>(offset) * SizeOfBits<PrimType>::value /
                                           8);
  }

  ShapeInfo shape_info_;
};

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_TENSOR_H_

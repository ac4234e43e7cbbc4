// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// TQueBind and TQue: buffers of one on-chip memory that travel between two pipes. A buffer goes
//
//     FREE -> AllocTensor -> OCCUPIED -> EnQue -> ENQUE -> DeQue -> DEQUE -> FreeTensor -> FREE
//
// and each step that the hardware orders by a flag takes an event id for as long, so that
// AllocEventID and FetchEventID answer as they do on the device.
#ifndef HOSTNPU_ASCENDC_BASIC_QUEUE_H_
#define HOSTNPU_ASCENDC_BASIC_QUEUE_H_

#include "sync.h"
#include "tensor.h"

namespace AscendC {

constexpr TEventID INVALID_TEVENTID = -1;

/// Options of a queue, as its last template argument.
struct TQueConfig {
  bool nd2nz = false;
  bool nz2nd = false;
  bool scmBlockGroup = false;
  uint32_t bufferLen = 0;
  uint32_t bufferNumber = 0;
  uint32_t consumerSize = 0;
  TPosition consumer[8] = {};
  bool enableStaticEvtId = false;
  bool enableLoopQueue = false;
};

namespace internal {

constexpr const char* kPositionNames[] = {
    "GM",  "A1",    "A2",     "B1",      "B2",  "C1",   "C2",        "CO1",
    "CO2", "VECIN", "VECOUT", "VECCALC", "SPM", "TSCM", "C2PIPE2GM", "C2PIPE2LOCAL"};
constexpr const char* PositionName(TPosition position) {
  return position < TPosition::MAX ? kPositionNames[static_cast<int>(position)] : "?";
}

/// The position whose memory a queue from `source` to `target` uses.
constexpr TPosition BufferPosition(TPosition source, TPosition target) {
  const bool leaves = target == TPosition::GM || target == TPosition::CO2;
  return leaves ? source : target;
}

/// The event that lets the consumer go on (`forward`), or the producer write again.
constexpr HardEvent QueueEvent(TPosition source_position, TPosition target_position, bool forward) {
  const HostnpuMemoryKind source = MemoryOf(source_position);
  const HostnpuMemoryKind target = MemoryOf(target_position);
  HardEvent there = HardEvent::MAX;
  HardEvent back = HardEvent::MAX;
  if (source == HOSTNPU_MEMORY_GM) {
    if (target == HOSTNPU_MEMORY_UB) there = HardEvent::MTE2_V, back = HardEvent::V_MTE2;
    if (target == HOSTNPU_MEMORY_L1) there = HardEvent::MTE2_MTE1, back = HardEvent::MTE1_MTE2;
    if (target == HOSTNPU_MEMORY_L0A || target == HOSTNPU_MEMORY_L0B)
      there = HardEvent::MTE2_M, back = HardEvent::M_MTE2;
  } else if (source == HOSTNPU_MEMORY_UB) {
    if (target == HOSTNPU_MEMORY_GM) there = HardEvent::V_MTE3, back = HardEvent::MTE3_V;
    if (target == HOSTNPU_MEMORY_L1) there = HardEvent::MTE3_MTE1, back = HardEvent::MTE1_MTE3;
    if (target == HOSTNPU_MEMORY_UB) there = HardEvent::MTE2_MTE3, back = HardEvent::MTE3_MTE2;
    if (target == HOSTNPU_MEMORY_L0C) there = HardEvent::V_V;
  } else if (source == HOSTNPU_MEMORY_L1) {
    there = HardEvent::MTE1_M, back = HardEvent::M_MTE1;
    if (target == HOSTNPU_MEMORY_UB) there = HardEvent::MTE1_V, back = HardEvent::V_MTE1;
    if (target == HOSTNPU_MEMORY_FB) there = HardEvent::MTE1_FIX, back = HardEvent::FIX_MTE1;
  } else if (source == HOSTNPU_MEMORY_L0A || source == HOSTNPU_MEMORY_L0B) {
    there = HardEvent::M_V, back = HardEvent::V_M;
  } else if (source == HOSTNPU_MEMORY_L0C) {
    there = HardEvent::M_FIX, back = HardEvent::FIX_M;
  }
  return forward ? there : back;
}

/// The partner of a position in a TQue.
constexpr TPosition QueueSource(TPosition position) {
  switch (position) {
    case TPosition::A2:
      return TPosition::A1;
    case TPosition::B2:
      return TPosition::B1;
    case TPosition::C2:
      return TPosition::C1;
    case TPosition::CO1:
    case TPosition::CO2:
    case TPosition::VECOUT:
      return position;
    case TPosition::SPM:
      return TPosition::VECOUT;
    case TPosition::C2PIPE2GM:
      return TPosition::B1;
    default:
      return TPosition::GM;
  }
}
constexpr TPosition QueueTarget(TPosition position) {
  switch (position) {
    case TPosition::CO1:
      return TPosition::CO2;
    case TPosition::CO2:
    case TPosition::VECOUT:
    case TPosition::SPM:
      return TPosition::GM;
    default:
      return position;
  }
}

/// The event of an EnQue between two positions that the caller names; MAX if it may not.
constexpr HardEvent UserEvent(TPosition from, TPosition to) {
  const HostnpuMemoryKind source = MemoryOf(from);
  const HostnpuMemoryKind target = MemoryOf(to);
  const bool known = (from == TPosition::GM || source == HOSTNPU_MEMORY_UB) &&
                     (to == TPosition::GM || target == HOSTNPU_MEMORY_UB);
  return known ? QueueEvent(from, to, true) : HardEvent::MAX;
}

/// What every queue has, whatever its positions and depth: its buffers and how they stand.
class QueueBuffers {
 public:
  /// Takes `count` buffers of the pipe that lie behind each other in its table.
  void SetBuffers(TBufType* first, uint32_t count) {
    first_ = first;
    count_ = static_cast<uint8_t>(count);
    cursor_ = 0;
    head_ = 0;
    tail_ = 0;
    queued_ = 0;
  }

 protected:
  bool Holds(const TBufType* buffer) const { return buffer >= first_ && buffer < first_ + count_; }
  uint32_t CountIn(TBufState state) const {
    uint32_t count = 0;
    for (uint32_t i = 0; i < count_; ++i) count += first_[i].state == state;
    return count;
  }
  HOSTNPU_FAULT_FUNCTION void Fault(const char* api, const char* what, TPosition position,
                                    int depth) const {
    if (count_ == 0) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_QUEUE, api,
                    "is called on a %s queue that InitBuffer has not given buffers",
                    PositionName(position));
    }
    HOSTNPU_FAULT(HOSTNPU_FAULT_QUEUE, api,
                  "%s (%s queue of depth %d with %u buffer%s of %u bytes: %u free, %u allocated, "
                  "%u enqueued, %u dequeued)",
                  what, PositionName(position), depth, count_, count_ == 1 ? "" : "s",
                  first_->dataLen, CountIn(TBufState::FREE), CountIn(TBufState::OCCUPIED),
                  CountIn(TBufState::ENQUE), CountIn(TBufState::DEQUE));
  }

  TBufType* first_ = nullptr;
  uint8_t count_ = 0;
  uint8_t cursor_ = 0;
  uint16_t head_ = 0;
  uint16_t tail_ = 0;
  uint16_t queued_ = 0;
};

}  // namespace internal

/// A queue whose two ends are any two positions.
template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind : public internal::QueueBuffers {
 public:
  static constexpr TPosition kBufferPosition = internal::BufferPosition(src, dst);
  static constexpr HardEvent enQueEvt = internal::QueueEvent(src, dst, true);
  static constexpr HardEvent freeBufEvt = internal::QueueEvent(src, dst, false);
  static constexpr TPosition srcPosition = src;
  static constexpr TPosition dstPosition = dst;
  static constexpr int32_t queDepth = depth;
  static constexpr bool isTQue = true;

  /// A free buffer, in the order of the ring. None free is an error: nothing could free one.
  template <typename T>
  LocalTensor<T> AllocTensor() {
    static_assert(depth != 0, "a queue of depth 0 allocates by AllocTensor(tensor)");
    return TensorOf<T>(AllocBuffer());
  }
  template <typename T>
  void AllocTensor(LocalTensor<T>& tensor) {
    static_assert(depth == 0, "a queue allocates in place only with depth 0");
    tensor.SetAddr(GetBufferAddr(AllocBuffer()));
  }
  /// Gives the buffer back.
  template <typename T>
  void FreeTensor(LocalTensor<T>& tensor) {
    FreeBuffer(tensor.GetBufferHandle());
  }
  template <typename T>
  void FreeTensor(LocalTensor<T>&& tensor) {
    FreeBuffer(tensor.GetBufferHandle());
  }

  /// Appends a tensor that AllocTensor or DeQue of this queue has given.
  template <typename T>
  bool EnQue(const LocalTensor<T>& tensor) {
    return EnQueAs(tensor.GetBufferHandle(), enQueEvt);
  }
  bool EnQue(TBufHandle buffer) { return EnQueAs(buffer, enQueEvt); }
  /// The same between two positions of the caller's choice.
  template <TPosition from, TPosition to, typename T>
  bool EnQue(const LocalTensor<T>& tensor) {
    static_assert(depth != 0, "a queue of depth 0 has no positions of the caller's choice");
    static_assert(internal::UserEvent(from, to) != HardEvent::MAX,
                  "EnQue takes GM, VECIN, VECOUT and VECCALC, at most one of them GM");
    return EnQueAs(tensor.GetBufferHandle(), internal::UserEvent(from, to));
  }

  /// The oldest tensor in the queue. An empty queue is an error.
  template <typename T>
  LocalTensor<T> DeQue() {
    static_assert(depth != 0, "a queue of depth 0 takes tensors by DeQue(tensor)");
    return TensorOf<T>(DeQue());
  }
  template <typename T>
  void DeQue(LocalTensor<T>& tensor) {
    static_assert(depth == 0, "a queue takes tensors in place only with depth 0");
    Leave(BufferOf("DeQue", tensor.GetBufferHandle()));
  }
  template <TPosition from, TPosition to, typename T>
  LocalTensor<T> DeQue() {
    static_assert(internal::UserEvent(from, to) != HardEvent::MAX,
                  "DeQue takes GM, VECIN, VECOUT and VECCALC, at most one of them GM");
    return TensorOf<T>(DeQue());
  }
  TBufHandle DeQue() {
    if (HOSTNPU_UNLIKELY(queued_ == 0)) {
      Fault("DeQue", "finds the queue empty", kBufferPosition, depth);
    }
    TBufType* buffer = fifo_[head_];
    head_ = static_cast<uint16_t>(head_ + 1 == kSlots ? 0 : head_ + 1);
    --queued_;
    Leave(buffer);
    return reinterpret_cast<TBufHandle>(buffer);
  }

  /// Whether another tensor can be enqueued.
  bool VacantInQue() const { return queued_ < depth; }
  bool HasTensorInQue() const { return queued_ != 0; }
  int32_t GetTensorCountInQue() const { return queued_; }
  /// Whether AllocTensor would find a buffer.
  bool HasIdleBuffer() const { return CountIn(TBufState::FREE) != 0; }
  /// Waits until every buffer that was freed may be written again.
  void FreeAllEvent() {
    for (uint32_t i = 0; i < count_; ++i) DropFreeEvent(first_[i]);
  }
  template <typename T>
  TBufState GetState(const LocalTensor<T>& tensor) const {
    const TBufHandle handle = tensor.GetBufferHandle();
    return handle == nullptr ? TBufState::FREE : reinterpret_cast<TBufType*>(handle)->state;
  }

  // The same by handles, for users who build their own pools.
  TBufHandle AllocBuffer() {
    for (uint32_t tried = 0; tried < count_; ++tried) {
      TBufType* buffer = first_ + cursor_;
      cursor_ = static_cast<uint8_t>(cursor_ + 1 == count_ ? 0 : cursor_ + 1);
      if (buffer->state != TBufState::FREE) continue;
      buffer->state = TBufState::OCCUPIED;
      DropFreeEvent(*buffer);
      return reinterpret_cast<TBufHandle>(buffer);
    }
    Fault("AllocTensor", "finds no free buffer", kBufferPosition, depth);
  }
  void FreeBuffer(TBufHandle handle) {
    TBufType* buffer = BufferOf("FreeTensor", handle);
    if (HOSTNPU_UNLIKELY(buffer->state == TBufState::FREE)) {
      Fault("FreeTensor", "is given a tensor that is free already", kBufferPosition, depth);
    }
    if (HOSTNPU_UNLIKELY(buffer->state == TBufState::ENQUE && depth != 0)) {
      Fault("FreeTensor", "is given a tensor that is still in the queue", kBufferPosition, depth);
    }
    if constexpr (freeBufEvt != HardEvent::MAX) {
      buffer->freeBufEvtID = internal::TakeEventId("FreeTensor", freeBufEvt);
      internal::RaiseFlag("FreeTensor", freeBufEvt, buffer->freeBufEvtID);
    }
    buffer->state = TBufState::FREE;
  }
  TBuffAddr GetBufferAddr(TBufHandle handle) const {
    const TBufType* buffer = reinterpret_cast<TBufType*>(handle);
    TBuffAddr address;
    address.dataLen = buffer->dataLen;
    address.bufferAddr = buffer->address;
    address.bufferHandle = handle;
    address.logicPos = static_cast<uint8_t>(kBufferPosition);
    address.absAddr =
        internal::ThisCore().memory[internal::MemoryOf(kBufferPosition)].base + buffer->address;
    return address;
  }
  void InitStartBufHandle(TBufHandle first, uint8_t count, uint32_t) {
    SetBuffers(reinterpret_cast<TBufType*>(first), count);
  }
  template <typename Pool>
  void InitBufHandle(Pool*, uint32_t, TBufHandle handle, uint32_t address, uint32_t bytes) {
    *reinterpret_cast<TBufType*>(handle) = NewBuffer(address, AlignUp(bytes, ONE_BLK_SIZE));
  }
  /// A free buffer at `address`.
  static TBufType NewBuffer(uint32_t address, uint32_t bytes) {
    TBufType buffer;
    buffer.freeBufEvt = freeBufEvt;
    buffer.address = address;
    buffer.dataLen = bytes;
    buffer.usertag = ~0u;
    return buffer;
  }

 private:
  static constexpr int32_t kSlots = depth == 0 ? 1 : depth;

  template <typename T>
  LocalTensor<T> TensorOf(TBufHandle handle) const {
    return LocalTensor<T>(GetBufferAddr(handle));
  }
  TBufType* BufferOf(const char* api, TBufHandle handle) const {
    auto* buffer = reinterpret_cast<TBufType*>(handle);
    if (HOSTNPU_UNLIKELY(!Holds(buffer))) {
      Fault(api, "is given a tensor that is not of this queue", kBufferPosition, depth);
    }
    return buffer;
  }
  bool EnQueAs(TBufHandle handle, HardEvent event) {
    TBufType* buffer = BufferOf("EnQue", handle);
    if constexpr (depth != 0) {
      if (HOSTNPU_UNLIKELY(queued_ >= depth)) {
        Fault("EnQue", "finds the queue full", kBufferPosition, depth);
      }
    }
    if (HOSTNPU_UNLIKELY(buffer->state == TBufState::FREE)) {
      Fault("EnQue", "is given a tensor that has been freed", kBufferPosition, depth);
    }
    if (HOSTNPU_UNLIKELY(buffer->state == TBufState::ENQUE)) {
      Fault("EnQue", "is given a tensor that is in the queue already", kBufferPosition, depth);
    }
    buffer->state = TBufState::ENQUE;
    if (event != HardEvent::MAX) {
      buffer->enQueEvtID = internal::TakeEventId("EnQue", event);
      buffer->enQueEvt = event;
      internal::RaiseFlag("EnQue", event, buffer->enQueEvtID);
    }
    if constexpr (depth != 0) {
      fifo_[tail_] = buffer;
      tail_ = static_cast<uint16_t>(tail_ + 1 == kSlots ? 0 : tail_ + 1);
      ++queued_;
    }
    return true;
  }
  // The consumer has the buffer now: its flag and event id are free again.
  void Leave(TBufType* buffer) {
    if (HOSTNPU_UNLIKELY(buffer->state != TBufState::ENQUE)) {
      Fault("DeQue", "is given a tensor that is not in the queue", kBufferPosition, depth);
    }
    buffer->state = TBufState::DEQUE;
    if (buffer->enQueEvtID == INVALID_TEVENTID) return;
    internal::TakeFlag("DeQue", buffer->enQueEvt, buffer->enQueEvtID);
    internal::GiveEventId(buffer->enQueEvt, buffer->enQueEvtID);
    buffer->enQueEvtID = INVALID_TEVENTID;
  }
  static void DropFreeEvent(TBufType& buffer) {
    if (buffer.freeBufEvtID == INVALID_TEVENTID) return;
    internal::TakeFlag("AllocTensor", buffer.freeBufEvt, buffer.freeBufEvtID);
    internal::GiveEventId(buffer.freeBufEvt, buffer.freeBufEvtID);
    buffer.freeBufEvtID = INVALID_TEVENTID;
  }

  TBufType* fifo_[kSlots] = {};
};

/// A queue whose buffers are at `pos`; the other end is the one data come from or go to.
template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<internal::QueueSource(pos), internal::QueueTarget(pos), depth, mask> {
};

/// A queue of L1 buffers that a vector core fills for its cube core.
template <TPosition pos, int32_t depth = 1, auto mask = 0>
using TSCM = TQueBind<pos, TPosition::TSCM, depth, mask>;

/// A buffer without a queue: scratch of the kernel's own.
template <TPosition pos = TPosition::LCM>
class TBuf {
 public:
  static constexpr TPosition kBufferPosition = pos;
  static constexpr bool isTQue = false;

  /// The whole buffer as elements of T.
  template <typename T>
  LocalTensor<T> Get() const {
    return At<T>("TBuf::Get", 0, Buffer("TBuf::Get").dataLen);
  }
  /// Its first `count` elements.
  template <typename T>
  LocalTensor<T> Get(uint32_t count) const {
    return At<T>("TBuf::Get", 0, internal::BytesOf<T>(count));
  }
  /// `count` elements from `byte_offset` on.
  template <typename T>
  LocalTensor<T> GetWithOffset(uint32_t count, uint32_t byte_offset) const {
    return At<T>("TBuf::GetWithOffset", byte_offset, internal::BytesOf<T>(count));
  }

  // A buffer takes the place of a queue in code that is written for both; there is nothing to do.
  template <typename T>
  void EnQue(const LocalTensor<T>&) {}
  bool EnQue(TBufHandle) { return true; }
  template <typename T>
  LocalTensor<T> DeQue() {
    return Get<T>();
  }
  TBufHandle DeQue() { return Handle(); }
  template <typename T>
  LocalTensor<T> AllocTensor() {
    return Get<T>();
  }
  template <typename T>
  void FreeTensor(LocalTensor<T>&) {}
  void FreeBuffer(TBufHandle) {}
  template <typename T>
  TBufState GetState(const LocalTensor<T>&) const {
    return TBufState::OCCUPIED;
  }
  TBuffAddr GetBufferAddr(TBufHandle handle) const {
    return AddressOf(*reinterpret_cast<TBufType*>(handle));
  }
  uint32_t GetBufLen() const { return Buffer("TBuf::GetBufLen").dataLen; }

  /// Takes a buffer of the pipe's table.
  void SetBuffers(TBufType* buffer, uint32_t) { buffer_ = buffer; }
  void InitStartBufHandle(TBufHandle handle, uint8_t, uint32_t) {
    buffer_ = reinterpret_cast<TBufType*>(handle);
  }
  template <typename Pool>
  void InitBufHandle(Pool*, uint32_t, TBufHandle handle, uint32_t address, uint32_t bytes) {
    *reinterpret_cast<TBufType*>(handle) = NewBuffer(address, AlignUp(bytes, ONE_BLK_SIZE));
  }
  static TBufType NewBuffer(uint32_t address, uint32_t bytes) {
    TBufType buffer;
    buffer.state = TBufState::OCCUPIED;
    buffer.address = address;
    buffer.dataLen = bytes;
    return buffer;
  }

 private:
  TBufHandle Handle() const { return reinterpret_cast<TBufHandle>(buffer_); }
  const TBufType& Buffer(const char* api) const {
    if (HOSTNPU_UNLIKELY(buffer_ == nullptr)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_QUEUE, api,
                    "is called on a %s buffer that InitBuffer has not been given",
                    internal::PositionName(pos));
    }
    return *buffer_;
  }
  TBuffAddr AddressOf(const TBufType& buffer) const {
    TBuffAddr address;
    address.dataLen = buffer.dataLen;
    address.bufferAddr = buffer.address;
    address.bufferHandle = Handle();
    address.logicPos = static_cast<uint8_t>(pos);
    address.absAddr = internal::ThisCore().memory[internal::MemoryOf(pos)].base + buffer.address;
    return address;
  }
  template <typename T>
  LocalTensor<T> At(const char* api, uint32_t byte_offset, uint64_t bytes) const {
    const TBufType& buffer = Buffer(api);
    if (HOSTNPU_UNLIKELY(byte_offset > buffer.dataLen || bytes > buffer.dataLen - byte_offset)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_BOUNDS, api,
                    "asks for %llu bytes at byte %u of a %s buffer of %u bytes",
                    (unsigned long long)bytes, byte_offset, internal::PositionName(pos),
                    buffer.dataLen);
    }
    TBuffAddr address = AddressOf(buffer);
    address.absAddr += byte_offset;
    address.bufferAddr += byte_offset;
    address.dataLen = static_cast<uint32_t>(bytes);
    return LocalTensor<T>(address);
  }

  TBufType* buffer_ = nullptr;
};

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_QUEUE_H_

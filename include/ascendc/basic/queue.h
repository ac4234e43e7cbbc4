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

/// Where a buffer lies.
inline TBuffAddr AddressOf(TBufType* buffer, TPosition position) {
  TBuffAddr address;
  address.dataLen = buffer->dataLen;
  address.bufferAddr = buffer->address;
  address.bufferHandle = reinterpret_cast<TBufHandle>(buffer);
  address.logicPos = static_cast<uint8_t>(position);
  address.absAddr = ThisCore().memory[MemoryOf(position)].base + buffer->address;
  return address;
}

constexpr uint64_t kWholeBuffer = ~uint64_t{0};

/// `bytes` of a buffer that is no queue's, from `byte_offset` on; kWholeBuffer: all of it.
HOSTNPU_SHARED TBuffAddr PartOf(TBufType* buffer, TPosition position, const char* api,
                                uint32_t byte_offset, uint64_t bytes) {
  if (HOSTNPU_UNLIKELY(buffer == nullptr)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_QUEUE, api,
                  "is called on a %s buffer that InitBuffer has not been given",
                  PositionName(position));
  }
  const uint32_t length = buffer->dataLen;
  if (bytes == kWholeBuffer) bytes = length;
  if (HOSTNPU_UNLIKELY(byte_offset > length || bytes > length - byte_offset)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_BOUNDS, api,
                  "asks for %llu bytes at byte %u of a %s buffer of %u bytes",
                  (unsigned long long)bytes, byte_offset, PositionName(position), length);
  }
  TBuffAddr address = AddressOf(buffer, position);
  address.absAddr += byte_offset;
  address.bufferAddr += byte_offset;
  address.dataLen = static_cast<uint32_t>(bytes);
  return address;
}

/// What its type says of a queue.
struct QueueKind {
  TPosition position;    // of its buffers
  HardEvent free_event;  // lets the producer write a freed buffer again; MAX: nobody has to wait
  int32_t depth;
};

/// What every queue has, whatever its type: its buffers, how they stand, and the steps they go
/// through. Nothing here is a template, so that a kernel with ten queues compiles no queue.
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
  bool HasTensorInQue() const { return queued_ != 0; }
  int32_t GetTensorCountInQue() const { return queued_; }
  /// Whether AllocTensor would find a buffer.
  bool HasIdleBuffer() const { return CountIn(TBufState::FREE) != 0; }

 protected:
  void DropFreeEvents() {
    for (uint32_t i = 0; i < count_; ++i) DropFreeEvent(first_[i]);
  }
  TBufState StateOf(const QueueKind& kind, TBufHandle handle) const {
    return handle == nullptr ? TBufState::FREE : BufferOf("GetState", handle, kind)->state;
  }
  HOSTNPU_SHARED TBuffAddr Alloc(const QueueKind& kind) {
    for (uint32_t tried = 0; tried < count_; ++tried) {
      TBufType* buffer = first_ + cursor_;
      cursor_ = static_cast<uint8_t>(cursor_ + 1 == count_ ? 0 : cursor_ + 1);
      if (buffer->state != TBufState::FREE) continue;
      buffer->state = TBufState::OCCUPIED;
      DropFreeEvent(*buffer);
      return AddressOf(buffer, kind.position);
    }
    Fault("AllocTensor", "finds no free buffer", kind);
  }
  HOSTNPU_SHARED void Free(const QueueKind& kind, TBufHandle handle) {
    TBufType* buffer = BufferOf("FreeTensor", handle, kind);
    if (HOSTNPU_UNLIKELY(buffer->state == TBufState::FREE)) {
      Fault("FreeTensor", "is given a tensor that is free already", kind);
    }
    if (HOSTNPU_UNLIKELY(buffer->state == TBufState::ENQUE && kind.depth != 0)) {
      Fault("FreeTensor", "is given a tensor that is still in the queue", kind);
    }
    if (kind.free_event != HardEvent::MAX) {
      buffer->freeBufEvtID = TakeEventId("FreeTensor", kind.free_event);
      RaiseFlagAt("FreeTensor", kind.free_event, buffer->freeBufEvtID, nullptr);
    }
    buffer->state = TBufState::FREE;
  }
  /// `ring` has a place for each tensor the queue may hold; a queue of depth 0 keeps no order.
  HOSTNPU_SHARED bool Append(const QueueKind& kind, TBufType** ring, TBufHandle handle,
                             HardEvent event) {
    TBufType* buffer = BufferOf("EnQue", handle, kind);
    if (HOSTNPU_UNLIKELY(kind.depth != 0 && queued_ >= kind.depth)) {
      Fault("EnQue", "finds the queue full", kind);
    }
    if (HOSTNPU_UNLIKELY(buffer->state == TBufState::FREE)) {
      Fault("EnQue", "is given a tensor that has been freed", kind);
    }
    if (HOSTNPU_UNLIKELY(buffer->state == TBufState::ENQUE)) {
      Fault("EnQue", "is given a tensor that is in the queue already", kind);
    }
    buffer->state = TBufState::ENQUE;
    if (event != HardEvent::MAX) {
      buffer->enQueEvtID = TakeEventId("EnQue", event);
      buffer->enQueEvt = event;
      RaiseFlagAt("EnQue", event, buffer->enQueEvtID, __builtin_return_address(0));
    }
    if (kind.depth != 0) {
      ring[tail_] = buffer;
      tail_ = static_cast<uint16_t>(tail_ + 1 == kind.depth ? 0 : tail_ + 1);
      ++queued_;
    }
    return true;
  }
  HOSTNPU_SHARED TBuffAddr TakeOldest(const QueueKind& kind, TBufType* const* ring) {
    if (HOSTNPU_UNLIKELY(queued_ == 0)) Fault("DeQue", "finds the queue empty", kind);
    TBufType* buffer = ring[head_];
    head_ = static_cast<uint16_t>(head_ + 1 >= kind.depth ? 0 : head_ + 1);
    --queued_;
    Leave(kind, buffer);
    return AddressOf(buffer, kind.position);
  }
  /// The tensor of a queue of depth 0, which its user names.
  HOSTNPU_SHARED void TakeNamed(const QueueKind& kind, TBufHandle handle) {
    Leave(kind, BufferOf("DeQue", handle, kind));
  }

  TBufType* first_ = nullptr;
  uint8_t count_ = 0;
  uint8_t cursor_ = 0;
  uint16_t head_ = 0;
  uint16_t tail_ = 0;
  uint16_t queued_ = 0;

 private:
  uint32_t CountIn(TBufState state) const {
    uint32_t count = 0;
    for (uint32_t i = 0; i < count_; ++i) count += first_[i].state == state;
    return count;
  }
  HOSTNPU_FAULT_FUNCTION void Fault(const char* api, const char* what,
                                    const QueueKind& kind) const {
    if (count_ == 0) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_QUEUE, api,
                    "is called on a %s queue that InitBuffer has not given buffers",
                    PositionName(kind.position));
    }
    HOSTNPU_FAULT(HOSTNPU_FAULT_QUEUE, api,
                  "%s (%s queue of depth %d with %u buffer%s of %u bytes: %u free, %u allocated, "
                  "%u enqueued, %u dequeued)",
                  what, PositionName(kind.position), kind.depth, count_, count_ == 1 ? "" : "s",
                  first_->dataLen, CountIn(TBufState::FREE), CountIn(TBufState::OCCUPIED),
                  CountIn(TBufState::ENQUE), CountIn(TBufState::DEQUE));
  }
  TBufType* BufferOf(const char* api, TBufHandle handle, const QueueKind& kind) const {
    auto* buffer = reinterpret_cast<TBufType*>(handle);
    if (HOSTNPU_UNLIKELY(buffer < first_ || buffer >= first_ + count_)) {
      Fault(api, "is given a tensor that is not of this queue", kind);
    }
    return buffer;
  }
  // The consumer has the buffer now: its flag and event id are free again.
  void Leave(const QueueKind& kind, TBufType* buffer) {
    if (HOSTNPU_UNLIKELY(buffer->state != TBufState::ENQUE)) {
      Fault("DeQue", "is given a tensor that is not in the queue", kind);
    }
    buffer->state = TBufState::DEQUE;
    if (buffer->enQueEvtID == INVALID_TEVENTID) return;
    TakeFlag("DeQue", buffer->enQueEvt, buffer->enQueEvtID);
    GiveEventId(buffer->enQueEvt, buffer->enQueEvtID);
    buffer->enQueEvtID = INVALID_TEVENTID;
  }
  static void DropFreeEvent(TBufType& buffer) {
    if (buffer.freeBufEvtID == INVALID_TEVENTID) return;
    TakeFlag("AllocTensor", buffer.freeBufEvt, buffer.freeBufEvtID);
    GiveEventId(buffer.freeBufEvt, buffer.freeBufEvtID);
    buffer.freeBufEvtID = INVALID_TEVENTID;
  }
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
    return LocalTensor<T>(Alloc(kKind));
  }
  template <typename T>
  void AllocTensor(LocalTensor<T>& tensor) {
    static_assert(depth == 0, "a queue allocates in place only with depth 0");
    tensor.SetAddr(Alloc(kKind));
  }
  /// Gives the buffer back.
  template <typename T>
  void FreeTensor(LocalTensor<T>& tensor) {
    Free(kKind, tensor.GetBufferHandle());
  }
  template <typename T>
  void FreeTensor(LocalTensor<T>&& tensor) {
    Free(kKind, tensor.GetBufferHandle());
  }

  /// Appends a tensor that AllocTensor or DeQue of this queue has given.
  template <typename T>
  bool EnQue(const LocalTensor<T>& tensor) {
    return Append(kKind, ring_, tensor.GetBufferHandle(), enQueEvt);
  }
  bool EnQue(TBufHandle buffer) { return Append(kKind, ring_, buffer, enQueEvt); }
  /// The same between two positions of the caller's choice.
  template <TPosition from, TPosition to, typename T>
  bool EnQue(const LocalTensor<T>& tensor) {
    static_assert(depth != 0, "a queue of depth 0 has no positions of the caller's choice");
    static_assert(internal::UserEvent(from, to) != HardEvent::MAX,
                  "EnQue takes GM, VECIN, VECOUT and VECCALC, at most one of them GM");
    return Append(kKind, ring_, tensor.GetBufferHandle(), internal::UserEvent(from, to));
  }

  /// The oldest tensor in the queue. An empty queue is an error.
  template <typename T>
  LocalTensor<T> DeQue() {
    static_assert(depth != 0, "a queue of depth 0 takes tensors by DeQue(tensor)");
    return LocalTensor<T>(TakeOldest(kKind, ring_));
  }
  template <typename T>
  void DeQue(LocalTensor<T>& tensor) {
    static_assert(depth == 0, "a queue takes tensors in place only with depth 0");
    TakeNamed(kKind, tensor.GetBufferHandle());
  }
  template <TPosition from, TPosition to, typename T>
  LocalTensor<T> DeQue() {
    static_assert(internal::UserEvent(from, to) != HardEvent::MAX,
                  "DeQue takes GM, VECIN, VECOUT and VECCALC, at most one of them GM");
    return LocalTensor<T>(TakeOldest(kKind, ring_));
  }
  TBufHandle DeQue() { return TakeOldest(kKind, ring_).bufferHandle; }

  /// Whether another tensor can be enqueued.
  bool VacantInQue() const {
    static_assert(depth != 0, "a queue of depth 0 has no VacantInQue");
    return queued_ < depth;
  }
  /// Waits until every buffer that was freed may be written again.
  void FreeAllEvent() {
    static_assert(depth != 0, "a queue of depth 0 has no FreeAllEvent");
    DropFreeEvents();
  }
  /// What has last been done with a tensor of this queue; FREE for one without a buffer.
  template <typename T>
  TBufState GetState(const LocalTensor<T>& tensor) const {
    return StateOf(kKind, tensor.GetBufferHandle());
  }
  TBufState GetState(const TBufHandle& handle) const { return StateOf(kKind, handle); }

  // The same by handles, for users who build their own pools.
  TBufHandle AllocBuffer() { return Alloc(kKind).bufferHandle; }
  void FreeBuffer(TBufHandle handle) { Free(kKind, handle); }
  TBuffAddr GetBufferAddr(TBufHandle handle) const {
    return internal::AddressOf(reinterpret_cast<TBufType*>(handle), kBufferPosition);
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
  static constexpr internal::QueueKind kKind = {kBufferPosition, freeBufEvt, depth};

  TBufType* ring_[depth == 0 ? 1 : depth] = {};
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
    return At<T>("TBuf::Get", 0, internal::kWholeBuffer);
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
    return internal::PartOf(reinterpret_cast<TBufType*>(handle), pos, "TBuf::GetBufferAddr", 0,
                            internal::kWholeBuffer);
  }
  uint32_t GetBufLen() const {
    return internal::PartOf(buffer_, pos, "TBuf::GetBufLen", 0, internal::kWholeBuffer).dataLen;
  }

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
  template <typename T>
  LocalTensor<T> At(const char* api, uint32_t byte_offset, uint64_t bytes) const {
    return LocalTensor<T>(internal::PartOf(buffer_, pos, api, byte_offset, bytes));
  }

  TBufType* buffer_ = nullptr;
};

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_QUEUE_H_

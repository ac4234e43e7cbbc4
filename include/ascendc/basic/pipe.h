// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// TPipe: hands out the on-chip memories of a core to queues and buffers, in the order of the
// InitBuffer calls, from the bottom of each memory; TSCM queues come from the top of L1.
#ifndef HOSTNPU_ASCENDC_BASIC_PIPE_H_
#define HOSTNPU_ASCENDC_BASIC_PIPE_H_

#include "../detail/cube_registers.h"
#include "data_copy_params.h"
#include "queue.h"

namespace AscendC {

/// Undoes what an earlier kernel may have left in the registers: no atomic writes, masks in their
/// normal mode; a full mask on a vector core, no padding value and no boundary of L1 on a cube
/// core. CTRL keeps its other bits.
HOSTNPU_SHARED void InitSocState() {
  internal::Registers& registers = internal::Regs();
  registers.atomic_type = 0;
  registers.atomic_operation = 0;
  registers.atomic_combine = nullptr;
  registers.counter_mode = 0;
  if (internal::OnCubeCore()) {
    internal::CubeRegs().padding_value = 0;
    internal::CubeRegs().boundary = 0;
  } else {
    registers.mask[0] = registers.mask[1] = ~uint64_t{0};
  }
}

namespace internal {

constexpr uint32_t kPipeBuffers = 64;  // over all queues of a pipe

/// A table of buffers and how much of one stretch of memory they take; the part of TBufPool and of
/// user-made pools that does not depend on their types.
template <uint32_t capacity>
struct BufferPool {
  TBufType buffers[capacity];
  uint32_t count = 0;
  uint32_t start = 0;  // bytes from the bottom of the memory
  uint32_t next = 0;
  uint32_t size_bytes = 0;

  void Place(uint32_t start_bytes, uint32_t bytes) {
    count = 0;
    start = start_bytes;
    next = start_bytes;
    size_bytes = bytes;
  }
  /// Buffer `index` of the table.
  TBufHandle HandleAt(uint32_t index) {
    CheckIndex("GetBufHandle", "buffer", index, capacity - 1);
    return reinterpret_cast<TBufHandle>(buffers + index);
  }
  void SetCount(uint32_t buffer_count) {
    CheckIndex("SetCurBufSize", "a count of", buffer_count, capacity);
    count = buffer_count;
  }
  static void CheckIndex(const char* api, const char* what, uint32_t value, uint32_t most) {
    if (HOSTNPU_LIKELY(value <= most)) return;
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                  "is given %s %u; EXTERN_IMPL_BUFPOOL has made the pool for %u buffers", what,
                  value, capacity);
  }
  /// Forgets all buffers; those of queues must not be used any more.
  void Reset() {
    for (uint32_t i = 0; i < count; ++i) {
      TBufType& buffer = buffers[i];
      if (buffer.freeBufEvtID == INVALID_TEVENTID) continue;
      TakeFlag("Reset", buffer.freeBufEvt, buffer.freeBufEvtID);
      GiveEventId(buffer.freeBufEvt, buffer.freeBufEvtID);
      buffer.freeBufEvtID = INVALID_TEVENTID;
    }
    count = 0;
    next = start;
  }
  template <typename Queue>
  bool InitBuffer(Queue& queue, uint32_t number, uint32_t bytes) {
    const uint64_t rounded = AlignUp(static_cast<uint64_t>(bytes), ONE_BLK_SIZE);
    if (HOSTNPU_UNLIKELY(number > capacity - count)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_FULL, "TBufPool::InitBuffer",
                    "asks for %u buffers more; the pool has %u, and %u are taken", number, capacity,
                    count);
    }
    if (HOSTNPU_UNLIKELY(next - start + rounded * number > size_bytes)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_FULL, "TBufPool::InitBuffer",
                    "asks for %u %s buffer%s of %llu bytes; %u of the pool's %u bytes are taken: "
                    "%llu too many",
                    number, PositionName(Queue::kBufferPosition), number == 1 ? "" : "s",
                    (unsigned long long)rounded, next - start, size_bytes,
                    (unsigned long long)(next - start + rounded * number - size_bytes));
    }
    TBufType* first = buffers + count;
    for (uint32_t i = 0; i < number; ++i) {
      first[i] = Queue::NewBuffer(next, static_cast<uint32_t>(rounded));
      next += static_cast<uint32_t>(rounded);
    }
    count += number;
    queue.SetBuffers(first, number);
    return true;
  }
  /// Carves `bytes` out of this pool for another one.
  template <typename Pool>
  void InitBufPool(Pool& pool, uint32_t bytes) {
    const uint64_t rounded = AlignUp(static_cast<uint64_t>(bytes), ONE_BLK_SIZE);
    if (HOSTNPU_UNLIKELY(next - start + rounded > size_bytes)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_FULL, "TBufPool::InitBufPool",
                    "asks for %llu bytes; %u of the pool's %u bytes are taken",
                    (unsigned long long)rounded, next - start, size_bytes);
    }
    pool.Place(next, static_cast<uint32_t>(rounded));
    next += static_cast<uint32_t>(rounded);
  }
};

/// Places `pool` over the memory of `shared`, which may be used by turns.
template <typename Pool, typename Shared>
void SharePool(Pool& pool, uint32_t bytes, const Shared& shared) {
  const uint64_t rounded = AlignUp(static_cast<uint64_t>(bytes), ONE_BLK_SIZE);
  if (HOSTNPU_UNLIKELY(rounded > shared.size_bytes)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_FULL, "InitBufPool",
                  "asks for %llu bytes shared with a pool of %u bytes", (unsigned long long)rounded,
                  shared.size_bytes);
  }
  pool.Place(shared.start, shared.size_bytes);
}

}  // namespace internal

/// The memory manager of one core. One at a time; making it resets the core's registers.
class TPipe {
 public:
  TPipe() { Init(); }
  HOSTNPU_SHARED ~TPipe() {
    Destroy();
    HostnpuCore& core = internal::ThisCore();
    if (core.pipe == this) core.pipe = nullptr;
  }
  /// A copy hands out what `other` has left. The buffers that `other` has made stay its own.
  TPipe(const TPipe& other) : TPipe() { *this = other; }
  HOSTNPU_SHARED TPipe& operator=(const TPipe& other) {
    if (this == &other) return *this;
    ReleaseBuffers();
    buffer_count_ = 0;
    request_count_ = other.request_count_;
    for (uint32_t i = 0; i < request_count_; ++i) requests_[i] = other.requests_[i];
    for (uint32_t i = 0; i < HOSTNPU_MEMORY_COUNT; ++i) used_[i] = other.used_[i];
    scm_used_ = other.scm_used_;
    spill_ = other.spill_;
    spill_bytes_ = other.spill_bytes_;
    return *this;
  }

  /// Begins anew: no buffers, no event ids taken.
  HOSTNPU_SHARED void Init() {
    InitSocState();
    Forget();
    internal::Registers& registers = internal::Regs();
    for (uint8_t& used : registers.event_used) used = 0;
    internal::ThisCore().pipe = this;
    destroyed_ = false;
    if (!internal::OnCubeCore()) return;
    // The matrix library waits for these before its first load.
    for (int id = 0; id < kCubeEvents; ++id) {
      internal::RaiseFlagAt("TPipe", HardEvent::M_MTE1,
                            internal::TakeEventId("TPipe", HardEvent::M_MTE1), nullptr);
    }
  }
  /// Waits for all buffers; the pipe can be used again after Init.
  HOSTNPU_SHARED void Destroy() {
    if (destroyed_) return;
    destroyed_ = true;
    ReleaseBuffers();
    if (!internal::OnCubeCore()) return;
    for (int id = 0; id < kCubeEvents; ++id) {
      if (internal::IsRaised(HardEvent::M_MTE1, id)) {
        internal::TakeFlag("TPipe", HardEvent::M_MTE1, id);
      }
      internal::GiveEventId(HardEvent::M_MTE1, id);
    }
  }
  void DestroyWithoutPipeAll() { Destroy(); }
  /// Takes all buffers back, so that InitBuffer begins at the bottom of the memories again.
  HOSTNPU_SHARED void Reset() {
    ReleaseBuffers();
    InitSocState();
    Forget();
  }

  /// Gives a queue `number` buffers of `bytes` each, rounded up to 32. More than the memory has is
  /// an error that lists the buffers.
  template <typename Queue>
  bool InitBuffer(Queue& queue, uint8_t number, uint32_t bytes) {
    static_assert(Queue::isTQue, "InitBuffer takes a number of buffers only for a queue");
    queue.SetBuffers(AddBuffers(Queue::kBufferPosition, number, bytes, Queue::NewBuffer(0, 0)),
                     number);
    return true;
  }
  /// Gives a TBuf its one buffer.
  template <TPosition pos>
  bool InitBuffer(TBuf<pos>& buffer, uint32_t bytes) {
    buffer.SetBuffers(AddBuffers(pos, 1, bytes, TBuf<pos>::NewBuffer(0, 0)), 1);
    return true;
  }
  /// Sets `bytes` aside for a pool that has its own InitBuffer.
  template <typename Pool>
  bool InitBufPool(Pool& pool, uint32_t bytes) {
    static_assert(Pool::isTbufPool, "InitBufPool takes a TBufPool");
    const uint64_t rounded = AlignUp(static_cast<uint64_t>(bytes), ONE_BLK_SIZE);
    const uint32_t start = Take(Pool::poolPos, 1, rounded, "pool");
    pool.HostnpuPool().Place(start, static_cast<uint32_t>(rounded));
    return true;
  }
  /// Has a pool use the memory of another one.
  template <typename Pool, typename Shared>
  bool InitBufPool(Pool& pool, uint32_t bytes, Shared& shared) {
    static_assert(Pool::isTbufPool && Shared::isTbufPool, "InitBufPool takes two TBufPools");
    static_assert(internal::MemoryOf(Pool::poolPos) == internal::MemoryOf(Shared::poolPos),
                  "pools that share must be of one memory");
    internal::SharePool(pool.HostnpuPool(), bytes, shared.HostnpuPool());
    return true;
  }

  /// Takes the lowest free id of the event. All taken is an error.
  template <HardEvent event>
  TEventID AllocEventID() {
    static_assert(event < HardEvent::MAX, "AllocEventID needs an event between two pipes");
    return internal::TakeEventId("AllocEventID", event);
  }
  /// Gives an id back.
  template <HardEvent event>
  void ReleaseEventID(TEventID id) {
    if (HOSTNPU_UNLIKELY(id < 0 || id >= internal::kEventIdCount)) {
      internal::EventIdFault("ReleaseEventID", event, id);
    }
    internal::GiveEventId(event, id);
  }
  /// The lowest free id of the event, without taking it.
  TEventID FetchEventID(HardEvent event) {
    const int id = internal::LowestFreeEventId(event);
    if (HOSTNPU_UNLIKELY(id < 0)) internal::NoEventIdFault("FetchEventID", event);
    return static_cast<TEventID>(id);
  }
  template <HardEvent event>
  TEventID FetchEventID() {
    return FetchEventID(event);
  }

  /// A tensor at a fixed place of a memory.
  template <TPosition pos, typename T>
  LocalTensor<T> GetAbsAddr(int32_t byte_offset, int32_t size) const {
    return LocalTensor<T>(pos, static_cast<uint32_t>(byte_offset), static_cast<uint32_t>(size));
  }
  template <TPosition pos>
  TBuffAddr GetAbsAddr(int32_t byte_offset, int32_t bytes) const {
    return GetAbsAddr<pos, uint8_t>(byte_offset, bytes).address_;
  }
  template <typename T>
  uint64_t GetAbsAddr(const LocalTensor<T>& tensor) {
    return reinterpret_cast<uint64_t>(tensor.GetPhyAddr());
  }
  uint8_t* GetBaseAddr(int8_t position) {
    return internal::ThisCore().memory[internal::MemoryOf(static_cast<TPosition>(position))].base;
  }
  /// Bytes below which everything at `pos` is taken.
  template <TPosition pos>
  uint64_t GetQueueEndAddress() {
    return used_[internal::MemoryOf(pos)];
  }

  /// Names the `bytes` of GM that WriteSpmBuffer spills to.
  template <typename T>
  void InitSpmBuffer(const GlobalTensor<T>& workspace, const int32_t bufferSize) {
    spill_ = reinterpret_cast<uint8_t*>(workspace.GetPhyAddr(0));
    spill_bytes_ = bufferSize > 0 ? static_cast<uint32_t>(bufferSize) : 0;
  }
  void InitSpmBuffer(const int32_t) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_UNSUPPORTED, "InitSpmBuffer",
                  "without a workspace spills to L1, which this chip cannot: "
                  "InitSpmBuffer(workspace, bufferSize) spills to GM");
  }
  /// Copies bursts of UB to the spill, `writeOffset` bytes from its start.
  template <typename T>
  void WriteSpmBuffer(const LocalTensor<T>& writeBuffer, const DataCopyParams& copyParams,
                      int32_t writeOffset = 0) {
    const uint64_t bytes = SpillBytes(copyParams, copyParams.dstGap);
    DataCopy(Spill<T>("WriteSpmBuffer", writeOffset, bytes), writeBuffer, copyParams);
  }
  /// The same for `writeSize` elements in a row; 0: all of the tensor.
  template <typename T>
  void WriteSpmBuffer(const LocalTensor<T>& writeBuffer, const int32_t writeSize,
                      int32_t writeOffset = 0) {
    const uint32_t count = SpillCount("WriteSpmBuffer", writeSize, writeBuffer.GetSize());
    DataCopy(Spill<T>("WriteSpmBuffer", writeOffset, internal::BytesOf<T>(count)), writeBuffer,
             count);
  }
  /// Copies back what WriteSpmBuffer has spilled.
  template <typename T>
  void ReadSpmBuffer(const LocalTensor<T>& readBuffer, const DataCopyParams& copyParams,
                     int32_t readOffset = 0) {
    const uint64_t bytes = SpillBytes(copyParams, copyParams.srcGap);
    DataCopy(readBuffer, Spill<T>("ReadSpmBuffer", readOffset, bytes), copyParams);
  }
  template <typename T>
  void ReadSpmBuffer(const LocalTensor<T>& readBuffer, const int32_t readSize,
                     int32_t readOffset = 0) {
    const uint32_t count = SpillCount("ReadSpmBuffer", readSize, readBuffer.GetSize());
    DataCopy(readBuffer, Spill<T>("ReadSpmBuffer", readOffset, internal::BytesOf<T>(count)), count);
  }

 private:
  static constexpr int kCubeEvents = 3;

  /// One InitBuffer call, for the message of the one that does not fit.
  struct Request {
    TPosition position;
    uint8_t number;
    bool is_pool;
    uint32_t bytes;
  };

  void Forget() {
    buffer_count_ = 0;
    request_count_ = 0;
    for (uint32_t& used : used_) used = 0;
    scm_used_ = 0;
  }
  void ReleaseBuffers() {
    for (uint32_t i = 0; i < buffer_count_; ++i) {
      TBufType& buffer = buffers_[i];
      if (buffer.freeBufEvtID == INVALID_TEVENTID || buffer.state != TBufState::FREE) continue;
      internal::TakeFlag("TPipe", buffer.freeBufEvt, buffer.freeBufEvtID);
      internal::GiveEventId(buffer.freeBufEvt, buffer.freeBufEvtID);
      buffer.freeBufEvtID = INVALID_TEVENTID;
    }
  }
  /// `number` buffers behind each other in the table, all of them like `pattern` but for their
  /// place and size.
  HOSTNPU_SHARED TBufType* AddBuffers(TPosition position, uint32_t number, uint32_t bytes,
                                      const TBufType& pattern) {
    const uint64_t rounded = AlignUp(static_cast<uint64_t>(bytes), ONE_BLK_SIZE);
    if (HOSTNPU_UNLIKELY(number > internal::kPipeBuffers - buffer_count_)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_QUEUE, "InitBuffer",
                    "asks for %u buffer%s more, and %u are in use; a TPipe has %u", number,
                    number == 1 ? "" : "s", buffer_count_, internal::kPipeBuffers);
    }
    uint32_t address = Take(position, number, rounded, nullptr);
    TBufType* first = buffers_ + buffer_count_;
    for (uint32_t i = 0; i < number; ++i) {
      first[i] = pattern;
      first[i].address = address;
      first[i].dataLen = static_cast<uint32_t>(rounded);
      address += static_cast<uint32_t>(rounded);
    }
    buffer_count_ += number;
    return first;
  }
  /// The first of number * bytes at that position.
  HOSTNPU_SHARED uint32_t Take(TPosition position, uint32_t number, uint64_t bytes,
                               const char* pool) {
    const HostnpuMemoryKind kind = internal::MemoryOf(position);
    if (HOSTNPU_UNLIKELY(kind == HOSTNPU_MEMORY_GM)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "InitBuffer",
                    "is given position %s, which is not on "
                    "the chip",
                    internal::PositionName(position));
    }
    if (request_count_ < internal::kPipeBuffers) {
      requests_[request_count_++] = {position, static_cast<uint8_t>(number), pool != nullptr,
                                     static_cast<uint32_t>(bytes)};
    }
    const uint64_t scm = kind == HOSTNPU_MEMORY_L1 ? scm_used_ : 0;
    // All of the memory: what host code is told of leaves 256 bytes out, but kernels that take the
    // rest as well run on the device.
    const uint32_t usable = internal::ThisCore().memory[kind].size_bytes;
    const uint64_t wanted = used_[kind] + scm + bytes * number;
    if (HOSTNPU_UNLIKELY(wanted > usable)) FullFault(kind, wanted, usable);
    if (position == TPosition::TSCM) {
      scm_used_ += static_cast<uint32_t>(bytes * number);
      return usable - scm_used_;
    }
    const uint32_t address = used_[kind];
    used_[kind] += static_cast<uint32_t>(bytes * number);
    return address;
  }
  HOSTNPU_FAULT_FUNCTION void FullFault(HostnpuMemoryKind kind, uint64_t wanted,
                                        uint32_t usable) const {
    char list[2048];
    size_t length = 0;
    for (uint32_t i = 0; i < request_count_; ++i) {
      const Request& request = requests_[i];
      if (internal::MemoryOf(request.position) != kind) continue;
      const int written =
          __builtin_snprintf(list + length, sizeof(list) - length, "%s%s%s %u x %u",
                             length == 0 ? "" : ", ", internal::PositionName(request.position),
                             request.is_pool ? " pool" : "", request.number, request.bytes);
      if (written < 0 || length + static_cast<size_t>(written) >= sizeof(list)) break;
      length += static_cast<size_t>(written);
    }
    list[length < sizeof(list) ? length : sizeof(list) - 1] = 0;
    HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_FULL, "InitBuffer",
                  "needs %llu bytes of %s, which has %u: %llu too many. The buffers are "
                  "%s bytes (the last one does not fit)",
                  (unsigned long long)wanted, internal::MemoryName(kind), usable,
                  (unsigned long long)(wanted - usable), list);
  }
  /// Bytes from the first burst to the last, with `gap` blocks between two.
  static uint64_t SpillBytes(const DataCopyParams& params, uint64_t gap) {
    if (params.blockCount == 0) return 0;
    return (params.blockCount * (params.blockLen + gap) - gap) * ONE_BLK_SIZE;
  }
  static uint32_t SpillCount(const char* api, int32_t wanted, uint32_t all) {
    if (HOSTNPU_UNLIKELY(wanted < 0)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "is given %d elements", wanted);
    }
    return wanted == 0 ? all : static_cast<uint32_t>(wanted);
  }
  /// `bytes` of the spill.
  template <typename T>
  GlobalTensor<T> Spill(const char* api, int32_t offset, uint64_t bytes) const {
    if (HOSTNPU_UNLIKELY(spill_ == nullptr)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "is called before InitSpmBuffer");
    }
    if (HOSTNPU_UNLIKELY(offset < 0 || static_cast<uint64_t>(offset) + bytes > spill_bytes_)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_GM_BOUNDS, api,
                    "touches %llu bytes from byte %d on of an SPM buffer of %u bytes",
                    (unsigned long long)bytes, offset, spill_bytes_);
    }
    GlobalTensor<T> gm;
    gm.SetGlobalBuffer(reinterpret_cast<PrimT<T>*>(spill_ + offset),
                       internal::ElementsIn<T>(static_cast<uint32_t>(bytes)));
    return gm;
  }

  TBufType buffers_[internal::kPipeBuffers];
  Request requests_[internal::kPipeBuffers];
  uint32_t buffer_count_ = 0;
  uint32_t request_count_ = 0;
  uint32_t used_[HOSTNPU_MEMORY_COUNT] = {};
  uint32_t scm_used_ = 0;
  uint8_t* spill_ = nullptr;
  uint32_t spill_bytes_ = 0;
  bool destroyed_ = false;
};

}  // namespace AscendC

/// The pipe of this core; null if there is none. Event ids can be asked for through it either way.
HOSTNPU_INLINE AscendC::TPipe* GetTPipePtr() {
  return static_cast<AscendC::TPipe*>(AscendC::internal::ThisCore().pipe);
}

namespace AscendC {

using ::GetTPipePtr;

/// A stretch of memory with its own InitBuffer, carved out by TPipe::InitBufPool.
template <TPosition pos, uint32_t capacity = 4>
class TBufPool {
 public:
  static constexpr TPosition poolPos = pos;
  static constexpr bool isTbufPool = true;
  static_assert(internal::MemoryOf(pos) == HOSTNPU_MEMORY_UB ||
                    internal::MemoryOf(pos) == HOSTNPU_MEMORY_L1,
                "a TBufPool is in UB or L1");

  /// See TPipe::InitBuffer.
  template <typename Queue>
  bool InitBuffer(Queue& queue, uint8_t number, uint32_t bytes) {
    return pool_.InitBuffer(queue, number, bytes);
  }
  template <TPosition buffer_position>
  bool InitBuffer(TBuf<buffer_position>& buffer, uint32_t bytes) {
    return pool_.InitBuffer(buffer, 1, bytes);
  }
  /// A pool within this one.
  template <typename Pool>
  bool InitBufPool(Pool& pool, uint32_t bytes) {
    pool_.InitBufPool(pool.HostnpuPool(), bytes);
    return true;
  }
  template <typename Pool, typename Shared>
  bool InitBufPool(Pool& pool, uint32_t bytes, Shared& shared) {
    internal::SharePool(pool.HostnpuPool(), bytes, shared.HostnpuPool());
    return true;
  }
  /// Forgets all buffers.
  void Reset() { pool_.Reset(); }

  internal::BufferPool<capacity>& HostnpuPool() { return pool_; }

 private:
  internal::BufferPool<capacity> pool_;
};

/// What a user's own pool class needs to be one: InitBufPool accepts it, and its methods place
/// buffers by handle and address.
#define EXTERN_IMPL_BUFPOOL(name, position, capacity)                                       \
 public:                                                                                    \
  static constexpr AscendC::TPosition poolPos = position;                                   \
  static constexpr bool isTbufPool = true;                                                  \
  void Init() { hostnpu_pool_.Place(0, 0); }                                                \
  void Reset() { hostnpu_pool_.Reset(); }                                                   \
  AscendC::TBufHandle GetBufHandle(uint8_t index) { return hostnpu_pool_.HandleAt(index); } \
  void SetCurAddr(uint32_t address) { hostnpu_pool_.next = address; }                       \
  uint32_t GetCurAddr() { return hostnpu_pool_.next; }                                      \
  void SetCurBufSize(uint8_t count) { hostnpu_pool_.SetCount(count); }                      \
  uint8_t GetCurBufSize() { return static_cast<uint8_t>(hostnpu_pool_.count); }             \
  AscendC::internal::BufferPool<capacity>& HostnpuPool() { return hostnpu_pool_; }          \
                                                                                            \
 private:                                                                                   \
  AscendC::internal::BufferPool<capacity> hostnpu_pool_

/// Tensors without a TPipe: hands out one memory from its bottom.
template <Hardware hardware = Hardware::UB>
class LocalMemAllocator {
 public:
  LocalMemAllocator() = default;

  /// Bytes handed out so far.
  uint32_t GetCurAddr() const { return next_; }
  template <TPosition pos, typename T, uint32_t size>
  LocalTensor<T> Alloc() {
    return Alloc<pos, T>(size);
  }
  template <TPosition pos, typename T>
  LocalTensor<T> Alloc(uint32_t size) {
    static_assert(internal::MemoryOf(pos) == kMemory, "the position is not in this memory");
    const uint64_t bytes = AlignUp(internal::BytesOf<T>(size), ONE_BLK_SIZE);
    const uint32_t whole = internal::ThisCore().memory[kMemory].size_bytes;
    if (HOSTNPU_UNLIKELY(next_ + bytes > whole)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_FULL, "LocalMemAllocator::Alloc",
                    "asks for %llu bytes of %s; %u of its %u bytes are taken: %llu too many",
                    (unsigned long long)bytes, internal::MemoryName(kMemory), next_, whole,
                    (unsigned long long)(next_ + bytes - whole));
    }
    LocalTensor<T> tensor(pos, next_, size);
    next_ += static_cast<uint32_t>(bytes);
    return tensor;
  }
  template <typename T, uint32_t size>
  LocalTensor<T> Alloc() {
    return Alloc<kPosition, T>(size);
  }
  template <typename T>
  LocalTensor<T> Alloc(uint32_t size) {
    return Alloc<kPosition, T>(size);
  }

 private:
  static constexpr TPosition kPosition = hardware == Hardware::UB     ? TPosition::VECCALC
                                         : hardware == Hardware::L1   ? TPosition::A1
                                         : hardware == Hardware::L0A  ? TPosition::A2
                                         : hardware == Hardware::L0B  ? TPosition::B2
                                         : hardware == Hardware::L0C  ? TPosition::CO1
                                         : hardware == Hardware::BIAS ? TPosition::C2
                                                                      : TPosition::C2PIPE2GM;
  static constexpr HostnpuMemoryKind kMemory = internal::MemoryOf(kPosition);
  static_assert(hardware != Hardware::GM && hardware != Hardware::MAX,
                "LocalMemAllocator hands out an on-chip memory");

  uint32_t next_ = 0;
};

}  // namespace AscendC

// Kernels name it unqualified.
using AscendC::GetTPipePtr;

#endif  // HOSTNPU_ASCENDC_BASIC_PIPE_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of UB that no buffer has: what the high-level library uses where it is given no
// temporary buffer, and what kernels take in the same way.
#ifndef HOSTNPU_ASCENDC_ADVANCED_STACK_BUFFER_H_
#define HOSTNPU_ASCENDC_ADVANCED_STACK_BUFFER_H_

#include "../basic/pipe.h"

namespace AscendC {

/// Makes `pop` the memory behind all buffers at `pos`. Taking it twice gives the same memory.
template <typename T, TPosition pos>
inline bool PopStackBuffer(LocalTensor<T>& pop) {
  TPipe* pipe = GetTPipePtr();
  const HostnpuMemoryKind kind = internal::MemoryOf(pos);
  const HostnpuLocalMemory& memory = internal::ThisCore().memory[kind];
  const uint64_t used = pipe == nullptr ? 0 : pipe->template GetQueueEndAddress<pos>();
  if (used >= memory.usable_bytes) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_FULL, "PopStackBuffer",
                  "finds nothing: buffers take %llu of the %u bytes of %s",
                  (unsigned long long)used, memory.usable_bytes, internal::MemoryName(kind));
  }
  TBuffAddr address;
  address.logicPos = static_cast<uint8_t>(pos);
  address.bufferAddr = static_cast<uint32_t>(used);
  address.dataLen = static_cast<uint32_t>(memory.usable_bytes - used);
  address.absAddr = memory.base + used;
  pop.SetAddr(address);
  return true;
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_STACK_BUFFER_H_

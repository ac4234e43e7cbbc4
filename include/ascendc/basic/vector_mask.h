// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The mask register of the vector unit: which elements of a repeat take part, or, in counter mode,
// how many elements the whole instruction has.
#ifndef HOSTNPU_ASCENDC_BASIC_VECTOR_MASK_H_
#define HOSTNPU_ASCENDC_BASIC_VECTOR_MASK_H_

#include "../detail/core.h"

namespace AscendC {
namespace internal {

constexpr uint64_t kFullMask = ~uint64_t{0};

HOSTNPU_INLINE void SetMaskRegister(uint64_t high, uint64_t low) {
  Registers& registers = Regs();
  registers.mask[0] = low;
  registers.mask[1] = high;
}
/// Bits of the first `count` of 128 elements.
HOSTNPU_INLINE void FirstLanes(uint64_t* bits, uint64_t count) {
  bits[0] = count >= 64 ? kFullMask : (uint64_t{1} << count) - 1;
  bits[1] = count >= 128 ? kFullMask : count > 64 ? (uint64_t{1} << (count - 64)) - 1 : 0;
}
HOSTNPU_INLINE void SetContiguousMask(uint64_t count) { FirstLanes(Regs().mask, count); }

}  // namespace internal

/// Sets the mask register: bits of elements 64 to 127, bits of elements 0 to 63. In counter mode
/// the second is the number of elements.
template <typename T, MaskMode mode = MaskMode::NORMAL>
HOSTNPU_INLINE void SetVectorMask(const uint64_t high, const uint64_t low) {
  if (internal::OnVectorCore()) internal::SetMaskRegister(high, low);
}
/// Sets the mask register to the first `count` elements, or to `count` elements in counter mode.
template <typename T, MaskMode mode = MaskMode::NORMAL>
HOSTNPU_INLINE void SetVectorMask(int32_t count) {
  if (!internal::OnVectorCore()) return;
  if constexpr (mode == MaskMode::COUNTER) {
    internal::SetMaskRegister(0, static_cast<uint64_t>(count));
  } else {
    constexpr int32_t whole = static_cast<int32_t>(2048 / SizeOfBits<PrimT<T>>::value);
    if (HOSTNPU_UNLIKELY(count < 0 || count > (whole > 128 ? whole : 128))) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "SetVectorMask",
                    "is given a mask of %d elements; a repeat has %d", count, whole);
    }
    internal::SetContiguousMask(count == whole ? 128 : static_cast<uint64_t>(count));
  }
}
/// All elements take part.
HOSTNPU_INLINE void ResetMask() {
  if (internal::OnVectorCore()) {
    internal::SetMaskRegister(internal::kFullMask, internal::kFullMask);
  }
}
/// The mask register counts elements of the whole instruction from now on.
HOSTNPU_INLINE void SetMaskCount() {
  if (internal::OnVectorCore()) internal::Regs().counter_mode = 1;
}
/// The mask register holds bits of one repeat from now on.
HOSTNPU_INLINE void SetMaskNorm() {
  if (internal::OnVectorCore()) internal::Regs().counter_mode = 0;
}

/// The same under the names that operators take from inside the vendor's library.
class AscendCUtils {
 public:
  template <typename T, bool isSetMask = true>
  static void SetMask(const uint64_t& high, const uint64_t& low) {
    if constexpr (isSetMask) SetVectorMask<T>(high, low);
  }
  template <typename T, bool isSetMask = true>
  static void SetMask(int32_t count) {
    if constexpr (isSetMask) SetVectorMask<T>(count);
  }
  template <typename T>
  static void SetMaskCount() {
    AscendC::SetMaskCount();
  }
  template <typename T>
  static void SetMaskNorm() {
    AscendC::SetMaskNorm();
  }
  template <bool isSetMask = true>
  static void ResetMask() {
    if constexpr (isSetMask) AscendC::ResetMask();
  }
  /// What half does beyond its range: 1 gives Inf and NaN, 0 saturates.
  static void SetOverflow(uint64_t ctrlValue) {
    constexpr uint64_t kInfNan = uint64_t{1} << 48;
    uint64_t& control = internal::Regs().control;
    control = ctrlValue == 1 ? control | kInfNan : control & ~kInfNan;
  }
  /// Bits of `bytes`.
  static int32_t GetBitSize(int32_t bytes) { return bytes * 8; }
  /// Elements of a 32-byte block.
  static int32_t GetC0Size(int32_t element_bytes) {
    return static_cast<int32_t>(ONE_BLK_SIZE) / element_bytes;
  }
  static int32_t GetC0Count(const int32_t element_bytes) { return GetC0Size(element_bytes); }
};

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_VECTOR_MASK_H_

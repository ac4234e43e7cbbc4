// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Select: per element, bit 1 takes src0 and bit 0 takes src1, which is a tensor or a scalar. In
// modes 1 and 2 the bits go on from repeat to repeat; in mode 0 every repeat uses the same ones.
#ifndef HOSTNPU_ASCENDC_BASIC_SELECT_H_
#define HOSTNPU_ASCENDC_BASIC_SELECT_H_

#include "../detail/availability.h"
#include "../detail/vector_run.h"
#include "repeat_params.h"

namespace AscendC {
namespace internal {

/// One Select. src1.base null: the scalar's bits.
struct Selection {
  const char* api;
  VectorOperand dst;
  VectorOperand src0;
  VectorOperand src1;
  uint32_t scalar_bits;
  const uint8_t* bits;
  uint32_t bits_step;  // bytes from repeat to repeat; 0: the same bits
};

typedef uint32_t Lanes32 __attribute__((ext_vector_type(8)));
typedef uint16_t Lanes16 __attribute__((ext_vector_type(16)));
typedef bool Bits8 __attribute__((ext_vector_type(8)));
typedef bool Bits16 __attribute__((ext_vector_type(16)));
template <typename Lane>
struct LanesOf {
  using Vector = Lanes32;
  using Bits = Bits8;
  using Word = uint8_t;
};
template <>
struct LanesOf<uint16_t> {
  using Vector = Lanes16;
  using Bits = Bits16;
  using Word = uint16_t;
};

// Vectors wider than the target's registers are only ever passed inline.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
/// One block: the elements whose bit in `active` is set.
template <typename Lane>
HOSTNPU_INLINE void SelectBlock(uint8_t* dst, const uint8_t* src0, const uint8_t* src1,
                                typename LanesOf<Lane>::Vector scalar,
                                typename LanesOf<Lane>::Word choice,
                                typename LanesOf<Lane>::Word active) {
  using Vector = typename LanesOf<Lane>::Vector;
  using Bits = typename LanesOf<Lane>::Bits;
  const Vector take0 = -__builtin_convertvector(__builtin_bit_cast(Bits, choice), Vector);
  const Vector write = -__builtin_convertvector(__builtin_bit_cast(Bits, active), Vector);
  Vector a;
  Vector b = scalar;
  Vector old;
  __builtin_memcpy(&a, src0, sizeof(a));
  if (src1 != nullptr) __builtin_memcpy(&b, src1, sizeof(b));
  __builtin_memcpy(&old, dst, sizeof(old));
  const Vector chosen = (a & take0) | (b & ~take0);
  const Vector result = (chosen & write) | (old & ~write);
  __builtin_memcpy(dst, &result, sizeof(result));
}

/// `repeats` repeats; the last one under its own mask.
template <typename Lane>
__attribute__((noinline)) void RunSelection(const Selection& selection, uint64_t repeats,
                                            uint64_t low, uint64_t high, uint64_t last_low,
                                            uint64_t last_high) {
  using Word = typename LanesOf<Lane>::Word;
  constexpr uint32_t kPerBlock = kVectorBlockBytes / sizeof(Lane);
  constexpr uint32_t kPerRepeat = kVectorRepeatBytes / sizeof(Lane);
  typename LanesOf<Lane>::Vector scalar;
  for (uint32_t i = 0; i < kPerBlock; ++i) scalar[i] = static_cast<Lane>(selection.scalar_bits);
  for (uint64_t repeat = 0; repeat < repeats; ++repeat) {
    const bool last = repeat + 1 == repeats;
    const uint64_t active[2] = {last ? last_low : low, last ? last_high : high};
    const uint8_t* bits = selection.bits + repeat * selection.bits_step;
    for (uint32_t first = 0; first < kPerRepeat; first += kPerBlock) {
      const Word mask = static_cast<Word>(active[first / 64] >> (first % 64));
      if (mask == 0) continue;
      const uint32_t block = first / kPerBlock;
      Word choice;
      __builtin_memcpy(&choice, bits + first / 8, sizeof(choice));
      const auto at = [&](const VectorOperand& operand) {
        return operand.base + repeat * operand.repeat_stride + block * operand.block_stride;
      };
      SelectBlock<Lane>(at(selection.dst), at(selection.src0),
                        selection.src1.base == nullptr ? nullptr : at(selection.src1), scalar,
                        choice, mask);
    }
  }
}

#pragma clang diagnostic pop

/// Bytes of the operand that `repeats` repeats touch: whole blocks.
HOSTNPU_INLINE uint64_t SelectExtent(const VectorOperand& operand, uint64_t repeats,
                                     uint32_t last_elements) {
  const uint32_t per_block = kVectorBlockBytes * 8 / operand.element_bits;
  const auto blocks = [&](uint32_t elements) {
    return static_cast<uint64_t>((elements - 1) / per_block) * operand.block_stride +
           kVectorBlockBytes;
  };
  const uint64_t last = (repeats - 1) * operand.repeat_stride + blocks(last_elements);
  if (repeats == 1) return last;
  const uint64_t before =
      (repeats - 2) * operand.repeat_stride + blocks(kVectorRepeatBytes * 8 / operand.element_bits);
  return before > last ? before : last;
}

template <typename Lane>
void SelectRepeats(const Selection& selection, uint64_t repeats, uint64_t low, uint64_t high,
                   uint64_t last_low, uint64_t last_high) {
  constexpr uint32_t kPerRepeat = kVectorRepeatBytes / sizeof(Lane);
  if (kPerRepeat == 64) high = last_high = 0;
  if (repeats == 0 || (last_low | last_high | (repeats > 1 ? low | high : 0)) == 0) return;
  const uint32_t last_elements =
      last_high != 0  ? 128u - static_cast<uint32_t>(__builtin_clzll(last_high))
      : last_low != 0 ? 64u - static_cast<uint32_t>(__builtin_clzll(last_low))
                      : 1u;
  CheckOperand(selection.api, selection.dst, SelectExtent(selection.dst, repeats, last_elements));
  CheckOperand(selection.api, selection.src0, SelectExtent(selection.src0, repeats, last_elements));
  if (selection.src1.base != nullptr) {
    CheckOperand(selection.api, selection.src1,
                 SelectExtent(selection.src1, repeats, last_elements));
  }
  RunSelection<Lane>(selection, repeats, low, high, last_low, last_high);
}

/// Elements of a repeat that take part, by the registers.
template <typename Lane>
void SelectMasked(const Selection& selection, uint64_t repeats) {
  const Registers& registers = Regs();
  if (registers.counter_mode == 0) {
    SelectRepeats<Lane>(selection, repeats, registers.mask[0], registers.mask[1], registers.mask[0],
                        registers.mask[1]);
    return;
  }
  constexpr uint32_t kPerRepeat = kVectorRepeatBytes / sizeof(Lane);
  const uint64_t count = registers.mask[0];
  if (count == 0) return;
  const uint64_t counted = (count - 1) / kPerRepeat + 1;
  uint64_t low;
  uint64_t high;
  PrefixBits(count - (counted - 1) * kPerRepeat, &low, &high);
  SelectRepeats<Lane>(selection, counted, kFullMask, kFullMask, low, high);
}

template <size_t bytes>
struct LaneBySize {
  using Type = uint32_t;
};
template <>
struct LaneBySize<2> {
  using Type = uint16_t;
};
template <typename T>
using LaneOf = typename LaneBySize<sizeof(PrimT<T>)>::Type;

template <typename T, typename U>
Selection MakeSelection(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                        const LocalTensor<T>& src0, SELMODE mode,
                        const BinaryRepeatParams& params) {
  return {"Select",
          OperandOf("dst", dst, params.dstBlkStride, params.dstRepStride),
          OperandOf("src0", src0, params.src0BlkStride, params.src0RepStride),
          {},
          0,
          selMask.address_.absAddr,
          mode == SELMODE::VSEL_CMPMASK_SPR
              ? 0u
              : static_cast<uint32_t>(kVectorRepeatBytes / sizeof(PrimT<T>) / 8)};
}
template <typename T, typename U>
void CheckSelectBits(const Selection& selection, const LocalTensor<U>& selMask, uint64_t repeats) {
  const uint64_t per_repeat = kVectorRepeatBytes / sizeof(PrimT<T>) / 8;
  const uint64_t bytes = selection.bits_step == 0 ? per_repeat : per_repeat * repeats;
  if (repeats != 0) CheckOperand(selection.api, OperandOf("selMask", selMask), bytes);
}
HOSTNPU_FAULT_FUNCTION inline void SelectModeFault(SELMODE mode, const char* src1) {
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "Select", "with %s as src1 does not take mode %u", src1,
                static_cast<unsigned>(mode));
}

/// Puts the mask argument into the register and gives the repeats the instruction will make.
template <typename T, bool isSetMask, typename Mask>
uint64_t PrepareSelect(Mask mask, uint8_t repeats) {
  constexpr uint32_t kPerRepeat = kVectorRepeatBytes / sizeof(PrimT<T>);
  if constexpr (isSetMask) SetMaskArgument("Select", mask, kPerRepeat);
  const Registers& registers = Regs();
  return registers.counter_mode == 0 ? repeats : (registers.mask[0] + kPerRepeat - 1) / kPerRepeat;
}

template <typename T>
uint32_t ScalarBits(PrimT<T> scalar) {
  uint32_t bits = 0;
  __builtin_memcpy(&bits, &scalar, sizeof(scalar));
  return bits;
}

template <typename T, typename U>
void SelectCount(Selection selection, const LocalTensor<U>& selMask, uint32_t count) {
  Registers& registers = Regs();
  registers.mask[0] = count;
  registers.mask[1] = 0;
  registers.counter_mode = 1;
  constexpr uint32_t kPerRepeat = kVectorRepeatBytes / sizeof(PrimT<T>);
  const uint64_t bytes =
      selection.bits_step == 0 ? kPerRepeat / 8 : (static_cast<uint64_t>(count) + 7) / 8;
  if (count != 0) CheckOperand(selection.api, OperandOf("selMask", selMask), bytes);
  SelectMasked<LaneOf<T>>(selection, 0);
  registers.mask[0] = registers.mask[1] = kFullMask;
  registers.counter_mode = 0;
}

}  // namespace internal

HOSTNPU_AVAILABLE(Select, internal::kHalf | internal::kFloat)

#define HOSTNPU_SELECT(Mask)                                                                       \
  template <typename T, typename U, bool isSetMask = true>                                         \
  inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,                     \
                     const LocalTensor<T>& src0, const LocalTensor<T>& src1, SELMODE selMode,      \
                     Mask, uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {           \
    static_assert(AvailableSelect<T>::value, "");                                                  \
    if (!internal::OnVectorCore()) return;                                                         \
    if (selMode == SELMODE::VSEL_TENSOR_SCALAR_MODE) {                                             \
      internal::SelectModeFault(selMode, "a tensor");                                              \
    }                                                                                              \
    internal::Selection selection =                                                                \
        internal::MakeSelection(dst, selMask, src0, selMode, repeatParams);                        \
    selection.src1 =                                                                               \
        internal::OperandOf("src1", src1, repeatParams.src1BlkStride, repeatParams.src1RepStride); \
    const uint64_t repeats = internal::PrepareSelect<T, isSetMask>(mask, repeatTime);              \
    internal::CheckSelectBits<T>(selection, selMask, repeats);                                     \
    internal::SelectMasked<internal::LaneOf<T>>(selection, repeatTime);                            \
  }                                                                                                \
  template <typename T, typename U, bool isSetMask = true>                                         \
  inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,                     \
                     const LocalTensor<T>& src0, const internal::NoDeduce<PrimT<T>> src1,          \
                     SELMODE selMode, Mask, uint8_t repeatTime,                                    \
                     const BinaryRepeatParams& repeatParams) {                                     \
    static_assert(AvailableSelect<T>::value, "");                                                  \
    if (!internal::OnVectorCore()) return;                                                         \
    if (selMode != SELMODE::VSEL_TENSOR_SCALAR_MODE) {                                             \
      internal::SelectModeFault(selMode, "a scalar");                                              \
    }                                                                                              \
    internal::Selection selection =                                                                \
        internal::MakeSelection(dst, selMask, src0, selMode, repeatParams);                        \
    selection.scalar_bits = internal::ScalarBits<T>(src1);                                         \
    const uint64_t repeats = internal::PrepareSelect<T, isSetMask>(mask, repeatTime);              \
    internal::CheckSelectBits<T>(selection, selMask, repeats);                                     \
    internal::SelectMasked<internal::LaneOf<T>>(selection, repeatTime);                            \
  }
/// dst = bit ? src0 : src1, a tensor in modes 0 and 2, a scalar in mode 1.
HOSTNPU_SELECT(const uint64_t mask[])
HOSTNPU_SELECT(uint64_t mask)
#undef HOSTNPU_SELECT

/// The first `count` elements.
template <typename T, typename U>
inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                   const LocalTensor<T>& src0, const LocalTensor<T>& src1, SELMODE selMode,
                   uint32_t count) {
  static_assert(AvailableSelect<T>::value, "");
  if (!internal::OnVectorCore()) return;
  if (selMode == SELMODE::VSEL_TENSOR_SCALAR_MODE) {
    internal::SelectModeFault(selMode, "a tensor");
  }
  internal::Selection selection = internal::MakeSelection(dst, selMask, src0, selMode, {});
  selection.src1 = internal::OperandOf("src1", src1);
  internal::SelectCount<T>(selection, selMask, count);
}
template <typename T, typename U>
inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                   const LocalTensor<T>& src0, const internal::NoDeduce<PrimT<T>> src1,
                   SELMODE selMode, uint32_t count) {
  static_assert(AvailableSelect<T>::value, "");
  if (!internal::OnVectorCore()) return;
  if (selMode != SELMODE::VSEL_TENSOR_SCALAR_MODE) {
    internal::SelectModeFault(selMode, "a scalar");
  }
  internal::Selection selection = internal::MakeSelection(dst, selMask, src0, selMode, {});
  selection.scalar_bits = internal::ScalarBits<T>(src1);
  internal::SelectCount<T>(selection, selMask, count);
}

/// Mode 0 with the bits in the CMPMASK register, as Compare or SetCmpMask left them.
template <typename T, SELMODE selMode>
inline void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                   const LocalTensor<T>& src1, uint8_t repeatTime,
                   const BinaryRepeatParams& repeatParams) {
  static_assert(AvailableSelect<T>::value, "");
  static_assert(selMode == SELMODE::VSEL_CMPMASK_SPR,
                "Select with the bits in a register is available for VSEL_CMPMASK_SPR only");
  if (!internal::OnVectorCore()) return;
  internal::Selection selection = {
      "Select",
      internal::OperandOf("dst", dst, repeatParams.dstBlkStride, repeatParams.dstRepStride),
      internal::OperandOf("src0", src0, repeatParams.src0BlkStride, repeatParams.src0RepStride),
      internal::OperandOf("src1", src1, repeatParams.src1BlkStride, repeatParams.src1RepStride),
      0,
      reinterpret_cast<const uint8_t*>(internal::Regs().compare_mask),
      0};
  internal::SelectMasked<internal::LaneOf<T>>(selection, repeatTime);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_SELECT_H_

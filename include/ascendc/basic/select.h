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

/// One Select: of src0, and of src1 or a scalar.
struct Selection {
  VectorOperand dst;
  VectorOperand src0;
  VectorOperand src1;
  bool with_scalar;
  uint32_t scalar_bits;
  const uint8_t* bits;
  uint32_t bits_step;  // bytes from repeat to repeat; 0: the same bits
};
constexpr const char* kSelectApi = "Select";

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

template <typename Lane>
__attribute__((noinline)) void RunSelection(const Selection& selection, const LanePlan& plan) {
  using Word = typename LanesOf<Lane>::Word;
  constexpr uint32_t kPerBlock = kVectorBlockBytes / sizeof(Lane);
  constexpr uint32_t kPerRepeat = kVectorRepeatBytes / sizeof(Lane);
  typename LanesOf<Lane>::Vector scalar;
  for (uint32_t i = 0; i < kPerBlock; ++i) scalar[i] = static_cast<Lane>(selection.scalar_bits);
  for (uint32_t repeat = 0; repeat < plan.repeats; ++repeat) {
    const uint64_t* active = plan.Of(repeat);
    const uint8_t* bits = selection.bits + uint64_t{repeat} * selection.bits_step;
    for (uint32_t first = 0; first < kPerRepeat; first += kPerBlock) {
      const Word mask = static_cast<Word>(active[first / 64] >> (first % 64));
      if (mask == 0) continue;
      const uint32_t block = first / kPerBlock;
      Word choice;
      __builtin_memcpy(&choice, bits + first / 8, sizeof(choice));
      const auto at = [&](const VectorOperand& operand) {
        return operand.base + uint64_t{repeat} * operand.repeat_stride +
               block * operand.block_stride;
      };
      SelectBlock<Lane>(at(selection.dst), at(selection.src0),
                        selection.with_scalar ? nullptr : at(selection.src1), scalar, choice, mask);
    }
  }
}

#pragma clang diagnostic pop

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
template <typename T>
constexpr uint32_t kSelectLanes = kVectorRepeatBytes / sizeof(PrimT<T>);

/// src1 is a tensor.
template <typename T>
HOSTNPU_INLINE void SetSource1(Selection& selection, const LocalTensor<T>& src1,
                               const BinaryRepeatParams& params) {
  selection.src1 = OperandOf("src1", src1, params.src1BlkStride, params.src1RepStride);
}
/// src1 is a scalar.
template <typename T>
HOSTNPU_INLINE void SetSource1(Selection& selection, T scalar, const BinaryRepeatParams&) {
  selection.with_scalar = true;
  __builtin_memcpy(&selection.scalar_bits, &scalar, sizeof(scalar));
}
HOSTNPU_INLINE void CheckSelectMode(SELMODE mode, bool with_scalar) {
  const bool known =
      with_scalar ? mode == SELMODE::VSEL_TENSOR_SCALAR_MODE
                  : mode == SELMODE::VSEL_CMPMASK_SPR || mode == SELMODE::VSEL_TENSOR_TENSOR_MODE;
  if (HOSTNPU_LIKELY(known)) return;
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kSelectApi, "with %s as src1 does not take mode %u",
                with_scalar ? "a scalar" : "a tensor", static_cast<unsigned>(mode));
}

/// Checks all operands but the bits, then selects.
template <typename T>
void RunChecked(const Selection& selection, const LanePlan& plan) {
  CheckPlanned(kSelectApi, plan, selection.dst);
  CheckPlanned(kSelectApi, plan, selection.src0);
  if (!selection.with_scalar) CheckPlanned(kSelectApi, plan, selection.src1);
  RunSelection<LaneOf<T>>(selection, plan);
}

/// Select with its bits in a tensor; src1 is a tensor or a scalar.
template <typename T, typename U, typename Source1>
void SelectPlanned(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                   const LocalTensor<T>& src0, const Source1& src1, SELMODE mode,
                   const LanePlan& plan, const BinaryRepeatParams& params) {
  Selection selection = {OperandOf("dst", dst, params.dstBlkStride, params.dstRepStride),
                         OperandOf("src0", src0, params.src0BlkStride, params.src0RepStride),
                         {},
                         false,
                         0,
                         selMask.address_.absAddr,
                         mode == SELMODE::VSEL_CMPMASK_SPR
                             ? 0u
                             : static_cast<uint32_t>(kVectorRepeatBytes / sizeof(PrimT<T>) / 8)};
  SetSource1(selection, src1, params);
  CheckSelectMode(mode, selection.with_scalar);
  if (plan.repeats == 0) return;
  const uint32_t lanes = plan.repeats == 1 ? LastLane(plan.last_bits) + 1 : kSelectLanes<T>;
  const uint64_t bytes =
      selection.bits_step == 0
          ? (lanes + 7) / 8
          : (plan.repeats - 1) * uint64_t{selection.bits_step} + (LastLane(plan.last_bits) + 8) / 8;
  CheckOperand(kSelectApi, OperandOf("selMask", selMask), bytes);
  RunChecked<T>(selection, plan);
}
template <bool isSetMask, typename T, typename U, typename Source1, typename Mask>
void SelectMasked(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                  const LocalTensor<T>& src0, const Source1& src1, SELMODE mode, Mask mask,
                  RepeatCount repeats, const BinaryRepeatParams& params) {
  if (!OnVectorCore()) return;
  if constexpr (isSetMask) SetMaskArgument(kSelectApi, mask, kSelectLanes<T>);
  SelectPlanned(dst, selMask, src0, src1, mode, PlanLanes(kSelectApi, repeats, kSelectLanes<T>),
                params);
}
template <typename T, typename U, typename Source1>
void SelectCount(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                 const LocalTensor<T>& src0, const Source1& src1, SELMODE mode, uint32_t count) {
  if (!OnVectorCore()) return;
  SelectPlanned(dst, selMask, src0, src1, mode, PlanCount(kSelectApi, count, kSelectLanes<T>), {});
}

}  // namespace internal

HOSTNPU_AVAILABLE(Select, internal::kHalf | internal::kFloat)

#define HOSTNPU_SELECT(Source1, Mask)                                                         \
  template <typename T, typename U, bool isSetMask = true>                                    \
  HOSTNPU_SHARED void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,        \
                             const LocalTensor<T>& src0, const Source1 src1, SELMODE selMode, \
                             Mask, internal::RepeatCount repeatTime,                          \
                             const BinaryRepeatParams& repeatParams) {                        \
    static_assert(AvailableSelect<T>::value, "");                                             \
    internal::SelectMasked<isSetMask>(dst, selMask, src0, src1, selMode, mask, repeatTime,    \
                                      repeatParams);                                          \
  }
#define HOSTNPU_SELECT_COUNT(Source1)                                                         \
  template <typename T, typename U>                                                           \
  HOSTNPU_SHARED void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,        \
                             const LocalTensor<T>& src0, const Source1 src1, SELMODE selMode, \
                             uint32_t count) {                                                \
    static_assert(AvailableSelect<T>::value, "");                                             \
    internal::SelectCount(dst, selMask, src0, src1, selMode, count);                          \
  }
/// dst = bit ? src0 : src1, a tensor in modes 0 and 2, a scalar in mode 1.
HOSTNPU_SELECT(LocalTensor<T>&, const uint64_t mask[])
HOSTNPU_SELECT(LocalTensor<T>&, uint64_t mask)
HOSTNPU_SELECT(internal::NoDeduce<PrimT<T>>, const uint64_t mask[])
HOSTNPU_SELECT(internal::NoDeduce<PrimT<T>>, uint64_t mask)
/// The first `count` elements.
HOSTNPU_SELECT_COUNT(LocalTensor<T>&)
HOSTNPU_SELECT_COUNT(internal::NoDeduce<PrimT<T>>)
#undef HOSTNPU_SELECT_COUNT
#undef HOSTNPU_SELECT

namespace internal {

/// The tensor of bits whose address SetCmpMask has put into the register: a pointer, or as on the
/// device the low 32 bits of one.
HOSTNPU_SHARED LocalTensor<uint8_t> BitsAtCompareMask() {
  const HostnpuLocalMemory& ub = ThisCore().memory[HOSTNPU_MEMORY_UB];
  const uint64_t address = Regs().compare_mask[0];
  uint64_t offset = address - reinterpret_cast<uint64_t>(ub.base);
  const uint64_t high = address >> 32;
  const bool is_short = high == 0 || high == (address & 0xFFFFFFFF);
  if (offset >= ub.size_bytes && is_short) offset = static_cast<uint32_t>(offset);
  if (HOSTNPU_UNLIKELY(offset >= ub.size_bytes)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kSelectApi,
                  "takes selMask from the address that SetCmpMask has set, 0x%llx, which is not in "
                  "UB. In mode 2 the tensor given to SetCmpMask holds selMask.GetPhyAddr()",
                  (unsigned long long)address);
  }
  return LocalTensor<uint8_t>(static_cast<uint32_t>(offset));
}

}  // namespace internal

/// src1 is a tensor, and selMask comes from the CMPMASK register: in mode 0 its bits, as Compare or
/// SetCmpMask left them, in mode 2 its address.
template <typename T, SELMODE selMode>
HOSTNPU_SHARED void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                           const LocalTensor<T>& src1, internal::RepeatCount repeatTime,
                           const BinaryRepeatParams& repeatParams) {
  static_assert(AvailableSelect<T>::value, "");
  static_assert(selMode != SELMODE::VSEL_TENSOR_SCALAR_MODE,
                "Select with a scalar takes (dst, selMask, src0, repeatTime, repeatParams)");
  if (!internal::OnVectorCore()) return;
  const internal::LanePlan plan =
      internal::PlanLanes(internal::kSelectApi, repeatTime, internal::kSelectLanes<T>);
  if (plan.repeats == 0) return;
  if constexpr (selMode == SELMODE::VSEL_TENSOR_TENSOR_MODE) {
    internal::SelectPlanned(dst, internal::BitsAtCompareMask(), src0, src1, selMode, plan,
                            repeatParams);
  } else {
    const internal::Selection selection = {
        internal::OperandOf("dst", dst, repeatParams.dstBlkStride, repeatParams.dstRepStride),
        internal::OperandOf("src0", src0, repeatParams.src0BlkStride, repeatParams.src0RepStride),
        internal::OperandOf("src1", src1, repeatParams.src1BlkStride, repeatParams.src1RepStride),
        false,
        0,
        reinterpret_cast<const uint8_t*>(internal::Regs().compare_mask),
        0};
    internal::RunChecked<T>(selection, plan);
  }
}
/// Mode 1: src1 is the first element of the tensor that SetCmpMask was given.
template <typename T, typename U>
HOSTNPU_SHARED void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                           const LocalTensor<T>& src0, internal::RepeatCount repeatTime,
                           const BinaryRepeatParams& repeatParams) {
  static_assert(AvailableSelect<T>::value, "");
  static_assert(!IsSameType<PrimT<U>, half>::value && !IsSameType<PrimT<U>, float>::value,
                "selMask holds bits, not half or float; with two tensors to select from, write "
                "Select<T, selMode>(dst, src0, src1, repeatTime, repeatParams)");
  if (!internal::OnVectorCore()) return;
  PrimT<T> scalar;
  __builtin_memcpy(&scalar, internal::Regs().compare_mask, sizeof(scalar));
  internal::SelectPlanned(
      dst, selMask, src0, scalar, SELMODE::VSEL_TENSOR_SCALAR_MODE,
      internal::PlanLanes(internal::kSelectApi, repeatTime, internal::kSelectLanes<T>),
      repeatParams);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_SELECT_H_

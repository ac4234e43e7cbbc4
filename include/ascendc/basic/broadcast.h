// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Copy, the vector unit's own move; Brcb, which spreads elements over blocks; and the sequences
// CreateVecIndex and ArithProgression.
#ifndef HOSTNPU_ASCENDC_BASIC_BROADCAST_H_
#define HOSTNPU_ASCENDC_BASIC_BROADCAST_H_

#include "../detail/availability.h"
#include "../detail/vector_run.h"
#include "../semantics/arithmetic.h"
#include "data_copy_params.h"
#include "transpose.h"

namespace AscendC {

/// Strides of Brcb, in blocks.
struct BrcbRepeatParams {
  BrcbRepeatParams() {}
  BrcbRepeatParams(uint16_t dst_block, uint16_t dst_repeat)
      : dstRepStride(dst_repeat), dstBlkStride(dst_block) {}

  uint32_t blockNumber = DEFAULT_BLK_NUM;
  uint16_t dstRepStride = DEFAULT_REPEAT_STRIDE;
  uint16_t dstBlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src0BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src1BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src0RepStride = DEFAULT_REPEAT_STRIDE;
  uint8_t src1RepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
};

namespace internal {

template <typename Raw>
inline void CopyRun(void* const* operand, uint32_t count, const void*) {
  __builtin_memmove(operand[0], operand[1], uint64_t{count} * sizeof(Raw));
}
template <typename T>
HOSTNPU_INLINE VectorInstruction MakeCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                          const CopyRepeatParams& params) {
  return {"Copy",
          &CopyRun<RawOf<T>>,
          nullptr,
          {OperandOf("dst", dst, params.dstStride, params.dstRepeatSize),
           OperandOf("src", src, params.srcStride, params.srcRepeatSize),
           {},
           {}},
          2,
          kVectorRepeatBytes / static_cast<uint32_t>(sizeof(RawOf<T>)),
          0};
}

template <typename Raw>
__attribute__((noinline)) void BroadcastBlocks(const VectorOperand& dst, const VectorOperand& src,
                                               uint32_t repeats) {
  constexpr uint32_t kPerBlock = 32 / sizeof(Raw);
  CheckOperand("Brcb", src, uint64_t{repeats} * 8 * sizeof(Raw));
  CheckOperand("Brcb", dst,
               (repeats - 1) * uint64_t{dst.repeat_stride} + 7 * uint64_t{dst.block_stride} + 32);
  for (uint32_t r = 0; r < repeats; ++r) {
    Raw values[8];
    __builtin_memcpy(values, src.base + uint64_t{r} * sizeof(values), sizeof(values));
    for (uint32_t j = 0; j < 8; ++j) {
      Raw* to = reinterpret_cast<Raw*>(dst.base + uint64_t{r} * dst.repeat_stride +
                                       j * uint64_t{dst.block_stride});
      for (uint32_t i = 0; i < kPerBlock; ++i) to[i] = values[j];
    }
  }
}

/// first + i * difference, rounded once.
template <typename T>
HOSTNPU_INLINE T Term(T first, T difference, uint32_t i) {
  if constexpr (__is_integral(T)) {
    return static_cast<T>(static_cast<uint32_t>(first) + static_cast<uint32_t>(difference) * i);
  } else {
    return static_cast<T>(static_cast<float>(first) +
                          static_cast<float>(difference) * static_cast<float>(i));
  }
}
/// `count` terms. The device makes the first block with the scalar unit, and each following block
/// or repeat by adding to the one before, so half rounds along the way.
template <typename T>
__attribute__((noinline)) void FillSequence(T* dst, T first, T difference, uint64_t count) {
  constexpr uint32_t kPerBlock = 32 / sizeof(T);
  constexpr uint32_t kPerRepeat = 256 / sizeof(T);
  const T block_step = Term(T(0), difference, kPerBlock);
  const T repeat_step = Term(T(0), difference, kPerRepeat);
  const auto until = [&](uint64_t limit) { return limit < count ? limit : count; };
  uint64_t i = 0;
  for (; i < until(kPerBlock); ++i) dst[i] = Term(first, difference, static_cast<uint32_t>(i));
  for (; i < until(kPerRepeat); ++i)
    dst[i] = semantics::Add::Apply<T>(dst[i - kPerBlock], block_step);
  for (; i < count; ++i) dst[i] = semantics::Add::Apply<T>(dst[i - kPerRepeat], repeat_step);
}

template <typename T>
__attribute__((noinline)) void FillIndexRepeats(const VectorOperand& dst, const LanePlan& plan,
                                                T first) {
  constexpr uint32_t kPerBlock = 32 / sizeof(T);
  constexpr uint32_t kPerRepeat = 256 / sizeof(T);
  CheckPlanned("CreateVecIndex", plan, dst);
  T terms[kPerRepeat];
  FillSequence<T>(terms, first, T(1), kPerRepeat);
  for (uint32_t r = 0; r < plan.repeats; ++r) {
    uint8_t* base = dst.base + uint64_t{r} * dst.repeat_stride;
    for (uint32_t lane = 0; lane < kPerRepeat; ++lane) {
      if (HasLane(plan.Of(r), lane)) {
        reinterpret_cast<T*>(base + lane / kPerBlock *
                                        uint64_t{dst.block_stride})[lane % kPerBlock] = terms[lane];
      }
      terms[lane] = semantics::Add::Apply<T>(terms[lane], static_cast<T>(kPerRepeat));
    }
  }
}

template <typename T, typename Mask>
inline void CreateIndex(const LocalTensor<T>& dst, PrimT<T> first, Mask mask, RepeatCount repeat,
                        uint16_t dst_block, uint8_t dst_repeat) {
  if (!OnVectorCore()) return;
  constexpr uint32_t kLanes = 256 / sizeof(PrimT<T>);
  SetMaskArgument("CreateVecIndex", mask, kLanes);
  const LanePlan plan = PlanLanes("CreateVecIndex", repeat, kLanes);
  if (plan.repeats == 0) return;
  FillIndexRepeats<PrimT<T>>(OperandOf("dst", dst, dst_block, dst_repeat), plan, first);
}

}  // namespace internal

HOSTNPU_AVAILABLE(Copy, internal::kAny16Or32)
HOSTNPU_AVAILABLE(Brcb, internal::kAny16Or32)
HOSTNPU_AVAILABLE(CreateVecIndex,
                  internal::kHalf | internal::kFloat | internal::kInt16 | internal::kInt32)
HOSTNPU_AVAILABLE(ArithProgression,
                  internal::kHalf | internal::kFloat | internal::kInt16 | internal::kInt32)

#define HOSTNPU_COPY(Mask)                                                                     \
  template <typename T, bool isSetMask = true>                                                 \
  inline void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask,                 \
                   internal::RepeatCount repeatTime, const CopyRepeatParams& params) {         \
    static_assert(AvailableCopy<T>::value, "");                                                \
    if (!internal::OnVectorCore()) return;                                                     \
    internal::RunUnderMask<isSetMask>(internal::MakeCopy(dst, src, params), mask, repeatTime); \
  }
/// Copies the elements that the mask selects, with strides on both sides. The form with a count is
/// not on this chip: kernels have a function of their own by that name.
HOSTNPU_COPY(const uint64_t mask[])
HOSTNPU_COPY(uint64_t mask)
#undef HOSTNPU_COPY

/// Each repeat takes eight elements and fills eight blocks, each with one of them.
template <typename T>
inline void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                 internal::RepeatCount repeatTime, const BrcbRepeatParams& params) {
  static_assert(AvailableBrcb<T>::value, "");
  internal::CheckRepeatTime("Brcb", repeatTime);
  if (!internal::OnVectorCore() || repeatTime == 0) return;
  internal::BroadcastBlocks<internal::RawOf<T>>(
      internal::OperandOf("dst", dst, params.dstBlkStride, params.dstRepStride),
      internal::OperandOf("src0", src), static_cast<uint32_t>(repeatTime));
}

/// dst[i] = firstValue + i.
template <typename T>
inline void CreateVecIndex(LocalTensor<T> dst, const internal::NoDeduce<PrimT<T>>& firstValue,
                           uint32_t count) {
  static_assert(AvailableCreateVecIndex<T>::value, "");
  if (!internal::OnVectorCore() || count == 0) return;
  internal::CheckOperand("CreateVecIndex", internal::OperandOf("dst", dst),
                         uint64_t{count} * sizeof(PrimT<T>));
  internal::FillSequence<PrimT<T>>(dst.Data(), firstValue, PrimT<T>(1), count);
}
/// The same for the lanes of a mask: lane e of repeat r gets firstValue + r * lanes + e.
template <typename T>
inline void CreateVecIndex(LocalTensor<T>& dst, const internal::NoDeduce<PrimT<T>>& firstValue,
                           uint64_t mask, internal::RepeatCount repeatTime, uint16_t dstBlkStride,
                           uint8_t dstRepStride) {
  static_assert(AvailableCreateVecIndex<T>::value, "");
  internal::CreateIndex(dst, firstValue, mask, repeatTime, dstBlkStride, dstRepStride);
}
template <typename T>
inline void CreateVecIndex(LocalTensor<T>& dst, const internal::NoDeduce<PrimT<T>>& firstValue,
                           uint64_t mask[], internal::RepeatCount repeatTime, uint16_t dstBlkStride,
                           uint8_t dstRepStride) {
  static_assert(AvailableCreateVecIndex<T>::value, "");
  internal::CreateIndex(dst, firstValue, static_cast<const uint64_t*>(mask), repeatTime,
                        dstBlkStride, dstRepStride);
}

/// dst[i] = firstValue + i * diffValue.
template <typename T>
inline void ArithProgression(const LocalTensor<T>& dst,
                             const internal::NoDeduce<PrimT<T>> firstValue,
                             const internal::NoDeduce<PrimT<T>> diffValue, int32_t count) {
  static_assert(AvailableArithProgression<T>::value, "");
  if (!internal::OnVectorCore() || count == 0) return;
  if (count < 0) internal::CountFault("ArithProgression", count);
  internal::CheckOperand("ArithProgression", internal::OperandOf("dst", dst),
                         static_cast<uint64_t>(count) * sizeof(PrimT<T>));
  internal::FillSequence<PrimT<T>>(dst.Data(), firstValue, diffValue, static_cast<uint64_t>(count));
}

/// The same under its newer name.
template <typename T>
inline void Arange(const LocalTensor<T>& dst, const internal::NoDeduce<PrimT<T>> firstValue,
                   const internal::NoDeduce<PrimT<T>> diffValue, const int32_t count) {
  ArithProgression<T>(dst, firstValue, diffValue, count);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_BROADCAST_H_

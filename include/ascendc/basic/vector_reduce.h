// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions: over each repeat (WholeReduce, RepeatReduceSum), each 32-byte block (BlockReduce),
// each pair (PairReduceSum), and over all elements (ReduceSum, ReduceMax, ReduceMin). The order of
// additions is that of detail/reduce_tree.h within a repeat and one after another over repeats.
#ifndef HOSTNPU_ASCENDC_BASIC_VECTOR_REDUCE_H_
#define HOSTNPU_ASCENDC_BASIC_VECTOR_REDUCE_H_

#include "../detail/availability.h"
#include "../detail/reduce_tree.h"
#include "../detail/vector_run.h"

namespace AscendC {

enum class ReduceType : uint8_t { SUM = 0, MAX, MIN, NONE };

namespace internal {

/// The raw index of a lane in the type of the values, as the unit stores it.
template <typename T>
HOSTNPU_INLINE T IndexBits(uint32_t index) {
  if constexpr (sizeof(T) == 2) return __builtin_bit_cast(T, static_cast<uint16_t>(index));
  if constexpr (sizeof(T) == 4) return __builtin_bit_cast(T, index);
}

/// A reduction: of each repeat on its own, or, with dst_step 0, of all of them.
struct Reduction {
  const char* api;
  VectorOperand src;
  VectorOperand dst;      // strides are of no meaning
  uint64_t dst_step;      // bytes from a repeat's results to the next one's
  uint32_t result_bytes;  // that a repeat writes
  ReduceOrder order;      // of a maximum or minimum with its index
  LanePlan plan;
};
/// dst in results of a repeat; the others in blocks.
struct ReduceStrides {
  int32_t dst;
  int32_t src_block;
  int32_t src_repeat;
};

HOSTNPU_INLINE void CheckReduceStride(const char* api, const char* name, int32_t stride) {
  if (HOSTNPU_LIKELY(stride >= 0 && stride <= 65535)) return;
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "has a %s stride of %d; it takes 0 to 65535", name,
                stride);
}

template <typename T, bool isSetMask, typename Mask>
HOSTNPU_INLINE LanePlan PlanReduction(const char* api, Mask mask, int32_t repeat) {
  if constexpr (isSetMask) SetMaskArgument(api, mask, kLanesPerRepeat<T>);
  return PlanLanes(api, repeat, kLanesPerRepeat<T>);
}

/// Results need not begin at a block: only their size aligns them.
template <typename T>
HOSTNPU_INLINE void CheckReduction(const Reduction& r) {
  CheckPlanned(r.api, r.plan, r.src);
  CheckLocal(r.api, HOSTNPU_MEMORY_UB, r.dst.base,
             (r.plan.repeats - 1) * r.dst_step + r.result_bytes);
  CheckAligned(r.api, "dst", HOSTNPU_MEMORY_UB, r.dst.base, sizeof(T));
}

template <typename T>
__attribute__((noinline)) void SumRepeats(const Reduction& r) {
  CheckReduction<T>(r);
  for (uint32_t i = 0; i < r.plan.repeats; ++i) {
    Float8 v[kVectorsPerRepeat<T>];
    LoadRepeat<T>(v, r.src.base + uint64_t{i} * r.src.repeat_stride, r.src.block_stride,
                  r.plan.Of(i));
    *reinterpret_cast<T*>(r.dst.base + i * r.dst_step) = static_cast<T>(SumRepeat<T>(v));
  }
}

template <typename T, bool is_max>
__attribute__((noinline)) void BestOfRepeats(const Reduction& r) {
  CheckReduction<T>(r);
  int32_t best_key = kLowestKey;
  for (uint32_t i = 0; i < r.plan.repeats; ++i) {
    const uint8_t* base = r.src.base + uint64_t{i} * r.src.repeat_stride;
    Float8 v[kVectorsPerRepeat<T>];
    LoadRepeat<T>(v, base, r.src.block_stride, r.plan.Of(i));
    const BestLane best = BestOfVectors<T, is_max>(v, r.plan.Of(i), 0, kVectorsPerRepeat<T>);
    const T value = LaneValue<T>(base, r.src.block_stride, best.lane);
    if (i == 0 || best.key > best_key) {
      best_key = best.key;
      Regs().reduce_max_min_value = static_cast<float>(value);
      Regs().reduce_max_min_index = i * kLanesPerRepeat<T> + best.lane;
    }
    T* to = reinterpret_cast<T*>(r.dst.base + i * r.dst_step);
    switch (r.order) {
      case ReduceOrder::ORDER_VALUE_INDEX:
        to[0] = value;
        to[1] = IndexBits<T>(best.lane);
        break;
      case ReduceOrder::ORDER_INDEX_VALUE:
        to[0] = IndexBits<T>(best.lane);
        to[1] = value;
        break;
      case ReduceOrder::ORDER_ONLY_VALUE:
        to[0] = value;
        break;
      case ReduceOrder::ORDER_ONLY_INDEX:
        __builtin_memcpy(to, &best.lane, sizeof(uint32_t));
        break;
    }
  }
}

/// Eight results per repeat; a block of which no element takes part keeps its old result.
template <ReduceType type, typename T>
__attribute__((noinline)) void ReduceBlocks(const Reduction& r) {
  constexpr uint32_t kPerBlock = 32 / sizeof(T);
  CheckReduction<T>(r);
  for (uint32_t i = 0; i < r.plan.repeats; ++i) {
    const uint8_t* base = r.src.base + uint64_t{i} * r.src.repeat_stride;
    const uint64_t* bits = r.plan.Of(i);
    T* to = reinterpret_cast<T*>(r.dst.base + i * r.dst_step);
    Float8 v[kVectorsPerRepeat<T>];
    LoadRepeat<T>(v, base, r.src.block_stride, bits);
    Float8 sums;
    if constexpr (type == ReduceType::SUM) sums = SumBlocks<T>(v);
    T results[8];
    bool written[8];
    for (uint32_t block = 0; block < 8; ++block) {
      const uint32_t lane = block * kPerBlock;
      written[block] = (bits[lane / 64] >> (lane % 64) & ((uint64_t{1} << kPerBlock) - 1)) != 0;
      if (!written[block]) continue;
      if constexpr (type == ReduceType::SUM) {
        results[block] = static_cast<T>(sums[block]);
      } else {
        const BestLane best = BestOfVectors < T,
                       type == ReduceType::MAX >
                                   (v, bits, block * kVectorsPerBlock<T>, kVectorsPerBlock<T>);
        results[block] = LaneValue<T>(base, r.src.block_stride, best.lane);
      }
    }
    for (uint32_t block = 0; block < 8; ++block) {
      if (written[block]) to[block] = results[block];
    }
  }
}
/// Half as many results as lanes; a pair of which no element takes part keeps its old result.
template <typename T>
__attribute__((noinline)) void SumPairs(const Reduction& r) {
  CheckReduction<T>(r);
  for (uint32_t i = 0; i < r.plan.repeats; ++i) {
    const uint64_t* bits = r.plan.Of(i);
    Float8 v[kVectorsPerRepeat<T>];
    LoadRepeat<T>(v, r.src.base + uint64_t{i} * r.src.repeat_stride, r.src.block_stride, bits);
    T* to = reinterpret_cast<T*>(r.dst.base + i * r.dst_step);
    for (uint32_t pair = 0; pair < kLanesPerRepeat<T> / 2; ++pair) {
      const uint32_t lane = 2 * pair;
      if ((bits[lane / 64] >> (lane % 64) & 3) == 0) continue;
      to[pair] = static_cast<T>(v[lane / 8][lane % 8] + v[lane / 8][lane % 8 + 1]);
    }
  }
}
/// The form with a mask and repeats: `run` writes `result_bytes` per repeat.
template <bool isSetMask, typename T, typename Mask>
inline void Reduce(const char* api, void (*run)(const Reduction&), const LocalTensor<T>& dst,
                   const LocalTensor<T>& src, Mask mask, int32_t repeat,
                   const ReduceStrides& strides, uint32_t result_bytes,
                   ReduceOrder order = ReduceOrder::ORDER_ONLY_VALUE) {
  if (!OnVectorCore()) return;
  CheckReduceStride(api, "destination repeat", strides.dst);
  CheckReduceStride(api, "source block", strides.src_block);
  CheckReduceStride(api, "source repeat", strides.src_repeat);
  const LanePlan plan = PlanReduction<PrimT<T>, isSetMask>(api, mask, repeat);
  if (plan.repeats == 0) return;
  run({api,
       OperandOf("src", src, static_cast<uint32_t>(strides.src_block),
                 static_cast<uint32_t>(strides.src_repeat)),
       OperandOf("dst", dst), uint64_t{result_bytes} * static_cast<uint32_t>(strides.dst),
       result_bytes, order, plan});
}

/// One sum per repeat, or one value and index in an order.
template <ReduceType type, bool isSetMask, typename T, typename Mask>
inline void WholeReduce(const char* api, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                        Mask mask, int32_t repeat, const ReduceStrides& strides,
                        ReduceOrder order = ReduceOrder::ORDER_ONLY_VALUE) {
  using U = PrimT<T>;
  if constexpr (type == ReduceType::SUM) {
    Reduce<isSetMask>(api, &SumRepeats<U>, dst, src, mask, repeat, strides, sizeof(U));
  } else {
    if (HOSTNPU_UNLIKELY(order > ReduceOrder::ORDER_ONLY_INDEX)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "has ReduceOrder %u; 0 to 3 exist",
                    static_cast<unsigned>(order));
    }
    const uint32_t bytes = order == ReduceOrder::ORDER_ONLY_VALUE   ? sizeof(U)
                           : order == ReduceOrder::ORDER_ONLY_INDEX ? sizeof(uint32_t)
                                                                    : 2 * sizeof(U);
    constexpr bool kIsMax = type == ReduceType::MAX;
    Reduce<isSetMask>(api, &BestOfRepeats<U, kIsMax>, dst, src, mask, repeat, strides, bytes,
                      order);
  }
}

}  // namespace internal

HOSTNPU_AVAILABLE(WholeReduceSum, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(WholeReduceMax, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(WholeReduceMin, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(BlockReduceSum, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(BlockReduceMax, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(BlockReduceMin, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(PairReduceSum, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(RepeatReduceSum, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(ReduceRepeat, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(ReduceDataBlock, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(ReducePairElem, internal::kHalf | internal::kFloat)

// Each function has a form with a contiguous mask and one with a bit mask.
#define HOSTNPU_WHOLE_BEST(Name, type, Mask)                                                       \
  template <typename T, bool isSetMask = true>                                                     \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask, int32_t repeatTime, \
                   int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,               \
                   ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {                           \
    static_assert(Available##Name<T>::value, "");                                                  \
    internal::WholeReduce<ReduceType::type, isSetMask>(                                            \
        #Name, dst, src, mask, repeatTime, {dstRepStride, srcBlkStride, srcRepStride}, order);     \
  }
#define HOSTNPU_BLOCK_REDUCE(Name, type, Mask)                                                     \
  template <typename T, bool isSetMask = true>                                                     \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, int32_t repeatTime, Mask, \
                   int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride) {             \
    static_assert(Available##Name<T>::value, "");                                                  \
    internal::Reduce<isSetMask>(#Name, &internal::ReduceBlocks<ReduceType::type, PrimT<T>>, dst,   \
                                src, mask, repeatTime, {dstRepStride, srcBlkStride, srcRepStride}, \
                                8 * sizeof(PrimT<T>));                                             \
  }
#define HOSTNPU_REDUCE(Mask)                                                                       \
  template <typename T, bool isSetMask = true>                                                     \
  inline void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask,           \
                             int32_t repeatTime, int32_t dstRepStride, int32_t srcBlkStride,       \
                             int32_t srcRepStride) {                                               \
    static_assert(AvailableWholeReduceSum<T>::value, "");                                          \
    internal::WholeReduce<ReduceType::SUM, isSetMask>(                                             \
        "WholeReduceSum", dst, src, mask, repeatTime, {dstRepStride, srcBlkStride, srcRepStride}); \
  }                                                                                                \
  template <typename T, bool isSetMask = true>                                                     \
  inline void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,                \
                              int32_t repeatTime, Mask, int32_t dstBlkStride,                      \
                              int32_t srcBlkStride, int32_t dstRepStride, int32_t srcRepStride) {  \
    static_assert(AvailableRepeatReduceSum<T>::value, "");                                         \
    static_cast<void>(dstBlkStride);                                                               \
    internal::WholeReduce<ReduceType::SUM, isSetMask>("RepeatReduceSum", dst, src, mask,           \
                                                      repeatTime,                                  \
                                                      {dstRepStride, srcBlkStride, srcRepStride}); \
  }                                                                                                \
  template <typename T, bool isSetMask = true>                                                     \
  inline void PairReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,                  \
                            int32_t repeatTime, Mask, int32_t dstRepStride, int32_t srcBlkStride,  \
                            int32_t srcRepStride) {                                                \
    static_assert(AvailablePairReduceSum<T>::value, "");                                           \
    internal::Reduce<isSetMask>("PairReduceSum", &internal::SumPairs<PrimT<T>>, dst, src, mask,    \
                                repeatTime, {dstRepStride, srcBlkStride, srcRepStride}, 128);      \
  }                                                                                                \
  template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>                  \
  inline void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src, Mask,             \
                           int32_t repeatTime, int32_t dstRepStride, int32_t srcBlkStride,         \
                           int32_t srcRepStride,                                                   \
                           ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {                   \
    static_assert(AvailableReduceRepeat<T>::value, "");                                            \
    static_assert(IsSameType<PrimT<T>, PrimT<U>>::value,                                           \
                  "ReduceRepeat<T, U> takes one type on this chip");                               \
    internal::WholeReduce<reduceType, isSetMask>("ReduceRepeat", dst, src, mask, repeatTime,       \
                                                 {dstRepStride, srcBlkStride, srcRepStride},       \
                                                 order);                                           \
  }                                                                                                \
  template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>                  \
  inline void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<U>& src, Mask,          \
                              int32_t repeatTime, int32_t dstRepStride, int32_t srcBlkStride,      \
                              int32_t srcRepStride) {                                              \
    static_assert(AvailableReduceDataBlock<T>::value, "");                                         \
    static_assert(IsSameType<PrimT<T>, PrimT<U>>::value,                                           \
                  "ReduceDataBlock<T, U> takes one type on this chip");                            \
    internal::Reduce<isSetMask>("ReduceDataBlock", &internal::ReduceBlocks<reduceType, PrimT<T>>,  \
                                dst, src, mask, repeatTime,                                        \
                                {dstRepStride, srcBlkStride, srcRepStride}, 8 * sizeof(PrimT<T>)); \
  }                                                                                                \
  template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>                  \
  inline void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<U>& src, Mask,           \
                             int32_t repeatTime, int32_t dstRepStride, int32_t srcBlkStride,       \
                             int32_t srcRepStride) {                                               \
    static_assert(AvailableReducePairElem<T>::value, "");                                          \
    static_assert(reduceType == ReduceType::SUM, "ReducePairElem adds only");                      \
    internal::Reduce<isSetMask>("ReducePairElem", &internal::SumPairs<PrimT<T>>, dst, src, mask,   \
                                repeatTime, {dstRepStride, srcBlkStride, srcRepStride}, 128);      \
  }

/// One value and its index in the repeat, per repeat. dstRepStride in what the order writes.
HOSTNPU_WHOLE_BEST(WholeReduceMax, MAX, int32_t mask)
HOSTNPU_WHOLE_BEST(WholeReduceMax, MAX, const uint64_t* mask)
HOSTNPU_WHOLE_BEST(WholeReduceMin, MIN, int32_t mask)
HOSTNPU_WHOLE_BEST(WholeReduceMin, MIN, const uint64_t* mask)
/// Eight results per repeat, one per block. dstRepStride in eight results.
HOSTNPU_BLOCK_REDUCE(BlockReduceSum, SUM, int32_t mask)
HOSTNPU_BLOCK_REDUCE(BlockReduceSum, SUM, const uint64_t* mask)
HOSTNPU_BLOCK_REDUCE(BlockReduceMax, MAX, int32_t mask)
HOSTNPU_BLOCK_REDUCE(BlockReduceMax, MAX, const uint64_t* mask)
HOSTNPU_BLOCK_REDUCE(BlockReduceMin, MIN, int32_t mask)
HOSTNPU_BLOCK_REDUCE(BlockReduceMin, MIN, const uint64_t* mask)
/// WholeReduceSum: one sum per repeat, dstRepStride in elements. RepeatReduceSum: the same with
/// other places for its strides; dstBlkStride has no effect. PairReduceSum: the sums of adjacent
/// pairs, dstRepStride in 128 bytes. ReduceRepeat, ReduceDataBlock, ReducePairElem: the newer
/// names, with the kind of reduction as a template parameter.
HOSTNPU_REDUCE(int32_t mask)
HOSTNPU_REDUCE(const uint64_t* mask)
#undef HOSTNPU_REDUCE
#undef HOSTNPU_BLOCK_REDUCE
#undef HOSTNPU_WHOLE_BEST

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_VECTOR_REDUCE_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// ReduceSum, ReduceMax and ReduceMin over a whole tensor, and the registers that hold the result of
// the last reduction.
//
// The sum of `count` elements is a tree per repeat, and the repeats one after another: the device
// has an accumulator for that. The form with a mask and repeats has none: the sums of its repeats
// are reduced again as if they were elements.
#ifndef HOSTNPU_ASCENDC_BASIC_VECTOR_REDUCE_ALL_H_
#define HOSTNPU_ASCENDC_BASIC_VECTOR_REDUCE_ALL_H_

#include "vector_reduce.h"

namespace AscendC {
namespace internal {

template <typename T>
HOSTNPU_INLINE float SumOfRepeat(const Reduction& r, uint32_t repeat) {
  Float8 v[kVectorsPerRepeat<T>];
  LoadRepeat<T>(v, r.src.base + uint64_t{repeat} * r.src.repeat_stride, r.src.block_stride,
                r.plan.Of(repeat));
  return SumRepeat<T>(v);
}

template <typename T>
__attribute__((noinline)) void SumAccumulated(const Reduction& r) {
  CheckReduction<T>(r);
  float sum = SumOfRepeat<T>(r, 0);
  for (uint32_t i = 1; i < r.plan.repeats; ++i) sum = Round<T>(sum + SumOfRepeat<T>(r, i));
  const T element = static_cast<T>(sum);
  Regs().reduce_sum = sum;
  Regs().reduce_sum_bits = 0;
  __builtin_memcpy(&Regs().reduce_sum_bits, &element, sizeof(T));
  *reinterpret_cast<T*>(r.dst.base) = element;
}

/// The sum of a run of at most one repeat's partial sums, as a tree.
template <typename T>
HOSTNPU_INLINE float SumOfPartials(const T* partials, uint32_t count) {
  uint64_t bits[2];
  FirstLanes(bits, count);
  Float8 v[kVectorsPerRepeat<T>];
  LoadRepeat<T>(v, reinterpret_cast<const uint8_t*>(partials), 32, bits);
  return SumRepeat<T>(v);
}

template <typename T>
__attribute__((noinline)) void SumByTrees(const Reduction& r) {
  CheckReduction<T>(r);
  alignas(32) T partials[MAX_REPEAT_TIMES + 1];
  uint32_t count = r.plan.repeats;
  for (uint32_t i = 0; i < count; ++i) partials[i] = static_cast<T>(SumOfRepeat<T>(r, i));
  while (count > 1) {
    const uint32_t groups = (count + kLanesPerRepeat<T> - 1) / kLanesPerRepeat<T>;
    for (uint32_t i = 0; i < groups; ++i) {
      const uint32_t first = i * kLanesPerRepeat<T>;
      const uint32_t left = count - first;
      partials[i] = static_cast<T>(
          SumOfPartials(partials + first, left < kLanesPerRepeat<T> ? left : kLanesPerRepeat<T>));
    }
    count = groups;
  }
  *reinterpret_cast<T*>(r.dst.base) = partials[0];
}

/// Keys of one vector of a repeat; lanes that take no part get the lowest.
template <typename T, bool is_max>
HOSTNPU_INLINE Int8 KeysOfLanes(const uint8_t* base, uint32_t vector, const uint64_t* bits) {
  const uint32_t lanes = static_cast<uint32_t>(bits[vector / 8] >> (vector % 8 * 8)) & 0xFF;
  if (lanes == 0) return Int8{} + kLowestKey;
  const Int8 keys = KeysOf<is_max>(LoadEight(reinterpret_cast<const T*>(base) + vector * 8));
  if (lanes == 0xFF) return keys;
  const Int8 active = LaneMask(lanes);
  return (keys & active) | (~active & kLowestKey);
}

/// Two passes over UB: the best key, then the first lane that has it. Sources of these forms have
/// blocks behind each other.
template <typename T, bool is_max>
__attribute__((noinline)) void BestOfAll(const Reduction& r) {
  CheckReduction<T>(r);
  const bool with_index = r.order == ReduceOrder::ORDER_VALUE_INDEX;
  const uint32_t step = r.src.repeat_stride / static_cast<uint32_t>(sizeof(T));
  const uint64_t largest = (r.plan.repeats - uint64_t{1}) * step + LastLane(r.plan.last_bits);
  if (HOSTNPU_UNLIKELY(sizeof(T) == 2 && with_index && largest > 65535)) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, r.api,
                  "is asked for the index among %llu elements of half, and it has 16 bits",
                  (unsigned long long)(largest + 1));
  }
  Int8 best = Int8{} + kLowestKey;
  for (uint32_t i = 0; i < r.plan.repeats; ++i) {
    const uint8_t* base = r.src.base + uint64_t{i} * r.src.repeat_stride;
    for (uint32_t v = 0; v < kVectorsPerRepeat<T>; ++v)
      best = __builtin_elementwise_max(best, KeysOfLanes<T, is_max>(base, v, r.plan.Of(i)));
  }
  const int32_t key = __builtin_reduce_max(best);
  for (uint32_t i = 0; i < r.plan.repeats; ++i) {
    const uint8_t* base = r.src.base + uint64_t{i} * r.src.repeat_stride;
    for (uint32_t v = 0; v < kVectorsPerRepeat<T>; ++v) {
      const uint32_t equal = BitsOf(KeysOfLanes<T, is_max>(base, v, r.plan.Of(i)) == key);
      if (equal == 0) continue;
      const uint32_t lane = v * 8 + static_cast<uint32_t>(__builtin_ctz(equal));
      const T value = reinterpret_cast<const T*>(base)[lane];
      const uint32_t index = i * step + lane;
      T* to = reinterpret_cast<T*>(r.dst.base);
      to[0] = value;
      if (with_index) to[1] = IndexBits<T>(index);
      Regs().reduce_max_min_value = static_cast<float>(value);
      Regs().reduce_max_min_index = index;
      return;
    }
  }
}

/// A reduction of all that the plan touches to element 0 of dst, and with an index to element 1.
template <typename T>
HOSTNPU_INLINE Reduction MakeFull(const char* api, const LanePlan& plan, const LocalTensor<T>& dst,
                                  const LocalTensor<T>& src, int32_t src_repeat,
                                  bool with_index = false) {
  return {api,
          OperandOf("src", src, 1, static_cast<uint32_t>(src_repeat)),
          OperandOf("dst", dst),
          0,
          static_cast<uint32_t>((with_index ? 2 : 1) * sizeof(PrimT<T>)),
          with_index ? ReduceOrder::ORDER_VALUE_INDEX : ReduceOrder::ORDER_ONLY_VALUE,
          plan};
}

/// The elements of the form with a count. Without repeats there is nothing to do.
template <typename T>
HOSTNPU_INLINE LanePlan PlanFull(const char* api, int64_t count) {
  if (!OnVectorCore()) return {};
  if (HOSTNPU_UNLIKELY(count < 0)) CountFault(api, count);
  return PlanCount(api, static_cast<uint64_t>(count), kLanesPerRepeat<T>);
}
/// The elements of the form with a mask and repeats.
template <typename T, typename Mask>
HOSTNPU_INLINE LanePlan PlanFull(const char* api, Mask mask, int32_t repeat, int32_t src_repeat) {
  if (!OnVectorCore()) return {};
  CheckReduceStride(api, "source repeat", src_repeat);
  return PlanReduction<T, true>(api, mask, repeat);
}

}  // namespace internal

HOSTNPU_AVAILABLE(ReduceSum, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(ReduceMax, internal::kHalf | internal::kFloat)
HOSTNPU_AVAILABLE(ReduceMin, internal::kHalf | internal::kFloat)

/// dst[0] = the sum of `count` elements. With isSetMask false the count is the mask register's.
template <typename T, bool isSetMask = true>
HOSTNPU_SHARED void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                              const LocalTensor<T>& sharedTmpBuffer, int32_t count) {
  static_assert(AvailableReduceSum<T>::value, "");
  static_cast<void>(sharedTmpBuffer);
  if (!internal::OnVectorCore()) return;
  using U = PrimT<T>;
  const internal::LanePlan plan =
      isSetMask ? internal::PlanFull<U>("ReduceSum", count)
                : internal::PlanLanes("ReduceSum", 1, internal::kLanesPerRepeat<U>);
  if (plan.repeats == 0) return;
  internal::SumAccumulated<U>(internal::MakeFull("ReduceSum", plan, dst, src, 8));
}

// Only counter mode can make more repeats than there is room for their sums.
#define HOSTNPU_REDUCE_SUM_MASKED(Mask)                                                            \
  template <typename T>                                                                            \
  HOSTNPU_SHARED void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,              \
                                const LocalTensor<T>& sharedTmpBuffer, Mask, int32_t repeatTime,   \
                                int32_t srcRepStride) {                                            \
    static_assert(AvailableReduceSum<T>::value, "");                                               \
    static_cast<void>(sharedTmpBuffer);                                                            \
    using U = PrimT<T>;                                                                            \
    const internal::LanePlan plan =                                                                \
        internal::PlanFull<U>("ReduceSum", mask, repeatTime, srcRepStride);                        \
    if (plan.repeats == 0) return;                                                                 \
    const auto run =                                                                               \
        plan.repeats > MAX_REPEAT_TIMES ? &internal::SumAccumulated<U> : &internal::SumByTrees<U>; \
    run(internal::MakeFull("ReduceSum", plan, dst, src, srcRepStride));                            \
  }
#define HOSTNPU_REDUCE_BEST_MASKED(Name, is_max, Mask)                                      \
  template <typename T>                                                                     \
  HOSTNPU_SHARED void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,            \
                           const LocalTensor<T>& sharedTmpBuffer, Mask, int32_t repeatTime, \
                           int32_t srcRepStride, bool calIndex = false) {                   \
    static_assert(Available##Name<T>::value, "");                                           \
    static_cast<void>(sharedTmpBuffer);                                                     \
    const internal::LanePlan plan =                                                         \
        internal::PlanFull<PrimT<T>>(#Name, mask, repeatTime, srcRepStride);                \
    if (plan.repeats == 0) return;                                                          \
    internal::BestOfAll<PrimT<T>, is_max>(                                                  \
        internal::MakeFull(#Name, plan, dst, src, srcRepStride, calIndex));                 \
  }
#define HOSTNPU_REDUCE_BEST(Name, is_max)                                                          \
  template <typename T>                                                                            \
  HOSTNPU_SHARED void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                   \
                           const LocalTensor<T>& sharedTmpBuffer, int32_t count,                   \
                           bool calIndex = false) {                                                \
    static_assert(Available##Name<T>::value, "");                                                  \
    static_cast<void>(sharedTmpBuffer);                                                            \
    const internal::LanePlan plan = internal::PlanFull<PrimT<T>>(#Name, count);                    \
    if (plan.repeats == 0) return;                                                                 \
    internal::BestOfAll<PrimT<T>, is_max>(internal::MakeFull(#Name, plan, dst, src, 8, calIndex)); \
  }                                                                                                \
  HOSTNPU_REDUCE_BEST_MASKED(Name, is_max, int32_t mask)                                           \
  HOSTNPU_REDUCE_BEST_MASKED(Name, is_max, const uint64_t* mask)

HOSTNPU_REDUCE_SUM_MASKED(int32_t mask)
HOSTNPU_REDUCE_SUM_MASKED(const uint64_t* mask)
/// dst[0] = the largest element, dst[1] = where it first stands, as raw bits, if calIndex.
HOSTNPU_REDUCE_BEST(ReduceMax, true)
/// The same of the smallest.
HOSTNPU_REDUCE_BEST(ReduceMin, false)
#undef HOSTNPU_REDUCE_BEST
#undef HOSTNPU_REDUCE_BEST_MASKED
#undef HOSTNPU_REDUCE_SUM_MASKED

/// The value, and the index as raw bits, of the last reduction to a maximum or minimum.
template <typename T>
inline void GetReduceRepeatMaxMinSpr(T& maxMinValue, T& maxMinIndex) {
  maxMinValue = static_cast<T>(internal::Regs().reduce_max_min_value);
  maxMinIndex = internal::IndexBits<T>(internal::Regs().reduce_max_min_index);
}
template <typename T>
inline void GetReduceRepeatMaxMinSpr(T& maxMinValue) {
  maxMinValue = static_cast<T>(internal::Regs().reduce_max_min_value);
}
template <typename T>
inline void GetReduceMaxMinCount(T& maxMinValue, T& maxMinIndex) {
  GetReduceRepeatMaxMinSpr(maxMinValue, maxMinIndex);
}
template <typename T>
inline void GetReduceMaxMinCount(T& maxMinValue) {
  GetReduceRepeatMaxMinSpr(maxMinValue);
}
/// The sum that the last ReduceSum with a count left in the accumulator.
template <typename T>
inline T GetReduceRepeatSumSpr() {
  return static_cast<T>(internal::Regs().reduce_sum);
}
template <typename T>
inline T GetAccVal() {
  return GetReduceRepeatSumSpr<T>();
}
/// The same as the bits of an element, which the caller reads as what they are. 0 on a cube core.
inline int64_t GetReduceRepeatSumSpr() {
  return internal::OnVectorCore() ? internal::Regs().reduce_sum_bits : 0;
}
inline int64_t GetAccVal() { return GetReduceRepeatSumSpr(); }

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_VECTOR_REDUCE_ALL_H_

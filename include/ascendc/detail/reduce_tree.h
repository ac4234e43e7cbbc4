// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of reductions over one repeat. Sums form a binary tree over adjacent pairs,
//
//     ((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7)) ...
//
// and half rounds at every level, as on the device. Eight lanes are added at a time; a pair sum
// keeps its operands' 128-bit lanes apart, so the order of the partial sums is permuted until the
// lanes are joined, but which sums are added to which is the tree above.
//
// Maxima compare integer keys that order as the floats do: NaN above all, zeros equal.
#ifndef HOSTNPU_ASCENDC_DETAIL_REDUCE_TREE_H_
#define HOSTNPU_ASCENDC_DETAIL_REDUCE_TREE_H_

#include "lanes.h"

namespace AscendC {
namespace internal {

typedef float Float8 __attribute__((vector_size(32)));
typedef float Float4 __attribute__((vector_size(16)));
typedef int32_t Int8 __attribute__((vector_size(32)));
typedef half Half8 __attribute__((vector_size(16)));
typedef half Half4 __attribute__((vector_size(8)));
typedef bool Bool8 __attribute__((ext_vector_type(8)));

constexpr int32_t kLowestKey = INT32_MIN;

/// Vectors of eight that a block of 32 bytes and a repeat of 256 bytes have.
template <typename T>
constexpr uint32_t kVectorsPerBlock = 4 / sizeof(T);
template <typename T>
constexpr uint32_t kVectorsPerRepeat = 8 * kVectorsPerBlock<T>;
template <typename T>
constexpr uint32_t kLanesPerRepeat = 256 / sizeof(T);

template <typename T>
HOSTNPU_INLINE Float8 LoadEight(const T* from) {
  if constexpr (sizeof(T) == 2) {
    Half8 value;
    __builtin_memcpy(&value, from, sizeof(value));
    return __builtin_convertvector(value, Float8);
  } else {
    Float8 value;
    __builtin_memcpy(&value, from, sizeof(value));
    return value;
  }
}
/// -1 in each lane whose bit is set.
HOSTNPU_INLINE Int8 LaneMask(uint32_t bits) {
  const Int8 position = {1, 2, 4, 8, 16, 32, 64, 128};
  return (position & static_cast<int32_t>(bits)) != 0;
}
HOSTNPU_INLINE uint32_t BitsOf(Int8 lanes) {
  return __builtin_bit_cast(uint8_t, __builtin_convertvector(lanes, Bool8));
}

/// A partial sum as the unit holds it: half rounds.
template <typename T>
HOSTNPU_INLINE Float8 Round(Float8 sum) {
  if constexpr (sizeof(T) == 2)
    return __builtin_convertvector(__builtin_convertvector(sum, Half8), Float8);
  return sum;
}
template <typename T>
HOSTNPU_INLINE Float4 Round(Float4 sum) {
  if constexpr (sizeof(T) == 2)
    return __builtin_convertvector(__builtin_convertvector(sum, Half4), Float4);
  return sum;
}
template <typename T>
HOSTNPU_INLINE float Round(float sum) {
  return static_cast<float>(static_cast<T>(sum));
}

/// Sums of adjacent pairs, [a a b b | a a b b].
template <typename T>
HOSTNPU_INLINE Float8 PairSums(Float8 a, Float8 b) {
  return Round<T>(__builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14) +
                  __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15));
}
template <typename T>
HOSTNPU_INLINE Float4 PairSums(Float4 a, Float4 b) {
  return Round<T>(__builtin_shufflevector(a, b, 0, 2, 4, 6) +
                  __builtin_shufflevector(a, b, 1, 3, 5, 7));
}
/// The sum of each of four vectors.
template <typename T>
HOSTNPU_INLINE Float4 SumFour(const Float8* v) {
  const Float8 quads = PairSums<T>(PairSums<T>(v[0], v[1]), PairSums<T>(v[2], v[3]));
  return Round<T>(__builtin_shufflevector(quads, quads, 0, 1, 2, 3) +
                  __builtin_shufflevector(quads, quads, 4, 5, 6, 7));
}

/// The lanes of one repeat as floats; lanes that take no part are 0, and their blocks are not read.
template <typename T>
HOSTNPU_INLINE void LoadRepeat(Float8* v, const uint8_t* base, uint64_t block_step,
                               const uint64_t* bits) {
  constexpr uint32_t kPerBlock = kVectorsPerBlock<T>;
  for (uint32_t i = 0; i < kVectorsPerRepeat<T>; ++i) {
    const uint32_t lanes = static_cast<uint32_t>(bits[i / 8] >> (i % 8 * 8)) & 0xFF;
    if (lanes == 0) {
      v[i] = Float8{};
      continue;
    }
    const T* from =
        reinterpret_cast<const T*>(base + i / kPerBlock * block_step) + i % kPerBlock * 8;
    v[i] = LoadEight(from);
    if (lanes != 0xFF) {
      v[i] = __builtin_bit_cast(Float8, __builtin_bit_cast(Int8, v[i]) & LaneMask(lanes));
    }
  }
}

/// The sums of the eight blocks.
template <typename T>
HOSTNPU_INLINE Float8 SumBlocks(const Float8* v) {
  Float4 low = SumFour<T>(v);
  Float4 high = SumFour<T>(v + 4);
  if constexpr (sizeof(T) == 2) {
    low = PairSums<T>(low, high);
    high = PairSums<T>(SumFour<T>(v + 8), SumFour<T>(v + 12));
  }
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
template <typename T>
HOSTNPU_INLINE float SumRepeat(const Float8* v) {
  const Float8 blocks = SumBlocks<T>(v);
  const Float4 pairs = Round<T>(__builtin_shufflevector(blocks, blocks, 0, 2, 4, 6) +
                                __builtin_shufflevector(blocks, blocks, 1, 3, 5, 7));
  return Round<T>(Round<T>(pairs[0] + pairs[1]) + Round<T>(pairs[2] + pairs[3]));
}

/// Keys whose largest is the maximum, or the minimum, of the values.
template <bool is_max>
HOSTNPU_INLINE Int8 KeysOf(Float8 values) {
  const Float8 unsigned_zero = values + 0.0f;
  const Int8 raw = __builtin_bit_cast(Int8, unsigned_zero);
  const Int8 ordered = raw ^ ((raw >> 31) & INT32_MAX);
  const Int8 is_nan = values != values;
  return (is_nan & INT32_MAX) | (~is_nan & (is_max ? ordered : ~ordered));
}

/// Where the best lane of a repeat is; `bits` has one at least.
struct BestLane {
  int32_t key;
  uint32_t lane;
};
template <typename T, bool is_max>
inline BestLane BestOfVectors(const Float8* v, const uint64_t* bits, uint32_t first,
                              uint32_t count) {
  Int8 keys[16];
  Int8 best = Int8{} + kLowestKey;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t at = first + i;
    const Int8 active = LaneMask(static_cast<uint32_t>(bits[at / 8] >> (at % 8 * 8)) & 0xFF);
    keys[i] = (KeysOf<is_max>(v[at]) & active) | (~active & kLowestKey);
    best = __builtin_elementwise_max(best, keys[i]);
  }
  const int32_t key = __builtin_reduce_max(best);
  for (uint32_t i = 0;; ++i) {
    const uint32_t equal = BitsOf(keys[i] == key);
    if (equal != 0) {
      return {key, (first + i) * 8 + static_cast<uint32_t>(__builtin_ctz(equal))};
    }
  }
}

/// Element `lane` of a repeat.
template <typename T>
HOSTNPU_INLINE T LaneValue(const uint8_t* base, uint64_t block_step, uint32_t lane) {
  constexpr uint32_t kPerBlock = 32 / sizeof(T);
  return reinterpret_cast<const T*>(base + lane / kPerBlock * block_step)[lane % kPerBlock];
}

}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_DETAIL_REDUCE_TREE_H_

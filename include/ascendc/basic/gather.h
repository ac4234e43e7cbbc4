// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements by address (Gather, Gatherb, Scatter) and by pattern (GatherMask). Every address comes
// from data, so each is checked: an offset that leaves UB is a fault with its place in the list.
#ifndef HOSTNPU_ASCENDC_BASIC_GATHER_H_
#define HOSTNPU_ASCENDC_BASIC_GATHER_H_

#include "../detail/availability.h"
#include "../detail/vector_run.h"
#include "transpose.h"

namespace AscendC {

/// Strides of Gatherb, in blocks.
struct GatherRepeatParams {
  GatherRepeatParams() {}
  GatherRepeatParams(uint8_t dst_block, uint8_t dst_repeat)
      : dstRepStride(dst_repeat), dstBlkStride(dst_block) {}

  uint32_t blockNumber = DEFAULT_BLK_NUM;
  uint16_t dstRepStride = DEFAULT_REPEAT_STRIDE;
  uint8_t dstBlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src0BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src1BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t src0RepStride = DEFAULT_REPEAT_STRIDE;
  uint8_t src1RepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
};

enum class GatherMaskMode : uint8_t { VERSION_V1 = 0, VERSION_V2 = 1 };
inline constexpr GatherMaskMode defaultGatherMaskMode = GatherMaskMode::VERSION_V2;
inline constexpr GatherMaskMode defaultGahterMaskMode = GatherMaskMode::VERSION_V2;

/// Strides of GatherMask, in blocks.
struct GatherMaskParams {
  GatherMaskParams() {}
  GatherMaskParams(uint8_t src0_block, uint16_t repeats, uint16_t src0_repeat, uint8_t src1_repeat)
      : src0BlockStride(src0_block),
        repeatTimes(repeats),
        src0RepeatStride(src0_repeat),
        src1RepeatStride(src1_repeat) {}

  uint8_t src0BlockStride = DEFAULT_BLK_STRIDE;
  uint16_t repeatTimes = 0;
  uint16_t src0RepeatStride = DEFAULT_REPEAT_STRIDE;
  uint8_t src1RepeatStride = DEFAULT_REPEAT_STRIDE;
};

namespace internal {

/// A Gather or Scatter: `data` is addressed by offset, `dense` by repeats.
struct IndexedMove {
  const char* api;
  const char* data_name;  // "src" of Gather, "dst" of Scatter
  uint8_t* data;
  uint64_t base_offset;
  VectorOperand dense;
  VectorOperand offsets;
  LanePlan plan;
};

HOSTNPU_FAULT_FUNCTION inline void OffsetFault(const IndexedMove& move, uint64_t position,
                                               uint32_t offset, uint32_t element_bytes) {
  const HostnpuLocalMemory& ub = ThisCore().memory[HOSTNPU_MEMORY_UB];
  const uint64_t begin = static_cast<uint64_t>(move.data - ub.base) + move.base_offset + offset;
  if (begin % element_bytes != 0) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ALIGNMENT, move.api,
                  "has offset %u (number %llu of its list), which is not a multiple of %u bytes",
                  offset, (unsigned long long)position, element_bytes);
  }
  HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_BOUNDS, move.api,
                "touches UB byte %llu as its %s by offset %u (number %llu of its list); UB has %u "
                "bytes",
                (unsigned long long)begin, move.data_name, offset, (unsigned long long)position,
                ub.size_bytes);
}

/// Checks the offsets of one repeat and hands out where its elements lie.
template <typename Raw>
HOSTNPU_INLINE Raw* DataAt(const IndexedMove& move, uint64_t position, uint32_t offset) {
  const HostnpuLocalMemory& ub = ThisCore().memory[HOSTNPU_MEMORY_UB];
  const uint64_t begin = static_cast<uint64_t>(move.data - ub.base) + move.base_offset + offset;
  if (HOSTNPU_UNLIKELY(begin % sizeof(Raw) != 0 || begin + sizeof(Raw) > ub.size_bytes)) {
    OffsetFault(move, position, offset, sizeof(Raw));
  }
  return reinterpret_cast<Raw*>(ub.base + begin);
}

/// Offsets lie behind each other, one per lane whether it takes part or not.
template <typename Raw, bool scatter>
__attribute__((noinline)) void MoveIndexed(const IndexedMove& move) {
  constexpr uint32_t kLanes = 256 / sizeof(Raw);
  CheckPlanned(move.api, move.plan, move.dense);
  CheckPlanned(move.api, move.plan, move.offsets);
  for (uint32_t r = 0; r < move.plan.repeats; ++r) {
    const uint64_t* bits = move.plan.Of(r);
    const auto* offsets =
        reinterpret_cast<const uint32_t*>(move.offsets.base) + uint64_t{r} * kLanes;
    Raw* dense = reinterpret_cast<Raw*>(move.dense.base + uint64_t{r} * move.dense.repeat_stride);
    const uint32_t lanes = LastLane(bits) + 1;
    Raw values[kLanes];
    if (!scatter) {
      // All are read before one is written: the offsets may lie where the values go.
      for (uint32_t lane = 0; lane < lanes; ++lane) {
        if (HasLane(bits, lane))
          values[lane] = *DataAt<Raw>(move, uint64_t{r} * kLanes + lane, offsets[lane]);
      }
    }
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      if (!HasLane(bits, lane)) continue;
      if (scatter) {
        *DataAt<Raw>(move, uint64_t{r} * kLanes + lane, offsets[lane]) = dense[lane];
      } else {
        dense[lane] = values[lane];
      }
    }
  }
}

template <bool scatter, typename T>
inline void IndexMove(const char* api, const LocalTensor<T>& dense, const LocalTensor<T>& data,
                      const LocalTensor<uint32_t>& offsets, uint32_t base_offset,
                      const LanePlan& plan, uint32_t dense_repeat) {
  if (plan.repeats == 0) return;
  IndexedMove move = {api,
                      scatter ? "dst" : "src",
                      data.address_.absAddr,
                      base_offset,
                      OperandOf(scatter ? "src" : "dst", dense, 1, dense_repeat),
                      OperandOf("offset list", offsets, 1, 32 / sizeof(PrimT<T>)),
                      plan};
  CheckOperand(api, OperandOf(move.data_name, data), 0);
  MoveIndexed<RawOf<T>, scatter>(move);
}
template <bool scatter, typename T>
inline void IndexMoveCount(const char* api, const LocalTensor<T>& dense, const LocalTensor<T>& data,
                           const LocalTensor<uint32_t>& offsets, uint32_t base_offset,
                           uint32_t count) {
  if (!OnVectorCore()) return;
  IndexMove<scatter>(api, dense, data, offsets, base_offset,
                     PlanCount(api, count, 256 / sizeof(PrimT<T>)), 8);
}
template <bool scatter, typename T, typename Mask>
inline void IndexMoveMasked(const char* api, const LocalTensor<T>& dense,
                            const LocalTensor<T>& data, const LocalTensor<uint32_t>& offsets,
                            uint32_t base_offset, Mask mask, RepeatCount repeats,
                            uint32_t dense_repeat) {
  if (!OnVectorCore()) return;
  constexpr uint32_t kLanes = 256 / sizeof(PrimT<T>);
  SetMaskArgument(api, mask, kLanes);
  IndexMove<scatter>(api, dense, data, offsets, base_offset, PlanLanes(api, repeats, kLanes),
                     dense_repeat);
}

}  // namespace internal

HOSTNPU_AVAILABLE(Gather, internal::kAny16Or32)
HOSTNPU_AVAILABLE(Scatter, internal::kAny16Or32)
HOSTNPU_AVAILABLE(Gatherb, internal::kAny16Or32)
HOSTNPU_AVAILABLE(GatherMask, internal::kAny16Or32)

/// dst[i] = the element at src + srcBaseOffset + srcOffset[i], in bytes.
template <typename T>
inline void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                   const LocalTensor<uint32_t>& srcOffset, uint32_t srcBaseOffset, uint32_t count) {
  static_assert(AvailableGather<T>::value, "");
  internal::IndexMoveCount<false>("Gather", dst, src, srcOffset, srcBaseOffset, count);
}
/// The element at dst + dstBaseAddr + dstOffset[i], in bytes, = src[i].
template <typename T>
inline void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                    const LocalTensor<uint32_t>& dstOffset, uint32_t dstBaseAddr, uint32_t count) {
  static_assert(AvailableScatter<T>::value, "");
  internal::IndexMoveCount<true>("Scatter", src, dst, dstOffset, dstBaseAddr, count);
}
#define HOSTNPU_GATHER_SCATTER(Mask)                                                               \
  template <typename T>                                                                            \
  inline void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,                         \
                     const LocalTensor<uint32_t>& srcOffset, uint32_t srcBaseOffset, Mask,         \
                     internal::RepeatCount repeatTime, uint16_t dstRepStride) {                    \
    static_assert(AvailableGather<T>::value, "");                                                  \
    internal::IndexMoveMasked<false>("Gather", dst, src, srcOffset, srcBaseOffset, mask,           \
                                     repeatTime, dstRepStride);                                    \
  }                                                                                                \
  template <typename T>                                                                            \
  inline void Scatter(const LocalTensor<T>& dst, const LocalTensor<T>& src,                        \
                      const LocalTensor<uint32_t>& dstOffset, uint32_t dstBaseAddr, Mask,          \
                      internal::RepeatCount repeatTime, uint8_t srcRepStride) {                    \
    static_assert(AvailableScatter<T>::value, "");                                                 \
    internal::IndexMoveMasked<true>("Scatter", src, dst, dstOffset, dstBaseAddr, mask, repeatTime, \
                                    srcRepStride);                                                 \
  }
/// The same for the lanes of a mask in each repeat.
HOSTNPU_GATHER_SCATTER(const uint64_t mask[])
HOSTNPU_GATHER_SCATTER(uint64_t mask)
#undef HOSTNPU_GATHER_SCATTER

namespace internal {
/// Eight whole blocks per repeat.
HOSTNPU_SHARED void GatherBlocks(const VectorOperand& dst, const VectorOperand& src,
                                 const VectorOperand& offsets, uint32_t repeats) {
  constexpr const char* kApi = "Gatherb";
  const HostnpuLocalMemory& ub = ThisCore().memory[HOSTNPU_MEMORY_UB];
  CheckOperand(kApi, src, 0);
  CheckOperand(kApi, offsets, uint64_t{repeats} * 32);
  CheckOperand(kApi, dst, (repeats - 1) * uint64_t{dst.repeat_stride} + 7 * dst.block_stride + 32);
  const auto* list = reinterpret_cast<const uint32_t*>(offsets.base);
  for (uint32_t r = 0; r < repeats; ++r) {
    alignas(32) uint8_t blocks[8][32];
    for (uint32_t j = 0; j < 8; ++j) {
      const uint32_t offset = list[r * 8 + j];
      const uint64_t begin = static_cast<uint64_t>(src.base - ub.base) + offset;
      if (HOSTNPU_UNLIKELY(offset % 32 != 0 || begin + 32 > ub.size_bytes)) {
        HOSTNPU_FAULT(offset % 32 != 0 ? HOSTNPU_FAULT_ALIGNMENT : HOSTNPU_FAULT_LOCAL_BOUNDS, kApi,
                      "has offset %u (number %u of its list): UB byte %llu; offsets are multiples "
                      "of 32 and UB has %u bytes",
                      offset, r * 8 + j, (unsigned long long)begin, ub.size_bytes);
      }
      __builtin_memcpy(blocks[j], ub.base + begin, 32);
    }
    for (uint32_t j = 0; j < 8; ++j) {
      __builtin_memcpy(dst.base + uint64_t{r} * dst.repeat_stride + j * dst.block_stride, blocks[j],
                       32);
    }
  }
}
}  // namespace internal

/// Gathers eight blocks per repeat; offsets in bytes, multiples of 32.
template <typename T>
inline void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                    const LocalTensor<uint32_t>& offset, internal::RepeatCount repeatTime,
                    const GatherRepeatParams& params) {
  static_assert(AvailableGatherb<T>::value, "");
  internal::CheckRepeatTime("Gatherb", repeatTime);
  if (!internal::OnVectorCore() || repeatTime == 0) return;
  internal::GatherBlocks(internal::OperandOf("dst", dst, params.dstBlkStride, params.dstRepStride),
                         internal::OperandOf("src", src), internal::OperandOf("offset", offset),
                         static_cast<uint32_t>(repeatTime));
}

namespace internal {

/// A GatherMask. `pattern` null: the fixed one, `first` and `step` in elements.
struct MaskedGather {
  VectorOperand dst;
  VectorOperand src;
  const uint8_t* pattern;
  uint64_t pattern_stride;  // bytes from repeat to repeat
  uint32_t first;
  uint32_t step;
  uint32_t repeats;
  uint32_t count;  // elements of a repeat
};

HOSTNPU_INLINE bool PatternBit(const uint8_t* pattern, uint32_t i) {
  return (pattern[i / 8] >> (i % 8) & 1) != 0;
}
HOSTNPU_SHARED uint64_t CountKept(const MaskedGather& g) {
  if (g.pattern == nullptr) {
    return g.count <= g.first ? 0
                              : uint64_t{g.repeats} * ((g.count - g.first + g.step - 1) / g.step);
  }
  uint64_t kept = 0;
  for (uint32_t r = 0; r < g.repeats; ++r) {
    const uint8_t* bits = g.pattern + r * g.pattern_stride;
    for (uint32_t i = 0; i + 8 <= g.count; i += 8)
      kept += static_cast<uint64_t>(__builtin_popcount(bits[i / 8]));
    for (uint32_t i = g.count / 8 * 8; i < g.count; ++i) kept += PatternBit(bits, i);
  }
  return kept;
}

/// Packs the kept elements. Packing never overtakes reading, so dst may be src.
template <typename Raw>
__attribute__((noinline)) uint64_t GatherByMask(const MaskedGather& g) {
  constexpr const char* kApi = "GatherMask";
  constexpr uint32_t kPerBlock = 32 / sizeof(Raw);
  if (g.repeats == 0 || g.count == 0) return 0;
  CheckOperand(kApi, g.src,
               (g.repeats - 1) * uint64_t{g.src.repeat_stride} + RepeatExtent(g.src, g.count));
  const uint64_t kept = CountKept(g);
  CheckOperand(kApi, g.dst, kept * sizeof(Raw));
  Raw* to = reinterpret_cast<Raw*>(g.dst.base);
  for (uint32_t r = 0; r < g.repeats; ++r) {
    const uint8_t* base = g.src.base + uint64_t{r} * g.src.repeat_stride;
    const uint8_t* bits = g.pattern + (g.pattern == nullptr ? 0 : r * g.pattern_stride);
    const auto element = [&](uint32_t i) -> Raw {
      return reinterpret_cast<const Raw*>(base + uint64_t{i / kPerBlock} *
                                                     g.src.block_stride)[i % kPerBlock];
    };
    if (g.pattern == nullptr && g.src.block_stride == 32) {
      const Raw* from = reinterpret_cast<const Raw*>(base);
      for (uint32_t i = g.first; i < g.count; i += g.step) *to++ = from[i];
    } else if (g.pattern == nullptr) {
      for (uint32_t i = g.first; i < g.count; i += g.step) *to++ = element(i);
    } else {
      for (uint32_t i = 0; i < g.count; ++i) {
        if (PatternBit(bits, i)) *to++ = element(i);
      }
    }
  }
  return kept;
}

template <typename T>
inline void FinishGatherMask(MaskedGather& g, bool counted, uint32_t mask,
                             const GatherMaskParams& params, uint64_t& kept) {
  g.repeats = params.repeatTimes;
  g.count = counted ? mask : 256 / sizeof(PrimT<T>);
  if (counted && mask == 0) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "GatherMask",
                  "has mask = 0 in reduceMode true, where it is the number of elements");
  }
  if (g.pattern != nullptr) {
    CheckLocal("GatherMask", HOSTNPU_MEMORY_UB, g.pattern,
               (g.repeats == 0 ? 0 : (g.repeats - 1) * g.pattern_stride) + (g.count + 7) / 8);
  }
  kept = GatherByMask<RawOf<T>>(g);
  Regs().gather_mask_count = kept;
  SetMaskRegister(kFullMask, kFullMask);
  Regs().counter_mode = 0;
}

}  // namespace internal

/// Packs the elements that a fixed pattern keeps: 1 even places, 2 odd, 3 to 6 place 0 to 3 of each
/// four, 7 all. reduceMode false: repeats of 256 bytes; true: repeats of `mask` elements.
template <typename T, GatherMaskMode mode = defaultGatherMaskMode>
inline void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, uint8_t src1Pattern,
                       bool reduceMode, uint32_t mask, const GatherMaskParams& params,
                       uint64_t& rsvdCnt) {
  static_assert(AvailableGatherMask<T>::value, "");
  if (!internal::OnVectorCore()) return;
  if (src1Pattern < 1 || src1Pattern > 7) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "GatherMask", "has pattern %u; 1 to 7 exist",
                  src1Pattern);
  }
  internal::MaskedGather g = {};
  g.dst = internal::OperandOf("dst", dst);
  g.src = internal::OperandOf("src0", src0, params.src0BlockStride, params.src0RepeatStride);
  g.step = src1Pattern == 7 ? 1 : src1Pattern < 3 ? 2 : 4;
  g.first = src1Pattern == 7 ? 0 : src1Pattern < 3 ? src1Pattern - 1u : src1Pattern - 3u;
  internal::FinishGatherMask<T>(g, reduceMode, mask, params, rsvdCnt);
}
/// Packs the elements whose bit is set. The bits of a repeat lie behind each other; the next
/// repeat's bits lie src1RepeatStride blocks later.
template <typename T, typename U, GatherMaskMode mode = defaultGatherMaskMode>
inline void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                       const LocalTensor<U>& src1Pattern, bool reduceMode, uint32_t mask,
                       const GatherMaskParams& params, uint64_t& rsvdCnt) {
  static_assert(AvailableGatherMask<T>::value, "");
  static_assert(
      IsSameType<PrimT<U>, internal::RawOf<T>>::value,
      "GatherMask takes its bits as uint16_t for 16-bit types and as uint32_t for 32-bit");
  if (!internal::OnVectorCore()) return;
  internal::CheckOperand("GatherMask", internal::OperandOf("src1 pattern", src1Pattern), 0);
  internal::MaskedGather g = {};
  g.dst = internal::OperandOf("dst", dst);
  g.src = internal::OperandOf("src0", src0, params.src0BlockStride, params.src0RepeatStride);
  g.pattern = src1Pattern.address_.absAddr;
  g.pattern_stride = params.src1RepeatStride * uint64_t{32};
  internal::FinishGatherMask<T>(g, reduceMode, mask, params, rsvdCnt);
}
/// How many elements the last GatherMask kept.
inline int64_t GetGatherMaskRemainCount() {
  return static_cast<int64_t>(internal::Regs().gather_mask_count);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_GATHER_H_

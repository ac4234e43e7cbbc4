// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Cast: every pair of element types of this chip and every rounding mode. Conversions that lose
// nothing are one loop. The others go through a small buffer of floats, where the rounding loops,
// which do not depend on the pair, are compiled once.
#ifndef HOSTNPU_ASCENDC_BASIC_CAST_H_
#define HOSTNPU_ASCENDC_BASIC_CAST_H_

#include "../semantics/rounding.h"
#include "vector_unary.h"

namespace AscendC {
namespace internal {

constexpr uint32_t kCastChunk = 256;  // elements in the buffer: stays in the first-level cache

/// What the types of this chip can be cast to.
constexpr uint32_t CastTargets(uint32_t source) {
  return source == kInt4                       ? kHalf
         : source == kInt8 || source == kUint8 ? kHalf
         : source == kInt16                    ? kHalf | kFloat
         : source == kHalf                     ? kFloat | kInt32 | kInt16 | kInt8 | kUint8 | kInt4
         : source == kBfloat16                 ? kFloat | kInt32
         : source == kInt32                    ? kFloat | kInt16 | kHalf | kInt64
         : source == kInt64                    ? kFloat | kInt32
         : source == kFloat ? kFloat | kHalf | kBfloat16 | kInt16 | kInt32 | kInt64
                            : 0;
}
template <typename D, typename S>
constexpr bool IsCastPair() {
  return (CastTargets(TypeBit<S>()) & TypeBit<D>()) != 0;
}

template <RoundMode mode>
__attribute__((noinline)) inline void RoundWholes(float* values, uint32_t count) {
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) values[i] = semantics::RoundToWhole<mode>(values[i]);
}
inline void RoundWholes(float* values, uint32_t count, RoundMode mode) {
  switch (mode) {
    case RoundMode::CAST_FLOOR:
      return RoundWholes<RoundMode::CAST_FLOOR>(values, count);
    case RoundMode::CAST_CEIL:
      return RoundWholes<RoundMode::CAST_CEIL>(values, count);
    case RoundMode::CAST_ROUND:
      return RoundWholes<RoundMode::CAST_ROUND>(values, count);
    case RoundMode::CAST_TRUNC:
      return RoundWholes<RoundMode::CAST_TRUNC>(values, count);
    default:
      return RoundWholes<RoundMode::CAST_RINT>(values, count);
  }
}

template <RoundMode mode>
__attribute__((noinline)) inline void RoundHalves(half* dst, const float* src, uint32_t count) {
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) dst[i] = semantics::RoundToHalfGrid<mode>(src[i]);
}
template <RoundMode mode>
__attribute__((noinline)) inline void RoundBfloats(bfloat16_t* dst, const float* src,
                                                   uint32_t count) {
  auto* bits = reinterpret_cast<uint16_t*>(dst);
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) bits[i] = semantics::RoundToBfloatGrid<mode>(src[i]);
}
template <RoundMode mode, typename S>
__attribute__((noinline)) void RoundIntegers(float* dst, const S* src, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) dst[i] = semantics::IntegerToFloat<mode>(src[i]);
}
#define HOSTNPU_BY_MODE(Function)                              \
  switch (mode) {                                              \
    case RoundMode::CAST_FLOOR:                                \
      return Function<RoundMode::CAST_FLOOR>(dst, src, count); \
    case RoundMode::CAST_CEIL:                                 \
      return Function<RoundMode::CAST_CEIL>(dst, src, count);  \
    case RoundMode::CAST_ROUND:                                \
      return Function<RoundMode::CAST_ROUND>(dst, src, count); \
    case RoundMode::CAST_TRUNC:                                \
      return Function<RoundMode::CAST_TRUNC>(dst, src, count); \
    case RoundMode::CAST_ODD:                                  \
      return Function<RoundMode::CAST_ODD>(dst, src, count);   \
    default:                                                   \
      return Function<RoundMode::CAST_RINT>(dst, src, count);  \
  }
inline void RoundHalves(half* dst, const float* src, uint32_t count, RoundMode mode) {
  HOSTNPU_BY_MODE(RoundHalves)
}
inline void RoundBfloats(bfloat16_t* dst, const float* src, uint32_t count, RoundMode mode) {
  HOSTNPU_BY_MODE(RoundBfloats)
}
template <typename S>
void RoundIntegers(float* dst, const S* src, uint32_t count, RoundMode mode) {
  HOSTNPU_BY_MODE(RoundIntegers)
}
#undef HOSTNPU_BY_MODE

/// Elements as floats, exactly.
template <typename S>
__attribute__((noinline)) void LoadFloats(float* dst, const S* src, uint32_t count) {
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) dst[i] = static_cast<float>(src[i]);
}
template <typename D>
__attribute__((noinline)) void StoreWholes(D* dst, const float* src, uint32_t count) {
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) dst[i] = semantics::WholeTo<D>(src[i]);
}

/// A conversion that loses nothing, or of integers that saturates.
template <typename D, typename S>
__attribute__((noinline)) void ConvertRun(void* const* operand, uint32_t count, const void*) {
  D* dst = static_cast<D*>(operand[0]);
  const S* src = static_cast<const S*>(operand[1]);
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) {
    if constexpr (IsSameType<D, float>::value || IsSameType<D, half>::value) {
      dst[i] = static_cast<D>(static_cast<float>(src[i]));
    } else {
      dst[i] = semantics::IntegerTo<D, S>(src[i]);
    }
  }
}

/// Through floats that are rounded to whole numbers.
template <typename D, typename S>
__attribute__((noinline)) void WholeRun(void* const* operand, uint32_t count, const void* extra) {
  D* dst = static_cast<D*>(operand[0]);
  const S* src = static_cast<const S*>(operand[1]);
  const RoundMode mode = *static_cast<const RoundMode*>(extra);
  float buffer[kCastChunk];
  for (uint32_t done = 0; done < count; done += kCastChunk) {
    const uint32_t part = count - done < kCastChunk ? count - done : kCastChunk;
    LoadFloats(buffer, src + done, part);
    RoundWholes(buffer, part, mode);
    if constexpr (IsSameType<D, float>::value) {
      LoadFloats(dst + done, buffer, part);
    } else {
      StoreWholes(dst + done, buffer, part);
    }
  }
}

/// Through floats that are rounded to halves or bfloats.
template <typename D, typename S>
__attribute__((noinline)) void NarrowRun(void* const* operand, uint32_t count, const void* extra) {
  D* dst = static_cast<D*>(operand[0]);
  const S* src = static_cast<const S*>(operand[1]);
  const RoundMode mode = *static_cast<const RoundMode*>(extra);
  float buffer[kCastChunk];
  for (uint32_t done = 0; done < count; done += kCastChunk) {
    const uint32_t part = count - done < kCastChunk ? count - done : kCastChunk;
    LoadFloats(buffer, src + done, part);
    if constexpr (IsSameType<D, half>::value) {
      RoundHalves(dst + done, buffer, part, mode);
    } else {
      RoundBfloats(dst + done, buffer, part, mode);
    }
  }
}
template <typename S>
__attribute__((noinline)) void IntegerToFloatRun(void* const* operand, uint32_t count,
                                                 const void* extra) {
  RoundIntegers(static_cast<float*>(operand[0]), static_cast<const S*>(operand[1]), count,
                *static_cast<const RoundMode*>(extra));
}
HOSTNPU_SHARED void DequantiseRun(void* const* operand, uint32_t count, const void*) {
  half* dst = static_cast<half*>(operand[0]);
  const int32_t* src = static_cast<const int32_t*>(operand[1]);
  const float scale = Regs().deq_scale;
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) dst[i] = semantics::Dequantise(src[i], scale);
}

// int4: two to a byte, so a run must begin and end at a byte.
HOSTNPU_FAULT_FUNCTION inline void NibbleFault() {
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "Cast",
                "is given int4b_t elements that do not begin and end at a whole byte; two of them "
                "share one");
}
/// Blocks begin at a byte, so the place of the halves tells where the nibbles begin.
HOSTNPU_INLINE void CheckNibbles(const void* halves, uint32_t count) {
  const bool odd = (reinterpret_cast<uintptr_t>(halves) / sizeof(half) + count) % 2 != 0;
  if (HOSTNPU_UNLIKELY(odd || count % 2 != 0)) NibbleFault();
}
HOSTNPU_SHARED void FromInt4Run(void* const* operand, uint32_t count, const void*) {
  half* dst = static_cast<half*>(operand[0]);
  const uint8_t* src = static_cast<const uint8_t*>(operand[1]);
  CheckNibbles(dst, count);
  for (uint32_t i = 0; i < count / 2; ++i) {
    dst[2 * i] = static_cast<half>(static_cast<int8_t>(static_cast<uint8_t>(src[i] << 4)) >> 4);
    dst[2 * i + 1] = static_cast<half>(static_cast<int8_t>(src[i]) >> 4);
  }
}
HOSTNPU_SHARED void ToInt4Run(void* const* operand, uint32_t count, const void* extra) {
  uint8_t* dst = static_cast<uint8_t*>(operand[0]);
  const half* src = static_cast<const half*>(operand[1]);
  CheckNibbles(src, count);
  float buffer[kCastChunk];
  for (uint32_t done = 0; done < count; done += kCastChunk) {
    const uint32_t part = count - done < kCastChunk ? count - done : kCastChunk;
    LoadFloats(buffer, src + done, part);
    RoundWholes(buffer, part, *static_cast<const RoundMode*>(extra));
    const auto nibble = [](float value) {
      const float within = value < -8.0f ? -8.0f : value > 7.0f ? 7.0f : value;
      return static_cast<uint32_t>(static_cast<int32_t>(value != value ? 0.0f : within)) & 15u;
    };
    for (uint32_t i = 0; i < part / 2; ++i) {
      dst[done / 2 + i] =
          static_cast<uint8_t>(nibble(buffer[2 * i]) | nibble(buffer[2 * i + 1]) << 4);
    }
  }
}

/// The loop of a pair.
template <typename D, typename S>
VectorRun CastRunFor(RoundMode mode) {
  constexpr uint32_t d = TypeBit<D>();
  constexpr uint32_t s = TypeBit<S>();
  const bool nearest = mode == RoundMode::CAST_NONE || mode == RoundMode::CAST_RINT;
  if constexpr (s == kInt4) {
    return &FromInt4Run;
  } else if constexpr (d == kInt4) {
    return &ToInt4Run;
  } else if constexpr (s == kInt32 && d == kHalf) {
    return &DequantiseRun;
  } else if constexpr ((s & (kInt32 | kInt64)) != 0 && d == kFloat) {
    return nearest ? &ConvertRun<D, S> : &IntegerToFloatRun<S>;
  } else if constexpr ((d & (kInt8 | kUint8 | kInt16 | kInt32 | kInt64)) != 0 &&
                       (s & (kHalf | kBfloat16 | kFloat)) != 0) {
    return &WholeRun<D, S>;
  } else if constexpr (d == kFloat && s == kFloat) {
    return &WholeRun<D, S>;
  } else if constexpr (d == kBfloat16) {
    return &NarrowRun<D, S>;
  } else if constexpr (d == kHalf && (s & (kFloat | kInt16)) != 0) {
    return nearest ? &ConvertRun<D, S> : &NarrowRun<D, S>;
  } else {
    return &ConvertRun<D, S>;
  }
}

HOSTNPU_FAULT_FUNCTION inline void RoundModeFault(RoundMode mode, const char* from,
                                                  const char* to) {
  constexpr const char* names[] = {"CAST_NONE",  "CAST_RINT",  "CAST_FLOOR", "CAST_CEIL",
                                   "CAST_ROUND", "CAST_TRUNC", "CAST_ODD",   "CAST_HYBRID"};
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "Cast", "from %s to %s does not take %s on this chip", from,
                to,
                static_cast<uint8_t>(mode) < 8 ? names[static_cast<uint8_t>(mode)] : "this mode");
}
template <typename D, typename S>
HOSTNPU_INLINE void CheckRoundMode(RoundMode mode) {
  constexpr bool odd = IsSameType<D, half>::value && IsSameType<S, float>::value;
  const bool known = mode <= RoundMode::CAST_TRUNC || (odd && mode == RoundMode::CAST_ODD);
  if (HOSTNPU_UNLIKELY(!known)) RoundModeFault(mode, TypeName<S>(), TypeName<D>());
}

}  // namespace internal

#define HOSTNPU_CAST(Mask)                                                                     \
  template <typename T, typename U, bool isSetMask = true>                                     \
  HOSTNPU_SHARED void Cast(                                                                    \
      const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, Mask,  \
      const internal::RepeatCount repeatTime, const UnaryRepeatParams& repeatParams) {         \
    static_assert(internal::IsCastPair<PrimT<T>, PrimT<U>>(),                                  \
                  "Cast between these element types is not available on this chip");           \
    internal::CheckRoundMode<PrimT<T>, PrimT<U>>(roundMode);                                   \
    internal::RunUnaryMasked<isSetMask>("Cast",                                                \
                                        internal::CastRunFor<PrimT<T>, PrimT<U>>(roundMode),   \
                                        &roundMode, dst, src, mask, repeatTime, repeatParams); \
  }
/// dst = src converted, rounded in the direction of the mode. The mask counts elements of the wider
/// type.
HOSTNPU_CAST(const uint64_t mask[])
HOSTNPU_CAST(const uint64_t mask)
#undef HOSTNPU_CAST
template <typename T, typename U>
HOSTNPU_SHARED void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                         const RoundMode& roundMode, const uint32_t count) {
  static_assert(internal::IsCastPair<PrimT<T>, PrimT<U>>(),
                "Cast between these element types is not available on this chip");
  internal::CheckRoundMode<PrimT<T>, PrimT<U>>(roundMode);
  internal::RunUnaryCount("Cast", internal::CastRunFor<PrimT<T>, PrimT<U>>(roundMode), &roundMode,
                          dst, src, count);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_CAST_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Qualifiers, scalar types and enumerations of Ascend C for __NPU_ARCH__ 2201.
#ifndef HOSTNPU_ASCENDC_BASIC_TYPES_H_
#define HOSTNPU_ASCENDC_BASIC_TYPES_H_

#include <stddef.h>
#include <stdint.h>

// Qualifiers: on a host all memory is in one address space and a kernel is an ordinary function.
#define __global__
#define __aicore__
#define __vector__
#define __cube__
#define __mix__(aic, aiv)
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __biasbuf__
#define __inline__ inline
#define __forceinline__ inline __attribute__((always_inline))
#define __kfc_workspace__
#define __sync_alias__
#define __sync_noalias__
#define __check_sync_alias__
#define __in_pipe__(x)
#define __out_pipe__(x)
#define __inout_pipe__(x)
#define __simd_callee__
#define __simd_vf__
#define __host_aicore__
/// A variable of the source that each core has for itself. See src/engine/block_local.cc.
#define __BLOCK_LOCAL__ __attribute__((section("hostnpu_block_local"))) __thread
#ifndef GM_ADDR
#define GM_ADDR __gm__ uint8_t*
#endif

/// IEEE binary16. Each operation is exact in float and rounded once.
using half = _Float16;

// The names by width, which the chip's compiler has without a header.
#ifndef float16_t  // a macro of a program that has done without
using float16_t = half;
#endif
using float32_t = float;
using float64_t = double;
// Those of <math.h>, which the vendor's headers include.
typedef float float_t;
typedef double double_t;

/// bfloat16: the upper half of a float. Converts with round to nearest even; has no arithmetic of
/// its own on this chip, but host code may compute with it through float.
struct bfloat16_t {
  uint16_t bits;

  bfloat16_t() = default;
  constexpr bfloat16_t(float value) : bits(Round(value)) {}  // NOLINT: implicit as in the vendor's
  constexpr bfloat16_t(double value) : bits(Round((float)value)) {}  // NOLINT
  constexpr bfloat16_t(int value) : bits(Round((float)value)) {}     // NOLINT
  constexpr bfloat16_t(half value) : bits(Round((float)value)) {}    // NOLINT
  constexpr operator float() const { return __builtin_bit_cast(float, (uint32_t)bits << 16); }

  static constexpr bfloat16_t FromBits(uint16_t raw) {
    bfloat16_t value(0.0f);
    value.bits = raw;
    return value;
  }
  static constexpr uint16_t Round(float value) {
    const uint32_t raw = __builtin_bit_cast(uint32_t, value);
    const uint32_t rounded = (raw + 0x7FFFu + ((raw >> 16) & 1u)) >> 16;
    const uint32_t quiet_nan = (raw >> 16) | 0x40u;
    return (uint16_t)((raw & 0x7FFFFFFFu) > 0x7F800000u ? quiet_nan : rounded);
  }
  bfloat16_t& operator+=(bfloat16_t b) { return *this = bfloat16_t((float)*this + (float)b); }
  bfloat16_t& operator-=(bfloat16_t b) { return *this = bfloat16_t((float)*this - (float)b); }
  bfloat16_t& operator*=(bfloat16_t b) { return *this = bfloat16_t((float)*this * (float)b); }
  bfloat16_t& operator/=(bfloat16_t b) { return *this = bfloat16_t((float)*this / (float)b); }
};

typedef enum {
  PIPE_S = 0,
  PIPE_V,
  PIPE_M,
  PIPE_MTE1,
  PIPE_MTE2,
  PIPE_MTE3,
  PIPE_ALL,
  PIPE_MTE4,
  PIPE_MTE5,
  PIPE_V2,
  PIPE_FIX,
} pipe_t;

typedef enum {
  EVENT_ID0 = 0,
  EVENT_ID1,
  EVENT_ID2,
  EVENT_ID3,
  EVENT_ID4,
  EVENT_ID5,
  EVENT_ID6,
  EVENT_ID7
} event_t;

namespace AscendC {

using ::bfloat16_t;
using ::half;

/// Two 4-bit integers share a byte, low nibble first; sizes are computed in bits.
struct int4b_t {
  uint8_t storage;
};

enum class TPosition : uint8_t {
  GM,
  A1,
  A2,
  B1,
  B2,
  C1,
  C2,
  CO1,
  CO2,
  VECIN,
  VECOUT,
  VECCALC,
  LCM = VECCALC,
  SPM,
  SHM = SPM,
  TSCM,
  C2PIPE2GM,
  C2PIPE2LOCAL,
  MAX,
};
using QuePosition = TPosition;

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

enum class HardEvent : uint8_t {
  MTE2_MTE1,
  MTE1_MTE2,
  MTE1_M,
  M_MTE1,
  MTE2_V,
  V_MTE2,
  MTE3_V,
  V_MTE3,
  M_V,
  V_M,
  V_V,
  MTE3_MTE1,
  MTE1_MTE3,
  MTE1_V,
  MTE2_M,
  M_MTE2,
  V_MTE1,
  M_FIX,
  FIX_M,
  MTE3_MTE2,
  MTE2_MTE3,
  S_V,
  V_S,
  S_MTE2,
  MTE2_S,
  S_MTE3,
  MTE3_S,
  MTE2_FIX,
  FIX_MTE2,
  FIX_S,
  M_S,
  FIX_MTE3,
  MTE1_FIX,
  FIX_MTE1,
  FIX_FIX,
  MAX,
};
using TEventID = int8_t;

enum class RoundMode : uint8_t {
  CAST_NONE = 0,
  CAST_RINT,
  CAST_FLOOR,
  CAST_CEIL,
  CAST_ROUND,
  CAST_TRUNC,
  CAST_ODD,
  CAST_HYBRID,
};
enum class CMPMODE : uint8_t { LT = 0, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t {
  VSEL_CMPMASK_SPR = 0,
  VSEL_TENSOR_SCALAR_MODE,
  VSEL_TENSOR_TENSOR_MODE
};
enum class ReduceOrder : uint8_t {
  ORDER_VALUE_INDEX = 0,
  ORDER_INDEX_VALUE,
  ORDER_ONLY_VALUE,
  ORDER_ONLY_INDEX
};
enum class MaskMode : uint8_t { NORMAL = 0, COUNTER };
enum class CacheMode : uint8_t {
  CACHE_MODE_DISABLE = 0,
  CACHE_MODE_NORMAL,
  CACHE_MODE_LAST,
  CACHE_MODE_PERSISTENT
};
enum class CacheRwMode : uint8_t { READ = 1, WRITE = 2, RW = 3 };
enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum class MemDsbT : uint64_t { ALL = 0, DDR, UB, SEQ };
enum class DataFormat : uint8_t { ND = 0, NZ, NCHW, NC1HWC0, NHWC, NCDHW, NDC1HWC0, FRACTAL_Z_3D };
enum class BlockMode : uint8_t {
  BLOCK_MODE_NORMAL = 0,
  BLOCK_MODE_MATRIX,
  BLOCK_MODE_VECTOR,
  BLOCK_MODE_SMALL_CHANNEL,
  BLOCK_MODE_DEPTHWISE
};
enum class DeqScale : uint8_t { DEQ_NONE = 0, DEQ, VDEQ, DEQ8, VDEQ8, DEQ16, VDEQ16 };

constexpr uint64_t MASK_PLACEHOLDER = 0;
constexpr uint64_t MASK_PLACEHOLDER_LIST[2] = {0, 0};
constexpr uint32_t ONE_BLK_SIZE = 32;
constexpr uint32_t ONE_REPEAT_BYTE_SIZE = 256;
constexpr uint32_t DEFAULT_BLK_NUM = 8;
constexpr uint32_t DEFAULT_C0_SIZE = 32;
constexpr uint8_t DEFAULT_REPEAT_STRIDE = 8;
constexpr uint8_t DEFAULT_BLK_STRIDE = 1;
constexpr uint8_t HALF_DEFAULT_REPEAT_STRIDE = 4;
constexpr int32_t MAX_REPEAT_TIMES = 255;
constexpr uint8_t ONE_FOURTH_DEFAULT_REPEAT_STRIDE = 2;
constexpr uint8_t B16_BYTE_SIZE = 2;
constexpr uint8_t B32_BYTE_SIZE = 4;
constexpr uint8_t B16_DATA_NUM_PER_BLOCK = 16;
constexpr uint8_t B32_DATA_NUM_PER_BLOCK = 8;
constexpr int32_t B16_DATA_NUM_PER_REPEAT = 128;
constexpr int32_t B32_DATA_NUM_PER_REPEAT = 64;
constexpr uint32_t ONE_BLK_HALF_NUM = 16;
constexpr uint32_t ONE_BLK_FLOAT_NUM = 8;
constexpr uint32_t ONE_REPEAT_HALF_SIZE = 128;
constexpr uint32_t ONE_REPEAT_FLOAT_SIZE = 64;
constexpr uint32_t BRCB_BROADCAST_NUMBER = 8;
constexpr int32_t HALF_FACTOR = 2;
constexpr uint64_t FULL_MASK = 0xffffffffffffffff;
constexpr int32_t TOTAL_UB_SIZE = 192 * 1024;
constexpr int32_t TOTAL_L1_SIZE = 512 * 1024;
constexpr int32_t TOTAL_L0A_SIZE = 64 * 1024;
constexpr int32_t TOTAL_L0B_SIZE = 64 * 1024;
constexpr int32_t TOTAL_L0C_SIZE = 128 * 1024;

/// std::is_same and friends without the standard library, whose headers would triple the compile
/// time.
template <typename A, typename B>
struct IsSameType {
  static constexpr bool value = false;
};
template <typename A>
struct IsSameType<A, A> {
  static constexpr bool value = true;
};

template <bool condition, typename A, typename B>
struct Conditional {
  using type = A;
};
template <typename A, typename B>
struct Conditional<false, A, B> {
  using type = B;
};
/// Is T one of the types?
template <typename T, typename... Types>
constexpr bool SupportType() {
  return (IsSameType<T, Types>::value || ...);
}

/// A type that carries a position and a layout beside the element type; PrimT strips it.
template <typename T, TPosition pos = TPosition::GM, typename LayoutType = void>
struct TensorTrait {
  using LiteType = T;
  static constexpr TPosition tPos = pos;
};
namespace internal {

/// How often an instruction repeats. The vendor's declarations say uint8_t, which makes 44 of 300;
/// wide, so that the instruction sees what it is given, and refuses it.
using RepeatCount = int64_t;

template <typename T>
struct Prim {
  using Type = T;
};
template <typename T, TPosition pos, typename Layout>
struct Prim<TensorTrait<T, pos, Layout>> {
  using Type = T;
};
template <bool condition, typename T = void>
struct EnableIf {};
template <typename T>
struct EnableIf<true, T> {
  using Type = T;
};
template <typename T>
struct Identity {
  using Type = T;
};
/// A parameter type that takes no part in template deduction.
template <typename T>
using NoDeduce = typename Identity<T>::Type;
}  // namespace internal
template <typename T>
using PrimT = typename internal::Prim<T>::Type;

/// Bits of one element: 4 for int4b_t.
template <typename T>
struct SizeOfBits {
  static constexpr uint32_t value = sizeof(T) * 8;
};
template <>
struct SizeOfBits<int4b_t> {
  static constexpr uint32_t value = 4;
};

namespace internal {
/// Bytes that `count` elements of T take.
template <typename T>
constexpr uint64_t BytesOf(uint64_t count) {
  return (count * SizeOfBits<PrimT<T>>::value + 7) / 8;
}
/// Elements of T in `bytes`.
template <typename T>
constexpr uint64_t ElementsIn(uint64_t bytes) {
  return bytes * 8 / SizeOfBits<PrimT<T>>::value;
}
/// The place of an element type in the tables about element types: in the order below.
template <typename T>
constexpr uint32_t TypeIndex() {
  using U = PrimT<T>;
  return IsSameType<U, half>::value         ? 0
         : IsSameType<U, float>::value      ? 1
         : IsSameType<U, bfloat16_t>::value ? 2
         : IsSameType<U, int8_t>::value     ? 3
         : IsSameType<U, uint8_t>::value    ? 4
         : IsSameType<U, int16_t>::value    ? 5
         : IsSameType<U, uint16_t>::value   ? 6
         : IsSameType<U, int32_t>::value    ? 7
         : IsSameType<U, uint32_t>::value   ? 8
         : IsSameType<U, int64_t>::value    ? 9
         : IsSameType<U, uint64_t>::value   ? 10
         : IsSameType<U, int4b_t>::value    ? 11
         : IsSameType<U, bool>::value       ? 12
                                            : 13;
}
constexpr uint32_t kTypeCount = 14;
constexpr const char* kTypeNames[kTypeCount] = {
    "half",    "float",    "bfloat16_t", "int8_t",   "uint8_t", "int16_t", "uint16_t",
    "int32_t", "uint32_t", "int64_t",    "uint64_t", "int4b_t", "bool",    "a user type"};
/// What the hardware calls the type, for messages.
template <typename T>
constexpr const char* TypeName() {
  return kTypeNames[TypeIndex<T>()];
}
}  // namespace internal

constexpr __attribute__((always_inline)) inline int32_t CeilDivision(int32_t a, int32_t b) {
  return b == 0 ? a : (a + b - 1) / b;
}
template <typename T, typename U>
constexpr auto AlignUp(T a, U b) -> decltype(a + b) {
  return b == 0 ? a : (a + b - 1) / b * b;
}
template <typename T, typename U>
constexpr auto DivCeil(T a, U b) -> decltype(a + b) {
  return b == 0 ? a : (a + b - 1) / b;
}

}  // namespace AscendC

// Functions, not macros: the standard library writes [[likely]] and [[unlikely]].
constexpr bool likely(bool condition) { return __builtin_expect(condition, true); }
constexpr bool unlikely(bool condition) { return __builtin_expect(condition, false); }

#endif  // HOSTNPU_ASCENDC_BASIC_TYPES_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the fixpipe does to 16 accumulators on their way out of L0C: scale, relu, round, narrow.
//
// A quantisation word: bits 31..13 the scale as a float with ten bits of mantissa (the rest of the
// float is ignored), 36 shift the int32 first, by 35..32 plus one, 45..37 a signed offset, 46 the
// 8-bit result is signed.
#ifndef HOSTNPU_ASCENDC_DETAIL_FIXPIPE_CONVERT_H_
#define HOSTNPU_ASCENDC_DETAIL_FIXPIPE_CONVERT_H_

#include "../basic/cube_params.h"
#include "gemm_kernel.h"

namespace AscendC {
namespace internal {

/// One column group's parameters. `words` has one entry per column, or the same one for all.
struct ConvertContext {
  const uint64_t* words;
  uint32_t word_step;  // 0: one word for all columns
  bool relu;
  bool saturate;  // CTRL[48] = 0: no infinities in half
};

using gemm::F16;
using gemm::I16;

HOSTNPU_INLINE F16 Select(I16 mask, F16 yes, F16 no) { return mask ? yes : no; }
HOSTNPU_INLINE I16 Select(I16 mask, I16 yes, I16 no) { return mask ? yes : no; }

HOSTNPU_INLINE F16 Relu(F16 x) { return Select(x > 0.0f, x, F16(0.0f)); }

HOSTNPU_INLINE F16 Clamp(F16 x, float low, float high) {
  x = Select(x < low, F16(low), x);
  return Select(x > high, F16(high), x);
}

/// Round half to even of |x| < 2^22.
HOSTNPU_INLINE I16 RoundToInt(F16 x) {
  const F16 magic = 12582912.0f;  // 1.5 * 2^23: the sum has no bits behind the point
  return __builtin_bit_cast(I16, x + magic) - __builtin_bit_cast(I16, magic);
}

struct QuantFields {
  F16 scale;
  I16 shift;   // right shift of the int32; only where shifts
  I16 shifts;  // -1 where the word says so
  I16 offset;
  I16 is_signed;  // -1 or 0
};

HOSTNPU_INLINE QuantFields Fields(const ConvertContext& context, uint32_t column) {
  QuantFields fields;
  int32_t scale[16], shift[16], shifts[16], offset[16], is_signed[16];
  for (uint32_t i = 0; i < 16; ++i) {
    const uint64_t word = context.words[(column + i) * context.word_step];
    scale[i] = static_cast<int32_t>(word & 0xFFFFE000u);
    shift[i] = static_cast<int32_t>(word >> 32 & 15) + 1;
    shifts[i] = -static_cast<int32_t>(word >> 36 & 1);
    offset[i] = static_cast<int32_t>(static_cast<int64_t>(word << 18) >> 55);
    is_signed[i] = -static_cast<int32_t>(word >> 46 & 1);
  }
  fields.scale = gemm::Load<F16>(scale);
  fields.shift = gemm::Load<I16>(shift);
  fields.shifts = gemm::Load<I16>(shifts);
  fields.offset = gemm::Load<I16>(offset);
  fields.is_signed = gemm::Load<I16>(is_signed);
  return fields;
}

/// int32 accumulators as float, shifted first where the word says so.
HOSTNPU_INLINE F16 ToFloat(I16 x, const QuantFields& fields) {
  I16 shifted = x >> fields.shift;
  shifted = Select(shifted < -32768, I16(-32768), shifted);
  shifted = Select(shifted > 32767, I16(32767), shifted);
  return __builtin_convertvector(Select(fields.shifts, shifted, x), F16);
}

HOSTNPU_INLINE void StoreHalf(F16 x, bool saturate, uint8_t* to) {
  if (saturate) x = Clamp(Select(x == x, x, F16(0.0f)), -65504.0f, 65504.0f);
  gemm::Store(to, __builtin_convertvector(x, gemm::H16));
}
HOSTNPU_INLINE void StoreBfloat16(F16 x, uint8_t* to) {
  typedef uint16_t Bits16 __attribute__((ext_vector_type(16)));
  const gemm::U16 raw = __builtin_bit_cast(gemm::U16, x);
  const gemm::U16 rounded = (raw + 0x7FFFu + (raw >> 16 & 1u)) >> 16;
  const gemm::U16 nan = raw >> 16 | 0x40u;
  const I16 is_nan = x != x;
  const gemm::U16 bits = __builtin_bit_cast(
      gemm::U16, Select(is_nan, __builtin_bit_cast(I16, nan), __builtin_bit_cast(I16, rounded)));
  gemm::Store(to, __builtin_convertvector(bits, Bits16));
}
HOSTNPU_INLINE void StoreByte(F16 x, const QuantFields& fields, uint8_t* to) {
  typedef uint8_t Bytes16 __attribute__((ext_vector_type(16)));
  I16 value = RoundToInt(Clamp(Select(x == x, x, F16(0.0f)), -256.0f, 255.0f)) + fields.offset;
  const I16 low = fields.is_signed & -128;
  const I16 high = 255 - (fields.is_signed & 128);
  value = Select(value < low, low, value);
  value = Select(value > high, high, value);
  gemm::Store(to, __builtin_convertvector(__builtin_bit_cast(gemm::U16, value), Bytes16));
}

/// Converts 16 accumulators at `from`, columns [column, column + 16), to `to`.
using ConvertFunction = void (*)(const uint8_t* from, uint8_t* to, uint32_t rows,
                                 uint64_t to_stride, uint32_t column,
                                 const ConvertContext& context);

enum class Conversion {
  kCopy,
  kFloatToHalf,
  kFloatToBfloat16,
  kFloatToByte,
  kIntToHalf,
  kIntToByte
};

/// `rows` rows of one column group: accumulators lie 64 bytes apart, results to_stride.
template <Conversion conversion>
HOSTNPU_GEMM_FUNCTION void ConvertRows(const uint8_t* from, uint8_t* to, uint32_t rows,
                                       uint64_t to_stride, uint32_t column,
                                       const ConvertContext& context) {
  constexpr bool kQuantises = conversion == Conversion::kFloatToByte ||
                              conversion == Conversion::kIntToHalf ||
                              conversion == Conversion::kIntToByte;
  QuantFields fields = {};
  if constexpr (kQuantises) fields = Fields(context, column);
  for (uint32_t r = 0; r < rows; ++r, from += 64, to += to_stride) {
    if constexpr (conversion == Conversion::kCopy) {
      gemm::Store(to, gemm::Load<F16>(from));
    } else if constexpr (conversion == Conversion::kIntToHalf ||
                         conversion == Conversion::kIntToByte) {
      F16 x = ToFloat(gemm::Load<I16>(from), fields) * fields.scale;
      if (context.relu) x = Select(gemm::Load<I16>(from) < 0, F16(0.0f), x);
      if constexpr (conversion == Conversion::kIntToHalf) {
        StoreHalf(x, true, to);
      } else {
        StoreByte(x, fields, to);
      }
    } else {
      const F16 raw = gemm::Load<F16>(from);
      F16 x = raw;
      if constexpr (kQuantises) x = x * fields.scale;
      if (context.relu) x = Select(raw > 0.0f, x, F16(0.0f));
      if constexpr (conversion == Conversion::kFloatToHalf) StoreHalf(x, context.saturate, to);
      if constexpr (conversion == Conversion::kFloatToBfloat16) StoreBfloat16(x, to);
      if constexpr (conversion == Conversion::kFloatToByte) StoreByte(x, fields, to);
    }
  }
}

/// 32-bit accumulators leave as they are, but for a relu.
template <bool is_float>
HOSTNPU_GEMM_FUNCTION void ReluRows(const uint8_t* from, uint8_t* to, uint32_t rows,
                                    uint64_t to_stride, uint32_t, const ConvertContext&) {
  for (uint32_t r = 0; r < rows; ++r, from += 64, to += to_stride) {
    if constexpr (is_float) {
      gemm::Store(to, Relu(gemm::Load<F16>(from)));
    } else {
      const I16 x = gemm::Load<I16>(from);
      gemm::Store(to, Select(x > 0, x, I16(0)));
    }
  }
}

}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_DETAIL_FIXPIPE_CONVERT_H_

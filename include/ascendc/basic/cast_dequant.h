// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Casts with something more: dequantisation scales, CastDequant (older name CastDeq), AddReluCast,
// SubReluCast, AddDeqRelu.
#ifndef HOSTNPU_ASCENDC_BASIC_CAST_DEQUANT_H_
#define HOSTNPU_ASCENDC_BASIC_CAST_DEQUANT_H_

#include "cast.h"
#include "vector_binary.h"

namespace AscendC {

constexpr int32_t VDEQ_TENSOR_SIZE = 16;

/// Sixteen scales, one per element of a block.
struct VdeqInfo {
  VdeqInfo() = default;
  VdeqInfo(const float scale[VDEQ_TENSOR_SIZE], const int16_t offset[VDEQ_TENSOR_SIZE],
           const bool sign_mode[VDEQ_TENSOR_SIZE]) {
    for (int32_t i = 0; i < VDEQ_TENSOR_SIZE; ++i) {
      vdeqScale[i] = scale[i];
      vdeqOffset[i] = offset[i];
      vdeqSignMode[i] = sign_mode[i];
    }
  }

  float vdeqScale[VDEQ_TENSOR_SIZE] = {};
  int16_t vdeqOffset[VDEQ_TENSOR_SIZE] = {};
  bool vdeqSignMode[VDEQ_TENSOR_SIZE] = {};
};

namespace internal {

// A scale as the register has it: bits 31..13 the float, 45..37 a signed offset, 46 signed results.
constexpr uint64_t kDeqScaleBits = 0xFFFFE000u;

HOSTNPU_INLINE uint64_t DeqWord(float scale, int16_t offset, bool sign_mode) {
  return (semantics::BitsOf(scale) & kDeqScaleBits) |
         (static_cast<uint64_t>(offset) & 0x1FFu) << 37 | static_cast<uint64_t>(sign_mode) << 46;
}
/// round(value * scale) + offset, saturated to the eight bits that the sign mode says.
HOSTNPU_INLINE uint8_t DequantiseToByte(int16_t value, uint64_t word) {
  const float scale = semantics::FloatOf(static_cast<uint32_t>(word & kDeqScaleBits));
  const int32_t offset =
      static_cast<int32_t>(static_cast<uint32_t>(word >> 37 & 0x1FFu) << 23) >> 23;
  const float rounded = __builtin_roundevenf(static_cast<float>(value) * scale);
  const int32_t sum = semantics::WholeTo<int16_t>(rounded) + offset;
  const bool is_signed = (word >> 46 & 1) != 0;
  const int32_t lowest = is_signed ? -128 : 0;
  const int32_t highest = is_signed ? 127 : 255;
  return static_cast<uint8_t>(sum < lowest ? lowest : sum > highest ? highest : sum);
}

struct DequantiseForm {
  bool per_column;
  bool upper_half;
};
// The destination has one byte where the walk counts two: of each block of 32 bytes, 16 are
// written.
HOSTNPU_SHARED void DequantiseBytesRun(void* const* operand, uint32_t count, const void* extra) {
  const auto& form = *static_cast<const DequantiseForm*>(extra);
  const int16_t* src = static_cast<const int16_t*>(operand[1]);
  const uintptr_t place = reinterpret_cast<uintptr_t>(operand[0]);
  const uint32_t first = static_cast<uint32_t>(place % kVectorBlockBytes / 2);
  uint8_t* block =
      static_cast<uint8_t*>(operand[0]) - place % kVectorBlockBytes + (form.upper_half ? 16 : 0);
  const Registers& registers = Regs();
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t element = first + i;
    const uint32_t column = element % 16;
    const uint64_t word = form.per_column ? registers.vector_deq[column] : registers.deq_word;
    block[element / 16 * kVectorBlockBytes + column] = DequantiseToByte(src[i], word);
  }
}

template <typename T, typename U>
constexpr bool IsDequantPair() {
  return IsSameType<U, int16_t>::value &&
         (IsSameType<T, int8_t>::value || IsSameType<T, uint8_t>::value);
}

template <bool isVecDeq, bool halfBlock, bool isSetMask, typename T, typename U, typename Mask>
void DequantMasked(const LocalTensor<T>& dst, const LocalTensor<U>& src, Mask mask,
                   RepeatCount repeats, const UnaryRepeatParams& params) {
  static constexpr DequantiseForm form = {isVecDeq, halfBlock};
  RunUnaryMasked<isSetMask>("CastDequant", &DequantiseBytesRun, &form,
                            dst.template ReinterpretCast<int16_t>(), src, mask, repeats, params);
}

}  // namespace internal

/// The scale of Cast from int32_t to half and of AddDeqRelu.
inline void SetDeqScale(half scale) {
  if (internal::OnVectorCore()) internal::Regs().deq_scale = static_cast<float>(scale);
}
/// Scale, offset and signedness of CastDequant.
inline void SetDeqScale(float scale, int16_t offset, bool signMode) {
  if (internal::OnVectorCore())
    internal::Regs().deq_word = internal::DeqWord(scale, offset, signMode);
}
/// Sixteen scales for CastDequant; `vdeq` is UB for 16 words of 8 bytes, which are written.
template <typename T>
inline void SetDeqScale(const LocalTensor<T>& vdeq, const VdeqInfo& vdeqInfo) {
  static_assert(IsSameType<PrimT<T>, uint64_t>::value, "SetDeqScale takes a tensor of uint64_t");
  if (!internal::OnVectorCore()) return;
  internal::Registers& registers = internal::Regs();
  internal::CheckOperand("SetDeqScale", internal::OperandOf("vdeq", vdeq),
                         sizeof(registers.vector_deq));
  for (int32_t i = 0; i < VDEQ_TENSOR_SIZE; ++i) {
    registers.vector_deq[i] =
        internal::DeqWord(vdeqInfo.vdeqScale[i], vdeqInfo.vdeqOffset[i], vdeqInfo.vdeqSignMode[i]);
  }
  __builtin_memcpy(vdeq.address_.absAddr, registers.vector_deq, sizeof(registers.vector_deq));
}

#define HOSTNPU_CAST_DEQUANT(Name, Mask)                                                      \
  template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true,              \
            bool halfBlock = true>                                                            \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src, Mask,                \
                   internal::RepeatCount repeatTime, const UnaryRepeatParams& repeatParams) { \
    if constexpr (IsSameType<PrimT<U>, int32_t>::value) {                                     \
      Cast<T, U, isSetMask>(dst, src, RoundMode::CAST_RINT, internal::MaskArgument(mask),     \
                            repeatTime, repeatParams);                                        \
    } else {                                                                                  \
      static_assert(internal::IsDequantPair<PrimT<T>, PrimT<U>>(),                            \
                    #Name " is available from int16_t to int8_t or uint8_t on this chip");    \
      internal::DequantMasked<isVecDeq, halfBlock, isSetMask>(                                \
          dst, src, internal::MaskArgument(mask), repeatTime, repeatParams);                  \
    }                                                                                         \
  }
#define HOSTNPU_CAST_DEQUANT_COUNT(Name)                                                         \
  template <typename T, typename U, bool isVecDeq = true, bool halfBlock = true>                 \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint32_t count) { \
    if constexpr (IsSameType<PrimT<U>, int32_t>::value) {                                        \
      Cast(dst, src, RoundMode::CAST_RINT, count);                                               \
    } else {                                                                                     \
      static_assert(internal::IsDequantPair<PrimT<T>, PrimT<U>>(),                               \
                    #Name " is available from int16_t to int8_t or uint8_t on this chip");       \
      static constexpr internal::DequantiseForm form = {isVecDeq, halfBlock};                    \
      internal::RunUnaryCount(#Name, &internal::DequantiseBytesRun, &form,                       \
                              dst.template ReinterpretCast<int16_t>(), src, count);              \
    }                                                                                            \
  }
namespace internal {
HOSTNPU_INLINE uint64_t MaskArgument(int32_t mask) { return static_cast<uint64_t>(mask); }
HOSTNPU_INLINE const uint64_t* MaskArgument(const uint64_t* mask) { return mask; }
}  // namespace internal
/// dst = src * scale + offset in eight bits: 16 results of each source block go to the upper
/// (halfBlock) or lower half of a block of dst.
HOSTNPU_CAST_DEQUANT(CastDequant, const uint64_t mask[])
HOSTNPU_CAST_DEQUANT(CastDequant, const int32_t mask)
HOSTNPU_CAST_DEQUANT_COUNT(CastDequant)
/// CastDequant under its older name.
HOSTNPU_CAST_DEQUANT(CastDeq, const uint64_t mask[])
HOSTNPU_CAST_DEQUANT(CastDeq, const int32_t mask)
HOSTNPU_CAST_DEQUANT_COUNT(CastDeq)
#undef HOSTNPU_CAST_DEQUANT_COUNT
#undef HOSTNPU_CAST_DEQUANT

namespace internal {

/// relu(src0 + src1) or relu(src0 - src1), cast.
template <typename Operation, typename D, typename S>
__attribute__((noinline)) void ReluCastRun(void* const* operand, uint32_t count, const void*) {
  D* dst = static_cast<D*>(operand[0]);
  const S* src0 = static_cast<const S*>(operand[1]);
  const S* src1 = static_cast<const S*>(operand[2]);
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) {
    const S value = Operation::template Apply<S>(src0[i], src1[i]);
    if constexpr (IsSameType<D, half>::value) {
      dst[i] = static_cast<half>(value);
    } else {
      dst[i] = semantics::WholeTo<D>(__builtin_roundevenf(static_cast<float>(value)));
    }
  }
}
template <typename T, typename U>
constexpr bool IsReluCastPair() {
  return (IsSameType<T, half>::value && IsSameType<U, float>::value) ||
         (IsSameType<T, int8_t>::value &&
          (IsSameType<U, half>::value || IsSameType<U, int16_t>::value));
}
HOSTNPU_SHARED void AddDeqReluRun(void* const* operand, uint32_t count, const void*) {
  half* dst = static_cast<half*>(operand[0]);
  const int32_t* src0 = static_cast<const int32_t*>(operand[1]);
  const int32_t* src1 = static_cast<const int32_t*>(operand[2]);
  const float scale = Regs().deq_scale;
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) {
    const int32_t sum = semantics::Add::Apply<int32_t>(src0[i], src1[i]);
    dst[i] = semantics::Relu::Apply<half>(semantics::Dequantise(sum, scale));
  }
}

}  // namespace internal

#define HOSTNPU_RELU_CAST(Name, Operation, Mask)                                                  \
  template <typename T, typename U, bool isSetMask = true>                                        \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0,                         \
                   const LocalTensor<U>& src1, Mask, const internal::RepeatCount repeatTime,      \
                   const BinaryRepeatParams& repeatParams) {                                      \
    static_assert(internal::IsReluCastPair<PrimT<T>, PrimT<U>>(),                                 \
                  #Name " is available from float to half, half to int8_t, int16_t to int8_t");   \
    internal::RunBinaryMasked<isSetMask>(                                                         \
        #Name, &internal::ReluCastRun<semantics::Operation, PrimT<T>, PrimT<U>>, dst, src0, src1, \
        mask, repeatTime, repeatParams);                                                          \
  }
#define HOSTNPU_RELU_CAST_COUNT(Name, Operation)                                                \
  template <typename T, typename U>                                                             \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0,                       \
                   const LocalTensor<U>& src1, const uint32_t count) {                          \
    static_assert(internal::IsReluCastPair<PrimT<T>, PrimT<U>>(),                               \
                  #Name " is available from float to half, half to int8_t, int16_t to int8_t"); \
    internal::RunBinaryCount(#Name,                                                             \
                             &internal::ReluCastRun<semantics::Operation, PrimT<T>, PrimT<U>>,  \
                             dst, src0, src1, count);                                           \
  }
/// dst = relu(src0 + src1), cast to a narrower type.
HOSTNPU_RELU_CAST(AddReluCast, AddRelu, const uint64_t mask[])
HOSTNPU_RELU_CAST(AddReluCast, AddRelu, uint64_t mask)
HOSTNPU_RELU_CAST_COUNT(AddReluCast, AddRelu)
/// dst = relu(src0 - src1), cast to a narrower type.
HOSTNPU_RELU_CAST(SubReluCast, SubRelu, const uint64_t mask[])
HOSTNPU_RELU_CAST(SubReluCast, SubRelu, uint64_t mask)
HOSTNPU_RELU_CAST_COUNT(SubReluCast, SubRelu)
#undef HOSTNPU_RELU_CAST_COUNT
#undef HOSTNPU_RELU_CAST

#define HOSTNPU_ADD_DEQ_RELU(Mask)                                                                 \
  template <bool isSetMask = true>                                                                 \
  inline void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0,           \
                         const LocalTensor<int32_t>& src1, Mask,                                   \
                         const internal::RepeatCount repeatTime,                                   \
                         const BinaryRepeatParams& repeatParams) {                                 \
    internal::RunBinaryMasked<isSetMask>("AddDeqRelu", &internal::AddDeqReluRun, dst, src0, src1,  \
                                         mask, repeatTime, repeatParams);                          \
  }                                                                                                \
  template <typename T, typename U, bool isSetMask = true>                                         \
  inline void AddDeqRelu(const LocalTensor<T>& dst, const LocalTensor<U>& src0,                    \
                         const LocalTensor<U>& src1, Mask, const internal::RepeatCount repeatTime, \
                         const BinaryRepeatParams& repeatParams) {                                 \
    static_assert(IsSameType<PrimT<T>, half>::value && IsSameType<PrimT<U>, int32_t>::value,       \
                  "AddDeqRelu is available from int32_t to half on this chip");                    \
    internal::RunBinaryMasked<isSetMask>("AddDeqRelu", &internal::AddDeqReluRun, dst, src0, src1,  \
                                         mask, repeatTime, repeatParams);                          \
  }
/// dst = relu of (src0 + src1) times the scale of SetDeqScale.
HOSTNPU_ADD_DEQ_RELU(const uint64_t mask[])
HOSTNPU_ADD_DEQ_RELU(uint64_t mask)
#undef HOSTNPU_ADD_DEQ_RELU
HOSTNPU_SHARED void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0,
                               const LocalTensor<int32_t>& src1, const int32_t& count) {
  internal::RunBinaryCount("AddDeqRelu", &internal::AddDeqReluRun, dst, src0, src1, count);
}
template <typename T, typename U>
inline void AddDeqRelu(const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                       const LocalTensor<U>& src1, const int32_t& count) {
  static_assert(IsSameType<PrimT<T>, half>::value && IsSameType<PrimT<U>, int32_t>::value,
                "AddDeqRelu is available from int32_t to half on this chip");
  internal::RunBinaryCount("AddDeqRelu", &internal::AddDeqReluRun, dst, src0, src1, count);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_CAST_DEQUANT_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Compare and CompareScalar (new name Compares): one bit per element, packed from repeat to repeat.
// On this chip the mask has no effect: whole repeats are compared. So the count form compares
// count / elements of a repeat repeats, and leaves the bits of a rest as they were.
#ifndef HOSTNPU_ASCENDC_BASIC_COMPARE_H_
#define HOSTNPU_ASCENDC_BASIC_COMPARE_H_

#include "../detail/availability.h"
#include "../detail/vector_run.h"
#include "../semantics/compare.h"
#include "repeat_params.h"

namespace AscendC {
namespace internal {

/// One comparison: with src1, or with the scalar in all of `scalar`.
template <typename T>
struct Comparison {
  const char* api;
  CMPMODE mode;
  bool with_scalar;
  VectorOperand src0;
  VectorOperand src1;
  T scalar[8];
};

constexpr const char* CompareModeName(CMPMODE mode) {
  constexpr const char* names[] = {"LT", "GT", "EQ", "LE", "GE", "NE"};
  return static_cast<uint8_t>(mode) < 6 ? names[static_cast<uint8_t>(mode)] : "?";
}
HOSTNPU_FAULT_FUNCTION inline void CompareModeFault(const char* api, CMPMODE mode,
                                                    const char* type) {
  HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api, "of %s does not take mode %s (%u) on this chip", type,
                CompareModeName(mode), static_cast<unsigned>(mode));
}

// Vectors wider than the target's registers are only ever passed inline.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
HOSTNPU_INLINE uint64_t CheckedRepeats(const char* api, RepeatCount repeats) {
  CheckRepeatTime(api, repeats);
  return static_cast<uint64_t>(repeats);
}

/// Compares `repeats` whole repeats into `bits`.
template <typename T>
__attribute__((noinline)) void RunComparison(const Comparison<T>& comparison, uint8_t* bits,
                                             uint64_t repeats) {
  constexpr uint32_t kPerBlock = kVectorBlockBytes / sizeof(T);
  const semantics::CompareTerms terms = semantics::CompareTerms::Of(comparison.mode);
  const VectorOperand& src0 = comparison.src0;
  const VectorOperand& src1 = comparison.src1;
  const bool with_scalar = comparison.with_scalar;
  const auto scalar = semantics::LoadEight(comparison.scalar);
  for (uint64_t repeat = 0; repeat < repeats; ++repeat) {
    for (uint32_t block = 0; block < kVectorRepeatBlocks; ++block) {
      const T* a = reinterpret_cast<const T*>(src0.base + repeat * src0.repeat_stride +
                                              block * src0.block_stride);
      const T* b = with_scalar
                       ? nullptr
                       : reinterpret_cast<const T*>(src1.base + repeat * src1.repeat_stride +
                                                    block * src1.block_stride);
      for (uint32_t i = 0; i < kPerBlock; i += 8) {
        *bits++ = semantics::CompareEight(
            semantics::LoadEight(a + i), with_scalar ? scalar : semantics::LoadEight(b + i), terms);
      }
    }
  }
}

#pragma clang diagnostic pop

template <typename T>
void CheckComparison(const Comparison<T>& comparison, uint64_t repeats) {
  const bool known = comparison.mode <= CMPMODE::NE;
  if (HOSTNPU_UNLIKELY(!known ||
                       (IsSameType<T, int32_t>::value && comparison.mode != CMPMODE::EQ))) {
    CompareModeFault(comparison.api, comparison.mode, TypeName<T>());
  }
  const auto extent = [&](const VectorOperand& operand) {
    return (repeats - 1) * operand.repeat_stride + 7 * operand.block_stride + kVectorBlockBytes;
  };
  CheckOperand(comparison.api, comparison.src0, extent(comparison.src0));
  if (!comparison.with_scalar) {
    CheckOperand(comparison.api, comparison.src1, extent(comparison.src1));
  }
}

template <typename T>
HOSTNPU_INLINE void CompareInto(const Comparison<T>& comparison, const VectorOperand& dst,
                                uint64_t repeats) {
  if (!OnVectorCore() || repeats == 0) return;
  CheckComparison(comparison, repeats);
  CheckOperand(comparison.api, dst, repeats * (kVectorRepeatBytes / sizeof(T) / 8));
  RunComparison(comparison, dst.base, repeats);
}
/// One repeat into the CMPMASK register, as far as the mask register lets it.
template <bool isSetMask, typename T, typename Mask>
void CompareIntoRegister(const Comparison<T>& comparison, Mask mask) {
  if (!OnVectorCore()) return;
  if constexpr (isSetMask) {
    SetMaskArgument(comparison.api, mask, kVectorRepeatBytes / sizeof(T));
  }
  CheckComparison(comparison, 1);
  uint64_t bits[2] = {0, 0};
  RunComparison(comparison, reinterpret_cast<uint8_t*>(bits), 1);
  Registers& registers = Regs();
  for (int i = 0; i < 2; ++i) {
    registers.compare_mask[i] =
        (registers.compare_mask[i] & ~registers.mask[i]) | (bits[i] & registers.mask[i]);
  }
}

template <typename T>
Comparison<PrimT<T>> TensorComparison(const char* api, CMPMODE mode, const LocalTensor<T>& src0,
                                      const LocalTensor<T>& src1,
                                      const BinaryRepeatParams& params) {
  return {api,
          mode,
          false,
          OperandOf("src0", src0, params.src0BlkStride, params.src0RepStride),
          OperandOf("src1", src1, params.src1BlkStride, params.src1RepStride),
          {}};
}
template <typename T>
Comparison<PrimT<T>> ScalarComparison(const char* api, CMPMODE mode, const LocalTensor<T>& src0,
                                      PrimT<T> scalar, const UnaryRepeatParams& params) {
  Comparison<PrimT<T>> comparison = {
      api, mode, true, OperandOf("src0", src0, params.srcBlkStride, params.srcRepStride), {}, {}};
  for (PrimT<T>& element : comparison.scalar) element = scalar;
  return comparison;
}

template <typename T>
constexpr uint32_t RepeatsIn(uint32_t count) {
  return static_cast<uint32_t>(static_cast<uint64_t>(count) * sizeof(PrimT<T>) /
                               kVectorRepeatBytes);
}

}  // namespace internal

HOSTNPU_AVAILABLE(Compare, internal::kHalf | internal::kFloat | internal::kInt32)

#define HOSTNPU_COMPARE(Mask)                                                              \
  template <typename T, typename U, bool isSetMask = true>                                 \
  HOSTNPU_SHARED void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0,       \
                              const LocalTensor<T>& src1, CMPMODE cmpMode, Mask,           \
                              internal::RepeatCount repeatTime,                            \
                              const BinaryRepeatParams& repeatParams) {                    \
    static_assert(AvailableCompare<T>::value, "");                                         \
    internal::CompareInto(                                                                 \
        internal::TensorComparison("Compare", cmpMode, src0, src1, repeatParams),          \
        internal::OperandOf("dst", dst), internal::CheckedRepeats("Compare", repeatTime)); \
  }
/// dst bit = src0 <mode> src1, over repeatTime repeats.
HOSTNPU_COMPARE(const uint64_t[])
HOSTNPU_COMPARE(const uint64_t)
#undef HOSTNPU_COMPARE
/// The same over the whole repeats in `count` elements.
template <typename T, typename U>
HOSTNPU_SHARED void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                            const LocalTensor<T>& src1, CMPMODE cmpMode, uint32_t count) {
  static_assert(AvailableCompare<T>::value, "");
  internal::CompareInto(internal::TensorComparison("Compare", cmpMode, src0, src1, {}),
                        internal::OperandOf("dst", dst), internal::RepeatsIn<T>(count));
}
#define HOSTNPU_COMPARE_REGISTER(Mask)                                                         \
  template <typename T, bool isSetMask = true>                                                 \
  HOSTNPU_SHARED void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1,          \
                              CMPMODE cmpMode, Mask, const BinaryRepeatParams& repeatParams) { \
    static_assert(AvailableCompare<T>::value, "");                                             \
    internal::CompareIntoRegister<isSetMask>(                                                  \
        internal::TensorComparison("Compare", cmpMode, src0, src1, repeatParams), mask);       \
  }
/// One repeat into the CMPMASK register.
HOSTNPU_COMPARE_REGISTER(const uint64_t mask[])
HOSTNPU_COMPARE_REGISTER(const uint64_t mask)
#undef HOSTNPU_COMPARE_REGISTER

#define HOSTNPU_COMPARE_SCALAR(Name, Mask)                                                       \
  template <typename T, typename U, bool isSetMask = true>                                       \
  HOSTNPU_SHARED void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0,                \
                           const internal::NoDeduce<PrimT<T>> src1Scalar, CMPMODE cmpMode, Mask, \
                           internal::RepeatCount repeatTime,                                     \
                           const UnaryRepeatParams& repeatParams) {                              \
    static_assert(AvailableCompare<T>::value, "");                                               \
    internal::CompareInto(                                                                       \
        internal::ScalarComparison(#Name, cmpMode, src0, src1Scalar, repeatParams),              \
        internal::OperandOf("dst", dst), internal::CheckedRepeats(#Name, repeatTime));           \
  }
#define HOSTNPU_COMPARE_SCALAR_COUNT(Name)                                                  \
  template <typename T, typename U>                                                         \
  HOSTNPU_SHARED void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0,           \
                           const internal::NoDeduce<PrimT<T>> src1Scalar, CMPMODE cmpMode,  \
                           uint32_t count) {                                                \
    static_assert(AvailableCompare<T>::value, "");                                          \
    internal::CompareInto(internal::ScalarComparison(#Name, cmpMode, src0, src1Scalar, {}), \
                          internal::OperandOf("dst", dst), internal::RepeatsIn<T>(count));  \
  }
/// dst bit = src0 <mode> scalar.
HOSTNPU_COMPARE_SCALAR(CompareScalar, const uint64_t[])
HOSTNPU_COMPARE_SCALAR(CompareScalar, const uint64_t)
HOSTNPU_COMPARE_SCALAR_COUNT(CompareScalar)
/// CompareScalar under its newer name.
HOSTNPU_COMPARE_SCALAR(Compares, const uint64_t[])
HOSTNPU_COMPARE_SCALAR(Compares, const uint64_t)
HOSTNPU_COMPARE_SCALAR_COUNT(Compares)
#undef HOSTNPU_COMPARE_SCALAR_COUNT
#undef HOSTNPU_COMPARE_SCALAR

/// Writes the CMPMASK register: 16 bytes, at a multiple of 16.
template <typename T>
inline void GetCmpMask(const LocalTensor<T>& dst) {
  if (!internal::OnVectorCore()) return;
  internal::CheckOperand("GetCmpMask", internal::OperandOf("dst", dst), 16, 16);
  __builtin_memcpy(dst.address_.absAddr, internal::Regs().compare_mask, 16);
}
/// Reads the CMPMASK register from 16 bytes at a multiple of 16: for Select without a mask the bits
/// (mode 0), the scalar as the first element (mode 1), or selMask.GetPhyAddr() (mode 2).
template <typename T>
inline void SetCmpMask(const LocalTensor<T>& src) {
  if (!internal::OnVectorCore()) return;
  internal::CheckOperand("SetCmpMask", internal::OperandOf("src", src), 16, 16);
  __builtin_memcpy(internal::Regs().compare_mask, src.address_.absAddr, 16);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_COMPARE_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The elementwise functions of the high-level library. Each comes with and without a temporary
// buffer, which this machine does not need, and with and without a count, which is otherwise the
// size of the source:
//     Tanh(dst, src, tmp, count)   Tanh(dst, src, tmp)   Tanh(dst, src, count)   Tanh(dst, src)
#ifndef HOSTNPU_ASCENDC_ADVANCED_ELEMENTWISE_H_
#define HOSTNPU_ASCENDC_ADVANCED_ELEMENTWISE_H_

#include "../basic/vector_ternary.h"
#include "../basic/vector_unary.h"
#include "../detail/availability.h"
#include "../detail/vector_run.h"
#include "../semantics/elementary.h"

// Functions of libm keep a loop from being vectorised, which is no news.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"

namespace AscendC {
namespace internal {

template <typename Operation, typename T>
__attribute__((noinline)) void MapRun(void* const* operand, uint32_t count, const void*) {
  T* dst = static_cast<T*>(operand[0]);
  const T* src = static_cast<const T*>(operand[1]);
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) dst[i] = Operation::template Apply<T>(src[i]);
}
template <typename T>
HOSTNPU_INLINE VectorInstruction MakeMap(const char* api, VectorRun run, const void* extra,
                                         const LocalTensor<T>& dst, const LocalTensor<T>& src) {
  return {api,   run,
          extra, {OperandOf("dst", dst), OperandOf("src", src), {}, {}},
          2,     kVectorRepeatBytes / static_cast<uint32_t>(sizeof(PrimT<T>)),
          false};
}
/// An operation of one source over `count` elements.
template <typename Operation, typename T>
inline void Map(const char* api, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                uint32_t count) {
  if (!OnVectorCore()) return;
  RunCount(MakeMap(api, &MapRun<Operation, PrimT<T>>, nullptr, dst, src), count);
}
/// An operation that is given: a function of the element and of `extra`, a value of type Extra.
template <typename Operation, typename Extra, typename T>
__attribute__((noinline)) void MapWithRun(void* const* operand, uint32_t count, const void* extra) {
  T* dst = static_cast<T*>(operand[0]);
  const T* src = static_cast<const T*>(operand[1]);
  const Extra value = *static_cast<const Extra*>(extra);
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i) dst[i] = Operation::template Apply<T>(src[i], value);
}
template <typename Operation, typename Extra, typename T>
inline void MapWith(const char* api, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                    const Extra& extra, uint32_t count) {
  if (!OnVectorCore()) return;
  RunCount(MakeMap(api, &MapWithRun<Operation, Extra, PrimT<T>>, &extra, dst, src), count);
}

constexpr uint32_t kElementaryTypes = kHalf | kFloat;

}  // namespace internal

// Defines Name in its four forms. `parameters` are the template parameters after T.
#define HOSTNPU_ELEMENTWISE(Name, Operation, types)                                              \
  HOSTNPU_AVAILABLE(Name, types)                                                                 \
  template <typename T, bool isReuseSource = false>                                              \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count) { \
    static_assert(Available##Name<T>::value, "");                                                \
    internal::Map<semantics::Operation>(#Name, dst, src, count);                                 \
  }                                                                                              \
  template <typename T, bool isReuseSource = false>                                              \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                         \
                   const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t count) {          \
    static_cast<void>(sharedTmpBuffer);                                                          \
    Name<T, isReuseSource>(dst, src, count);                                                     \
  }                                                                                              \
  template <typename T, bool isReuseSource = false>                                              \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                         \
                   const LocalTensor<uint8_t>& sharedTmpBuffer) {                                \
    static_cast<void>(sharedTmpBuffer);                                                          \
    Name<T, isReuseSource>(dst, src, src.GetSize());                                             \
  }                                                                                              \
  template <typename T, bool isReuseSource = false>                                              \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src) {                       \
    Name<T, isReuseSource>(dst, src, src.GetSize());                                             \
  }

/// Logarithms to the bases e, 2 and 10.
HOSTNPU_ELEMENTWISE(Log, Log, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Log2, Log2, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Log10, Log10, internal::kElementaryTypes)
/// Whole numbers: upwards, downwards, toward zero, and nearest with ties to even.
HOSTNPU_ELEMENTWISE(Ceil, CeilOf, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Floor, FloorOf, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Trunc, TruncOf, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Round, RoundOf, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Rint, RoundOf, internal::kElementaryTypes)
/// x - Trunc(x).
HOSTNPU_ELEMENTWISE(Frac, Frac, internal::kElementaryTypes)
/// The quotient of two counts, rounded up: the library's helper of the same name.
inline constexpr uint32_t Ceil(uint32_t a, uint32_t b) { return b == 0 ? a : (a + b - 1) / b; }
/// -1, 0 or 1.
HOSTNPU_ELEMENTWISE(Sign, SignOf, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Sin, Sin, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Cos, Cos, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Tan, Tan, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Asin, Asin, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Acos, Acos, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Atan, Atan, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Sinh, Sinh, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Cosh, Cosh, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Tanh, Tanh, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Asinh, Asinh, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Acosh, Acosh, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Atanh, Atanh, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Erf, Erf, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Erfc, Erfc, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Lgamma, Lgamma, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE(Digamma, Digamma, internal::kElementaryTypes)
/// 1 / (1 + exp(-x)).
HOSTNPU_ELEMENTWISE(Sigmoid, Sigmoid, internal::kElementaryTypes)

/// The activations whose count is always given: x * sigmoid(x) ...
#define HOSTNPU_ACTIVATION(Name, Operation)                                                      \
  HOSTNPU_AVAILABLE(Name, internal::kElementaryTypes)                                            \
  template <typename T, bool highPrecision = false, bool highPerformance = false>                \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count) { \
    static_assert(Available##Name<T>::value, "");                                                \
    internal::Map<semantics::Operation>(#Name, dst, src, count);                                 \
  }                                                                                              \
  template <typename T, bool highPrecision = false, bool highPerformance = false>                \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                         \
                   const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t count) {          \
    static_cast<void>(sharedTmpBuffer);                                                          \
    Name<T, highPrecision, highPerformance>(dst, src, count);                                    \
  }
HOSTNPU_ACTIVATION(Silu, Silu)
HOSTNPU_ACTIVATION(Gelu, Gelu)
HOSTNPU_ACTIVATION(FasterGelu, FasterGelu)
HOSTNPU_ACTIVATION(FasterGeluV2, FasterGeluV2)

namespace semantics {
/// x / (1 + exp(-beta x)).
HOSTNPU_ELEMENT double SwishDouble(double x, double beta) {
  return x / (1.0 + ExpDouble(-beta * x));
}
struct Swish {
  template <typename T>
  static HOSTNPU_ELEMENT T Apply(T a, float beta) {
    return static_cast<T>(static_cast<float>(SwishDouble(static_cast<double>(a), beta)));
  }
};
struct ClampMax {
  template <typename T>
  static HOSTNPU_ELEMENT T Apply(T a, T limit) {
    return a > limit ? limit : a;
  }
};
struct ClampMin {
  template <typename T>
  static HOSTNPU_ELEMENT T Apply(T a, T limit) {
    return a < limit ? limit : a;
  }
};
}  // namespace semantics

HOSTNPU_AVAILABLE(Swish, internal::kElementaryTypes)
HOSTNPU_AVAILABLE(ClampMax, internal::kElementaryTypes)
HOSTNPU_AVAILABLE(ClampMin, internal::kElementaryTypes)
template <typename T, bool isReuseSource = false>
inline void Swish(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count,
                  const internal::NoDeduce<PrimT<T>> scalarValue) {
  static_assert(AvailableSwish<T>::value, "");
  internal::MapWith<semantics::Swish>("Swish", dst, src, static_cast<float>(scalarValue), count);
}
#define HOSTNPU_CLAMP(Name)                                                           \
  template <typename T, bool isReuseSource = false>                                   \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,              \
                   const internal::NoDeduce<PrimT<T>> scalar, const uint32_t count) { \
    static_assert(Available##Name<T>::value, "");                                     \
    internal::MapWith<semantics::Name>(#Name, dst, src, scalar, count);               \
  }                                                                                   \
  template <typename T, bool isReuseSource = false>                                   \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,              \
                   const LocalTensor<uint8_t>& sharedTmpBuffer,                       \
                   const internal::NoDeduce<PrimT<T>> scalar, const uint32_t count) { \
    static_cast<void>(sharedTmpBuffer);                                               \
    Name<T, isReuseSource>(dst, src, scalar, count);                                  \
  }
/// min(x, scalar) and max(x, scalar).
HOSTNPU_CLAMP(ClampMax)
HOSTNPU_CLAMP(ClampMin)

/// e to the power of x by a series of the given length; here it is the instruction, which is as
/// accurate.
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
inline void Exp(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint32_t count) {
  Exp(dst, src, static_cast<int32_t>(count));
}
template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>
inline void Exp(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t count) {
  static_cast<void>(sharedTmpBuffer);
  Exp(dst, src, static_cast<int32_t>(count));
}
/// dst += scalar * src, the instruction of the same name with a temporary buffer.
template <typename T, typename U, bool isReuseSource = false>
inline void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                 const internal::NoDeduce<PrimT<U>> scalar,
                 const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t count) {
  static_cast<void>(sharedTmpBuffer);
  Axpy(dst, src, scalar, static_cast<int32_t>(count));
}

}  // namespace AscendC

#pragma clang diagnostic pop

#endif  // HOSTNPU_ASCENDC_ADVANCED_ELEMENTWISE_H_

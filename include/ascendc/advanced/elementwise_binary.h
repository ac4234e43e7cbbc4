// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Elementwise functions of two sources in the high-level library: Power, Xor, Fmod, Hypot, and the
// gated units. As in elementwise.h, temporary buffers and counts are optional.
#ifndef HOSTNPU_ASCENDC_ADVANCED_ELEMENTWISE_BINARY_H_
#define HOSTNPU_ASCENDC_ADVANCED_ELEMENTWISE_BINARY_H_

#include "elementwise.h"

// Functions of libm keep a loop from being vectorised, which is no news.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"

namespace AscendC {
namespace internal {

template <typename Operation, typename T>
__attribute__((noinline)) void ZipRun(void* const* operand, uint32_t count, const void* extra) {
  T* dst = static_cast<T*>(operand[0]);
  const T* src0 = static_cast<const T*>(operand[1]);
  const T* src1 = static_cast<const T*>(operand[2]);
  HOSTNPU_VECTOR_LOOP
  for (uint32_t i = 0; i < count; ++i)
    dst[i] = Operation::template Apply<T>(src0[i], src1[i], extra);
}
/// An operation of two sources. `extra` reaches it as it is.
template <typename Operation, typename T>
inline void Zip(const char* api, const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                const LocalTensor<T>& src1, const void* extra, uint32_t count) {
  if (!OnVectorCore()) return;
  RunCount({api,
            &ZipRun<Operation, PrimT<T>>,
            extra,
            {OperandOf("dst", dst), OperandOf("src0", src0), OperandOf("src1", src1), {}},
            3,
            kVectorRepeatBytes / static_cast<uint32_t>(sizeof(PrimT<T>)),
            false},
           count);
}

}  // namespace internal

namespace semantics {

#define HOSTNPU_BINARY_ELEMENTARY(Name, expression)                   \
  struct Name {                                                       \
    template <typename T>                                             \
    static HOSTNPU_ELEMENT T Apply(T a, T b, const void* = nullptr) { \
      const double x = static_cast<double>(static_cast<float>(a));    \
      const double y = static_cast<double>(static_cast<float>(b));    \
      return static_cast<T>(static_cast<float>(expression));          \
    }                                                                 \
  };
HOSTNPU_BINARY_ELEMENTARY(Fmod, __builtin_fmod(x, y))
HOSTNPU_BINARY_ELEMENTARY(Hypot, __builtin_hypot(x, y))
HOSTNPU_BINARY_ELEMENTARY(GeGlu, x*(y / (1.0 + ExpDouble(-1.5957691216057308 *
                                                         (y + 0.044715 * y * y * y)))))
HOSTNPU_BINARY_ELEMENTARY(ReGlu, x*(y > 0.0 ? y : 0.0))
#undef HOSTNPU_BINARY_ELEMENTARY

struct SwiGlu {
  template <typename T>
  static HOSTNPU_ELEMENT T Apply(T a, T b, const void* beta) {
    const double gate = SwishDouble(static_cast<double>(b), *static_cast<const float*>(beta));
    return static_cast<T>(static_cast<float>(static_cast<double>(a) * gate));
  }
};
struct Power {
  template <typename T>
  static HOSTNPU_ELEMENT T Apply(T base, T exponent, const void* = nullptr) {
    if constexpr (IsSameType<T, int32_t>::value) {
      return PowerInteger(base, exponent);
    } else {
      return static_cast<T>(static_cast<float>(
          PowerDouble(static_cast<double>(base), static_cast<double>(exponent))));
    }
  }
};
struct PowerToScalar {
  template <typename T>
  static HOSTNPU_ELEMENT T Apply(T base, T exponent) {
    return Power::Apply<T>(base, exponent);
  }
};
struct PowerOfScalar {
  template <typename T>
  static HOSTNPU_ELEMENT T Apply(T exponent, T base) {
    return Power::Apply<T>(base, exponent);
  }
};
struct Xor {
  template <typename T>
  static HOSTNPU_ELEMENT T Apply(T a, T b, const void* = nullptr) {
    return static_cast<T>(a ^ b);
  }
};

}  // namespace semantics

#define HOSTNPU_ELEMENTWISE_BINARY(Name, Operation, types)                                    \
  HOSTNPU_AVAILABLE(Name, types)                                                              \
  template <typename T, bool isReuseSource = false>                                           \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                     \
                   const LocalTensor<T>& src1, const uint32_t count) {                        \
    static_assert(Available##Name<T>::value, "");                                             \
    internal::Zip<semantics::Operation>(#Name, dst, src0, src1, nullptr, count);              \
  }                                                                                           \
  template <typename T, bool isReuseSource = false>                                           \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                     \
                   const LocalTensor<T>& src1, const LocalTensor<uint8_t>& sharedTmpBuffer,   \
                   const uint32_t count) {                                                    \
    static_cast<void>(sharedTmpBuffer);                                                       \
    Name<T, isReuseSource>(dst, src0, src1, count);                                           \
  }                                                                                           \
  template <typename T, bool isReuseSource = false>                                           \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                     \
                   const LocalTensor<T>& src1, const LocalTensor<uint8_t>& sharedTmpBuffer) { \
    static_cast<void>(sharedTmpBuffer);                                                       \
    Name<T, isReuseSource>(dst, src0, src1, src0.GetSize());                                  \
  }                                                                                           \
  template <typename T, bool isReuseSource = false>                                           \
  inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                     \
                   const LocalTensor<T>& src1) {                                              \
    Name<T, isReuseSource>(dst, src0, src1, src0.GetSize());                                  \
  }

/// src0 to the power of src1.
HOSTNPU_ELEMENTWISE_BINARY(Power, Power, internal::kHalf | internal::kFloat | internal::kInt32)
HOSTNPU_ELEMENTWISE_BINARY(Xor, Xor, internal::kInt16 | internal::kUint16)
/// The remainder of src0 / src1, with the sign of src0.
HOSTNPU_ELEMENTWISE_BINARY(Fmod, Fmod, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE_BINARY(Hypot, Hypot, internal::kElementaryTypes)
/// src0 * Gelu(src1) and src0 * Relu(src1).
HOSTNPU_ELEMENTWISE_BINARY(GeGLU, GeGlu, internal::kElementaryTypes)
HOSTNPU_ELEMENTWISE_BINARY(ReGlu, ReGlu, internal::kElementaryTypes)

// Power with a scalar exponent, and with a scalar base.
#define HOSTNPU_POWER_FORMS(first, second, Operation, tensor, scalar)                        \
  template <typename T, bool isReuseSource = false>                                          \
  inline void Power(const LocalTensor<T>& dst, first, second, const uint32_t count) {        \
    static_assert(AvailablePower<T>::value, "");                                             \
    internal::MapWith<semantics::Operation>("Power", dst, tensor, scalar, count);            \
  }                                                                                          \
  template <typename T, bool isReuseSource = false>                                          \
  inline void Power(const LocalTensor<T>& dst, first, second,                                \
                    const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t count) {     \
    static_assert(AvailablePower<T>::value, "");                                             \
    static_cast<void>(sharedTmpBuffer);                                                      \
    internal::MapWith<semantics::Operation>("Power", dst, tensor, scalar, count);            \
  }                                                                                          \
  template <typename T, bool isReuseSource = false>                                          \
  inline void Power(const LocalTensor<T>& dst, first, second,                                \
                    const LocalTensor<uint8_t>& sharedTmpBuffer) {                           \
    static_assert(AvailablePower<T>::value, "");                                             \
    static_cast<void>(sharedTmpBuffer);                                                      \
    internal::MapWith<semantics::Operation>("Power", dst, tensor, scalar, tensor.GetSize()); \
  }                                                                                          \
  template <typename T, bool isReuseSource = false>                                          \
  inline void Power(const LocalTensor<T>& dst, first, second) {                              \
    static_assert(AvailablePower<T>::value, "");                                             \
    internal::MapWith<semantics::Operation>("Power", dst, tensor, scalar, tensor.GetSize()); \
  }
HOSTNPU_POWER_FORMS(const LocalTensor<T>& base, const internal::NoDeduce<PrimT<T>>& exponent,
                    PowerToScalar, base, exponent)
HOSTNPU_POWER_FORMS(const internal::NoDeduce<PrimT<T>>& base, const LocalTensor<T>& exponent,
                    PowerOfScalar, exponent, base)
#undef HOSTNPU_POWER_FORMS

HOSTNPU_AVAILABLE(SwiGLU, internal::kElementaryTypes)
/// src0 * src1 / (1 + exp(-beta src1)).
template <typename T, bool isReuseSource = false>
inline void SwiGLU(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                   const LocalTensor<T>& src1, const float& beta, const uint32_t count) {
  static_assert(AvailableSwiGLU<T>::value, "");
  internal::Zip<semantics::SwiGlu>("SwiGLU", dst, src0, src1, &beta, count);
}
template <typename T, bool isReuseSource = false>
inline void SwiGLU(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                   const LocalTensor<T>& src1, const float& beta) {
  SwiGLU<T, isReuseSource>(dst, src0, src1, beta, src0.GetSize());
}
template <typename T, bool isReuseSource = false>
inline void SwiGLU(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                   const LocalTensor<T>& src1, const float& beta,
                   const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t count) {
  static_cast<void>(sharedTmpBuffer);
  SwiGLU<T, isReuseSource>(dst, src0, src1, beta, count);
}
template <typename T, bool isReuseSource = false>
inline void SwiGLU(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                   const LocalTensor<T>& src1, const float& beta,
                   const LocalTensor<uint8_t>& sharedTmpBuffer) {
  static_cast<void>(sharedTmpBuffer);
  SwiGLU<T, isReuseSource>(dst, src0, src1, beta, src0.GetSize());
}

}  // namespace AscendC

#pragma clang diagnostic pop

#endif  // HOSTNPU_ASCENDC_ADVANCED_ELEMENTWISE_BINARY_H_

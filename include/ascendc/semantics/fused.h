// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Operations that read their destination, on one element. half results are rounded once, at the
// end.
#ifndef HOSTNPU_ASCENDC_SEMANTICS_FUSED_H_
#define HOSTNPU_ASCENDC_SEMANTICS_FUSED_H_

#include "arithmetic.h"

namespace AscendC {
namespace semantics {

/// dst + src0 * src1; the sources may be half where the destination is float.
struct MulAddDst {
  template <typename D, typename S>
  static __attribute__((always_inline)) inline D Apply(D dst, S src0, S src1) {
    return MultiplyAdd<D>(static_cast<D>(src0), static_cast<D>(src1), dst);
  }
};
/// src0 * dst + src1.
struct FusedMulAdd {
  template <typename D, typename S>
  static __attribute__((always_inline)) inline D Apply(D dst, S src0, S src1) {
    return MultiplyAdd<D>(src0, dst, src1);
  }
};
struct FusedMulAddRelu {
  template <typename D, typename S>
  static __attribute__((always_inline)) inline D Apply(D dst, S src0, S src1) {
    return Relu::Apply<D>(FusedMulAdd::Apply<D, S>(dst, src0, src1));
  }
};

}  // namespace semantics
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_SEMANTICS_FUSED_H_

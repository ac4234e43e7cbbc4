// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs in the form of the CPU twin: ICPU_RUN_KF runs a kernel and returns when it is done.
//
//   uint8_t* x = (uint8_t*)AscendC::GmAlloc(bytes);
//   AscendC::SetKernelMode(KernelMode::AIV_MODE);
//   ICPU_RUN_KF(add_custom, 8, x, y, z);
//   AscendC::GmFree(x);
//
// A kernel that fails prints its message, makes a GoogleTest test fail if gtest.h was included
// before, and makes the program's exit status 1.
#ifndef HOSTNPU_ASCENDC_TIKICPULIB_H_
#define HOSTNPU_ASCENDC_TIKICPULIB_H_

#include <cmath>  // the twin's programs use std::ceil without it
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "detail/twin_abi.h"
#define HOSTNPU_ASCENDC_INCLUDED_BY_TWIN  // a test program, which may have the enumerators
#include "kernel_operator.h"
#undef HOSTNPU_ASCENDC_INCLUDED_BY_TWIN
#include "vendor/securec.h"  // the twin's programs use memcpy_s without another include

/// On which cores ICPU_RUN_KF runs a kernel: on all three kinds' cores of a block unless told.
enum class KernelMode { MIX_MODE = 0, AIC_MODE, AIV_MODE, MIX_AIC_1_1 };

inline KernelMode g_kernelMode = KernelMode::MIX_MODE;
inline uint64_t g_tilingKey = 0;

#define ICPU_SET_TILING_KEY(key) (::g_tilingKey = (key))

namespace AscendC {

using ::KernelMode;

inline void SetKernelMode(KernelMode mode) { ::g_kernelMode = mode; }

/// Global memory for ICPU_RUN_KF; null for 0 bytes.
inline void* GmAlloc(size_t bytes) { return hostnpu_gm_alloc(bytes); }
inline void GmFree(void* address) { hostnpu_gm_free(address); }

}  // namespace AscendC

namespace hostnpu::kernel {

inline HostnpuKernelType TypeOfMode() {
  switch (::g_kernelMode) {
    case KernelMode::AIC_MODE:
      return HOSTNPU_KERNEL_AIC_ONLY;
    case KernelMode::AIV_MODE:
      return HOSTNPU_KERNEL_AIV_ONLY;
    case KernelMode::MIX_AIC_1_1:
      return HOSTNPU_KERNEL_MIX_AIC_1_1;
    default:
      return HOSTNPU_KERNEL_MIX_AIC_1_2;
  }
}

/// An argument as the parameter takes it: the twin passes eight raw bytes, so any pointer will do
/// for any pointer, and any number for any number.
template <typename P>
struct TwinArgument {
  template <typename A>
  static P From(A a) {
    if constexpr (IsPointer<P>::value) {
      return (P)(a);
    } else {
      return static_cast<P>(a);
    }
  }
};

template <typename... P, typename... A>
void CallTwin(void (*kernel)(P...), A... a) {
  static_assert(sizeof...(P) == sizeof...(A), "ICPU_RUN_KF: wrong number of arguments");
  kernel(TwinArgument<P>::From(a)...);
}
template <typename Kernel, typename... A>
void CallTwin(Kernel kernel, A... a) {
  kernel(a...);
}

/// What to do with the outcome of a launch, in a place that has no result.
template <typename Complain>
void FinishTwin(int status, Complain complain) {
  if (status == 0) return;
  const char* message = hostnpu_twin_failure();
  if (message != nullptr) complain(message);
}

}  // namespace hostnpu::kernel

#ifdef ADD_FAILURE
#define HOSTNPU_TWIN_COMPLAIN [](const char* message) { ADD_FAILURE() << message; }
#else
#define HOSTNPU_TWIN_COMPLAIN [](const char* message) { fprintf(stderr, "hostnpu: %s\n", message); }
#endif

#define ICPU_RUN_KF(function, blocks, ...)                                                        \
  ::hostnpu::kernel::FinishTwin(                                                                  \
      (::hostnpu::kernel::LaunchOn::Form(                                                         \
           #function, __FILE__, __LINE__, static_cast<uint64_t>(blocks), nullptr,                 \
           HOSTNPU_LAUNCH_ICPU, ::g_tilingKey, ::hostnpu::kernel::TypeOfMode())                   \
       << [=](auto... hostnpu_args) { ::hostnpu::kernel::CallTwin(function, hostnpu_args...); })( \
          __VA_ARGS__),                                                                           \
      HOSTNPU_TWIN_COMPLAIN)

#endif  // HOSTNPU_ASCENDC_TIKICPULIB_H_

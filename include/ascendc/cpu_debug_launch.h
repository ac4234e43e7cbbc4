// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The function that the vendor's CPU build makes of `k<<<blocks, l2, stream>>>(args)`, for sources
// that have been rewritten that way already.
#ifndef HOSTNPU_ASCENDC_CPU_DEBUG_LAUNCH_H_
#define HOSTNPU_ASCENDC_CPU_DEBUG_LAUNCH_H_

#include "tikicpulib.h"  // as the vendor's does: its programs allocate and launch by it

template <typename L2, typename Stream, typename... P, typename... A>
int AscCPUKernelLaunch(uint32_t blocks, L2, Stream stream, const char* name, void (*kernel)(P...),
                       A... a) {
  static_assert(sizeof...(P) == sizeof...(A), "AscCPUKernelLaunch: wrong number of arguments");
  return (::hostnpu::kernel::LaunchOn(name, nullptr, 0u, blocks, nullptr, stream)
          << [=](auto... hostnpu_args) { kernel((P)hostnpu_args...); })(a...);
}

#endif  // HOSTNPU_ASCENDC_CPU_DEBUG_LAUNCH_H_

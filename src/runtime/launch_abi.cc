// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions that compiled translation units call.
#include "ascendc/detail/launch_abi.h"

#include "runtime/kernel_registry.h"
#include "runtime/last_error.h"
#include "runtime/launch.h"

#define HOSTNPU_EXPORT extern "C" __attribute__((visibility("default")))

using hostnpu::runtime::KernelRegistry;

HOSTNPU_EXPORT int hostnpu_launch(const HostnpuLaunch* launch) {
  return hostnpu::runtime::KeepResult("The launch", hostnpu::runtime::SubmitLaunch(*launch));
}

HOSTNPU_EXPORT void hostnpu_register_kernel(const HostnpuKernelInfo* info) {
  KernelRegistry::Get().Register(*info);
}

HOSTNPU_EXPORT void hostnpu_register_entry(const HostnpuEntryInfo* info) {
  KernelRegistry::Get().RegisterEntry(*info);
}

HOSTNPU_EXPORT void hostnpu_register_aic_variant(const char* variant_key,
                                                 HostnpuKernelEntry entry) {
  KernelRegistry::Get().RegisterAicVariant(variant_key, entry);
}

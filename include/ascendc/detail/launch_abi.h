/* Copyright 2026 The hostnpu Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a compiled translation unit tells the runtime about its kernels, and how it launches one.
 * Plain C.
 */
#ifndef HOSTNPU_ASCENDC_DETAIL_LAUNCH_ABI_H_
#define HOSTNPU_ASCENDC_DETAIL_LAUNCH_ABI_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which cores a kernel runs on. The numbers are those of KernelMetaType in Ascend C. */
enum HostnpuKernelType {
  HOSTNPU_KERNEL_AIV_ONLY = 0,
  HOSTNPU_KERNEL_AIC_ONLY = 1,
  HOSTNPU_KERNEL_MIX_AIV_1_0 = 2,
  HOSTNPU_KERNEL_MIX_AIC_1_0 = 3,
  HOSTNPU_KERNEL_MIX_AIC_1_1 = 4,
  HOSTNPU_KERNEL_MIX_AIC_1_2 = 5,
  HOSTNPU_KERNEL_UNDECLARED = 255
};

/* Runs the kernel body on the current core. `arguments` points to the packed argument values. */
typedef void (*HostnpuKernelEntry)(void* arguments);

/* One parameter as the launcher sees it: its value and where that lies in the packed arguments. */
typedef struct HostnpuArgument {
  uint32_t offset; /* in the packed arguments */
  uint32_t size_bytes;
  uint32_t is_pointer; /* a GM address (or null) */
} HostnpuArgument;

/* What the scan of the source knows of a kernel. All texts live as long as the module. */
typedef struct HostnpuKernelInfo {
  const char* name; /* "ns::add_custom" */
  const char* file;
  uint32_t line;
  const char* qualifiers;  /* "__aicore__ __vector__", "__mix__(1,2)" */
  const char* task_type;   /* argument of KERNEL_TASK_TYPE_DEFAULT, or "" */
  const char* parameters;  /* "x:GM_ADDR:;workspace:GM_ADDR:kfc;n:uint32_t:" */
  uint32_t have_workspace; /* compiled with -DHAVE_WORKSPACE */
  uint32_t have_tiling;    /* compiled with -DHAVE_TILING */
} HostnpuKernelInfo;

enum HostnpuLaunchForm {
  HOSTNPU_LAUNCH_CHEVRON = 0, /* k<<<blocks, l2, stream>>>(...) */
  HOSTNPU_LAUNCH_ACLRT = 1,   /* ACLRT_LAUNCH_KERNEL(k)(blocks, stream, ...) */
  HOSTNPU_LAUNCH_ICPU = 2     /* ICPU_RUN_KF(k, blocks, ...): synchronous, twin behaviour */
};

typedef struct HostnpuLaunch {
  const char* name;
  const char* file; /* of the launch */
  uint32_t line;
  uint32_t form; /* HostnpuLaunchForm */
  uint64_t blocks;
  void* stream;            /* null: the default stream of the current context */
  const char* variant_key; /* finds the AIC variant of a source that is compiled twice */
  HostnpuKernelEntry entry;
  uint32_t kernel_type;  /* HostnpuKernelType; UNDECLARED: from the kernel's info */
  const void* arguments; /* packed; copied before the call returns */
  size_t arguments_bytes;
  size_t arguments_align;
  /* Copies and destroys the packed arguments where they are not trivially copyable; null otherwise.
   */
  void (*copy_arguments)(void* to, const void* from);
  void (*destroy_arguments)(void* arguments);
  const HostnpuArgument* argument_list;
  uint32_t argument_count;
  uint64_t tiling_key;
} HostnpuLaunch;

/* Enqueues a launch. Returns an aclError; the message is with aclGetRecentErrMsg. */
int hostnpu_launch(const HostnpuLaunch* launch);

/* How to call a kernel by its name alone: a function that reads the parameters from memory, where
 * they lie one behind the other as in a C struct. */
typedef struct HostnpuEntryInfo {
  const char* name;
  const char* variant_key;
  HostnpuKernelEntry entry;
  const HostnpuArgument* argument_list; /* lives as long as the module */
  uint32_t argument_count;
  uint32_t arguments_bytes;
  uint32_t arguments_align;
} HostnpuEntryInfo;

/* Called by static objects of each module, at load. */
void hostnpu_register_entry(const HostnpuEntryInfo* info);
void hostnpu_register_kernel(const HostnpuKernelInfo* info);
void hostnpu_register_aic_variant(const char* variant_key, HostnpuKernelEntry entry);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* HOSTNPU_ASCENDC_DETAIL_LAUNCH_ABI_H_ */

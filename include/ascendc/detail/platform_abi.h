/* Copyright 2026 The hostnpu Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What host code asks libhostnpu about chips. Plain C.
 */
#ifndef HOSTNPU_ASCENDC_DETAIL_PLATFORM_ABI_H_
#define HOSTNPU_ASCENDC_DETAIL_PLATFORM_ABI_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sizes in bytes, as the hardware has them. */
typedef struct HostnpuChipFacts {
  const char* name; /* "Ascend910B1"; lives as long as the process */
  uint32_t npu_arch;
  uint32_t aic_count;
  uint32_t aiv_count;
  uint32_t ai_cpu_count;
  uint32_t frequency_mhz;
  uint32_t ub_bytes;
  uint32_t l1_bytes;
  uint32_t l0a_bytes;
  uint32_t l0b_bytes;
  uint32_t l0c_bytes;
  uint32_t bt_bytes;
  uint32_t fb_bytes;
  uint32_t reserved_local_bytes; /* taken off UB and L1 by the system */
  uint32_t hbm_bytes_per_cycle;
  uint32_t l2_bytes_per_cycle;
  uint64_t hbm_bytes;
  uint64_t l2_bytes;
  uint64_t system_workspace_bytes;
} HostnpuChipFacts;

/* Fills in the facts of the chip of that name; null: the chip of this process's devices. Returns an
 * aclError; the message is with aclGetRecentErrMsg. */
int hostnpu_chip_facts(const char* name, HostnpuChipFacts* facts);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* HOSTNPU_ASCENDC_DETAIL_PLATFORM_ABI_H_ */

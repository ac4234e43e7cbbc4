/* Copyright 2026 The hostnpu Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What programs in the form of the CPU twin (ICPU_RUN_KF) need from libhostnpu. Plain C.
 */
#ifndef HOSTNPU_ASCENDC_DETAIL_TWIN_ABI_H_
#define HOSTNPU_ASCENDC_DETAIL_TWIN_ABI_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zeroed global memory that ends at a page nobody may touch; what lies before it is watched. Null,
 * with a message, for 0 bytes or when the host has no more. 64-byte aligned. */
void* hostnpu_gm_alloc(size_t bytes);
/* Gives it back. An overrun that has left traces around it, and an address that is not one of
 * hostnpu_gm_alloc, are failures: they are printed at the end and spoil the exit status. */
void hostnpu_gm_free(void* address);

/* The message of a launch that failed, once, for the launcher to print; null if there is none. */
const char* hostnpu_twin_failure(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* HOSTNPU_ASCENDC_DETAIL_TWIN_ABI_H_ */

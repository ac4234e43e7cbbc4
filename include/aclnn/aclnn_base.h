/* Copyright 2026 The hostnpu Authors
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HOSTNPU_ACLNN_ACLNN_BASE_H_
#define HOSTNPU_ACLNN_ACLNN_BASE_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As aclInit and aclFinalize. */
ACLNN_API aclnnStatus aclnnInit(const char* config);
ACLNN_API aclnnStatus aclnnFinalize(void);

#ifdef __cplusplus
}
#endif

#endif /* HOSTNPU_ACLNN_ACLNN_BASE_H_ */

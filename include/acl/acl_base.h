/* Copyright 2026 The hostnpu Authors
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HOSTNPU_ACL_ACL_BASE_H_
#define HOSTNPU_ACL_ACL_BASE_H_

#include "acl_base_rt.h"
#include "error_codes/rt_error_codes.h"

#endif /* HOSTNPU_ACL_ACL_BASE_H_ */

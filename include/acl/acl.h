/* Copyright 2026 The hostnpu Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The umbrella that host programs include.
 */
#ifndef HOSTNPU_ACL_ACL_H_
#define HOSTNPU_ACL_ACL_H_

#include "acl_base.h"
#include "acl_rt.h"

#endif /* HOSTNPU_ACL_ACL_H_ */

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ASCENDC_LIB_MATMUL_INTF_H_
#define HOSTNPU_ASCENDC_LIB_MATMUL_INTF_H_

#include "../advanced/matmul_register.h"
#include "../kernel_operator.h"

#endif  // HOSTNPU_ASCENDC_LIB_MATMUL_INTF_H_

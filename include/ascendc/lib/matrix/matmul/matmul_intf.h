// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_MATMUL_INTF_H_
#define HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_MATMUL_INTF_H_

#include "../../matmul_intf.h"

#endif  // HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_MATMUL_INTF_H_

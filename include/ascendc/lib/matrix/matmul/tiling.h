// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_TILING_H_
#define HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_TILING_H_

#include "../../../advanced/matmul_config.h"

#endif  // HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_TILING_H_

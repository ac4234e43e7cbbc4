// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ASCENDC_VENDOR_LIB_MATH_TAN_H_
#define HOSTNPU_ASCENDC_VENDOR_LIB_MATH_TAN_H_
#include "../../../kernel_operator.h"
#endif  // HOSTNPU_ASCENDC_VENDOR_LIB_MATH_TAN_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ASCENDC_UTILS_STD_CMATH_H_
#define HOSTNPU_ASCENDC_UTILS_STD_CMATH_H_
#include "../../std/cmath.h"
#endif  // HOSTNPU_ASCENDC_UTILS_STD_CMATH_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ASCENDC_UTILS_STD_ALGORITHM_H_
#define HOSTNPU_ASCENDC_UTILS_STD_ALGORITHM_H_
#include "../../std/algorithm.h"
#endif  // HOSTNPU_ASCENDC_UTILS_STD_ALGORITHM_H_

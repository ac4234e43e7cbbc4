// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ASCENDC_UTILS_DEBUG_ASC_ASSERT_H_
#define HOSTNPU_ASCENDC_UTILS_DEBUG_ASC_ASSERT_H_
#include "../../basic/debug.h"
#endif  // HOSTNPU_ASCENDC_UTILS_DEBUG_ASC_ASSERT_H_

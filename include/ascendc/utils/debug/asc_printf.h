// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ASCENDC_UTILS_DEBUG_ASC_PRINTF_H_
#define HOSTNPU_ASCENDC_UTILS_DEBUG_ASC_PRINTF_H_
#include "../../basic/debug.h"
#include "../../basic/identity.h"
#include "../../detail/launch.h"
#endif  // HOSTNPU_ASCENDC_UTILS_DEBUG_ASC_PRINTF_H_

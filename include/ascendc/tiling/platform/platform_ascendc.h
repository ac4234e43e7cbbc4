// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ASCENDC_TILING_PLATFORM_PLATFORM_ASCENDC_H_
#define HOSTNPU_ASCENDC_TILING_PLATFORM_PLATFORM_ASCENDC_H_

#include "../../platform/platform_ascendc.h"

#endif  // HOSTNPU_ASCENDC_TILING_PLATFORM_PLATFORM_ASCENDC_H_

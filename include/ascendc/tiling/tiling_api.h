// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The host side of the high-level library: the tiling classes of Matmul, and what the
// vector functions want of temporary buffers.
#ifndef HOSTNPU_ASCENDC_TILING_TILING_API_H_
#define HOSTNPU_ASCENDC_TILING_TILING_API_H_

#include <iostream>  // programs use std::cout and expect it from here
#include <string>
#include <vector>

#include "../lib/matrix/matmul/bmm_tiling.h"
#include "../lib/matrix/matmul/matmul_tiling.h"
#include "../vendor/securec.h"
#include "vector_tiling_api.h"

#if __has_include("platform/platform_ascendc.h")
#include "platform/platform_ascendc.h"
#endif

#endif  // HOSTNPU_ASCENDC_TILING_TILING_API_H_

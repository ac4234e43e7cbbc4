// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// host_headers.h with the headers that name functions `y0`, `j1` and `gamma` for everybody: only
// for a program that includes one of them itself.
#ifndef HOSTNPU_ASCENDC_DETAIL_HOST_MATH_HEADERS_H_
#define HOSTNPU_ASCENDC_DETAIL_HOST_MATH_HEADERS_H_

#include <cmath>
#include <complex>
#include <random>

#include "host_headers.h"

#endif  // HOSTNPU_ASCENDC_DETAIL_HOST_MATH_HEADERS_H_

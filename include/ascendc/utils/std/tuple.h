// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ASCENDC_UTILS_STD_TUPLE_H_
#define HOSTNPU_ASCENDC_UTILS_STD_TUPLE_H_
#include "../../std/tuple.h"
#endif  // HOSTNPU_ASCENDC_UTILS_STD_TUPLE_H_

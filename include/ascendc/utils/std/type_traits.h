// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ASCENDC_UTILS_STD_TYPE_TRAITS_H_
#define HOSTNPU_ASCENDC_UTILS_STD_TYPE_TRAITS_H_
#include "../../std/type_traits.h"
#endif  // HOSTNPU_ASCENDC_UTILS_STD_TYPE_TRAITS_H_

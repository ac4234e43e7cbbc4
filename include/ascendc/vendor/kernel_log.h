// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>  // tiling headers that include this one use std::min
#include <cmath>

#include "kernel_operator.h"

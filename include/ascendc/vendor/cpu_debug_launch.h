// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

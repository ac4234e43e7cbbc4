// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "../op/definition.h"
#include "tilingdata_base.h"

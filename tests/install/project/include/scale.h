// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

constexpr uint32_t kBlocks = 4;
constexpr uint32_t kBlockLength = 256;

/// dst[i] = SCALE_FACTOR * src[i], on `kBlocks` blocks of `kBlockLength` floats.
void LaunchScale(void* stream, void* src, void* dst);
/// Adds 1 to the first float of each block.
void LaunchAddOne(void* stream, void* dst);

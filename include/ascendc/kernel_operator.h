// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// All of Ascend C's basic API, as a kernel includes it.
#ifndef HOSTNPU_ASCENDC_KERNEL_OPERATOR_H_
#define HOSTNPU_ASCENDC_KERNEL_OPERATOR_H_

#include "basic/tensor.h"
#include "basic/types.h"
#include "detail/launch.h"
#include "tiling/kernel_tiling_macros.h"

#if __has_include("basic/identity.h")
#include "basic/identity.h"
#endif
#if __has_include("basic/sync.h")
#include "basic/sync.h"
#endif
#if __has_include("basic/block_sync.h")
#include "basic/block_sync.h"
#endif
#if __has_include("basic/pipe.h")
#include "basic/pipe.h"
#endif
#if __has_include("basic/queue.h")
#include "basic/queue.h"
#endif
#if __has_include("basic/vector_mask.h")
#include "basic/vector_mask.h"
#endif
#include "basic/broadcast.h"
#include "basic/data_copy.h"
#include "basic/data_copy_pad.h"
#include "basic/debug.h"
#include "basic/gather.h"
#include "basic/gm_scalar.h"
#include "basic/list_tensor.h"
#include "basic/nd_nz.h"
#include "basic/scalar.h"
#include "basic/sort.h"
#include "basic/transpose.h"
#include "basic/vector_reduce.h"
#include "basic/vector_reduce_all.h"
#include "std/algorithm.h"
#include "std/tuple.h"
#include "std/utility.h"

#if __has_include("basic/vector_binary.h")
#include "basic/vector_binary.h"
#endif

#include "basic/fixpipe.h"
#include "basic/load_data.h"
#include "basic/load_data_3d.h"
#include "basic/mmad.h"
#include "basic/nd_nz.h"

#endif  // HOSTNPU_ASCENDC_KERNEL_OPERATOR_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// All of Ascend C's basic API and its high-level vector library, as a kernel includes it.
#ifndef HOSTNPU_ASCENDC_KERNEL_OPERATOR_H_
#define HOSTNPU_ASCENDC_KERNEL_OPERATOR_H_

// The vendor's header brings it, and kernels ask std::is_same without including more than that.
#include <type_traits>

#include "advanced/antiquant.h"
#include "advanced/broadcast_shape.h"
#include "advanced/cumulative_sum.h"
#include "advanced/elementwise.h"
#include "advanced/elementwise_binary.h"
#include "advanced/filter.h"
#include "advanced/normalization.h"
#include "advanced/normalization_grad.h"
#include "advanced/normalization_parts.h"
#include "advanced/pad.h"
#include "advanced/quantization.h"
#include "advanced/reduce_pattern.h"
#include "advanced/row_reduce.h"
#include "advanced/softmax_flash.h"
#include "advanced/stack_buffer.h"
#include "advanced/top_k.h"
#include "basic/block_sync.h"
#include "basic/broadcast.h"
#include "basic/cast.h"
#include "basic/cast_dequant.h"
#include "basic/compare.h"
#include "basic/data_copy.h"
#include "basic/data_copy_pad.h"
#include "basic/debug.h"
#include "basic/duplicate.h"
#include "basic/fixpipe.h"
#include "basic/gather.h"
#include "basic/gm_scalar.h"
#include "basic/identity.h"
#include "basic/list_tensor.h"
#include "basic/load_data.h"
#include "basic/load_data_3d.h"
#include "basic/mmad.h"
#include "basic/nd_nz.h"
#include "basic/pipe.h"
#include "basic/proposal.h"
#include "basic/queue.h"
#include "basic/scalar.h"
#include "basic/scalar_functions.h"
#include "basic/select.h"
#include "basic/sort.h"
#include "basic/sync.h"
#include "basic/tensor.h"
#include "basic/tensor_operators.h"
#include "basic/transpose.h"
#include "basic/types.h"
#include "basic/vector_binary.h"
#include "basic/vector_mask.h"
#include "basic/vector_reduce.h"
#include "basic/vector_reduce_all.h"
#include "basic/vector_scalar.h"
#include "basic/vector_ternary.h"
#include "basic/vector_unary.h"
#include "detail/launch.h"
#include "std/algorithm.h"
#include "std/tuple.h"
#include "std/utility.h"
#include "tiling/kernel_tiling_macros.h"

#endif  // HOSTNPU_ASCENDC_KERNEL_OPERATOR_H_

#if defined(__CCE_KT_TEST__) && !defined(HOSTNPU_ASCENDC_INCLUDED_BY_TWIN)
#include "basic/type_numbers.h"
#endif

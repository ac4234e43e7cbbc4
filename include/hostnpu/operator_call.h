/* Copyright 2026 The hostnpu Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What generated aclnn functions call. */
#ifndef HOSTNPU_HOSTNPU_OPERATOR_CALL_H_
#define HOSTNPU_HOSTNPU_OPERATOR_CALL_H_

#include <stdint.h>

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

enum HostnpuOpArgumentKind {
  HOSTNPU_OP_TENSOR,      /* pointer: aclTensor, null where optional and absent */
  HOSTNPU_OP_TENSOR_LIST, /* pointer: aclTensorList */
  HOSTNPU_OP_INT,
  HOSTNPU_OP_FLOAT,
  HOSTNPU_OP_BOOL,
  HOSTNPU_OP_STRING,    /* pointer: char */
  HOSTNPU_OP_INT_ARRAY, /* pointer: aclIntArray */
  HOSTNPU_OP_FLOAT_ARRAY,
  HOSTNPU_OP_BOOL_ARRAY,
  HOSTNPU_OP_INT_ARRAY_LIST /* pointer: array of `integer` pointers to aclIntArray */
};

typedef struct HostnpuOpArgument {
  enum HostnpuOpArgumentKind kind;
  const void* pointer;
  int64_t integer; /* also a bool, and the length of a list of lists */
  double real;
} HostnpuOpArgument;

/* Phase one: inputs, attributes, outputs in the order of the definition. Infers shapes, tiles, and
 * gives the bytes of workspace and an executor. */
aclnnStatus hostnpu_op_plan(const char* function, const char* type,
                            const HostnpuOpArgument* arguments, uint32_t count,
                            uint64_t* workspace_bytes, aclOpExecutor** executor);
/* Phase two: launches. A null workspace where one is needed is leased from the stream. */
aclnnStatus hostnpu_op_run(const char* function, void* workspace, uint64_t workspace_bytes,
                           aclOpExecutor* executor, void* stream);

#ifdef __cplusplus
}
#endif

#endif /* HOSTNPU_HOSTNPU_OPERATOR_CALL_H_ */

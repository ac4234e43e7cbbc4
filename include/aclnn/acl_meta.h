/* Copyright 2026 The hostnpu Authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tensors, scalars and lists as operator calls take them, and their executors. */
#ifndef HOSTNPU_ACLNN_ACL_META_H_
#define HOSTNPU_ACLNN_ACL_META_H_

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aclOpExecutor aclOpExecutor;
typedef struct aclTensor aclTensor;
typedef struct aclScalar aclScalar;
typedef struct aclIntArray aclIntArray;
typedef struct aclFloatArray aclFloatArray;
typedef struct aclBoolArray aclBoolArray;
typedef struct aclTensorList aclTensorList;
typedef struct aclScalarList aclScalarList;
typedef int32_t aclnnStatus;
#define ACLNN_API __attribute__((visibility("default")))

#define OK 0
#define ACLNN_SUCCESS 0
#define ACLNN_ERR_PARAM_NULLPTR 161001
#define ACLNN_ERR_PARAM_INVALID 161002
#define ACLNN_ERR_RUNTIME_ERROR 361001
#define ACLNN_ERR_INNER 561000
#define ACLNN_ERR_INNER_INFERSHAPE_ERROR 561001
#define ACLNN_ERR_INNER_TILING_ERROR 561002
#define ACLNN_ERR_INNER_FIND_KERNEL_ERROR 561003
#define ACLNN_ERR_INNER_NULLPTR 561103

/* A view of device memory: null strides mean contiguous. Dimensions and strides count elements. The
 * data is not owned. Returns null for a null shape, more than 25 dimensions, a negative one, or
 * more than 2^56 elements. */
ACLNN_API aclTensor* aclCreateTensor(const int64_t* view_dims, uint64_t view_dim_count,
                                     aclDataType dtype, const int64_t* strides, int64_t offset,
                                     aclFormat format, const int64_t* storage_dims,
                                     uint64_t storage_dim_count, void* data);
/* Copies the value; null for a null one and for types that are neither real numbers, integers of up
 * to 64 bits (no uint64) nor bool. */
ACLNN_API aclScalar* aclCreateScalar(void* value, aclDataType dtype);
ACLNN_API aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size);
ACLNN_API aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size);
ACLNN_API aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size);
ACLNN_API aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size);
ACLNN_API aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size);

ACLNN_API aclnnStatus aclDestroyTensor(const aclTensor* tensor);
ACLNN_API aclnnStatus aclDestroyScalar(const aclScalar* scalar);
ACLNN_API aclnnStatus aclDestroyIntArray(const aclIntArray* array);
ACLNN_API aclnnStatus aclDestroyFloatArray(const aclFloatArray* array);
ACLNN_API aclnnStatus aclDestroyBoolArray(const aclBoolArray* array);
ACLNN_API aclnnStatus aclDestroyTensorList(const aclTensorList* list); /* and its tensors */
ACLNN_API aclnnStatus aclDestroyScalarList(const aclScalarList* list);

/* The array belongs to the caller, who frees it with delete[]. */
ACLNN_API aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** dims, uint64_t* count);
ACLNN_API aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** dims, uint64_t* count);
ACLNN_API aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** strides,
                                        uint64_t* count);
ACLNN_API aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset);
ACLNN_API aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format);
ACLNN_API aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dtype);
ACLNN_API aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** address);
ACLNN_API aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* address);
ACLNN_API aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size);
ACLNN_API aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size);
ACLNN_API aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size);
ACLNN_API aclnnStatus aclGetTensorListSize(const aclTensorList* list, uint64_t* size);

/* After the first phase: the executor may be run many times, and is the caller's to destroy. */
ACLNN_API aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor);
ACLNN_API aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor);
/* Puts other data behind the index-th tensor of a repeatable executor; 32-byte aligned. */
ACLNN_API aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, uint64_t index, aclTensor* tensor,
                                       void* address);
ACLNN_API aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, uint64_t ir_index,
                                            aclTensor* tensor, void* address);
ACLNN_API aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, uint64_t ir_index,
                                             aclTensor* tensor, void* address);
ACLNN_API aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor* executor, uint64_t ir_index,
                                                   uint64_t relative_index, aclTensorList* tensors,
                                                   void* address);
ACLNN_API aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor* executor, uint64_t ir_index,
                                                    uint64_t relative_index, aclTensorList* tensors,
                                                    void* address);

#ifdef __cplusplus
}
#endif

#endif /* HOSTNPU_ACLNN_ACL_META_H_ */

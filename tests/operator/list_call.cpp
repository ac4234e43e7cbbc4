// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls SumList, whose input and second output are lists of tensors. Prints one line a check that
// failed; the exit code is how many.
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "aclnn_sum_list.h"
#include "check.h"
#include "hostnpu/operator.h"

namespace {

template <typename T>
void* Device(const std::vector<T>& values) {
  void* data = nullptr;
  aclrtMalloc(&data, values.size() * sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(data, values.size() * sizeof(T), values.data(), values.size() * sizeof(T),
              ACL_MEMCPY_HOST_TO_DEVICE);
  return data;
}

template <typename T>
aclTensor* TensorOf(const std::vector<T>& values, aclDataType dtype, void** data,
                    std::vector<int64_t> dims = {}, const int64_t* strides = nullptr) {
  *data = Device(values);
  if (dims.empty()) dims = {static_cast<int64_t>(values.size())};
  return Keep(aclCreateTensor(dims.data(), dims.size(), dtype, strides, 0, ACL_FORMAT_ND,
                              dims.data(), dims.size(), *data));
}

template <typename T>
void Sum(aclDataType dtype, bool negate, aclrtStream stream) {
  // The third is a transposed view, so it gets a contiguous copy.
  const int64_t strides[] = {1, 3};
  void* in[3];
  void* out[4];
  const aclTensor* xs[3] = {TensorOf<T>({1, 2, 3, 4, 5, 6}, dtype, &in[0]),
                            TensorOf<T>({10, 20, 30, 40, 50, 60}, dtype, &in[1]),
                            TensorOf<T>({1, 2, 3, 4, 5, 6}, dtype, &in[2])};
  const aclTensor* views[3] = {TensorOf<T>({1, 2, 3, 4, 5, 6}, dtype, &in[0], {3, 2}),
                               TensorOf<T>({10, 20, 30, 40, 50, 60}, dtype, &in[1], {3, 2}),
                               TensorOf<T>({1, 2, 3, 4, 5, 6}, dtype, &in[2], {3, 2}, strides)};
  for (const bool two_dims : {false, true}) {
    const std::vector<T> empty(6);
    const std::vector<int64_t> dims =
        two_dims ? std::vector<int64_t>{3, 2} : std::vector<int64_t>{6};
    const aclTensor* zs[3] = {TensorOf<T>(empty, dtype, &out[0], dims),
                              TensorOf<T>(empty, dtype, &out[1], dims),
                              TensorOf<T>(empty, dtype, &out[2], dims)};
    aclTensor* y = TensorOf<T>(empty, dtype, &out[3], dims);
    uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    aclTensorList* x = Keep(aclCreateTensorList(two_dims ? views : xs, 3));
    aclTensorList* z = Keep(aclCreateTensorList(zs, 3));
    Check(aclnnSumListGetWorkspaceSize(x, negate, y, z, &bytes, &executor) == 0 || Says("x"),
          "a call with lists is planned");
    Check(aclnnSumList(nullptr, 0, executor, stream) == 0 && aclrtSynchronizeStream(stream) == 0,
          "a call with lists runs");
    T sum[6], third[6];
    aclrtMemcpy(sum, sizeof(sum), out[3], sizeof(sum), ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtMemcpy(third, sizeof(third), out[2], sizeof(third), ACL_MEMCPY_DEVICE_TO_HOST);
    const int flat[6] = {1, 2, 3, 4, 5, 6};
    const int transposed[6] = {1, 4, 2, 5, 3, 6};
    for (int k = 0; k < 6; ++k) {
      const int last = two_dims ? transposed[k] : flat[k];
      const int wanted = (k + 1) + 10 * (k + 1) + last;
      Check(static_cast<float>(sum[k]) == static_cast<float>(negate ? -wanted : wanted),
            "the sum of the list is right");
      Check(static_cast<float>(third[k]) == static_cast<float>(2 * last),
            "the third of the output list is right");
    }
  }
}

void Refusals() {
  void* data = nullptr;
  void* other = nullptr;
  aclTensor* y = TensorOf<float>({0, 0}, ACL_FLOAT, &data);
  const aclTensor* mixed[] = {TensorOf<float>({1, 2}, ACL_FLOAT, &data),
                              TensorOf<int32_t>({1, 2}, ACL_INT32, &other)};
  const aclTensor* holes[] = {mixed[0], nullptr};
  uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  aclTensorList* z = Keep(aclCreateTensorList(mixed, 1));
  const auto plan = [&](aclTensorList* x) {
    return aclnnSumListGetWorkspaceSize(x, false, y, z, &bytes, &executor);
  };
  Check(plan(Keep(aclCreateTensorList(mixed, 2))) == ACLNN_ERR_PARAM_INVALID && Says("x[1] int32"),
        "a list with another data type is refused, and the tensor named");
  Check(plan(Keep(aclCreateTensorList(mixed, 0))) == ACLNN_ERR_PARAM_INVALID && Says("empty list"),
        "an empty list is refused");
  Check(plan(nullptr) == ACLNN_ERR_PARAM_NULLPTR && Says("\"x\" of SumList is null"),
        "no list is refused");
  Check(plan(Keep(aclCreateTensorList(holes, 2))) == ACLNN_ERR_PARAM_NULLPTR && Says("\"x[1]\""),
        "a list with a hole is refused");
}

}  // namespace

int main() {
  aclrtStream stream = nullptr;
  Check(aclnnInit(nullptr) == 0 && aclrtSetDevice(0) == 0 && aclrtCreateStream(&stream) == 0,
        "the device starts");
  Sum<float>(ACL_FLOAT, false, stream);
  Sum<float>(ACL_FLOAT, true, stream);
  Sum<_Float16>(ACL_FLOAT16, true, stream);
  Refusals();
  hostnpu::Operator op("SumList");
  Check(op(std::vector<hostnpu::Tensor>{}).error().message.find("empty list") != std::string::npos,
        "the one-call form checks lists too");
  return Finish();
}

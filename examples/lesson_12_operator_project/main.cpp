// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls aclnnNormalize in its two phases, with the caller's workspace and with a managed one.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnn_normalize.h"

#define CHECK(call)                                                                  \
  if (auto code = (call); code != 0) {                                               \
    std::fprintf(stderr, "%s returned %d\n%s\n", #call, code, aclGetRecentErrMsg()); \
    return 1;                                                                        \
  }

int main() {
  const int64_t shape[] = {1013, 997}, strides[] = {997, 1};  // 123 whole tiles and a bit
  const size_t count = 1013 * 997, bytes = count * sizeof(float);
  std::vector<float> x(count), y(count);
  double squares = 0;
  for (size_t i = 0; i < count; ++i) {
    x[i] = std::sin(0.01f * static_cast<float>(i)) + 0.3f;
    squares += static_cast<double>(x[i]) * x[i];
  }
  const double factor = 1 / std::sqrt(squares / static_cast<double>(count) + 1e-6);

  aclrtStream stream = nullptr;
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtCreateStream(&stream));
  void *device_x = nullptr, *device_y = nullptr;
  CHECK(aclrtMalloc(&device_x, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMalloc(&device_y, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemcpy(device_x, bytes, x.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  aclTensor* in =
      aclCreateTensor(shape, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape, 2, device_x);
  aclTensor* out =
      aclCreateTensor(shape, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape, 2, device_y);

  bool right = true;
  for (const bool managed : {false, true}) {
    uint64_t workspace_bytes = 0;
    aclOpExecutor* executor = nullptr;
    CHECK(aclnnNormalizeGetWorkspaceSize(in, 1e-6, out, &workspace_bytes, &executor));
    void* workspace = nullptr;  // stays null where the stream shall lend one
    if (!managed) CHECK(aclrtMalloc(&workspace, workspace_bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemset(device_y, bytes, 0xFF, bytes));
    CHECK(aclnnNormalize(workspace, managed ? 0 : workspace_bytes, executor, stream));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(y.data(), bytes, device_y, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    if (workspace != nullptr) CHECK(aclrtFree(workspace));
    double worst = 0;
    for (size_t i = 0; i < count; ++i) {  // written so that a NaN counts
      const double error = std::abs(y[i] - x[i] * factor);
      if (!(error <= worst)) worst = error;
    }
    right = right && worst < 1e-5;
    std::printf("%s: %s workspace of %llu bytes, largest error %.1e\n",
                worst < 1e-5 ? "PASS" : "FAIL", managed ? "a managed" : "the caller's",
                static_cast<unsigned long long>(workspace_bytes), worst);
  }
  aclDestroyTensor(in);
  aclDestroyTensor(out);
  CHECK(aclFinalize());
  return right ? 0 : 1;
}

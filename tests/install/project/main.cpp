// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "scale.h"

int main() {
  std::vector<float> host(kBlocks * kBlockLength);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  const size_t bytes = host.size() * sizeof(float);
  aclrtStream stream = nullptr;
  void *src = nullptr, *dst = nullptr;
  if (aclInit(nullptr) != ACL_SUCCESS || aclrtSetDevice(0) != ACL_SUCCESS ||
      aclrtCreateStream(&stream) != ACL_SUCCESS ||
      aclrtMalloc(&src, bytes, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS ||
      aclrtMalloc(&dst, bytes, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS ||
      aclrtMemcpy(src, bytes, host.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE) != ACL_SUCCESS) {
    std::fprintf(stderr, "set-up failed: %s\n", aclGetRecentErrMsg());
    return 1;
  }
  LaunchScale(stream, src, dst);
  LaunchAddOne(stream, dst);
  if (aclrtSynchronizeStream(stream) != ACL_SUCCESS ||
      aclrtMemcpy(host.data(), bytes, dst, bytes, ACL_MEMCPY_DEVICE_TO_HOST) != ACL_SUCCESS) {
    std::fprintf(stderr, "launch failed: %s\n", aclGetRecentErrMsg());
    return 1;
  }
  for (size_t i = 0; i < host.size(); ++i) {
    const float added = i % kBlockLength == 0 ? 1.0f : 0.0f;
    if (host[i] != SCALE_FACTOR * static_cast<float>(i) + added) {
      std::fprintf(stderr, "element %zu is %g\n", i, host[i]);
      return 1;
    }
  }
  std::printf("PASS: %s times %zu floats\n", SCALE_LABEL, host.size());
  aclFinalize();
  return 0;
}

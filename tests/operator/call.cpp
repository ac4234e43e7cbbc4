// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls the ScaleShift operator of the project beside this file in every way a caller may, right
// and wrong. Prints one line a check that failed; the exit code is how many.
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn_scale_shift.h"
#include "check.h"

namespace {

struct Device {
  explicit Device(const std::vector<float>& values) {
    aclrtMalloc(&data, values.size() * 4 + 32, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(data, values.size() * 4, values.data(), values.size() * 4,
                ACL_MEMCPY_HOST_TO_DEVICE);
  }
  ~Device() { aclrtFree(data); }
  std::vector<float> Read(size_t count) const {
    std::vector<float> values(count);
    aclrtMemcpy(values.data(), count * 4, data, count * 4, ACL_MEMCPY_DEVICE_TO_HOST);
    return values;
  }
  void* data = nullptr;
};

aclTensor* Tensor(void* data, std::vector<int64_t> dims, aclDataType dtype = ACL_FLOAT,
                  const int64_t* strides = nullptr) {
  return Keep(aclCreateTensor(dims.data(), dims.size(), dtype, strides, 0, ACL_FORMAT_ND,
                              dims.data(), dims.size(), data));
}

std::vector<float> Ramp(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i) * 0.5f - 7.0f;
  return values;
}

}  // namespace

int main() {
  aclrtStream stream = nullptr;
  Check(aclnnInit(nullptr) == 0 && aclrtSetDevice(0) == 0 && aclrtCreateStream(&stream) == 0,
        "the device starts");
  uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;

  for (const int64_t count : {1, 15, 1000, 4097}) {
    const std::vector<float> x = Ramp(static_cast<size_t>(count));
    Device in(x), out(std::vector<float>(x.size(), -1.0f));
    aclTensor* tx = Tensor(in.data, {count});
    aclTensor* ty = Tensor(out.data, {count});
    Check(aclnnScaleShiftGetWorkspaceSize(tx, 2.0, 1.0, ty, &bytes, &executor) == 0,
          "a call is planned");
    Check(bytes == (uint64_t{16} << 20) + static_cast<uint64_t>(count) * 4,
          "the size is what the tiling function asks for");
    Check(aclnnScaleShift(nullptr, 0, executor, stream) == 0, "a null workspace is managed");
    Check(aclrtSynchronizeStream(stream) == 0, "the managed call finishes");
    const std::vector<float> y = out.Read(x.size());
    bool equal = true;
    for (size_t i = 0; i < x.size(); ++i) equal = equal && y[i] == x[i] * 2.0f + 1.0f;
    Check(equal, "the result is x * 2 + 1");
    Check(aclnnScaleShift(nullptr, 0, executor, stream) == ACLNN_ERR_PARAM_INVALID &&
              Says("has been used"),
          "an executor serves one call");
    aclDestroyTensor(tx);
    aclDestroyTensor(ty);
  }

  const std::vector<float> x = Ramp(64);
  Device in(x), out(std::vector<float>(64, 0.0f));
  aclTensor* tx = Tensor(in.data, {8, 8});
  aclTensor* ty = Tensor(out.data, {8, 8});
  Check(aclnnScaleShiftGetWorkspaceSize(tx, 3.0, 0.0, ty, &bytes, &executor) == 0,
        "a call is planned for a caller's workspace");
  aclSetAclOpExecutorRepeatable(executor);
  void* workspace = nullptr;
  aclrtMalloc(&workspace, bytes + 64, ACL_MEM_MALLOC_HUGE_FIRST);
  Check(aclnnScaleShift(workspace, bytes, executor, stream) == 0 &&
            aclrtSynchronizeStream(stream) == 0,
        "a caller's workspace is used");
  Check(out.Read(64)[10] == x[10] * 3.0f, "the result through a caller's workspace is right");
  Check(aclnnScaleShift(workspace, bytes, executor, stream) == 0 &&
            aclrtSynchronizeStream(stream) == 0,
        "a repeatable executor runs again");
  Check(aclnnScaleShift(workspace, bytes - 1, executor, stream) != 0 && Says("are needed"),
        "a small workspace is refused");
  // S14: 1024 bytes too few are an error that says both numbers, never another algorithm.
  const std::vector<float> untouched(64, -7.0f);
  aclrtMemcpy(out.data, 256, untouched.data(), 256, ACL_MEMCPY_HOST_TO_DEVICE);
  const std::string both = "has " + std::to_string(bytes - 1024) + " bytes, and " +
                           std::to_string(bytes) + " are needed";
  Check(aclnnScaleShift(workspace, bytes - 1024, executor, stream) != 0 && Says(both.c_str()) &&
            aclrtSynchronizeStream(stream) == 0 && out.Read(64) == untouched,
        "a workspace that is 1024 bytes short is refused before anything runs");
  Check(aclnnScaleShift(static_cast<char*>(workspace) + 4, bytes, executor, stream) != 0 &&
            Says("32 bytes"),
        "a misaligned workspace is refused");
  Check(aclnnScaleShift(static_cast<char*>(workspace) + 96, bytes, executor, stream) != 0 &&
            Says("are left"),
        "a workspace that ends too early is refused");
  std::vector<char> host(64);
  Check(aclnnScaleShift(host.data(), bytes, executor, stream) != 0 && Says("not device memory"),
        "host memory is no workspace");
  void* pinned = nullptr;
  aclrtMallocHost(&pinned, bytes);
  Check(aclnnScaleShift(pinned, bytes, executor, stream) != 0 && Says("not device memory"),
        "nor is pinned host memory");
  aclrtFreeHost(pinned);
  aclrtFree(workspace);
  Check(aclnnScaleShift(workspace, bytes, executor, stream) != 0 && Says("has been freed"),
        "a freed workspace is refused");
  Check(aclDestroyAclOpExecutor(executor) == 0, "a repeatable executor is destroyed by the caller");

  // The transposed view of x.
  const int64_t strides[] = {1, 8};
  aclTensor* view = Tensor(in.data, {8, 8}, ACL_FLOAT, strides);
  Check(aclnnScaleShiftGetWorkspaceSize(view, 1.0, 0.0, ty, &bytes, &executor) == 0,
        "a view is planned");
  Check(aclnnScaleShift(nullptr, 0, executor, stream) == 0 && aclrtSynchronizeStream(stream) == 0,
        "a view runs");
  Check(out.Read(64)[1] == x[8] && out.Read(64)[8] == x[1], "a view is read by its strides");

  aclTensor* empty = Tensor(nullptr, {0, 8});
  Check(
      aclnnScaleShiftGetWorkspaceSize(empty, 1.0, 0.0, empty, &bytes, &executor) == 0 && bytes == 0,
      "empty tensors need no workspace");
  Check(aclnnScaleShift(nullptr, 0, executor, stream) == 0,
        "empty tensors are a call that does nothing");

  Check(aclnnScaleShiftGetWorkspaceSize(nullptr, 1.0, 0.0, ty, &bytes, &executor) ==
                ACLNN_ERR_PARAM_NULLPTR &&
            Says("Input \"x\" of ScaleShift is null"),
        "a missing input is named");
  aclTensor* integers = Tensor(in.data, {8, 8}, ACL_INT32);
  Check(aclnnScaleShiftGetWorkspaceSize(integers, 1.0, 0.0, ty, &bytes, &executor) ==
                ACLNN_ERR_PARAM_INVALID &&
            Says("x int32"),
        "an unsupported data type is named with the supported ones");
  aclTensor* narrow = Tensor(out.data, {8, 4});
  Check(aclnnScaleShiftGetWorkspaceSize(tx, 1.0, 0.0, narrow, &bytes, &executor) ==
                ACLNN_ERR_PARAM_INVALID &&
            Says("has the shape (8, 4); the operator gives (8, 8)"),
        "an output of the wrong shape is refused with both shapes");
  bytes = 77;
  Check(aclnnScaleShiftGetWorkspaceSize(tx, -1.0, 0.0, ty, &bytes, &executor) ==
                ACLNN_ERR_INNER_TILING_ERROR &&
            Says("its workspace sizes are not used") && bytes == 77,
        "a tiling function that fails leaves the size alone");
  Check(aclnnScaleShiftGetWorkspaceSize(tx, 1e7, 0.0, ty, &bytes, &executor) ==
                ACLNN_ERR_INNER_TILING_ERROR &&
            Says("usually a negative or unset size"),
        "an absurd size is refused");
  Check(aclnnScaleShiftGetWorkspaceSize(tx, 2.0, 0.0, ty, &bytes, &executor) == 0 &&
            aclnnScaleShift(nullptr, 0, executor, stream) == 0 &&
            aclrtSynchronizeStream(stream) == 0,
        "after all errors a call works");

  // S14: a tiling function that asks for 1024 bytes less than its kernel touches.
  Device wide(Ramp(512));
  aclTensor* tw = Tensor(wide.data, {512});
  aclrtStream own = nullptr;
  aclrtCreateStream(&own);
  Check(aclnnScaleShiftGetWorkspaceSize(tw, 1024.0, 0.0, tw, &bytes, &executor) == 0 &&
            aclnnScaleShift(nullptr, 0, executor, own) == 0 && aclrtSynchronizeStream(own) != 0 &&
            Says(("\"workspace\"], which has " + std::to_string(bytes) + " bytes").c_str()),
        "a declared size that is 1024 bytes short is named where the kernel passes it");
  aclrtDestroyStreamForce(own);

  std::vector<aclFloat16> halves(32);
  for (size_t i = 0; i < 32; ++i) halves[i] = aclFloatToFloat16(static_cast<float>(i));
  void* half_data = nullptr;
  aclrtMalloc(&half_data, 64, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(half_data, 64, halves.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE);
  aclTensor* th = Tensor(half_data, {32}, ACL_FLOAT16);
  Check(aclnnScaleShiftGetWorkspaceSize(th, 0.5, 1.0, th, &bytes, &executor) == 0 &&
            aclnnScaleShift(nullptr, 0, executor, stream) == 0 &&
            aclrtSynchronizeStream(stream) == 0,
        "the half variant runs");
  aclrtMemcpy(halves.data(), 64, half_data, 64, ACL_MEMCPY_DEVICE_TO_HOST);
  Check(aclFloat16ToFloat(halves[9]) == 5.5f, "the half variant computes in half");
  aclrtFree(half_data);
  return Finish();
}

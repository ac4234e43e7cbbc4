// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The workspace of an operator call that is left to the runtime: its contents, the failure of each
// of its leases, the two streams of two calls. Prints one line a check that failed; the exit code
// is how many.

#include "acl/acl.h"
#include "aclnn_scale_shift.h"
#include "check.h"
#include "hostnpu/runtime.h"

namespace {

/// An 8 x 8 tensor of device memory; `transposed`: the view that needs a contiguous copy.
aclTensor* Square(void* data, bool transposed) {
  const int64_t dims[] = {8, 8};
  const int64_t strides[] = {1, 8};
  return Keep(aclCreateTensor(dims, 2, ACL_FLOAT, transposed ? strides : nullptr, 0, ACL_FORMAT_ND,
                              dims, 2, data));
}

struct Buffers {
  Buffers() {
    aclrtMalloc(&x, 256, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&y, 256, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemset(x, 256, 0, 256);
  }
  ~Buffers() {
    aclrtFree(x);
    aclrtFree(y);
  }
  void* x = nullptr;
  void* y = nullptr;
};

aclError Call(const Buffers& buffers, bool transposed, aclrtStream stream, uint64_t* bytes) {
  aclOpExecutor* executor = nullptr;
  const aclError planned = aclnnScaleShiftGetWorkspaceSize(
      Square(buffers.x, transposed), 2.0, 1.0, Square(buffers.y, false), bytes, &executor);
  if (planned != 0) return planned;
  const aclError called = aclnnScaleShift(nullptr, 0, executor, stream);
  return called != 0 ? called : aclrtSynchronizeStream(stream);
}

// ScaleShift leaves x * scale in its workspace: zeros for zeros.
void PersistentZero() {
  Buffers buffers;
  uint64_t bytes = 0;
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  hostnpu::SetOperatorWorkspaceContents("ScaleShift", hostnpu::WorkspaceContents::kPersistentZero);
  Check(Call(buffers, false, stream, &bytes) == 0 && Call(buffers, false, stream, &bytes) == 0,
        "an operator that leaves its persistent-zero workspace zero is innocent");
  const float dirty = 3.0f;
  aclrtMemcpy(static_cast<char*>(buffers.x) + 100, 4, &dirty, 4, ACL_MEMCPY_HOST_TO_DEVICE);
  Check(Call(buffers, false, stream, &bytes) != 0 && Says("\"ScaleShift\" leaves byte 102 as 0xc0"),
        "one that leaves it dirty is reported after that launch, with the first dirty byte");
  hostnpu::SetOperatorWorkspaceContents("ScaleShift", hostnpu::WorkspaceContents::kUndefined);
  aclrtDestroyStream(stream);
}

// A view needs three leases: contiguous copies, workspace, tiling data. Each of them fails once.
void EveryLeaseFails() {
  Buffers buffers;
  const uint64_t base = hostnpu::GetWorkspaceStatistics()->reserved_bytes;
  const uint64_t workspace = (uint64_t{16} << 20) + 512;
  const uint64_t room[] = {0, 512, 512 + workspace, 1024 + workspace};
  const char* missing[] = {"bytes of contiguous copies for ScaleShift",
                           "bytes of workspace for ScaleShift", "bytes of tiling for ScaleShift"};
  for (int step = 0; step < 4; ++step) {
    uint64_t bytes = 0;
    aclrtStream stream = nullptr;
    aclrtCreateStream(&stream);
    Check(hostnpu::SetWorkspaceLimit(base + room[step]).ok(), "the limit is set");
    const aclError result = Call(buffers, true, stream, &bytes);
    if (step == 3) {
      Check(result == 0, "with room for all of them the call works");
    } else {
      Check(result != 0 && Says(missing[step]), "a lease that fails is named");
      Check(hostnpu::GetWorkspaceStatistics()->busy_bytes == 0, "what it had before goes back");
    }
    Check(hostnpu::SetWorkspaceLimit(uint64_t{1} << 40).ok() &&
              Call(buffers, true, stream, &bytes) == 0,
          "the next call works");
    aclrtDestroyStream(stream);
    Check(hostnpu::GetWorkspaceStatistics()->reserved_bytes == base, "nothing is left behind");
  }
}

}  // namespace

int main() {
  Check(aclnnInit(nullptr) == 0 && aclrtSetDevice(0) == 0, "the device starts");
  PersistentZero();
  EveryLeaseFails();
  return Finish();
}

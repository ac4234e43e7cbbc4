// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The host has no memory left for an output, for the next one, for the workspace: each time the
// launch is an error, gives back what it had, and the next one works. status: 0 stdout: refused 3
// times, then it runs
#include <sys/resource.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "acl/acl.h"
#include "hostnpu/runtime.h"

namespace {

constexpr size_t kGiB = size_t{1} << 30;
const char kSource[] =
    "#include \"kernel_operator.h\"\n"
    "extern \"C\" __global__ __vector__ void fill(GM_ADDR y, GM_ADDR z, GM_ADDR workspace) {\n"
    "  AscendC::GlobalTensor<float> first, second, scratch;\n"
    "  first.SetGlobalBuffer((__gm__ float*)y);\n"
    "  second.SetGlobalBuffer((__gm__ float*)z);\n"
    "  scratch.SetGlobalBuffer((__gm__ float*)workspace);\n"
    "  scratch.SetValue(0, 3.0f);\n"
    "  first.SetValue(0, scratch.GetValue(0));\n"
    "  second.SetValue(0, scratch.GetValue(0) + 1);\n"
    "}\n";

size_t AddressSpace() {
  size_t pages = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == nullptr || fscanf(file, "%zu", &pages) != 1) pages = 0;
  if (file != nullptr) fclose(file);
  return pages * 4096;
}

void Allow(rlim_t bytes) {
  rlimit limit = {};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
  setrlimit(RLIMIT_AS, &limit);
}

size_t FreeBytes() {
  size_t free_bytes = 0, total = 0;
  aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total);
  return free_bytes;
}

/// Whether a launch with outputs and a workspace of so many bytes gives 3 and 4.
bool Works(const hostnpu::Kernel& kernel, size_t bytes, std::string* message) {
  auto launched = hostnpu::Launch(kernel, 1, {}, {{bytes}, {bytes}}, {bytes});
  if (!launched.ok()) {
    *message = launched.error().message;
    return false;
  }
  return launched->output<float>(0)[0] == 3 && launched->output<float>(1)[0] == 4;
}

}  // namespace

int main() {
  aclrtSetDevice(0);
  auto module = hostnpu::Module::CompileText(kSource, "fill.cpp");
  if (!module.ok()) return printf("%s\n", module.error().message.c_str()), 1;
  const hostnpu::Kernel kernel = *module->Find("fill");
  std::string message;
  if (!Works(kernel, 4096, &message)) return printf("first: %s\n", message.c_str()), 1;
  static_cast<void>(hostnpu::TrimWorkspaces());
  const size_t free_before = FreeBytes();
  const size_t base = AddressSpace();
  int refused = 0;
  for (size_t room = kGiB / 2; room < 8 * kGiB; room += kGiB) {
    Allow(base + room);
    const bool works = Works(kernel, kGiB, &message);
    Allow(RLIM_INFINITY);
    static_cast<void>(hostnpu::TrimWorkspaces());
    if (FreeBytes() != free_before) return printf("device memory is lost\n"), 1;
    if (works) break;
    ++refused;
    if (message.find("The host has no") == std::string::npos)
      return printf("%s\n", message.c_str()), 1;
    if (!Works(kernel, 4096, &message)) return printf("next: %s\n", message.c_str()), 1;
    static_cast<void>(hostnpu::TrimWorkspaces());
  }
  printf("refused %d times, then it runs\n", refused);
  return 0;
}

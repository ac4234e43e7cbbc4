// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ API: a kernel compiled from its text and launched by name.
// status: 0
// stdout: sum 40
// stdout: has 5 parameters, but the launch gives 2 arguments
// stdout: There is no kernel 'subtract' in the module; there are 'ops::add'.
// stdout: error: use of undeclared identifier 'nothing'
#include <cstdio>
#include <vector>

#include "hostnpu/runtime.h"

static const char* kAdd = R"(
#include "kernel_operator.h"
namespace ops {
__global__ __vector__ void add(__gm__ float* x, __gm__ float* y, __gm__ float* z, GM_ADDR workspace, uint16_t n) {
  AscendC::GlobalTensor<float> a, b, c;
  a.SetGlobalBuffer(x, n);
  b.SetGlobalBuffer(y, n);
  c.SetGlobalBuffer(z, n);
  ((__gm__ float*)workspace)[0] = 1;
  for (int i = AscendC::GetBlockIdx(); i < n; i += AscendC::GetBlockNum()) {
    c.SetValue(i, a.GetValue(i) + b.GetValue(i));
  }
}
}  // namespace ops
)";

int main() {
  auto module = hostnpu::Module::CompileText(kAdd, "add.asc");
  if (!module.ok()) return printf("%s\n", module.error().message.c_str()), 1;
  auto kernel = module->Find("add");
  if (!kernel.ok()) return printf("%s\n", kernel.error().message.c_str()), 1;
  const std::vector<float> x(10, 1.5f), y(10, 2.5f);
  auto result = hostnpu::Launch(*kernel, 3, {x, y}, {hostnpu::Output<float>(10)}, {64}, {10});
  if (!result.ok()) return printf("%s\n", result.error().message.c_str()), 1;
  float sum = 0;
  for (float value : result->output<float>(0)) sum += value;
  printf("sum %g\n", sum);
  printf("%s\n", hostnpu::Launch(*kernel, 1, {x}, {}, {}, {10}).error().message.c_str());
  printf("%s\n", module->Find("subtract").error().message.c_str());
  auto broken = hostnpu::Module::CompileText("int a = nothing;", "broken.asc");
  printf("%s\n", broken.error().message.c_str());
  return 0;
}

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Cube kernels as lambdas that capture their buffers, and data an fp64 reference can be compared
// with.
#ifndef HOSTNPU_TESTS_KERNELS_CUBE_CUBE_RUN_H_
#define HOSTNPU_TESTS_KERNELS_CUBE_CUBE_RUN_H_

#include <gmock/gmock.h>

#include <functional>
#include <random>

#include "kernel_fixture.h"

namespace hostnpu::testing {

/// Runs `body` on every core. "" or what the fault says: "Mmad needs 131072 bytes ...".
inline std::string RunBody(LaunchOptions options, std::function<void()> body) {
  const LaunchResult result = RunKernel(
      options,
      [](void* argument) {
        kernel::BeginCore();
        (*static_cast<std::function<void()>*>(argument))();
        kernel::EndCore();
      },
      &body);
  return result.ok ? "" : result.message;
}
/// On one cube core.
inline std::string RunCube(std::function<void()> body) {
  LaunchOptions options;
  options.aic = 1;
  options.aiv = 0;
  return RunBody(options, std::move(body));
}

/// In a kernel: what the test has written to L0A and L0B by hand counts as loaded.
inline void CountL0AsLoaded() {
  for (HostnpuMemoryKind kind : {HOSTNPU_MEMORY_L0A, HOSTNPU_MEMORY_L0B}) {
    AscendC::internal::NoteLoaded(kind, AscendC::internal::ThisCore().memory[kind].base, 128);
  }
}

template <typename T>
AscendC::GlobalTensor<T> TensorOf(const Gm<T>& buffer) {
  AscendC::GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(buffer.data(), buffer.size());
  return tensor;
}

/// Multiples of 1/64 in [-2, 2), which half and bfloat16 hold exactly, or integers in [-8, 8].
template <typename T>
void FillRandom(T* data, size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  for (size_t i = 0; i < count; ++i) {
    if constexpr (std::is_integral_v<T>) {
      data[i] = static_cast<T>(static_cast<int>(random() % 17) - 8);
    } else {
      data[i] = T((static_cast<int>(random() % 256) - 128) / 64.0f);
    }
  }
}
template <typename T>
void FillRandom(Gm<T>& buffer, uint32_t seed) {
  FillRandom(buffer.data(), buffer.size(), seed);
}

}  // namespace hostnpu::testing

#endif  // HOSTNPU_TESTS_KERNELS_CUBE_CUBE_RUN_H_

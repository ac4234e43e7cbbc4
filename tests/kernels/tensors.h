// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Short names for the tensors of a test's kernel, and values to put into them.
#ifndef HOSTNPU_TESTS_KERNELS_TENSORS_H_
#define HOSTNPU_TESTS_KERNELS_TENSORS_H_

#include <functional>
#include <random>

#include "kernel_fixture.h"

namespace hostnpu::testing {

constexpr uint32_t kUbBytes = 192 * 1024;

/// A tensor at a byte of UB; size 0: all that follows.
template <typename T>
AscendC::LocalTensor<T> Ub(uint32_t byte_offset, uint32_t size = 0) {
  const uint64_t rest = AscendC::internal::ElementsIn<T>(kUbBytes - byte_offset);
  return AscendC::LocalTensor<T>(AscendC::TPosition::VECCALC, byte_offset,
                                 size == 0 ? static_cast<uint32_t>(rest) : size);
}
/// A tensor on a kernel's argument.
template <typename T>
AscendC::GlobalTensor<T> In(GM_ADDR address) {
  AscendC::GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer((__gm__ T*)address);
  return tensor;
}

/// On a core: values at a byte of UB, written and read by the host's means.
template <typename T>
void PutUb(uint32_t at, const std::vector<T>& values) {
  std::memcpy(static_cast<void*>(Ub<T>(at).Data()), values.data(), values.size() * sizeof(T));
}
template <typename T>
std::vector<T> GetUb(uint32_t at, size_t size) {
  return std::vector<T>(Ub<T>(at).Data(), Ub<T>(at).Data() + size);
}
/// Runs a body that may capture, on one vector core.
inline LaunchResult OnCore(std::function<void()> body) {
  static std::function<void()>* now;
  now = &body;
  return Launch({}, [] { (*now)(); });
}

/// 0, 1, 2 ...
template <typename T>
std::vector<T> Counting(size_t size) {
  std::vector<T> values(size);
  for (size_t i = 0; i < size; ++i) values[i] = static_cast<T>(static_cast<int>(i));
  return values;
}
/// Evenly distributed over [low, high).
template <typename T>
std::vector<T> Noise(size_t size, float low, float high, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> value(low, high);
  std::vector<T> values(size);
  for (T& v : values) v = static_cast<T>(value(random));
  return values;
}
/// The value of T nearest to `value`.
template <typename T>
T Nearest(double value) {
  if constexpr (sizeof(T) == 2) return NearestHalf(value);
  return static_cast<T>(value);
}

}  // namespace hostnpu::testing

#endif  // HOSTNPU_TESTS_KERNELS_TENSORS_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests whose kernels are lambdas:
//
//     Gm<float> x(1024), y(1024);
//     LaunchResult result = Launch({.blocks = 8}-like options, [](GM_ADDR x, GM_ADDR y) { ... }, x,
//     y); EXPECT_TRUE(result.ok) << result.report;
//
// A kernel may capture nothing: its arguments travel to each core as those of a real launch do.
#ifndef HOSTNPU_TESTS_KERNELS_KERNEL_FIXTURE_H_
#define HOSTNPU_TESTS_KERNELS_KERNEL_FIXTURE_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "kernel_operator.h"
#include "kernel_runner.h"

/// In a kernel: fails the launch with the condition as its message.
#define CORE_CHECK(condition)                                                              \
  do {                                                                                     \
    if (!(condition)) HOSTNPU_FAULT(HOSTNPU_FAULT_ASSERT, "CORE_CHECK", "%s", #condition); \
  } while (false)

namespace hostnpu::testing {

/// A device buffer of T, filled with bytes 0xA5 unless given values. Converts to the pointers
/// kernels take.
template <typename T>
class Gm {
 public:
  explicit Gm(size_t size, const std::string& label = "") : size_(size) {
    data_ = static_cast<T*>(AllocateGm((size == 0 ? 1 : size) * sizeof(T), label));
    std::memset(static_cast<void*>(data_), 0xA5, size * sizeof(T));
  }
  explicit Gm(const std::vector<T>& values, const std::string& label = "")
      : Gm(values.size(), label) {
    for (size_t i = 0; i < values.size(); ++i) data_[i] = values[i];
  }
  ~Gm() { FreeGm(data_); }
  Gm(const Gm&) = delete;
  Gm& operator=(const Gm&) = delete;

  size_t size() const { return size_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T* data() const { return data_; }
  GM_ADDR address() const { return reinterpret_cast<GM_ADDR>(data_); }
  std::vector<T> ToVector() const { return std::vector<T>(data_, data_ + size_); }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

template <typename T>
GM_ADDR AsArgument(const Gm<T>& buffer) {
  return buffer.address();
}
template <typename T>
T AsArgument(const T& value) {
  return value;
}

/// Runs `kernel(arguments...)` on every core.
template <typename Kernel, typename... A>
LaunchResult Launch(const LaunchOptions& options, Kernel kernel, const A&... arguments) {
  using Packed = kernel::Pack<typename kernel::MakeIndices<sizeof...(A)>::Type, Kernel,
                              decltype(AsArgument(arguments))...>;
  Packed packed(kernel, AsArgument(arguments)...);
  return RunKernel(options, &Packed::Run, &packed);
}

/// The distance of two floats in units of the last place; 0 for two NaNs.
inline int64_t UlpDistance(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : INT64_MAX;
  const auto ordered = [](float value) {
    int32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits < 0 ? -static_cast<int64_t>(bits & 0x7FFFFFFF) : static_cast<int64_t>(bits);
  };
  return std::llabs(ordered(a) - ordered(b));
}

/// The half nearest to `value`, ties to even: an implementation of its own, for references.
inline half NearestHalf(double value) {
  if (std::isnan(value)) return static_cast<half>(NAN);
  const double magnitude = std::fabs(value);
  if (magnitude >= 65520.0) return static_cast<half>(std::copysign(INFINITY, value));
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const double ulp = std::ldexp(1.0, std::max(exponent - 11, -24));
  return static_cast<half>(std::copysign(std::nearbyint(magnitude / ulp) * ulp, value));
}

inline uint16_t BitsOf(half value) { return __builtin_bit_cast(uint16_t, value); }

}  // namespace hostnpu::testing

#endif  // HOSTNPU_TESTS_KERNELS_KERNEL_FIXTURE_H_

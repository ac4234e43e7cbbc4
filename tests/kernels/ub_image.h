// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests of instructions that only touch UB: the whole UB goes in, one core runs the instruction on
// it, the whole UB comes out, so that a test also sees what must not have changed.
#ifndef HOSTNPU_TESTS_KERNELS_UB_IMAGE_H_
#define HOSTNPU_TESTS_KERNELS_UB_IMAGE_H_

#include <functional>

#include "tensors.h"

namespace hostnpu::testing {

/// The bytes of a UB, seen as elements of any type at any byte.
class UbImage {
 public:
  UbImage() : bytes_(kUbBytes, 0xA5) {}

  template <typename T>
  T Get(uint32_t byte_offset, uint64_t element) const {
    T value;
    std::memcpy(&value, bytes_.data() + byte_offset + element * sizeof(T), sizeof(T));
    return value;
  }
  template <typename T>
  void Set(uint32_t byte_offset, uint64_t element, T value) {
    std::memcpy(bytes_.data() + byte_offset + element * sizeof(T), &value, sizeof(T));
  }
  template <typename T>
  void Fill(uint32_t byte_offset, const std::vector<T>& values) {
    for (size_t i = 0; i < values.size(); ++i) Set<T>(byte_offset, i, values[i]);
  }
  template <typename T>
  std::vector<T> Read(uint32_t byte_offset, size_t count) const {
    std::vector<T> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = Get<T>(byte_offset, i);
    return values;
  }

  /// Runs `body` on a core whose UB has these bytes; then they are those the core left.
  LaunchResult Run(const std::function<void()>& body, HostnpuCoreKind kind = HOSTNPU_CORE_AIV) {
    LaunchOptions options;
    if (kind == HOSTNPU_CORE_AIC) options.aic = 1, options.aiv = 0;
    struct Context {
      UbImage* image;
      const std::function<void()>* body;
    } context{this, &body};
    return RunKernel(
        options,
        [](void* pointer) {
          AscendC::internal::Regs().Reset();
          auto* the = static_cast<Context*>(pointer);
          uint8_t* ub = hostnpu_core->memory[HOSTNPU_MEMORY_UB].base;
          std::memcpy(ub, the->image->bytes_.data(), kUbBytes);
          (*the->body)();
          std::memcpy(the->image->bytes_.data(), ub, kUbBytes);
        },
        &context);
  }

  /// The first byte where two images differ; kUbBytes if none.
  uint32_t FirstDifference(const UbImage& other) const {
    uint32_t at = 0;
    while (at < kUbBytes && bytes_[at] == other.bytes_[at]) ++at;
    return at;
  }

 private:
  std::vector<uint8_t> bytes_;
};

/// Interesting values of T: special ones first, then random ones over the whole range.
template <typename T>
std::vector<T> Values(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i) {
    uint32_t bits = random();
    if constexpr (std::is_same_v<T, float>) {
      const float special[] = {0.0f, -0.0f,  INFINITY, -INFINITY, NAN,
                               1.0f, 1e-42f, 3.4e38f,  -3.4e38f,  1.17549435e-38f};
      // Exponents near that of 1, so that sums are not just the larger operand.
      bits = (bits & 0x807FFFFFu) | ((117 + bits / 64 % 20) << 23);
      float value;
      std::memcpy(&value, &bits, sizeof(value));
      values[i] = random() % 23 == 0 ? special[random() % 10] : value;
    } else if constexpr (std::is_same_v<T, half>) {
      values[i] = __builtin_bit_cast(half, static_cast<uint16_t>(bits));
    } else {
      const T special[] = {0, 1, static_cast<T>(-1), std::numeric_limits<T>::max(),
                           std::numeric_limits<T>::min()};
      values[i] = random() % 11 == 0 ? special[random() % 5] : static_cast<T>(bits);
    }
  }
  return values;
}

/// Equal, with all NaNs the same.
template <typename T>
bool Same(T a, T b) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, half>) {
    const double x = static_cast<double>(a);
    const double y = static_cast<double>(b);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    return x == y && std::signbit(x) == std::signbit(y);
  } else {
    return a == b;
  }
}

}  // namespace hostnpu::testing

#endif  // HOSTNPU_TESTS_KERNELS_UB_IMAGE_H_

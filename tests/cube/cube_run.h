// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a callable as a kernel on the engine, with GM buffers that the engine checks.
#ifndef HOSTNPU_TESTS_CUBE_CUBE_RUN_H_
#define HOSTNPU_TESTS_CUBE_CUBE_RUN_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "memory/device_memory.h"

// The kernel headers define qualifiers as macros, so they come last.
#include "ascendc/basic/fixpipe.h"
#include "ascendc/basic/load_data.h"
#include "ascendc/basic/load_data_3d.h"
#include "ascendc/basic/mmad.h"
#include "ascendc/basic/nd_nz.h"

namespace hostnpu::cube_testing {

/// Device memory for `count` elements of T, readable by the test, too.
template <typename T>
class Gm {
 public:
  explicit Gm(size_t count) : count_(count) {
    auto data = memory::DeviceMemory::Get().Allocate(0, std::max<size_t>(count * sizeof(T), 1));
    EXPECT_TRUE(data.ok());
    data_ = static_cast<T*>(*data);
    std::memset(static_cast<void*>(data_), 0, count * sizeof(T));
  }
  ~Gm() { EXPECT_TRUE(memory::DeviceMemory::Get().Free(data_).ok()); }
  Gm(const Gm&) = delete;
  Gm& operator=(const Gm&) = delete;

  T* data() const { return data_; }
  size_t size() const { return count_; }
  T& operator[](size_t i) const { return data_[i]; }
  AscendC::GlobalTensor<T> Tensor() const {
    AscendC::GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(data_, count_);
    return tensor;
  }

 private:
  T* data_ = nullptr;
  size_t count_;
};

struct RunOptions {
  uint64_t blocks = 1;
  engine::BlockCores cores = {1, 0};
  uint32_t workers = 1;
  uint64_t seed = 0;
};

/// Runs `body` on every core. The fault's message, or "" if there was none.
inline std::string Run(const RunOptions& options, std::function<void()> body) {
  engine::LaunchSpec spec;
  spec.kernel_name = "cube_kernel";
  spec.blocks = options.blocks;
  spec.cores = options.cores;
  spec.worker_limit = options.workers;
  spec.seed = options.seed;
  spec.arguments = &body;
  spec.chip = *arch::FindChip("Ascend910B1");
  spec.aiv_entry = spec.aic_entry = [](void* argument) {
    AscendC::internal::Regs().Reset();
    (*static_cast<std::function<void()>*>(argument))();
  };
  const auto outcome = engine::Engine::Get().Run(spec);
  return outcome.fault.has_value() ? outcome.fault->api + " " + outcome.fault->message : "";
}
inline std::string RunCube(std::function<void()> body) { return Run({}, std::move(body)); }

/// Values an fp64 reference can be compared with: multiples of 1/64 in [-2, 2), or small integers.
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

}  // namespace hostnpu::cube_testing

#endif  // HOSTNPU_TESTS_CUBE_CUBE_RUN_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ENGINE_LAUNCH_H_
#define HOSTNPU_ENGINE_LAUNCH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arch/chip.h"
#include "ascendc/detail/device_abi.h"
#include "ascendc/detail/launch_abi.h"

namespace hostnpu::engine {

/// The cores one block runs on.
struct BlockCores {
  uint32_t aic = 0;  ///< 0 or 1
  uint32_t aiv = 1;  ///< 0, 1 or 2
  bool operator==(const BlockCores&) const = default;
};

/// One kernel over `blocks` blocks: all the engine needs to run it. Plain data.
struct LaunchSpec {
  std::string kernel_name;
  uint64_t blocks = 1;
  BlockCores cores;
  HostnpuKernelEntry aiv_entry = nullptr;
  HostnpuKernelEntry aic_entry =
      nullptr;                ///< the same function unless the source is compiled twice
  void* arguments = nullptr;  ///< packed; alive until Run returns
  const arch::Chip* chip = nullptr;
  uint32_t device = 0;        ///< whose GM the kernel may touch
  uint64_t seed = 0;          ///< 0: natural order; else a replayable other order
  uint32_t worker_limit = 0;  ///< threads used at the most; 0: all
  uint64_t tiling_key = 0;
  uint8_t* system_workspace = nullptr;
  bool is_twin = false;
  /// UB contents at the start of every block: nothing, or this byte.
  std::optional<unsigned char> fill_local_memory;
};

/// Whether a launch has more blocks than the chip has cores for.
bool LacksCores(const LaunchSpec& spec);
/// Why the cores of a launch could never meet, with the numbers: a chip has all of them at work at
/// once only if it has that many. Nothing where they can.
std::optional<std::string> LackOfCores(const LaunchSpec& spec);

/// A place in the user's source; line 0 where none is known.
struct SourceLocation {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  std::string ToString() const;  ///< "add_custom.asc:58:9", or "an unknown place"
};

/// Where one core stood when the launch came to a halt.
struct CoreWait {
  std::string core;  ///< "AIV 3, block 1"
  std::string what;  ///< "CrossCoreWaitFlag(5)"
  SourceLocation location;
};

/// Why a launch failed. The first fault wins; later ones of the same launch are consequences.
struct Fault {
  HostnpuFaultKind kind = HOSTNPU_FAULT_ARGUMENT;
  std::string api;      ///< "DataCopy"
  std::string message;  ///< one sentence
  std::string kernel;
  std::string core;  ///< "AIV 3, block 1"
  bool on_cube = false;
  bool no_memory = false;  ///< the host has none for a core; `kind` and the place say nothing then
  SourceLocation location;
  std::vector<CoreWait> waits;  ///< for kStall: every core that waits

  /// The whole report, several lines, without a trailing newline.
  std::string ToString() const;
};

/// A flag that was still set when its kernel ended: on the device it stays set for the next kernel.
struct FlagLeft {
  std::string flag;     ///< "MTE3_V flag 2", "cross-core flag 5"
  std::string api;      ///< what set it: "SetFlag"
  std::string setter;   ///< "AIC, block 3"
  std::string waiter;   ///< the same core for a flag between pipes; "" if no core could wait
  std::string way_out;  ///< "CrossCoreWaitFlag(5)"
  uint64_t sets = 0;
  uint64_t waits = 0;
  void* place = nullptr;  ///< return address of the last set
  uint64_t order = 0;     ///< Core::Order() of the setter
  uint64_t others = 0;    ///< cores with the same flag left from the same place

  /// The whole warning, several lines, without a trailing newline. Takes a tenth of a second.
  std::string ToString(const std::string& kernel) const;
};

/// Something that ends no launch, here and on the device, and is hardly meant: a scalar read from
/// the bytes that aclrtMalloc adds behind a buffer, an integer divided by zero.
struct Oddity {
  std::string key;             ///< one of a kind is kept
  std::string what;            ///< "the kernel divides an integer by zero: ..."
  std::string core;            ///< "AIV 3, block 1", of the first core in Core::Order()
  uint64_t order = 0;          ///< of that core
  std::vector<void*> stack{};  ///< where
  uint64_t others = 0;         ///< after the first

  /// The whole warning, two lines, without a trailing newline. Takes a tenth of a second.
  std::string ToString(const std::string& kernel) const;
};

/// What a launch did.
struct LaunchOutcome {
  std::optional<Fault> fault;
  std::vector<FlagLeft> flags_left;  ///< of a launch without a fault
  std::vector<Oddity> oddities;
  uint64_t switches = 0;  ///< how often a core parked and another went on
};

}  // namespace hostnpu::engine

#endif  // HOSTNPU_ENGINE_LAUNCH_H_

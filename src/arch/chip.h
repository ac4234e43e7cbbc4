// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_ARCH_CHIP_H_
#define HOSTNPU_ARCH_CHIP_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hostnpu::arch {

/// The numbers of one chip. Plain data; sizes in bytes. The values come from the vendor's public
/// platform description files; chips/*.def states them, one chip a file.
struct Chip {
  std::string_view name;  ///< "Ascend910B1", as aclrtGetSocName reports it
  uint32_t npu_arch;      ///< __NPU_ARCH__: 2201 for A2 and A3
  uint32_t aic_count;     ///< cube cores
  uint32_t aiv_count;     ///< vector cores
  uint32_t ai_cpu_count;
  uint32_t frequency_mhz;
  uint64_t hbm_bytes;
  uint64_t l2_bytes;
  uint32_t ub_bytes;
  uint32_t l1_bytes;
  uint32_t l0a_bytes;
  uint32_t l0b_bytes;
  uint32_t l0c_bytes;
  uint32_t bt_bytes;              ///< bias table
  uint32_t fb_bytes;              ///< fixpipe buffer, its four parts together
  uint32_t fb0_bytes;             ///< the part that quantisation reads; what platform files state
  uint32_t reserved_local_bytes;  ///< taken off UB and L1 by the system: usable = size - this
  uint64_t system_workspace_bytes;
  uint32_t hbm_bytes_per_cycle;  ///< of one core
  uint32_t l2_bytes_per_cycle;

  /// Vector cores that go with one cube core.
  uint32_t AivPerAic() const { return aic_count == 0 ? 1 : aiv_count / aic_count; }
  uint32_t UsableUbBytes() const { return ub_bytes - reserved_local_bytes; }
  uint32_t UsableL1Bytes() const { return l1_bytes - reserved_local_bytes; }
};

/// Every chip hostnpu knows, in the order of `chip.cc`.
std::span<const Chip> AllChips();

/// The chip of that name, without regard to case. kNotFound lists the names that exist.
base::Result<const Chip*> FindChip(std::string_view name);

/// Ascend910B1, unless HOSTNPU_CHIP names another. kNotFound if it names none.
base::Result<const Chip*> DefaultChip();

}  // namespace hostnpu::arch

#endif  // HOSTNPU_ARCH_CHIP_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "ascendc/detail/platform_abi.h"

#include "acl/acl_base.h"
#include "arch/chip.h"
#include "runtime/device.h"
#include "runtime/last_error.h"
#include "runtime/status.h"

using namespace hostnpu;  // NOLINT: one C function

extern "C" __attribute__((visibility("default"))) int hostnpu_chip_facts(const char* name,
                                                                         HostnpuChipFacts* facts) {
  auto found = name == nullptr ? runtime::DeviceChip() : arch::FindChip(name);
  if (!found.ok()) {
    found.error().number = ACL_ERROR_RT_SOC_VERSION;
    return runtime::KeepError("Asking for the chip", found.error());
  }
  const arch::Chip& chip = **found;
  *facts = HostnpuChipFacts{};
  facts->name = chip.name.data();
  facts->npu_arch = chip.npu_arch;
  facts->aic_count = chip.aic_count;
  facts->aiv_count = chip.aiv_count;
  facts->ai_cpu_count = chip.ai_cpu_count;
  facts->frequency_mhz = chip.frequency_mhz;
  facts->ub_bytes = chip.ub_bytes;
  facts->l1_bytes = chip.l1_bytes;
  facts->l0a_bytes = chip.l0a_bytes;
  facts->l0b_bytes = chip.l0b_bytes;
  facts->l0c_bytes = chip.l0c_bytes;
  facts->bt_bytes = chip.bt_bytes;
  facts->fb_bytes = chip.fb0_bytes;
  facts->reserved_local_bytes = chip.reserved_local_bytes;
  facts->hbm_bytes_per_cycle = chip.hbm_bytes_per_cycle;
  facts->l2_bytes_per_cycle = chip.l2_bytes_per_cycle;
  facts->hbm_bytes = chip.hbm_bytes;
  facts->l2_bytes = chip.l2_bytes;
  facts->system_workspace_bytes = chip.system_workspace_bytes;
  return ACL_SUCCESS;
}

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The chip as host code sees it.
// status: 0
// stdout: cores 24 48 48 ub 196352 l1 524032 l0c 131072 lib 16777216 group 1048576
// stdout: blocks 24 0 5 soc 1 arch 2201 reserved 188160
// stdout: unknown 1 infos 196608 24 Ascend910B4 20
#include <cstdio>
#include <string>

#include "platform/platform_ascendc.h"
#include "tiling/platform/platform_ascendc.h"

using platform_ascendc::CoreMemType;

int main() {
  auto* platform = platform_ascendc::PlatformAscendCManager::GetInstance("Ascend910B1");
  uint64_t ub = 0, l1 = 0, l0c = 0;
  platform->GetCoreMemSize(CoreMemType::UB, ub);
  platform->GetCoreMemSize(CoreMemType::L1, l1);
  platform->GetCoreMemSize(CoreMemType::L0_C, l0c);
  printf("cores %u %u %u ub %lu l1 %lu l0c %lu lib %u group %u\n", platform->GetCoreNumAic(),
         platform->GetCoreNumAiv(), platform->GetCoreNum(), ub, l1, l0c,
         platform->GetLibApiWorkSpaceSize(), platform->GetResCubeGroupWorkSpaceSize());
  const unsigned fits = platform->CalcTschNumBlocks(47, 24, 48);
  const unsigned too_many = platform->CalcTschBlockDim(49, 24, 48);
  const unsigned vector_only = platform->CalcTschNumBlocks(5, 0, 48);
  platform->ReserveLocalMemory(platform_ascendc::ReservedSize::RESERVED_SIZE_8K);
  platform->GetCoreMemSize(CoreMemType::UB, ub);
  printf("blocks %u %u %u soc %d arch %u reserved %lu\n", fits, too_many, vector_only,
         (int)platform->GetSocVersion(), (unsigned)platform->GetCurNpuArch(), ub);
  fe::PlatFormInfos infos;
  const bool unknown = !infos.InitFor("Ascend1");
  infos.Init();
  infos.SetCoreNumByCoreType("AiCore");
  uint64_t whole = 0;
  infos.GetLocalMemSize(fe::LocalMemType::UB, whole);
  fe::PlatFormInfos other;
  other.InitFor("Ascend910B4");
  std::string name;
  other.GetPlatformRes("version", "SoC_version", name);
  printf("unknown %d infos %lu %u %s %u\n", unknown, whole, infos.GetCoreNum(), name.c_str(),
         platform_ascendc::PlatformAscendC(&other).GetCoreNumAic());
  return 0;
}

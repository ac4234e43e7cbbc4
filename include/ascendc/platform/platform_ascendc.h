// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The chip as host code asks for it: numbers of cores, sizes of memories, sizes of the library's
// workspaces.
#ifndef HOSTNPU_ASCENDC_PLATFORM_PLATFORM_ASCENDC_H_
#define HOSTNPU_ASCENDC_PLATFORM_PLATFORM_ASCENDC_H_

#include <cstdint>
#include <cstring>

#include "platform_infos_def.h"
#include "soc_spec.h"

namespace platform_ascendc {

enum class CoreMemType { L0_A = 0, L0_B, L0_C, L1, L2, UB, HBM, FB, BT, RESERVED };

enum class SocVersion {
  ASCEND910 = 0,
  ASCEND910B,  // Ascend910B1 to B4, B2C, and Ascend910_93
  ASCEND310P,
  ASCEND310B,
  ASCEND950,
  ASCEND910_55,
  ASCEND910_95 = ASCEND950,
  AS31XM1,
  ASCEND031,
  ASCEND035,
  ASCEND310,
  ASCEND610,
  ASCEND610Lite,
  ASCEND910_93,
  BS9SX1A,
  BS9SX2A,
  HI3796CV300CS,
  HI3796CV300ES,
  MC61AM21A,
  MC62,
  SD3403,
  KIRINX90,
  KIRIN9030,
  MC32DM11A,
  ASCEND350,
  RESERVED_VERSION = 99999
};

enum class ReservedSize { RESERVED_SIZE_8K, RESERVED_SIZE_16K, RESERVED_SIZE_32K };

/// A view of a chip's facts. `infos` has to outlive it; null: the chip of this process's devices.
class PlatformAscendC {
 public:
  PlatformAscendC() = delete;
  explicit PlatformAscendC(fe::PlatFormInfos* infos) : infos_(infos) {}

  /// What the framework has set; on chips with cube and vector cores apart, the vector cores.
  uint32_t GetCoreNum() const { return Infos().GetCoreNum(); }
  uint32_t GetCoreNumAic() const { return Facts().aic_count; }
  uint32_t GetCoreNumAiv() const { return Facts().aiv_count; }
  /// Vector cores beside AI cores: only Ascend310P has any.
  uint32_t GetCoreNumVector() const { return 0; }

  /// Blocks to launch for `slices` pieces of work: the groups of one cube core and its vector cores
  /// that they fill. 0 when that is more than the chip has; `slices` itself where the kernel uses
  /// one kind of core only.
  uint32_t CalcTschNumBlocks(uint32_t slices, uint32_t aic_count, uint32_t aiv_count) const {
    if (aic_count == 0 || aiv_count == 0 || aic_count > aiv_count) return slices;
    const uint32_t ratio = aiv_count / aic_count;
    const uint32_t blocks = (slices + ratio - 1) / ratio;
    return ratio == 2 && blocks > aic_count ? 0 : blocks;
  }
  uint32_t CalcTschBlockDim(uint32_t slices, uint32_t aic_count, uint32_t aiv_count) const {
    return CalcTschNumBlocks(slices, aic_count, aiv_count);
  }

  uint32_t GetLibApiWorkSpaceSize() const {
    return static_cast<uint32_t>(Facts().system_workspace_bytes);
  }
  uint32_t GetResCubeGroupWorkSpaceSize() const { return GroupWorkspaceBytes(); }
  uint32_t GetResGroupBarrierWorkSpaceSize() const { return GroupWorkspaceBytes(); }

  /// Bytes a kernel may use: UB and L1 without the system's part, UB also without what
  /// ReserveLocalMemory has set aside.
  void GetCoreMemSize(const CoreMemType& kind, uint64_t& size) const {
    const HostnpuChipFacts& facts = Facts();
    switch (kind) {
      case CoreMemType::FB:
        size = facts.fb_bytes;
        return;
      case CoreMemType::BT:
        size = facts.bt_bytes;
        return;
      case CoreMemType::UB:
        size = facts.ub_bytes - facts.reserved_local_bytes - set_aside_bytes_;
        return;
      case CoreMemType::L1:
        size = facts.l1_bytes - facts.reserved_local_bytes;
        return;
      default:
        Infos().GetLocalMemSize(static_cast<fe::LocalMemType>(kind), size);
    }
  }
  void GetCoreMemBw(const CoreMemType& kind, uint64_t& rate) const {
    Infos().GetLocalMemBw(static_cast<fe::LocalMemType>(kind), rate);
  }
  void ReserveLocalMemory(ReservedSize size) {
    set_aside_bytes_ = size == ReservedSize::RESERVED_SIZE_8K    ? 8 * 1024
                       : size == ReservedSize::RESERVED_SIZE_16K ? 16 * 1024
                                                                 : 32 * 1024;
  }

  SocVersion GetSocVersion() const {
    return Facts().npu_arch == 2201 ? SocVersion::ASCEND910B : SocVersion::RESERVED_VERSION;
  }
  NpuArch GetCurNpuArch() const { return static_cast<NpuArch>(Facts().npu_arch); }
  /// Bytes of a vector register; chips without register-based vector units have none.
  uint32_t GetVecRegLen() const { return 0; }

 private:
  static fe::PlatFormInfos& OfThisProcess() {
    static fe::PlatFormInfos infos = [] {
      fe::PlatFormInfos made;
      made.Init();
      return made;
    }();
    return infos;
  }
  const fe::PlatFormInfos& Infos() const {
    const bool usable = infos_ != nullptr && infos_->facts().name != nullptr;
    return usable ? *infos_ : OfThisProcess();
  }
  const HostnpuChipFacts& Facts() const { return Infos().facts(); }
  uint32_t GroupWorkspaceBytes() const { return Facts().npu_arch == 2201 ? 1024 * 1024 : ~0u; }

  fe::PlatFormInfos* infos_;
  uint32_t set_aside_bytes_ = 0;
};

/// The chip for programs that are no operator projects.
class PlatformAscendCManager {
 public:
  /// The chip of this process's devices.
  static PlatformAscendC* GetInstance() { return GetInstance(nullptr); }
  /// The chip of that name; null if there is none (aclGetRecentErrMsg says which there are). The
  /// first chip asked for stays for the whole process.
  static PlatformAscendC* GetInstance(const char* soc_version) {
    static fe::PlatFormInfos infos;
    static const bool known = infos.InitFor(soc_version);
    static PlatformAscendC platform(&infos);
    if (!known) {
      static fe::PlatFormInfos later;
      static PlatformAscendC other(&later);
      return later.facts().name != nullptr || later.InitFor(soc_version) ? &other : nullptr;
    }
    return &platform;
  }
};

}  // namespace platform_ascendc

#endif  // HOSTNPU_ASCENDC_PLATFORM_PLATFORM_ASCENDC_H_

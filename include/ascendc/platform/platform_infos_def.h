// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// What a tiling function sees of the chip before it wraps it into PlatformAscendC: the facts as the
// vendor's platform files name them, and whatever a test has set.
#ifndef HOSTNPU_ASCENDC_PLATFORM_PLATFORM_INFOS_DEF_H_
#define HOSTNPU_ASCENDC_PLATFORM_PLATFORM_INFOS_DEF_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../detail/platform_abi.h"

namespace fe {

enum class LocalMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, RESERVED };

/// The facts of one chip.
class PlatFormInfos {
 public:
  /// Takes the chip of this process's devices.
  bool Init() { return InitFor(nullptr); }
  /// Takes the chip of that name; false, and nothing changed, if there is none.
  bool InitFor(const char* soc_version) {
    HostnpuChipFacts facts;
    if (hostnpu_chip_facts(soc_version, &facts) != 0) return false;
    facts_ = facts;
    core_count_ = facts.aiv_count;
    return true;
  }
  const HostnpuChipFacts& facts() const { return facts_; }

  uint32_t GetCoreNum() const { return core_count_; }
  void SetCoreNum(uint32_t count) { core_count_ = count; }
  uint32_t GetCoreNumByType(const std::string& core_type) const {
    if (core_type == "VectorCore") return facts_.aiv_count;
    if (core_type == "AiCPU") return facts_.ai_cpu_count;
    return facts_.aic_count;
  }
  /// "AiCore", "VectorCore" or "AiCPU".
  void SetCoreNumByCoreType(const std::string& core_type) {
    core_count_ = GetCoreNumByType(core_type);
  }

  /// Whole sizes, as the hardware has them; PlatformAscendC takes the system's part off.
  void GetLocalMemSize(const LocalMemType& kind, uint64_t& size) const {
    switch (kind) {
      case LocalMemType::L0_A:
        size = facts_.l0a_bytes;
        break;
      case LocalMemType::L0_B:
        size = facts_.l0b_bytes;
        break;
      case LocalMemType::L0_C:
        size = facts_.l0c_bytes;
        break;
      case LocalMemType::L1:
        size = facts_.l1_bytes;
        break;
      case LocalMemType::L2:
        size = facts_.l2_bytes;
        break;
      case LocalMemType::UB:
        size = facts_.ub_bytes;
        break;
      case LocalMemType::HBM:
        size = facts_.hbm_bytes;
        break;
      default:
        size = 0;
    }
  }
  /// Bytes a cycle of one core.
  void GetLocalMemBw(const LocalMemType& kind, uint64_t& rate) const {
    rate = kind == LocalMemType::L2    ? facts_.l2_bytes_per_cycle
           : kind == LocalMemType::HBM ? facts_.hbm_bytes_per_cycle
                                       : 0;
  }

  /// A value by section and key, as in the platform files ("SoCInfo", "ai_core_cnt"); false if
  /// there is none.
  bool GetPlatformRes(const std::string& label, const std::string& key, std::string& value) const {
    const auto set = set_.find(label);
    if (set != set_.end()) {
      const auto found = set->second.find(key);
      if (found != set->second.end()) {
        value = found->second;
        return true;
      }
    }
    return KnownValue(label, key, value);
  }
  bool GetPlatformRes(const std::string& label, std::map<std::string, std::string>& values) const {
    const auto set = set_.find(label);
    if (set == set_.end()) return false;
    values = set->second;
    return true;
  }
  bool GetPlatformResWithLock(const std::string& label, const std::string& key,
                              std::string& value) const {
    return GetPlatformRes(label, key, value);
  }
  bool GetPlatformResWithLock(const std::string& label,
                              std::map<std::string, std::string>& values) const {
    return GetPlatformRes(label, values);
  }
  void SetPlatformRes(const std::string& label, std::map<std::string, std::string>& values) {
    for (const auto& item : values) set_[label][item.first] = item.second;
  }

 private:
  bool KnownValue(const std::string& label, const std::string& key, std::string& value) const {
    if (facts_.name == nullptr) return false;
    if (label == "version") {
      if (key == "SoC_version" || key == "Soc_version") value = facts_.name;
      if (key == "Short_SoC_version") value = ShortName();
      if (key == "NpuArch") value = std::to_string(facts_.npu_arch);
      return key == "SoC_version" || key == "Soc_version" || key == "Short_SoC_version" ||
             key == "NpuArch";
    }
    const std::map<std::string, uint64_t> numbers = Numbers(label);
    if (label == "SoCInfo" && key == "core_type_list") {
      value = "CubeCore,VectorCore";
      return true;
    }
    const auto found = numbers.find(key);
    if (found == numbers.end()) return false;
    value = std::to_string(found->second);
    return true;
  }
  std::string ShortName() const {
    const std::string name = facts_.name;
    return name.find("910_93") != std::string::npos ? "Ascend910_93" : "Ascend910B";
  }
  std::map<std::string, uint64_t> Numbers(const std::string& label) const {
    const HostnpuChipFacts& f = facts_;
    if (label == "SoCInfo") {
      return {{"ai_core_cnt", f.aic_count},
              {"cube_core_cnt", f.aic_count},
              {"vector_core_cnt", f.aiv_count},
              {"ai_cpu_cnt", f.ai_cpu_count},
              {"memory_size", f.hbm_bytes},
              {"l2_size", f.l2_bytes},
              {"hardware_sync_betweencore", 1},
              {"support_bf16", 1},
              {"support_inf_nan", 1}};
    }
    if (label == "AICoreSpec") {
      return {{"cube_freq", f.frequency_mhz}, {"l0_a_size", f.l0a_bytes},
              {"l0_b_size", f.l0b_bytes},     {"l0_c_size", f.l0c_bytes},
              {"l1_size", f.l1_bytes},        {"ub_size", f.ub_bytes},
              {"bt_size", f.bt_bytes},        {"fb0_size", f.fb_bytes},
              {"ubblock_size", 32},           {"support_fixpipe", 1}};
    }
    if (label == "AICoreMemoryRates") {
      return {{"ddr_rate", f.hbm_bytes_per_cycle}, {"l2_rate", f.l2_bytes_per_cycle}};
    }
    return {};
  }

  HostnpuChipFacts facts_ = {};
  uint32_t core_count_ = 0;
  std::map<std::string, std::map<std::string, std::string>> set_;
};

}  // namespace fe

#endif  // HOSTNPU_ASCENDC_PLATFORM_PLATFORM_INFOS_DEF_H_

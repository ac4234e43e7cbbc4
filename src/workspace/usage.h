// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_WORKSPACE_USAGE_H_
#define HOSTNPU_WORKSPACE_USAGE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "workspace/plan.h"

namespace hostnpu::workspace {

/// Declared against touched bytes of one region.
struct RegionUsage {
  std::string name{};
  int64_t declared_bytes = 0;
  int64_t touched_bytes = 0;  // the high-water mark: the end of the last byte touched
};

/// High-water marks over many launches of one plan. Launches report what they touched; marks only
/// rise.
class Usage {
 public:
  explicit Usage(const ArenaPlan& plan);

  /// Bytes [offset, offset + bytes) of region `index` were read or written. May lie past its end.
  void Touch(size_t index, int64_t offset, int64_t bytes);

  const std::vector<RegionUsage>& regions() const { return regions_; }

  /// `workspace of softmax: reserved 58.7 MB, touched 12 %`, then a row per region.
  std::string Render() const;

  /// Regions of which less than `percent` was ever touched, as warnings; empty if there are none.
  std::vector<std::string> WasteWarnings(int percent = 50) const;

  /// kKernelFault if a region was touched past its end: name, needed and given bytes.
  base::Result<void> CheckOverrun() const;

 private:
  std::string owner_;
  std::vector<RegionUsage> regions_;
};

/// Compares a size formula with what a kernel touches, over many shapes. The error shows the
/// smallest failing one (by touched bytes). `touched` runs or models the kernel.
base::Result<void> CheckFormula(const std::string& region, const Expression& declared_bytes,
                                std::span<const Bindings> shapes,
                                const std::function<int64_t(const Bindings&)>& touched);

}  // namespace hostnpu::workspace

#endif  // HOSTNPU_WORKSPACE_USAGE_H_

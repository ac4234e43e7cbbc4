// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A workspace is a parameter that the kernel both writes and reads and that the caller does not
// pass. Names say nothing (a workspace may be called `dv`), so the accesses are looked at.
#include "tilelang/ir/param_usage.h"

#include "tilelang/ir/visitor.h"

namespace hostnpu::tilelang::ir {
namespace {

class UsageFinder : public Visitor {
 public:
  using Visitor::Visit;
  explicit UsageFinder(const Module& module) : module_(module), usage_(module.buffers.size()) {}

  const ParamUsage& usage(BufferId id) const { return usage_[static_cast<size_t>(id)]; }

  void VisitRegion(const Region& region, AccessKind access) override {
    Visitor::VisitRegion(region, access);
    Note(region.buffer, access);
  }
  void VisitElement(BufferId buffer, AccessKind access) override { Note(buffer, access); }

 private:
  void Note(BufferId id, AccessKind access) {
    ParamUsage& usage = usage_[static_cast<size_t>(module_.Storage(id))];
    if (access != AccessKind::kWrite) {
      if (!usage.written && !usage.read) usage.read_before_write = true;
      usage.read = true;
    }
    if (access != AccessKind::kRead) usage.written = true;
  }

  const Module& module_;
  std::vector<ParamUsage> usage_;
};

}  // namespace

std::vector<ParamUsage> AnalyzeParams(const Module& module) {
  UsageFinder finder(module);
  finder.VisitStmt(module.body);
  std::vector<ParamUsage> result;
  for (const Param& param : module.params) {
    if (param.scalar) {
      result.push_back({.read = true});
    } else {
      result.push_back(finder.usage(param.buffer));
    }
  }
  return result;
}

}  // namespace hostnpu::tilelang::ir

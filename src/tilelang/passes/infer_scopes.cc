// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A buffer's uses say where it lies. An operand of gemm_v0 is L1; of mma L0A, L0B, L0C by its
// place; what a vector operation, a reduction, an element access or an atomic add touches is UB;
// what is filled from GM and read only by cube memories is L1. Copies tie buffers together, so the
// rules run until nothing changes.
#include "tilelang/passes/infer_scopes.h"

#include <vector>

#include "tilelang/ir/visitor.h"

namespace hostnpu::tilelang::passes {
namespace {

using ir::BufferId;
using ir::Memory;

struct Use {
  bool vector = false;   // vector operation, reduction, element access, atomic source
  bool gemm_l1 = false;  // operand A or B of gemm_v0
  int fragment = -1;     // operand place in gemm or mma: 0 L0A, 1 L0B, 2 L0C
};

class UseCollector : public ir::Visitor {
 public:
  using ir::Visitor::Visit;
  explicit UseCollector(const ir::Module& module) : module_(module), uses(module.buffers.size()) {}

  void VisitElement(BufferId buffer, AccessKind) override { At(buffer).vector = true; }
  void Visit(const ir::TileOp& node) override {
    for (const ir::TileArg& arg : node.args) {
      if (const auto* region = std::get_if<ir::Region>(&arg)) At(region->buffer).vector = true;
    }
    VisitChildren(node);
  }
  void Visit(const ir::Reduce& node) override {
    At(node.src.buffer).vector = true;
    At(node.dst.buffer).vector = true;
    VisitChildren(node);
  }
  void Visit(const ir::AtomicAdd& node) override {
    if (module_.buffer(node.src.buffer).memory == Memory::kShared)
      At(node.src.buffer).vector = true;
    VisitChildren(node);
  }
  void Visit(const ir::Gemm& node) override {
    if (!node.mma) {
      At(node.a.buffer).gemm_l1 = true;
      At(node.b.buffer).gemm_l1 = true;
    } else {
      At(node.a.buffer).fragment = 0;
      At(node.b.buffer).fragment = 1;
    }
    At(node.c.buffer).fragment = 2;
    VisitChildren(node);
  }
  void Visit(const ir::Copy& node) override {
    copies.emplace_back(module_.Storage(node.src.buffer), module_.Storage(node.dst.buffer));
    VisitChildren(node);
  }

  std::vector<std::pair<BufferId, BufferId>> copies;

 private:
  Use& At(BufferId buffer) { return uses[static_cast<size_t>(module_.Storage(buffer))]; }
  const ir::Module& module_;

 public:
  std::vector<Use> uses;
};

void PlaceFragments(ir::Module& module, const UseCollector& found) {
  for (size_t i = 0; i < module.buffers.size(); ++i) {
    if (module.buffers[i].memory != Memory::kFragment) continue;
    constexpr Memory kPlaces[] = {Memory::kL0A, Memory::kL0B, Memory::kL0C};
    module.buffers[i].memory =
        found.uses[i].fragment < 0 ? Memory::kL0C : kPlaces[found.uses[i].fragment];
  }
}

void PlaceShared(ir::Module& module, const UseCollector& found) {
  const auto memory_of = [&](BufferId id) { return module.buffer(id).memory; };
  for (size_t i = 0; i < module.buffers.size(); ++i) {
    if (module.buffers[i].memory != Memory::kShared) continue;
    if (found.uses[i].gemm_l1) {
      module.buffers[i].memory = Memory::kL1;
    } else if (found.uses[i].vector) {
      module.buffers[i].memory = Memory::kUb;
    }
  }
  // What copies say of the rest: to L0 makes L1; filled from GM and read by cube memories makes L1.
  for (size_t i = 0; i < module.buffers.size(); ++i) {
    if (module.buffers[i].memory != Memory::kShared) continue;
    const auto id = static_cast<BufferId>(i);
    bool to_cube = false;
    for (const auto& [src, dst] : found.copies) {
      if (src == id && ir::IsCubeMemory(memory_of(dst))) to_cube = true;
    }
    module.buffers[i].memory = to_cube ? Memory::kL1 : Memory::kUb;
  }
}

}  // namespace

base::Result<ir::Module> InferScopes(ir::Module module) {
  UseCollector found(module);
  found.VisitStmt(module.body);
  PlaceFragments(module, found);
  PlaceShared(module, found);
  for (ir::Buffer& buffer : module.buffers) {
    if (buffer.kind == ir::BufferKind::kView)
      buffer.memory = module.buffer(module.Storage(buffer.base)).memory;
  }
  return module;
}

}  // namespace hostnpu::tilelang::passes

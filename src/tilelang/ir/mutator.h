// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_IR_MUTATOR_H_
#define HOSTNPU_TILELANG_IR_MUTATOR_H_

#include "tilelang/ir/node.h"

namespace hostnpu::tilelang::ir {

/// Rebuilds a tree. Override `Mutate(const std::shared_ptr<const Copy>&)` for the kinds of
/// interest; call `MutateChildren(node)` inside it for the rebuilt children. A node whose children
/// did not change is returned itself, so an unchanged tree is the same pointer.
///
/// A statement may be replaced by null, which removes it from its Seq and empties the branch or
/// body it was. A Seq given in place of a statement that was not one is spliced into the Seq around
/// it.
class Mutator {
 public:
  virtual ~Mutator() = default;

  ExprPtr MutateExpr(const ExprPtr& expr);
  StmtPtr MutateStmt(const StmtPtr& stmt);
  virtual Region MutateRegion(const Region& region);
  /// Lets a pass rename buffers wherever they are used.
  virtual BufferId MutateBuffer(BufferId buffer) { return buffer; }

#define HOSTNPU_NODE(name, base, meaning) \
  virtual base##Ptr Mutate(const std::shared_ptr<const name>& node) { return MutateChildren(node); }
#include "tilelang/ir/nodes.def"
#undef HOSTNPU_NODE

 protected:
  template <typename T, typename P>
  auto DispatchTo(const std::shared_ptr<const P>& node) {
    return Mutate(std::static_pointer_cast<const T>(node));
  }
#define HOSTNPU_NODE(name, base, meaning) \
  base##Ptr MutateChildren(const std::shared_ptr<const name>& node);
#include "tilelang/ir/nodes.def"
#undef HOSTNPU_NODE
};

/// Replaces variables by expressions, by id.
class Substitution : public Mutator {
 public:
  using Mutator::Mutate;
  void Set(const VarPtr& var, ExprPtr value) { values_.emplace_back(var->id, std::move(value)); }
  ExprPtr Mutate(const std::shared_ptr<const Var>& node) override {
    for (const auto& [id, value] : values_) {
      if (id == node->id) return value;
    }
    return node;
  }

 private:
  std::vector<std::pair<uint64_t, ExprPtr>> values_;
};

}  // namespace hostnpu::tilelang::ir

#endif  // HOSTNPU_TILELANG_IR_MUTATOR_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_PASSES_AFFINE_H_
#define HOSTNPU_TILELANG_PASSES_AFFINE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tilelang/ir/node.h"

namespace hostnpu::tilelang::passes {

/// An index as coefficient * loop variables + rest, the rest free of them. T.Parallel has one or
/// two variables.
struct Affine {
  std::array<int64_t, 2> coefficient = {0, 0};
  ir::ExprPtr rest;

  bool HasVar() const { return coefficient[0] != 0 || coefficient[1] != 0; }
  /// The one variable with coefficient 1, or -1.
  int PlainVar() const {
    if (coefficient[0] == 1 && coefficient[1] == 0) return 0;
    if (coefficient[0] == 0 && coefficient[1] == 1) return 1;
    return -1;
  }
};

/// Whether `expr` has one of `vars` in it, inside an index of a load too.
bool Mentions(const ir::ExprPtr& expr, const std::vector<ir::VarPtr>& vars);

/// Whether the value is a negative constant, or a difference: everything else that stands in an
/// index (core numbers, loop variables, sizes, loaded positions) is taken for a count from 0 on.
bool MayBeNegative(const ir::ExprPtr& expr);

/// `expr` in that form; nothing when it is not affine in `vars`.
std::optional<Affine> AsAffine(const ir::ExprPtr& expr, const std::vector<ir::VarPtr>& vars);

/// The indices of an access, all affine; or nothing.
std::optional<std::vector<Affine>> AsAffine(const std::vector<ir::ExprPtr>& indices,
                                            const std::vector<ir::VarPtr>& vars);

/// The least and the greatest value of `index` while each variable goes from 0 to its extent;
/// nothing where one of them is not known while compiling, or there is no turn.
std::optional<std::pair<int64_t, int64_t>> SpanOf(const ir::ExprPtr& index,
                                                  const std::vector<ir::VarPtr>& vars,
                                                  const std::vector<ir::ExprPtr>& extents);

}  // namespace hostnpu::tilelang::passes

#endif  // HOSTNPU_TILELANG_PASSES_AFFINE_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_IR_PRINTER_H_
#define HOSTNPU_TILELANG_IR_PRINTER_H_

#include <string>

#include "tilelang/ir/module.h"

namespace hostnpu::tilelang::ir {

/// The whole module as text: signature, buffers, launch, body. This is what `hostnpu ir` shows and
/// what the tests of passes compare. Two buffers or variables of one name are told apart by `.1`,
/// `.2`. Regions print as `buf` when whole, else `buf[i, a:+n]` (from a, n elements).
std::string Print(const Module& module);

/// Only the body.
std::string PrintBody(const Module& module);

/// One expression in Python's notation. Buffers print by name.
std::string PrintExpr(const Module& module, const ExprPtr& expr);

/// One expression that loads nothing (a size).
std::string PrintExpr(const ExprPtr& expr);

/// One region, as in the module's text.
std::string PrintRegion(const Module& module, const Region& region);

/// "(128, 64)", "(n, 64)": a shape as messages say it.
std::string PrintShape(const std::vector<ExprPtr>& shape);

/// A statement without its nested blocks, on one line: "copy A[bx * 64:+64, 0:+32] -> a_ub".
std::string PrintHead(const Module& module, const StmtPtr& stmt);

}  // namespace hostnpu::tilelang::ir

#endif  // HOSTNPU_TILELANG_IR_PRINTER_H_

// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_IR_PARAM_USAGE_H_
#define HOSTNPU_TILELANG_IR_PARAM_USAGE_H_

#include <vector>

#include "tilelang/ir/module.h"

namespace hostnpu::tilelang::ir {

/// What a kernel does to one parameter, whatever its name and wherever the statements stand.
struct ParamUsage {
  bool read = false;     ///< by a copy, an element load or an atomic
  bool written = false;  ///< by a copy, an element store or an atomic
  /// The first access in the text is a read; with two streams the text need not be the order of
  /// execution, so this is a hint for messages and not a proof.
  bool read_before_write = false;
};

/// One entry per parameter of the signature; scalars are read.
std::vector<ParamUsage> AnalyzeParams(const Module& module);

}  // namespace hostnpu::tilelang::ir

#endif  // HOSTNPU_TILELANG_IR_PARAM_USAGE_H_

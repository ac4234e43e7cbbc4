// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_LAUNCH_REWRITER_H_
#define HOSTNPU_COMPILER_LAUNCH_REWRITER_H_

#include <string_view>
#include <vector>

#include "compiler/edit.h"
#include "compiler/lexer.h"

namespace hostnpu::compiler {

/// Turns each launch `NAME<<<CONFIG>>>(ARGUMENTS)` into C++ that include/ascendc/detail/launch.h
/// gives a meaning:
///
///   (::hostnpu::kernel::LaunchOn("NAME", __FILE__, __LINE__, CONFIG)
///        << [=](auto... hostnpu_args) { NAME(hostnpu_args...); })(ARGUMENTS)
///
/// Configuration and arguments stay where they are, on their own lines; an argument that is just
/// `NULL` becomes `nullptr`. The lambda is where the compiler binds NAME, a template or an overload
/// included. What only looks like a launch (no name before, no `>>>(` behind) is left alone for the
/// compiler to judge. `tokens` are those of `source`.
std::vector<Edit> RewriteLaunches(std::string_view source, const std::vector<Token>& tokens);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_LAUNCH_REWRITER_H_
